/* Load and store operations on the stages that move the problem's own elements.
 *
 * In: a stage just laid down between views, of which one is the problem's array.
 * Out: the stage with its operations: expressions with their operands, wrapped
 * addresses (shift), predicates (zeropad). The idea: which element of the
 * transform an access touches is affine in the same digits as its address, with
 * the strides of a dense array and without the batch; operands are addressed by
 * that. So every recipe has them, whatever its stages do to the addresses. */
#include "generator/assemble_build.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef struct side { /* one side of a stage */
  fg_builder *b;
  bool output;
  fg_access *access;
  fg_points *points;
  bool complex;                 /* elements, as far as the operations have come */
  fg_affine place[FG_MAX_RANK]; /* index of the element, by dimension */
  bool bent;                    /* that along b->dimension still goes through what the access does to it */
  int64_t along;                /* then: indices to an entry's step */
  bool trouble;
} side;

static const fg_problem *problem_of(const side *s) { return &s->b->program->problem; }

/* ---- which element ------------------------------------------------------------- */

static fg_num stride_of(const side *s, int dimension) {
  const fg_dim *d = &problem_of(s)->dim[dimension];
  return s->output ? d->os : d->is;
}

/* Elements along the dimension that a step in memory is. */
static int64_t steps(fg_num step, fg_num stride) {
  assert(step.n % stride.n == 0 && (fg_num_is(step, 0) || step.form == stride.form));
  return step.n / stride.n;
}

/* A reduced or looked-up address has that of `line` still before it. */
static void place_elements(side *s, const fg_stage *stage, const fg_stage_form *form) {
  fg_builder *b = s->b;
  const fg_view *v = s->output ? form->out : form->in;
  int64_t along = s->bent ? 1 : steps(v->stride, stride_of(s, b->dimension));
  int at = 0;
  for (int d = 0; d < problem_of(s)->rank; d++) s->place[d].offset = fg_num_const(0);
  fg_affine *line = &s->place[b->dimension];
  fg_affine_add(line, s->access->reg, fg_num_const(along * (s->output ? form->store : form->load)));
  for (int i = 0; i < b->naxis; i++) { /* digits in the order in which fg_build_stage makes them */
    const fg_axis *axis = &b->axis[i];
    if (fg_num_is(axis->extent, 1)) continue;
    int16_t digit = stage->loop[at++];
    if (axis->kind == FG_AXIS_BATCH) continue;
    fg_num coef = fg_num_const(steps(v->coef[i], stride_of(s, axis->dimension)));
    if (s->bent && axis->dimension == b->dimension)
      s->trouble |= coef.n != 0; /* part of the line, behind the table */
    else
      fg_affine_add(&s->place[axis->dimension], digit, coef);
  }
  for (int i = 0; i < form->nloop; i++)
    if (form->loop[i].extent > 1)
      fg_affine_add(line, stage->loop[at++],
                    fg_num_const(along * (s->output ? form->loop[i].store : form->loop[i].load)));
}

/* The address of an operand with `dense` elements from one index of a dimension to
 * the next; 0: that dimension does not count. */
static fg_index operand_index(const side *s, const int64_t *dense) {
  const fg_problem *q = problem_of(s);
  fg_index x = {.lookup = -1};
  x.at.offset = x.base.offset = fg_num_const(0);
  bool bent = s->bent && dense[s->b->dimension];
  if (bent) {
    x.mod = s->access->index.mod;
    x.lookup = s->access->index.lookup;
    x.scale = fg_num_const(dense[s->b->dimension] * s->along);
  }
  for (int d = 0; d < q->rank; d++) {
    bool line = bent && d == s->b->dimension;
    fg_affine *to = line || !bent ? &x.at : &x.base;
    for (int t = 0; t < s->place[d].nterm; t++)
      fg_affine_add(to, s->place[d].term[t].digit, fg_num_scaled(s->place[d].term[t].coef, line ? 1 : dense[d]));
  }
  return x;
}

/* Of the element's number, last dimension fastest. */
static fg_index number_of(const side *s) {
  int64_t dense[FG_MAX_RANK], step = 1;
  for (int d = problem_of(s)->rank - 1; d >= 0; d--) {
    dense[d] = step;
    step *= fg_problem_span(problem_of(s), d, s->output);
  }
  return operand_index(s, dense);
}

static fg_index place_of(const side *s, int dimension) {
  int64_t dense[FG_MAX_RANK] = {0};
  dense[dimension] = 1;
  return operand_index(s, dense);
}

/* ---- operations ---------------------------------------------------------------- */

static fg_status too_many(const side *s) {
  return fg_diag_set(&s->b->cx->diag, FG_EUSER,
                     "problem: %s: more than %d operations on an element, windows of several "
                     "dimensions counted one by one; allowed: fewer",
                     s->output ? "store" : "load", (int)FG_MAX_POINTS);
}

static fg_status push(side *s, const fg_point_row *row, int16_t buffer, const fg_index *at) {
  fg_points *p = s->points;
  if (p->count == FG_MAX_POINTS) return too_many(s);
  fg_applied *new = &p->point[p->count++];
  *new = (fg_applied){.row = row, .has_operand = at != NULL};
  if (at) {
    new->operand = (fg_access){.buffer = buffer, .reg = s->access->reg, .index = *at};
  }
  s->complex = s->complex && row->im;
  return FG_OK;
}

static fg_status push_window(side *s, const fg_point_row *row, const fg_window_row *window) {
  const fg_problem *q = problem_of(s);
  for (int d = 0; d < q->rank; d++) {
    fg_table table = {.fill = FG_FILL_WINDOW, .rows = 1, .cols = fg_problem_span(q, d, s->output), .order = 1};
    table.n = q->dim[d].n.n;
    table.window = window;
    if (table.n == 1) continue;
    fg_index at = place_of(s, d);
    fg_status status = push(s, row, fg_build_table(s->b, &table).buffer, &at);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}

/* Numbers that the caller brings, one for each element of a transform. */
static int16_t given_array(side *s, const fg_point_row *row, int operation) {
  fg_program *p = s->b->program;
  int16_t given = fg_given_number(s->output, operation);
  for (int16_t i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].space == FG_SPACE_GIVEN && p->buffer[i].given == given) return i;
  fg_buffer buffer = {.space = FG_SPACE_GIVEN,
                      .elem = row->takes == FG_TAKES_ARRAY && s->complex ? FG_ELEM_COMPLEX : FG_ELEM_REAL,
                      .layout = FG_LAYOUT_INTERLEAVED,
                      .precision = p->problem.compute,
                      .size = 1,
                      .alias = -1,
                      .table = -1,
                      .given = given};
  for (int d = 0; d < p->problem.rank; d++) buffer.size *= fg_problem_span(&p->problem, d, s->output);
  snprintf(buffer.name, sizeof buffer.name, "%s_%s%d", s->output ? "out" : "in", row->name, operation + 1);
  assert(p->nbuffer < FG_MAX_BUFFERS);
  p->buffer[p->nbuffer] = buffer;
  return (int16_t)p->nbuffer++;
}

static void pad(side *s, const fg_pointwise *op) {
  for (int d = 0; d < op->nkept; d++) {
    if (op->kept[d] == fg_problem_span(problem_of(s), d, s->output)) continue;
    assert(s->access->npred < FG_MAX_PREDS);
    s->access->pred[s->access->npred++] = (fg_pred){.value = s->place[d], .bound = fg_num_const(op->kept[d])};
  }
}

static void shift(side *s) {
  const fg_problem *q = problem_of(s);
  fg_index *x = &s->access->index;
  x->wrap = fg_arena_new(s->b->cx->arena, fg_wrap, q->rank);
  for (int d = 0; d < q->rank; d++) {
    int64_t n = q->dim[d].n.n;
    if (n > 1) x->wrap[x->nwrap++] = (fg_wrap){s->place[d], n, n / 2, stride_of(s, d)};
  }
}

static fg_status apply(side *s, const fg_pointwise *op, int number) {
  const fg_point_row *row = fg_point_find(op->name);
  switch (row->act) {
  case FG_ACT_STORED: return FG_OK; /* the buffer's precision says so */
  case FG_ACT_PAD: return s->bent ? FG_ENA : (pad(s, op), FG_OK);
  case FG_ACT_SHIFT: return s->bent ? FG_ENA : (shift(s), FG_OK);
  case FG_ACT_VALUE: break;
  }
  if (op->window[0]) return push_window(s, row, fg_window_find(op->window));
  if (row->takes == FG_TAKES_NOTHING) return push(s, row, -1, NULL);
  fg_index at = number_of(s);
  return push(s, row, given_array(s, row, number), &at);
}

static fg_status attach(side *s, const fg_stage *stage, const fg_stage_form *form) {
  const fg_problem *q = problem_of(s);
  const fg_pointwise *op = s->output ? q->store : q->load;
  int count = s->output ? q->nstore : q->nload;
  fg_status status = FG_OK;
  place_elements(s, stage, form);
  if (s->trouble) return FG_ENA;
  if (s->output && q->scale != FG_SCALE_NONE) status = push(s, fg_point_find("scale"), -1, NULL);
  for (int i = 0; i < count && status == FG_OK; i++) status = apply(s, &op[i], i);
  return status;
}

fg_status fg_build_points(fg_builder *b, fg_stage *stage, const fg_stage_form *form) {
  const fg_problem *q = &b->program->problem;
  for (int output = 0; output < 2; output++) {
    if (!(output ? form->out : form->in)->ends || !fg_problem_has_points(q)) continue;
    if (q->kind != FG_C2C && (q->rank > 1 || b->program->plan->step != FG_DIRECT))
      return FG_ENA; /* other elements pass */
    side s = {.b = b, .output = output, .access = output ? &stage->store : &stage->load};
    s.points = fg_arena_new(b->cx->arena, fg_points, 1);
    s.complex = !fg_kind_is_real(q->kind, output);
    s.bent = fg_index_is_bent(&s.access->index);
    const fg_view *v = output ? form->out : form->in;
    if (s.bent && (v->mod || v->step)) return FG_ENA; /* elements in another order still */
    if (s.bent) s.along = steps(s.access->index.scale, stride_of(&s, b->dimension));
    fg_status status = attach(&s, stage, form);
    if (status != FG_OK) return status;
    if (s.points->count) *(output ? &stage->stored : &stage->loaded) = s.points;
  }
  return FG_OK;
}
