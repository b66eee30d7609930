/* The verifier of recorded instructions. In: instructions in their order. Out: what is wrong with them.
 *
 * A value is made before it is used, in a bracket that is open still. Operands are of the kinds that an operation
 * takes. All lanes of a warp come to what they do together: none of the brackets around
 * it is one that depends on the thread. */
#include "generator/text/recorder_order.h"
#include <string.h>

enum { MOST_OPEN = 256 };

typedef struct checking {
  const fg_coder *c;
  const fg_instructions *code;
  int32_t *bracket; /* by instruction: 1 + the bracket that it was made in; 0: not made yet */
  bool *closed;     /* by bracket */
  bool *varies;     /* by instruction: between the lanes of a warp, as far as is known */
  int32_t open[MOST_OPEN], depth, brackets;
  bool some[MOST_OPEN]; /* what is open, or around it: some lanes alone may be inside */
} checking;

static bool is_visible(const checking *x, int32_t value) {
  if (value < 0 || value >= x->code->count) return false;
  int32_t in = x->bracket[value];
  bool outlives = x->code->instr[value].op == FG_CODE_SET; /* the variable was declared further outside */
  if (x->code->instr[value].op == FG_CODE_ARGUMENT) return true;
  return in && (outlives || !x->closed[in - 1]);
}

static bool operands_hold(const checking *x, const fg_instr *i) {
  const int32_t operand[] = {i->a, i->b, i->c};
  if (i->op == FG_CODE_MEMORY || i->op == FG_CODE_TABLE) return true;
  for (int k = 0; k < 3; k++)
    if (operand[k] >= 0 && !is_visible(x, operand[k])) return false;
  for (int l = 0; l < fg_code_listed(i); l++)
    if (!is_visible(x, x->code->list[i->list + l])) return false;
  return true;
}

/* Behind its names. */
static const fg_instr *origin(const checking *x, int32_t value) {
  const fg_instr *i = &x->code->instr[value];
  while (i->op == FG_CODE_NAME || i->op == FG_CODE_SET) i = &x->code->instr[i->a];
  return i;
}

/* An integer is a number, too, and a truth: 0 for what is not loaded, and for what never holds. */
static bool is_kind(const checking *x, int32_t value, fg_code_type type) {
  const fg_instr *i = origin(x, value);
  return i->type == type || (i->op == FG_CODE_INT && type != FG_CODE_POINTER);
}

static bool same_lanes(const checking *x, const fg_instr *i, int32_t value) {
  if (value < 0 || origin(x, value)->op == FG_CODE_INT) return true;
  return is_kind(x, value, FG_CODE_REAL) && origin(x, value)->lanes == i->lanes;
}

/* ---- what the lanes of a warp do together ------------------------------------------------------------- */

static bool is_fragment(const checking *x, int32_t value, int elements) {
  return value >= 0 && origin(x, value)->type == FG_CODE_FRAGMENT && origin(x, value)->lanes == elements;
}

static bool product_holds(const checking *x, const fg_instr *i) {
  if (i->imm.i < 0 || i->imm.i >= FG_MATRIX_COUNT || x->some[x->depth - 1]) return false;
  const fg_matrix_shape *s = fg_matrix_find((fg_matrix)i->imm.i);
  int sums = fg_matrix_elements(s, FG_MATRIX_C);
  bool bytes = x->code->field || x->code->real_bytes == fg_matrix_bytes(s);
  return bytes && i->type == FG_CODE_FRAGMENT && i->lanes == sums && is_fragment(x, i->c, sums) &&
         is_fragment(x, i->a, fg_matrix_elements(s, FG_MATRIX_A)) &&
         is_fragment(x, i->b, fg_matrix_elements(s, FG_MATRIX_B));
}

static bool gift_holds(const checking *x, const fg_instr *i) {
  bool bits = i->imm.i > 0 && i->imm.i < FG_MATRIX_LANES;
  return bits && !x->some[x->depth - 1] && is_kind(x, i->a, FG_CODE_REAL) && origin(x, i->a)->lanes == 1;
}

static bool is_common(const fg_instr *i) { return i->op == FG_CODE_MATRIX_PRODUCT || i->op == FG_CODE_FROM_LANE; }

/* What all lanes do is done where it is named, and a value of no name where it is used. */
static bool names_common(const checking *x, const fg_instr *i) {
  const int32_t operand[] = {i->a, i->b, i->c};
  if (i->op == FG_CODE_NAME || i->op == FG_CODE_MEMORY || i->op == FG_CODE_TABLE) return true;
  for (int k = 0; k < 3; k++)
    if (operand[k] >= 0 && is_common(&x->code->instr[operand[k]])) return false;
  return true;
}

static bool numbers_hold(const checking *x, const fg_instr *i) {
  for (int l = 0; i->op == FG_CODE_MAKE && l < i->lanes; l++) {
    const fg_instr *number = origin(x, x->code->list[i->list + l]);
    if (!is_kind(x, x->code->list[i->list + l], FG_CODE_REAL) || number->lanes > 1) return false;
  }
  if (i->op != FG_CODE_LANE) return true;
  const fg_instr *of = origin(x, i->a);
  bool some = of->type == FG_CODE_REAL || of->type == FG_CODE_PAIR || of->type == FG_CODE_FRAGMENT;
  return some && i->imm.i >= 0 && i->imm.i < of->lanes;
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static bool is_number(fg_code_type type) {
  return type == FG_CODE_REAL || type == FG_CODE_PAIR || type == FG_CODE_WORD;
}

/* Words are of the type that memory has, and pairs alone are read and written in ways that others are not. */
static bool load_holds(const checking *x, const fg_instr *i) {
  bool guarded = i->imm.i == FG_WAY_GUARDED, way = guarded || i->imm.i == FG_WAY_PLAIN;
  if (!is_kind(x, i->a, FG_CODE_POINTER) || !is_number((fg_code_type)i->type)) return false;
  if (i->b >= 0 ? !is_kind(x, i->b, FG_CODE_TRUTH) : guarded) return false;
  if (i->type == FG_CODE_WORD) return i->stored && i->imm.i == FG_WAY_PLAIN;
  return way || (i->type == FG_CODE_PAIR && !i->stored && i->imm.i < FG_WAY_EVICT_FIRST);
}

static bool store_holds(const checking *x, const fg_instr *i) {
  const fg_instr *value = origin(x, i->b);
  bool plain = i->imm.i == FG_WAY_PLAIN, late = i->imm.i >= FG_WAY_EVICT_FIRST && i->imm.i <= FG_WAY_EVICT_LAST;
  bool number = value->op == FG_CODE_INT || is_number((fg_code_type)value->type);
  if (value->type == FG_CODE_WORD && value->stored != i->stored) return false;
  return is_kind(x, i->a, FG_CODE_POINTER) && number && (plain || (late && value->type == FG_CODE_PAIR && !i->stored));
}

static bool unpacks(const checking *x, const fg_instr *i) {
  const fg_instr *word = &x->code->instr[i->a];
  return word->op == FG_CODE_ELEMENT && word->type == FG_CODE_WORD && i->type == FG_CODE_PAIR;
}

static bool kinds_hold(const checking *x, const fg_instr *i) {
  switch (i->op) {
  case FG_CODE_LOAD: return load_holds(x, i);
  case FG_CODE_STORE: return store_holds(x, i);
  case FG_CODE_UNPACK: return unpacks(x, i);
  case FG_CODE_AT: return is_kind(x, i->a, FG_CODE_POINTER) && (i->b < 0 || is_kind(x, i->b, FG_CODE_INDEX));
  case FG_CODE_STREAM:
  case FG_CODE_FETCH:
  case FG_CODE_LOOKUP: return is_kind(x, i->a, FG_CODE_POINTER);
  case FG_CODE_NEGATE:
  case FG_CODE_SUM:
  case FG_CODE_DIFFERENCE:
  case FG_CODE_PRODUCT:
  case FG_CODE_FUSED_ADD:
  case FG_CODE_FUSED_SUB:
  case FG_CODE_FUSED_NEGADD: return same_lanes(x, i, i->a) && same_lanes(x, i, i->b) && same_lanes(x, i, i->c);
  case FG_CODE_ADD:
  case FG_CODE_SUB:
  case FG_CODE_MUL:
  case FG_CODE_DIV:
  case FG_CODE_MOD:
  case FG_CODE_SHR:
  case FG_CODE_AND:
  case FG_CODE_XOR:
  case FG_CODE_SHORT_DIV:
  case FG_CODE_LESS: return is_kind(x, i->a, FG_CODE_INDEX) && is_kind(x, i->b, FG_CODE_INDEX);
  case FG_CODE_IF: return is_kind(x, i->a, FG_CODE_TRUTH);
  case FG_CODE_MATRIX_PRODUCT: return product_holds(x, i);
  case FG_CODE_FROM_LANE: return gift_holds(x, i);
  case FG_CODE_MAKE:
  case FG_CODE_LANE: return numbers_hold(x, i);
  case FG_CODE_BARRIER:
  case FG_CODE_CLUSTER_ARRIVE:
  case FG_CODE_CLUSTER_WAIT:
  case FG_CODE_MBARRIER_WAIT: return !x->some[x->depth - 1];
  case FG_CODE_ELEMENT:
  case FG_CODE_PUT: return x->code->instr[i->a].op == FG_CODE_ARRAY && (i->b < 0 || is_kind(x, i->b, FG_CODE_INDEX));
  case FG_CODE_ASSIGN: return x->code->instr[i->a].op == FG_CODE_VARIABLE;
  default: return true;
  }
}

static bool is_index_argument(const fg_instr *i) { return i->op == FG_CODE_ARGUMENT && i->type == FG_CODE_INDEX; }

/* Between the lanes of a warp. */
static bool may_vary(const checking *x, const fg_instr *i) {
  const int32_t operand[] = {i->a, i->b, i->c};
  switch (i->op) {
  case FG_CODE_THREAD:
  case FG_CODE_LOAD:
  case FG_CODE_LOOKUP:
  case FG_CODE_ELEMENT:
  case FG_CODE_VARIABLE: return true;
  case FG_CODE_MEMORY:
  case FG_CODE_TABLE: return false;
  case FG_CODE_SET:
    if (x->some[x->depth - 1]) return true;
    break;
  default: break;
  }
  for (int k = 0; k < 3; k++)
    if (operand[k] >= 0 && (x->varies[operand[k]] || is_index_argument(&x->code->instr[operand[k]]))) return true;
  for (int l = 0; l < fg_code_listed(i); l++)
    if (x->varies[x->code->list[i->list + l]]) return true;
  return false;
}

/* False: too many are open, or it closes nothing. */
static bool follow_bracket(checking *x, const fg_instr *i) {
  if (i->op == FG_CODE_END) {
    if (x->depth < 2) return false;
    x->closed[x->open[--x->depth]] = true;
  } else if (fg_code_is_bracket((fg_code_op)i->op)) {
    if (x->depth == MOST_OPEN) return false;
    bool words = i->op == FG_CODE_BLOCK && strcmp(i->name, "{") != 0;
    x->some[x->depth] = x->some[x->depth - 1] || words || may_vary(x, i);
    x->open[x->depth++] = x->brackets++;
  }
  return true;
}

bool fg_coder_holds_from(const fg_coder *c, int32_t from) {
  const fg_instructions *code = fg_coder_code((fg_coder *)c);
  const int32_t *order = fg_coder_order(c), count = fg_coder_position(c);
  fg_arena *a = fg_coder_arena(c);
  checking x = {.c = c, .code = code, .depth = 1, .brackets = 1};
  x.bracket = fg_arena_new(a, int32_t, code->count + 1);
  x.closed = fg_arena_new(a, bool, count + 2);
  x.varies = fg_arena_new(a, bool, code->count + 1);
  for (int32_t at = 0; at < count && !fg_coder_is_rehearsal(c); at++) {
    const fg_instr *i = &code->instr[order[at]];
    if (at >= from && (!operands_hold(&x, i) || !kinds_hold(&x, i) || !names_common(&x, i))) return false;
    if (!follow_bracket(&x, i)) return false;
    x.varies[order[at]] = may_vary(&x, i);
    x.bracket[order[at]] = x.open[x.depth - 1] + 1;
  }
  return true;
}
