/* The four-step transform: n = n1 n2 as a matrix of n1 rows and n2 columns.
 *
 * In: a task, two plans. Out: two kernels.
 *
 *   columns  tiles of neighbouring columns: n1 points each, by the first plan;
 *            column j is stored in row j of the workspace (the transposition)
 *   rows     tiles of neighbouring elements of those rows: the twiddle factors
 *            w^(j k), then n2 points down the columns of the workspace by the
 *            second plan, out to the result's columns
 *
 * For blocks and threads the workspace consists of runs, as long as the tiles of the second kernel are wide: each of
 * its blocks reads contiguous memory, and a block of the first kernel writes a tile's worth at once. Only input and
 * result are strided then.
 *
 * With uneven=on tiles need not divide (blocks and threads): the last one's columns or rows beyond the matrix are
 * loaded as zeros and are not stored.
 *
 * On CPUs the workspace may be the output itself: a tile of rows stores its results in place.
 *
 * With frequency=on the twiddle factors follow the first kernel's transforms (decimation in frequency): the second
 * kernel adds its inputs up as they are loaded.
 *
 * Data passes through main memory twice each way; all else stays in a tile's scratch. Bailey, FFTs in external or
 * hierarchical memory (1990).
 *
 * By clusters (cluster=C): one kernel. Block r of a cluster transforms the r-th part of the columns and then the r-th
 * part of the rows. Between these, all data passes once through the shared memories of the cluster, and main memory
 * once each way. There, the row stride is odd, so that threads along a column access different banks.
 *
 * A convolution's on CPUs (fg_build_tiled_convolution): three kernels, columns, rows forward and back, columns back.
 *
 * Both at once: if a block has no room for whole segments of columns, a cluster may have. Then each of the two
 * kernels runs by clusters, over the columns of a tile side by side. */
#include "generator/assemble/steps/four_step.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/neighbours.h"
#include "generator/assemble/pitch.h"
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/steps/real.h"
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/steps/stockham.h"
#include "generator/base/integer.h"
#include "generator/ir/program_machine.h"
#include "targets/machine/limits.h"
#include <stdio.h>
#include <string.h>

enum {
  ROOM = 16, /* a part of a cluster's memory that paddings may take */
};

typedef fg_four_step four_step;

static bool in_cluster(const fg_plan *p) { return p->step == FG_FOUR_STEP && fg_plan_param_value(p, FG_PARAM_CLUSTER); }

/* On CPUs, one tile after the other, whole vectors at any rate: where they do not divide n, the last tile
 * overlaps its neighbour. At least half as wide as wanted, and as little done twice as can be; of equals, of columns
 * the narrowest, nearest to L1, of rows the widest, which share the fewest lines. */
static int64_t tile_of(const fg_builder *b, int64_t n, int64_t most, int64_t unit, bool rows) {
  int64_t tile = fg_build_divisor(n, most, unit), least = 0;
  if (b->map->threads || b->map->blocks || b->packed || tile % unit == 0 || fg_smaller(n, most) < unit) return tile;
  for (int64_t t = fg_smaller(n, most) / unit * unit; t > 0 && 2 * t >= most; t -= unit) {
    int64_t done = (n + t - 1) / t * t;
    if (least == 0 || done < least || (done == least && !rows)) tile = t, least = done;
  }
  return tile;
}

/* Of large arrays, of columns of n points, so many planes of them: as wide as half of a small L2 holds, of rows, which
 * are loaded from and stored to large arrays, a quarter; but no narrower than a memory transaction. */
static int64_t wide_tile(const fg_builder *b, int64_t n, int64_t planes, bool rows) {
  int64_t tile = limit->tile_side, room = fg_l2_bytes(b->program) / (rows ? 4 : 2);
  int64_t element = 2 * fg_precision_bytes(b->program->problem.compute) * planes;
  while (fg_small_l2(b->program) && tile * element > limit->tile_row_least && tile * n * element > room) tile /= 2;
  return tile;
}

/* Of transforms of n points, `all` in one transform: on GPUs a segment's worth, or
 * what shared memory has room for. `across`: what is stored begins within cache lines. */
static int64_t usual_tile(const fg_builder *b, const fg_plan *part, const fg_four_step *f, bool rows, bool across) {
  int64_t element = 2 * fg_precision_bytes(b->program->problem.compute), planes = fg_larger(f->planes, 1);
  int64_t bytes = f->n1 * f->n2 * planes * element;
  if (!b->map->threads && bytes > limit->tile_close) return wide_tile(b, fg_plan_length(part), planes, rows);
  if (!b->map->threads) return across && bytes > limit->tile_near ? limit->tile_side / 2 : b->map->lanes;
  int64_t blocks = in_cluster(part) ? fg_plan_param_value(part, FG_PARAM_CLUSTER) : 1;
  int64_t room = (int64_t)b->map->local_bytes * blocks / (fg_plan_length(part) * element);
  return fg_smaller(fg_program_machine(b->program)->segment_bytes / element, room > 0 ? room : 1);
}

/* What a tile's width had better be a multiple of. */
static int64_t unit_of(const fg_builder *b, int64_t wanted) {
  return b->map->threads && !wanted
             ? fg_program_machine(b->program)->sector_bytes / (2 * fg_precision_bytes(b->program->problem.compute))
             : b->map->lanes;
}

/* So many elements of a view on: whole runs, or within one. */
static fg_num steps(const fg_view *v, int64_t elements) {
  bool whole = v->run && elements % v->run == 0;
  return fg_num_scaled(v->stride, whole ? elements / v->run * v->apart : elements);
}

/* The view's elements `step` apart, the tile's axes appended. */
static fg_view tiled(const fg_builder *b, const fg_view *v, int64_t step, int64_t tile, int64_t side) {
  fg_view t = *v;
  t.run = 0;
  if (v->fold) {
    int64_t one = v->step ? v->step : 1;
    t.step = one * step, t.key[b->naxis] = one * tile * side, t.key[b->naxis + 1] = one * side;
    t.coef[b->naxis] = t.coef[b->naxis + 1] = fg_num_const(0);
    return t;
  }
  t.stride = steps(v, step);
  t.coef[b->naxis] = steps(v, tile * side);
  t.coef[b->naxis + 1] = steps(v, side);
  return t;
}

/* From a tile's beginning to the next one's. */
static int64_t step_of(const four_step *f, int64_t n, int64_t tile) {
  return f->uneven ? tile : fg_build_tile_step(n, tile);
}

/* Of all tiles, those that the last one lacks included. */
static int64_t members_of(const four_step *f, int64_t n, int64_t tile) {
  return f->uneven ? (n + tile - 1) / tile * tile : n;
}

static void build_tiles(fg_builder *b, const four_step *f, int64_t n, int64_t tile) {
  if (f->uneven)
    fg_build_axis(b, "t", (n + tile - 1) / tile, FG_AXIS_TILE);
  else
    fg_build_tiles(b, n, tile);
}

/* Number k of `count` transforms that the later axes count: its element j is multiplied by w^(j k). */
static fg_twiddle_exponents exponents_of(const fg_builder *b, const fg_task *t, int64_t count, int64_t tile) {
  fg_twiddle_exponents exponents = {.order = t->n, .count = count, .step = 1};
  for (int i = 0; i < FG_MAX_AXES; i++) exponents.coef[i] = fg_num_const(0);
  exponents.coef[b->naxis] = fg_num_const(fg_build_tile_step(count, tile));
  exponents.coef[b->naxis + 1] = fg_num_const(1);
  return exponents;
}

static bool in_frequency(const fg_builder *b) { return fg_plan_param_value(b->program->plan, FG_PARAM_FREQUENCY) != 0; }

/* Rows of the matrix that have any of so many elements. */
static int64_t rows_with(int64_t elements, int64_t n2) { return (elements + n2 - 1) / n2; }

static fg_status build_columns(fg_builder *b, const fg_plan *plan, const fg_task *t, const four_step *f) {
  fg_task task = {.n = f->n1, .sign = t->sign, .inputs = rows_with(t->inputs, f->n2)};
  int64_t step = step_of(f, f->n2, f->tile);
  fg_twiddle_exponents exponents = exponents_of(b, t, members_of(f, f->n2, f->tile), f->tile);
  if (in_frequency(b)) task.exponents = &exponents, task.skewed = b->map->threads > 0;
  task.in = tiled(b, &t->in, f->n2, step, 1);
  fg_view with;
  if (t->multiply) with = tiled(b, t->multiply, f->n2, step, 1), task.multiply = &with;
  task.out = tiled(b, &f->work, 1, step, f->run ? f->run : f->pitch);
  task.out.run = f->run, task.out.apart = f->n2 * f->run;
  build_tiles(b, f, f->n2, f->tile);
  fg_build_axis(b, "c", f->tile, in_cluster(plan) ? FG_AXIS_LANES : FG_AXIS_INNER);
  int first = b->kernel->nstage;
  fg_status status = (in_frequency(b) ? fg_build_passes_back : fg_build_plan)(b, plan, &task);
  if (status == FG_OK && f->uneven) fg_build_keep_inside(b, first, task.in.buffer, task.out.buffer, f->n2, f->tile);
  b->naxis -= 2;
  return status;
}

fg_status fg_build_parts_rows(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_four_step *f) {
  fg_task task = {.n = f->n2, .sign = t->sign};
  int64_t step = step_of(f, f->n1, f->rows);
  task.in = f->run ? tiled(b, &f->work, f->run, f->n2 * f->run, 1) : tiled(b, &f->work, f->pitch, step, 1);
  task.out = f->near ? *f->near : tiled(b, &t->out, f->n1, step, 1);
  fg_twiddle_exponents exponents = exponents_of(b, t, members_of(f, f->n1, f->rows), f->rows);
  if (!in_frequency(b)) task.exponents = &exponents;
  build_tiles(b, f, f->n1, f->rows);
  fg_build_axis(b, "c", f->rows, FG_AXIS_LANES);
  if (b->kernel->nstage) fg_build_kernel(b);
  fg_status status = fg_build_plan(b, plan, &task);
  if (status == FG_OK && f->uneven) fg_build_keep_inside(b, 0, task.in.buffer, task.out.buffer, f->n1, f->rows);
  b->naxis -= 2;
  return status;
}

/* ---- by clusters ------------------------------------------------------------------ */

fg_status fg_build_check_cluster(const fg_builder *b, int blocks, int64_t n1, int64_t n2) {
  if (!b->map->threads || b->map->cluster < blocks)
    return fg_refuse(b->cx, "plan: cluster=%d: this target has clusters of up to %d blocks", blocks,
                     b->map->cluster > 1 ? b->map->cluster : 1);
  if (blocks > 1 && n1 % blocks == 0 && n2 % blocks == 0) return FG_OK;
  return fg_refuse(b->cx, "plan: cluster=%d: must be 2 or more and divide %lld and %lld", blocks, (long long)n1,
                   (long long)n2);
}

/* Of every n2-th element: what these are turned by. */
static fg_twiddle_exponents exponents_of_columns(const fg_builder *b, const fg_task *t, const four_step *f) {
  fg_twiddle_exponents exponents = *t->exponents;
  exponents.step = f->n2;
  exponents.coef[b->naxis] = exponents.coef[b->naxis + 1] = fg_num_const(0);
  exponents.part[b->naxis] = f->tile;
  exponents.part[b->naxis + 1] = 1;
  return exponents;
}

static fg_status build_part(fg_builder *b, const fg_plan *plan, const fg_task *part, int blocks, int64_t lanes) {
  fg_build_axis(b, "r", blocks, FG_AXIS_RANK);
  fg_build_axis(b, "c", lanes, FG_AXIS_LANES);
  fg_status status = fg_build_plan(b, plan, part);
  b->naxis -= 2;
  return status;
}

/* Elements between the rows in shared memory: threads that load a column, and the next ones where rows are
 * fewer than banks, have no conflicts. There is room, then, for paddings of the rows' own exchanges (map/padding.c). */
static int64_t pitch_of_rows(const fg_builder *b, const four_step *f) {
  int64_t n = f->n2 * fg_build_neighbouring(b), row = fg_build_bank_row(b), gap = row % f->rows ? 1 : row / f->rows;
  if (gap > 1) n += n / ROOM;
  return n + (gap + (2 * gap - 1) * n) % (2 * gap);
}

static fg_status build_cluster(fg_builder *b, const fg_plan *plan, const fg_task *t, four_step *f) {
  int blocks = (int)fg_plan_param_value(plan, FG_PARAM_CLUSTER);
  fg_status status = fg_build_check_cluster(b, blocks, f->n1, f->n2);
  if (status != FG_OK) return status;
  f->tile = f->n2 / blocks, f->rows = f->n1 / blocks;
  b->kernel->launch.resident = (int)fg_plan_param_value(plan, FG_PARAM_RESIDENT);
  int64_t pitch = pitch_of_rows(b, f);
  fg_view exchange = fg_build_exchange(b, f->rows * pitch, blocks);
  fg_num next = exchange.stride;
  fg_task columns = {.n = f->n1, .sign = t->sign, .in = tiled(b, &t->in, f->n2, f->tile, 1), .out = exchange};
  columns.out.stride = fg_num_const(pitch);
  columns.out.coef[b->naxis] = fg_num_scaled(next, f->tile);
  columns.out.coef[b->naxis + 1] = next;
  fg_twiddle_exponents exponents;
  if (t->exponents) exponents = exponents_of_columns(b, t, f), columns.exponents = &exponents;
  status = build_part(b, plan->child[0], &columns, blocks, f->tile);
  if (status != FG_OK) return status;
  exponents = exponents_of(b, t, f->n1, f->rows);
  fg_task rows = {.n = f->n2, .sign = t->sign, .in = exchange, .exponents = &exponents};
  rows.in.coef[b->naxis] = fg_num_const(f->rows * pitch);
  rows.in.coef[b->naxis + 1] = fg_num_const(pitch);
  rows.out = tiled(b, &t->out, f->n1, f->rows, 1);
  return build_part(b, plan->child[1], &rows, blocks, f->rows);
}

/* Runs need a last pass that steps by whole ones; of clusters, each block has one. */
static int64_t run_of(const fg_builder *b, const fg_plan *columns, const four_step *f) {
  if (!b->map->threads || f->rows == f->n1) return 0;
  if (in_cluster(columns)) {
    int64_t rows = fg_plan_length(columns->child[0]) / fg_plan_param_value(columns, FG_PARAM_CLUSTER);
    return rows == f->rows ? rows : 0;
  }
  if (columns->step != FG_STOCKHAM) return 0;
  int64_t last = columns->arg[in_frequency(b) ? 0 : columns->narg - 1]; /* the radix that stores */
  return f->n1 / last % f->rows ? 0 : f->rows;
}

bool fg_build_counts_lines(const fg_builder *b, const fg_axis *axis) {
  bool other = b->program->problem.rank > 1 && axis->dimension != b->dimension;
  return b->map->threads && other && (axis->kind == FG_AXIS_TILE || fg_num_is(axis->extent, 1));
}

bool fg_build_may_be_parted(const fg_builder *b) {
  bool several = b->program->problem.rank > 1;
  return !b->kernel->nstage && b->nkernel < FG_MAX_LOGICAL &&
         !(several && fg_plan_param_value(b->program->plan, FG_PARAM_QUEUE));
}

/* Inside a tile or another step's columns, one by clusters alone; inside a cluster none. Columns multiply what they
 * load, as of a convolution's way back, on CPUs by their first pass. */
static bool may_build(const fg_builder *b, const fg_plan *plan, const fg_task *t) {
  bool multiplies = !b->map->threads && !in_frequency(b) && plan->child[0]->step == FG_STOCKHAM;
  if ((t->multiply && !multiplies) || b->kernel->nstage) return false;
  if (!in_cluster(plan) && !fg_build_may_be_parted(b)) return false;
  for (int i = 0; i < b->naxis; i++) {
    bool inside = b->axis[i].kind == FG_AXIS_TILE || b->axis[i].kind == FG_AXIS_INNER;
    if (inside && !in_cluster(plan) && !fg_build_counts_lines(b, &b->axis[i])) return false;
    if (b->axis[i].kind == FG_AXIS_RANK) return false;
  }
  return in_cluster(plan) || !t->exponents;
}

/* Columns leave whole vectors at the places of whole vectors, and rows are read so: the
 * workspace may have both parts of a vector's numbers together, and one stream for two. */
static bool has_blocks(const fg_builder *b, const fg_plan *columns, const four_step *f) {
  int lanes = b->map->lanes;
  if (b->map->threads || b->packed || lanes < 2 || fg_plan_param_value(b->program->plan, FG_PARAM_LANES)) return false;
  if (f->n1 % lanes || f->rows % lanes || f->pitch % lanes) return false;
  if (columns->step == FG_DIRECT) return true;
  if (in_frequency(b)) return false;
  int64_t done = f->n1 / columns->arg[columns->narg - 1];
  return columns->step == FG_STOCKHAM && (done % lanes == 0 || lanes % done == 0);
}

/* A tile of rows is read from where it is stored, if its columns are stored in the workspace as they are in the output:
 * one array less. Where L2 is small and does not hold the array, that is worth more than rows that are padded, and than
 * stores past the caches, as long as L3 holds them (measured with 1 MiB of L2).
 */
static bool in_output(const fg_builder *b, const fg_task *t, const four_step *f) {
  int64_t bytes = t->n * 2 * fg_precision_bytes(b->program->problem.compute);
  bool alone = f->n1 % f->rows == 0 && !b->map->blocks; /* no tile overlaps another */
  bool near = fg_small_l2(b->program) && bytes > fg_l2_bytes(b->program) &&
              (bytes < limit->l3_array_most || !fg_program_machine(b->program)->separate_fadd);
  bool wanted = near && fg_plan_param_value(b->program->plan, FG_PARAM_REUSE) == 2;
  return wanted && alone && fg_build_output_has_blocks(b, &t->out, f->n2);
}

void fg_build_parts_workspace(fg_builder *b, const fg_plan *columns, const fg_task *t, fg_four_step *f) {
  f->pitch = f->n1;
  bool output = !f->returns && in_output(b, t, f) && has_blocks(b, columns, f);
  if (!output) f->pitch = fg_build_padded(b, f->n1);
  if (f->uneven) f->pitch = (f->n1 + unit_of(b, 0) - 1) / unit_of(b, 0) * unit_of(b, 0); /* whole sectors */
  f->work = fg_build_workspace_of_lines(b, f->n2 * f->pitch);
  f->run = run_of(b, columns, f);
  fg_buffer *work = &b->program->buffer[f->work.buffer];
  if (has_blocks(b, columns, f)) work->layout = FG_LAYOUT_BLOCKED, work->block = b->map->lanes;
  if (!output) return;
  work->alias = FG_BUFFER_OUT;
  work->size = b->program->buffer[FG_BUFFER_OUT].size;
  memcpy(f->work.coef, t->out.coef, sizeof f->work.coef);
}

void fg_build_parts_tiles(const fg_builder *b, const fg_plan *plan, fg_four_step *f) {
  int64_t tile = fg_plan_param_value(plan, FG_PARAM_TILE), rows = fg_plan_param_value(plan, FG_PARAM_ROWS);
  if (!tile) tile = usual_tile(b, plan->child[0], f, false, false);
  if (!rows) rows = usual_tile(b, plan->child[1], f, true, f->n1 % b->map->lanes);
  int64_t lines = fg_build_neighbouring(b);
  tile = fg_larger(1, tile / lines), rows = fg_larger(1, rows / lines);
  f->uneven = b->map->threads && fg_plan_param_value(plan, FG_PARAM_UNEVEN);
  f->tile = f->uneven ? fg_smaller(tile, f->n2)
                      : tile_of(b, f->n2, tile, unit_of(b, fg_plan_param_value(plan, FG_PARAM_TILE)), false);
  f->rows = f->uneven ? fg_smaller(rows, f->n1)
                      : tile_of(b, f->n1, rows, unit_of(b, fg_plan_param_value(plan, FG_PARAM_ROWS)), true);
}

fg_status fg_build_four_step(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  four_step f = {.n1 = fg_plan_length(plan->child[0]), .n2 = fg_plan_length(plan->child[1])};
  if (t->kind != FG_C2C) return fg_build_real_four_step(b, plan, t);
  if (!may_build(b, plan, t)) return FG_ENA;
  if (in_cluster(plan)) return build_cluster(b, plan, t, &f);
  if (in_frequency(b) && plan->child[0]->step != FG_STOCKHAM)
    return fg_refuse(b->cx, "plan: frequency=on wants a first part by stockham(...)");
  fg_build_parts_tiles(b, plan, &f);
  fg_build_parts_workspace(b, plan->child[0], t, &f);
  fg_status status = build_columns(b, plan->child[0], t, &f);
  return status == FG_OK ? fg_build_parts_rows(b, plan->child[1], t, &f) : status;
}

/* ---- convolutions on CPUs --------------------------------------------------------------- */

bool fg_build_can_tile(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *split = plan->child[0];
  if (b->map->threads || split->step != FG_FOUR_STEP || in_frequency(b)) return false;
  bool known = split->child[0]->step == FG_STOCKHAM || split->child[0]->step == FG_DIRECT;
  bool rows = split->child[1]->step == FG_STOCKHAM && split->child[1]->narg > 1;
  bool whole = fg_plan_length(split->child[0]) % b->map->lanes == 0; /* vectors, each in its place */
  rows = rows || (split->child[1]->step == FG_DIRECT && plan->step == FG_CONVOLVE && whole);
  bool bent = t->in.lookup || t->out.lookup || t->in.mod || t->out.mod || t->in.fold || t->out.fold;
  bool alone = !b->packed && known && rows;
  for (int i = 0; i < b->naxis; i++) alone = alone && b->axis[i].kind == FG_AXIS_BATCH;
  if (plan->step == FG_BLUESTEIN) return alone; /* whose ends are its own */
  return plan->step == FG_CONVOLVE && t->kind == FG_C2C && alone && !b->kernel->nstage && !bent;
}

/* Tiles of rows: forward, times the spectrum, which is contiguous along them, and back to `back`. */
static fg_status visit_rows(fg_builder *b, const fg_plan *plan, const fg_task *t, const four_step *f,
                            const fg_view *spectrum, const fg_view *back) {
  int64_t step = step_of(f, f->n1, f->rows);
  fg_twiddle_exponents exponents = exponents_of(b, t, f->n1, f->rows);
  fg_convolved_rows r = {.passes = plan, .sign = t->sign, .exponents = &exponents, .axis = b->naxis, .together = step};
  r.row = tiled(b, &f->work, f->pitch, step, 1), r.back = tiled(b, back, f->pitch, step, 1);
  r.spectrum = tiled(b, spectrum, f->n1, step, 1);
  build_tiles(b, f, f->n1, f->rows);
  fg_build_axis(b, "c", f->rows, FG_AXIS_LANES);
  fg_build_kernel(b);
  fg_status status = fg_build_convolved(b, &r);
  b->naxis -= 2;
  return status;
}

/* The columns' mirror image: from the workspace to the output. */
static fg_status return_columns(fg_builder *b, const fg_plan *plan, const fg_task *t, const four_step *f,
                                const fg_view *back) {
  int64_t step = step_of(f, f->n2, f->tile);
  fg_task task = {.n = f->n1, .sign = -t->sign, .outputs = rows_with(t->outputs, f->n2)};
  task.in = tiled(b, back, 1, step, f->pitch), task.out = tiled(b, &t->out, f->n2, step, 1);
  build_tiles(b, f, f->n2, f->tile);
  fg_build_axis(b, "c", f->tile, FG_AXIS_INNER);
  fg_build_kernel(b);
  fg_status status = (plan->step == FG_STOCKHAM ? fg_build_passes_back : fg_build_plan)(b, plan, &task);
  b->naxis -= 2;
  return status;
}

/* Three kernels; no array is transposed but as columns are stored and loaded again. A row that two tiles have would be
 * convolved twice where it is: then rows have another array behind them. */
fg_status fg_build_tiled_convolution(fg_builder *b, const fg_plan *plan, const fg_task *ends, const fg_view *spectrum) {
  const fg_plan *split = plan->child[0], *columns = split->child[0];
  four_step f = {.n1 = fg_plan_length(columns), .n2 = fg_plan_length(split->child[1]), .returns = true};
  fg_build_parts_tiles(b, split, &f);
  fg_build_parts_workspace(b, columns, ends, &f);
  fg_view back = f.work;
  if (f.n1 % f.rows) {
    back = fg_build_workspace(b, f.n2 * f.pitch);
    fg_buffer *work = &b->program->buffer[f.work.buffer], *other = &b->program->buffer[back.buffer];
    other->layout = work->layout, other->block = work->block;
  }
  fg_status status = build_columns(b, columns, ends, &f);
  const fg_plan *rows = split->child[1];
  if (status == FG_OK && rows->step == FG_DIRECT) {
    fg_build_kernel(b);
    status = fg_build_convolved_columns(b, ends->n, f.n2, ends->sign, &f.work, f.pitch, spectrum);
  } else if (status == FG_OK) {
    status = visit_rows(b, rows, ends, &f, spectrum, &back);
  }
  return status == FG_OK ? return_columns(b, columns, ends, &f, &back) : status;
}
