/* A transform, or what remains of one, by a single codelet.
 *
 * In: a task. Out: a stage. Factors of its inputs are those of the task's table, of its roots of unity, or of all
 * elements but the first. */
#include "generator/assemble/memory.h"
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/twiddle.h"
#include "generator/codelet/library.h"

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

/* A side of the matrices, in whole blocks of 16: inputs j and n - j are one row. */
static int64_t matrix_side(int64_t n) { return (n / 2 + 1 + 15) / 16 * 16; }

/* Why warps cannot compute it by products of matrices; NULL: they can. */
static const char *no_matrix(const fg_builder *b, const fg_task *t) {
  const fg_problem *q = &b->program->problem;
  if (!b->map->matrix) return "this target has none";
  if (q->storage != FG_F16 || q->compute != FG_F32) return "of half precision (f16) with sums in float alone";
  if (t->kind != FG_C2C || t->factors || t->multiply || t->exponents || q->nload || q->nstore || q->scale)
    return "of c2c alone, without operations";
  return t->n < 3 ? "from 3 points on" : NULL;
}

static fg_status build_matrix(fg_builder *b, const fg_task *t) {
  const char *why = no_matrix(b, t);
  if (why) return fg_refuse(b->cx, "plan: matrix=on, products of matrices by warps: %s", why);
  int64_t side = matrix_side(t->n);
  fg_table roots = {.fill = FG_FILL_TWIDDLE, .sign = 1, .rows = side, .cols = side, .panel = 4, .order = t->n};
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "%lld points by products of matrices", (long long)t->n),
                        .in = &t->in,
                        .out = &t->out,
                        .slots = (int)t->n,
                        .load = 1,
                        .store = 1};
  fg_codelet_key key = {.n = (int)t->n, .sign = t->sign, .matrix = true};
  fg_status status = fg_codelet_library_codelet(b->cx, &key, &form.codelet);
  if (status != FG_OK) return status;
  fg_view table = fg_build_table(b, &roots);
  fg_build_stage(b, &form)->factors.matrix = table.buffer;
  return FG_OK;
}

fg_status fg_build_direct(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_codelet *codelet;
  if (fg_plan_has_matrix(plan)) return build_matrix(b, t);
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
