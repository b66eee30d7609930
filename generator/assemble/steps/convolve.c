/* conv: a transform of the problem's inputs, times the caller's spectrum, and back.
 *
 * In: a task, the plan of a complex transform. Out: stages. The idea: it is what Bluestein's and Rader's algorithms
 * have inside (convolution.c), with the problem's arrays at both ends and an array of the caller's in the middle. So
 * the two transforms are fused in one stage wherever those are: in a block, on CPUs between passes, across the kernels
 * or the cluster of a four-step plan.
 *
 * With the spectrum's conjugates the transforms have the opposite signs, between conjugates of what is loaded and of
 * what is stored (operations.c): conj X times conj H is the conjugate of the spectrum that is wanted. */
#include "generator/assemble/operations.h"
#include "generator/assemble/steps/as_complex.h"
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/steps/paired.h"
#include "generator/assemble/steps/real.h"
#include "generator/assemble/steps/steps.h"

/* All of it in one codelet. */
static fg_status in_registers(fg_builder *b, const fg_task *t, const fg_view *spectrum) {
  fg_codelet_kind kind = t->kind == FG_RCONV ? FG_CODELET_CONVOLVE_REAL : FG_CODELET_CONVOLVE;
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "%lld points forward and backward", (long long)t->n),
                        .in = &t->in,
                        .out = &t->out,
                        .slots = (int)t->n,
                        .load = 1,
                        .store = 1,
                        .table = spectrum,
                        .table_slots = fg_codelet_factors(kind, (int)t->n),
                        .table_coef = 1};
  fg_status status = fg_build_key(b, (fg_codelet_key){.kind = kind, .sign = t->sign}, t->n, &form.codelet);
  if (status == FG_OK) fg_build_stage(b, &form);
  return status;
}

/* From reals to half of their transform, and from its product to reals. In a block, threads of the passes next to the
 * product store where they have loaded, so that one memory holds all. */
static fg_status of_reals(fg_builder *b, const fg_plan *inside, const fg_task *t, const fg_view *spectrum) {
  if (inside->step == FG_PAIRED) return fg_build_convolved_pairs(b, inside, t, spectrum);
  if (fg_build_can_convolve_real(b, inside, t)) return fg_build_convolved_real(b, inside, t, spectrum);
  if (inside->step == FG_REAL && inside->child[0]->step == FG_FOUR_STEP && !b->map->threads)
    return fg_build_convolved_matrix(b, inside, t, spectrum);
  fg_view half = fg_build_room_beside(b, inside, t->n / 2 + 1), product = half;
  bool apart = b->program->buffer[half.buffer].space == FG_SPACE_WORK;
  const fg_view *at = apart || !b->map->threads ? NULL : &half;
  fg_task there = {.kind = FG_R2C, .n = t->n, .sign = t->sign, .in = t->in, .out = half, .at = at};
  fg_status status = fg_build_plan(b, inside, &there);
  if (status != FG_OK) return status;
  if (apart) fg_build_kernel(b);
  product.multiplied = half.stride.n;
  fg_task back = {.kind = FG_C2R, .n = t->n, .sign = -t->sign, .in = product, .out = t->out, .at = at};
  return fg_build_plan(b, inside, &back);
}

fg_status fg_build_convolve(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *inside = plan->child[0];
  fg_view spectrum = fg_build_given_spectrum(b);
  if (b->program->problem.summed) return fg_build_summed_convolution(b, inside, t, &spectrum);
  if (t->kind == FG_RCONV)
    return inside->step == FG_DIRECT ? in_registers(b, t, &spectrum) : of_reals(b, inside, t, &spectrum);
  fg_task ends = {.n = t->n, .sign = t->sign, .in = t->in, .out = t->out};
  if (inside->step == FG_DIRECT) return in_registers(b, &ends, &spectrum);
  return fg_build_convolution(b, plan, &ends, &spectrum);
}
