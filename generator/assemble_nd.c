/* Transforms of several dimensions, one dimension after the other.
 *
 * In: a task over all dimensions, a plan for each. Out: a kernel for each
 * dimension longer than 1, the last dimension first:
 *
 *   rows      a few rows at a time, from the input to the output
 *   columns   tiles of neighbouring columns, in place in the output: their
 *             elements lie side by side, in memory and in scratch
 *
 * Batch dimensions and all other dimensions go around. The method is the row-column
 * algorithm (Van Loan, Computational Frameworks for the FFT, 1992, section 3.4). */
#include "generator/assemble_build.h"
#include <assert.h>

enum { COLUMNS = 64, ROW_POINTS = 4096, BLOCK_POINTS = 1024, SEGMENT = 128 /* bytes that GPUs move at once */ };

/* Columns at a time: the largest divisor of n up to `most` that fills whole
 * vectors, else one that fills some vector, else all. */
static int64_t tile_of(int64_t n, int64_t most, int64_t lanes) {
  int64_t whole = 0, some = 0;
  for (int64_t t = 1; t <= 2 * most && t <= n; t++) {
    if (n % t) continue;
    if (t <= most && t % lanes == 0) whole = t;
    if (t >= lanes) some = t;
  }
  return whole ? whole : some ? some : n;
}

typedef struct nest { /* the other dimensions around one */
  fg_task task;
  int axes; /* pushed */
} nest;

static void push_axis(fg_builder *b, nest *t, const fg_axis *axis, fg_num in, fg_num out) {
  assert(b->naxis < FG_MAX_AXES);
  t->task.in.coef[b->naxis] = in;
  t->task.out.coef[b->naxis] = out;
  b->axis[b->naxis++] = *axis;
  t->axes++;
}

/* A dimension of which `tile` indices are done together. */
static void push_tiles(fg_builder *b, nest *t, const fg_dim *d, int64_t tile, fg_axis_kind kind) {
  fg_axis number = {.name = "t", .extent = fg_num_const(d->n.n / tile), .kind = FG_AXIS_TILE};
  fg_axis inside = {.name = "c", .extent = fg_num_const(tile), .kind = kind};
  push_axis(b, t, &number, fg_num_scaled(d->is, tile), fg_num_scaled(d->os, tile));
  push_axis(b, t, &inside, d->is, d->os);
}

/* The dimension whose neighbours share a tile: the innermost other one that is
 * longer than 1; -1: none. */
static int tiled_dimension(const fg_problem *q, int dimension) {
  for (int i = q->rank - 1; i >= 0; i--)
    if (i != dimension && q->dim[i].n.n > 1) return i;
  return -1;
}

static int64_t usual_tile(const fg_builder *b, bool rows, int64_t n) {
  int64_t segment = SEGMENT / (2 * fg_precision_bytes(b->program->problem.compute));
  if (rows) return (b->map->threads ? BLOCK_POINTS : ROW_POINTS) / n + 1;
  return b->map->threads ? segment : COLUMNS;
}

/* All lines along one dimension. */
static fg_status build_lines(fg_builder *b, const fg_plan *plan, const fg_task *t, int dimension, bool first) {
  const fg_problem *q = &b->program->problem;
  nest n = {.task = *t};
  int with = tiled_dimension(q, dimension);
  fg_dim line = q->dim[dimension];
  for (int i = 0; i < q->rank; i++) {
    if (i == dimension || i == with || q->dim[i].n.n == 1) continue;
    fg_axis axis = {.extent = q->dim[i].n, .kind = FG_AXIS_TILE};
    axis.name[0] = 'd', axis.name[1] = (char)('0' + i);
    push_axis(b, &n, &axis, q->dim[i].is, q->dim[i].os);
  }
  bool rows = with >= 0 && with < dimension;
  int64_t most = fg_plan_param_value(b->program->plan, rows ? FG_PARAM_ROWS : FG_PARAM_TILE);
  if (!most) most = usual_tile(b, rows, line.n.n);
  if (with >= 0)
    push_tiles(b, &n, &q->dim[with], tile_of(q->dim[with].n.n, most, b->map->lanes),
               rows ? FG_AXIS_INNER : FG_AXIS_LANES);
  n.task.n = line.n.n;
  n.task.in.stride = line.is;
  n.task.out.stride = line.os;
  if (!first) n.task.in = n.task.out;
  fg_status status = fg_build_plan(b, plan, &n.task);
  b->naxis -= n.axes;
  return status;
}

fg_status fg_build_nd(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_problem *q = &b->program->problem;
  if (t->multiply || b->nkernel > 1 || b->kernel->nstage) return FG_ENA;
  bool first = true;
  for (int d = q->rank - 1; d >= 0; d--) {
    bool alone = fg_problem_points(q) == 1 && d == q->rank - 1;
    if (q->dim[d].n.n == 1 && !alone) continue;
    if (!first) fg_build_kernel(b);
    fg_status status = build_lines(b, plan->child[d], t, d, first);
    if (status != FG_OK) return status;
    first = false;
  }
  return FG_OK;
}
