/* How lines of one dimension are cut into tiles (nd.c). In: lines, how many. Out: those done together: on CPUs as many
 * as fill vectors and as L1 holds between passes. */
#include "generator/assemble/steps/nd_tiles.h"
#include "generator/assemble/neighbours.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "targets/machine/limits.h"

int64_t fg_lines_even_tile(int64_t n, int64_t most, int64_t lanes, bool rows) {
  int64_t whole = 0, some = 0, few = 1;
  for (int64_t t = 1; t <= 2 * most && t <= n; t++) {
    if (n % t) continue;
    if (t <= most) few = t;
    if (t <= most && t % lanes == 0) whole = t;
    if (t >= lanes) some = t;
  }
  return whole ? whole : some ? some : rows ? few : n;
}

bool fg_lines_are_parted(const fg_lines *l) {
  return l->plan->step == FG_FOUR_STEP && !fg_plan_param_value(l->plan, FG_PARAM_CLUSTER);
}

int64_t fg_lines_length(const fg_builder *b, const fg_lines *l, int dimension) {
  const fg_problem *q = &b->program->problem;
  return l->columns ? fg_problem_spectrum_length(q, dimension) : q->dim[dimension].n.n;
}

/* The innermost other dimension that is longer than 1; -1: none. */
static int nearest_dimension(const fg_builder *b, const fg_lines *l) {
  for (int i = b->program->problem.rank - 1; i >= 0; i--)
    if (i != l->dimension && fg_lines_length(b, l, i) > 1) return i;
  return -1;
}

static bool is_dense(const fg_num *stride, int dimension, int64_t length) {
  fg_num whole = fg_num_scaled(stride[dimension], length), next = stride[dimension - 1];
  return whole.form == FG_NUM_CONST && next.form == FG_NUM_CONST && whole.n == next.n;
}

static bool has_runs(const fg_lines *l) { return l->task.in.run || l->task.out.run; }

/* On GPUs tiles are cut from all numbers that follow each other: they begin with a segment then, whatever is behind
 * them. */
static bool joins_on_gpu(const fg_builder *b, const fg_lines *l) {
  bool queue = fg_plan_param_value(b->program->plan, FG_PARAM_QUEUE) > 0;
  return b->map->threads && !queue && !has_runs(l) && l->with > l->dimension;
}

static int64_t neighbours_of(const fg_builder *b, const fg_lines *l) {
  int64_t count = joins_on_gpu(b, l) ? fg_build_adjoining(b, &l->task.in, &l->task.out) : 1;
  return count > 1 && fg_num_is(l->is[l->with], count) && fg_num_is(l->os[l->with], count) ? count : 1;
}

/* On CPUs short rows leave lanes empty, and vectors may go on in the next one: of `with`, the first dimension of those
 * whose lines follow each other evenly. Operations want indices of each. */
static int first_joined(const fg_builder *b, const fg_lines *l) {
  int first = l->with;
  bool vectors = !b->map->threads && !b->map->blocks && b->map->lanes >= 2 && !has_runs(l);
  if (!vectors && !joins_on_gpu(b, l)) return first;
  if (fg_problem_has_operations(&b->program->problem)) return first;
  while (first > 0 && first - 1 != l->dimension && is_dense(l->is, first, fg_lines_length(b, l, first)) &&
         is_dense(l->os, first, fg_lines_length(b, l, first)))
    first--;
  return first;
}

void fg_lines_join(const fg_builder *b, fg_lines *l) {
  l->with = nearest_dimension(b, l);
  l->joined = first_joined(b, l);
  l->neighbours = neighbours_of(b, l);
}

int64_t fg_lines_count(const fg_builder *b, const fg_lines *l) {
  int64_t count = l->neighbours;
  for (int i = l->joined; l->with >= 0 && i <= l->with; i++) count *= fg_lines_length(b, l, i);
  return count;
}

static bool fills_vectors(const fg_builder *b, const fg_plan *plan, int64_t n) {
  return plan->step == FG_STOCKHAM && plan->arg[0] % b->map->lanes == 0 && n / plan->arg[0] % b->map->lanes == 0;
}

/* Passes over a row in vectors of pairs of unlike widths, some of which overlap: no vector that one pass leaves is one
 * that the next one takes, so that they had better be in memory. */
static bool refits_vectors(const fg_builder *b, const fg_plan *plan, int64_t n) {
  int64_t before = 0;
  bool unlike = false, overlap = false;
  for (int i = 0; i < plan->narg; i++) {
    int64_t columns = n / plan->arg[i], lanes = b->map->lanes / 2;
    while (lanes > columns) lanes /= 2;
    if (lanes < b->map->lanes / 4) return false; /* vectors across rows are wider */
    unlike = unlike || (i && lanes != before);
    overlap = overlap || columns % lanes;
    before = lanes;
  }
  return unlike && overlap;
}

static int64_t usual_rows(const fg_builder *b, const fg_plan *plan, int64_t n) {
  const fg_program *p = b->program;
  if (b->map->threads) return limit->rows_points_block / n + 1;
  if (b->packed) return refits_vectors(b, plan, n) ? limit->rows_points_pairs / n + 1 : 1;
  if (!fills_vectors(b, plan, n)) return limit->rows_points / n + 1;
  if (!fg_program_fetches_rows(p)) return limit->rows_points_near / n + 1;
  int64_t row = 2 * fg_precision_bytes(p->problem.compute) * n;
  return row < limit->rows_bytes_near ? limit->rows_bytes_near / row : 1;
}

/* Columns of n points, of transforms that leave L2, which is small. */
static int64_t wide_tile(const fg_builder *b, int64_t n) {
  int64_t bytes = fg_buffer_bytes(&b->program->buffer[FG_BUFFER_OUT]);
  int64_t element = 2 * fg_precision_bytes(b->program->problem.compute);
  int64_t least = bytes >= limit->wide_tile_from ? limit->wide_tile / element : limit->columns_near;
  if (fg_l2_bytes(b->program) < limit->roomy_l2 || bytes < limit->roomy_l3_from) return least;
  int64_t part = (bytes >= limit->wide_tile_from ? limit->roomy_tile : limit->roomy_tile_less) / n;
  if (part > limit->roomy_part) part = limit->roomy_part;
  return part / element > least ? part / element : least;
}

/* A segment's worth; or a part of it, of whole sectors, where convolutions hold more than their columns and a block
 * holds no more. */
static int64_t tile_of_block(const fg_builder *b, const fg_plan *plan, int64_t n) {
  const fg_machine *m = fg_program_machine(b->program);
  int64_t element = 2 * fg_precision_bytes(b->program->problem.compute), segment = m->segment_bytes / element;
  int64_t held = fg_plan_held(plan) * element, tile = segment;
  if (held <= n * element) return segment;
  while (tile * held > (int64_t)b->map->local_bytes && tile * element > m->sector_bytes) tile /= 2;
  return tile * held > (int64_t)b->map->local_bytes ? segment : tile;
}

int64_t fg_lines_usual_tile(const fg_builder *b, const fg_plan *plan, bool rows, int64_t n) {
  if (rows) return usual_rows(b, plan, n);
  if (b->map->threads) return tile_of_block(b, plan, n);
  if (plan->step == FG_DIRECT) return limit->columns;
  return fg_small_l2(b->program) ? wide_tile(b, n) : limit->columns_near;
}

bool fg_lines_are_uneven(const fg_builder *b, const fg_lines *l) {
  bool wanted = fg_plan_param_value(b->program->plan, FG_PARAM_UNEVEN) || fg_lines_are_parted(l);
  if (b->program->problem.summed && l->plan->step == FG_CONVOLVE) return false; /* of several kernels */
  return b->map->threads && l->task.kind == FG_C2C && !l->task.in.run && !l->task.out.run && wanted;
}

/* Columns that have the parts of their lines in blocks of their own: as even as can be, of whole sectors. */
static int64_t parted_tile(const fg_builder *b, int64_t count, int64_t most) {
  int64_t unit = fg_program_machine(b->program)->sector_bytes / (2 * fg_precision_bytes(b->program->problem.compute));
  int64_t tiles = (count + most - 1) / most, even = (count + tiles - 1) / tiles,
          whole = (even + unit - 1) / unit * unit;
  return tiles > 1 && whole <= most ? whole : even;
}

int64_t fg_lines_tile(const fg_builder *b, const fg_lines *l, int64_t count, int64_t most, bool rows) {
  if (fg_lines_are_parted(l)) return rows ? 1 : parted_tile(b, count, most);
  if (!fg_lines_are_uneven(b, l)) return fg_lines_even_tile(count, most, b->map->lanes, rows);
  return most < count ? most : count;
}

/* Columns of tiles where these divide so many of them. */
static int64_t even_tile(const fg_builder *b, const fg_lines *l, int64_t count) {
  int64_t most = fg_plan_param_value(b->program->plan, FG_PARAM_TILE);
  if (!most) most = fg_lines_usual_tile(b, l->plan, false, b->program->problem.dim[l->dimension].n.n);
  return fg_lines_even_tile(count, most, b->map->lanes, false);
}

/* Vectors of a tile's columns: they overlap in scratch; codelets alone, in place, take narrower ones for what is left.
 */
static int64_t vectors_of(const fg_builder *b, const fg_lines *l, int64_t columns) {
  int64_t vectors = 0, number = fg_precision_bytes(b->program->problem.compute);
  if (l->plan->step != FG_DIRECT) return (columns + b->map->lanes - 1) / b->map->lanes;
  for (int64_t lanes = b->map->lanes; lanes * number >= limit->narrow_vector; columns %= lanes, lanes /= 2)
    vectors += columns / lanes;
  return vectors + columns;
}

int64_t fg_lines_last_tile(const fg_builder *b, const fg_lines *l, int64_t count, bool apart) {
  int64_t lanes = b->map->lanes, rest = count % lanes + lanes;
  int64_t column = 2 * fg_precision_bytes(b->program->problem.compute) * b->program->problem.dim[l->dimension].n.n;
  bool columns = l->with > l->dimension && !l->task.in.run && !l->task.out.run;
  if (b->map->threads || b->map->blocks || lanes < 2 || !columns || count <= rest || count % lanes == 0) return apart;
  int64_t tile = even_tile(b, l, count - apart), now = (count - apart) / tile * vectors_of(b, l, tile) + apart;
  bool far = tile > 2 * rest && tile * column > limit->near_tile_bytes && l->plan->step != FG_DIRECT;
  return far || 8 * ((count - rest) / lanes + vectors_of(b, l, rest)) <= 7 * now ? rest : apart;
}
