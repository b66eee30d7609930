/* See problem.h. In: a problem. Out: an error.
 *
 * The definition is summed in long double, a dimension after the other, on a dense array of complex numbers; real kinds
 * by FFTW's formulas. Elements are stored by their strides, between guards. */
#include "problem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- shapes ------------------------------------------------------------------------ */

static bool is_complex(const problem *p, bool output) {
  return p->kind[0] == DFT || p->kind[0] == (output ? R2C : C2R);
}

static int64_t elements(const problem *p, int d, bool output) {
  bool half = d == p->rank - 1 && p->kind[0] == (output ? R2C : C2R);
  return half ? p->dim[d].n / 2 + 1 : p->dim[d].n;
}

static int64_t axis(const problem *p, int i, bool output, ptrdiff_t *stride) {
  const X(iodim64) *d = i < p->rank ? &p->dim[i] : &p->vector[i - p->rank];
  *stride = output ? d->os : d->is;
  return i < p->rank ? elements(p, i, output) : d->n;
}

void problem_lay_out(problem *p, uint64_t *random, bool drawn) {
  for (int output = 0; output < 2; output++) {
    int order[2 * MOST_DIMS], n = p->rank + p->vectors;
    for (int i = 0; i < n; i++) order[i] = i < p->vectors ? p->rank + i : i - p->vectors; /* vectors, then dims */
    for (int i = n - 1; i > 0 && drawn; i--) {
      int k = (int)draw(random, (uint64_t)i + 1), t = order[i];
      order[i] = order[k], order[k] = t;
    }
    ptrdiff_t step = drawn ? 1 + (ptrdiff_t)draw(random, 3) : 1;
    for (int i = n - 1; i >= 0; i--) {
      X(iodim64) *d = order[i] < p->rank ? &p->dim[order[i]] : &p->vector[order[i] - p->rank];
      ptrdiff_t stride, signed_step = drawn && draw(random, 4) == 0 ? -step : step;
      int64_t count = axis(p, order[i], output, &stride);
      *(output ? &d->os : &d->is) = signed_step;
      if (p->in_place && p->kind[0] < 0 && p->kind[0] != DFT && order[i] == p->rank - 1) /* rows of pairs */
        count = p->dim[p->rank - 1].n / 2 + 1, step *= is_complex(p, output) ? 1 : 2;
      step *= count ? count : 1;
      if (drawn) step += (ptrdiff_t)draw(random, 3);
    }
  }
  if (!p->in_place || (p->kind[0] != DFT && p->kind[0] < 0) || draw(random, 3) == 0) return;
  for (int i = 0; i < p->rank; i++) p->dim[i].os = p->dim[i].is;
  for (int i = 0; i < p->vectors; i++) p->vector[i].os = p->vector[i].is;
}

double problem_allowed(const problem *p) {
  double points = 1;
  for (int d = 0; d < p->rank; d++) points *= (double)p->dim[d].n;
  return UNIT * (3 + 2.5 * log2(points + 1));
}

/* Any rank, vectors, strides of either sign, layouts, in place and not. */
void problem_draw(problem *p, uint64_t *random) {
  *p = (problem){.rank = (int)draw(random, 4), .vectors = (int)draw(random, 3), .flags = FFTW_ESTIMATE};
  int kind = p->rank ? (int)draw(random, 5) : (int)draw(random, 2) * 3;
  p->sign = draw(random, 2) ? 1 : -1;
  p->in_place = draw(random, 2);
  for (int d = 0; d < MOST_DIMS; d++) {
    p->kind[d] = kind < 3 ? DFT - kind : (int)draw(random, FFTW_RODFT11 + 1);
    p->dim[d].n = 1 + (ptrdiff_t)draw(random, p->rank == 1 ? 60 : p->rank == 2 ? 20 : 9);
    if (p->kind[d] == FFTW_REDFT00 && p->dim[d].n < 2) p->dim[d].n = 2;
    p->vector[d].n = (ptrdiff_t)(draw(random, 40) ? 1 + draw(random, 20) : 0);
  }
  p->split = kind < 3 && draw(random, 3) == 0;
  if (draw(random, 2)) p->flags |= FFTW_PRESERVE_INPUT;
  problem_lay_out(p, random, draw(random, 4) != 0);
}

/* ---- arrays ------------------------------------------------------------------------ */

enum { GUARD = 64 };

static void extent(const problem *p, bool output, ptrdiff_t *low, ptrdiff_t *high) {
  *low = *high = 0;
  for (int i = 0; i < p->rank + p->vectors; i++) {
    ptrdiff_t stride;
    int64_t n = axis(p, i, output, &stride);
    ptrdiff_t reach = n ? stride * (ptrdiff_t)(n - 1) : 0;
    *(reach < 0 ? low : high) += reach;
  }
}

static int64_t total(const problem *p, bool output) {
  int64_t all = 1;
  ptrdiff_t stride;
  for (int i = 0; i < p->rank + p->vectors; i++) all *= axis(p, i, output, &stride);
  return all;
}

/* Place of element number e, the first vector slowest, the last dimension fastest. */
static ptrdiff_t place(const problem *p, bool output, int64_t e) {
  ptrdiff_t at = 0, stride;
  for (int i = p->rank - 1; i >= 0; i--) {
    int64_t n = axis(p, i, output, &stride);
    at += e % n * stride, e /= n;
  }
  for (int i = p->rank + p->vectors - 1; i >= p->rank; i--) {
    int64_t n = axis(p, i, output, &stride);
    at += e % n * stride, e /= n;
  }
  return at;
}

/* ---- the definition ----------------------------------------------------------------- */

typedef struct complex {
  long double re, im;
} complex;

static long double kind_factor(int kind, int64_t n, int64_t j, int64_t k) {
  const long double pi = 3.14159265358979323846264338327950288L;
  long double a = (long double)j, b = (long double)k, m = (long double)n;
  switch (kind) {
  case FFTW_DHT: return cosl(2 * pi * a * b / m) + sinl(2 * pi * a * b / m);
  case FFTW_R2HC: return 2 * k <= n ? cosl(2 * pi * a * b / m) : -sinl(2 * pi * a * (m - b) / m);
  case FFTW_HC2R:
    if (j == 0) return 1;
    if (2 * j == n) return k % 2 ? -1 : 1;
    return 2 * j < n ? 2 * cosl(2 * pi * a * b / m) : -2 * sinl(2 * pi * (m - a) * b / m);
  case FFTW_REDFT00: return j == 0 ? 1 : j == n - 1 ? (k % 2 ? -1 : 1) : 2 * cosl(pi * a * b / (m - 1));
  case FFTW_REDFT10: return 2 * cosl(pi * (a + .5L) * b / m);
  case FFTW_REDFT01: return j == 0 ? 1 : 2 * cosl(pi * a * (b + .5L) / m);
  case FFTW_REDFT11: return 2 * cosl(pi * (a + .5L) * (b + .5L) / m);
  case FFTW_RODFT00: return 2 * sinl(pi * (a + 1) * (b + 1) / (m + 1));
  case FFTW_RODFT10: return 2 * sinl(pi * (a + .5L) * (b + 1) / m);
  case FFTW_RODFT01: return j == n - 1 ? (k % 2 ? -1 : 1) : 2 * sinl(pi * (a + 1) * (b + .5L) / m);
  case FFTW_RODFT11: return 2 * sinl(pi * (a + .5L) * (b + .5L) / m);
  default: return 0;
  }
}

/* What element j contributes to result k, as w[k * n + j]. */
static void factors(int kind, int sign, int64_t n, complex *w) {
  for (int64_t j = 0; j < n; j++) {
    long double angle = 6.283185307179586476925286766559005768L * (long double)j / (long double)n;
    w[n * (n > 1) + j] = (complex){cosl(angle), sign * sinl(angle)}; /* row 1 */
  }
  for (int64_t k = 0; k < n; k++)
    for (int64_t j = 0; j < n && (kind >= 0 || k != 1); j++)
      w[k * n + j] = kind >= 0 ? (complex){kind_factor(kind, n, j, k), 0} : w[n * (n > 1) + j * k % n];
}

/* One line of n, `step` apart. */
static void line(int64_t n, complex *x, int64_t step, complex *y, const complex *w) {
  for (int64_t k = 0; k < n; k++) {
    y[k] = (complex){0};
    for (int64_t j = 0; j < n; j++) {
      complex a = x[j * step], b = w[k * n + j];
      y[k].re += a.re * b.re - a.im * b.im, y[k].im += a.re * b.im + a.im * b.re;
    }
  }
  for (int64_t k = 0; k < n; k++) x[k * step] = y[k];
}

static void transform(const problem *p, complex *x) {
  int64_t all = 1, vectors = 1;
  for (int d = 0; d < p->rank; d++) all *= p->dim[d].n;
  for (int i = 0; i < p->vectors; i++) vectors *= p->vector[i].n;
  int64_t step = 1;
  for (int d = p->rank - 1; d >= 0; step *= p->dim[d].n, d--) {
    int64_t n = p->dim[d].n;
    complex *y = malloc(sizeof *y * (size_t)n), *w = malloc(sizeof *w * (size_t)(n * n));
    int sign = p->kind[0] == C2R ? 1 : p->kind[0] == R2C ? -1 : p->sign;
    factors(p->kind[0] < 0 ? DFT : p->kind[d], sign, n, w);
    for (int64_t i = 0; i < vectors * all; i++)
      if (i / step % n == 0) line(n, x + i, step, y, w);
    free(y), free(w);
  }
}

/* Of a c2r: element number e of all n has its conjugate partner; both are found from the half. */
static int64_t partner(const problem *p, int64_t e) {
  int64_t at = 0, step = 1, all = 1;
  for (int d = 0; d < p->rank; d++) all *= p->dim[d].n;
  int64_t rest = e % all;
  for (int d = p->rank - 1; d >= 0; d--) {
    int64_t n = p->dim[d].n, j = rest % n;
    rest /= n;
    at += (n - j) % n * step, step *= n;
  }
  return e / all * all + at;
}

/* Numbers of a whole array from those of the half along the last dimension. */
static int64_t half_index(const problem *p, int64_t e) {
  int64_t n = p->dim[p->rank - 1].n, k = e % n;
  return 2 * k <= n ? e / n * (n / 2 + 1) + k : -1;
}

/* ---- the call ------------------------------------------------------------------------ */

static X(plan) plan(const problem *p, real *ri, real *ii, real *ro, real *io) {
  X(r2r_kind) kind[MOST_DIMS];
  for (int d = 0; d < p->rank; d++) kind[d] = (X(r2r_kind))(p->kind[d] < 0 ? 0 : p->kind[d]);
  int rank = p->rank, vectors = p->vectors;
  bool back = p->sign > 0;
  switch (p->kind[0]) {
  case DFT:
    if (!p->split)
      return X(plan_guru64_dft)(rank, p->dim, vectors, p->vector, (X(complex) *)ri, (X(complex) *)ro, p->sign,
                                p->flags);
    return X(plan_guru64_split_dft)(rank, p->dim, vectors, p->vector, back ? ii : ri, back ? ri : ii, back ? io : ro,
                                    back ? ro : io, p->flags);
  case R2C:
    return p->split ? X(plan_guru64_split_dft_r2c)(rank, p->dim, vectors, p->vector, ri, ro, io, p->flags)
                    : X(plan_guru64_dft_r2c)(rank, p->dim, vectors, p->vector, ri, (X(complex) *)ro, p->flags);
  case C2R:
    return p->split ? X(plan_guru64_split_dft_c2r)(rank, p->dim, vectors, p->vector, ri, ii, ro, p->flags)
                    : X(plan_guru64_dft_c2r)(rank, p->dim, vectors, p->vector, (X(complex) *)ri, ro, p->flags);
  default: return X(plan_guru64_r2r)(rank, p->dim, vectors, p->vector, ri, ro, kind, p->flags);
  }
}

typedef struct side {
  real *re, *im; /* of element 0 */
  int unit;      /* numbers from an element to the next */
} side;

static real *number(const side *s, ptrdiff_t at, int part) { return (part ? s->im : s->re) + at * s->unit; }

static const real filler = (real)1e30;

/* Of results that are no results, or of guards: whether each number is what it was. */
static bool untouched(const real *now, const real *before, const bool *own, ptrdiff_t size) {
  for (ptrdiff_t i = 0; i < size; i++)
    if (!own[i] && memcmp(&now[i], &before[i], sizeof(real)) != 0) return false;
  return true;
}

double problem_error(const problem *p, const char **why) {
  ptrdiff_t low[2], high[2], size[2], parts[2];
  side s[2];
  for (int o = 0; o < 2; o++) {
    parts[o] = is_complex(p, o) ? 2 : 1;
    s[o].unit = p->split || parts[o] == 1 ? 1 : 2;
    extent(p, o, &low[o], &high[o]);
    low[o] *= s[o].unit, high[o] = high[o] * s[o].unit + s[o].unit;
  }
  if (p->in_place) { /* one array, in which both begin at the same number */
    low[0] = low[1] = low[0] < low[1] ? low[0] : low[1];
    high[0] = high[1] = high[0] > high[1] ? high[0] : high[1];
  }
  for (int o = 0; o < 2; o++) size[o] = (high[o] - low[o]) * (p->split ? 2 : 1);
  ptrdiff_t whole = size[0] + size[1] + 4 * GUARD;
  real *memory = malloc(sizeof *memory * (size_t)whole), *before = malloc(sizeof *before * (size_t)whole);
  bool *own = calloc((size_t)whole, sizeof *own);
  for (int o = 0; o < 2; o++) {
    s[o].re = memory + GUARD + (o && !p->in_place ? size[0] + GUARD : 0) - low[o];
    s[o].im = parts[o] == 1 ? NULL : s[o].re + (p->split ? high[o] - low[o] : 1);
  }
  uint64_t random = 7;
  for (ptrdiff_t i = 0; i < whole; i++) memory[i] = filler;
  X(plan) plan_made = plan(p, s[0].re, s[0].im, s[1].re, s[1].im);
  double error = -1;
  *why = "no plan";
  if (!plan_made) goto out;
  int64_t in = total(p, false), out = total(p, true), all = 1;
  for (int d = 0; d < p->rank; d++) all *= p->dim[d].n;
  for (int i = 0; i < p->vectors; i++) all *= p->vector[i].n;
  complex *x = calloc((size_t)all + 1, sizeof *x);
  for (int64_t e = 0; e < in; e++)
    for (int part = 0; part < parts[0]; part++)
      *number(&s[0], place(p, false, e), part) = (real)((double)draw(&random, 2001) / 1000 - 1);
  for (int64_t e = 0; e < all; e++) {
    int64_t at = p->kind[0] == C2R ? half_index(p, e) : e;
    bool conjugate = at < 0;
    if (conjugate) at = half_index(p, partner(p, e));
    x[e].re = *number(&s[0], place(p, false, at), 0);
    if (parts[0] == 2) x[e].im = (conjugate ? -1 : 1) * (long double)*number(&s[0], place(p, false, at), 1);
  }
  if (p->kind[0] == C2R) { /* of a line in the plane that is its own partner, what makes the result real */
    for (int64_t e = 0; e < all; e++) {
      int64_t with = partner(p, e);
      if (half_index(p, e) < 0 || half_index(p, with) < 0) continue;
      if (with == e) x[e].im = 0;
      if (with > e) x[with].re = x[e].re, x[with].im = -x[e].im;
    }
    for (int64_t e = 0; e < all; e++) {
      if (half_index(p, e) < 0) continue;
      *number(&s[0], place(p, false, half_index(p, e)), 0) = (real)x[e].re;
      *number(&s[0], place(p, false, half_index(p, e)), 1) = (real)x[e].im;
    }
  }
  memcpy(before, memory, sizeof *memory * (size_t)whole);
  X(execute)(plan_made);
  transform(p, x);
  long double distance = 0, norm = 0;
  for (int64_t e = 0; e < all; e++) {
    int64_t at = p->kind[0] == R2C ? half_index(p, e) : e;
    if (at < 0) continue;
    for (int part = 0; part < parts[1]; part++) {
      const real *y = number(&s[1], place(p, true, at), part);
      long double right = part ? x[e].im : x[e].re, by = (long double)*y - right;
      distance += by * by, norm += right * right;
      own[y - memory] = true;
    }
  }
  bool keeps = !p->in_place && (p->kind[0] != C2R || p->rank < 2 || p->flags & FFTW_PRESERVE_INPUT);
  for (int64_t e = 0; e < in && !keeps; e++)
    for (int part = 0; part < parts[0]; part++) own[number(&s[0], place(p, false, e), part) - memory] = true;
  error = norm > 0 ? (double)sqrtl(distance / norm) : (double)sqrtl(distance);
  *why = "";
  if (!untouched(memory, before, own, whole)) *why = "something else was written", error = -1;
  if (!(error >= 0) && !**why) *why = "not a number", error = -1;
  (void)out;
  free(x);
  X(destroy_plan)(plan_made);
out:
  free(memory), free(before), free(own);
  return error;
}
