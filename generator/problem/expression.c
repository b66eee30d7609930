/* Expressions of load= and store=. In: text. Out: real operations, in an order in which they can be done, each once.
 *
 * A grammar of two levels of operators, by recursive descent. Complex numbers are pairs of terms as they are read; a
 * number without imaginary part is real, which is all that there is of types. What is equal is one term. */
#include "generator/problem/expression.h"
#include "generator/base/invariant.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "generator/problem/frames.h"
#include "generator/problem/shape.h"
#include "targets/ascii.h"
#include "targets/number.h"
#include <math.h>
#include <string.h>

enum { NONE = -1, MOST_NESTED = 32, MOST_NAME = 15, MOST_DIGITS = 40 };

typedef struct value {
  int re, im; /* terms; NONE: there is none, of a real number */
} value;

typedef struct reader {
  const fg_expression_scope *scope;
  const char *at, *end;
  int nested;
  fg_expression *out;
  fg_expression_fault *fault;  /* the first one */
  const fg_operation_row *row; /* whose operand `a` is; NULL: an expression of the user's */
} reader;

/* ---- terms ------------------------------------------------------------------- */

static const value nothing = {0, NONE};

static value fail_at(reader *r, const char *at, const char *what, const char *allowed) {
  if (!r->fault->what) *r->fault = (fg_expression_fault){at, what, allowed};
  r->at = r->end;
  return nothing;
}

static bool same(const fg_expression_term *a, const fg_expression_term *b) {
  return a->op == b->op && a->call == b->call && a->part == b->part && a->a == b->a && a->b == b->b &&
         a->number == b->number;
}

static int term(reader *r, fg_expression_term t) {
  fg_expression *e = r->out;
  for (int i = 0; i < e->count; i++)
    if (same(&e->term[i], &t)) return i;
  if (e->count == FG_MAX_EXPRESSION_TERMS) {
    fail_at(r, r->at, "an expression of more than 96 operations on real numbers",
            "several shorter ones, joined by ','");
    return 0;
  }
  e->term[e->count] = t;
  return e->count++;
}

static int number(reader *r, double x) { return term(r, (fg_expression_term){.op = FG_TERM_NUMBER, .number = x}); }

static bool is_number(const reader *r, int a, double x) {
  return r->out->term[a].op == FG_TERM_NUMBER && r->out->term[a].number == x;
}

static int call(reader *r, fg_called which, int a, int b) {
  return term(r, (fg_expression_term){.op = FG_TERM_CALL, .call = which, .a = a, .b = b});
}

static int negative(reader *r, int a) {
  return is_number(r, a, 0) ? a : term(r, (fg_expression_term){.op = FG_TERM_NEG, .a = a});
}

static int sum(reader *r, int a, int b) {
  if (is_number(r, a, 0)) return b;
  return is_number(r, b, 0) ? a : term(r, (fg_expression_term){.op = FG_TERM_ADD, .a = a, .b = b});
}

static int difference(reader *r, int a, int b) {
  if (is_number(r, a, 0)) return negative(r, b);
  return is_number(r, b, 0) ? a : term(r, (fg_expression_term){.op = FG_TERM_SUB, .a = a, .b = b});
}

static int product(reader *r, int a, int b) {
  if (is_number(r, a, 0) || is_number(r, b, 0)) return number(r, 0);
  return term(r, (fg_expression_term){.op = FG_TERM_MUL, .a = a, .b = b});
}

/* ---- real and complex numbers -------------------------------------------------- */

static bool is_complex(value a) { return a.im != NONE; }

static value add(reader *r, value a, value b) {
  value y = {sum(r, a.re, b.re), is_complex(a) ? a.im : b.im};
  if (is_complex(a) && is_complex(b)) y.im = sum(r, a.im, b.im);
  return y;
}

static value subtract(reader *r, value a, value b) {
  value y = {difference(r, a.re, b.re), a.im};
  if (is_complex(b)) y.im = is_complex(a) ? difference(r, a.im, b.im) : negative(r, b.im);
  return y;
}

static value multiply(reader *r, value a, value b) {
  value y = {product(r, a.re, b.re), NONE};
  if (is_complex(a) && is_complex(b)) {
    y.re = difference(r, y.re, product(r, a.im, b.im));
    int across = product(r, a.re, b.im);
    y.im = sum(r, across, product(r, a.im, b.re));
  } else if (is_complex(a)) {
    y.im = product(r, a.im, b.re);
  } else if (is_complex(b)) {
    y.im = product(r, a.re, b.im);
  }
  return y;
}

static value negate(reader *r, value a) { return (value){negative(r, a.re), is_complex(a) ? negative(r, a.im) : NONE}; }

static value conjugate(reader *r, value a) { return (value){a.re, is_complex(a) ? negative(r, a.im) : NONE}; }

static int square(reader *r, value a) {
  int re = product(r, a.re, a.re);
  return is_complex(a) ? sum(r, re, product(r, a.im, a.im)) : re;
}

static value divide(reader *r, value a, value b) {
  if (is_complex(b)) {
    int size = square(r, b);
    a = multiply(r, a, conjugate(r, b));
    b = (value){size, NONE};
  }
  value y = {call(r, FG_CALL_DIVIDE, a.re, b.re), NONE};
  if (is_complex(a)) y.im = call(r, FG_CALL_DIVIDE, a.im, b.re);
  return y;
}

static value absolute(reader *r, value a) {
  if (!is_complex(a)) return (value){call(r, FG_CALL_ABS, a.re, NONE), NONE};
  return (value){call(r, FG_CALL_SQRT, square(r, a), NONE), NONE};
}

/* ---- words ------------------------------------------------------------------------ */

static void skip_blanks(reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
}

static bool peek(reader *r, char c) {
  skip_blanks(r);
  return r->at < r->end && *r->at == c;
}

static bool accept(reader *r, char c) {
  bool there = peek(r, c);
  r->at += there;
  return there;
}

static size_t word_length(const char *at, const char *end) {
  size_t n = 0;
  if (at < end && !fg_is_digit(*at))
    while (at + n < end && fg_is_word(at[n])) n++;
  return n;
}

static bool is_word(const char *word, size_t length, const char *name) {
  return strlen(name) == length && !memcmp(word, name, length);
}

typedef struct function {
  const char *name;
  int operands;
  fg_called call; /* COUNT: one of this file's */
} function;

#define CALL(NAME, name, operands, meaning) {name, operands, FG_CALL_##NAME},
static const function functions[] = {
#include "targets/forms/calls.def"
    {"re", 1, FG_CALL_COUNT},
    {"im", 1, FG_CALL_COUNT},
    {"conj", 1, FG_CALL_COUNT},
    {"complex", 2, FG_CALL_COUNT},
};
#undef CALL

static const function *find_function(const char *word, size_t length) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (functions[i].call != FG_CALL_DIVIDE && is_word(word, length, functions[i].name)) return &functions[i];
  return NULL;
}

bool fg_expression_has_function(const char *name, size_t length) { return find_function(name, length) != NULL; }

static const char *functions_text(fg_arena *a) {
  fg_strbuf s = fg_strbuf_new(a);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (functions[i].call != FG_CALL_DIVIDE) fg_strbuf_addf(&s, "%s%s", s.length ? " " : "", functions[i].name);
  return s.text;
}

/* k or k0 .. k6 of store=, j of load=: -1: all dimensions. */
static bool is_index(char letter, const char *word, size_t length, int *dimension) {
  if (!length || *word != letter || length > 2 || (length == 2 && !(word[1] >= '0' && word[1] < '0' + FG_MAX_RANK)))
    return false;
  *dimension = length == 2 ? word[1] - '0' : -1;
  return true;
}

bool fg_expression_has_name(const char *name, size_t length) {
  int dimension;
  return is_word(name, length, "x") || is_word(name, length, "b") || is_word(name, length, "c") ||
         is_word(name, length, "n") || is_word(name, length, "pi") || is_index('j', name, length, &dimension) ||
         is_index('k', name, length, &dimension);
}

static const char *allowed_names(const reader *r) {
  const char *i = r->scope->output ? "k" : "j";
  return fg_arena_printf(
      r->scope->arena,
      "numbers, x, %s, %s0 .. (its indices), b (the transform's number), n, pi, arrays as in gain[%s], gain[b,%s], "
      "gain[b] or gain (one number; names that end in _c: complex ones), functions: %s",
      i, i, i, i, functions_text(r->scope->arena));
}

/* what: with one %s for the word. */
static const char *quoted(const reader *r, const char *what, const char *word, size_t length) {
  return fg_arena_printf(r->scope->arena, what, fg_words_quote(r->scope->arena, word, length));
}

/* ---- what is taken ------------------------------------------------------------------- */

static value operand(reader *r, const char *at, const fg_expression_operand *o) {
  fg_expression *e = r->out;
  int i = 0;
  while (i < e->noperand && (strcmp(e->operand[i].name, o->name) != 0 ||
                             (!*o->name && (e->operand[i].of != o->of || e->operand[i].dimension != o->dimension))))
    i++;
  if (i == FG_MAX_OPERANDS)
    return fail_at(r, at, "more than 8 arrays, scalars and indices in an expression",
                   "several shorter ones, joined by ','");
  if (i == e->noperand) e->operand[e->noperand++] = *o;
  const fg_expression_operand *have = &e->operand[i];
  if (have->of != o->of || have->whose != o->whose || have->dimension != o->dimension)
    return fail_at(r, at, fg_arena_printf(r->scope->arena, "%s with two kinds of index", o->name),
                   "one kind for an array");
  value v = {term(r, (fg_expression_term){.op = FG_TERM_OPERAND, .a = i}), NONE};
  if (o->complex) v.im = term(r, (fg_expression_term){.op = FG_TERM_OPERAND, .a = i, .part = 1});
  return v;
}

/* An index as a number: dimensions' own, from a table each; of all of them, or of the batch. */
static value index_number(reader *r, const char *at, int dimension) {
  const fg_expression_scope *s = r->scope;
  value all = {number(r, 0), NONE};
  double step = 1;
  for (int d = s->rank - 1; d >= 0; d--) {
    fg_expression_operand o = {.of = FG_OPERAND_DIMENSION, .dimension = d};
    int64_t length = fg_problem_span(s->p, d, s->output);
    if (length > 1 && (dimension < 0 || dimension == d)) {
      value one = operand(r, at, &o);
      if (dimension < 0 && step > 1) one = multiply(r, one, (value){number(r, step), NONE});
      all = add(r, one, all);
    }
    step *= (double)length;
  }
  return all;
}

/* Not yet checked against limits. */
static double points(const fg_problem *p) {
  double n = 1;
  int first = fg_problem_has_frames(p) ? p->rank - 1 : 0;
  for (int d = first; d < p->rank; d++) n *= (double)p->dim[d].n.n;
  return n;
}

static double transforms(const fg_problem *p) {
  double count = 1;
  for (int i = 0; i < p->batch_rank; i++) {
    fg_num n = p->batch[i].n;
    count *= (double)n.n * (n.form == FG_NUM_CONST ? 1 : (double)p->param[n.param].hi);
  }
  return count;
}

static value transform_number(reader *r, const char *at) {
  const fg_problem *p = r->scope->p;
  double count = transforms(p);
  fg_expression_operand o = {.of = FG_OPERAND_ONE, .whose = FG_SPECTRA_EACH};
  if (!p->batch_rank || count == 1) return (value){number(r, 0), NONE};
  if (count > FG_MOST_NUMBERED)
    return fail_at(r, at, "b as a number, of more than 1048576 transforms", "b as an index: gain[b]");
  return operand(r, at, &o);
}

/* What stands between the brackets behind an array's name. */
static bool read_index(reader *r, fg_expression_operand *o) {
  char letter = r->scope->output ? 'k' : 'j';
  for (bool first = true;; first = false) {
    skip_blanks(r);
    const char *at = r->at;
    size_t length = word_length(at, r->end);
    int dimension;
    r->at += length;
    if (first && (is_word(at, length, "b") || is_word(at, length, "c"))) {
      o->whose = *at == 'b' ? FG_SPECTRA_EACH : FG_SPECTRA_CHANNEL;
      if (accept(r, ']')) return true;
      if (accept(r, ',')) continue;
    } else if (is_index(letter, at, length, &dimension) && dimension < r->scope->rank) {
      o->of = dimension < 0 ? FG_OPERAND_ELEMENTS : FG_OPERAND_DIMENSION;
      o->dimension = dimension < 0 ? 0 : dimension;
      if (accept(r, ']')) return true;
    }
    fail_at(r, at, quoted(r, "no index of an array in %s", at, (size_t)(r->end - at)),
            fg_arena_printf(
                r->scope->arena,
                "[%c], [%c0] .. of n's dimensions, [b,%c] (others for each transform), [c,%c] (for each index of "
                "the last batch dimension), [b], [c]",
                letter, letter, letter, letter));
    return false;
  }
}

/* "mul1" is what arguments of operations are called. */
static bool is_taken(const char *word, size_t length) {
  while (length > 1 && fg_is_digit(word[length - 1])) length--;
  for (const fg_operation_row *row = fg_operation_table(); row->name; row++)
    if (is_word(word, length, row->name)) return true;
  return false;
}

static value array(reader *r, const char *word, size_t length) {
  fg_expression_operand o = {.complex = length > 2 && !memcmp(word + length - 2, "_c", 2)};
  if (length > MOST_NAME)
    return fail_at(r, word, quoted(r, "the name %s is too long", word, length), "names of up to 15 letters");
  if (is_taken(word, length))
    return fail_at(r, word, quoted(r, "%s is no name for an array, but an operation's", word, length), "other names");
  memcpy(o.name, word, length);
  if (accept(r, '[') && !read_index(r, &o)) return nothing;
  if (o.complex && !r->scope->complex)
    return fail_at(r, word, quoted(r, "complex numbers %s where x is real", word, length),
                   "arrays of real numbers, whose names do not end in _c");
  return operand(r, word, &o);
}

/* ---- the grammar ------------------------------------------------------------------------ */

static value read_sum(reader *r);

static value apply(reader *r, const function *f, const char *word, value a, value b) {
  if (f->call == FG_CALL_ABS) return absolute(r, a);
  if (!strcmp(f->name, "re")) return (value){a.re, NONE};
  if (!strcmp(f->name, "im")) return (value){is_complex(a) ? a.im : number(r, 0), NONE};
  if (!strcmp(f->name, "conj")) return conjugate(r, a);
  if (is_complex(a) || (f->operands == 2 && is_complex(b)))
    return fail_at(r, word, fg_arena_printf(r->scope->arena, "%s of a complex number", f->name),
                   "real numbers, as re(x), im(x) and abs(x) are");
  if (f->call == FG_CALL_COUNT) return (value){a.re, b.re};
  return (value){call(r, f->call, a.re, f->operands == 2 ? b.re : NONE), NONE};
}

static value read_call(reader *r, const function *f, const char *word) {
  if (!accept(r, '('))
    return fail_at(r, word, fg_arena_printf(r->scope->arena, "the function %s without brackets", f->name),
                   fg_arena_printf(r->scope->arena, f->operands == 2 ? "%s(A,B)" : "%s(A)", f->name));
  value a = read_sum(r), b = nothing;
  bool complete = f->operands == 1 || accept(r, ',');
  if (complete && f->operands == 2) b = read_sum(r);
  if (!complete || !accept(r, ')'))
    return fail_at(r, r->at, fg_arena_printf(r->scope->arena, "no end of %s(", f->name),
                   fg_arena_printf(r->scope->arena, f->operands == 2 ? "%s(A,B)" : "%s(A)", f->name));
  return apply(r, f, word, a, b);
}

static value read_name(reader *r) {
  const char *word = r->at;
  size_t length = word_length(word, r->end);
  int dimension;
  const function *f = find_function(word, length);
  r->at += length;
  if (f) return read_call(r, f, word);
  if (is_word(word, length, "x")) {
    value x = {term(r, (fg_expression_term){.op = FG_TERM_ELEMENT}), NONE};
    if (r->scope->complex) x.im = term(r, (fg_expression_term){.op = FG_TERM_ELEMENT, .part = 1});
    return x;
  }
  if (r->row) { /* what it takes */
    fg_expression_operand o = {.name = "a", .complex = r->scope->complex && r->row->takes == FG_TAKES_ARRAY};
    return operand(r, word, &o);
  }
  if (is_word(word, length, "pi")) return (value){number(r, 3.14159265358979323846), NONE};
  if (is_word(word, length, "n")) return (value){number(r, points(r->scope->p)), NONE};
  if (is_word(word, length, "b")) return transform_number(r, word);
  bool index = is_index(r->scope->output ? 'k' : 'j', word, length, &dimension);
  if (index && dimension < r->scope->rank) return index_number(r, word, dimension);
  if (fg_expression_has_name(word, length))
    return fail_at(r, word, quoted(r, "%s is no index here", word, length), allowed_names(r));
  if (peek(r, '('))
    return fail_at(r, word, quoted(r, "unknown function %s", word, length), functions_text(r->scope->arena));
  return array(r, word, length);
}

static value read_number(reader *r) {
  const char *from = r->at;
  size_t length = 0, rest = (size_t)(r->end - from);
  while (length < rest && (fg_is_digit(from[length]) || from[length] == '.')) length++;
  if (length + 1 < rest && (from[length] == 'e' || from[length] == 'E')) {
    size_t sign = from[length + 1] == '-' || from[length + 1] == '+', digits = length + 1 + sign;
    if (digits < rest && fg_is_digit(from[digits]))
      for (length = digits; length < rest && fg_is_digit(from[length]);) length++;
  }
  char text[MOST_DIGITS + 1], *end = text;
  if (length <= MOST_DIGITS) memcpy(text, from, length), text[length] = 0;
  double x = length <= MOST_DIGITS ? fg_number_read(text, &end) : INFINITY;
  r->at += length;
  if (r->at < r->end && (*r->at == 'f' || *r->at == 'F')) r->at++; /* as C has it */
  if (!isfinite(x) || *end || (x != 0 && x < 0x1p-120) || x > 0x1p120 || word_length(r->at, r->end))
    return fail_at(r, from, quoted(r, "%s is no number", from, rest),
                   "numbers such as 2, 0.5 and 1e-3; 0, and 2^-120 to 2^120");
  return (value){number(r, x), NONE};
}

static value read_factor(reader *r) {
  value v = nothing;
  skip_blanks(r);
  if (++r->nested > MOST_NESTED) return fail_at(r, r->at, "brackets and signs too deep", "up to 32");
  if (accept(r, '-')) {
    v = negate(r, read_factor(r));
  } else if (accept(r, '+')) {
    v = read_factor(r);
  } else if (accept(r, '(')) {
    v = read_sum(r);
    if (!accept(r, ')')) v = fail_at(r, r->at, "no closing bracket", "')'");
  } else if (r->at < r->end && (fg_is_digit(*r->at) || *r->at == '.')) {
    v = read_number(r);
  } else if (word_length(r->at, r->end)) {
    v = read_name(r);
  } else {
    const char *what = r->at < r->end ? quoted(r, "%s where a number should be", r->at, 1) : "it ends too early";
    v = fail_at(r, r->at, what, allowed_names(r));
  }
  r->nested--;
  return v;
}

static value read_product(reader *r) {
  value v = read_factor(r);
  while (peek(r, '*') || peek(r, '/')) {
    bool over = *r->at++ == '/';
    value b = read_factor(r);
    v = over ? divide(r, v, b) : multiply(r, v, b);
  }
  return v;
}

static value read_sum(reader *r) {
  value v = read_product(r);
  while (peek(r, '+') || peek(r, '-')) {
    bool minus = *r->at++ == '-';
    value b = read_product(r);
    v = minus ? subtract(r, v, b) : add(r, v, b);
  }
  return v;
}

fg_expression_scope fg_expression_scope_of(fg_arena *a, const fg_problem *p, bool output, bool complex) {
  return (fg_expression_scope){
      .arena = a, .output = output, .complex = complex, .must_be_complex = complex && !output, .rank = p->rank, .p = p};
}

int fg_expression_operands(const fg_expression_term *t) {
  if (t->op < FG_TERM_NEG) return 0;
  if (t->op != FG_TERM_CALL) return t->op == FG_TERM_NEG ? 1 : 2;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (functions[i].call == t->call) return functions[i].operands;
  return 1;
}

fg_status fg_expression_read(const fg_expression_scope *scope, const char *text, size_t length, fg_expression *out,
                             fg_expression_fault *fault) {
  reader r = {.scope = scope, .at = text, .end = text + length, .out = out, .fault = fault};
  *out = (fg_expression){.count = 0};
  *fault = (fg_expression_fault){0};
  value v = read_sum(&r);
  skip_blanks(&r);
  if (!fault->what && r.at < r.end)
    fail_at(&r, r.at, quoted(&r, "%s behind an expression", r.at, (size_t)(r.end - r.at)), "an operator: + - * /");
  if (fault->what) return FG_EUSER;
  if (!is_complex(v) && scope->must_be_complex) v.im = number(&r, 0);
  if (is_complex(v) && !scope->complex)
    fail_at(&r, text, "a complex result where elements are real", "a real result: re(...), abs(...)");
  out->result[0] = v.re, out->result[1] = v.im;
  return fault->what ? FG_EUSER : FG_OK;
}

void fg_expression_of_row(const fg_operation_row *row, bool complex, fg_expression *out) {
  fg_expression_fault fault = {0};
  fg_expression_scope scope = {.complex = complex};
  reader r = {.scope = &scope, .at = row->value, .end = row->value + strlen(row->value), .out = out, .fault = &fault};
  r.row = row;
  *out = (fg_expression){.count = 0};
  value v = read_sum(&r);
  fg_invariant(!fault.what && r.at == r.end);
  if (row->takes == FG_TAKES_NOTHING) fg_invariant(!out->noperand);
  out->result[0] = v.re, out->result[1] = v.im;
}

void fg_expression_of(const fg_problem *p, bool output, int number, bool complex, fg_expression *out) {
  const fg_pointwise *op = output ? &p->store[number] : &p->load[number];
  const fg_operation_row *row = fg_operation_find(op->name);
  fg_expression_fault fault;
  if (row->takes != FG_TAKES_EXPRESSION) {
    fg_expression_of_row(row, complex, out);
    return;
  }
  fg_expression_scope scope = fg_expression_scope_of(NULL, p, output, complex);
  fg_status status = fg_expression_read(&scope, op->text, strlen(op->text), out, &fault);
  fg_invariant(status == FG_OK);
}

static bool makes_zero(const fg_expression_term *t, const bool *zero) {
  switch (t->op) {
  case FG_TERM_ELEMENT: return true;
  case FG_TERM_OPERAND: return false;
  case FG_TERM_NUMBER: return t->number == 0;
  case FG_TERM_NEG: return zero[t->a];
  case FG_TERM_ADD:
  case FG_TERM_SUB: return zero[t->a] && zero[t->b];
  case FG_TERM_MUL: return zero[t->a] || zero[t->b];
  case FG_TERM_CALL: break;
  }
  if (t->call == FG_CALL_DIVIDE) return zero[t->a];
  if (t->call == FG_CALL_MIN || t->call == FG_CALL_MAX) return zero[t->a] && zero[t->b];
  return (t->call == FG_CALL_SQRT || t->call == FG_CALL_ABS) && zero[t->a];
}

/* Products of zero and what is no number are none either: quotients by what may be zero, as operands may beside zeros,
 * and their logarithms. */
static bool is_finite(const fg_expression *e, const fg_expression_term *t, const bool *number) {
  bool operands = t->op < FG_TERM_NEG || (number[t->a] && (fg_expression_operands(t) < 2 || number[t->b]));
  bool quotient = t->call == FG_CALL_DIVIDE, logarithm = t->call == FG_CALL_LOG || t->call == FG_CALL_LOG10;
  if (t->op != FG_TERM_CALL || !(quotient || logarithm)) return operands;
  const fg_expression_term *of = &e->term[quotient ? t->b : t->a];
  return operands && of->op == FG_TERM_NUMBER && of->number != 0;
}

bool fg_expression_keeps_zero(const fg_expression *e) {
  bool zero[FG_MAX_EXPRESSION_TERMS], number[FG_MAX_EXPRESSION_TERMS], kept = true;
  for (int i = 0; i < e->count; i++) {
    zero[i] = makes_zero(&e->term[i], zero);
    number[i] = is_finite(e, &e->term[i], number);
  }
  for (int part = 0; part < 2; part++)
    if (e->result[part] != NONE) kept = kept && zero[e->result[part]] && number[e->result[part]];
  return kept;
}

int fg_expression_needs(const fg_expression *e, int wanted, int *operand) {
  bool used[FG_MAX_EXPRESSION_TERMS] = {false};
  int parts = 0;
  for (int part = 0; part < 2; part++)
    if (wanted >> part & 1 && e->result[part] != NONE) used[e->result[part]] = true;
  for (int i = e->count - 1; i >= 0; i--) {
    const fg_expression_term *t = &e->term[i];
    if (!used[i]) continue;
    if (t->op == FG_TERM_ELEMENT) parts |= 1 << t->part;
    if (t->op == FG_TERM_OPERAND) operand[t->a] |= 1 << t->part;
    if (t->op < FG_TERM_NEG) continue;
    used[t->a] = true;
    if (fg_expression_operands(t) == 2) used[t->b] = true;
  }
  return parts;
}

bool fg_expression_is_constant(const fg_expression_term *t) {
  return t->op == FG_TERM_NUMBER && (t->number != floor(t->number) || t->number >= 0x1p31);
}
