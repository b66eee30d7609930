/* Reals as complex numbers whose imaginary parts are zero.
 *
 * In: a task from reals to half of their transform, a plan of complex numbers. Out: stages. Some lengths have no real
 * passes, or none that fit a block. With this step all methods of complex transforms serve reals, too: twice the
 * numbers, but few passes over them. Plans of several kernels have a workspace on either side. */
#include "generator/assemble/steps/as_complex.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/steps.h"

/* Whether a complex transform inside has kernels of its own. */
static bool has_kernels(const fg_plan *p) {
  return p->step == FG_FOUR_STEP || (p->nchild == 1 && has_kernels(p->child[0]));
}

bool fg_build_has_kernels(const fg_builder *b, const fg_plan *inner, int64_t n) {
  return has_kernels(inner) || (inner->step == FG_COOLEY_TUKEY && fg_build_has_turns(b, inner->child[0], n));
}

fg_view fg_build_room_beside(fg_builder *b, const fg_plan *inner, int64_t n) {
  return fg_build_has_kernels(b, inner, n) ? fg_build_workspace(b, n) : fg_build_scratch(b, n);
}

fg_status fg_build_between(fg_builder *b, const fg_plan *inner, fg_task *t) {
  bool kernels = has_kernels(inner);
  t->out = fg_build_room_beside(b, inner, t->n);
  if (kernels) fg_build_kernel(b);
  fg_status status = fg_build_plan(b, inner, t);
  if (status == FG_OK && kernels) fg_build_kernel(b);
  return status;
}

static fg_status widen(fg_builder *b, const fg_task *t, const fg_view *out) {
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "%lld reals as complex numbers", (long long)t->n),
                        .in = &t->in,
                        .out = out,
                        .loop = {{"k", t->n, 1, 1, 0}},
                        .slots = 1};
  fg_status status = fg_build_key(b, (fg_codelet_key){.kind = FG_CODELET_R2C, .sign = t->sign}, 1, &form.codelet);
  if (status == FG_OK) fg_build_stage(b, &form);
  return status;
}

fg_status fg_build_as_complex(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *child = plan->child[0];
  bool alone = b->nkernel == 1 && !b->kernel->nstage;
  if (t->kind != FG_R2C || t->pairs || !b->map->threads || (has_kernels(child) && !alone)) return FG_ENA;
  fg_task inner = {.kind = FG_C2C, .n = t->n, .sign = t->sign, .in = fg_build_room_beside(b, child, t->n)};
  fg_status status = widen(b, t, &inner.in);
  if (status == FG_OK) status = fg_build_between(b, child, &inner);
  if (status != FG_OK) return status;
  fg_build_copy(b, "take half of", &inner.out, &t->out, t->n / 2 + 1);
  return FG_OK;
}
