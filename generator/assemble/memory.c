/* Memory of a program's steps: buffers, views of them, tables.
 *
 * In: a step's needs, the axes in scope. Out: buffers of the program, and the location of a transform's elements in
 * them. */
#include "generator/assemble/memory.h"
#include "generator/assemble/pitch.h"
#include "generator/base/invariant.h"
#include "generator/ir/banks.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/arrays.h"
#include "generator/problem/frames.h"
#include "generator/problem/shape.h"
#include "targets/machine/limits.h"
#include <stdio.h>
#include <string.h>

enum {
  FEW = 2, /* vectors of a row: longer ones begin with whole ones */
};

int16_t fg_build_buffer(fg_program *p, const fg_buffer *wanted) {
  fg_invariant(p->nbuffer < FG_MAX_BUFFERS);
  p->buffer[p->nbuffer] = *wanted;
  return (int16_t)p->nbuffer++;
}

bool fg_build_is_outer(const fg_axis *a) { return a->kind != FG_AXIS_INNER && a->kind != FG_AXIS_LANES; }

static fg_layout layout_of_ours(const fg_builder *b) {
  return b->map->lanes > 1 && !b->packed ? FG_LAYOUT_SPLIT : FG_LAYOUT_INTERLEAVED;
}

int64_t fg_build_padded(const fg_builder *b, int64_t n) {
  int64_t bytes = fg_precision_bytes(b->program->problem.compute), lanes = b->map->lanes;
  if (lanes == 1 || b->map->threads) return n;
  if (n > FEW * lanes && !b->packed) n = (n + lanes - 1) / lanes * lanes;
  return n * bytes % limit->row_alias_bytes ? n : n + fg_program_line(b->program) / bytes;
}

/* What a block of a GPU keeps between its passes may be as narrow as the arrays. */
fg_precision fg_build_kept(const fg_builder *b) {
  const fg_problem *q = &b->program->problem;
  bool wanted = fg_plan_param_value(b->program->plan, FG_PARAM_NARROW) || fg_plan_has_matrix(b->program->plan);
  bool narrow = b->map->threads && wanted && !q->summed; /* what is added has no scale yet */
  return narrow && (q->storage == FG_F16 || q->storage == FG_BF16) ? q->storage : q->compute;
}

/* Parts of one number are not to share a set of the cache either. */
static int16_t add_work(fg_builder *b, fg_space space, const fg_buffer *like, int64_t size) {
  fg_buffer buffer = {.space = space,
                      .elem = like->elem,
                      .layout = like->layout,
                      .block = like->block,
                      .precision = space == FG_SPACE_LOCAL ? fg_build_kept(b) : b->program->problem.compute,
                      .size = like->layout == FG_LAYOUT_SPLIT ? fg_build_padded(b, size) : size,
                      .alias = -1,
                      .table = -1};
  snprintf(buffer.name, sizeof buffer.name, "work%d", b->work_count++);
  return fg_build_buffer(b->program, &buffer);
}

int64_t fg_build_bank_row(const fg_builder *b) { return FG_BANK_ROW / (2 * fg_precision_bytes(fg_build_kept(b))); }

/* An odd number of rows of banks, each of which gets one element more (map/padding.c). */
int64_t fg_build_bank_pitch(const fg_builder *b, int64_t n) {
  int64_t row = fg_build_bank_row(b), rows = (n + row - 1) / row;
  return (rows % 2 ? rows : rows + 1) * row;
}

/* The elements of lanes are neighbours, before the transform's next one. */
static fg_view side_by_side(const fg_builder *b) {
  fg_view v = {.offset = fg_num_const(0)};
  int64_t side = 1;
  for (int i = 0; i < FG_MAX_AXES; i++) {
    v.coef[i] = fg_num_const(0);
    if (i >= b->naxis || b->axis[i].kind != FG_AXIS_LANES) continue;
    v.coef[i] = fg_num_const(side);
    side *= b->axis[i].extent.n;
  }
  v.stride = fg_num_const(side);
  return v;
}

static fg_view scratch_of(fg_builder *b, const fg_buffer *like, int64_t n) {
  fg_view v = side_by_side(b);
  int64_t size = n * v.stride.n;
  for (int i = b->naxis - 1; i >= 0; i--) {
    if (b->axis[i].kind != FG_AXIS_INNER) continue;
    size = fg_build_padded(b, size);
    v.coef[i] = fg_num_const(size);
    size *= b->axis[i].extent.n;
  }
  v.buffer = add_work(b, FG_SPACE_LOCAL, like, size);
  return v;
}

static fg_buffer ours(const fg_builder *b, fg_elem elem) {
  return (fg_buffer){.elem = elem, .layout = layout_of_ours(b)};
}

fg_view fg_build_scratch(fg_builder *b, int64_t n) {
  fg_buffer like = ours(b, FG_ELEM_COMPLEX);
  return scratch_of(b, &like, n);
}

fg_view fg_build_real_scratch(fg_builder *b, int64_t n) {
  fg_buffer like = ours(b, FG_ELEM_REAL);
  return scratch_of(b, &like, n);
}

static const fg_buffer pairs = {.elem = FG_ELEM_COMPLEX, .layout = FG_LAYOUT_INTERLEAVED};

fg_view fg_build_interleaved(fg_builder *b, int64_t n) { return scratch_of(b, &pairs, n); }

fg_view fg_build_blocks(fg_builder *b, int64_t n) {
  fg_buffer blocks = {.elem = FG_ELEM_COMPLEX, .layout = FG_LAYOUT_BLOCKED, .block = b->map->lanes};
  return scratch_of(b, &blocks, n);
}

fg_view fg_build_exchange(fg_builder *b, int64_t n, int blocks) {
  fg_view v = side_by_side(b);
  v.buffer = add_work(b, FG_SPACE_LOCAL, &pairs, n);
  if (blocks > 1) b->program->buffer[v.buffer].exchange = fg_exchange_cluster(FG_SIGNAL_COUNT);
  b->program->buffer[v.buffer].local.blocks = blocks;
  b->kernel->launch.cluster = blocks;
  return v;
}

static int64_t most_of(const fg_builder *b, fg_num extent) {
  return extent.form == FG_NUM_CONST ? extent.n : extent.n * b->program->problem.param[extent.param].hi;
}

/* Neighbours of the batch are neighbours there, too: of a dimension a group's, of several all, as in arrays. */
static fg_view workspace_of(fg_builder *b, const fg_buffer *like, int64_t n) {
  const fg_problem *q = &b->program->problem;
  int members = b->neighbours > 1 ? q->batch_rank : -1, groups = q->rank > 1 ? b->neighbours_axis : -1;
  int64_t side = groups >= 0 ? q->batch[groups].n.n : b->neighbours, size = n * side;
  fg_view v = {.stride = fg_num_const(side), .offset = fg_num_const(0)};
  for (int i = b->naxis - 1; i >= 0; i--) {
    if (i == members || i == groups) {
      v.coef[i] = fg_num_const(i == members ? 1 : b->neighbours);
      continue;
    }
    v.coef[i] = fg_num_const(size);
    size *= most_of(b, b->axis[i].extent);
  }
  v.buffer = add_work(b, FG_SPACE_WORK, like, size);
  return v;
}

fg_view fg_build_workspace_of_lines(fg_builder *b, int64_t n) {
  fg_buffer like = ours(b, FG_ELEM_COMPLEX);
  fg_view v = side_by_side(b);
  int64_t size = n * v.stride.n;
  for (int i = b->naxis - 1; i >= 0; i--) {
    if (b->axis[i].kind == FG_AXIS_LANES) continue;
    v.coef[i] = fg_num_const(size);
    size *= most_of(b, b->axis[i].extent);
  }
  v.buffer = add_work(b, FG_SPACE_WORK, &like, size);
  return v;
}

fg_view fg_build_workspace(fg_builder *b, int64_t n) {
  fg_buffer like = ours(b, FG_ELEM_COMPLEX);
  return workspace_of(b, &like, n);
}

fg_view fg_build_real_workspace(fg_builder *b, int64_t n, bool pairs) {
  fg_buffer like = ours(b, FG_ELEM_REAL);
  if (pairs) like.layout = FG_LAYOUT_INTERLEAVED;
  return workspace_of(b, &like, n);
}

bool fg_build_output_scratch(fg_builder *b, int64_t n, fg_view *v) {
  fg_program *p = b->program;
  const fg_problem *q = &p->problem;
  bool dense = b->naxis == 0 && q->rank == 1 && fg_num_is(q->dim[0].os, 1) && n <= fg_problem_length(q, 0, true);
  bool wanted = fg_plan_param_value(p->plan, FG_PARAM_REUSE) >= 1;
  if (!dense || !wanted || q->in_place || q->split_out || b->map->threads) return false;
  if (fg_problem_stored(q, true) != q->compute || fg_problem_is_real(q, true)) return false;
  fg_view scratch = fg_build_scratch(b, n);
  p->buffer[scratch.buffer].alias = FG_BUFFER_OUT;
  p->buffer[scratch.buffer].size = n;
  *v = scratch;
  return true;
}

/* Halves that change places leave each column of the last pass to itself only where its length is even: else a pass
 * in place would store to columns that are still to be loaded. */
static bool shift_keeps_columns(const fg_problem *q, int64_t last) {
  return !fg_problem_shifts(q, true) || last % 2 == 0;
}

bool fg_build_output_has_blocks(const fg_builder *b, const fg_view *out, int64_t last) {
  const fg_program *p = b->program;
  const fg_problem *q = &p->problem;
  if (out->buffer != FG_BUFFER_OUT || q->in_place || q->split_out || q->rank > 1 || fg_problem_part(q, true))
    return false;
  if (fg_problem_stored(q, true) != q->compute || fg_problem_is_real(q, true)) return false;
  int lanes = b->map->lanes;
  bool whole = fg_num_is(out->stride, 1) && fg_num_is(out->offset, 0) && p->buffer[FG_BUFFER_OUT].size % lanes == 0;
  for (int i = 0; i < b->naxis; i++)
    whole = whole && out->coef[i].form == FG_NUM_CONST && out->coef[i].n >= 0 && out->coef[i].n % lanes == 0;
  for (int i = 0; i < b->naxis; i++) whole = whole && fg_build_is_outer(&b->axis[i]);
  return whole && shift_keeps_columns(q, last) && fg_plan_param_value(p->plan, FG_PARAM_REUSE);
}

static bool same_bank(const fg_window *a, const fg_window *b) {
  const fg_bank *x = &a->bank, *y = &b->bank;
  return x->bands == y->bands && x->rate == y->rate && x->low == y->low && x->high == y->high && x->htk == y->htk &&
         x->peak == y->peak && a->points == b->points && a->slots == b->slots;
}

static bool same_table(const fg_table *a, const fg_table *b) {
  return a->fill == b->fill && a->sign == b->sign && a->rows == b->rows && a->cols == b->cols && a->row0 == b->row0 &&
         a->fold == b->fold && fg_table_column(a, 0) == fg_table_column(b, 0) &&
         fg_table_column(a, 1) == fg_table_column(b, 1) && a->shift == b->shift && a->across == b->across &&
         !memcmp(a->coprime, b->coprime, sizeof a->coprime) && a->order == b->order && a->n == b->n &&
         a->window.row == b->window.row && a->window.parameter == b->window.parameter &&
         a->window.hop == b->window.hop && a->window.frames == b->window.frames && same_bank(&a->window, &b->window) &&
         a->doubled == b->doubled;
}

static fg_view table_view(int16_t buffer) {
  fg_view v = {.buffer = buffer, .stride = fg_num_const(1), .offset = fg_num_const(0)};
  for (int i = 0; i < FG_MAX_AXES; i++) v.coef[i] = fg_num_const(0);
  return v;
}

fg_view fg_build_table(fg_builder *b, const fg_table *wanted) {
  fg_program *p = b->program;
  for (int t = 0; t < p->ntable; t++)
    if (same_table(&p->table[t], wanted)) return table_view(p->table[t].buffer);
  static const char *const names[] = {
      [FG_FILL_TWIDDLE] = "tw",      [FG_FILL_CHIRP] = "chirp",   [FG_FILL_BLUESTEIN] = "chirp",
      [FG_FILL_RADER] = "spectrum",  [FG_FILL_RADER_SUM] = "sum", [FG_FILL_POWER] = "power",
      [FG_FILL_POWERS] = "spectrum", [FG_FILL_LOGARITHM] = "log", [FG_FILL_WINDOW] = "window",
      [FG_FILL_DOUBLING] = "tw",     [FG_FILL_STEPS] = "tw",      [FG_FILL_BAND] = "band"};
  bool index = fg_table_is_index(wanted);
  fg_buffer buffer = {.space = FG_SPACE_TABLE,
                      .elem = index                            ? FG_ELEM_INDEX
                              : wanted->fill == FG_FILL_WINDOW ? FG_ELEM_REAL
                                                               : FG_ELEM_COMPLEX,
                      .layout = index || wanted->fill == FG_FILL_WINDOW ? FG_LAYOUT_INTERLEAVED
                                : wanted->doubled                       ? FG_LAYOUT_DOUBLED
                                                                        : layout_of_ours(b),
                      .precision = p->problem.compute,
                      .size = wanted->rows * wanted->cols,
                      .alias = -1,
                      .table = (int16_t)p->ntable};
  fg_invariant(p->ntable < FG_MAX_BUFFERS);
  snprintf(buffer.name, sizeof buffer.name, "%.8s%u", names[wanted->fill], (unsigned)p->ntable % FG_MAX_BUFFERS);
  p->table[p->ntable] = *wanted;
  p->table[p->ntable].buffer = fg_build_buffer(p, &buffer);
  return table_view(p->table[p->ntable++].buffer);
}

fg_view fg_build_shifted(const fg_view *v, int64_t elements) {
  fg_view moved = *v;
  fg_num by = fg_num_scaled(v->stride, elements);
  if (fg_num_is(v->offset, 0)) {
    moved.offset = by;
  } else if (elements) {
    fg_invariant(by.form == v->offset.form && by.param == v->offset.param);
    moved.offset.n += by.n;
  }
  return moved;
}

fg_view fg_build_stepping(const fg_builder *b, const fg_view *v, int64_t step, int64_t outer, int64_t inner) {
  fg_view s = *v;
  s.stride = fg_num_scaled(v->stride, step);
  s.coef[b->naxis] = fg_num_scaled(v->stride, outer);
  s.coef[b->naxis + 1] = fg_num_scaled(v->stride, inner);
  return s;
}

/* Other elements in the memory of a buffer. */
static int16_t add_alias(fg_builder *b, int16_t of, fg_elem elem, int64_t size) {
  fg_buffer buffer = b->program->buffer[of];
  for (int16_t i = 0; i < b->program->nbuffer; i++) {
    const fg_buffer *other = &b->program->buffer[i];
    if (other->alias == of && other->elem == elem && other->size == size && i != FG_BUFFER_OUT) return i;
  }
  snprintf(buffer.name, sizeof buffer.name, "%.8s_%s", b->program->buffer[of].name, elem == FG_ELEM_REAL ? "re" : "c");
  buffer.elem = elem;
  buffer.size = size;
  buffer.alias = of;
  return fg_build_buffer(b->program, &buffer);
}

/* Whether the operations on real elements allow moves of two at once. */
static bool operations_allow_pairs(const fg_builder *b, bool output) {
  const fg_problem *q = &b->program->problem;
  const fg_part *kept = fg_problem_part(q, output);
  if (fg_problem_centred(q) && !output) return false; /* a frame may begin with any of a pair, or turn round */
  if (kept && (kept->length[b->dimension] % 2 || kept->first[b->dimension] % 2)) return false;
  return !fg_problem_shifts(q, output) || fg_problem_span(q, b->dimension, output) % 4 == 0;
}

static bool is_even(fg_num x) { return (x.form == FG_NUM_CONST || x.form == FG_NUM_PARAM) && x.n >= 0 && x.n % 2 == 0; }

bool fg_build_complex_view(fg_builder *b, const fg_view *reals, fg_view *out) {
  bool possible = fg_num_is(reals->stride, 1) && fg_num_is(reals->offset, 0);
  if (reals->ends && !operations_allow_pairs(b, reals->buffer != FG_BUFFER_IN)) return false;
  for (int i = 0; i < b->naxis; i++) possible = possible && is_even(reals->coef[i]);
  if (!possible) return false;
  *out = *reals;
  out->buffer = add_alias(b, reals->buffer, FG_ELEM_COMPLEX, b->program->buffer[reals->buffer].size / 2);
  for (int i = 0; i < b->naxis; i++) out->coef[i].n /= 2;
  return true;
}

fg_view fg_build_parts_view(fg_builder *b, const fg_view *v, int part) {
  const fg_buffer *buffer = &b->program->buffer[v->buffer];
  int64_t step = buffer->layout == FG_LAYOUT_SPLIT ? 1 : 2;
  fg_view parts = *v;
  parts.buffer = add_alias(b, v->buffer, FG_ELEM_REAL, 2 * buffer->size);
  parts.stride = fg_num_scaled(v->stride, step);
  parts.offset = fg_num_scaled(v->offset, step);
  fg_invariant(!part || parts.offset.form == FG_NUM_CONST);
  if (part) parts.offset.n += step == 1 ? buffer->size : 1;
  for (int i = 0; i < b->naxis; i++) parts.coef[i] = fg_num_scaled(v->coef[i], step);
  return parts;
}
