/* A transform, or what remains of one, by a single codelet.
 *
 * In: a task. Out: a stage. Factors of its inputs are those of the task's table, of its roots of unity, or of all
 * elements but the first. */
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/twiddle.h"

/* Of the views: reals may be loaded in pairs. */
static int elements_of(const fg_task *t, fg_codelet_side side) {
  return t->pairs && side.real ? side.elements / 2 : side.elements;
}

static fg_status build_real(fg_builder *b, const fg_task *t) {
  const fg_codelet *codelet;
  fg_status status = fg_build_real_codelet(b, t->kind, t->n, t->sign, &codelet);
  if (status != FG_OK) return status;
  fg_codelet_kind kind = fg_build_codelet_kind(t->kind);
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "codelet of %lld points, %s", (long long)t->n,
                                                fg_problem_kind_name(t->kind)),
                        .codelet = codelet,
                        .in = &t->in,
                        .out = &t->out,
                        .slots = elements_of(t, fg_codelet_input(kind, (int)t->n)),
                        .out_slots = elements_of(t, fg_codelet_output(kind, (int)t->n)),
                        .load = 1,
                        .store = 1};
  fg_build_stage(b, &form);
  return FG_OK;
}

fg_status fg_build_direct(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  (void)plan;
  const fg_codelet *codelet;
  if (t->kind != FG_C2C) return build_real(b, t);
  bool all = t->multiply || t->exponents, others = t->factors && t->n > 1;
  fg_twiddle twiddle = all ? FG_TW_IN_ALL : others ? FG_TW_IN : FG_TW_NONE;
  fg_status status = fg_build_codelet(b, t->n, t->sign, twiddle, &codelet);
  if (status != FG_OK) return status;
  fg_factors f = {.slots = (int)t->n - others, .coef = 1};
  if (t->multiply) f.table = *t->multiply;
  if (others) f.table = fg_build_shifted(t->factors, 1);
  if (t->exponents) f = fg_build_exponent_factors(b, t, t->n);
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "codelet of %lld points", (long long)t->n),
                        .codelet = codelet,
                        .in = &t->in,
                        .out = &t->out,
                        .slots = (int)t->n,
                        .load = 1,
                        .store = 1};
  if (all || others) fg_build_set_factors(&form, &f);
  fg_build_stage(b, &form);
  return FG_OK;
}
