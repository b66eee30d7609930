/* Software pipelining: an iteration transposes and stores its rows while the next one computes. In: loops, and the
 * statements of an iteration. Out: the first iteration's operations; loops with the operations of an iteration among
 * the stores of the previous one; the last iteration's stores.
 *
 * The idea (Lam 1988): the operations of a codelet and the transposition of its results need different ports, and
 * each of them is as long as a CPU's reorder window, so that written one after the other they do not overlap. Results
 * stay in registers until the next iteration, so there must be enough of them.
 *
 * The operations and their operands do not change: results have the same bits. */
#include "generator/opt/software_pipeline.h"
#include "generator/opt/region.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_order.h"
#include "generator/text/recorder_statements.h"
#include <string.h>

/* Stores of the previous iteration begin after a tenth of the operations, and end after seven tenths. */
enum { LEAD = 1, SPAN = 6, TENTHS = 10 };
enum { LEAST_TURNS = 3, LEAST_EXCHANGES = 8 };

typedef struct statement {
  bool late;             /* is moved among the next iteration's operations */
  bool ahead;            /* a constant, which is declared before the loops */
  int users, late_users; /* statements that use what it names */
  int32_t variable;      /* that holds its value for the next iteration; -1: none */
} statement;

typedef struct skew {
  fg_coder *c;
  fg_region of;
  int heads; /* the first statements: of the loops, */
  int depth; /* so many of them */
  statement *s;
  int *early, *late; /* statements, in their new order */
  int nearly, nlate;
  int32_t count; /* of instructions, before anything is copied */
  bool any;      /* vectors that the next iteration finds */
} skew;

static const fg_instr *instr_of(const skew *k, int32_t number) { return &fg_coder_code(k->c)->instr[number]; }

static fg_arena *arena(const skew *k) { return fg_coder_arena(k->c); }

static bool is_name(const skew *k, int i) { return k->of.s[i].op == FG_CODE_NAME; }

/* ---- loops --------------------------------------------------------------------------- */

static bool integer_of(const skew *k, int32_t number, int64_t *out) {
  const fg_instr *i = instr_of(k, number);
  *out = i->imm.i;
  return i->op == FG_CODE_INT;
}

/* False: there is something else between the loops, or their iterations are not known, or few. */
static bool read_loops(skew *k) {
  int64_t turns = 1;
  for (int i = 0; i < k->heads; i++) {
    const fg_statement *s = &k->of.s[i];
    const fg_instr *l = instr_of(k, s->number);
    int64_t first, end;
    if (s->op != FG_CODE_LOOP && s->op != FG_CODE_NAME && s->op != FG_CODE_ASK) return false;
    if (s->op != FG_CODE_LOOP) continue;
    if (!integer_of(k, l->a, &first) || !integer_of(k, l->b, &end)) return false;
    turns *= (end - first + l->imm.i - 1) / l->imm.i;
    k->depth++;
  }
  return k->depth && turns >= LEAST_TURNS;
}

/* ---- statements ---------------------------------------------------------------------- */

static bool stores_vectors(const skew *k, const fg_statement *s) {
  for (int i = 0; s->op != FG_CODE_NAME && i < s->noperand; i++)
    if (k->of.s[s->operand[i]].vector) return true;
  return false;
}

/* Stores, and exchanges for their sake alone. */
static bool is_late(const skew *k, int i) {
  const fg_statement *of = &k->of.s[i];
  const statement *s = &k->s[i];
  if (of->op != FG_CODE_NAME) return stores_vectors(k, of);
  return of->vector && of->unit == FG_UNIT_EXCHANGE && s->users && s->users == s->late_users;
}

/* False: a variable changes, there is a condition, or what is late needs a loop's counter. */
static bool read_iteration(skew *k) {
  for (int i = k->heads; i < k->of.count; i++) {
    const fg_statement *s = &k->of.s[i];
    const fg_instr *value = is_name(k, i) ? instr_of(k, instr_of(k, s->number)->a) : NULL;
    if (s->op == FG_CODE_SET || s->op == FG_CODE_END || fg_code_is_bracket(s->op)) return false;
    k->s[i].ahead = s->vector && value->op == FG_CODE_NUMBER;
    for (int o = 0; o < s->noperand; o++) k->s[s->operand[o]].users++;
  }
  for (int i = k->of.count - 1; i >= k->heads; i--) {
    const fg_statement *s = &k->of.s[i];
    k->s[i].late = is_late(k, i);
    for (int o = 0; k->s[i].late && o < s->noperand; o++) {
      if (s->operand[o] < k->heads) return false;
      k->s[s->operand[o]].late_users++;
    }
  }
  return true;
}

static bool is_carried(const skew *k, int i) {
  const statement *s = &k->s[i];
  return i >= k->heads && is_name(k, i) && !s->late && !s->ahead && s->late_users;
}

static void take_late(skew *k, bool *taken, int i) {
  const fg_statement *s = &k->of.s[i];
  if (taken[i] || !k->s[i].late) return;
  taken[i] = true;
  for (int o = 0; o < s->noperand; o++) take_late(k, taken, s->operand[o]);
  k->late[k->nlate++] = i;
}

/* Each store as soon as may be. */
static void order(skew *k) {
  bool *taken = fg_arena_new(arena(k), bool, k->of.count + 1);
  k->early = fg_arena_new(arena(k), int, k->of.count + 1);
  k->late = fg_arena_new(arena(k), int, k->of.count + 1);
  for (int i = k->heads; i < k->of.count; i++) {
    if (!k->s[i].late && !k->s[i].ahead) k->early[k->nearly++] = i;
    if (!is_name(k, i)) take_late(k, taken, i);
    k->any = k->any || (k->of.s[i].vector && is_carried(k, i));
  }
}

/* ---- copies -------------------------------------------------------------------------- */

/* What stands for a value from here on: by its instruction, -1: itself. */
static int32_t *new_map(const skew *k, bool carried) {
  int32_t *map = fg_arena_new(arena(k), int32_t, k->count + 1);
  memset(map, -1, sizeof *map * (size_t)k->count);
  for (int i = 0; carried && i < k->of.count; i++)
    if (is_carried(k, i)) map[k->of.s[i].number] = k->s[i].variable;
  return map;
}

static void put(skew *k, int i, int32_t *map) {
  int32_t number = k->of.s[i].number, copy = fg_region_copy(k->c, number, map);
  fg_region_place(k->c, copy);
  map[number] = copy;
}

static void put_block(skew *k) { fg_coder_block(k->c, "{"); }

/* Without the word by which it does not change, which is the last of a pointer's and else the first. */
static const char *variable_type(const skew *k, const char *type) {
  static const char word[] = "const", pointer[] = "*const";
  size_t length = strlen(type), tail = sizeof pointer - 1;
  if (length > tail && !strcmp(type + length - tail, pointer))
    return fg_arena_printf(arena(k), "%.*s", (int)(length - tail + 1), type);
  return strncmp(type, word, sizeof word - 1) ? type : type + sizeof word;
}

static void declare_carried(skew *k) {
  for (int i = 0; i < k->of.count; i++) {
    if (!is_carried(k, i)) continue;
    fg_instr v = *instr_of(k, k->of.s[i].number);
    v.op = FG_CODE_VARIABLE, v.a = v.b = v.c = -1;
    v.name = fg_arena_printf(arena(k), "o%s", v.name), v.type_words = variable_type(k, v.type_words);
    fg_coder_put(k->c, k->s[i].variable = fg_coder_make(k->c, v));
  }
}

static void hand_over(skew *k, const int32_t *map) {
  for (int i = 0; i < k->of.count; i++) {
    if (!is_carried(k, i)) continue;
    fg_instr give = {.op = FG_CODE_ASSIGN, .a = k->s[i].variable, .b = map[k->of.s[i].number], .c = -1};
    fg_coder_add(k->c, give);
  }
}

/* Each counter at its first value. */
static void put_first_iteration(skew *k) {
  int32_t *map = new_map(k, false);
  put_block(k);
  for (int i = 0; i < k->heads; i++) {
    const fg_instr *l = instr_of(k, k->of.s[i].number);
    if (is_name(k, i)) put(k, i, map);
    if (k->of.s[i].op != FG_CODE_LOOP) continue;
    const char *type = fg_arena_printf(arena(k), "const %s", l->type_words), *name = l->name;
    fg_coder_name(k->c, type, name, fg_coder_int(k->c, instr_of(k, l->a)->imm.i));
    map[k->of.s[i].number] = fg_coder_value(k->c, name);
  }
  for (int i = 0; i < k->nearly; i++) put(k, k->early[i], map);
  hand_over(k, map);
  fg_coder_close(k->c);
}

/* Where the innermost loop begins: with its second iteration where the others are at their first. */
static int32_t second_iteration(skew *k, const int32_t *map) {
  const char *first = NULL;
  int64_t from = 0, step = 1;
  for (int i = 0; i < k->heads; i++) {
    const fg_instr *l = instr_of(k, k->of.s[i].number);
    if (l->op != FG_CODE_LOOP) continue;
    from = instr_of(k, l->a)->imm.i, step = l->imm.i;
    int32_t now = map[k->of.s[i].number];
    if (now < 0) break;
    const char *begun = fg_coder_index(k->c, FG_CODE_LESS, fg_coder_handle(k->c, now), fg_coder_int(k->c, from + step));
    first = first ? fg_coder_index(k->c, FG_CODE_BOTH, first, begun) : begun;
  }
  const char *second = fg_coder_int(k->c, from + step);
  return fg_coder_value(k->c, first ? fg_coder_choice(k->c, first, second, fg_coder_int(k->c, from)) : second);
}

static void put_loops(skew *k, int32_t *map) {
  for (int i = 0, open = 0; i < k->heads; i++) {
    bool innermost = k->of.s[i].op == FG_CODE_LOOP && ++open == k->depth;
    if (innermost) map[instr_of(k, k->of.s[i].number)->a] = second_iteration(k, map);
    put(k, i, map);
  }
}

static void put_other_iterations(skew *k) {
  int32_t *map = new_map(k, false), *before = new_map(k, true);
  int next = 0;
  put_loops(k, map);
  for (int i = 0; i < k->nearly; i++) {
    put(k, k->early[i], map);
    while (next < k->nlate && next * k->nearly * SPAN <= (TENTHS * i - LEAD * k->nearly) * k->nlate)
      put(k, k->late[next++], before);
  }
  while (next < k->nlate) put(k, k->late[next++], before);
  hand_over(k, map);
  for (int i = 0; i < k->depth; i++) fg_coder_close(k->c);
}

bool fg_software_pipeline(fg_coder *c, int32_t loops, int32_t iteration) {
  skew k = {.c = c, .of = fg_region_of(c, loops)};
  int32_t taken;
  for (int32_t at = loops; at < iteration; at++) k.heads += fg_coder_is_statement(c, fg_coder_order(c)[at]);
  k.s = fg_arena_new(arena(&k), statement, k.of.count + 1);
  k.count = fg_coder_code(c)->count;
  if (!read_loops(&k) || !read_iteration(&k)) return false;
  order(&k);
  if (!k.any || k.nlate < LEAST_EXCHANGES) return false;
  fg_coder_take(c, loops, &taken);
  for (int i = k.heads; i < k.of.count; i++)
    if (k.s[i].ahead) fg_region_place(c, k.of.s[i].number);
  declare_carried(&k);
  put_first_iteration(&k);
  put_other_iterations(&k);
  put_block(&k);
  int32_t *map = new_map(&k, true);
  for (int i = 0; i < k.nlate; i++) put(&k, k.late[i], map);
  return true;
}
