/* The last two dimensions on CPUs where the last one is short: pictures, whose colours are side by side.
 *
 * In: a task over all dimensions, a plan for each, the views of input and output. Out, of c2c and r2c:
 *
 *   short lines  the last dimension's, vectors of them, from the input to planes: all first results are in one plane,
 *                all second ones in the next
 *   lines        of the dimension before it, in each plane, whose numbers are neighbours
 *   turn         back, to where the output has them
 *
 * c2r has the opposite order: what are turned are complex columns, its short lines are last. All three share a kernel
 * and its scratch (planes=together), one value of the other dimensions after the other, or are kernels of their own
 * (planes=apart), which take plane after plane. Where lines go by four-step(A, B) and all is together, there are two
 * kernels (four_step.c): tiles of A's columns behind what is first, tiles of B's rows before what is last, each with
 * all planes, so that memory is passed twice each way.
 *
 * Without planes, vectors along a line would be gathered element by element, and ones across it be nearly empty. */
#include "generator/assemble/memory.h"
#include "generator/assemble/pitch.h"
#include "generator/assemble/steps/four_step.h"
#include "generator/assemble/steps/nd_block.h"
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"

enum { TOGETHER = 1, APART = 2 }; /* values of planes= */
enum { MOST_LOOPS = 3 };

typedef struct loop { /* over elements of lines */
  const char *name;
  int64_t extent;
  fg_axis_kind kind;
  int64_t array, plane; /* elements from one of its values to the next, in an array's line and in a plane */
} loop;

typedef struct planes {
  fg_builder *b;
  const fg_plan *plan;
  int value; /* of planes= */
  int sign;
  int line, last;        /* dimensions */
  int64_t points, count; /* of a plane, planes */
  fg_four_step f;
} planes;

typedef struct place { /* planes, or parts of them, and from one to the next */
  fg_view view;
  int64_t pitch;
} place;

static const fg_problem *problem_of(const planes *x) { return &x->b->program->problem; }

static void push(const planes *x, fg_task *t, fg_axis axis, fg_num in, fg_num out) {
  fg_builder *b = x->b;
  t->in.coef[b->naxis] = in, t->out.coef[b->naxis] = out;
  b->axis[b->naxis++] = axis;
}

/* All planes; `count`: 1 where a stage takes them as its codelet's elements, whose other axes have the same places. */
static void push_planes(const planes *x, fg_task *t, int64_t count, fg_num in, fg_num out) {
  fg_axis axis = {.name = "p", .extent = fg_num_const(count), .kind = FG_AXIS_INNER, .dimension = x->last};
  if (x->value == APART) axis.kind = FG_AXIS_BATCH;
  push(x, t, axis, in, out);
}

/* An axis of lines; of tiles that do not divide them the last one overlaps its neighbour. */
static void push_loop(const planes *x, fg_task *t, const loop *l, int64_t n, fg_num in, fg_num out) {
  fg_builder *b = x->b;
  t->in.coef[b->naxis] = in, t->out.coef[b->naxis] = out;
  if (l->kind == FG_AXIS_TILE)
    fg_build_tiles(b, n, l->extent);
  else
    fg_build_axis(b, l->name, l->extent, l->kind);
  b->axis[b->naxis - 1].dimension = x->line;
}

static place memory(const planes *x, int64_t points) {
  place p = {.pitch = fg_build_padded(x->b, points)};
  int64_t n = x->count * p.pitch;
  p.view = x->value == APART ? fg_build_workspace(x->b, n) : fg_build_scratch(x->b, n);
  return p;
}

static void begin(const planes *x, int dimension) {
  if (x->value == APART && x->b->kernel->nstage) fg_build_kernel(x->b);
  x->b->dimension = dimension;
  x->b->beside = -1;
}

/* Elements of a plane, of all planes at once, become copies of an array's. */
static fg_status build_turn(const planes *x, const fg_task *t) {
  fg_stage_form form = {
      .what = "planes turned", .in = &t->in, .out = &t->out, .slots = (int)x->count, .load = 1, .store = 1};
  fg_codelet_key key = {.kind = FG_CODELET_COPY, .sign = 1};
  fg_status status = fg_build_key(x->b, key, x->count, &form.codelet);
  if (status == FG_OK) fg_build_stage(x->b, &form);
  return status;
}

/* Between an array and planes: short lines, or complex ones that are turned; along lines by these loops, of which n
 * values of the first are cut into tiles. */
static fg_status build_end(const planes *x, const fg_lattice *array, const place *p, bool to_array, const loop *loops,
                           int64_t n) {
  const fg_problem *q = problem_of(x);
  fg_task t = {.kind = q->kind, .n = q->dim[x->last].n.n, .sign = x->sign};
  fg_num line = array->stride[x->line], apart = fg_num_scaled(p->view.stride, p->pitch), zero = fg_num_const(0);
  int axes = x->b->naxis;
  begin(x, x->last);
  t.in = to_array ? p->view : array->view, t.out = to_array ? array->view : p->view;
  t.in.stride = to_array ? apart : array->stride[x->last], t.out.stride = to_array ? array->stride[x->last] : apart;
  if (x->f.n1) push_planes(x, &t, 1, zero, zero);
  for (int i = 0; i < MOST_LOOPS && loops[i].extent; i++) {
    fg_num a = fg_num_scaled(line, loops[i].array), b = fg_num_scaled(p->view.stride, loops[i].plane);
    push_loop(x, &t, &loops[i], n, to_array ? b : a, to_array ? a : b);
  }
  bool lines = to_array == (q->kind == FG_C2R);
  fg_status status = lines ? fg_build_plan(x->b, x->plan->child[x->last], &t) : build_turn(x, &t);
  x->b->naxis = axes;
  return status;
}

/* Plane by plane. */
static fg_status build_lines(const planes *x, const place *from, const place *to) {
  fg_task t = {.kind = FG_C2C, .n = x->points, .sign = x->sign, .in = from->view, .out = to->view};
  int axes = x->b->naxis;
  begin(x, x->line);
  push_planes(x, &t, x->count, fg_num_scaled(from->view.stride, from->pitch),
              fg_num_scaled(to->view.stride, to->pitch));
  fg_status status = fg_build_plan(x->b, x->plan->child[x->line], &t);
  x->b->naxis = axes;
  return status;
}

static fg_status build_whole(const planes *x, const fg_lattice *from, const fg_lattice *to) {
  place first = memory(x, x->points), second = memory(x, x->points);
  loop all[MOST_LOOPS] = {{"q", x->points, FG_AXIS_INNER, 1, 1}};
  fg_status status = build_end(x, from, &first, false, all, x->points);
  if (status == FG_OK) status = build_lines(x, &first, &second);
  return status == FG_OK ? build_end(x, to, &second, true, all, x->points) : status;
}

/* ---- in tiles ---------------------------------------------------------------------------- */

/* What is first, then A down the columns of a tile, to the workspace. */
static fg_status build_columns(planes *x, const fg_plan *split, const fg_lattice *from) {
  fg_builder *b = x->b;
  fg_four_step *f = &x->f;
  place near = memory(x, f->n1 * f->tile);
  fg_task t = {.kind = FG_C2C, .n = f->n1, .sign = x->sign, .in = near.view};
  int64_t step = fg_build_tile_step(f->n2, f->tile);
  loop tiles = {"t", f->tile, FG_AXIS_TILE, step, 0}, columns = {"c", f->tile, FG_AXIS_INNER, 1, 1};
  loop all[MOST_LOOPS] = {tiles, columns, {"k", f->n1, FG_AXIS_INNER, f->n2, f->tile}};
  fg_status status = build_end(x, from, &near, false, all, f->n2);
  if (status != FG_OK) return status;
  int axes = b->naxis;
  fg_num one = near.view.stride, column = fg_num_scaled(f->work.stride, f->pitch);
  t.in.stride = fg_num_scaled(one, f->tile), t.out = f->work;
  push_planes(x, &t, x->count, fg_num_scaled(one, near.pitch), f->work.coef[axes]);
  push_loop(x, &t, &tiles, f->n2, fg_num_const(0), fg_num_scaled(column, step));
  push_loop(x, &t, &columns, f->n2, one, column);
  b->dimension = x->line;
  status = fg_build_plan(b, split->child[0], &t);
  b->naxis = axes;
  return status;
}

/* B along the rows of a tile, then what is last. */
static fg_status build_rows(planes *x, const fg_plan *split, const fg_lattice *to) {
  fg_builder *b = x->b;
  fg_four_step *f = &x->f;
  fg_build_kernel(b); /* which what is near belongs to */
  place near = memory(x, f->n2 * f->rows);
  fg_task t = {.kind = FG_C2C, .n = x->points, .sign = x->sign, .in = f->work, .out = near.view};
  int axes = b->naxis;
  fg_num one = near.view.stride;
  t.out.stride = fg_num_scaled(one, f->rows);
  push_planes(x, &t, x->count, f->work.coef[axes], fg_num_scaled(one, near.pitch));
  t.out.coef[b->naxis] = fg_num_const(0), t.out.coef[b->naxis + 1] = one;
  f->near = &t.out;
  b->dimension = x->line;
  fg_status status = fg_build_parts_rows(b, split->child[1], &t, f);
  b->naxis = axes;
  loop all[MOST_LOOPS] = {{"t", f->rows, FG_AXIS_TILE, fg_build_tile_step(f->n1, f->rows), 0},
                          {"c", f->rows, FG_AXIS_INNER, 1, 1},
                          {"k", f->n2, FG_AXIS_INNER, f->n1, f->rows}};
  return status == FG_OK ? build_end(x, to, &near, true, all, f->n1) : status;
}

static fg_status build_tiles(planes *x, const fg_lattice *from, const fg_lattice *to) {
  const fg_plan *split = x->plan->child[x->line];
  fg_builder *b = x->b;
  fg_task t = {.n = x->points};
  x->f = (fg_four_step){.n1 = fg_plan_length(split->child[0]), .n2 = fg_plan_length(split->child[1]), .returns = true};
  x->f.planes = x->count;
  if (fg_plan_param_value(x->plan, FG_PARAM_FREQUENCY)) return FG_ENA;
  int axes = b->naxis;
  b->packed = false;
  fg_build_parts_tiles(b, split, &x->f);
  push_planes(x, &t, x->count, fg_num_const(0), fg_num_const(0));
  fg_build_parts_workspace(b, split->child[0], &t, &x->f);
  b->naxis = axes;
  fg_status status = build_columns(x, split, from);
  return status == FG_OK ? build_rows(x, split, to) : status;
}

/* ---- the whole --------------------------------------------------------------------------- */

static fg_status check(const planes *x) {
  const fg_builder *b = x->b;
  const fg_problem *q = problem_of(x);
  bool kind = q->kind == FG_C2C || q->kind == FG_R2C || q->kind == FG_C2R;
  if (b->map->threads || b->map->blocks) return fg_refuse(b->cx, "plan: planes=: allowed: on CPUs, in functions");
  if (!kind) return fg_refuse(b->cx, "plan: planes= takes c2c, r2c and c2r");
  if (x->points < 2 || x->count < 2) return fg_refuse(b->cx, "plan: planes=: the last two dimensions are 2 and more");
  return FG_OK;
}

fg_status fg_build_planes(fg_builder *b, const fg_plan *plan, int sign, const fg_lattice *from, const fg_lattice *to) {
  const fg_problem *q = &b->program->problem;
  planes x = {.b = b, .plan = plan, .sign = sign, .last = q->rank - 1, .line = q->rank - 2};
  x.value = fg_plan_param_value(plan, FG_PARAM_PLANES);
  x.points = q->dim[x.line].n.n;
  x.count = fg_problem_span(q, x.last, q->kind == FG_R2C);
  fg_status status = check(&x);
  if (status != FG_OK) return status;
  b->packed = fg_build_wants_interleaved(b, plan->child[x.line], x.points);
  if (b->kernel->nstage) fg_build_kernel(b);
  fg_lattice in = *from, out = *to;
  int axes = b->naxis;
  for (int d = 0; d < x.line; d++) {
    if (q->dim[d].n.n == 1) continue;
    fg_axis axis = {.name = "d", .extent = q->dim[d].n, .kind = FG_AXIS_TILE, .dimension = d};
    axis.name[1] = (char)('0' + d);
    in.view.coef[b->naxis] = in.stride[d], out.view.coef[b->naxis] = out.stride[d];
    b->axis[b->naxis++] = axis;
  }
  bool tiles = x.value == TOGETHER && plan->child[x.line]->step == FG_FOUR_STEP;
  status = tiles ? build_tiles(&x, &in, &out) : build_whole(&x, &in, &out);
  b->naxis = axes;
  return status;
}
