/* Transforms of several dimensions, one dimension after the other.
 *
 * In: a task over all dimensions, a plan for each. Out: kernels for each dimension longer than 1, the last dimension
 * first:
 *
 *   rows      a few rows at a time, from the input to the output
 *   columns   tiles of neighbouring columns, in place in the output: their
 *             elements are adjacent, in memory and in scratch
 *
 * r2c has real rows, and n/2 + 1 columns of complex numbers; the last one is separate, so that the others fill tiles.
 * c2r has the opposite order: its columns are stored to a workspace (or stay in
 * place, if the array has room). Batch dimensions and all other dimensions are outer loops. The method is the
 * row-column algorithm (Van Loan, Computational Frameworks for the FFT, 1992, section 3.4).
 *
 * A convolution has the other order: columns first, then the rows, which a convolve step transforms forward and
 * back, and the columns back. Of reals the rows are first and last, and the columns of the first dimension go forward
 * and back; so do those of a complex one whose plan has convolve there: large arrays are passed once by columns then.
 *
 * With cluster=C the last two dimensions are one kernel: each plane is in the shared memories of a cluster, or of one
 * block. Block r transforms the r-th part of the columns, all data passes once between the blocks, and then block r
 * transforms the r-th part of the rows. A convolution of three dimensions has its planes forward, lines of the first
 * dimension forward and back, and planes back.
 *
 * With inside=D the last D dimensions are one kernel in shared memory (nd_block.c).
 *
 * With queue=R (map/persistent.c) the first two of these kernels have a workspace between them, in which a tile of
 * the second one's columns is contiguous; the others follow as usual.
 *
 * If the output cannot hold the data between dimensions (real results, narrow numbers, other layouts), a workspace
 * does. On CPUs complex arrays beyond L2 have one, too: in it a tile of the last kernel's columns is contiguous,
 * which is read sequentially and has no conflict misses, and the output is written once, by non-temporal stores. */
#include "generator/assemble/memory.h"
#include "generator/assemble/neighbours.h"
#include "generator/assemble/pitch.h"
#include "generator/assemble/steps/nd_block.h"
#include "generator/assemble/steps/nd_tiles.h"
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/steps/summed.h"
#include "generator/base/integer.h"
#include "generator/base/invariant.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "targets/machine/limits.h"

enum {
  PADDED = 16, /* room for one element in so many, in the memories of a cluster */
};

typedef struct nest { /* the other dimensions around one */
  fg_task task;
  int axes; /* pushed */
} nest;

static void push_axis(fg_builder *b, nest *t, const fg_axis *axis, fg_num in, fg_num out) {
  fg_invariant(b->naxis < FG_MAX_AXES);
  t->task.in.coef[b->naxis] = in;
  t->task.out.coef[b->naxis] = out;
  b->axis[b->naxis++] = *axis;
  t->axes++;
}

/* From tile to tile: of the innermost dimension, runs. */
static fg_num tile_step(const fg_view *v, bool innermost, fg_num stride, int64_t tile) {
  return fg_num_scaled(stride, innermost && v->run ? v->apart : tile);
}

/* A dimension of which `tile` indices are done together. */
static void push_tiles(fg_builder *b, nest *t, int dimension, const fg_dim *d, int64_t tile, fg_axis_kind kind) {
  fg_axis number = {
      .name = "t", .extent = fg_num_const((d->n.n + tile - 1) / tile), .kind = FG_AXIS_TILE, .dimension = dimension};
  fg_axis inside = {.name = "c", .extent = fg_num_const(tile), .kind = kind, .dimension = dimension};
  bool innermost = dimension == b->program->problem.rank - 1;
  fg_num in = tile_step(&t->task.in, innermost, d->is, tile), out = tile_step(&t->task.out, innermost, d->os, tile);
  push_axis(b, t, &number, in, out);
  push_axis(b, t, &inside, d->is, d->os);
}

static fg_view from_element(const fg_view *v, fg_num stride, int64_t element) {
  fg_view along = *v;
  along.stride = stride;
  return fg_build_shifted(&along, element);
}

/* Tiles of `count` lines, which a kernel alone can be kept within, or the two that have parts of them. */
static fg_status keep_inside(fg_builder *b, const fg_lines *l, int kernel, const fg_task *pass, int64_t count,
                             int64_t tile) {
  if (!fg_lines_are_uneven(b, l) || count % tile == 0) return FG_OK;
  if (b->nkernel - kernel > 1 + fg_lines_are_parted(l))
    return fg_refuse(b->cx, "plan: uneven=on: dimension %d is more than one kernel", l->dimension);
  for (; kernel < b->nkernel; kernel++) {
    b->kernel = b->kernels[kernel];
    fg_build_keep_inside(b, 0, pass->in.buffer, pass->out.buffer, count, tile);
  }
  return FG_OK;
}

/* Lines through elements first .. first + count - 1 of dimension `with` (-1: there is
 * one line for each of the others). */
static fg_status build_some(fg_builder *b, const fg_lines *l, int with, int64_t first, int64_t count) {
  const fg_problem *q = &b->program->problem;
  nest n = {.task = l->task};
  int64_t length = q->dim[l->dimension].n.n;
  for (int i = 0; i < q->rank; i++) {
    bool beside = with >= 0 && i >= l->joined && i <= with;
    if (i == l->dimension || beside || fg_lines_length(b, l, i) == 1) continue;
    fg_axis axis = {.extent = fg_num_const(fg_lines_length(b, l, i)), .kind = FG_AXIS_TILE, .dimension = i};
    axis.name[0] = 'd', axis.name[1] = (char)('0' + i);
    push_axis(b, &n, &axis, l->is[i], l->os[i]);
  }
  bool rows = with >= 0 && with < l->dimension;
  int64_t most = fg_plan_param_value(b->program->plan, rows ? FG_PARAM_ROWS : FG_PARAM_TILE);
  if (!most) most = fg_lines_usual_tile(b, l->plan, rows, length);
  most = fg_build_own_lines(b, most);
  int64_t run = l->dimension == q->rank - 1 ? 0 : n.task.in.run; /* columns: contiguous elements */
  int64_t tile = run ? run : fg_lines_tile(b, l, count, most, rows);
  if (with >= 0) {
    n.task.in = from_element(&n.task.in, l->is[with], first);
    n.task.out = from_element(&n.task.out, l->os[with], first);
    fg_num one = fg_num_const(1);
    fg_dim side = {fg_num_const(count), l->neighbours > 1 ? one : l->is[with], l->neighbours > 1 ? one : l->os[with]};
    push_tiles(b, &n, with, &side, tile, rows ? FG_AXIS_INNER : FG_AXIS_LANES);
  }
  n.task.in.run = 0;
  if (run) n.task.out.run = 0;
  n.task.n = length;
  n.task.in.stride = l->is[l->dimension];
  n.task.out.stride = l->os[l->dimension];
  if (b->kernel->nstage) fg_build_kernel(b);
  b->dimension = l->dimension;
  b->beside = with, b->begin = first;
  int kernel = b->nkernel - 1;
  fg_status status = fg_build_plan(b, l->plan, &n.task);
  if (status == FG_OK && with >= 0) status = keep_inside(b, l, kernel, &n.task, count, tile);
  b->begin = 0;
  b->naxis -= n.axes;
  return status;
}

/* Rows may be of pairs, where these are better and are loaded and stored as such. Codelets alone take several rows at
 * once. */
static bool are_pairs(const fg_builder *b, const fg_lines *l) {
  const fg_program *p = b->program;
  const fg_buffer *to = &p->buffer[l->task.out.buffer];
  bool rows = l->dimension == p->problem.rank - 1 && l->plan->step == FG_STOCKHAM && !l->task.out.run;
  int64_t n = p->problem.dim[l->dimension].n.n;
  return rows && to->layout == FG_LAYOUT_INTERLEAVED && fg_build_wants_interleaved(b, l->plan, n);
}

static fg_status build_lines(fg_builder *b, const fg_lines *l) {
  const fg_problem *q = &b->program->problem;
  int with = l->with, last = q->rank - 1;
  int64_t count = fg_lines_count(b, l);
  bool apart = l->joined == with && l->neighbours == 1 && l->columns && with == last && count > 2 &&
               q->dim[last].n.n % 2 == 0 && !fg_lines_are_uneven(b, l);
  b->packed = are_pairs(b, l);
  int64_t rest = fg_lines_last_tile(b, l, count, apart);
  fg_neighbours axes = {.lanes = 0};
  if (l->neighbours > 1) axes = fg_build_join_neighbours(b);
  fg_status status = build_some(b, l, with, 0, count - rest);
  if (status == FG_OK && rest) status = build_some(b, l, with, count - rest, rest);
  if (axes.lanes) fg_build_part_neighbours(b, &axes);
  return status;
}

static fg_lattice problem_side(const fg_builder *b, const fg_view *v, bool output) {
  fg_lattice s = {.view = *v};
  for (int i = 0; i < b->program->problem.rank; i++)
    s.stride[i] = output ? b->program->problem.dim[i].os : b->program->problem.dim[i].is;
  return s;
}

/* Of as many elements as that side has, or the spectrum of a convolution; on CPUs rows of a plane begin with whole
 * vectors, since those of spectra of reals are of odd length. */
static fg_lattice workspace(fg_builder *b, bool output) {
  const fg_problem *q = &b->program->problem;
  bool conv = fg_problem_kind_convolves(q->kind);
  int64_t stride = 1;
  fg_lattice s;
  for (int i = q->rank - 1; i >= 0; i--) {
    s.stride[i] = fg_num_const(stride);
    stride *= conv ? fg_problem_spectrum_length(q, i) : fg_problem_span(q, i, output);
    if (i == q->rank - 1 && q->rank > 1) stride = fg_build_padded(b, stride);
  }
  bool reals = !conv && fg_problem_kind_is_real(q->kind, true) && fg_problem_kind_is_real(q->kind, false);
  s.view = reals ? fg_build_real_workspace(b, stride, false) : fg_build_workspace(b, stride);
  for (int i = 0; i < q->rank; i++) s.stride[i] = fg_num_scaled(s.stride[i], s.view.stride.n);
  return s;
}

/* Rows so far apart share few sets of L2: of a tile of their columns, lines would
 * leave before the last pass writes there. A codelet alone is done at once. */
static bool shares_sets(const fg_builder *b, const fg_plan *plan, int last) {
  const fg_dim *d = &b->program->problem.dim[last];
  int64_t element = 2 * fg_precision_bytes(b->program->problem.compute);
  if (plan->child[last]->step != FG_STOCKHAM || d->os.form != FG_NUM_CONST) return false;
  return d->n.n * fg_gcd(d->os.n * element, limit->l2_way_bytes) >= (int64_t)limit->l2_ways * limit->l2_way_bytes;
}

/* A tile that L1 holds, or lines of one. */
static int64_t tile_in_first(const fg_builder *b, int64_t n, int64_t most) {
  int64_t element = 2 * fg_precision_bytes(b->program->problem.compute);
  while (most * element > fg_program_line(b->program) && most * n * element > limit->near_tile_bytes) most /= 2;
  return most;
}

/* Columns of a tile between the dimensions, the last kernel's and such as rows can be cut at;
 * 0: elements are stored as in the output. */
static int64_t run_of(const fg_builder *b, const fg_plan *plan, int last) {
  const fg_problem *q = &b->program->problem;
  const fg_plan *rows = plan->child[q->rank - 1];
  int64_t n = q->dim[q->rank - 1].n.n, lanes = b->map->lanes;
  int64_t bytes = fg_buffer_bytes(&b->program->buffer[FG_BUFFER_OUT]);
  bool far =
      bytes >= limit->far_output && !q->in_place && !(fg_small_l2(b->program) && bytes >= limit->workspace_until);
  if (b->map->threads || b->packed || lanes < 2 || !far || !shares_sets(b, plan, last) || q->kind != FG_C2C ||
      rows->step != FG_STOCKHAM)
    return 0;
  int64_t most = fg_plan_param_value(b->program->plan, FG_PARAM_TILE);
  if (!most) {
    most = fg_lines_usual_tile(b, plan->child[last], false, q->dim[last].n.n);
    if (fg_small_l2(b->program)) most = tile_in_first(b, q->dim[last].n.n, most);
  }
  int64_t tile = fg_lines_even_tile(n, most, lanes, false);
  if (tile < n) tile = fg_gcd(tile, n / rows->arg[rows->narg - 1]);
  return tile % lanes || fg_plan_param_value(b->program->plan, FG_PARAM_LANES) ? 0 : tile;
}

/* Tile by tile, in each the rows along dimension `second`, such planes one behind the other; as blocks where rows
 * leave whole vectors. */
static fg_lattice tiled_workspace(fg_builder *b, const fg_plan *plan, int second, int64_t run) {
  const fg_problem *q = &b->program->problem;
  const fg_plan *rows = plan->child[q->rank - 1];
  int64_t n = fg_problem_span(q, q->rank - 1, true), pitch = fg_build_padded(b, q->dim[second].n.n * run);
  int64_t size = n / run * pitch;
  fg_lattice s;
  for (int i = q->rank - 1; i >= 0; i--) {
    bool plane = i == second || i == q->rank - 1;
    s.stride[i] = fg_num_const(i == second ? run : plane ? 1 : size);
    if (!plane) size *= q->dim[i].n.n;
  }
  s.view = fg_build_workspace(b, size);
  for (int i = 0; i < q->rank; i++) s.stride[i] = fg_num_scaled(s.stride[i], s.view.stride.n);
  if (run < n) s.view.run = run, s.view.apart = pitch;
  fg_buffer *work = &b->program->buffer[s.view.buffer];
  bool whole = b->map->lanes > 1 && n / rows->arg[rows->narg - 1] % b->map->lanes == 0;
  if (whole) work->layout = FG_LAYOUT_BLOCKED, work->block = b->map->lanes;
  return s;
}

/* Between the kernels of a queue, in the columns of dimension `second` as their tiles are, if rows can be cut so. */
static fg_lattice ring_of(fg_builder *b, const fg_plan *plan, int second) {
  const fg_problem *q = &b->program->problem;
  const fg_plan *rows = plan->child[q->rank - 1];
  int64_t n = fg_problem_span(q, q->rank - 1, true), most = fg_plan_param_value(b->program->plan, FG_PARAM_TILE);
  if (!most) most = fg_lines_usual_tile(b, plan->child[second], false, q->dim[second].n.n);
  int64_t tile = fg_lines_even_tile(n, most, b->map->lanes, false);
  bool cut = q->kind == FG_C2C && rows->step == FG_STOCKHAM && n / rows->arg[rows->narg - 1] % tile == 0;
  return tiled_workspace(b, plan, second, cut ? tile : n);
}

/* Where numbers are between the dimensions: in the output, if it can hold them. */
static fg_lattice between_dimensions(fg_builder *b, const fg_plan *plan, const fg_lattice *to, int kernels, int last) {
  const fg_problem *q = &b->program->problem;
  bool fits = !fg_problem_stores_real(q) && q->kind != FG_RCONV && fg_problem_stored(q, true) == q->compute;
  const fg_plan *first = plan->child[0]; /* blocks of a cluster do not share one array */
  bool crosses = first->step == FG_FOUR_STEP && fg_plan_param_value(first, FG_PARAM_CLUSTER);
  bool moves = fg_problem_shifts(q, true) || fg_problem_part(q, true) || (q->in_place && fg_problem_shifts(q, false)) ||
               fg_problem_relocates(q) || q->summed;
  int64_t run = kernels == 2 && !crosses && q->dim[q->rank - 1].n.n > 1 ? run_of(b, plan, last) : 0;
  if (run) return tiled_workspace(b, plan, last, run);
  fg_lattice s = kernels > 1 && (moves || !fits || crosses) ? workspace(b, true) : *to;
  s.view.ends = false;
  return s;
}

/* Lines of one point are as they should be, unless they are of another kind than c2c. */
static bool is_idle(const fg_problem *q, fg_kind kind, int dimension) {
  bool alone = fg_problem_points(q) == 1 && dimension == q->rank - 1;
  return kind == FG_C2C && q->dim[dimension].n.n == 1 && !alone;
}

/* ---- planes inside clusters ----------------------------------------------------------- */

typedef struct plane {
  int64_t blocks, tile, rows; /* of the blocks of a cluster: columns, rows of each */
  int64_t pitch;              /* from row to row there: odd, so that columns use all banks, and room for padding */
} plane;

/* All dimensions before the plane's, one side of it in memory. */
static void push_planes(fg_builder *b, nest *n, const fg_lattice *from, const fg_lattice *to) {
  const fg_problem *q = &b->program->problem;
  for (int i = 0; i < q->rank - 2; i++) {
    fg_axis axis = {.extent = q->dim[i].n, .kind = FG_AXIS_TILE, .dimension = i};
    axis.name[0] = 'd', axis.name[1] = (char)('0' + i);
    if (q->dim[i].n.n == 1) continue;
    push_axis(b, n, &axis, from ? from->stride[i] : fg_num_const(0), to ? to->stride[i] : fg_num_const(0));
  }
}

/* One side's lines: `share` of them in each block, of the plane's dimension `with`. */
static void push_share(fg_builder *b, nest *n, const plane *p, int with, fg_axis_kind kind, fg_num in, fg_num out) {
  int64_t share = kind == FG_AXIS_LANES ? p->tile : p->rows;
  fg_axis rank = {.name = "r", .extent = fg_num_const(p->blocks), .kind = FG_AXIS_RANK, .dimension = with};
  fg_axis line = {.name = "c", .extent = fg_num_const(share), .kind = kind, .dimension = with};
  push_axis(b, n, &rank, fg_num_scaled(in, share), fg_num_scaled(out, share));
  push_axis(b, n, &line, in, out);
}

static fg_status build_side(fg_builder *b, const fg_plan *plan, nest *n, int dimension) {
  b->dimension = dimension;
  n->task.n = b->program->problem.dim[dimension].n.n;
  fg_status status = fg_build_plan(b, plan->child[dimension], &n->task);
  b->naxis -= n->axes;
  return status;
}

static fg_status build_plane(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_lattice *from,
                             const fg_lattice *to) {
  const fg_problem *q = &b->program->problem;
  int x = q->rank - 1, y = x - 1;
  plane p = {.blocks = fg_plan_param_value(plan, FG_PARAM_CLUSTER)};
  p.pitch = (q->dim[x].n.n + (p.blocks > 1 ? q->dim[x].n.n / PADDED : 0)) | 1;
  p.tile = q->dim[x].n.n / p.blocks, p.rows = q->dim[y].n.n / p.blocks;
  bool complex = q->kind == FG_C2C || q->kind == FG_CONV, in_place = q->in_place && q->kind == FG_C2C;
  if (!complex || p.tile * p.blocks != q->dim[x].n.n || p.rows * p.blocks != q->dim[y].n.n)
    return fg_refuse(b->cx, "plan: cluster=%d: must divide both sides of complex planes", (int)p.blocks);
  if (!b->map->threads || (p.blocks > 1 && b->map->cluster < p.blocks))
    return fg_refuse(b->cx, "plan: cluster=%d: this target has clusters of up to %d blocks", (int)p.blocks,
                     b->map->cluster > 1 ? b->map->cluster : 1);
  if (in_place && p.blocks > 1)
    return fg_refuse(b->cx, "plan: cluster=%d: blocks of a cluster do not share one array", (int)p.blocks);
  fg_view between = fg_build_exchange(b, p.rows * p.pitch, (int)p.blocks);
  nest columns = {.task = *t}, rows = columns;
  columns.task.in = from->view, columns.task.out = between;
  columns.task.in.stride = from->stride[y], columns.task.out.stride = fg_num_const(p.pitch);
  push_planes(b, &columns, from, NULL);
  push_share(b, &columns, &p, x, FG_AXIS_LANES, from->stride[x], fg_num_const(1));
  fg_status status = build_side(b, plan, &columns, y);
  if (status != FG_OK) return status;
  rows.task.in = between, rows.task.out = to->view;
  rows.task.out.stride = to->stride[x];
  push_planes(b, &rows, NULL, to);
  push_share(b, &rows, &p, y, FG_AXIS_INNER, fg_num_const(p.pitch), to->stride[y]);
  return build_side(b, plan, &rows, x);
}

static fg_lines lines_of(const fg_builder *b, const fg_plan *plan, const fg_task *t, int dimension,
                         const fg_lattice *from, const fg_lattice *to) {
  fg_lines l = {
      .task = *t, .plan = plan->child[dimension], .dimension = dimension, .is = from->stride, .os = to->stride};
  l.task.in = from->view, l.task.out = to->view;
  l.columns = t->kind == FG_C2C && !fg_problem_kind_is_complex(b->program->problem.kind);
  fg_lines_join(b, &l);
  return l;
}

/* Whether the input's array may hold what is between the dimensions: it is the output's,
 * has all elements of the transform, its numbers are as they are computed with, and no row's results are stored to
 * another row's place. */
static bool holds_columns(const fg_problem *q) {
  return q->in_place && !fg_problem_shifts(q, true) && !fg_problem_part(q, false) &&
         fg_problem_stored(q, false) == q->compute;
}

/* Columns, then real rows. */
static fg_status build_backward(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_problem *q = &b->program->problem;
  fg_lattice from = problem_side(b, &t->in, false), to = problem_side(b, &t->out, true), between = from;
  between.view.ends = false;
  bool moved = holds_columns(q);
  fg_task column = *t;
  column.kind = FG_C2C;
  int inside = (int)fg_plan_param_value(plan, FG_PARAM_INSIDE);
  bool planes = fg_plan_param_value(plan, FG_PARAM_PLANES) > 0;
  for (int d = 0; d < q->rank - (inside ? inside : 1 + planes); d++) {
    if (is_idle(q, FG_C2C, d)) continue;
    if (!moved) between = workspace(b, false);
    moved = true;
    fg_lines l = lines_of(b, plan, &column, d, &from, &between);
    fg_status status = build_lines(b, &l);
    if (status != FG_OK) return status;
    from = between;
  }
  if (inside && moved && b->kernel->nstage) fg_build_kernel(b);
  if (inside) return fg_build_dimensions_in_block(b, plan, t->sign, &from, &to);
  if (planes) return fg_build_planes(b, plan, t->sign, &from, &to);
  fg_lines rows = lines_of(b, plan, t, q->rank - 1, &from, &to);
  return build_lines(b, &rows);
}

/* The last dimension of r2c is real, the others are of complex numbers. */
static fg_kind line_kind(const fg_problem *q, const fg_task *t, int dimension) {
  return q->kind == FG_R2C && dimension < q->rank - 1 ? FG_C2C : t->kind;
}

typedef struct route { /* dimensions, one kernel after the other */
  int count, dimension[FG_MAX_RANK];
} route;

/* The last one first. Of a queue of rows and columns (`far`) the slowest one next: its lines are furthest apart,
 * and persistent blocks hide what that costs. */
static route route_of(const fg_problem *q, const fg_task *t, int top, bool far) {
  route r = {0};
  for (int d = top; d >= 0; d--)
    if (!is_idle(q, line_kind(q, t, d), d)) r.dimension[r.count++] = d;
  for (int i = r.count - 1; far && i > 1; i--) {
    int slower = r.dimension[i];
    r.dimension[i] = r.dimension[i - 1], r.dimension[i - 1] = slower;
  }
  return r;
}

/* Planes in clusters forward, the dimensions before them, of which one goes forward and back, and planes back. What is
 * between them has an array of its own: blocks of a cluster do not share the output's. */
static fg_status build_convolved_planes(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_lattice *from,
                                        const fg_lattice *to) {
  const fg_problem *q = &b->program->problem;
  fg_leg leg[2 * FG_MAX_RANK];
  int count = fg_build_legs_of_convolution(q, plan, t->sign, leg), before = q->rank - 2, middle = count / 2;
  if (q->kind != FG_CONV || leg[middle].dimension >= before)
    return fg_refuse(b->cx, "plan: cluster=: of a convolution of several dimensions in planes; allowed: "
                            "nd(convolve(A), B, C; cluster=) of complex numbers");
  fg_lattice between = workspace(b, true);
  fg_num extent[FG_MAX_AXES];
  fg_task line = {.kind = FG_C2C, .sign = t->sign, .in = t->in, .out = t->out};
  fg_status status = build_plane(b, plan, &line, from, &between);
  for (int i = 0; i < count && status == FG_OK; i++) {
    if (leg[i].dimension >= before) continue;
    line.kind = leg[i].kind, line.sign = leg[i].sign;
    fg_lines l = lines_of(b, plan, &line, leg[i].dimension, &between, &between);
    status = build_lines(b, &l);
    if (i == middle) fg_build_without_summands(b, extent);
  }
  if (status != FG_OK) return status;
  fg_build_kernel(b);
  line.kind = FG_C2C, line.sign = -t->sign;
  status = build_plane(b, plan, &line, &between, to);
  fg_build_with_summands(b, extent);
  return status;
}

/* conv: all dimensions but one forward, that one forward and back, with the spectrum in between, and the others back.
 * What is added is one behind the dimension in the middle. */
static fg_status build_convolution(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_problem *q = &b->program->problem;
  fg_leg leg[2 * FG_MAX_RANK];
  int count = fg_build_legs_of_convolution(q, plan, t->sign, leg);
  bool queue = fg_plan_param_value(b->program->plan, FG_PARAM_QUEUE) > 0;
  fg_lattice from = problem_side(b, &t->in, false), to = problem_side(b, &t->out, true);
  if (fg_plan_param_value(plan, FG_PARAM_CLUSTER)) return build_convolved_planes(b, plan, t, &from, &to);
  if (fg_plan_param_value(plan, FG_PARAM_INSIDE)) return fg_build_dimensions_in_block(b, plan, t->sign, &from, &to);
  fg_lattice between = queue && count > 1 ? ring_of(b, plan, leg[count - 1].dimension)
                                          : between_dimensions(b, plan, &to, count, leg[count - 1].dimension);
  fg_num extent[FG_MAX_AXES];
  for (int i = 0; i < count; i++) {
    fg_task line = {.kind = leg[i].kind, .sign = leg[i].sign, .in = t->in, .out = t->out};
    const fg_lattice *next = i + 1 == count ? &to : &between;
    fg_lines l = lines_of(b, plan, &line, leg[i].dimension, &from, next);
    fg_status status = build_lines(b, &l);
    if (status != FG_OK) return status;
    from = *next;
    if (i == count / 2) fg_build_without_summands(b, extent);
  }
  fg_build_with_summands(b, extent);
  return FG_OK;
}

typedef struct stops { /* where numbers are: at the end, between the kernels of a queue, between others */
  fg_lattice to, ring, between;
  int kernels;
  bool queue;
} stops;

static const fg_lattice *stop_after(const stops *s, int kernel) {
  return kernel + 1 == s->kernels ? &s->to : s->queue && kernel == 0 ? &s->ring : &s->between;
}

fg_status fg_build_nd(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_problem *q = &b->program->problem;
  if (t->multiply || b->nkernel > 1 || b->kernel->nstage) return FG_ENA;
  if (q->kind == FG_C2R) return build_backward(b, plan, t);
  if (fg_problem_kind_convolves(q->kind)) return build_convolution(b, plan, t);
  bool queue = fg_plan_param_value(plan, FG_PARAM_QUEUE) > 0;
  if (queue && fg_problem_relocates(q)) /* its second kernel writes where the first one has still to read */
    return fg_refuse(b->cx, "plan: queue: in place with unlike strides there is none");
  int inside = (int)fg_plan_param_value(plan, FG_PARAM_INSIDE);
  bool turned = fg_plan_param_value(plan, FG_PARAM_PLANES) > 0;
  int planes = inside > 0 || turned || fg_plan_param_value(plan, FG_PARAM_CLUSTER) > 0; /* before the route's kernels */
  route r = route_of(q, t, q->rank - 1 - (inside ? inside : 2 * planes), queue && !planes);
  fg_lattice from = problem_side(b, &t->in, false);
  stops at = {.to = problem_side(b, &t->out, true), .kernels = planes + r.count};
  at.queue = queue && at.kernels > 1;
  if (at.queue) at.ring = ring_of(b, plan, r.dimension[1 - planes]);
  at.between = between_dimensions(b, plan, &at.to, at.kernels - at.queue, r.count ? r.dimension[r.count - 1] : 0);
  if (planes) {
    fg_status status = inside   ? fg_build_dimensions_in_block(b, plan, t->sign, &from, stop_after(&at, 0))
                       : turned ? fg_build_planes(b, plan, t->sign, &from, stop_after(&at, 0))
                                : build_plane(b, plan, t, &from, stop_after(&at, 0));
    if (status != FG_OK) return status;
    from = *stop_after(&at, 0);
  }
  for (int i = 0; i < r.count; i++) {
    const fg_lattice *to = stop_after(&at, planes + i);
    fg_task line = *t;
    line.kind = line_kind(q, t, r.dimension[i]);
    fg_lines l = lines_of(b, plan, &line, r.dimension[i], &from, to);
    if (at.queue && planes + i == 0) l.with = l.joined = r.dimension[1];
    fg_status status = build_lines(b, &l);
    if (status != FG_OK) return status;
    from = *to;
  }
  return FG_OK;
}
