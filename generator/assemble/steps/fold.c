/* fold(PLAN): mdct and imdct, by a cosine transform of type IV.
 *
 * In: a task of 2 n samples, or of n coefficients; a plan for the dct4 of n points. Out: a stage that folds the samples
 * before that transform, or unfolds its results. The idea: the cosines of a lapped transform are those of a dct4, whose
 * symmetries map four samples to two: with u the input of the dct4 and j below n/2,
 *
 *   u_j = - x_(3n/2-1-j) - x_(3n/2+j),  u_(n/2+j) = x_j - x_(n-1-j)
 *
 * and back by the transposed matrix (Princen and Bradley 1986). */
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/steps.h"

/* Between 2 n samples and u. */
static fg_status fold(fg_builder *b, const fg_view *samples, const fg_view *u, int64_t n, bool back) {
  fg_side falling = {.slots = 2, .first = n - 1, .slot = n / 2, .loop = {-1}};
  fg_codelet_key key = {.kind = back ? FG_CODELET_UNFOLD : FG_CODELET_FOLD, .sign = 1};
  fg_stage_form form = {
      .what = fg_arena_printf(b->cx->arena, "%s, %lld samples", back ? "unfold" : "fold", (long long)(2 * n)),
      .in = samples,
      .out = u,
      .loop = {{"k", n / 2, 1, 1, 0}},
      .slots = 2,
      .out_slots = 2,
      .load = 3 * n / 2,
      .store = n / 2,
      .load_rest = &falling,
      .alone = n == 2};
  if (back) fg_build_transposed_stage(&form);
  fg_status status = fg_build_key(b, key, 2, &form.codelet);
  if (status == FG_OK) fg_build_stage(b, &form);
  return status;
}

fg_status fg_build_fold(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  bool back = t->kind == FG_IMDCT;
  fg_view u = fg_build_real_scratch(b, t->n);
  fg_task task = {.kind = FG_DCT4, .n = t->n, .sign = 1, .in = back ? t->in : u, .out = back ? u : t->out};
  fg_status status = back ? FG_OK : fold(b, &t->in, &u, t->n, false);
  if (status == FG_OK) status = fg_build_plan(b, plan->child[0], &task);
  return status == FG_OK && back ? fold(b, &t->out, &u, t->n, true) : status;
}
