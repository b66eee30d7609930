/* The last dimensions of a transform in one block of a GPU.
 *
 * In: a task over all dimensions, a plan for each, the views of input and output. Out: one kernel, which passes
 * memory once where the row-column algorithm passes it for each dimension.
 *
 * Each dimension is one pass, or several, over all of its lines. Between two dimensions the numbers are in shared
 * memory in the order of the output. The first and the last dimension access the arrays. Complex transforms begin
 * with the slowest dimension, so that neighbouring threads load neighbouring numbers, and end with the last but one,
 * so that neighbouring threads store a row. The last dimension is the real one: the first of r2c, the last of c2r.
 * A convolution goes forward and back. Of sums a block takes transforms one after the other, and goes back once. */
#include "generator/assemble/steps/nd_block.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/steps/summed.h"
#include "generator/assemble/task.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"

typedef struct block {
  const fg_problem *problem;
  int first; /* dimension; those before it are around the block */
  int count;
  fg_leg leg[2 * FG_MAX_RANK]; /* one after the other */
  int64_t elements;            /* in shared memory */
} block;

/* Complex numbers along a dimension, where it is not the one in hand. */
static int64_t span_of(const fg_problem *q, int dimension) {
  if (fg_problem_kind_convolves(q->kind)) return fg_problem_spectrum_length(q, dimension);
  return fg_problem_span(q, dimension, q->kind == FG_R2C);
}

static void push(fg_builder *b, fg_task *t, const fg_axis *axis, fg_num in, fg_num out) {
  t->in.coef[b->naxis] = in, t->out.coef[b->naxis] = out;
  b->axis[b->naxis++] = *axis;
}

static fg_axis axis_of(const fg_problem *q, int dimension, fg_axis_kind kind) {
  fg_axis axis = {.extent = fg_num_const(span_of(q, dimension)), .kind = kind, .dimension = dimension};
  axis.name[0] = 'd', axis.name[1] = (char)('0' + dimension);
  return axis;
}

/* Lines of one point are as they should be, unless they are real ones. */
static bool is_idle(const fg_problem *q, int dimension) {
  return q->dim[dimension].n.n == 1 && (q->kind == FG_C2C || dimension < q->rank - 1);
}

static bool has_parts(const fg_plan *plan) {
  bool found = false;
  for (int i = 0; i < plan->nchild; i++) found = found || plan->child[i]->step == FG_FOUR_STEP;
  return found;
}

static void set_order(block *x, const fg_plan *plan, int sign) {
  const fg_problem *q = x->problem;
  int order[FG_MAX_RANK], last = q->rank - 1;
  if (fg_problem_kind_convolves(q->kind)) {
    x->count = fg_build_legs_of_convolution(q, plan, sign, x->leg);
    return;
  }
  for (int d = x->first; d <= last; d++)
    if (!is_idle(q, d)) order[x->count++] = d;
  if (q->kind == FG_R2C) /* the last one first */
    for (int i = 0; i < x->count / 2; i++) {
      int other = order[x->count - 1 - i];
      order[x->count - 1 - i] = order[i], order[i] = other;
    }
  if (q->kind == FG_C2C && x->count > 2) {
    int rows = order[x->count - 1];
    for (int i = x->count - 1; i > 1; i--) order[i] = order[i - 1];
    order[1] = rows;
  }
  for (int i = 0; i < x->count; i++) x->leg[i] = (fg_leg){order[i], order[i] == last ? q->kind : FG_C2C, sign};
}

/* All lines along a dimension. */
static fg_status build_leg(fg_builder *b, const fg_plan *plan, const block *x, const fg_leg *leg,
                           const fg_lattice *from, const fg_lattice *to) {
  const fg_problem *q = x->problem;
  int d = leg->dimension, axes = b->naxis, beside = d == q->rank - 1 ? -1 : q->rank - 1;
  fg_task line = {.kind = leg->kind, .n = q->dim[d].n.n, .sign = leg->sign};
  line.in = from->view, line.out = to->view;
  line.in.stride = from->stride[d], line.out.stride = to->stride[d];
  for (int i = 0; i < q->rank; i++) {
    if (i == d || span_of(q, i) == 1) continue;
    fg_axis axis = axis_of(q, i, i < x->first ? FG_AXIS_TILE : i == beside ? FG_AXIS_LANES : FG_AXIS_INNER);
    push(b, &line, &axis, from->stride[i], to->stride[i]);
  }
  b->dimension = d, b->beside = beside;
  fg_status status = fg_build_plan(b, plan->child[d], &line);
  b->naxis = axes;
  return status;
}

/* Sums of blocks, where these are enough for half of the multiprocessors; else of parts, which blocks add. */
static void take_turns(fg_builder *b, fg_view *in) {
  int64_t blocks = fg_build_blocks_of_lines(b);
  bool enough = !b->map->threads || 2 * blocks >= fg_program_machine(b->program)->multiprocessors;
  b->fused = true;
  bool fixed = b->map->threads && enough;
  fg_build_take_turns(b, fixed ? FG_SUMMED_IN_TURN : fg_build_turns_of_part(b, blocks), !enough, in);
}

fg_status fg_build_dimensions_in_block(fg_builder *b, const fg_plan *plan, int sign, const fg_lattice *from,
                                       const fg_lattice *to) {
  const fg_problem *q = &b->program->problem;
  int inside = (int)fg_plan_param_value(plan, FG_PARAM_INSIDE);
  block x = {.problem = q, .first = q->rank - inside, .elements = 1};
  fg_lattice at = *from, work;
  int64_t elements[FG_MAX_RANK]; /* from one of a dimension to the next */
  bool possible = b->map->threads || (q->summed && !b->map->blocks);
  if (!possible || x.first < 0)
    return fg_refuse(b->cx, "plan: inside=%d: allowed: on GPUs, and of sums on CPUs, up to the %d dimensions", inside,
                     q->rank);
  if (fg_problem_kind_convolves(q->kind) && x.first)
    return fg_refuse(b->cx, "plan: inside=%d: a convolution has all its dimensions in a block, or none: inside=%d",
                     inside, q->rank);
  if (has_parts(plan)) return fg_build_parted_dimensions(b, plan, from, to);
  set_order(&x, plan, sign);
  if (x.count < 2) return FG_ENA;
  for (int d = q->rank - 1; d >= 0; d--) {
    elements[d] = d < x.first ? 0 : x.elements; /* each block has its own */
    if (d >= x.first) x.elements *= span_of(q, d);
  }
  if (q->summed && !fg_build_may_take_turns(b, x.elements)) return FG_ENA;
  if (q->summed) take_turns(b, &at.view);
  int sums = 0; /* stages up to those behind the middle */
  bool parts = b->turns.own_parts;
  fg_num extent[FG_MAX_AXES];
  for (int i = 0; i < x.count; i++) {
    bool last = i + 1 == x.count;
    if (!last) work.view = b->map->threads ? fg_build_interleaved(b, x.elements) : fg_build_scratch(b, x.elements);
    for (int d = 0; d < q->rank && !last; d++) work.stride[d] = fg_num_scaled(work.view.stride, elements[d]);
    fg_status status = build_leg(b, plan, &x, &x.leg[i], &at, last ? to : &work);
    if (status != FG_OK) return status;
    if (i == x.count / 2) sums = b->kernel->nstage;
    if (i == x.count / 2 && parts) fg_build_end_turns(b), fg_build_without_summands(b, extent);
    at = work;
  }
  if (parts) return fg_build_with_summands(b, extent), FG_OK;
  if (q->summed) fg_build_in_last_turn(b, sums), fg_build_end_turns(b);
  return FG_OK;
}
