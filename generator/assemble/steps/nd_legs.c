/* The dimensions of a convolution in order, each with the kind and the sign of its lines.
 *
 * In: the problem, a plan for each dimension. Out: all but one forward, that one forward and back, with the spectrum in
 * between, and the others back. */
#include "generator/assemble/steps/nd_block.h"
#include "generator/plan/plan.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"

/* Complex lines of one point are as they should be. */
static bool is_idle(const fg_problem *q, int dimension) { return q->dim[dimension].n.n == 1; }

/* The one that goes forward and back: the plan of a complex convolution chooses it. */
static int middle_of(const fg_problem *q, const fg_plan *plan) {
  int middle = fg_problem_spectrum_dimension(q);
  for (int i = 0; q->kind == FG_CONV && i < q->rank; i++)
    if (plan->child[i]->step == FG_CONVOLVE) middle = i;
  return middle;
}

int fg_build_legs_of_convolution(const fg_problem *q, const fg_plan *plan, int sign, fg_leg *leg) {
  int count = 0, last = q->rank - 1, middle = middle_of(q, plan);
  for (int i = 0; i <= last; i++) { /* the last dimension is first, or in the middle */
    int d = middle < last ? last - i : i;
    bool rows = d == last && q->kind == FG_RCONV;
    fg_kind kind = rows ? fg_problem_kind_inside(q->kind, false) : FG_C2C;
    if (d != middle && (rows || !is_idle(q, d))) leg[count++] = (fg_leg){d, kind, sign};
  }
  leg[count++] = (fg_leg){middle, middle == last ? q->kind : FG_C2C, sign};
  for (int i = count - 2; i >= 0; i--) {
    fg_kind kind = leg[i].kind == FG_C2C ? FG_C2C : fg_problem_kind_inside(q->kind, true);
    leg[count++] = (fg_leg){leg[i].dimension, kind, -sign};
  }
  return count;
}
