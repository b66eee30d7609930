/* See reference.h. FFTW's library for quadruple precision computes references; for long transforms its library for
 * long doubles, because 64 bits suffice beside the 53 of what is verified. Results are long doubles in either case.
 * A program that is built without FFTW computes all of them in long doubles (planned.h). */
#include "tuning/measure/reference.h"
#include "tuning/measure/planned.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct fg_reference {
  fg_planned planned;
  fg_kind kind;
  int sign;
  int rank, length[FG_PLANNED_RANK];
  int64_t count_in, count_out; /* elements */
};

fg_reference *fg_reference_create(int rank, const int64_t *n, int sign) {
  return fg_reference_create_real(FG_C2C, rank, n, sign);
}

static fg_reference *create(fg_kind kind, int rank, const int64_t *n, int sign, fg_digits digits) {
  fg_reference *r = calloc(1, sizeof *r);
  if (!r || rank > FG_PLANNED_RANK) return free(r), NULL;
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
  r->planned.digits = digits;
  if (fg_planned_make(&r->planned, kind, rank, r->length, sign, rows * (kind == FG_C2C ? row : half))) return r;
  fg_reference_destroy(r);
  return NULL;
}

fg_reference *fg_reference_create_real(fg_kind kind, int rank, const int64_t *n, int sign) {
  return create(kind, rank, n, sign, FG_DIGITS_QUAD);
}

fg_reference *fg_reference_create_for(fg_precision computed, fg_kind kind, int rank, const int64_t *n, int sign) {
  return create(kind, rank, n, sign, computed == FG_F64 ? FG_DIGITS_WIDE : FG_DIGITS_DOUBLE);
}

typedef struct input { /* one of both */
  const double *doubles;
  const long double *wide;
} input;

static long double number(input in, int64_t i) { return in.wide ? in.wide[i] : (long double)in.doubles[i]; }

static void put(fg_reference *r, int64_t i, long double x) { fg_planned_put(&r->planned, i, x); }
static long double get(const fg_reference *r, int64_t i) { return fg_planned_get(&r->planned, i); }
static void transform(fg_reference *r) { fg_planned_run(&r->planned); }

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
  if (r) fg_planned_end(&r->planned);
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
