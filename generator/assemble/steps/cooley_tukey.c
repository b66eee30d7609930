/* Cooley and Tukey's: decimation in time.
 *
 * In: a task, a radix, a plan of the transforms inside. Out: stages: r transforms of every r-th element, then one
 * twiddled pass of radix r over their results. */
#include "generator/assemble/memory.h"
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/steps/stockham.h"

fg_status fg_build_cooley_tukey(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int64_t r = plan->arg[0], m = t->n / r;
  fg_view work = fg_build_scratch(b, t->n);
  fg_task sub = {.n = m, .sign = t->sign, .in = t->in, .out = work};
  sub.in.stride = fg_num_scaled(t->in.stride, r);
  sub.in.coef[b->naxis] = t->in.stride;
  sub.out.coef[b->naxis] = fg_num_scaled(work.stride, m);
  fg_build_inner_axis(b, r);
  fg_status status = fg_build_plan(b, plan->child[0], &sub);
  b->naxis--;
  if (status != FG_OK) return status;
  fg_task pass = {.n = t->n, .sign = t->sign, .in = work, .out = t->out};
  return fg_build_pass(b, &pass, r, m);
}
