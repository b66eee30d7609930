/* See reference.h. FFTW's library for quadruple precision computes references; for long transforms its library for
 * long doubles, because 64 bits suffice beside the 53 of what is verified. Results are long doubles in either case.
 * Planning is serialised, because FFTW's planner has global state. */
#include "tuning/measure/reference.h"
#include "tuning/measure/planner_lock.h"
#include <fftw3.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef __clang__ /* has the type, but the header leaves its functions out */
FFTW_DEFINE_API(FFTW_MANGLE_QUAD, __float128, fftwq_complex)
#endif

#define LONG_TRANSFORM (INT64_C(1) << 16) /* elements, from which 113 bits take too long */

typedef enum digits { QUAD, WIDE, DOUBLE } digits; /* 113, 64 or 53 bits */

struct fg_reference {
  digits digits;
  fftwq_plan quad_plan;
  fftwl_plan wide_plan;
  fftw_plan double_plan;
  __float128 *quad; /* in place; NULL where it is not the one of `digits` */
  long double *wide;
  double *narrow;
  fg_kind kind;
  int sign;
  int rank, length[16];
  int64_t count_in, count_out; /* elements */
};

/* One of FFTW's libraries: its prefix, its number, where the reference keeps numbers and plan. */
#define PLANNER(NAME, FFTW, NUMBER, ARRAY, PLAN)                                                                       \
  static void NAME(fg_reference *r, const fftw_r2r_kind *kinds) {                                                      \
    NUMBER *reals = r->ARRAY;                                                                                          \
    FFTW##_complex *data = (FFTW##_complex *)reals;                                                                    \
    if (r->kind == FG_C2C)                                                                                             \
      r->PLAN = FFTW##_plan_dft(r->rank, r->length, data, data, r->sign, FFTW_ESTIMATE);                               \
    else if (r->kind == FG_R2C)                                                                                        \
      r->PLAN = FFTW##_plan_dft_r2c(r->rank, r->length, reals, data, FFTW_ESTIMATE);                                   \
    else if (r->kind == FG_C2R)                                                                                        \
      r->PLAN = FFTW##_plan_dft_c2r(r->rank, r->length, data, reals, FFTW_ESTIMATE);                                   \
    else                                                                                                               \
      r->PLAN = FFTW##_plan_r2r(r->rank, r->length, reals, reals, kinds, FFTW_ESTIMATE);                               \
  }
PLANNER(plan_quad, fftwq, __float128, quad, quad_plan)
PLANNER(plan_wide, fftwl, long double, wide, wide_plan)
PLANNER(plan_double, fftw, double, narrow, double_plan)

/* Room for so many complex numbers, and a plan. */
static bool make_plan(fg_reference *r, int64_t complexes) {
  static const fftw_r2r_kind of[FG_KIND_COUNT] = {
      [FG_DCT1] = FFTW_REDFT00, [FG_DCT2] = FFTW_REDFT10,  [FG_DCT3] = FFTW_REDFT01, [FG_DCT4] = FFTW_REDFT11,
      [FG_MDCT] = FFTW_REDFT11, [FG_IMDCT] = FFTW_REDFT11, [FG_DST1] = FFTW_RODFT00, [FG_DST2] = FFTW_RODFT10,
      [FG_DST3] = FFTW_RODFT01, [FG_DST4] = FFTW_RODFT11};
  static void (*const plan[])(fg_reference *, const fftw_r2r_kind *) = {plan_quad, plan_wide, plan_double};
  size_t count = 2 * (size_t)complexes;
  fftw_r2r_kind kinds[16];
  for (int i = 0; i < r->rank; i++) kinds[i] = of[r->kind];
  if (r->digits == QUAD && complexes >= LONG_TRANSFORM) r->digits = WIDE;
  if (r->digits == QUAD) r->quad = fftwq_malloc(count * sizeof *r->quad);
  if (r->digits == WIDE) r->wide = fftwl_malloc(count * sizeof *r->wide);
  if (r->digits == DOUBLE) r->narrow = fftw_malloc(count * sizeof *r->narrow);
  if (!r->quad && !r->wide && !r->narrow) return false;
  pthread_mutex_lock(&fg_planner_lock);
  plan[r->digits](r, kinds);
  pthread_mutex_unlock(&fg_planner_lock);
  return r->quad_plan || r->wide_plan || r->double_plan;
}

fg_reference *fg_reference_create(int rank, const int64_t *n, int sign) {
  return fg_reference_create_real(FG_C2C, rank, n, sign);
}

static fg_reference *create(fg_kind kind, int rank, const int64_t *n, int sign, digits digits) {
  fg_reference *r = calloc(1, sizeof *r);
  if (!r || rank > 16) return free(r), NULL;
  r->digits = digits;
  r->kind = kind;
  r->sign = sign;
  r->rank = rank;
  int64_t rows = 1, row = n[rank - 1], half = row / 2 + 1;
  for (int i = 0; i < rank; i++) {
    if (n[i] > INT_MAX) return free(r), NULL;
    r->length[i] = (int)n[i];
    rows *= i < rank - 1 ? n[i] : 1;
  }
  r->count_in = rows * (kind == FG_C2R ? half : kind == FG_MDCT ? 2 * row : row);
  r->count_out = rows * (kind == FG_R2C ? half : kind == FG_IMDCT ? 2 * row : row);
  if (make_plan(r, rows * (kind == FG_C2C ? row : half))) return r;
  fg_reference_destroy(r);
  return NULL;
}

fg_reference *fg_reference_create_real(fg_kind kind, int rank, const int64_t *n, int sign) {
  return create(kind, rank, n, sign, QUAD);
}

fg_reference *fg_reference_create_for(fg_precision computed, fg_kind kind, int rank, const int64_t *n, int sign) {
  return create(kind, rank, n, sign, computed == FG_F64 ? WIDE : DOUBLE);
}

typedef struct input { /* one of both */
  const double *doubles;
  const long double *wide;
} input;

static long double number(input in, int64_t i) { return in.wide ? in.wide[i] : (long double)in.doubles[i]; }

static void put(fg_reference *r, int64_t i, long double x) {
  if (r->digits == QUAD)
    r->quad[i] = x;
  else if (r->digits == WIDE)
    r->wide[i] = x;
  else
    r->narrow[i] = (double)x;
}

static long double get(const fg_reference *r, int64_t i) {
  return r->digits == QUAD ? (long double)r->quad[i] : r->digits == WIDE ? r->wide[i] : (long double)r->narrow[i];
}

static void transform(fg_reference *r) {
  if (r->digits == QUAD)
    fftwq_execute(r->quad_plan);
  else if (r->digits == WIDE)
    fftwl_execute(r->wide_plan);
  else
    fftw_execute(r->double_plan);
}

/* Samples j of a lapped transform, one way or the other: with a sign in number `at` of its cosine transform. */
static int64_t folded(const fg_reference *r, int64_t j, int *sign) {
  int64_t n = r->length[0];
  *sign = 2 * j < n ? 1 : -1;
  if (2 * j < n) return n / 2 + j;
  return 2 * j < 3 * n ? 3 * n / 2 - 1 - j : j - 3 * n / 2;
}

static void run_lapped(fg_reference *r, input in, long double *out) {
  bool back = r->kind == FG_IMDCT;
  int64_t n = r->length[0];
  int sign;
  for (int64_t k = 0; k < n; k++) put(r, k, back ? number(in, 2 * k) : 0);
  for (int64_t j = 0; j < 2 * n && !back; j++) {
    int64_t at = folded(r, j, &sign);
    put(r, at, get(r, at) + sign * number(in, 2 * j));
  }
  transform(r);
  for (int64_t k = 0; k < r->count_out; k++) {
    int64_t at = back ? folded(r, k, &sign) : k;
    out[2 * k] = back ? sign * get(r, at) : get(r, at);
    out[2 * k + 1] = 0;
  }
}

/* FFTW's r2c is forward, its c2r backward; the other sign is the conjugate. In place,
 * rows of reals are as long as those of complex numbers. Of c2r in several dimensions,
 * columns 0 and n/2 are transforms of any numbers: their rows' imaginary parts count
 * only as far as the transform over the columns leaves some. */
static void run_real(fg_reference *r, input in, long double *out) {
  bool complex_in = r->kind == FG_C2R, complex_out = r->kind == FG_R2C;
  int im_in = r->sign > 0 ? 1 : -1, im_out = -im_in;
  int64_t row = r->length[r->rank - 1];
  bool halves = complex_in || complex_out;
  for (int64_t k = 0; k < r->count_in; k++) {
    bool alone = r->rank == 1 && (k == 0 || 2 * k == row);
    if (!complex_in) {
      put(r, halves ? k / row * 2 * (row / 2 + 1) + k % row : k, number(in, 2 * k));
      continue;
    }
    put(r, 2 * k, number(in, 2 * k));
    put(r, 2 * k + 1, alone ? 0 : im_in * number(in, 2 * k + 1));
  }
  transform(r);
  for (int64_t k = 0; k < r->count_out; k++) {
    out[2 * k] = get(r, complex_out ? 2 * k : halves ? k / row * 2 * (row / 2 + 1) + k % row : k);
    out[2 * k + 1] = complex_out ? im_out * get(r, 2 * k + 1) : 0;
  }
}

static void run(fg_reference *r, input in, long double *out) {
  if (r->kind != FG_C2C) {
    (r->kind == FG_MDCT || r->kind == FG_IMDCT ? run_lapped : run_real)(r, in, out);
    return;
  }
  for (int64_t i = 0; i < 2 * r->count_in; i++) put(r, i, number(in, i));
  transform(r);
  for (int64_t i = 0; i < 2 * r->count_out; i++) out[i] = get(r, i);
}

void fg_reference_run(fg_reference *r, const double *in, long double *out) { run(r, (input){.doubles = in}, out); }

void fg_reference_run_wide(fg_reference *r, const long double *in, long double *out) {
  run(r, (input){.wide = in}, out);
}

void fg_reference_destroy(fg_reference *r) {
  if (!r) return;
  pthread_mutex_lock(&fg_planner_lock);
  if (r->quad_plan) fftwq_destroy_plan(r->quad_plan);
  if (r->wide_plan) fftwl_destroy_plan(r->wide_plan);
  if (r->double_plan) fftw_destroy_plan(r->double_plan);
  pthread_mutex_unlock(&fg_planner_lock);
  fftwq_free(r->quad);
  fftwl_free(r->wide);
  fftw_free(r->narrow);
  free(r);
}

/* ---- kept results ---------------------------------------------------------- */

enum { MOST_KEPT = 64 << 20 };

typedef struct truth truth;
struct truth {
  truth *next;
  long double *out; /* behind it: the input */
  double *in;
};

struct fg_truths {
  truth *first;
  size_t bytes;
};

fg_truths *fg_truths_create(void) { return calloc(1, sizeof(fg_truths)); }

static void keep(fg_truths *truths, const fg_reference *r, const double *in, const long double *out) {
  size_t in_bytes = sizeof *in * 2 * (size_t)r->count_in, out_bytes = sizeof *out * 2 * (size_t)r->count_out;
  if (truths->bytes + in_bytes + out_bytes > MOST_KEPT) return;
  truth *t = calloc(1, sizeof *t);
  if (!t || !(t->out = malloc(in_bytes + out_bytes))) {
    free(t);
    return;
  }
  t->in = (double *)(void *)((char *)t->out + out_bytes);
  memcpy(t->in, in, in_bytes);
  memcpy(t->out, out, out_bytes);
  t->next = truths->first;
  truths->first = t;
  truths->bytes += in_bytes + out_bytes;
}

void fg_truths_run(fg_truths *truths, fg_reference *r, const double *in, long double *out) {
  for (truth *t = truths ? truths->first : NULL; t; t = t->next)
    if (!memcmp(t->in, in, sizeof *in * 2 * (size_t)r->count_in)) {
      memcpy(out, t->out, sizeof *out * 2 * (size_t)r->count_out);
      return;
    }
  fg_reference_run(r, in, out);
  if (truths) keep(truths, r, in, out);
}

void fg_truths_destroy(fg_truths *truths) {
  for (truth *t = truths ? truths->first : NULL, *next; t; t = next) {
    next = t->next;
    free(t->out);
    free(t);
  }
  free(truths);
}
