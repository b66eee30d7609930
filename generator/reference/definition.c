/* Transforms by their definition. In: a problem, the elements of one transform.
 * Out: its results.
 *
 * The idea: a real, cosine or sine transform is the complex one of a longer
 * sequence that repeats its inputs with signs; some of its outputs, or their
 * imaginary parts, are the results. Several dimensions are one after the other. */
#include "generator/reference/definition.h"
#include "generator/problem/arrays.h"
#include "generator/problem/frames.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/reference/operation_values.h"
#include <string.h>

typedef struct sequence { /* of one dimension */
  int64_t period;         /* points of the complex transform */
  int sign;
  int64_t count, results; /* inputs, outputs */
  int64_t *from;          /* [period]: input, -1: zero */
  signed char *re, *im;   /* [period]: what its parts are multiplied by, -1 .. 2 */
  int64_t first, step;    /* result k is number first + k step of the transform */
  bool real, imaginary;   /* of which only the real, or only the imaginary part counts */
} sequence;

static void put(sequence *s, int64_t at, int64_t from, int re, int im) {
  at = (at % s->period + s->period) % s->period;
  s->from[at] = from;
  s->re[at] = (signed char)re;
  s->im[at] = (signed char)im;
}

/* Input j at `at`, and reflected at 0 with a sign. */
static void put_twice(sequence *s, int64_t at, int64_t j, int sign) {
  put(s, at, j, 1, 0);
  put(s, -at, j, sign, 0);
}

static int64_t period_of(const fg_problem *p, int64_t n) {
  switch (p->kind) {
  case FG_DCT1: return 2 * (n - 1);
  case FG_DST1: return 2 * (n + 1);
  case FG_DCT2:
  case FG_DCT3:
  case FG_DST2:
  case FG_DST3: return 4 * n;
  case FG_DCT4:
  case FG_DST4:
  case FG_MDCT:
  case FG_IMDCT: return 8 * n;
  default: return n;
  }
}

/* x_j and conj x_j at n - j; element 0, and n/2, have no imaginary part. */
static void put_half(sequence *s) {
  int64_t n = s->period;
  for (int64_t j = 0; j <= n / 2; j++) {
    bool alone = j == 0 || 2 * j == n;
    put(s, n - j, j, 1, -1);
    put(s, j, j, 1, alone ? 0 : 1);
  }
}

static void put_cosine(sequence *s, fg_kind kind, int64_t n) {
  bool half_in = kind == FG_DCT2 || kind == FG_DCT4, half_out = kind == FG_DCT3 || kind == FG_DCT4;
  for (int64_t j = 0; j < n; j++) put_twice(s, half_in ? 2 * j + 1 : j, j, 1);
  s->first = half_out ? 1 : 0;
  s->step = half_out ? 2 : 1;
}

/* The last input of dst3 stands for itself and its reflection by halves. */
static void put_sine(sequence *s, fg_kind kind, int64_t n) {
  bool half_in = kind == FG_DST2 || kind == FG_DST4, half_out = kind == FG_DST3 || kind == FG_DST4;
  for (int64_t j = 0; j < n; j++) put_twice(s, half_in ? 2 * j + 1 : j + 1, j, -1);
  if (kind == FG_DST3) put(s, -n, -1, 0, 0);
  s->first = 1;
  s->step = half_out ? 2 : 1;
  s->sign = 1;
  s->imaginary = true;
}

/* 2 cos(2 pi (2 j + 1 + n) (2 k + 1) / (8 n)), of samples j and coefficients k. */
static void put_lapped(sequence *s, fg_kind kind, int64_t n) {
  int64_t in = kind == FG_MDCT ? 1 + n : 1;
  for (int64_t j = 0; j < s->count; j++) put(s, in + 2 * j, j, 2, 0);
  s->first = kind == FG_MDCT ? 1 : 1 + n;
  s->step = 2;
}

static sequence *sequence_create(fg_context *cx, const fg_problem *p, int d) {
  int64_t n = p->dim[d].n.n;
  sequence *s = fg_arena_new(cx->arena, sequence, 1);
  *s = (sequence){.period = period_of(p, n), .sign = p->sign, .step = 1};
  s->count = fg_problem_span(p, d, false);
  s->results = fg_problem_span(p, d, true);
  s->real = fg_problem_kind_is_real(p->kind, true);
  s->from = fg_arena_new(cx->arena, int64_t, s->period);
  s->re = fg_arena_new(cx->arena, signed char, s->period);
  s->im = fg_arena_new(cx->arena, signed char, s->period);
  for (int64_t i = 0; i < s->period; i++) s->from[i] = -1;
  bool real_in = fg_problem_kind_is_real(p->kind, false);
  if (p->kind == FG_C2R)
    put_half(s);
  else if (p->kind >= FG_DCT1 && p->kind <= FG_DCT4)
    put_cosine(s, p->kind, n);
  else if (fg_problem_kind_is_lapped(p->kind))
    put_lapped(s, p->kind, n);
  else if (p->kind >= FG_DST1 && p->kind <= FG_DST4)
    put_sine(s, p->kind, n);
  else
    for (int64_t j = 0; j < n; j++) put(s, j, j, 1, real_in ? 0 : 1);
  return s;
}

uint64_t fg_definition_order(const fg_problem *p) {
  uint64_t order = 4;
  for (int d = fg_problem_has_frames(p); d < p->rank; d++)
    order = fg_integer_lcm(order, fg_field_dft_order(period_of(p, p->dim[d].n.n)));
  return order;
}

/* ---- lines ------------------------------------------------------------------- */

typedef struct liner liner;
struct liner {
  fg_context *cx;
  fg_which which;        /* of a batch */
  const fg_field *field; /* NULL: reals */
  const sequence *s;
  size_t size; /* of an element */
  fg_status (*line)(const liner *l, const void *x, void *y);
};

static fg_gf times_gf(const fg_field *f, fg_gf x, int by) {
  return by == 2 ? fg_gf_add(f, x, x) : by > 0 ? x : by < 0 ? fg_gf_neg(f, x) : 0;
}

static fg_status line_gf(const liner *l, const void *in, void *out) {
  const sequence *s = l->s;
  const fg_gfc *x = in;
  fg_gfc *y = out, *u = fg_arena_new(l->cx->arena, fg_gfc, s->period),
         *v = fg_arena_new(l->cx->arena, fg_gfc, s->period);
  for (int64_t i = 0; i < s->period; i++)
    if (s->from[i] >= 0)
      u[i] = (fg_gfc){times_gf(l->field, x[s->from[i]].re, s->re[i]), times_gf(l->field, x[s->from[i]].im, s->im[i])};
  fg_status status = fg_field_dft(l->cx, l->field, s->period, s->sign, u, v);
  for (int64_t k = 0; k < s->results && status == FG_OK; k++) {
    y[k] = v[s->first + k * s->step];
    if (s->real) y[k] = (fg_gfc){s->imaginary ? y[k].im : y[k].re, 0};
  }
  return status;
}

static fg_status line_quad(const liner *l, const void *in, void *out) {
  const sequence *s = l->s;
  const fg_quadc *x = in;
  fg_quadc *y = out, *u = fg_arena_new(l->cx->arena, fg_quadc, s->period);
  fg_quadc *v = fg_arena_new(l->cx->arena, fg_quadc, s->period);
  for (int64_t i = 0; i < s->period; i++)
    if (s->from[i] >= 0) u[i] = (fg_quadc){s->re[i] * x[s->from[i]].re, s->im[i] * x[s->from[i]].im};
  fg_quad_dft(l->cx, s->period, s->sign, u, v);
  for (int64_t k = 0; k < s->results; k++) {
    y[k] = v[s->first + k * s->step];
    if (s->real) y[k] = (fg_quadc){s->imaginary ? y[k].im : y[k].re, 0};
  }
  return FG_OK;
}

/* A line has an arena of its own: there are many. */
static fg_status one_line(const liner *l, const void *x, void *y) {
  fg_context cx = {.arena = fg_arena_create()};
  if (!cx.arena) return FG_ENOMEM;
  if (fg_arena_guard(cx.arena)) {
    fg_arena_destroy(cx.arena);
    return FG_ENOMEM;
  }
  liner own = *l;
  own.cx = &cx;
  fg_status status = l->line(&own, x, y);
  fg_arena_destroy(cx.arena);
  return status;
}

typedef struct array { /* rank dimensions, the last one fastest */
  int rank;
  int64_t n[FG_MAX_RANK];
  char *at;
} array;

static int64_t product(const array *a, int from, int to) {
  int64_t n = 1;
  for (int i = from; i < to; i++) n *= a->n[i];
  return n;
}

/* All lines along dimension d, which has other elements afterwards. */
static fg_status transform_lines(const liner *l, int d, array *a) {
  int64_t before = product(a, 0, d), stride = product(a, d + 1, a->rank), n = l->s->count, m = l->s->results;
  fg_arena *arena = l->cx->arena;
  size_t size = l->size;
  char *in = fg_arena_alloc(arena, size * (size_t)n), *out = fg_arena_alloc(arena, size * (size_t)m);
  char *to = fg_arena_alloc(arena, size * (size_t)(before * m * stride));
  for (int64_t line = 0; line < before * stride; line++) {
    int64_t from = line / stride * n * stride + line % stride, at = line / stride * m * stride + line % stride;
    for (int64_t i = 0; i < n; i++) memcpy(in + size * (size_t)i, a->at + size * (size_t)(from + i * stride), size);
    fg_status status = one_line(l, in, out);
    if (status != FG_OK) return status;
    for (int64_t i = 0; i < m; i++) memcpy(to + size * (size_t)(at + i * stride), out + size * (size_t)i, size);
  }
  a->n[d] = m;
  a->at = to;
  return FG_OK;
}

/* The real dimension of r2c and c2r is the last one; the others are of complex numbers. */
static fg_status transform_dimension(liner *l, const fg_problem *p, int d, array *a) {
  fg_problem line = *p;
  bool half = p->kind == FG_R2C || p->kind == FG_C2R;
  if (half && d < p->rank - 1) line.kind = FG_C2C;
  line.kind = fg_problem_kind_of_frame(line.kind);
  l->s = sequence_create(l->cx, &line, d);
  return transform_lines(l, d, a);
}

static fg_status transform_elements(liner *l, const fg_problem *p, const void *x, void *y) {
  if (p->rank == 1) {
    l->s = sequence_create(l->cx, p, 0);
    return l->line(l, x, y);
  }
  array a = {.rank = p->rank};
  for (int d = 0; d < p->rank; d++) a.n[d] = fg_problem_span(p, d, false);
  size_t bytes = l->size * (size_t)product(&a, 0, a.rank);
  a.at = fg_arena_copy(l->cx->arena, x, bytes);
  for (int i = 0; i < p->rank; i++) {         /* c2r: the real dimension last */
    if (fg_problem_has_frames(p) && i) break; /* frames are no dimension of theirs */
    fg_status status = transform_dimension(l, p, p->kind == FG_C2R ? i : p->rank - 1 - i, &a);
    if (status != FG_OK) return status;
  }
  memcpy(y, a.at, l->size * (size_t)product(&a, 0, a.rank));
  return FG_OK;
}

static int64_t elements_of(const fg_problem *p, bool output) {
  int64_t count = 1;
  for (int d = 0; d < p->rank; d++) count *= fg_problem_span(p, d, output);
  return count;
}

static void add_to(const liner *l, int64_t n, const void *from, void *to) {
  fg_gfc *sum_gf = to;
  fg_quadc *sum = to;
  const fg_gfc *x_gf = from;
  const fg_quadc *x = from;
  for (int64_t k = 0; k < n && l->field; k++) {
    sum_gf[k].re = fg_gf_add(l->field, sum_gf[k].re, x_gf[k].re);
    sum_gf[k].im = fg_gf_add(l->field, sum_gf[k].im, x_gf[k].im);
  }
  for (int64_t k = 0; k < n && !l->field; k++) sum[k].re += x[k].re, sum[k].im += x[k].im;
}

/* conv: forward, times the spectrum; the sum of several such, and back. */
static fg_status convolve(liner *l, const fg_problem *p, const void *x, void *y) {
  fg_system system = {.field = l->field};
  fg_problem one = *p;
  int64_t n = fg_problem_spectrum_points(p), elements = elements_of(p, false),
          apart = fg_problem_result_count(p, l->which.params);
  char *middle = fg_arena_alloc(l->cx->arena, l->size * (size_t)n), *sum = middle;
  for (int64_t i = 0; i < fg_problem_summands(p, l->which.params); i++) {
    if (i == 1) middle = fg_arena_alloc(l->cx->arena, l->size * (size_t)n);
    one.kind = fg_problem_kind_inside(p->kind, false), one.sign = -1;
    fg_status status = transform_elements(l, &one, (const char *)x + l->size * (size_t)(i * elements), middle);
    if (status != FG_OK) return status;
    int64_t transform = l->which.transform + i * apart;
    fg_operation_values_spectrum(&system, p, fg_problem_spectrum_at(p, transform, l->which.params), n, middle);
    if (i) add_to(l, n, middle, sum);
  }
  middle = sum;
  one.kind = fg_problem_kind_inside(p->kind, true), one.sign = +1;
  return transform_elements(l, &one, middle, y);
}

static fg_status transform_or_convolve(liner *l, const fg_problem *p, const void *x, void *y) {
  return fg_problem_kind_convolves(p->kind) ? convolve(l, p, x, y) : transform_elements(l, p, x, y);
}

/* With the problem's load and store operations around it. */
static fg_status transform(liner *l, const fg_problem *p, const void *x, void *y) {
  fg_system system = {.field = l->field, .which = l->which};
  if (!fg_problem_has_operations(p) && !fg_problem_has_frames(p)) return transform_or_convolve(l, p, x, y);
  int64_t summands = fg_problem_summands(p, l->which.params), elements = elements_of(p, false),
          held = fg_problem_elements(p, false);
  char *in = fg_arena_alloc(l->cx->arena, l->size * (size_t)(summands * elements));
  void *out = fg_arena_alloc(l->cx->arena, l->size * (size_t)elements_of(p, true));
  for (int64_t i = 0; i < summands; i++) {
    system.which.transform = l->which.transform + i * fg_problem_result_count(p, l->which.params);
    fg_operation_values_load(l->cx, &system, p, (const char *)x + l->size * (size_t)(i * held),
                             in + l->size * (size_t)(i * elements));
  }
  system.which = l->which;
  fg_status status = transform_or_convolve(l, p, in, out);
  if (status == FG_OK) fg_operation_values_store(l->cx, &system, p, out, y);
  return status;
}

fg_status fg_definition_gf(fg_context *cx, const fg_problem *p, const fg_field *f, fg_which which, const fg_gfc *x,
                           fg_gfc *y) {
  liner l = {.cx = cx, .which = which, .field = f, .size = sizeof *x, .line = line_gf};
  return transform(&l, p, x, y);
}

void fg_definition_quad(fg_context *cx, const fg_problem *p, fg_which which, const fg_quadc *x, fg_quadc *y) {
  liner l = {.cx = cx, .which = which, .size = sizeof *x, .line = line_quad};
  transform(&l, p, x, y);
}
