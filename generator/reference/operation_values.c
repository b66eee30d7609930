/* See operation_values.h. In: expressions, numbers. Out: numbers.
 *
 * Terms are evaluated here in two number systems, and by lower/operations.c as
 * text; which element meets which operand is computed here from indices, not
 * from anything that a program says. */
#include "generator/reference/operation_values.h"
#include "generator/base/invariant.h"
#include "generator/problem/arrays.h"
#include "generator/problem/bank.h"
#include "generator/problem/frames.h"
#include "generator/problem/given.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/reference/bank_values.h"
#include "generator/reference/window_values.h"
#include <math.h>
#include <string.h>

/* ---- scalars ------------------------------------------------------------------- */

typedef union scalar {
  fg_gf gf;
  fg_quad quad;
} scalar;

/* Functions of a field without meaning. A quotient is one of the divisor, times the dividend. */
fg_gf fg_operation_values_call(const fg_field *f, fg_called call, fg_gf a, fg_gf b) {
  static const int64_t constant[FG_CALL_COUNT] = {3, 7, 11, 13, 17, 19, 23, 29};
  fg_gf of = call == FG_CALL_DIVIDE ? b : a, square = fg_gf_mul(f, of, of), cube = fg_gf_mul(f, of, square);
  bool longer = call == FG_CALL_LOG10 || call == FG_CALL_LOG || call == FG_CALL_EXP;
  fg_gf y = fg_gf_add(f, longer ? fg_gf_mul(f, cube, square) : cube, fg_gf_from(f, constant[call]));
  if (call == FG_CALL_DIVIDE) return fg_gf_mul(f, a, y);
  if (call == FG_CALL_MIN || call == FG_CALL_MAX) return fg_gf_add(f, y, fg_gf_mul(f, b, fg_gf_add(f, b, b)));
  return y;
}

static fg_quad call_quad(fg_called call, fg_quad a, fg_quad b) {
  switch (call) {
  case FG_CALL_SQRT: return fg_quad_sqrt(a);
  case FG_CALL_LOG10: return fg_quad_log10(a);
  case FG_CALL_LOG: return fg_quad_log(a);
  case FG_CALL_EXP: return fg_quad_by(a, mpfr_exp);
  case FG_CALL_ABS: return a < 0 ? -a : a;
  case FG_CALL_MIN: return b < a ? b : a;
  case FG_CALL_MAX: return b > a ? b : a;
  case FG_CALL_DIVIDE: return a / b;
  case FG_CALL_COUNT: break;
  }
  fg_invariant(!"a function of calls.def");
  return a;
}

static scalar part_of(const fg_system *s, const fg_any *x, int part) {
  scalar v;
  if (s->field)
    v.gf = part ? x->gf.im : x->gf.re;
  else
    v.quad = part ? x->quad.im : x->quad.re;
  return v;
}

/* A double as an element: a whole number times a power of two. */
static fg_gf image_of(const fg_field *f, double x) {
  int power;
  int64_t whole = (int64_t)ldexp(frexp(x, &power), 53);
  if (!whole) return fg_gf_from(f, 0);
  for (power -= 53; whole % 2 == 0; power++) whole /= 2;
  fg_gf y = fg_gf_from(f, whole), base = fg_gf_from(f, power < 0 ? (int64_t)((f->p + 1) / 2) : 2);
  return power ? fg_gf_mul(f, y, fg_gf_pow(f, base, (uint64_t)(power < 0 ? -power : power))) : y;
}

/* An expression has few, and is evaluated for each element. */
fg_gf fg_operation_values_number(const fg_field *f, double x) {
  enum { KEPT = 64 };
  static _Thread_local struct {
    uint64_t p, bits;
    fg_gf image;
  } kept[KEPT];
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  size_t at = (bits * UINT64_C(0x9e3779b97f4a7c15) ^ f->p) >> 32 & (KEPT - 1);
  if (kept[at].p != f->p || kept[at].bits != bits)
    kept[at].image = image_of(f, x), kept[at].p = f->p, kept[at].bits = bits;
  return kept[at].image;
}

static scalar term_gf(const fg_field *f, const fg_expression_term *t, const scalar *v) {
  fg_gf a = t->a >= 0 ? v[t->a].gf : 0, b = t->b >= 0 ? v[t->b].gf : 0;
  switch (t->op) {
  case FG_TERM_NEG: return (scalar){.gf = fg_gf_neg(f, a)};
  case FG_TERM_ADD: return (scalar){.gf = fg_gf_add(f, a, b)};
  case FG_TERM_SUB: return (scalar){.gf = fg_gf_sub(f, a, b)};
  case FG_TERM_MUL: return (scalar){.gf = fg_gf_mul(f, a, b)};
  default: return (scalar){.gf = fg_operation_values_call(f, t->call, a, b)};
  }
}

static scalar term_quad(const fg_expression_term *t, const scalar *v) {
  fg_quad a = t->a >= 0 ? v[t->a].quad : 0, b = t->b >= 0 ? v[t->b].quad : 0;
  switch (t->op) {
  case FG_TERM_NEG: return (scalar){.quad = -a};
  case FG_TERM_ADD: return (scalar){.quad = a + b};
  case FG_TERM_SUB: return (scalar){.quad = a - b};
  case FG_TERM_MUL: return (scalar){.quad = a * b};
  default: return (scalar){.quad = call_quad(t->call, a, b)};
  }
}

static scalar number_of(const fg_system *s, double x) {
  return s->field ? (scalar){.gf = fg_operation_values_number(s->field, x)} : (scalar){.quad = x};
}

fg_any fg_operation_values_apply(const fg_system *s, const fg_expression *e, fg_any x, const fg_any *taken) {
  scalar v[FG_MAX_EXPRESSION_TERMS], zero = s->field ? (scalar){.gf = 0} : (scalar){.quad = 0};
  for (int i = 0; i < e->count; i++) {
    const fg_expression_term *t = &e->term[i];
    if (t->op == FG_TERM_ELEMENT)
      v[i] = part_of(s, &x, t->part);
    else if (t->op == FG_TERM_OPERAND)
      v[i] = part_of(s, &taken[t->a], t->part);
    else if (t->op == FG_TERM_NUMBER)
      v[i] = number_of(s, t->number);
    else
      v[i] = s->field ? term_gf(s->field, t, v) : term_quad(t, v);
  }
  scalar re = v[e->result[0]], im = e->result[1] < 0 ? zero : v[e->result[1]];
  return s->field ? (fg_any){.gf = {re.gf, im.gf}} : (fg_any){.quad = {re.quad, im.quad}};
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
  return fg_gf_random(&state);
}

/* 16 bits of -1 .. 1. */
static fg_quad random_quad(uint64_t what, int64_t number) {
  uint64_t state = state_of(what, number);
  return (fg_quad)((double)((int64_t)(fg_random(&state) >> 48) - 32768) * 0x1p-15);
}

enum { SCALE = 1, GIVEN = 3 /* 2: windows */ };

fg_any fg_operation_values_scale(const fg_system *s, const fg_problem *p) {
  fg_any x = {0};
  int64_t n = fg_problem_scale_points(p);
  if (s->field)
    x.gf.re = random_gf(s->field, SCALE, 0);
  else if (p->scale == FG_SCALE_1_N)
    x.quad.re = (fg_quad)1 / n;
  else if (p->scale == FG_SCALE_1_SQRT_N)
    x.quad.re = 1 / fg_quad_sqrt(n);
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

/* ---- elements ------------------------------------------------------------------ */

typedef struct fg_operation_elements { /* of one side */
  const fg_system *s;
  const fg_problem *p;
  bool output;
  const fg_pointwise *op;
  int count;
  int64_t span[FG_MAX_RANK], total; /* as the transform sees them */
  int64_t length[FG_MAX_RANK];      /* as the array has them */
  const fg_part *kept;
  bool shifted;
  const fg_quad *window[FG_MAX_POINTWISE][FG_MAX_RANK]; /* 113 bits */
  fg_expression *scale, *value;                         /* the problem's factor; of each operation, none: of no terms */
  fg_given (*given)[FG_MAX_OPERANDS];
} elements;

static fg_window window_of(const fg_pointwise *op) {
  return (fg_window){.row = fg_window_find(op->window), .parameter = op->parameter};
}

static void start_value(elements *e, int i) {
  const fg_operation_row *row = fg_operation_find(e->op[i].name);
  if (row->act != FG_ACT_VALUE) return;
  fg_expression_of(e->p, e->output, i, fg_given_is_complex(e->p, e->output, i), &e->value[i]);
  for (int o = 0; o < e->value[i].noperand && !e->op[i].window[0]; o++)
    if (*e->value[i].operand[o].name) fg_given_of(e->p, e->output, i, &e->value[i], o, &e->given[i][o]);
}

static elements start(fg_context *cx, const fg_system *s, const fg_problem *p, bool output) {
  elements e = {.s = s, .p = p, .output = output, .total = 1};
  e.op = output ? p->store : p->load;
  e.count = output ? p->nstore : p->nload;
  e.kept = fg_problem_part(p, output), e.shifted = fg_problem_shifts(p, output);
  for (int d = 0; d < p->rank; d++) {
    e.total *= e.span[d] = fg_problem_span(p, d, output);
    e.length[d] = fg_problem_length(p, d, output);
  }
  e.scale = fg_arena_new(cx->arena, fg_expression, 1 + e.count);
  e.value = e.scale + 1;
  e.given = fg_arena_alloc(cx->arena, sizeof *e.given * (size_t)(1 + e.count));
  fg_expression_of_row(fg_operation_find("scale"), !fg_problem_kind_is_real(p->kind, output), e.scale);
  for (int i = 0; i < e.count; i++) start_value(&e, i);
  for (int i = 0; i < e.count && !s->field; i++)
    for (int d = 0; d < p->rank && e.op[i].window[0]; d++)
      e.window[i][d] = fg_operation_values_weights(cx, window_of(&e.op[i]), fg_problem_window_points(p, d, output));
  return e;
}

static void split(const elements *e, int64_t number, int64_t *index) {
  for (int d = e->p->rank - 1; d >= 0; d--) {
    index[d] = number % e->span[d];
    number /= e->span[d];
  }
}

/* The same of sample j of a frame. */
static int64_t sample_of(const fg_problem *p, int64_t frame, int64_t j) {
  int64_t at = frame * fg_problem_hop(p) + j - fg_problem_signal_first(p), length = fg_problem_signal_length(p);
  if (fg_problem_reflects(p) && at < 0) at = -at;
  if (fg_problem_reflects(p) && at >= length) at = 2 * (length - 1) - at;
  return at < 0 || at >= length ? -1 : at;
}

/* Where the array has the element: -1: nowhere (a padded zero, or cropped). */
static int64_t place(const elements *e, const int64_t *index) {
  int64_t at = 0;
  if (fg_problem_is_signal(e->p, e->output)) return sample_of(e->p, index[0], index[1]);
  for (int d = 0; d < e->p->rank; d++) {
    int64_t n = e->span[d], i = e->shifted ? (index[d] + n / 2) % n : index[d];
    if (e->kept) i -= e->kept->first[d];
    if (i < 0 || i >= e->length[d]) return -1;
    at = at * e->length[d] + i;
  }
  return at;
}

static fg_any windowed(const elements *e, int i, const fg_expression *value, fg_any x, const int64_t *index) {
  for (int d = 0; d < e->p->rank; d++) {
    int64_t n = fg_problem_window_points(e->p, d, e->output);
    fg_any weight = {0};
    if (n == 1) continue;
    if (e->s->field)
      weight.gf.re = fg_operation_values_weight_gf(e->s->field, window_of(&e->op[i]), n, index[d]);
    else
      weight.quad.re = e->window[i][d][index[d]];
    x = fg_operation_values_apply(e->s, value, x, &weight);
  }
  return x;
}

/* Which of a transform's numbers an element has; -1: none, as it is not in the array. */
static int64_t given_at(const fg_problem *p, const fg_given *g, const int64_t *index) {
  int64_t at = 0;
  for (int d = 0; d < p->rank && g->of != FG_OPERAND_ONE; d++) {
    int64_t i = index[d] - (g->part ? g->part->first[d] : 0), n = fg_given_length(p, g, d);
    if (g->of == FG_OPERAND_DIMENSION && d != g->dimension) continue;
    if (i < 0 || i >= n) return -1;
    at = g->of == FG_OPERAND_DIMENSION ? i : at * n + i;
  }
  return at;
}

/* Operand `o` of an expression's, for an element. */
static fg_any taken_by(const elements *e, int i, int o, const int64_t *index) {
  const fg_expression *value = &e->value[i];
  const fg_expression_operand *of = &value->operand[o];
  int64_t transform = e->s->which.transform, n;
  if (!*of->name) {
    bool counts = of->of == FG_OPERAND_ONE;
    fg_any x = {0};
    n = counts ? fg_problem_batch_count(e->p, NULL) : e->span[of->dimension];
    int64_t number = counts ? transform : index[of->dimension];
    if (e->s->field)
      x.gf.re = fg_operation_values_weight_gf(e->s->field, (fg_window){.row = fg_window_numbers()}, n, number);
    else
      x.quad.re = number;
    return x;
  }
  const fg_given *g = &e->given[i][o];
  int64_t at = given_at(e->p, g, index);
  if (at < 0) return (fg_any){0};
  int64_t own = fg_problem_own(e->p, g->whose, transform, e->s->which.params);
  return fg_operation_values_given(e->s, g->number, own * g->each + at, g->complex);
}

/* The operations of the side on element `number`. */
static fg_any operated(const elements *e, int64_t number, fg_any x) {
  int64_t index[FG_MAX_RANK];
  split(e, number, index);
  if (e->output && e->p->scale != FG_SCALE_NONE) {
    fg_any scale = fg_operation_values_scale(e->s, e->p);
    x = fg_operation_values_apply(e->s, e->scale, x, &scale);
  }
  for (int i = 0; i < e->count; i++) {
    fg_any taken[FG_MAX_OPERANDS];
    if (!e->value[i].count) continue;
    if (e->op[i].window[0]) {
      x = windowed(e, i, &e->value[i], x, index);
      continue;
    }
    for (int o = 0; o < e->value[i].noperand; o++) taken[o] = taken_by(e, i, o, index);
    x = fg_operation_values_apply(e->s, &e->value[i], x, taken);
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

const fg_operation_elements *fg_operation_values_elements(fg_context *cx, const fg_system *s, const fg_problem *p,
                                                          bool output) {
  elements *e = fg_arena_new(cx->arena, elements, 1);
  *e = start(cx, s, p, output);
  return e;
}

fg_any fg_operation_values_one(const fg_operation_elements *e, int64_t number, fg_any x) {
  return operated(e, number, x);
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

static fg_any plus(const fg_system *s, fg_any x, fg_any y) {
  if (s->field)
    x.gf = (fg_gfc){fg_gf_add(s->field, x.gf.re, y.gf.re), fg_gf_add(s->field, x.gf.im, y.gf.im)};
  else
    x.quad = (fg_quadc){x.quad.re + y.quad.re, x.quad.im + y.quad.im};
  return x;
}

/* norm: each sample over the sum of the squared windows of the frames that have it. */
static void normalize(fg_context *cx, const fg_system *s, const fg_problem *p, void *array) {
  const fg_pointwise *op = fg_problem_norm_window(p);
  int64_t n = fg_problem_frame(p), hop = fg_problem_hop(p), first = fg_problem_signal_first(p);
  if (!op || n == 1) return; /* a window of one point is 1, and a hop no longer */
  const fg_quad *weight = s->field ? NULL : fg_operation_values_weights(cx, window_of(op), n);
  for (int64_t i = 0; i < fg_problem_elements(p, true); i++) {
    fg_any x = get(s, array, i), sum = {0};
    for (int64_t f = (i + first) / hop; f >= 0 && i + first - f * hop < n; f--) {
      int64_t j = i + first - f * hop;
      if (f >= p->dim[0].n.n) continue;
      fg_gf w = s->field ? fg_operation_values_weight_gf(s->field, window_of(op), n, j) : 0;
      if (s->field)
        sum.gf.re = fg_gf_add(s->field, sum.gf.re, fg_gf_mul(s->field, w, w));
      else
        sum.quad.re += weight[j] * weight[j];
    }
    if (s->field)
      x.gf.re = fg_gf_mul(s->field, x.gf.re, fg_gf_inv(s->field, sum.gf.re));
    else
      x.quad.re /= sum.quad.re;
    put(s, array, i, x);
  }
}

/* mel: bands of each row, and what is behind it. */
static void store_bands(fg_context *cx, const fg_system *s, const fg_problem *p, elements *e, const void *results,
                        void *array) {
  const fg_bank *bank = fg_problem_bank(p);
  int64_t bins = fg_problem_bank_bins(p), points = p->dim[p->rank - 1].n.n;
  const fg_quad *corner = s->field ? NULL : fg_operation_values_corners(cx, bank);
  int count = e->count;
  e->count = fg_problem_bank_at(p);
  for (int64_t i = 0; i < e->total / bins * bank->bands; i++) {
    int64_t band = i % bank->bands, row = i / bank->bands * bins, first, end;
    fg_any sum = {0};
    fg_operation_values_band(bank, points, band, &first, &end);
    for (int64_t k = first; k < end; k++) {
      fg_any x = operated(e, row + k, get(s, results, row + k));
      if (s->field)
        x.gf = (fg_gfc){
            fg_gf_mul(s->field, x.gf.re, fg_operation_values_band_weight_gf(s->field, bank, points, band, k)), 0};
      else
        x.quad = (fg_quadc){x.quad.re * fg_operation_values_band_weight(bank, points, corner, band, k), 0};
      sum = plus(s, sum, x);
    }
    for (int k = e->count + 1; k < count; k++)
      if (e->value[k].count) sum = fg_operation_values_apply(s, &e->value[k], sum, NULL);
    put(s, array, i, sum);
  }
}

void fg_operation_values_store(fg_context *cx, const fg_system *s, const fg_problem *p, const void *results,
                               void *array) {
  elements e = start(cx, s, p, true);
  bool sums = fg_problem_is_signal(p, true);
  if (fg_problem_bank(p)) {
    store_bands(cx, s, p, &e, results, array);
    return;
  }
  fg_any zero = {0};
  for (int64_t i = 0; sums && i < fg_problem_elements(p, true); i++) put(s, array, i, zero);
  for (int64_t i = 0; i < e.total; i++) {
    int64_t index[FG_MAX_RANK];
    split(&e, i, index);
    int64_t at = place(&e, index);
    if (at < 0) continue;
    fg_any x = operated(&e, i, get(s, results, i));
    put(s, array, at, sums ? plus(s, get(s, array, at), x) : x);
  }
  if (sums) normalize(cx, s, p, array);
}

void fg_operation_values_factors(const fg_system *s, const fg_problem *p, int64_t batch, const int64_t *params,
                                 void *x) {
  const fg_pointwise *op = fg_problem_factors(p);
  if (!op) return;
  fg_expression product;
  fg_expression_of_row(fg_operation_find(op->name), true, &product);
  int64_t from = fg_problem_batch_at(p, false, batch, params);
  for (int64_t j = 1; j < p->dim[0].n.n; j++) {
    int64_t at = from + fg_problem_element_at(p, false, j, params);
    fg_any factor = fg_operation_values_given(s, fg_given_number(false, (int)(op - p->load)), at, true);
    put(s, x, j, fg_operation_values_apply(s, &product, get(s, x, j), &factor));
  }
}

void fg_operation_values_spectrum(const fg_system *s, const fg_problem *p, int64_t first, int64_t count, void *x) {
  fg_expression product, conj;
  fg_expression_of_row(fg_operation_find("mul"), true, &product);
  fg_expression_of_row(fg_operation_find("conj"), true, &conj);
  for (int64_t k = 0; k < count; k++) {
    fg_any factor = fg_operation_values_given(s, FG_GIVEN_SPECTRUM, first + k, true);
    if (p->conjugated) factor = fg_operation_values_apply(s, &conj, factor, NULL);
    put(s, x, k, fg_operation_values_apply(s, &product, get(s, x, k), &factor));
  }
}
