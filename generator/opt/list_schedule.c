/* List scheduling of an iteration's statements, for vectors with few registers or long latencies. In: an iteration's
 * statements in the order of the codelet's schedule. Out: the same in another order.
 *
 * The codelet's schedule keeps register pressure low and leaves latencies to the CPU, whose reorder window is a third
 * of a long iteration. Here the next statement is chosen among the first few of that schedule: one whose operands and
 * port are ready, that ends the lives of values, and that has the longest critical path behind it (Gibbons and
 * Muchnick 1986). Loads are put right before their first use. The lookahead is the one with the fewest spills. */
#include "generator/opt/list_schedule.h"
#include "generator/opt/region.h"
#include "generator/text/recorder_order.h"
#include "targets/machine/limits.h"
#include <limits.h>
#include <string.h>

/* What a statement keeps busy. FREE: nothing that counts; such statements are put before their first use. */
typedef enum unit { FREE, SUM, PRODUCT, EXCHANGE, STORE, UNITS } unit;

typedef struct statement {
  unit unit;
  bool load; /* a vector from memory */
  bool constant;
  bool fence;  /* a fence follows it */
  bool placed; /* in the new order */
  int latency, height;
  int noperand;
  const int *operand;
  int users, left; /* of a vector: statements that mention it, those that remain */
  int ready;       /* when its result is there: clocks / 4 */
} statement;

typedef struct iteration {
  fg_arena *arena;
  fg_region of;
  statement *s;
  int *order, count; /* statements that are not FREE */
  bool stores_last;  /* they wait for all loads */
  int loads, registers;
  int32_t *number, nnumber; /* the new order, of instructions */
} iteration;

/* Statements among which one is chosen; 1: the order of the schedule. */
static const int AHEAD[] = {24, 16, 12, 8, 6, 1};

/* ---- reading ------------------------------------------------------------------- */

static const fg_instr *instr_of(const iteration *t, int i) { return &fg_coder_code(t->of.c)->instr[t->of.s[i].number]; }

static bool is_fence(const iteration *t, int i) {
  return t->of.s[i].op == FG_CODE_KEEP && instr_of(t, i)->imm.i == FG_KEEP_MEMORY;
}

/* Vectors that nothing computes are loads, gathered ones too, or constants. */
static void classify(iteration *t, int i) {
  static const unit of[] = {FREE, SUM, PRODUCT, PRODUCT, EXCHANGE, FREE};
  const int64_t latency[] = {0, limit->latency_sum, limit->latency_sum, limit->latency_fused, limit->latency_exchange,
                             0};
  const fg_statement *from = &t->of.s[i];
  statement *s = &t->s[i];
  s->unit = from->vector ? of[from->unit] : from->op == FG_CODE_NAME ? FREE : STORE;
  s->latency = from->vector ? (int)latency[from->unit] : 0;
  s->constant = from->vector && s->unit == FREE && !from->reads && !from->noperand;
  s->load = from->vector && s->unit == FREE && !s->constant;
  s->operand = from->operand, s->noperand = from->noperand;
  for (int k = 0; k < s->noperand; k++) t->s[s->operand[k]].users++;
}

/* A variable is given a value that another statement reads, before or behind it. */
static bool has_variables(const iteration *t) {
  const fg_instr *all = fg_coder_code(t->of.c)->instr;
  for (int i = 0; i < t->of.count; i++) {
    if (t->of.s[i].op != FG_CODE_SET) continue;
    const char *name = instr_of(t, i)->name;
    for (int k = 0; k < t->of.count; k++) {
      const fg_statement *s = &t->of.s[k];
      for (int o = 0; o < s->noperand; o++)
        if (s->operand[o] == i) return true;
      for (int o = 0; o < s->nother; o++)
        if (all[s->other[o]].name && !strcmp(all[s->other[o]].name, name)) return true;
    }
  }
  return false;
}

static bool is_movable(fg_code_op op) {
  return op == FG_CODE_NAME || op == FG_CODE_SET || op == FG_CODE_STORE || op == FG_CODE_STREAM;
}

/* False: there are others, or a variable changes. */
static bool read_iteration(iteration *t) {
  int before = -1;
  for (int i = 0; i < t->of.count; i++) {
    if (is_fence(t, i)) {
      for (int k = before + 1; k < i; k++) t->s[k].fence = t->s[k].load;
      t->s[before = i].unit = FREE;
      t->s[i].placed = true;
      continue;
    }
    if (!is_movable(t->of.s[i].op)) return false;
    classify(t, i);
    if (t->s[i].unit != FREE) t->order[t->count++] = i;
  }
  return !has_variables(t);
}

static void find_heights(iteration *t) {
  for (int i = t->of.count - 1; i >= 0; i--) {
    statement *s = &t->s[i];
    s->height += s->latency;
    for (int k = 0; k < s->noperand; k++)
      if (t->s[s->operand[k]].height < s->height) t->s[s->operand[k]].height = s->height;
  }
}

/* ---- choosing ------------------------------------------------------------------- */

typedef struct clock { /* in quarters: four statements begin in one */
  int now, unit[UNITS], alive, loads;
} clock;

static bool may_begin(const iteration *t, const clock *c, const statement *s) {
  if (s->unit == STORE && t->stores_last && c->loads) return false;
  for (int i = 0; i < s->noperand; i++)
    if (t->s[s->operand[i]].unit != FREE && !t->s[s->operand[i]].placed) return false;
  return true;
}

/* Registers more, or less, behind it. */
static int growth(const iteration *t, const statement *s) {
  int more = s->unit != STORE;
  for (int i = 0; i < s->noperand; i++) {
    const statement *o = &t->s[s->operand[i]];
    more += o->load && !o->placed;
    more -= (o->load || o->unit != FREE) && o->left == 1;
  }
  return more;
}

/* How much is against a statement: a register too many outweighs all, one more is as much as five clocks of waiting.
 * Of 14 problems, all weights within a factor of two of these came within a hundredth. */
static int against(const iteration *t, const clock *c, const statement *s) {
  int start = c->now, more = growth(t, s), over = c->alive + more - (t->registers - 1);
  for (int i = 0; i < s->noperand; i++)
    if (t->s[s->operand[i]].ready > start) start = t->s[s->operand[i]].ready;
  int busy = c->unit[s->unit] > c->now ? c->unit[s->unit] - c->now : 0;
  return (over > 0 ? 100000 * over : 0) + 3 * (start - c->now + busy) - 2 * s->height + 60 * more;
}

static int choose(const iteration *t, const clock *c, const int *order, int left, int ahead) {
  int best = -1, least = INT_MAX;
  for (int i = 0; i < left && (i < ahead || best < 0); i++) {
    const statement *s = &t->s[order[i]];
    if (!may_begin(t, c, s)) continue;
    int cost = against(t, c, s);
    if (cost < least) least = cost, best = i;
  }
  return best;
}

static void begin(iteration *t, clock *c, int line) {
  statement *s = &t->s[line];
  int start = c->now > c->unit[s->unit] ? c->now : c->unit[s->unit];
  c->unit[s->unit] = (c->unit[s->unit] > c->now ? c->unit[s->unit] : c->now) + (s->unit == STORE ? 4 : 2);
  c->alive += growth(t, s);
  for (int i = 0; i < s->noperand; i++) {
    statement *o = &t->s[s->operand[i]];
    if (o->ready > start) start = o->ready;
    c->loads -= o->load && !o->placed;
    o->placed = true;
    o->left--;
  }
  s->ready = start + 4 * s->latency;
  s->placed = true;
  c->now++;
}

static void put_back(iteration *t) {
  for (int i = 0; i < t->of.count; i++) t->s[i].placed = false, t->s[i].left = t->s[i].users, t->s[i].ready = 0;
}

/* Changes `order`, statements in the order of the schedule. */
static bool reorder(iteration *t, int *order, int ahead) {
  clock c = {.loads = t->loads};
  put_back(t);
  for (int done = 0; done < t->count; done++) {
    int at = choose(t, &c, order + done, t->count - done, ahead);
    if (at < 0) return false;
    int line = order[done + at];
    memmove(&order[done + 1], &order[done], sizeof *order * (size_t)at);
    begin(t, &c, order[done] = line);
  }
  return true;
}

/* ---- registers ------------------------------------------------------------------- */

/* Belady's, as in pressure.c, of statements; a number from memory that is wanted once is an operand there. */
typedef struct room {
  const iteration *t;
  int *next; /* by statement: position of its next use */
  int held[64], count, spills;
} room;

static void hold(room *r, int line) {
  int worst = 0;
  for (int i = 0; i < r->count; i++) {
    if (r->held[i] == line) return;
    if (r->next[r->held[i]] > r->next[r->held[worst]]) worst = i;
  }
  if (r->count == r->t->registers) {
    r->spills += r->t->s[r->held[worst]].load ? 1 : 2;
    r->held[worst] = r->held[--r->count];
  }
  r->held[r->count++] = line;
}

static bool takes_register(const statement *s) { return s->unit == FREE ? s->load && s->users > 1 : s->users > 0; }

/* following[at][k]: the use of its operand k behind position `at`. */
static int **find_uses(const iteration *t, const int *order, int *next) {
  int **following = fg_arena_new(t->arena, int *, t->count + 1);
  for (int i = 0; i < t->of.count; i++) next[i] = INT_MAX;
  for (int at = t->count - 1; at >= 0; at--) {
    const statement *s = &t->s[order[at]];
    following[at] = fg_arena_new(t->arena, int, s->noperand + 1);
    for (int k = 0; k < s->noperand; k++) following[at][k] = next[s->operand[k]], next[s->operand[k]] = at;
  }
  return following;
}

static int spills(const iteration *t, const int *order) {
  room r = {.t = t, .next = fg_arena_new(t->arena, int, t->of.count + 1)};
  int **following = find_uses(t, order, r.next);
  for (int at = 0; at < t->count; at++) {
    const statement *s = &t->s[order[at]];
    for (int k = 0; k < s->noperand; k++)
      if (takes_register(&t->s[s->operand[k]])) hold(&r, s->operand[k]);
    for (int k = 0; k < s->noperand; k++) r.next[s->operand[k]] = following[at][k];
    int kept = 0;
    for (int k = 0; k < r.count; k++)
      if (r.next[r.held[k]] != INT_MAX) r.held[kept++] = r.held[k];
    r.count = kept;
    if (takes_register(s)) hold(&r, order[at]);
  }
  return r.spills;
}

/* ---- placing --------------------------------------------------------------------- */

static void put(iteration *t, int i) {
  statement *s = &t->s[i];
  if (s->placed) return;
  s->placed = true;
  for (int k = 0; k < s->noperand; k++) put(t, s->operand[k]);
  t->number[t->nnumber++] = t->of.s[i].number;
  if (!s->fence) return;
  fg_instr fence = fg_coder_instr(FG_CODE_KEEP, FG_CODE_NONE, 0);
  fence.imm.i = FG_KEEP_MEMORY;
  t->number[t->nnumber++] = fg_coder_make(t->of.c, fence);
}

/* Pointers, which are first, and unused statements keep their position; constants keep their order, which is that of
 * the text over prime fields. */
static void place(iteration *t, const int *order) {
  bool first = true;
  t->number = fg_arena_new(t->arena, int32_t, 2 * t->of.count + 1);
  for (int i = 0; i < t->of.count; i++) t->s[i].placed = is_fence(t, i);
  for (int i = 0; i < t->of.count; i++) {
    const statement *s = &t->s[i];
    first = first && s->unit == FREE && !s->load;
    if (s->unit == FREE && (first || s->constant || !s->users)) put(t, i);
  }
  for (int i = 0; i < t->count; i++) put(t, order[i]);
  fg_region_order(&t->of, t->number, t->nnumber);
}

bool fg_list_schedule(fg_coder *c, int32_t from, const fg_list_machine *m) {
  fg_arena *a = fg_coder_arena(c);
  iteration t = {.arena = a, .of = fg_region_of(c, from), .registers = m->registers};
  t.stores_last = m->stores_last;
  t.s = fg_arena_new(a, statement, t.of.count + 1);
  t.order = fg_arena_new(a, int, t.of.count + 1);
  if (!read_iteration(&t)) return false;
  find_heights(&t);
  for (int i = 0; i < t.of.count; i++) t.loads += t.s[i].load && t.s[i].users;
  int *best = NULL, least = INT_MAX;
  for (size_t i = 0; i < sizeof AHEAD / sizeof *AHEAD; i++) {
    int *order = fg_arena_new(a, int, t.count + 1);
    memcpy(order, t.order, sizeof *order * (size_t)t.count);
    if (!reorder(&t, order, AHEAD[i])) return false;
    int n = spills(&t, order);
    if (n < least) least = n, best = order;
  }
  place(&t, best);
  return true;
}
