/* Several dimensions, lines of one of which no block of a GPU holds beside the others: two kernels.
 *
 * In: a task over all dimensions, a plan for each, that of the long one four-step(A, B), the views of input and output.
 * Out:
 *
 *   columns  a tile of the long dimension's columns (four_step.c) with all lines of the other dimensions: these, one
 *            dimension after the other in shared memory, then A, which stores neighbours side by side
 *   rows     by B from the workspace to the output, the others' lines around them; of c2r then the last dimension's
 *            lines, all of them in one block
 *
 * A kernel less than one for each dimension and one more, and a passage of memory less. */
#include "generator/assemble/memory.h"
#include "generator/assemble/steps/four_step.h"
#include "generator/assemble/steps/nd_block.h"
#include "generator/assemble/steps/nd_tiles.h"
#include "generator/assemble/steps/steps.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"

typedef struct place { /* where numbers are, and how far apart */
  fg_view view;
  fg_num stride[FG_MAX_RANK]; /* of the other dimensions */
  fg_num element;             /* in a column of the long one */
  fg_num tile, column;        /* from a tile of columns to the next, and in it */
} place;

typedef struct parted {
  fg_builder *b;
  const fg_plan *plan;
  const fg_lattice *from, *to;
  int dimension;    /* the long one */
  bool backward;    /* c2r: the last one's lines are in the second kernel */
  int64_t lanes[2]; /* of the last one, if that is another: so many side by side in a block of either kernel */
  fg_four_step f;
} parted;

static const fg_problem *problem_of(const parted *x) { return &x->b->program->problem; }

static int64_t span_of(const parted *x, int d) {
  const fg_problem *q = problem_of(x);
  return fg_problem_span(q, d, q->kind == FG_R2C);
}

static void push(const parted *x, fg_task *t, fg_axis axis, fg_num in, fg_num out) {
  fg_builder *b = x->b;
  t->in.coef[b->naxis] = in, t->out.coef[b->naxis] = out;
  b->axis[b->naxis++] = axis;
}

static void push_columns(const parted *x, fg_task *t, const char *name, int64_t extent, fg_axis_kind kind, fg_num in,
                         fg_num out) {
  fg_axis axis = {.extent = fg_num_const(extent), .kind = kind, .dimension = x->dimension};
  axis.name[0] = name[0];
  push(x, t, axis, in, out);
}

/* Lines of all dimensions but the long one and `but`, whose axes count to one, so that those of tiles are the same in
 * all stages; of the last one `lanes` side by side. */
static void push_others(const parted *x, fg_task *t, int but, fg_axis_kind kind, int64_t lanes, const fg_num *in,
                        const fg_num *out) {
  const fg_problem *q = problem_of(x);
  for (int d = 0; d < q->rank; d++) {
    if (d == x->dimension) continue;
    int64_t side = d == q->rank - 1 ? lanes : 1, span = d == but ? side : span_of(x, d);
    fg_axis axis = {.extent = fg_num_const(span / side), .kind = kind, .dimension = d, .name = "d"};
    axis.name[1] = (char)('0' + d);
    if (d == q->rank - 1) axis.kind = FG_AXIS_TILE;
    push(x, t, axis, fg_num_scaled(in[d], side), fg_num_scaled(out[d], side));
    if (d < q->rank - 1) continue;
    fg_axis member = {.kind = FG_AXIS_LANES, .dimension = d, .name = "c"};
    member.extent = fg_num_const(d == but ? 1 : side);
    push(x, t, member, in[d], out[d]);
  }
}

/* ---- places ------------------------------------------------------------------------------ */

/* Of elements `step` apart; tiles of those between. */
static place place_of_array(const parted *x, const fg_lattice *l, int64_t step, int64_t tile) {
  fg_num along = l->stride[x->dimension];
  place p = {.view = l->view, .element = fg_num_scaled(along, step), .column = along};
  p.tile = fg_num_scaled(along, tile);
  for (int d = 0; d < problem_of(x)->rank; d++) p.stride[d] = l->stride[d];
  return p;
}

/* In the order of the input, each block's own. */
static place place_in_block(const parted *x) {
  const fg_problem *q = problem_of(x);
  int64_t apart[FG_MAX_RANK], column = 0, size = 1;
  for (int d = q->rank - 1; d >= 0; d--) {
    if (d == x->dimension) column = size, size *= x->f.tile;
    apart[d] = size;
    size *= d == x->dimension ? x->f.n1 : d == q->rank - 1 ? x->lanes[0] : span_of(x, d);
  }
  place p = {.view = fg_build_interleaved(x->b, size), .tile = fg_num_const(0)};
  for (int d = 0; d < q->rank; d++) p.stride[d] = fg_num_scaled(p.view.stride, apart[d]);
  p.element = p.stride[x->dimension];
  p.column = fg_num_scaled(p.view.stride, column);
  return p;
}

/* Of the rows' results, before the last dimension's lines. */
static place place_of_rows(const parted *x) {
  int64_t side = x->lanes[1], row = side * x->f.rows;
  place p = {.view = fg_build_interleaved(x->b, row * x->f.n2), .tile = fg_num_const(0)};
  for (int d = 0; d < problem_of(x)->rank; d++) p.stride[d] = fg_num_const(0);
  p.stride[problem_of(x)->rank - 1] = p.view.stride;
  p.element = fg_num_scaled(p.view.stride, row), p.column = fg_num_scaled(p.view.stride, side);
  return p;
}

/* Between the kernels; elements of the last dimension, if that is not the long one, are neighbours. */
static place place_between(parted *x, const fg_plan *columns) {
  fg_builder *b = x->b;
  const fg_problem *q = problem_of(x);
  fg_task t = {.in = x->from->view, .out = x->to->view};
  int axes = b->naxis;
  push_others(x, &t, -1, FG_AXIS_TILE, span_of(x, q->rank - 1), x->from->stride, x->to->stride);
  fg_build_parts_workspace(b, columns, &t, &x->f);
  const fg_four_step *f = &x->f;
  fg_num one = f->work.stride;
  place p = {.view = f->work, .element = one};
  p.column = fg_num_scaled(one, f->run ? f->run : f->pitch), p.tile = fg_num_scaled(p.column, f->tile);
  for (int i = axes; i < b->naxis; i++) p.stride[b->axis[i].dimension] = f->work.coef[i];
  p.view.run = f->run, p.view.apart = f->n2 * f->run;
  b->naxis = axes;
  return p;
}

/* ---- kernels ----------------------------------------------------------------------------- */

static void push_tiles(const parted *x, fg_task *t, int64_t n, int64_t tile, const place *from, const place *to) {
  fg_axis_kind side = x->dimension == problem_of(x)->rank - 1 ? FG_AXIS_LANES : FG_AXIS_INNER;
  push_columns(x, t, "t", n / tile, FG_AXIS_TILE, from->tile, to->tile);
  push_columns(x, t, "j", tile, side, from->column, to->column);
}

/* All lines along a dimension, of the long one A's columns, in the first kernel. */
static fg_status build_dimension(const parted *x, int d, const place *from, const place *to) {
  fg_builder *b = x->b;
  const fg_problem *q = problem_of(x);
  int axes = b->naxis;
  bool columns = d == x->dimension;
  fg_task t = {.kind = d == q->rank - 1 ? q->kind : FG_C2C, .n = q->dim[d].n.n, .sign = q->sign};
  t.in = from->view, t.out = to->view;
  t.in.stride = columns ? from->element : from->stride[d], t.out.stride = columns ? to->element : to->stride[d];
  push_others(x, &t, d, FG_AXIS_INNER, x->lanes[0], from->stride, to->stride);
  push_tiles(x, &t, x->f.n2, x->f.tile, from, to);
  if (columns)
    t.n = x->f.n1;
  else
    push_columns(x, &t, "k", x->f.n1, FG_AXIS_INNER, from->element, to->element);
  b->dimension = d;
  fg_status status = fg_build_plan(b, columns ? x->plan->child[d]->child[0] : x->plan->child[d], &t);
  b->naxis = axes;
  return status;
}

/* Lines of one point are as they should be, unless they are real ones; those that are real in the end are later. */
static bool is_idle(const parted *x, int d) {
  const fg_problem *q = problem_of(x);
  bool last = d == q->rank - 1;
  return last && x->backward ? true : q->dim[d].n.n == 1 && (!last || q->kind == FG_C2C);
}

/* The last dimension first where it is the real one. */
static fg_status build_columns(const parted *x, const place *between) {
  const fg_problem *q = problem_of(x);
  place at = place_of_array(x, x->from, x->f.n2, x->f.tile);
  for (int i = 0; i < q->rank; i++) {
    int d = q->kind == FG_R2C ? q->rank - 1 - i : i;
    if (d == x->dimension || is_idle(x, d)) continue;
    place next = place_in_block(x);
    fg_status status = build_dimension(x, d, &at, &next);
    if (status != FG_OK) return status;
    at = next;
  }
  return build_dimension(x, x->dimension, &at, between);
}

/* The last dimension's lines, real ones, from the rows' results to the output. */
static fg_status build_last(const parted *x, const place *from) {
  fg_builder *b = x->b;
  const fg_problem *q = problem_of(x);
  int axes = b->naxis, last = q->rank - 1;
  place to = place_of_array(x, x->to, x->f.n1, x->f.rows);
  fg_task t = {.kind = q->kind, .n = q->dim[last].n.n, .sign = q->sign, .in = from->view, .out = to.view};
  t.in.stride = from->stride[last], t.out.stride = to.stride[last];
  push_others(x, &t, last, FG_AXIS_TILE, x->lanes[1], from->stride, to.stride);
  push_tiles(x, &t, x->f.n1, x->f.rows, from, &to);
  push_columns(x, &t, "q", x->f.n2, FG_AXIS_INNER, from->element, to.element);
  b->dimension = last;
  fg_status status = fg_build_plan(b, x->plan->child[last], &t);
  b->naxis = axes;
  return status;
}

static fg_status build_rows(parted *x, const place *between) {
  fg_builder *b = x->b;
  int axes = b->naxis;
  fg_task t = {.kind = FG_C2C, .n = problem_of(x)->dim[x->dimension].n.n, .sign = problem_of(x)->sign};
  place results = {.view = x->to->view};
  fg_build_kernel(b); /* which what is in its blocks belongs to */
  if (x->backward) results = place_of_rows(x);
  t.in = x->f.work, t.out = results.view;
  t.out.stride = x->backward ? results.element : x->to->stride[x->dimension];
  push_others(x, &t, -1, FG_AXIS_TILE, x->lanes[1], between->stride, x->backward ? results.stride : x->to->stride);
  x->f.work = t.in;
  t.out.coef[b->naxis] = results.tile, t.out.coef[b->naxis + 1] = results.column;
  if (x->backward) x->f.near = &t.out;
  b->dimension = x->dimension;
  fg_status status = fg_build_parts_rows(b, x->plan->child[x->dimension]->child[1], &t, &x->f);
  b->naxis = axes;
  return status == FG_OK && x->backward ? build_last(x, &results) : status;
}

static int long_dimension(const fg_plan *plan) {
  int found = -1;
  for (int i = 0; i < plan->nchild; i++)
    if (plan->child[i]->step == FG_FOUR_STEP) found = found < 0 ? i : plan->nchild;
  return found < plan->nchild ? found : -1;
}

/* Tiles as wide as the second kernel's lanes leave, whole ones. */
static void choose_tiles(parted *x, const fg_plan *split) {
  fg_task t = {.in = x->from->view, .out = x->to->view};
  int axes = x->b->naxis;
  push_others(x, &t, -1, FG_AXIS_TILE, x->lanes[0] < x->lanes[1] ? x->lanes[0] : x->lanes[1], x->from->stride,
              x->to->stride);
  fg_build_parts_tiles(x->b, split, &x->f);
  x->b->naxis = axes;
}

fg_status fg_build_parted_dimensions(fg_builder *b, const fg_plan *plan, const fg_lattice *from, const fg_lattice *to) {
  const fg_problem *q = &b->program->problem;
  int last = q->rank - 1;
  parted x = {.b = b, .plan = plan, .from = from, .to = to, .dimension = long_dimension(plan)};
  bool kind = q->kind == FG_C2C || ((q->kind == FG_R2C || q->kind == FG_C2R) && x.dimension < last);
  bool all = fg_plan_param_value(plan, FG_PARAM_INSIDE) == q->rank && x.dimension >= 0;
  const fg_plan *split = all ? plan->child[x.dimension] : NULL;
  if (!b->map->threads || !kind || !all || !fg_build_may_be_parted(b)) return FG_ENA;
  if (fg_plan_param_value(split, FG_PARAM_CLUSTER) || fg_plan_param_value(split, FG_PARAM_UNEVEN)) return FG_ENA;
  if (fg_plan_param_value(plan, FG_PARAM_FREQUENCY)) return FG_ENA;
  int64_t segment = fg_program_machine(b->program)->segment_bytes / (2 * fg_precision_bytes(q->compute));
  x.backward = q->kind == FG_C2R;
  x.lanes[x.backward] = span_of(&x, last),
  x.lanes[!x.backward] = fg_lines_even_tile(span_of(&x, last), segment, 1, false);
  x.f = (fg_four_step){.n1 = fg_plan_length(split->child[0]), .n2 = fg_plan_length(split->child[1])};
  choose_tiles(&x, split);
  place between = place_between(&x, split->child[0]);
  fg_status status = build_columns(&x, &between);
  return status == FG_OK ? build_rows(&x, &between) : status;
}
