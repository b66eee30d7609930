/* Cooley and Tukey's: decimation in time.
 *
 * In: a task, a radix, a plan of the transforms inside. Out: stages: r transforms of every r-th element, then one
 * twiddled pass of radix r over their results.
 *
 * On CPUs, of arrays that L2 does not hold, transforms of several passes are a kernel, one behind the other: what
 * passes leave for each other is one transform's, and near. */
#include "generator/assemble/memory.h"
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/steps/stockham.h"
#include "generator/ir/program_machine.h"

enum { KERNELS = 6 }; /* of such a step, those beside it, and of the transform back */

bool fg_build_has_turns(const fg_builder *b, const fg_plan *plan, int64_t n) {
  bool several = plan->step != FG_DIRECT && plan->step != FG_STOCKHAM && plan->step != FG_FOUR_STEP;
  bool far = 2 * fg_precision_bytes(b->program->problem.compute) * n > fg_l2_bytes(b->program);
  for (int i = 0; i < b->naxis; i++) far = far && fg_build_is_outer(&b->axis[i]);
  return several && far && !b->map->threads && !b->packed && !b->kernel->nstage &&
         b->nkernel + KERNELS < FG_MAX_LOGICAL;
}

static bool is_local(const fg_builder *b, const fg_view *v) {
  return b->program->buffer[v->buffer].space == FG_SPACE_LOCAL;
}

fg_status fg_build_cooley_tukey(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int64_t r = plan->arg[0], m = t->n / r;
  bool turns = fg_build_has_turns(b, plan->child[0], t->n) && !is_local(b, &t->in) && !is_local(b, &t->out);
  fg_view work = turns ? fg_build_workspace(b, t->n) : fg_build_scratch(b, t->n);
  fg_task sub = {.n = m, .sign = t->sign, .in = t->in, .out = work};
  sub.in.stride = fg_num_scaled(t->in.stride, r);
  sub.in.coef[b->naxis] = t->in.stride;
  sub.out.coef[b->naxis] = fg_num_scaled(work.stride, m);
  if (turns)
    fg_build_axis(b, "c", r, FG_AXIS_TILE);
  else
    fg_build_inner_axis(b, r);
  fg_status status = fg_build_plan(b, plan->child[0], &sub);
  b->naxis--;
  if (status != FG_OK) return status;
  if (turns) fg_build_kernel(b);
  fg_task pass = {.n = t->n, .sign = t->sign, .in = work, .out = t->out};
  return fg_build_pass(b, &pass, r, m);
}
