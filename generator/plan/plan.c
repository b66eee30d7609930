/* Plans as text.
 *
 * In: one line, step(numbers, children; key=value). Out: a tree of fg_plan; and the way back. The one idea: a table
 * with one row for each step has the counts of numbers and children. What the numbers mean is
 * known to check.c. */
#include "generator/plan/plan.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "targets/ascii.h"
#include <string.h>

enum { MAX_DEPTH = 16 };

static const struct step {
  const char *name, *form;
  int least, most; /* numbers */
  int least_child, nchild;
  const char *help;
} steps[] = {
#define STEP(ID, NAME, FORM, LEAST, MOST, LEAST_CHILD, NCHILD, SERVES, LENGTH, CHECK, BUILD, TABLES, HELP)             \
  [FG_##ID] = {NAME, FORM, LEAST, MOST, LEAST_CHILD, NCHILD, HELP},
#include "generator/plan/steps.def"
    [FG_STEP_COUNT] = {NULL, NULL, 0, 0, 0, 0, NULL},
};

static const struct {
  const char *old;
  fg_step step;
} older_steps[] = {
#define ALIAS_STEP(old, STEP) {old, FG_##STEP},
#include "generator/plan/aliases.def"
};

static const char *step_at(int i) { return steps[i].name; }
const char *fg_step_name(fg_step s) { return steps[s].name; }
const char *fg_step_form(fg_step s) { return steps[s].form; }
const char *fg_step_help(fg_step s) { return steps[s].help; }

static const char *older_step_at(int i) {
  return i < (int)(sizeof older_steps / sizeof *older_steps) ? older_steps[i].old : NULL;
}

static int find_step(const char *name, size_t length) {
  int step = fg_words_find(name, length, step_at), older = fg_words_find(name, length, older_step_at);
  return step >= 0 || older < 0 ? step : (int)older_steps[older].step;
}

/* ---- parsing ------------------------------------------------------------- */

typedef struct parser {
  fg_context *cx;
  const char *text, *at;
} parser;

static fg_status fail(parser *ps, const char *at, const char *what, const char *allowed) {
  return fg_refuse(ps->cx, "plan, column %d: %s; allowed: %s", (int)(at - ps->text) + 1, what, allowed);
}

static char peek(parser *ps) {
  while (*ps->at == ' ' || *ps->at == '\t') ps->at++;
  return *ps->at;
}

static bool skip(parser *ps, char c) {
  if (peek(ps) != c) return false;
  ps->at++;
  return true;
}

static const char *here(parser *ps) {
  if (!peek(ps)) return "the end";
  return fg_words_quote(ps->cx->arena, ps->at, strcspn(ps->at, " \t"));
}

static fg_status expect(parser *ps, char c, const char *form) {
  if (skip(ps, c)) return FG_OK;
  return fail(ps, ps->at, fg_arena_printf(ps->cx->arena, "%s where '%c' belongs", here(ps), c), form);
}

static size_t name_length(parser *ps) {
  size_t n = 0;
  if (!fg_is_letter(peek(ps))) return 0;
  while (fg_is_word(ps->at[n]) || ps->at[n] == '-') n++;
  return n;
}

static fg_status parse_integer(parser *ps, int64_t lo, int64_t hi, int64_t *out) {
  const char *what = here(ps), *start = ps->at;
  const char *allowed = fg_arena_printf(ps->cx->arena, "%lld .. %lld", (long long)lo, (long long)hi);
  int64_t value = 0;
  bool fits = fg_is_digit(*ps->at);
  for (; fg_is_digit(*ps->at); ps->at++)
    fits = fits && !__builtin_mul_overflow(value, 10, &value) && !__builtin_add_overflow(value, *ps->at - '0', &value);
  if (!fits || value < lo || value > hi)
    return fail(ps, start, fg_arena_printf(ps->cx->arena, "%s is no number in range", what), allowed);
  *out = value;
  return FG_OK;
}

/* The list is in the order of params.def. */
static int place_of_param(const fg_plan *p, int id) {
  int i = 0;
  while (i < p->nparam && p->param[i].id < id) i++;
  return i;
}

static void insert_param(fg_plan *p, int at, fg_plan_param fresh) {
  memmove(&p->param[at + 1], &p->param[at], (size_t)(p->nparam - at) * sizeof *p->param);
  p->param[at] = fresh;
  p->nparam++;
}

static fg_status add_param(parser *ps, const char *start, fg_plan *p, fg_plan_param fresh) {
  const char *name = fg_param_table()[fresh.id].name;
  int i = place_of_param(p, fresh.id);
  if (i < p->nparam && p->param[i].id == fresh.id)
    return fail(ps, start, fg_arena_printf(ps->cx->arena, "'%s' given twice", name), "each parameter once");
  insert_param(p, i, fresh);
  return FG_OK;
}

fg_plan *fg_plan_with(fg_context *cx, const fg_plan *p, fg_param_id id, int64_t value) {
  fg_plan *own = fg_arena_copy(cx->arena, p, sizeof *p);
  fg_plan_param param = {.id = id, .value = value};
  int i = place_of_param(own, id);
  if (i < own->nparam && own->param[i].id == (int)id)
    own->param[i] = param;
  else
    insert_param(own, i, param);
  return own;
}

/* A name, or a number. */
static fg_status parse_value(parser *ps, const fg_param_info *info, int64_t *out) {
  const char *start = (peek(ps), ps->at);
  size_t length = name_length(ps);
  if (!info->values || (!length && !info->is_option)) return parse_integer(ps, info->lo, info->hi, out);
  ps->at += length;
  if (fg_param_value_find(info, start, length, out)) return FG_OK;
  const char *word = length ? fg_words_quote(ps->cx->arena, start, length) : (ps->at = start, here(ps));
  return fail(ps, start, fg_arena_printf(ps->cx->arena, "%s is no value of %s", word, info->name),
              fg_param_value_list(ps->cx->arena, info));
}

/* What was a sum: each of its bits is a parameter now. */
static fg_status parse_bits(parser *ps, const char *start, fg_plan *p, const char *old) {
  int64_t all = 0, value;
  for (const fg_param_alias *a = fg_param_aliases(); a->old; a++)
    if (!strcmp(a->old, old)) all |= a->bit;
  fg_status st = parse_integer(ps, 0, all, &value);
  for (const fg_param_alias *a = fg_param_aliases(); a->old && !st; a++)
    if (!strcmp(a->old, old) && value & a->bit) st = add_param(ps, start, p, (fg_plan_param){a->id, a->value});
  return st;
}

static const char *param_at(int i) { return i < FG_PARAM_COUNT ? fg_param_table()[i].name : NULL; }

static fg_status parse_param(parser *ps, fg_plan *p) {
  fg_arena *a = ps->cx->arena;
  size_t length = name_length(ps);
  const char *start = ps->at, *name = fg_arena_printf(a, "%.*s", (int)length, start);
  const fg_param_alias *alias = fg_param_alias_find(name);
  fg_plan_param fresh = {.id = fg_param_find(name)};
  if (fresh.id < 0 && !alias) {
    const char *what =
        fg_arena_printf(a, "unknown parameter %s%s", length ? fg_words_quote(a, start, length) : here(ps),
                        fg_words_near(a, start, length, param_at));
    return fail(ps, start, what, fg_words_join(a, param_at));
  }
  ps->at += length;
  fg_status st = expect(ps, '=', "key=value");
  if (!st && fresh.id < 0) return parse_bits(ps, start, p, alias->old);
  if (!st) st = parse_value(ps, &fg_param_table()[fresh.id], &fresh.value);
  return st ? st : add_param(ps, start, p, fresh);
}

static fg_status parse_step(parser *ps, int depth, fg_plan **out);

static fg_status parse_item(parser *ps, int depth, fg_plan *p) {
  const struct step *s = &steps[p->step];
  const char *start = (peek(ps), ps->at);
  if (fg_is_letter(*start)) {
    if (p->nchild == s->nchild)
      return fail(ps, start, fg_arena_printf(ps->cx->arena, "%s takes no further plan", s->name), s->form);
    return parse_step(ps, depth + 1, &p->child[p->nchild++]);
  }
  if (p->nchild || p->narg == s->most)
    return fail(ps, start, fg_arena_printf(ps->cx->arena, "%s takes no further number", s->name), s->form);
  return parse_integer(ps, 1, FG_PLAN_LIMIT, &p->arg[p->narg++]);
}

static fg_status parse_step(parser *ps, int depth, fg_plan **out) {
  fg_arena *a = ps->cx->arena;
  size_t length = name_length(ps);
  const char *start = ps->at;
  int step = find_step(start, length);
  fg_status st;
  if (step < 0) {
    const char *what = fg_arena_printf(a, "unknown step %s%s", length ? fg_words_quote(a, start, length) : here(ps),
                                       fg_words_near(a, start, length, step_at));
    return fail(ps, start, what, fg_words_join(a, step_at));
  }
  if (depth > MAX_DEPTH) return fail(ps, start, "steps nested too deeply", "16 levels");
  ps->at += length;
  fg_plan *p = fg_arena_new(a, fg_plan, 1);
  p->step = (fg_step)step;
  if ((st = expect(ps, '(', steps[step].form))) return st;
  do {
    if ((st = parse_item(ps, depth, p))) return st;
  } while (skip(ps, ','));
  for (char c = ';'; skip(ps, c); c = ',')
    if ((st = parse_param(ps, p))) return st;
  if (p->narg < steps[step].least || p->nchild < steps[step].least_child)
    return fail(ps, ps->at, fg_arena_printf(a, "%s needs more", steps[step].name), steps[step].form);
  if ((st = expect(ps, ')', steps[step].form))) return st;
  *out = p;
  return FG_OK;
}

fg_status fg_plan_parse(fg_context *cx, const char *text, fg_plan **out) {
  parser ps = {cx, text, text};
  fg_plan *p;
  fg_status st = parse_step(&ps, 1, &p);
  if (st) return st;
  if (peek(&ps)) return fail(&ps, ps.at, fg_arena_printf(cx->arena, "%s after the plan", here(&ps)), "one plan");
  *out = p;
  return FG_OK;
}

/* ---- printing ------------------------------------------------------------ */

static void print_step(fg_strbuf *s, const fg_plan *p) {
  fg_strbuf_addf(s, "%s(", steps[p->step].name);
  for (int i = 0; i < p->narg; i++) fg_strbuf_addf(s, "%s%lld", i ? "," : "", (long long)p->arg[i]);
  for (int i = 0; i < p->nchild; i++) {
    fg_strbuf_add(s, i || p->narg ? ", " : "");
    print_step(s, p->child[i]);
  }
  for (int i = 0; i < p->nparam; i++) {
    const fg_param_info *info = &fg_param_table()[p->param[i].id];
    fg_strbuf_addf(s, "%s%s=", i ? ", " : "; ", info->name);
    fg_param_value_print(s, info, p->param[i].value);
  }
  fg_strbuf_add(s, ")");
}

char *fg_plan_print(fg_context *cx, const fg_plan *p) {
  fg_strbuf s = fg_strbuf_new(cx->arena);
  print_step(&s, p);
  return s.text;
}
