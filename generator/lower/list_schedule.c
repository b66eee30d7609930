/* List scheduling of an iteration's statements, for vectors with few registers or long latencies. In: the lines of an
 * iteration, each a statement, in the order of the codelet's schedule. Out: the same lines in another order.
 *
 * The codelet's schedule keeps register pressure low and leaves latencies to the CPU, whose reorder window is a third
 * of a long iteration. Here the next statement is chosen among the first few of that schedule: one whose operands and
 * port are ready, that ends the lives of values, and that has the longest critical path behind it (Gibbons and
 * Muchnick 1986). Loads are put right before their first use. The lookahead is the one with the fewest spills. */
#include "generator/lower/list_schedule.h"
#include "generator/lower/transpose.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"
#include "generator/text/lines.h"
#include "targets/machine/limits.h"
#include <limits.h>
#include <string.h>

static const fg_limits *const limit = &fg_machine_limits;

/* What a statement keeps busy. FREE: nothing that counts; such lines are put before their first use. */
typedef enum unit { FREE, SUM, PRODUCT, EXCHANGE, STORE, UNITS } unit;

typedef struct statement {
  unit unit;
  bool load; /* a vector from memory */
  bool constant;
  bool fence;  /* a fence follows it */
  bool placed; /* in the new order */
  int latency, height;
  int noperand, *operand; /* lines, each once */
  int users, left;        /* of a vector: statements that mention it, those that remain */
  int ready;              /* when its result is there: clocks / 4 */
} statement;

typedef struct iteration {
  fg_arena *arena;
  fg_lines of;
  statement *s;
  int *order, count; /* statements that are not FREE */
  bool stores_last;  /* they wait for all loads */
  int loads, registers;
  const char *fence;
} iteration;

/* Statements among which one is chosen; 1: the order of the schedule. */
static const int AHEAD[] = {24, 16, 12, 8, 6, 1};

/* ---- reading ------------------------------------------------------------------- */

static bool is_statement(const iteration *t, int line) {
  const char *end = t->of.line[line + 1] - 2;
  return end >= t->of.line[line] && *end == ';' && !fg_lines_begins(&t->of, line, "(void)");
}

/* What computes it is known by its name; vectors that nothing does are loads, gathered ones too, or constants. */
static void classify(iteration *t, int line, fg_unit by) {
  static const unit of[] = {FREE, SUM, PRODUCT, PRODUCT, EXCHANGE, FREE};
  const int64_t latency[] = {0, limit->latency_sum, limit->latency_sum, limit->latency_fused, limit->latency_exchange,
                             0};
  statement *s = &t->s[line];
  bool vector = fg_lines_begins(&t->of, line, "const vec"), defines = fg_lines_begins(&t->of, line, "const ");
  s->unit = vector ? of[by] : defines || fg_lines_has(&t->of, line, "*const ") ? FREE : STORE;
  s->latency = vector ? latency[by] : 0;
  s->constant = vector && s->unit == FREE && by != FG_UNIT_LOAD && !s->noperand && !fg_lines_has(&t->of, line, "[");
  s->load = vector && s->unit == FREE && !s->constant;
}

/* Names are in the order of their lines; the others are pointers' and numbers'. */
static fg_unit unit_of(const fg_writer *w, int *next, fg_word word) {
  for (int i = *next; word.text && i < w->nnamed; i++) {
    if (strlen(w->named[i].name) != word.length || memcmp(w->named[i].name, word.text, word.length) != 0) continue;
    *next = i + 1;
    return w->named[i].unit;
  }
  return FG_UNIT_NONE;
}

static void find_operands(iteration *t, int line) {
  statement *s = &t->s[line];
  s->noperand = fg_lines_operands(t->arena, &t->of, line, &s->operand);
  for (int i = 0; i < s->noperand; i++) t->s[s->operand[i]].users++;
}

/* A variable is given a value that another line reads, before or behind it. */
static bool has_variables(const iteration *t) {
  fg_lines assigned = fg_lines_of(t->arena, t->of.line[0]);
  for (int i = 0; i < t->of.count; i++)
    if (t->s[i].unit == STORE) fg_lines_define(&assigned, i);
  for (int i = 0; i < t->of.count; i++) {
    const char *at = t->of.line[i];
    for (fg_word word; (word = fg_lines_word(&t->of, i, &at)).text;) {
      int by = fg_lines_definer(&assigned, word);
      if (by >= 0 && by != i) return true;
    }
  }
  return false;
}

/* Lines as statements; false: there are others, or a variable changes. */
static bool read_iteration(const fg_writer *w, iteration *t) {
  int before = -1, named = 0;
  for (int i = 0; i < t->of.count; i++) {
    if (t->fence && fg_lines_begins(&t->of, i, t->fence)) {
      for (int k = before + 1; k < i; k++) t->s[k].fence = t->s[k].load;
      t->s[before = i].unit = FREE;
      t->s[i].placed = true;
      continue;
    }
    if (!is_statement(t, i)) return false;
    find_operands(t, i);
    fg_word word = fg_lines_defines(&t->of, i);
    classify(t, i, unit_of(w, &named, word));
    if (word.text && fg_lines_definer(&t->of, word) >= 0) return false; /* two of that name */
    if (t->s[i].unit != STORE) fg_lines_define(&t->of, i);
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

/* Belady's, as in pressure.c, of lines; a number from memory that is wanted once is an operand there. */
typedef struct room {
  const iteration *t;
  int *next; /* per line: position of its next use */
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

/* ---- writing --------------------------------------------------------------------- */

static void write_line(fg_writer *w, iteration *t, int line) {
  statement *s = &t->s[line];
  if (s->placed) return;
  s->placed = true;
  for (int i = 0; i < s->noperand; i++) write_line(w, t, s->operand[i]);
  fg_strbuf_addn(w->out, t->of.line[line], (size_t)(t->of.line[line + 1] - t->of.line[line]));
  if (s->fence) fg_lower_line(w, "%s", t->fence);
}

/* Pointers, which are first, and unused statements keep their position; constants keep their order, which is that of
 * the text over prime fields. */
static void write_iteration(fg_writer *w, iteration *t, const int *order) {
  bool first = true;
  for (int i = 0; i < t->of.count; i++) t->s[i].placed = t->fence && fg_lines_begins(&t->of, i, t->fence);
  for (int i = 0; i < t->of.count; i++) {
    const statement *s = &t->s[i];
    first = first && s->unit == FREE && !s->load;
    if (s->unit == FREE && (first || s->constant || !s->users)) write_line(w, t, i);
  }
  for (int i = 0; i < t->count; i++) write_line(w, t, order[i]);
}

/* Iterations on vectors; by themselves where registers are few, and pairs where vectors are double-pumped. */
static bool is_wanted(const fg_writer *w) {
  const fg_isa *isa = w->e->o->isa;
  bool vectors = isa && !w->e->coder && !w->e->launched && w->width > 1 && w->codelet && !w->hold;
  if (!vectors) return false;
  bool slow_pairs =
      fg_spell_is_double_pumped(w->e) && w->stage->vectors.packed && fg_lower_stage_bytes(w) < limit->listed_most;
  return fg_plan_option(w->e->p->plan, FG_PARAM_LIST_SCHEDULE, isa->registers <= 16 || slow_pairs);
}

void fg_list_schedule_iteration(fg_writer *w, size_t from) {
  if (!is_wanted(w)) return;
  fg_arena *a = w->e->cx->arena;
  iteration t = {.arena = a,
                 .of = fg_lines_of(a, fg_arena_printf(a, "%s", w->out->text + from)),
                 .registers = w->e->o->isa->registers,
                 .stores_last = w->load.memory == w->store.memory,
                 .fence = w->e->d->stage_fence};
  t.s = fg_arena_new(a, statement, t.of.count + 1);
  t.order = fg_arena_new(a, int, t.of.count + 1);
  if (!read_iteration(w, &t)) return;
  find_heights(&t);
  for (int i = 0; i < t.of.count; i++) t.loads += t.s[i].load && t.s[i].users;
  int *best = NULL, least = INT_MAX;
  for (size_t i = 0; i < sizeof AHEAD / sizeof *AHEAD; i++) {
    int *order = fg_arena_new(a, int, t.count + 1);
    memcpy(order, t.order, sizeof *order * (size_t)t.count);
    if (!reorder(&t, order, AHEAD[i])) return;
    int n = spills(&t, order);
    if (n < least) least = n, best = order;
  }
  fg_strbuf_cut(w->out, from);
  write_iteration(w, &t, best);
}
