/* See operation_values.h. In: rows of operations.def, numbers. Out: numbers.
 *
 * The expressions are read here for two number systems, and by lower/operations.c for
 * the text; which element meets which operand is computed here from indices, not
 * from anything that a program says. */
#include "generator/reference/operation_values.h"
#include "generator/base/invariant.h"
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include <math.h>

/* ---- scalars ------------------------------------------------------------------- */

typedef union scalar {
  fg_gf gf;
  fg_quad quad;
} scalar;

fg_gf fg_operation_values_sqrt(const fg_field *f, fg_gf x) {
  return fg_gf_add(f, fg_gf_mul(f, x, fg_gf_mul(f, x, x)), fg_gf_from(f, 3));
}

fg_gf fg_operation_values_log10(const fg_field *f, fg_gf x) {
  fg_gf square = fg_gf_mul(f, x, x);
  return fg_gf_add(f, fg_gf_mul(f, x, fg_gf_mul(f, square, square)), fg_gf_from(f, 7));
}

static fg_quad by_mpfr(fg_quad x, int (*function)(mpfr_t, const mpfr_t, mpfr_rnd_t)) {
  mpfr_t y;
  mpfr_init2(y, 160);
  mpfr_set_d(y, 0, MPFR_RNDN);
  for (int i = 0; i < 3; i++) { /* three doubles hold a quad */
    double part = (double)x;
    mpfr_add_d(y, y, part, MPFR_RNDN);
    if (!isfinite(part)) break;
    x -= part;
  }
  function(y, y, MPFR_RNDN);
  fg_quad result = mpfr_number_p(y) ? fg_quad_from(y) : (fg_quad)mpfr_get_d(y, MPFR_RNDN);
  mpfr_clear(y);
  return result;
}

static scalar operate_gf(const fg_field *f, char op, scalar a, scalar b) {
  switch (op) {
  case '+': return (scalar){.gf = fg_gf_add(f, a.gf, b.gf)};
  case '-': return (scalar){.gf = fg_gf_sub(f, a.gf, b.gf)};
  case '*': return (scalar){.gf = fg_gf_mul(f, a.gf, b.gf)};
  case '~': return (scalar){.gf = fg_gf_neg(f, b.gf)};
  case 'q': return (scalar){.gf = fg_operation_values_sqrt(f, b.gf)};
  case 'l': return (scalar){.gf = fg_operation_values_log10(f, b.gf)};
  default: break;
  }
  fg_invariant(!"an operation of operations.def");
  return b;
}

static scalar operate_quad(char op, scalar a, scalar b) {
  switch (op) {
  case '+': return (scalar){.quad = a.quad + b.quad};
  case '-': return (scalar){.quad = a.quad - b.quad};
  case '*': return (scalar){.quad = a.quad * b.quad};
  case '~': return (scalar){.quad = -b.quad};
  case 'q': return (scalar){.quad = by_mpfr(b.quad, mpfr_sqrt)};
  case 'l': return (scalar){.quad = by_mpfr(b.quad, mpfr_log10)};
  default: break;
  }
  fg_invariant(!"an operation of operations.def");
  return b;
}

static scalar part_of(const fg_system *s, fg_any x, bool imaginary) {
  scalar v;
  if (s->field)
    v.gf = imaginary ? x.gf.im : x.gf.re;
  else
    v.quad = imaginary ? x.quad.im : x.quad.re;
  return v;
}

static scalar evaluate(const fg_system *s, const char *text, fg_any x, fg_any taken) {
  scalar stack[8];
  int top = 0;
  for (const char *c = text; *c; c++) {
    fg_invariant(top < 8);
    if (*c == 'r' || *c == 'i') {
      stack[top++] = part_of(s, x, *c == 'i');
    } else if (*c == 'a' || *c == 'b') {
      stack[top++] = part_of(s, taken, *c == 'b');
    } else if (*c == 't') {
      if (s->field)
        stack[top++].gf = fg_gf_from(s->field, 10);
      else
        stack[top++].quad = 10;
    } else {
      bool two = *c == '+' || *c == '-' || *c == '*';
      scalar b = stack[--top], a = two ? stack[--top] : b;
      stack[top++] = s->field ? operate_gf(s->field, *c, a, b) : operate_quad(*c, a, b);
    }
  }
  fg_invariant(top == 1);
  return stack[0];
}

fg_any fg_operation_values_apply(const fg_system *s, const fg_operation_row *row, bool complex, fg_any x,
                                 fg_any taken) {
  fg_any y = {0};
  scalar re = evaluate(s, complex ? row->re : row->real, x, taken), im = {0};
  if (complex && row->im) im = evaluate(s, row->im, x, taken);
  if (s->field)
    y.gf = (fg_gfc){re.gf, complex && row->im ? im.gf : 0};
  else
    y.quad = (fg_quadc){re.quad, complex && row->im ? im.quad : 0};
  return y;
}

/* ---- symbols ------------------------------------------------------------------- */

static uint64_t state_of(uint64_t what, int64_t number) {
  uint64_t state = what * 0xd1342543de82ef95u ^ (uint64_t)number * 0x9e3779b97f4a7c15u;
  fg_random(&state);
  return state;
}

static fg_gf random_gf(const fg_field *f, uint64_t what, int64_t number) {
  uint64_t state = state_of(what, number) ^ f->p;
  fg_random(&state);
  return fg_gf_random(f, &state);
}

/* 16 bits of -1 .. 1. */
static fg_quad random_quad(uint64_t what, int64_t number) {
  uint64_t state = state_of(what, number);
  return (fg_quad)((double)((int64_t)(fg_random(&state) >> 48) - 32768) * 0x1p-15);
}

enum { SCALE = 1, WINDOW = 2, GIVEN = 3 };

fg_any fg_operation_values_scale(const fg_system *s, const fg_problem *p) {
  fg_any x = {0};
  int64_t n = fg_problem_points(p);
  if (s->field)
    x.gf.re = random_gf(s->field, SCALE, 0);
  else if (p->scale == FG_SCALE_1_N)
    x.quad.re = (fg_quad)1 / n;
  else if (p->scale == FG_SCALE_1_SQRT_N)
    x.quad.re = 1 / by_mpfr(n, mpfr_sqrt);
  else
    x.quad.re = p->scale == FG_SCALE_VALUE ? p->scale_value : 1;
  return x;
}

fg_any fg_operation_values_given(const fg_system *s, int given, int64_t number, bool complex) {
  fg_any x = {0};
  uint64_t what = GIVEN + 8 * (uint64_t)(2 * given);
  if (s->field)
    x.gf = (fg_gfc){random_gf(s->field, what, number), complex ? random_gf(s->field, what + 8, number) : 0};
  else
    x.quad = (fg_quadc){random_quad(what, number % FG_GIVEN_PERIOD),
                        complex ? random_quad(what + 8, number % FG_GIVEN_PERIOD) : 0};
  return x;
}

fg_gf fg_operation_values_window_gf(const fg_field *f, const fg_window_row *row, int64_t n, int64_t number) {
  uint64_t what = WINDOW + 8 * (uint64_t)(row - fg_window_table());
  return random_gf(f, what + (uint64_t)n * 0x100000001b3u, number);
}

fg_quad *fg_operation_values_window_quad(fg_context *cx, const fg_window_row *row, int64_t n) {
  const fg_quadc *root = fg_quad_roots(cx, fg_window_order(row, n));
  fg_quad *w = fg_arena_new(cx->arena, fg_quad, n);
  for (int64_t j = 0; j < n; j++) {
    for (int m = 0; m < FG_WINDOW_TERMS; m++) {
      fg_quad c = (fg_quad)row->c[m] / 1000000000 * fg_window_sign(row, m);
      fg_quadc of = root[fg_window_exponent(row, m, j, n)];
      w[j] += c * (row->sines ? of.im : of.re);
    }
    if (w[j] < 0x1p-105 && w[j] > -0x1p-105) w[j] = 0; /* an exact zero, but for rounding */
  }
  return w;
}

/* ---- elements ------------------------------------------------------------------ */

typedef struct elements { /* of one side */
  const fg_system *s;
  const fg_problem *p;
  bool output;
  const fg_pointwise *op;
  int count;
  int64_t span[FG_MAX_RANK], total;                     /* as the transform sees them */
  const fg_quad *window[FG_MAX_POINTWISE][FG_MAX_RANK]; /* 113 bits */
} elements;

static elements start(fg_context *cx, const fg_system *s, const fg_problem *p, bool output) {
  elements e = {.s = s, .p = p, .output = output, .total = 1};
  e.op = output ? p->store : p->load;
  e.count = output ? p->nstore : p->nload;
  for (int d = 0; d < p->rank; d++) e.total *= e.span[d] = fg_problem_span(p, d, output);
  for (int i = 0; i < e.count && !s->field; i++)
    for (int d = 0; d < p->rank && e.op[i].window[0]; d++)
      e.window[i][d] = fg_operation_values_window_quad(cx, fg_window_find(e.op[i].window), p->dim[d].n.n);
  return e;
}

static void split(const elements *e, int64_t number, int64_t *index) {
  for (int d = e->p->rank - 1; d >= 0; d--) {
    index[d] = number % e->span[d];
    number /= e->span[d];
  }
}

/* Where the array has the element: -1: nowhere (a padded zero, or cropped). */
static int64_t place(const elements *e, const int64_t *index) {
  bool shifted = fg_problem_shifts(e->p, e->output);
  const fg_part *kept = fg_problem_part(e->p, e->output);
  int64_t at = 0;
  for (int d = 0; d < e->p->rank; d++) {
    int64_t n = e->span[d], i = shifted ? (index[d] + n / 2) % n : index[d];
    int64_t length = fg_problem_length(e->p, d, e->output);
    if (kept) i -= kept->first[d];
    if (i < 0 || i >= length) return -1;
    at = at * length + i;
  }
  return at;
}

static fg_any windowed(const elements *e, int i, const fg_operation_row *row, bool complex, fg_any x,
                       const int64_t *index) {
  for (int d = 0; d < e->p->rank; d++) {
    int64_t n = e->p->dim[d].n.n;
    fg_any weight = {0};
    if (n == 1) continue;
    if (e->s->field)
      weight.gf.re = fg_operation_values_window_gf(e->s->field, fg_window_find(e->op[i].window), n, index[d]);
    else
      weight.quad.re = e->window[i][d][index[d]];
    x = fg_operation_values_apply(e->s, row, complex, x, weight);
  }
  return x;
}

/* The operations of the side on element `number`. */
static fg_any operated(const elements *e, int64_t number, fg_any x) {
  bool complex = !fg_problem_kind_is_real(e->p->kind, e->output);
  int64_t index[FG_MAX_RANK];
  split(e, number, index);
  if (e->output && e->p->scale != FG_SCALE_NONE)
    x = fg_operation_values_apply(e->s, fg_operation_find("scale"), complex, x, fg_operation_values_scale(e->s, e->p));
  for (int i = 0; i < e->count; i++) {
    const fg_operation_row *row = fg_operation_find(e->op[i].name);
    if (row->act != FG_ACT_VALUE) continue;
    bool pairs = row->takes == FG_TAKES_ARRAY && complex;
    int64_t own = fg_problem_own(e->p, e->op[i].whose, e->s->which.transform, e->s->which.params);
    fg_any taken = {0};
    if (row->takes != FG_TAKES_NOTHING)
      taken = fg_operation_values_given(e->s, fg_given_number(e->output, i), own * e->total + number, pairs);
    x = e->op[i].window[0] ? windowed(e, i, row, complex, x, index)
                           : fg_operation_values_apply(e->s, row, complex, x, taken);
    complex = complex && row->im;
  }
  return x;
}

static fg_any get(const fg_system *s, const void *from, int64_t i) {
  fg_any x;
  if (s->field)
    x.gf = ((const fg_gfc *)from)[i];
  else
    x.quad = ((const fg_quadc *)from)[i];
  return x;
}

static void put(const fg_system *s, void *to, int64_t i, fg_any x) {
  if (s->field)
    ((fg_gfc *)to)[i] = x.gf;
  else
    ((fg_quadc *)to)[i] = x.quad;
}

void fg_operation_values_load(fg_context *cx, const fg_system *s, const fg_problem *p, const void *array, void *to) {
  elements e = start(cx, s, p, false);
  for (int64_t i = 0; i < e.total; i++) {
    int64_t index[FG_MAX_RANK];
    split(&e, i, index);
    int64_t at = place(&e, index);
    fg_any zero = {0};
    put(s, to, i, operated(&e, i, at < 0 ? zero : get(s, array, at)));
  }
}

void fg_operation_values_store(fg_context *cx, const fg_system *s, const fg_problem *p, const void *results,
                               void *array) {
  elements e = start(cx, s, p, true);
  for (int64_t i = 0; i < e.total; i++) {
    int64_t index[FG_MAX_RANK];
    split(&e, i, index);
    int64_t at = place(&e, index);
    if (at >= 0) put(s, array, at, operated(&e, i, get(s, results, i)));
  }
}

void fg_operation_values_factors(const fg_system *s, const fg_problem *p, int64_t batch, const int64_t *params,
                                 void *x) {
  const fg_pointwise *op = fg_problem_factors(p);
  if (!op) return;
  const fg_operation_row *row = fg_operation_find(op->name);
  int64_t from = fg_problem_batch_at(p, false, batch, params);
  for (int64_t j = 1; j < p->dim[0].n.n; j++) {
    int64_t at = from + fg_problem_element_at(p, false, j, params);
    fg_any factor = fg_operation_values_given(s, fg_given_number(false, (int)(op - p->load)), at, true);
    put(s, x, j, fg_operation_values_apply(s, row, true, get(s, x, j), factor));
  }
}

void fg_operation_values_spectrum(const fg_system *s, const fg_problem *p, int64_t first, int64_t count, void *x) {
  const fg_operation_row *row = fg_operation_find("mul"), *conj = fg_operation_find("conj");
  for (int64_t k = 0; k < count; k++) {
    fg_any factor = fg_operation_values_given(s, FG_GIVEN_SPECTRUM, first + k, true);
    if (p->conjugated) factor = fg_operation_values_apply(s, conj, true, factor, factor);
    put(s, x, k, fg_operation_values_apply(s, row, true, get(s, x, k), factor));
  }
}
