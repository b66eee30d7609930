/* See plain.h. In: a kind of transform, lengths, an array. Out: the transform of the array.
 *
 * A complex line is Cooley and Tukey's sum for each small prime factor, and Bluestein's convolution (1970) for what is
 * left; a real line becomes a complex one of a longer sequence, as in generator/reference. Roots of unity are products
 * of two from tables whose arguments are below pi/4, so that each has an error of some units of the last place. */
#include "tuning/measure/plain.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANK = 16, SMALL = 50 /* primes above it are Bluestein's */, LOW = 1024 /* roots that follow each other */ };

typedef struct number {
  long double re, im;
} number;

typedef struct line line;
struct line {
  int64_t n;
  int sign;
  number *low, *high;
  int64_t rest; /* the factor without small primes; 1: none */
  line *around; /* of Bluestein's convolution: as long as a power of two */
  number *chirp, *filter, *work;
};

struct fg_plain {
  fg_kind kind;
  int rank;
  int64_t length[MOST_RANK];
  line *line[MOST_RANK];
  number *from[MOST_RANK], *to[MOST_RANK]; /* of a line */
};

static number times(number a, number b) { return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static number plus(number a, number b) { return (number){a.re + b.re, a.im + b.im}; }
static number minus(number a, number b) { return (number){a.re - b.re, a.im - b.im}; }
static number conjugate(number a) { return (number){a.re, -a.im}; }

/* exp(sign 2 pi i k / n), 0 <= k < n < 2^32. */
static number root_of(int64_t n, int sign, int64_t k) {
  int64_t quarter = (8 * k + n) / (2 * n);
  long double angle = 1.57079632679489661923132169163975144L * (long double)(4 * k - quarter * n) / (long double)n;
  long double c = cosl(angle), s = sinl(angle);
  number turned[] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
  number z = turned[quarter & 3];
  return sign > 0 ? z : conjugate(z);
}

static number root(const line *l, int64_t k) { return times(l->high[k / LOW], l->low[k % LOW]); }

static void end_line(line *l) {
  if (!l) return;
  end_line(l->around);
  free(l->low), free(l->high), free(l->chirp), free(l->filter), free(l->work);
  free(l);
}

static int64_t factor(int64_t n) {
  if (n % 4 == 0) return 4;
  for (int64_t r = 2; r < SMALL; r++)
    if (n % r == 0) return r;
  return n;
}

static void run_line(const line *l, int64_t n, int64_t stride, const number *in, number *out);

/* X_k = c_k sum_j (x_j c_j) conj(c_(k-j)), c_j = exp(sign pi i j^2 / n). */
static void run_rest(const line *l, int64_t stride, const number *in, number *out) {
  int64_t n = l->rest, m = l->around->n;
  number *x = l->work, *y = l->work + m;
  memset(x, 0, sizeof *x * (size_t)m);
  for (int64_t j = 0; j < n; j++) x[j] = times(in[j * stride], l->chirp[j]);
  run_line(l->around, m, 1, x, y);
  for (int64_t k = 0; k < m; k++) x[k] = conjugate(times(y[k], l->filter[k]));
  run_line(l->around, m, 1, x, y);
  for (int64_t k = 0; k < n; k++) {
    number z = times(conjugate(y[k]), l->chirp[k]);
    out[k] = (number){z.re / (long double)m, z.im / (long double)m};
  }
}

/* r numbers, m apart from each other, which are multiplied by their twiddle factors already. */
static void small(const line *l, int64_t r, int64_t m, const number *t, number *out) {
  if (r == 2) {
    out[0] = plus(t[0], t[1]), out[m] = minus(t[0], t[1]);
  } else if (r == 4) {
    number a = plus(t[0], t[2]), b = minus(t[0], t[2]), c = plus(t[1], t[3]), d = minus(t[1], t[3]);
    number turned = l->sign > 0 ? (number){-d.im, d.re} : (number){d.im, -d.re};
    out[0] = plus(a, c), out[m] = plus(b, turned), out[2 * m] = minus(a, c), out[3 * m] = minus(b, turned);
  } else {
    for (int64_t q = 0; q < r; q++) {
      number sum = t[0];
      for (int64_t j = 1; j < r; j++) sum = plus(sum, times(t[j], root(l, j * q % r * (l->n / r))));
      out[q * m] = sum;
    }
  }
}

/* n points, `stride` apart, of a line of n stride points. */
static void run_line(const line *l, int64_t n, int64_t stride, const number *in, number *out) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  if (n == l->rest) {
    run_rest(l, stride, in, out);
    return;
  }
  int64_t r = factor(n), m = n / r;
  number t[SMALL];
  for (int64_t j = 0; j < r; j++) run_line(l, m, stride * r, in + j * stride, out + j * m);
  for (int64_t k = 0; k < m; k++) {
    for (int64_t j = 0; j < r; j++) t[j] = j && k ? times(out[j * m + k], root(l, j * k * stride)) : out[j * m + k];
    small(l, r, m, t, out + k);
  }
}

static line *make_line(int64_t n, int sign);

static bool make_rest(line *l) {
  int64_t n = l->rest, m = 1;
  while (m < 2 * n - 1) m *= 2;
  l->around = make_line(m, -1);
  l->chirp = malloc(sizeof *l->chirp * (size_t)n);
  l->filter = malloc(sizeof *l->filter * (size_t)m);
  l->work = calloc(2 * (size_t)m, sizeof *l->work);
  if (!l->around || !l->chirp || !l->filter || !l->work) return false;
  for (int64_t j = 0, square = 0; j < n; square = (square + 2 * j + 1) % (2 * n), j++) {
    l->chirp[j] = root_of(2 * n, l->sign, square);
    l->work[j] = l->work[j ? m - j : 0] = conjugate(l->chirp[j]);
  }
  run_line(l->around, m, 1, l->work, l->filter);
  return true;
}

static line *make_line(int64_t n, int sign) {
  line *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  *l = (line){.n = n, .sign = sign, .rest = n};
  for (int64_t r; (r = factor(l->rest)) < SMALL && l->rest > 1;) l->rest /= r;
  l->low = malloc(sizeof *l->low * LOW);
  l->high = malloc(sizeof *l->high * (size_t)(n / LOW + 1));
  bool made = l->low && l->high;
  for (int64_t k = 0; made && k < LOW; k++) l->low[k] = root_of(n, sign, k % n);
  for (int64_t k = 0; made && k <= n / LOW; k++) l->high[k] = root_of(n, sign, k * LOW % n);
  if (made && (l->rest == 1 || make_rest(l))) return l;
  end_line(l);
  return NULL;
}

/* ---- kinds ------------------------------------------------------------------- */

static bool is_half(fg_kind kind) { return kind == FG_R2C || kind == FG_C2R; }
static bool is_sine(fg_kind kind) { return kind >= FG_DST1 && kind <= FG_DST4; }

static int64_t period(fg_kind kind, int64_t n) {
  switch (kind) {
  case FG_C2C:
  case FG_R2C:
  case FG_C2R: return n;
  case FG_DCT1: return 2 * (n - 1);
  case FG_DST1: return 2 * (n + 1);
  case FG_DCT4:
  case FG_DST4:
  case FG_MDCT:
  case FG_IMDCT: return 8 * n;
  default: return 4 * n;
  }
}

static fg_kind kind_along(const fg_plain *p, int d) {
  if (is_half(p->kind) && d < p->rank - 1) return FG_C2C;
  return p->kind == FG_MDCT || p->kind == FG_IMDCT ? FG_DCT4 : p->kind; /* which the caller folds */
}

/* A line of n reals as complex numbers that repeat them with signs, and back: FFTW's definitions. */
static void spread(fg_kind kind, int64_t n, const long double *x, int64_t stride, number *to) {
  int64_t all = period(kind, n);
  bool half_in = kind == FG_DCT2 || kind == FG_DCT4 || kind == FG_DST2 || kind == FG_DST4;
  memset(to, 0, sizeof *to * (size_t)all);
  for (int64_t j = 0; j < n; j++) {
    int64_t at = half_in ? 2 * j + 1 : is_sine(kind) ? j + 1 : j;
    to[at].re = x[j * stride];
    bool alone = !at || 2 * at == all || (kind == FG_DST3 && at == n);
    if (!alone) to[all - at].re = is_sine(kind) ? -x[j * stride] : x[j * stride];
  }
}

static void gather(fg_kind kind, int64_t n, const number *from, long double *y, int64_t stride) {
  bool half_out = kind == FG_DCT3 || kind == FG_DCT4 || kind == FG_DST3 || kind == FG_DST4;
  int64_t first = half_out || is_sine(kind);
  for (int64_t k = 0; k < n; k++) {
    const number *z = from + first + (half_out ? 2 : 1) * k;
    y[k * stride] = is_sine(kind) ? z->im : z->re;
  }
}

/* One line, whose elements are `stride` of their own apart. */
static void one_line(fg_plain *p, int d, long double *data, int64_t stride) {
  fg_kind kind = kind_along(p, d);
  int64_t n = p->length[d];
  number *x = p->from[d], *y = p->to[d], *z = (number *)(void *)data;
  if (kind == FG_C2C)
    for (int64_t j = 0; j < n; j++) x[j] = z[j * stride];
  else if (kind == FG_R2C)
    for (int64_t j = 0; j < n; j++) x[j] = (number){data[j], 0};
  else if (kind == FG_C2R)
    for (int64_t j = 0; j <= n / 2; j++) {
      x[j] = j && 2 * j != n ? z[j] : (number){z[j].re, 0};
      if (j) x[n - j] = conjugate(x[j]);
    }
  else
    spread(kind, n, data, stride, x);
  run_line(p->line[d], p->line[d]->n, 1, x, y);
  if (kind == FG_C2C)
    for (int64_t k = 0; k < n; k++) z[k * stride] = y[k];
  else if (kind == FG_R2C)
    memcpy(z, y, sizeof *y * (size_t)(n / 2 + 1));
  else if (kind == FG_C2R)
    for (int64_t k = 0; k < n; k++) data[k] = y[k].re;
  else
    gather(kind, n, y, data, stride);
}

/* Along one dimension; a row of halves is n/2 + 1 complex numbers long. */
static void along(fg_plain *p, int d, long double *data) {
  bool complex = p->kind == FG_C2C || is_half(p->kind);
  int64_t before = 1, behind = 1, n = p->length[d], last = p->length[p->rank - 1];
  if (is_half(p->kind)) last = last / 2 + 1;
  for (int i = 0; i < d; i++) before *= p->length[i];
  for (int i = d + 1; i < p->rank; i++) behind *= i == p->rank - 1 ? last : p->length[i];
  if (d == p->rank - 1) n = last;
  for (int64_t i = 0; i < before; i++)
    for (int64_t j = 0; j < behind; j++) one_line(p, d, data + (complex ? 2 : 1) * (i * n * behind + j), behind);
}

fg_plain *fg_plain_create(fg_kind kind, int rank, const int *length, int sign) {
  fg_plain *p = rank > MOST_RANK ? NULL : calloc(1, sizeof *p);
  if (!p) return NULL;
  p->kind = kind;
  p->rank = rank;
  for (int d = 0; d < rank; d++) {
    fg_kind one = kind_along(p, d);
    int64_t n = period(one, p->length[d] = length[d]);
    p->line[d] = make_line(n, kind == FG_C2C ? sign : kind == FG_C2R || is_sine(one) ? 1 : -1);
    p->from[d] = malloc(sizeof **p->from * (size_t)n);
    p->to[d] = malloc(sizeof **p->to * (size_t)n);
    if (p->line[d] && p->from[d] && p->to[d]) continue;
    fg_plain_destroy(p);
    return NULL;
  }
  return p;
}

void fg_plain_run(fg_plain *p, long double *data) {
  for (int i = 0; i < p->rank; i++) along(p, p->kind == FG_C2R ? i : p->rank - 1 - i, data);
}

void fg_plain_destroy(fg_plain *p) {
  for (int d = 0; p && d < p->rank; d++) {
    end_line(p->line[d]);
    free(p->from[d]);
    free(p->to[d]);
  }
  free(p);
}
