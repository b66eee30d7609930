/* Instructions run over a prime field. In: code whose numbers are field elements, arrays of known length. Out: the
 * arrays after the run; or the first access that leaves its array, which ends it.
 *
 * The idea: the proof of text needs a compiler to run it; instructions need only this file. It interprets the same
 * list that a code generator gets. */
#include "generator/prove/run_parts.h"
#include "generator/prove/text.h"
#include "generator/reference/operation_values.h"
#include "targets/forms/matrix.h"
#include <stdio.h>
#include <string.h>

bool fg_prove_code_fail(const fg_code_machine *r, const fg_code_decoded *d, const char *what) {
  int number = (int)(d - r->at);
  snprintf(r->why, 128, "instruction %d (%s): %s", number, fg_code_op_name((fg_code_op)r->code->instr[number].op),
           what);
  return false;
}

/* ---- indices ------------------------------------------------------------------------ */

static bool run_index(const fg_code_machine *r, const fg_code_decoded *d) {
  const fg_instr *i = d->i;
  int64_t a = i->a >= 0 ? (int64_t)*d->a : 0, b = i->b >= 0 ? (int64_t)*d->b : 0, x = 0;
  bool divides = i->op == FG_CODE_DIV || i->op == FG_CODE_MOD;
  if (divides && b == 0) return fg_prove_code_fail(r, d, "division by 0");
  switch (i->op) {
  case FG_CODE_INT: x = i->imm.i; break;
  case FG_CODE_PARAM: x = r->m->params[i->imm.i]; break;
  case FG_CODE_THREAD: x = r->thread; break;
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
  default: return fg_prove_code_fail(r, d, "no operation on indices");
  }
  *d->x = (uint64_t)x;
  return true;
}

/* ---- memory --------------------------------------------------------------------------- */

/* First of the lanes at a pointer, which are noted; NULL: some are outside. */
static inline fg_gf *span(const fg_code_machine *r, const fg_code_decoded *d, bool store) {
  const fg_prove_code_memory *m = r->m;
  int64_t array = (int64_t)d->a[0], offset = (int64_t)d->a[1], table = array - m->nslot;
  if (store && table >= 0) return NULL;
  int64_t count = table < 0 ? m->count[array] : m->table_count[table];
  fg_gf *first = table < 0 ? m->slot[array] : m->table[table], *at = first + offset;
  if (!first || offset < 0 || offset + d->i->lanes > count) return NULL;
  fg_code_touched *t = &r->memory[d->i->memory];
  if (!t->from || at < t->from) t->from = at;
  if (!t->to || at + d->i->lanes > t->to) t->to = at + d->i->lanes;
  if (store) t->stored = true;
  return at;
}

/* Compilers are told that accesses to one memory do not touch another, and may change their order. */
static bool memories_lie_apart(const fg_code_machine *r) {
  for (int i = 0; i < FG_CODE_MEMORIES; i++)
    for (int k = 0; k < i; k++) {
      const fg_code_touched *a = &r->memory[i], *b = &r->memory[k];
      if (!a->from || !b->from || (!a->stored && !b->stored) || a->to <= b->from || b->to <= a->from) continue;
      return snprintf(r->why, 128, "memories %d and %d overlap", k, i), false;
    }
  return true;
}

static bool run_at(const fg_code_machine *r, const fg_code_decoded *d) {
  (void)r;
  d->x[0] = d->a[0];
  d->x[1] = d->a[1] + (uint64_t)d->i->imm.i + (d->i->b >= 0 ? *d->b : 0);
  return true;
}

static bool run_load(const fg_code_machine *r, const fg_code_decoded *d) {
  int lanes = d->i->lanes;
  if (d->i->b >= 0 && !*d->b) {
    for (int l = 0; l < lanes; l++) d->x[l] = 0;
    return true;
  }
  const fg_gf *from = span(r, d, false);
  if (!from) return fg_prove_code_fail(r, d, "outside its array");
  for (int l = 0; l < lanes; l++) d->x[l] = from[l];
  return true;
}

static bool run_store(const fg_code_machine *r, const fg_code_decoded *d) {
  fg_gf *to = span(r, d, true);
  if (!to) return fg_prove_code_fail(r, d, "outside its array");
  for (int l = 0, lanes = d->i->lanes; l < lanes; l++) to[l] = d->b[l];
  return true;
}

static bool run_lookup(const fg_code_machine *r, const fg_code_decoded *d) {
  int64_t table = (int64_t)d->a[0] - r->m->nslot, entry = (int64_t)d->a[1] + (int64_t)*d->b;
  const fg_code_table *t = table >= 0 && table < r->code->ntable ? &r->code->table[table] : NULL;
  if (!t || !t->content || entry < 0 || (size_t)entry >= t->bytes / sizeof(int32_t))
    return fg_prove_code_fail(r, d, "outside its table");
  *d->x = (uint64_t)(int64_t)((const int32_t *)t->content)[entry];
  return true;
}

/* A first pointer; hints do nothing here. */
static bool run_memory(const fg_code_machine *r, const fg_code_decoded *d) {
  const fg_instr *i = d->i;
  if (i->op == FG_CODE_MEMORY) d->x[0] = (uint64_t)i->a;
  if (i->op == FG_CODE_MEMORY) d->x[1] = (uint64_t)(i->imm.i + (int64_t)i->list * r->share->share);
  if (i->op == FG_CODE_TABLE) d->x[0] = (uint64_t)(r->m->nslot + i->a), d->x[1] = 0;
  return true;
}

static bool run_strange(const fg_code_machine *r, const fg_code_decoded *d) {
  return fg_prove_code_fail(r, d, "a pointer to another memory");
}

/* ---- numbers ---------------------------------------------------------------------------- */

/* The field is copied: no store to x changes it, and it stays in registers. */
#define EACH_LANE(value)                                                                                               \
  const fg_field own = *r->f, *f = &own;                                                                               \
  fg_gf *x = d->x;                                                                                                     \
  const fg_gf *a = d->a, *b = d->b, *c = d->c;                                                                         \
  (void)f, (void)b, (void)c;                                                                                           \
  for (int l = 0, lanes = d->i->lanes; l < lanes; l++) x[l] = (value);                                                 \
  return true

static bool run_negate(const fg_code_machine *r, const fg_code_decoded *d) { EACH_LANE(fg_gf_neg(f, a[l])); }
static bool run_call(const fg_code_machine *r, const fg_code_decoded *d) {
  bool two = d->i->b >= 0;
  EACH_LANE(fg_operation_values_call(f, (fg_called)d->i->imm.i, a[l], two ? b[l] : 0));
}
static bool run_sum(const fg_code_machine *r, const fg_code_decoded *d) { EACH_LANE(fg_gf_add(f, a[l], b[l])); }
static bool run_difference(const fg_code_machine *r, const fg_code_decoded *d) { EACH_LANE(fg_gf_sub(f, a[l], b[l])); }
static bool run_product(const fg_code_machine *r, const fg_code_decoded *d) { EACH_LANE(fg_gf_mul(f, a[l], b[l])); }
static bool run_fused_add(const fg_code_machine *r, const fg_code_decoded *d) {
  EACH_LANE(fg_gf_add(f, fg_gf_mul(f, a[l], b[l]), c[l]));
}
static bool run_fused_sub(const fg_code_machine *r, const fg_code_decoded *d) {
  EACH_LANE(fg_gf_sub(f, fg_gf_mul(f, a[l], b[l]), c[l]));
}
static bool run_fused_negadd(const fg_code_machine *r, const fg_code_decoded *d) {
  EACH_LANE(fg_gf_sub(f, c[l], fg_gf_mul(f, a[l], b[l])));
}

/* An iteration that is left out ends here. */
static bool leaves_out(const fg_code_decoded *d) {
  return fg_proof_text_leaves_out((int)d->i->imm.i, (long long)*d->a);
}

static bool run_stage(const fg_code_machine *r, const fg_code_decoded *d) {
  (void)r;
  fg_proof_text_begins((int)d->i->imm.i);
  return true;
}

static bool run_shuffle(const fg_code_machine *r, const fg_code_decoded *d) {
  const int32_t *list = r->code->list + d->i->list;
  int wide = r->at[d->i->a].i->lanes;
  for (int l = 0; l < d->i->lanes; l++) d->x[l] = list[l] < wide ? d->a[list[l]] : d->b[list[l] - wide];
  return true;
}

static bool run_assign(const fg_code_machine *r, const fg_code_decoded *d) {
  const fg_instr *v = r->at[d->i->a].i;
  memcpy(r->at[d->i->a].x, d->b, sizeof *d->b * (size_t)(v->type == FG_CODE_POINTER ? 2 : v->lanes));
  return true;
}

/* It is what was assigned to it. */
static bool run_nothing(const fg_code_machine *r, const fg_code_decoded *d) {
  (void)r, (void)d;
  return true;
}

static bool run_other(const fg_code_machine *r, const fg_code_decoded *d) {
  const fg_instr *i = d->i;
  for (int l = 0; l < i->lanes; l++) switch (i->op) {
    case FG_CODE_NUMBER: d->x[l] = i->imm.image; break;
    case FG_CODE_SPLAT: d->x[l] = d->a[0]; break;
    case FG_CODE_LANE: d->x[l] = d->a[i->imm.i]; break;
    case FG_CODE_MAKE: d->x[l] = *r->at[r->code->list[i->list + l]].x; break;
    case FG_CODE_SELECT: d->x[l] = *d->a ? d->b[l] : d->c[l]; break;
    default: return fg_prove_code_fail(r, d, "no operation on numbers");
    }
  return true;
}

/* ---- control ------------------------------------------------------------------------------ */

/* From one instruction to before another. */
static bool run_range(const fg_code_machine *r, const fg_code_decoded *from, const fg_code_decoded *to) {
  for (const fg_code_decoded *d = from; d < to; d++) {
    if (d->i->op == FG_CODE_ASK && leaves_out(d)) return true;
    if (!d->run(r, d)) return false;
    if (d->end) d = r->at + d->end;
  }
  return true;
}

/* The first of the last `kept` iterations from x on; x, if it is one of them. */
static int64_t behind_gap(int64_t x, int64_t to, int64_t step, int64_t kept) {
  int64_t left = (to - x + step - 1) / step;
  return left > kept ? x + (left - kept) * step : x;
}

static bool run_bracket(const fg_code_machine *r, const fg_code_decoded *d) {
  const fg_instr *i = d->i;
  const fg_code_decoded *first = d + 1, *end = r->at + d->end;
  if (i->op == FG_CODE_PART) return run_range(r, first, end);
  bool left_out = i->op == FG_CODE_STEP && r->share->step >= 0 && r->share->step != i->imm.i;
  if (i->op == FG_CODE_STEP) return left_out || run_range(r, first, end);
  if (i->op == FG_CODE_IF) return !*d->a || run_range(r, first, end);
  if (i->imm.i <= 0) return fg_prove_code_fail(r, d, "a step that does not rise");
  int64_t kept = d->outermost ? r->share->ends : 0, from = (int64_t)*d->a, to = (int64_t)*d->b;
  for (int64_t x = from; x < to; x += i->imm.i) {
    if (kept && x == from + kept * i->imm.i) x = behind_gap(x, to, i->imm.i, kept);
    *d->x = (uint64_t)x;
    if (!run_range(r, first, end)) return false;
  }
  return true;
}

/* Ends of brackets. False: they do not match. */
static bool match_brackets(fg_context *cx, const fg_code_machine *r) {
  const fg_instructions *code = r->code;
  int32_t *open = fg_arena_new(cx->arena, int32_t, code->count + 1), depth = 0, loops = 0;
  for (int32_t n = 0; n < code->count; n++) {
    for (int32_t k = 0; fg_prove_code_is_common(&code->instr[n]) && k < depth; k++) r->at[open[k]].together = true;
    if (fg_code_is_bracket((fg_code_op)code->instr[n].op)) open[depth++] = n;
    if (code->instr[n].op == FG_CODE_LOOP) r->at[n].outermost = loops++ == 0;
    bool asked = depth && code->instr[open[depth - 1]].op == FG_CODE_LOOP;
    if (code->instr[n].op == FG_CODE_ASK && !asked) return fg_prove_code_fail(r, &r->at[n], "in no loop");
    if (code->instr[n].op != FG_CODE_END) continue;
    if (depth == 0) return fg_prove_code_fail(r, &r->at[n], "closes nothing");
    r->at[open[--depth]].end = n;
    loops -= code->instr[open[depth]].op == FG_CODE_LOOP;
  }
  return depth == 0 || fg_prove_code_fail(r, &r->at[open[0]], "is not closed");
}

/* The value of an operand; none: the instruction's own, that nothing reads. */
static uint64_t *operand(const int32_t *place, int32_t count, uint64_t *value, int32_t number, uint64_t *none) {
  return number >= 0 && number < count ? &value[place[number]] : none;
}

typedef bool runner(const fg_code_machine *r, const fg_code_decoded *d);

static bool run_alone(const fg_code_machine *r, const fg_code_decoded *d) {
  return fg_prove_code_fail(r, d, "lanes alone");
}

/* By operation; none: as its type says. */
static runner *const runners[UINT8_MAX + 1] = {
    [FG_CODE_AT] = run_at,
    [FG_CODE_LOAD] = run_load,
    [FG_CODE_STORE] = run_store,
    [FG_CODE_STREAM] = run_store,
    [FG_CODE_LOOKUP] = run_lookup,
    [FG_CODE_NEGATE] = run_negate,
    [FG_CODE_CALL] = run_call,
    [FG_CODE_SUM] = run_sum,
    [FG_CODE_DIFFERENCE] = run_difference,
    [FG_CODE_PRODUCT] = run_product,
    [FG_CODE_FUSED_ADD] = run_fused_add,
    [FG_CODE_FUSED_SUB] = run_fused_sub,
    [FG_CODE_FUSED_NEGADD] = run_fused_negadd,
    [FG_CODE_SHUFFLE] = run_shuffle,
    [FG_CODE_FROM_LANE] = run_alone,
    [FG_CODE_MATRIX_PRODUCT] = run_alone,
    [FG_CODE_VARIABLE] = run_nothing,
    [FG_CODE_ASK] = run_nothing,
    [FG_CODE_STAGE] = run_stage,
    [FG_CODE_ASSIGN] = run_assign,
};

/* Kind, lanes and memory of a variable stay. */
static bool fits_variable(const fg_instructions *code, const fg_instr *i) {
  if (i->a < 0 || i->a >= code->count || i->b < 0 || i->b >= code->count) return false;
  const fg_instr *v = &code->instr[i->a], *x = &code->instr[i->b];
  return v->op == FG_CODE_VARIABLE && v->type == x->type && v->lanes == x->lanes && v->memory == x->memory;
}

/* What uses a pointer says to which memory it leads. */
static bool leads_elsewhere(const fg_instructions *code, const fg_instr *i) {
  if (i->op == FG_CODE_ASSIGN) return !fits_variable(code, i);
  if (i->op == FG_CODE_VARIABLE) return false;
  bool uses = (i->op >= FG_CODE_AT && i->op <= FG_CODE_FETCH) || (i->type == FG_CODE_POINTER && i->op > FG_CODE_FENCE);
  return uses && (i->a < 0 || i->a >= code->count || code->instr[i->a].memory != i->memory);
}

static runner *runner_of(const fg_instructions *code, const fg_code_decoded *d) {
  const fg_instr *i = d->i;
  bool memory = i->op >= FG_CODE_LOOKUP && i->op <= FG_CODE_FENCE;
  bool real = i->type == FG_CODE_REAL || i->type == FG_CODE_FRAGMENT;
  if (d->end) return run_bracket;
  if (leads_elsewhere(code, i)) return run_strange;
  if (i->type == FG_CODE_POINTER || memory) return runners[i->op] ? runners[i->op] : run_memory;
  bool marks = i->op == FG_CODE_ASK || i->op == FG_CODE_STAGE;
  if (!real && !marks && i->op != FG_CODE_SELECT && i->op != FG_CODE_ASSIGN) return run_index;
  return runners[i->op] ? runners[i->op] : run_other;
}

/* Places of values. */
static void lay_out(fg_context *cx, fg_code_machine *r) {
  const fg_instructions *code = r->code;
  int32_t *place = fg_arena_new(cx->arena, int32_t, code->count + 1), room = 0;
  for (int32_t n = 0; n < code->count; n++) {
    const fg_instr *i = &code->instr[n];
    place[n] = room;
    bool numbers = i->type == FG_CODE_REAL || i->type == FG_CODE_FRAGMENT;
    room += i->type == FG_CODE_POINTER ? 2 : numbers ? i->lanes : 1;
  }
  uint64_t *value = fg_arena_new(cx->arena, uint64_t, room + 1);
  for (int32_t n = 0; n < code->count; n++) {
    const fg_instr *i = &code->instr[n];
    fg_code_decoded *d = &r->at[n];
    d->i = i;
    d->x = &value[place[n]];
    d->a = operand(place, code->count, value, i->a, d->x);
    d->b = operand(place, code->count, value, i->b, d->x);
    d->c = operand(place, code->count, value, i->c, d->x);
    d->run = runner_of(code, d);
  }
}

/* A block of several warps, one after the other: a list has no memory that they share. */
static bool run_block(fg_context *cx, const fg_code_machine *first) {
  const fg_instructions *code = first->code;
  fg_code_machine *lane = fg_arena_new(cx->arena, fg_code_machine, FG_MATRIX_LANES);
  if (code->threads % FG_MATRIX_LANES) return fg_prove_code_fail(first, first->at, "threads that are no whole warps");
  for (int l = 0; l < FG_MATRIX_LANES; l++) {
    lane[l] = *first;
    lane[l].at = fg_arena_new(cx->arena, fg_code_decoded, code->count + 1);
    if (!match_brackets(cx, &lane[l])) return false;
    lay_out(cx, &lane[l]);
  }
  for (int warp = 0; warp < code->threads; warp += FG_MATRIX_LANES) {
    for (int l = 0; l < FG_MATRIX_LANES; l++) lane[l].thread = warp + l;
    if (!fg_prove_code_warp(lane, 0, code->count)) return false;
  }
  return true;
}

bool fg_prove_code_run(fg_context *cx, const fg_instructions *code, const fg_field *f, const fg_prove_code_memory *m,
                       const fg_prove_code_share *share, char why[128]) {
  fg_code_machine r = {.code = code, .f = f, .m = m, .share = share, .why = why};
  r.memory = fg_arena_new(cx->arena, fg_code_touched, FG_CODE_MEMORIES);
  if (code->threads) return run_block(cx, &r) && memories_lie_apart(&r);
  r.at = fg_arena_new(cx->arena, fg_code_decoded, code->count + 1);
  if (!match_brackets(cx, &r)) return false;
  lay_out(cx, &r);
  return run_range(&r, r.at, r.at + code->count) && memories_lie_apart(&r);
}
