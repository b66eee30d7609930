/* Statements of a region, and what each needs of the others. In: instructions in their order. Out: for each statement,
 * those whose values it uses; the instructions in another order.
 *
 * A value without a name belongs to the statement that uses it, and moves with it. */
#include "generator/opt/region.h"
#include "generator/text/recorder.h"
#include "generator/text/recorder_order.h"
#include <stdlib.h>
#include <string.h>

typedef struct reading {
  fg_region *r;
  const fg_instructions *code;
  int *owner;    /* by instruction: its statement in the region; -1: none */
  int32_t *seen; /* by instruction: 1 + the last statement that was found to use it */
  int *found, nfound, *other, nother;
} reading;

/* ---- operands ---------------------------------------------------------------------------- */

typedef void visitor(void *to, int32_t operand);

static void visit_operands(const fg_instructions *code, const fg_instr *i, visitor *visit, void *to) {
  bool place = i->op == FG_CODE_MEMORY || i->op == FG_CODE_TABLE;
  const int32_t operand[] = {i->a, i->b, i->c};
  for (int k = 0; !place && k < 3; k++)
    if (operand[k] >= 0) visit(to, operand[k]);
  for (int l = 0; l < fg_code_listed(i); l++) visit(to, code->list[i->list + l]);
}

static bool is_called(const fg_instr *i) { return i->name; }

/* Made once, ahead of everything. */
static bool is_given(const fg_instr *i) {
  return i->op == FG_CODE_MEMORY || i->op == FG_CODE_TABLE || i->op == FG_CODE_PARAM || i->op == FG_CODE_SHARE;
}

/* ---- what a statement uses ------------------------------------------------------------------- */

static fg_unit unit_of(const fg_instr *i) {
  switch (i->op) {
  case FG_CODE_NEGATE:
  case FG_CODE_SUM:
  case FG_CODE_DIFFERENCE: return FG_UNIT_SUM;
  case FG_CODE_PRODUCT: return FG_UNIT_PRODUCT;
  case FG_CODE_FUSED_ADD:
  case FG_CODE_FUSED_SUB:
  case FG_CODE_FUSED_NEGADD: return FG_UNIT_FUSED;
  case FG_CODE_SHUFFLE: return i->imm.i == FG_SHUFFLE_ALTERNATE ? FG_UNIT_SUM : FG_UNIT_EXCHANGE;
  case FG_CODE_LOAD: return i->lanes > 1 ? FG_UNIT_LOAD : FG_UNIT_NONE;
  default: return FG_UNIT_NONE;
  }
}

static void visit_value(void *to, int32_t value) {
  reading *x = to;
  const fg_instr *i = &x->code->instr[value];
  fg_statement *s = &x->r->s[x->r->count];
  if (x->seen[value] == x->r->count + 1) return;
  x->seen[value] = x->r->count + 1;
  if (x->owner[value] >= 0) {
    x->found[x->nfound++] = x->owner[value];
  } else if (is_called(i)) {
    x->other[x->nother++] = value;
  } else {
    if (unit_of(i) > s->unit) s->unit = unit_of(i);
    s->reads = s->reads || i->op == FG_CODE_LOAD || i->op == FG_CODE_LOOKUP;
    visit_operands(x->code, i, visit_value, x);
  }
}

static int rising(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int *sorted(fg_arena *a, int *number, int count) {
  qsort(number, (size_t)count, sizeof *number, rising);
  return fg_arena_copy(a, number, sizeof *number * (size_t)(count + 1));
}

static void add_statement(reading *x, int32_t number) {
  const fg_instr *i = &x->code->instr[number];
  fg_arena *a = fg_coder_arena(x->r->c);
  fg_statement *s = &x->r->s[x->r->count];
  *s = (fg_statement){.number = number, .op = (fg_code_op)i->op};
  s->vector = i->op == FG_CODE_NAME && i->type == FG_CODE_REAL && i->lanes > 1;
  x->nfound = x->nother = 0;
  visit_operands(x->code, i, visit_value, x);
  s->operand = sorted(a, x->found, s->noperand = x->nfound);
  s->other = sorted(a, x->other, s->nother = x->nother);
  x->owner[number] = x->r->count++;
}

fg_region fg_region_of(fg_coder *c, int32_t from) {
  const fg_instructions *code = fg_coder_code(c);
  fg_arena *a = fg_coder_arena(c);
  const int32_t *order = fg_coder_order(c), end = fg_coder_position(c);
  fg_region r = {.c = c, .from = from, .s = fg_arena_new(a, fg_statement, end - from + 1)};
  reading x = {.r = &r, .code = code};
  x.owner = fg_arena_new(a, int, code->count + 1);
  x.seen = fg_arena_new(a, int32_t, code->count + 1);
  x.found = fg_arena_new(a, int, code->count + 1);
  x.other = fg_arena_new(a, int, code->count + 1);
  memset(x.owner, -1, sizeof *x.owner * (size_t)code->count);
  for (int32_t at = from; at < end; at++)
    if (fg_coder_is_statement(c, order[at])) add_statement(&x, order[at]);
  return r;
}

/* ---- order ------------------------------------------------------------------------------------ */

typedef struct placing {
  fg_coder *c;
  bool *left; /* by instruction: of the region, and not placed; NULL: all that has no name is placed again */
} placing;

static void place(void *to, int32_t value) {
  placing *p = to;
  const fg_instr *i = &fg_coder_code(p->c)->instr[value];
  if (p->left ? !p->left[value] || fg_code_is_statement((fg_code_op)i->op) : is_called(i) || is_given(i)) return;
  visit_operands(fg_coder_code(p->c), i, place, p);
  if (p->left) p->left[value] = false;
  fg_coder_put(p->c, value);
}

void fg_region_order(const fg_region *r, const int32_t *number, int count) {
  const fg_instructions *code = fg_coder_code(r->c);
  int32_t taken;
  placing p = {.c = r->c, .left = fg_arena_new(fg_coder_arena(r->c), bool, code->count + 1)};
  const int32_t *before = fg_coder_take(r->c, r->from, &taken);
  for (int32_t i = 0; i < taken; i++) p.left[before[i]] = true;
  for (int i = 0; i < count; i++) {
    visit_operands(code, &code->instr[number[i]], place, &p);
    p.left[number[i]] = false;
    fg_coder_put(r->c, number[i]);
  }
  for (int32_t i = 0; i < taken; i++) /* that nothing uses here */
    if (p.left[before[i]] && !fg_coder_is_statement(r->c, before[i])) fg_coder_put(r->c, before[i]);
}

void fg_region_place(fg_coder *c, int32_t number) {
  placing p = {.c = c};
  visit_operands(fg_coder_code(c), &fg_coder_code(c)->instr[number], place, &p);
  fg_coder_put(c, number);
}

/* ---- copies ------------------------------------------------------------------------------------ */

static int32_t copied_value(fg_coder *c, int32_t value, const int32_t *map) {
  if (value < 0 || map[value] >= 0) return value < 0 ? value : map[value];
  const fg_instr *i = &fg_coder_code(c)->instr[value];
  return is_called(i) || is_given(i) ? value : fg_region_copy(c, value, map);
}

int32_t fg_region_copy(fg_coder *c, int32_t number, const int32_t *map) {
  fg_instr i = fg_coder_code(c)->instr[number];
  bool place = i.op == FG_CODE_MEMORY || i.op == FG_CODE_TABLE;
  int32_t item[UINT8_MAX];
  if (!place) i.a = copied_value(c, i.a, map), i.b = copied_value(c, i.b, map), i.c = copied_value(c, i.c, map);
  for (int l = 0; i.op == FG_CODE_MAKE && l < i.lanes; l++)
    item[l] = copied_value(c, fg_coder_code(c)->list[i.list + l], map);
  if (i.op == FG_CODE_MAKE) i.list = fg_coder_list(c, item, i.lanes);
  return fg_coder_make(c, i);
}
