/* Reals as complex numbers whose imaginary parts are zero.
 *
 * In: a task from reals to half of their transform, a plan of complex numbers. Out: stages. Where no real passes
 * exist, or none that a block holds, all methods of complex transforms serve lengths of reals, too: twice the numbers,
 * but few passes over them. Plans of several kernels have a workspace on either side. */
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/steps.h"

static bool has_kernels(const fg_plan *p) {
  return p->step == FG_FOUR_STEP || (p->nchild == 1 && has_kernels(p->child[0]));
}

static fg_status widen(fg_builder *b, const fg_task *t, const fg_view *out) {
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "%lld reals as complex numbers", (long long)t->n),
                        .in = &t->in,
                        .out = out,
                        .nloop = 1,
                        .loop = {{"k", t->n, 1, 1, 0}},
                        .slots = 1,
                        .out_slots = 1};
  fg_status status = fg_build_key(b, (fg_codelet_key){.kind = FG_CODELET_R2C, .sign = t->sign}, 1, &form.codelet);
  if (status == FG_OK) fg_build_stage(b, &form);
  return status;
}

fg_status fg_build_as_complex(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  bool kernels = has_kernels(plan->child[0]), alone = b->nkernel == 1 && !b->kernel->nstage;
  if (t->kind != FG_R2C || t->pairs || !b->map->threads || (kernels && !alone)) return FG_ENA;
  fg_view (*room)(fg_builder *, int64_t) = kernels ? fg_build_workspace : fg_build_scratch;
  fg_task inner = {.kind = FG_C2C, .n = t->n, .sign = t->sign, .in = room(b, t->n)};
  fg_status status = widen(b, t, &inner.in);
  if (status != FG_OK) return status;
  inner.out = room(b, t->n);
  if (kernels) fg_build_kernel(b);
  status = fg_build_plan(b, plan->child[0], &inner);
  if (status != FG_OK) return status;
  if (kernels) fg_build_kernel(b);
  fg_build_copy(b, "take half of", &inner.out, &t->out, t->n / 2 + 1);
  return FG_OK;
}
