/* In: lengths and numbers of 113 bits. Out: roots of unity, transforms and tables
 * of that precision. The idea: a second number system for the proof, which knows
 * nothing of fields, codelets or symbolic constants; roots are products of two
 * that MPFR rounds, so that n of them need only 2 sqrt(n) evaluations. Chirp
 * transform: Bluestein, IEEE Trans. AU-18 (1970). */
#include "generator/quad.h"
#include "generator/point_values.h"
#include <assert.h>

enum { PLAIN_LIMIT = 61 };

/* Three doubles hold more bits than a quad. */
fg_quad fg_quad_from(mpfr_t x) {
  mpfr_t rest;
  mpfr_init2(rest, mpfr_get_prec(x));
  mpfr_set(rest, x, MPFR_RNDN);
  fg_quad sum = 0;
  double part[3];
  for (int i = 0; i < 3; i++) {
    part[i] = mpfr_get_d(rest, MPFR_RNDZ);
    mpfr_sub_d(rest, rest, part[i], MPFR_RNDN);
  }
  for (int i = 2; i >= 0; i--) sum += part[i];
  mpfr_clear(rest);
  return sum;
}

static fg_quadc root(int64_t k, int64_t n) {
  mpfr_t angle, c, s;
  mpfr_inits2(160, angle, c, s, (mpfr_ptr)0);
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul_si(angle, angle, 2 * k, MPFR_RNDN);
  mpfr_div_si(angle, angle, n, MPFR_RNDN);
  mpfr_sin_cos(s, c, angle, MPFR_RNDN);
  /* Where the exact value is 0, pi's rounding would leave a tiny number. */
  fg_quadc z = {4 * k % n == 0 && 4 * k / n % 2 ? 0 : fg_quad_from(c), 2 * k % n == 0 ? 0 : fg_quad_from(s)};
  mpfr_clears(angle, c, s, (mpfr_ptr)0);
  return z;
}

fg_quadc *fg_quad_roots(fg_context *cx, int64_t n) {
  int64_t low = 1;
  while (low * low < n) low *= 2;
  fg_quadc *z = fg_arena_new(cx->arena, fg_quadc, n);
  for (int64_t k = 0; k < n; k++)
    z[k] = k < low || k % low == 0 ? root(k, n) : fg_quadc_mul(z[k - k % low], z[k % low]);
  return z;
}

typedef struct quad_dft {
  fg_context *cx;
  int sign;
  int64_t order; /* of the roots */
  const fg_quadc *root;
} quad_dft;

static fg_quadc turn(const quad_dft *d, int64_t k, int64_t n) {
  fg_quadc z = d->root[k % n * (d->order / n)];
  return (fg_quadc){z.re, d->sign < 0 ? -z.im : z.im};
}

static int64_t smallest_factor(int64_t n) {
  for (int64_t p = 2; p * p <= n; p++)
    if (n % p == 0) return p;
  return n;
}

/* conj(chirp) * x, convolved with the chirp, times conj(chirp) again. */
static void chirp_transform(const quad_dft *d, int64_t n, const fg_quadc *x, int64_t stride, fg_quadc *y) {
  int64_t length = 1;
  while (length < 2 * n - 1) length *= 2;
  quad_dft half = {.cx = d->cx, .sign = d->sign, .order = 2 * n, .root = fg_quad_roots(d->cx, 2 * n)};
  fg_quadc *a = fg_arena_new(d->cx->arena, fg_quadc, length), *b = fg_arena_new(d->cx->arena, fg_quadc, length);
  fg_quadc *fa = fg_arena_new(d->cx->arena, fg_quadc, length), *fb = fg_arena_new(d->cx->arena, fg_quadc, length);
  for (int64_t j = 0; j < n; j++) {
    fg_quadc c = turn(&half, j * j % (2 * n), 2 * n);
    a[j] = fg_quadc_mul(x[j * stride], c);
    b[j] = b[(length - j) % length] = (fg_quadc){c.re, -c.im};
  }
  fg_quad_dft(d->cx, length, -1, a, fa);
  fg_quad_dft(d->cx, length, -1, b, fb);
  fg_quad part = (fg_quad)1 / length; /* a power of two: exact */
  for (int64_t k = 0; k < length; k++) {
    a[k] = fg_quadc_mul(fa[k], fb[k]);
    a[k] = (fg_quadc){a[k].re * part, a[k].im * part};
  }
  fg_quad_dft(d->cx, length, +1, a, fa);
  for (int64_t k = 0; k < n; k++) y[k] = fg_quadc_mul(fa[k], turn(&half, k * k % (2 * n), 2 * n));
}

static fg_quadc add(fg_quadc a, fg_quadc b) { return (fg_quadc){a.re + b.re, a.im + b.im}; }

static fg_quadc subtract(fg_quadc a, fg_quadc b) { return (fg_quadc){a.re - b.re, a.im - b.im}; }

static void four(const quad_dft *d, const fg_quadc *t, fg_quadc *s) {
  fg_quadc a = add(t[0], t[2]), b = subtract(t[0], t[2]), c = add(t[1], t[3]), e = subtract(t[1], t[3]);
  fg_quadc turned = d->sign < 0 ? (fg_quadc){e.im, -e.re} : (fg_quadc){-e.im, e.re};
  s[0] = add(a, c), s[2] = subtract(a, c);
  s[1] = add(b, turned), s[3] = subtract(b, turned);
}

/* n odd: sums and differences of inputs j and n - j take one cosine and one sine, and
 * give outputs k and n - k at once. */
static void plain(const quad_dft *d, int64_t n, const fg_quadc *x, int64_t stride, fg_quadc *y) {
  fg_quadc sum[PLAIN_LIMIT], difference[PLAIN_LIMIT];
  y[0] = x[0];
  for (int64_t j = 1; j <= n / 2; j++) {
    sum[j] = add(x[j * stride], x[(n - j) * stride]);
    difference[j] = subtract(x[j * stride], x[(n - j) * stride]);
    y[0] = add(y[0], sum[j]);
  }
  for (int64_t k = 1; k <= n / 2; k++) {
    fg_quadc even = x[0], odd = {0, 0};
    for (int64_t j = 1; j <= n / 2; j++) {
      fg_quadc z = turn(d, j * k, n);
      even = (fg_quadc){even.re + z.re * sum[j].re, even.im + z.re * sum[j].im};
      odd = (fg_quadc){odd.re - z.im * difference[j].im, odd.im + z.im * difference[j].re};
    }
    y[k] = add(even, odd);
    y[n - k] = subtract(even, odd);
  }
}

/* p transforms of m points lie one after the other in y: combines them. */
static void combine(const quad_dft *d, int64_t p, int64_t m, fg_quadc *y) {
  fg_quadc *t = fg_arena_new(d->cx->arena, fg_quadc, 2 * p), *s = t + p;
  for (int64_t k = 0; k < m; k++) {
    t[0] = y[k];
    for (int64_t r = 1; r < p; r++) t[r] = k ? fg_quadc_mul(y[r * m + k], turn(d, r * k, p * m)) : y[r * m];
    if (p == 2) {
      s[0] = add(t[0], t[1]), s[1] = subtract(t[0], t[1]);
    } else if (p == 4) {
      four(d, t, s);
    } else if (p <= PLAIN_LIMIT) {
      plain(d, p, t, 1, s);
    } else {
      chirp_transform(d, p, t, 1, s);
    }
    for (int64_t q = 0; q < p; q++) y[q * m + k] = s[q];
  }
}

static void transform(const quad_dft *d, int64_t n, const fg_quadc *x, int64_t stride, fg_quadc *y) {
  int64_t p = n % 4 ? smallest_factor(n) : 4, m = n / p;
  if (n == 1) {
    y[0] = x[0];
  } else if (m == 1 && p > 4) {
    (p <= PLAIN_LIMIT ? plain : chirp_transform)(d, n, x, stride, y);
  } else {
    for (int64_t r = 0; r < p; r++) transform(d, m, x + r * stride, stride * p, y + r * m);
    combine(d, p, m, y);
  }
}

void fg_quad_dft(fg_context *cx, int64_t n, int sign, const fg_quadc *x, fg_quadc *y) {
  quad_dft d = {.cx = cx, .sign = sign, .order = n, .root = fg_quad_roots(cx, n)};
  transform(&d, n, x, 1, y);
}

/* ---- tables ------------------------------------------------------------------- */

__extension__ typedef __int128 wide;

/* exp(sign 2 pi i e / order) for the exponents that `exponent` names: by a list of
 * roots where there are not many more of them than entries. */
static fg_quadc *powers(fg_context *cx, const fg_table *t, int64_t count,
                        int64_t (*exponent)(const fg_table *, int64_t)) {
  fg_quadc *out = fg_arena_new(cx->arena, fg_quadc, count);
  quad_dft d = {.sign = t->sign, .order = t->order};
  if (t->order <= 4 * count + 1024) d.root = fg_quad_roots(cx, t->order);
  for (int64_t i = 0; i < count; i++) {
    int64_t e = exponent(t, i);
    if (e < 0) e += t->order;
    fg_quadc z = d.root ? d.root[e] : root(e, t->order);
    out[i] = (fg_quadc){z.re, t->sign < 0 ? -z.im : z.im};
  }
  fg_quad scale = t->shift < 0 ? (fg_quad)1 / (1 << -t->shift) : (fg_quad)(1 << t->shift);
  for (int64_t i = 0; t->shift && i < count; i++) out[i] = (fg_quadc){scale * out[i].re, scale * out[i].im};
  return out;
}

static int64_t twiddle_exponent(const fg_table *t, int64_t i) {
  return (int64_t)((wide)(i / t->cols + t->row0) * fg_table_column(t, i % t->cols) % t->order);
}

static int64_t power_exponent(const fg_table *t, int64_t i) {
  return (int64_t)(((wide)1 << i / t->cols) * (i % t->cols) % t->order);
}

static int64_t chirp_exponent(const fg_table *t, int64_t i) { return (int64_t)((wide)i * i % t->order); }

static fg_quadc *spectrum(fg_context *cx, const fg_table *t) {
  fg_table half = *t;
  half.order = 2 * t->n;
  fg_quadc *chirp = powers(cx, &half, t->n, chirp_exponent), *wrapped = fg_arena_new(cx->arena, fg_quadc, t->cols);
  fg_quadc *out = fg_arena_new(cx->arena, fg_quadc, t->cols);
  for (int64_t j = 0; j < t->n && j < t->cols; j++) {
    fg_quadc z = {chirp[j].re / t->cols, -chirp[j].im / t->cols};
    wrapped[j] = wrapped[(t->cols - j) % t->cols] = z;
  }
  fg_quad_dft(cx, t->cols, -1, wrapped, out);
  return out;
}

static int64_t inverse_power(int64_t n, int64_t g, int64_t e) {
  wide x = 1, base = g;
  for (e = (n - 1 - e) % (n - 1); e > 0; e /= 2, base = base * base % n)
    if (e % 2) x = x * base % n;
  return (int64_t)x;
}

/* Of g^-j, j from -(n-2) to n-2, at j modulo cols. */
static fg_quadc *power_spectrum(fg_context *cx, const fg_table *t) {
  quad_dft d = {.sign = t->sign, .order = t->n, .root = fg_quad_roots(cx, t->n)};
  int64_t m = t->n - 1, g = fg_least_generator(t->n);
  fg_quadc *wrapped = fg_arena_new(cx->arena, fg_quadc, t->cols), *out = fg_arena_new(cx->arena, fg_quadc, t->cols);
  for (int64_t j = 0; j < m; j++) {
    fg_quadc z = turn(&d, inverse_power(t->n, g, j), t->n);
    z = (fg_quadc){z.re / t->cols, z.im / t->cols};
    wrapped[j] = z;
    if (j) wrapped[(t->cols - m + j) % t->cols] = z;
  }
  fg_quad_dft(cx, t->cols, -1, wrapped, out);
  out[0] = (fg_quadc){1, 0};
  return out;
}

static fg_quadc *power_sum(fg_context *cx, const fg_table *t) {
  fg_quadc *out = fg_arena_new(cx->arena, fg_quadc, 2), w = root(1, t->n);
  if (t->sign < 0) w.im = -w.im;
  out[0] = (fg_quadc){1, 0};
  out[1] = (fg_quadc){(fg_quad)-1 / t->order, 0};
  if (t->order != t->n - 1) out[1] = (fg_quadc){-(2 + w.re) / t->order, -w.im / t->order};
  return out;
}

static fg_quadc *weights(fg_context *cx, const fg_table *t) {
  const fg_quad *w = fg_window_quad(cx, t->window, t->n);
  fg_quadc *out = fg_arena_new(cx->arena, fg_quadc, t->cols);
  for (int64_t i = 0; i < t->cols; i++) out[i].re = w[i];
  return out;
}

fg_quadc *fg_quad_table(fg_context *cx, const fg_table *t) {
  switch (t->fill) {
  case FG_FILL_TWIDDLE: return powers(cx, t, t->rows * t->cols, twiddle_exponent);
  case FG_FILL_DOUBLING: return powers(cx, t, t->rows * t->cols, power_exponent);
  case FG_FILL_CHIRP: return powers(cx, t, t->rows * t->cols, chirp_exponent);
  case FG_FILL_BLUESTEIN: return spectrum(cx, t);
  case FG_FILL_RADER: return power_spectrum(cx, t);
  case FG_FILL_RADER_SUM: return power_sum(cx, t);
  case FG_FILL_WINDOW: return weights(cx, t);
  case FG_FILL_POWER:
  case FG_FILL_LOGARITHM: break;
  }
  assert(!"a table of numbers");
  return NULL;
}
