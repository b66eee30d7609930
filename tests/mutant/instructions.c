/* A fault in the instructions that become machine code, between their recording and their proof. In: the list. Out: a
 * copy of which one instruction, or all that are like it, is another: it still has operands of the right types, and so
 * machine code. */
#include "tests/mutant/fault.h"
#include "tests/mutant/wrap.h"
#include <stdlib.h>
#include <string.h>

typedef struct surgery {
  fg_context *cx;
  fg_instructions *code;
} surgery;

static bool same_value(const fg_instr *a, const fg_instr *b) {
  return a->type == b->type && (a->type != FG_CODE_REAL || a->lanes == b->lanes);
}

/* Another operand of its type: the one that is nearest before it, in the same brackets. */
static int32_t other_operand(const surgery *s, int32_t user, int32_t operand) {
  const fg_instr *all = s->code->instr;
  int skip = (int)fault_choice(5, 3), depth = 0;
  for (int32_t i = user - 1; i >= 0; i--) {
    if (all[i].op == FG_CODE_END) depth++;
    if (fg_code_is_bracket((fg_code_op)all[i].op) && depth > 0) {
      depth--;
      continue;
    }
    bool fits = depth == 0 && i != operand && same_value(&all[i], &all[operand]);
    if (fits && all[i].type == FG_CODE_POINTER) fits = all[i].memory == all[operand].memory;
    if (fits && !skip--) return i;
  }
  return operand;
}

static int32_t *own_list(const surgery *s, fg_instr *x) {
  fg_instructions *c = s->code;
  int32_t *list = fg_arena_new(s->cx->arena, int32_t, c->nlist + x->lanes);
  memcpy(list, c->list, sizeof *list * (size_t)c->nlist);
  memcpy(list + c->nlist, c->list + x->list, sizeof *list * x->lanes);
  c->list = list;
  x->list = c->nlist;
  c->nlist += x->lanes;
  return list + x->list;
}

static void change_list(const surgery *s, int32_t at, fg_instr *x) {
  int32_t *list = own_list(s, x), lane = (int32_t)fault_choice(3, x->lanes), other = (int32_t)fault_choice(4, x->lanes);
  if (x->op == FG_CODE_MAKE) {
    if (fault_choice(6, 2))
      list[lane] = list[other];
    else
      list[lane] = other_operand(s, at, list[lane]);
  } else if (fault_choice(6, 2)) {
    int32_t was = list[lane];
    list[lane] = list[other], list[other] = was;
  } else {
    list[lane] = (int32_t)fault_choice(7, 2 * s->code->instr[x->a].lanes);
  }
}

static bool in_group(const uint8_t *group, int count, uint8_t op, uint8_t *other) {
  for (int i = 0; i < count; i++)
    if (group[i] == op) return *other = group[fault_choice(3, count)], true;
  return false;
}

/* Another operation on the same operands. */
static void change_op(fg_instr *x) {
  static const uint8_t index[] = {FG_CODE_ADD, FG_CODE_SUB, FG_CODE_MUL};
  static const uint8_t two[] = {FG_CODE_SUM, FG_CODE_DIFFERENCE, FG_CODE_PRODUCT};
  static const uint8_t three[] = {FG_CODE_FUSED_ADD, FG_CODE_FUSED_SUB, FG_CODE_FUSED_NEGADD};
  if (!in_group(index, 3, x->op, &x->op) && !in_group(two, 3, x->op, &x->op)) in_group(three, 3, x->op, &x->op);
}

static void change_constant(fg_instr *x) {
  static const double by[] = {-1, 1 + 0x1p-18, 2, 0.5};
  if (x->op == FG_CODE_NUMBER)
    x->imm.real *= by[fault_choice(3, 4)];
  else
    x->imm.i += fault_choice(3, 2) ? 1 : -1;
}

static void change(const surgery *s, int32_t at) {
  fg_instr *x = &s->code->instr[at];
  bool listed = x->op == FG_CODE_MAKE || x->op == FG_CODE_SHUFFLE;
  bool constant = x->op == FG_CODE_INT || x->op == FG_CODE_NUMBER || x->op == FG_CODE_AT || x->op == FG_CODE_LOOP ||
                  x->op == FG_CODE_MEMORY;
  int32_t *const operand[] = {&x->a, &x->b, &x->c};
  int which = (int)fault_choice(2, 3);
  bool access = x->op == FG_CODE_LOAD || x->op == FG_CODE_STORE || x->op == FG_CODE_STREAM;
  if (access && fault_choice(1, 4) == 0) {
    x->memory ^= 1; /* what others are not */
    return;
  }
  if (listed && fault_choice(1, 3)) {
    change_list(s, at, x);
  } else if (constant && fault_choice(1, 3)) {
    change_constant(x);
  } else if (x->op == FG_CODE_MEMORY || x->op == FG_CODE_TABLE) {
    x->imm.i += x->op == FG_CODE_MEMORY ? 1 : 0;
  } else if (fault_choice(1, 4) == 0) {
    change_op(x);
  } else {
    if (listed) which = 0;
    if (x->op != FG_CODE_MAKE && *operand[which] >= 0 && x->op != FG_CODE_PARAM && x->op != FG_CODE_SHARE)
      *operand[which] = other_operand(s, at, *operand[which]);
  }
}

/* What a rule of the recording's would take for the same. */
static bool is_alike(const fg_instructions *c, const fg_instr *a, const fg_instr *b) {
  if (a->op != b->op || a->type != b->type || a->lanes != b->lanes || a->memory != b->memory) return false;
  if (a->op == FG_CODE_SHUFFLE) return !memcmp(c->list + a->list, c->list + b->list, sizeof *c->list * a->lanes);
  return a->op != FG_CODE_MAKE && a->imm.i == b->imm.i;
}

static bool differs(const fg_instructions *a, const fg_instructions *b) {
  for (int32_t i = 0; i < a->count; i++) {
    const fg_instr *x = &a->instr[i], *y = &b->instr[i];
    bool listed = x->op == FG_CODE_MAKE || x->op == FG_CODE_SHUFFLE;
    if (x->op != y->op || x->a != y->a || x->b != y->b || x->c != y->c) return true;
    if (x->imm.i != y->imm.i || x->memory != y->memory) return true;
    if (listed && memcmp(a->list + x->list, b->list + y->list, sizeof *a->list * x->lanes) != 0) return true;
  }
  return false;
}

void fault_in_instructions(fg_context *cx, fg_artifact *made) {
  fg_instructions copy = *made->instructions;
  surgery s = {cx, fg_arena_copy(cx->arena, &copy, sizeof copy)};
  s.code->instr = fg_arena_copy(cx->arena, copy.instr, sizeof *copy.instr * (size_t)copy.count);
  int32_t at = (int32_t)fault_choice(0, copy.count);
  while (at && (copy.instr[at].op == FG_CODE_END || copy.instr[at].op == FG_CODE_STEP)) at--;
  bool all = fault_choice(8, 2) == 0;
  for (int32_t i = 0; i < copy.count; i++)
    if (i == at || (all && is_alike(&copy, &copy.instr[i], &copy.instr[at]))) change(&s, i);
  if (!differs(&copy, s.code)) return;
  fault_say("%s, number %d of %d%s", fg_code_op_name((fg_code_op)copy.instr[at].op), at, copy.count,
            all ? ", and all like it" : "");
  made->instructions = s.code;
}
