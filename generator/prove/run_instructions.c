/* Instructions run over a prime field. In: code whose numbers are field elements, arrays of known length. Out: the
 * arrays after the run; or the first access that leaves its array, which ends it.
 *
 * The idea: the proof of text needs a compiler to run it; instructions need only this file. It interprets the same
 * list that a code generator gets. */
#include "generator/prove/run_instructions.h"
#include "generator/reference/operation_values.h"
#include "generator/text/recorder.h"
#include <stdio.h>
#include <string.h>

typedef struct touched { /* of a memory: from its first number that is used to behind its last */
  const fg_gf *from, *to;
  bool stored;
} touched;

typedef struct machine {
  const fg_instructions *code;
  const fg_field *f;
  const fg_prove_code_memory *m;
  const fg_prove_code_share *share;
  uint64_t *value; /* numbers, indices; a pointer is two: array, offset */
  int32_t *at;     /* of an instruction's value */
  int32_t *end;    /* of a bracket: its END */
  touched *memory; /* FG_CODE_MEMORIES */
  char *why;
} machine;

static bool fail(const machine *r, int32_t number, const char *what) {
  snprintf(r->why, 128, "instruction %d (%s): %s", number, fg_code_op_name((fg_code_op)r->code->instr[number].op),
           what);
  return false;
}

static uint64_t *value_of(const machine *r, int32_t number) { return &r->value[r->at[number]]; }

static int64_t index_of(const machine *r, int32_t number) { return (int64_t)*value_of(r, number); }

/* ---- indices ------------------------------------------------------------------------ */

static bool run_index(const machine *r, int32_t number) {
  const fg_instr *i = &r->code->instr[number];
  int64_t a = i->a >= 0 ? index_of(r, i->a) : 0, b = i->b >= 0 ? index_of(r, i->b) : 0, x = 0;
  bool divides = i->op == FG_CODE_DIV || i->op == FG_CODE_MOD;
  if (divides && b == 0) return fail(r, number, "division by 0");
  switch (i->op) {
  case FG_CODE_INT: x = i->imm.i; break;
  case FG_CODE_PARAM: x = r->m->params[i->imm.i]; break;
  case FG_CODE_SHARE: x = i->imm.i ? r->share->shares : r->share->share; break;
  case FG_CODE_ADD: x = a + b; break;
  case FG_CODE_SUB: x = a - b; break;
  case FG_CODE_MUL: x = a * b; break;
  case FG_CODE_DIV: x = a / b; break;
  case FG_CODE_MOD: x = a % b; break;
  case FG_CODE_SHR: x = a >> b; break;
  case FG_CODE_AND: x = a & b; break;
  case FG_CODE_XOR: x = a ^ b; break;
  case FG_CODE_LESS: x = a < b; break;
  case FG_CODE_BOTH: x = a && b; break;
  default: return fail(r, number, "no operation on indices");
  }
  *value_of(r, number) = (uint64_t)x;
  return true;
}

/* ---- memory --------------------------------------------------------------------------- */

/* First of `lanes` neighbours; NULL: some are outside. */
static fg_gf *span(const machine *r, int32_t pointer, int lanes, bool store) {
  const uint64_t *p = value_of(r, pointer);
  int64_t array = (int64_t)p[0], offset = (int64_t)p[1], nslot = r->m->nslot;
  if (store && array >= nslot) return NULL;
  int64_t count = array < nslot ? r->m->count[array] : r->m->table_count[array - nslot];
  fg_gf *first = array < nslot ? r->m->slot[array] : r->m->table[array - nslot];
  return first && offset >= 0 && offset + lanes <= count ? first + offset : NULL;
}

static void note_touched(const machine *r, const fg_instr *i, const fg_gf *at, bool store) {
  touched *t = &r->memory[i->memory];
  if (!t->from || at < t->from) t->from = at;
  if (!t->to || at + i->lanes > t->to) t->to = at + i->lanes;
  t->stored = t->stored || store;
}

/* Compilers are told that accesses to one memory do not touch another, and may change their order. */
static bool memories_lie_apart(const machine *r) {
  for (int i = 0; i < FG_CODE_MEMORIES; i++)
    for (int k = 0; k < i; k++) {
      const touched *a = &r->memory[i], *b = &r->memory[k];
      if (!a->from || !b->from || (!a->stored && !b->stored) || a->to <= b->from || b->to <= a->from) continue;
      return snprintf(r->why, 128, "memories %d and %d overlap", k, i), false;
    }
  return true;
}

static bool run_memory(const machine *r, int32_t number) {
  const fg_instr *i = &r->code->instr[number];
  uint64_t *x = value_of(r, number);
  const fg_gf *from;
  fg_gf *to;
  bool leads = i->op != FG_CODE_MEMORY && i->op != FG_CODE_TABLE && i->op != FG_CODE_FENCE;
  if (leads && r->code->instr[i->a].memory != i->memory) return fail(r, number, "a pointer to another memory");
  switch (i->op) {
  case FG_CODE_MEMORY:
    x[0] = (uint64_t)i->a, x[1] = (uint64_t)(i->imm.i + (int64_t)i->list * r->share->share);
    return true;
  case FG_CODE_TABLE: x[0] = (uint64_t)(r->m->nslot + i->a), x[1] = 0; return true;
  case FG_CODE_AT:
    x[0] = value_of(r, i->a)[0];
    x[1] = value_of(r, i->a)[1] + (uint64_t)i->imm.i + (i->b >= 0 ? *value_of(r, i->b) : 0);
    return true;
  case FG_CODE_LOAD:
    if (i->b >= 0 && !*value_of(r, i->b)) {
      memset(x, 0, sizeof *x * i->lanes);
      return true;
    }
    from = span(r, i->a, i->lanes, false);
    if (!from) return fail(r, number, "outside its array");
    note_touched(r, i, from, false);
    memcpy(x, from, sizeof *x * i->lanes);
    return true;
  case FG_CODE_STORE:
  case FG_CODE_STREAM:
    to = span(r, i->a, i->lanes, true);
    if (!to) return fail(r, number, "outside its array");
    note_touched(r, i, to, true);
    memcpy(to, value_of(r, i->b), sizeof *to * i->lanes);
    return true;
  case FG_CODE_LOOKUP: break;
  default: return true; /* FETCH, FENCE */
  }
  const uint64_t *p = value_of(r, i->a);
  int64_t table = (int64_t)p[0] - r->m->nslot, entry = (int64_t)p[1] + index_of(r, i->b);
  const fg_code_table *t = table >= 0 && table < r->code->ntable ? &r->code->table[table] : NULL;
  if (!t || !t->content || entry < 0 || (size_t)entry >= t->bytes / sizeof(int32_t))
    return fail(r, number, "outside its table");
  *x = (uint64_t)(int64_t)((const int32_t *)t->content)[entry];
  return true;
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* Arithmetic, all lanes of one operation after the other. */
static bool operate(const fg_field *f, fg_code_op op, int lanes, fg_gf *x, const fg_gf *const of[3]) {
  const fg_gf *a = of[0], *b = of[1], *c = of[2];
  switch (op) {
  case FG_CODE_NEGATE:
    for (int l = 0; l < lanes; l++) x[l] = fg_gf_neg(f, a[l]);
    return true;
  case FG_CODE_ROOT:
    for (int l = 0; l < lanes; l++) x[l] = fg_operation_values_sqrt(f, a[l]);
    return true;
  case FG_CODE_SUM:
    for (int l = 0; l < lanes; l++) x[l] = fg_gf_add(f, a[l], b[l]);
    return true;
  case FG_CODE_DIFFERENCE:
    for (int l = 0; l < lanes; l++) x[l] = fg_gf_sub(f, a[l], b[l]);
    return true;
  case FG_CODE_PRODUCT:
    for (int l = 0; l < lanes; l++) x[l] = fg_gf_mul(f, a[l], b[l]);
    return true;
  case FG_CODE_FUSED_ADD:
    for (int l = 0; l < lanes; l++) x[l] = fg_gf_add(f, fg_gf_mul(f, a[l], b[l]), c[l]);
    return true;
  case FG_CODE_FUSED_SUB:
    for (int l = 0; l < lanes; l++) x[l] = fg_gf_sub(f, fg_gf_mul(f, a[l], b[l]), c[l]);
    return true;
  case FG_CODE_FUSED_NEGADD:
    for (int l = 0; l < lanes; l++) x[l] = fg_gf_sub(f, c[l], fg_gf_mul(f, a[l], b[l]));
    return true;
  default: return false;
  }
}

static void shuffle(const machine *r, const fg_instr *i, uint64_t *x, const uint64_t *a, const uint64_t *b) {
  const int32_t *list = r->code->list + i->list;
  int wide = r->code->instr[i->a].lanes;
  for (int l = 0; l < i->lanes; l++) x[l] = list[l] < wide ? a[list[l]] : b[list[l] - wide];
}

static bool run_number(const machine *r, int32_t number) {
  const fg_instr *i = &r->code->instr[number];
  uint64_t *x = value_of(r, number);
  const uint64_t *a = i->a >= 0 ? value_of(r, i->a) : x, *b = i->b >= 0 ? value_of(r, i->b) : x;
  const uint64_t *c = i->c >= 0 ? value_of(r, i->c) : x;
  if (operate(r->f, (fg_code_op)i->op, i->lanes, x, (const fg_gf *const[3]){a, b, c})) return true;
  if (i->op == FG_CODE_SHUFFLE) return shuffle(r, i, x, a, b), true;
  for (int l = 0; l < i->lanes; l++) switch (i->op) {
    case FG_CODE_NUMBER: x[l] = i->imm.image; break;
    case FG_CODE_SPLAT: x[l] = a[0]; break;
    case FG_CODE_LANE: x[l] = a[i->imm.i]; break;
    case FG_CODE_MAKE: x[l] = *value_of(r, r->code->list[i->list + l]); break;
    case FG_CODE_SELECT: x[l] = *a ? b[l] : c[l]; break;
    default: return fail(r, number, "no operation on numbers");
    }
  return true;
}

/* ---- control ------------------------------------------------------------------------------ */

static bool run_range(const machine *r, int32_t from, int32_t to);

static bool run_bracket(const machine *r, int32_t number) {
  const fg_instr *i = &r->code->instr[number];
  int32_t first = number + 1, end = r->end[number];
  if (i->op == FG_CODE_PART) return run_range(r, first, end);
  bool left_out = i->op == FG_CODE_STEP && r->share->step >= 0 && r->share->step != i->imm.i;
  if (i->op == FG_CODE_STEP) return left_out || run_range(r, first, end);
  if (i->op == FG_CODE_IF) return !*value_of(r, i->a) || run_range(r, first, end);
  if (i->imm.i <= 0) return fail(r, number, "a step that does not rise");
  for (int64_t x = index_of(r, i->a); x < index_of(r, i->b); x += i->imm.i) {
    *value_of(r, number) = (uint64_t)x;
    if (!run_range(r, first, end)) return false;
  }
  return true;
}

static bool run_range(const machine *r, int32_t from, int32_t to) {
  for (int32_t n = from; n < to; n++) {
    const fg_instr *i = &r->code->instr[n];
    bool pointer = i->type == FG_CODE_POINTER, memory = i->op >= FG_CODE_LOOKUP && i->op <= FG_CODE_FENCE;
    if (r->end[n]) {
      if (!run_bracket(r, n)) return false;
      n = r->end[n];
    } else if (pointer || memory) {
      if (!run_memory(r, n)) return false;
    } else if (i->type == FG_CODE_REAL || i->op == FG_CODE_SELECT) {
      if (!run_number(r, n)) return false;
    } else if (!run_index(r, n)) {
      return false;
    }
  }
  return true;
}

/* Places of values, ends of brackets. False: brackets do not match. */
static bool lay_out(fg_context *cx, machine *r) {
  const fg_instructions *code = r->code;
  int32_t *open = fg_arena_new(cx->arena, int32_t, code->count + 1), depth = 0, room = 0;
  r->at = fg_arena_new(cx->arena, int32_t, code->count + 1);
  r->end = fg_arena_new(cx->arena, int32_t, code->count + 1);
  for (int32_t n = 0; n < code->count; n++) {
    const fg_instr *i = &code->instr[n];
    r->at[n] = room;
    room += i->type == FG_CODE_POINTER ? 2 : i->type == FG_CODE_REAL ? i->lanes : 1;
    if (fg_code_is_bracket((fg_code_op)i->op)) open[depth++] = n;
    if (i->op == FG_CODE_END && depth == 0) return fail(r, n, "closes nothing");
    if (i->op == FG_CODE_END) r->end[open[--depth]] = n;
  }
  r->value = fg_arena_new(cx->arena, uint64_t, room + 1);
  return depth == 0 || fail(r, open[0], "is not closed");
}

bool fg_prove_code_run(fg_context *cx, const fg_instructions *code, const fg_field *f, const fg_prove_code_memory *m,
                       const fg_prove_code_share *share, char why[128]) {
  machine r = {.code = code, .f = f, .m = m, .share = share, .why = why};
  r.memory = fg_arena_new(cx->arena, touched, FG_CODE_MEMORIES);
  return lay_out(cx, &r) && run_range(&r, 0, code->count) && memories_lie_apart(&r);
}
