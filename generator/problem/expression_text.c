/* Expressions in a problem's text. In: "x*gain[k]+0.5f", with or without blanks. Out: fg_pointwise whose text has no
 * blanks. Types and names are checked when all of the line was read: they depend on n and on what stands before. */
#include "generator/problem/expression_text.h"
#include "generator/problem/given.h"
#include "targets/ascii.h"
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

size_t fg_expression_item(const char *text, const char *end) {
  int depth = 0;
  const char *at = text;
  for (; at < end && (*at != ',' || depth > 0); at++) depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
  return (size_t)(at - text);
}

/* A name alone, or one with something in brackets, is an operation of operations.def, or meant to be. */
bool fg_expression_is(const char *text, size_t length) {
  size_t name = 0;
  while (name < length && fg_is_word(text[name])) name++;
  if (fg_expression_has_function(text, name)) return name < length && text[name] == '(';
  if (name == length) return fg_expression_has_name(text, length) || (length && fg_is_digit(*text));
  int depth = 0;
  for (size_t i = name; i < length; i++) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0) return !name || text[name] != '(' || i + 1 < length;
  }
  return !name || text[name] != '(';
}

/* Without blanks, and without the f behind numbers. */
static bool copy(const char *from, size_t length, char to[FG_EXPRESSION_SIZE]) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++) {
    bool suffix = (from[i] == 'f' || from[i] == 'F') && i && (fg_is_digit(from[i - 1]) || from[i - 1] == '.');
    for (size_t j = i; suffix && j > 0 && fg_is_word(from[j - 1]); j--)
      suffix = fg_is_digit(from[j - 1]) || strchr("eE", from[j - 1]);
    if (is_blank(from[i]) || suffix) continue;
    if (n + 1 == FG_EXPRESSION_SIZE) return false;
    to[n++] = from[i];
  }
  to[n] = 0;
  return true;
}

fg_status fg_expression_parse(fg_scanner *ps, bool output, int position, const char *text, size_t length) {
  fg_pointwise *op = output ? &ps->p->store[position] : &ps->p->load[position];
  memcpy(op->name, "expression", sizeof "expression");
  if (!copy(text, length, op->text))
    return fg_scanner_fail(ps, text, "several shorter ones, joined by ','", "an expression of more than 191 letters");
  ps->expression[output][position] = text;
  ps->expression_length[output][position] = length;
  return FG_OK;
}

/* ---- checks ------------------------------------------------------------------------ */

typedef struct fault {
  fg_expression_fault in;
  bool output;
  int position;
} fault;

static bool wrong(fault *f, const char *at, const char *what, const char *allowed) {
  f->in = (fg_expression_fault){at, what, allowed};
  return false;
}

static fg_pointwise *side_of(fg_problem *p, bool output) { return output ? p->store : p->load; }

/* Types. An expression that names an array as none before it does is as far as anything is known of it. */
static bool read_one(fg_arena *a, const fg_problem *p, const char *text, size_t length, fg_expression *e, fault *f) {
  bool complex = fg_given_is_complex(p, f->output, f->position);
  fg_expression_scope scope = fg_expression_scope_of(a, p, f->output, complex);
  if (fg_expression_read(&scope, text, length, e, &f->in) != FG_OK) return false;
  for (int i = 0; i < e->count; i++)
    if (e->term[i].op == FG_TERM_ELEMENT) return true;
  return wrong(f, text, "an expression without x, the element", "x in it");
}

static bool is_expression(const fg_pointwise *op) { return fg_operation_find(op->name)->takes == FG_TAKES_EXPRESSION; }

static bool same_array(const fg_given *a, const fg_given *b) {
  bool alike = a->of == FG_OPERAND_ONE || a->part == b->part;
  return alike && a->of == b->of && a->dimension == b->dimension && a->whose == b->whose;
}

/* Expressions of a side that name an array mean the same one. */
static bool agree(fg_arena *a, const fg_problem *p, const fg_expression *e, fault *f) {
  for (int o = 0; o < e->noperand; o++) {
    fg_given mine, first;
    if (!*e->operand[o].name) continue;
    fg_given_of(p, f->output, f->position, e, o, &mine);
    if (fg_given_find(p, mine.number, &first) && !same_array(&mine, &first))
      return wrong(f, NULL, fg_arena_printf(a, "%s with two kinds of index", mine.name),
                   "one kind for an array, on one side of zeropad or crop");
  }
  return true;
}

/* What is not used would be no argument of the kernel. */
static bool all_used(fg_arena *a, const fg_problem *p, fault *f) {
  int count = f->output ? p->nstore : p->nload;
  int wanted = fg_given_is_complex(p, f->output, count) ? 3 : 1;
  for (f->position = count - 1; f->position >= 0; f->position--) {
    const fg_pointwise *op = f->output ? &p->store[f->position] : &p->load[f->position];
    int used[FG_MAX_OPERANDS] = {0};
    fg_expression e;
    if (fg_operation_find(op->name)->act != FG_ACT_VALUE) continue;
    fg_expression_of(p, f->output, f->position, fg_given_is_complex(p, f->output, f->position), &e);
    wanted = fg_expression_needs(&e, wanted, used);
    for (int o = 0; o < e.noperand; o++)
      if (!used[o] && *e.operand[o].name)
        return wrong(f, NULL, fg_arena_printf(a, "the array %s, which changes nothing", e.operand[o].name),
                     "arrays on which the result depends");
    if (!wanted) return wrong(f, NULL, "a result that depends on no element", "x in it");
  }
  return true;
}

static bool check(fg_arena *a, const fg_problem *p, fault *f) {
  fg_expression e;
  bool any = false;
  for (int output = 0; output < 2; output++) {
    f->output = output;
    for (f->position = 0; f->position < (output ? p->nstore : p->nload); f->position++) {
      const fg_pointwise *op = output ? &p->store[f->position] : &p->load[f->position];
      if (!is_expression(op)) continue;
      any = true;
      if (!memchr(op->text, 0, sizeof op->text)) return wrong(f, NULL, "an expression without end", "191 letters");
      if (!read_one(a, p, op->text, strlen(op->text), &e, f)) return false;
      if (op->makes_real != (e.result[1] < 0 && fg_given_is_complex(p, output, f->position)))
        return wrong(f, NULL, "an expression whose result is not what it says", "makes_real where it is real");
    }
  }
  for (int output = 0; any && output < 2; output++) {
    f->output = output;
    for (f->position = 0; f->position < (output ? p->nstore : p->nload); f->position++) {
      if (!is_expression(output ? &p->store[f->position] : &p->load[f->position])) continue;
      fg_expression_of(p, output, f->position, fg_given_is_complex(p, output, f->position), &e);
      if (!agree(a, p, &e, f)) return false;
    }
    if (!all_used(a, p, f)) return false;
  }
  return true;
}

fg_status fg_expressions_check(fg_context *cx, const fg_problem *p) {
  fault f = {.position = 0};
  for (int output = 0; output < 2; output++)
    for (int i = 0; i < (output ? p->nstore : p->nload); i++) {
      const fg_pointwise *op = output ? &p->store[i] : &p->load[i];
      const fg_operation_row *row = memchr(op->name, 0, sizeof op->name) ? fg_operation_find(op->name) : NULL;
      if (!row || (row->takes != FG_TAKES_EXPRESSION && !(row->sides & (output ? FG_SIDES_STORES : FG_SIDES_LOADS))))
        return fg_refuse(cx, "problem: operation '%.*s'; allowed: operations of operations.def", FG_NAME_SIZE - 1,
                         op->name);
    }
  if (check(cx->arena, p, &f)) return FG_OK;
  return fg_refuse(cx, "problem: %s: operation %d: %s; allowed: %s", f.output ? "store" : "load", f.position + 1,
                   f.in.what, f.in.allowed);
}

fg_status fg_scanner_expressions(fg_scanner *ps) {
  fg_expression e;
  for (int output = 0; output < 2; output++)
    for (int i = 0; i < (output ? ps->p->nstore : ps->p->nload); i++) {
      fg_pointwise *op = &side_of(ps->p, output)[i];
      const char *text = ps->expression[output][i];
      fault f = {.output = output, .position = i};
      ps->key = output ? "store" : "load";
      if (!is_expression(op)) continue;
      if (!read_one(ps->cx->arena, ps->p, text, ps->expression_length[output][i], &e, &f))
        return fg_scanner_fail(ps, f.in.at, f.in.allowed, "%s", f.in.what);
      op->makes_real = e.result[1] < 0 && fg_given_is_complex(ps->p, output, i);
    }
  ps->key = NULL;
  return FG_OK;
}
