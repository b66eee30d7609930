/* See sums.h. An angle is a whole number of 2 pi / period, so that tables of one turn hold all of them. */
#include "sums.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double _Complex value;

typedef struct line { /* transforms of one dimension */
  kind kind;
  int sign;
  long long n, in, out; /* length, elements of input and output */
  long long period;
  const long double *cosine, *sine;
} line;

static value complex_sum(const line *l, const value *x, long long k) {
  value sum = 0;
  for (long long j = 0; j < l->n; j++) {
    long long at = j * k % l->n;
    sum += x[j] * (l->cosine[at] + (value)I * l->sign * l->sine[at]);
  }
  return sum;
}

/* Of x_0 .. x_(n/2); those whose imaginary part symmetry makes zero are not asked for it. */
static value half_sum(const line *l, const value *x, long long k) {
  long double sum = creall(x[0]);
  for (long long j = 1; 2 * j < l->n; j++) {
    long long at = j * k % l->n;
    sum += 2 * (creall(x[j]) * l->cosine[at] - l->sign * cimagl(x[j]) * l->sine[at]);
  }
  if (l->n % 2 == 0) sum += (k % 2 ? -1 : 1) * creall(x[l->n / 2]);
  return sum;
}

static long long angle(const line *l, long long j, long long k) {
  switch (l->kind) {
  case DCT1: return j * k;
  case DCT2: return (2 * j + 1) * k;
  case DCT3: return j * (2 * k + 1);
  case DCT4:
  case DST4: return (2 * j + 1) * (2 * k + 1);
  case DST1: return (j + 1) * (k + 1);
  case DST2: return (2 * j + 1) * (k + 1);
  case MDCT: return (2 * j + 1 + l->n) * (2 * k + 1);
  case IMDCT: return (2 * j + 1) * (2 * k + 1 + l->n);
  default: return (j + 1) * (2 * k + 1);
  }
}

static value real_sum(const line *l, const value *x, long long k) {
  const long double *table = l->kind >= DST1 && l->kind <= DST4 ? l->sine : l->cosine;
  long double sum = 0;
  for (long long j = 0; j < l->in; j++) {
    long double factor = 2;
    if (l->kind == DCT1 && (j == 0 || j == l->n - 1)) factor = 1;
    if (l->kind == DCT3 && j == 0) factor = 1;
    if (l->kind == DST3 && j == l->n - 1) factor = 1;
    sum += factor * creall(x[j]) * table[angle(l, j, k) % l->period];
  }
  return sum;
}

static value one_sum(const line *l, const value *x, long long k) {
  if (l->kind >= DCT1) return real_sum(l, x, k);
  return l->kind == C2R ? half_sum(l, x, k) : complex_sum(l, x, k);
}

static long long period_of(kind kind, long long n) {
  switch (kind) {
  case DCT1: return 2 * (n - 1);
  case DST1: return 2 * (n + 1);
  case DCT2:
  case DCT3:
  case DST2:
  case DST3: return 4 * n;
  case DCT4:
  case MDCT:
  case IMDCT:
  case DST4: return 8 * n;
  default: return n;
  }
}

/* All lines along one dimension: x[outer][in][inner] becomes x[outer][out][inner]. */
static int along(const line *l, long long outer, long long inner, value *x) {
  value *from = malloc(sizeof *from * (size_t)(outer * l->in * inner)), *row = malloc(sizeof *row * (size_t)l->in);
  if (from && row) {
    memcpy(from, x, sizeof *from * (size_t)(outer * l->in * inner));
    for (long long o = 0; o < outer * inner; o++) {
      long long a = o / inner, b = o % inner;
      for (long long j = 0; j < l->in; j++) row[j] = from[(a * l->in + j) * inner + b];
      for (long long k = 0; k < l->out; k++) x[(a * l->out + k) * inner + b] = one_sum(l, row, k);
    }
  }
  int bad = from && row ? 0 : -1;
  free(from);
  free(row);
  return bad;
}

static int dimension(const problem *p, int d, long long *extent, value *x) {
  bool last = d == p->rank - 1;
  line l = {p->kind, p->sign, p->axes[d].n, p->extent[IN][d], p->extent[OUT][d], 0, NULL, NULL};
  if (!last && (p->kind == R2C || p->kind == C2R)) l.kind = C2C;
  if (p->kind == STFT || p->kind == ISTFT) l.kind = p->kind == STFT ? R2C : C2R;
  l.period = period_of(l.kind, l.n);
  long long outer = 1, inner = 1;
  long double *cosine = malloc(sizeof *cosine * (size_t)l.period), *sine = malloc(sizeof *sine * (size_t)l.period);
  for (long long m = 0; cosine && sine && m < l.period; m++) {
    long double a = 2 * acosl(-1.0L) * (long double)m / (long double)l.period;
    cosine[m] = cosl(a), sine[m] = sinl(a);
  }
  l.cosine = cosine, l.sine = sine;
  for (int i = 0; i < p->rank; i++) {
    if (i < d) outer *= extent[i];
    if (i > d) inner *= extent[i];
  }
  int bad = cosine && sine ? along(&l, outer, inner, x) : -1;
  extent[d] = l.out;
  free(cosine);
  free(sine);
  return bad;
}

int sums(const problem *p, value *x) {
  long long extent[MOST_AXES];
  memcpy(extent, p->extent[IN], sizeof extent);
  int bad = 0;
  if (p->frames.side >= 0) return dimension(p, p->rank - 1, extent, x);
  if (p->kind == R2C) bad = dimension(p, p->rank - 1, extent, x);
  for (int d = 0; !bad && d < p->rank; d++) {
    if (d < p->rank - 1 || (p->kind != R2C && p->kind != C2R)) bad = dimension(p, d, extent, x);
  }
  if (!bad && p->kind == C2R) bad = dimension(p, p->rank - 1, extent, x);
  return bad;
}
