/* Load and store operations on the stages that access the problem's own elements.
 *
 * In: a new stage between views, of which one is the problem's array. Out: the stage with its operations: expressions
 * with their operands, wrapped addresses (shift), predicates (zeropad). The idea: the element of the transform that
 * an access touches is affine in the same digits as its address, with the strides of a dense array and without the
 * batch; operands are addressed by that. So every plan supports operations, whatever its stages do to the addresses.
 * Between the transforms of a convolution is such a side, too: the product. Reals in pairs have operands in pairs. */
#include "generator/assemble/operations.h"
#include "generator/assemble/guard.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/neighbours.h"
#include "generator/assemble/product_scale.h"
#include "generator/base/invariant.h"
#include "generator/problem/arrays.h"
#include "generator/problem/bank.h"
#include "generator/problem/frames.h"
#include "generator/problem/given.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include <string.h>

typedef struct piece { /* an access, or its continuation */
  fg_access *access;
  fg_affine
      place[FG_MAX_RANK]; /* index of the element, by dimension; along b->dimension, of the element's `together` */
} piece;

enum { MOST_PIECES = 2 };

typedef struct side { /* one side of a stage */
  fg_builder *b;
  bool output;
  const fg_side *pairs; /* NULL, or the second piece: of the second transforms of pairs */
  int64_t between;      /* 0, or from one number that the spectrum multiplies to the next */
  int npiece;
  piece piece[MOST_PIECES];
  fg_operations *operations;
  bool complex;     /* elements, after the operations so far */
  bool scaled;      /* they are results that get the problem's scale, or inputs made smaller */
  int64_t together; /* elements that an access has as one: 2, or 1 */
  int whole;        /* 0, or 1 + the piece of which the array has all elements */
  bool bent;        /* b->dimension's index still is to be changed as the access does */
  int64_t along;    /* then: indices to an entry's step */
} side;

static const fg_problem *problem_of(const side *s) { return &s->b->program->problem; }

/* ---- which element ------------------------------------------------------------- */

/* Results that become bands are neighbours, whatever the array's strides are. */
static bool is_banked(const side *s) { return s->output && fg_problem_bank(problem_of(s)); }

static fg_num stride_of(const side *s, int dimension) {
  if (s->between) return fg_num_const(s->between);
  if (s->output && fg_problem_is_signal(problem_of(s), true)) /* frames that are to be added */
    return fg_num_const(dimension ? 1 : fg_problem_frame(problem_of(s)));
  if (is_banked(s)) return fg_num_const(1);
  const fg_dim *d = &problem_of(s)->dim[dimension];
  return s->output ? d->os : d->is;
}

/* Elements along the dimension that a step in memory is. */
static int64_t steps(fg_num step, fg_num stride) {
  fg_invariant(step.n % stride.n == 0 && (step.n == 0 || step.form == stride.form));
  return step.n / stride.n;
}

/* The same, of a step of the access. */
static int64_t indices(const side *s, fg_num step, int dimension) {
  bool line = dimension == s->b->dimension;
  return steps(line ? step : fg_num_scaled(step, s->together), stride_of(s, dimension));
}

/* The axis that a digit of the stage counts along; NULL: it is the transform's own. */
static const fg_axis *axis_of(const fg_builder *b, const fg_stage *stage, int16_t digit) {
  int at = 0;
  for (int i = 0; i < b->naxis; i++)
    if (!fg_num_is(b->axis[i].extent, 1) && stage->loop[at++] == digit) return &b->axis[i];
  return NULL;
}

/* An address says it itself: it is a sum of strides. */
static void place_plain(side *s, const fg_stage *stage, piece *p) {
  const fg_affine *at = &p->access->index.at;
  int line = s->b->dimension;
  fg_num offset = at->offset;
  if (s->pairs && p != s->piece) offset.n -= s->pairs->first * stride_of(s, line).n;
  if (s->b->begin && !is_banked(s)) {
    p->place[s->b->beside].offset = fg_num_const(s->b->begin);
    offset.n -= stride_of(s, s->b->beside).n / s->together * s->b->begin;
  }
  p->place[line].offset = fg_num_const(indices(s, offset, line));
  for (int t = 0; t < at->nterm; t++) {
    const fg_axis *axis = axis_of(s->b, stage, at->term[t].digit);
    int dimension = axis ? axis->dimension : line;
    if (axis && (fg_build_counts_batch(s->b, axis) || (is_banked(s) && axis->kind == FG_AXIS_FRAME))) continue;
    fg_affine_add(&p->place[dimension], at->term[t].digit, fg_num_const(indices(s, at->term[t].coef, dimension)));
  }
}

/* A reduced or looked-up address: the part before that along the line, and the rest. False: parts of
 * the line are after it. */
static bool place_bent(side *s, const fg_stage *stage, piece *p) {
  const fg_index *x = &p->access->index;
  int line = s->b->dimension;
  p->place[line] = x->at;
  for (int t = 0; t < x->base.nterm; t++) {
    const fg_axis *axis = axis_of(s->b, stage, x->base.term[t].digit);
    if (axis && fg_build_counts_batch(s->b, axis)) continue;
    if (!axis || axis->dimension == line) return false;
    fg_num coef = fg_num_const(indices(s, x->base.term[t].coef, axis->dimension));
    fg_affine_add(&p->place[axis->dimension], x->base.term[t].digit, coef);
  }
  return fg_num_is(x->base.offset, 0);
}

/* Memory between may be one frame's alone: its number is in no address. */
static void place_frame(side *s, const fg_stage *stage, piece *p) {
  int16_t frame = fg_build_axis_digit(s->b, stage, problem_of(s)->batch_rank);
  p->place[0].offset = fg_num_const(s->b->begin);
  if (frame >= 0) fg_affine_add(&p->place[0], frame, fg_num_const(1));
}

static fg_status place_elements(side *s, const fg_stage *stage) {
  for (int i = 0; i < s->npiece; i++) {
    piece *p = &s->piece[i];
    for (int d = 0; d < problem_of(s)->rank; d++) p->place[d] = (fg_affine){.offset = fg_num_const(0)};
    if (!s->bent) place_plain(s, stage, p);
    if (is_banked(s) && fg_problem_has_frames(problem_of(s))) place_frame(s, stage, p);
    if (s->bent && !place_bent(s, stage, p)) return FG_ENA;
  }
  return FG_OK;
}

/* The last piece becomes two: of its first slots, and of those behind them. */
static void split_piece(side *s, int64_t first) {
  piece *p = &s->piece[s->npiece - 1], *behind = &s->piece[s->npiece++];
  int line = s->b->dimension;
  int16_t reg = p->access->reg;
  fg_num step = fg_affine_coef(&p->place[line], reg);
  *behind = *p;
  behind->access = fg_build_split_slots(s->b, p->access, first);
  fg_affine *at = &behind->place[line];
  fg_affine_rename(at, reg, behind->access->reg);
  at->offset.n += first * step.n;
}

/* On CPUs, where the array has the first elements alone, or the last ones: slots that are there whatever the loops
 * count are moved in vectors, and have no condition. */
static void cut_slots(side *s) {
  const fg_part *kept = fg_problem_part(problem_of(s), s->output);
  const fg_kernel *k = s->b->kernel;
  int line = s->b->dimension;
  const fg_affine *at = &s->piece[0].place[line];
  if (!kept || s->bent || s->npiece > 1 || s->b->map->lanes < 2 || s->b->map->threads) return;
  if (s->piece[0].access->index.at.offset.form != FG_NUM_CONST || stride_of(s, line).form != FG_NUM_CONST) return;
  int16_t reg = s->piece[0].access->reg;
  int64_t step = fg_affine_coef(at, reg).n, slots = k->digit[reg].extent.n;
  if (step < 1 || fg_build_extreme(k, at, reg, false) < 0 || fg_build_extreme(k, at, reg, true) >= step) return;
  int64_t first = kept->first[line] / s->together, end = first + kept->length[line] / s->together;
  int64_t from = (first + step - 1) / step, to = end / step;
  if (from >= to || (from == 0) == (to >= slots)) return; /* accesses have two pieces at most */
  split_piece(s, from ? from : to);
  s->whole = from ? 2 : 1;
}

/* The address of an operand with `dense` elements from one index of a dimension to
 * the next; 0: that dimension does not count. */
static fg_index operand_index(const side *s, const piece *p, const int64_t *dense) {
  const fg_problem *q = problem_of(s);
  fg_index x = {.lookup = -1};
  x.at.offset = x.base.offset = fg_num_const(0);
  int line = s->b->dimension;
  bool bent = s->bent && dense[line];
  if (bent) {
    x.mod = p->access->index.mod;
    x.lookup = p->access->index.lookup;
    x.scale = fg_num_const(dense[line] * s->along);
  }
  for (int d = 0; d < q->rank; d++) {
    bool alone = bent && d == line;
    fg_affine *to = alone || !bent ? &x.at : &x.base;
    if (dense[d]) to->offset.n += p->place[d].offset.n * (alone ? 1 : dense[d]);
    for (int t = 0; t < p->place[d].nterm; t++)
      fg_affine_add(to, p->place[d].term[t].digit, fg_num_scaled(p->place[d].term[t].coef, alone ? 1 : dense[d]));
  }
  return x;
}

/* ---- operations ---------------------------------------------------------------- */

static fg_status too_many(const side *s) {
  return fg_refuse(s->b->cx,
                   "problem: %s: more than %d operations on an element, windows of several "
                   "dimensions counted one by one; allowed: fewer",
                   s->output ? "store" : "load", (int)FG_MAX_OPERATIONS);
}

/* value: an expression; NULL: the row's. */
static fg_operation *new_operation(side *s, const fg_operation_row *row, const fg_expression *value) {
  fg_operation *new = &s->operations->operation[s->operations->count++];
  fg_expression *own = value ? NULL : fg_arena_new(s->b->cx->arena, fg_expression, 1);
  if (own) fg_expression_of_row(row, s->complex, own);
  *new = (fg_operation){.row = row, .value = own ? own : value};
  s->complex = s->complex && new->value->result[1] >= 0;
  return new;
}

static fg_status push(side *s, const fg_operation_row *row, const fg_expression *value) {
  if (s->operations->count == FG_MAX_OPERATIONS) return too_many(s);
  new_operation(s, row, value);
  return FG_OK;
}

/* With an operand: element by element, or two of them as one complex number. */
static fg_status push_with(side *s, const fg_operation_row *row, const fg_expression *value, int16_t buffer,
                           const int64_t *dense) {
  if (s->operations->count == FG_MAX_OPERATIONS) return too_many(s);
  fg_operation *new = new_operation(s, row, value);
  new->has_operand = true;
  fg_access *to = &new->operand;
  for (int i = 0; i < s->npiece; i++) {
    const piece *p = &s->piece[i];
    if (i) to = to->rest = fg_arena_new(s->b->cx->arena, fg_access, 1);
    *to = (fg_access){.buffer = buffer, .reg = p->access->reg, .index = operand_index(s, p, dense)};
  }
  return FG_OK;
}

/* Neighbours along the transform as one element. */
static int16_t two_by_two(side *s, int16_t buffer) {
  fg_view reals = {.buffer = buffer, .stride = fg_num_const(1), .offset = fg_num_const(0)}, pairs;
  for (int i = 0; i < FG_MAX_AXES; i++) reals.coef[i] = fg_num_const(0);
  return fg_build_complex_view(s->b, &reals, &pairs) ? pairs.buffer : buffer;
}

/* A table with a number for each index of a dimension. */
static int16_t line_table(side *s, fg_window window, int d, int64_t n) {
  fg_table table = {
      .fill = FG_FILL_WINDOW, .rows = 1, .cols = fg_problem_span(problem_of(s), d, s->output), .order = 1};
  table.n = n;
  table.window = window;
  int16_t buffer = fg_build_table(s->b, &table).buffer;
  return s->together > 1 && d == s->b->dimension ? two_by_two(s, buffer) : buffer;
}

static fg_status push_window(side *s, const fg_operation_row *row, fg_window window) {
  const fg_problem *q = problem_of(s);
  for (int d = 0; d < q->rank; d++) {
    int64_t dense[FG_MAX_RANK] = {0};
    int64_t n = fg_problem_window_points(q, d, s->output);
    if (n == 1) continue;
    dense[d] = 1;
    fg_status status = push_with(s, row, NULL, line_table(s, window, d, n), dense);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

/* From one transform's numbers to another's, by the axes of the batch, which are the first ones; and, where neighbours
 * are lanes, by the members of a group behind them; by the turns of a part, where an axis counts parts. */
static void step_batch(const fg_builder *b, fg_spectra whose, int64_t numbers, fg_num *coef) {
  const fg_problem *q = &b->program->problem;
  int own = whose == FG_SPECTRA_SHARED ? 0 : whose == FG_SPECTRA_CHANNEL ? 1 : q->batch_rank;
  for (int i = q->batch_rank - 1; i >= 0 && i >= q->batch_rank - own; i--) {
    bool groups = b->neighbours > 1 && i == b->neighbours_axis, parts = b->turns.each && i == b->turns.split;
    coef[i] = fg_num_const(numbers * (groups ? b->neighbours : parts ? b->turns.each : 1));
    if (groups) coef[q->batch_rank] = fg_num_const(numbers);
    if (parts) coef[b->turns.inside] = fg_num_const(numbers);
    if (i) numbers *= q->batch[i].n.n;
  }
}

/* The transforms of a batch have operands of their own. */
static void add_batch(const side *s, const fg_stage *stage, fg_spectra whose, int64_t numbers, fg_access *operand) {
  fg_num coef[FG_MAX_AXES];
  for (int i = 0; i < FG_MAX_AXES; i++) coef[i] = fg_num_const(0);
  step_batch(s->b, whose, numbers, coef);
  for (int i = 0; i < s->b->naxis; i++) {
    if (fg_num_is(coef[i], 0)) continue;
    int16_t digit = fg_build_axis_digit(s->b, stage, i);
    bool pairs = s->pairs && s->pairs->pair == i + 1;
    for (fg_access *a = operand; a; a = a->rest) {
      if (digit >= 0) fg_affine_add(fg_index_base(&a->index), digit, fg_num_scaled(coef[i], pairs ? 2 : 1));
      if (pairs && a != operand) fg_index_base(&a->index)->offset.n += coef[i].n;
    }
  }
}

/* Numbers that the caller brings. */
static int16_t given_buffer(fg_builder *b, const char *name, int16_t given, fg_elem elem, int64_t size) {
  fg_program *p = b->program;
  for (int16_t i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].space == FG_SPACE_GIVEN && p->buffer[i].given == given) return i;
  fg_buffer buffer = {.space = FG_SPACE_GIVEN,
                      .elem = elem,
                      .layout = FG_LAYOUT_INTERLEAVED,
                      .precision = p->problem.compute,
                      .size = size,
                      .alias = -1,
                      .table = -1,
                      .given = given};
  fg_invariant(strlen(name) < sizeof buffer.name);
  memcpy(buffer.name, name, strlen(name));
  return fg_build_buffer(p, &buffer);
}

/* Those of an operation: "in_mul1"; of an expression, by their own name: "in_gain". */
static int16_t operand_buffer(side *s, const fg_given *g) {
  const char *side = s->output ? "out" : "in";
  const char *name = *g->name ? fg_arena_printf(s->b->cx->arena, "%s_%s", side, g->name)
                              : fg_arena_printf(s->b->cx->arena, "%s_%s%d", side, g->operation, g->position + 1);
  return given_buffer(s->b, name, g->number, g->complex ? FG_ELEM_COMPLEX : FG_ELEM_REAL,
                      fg_given_extent(problem_of(s), g, NULL));
}

/* The last operation's numbers are those of elements that the array has, from its first one on, and are loaded where
 * these are. */
static void begin_at(side *s, const fg_part *part, const int64_t *dense) {
  fg_operation *last = &s->operations->operation[s->operations->count - 1];
  last->of_array = true;
  for (fg_access *a = &last->operand; a; a = a->rest)
    for (int d = 0; d < problem_of(s)->rank; d++)
      a->index.at.offset.n -= part->first[d] / (d == s->b->dimension ? s->together : 1) * dense[d];
}

/* Numbers of the caller's: each element's, by its own number, last dimension fastest; each index's; or one. */
static fg_status push_given(side *s, const fg_stage *stage, const fg_operation_row *row, const fg_expression *value,
                            const fg_given *g) {
  int64_t dense[FG_MAX_RANK] = {0}, step = 1;
  int line = s->b->dimension;
  bool along = g->of == FG_OPERAND_ELEMENTS || (g->of == FG_OPERAND_DIMENSION && g->dimension == line);
  int64_t together = along ? s->together : 1;
  for (int d = problem_of(s)->rank - 1; d >= 0 && g->of == FG_OPERAND_ELEMENTS; d--) {
    dense[d] = d == line ? step : step / together;
    step *= fg_given_length(problem_of(s), g, d);
  }
  if (g->of == FG_OPERAND_DIMENSION) dense[g->dimension] = 1;
  int16_t buffer = operand_buffer(s, g);
  fg_status status = push_with(s, row, value, together > 1 ? two_by_two(s, buffer) : buffer, dense);
  if (status == FG_OK && g->part && g->of != FG_OPERAND_ONE) begin_at(s, g->part, dense);
  if (status != FG_OK || g->whose == FG_SPECTRA_SHARED) return status;
  if (g->each % together) return FG_ENA;
  add_batch(s, stage, g->whose, g->each / together, &s->operations->operation[s->operations->count - 1].operand);
  return FG_OK;
}

/* An index as a number. */
static fg_status push_index(side *s, const fg_stage *stage, const fg_operation_row *row, const fg_expression *value,
                            const fg_expression_operand *o) {
  int64_t dense[FG_MAX_RANK] = {0}, count = fg_problem_batch_count(problem_of(s), NULL);
  if (o->of == FG_OPERAND_DIMENSION) {
    dense[o->dimension] = 1;
    int64_t n = fg_problem_span(problem_of(s), o->dimension, s->output);
    return push_with(s, row, value, line_table(s, (fg_window){.row = fg_window_numbers()}, o->dimension, n), dense);
  }
  fg_table table = {.fill = FG_FILL_WINDOW, .rows = 1, .cols = count, .order = 1, .n = count};
  table.window = (fg_window){.row = fg_window_numbers()};
  fg_status status = push_with(s, row, value, fg_build_table(s->b, &table).buffer, dense);
  if (status == FG_OK)
    add_batch(s, stage, FG_SPECTRA_EACH, 1, &s->operations->operation[s->operations->count - 1].operand);
  return status;
}

/* What an expression takes is brought by operations before it, the last one by itself. */
static fg_status push_value(side *s, const fg_stage *stage, const fg_operation_row *row, int position) {
  fg_expression *value = fg_arena_new(s->b->cx->arena, fg_expression, 1);
  fg_expression_of(problem_of(s), s->output, position, s->complex, value);
  if (!value->noperand) return push(s, row, value);
  for (int o = 0; o < value->noperand; o++) {
    bool last = o == value->noperand - 1;
    const fg_operation_row *by = last ? row : fg_operation_find("bring");
    fg_given g;
    fg_status status;
    if (*value->operand[o].name) {
      fg_given_of(problem_of(s), s->output, position, value, o, &g);
      status = push_given(s, stage, by, last ? value : NULL, &g);
    } else {
      status = push_index(s, stage, by, last ? value : NULL, &value->operand[o]);
    }
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

static fg_affine negated(const fg_affine *value) {
  fg_affine minus = {.offset = fg_num_scaled(value->offset, -1)};
  for (int t = 0; t < value->nterm; t++)
    fg_affine_add(&minus, value->term[t].digit, fg_num_scaled(value->term[t].coef, -1));
  return minus;
}

/* Of the dimension's elements the array has these alone, the first one where its first element is. */
static void keep(side *s, int d, int64_t first, int64_t length) {
  fg_num stride = stride_of(s, d);
  int64_t all = fg_problem_span(problem_of(s), d, s->output);
  if (d == s->b->dimension)
    first /= s->together, length /= s->together, all /= s->together;
  else
    stride.n /= s->together;
  for (int i = 0; i < s->npiece; i++) {
    fg_access *a = s->piece[i].access;
    fg_affine minus = negated(&s->piece[i].place[d]);
    bool whole = d == s->b->dimension && s->whole == i + 1;
    if (first + length < all && !whole) fg_access_keep(a, &s->piece[i].place[d], fg_num_const(first + length));
    if (first && !whole) fg_access_keep(a, &minus, fg_num_const(1 - first));
    if (!first) continue;
    if (!a->index.at.offset.n) a->index.at.offset = fg_num_const(0); /* of a parameter none */
    fg_invariant(a->index.at.offset.form == FG_NUM_CONST && stride.form == FG_NUM_CONST);
    a->index.at.offset.n -= first * stride.n;
  }
}

static void shift(side *s) {
  const fg_problem *q = problem_of(s);
  for (int i = 0; i < s->npiece; i++) {
    fg_index *x = &s->piece[i].access->index;
    x->wrap = fg_arena_new(s->b->cx->arena, fg_wrap, q->rank);
    for (int d = 0; d < q->rank; d++) {
      int64_t n = fg_problem_span(q, d, s->output), by = n / 2;
      fg_num stride = stride_of(s, d);
      if (d == s->b->dimension)
        n /= s->together, by /= s->together;
      else
        stride.n /= s->together;
      if (n > 1) x->wrap[x->nwrap++] = (fg_wrap){s->piece[i].place[d], n - by, {by, by - n}, {0, 0}, stride};
    }
  }
}

/* Frames begin earlier than the signal, and end behind it. */
static void centre(side *s, bool reflects) {
  const fg_problem *q = problem_of(s);
  int64_t hop = fg_problem_hop(q), first = fg_problem_signal_first(q), length = fg_problem_signal_length(q);
  for (int i = 0; i < s->npiece && !s->bent; i++) {
    fg_access *a = s->piece[i].access;
    fg_affine at = s->piece[i].place[1], frame = s->piece[i].place[0], minus;
    at.offset.n += frame.offset.n * hop - first;
    for (int t = 0; t < frame.nterm; t++)
      fg_affine_add(&at, frame.term[t].digit, fg_num_scaled(frame.term[t].coef, hop));
    minus = negated(&at);
    a->index.at.offset.n -= first;
    if (fg_build_extreme(s->b->kernel, &at, -1, false) >= 0 && fg_build_extreme(s->b->kernel, &at, -1, true) < length)
      continue;
    if (!reflects && first) fg_access_keep(a, &minus, fg_num_const(1));
    if (!reflects) fg_access_keep(a, &at, fg_num_const(length));
    const fg_wrap both[] = {{at, 0, {0, 0}, {-2, 0}, fg_num_const(1)},
                            {at, length, {0, 2 * (length - 1)}, {0, -2}, fg_num_const(1)}};
    if (reflects) a->index.wrap = fg_arena_copy(s->b->cx->arena, both, sizeof both), a->index.nwrap = 2;
  }
}

static fg_status apply(side *s, const fg_stage *stage, const fg_pointwise *op, int number) {
  const fg_operation_row *row = fg_operation_find(op->name);
  switch (row->act) {
  case FG_ACT_STORED: return FG_OK;  /* the buffer's precision says so */
  case FG_ACT_FACTORS: return FG_OK; /* the task's (fg_build_given_factors) */
  case FG_ACT_PAD:
  case FG_ACT_CROP:
    for (int d = 0; d < op->kept.rank && !s->bent; d++) keep(s, d, op->kept.first[d], op->kept.length[d]);
    return s->bent ? FG_ENA : FG_OK;
  case FG_ACT_SHIFT: return s->bent ? FG_ENA : (shift(s), FG_OK);
  case FG_ACT_CENTRE:
  case FG_ACT_REFLECT:
    if (!s->output) centre(s, row->act == FG_ACT_REFLECT);
    return s->bent && !s->output ? FG_ENA : FG_OK;
  case FG_ACT_BANK:
  case FG_ACT_NORM: return FG_OK; /* of sums: steps/frames.c */
  case FG_ACT_VALUE: break;
  }
  if (op->window[0])
    return push_window(s, row, (fg_window){.row = fg_window_find(op->window), .parameter = op->parameter});
  return push_value(s, stage, row, number);
}

static fg_status attach(side *s, const fg_stage *stage) {
  const fg_problem *q = problem_of(s);
  const fg_pointwise *op = s->output ? q->store : q->load;
  int count = is_banked(s) ? fg_problem_bank_at(q) : s->output ? q->nstore : q->nload;
  bool correlates = fg_problem_correlates(q);                  /* see steps/convolve.c */
  fg_status status = count ? place_elements(s, stage) : FG_OK; /* else all numbers are alike */
  if (status == FG_OK && count) cut_slots(s);
  if (status == FG_OK && s->output && correlates) status = push(s, fg_operation_find("conj"), NULL);
  if (status == FG_OK && s->output && s->scaled) status = push(s, fg_operation_find("scale"), NULL);
  for (int i = 0; i < count && status == FG_OK; i++) status = apply(s, stage, &op[i], i);
  if (status == FG_OK && !s->output && correlates) status = push(s, fg_operation_find("conj"), NULL);
  if (status == FG_OK && !s->output && s->scaled) status = push(s, fg_operation_find("scale_down"), NULL);
  return status;
}

/* The access in pieces, and what its elements are. False: no operations on such. */
static bool open_side(side *s, fg_access *a, const fg_view *v) {
  fg_program *p = s->b->program;
  bool real = !s->between && fg_problem_kind_is_real(p->problem.kind, s->output),
       parts_move = fg_buffer_parts(&p->buffer[a->buffer]) == 2;
  bool made_real = s->output && !real && fg_problem_stores_real(&p->problem);
  if (v->fold || (!real && !parts_move && !made_real)) return false;
  s->bent = fg_index_is_bent(&a->index);
  if (s->bent && (v->mod || v->step || real)) return false; /* elements in another order still */
  s->together = real && parts_move ? 2 : 1;
  s->complex = !real;
  s->operations = fg_arena_new(s->b->cx->arena, fg_operations, 1);
  s->operations->parts = parts_move || made_real ? 2 : 1;
  s->operations->two_by_two = s->together == 2;
  for (; a; a = a->rest) {
    if (s->npiece == MOST_PIECES || fg_index_is_bent(&a->index) != s->bent) return false;
    s->piece[s->npiece++].access = a;
  }
  fg_access *first = s->piece[0].access;
  if (s->bent) s->along = steps(first->index.scale, stride_of(s, s->b->dimension));
  return true;
}

/* The product in a convolution, on what is loaded. Only the line has elements more than one. */
static fg_status multiply(fg_builder *b, fg_stage *stage, const fg_view *v) {
  side s = {.b = b, .between = v->multiplied};
  int64_t dense[FG_MAX_RANK] = {0};
  if (!open_side(&s, &stage->load, v)) return FG_ENA;
  fg_view spectrum = fg_build_given_spectrum(b);
  fg_status status = place_elements(&s, stage);
  dense[b->dimension] = spectrum.stride.n;
  if (status == FG_OK) status = push_with(&s, fg_operation_find("mul"), NULL, spectrum.buffer, dense);
  if (status != FG_OK) return status;
  add_batch(&s, stage, b->program->problem.spectra, fg_problem_spectrum_points(&b->program->problem),
            &s.operations->operation[0].operand);
  stage->operations.loaded = s.operations;
  return fg_build_scales_product(b) ? push(&s, fg_operation_find("scale_up"), NULL) : FG_OK;
}

fg_status fg_build_operations(fg_builder *b, fg_stage *stage, const fg_stage_form *form) {
  const fg_problem *q = &b->program->problem;
  fg_status status = form->in->multiplied ? multiply(b, stage, form->in) : FG_OK;
  bool early = fg_build_scale_product(b, stage, form), late = q->scale != FG_SCALE_NONE && !early;
  for (int output = 0; output < 2 && status == FG_OK; output++) {
    const fg_view *v = output ? form->out : form->in;
    if (!v->ends || !fg_problem_has_operations(q)) continue;
    const fg_side *rest = output ? form->store_rest : form->load_rest;
    side s = {.b = b, .output = output, .scaled = output ? late : early, .pairs = rest && rest->pair ? rest : NULL};
    if (!open_side(&s, output ? &stage->store : &stage->load, v)) return FG_ENA;
    status = attach(&s, stage);
    if (s.operations->count) *(output ? &stage->operations.stored : &stage->operations.loaded) = s.operations;
  }
  return status;
}

/* ---- factors ----------------------------------------------------------------------- */

fg_view fg_build_given_factors(fg_builder *b, const fg_view *in) {
  fg_view v = *in;
  v.buffer = given_buffer(b, "in_twiddle1", fg_given_number(false, 0), FG_ELEM_COMPLEX,
                          fg_problem_extent(&b->program->problem, false, NULL));
  v.ends = false;
  return v;
}

/* ---- the spectrum of a convolution -------------------------------------------------- */

/* Elements from one index of a dimension to the next, in an array of all dimensions. */
static int64_t pitch_in_spectrum(const fg_problem *q, int dimension) {
  int64_t step = 1;
  for (int d = dimension + 1; d < q->rank; d++) step *= fg_problem_spectrum_length(q, d);
  return step;
}

/* The same of an axis: lines along a dimension, or tiles of these and the lines of one. */
static int64_t step_in_spectrum(const fg_builder *b, int axis) {
  int dimension = b->axis[axis].dimension;
  int64_t step = pitch_in_spectrum(&b->program->problem, dimension);
  for (int i = axis + 1; i < b->naxis; i++)
    if (!fg_build_counts_batch(b, &b->axis[i]) && b->axis[i].dimension == dimension) step *= b->axis[i].extent.n;
  return step;
}

fg_view fg_build_given_spectrum(fg_builder *b) {
  const fg_problem *q = &b->program->problem;
  fg_view v = {.offset = fg_num_const(0), .stride = fg_num_const(pitch_in_spectrum(q, b->dimension))};
  v.buffer = given_buffer(b, "spectrum", FG_GIVEN_SPECTRUM, FG_ELEM_COMPLEX, fg_problem_spectra_extent(q, NULL));
  if (b->begin) v.offset = fg_num_const(b->begin * pitch_in_spectrum(q, b->beside));
  for (int i = 0; i < FG_MAX_AXES; i++) v.coef[i] = fg_num_const(0);
  for (int i = 0; i < b->naxis; i++)
    if (!fg_build_counts_batch(b, &b->axis[i])) v.coef[i] = fg_num_const(step_in_spectrum(b, i));
  step_batch(b, q->spectra, fg_problem_spectrum_points(q), v.coef);
  return v;
}
