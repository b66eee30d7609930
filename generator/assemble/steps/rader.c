/* Odd primes, by a generator.
 *
 * In: a task, a plan of a convolution of n - 1 points, or of 2 n - 3 and more. Out: stages.
 *
 * Rader, Proc. IEEE 56 (1968). */
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/steps/steps.h"

/* Of two numbers `apart` elements from each other, one linear combination: their
 * sum, or the first plus the second times a constant. */
static fg_status combine(fg_builder *b, const char *what, const fg_view *in, int64_t apart, const fg_view *table,
                         const fg_view *out) {
  const fg_codelet *codelet;
  fg_status status = fg_build_codelet(b, 2, -1, table ? FG_TW_IN_ALL : FG_TW_NONE, &codelet);
  if (status != FG_OK) return status;
  fg_stage_form form = {.what = what,
                        .codelet = codelet,
                        .in = in,
                        .out = out,
                        .slots = 2,
                        .load = apart,
                        .table = table,
                        .table_slots = 2,
                        .table_coef = 1,
                        .few = true};
  fg_stage *s = fg_build_stage(b, &form);
  fg_affine slot = {.offset = fg_num_const(0)};
  fg_affine_add(&slot, s->store.reg, fg_num_const(1));
  s->store.npred = 1; /* the difference is not stored */
  s->store.pred[0] = (fg_pred){.value = slot, .bound = fg_num_const(1)};
  return FG_OK;
}

/* With a generator g, inputs x at g^q and outputs X at g^-p: X - x_0 is the cyclic
 * convolution of n-1 points of x with the roots of unity at g^-j, padded to L
 * points where n-1 is no good length. Element 0 of the spectrum of x is the sum
 * of all but x_0: with x_0 it is X_0; and x_0 times L there adds x_0 everywhere. */
fg_status fg_build_separate_rader(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *given) {
  (void)given;
  int64_t n = t->n, length = fg_plan_convolution(plan);
  fg_table spectrum = {.fill = FG_FILL_RADER, .sign = t->sign, .rows = 1, .cols = length, .order = n, .n = n};
  fg_table sum = {.fill = FG_FILL_RADER_SUM, .sign = t->sign, .rows = 1, .cols = 2, .order = length, .n = n};
  fg_table power = {.fill = FG_FILL_POWER, .rows = 1, .cols = n - 1, .order = 1, .n = n};
  fg_table log = {.fill = FG_FILL_LOGARITHM, .rows = 1, .cols = n, .order = length, .n = n};
  fg_view with = fg_build_table(b, &spectrum), sum_table = fg_build_table(b, &sum);
  fg_view from = t->in, padded = fg_build_interleaved(b, length + 1), work = fg_build_scratch(b, length + 1);
  fg_view x0 = fg_build_shifted(&work, length), sum_of_all = fg_build_shifted(&padded, length), ordered = padded;
  from.lookup = fg_build_table(b, &power).buffer;
  ordered.lookup = fg_build_table(b, &log).buffer;
  fg_separate c = {.length = length, .sign = -1, .in = padded, .spectrum = work, .out = padded, .with = &with};
  fg_build_copy(b, "gather", &from, &padded, n - 1);
  if (length >= n) fg_build_zeros(b, &padded, n - 1, length);
  fg_status status = fg_build_forward(b, plan->child[0], &c);
  if (status != FG_OK) return status;
  fg_build_copy(b, "save", &t->in, &x0, 1);
  status = combine(b, "element 0: the sum of all", &x0, -length, NULL, &sum_of_all);
  if (status == FG_OK) status = combine(b, "element 0 added to the others", &x0, -length, &sum_table, &work);
  if (status == FG_OK) status = fg_build_backward(b, plan->child[0], &c);
  if (status != FG_OK) return status;
  fg_build_copy(b, "reorder", &ordered, &t->out, n);
  return FG_OK;
}

fg_status fg_build_rader(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  return fg_build_convolution(b, plan, t, NULL);
}
