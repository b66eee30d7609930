/* Software pipelining: an iteration transposes and stores its rows while the next one computes. In: the lines of an
 * iteration, in loops. Out: the first iteration's operations; loops with the operations of an iteration among the
 * stores of the previous one; the last iteration's stores.
 *
 * The idea (Lam 1988): the operations of a codelet and the transposition of its results need different ports, and
 * each of them is as long as a CPU's reorder window, so that written one after the other they do not overlap. Results
 * stay in registers until the next iteration, so there must be enough of them.
 *
 * The operations and their operands do not change: results have the same bits. */
#include "generator/lower/software_pipeline.h"
#include "generator/lower/access.h"
#include "generator/lower/loops.h"
#include "generator/lower/transpose.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"
#include "generator/text/lines.h"
#include "targets/machine/limits.h"
#include <string.h>

static const fg_limits *const limit = &fg_machine_limits;

/* Stores of the previous iteration begin after a tenth of the operations, and end after seven tenths. */
enum { LEAD = 1, SPAN = 6, TENTHS = 10 };
enum { LEAST_TURNS = 3, LEAST_EXCHANGES = 8 };

typedef struct statement {
  fg_unit unit;
  bool vector;
  bool defines;
  bool late;             /* is moved among the next iteration's operations */
  bool ahead;            /* a constant, which is declared before the loops */
  int users, late_users; /* lines that mention what it defines */
  int noperand, *operand;
} statement;

typedef struct skew {
  fg_writer *w;
  fg_lines of;
  statement *s;
  int *early, *late; /* lines, in their new order */
  int nearly, nlate;
  bool any; /* vectors that the next iteration finds */
} skew;

static fg_arena *arena(const skew *k) { return k->w->e->cx->arena; }

static void find_operands(skew *k, int line) {
  statement *s = &k->s[line];
  s->noperand = fg_lines_operands(arena(k), &k->of, line, &s->operand);
  for (int i = 0; i < s->noperand; i++) k->s[s->operand[i]].users++;
}

/* Lines may have another order by now than names (list_schedule.c). */
static void classify(skew *k, int line, fg_word word) {
  statement *s = &k->s[line];
  s->defines = word.text && (fg_lines_begins(&k->of, line, "const ") || fg_lines_has(&k->of, line, "*const "));
  for (int i = 0; s->defines && i < k->w->nnamed; i++) {
    const fg_named *n = &k->w->named[i];
    if (strlen(n->name) != word.length || memcmp(n->name, word.text, word.length) != 0) continue;
    s->vector = true, s->unit = n->unit;
    return;
  }
}

/* "const vec16 KP707106781 = ...": the text over prime fields has them in the same order, whatever its loops are. */
static bool is_constant(const skew *k, int line, fg_word word) {
  return word.text && word.text[0] == 'K' && fg_lines_begins(&k->of, line, "const vec");
}

static bool stores_vectors(const skew *k, const statement *s) {
  for (int i = 0; !s->defines && i < s->noperand; i++)
    if (k->s[s->operand[i]].vector) return true;
  return false;
}

/* Stores, and exchanges for their sake alone. */
static bool is_late(const skew *k, const statement *s) {
  if (!s->defines) return stores_vectors(k, s);
  return s->unit == FG_UNIT_EXCHANGE && s->users && s->users == s->late_users;
}

/* False: a name is defined twice, or a variable changes. */
static bool read_iteration(skew *k) {
  for (int i = 0; i < k->of.count; i++) {
    fg_word word = fg_lines_defines(&k->of, i);
    find_operands(k, i);
    classify(k, i, word);
    k->s[i].ahead = is_constant(k, i, word);
    if (word.text && (!k->s[i].defines || fg_lines_definer(&k->of, word) >= 0)) return false;
    fg_lines_define(&k->of, i);
  }
  for (int i = k->of.count - 1; i >= 0; i--) {
    statement *s = &k->s[i];
    s->late = is_late(k, s);
    for (int o = 0; s->late && o < s->noperand; o++) k->s[s->operand[o]].late_users++;
  }
  return true;
}

static bool is_carried(const statement *s) { return s->defines && !s->late && !s->ahead && s->late_users; }

/* ---- order ------------------------------------------------------------------------- */

static void take_late(skew *k, bool *taken, int line) {
  statement *s = &k->s[line];
  if (taken[line] || !s->late) return;
  taken[line] = true;
  for (int i = 0; i < s->noperand; i++) take_late(k, taken, s->operand[i]);
  k->late[k->nlate++] = line;
}

/* Each store as soon as may be. */
static void order_lines(skew *k) {
  bool *taken = fg_arena_new(arena(k), bool, k->of.count + 1);
  k->early = fg_arena_new(arena(k), int, k->of.count + 1);
  k->late = fg_arena_new(arena(k), int, k->of.count + 1);
  for (int i = 0; i < k->of.count; i++) {
    if (!k->s[i].late && !k->s[i].ahead) k->early[k->nearly++] = i;
    if (!k->s[i].defines) take_late(k, taken, i);
    k->any = k->any || (k->s[i].vector && is_carried(&k->s[i]));
  }
}

/* ---- text -------------------------------------------------------------------------- */

/* Behind its indent, which is the writer's. */
static const char *begin_line(const skew *k, int line) {
  fg_strbuf_addf(k->w->out, "%*s", k->w->indent, "");
  return k->of.line[line] + strspn(k->of.line[line], " ");
}

static void write_line(const skew *k, int line) {
  const char *from = begin_line(k, line);
  fg_strbuf_addn(k->w->out, from, (size_t)(k->of.line[line + 1] - from));
}

static void write_early(const skew *k, int at) { write_line(k, k->early[at]); }

/* What the iteration before made has a letter more. */
static void write_late(const skew *k, int at) {
  int line = k->late[at];
  const char *from = begin_line(k, line), *next = from;
  for (fg_word word; (word = fg_lines_word(&k->of, line, &next)).text; from = next) {
    int by = fg_lines_definer(&k->of, word);
    fg_strbuf_addn(k->w->out, from, (size_t)(word.text - from));
    if (by >= 0 && is_carried(&k->s[by])) fg_strbuf_add(k->w->out, "o");
    fg_strbuf_addn(k->w->out, word.text, word.length);
  }
  fg_strbuf_addn(k->w->out, from, (size_t)(k->of.line[line + 1] - from));
}

/* "float *const py = ...": a variable of that type. */
static void declare_pointer(const skew *k, int line) {
  static const char constant[] = "const ";
  const char *from = k->of.line[line] + strspn(k->of.line[line], " ");
  fg_word name = fg_lines_defines(&k->of, line);
  size_t length = (size_t)(name.text - from), tail = sizeof constant - 1;
  if (length > tail && !strncmp(name.text - tail, constant, tail) && name.text[-(ptrdiff_t)tail - 1] == '*')
    length -= tail;
  else
    from += tail, length -= tail;
  fg_lower_line(k->w, "%.*so%.*s;", (int)length, from, (int)name.length, name.text);
}

static void declare_carried(const skew *k) {
  fg_strbuf names;
  fg_strbuf_init(&names, arena(k));
  for (int i = 0; i < k->of.count; i++) {
    if (!is_carried(&k->s[i])) continue;
    fg_word name = fg_lines_defines(&k->of, i);
    if (k->s[i].vector)
      fg_strbuf_addf(&names, "%so%.*s", names.length ? ", " : "", (int)name.length, name.text);
    else
      declare_pointer(k, i);
  }
  fg_lower_line(k->w, "%s %s;", k->w->type, names.text);
}

static void hand_over(const skew *k) {
  for (int i = 0; i < k->of.count; i++) {
    if (!is_carried(&k->s[i])) continue;
    fg_word name = fg_lines_defines(&k->of, i);
    fg_lower_line(k->w, "o%.*s = %.*s;", (int)name.length, name.text, (int)name.length, name.text);
  }
}

static void write_mixed(const skew *k) {
  int next = 0;
  for (int i = 0; i < k->nearly; i++) {
    write_early(k, i);
    while (next < k->nlate && next * k->nearly * SPAN <= (TENTHS * i - LEAD * k->nearly) * k->nlate)
      write_late(k, next++);
  }
  while (next < k->nlate) write_late(k, next++);
}

static void write_loop(const skew *k, fg_nest *n) {
  int indent = k->w->indent - 2 * n->depth;
  fg_strbuf_cut(k->w->out, n->loop[0].at);
  k->w->indent = indent;
  for (int i = 0; i < k->of.count; i++)
    if (k->s[i].ahead) write_line(k, i);
  declare_carried(k);
  k->w->indent = indent + 2;
  fg_nest_first_iteration(n);
  for (int i = 0; i < k->nearly; i++) write_early(k, i);
  hand_over(k);
  fg_nest_close(n);
  fg_nest_other_iterations(n);
  k->w->indent = n->indent;
  write_mixed(k);
  hand_over(k);
  fg_nest_close(n);
  fg_nest_open(n, "{");
  k->w->indent = n->indent;
  for (int i = 0; i < k->nlate; i++) write_late(k, i);
}

/* ---- where ------------------------------------------------------------------------- */

static bool may_skew(const fg_writer *w, const fg_nest *n) {
  const fg_isa *isa = w->e->o->isa;
  bool vectors = isa && !w->e->coder && !w->e->launched && w->width > 1 && w->codelet && !w->hold;
  return vectors && fg_nest_iterations(n) >= LEAST_TURNS && fg_access_plan_has_rows(&w->store) &&
         w->load.memory != w->store.memory;
}

/* Registers for two iterations' vectors; and double-pumped vectors, which leave a CPU's window soon, or pairs that
 * leave as parts, with a step of exchanges more. */
static bool is_wanted(const fg_writer *w) {
  int vectors = w->codelet->nout / (w->pack ? 2 : 1);
  bool slow = fg_spell_is_double_pumped(w->e) ||
              (fg_leaves_as_parts(w, &w->store) && fg_lower_stage_bytes(w) <= limit->pipelined_most);
  return fg_plan_option(w->e->p->plan, FG_PARAM_SOFTWARE_PIPELINE, slow && 2 * vectors <= w->e->o->isa->registers);
}

void fg_software_pipeline_loops(fg_writer *w, fg_nest *n, size_t from) {
  if (!may_skew(w, n) || !is_wanted(w)) return;
  skew k = {.w = w, .of = fg_lines_of(w->e->cx->arena, fg_arena_printf(w->e->cx->arena, "%s", w->out->text + from))};
  k.s = fg_arena_new(arena(&k), statement, k.of.count + 1);
  if (!read_iteration(&k)) return;
  order_lines(&k);
  if (k.any && k.nlate >= LEAST_EXCHANGES) write_loop(&k, n);
}
