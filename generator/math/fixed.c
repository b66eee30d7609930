/* Fixed-point roots of unity and transforms. In: an order, exponents; numbers of
 * at most 1. Out: the same in 124 fractional bits.
 *
 * The idea: a root is the product of one entry of a coarse and one of a fine
 * table, each of about the square root of the order's length, filled by MPFR.
 * Exponents are first brought into the first eighth of the turn, exactly, as
 * integers: then 1, 0 and equal parts come out as such. The transform divides by
 * the radix in every step (decimation in time), so that nothing exceeds 1 and
 * rounding errors do not grow. */
#include "generator/math/fixed.h"
#include "generator/base/invariant.h"
#include "generator/math/field.h"
#include <mpfr.h>
#include <stdbool.h>

enum { FRACTION = 124, HALF_FRACTION = FRACTION / 2, MPFR_BITS = 192 };

struct fg_fixed_roots {
  uint64_t turn, scale;     /* lcm(4, n); turn / n */
  int shift;                /* the fine table covers 2^shift steps; -1: no tables */
  fg_fixedc *fine, *coarse; /* exp(2 pi i j / turn), exp(2 pi i j 2^shift / turn) */
  mpfr_t x;                 /* scratch; limbs in the arena */
};

static fg_wide magnitude(fg_fixed a) { return a < 0 ? -(fg_wide)a : (fg_wide)a; }

static fg_fixed mul(fg_fixed a, fg_fixed b) {
  fg_wide x = magnitude(a), y = magnitude(b);
  uint64_t xh = (uint64_t)(x >> 64), xl = (uint64_t)x, yh = (uint64_t)(y >> 64), yl = (uint64_t)y;
  fg_wide middle = (fg_wide)xh * yl + (fg_wide)xl * yh + ((fg_wide)xl * yl >> 64) + ((fg_wide)1 << 59); /* rounds */
  fg_fixed r = (fg_fixed)(((fg_wide)xh * yh << 4) + (middle >> 60));
  return (a < 0) != (b < 0) ? -r : r;
}

static fg_fixedc times(fg_fixedc a, fg_fixedc b) {
  return (fg_fixedc){mul(a.re, b.re) - mul(a.im, b.im), mul(a.re, b.im) + mul(a.im, b.re)};
}

float fg_fixed_float(fg_fixed x) { return (float)x * 0x1p-124f; }
double fg_fixed_double(fg_fixed x) { return (double)x * 0x1p-124; }

/* x, from 0 to 1; changes it. */
static fg_fixed from_mpfr(mpfr_ptr x) {
  mpfr_mul_2si(x, x, HALF_FRACTION, MPFR_RNDN);
  uint64_t high = mpfr_get_ui(x, MPFR_RNDD);
  mpfr_sub_ui(x, x, high, MPFR_RNDN);
  mpfr_mul_2si(x, x, HALF_FRACTION, MPFR_RNDN);
  return (fg_fixed)(((fg_wide)high << HALF_FRACTION) + mpfr_get_ui(x, MPFR_RNDN));
}

/* exp(2 pi i k / turn), k in the first eighth. */
static fg_fixedc evaluate(fg_fixed_roots *r, uint64_t k) {
  fg_fixedc z;
  mpfr_set_ui(r->x, k, MPFR_RNDN);
  mpfr_cosu(r->x, r->x, r->turn, MPFR_RNDN);
  z.re = from_mpfr(r->x);
  mpfr_set_ui(r->x, k, MPFR_RNDN);
  mpfr_sinu(r->x, r->x, r->turn, MPFR_RNDN);
  z.im = from_mpfr(r->x);
  return z;
}

fg_fixed_roots *fg_fixed_roots_create(fg_arena *a, uint64_t n, uint64_t count) {
  fg_invariant(n > 0 && n < (uint64_t)1 << 60);
  fg_fixed_roots *r = fg_arena_new(a, fg_fixed_roots, 1);
  r->turn = fg_integer_lcm(4, n);
  r->scale = r->turn / n;
  mp_limb_t *limbs = fg_arena_alloc(a, mpfr_custom_get_size(MPFR_BITS));
  mpfr_custom_init(limbs, MPFR_BITS);
  mpfr_custom_init_set(r->x, MPFR_ZERO_KIND, 0, MPFR_BITS, limbs);
  uint64_t last = r->turn / 8; /* largest exponent that is left after reduction */
  while (last >> (2 * r->shift)) r->shift++;
  uint64_t fine = (uint64_t)1 << r->shift, coarse = (last >> r->shift) + 1;
  if (count < fine + coarse) {
    r->shift = -1;
    return r;
  }
  r->fine = fg_arena_new(a, fg_fixedc, fine);
  r->coarse = fg_arena_new(a, fg_fixedc, coarse);
  for (uint64_t j = 0; j < fine; j++) r->fine[j] = evaluate(r, j);
  for (uint64_t j = 0; j < coarse; j++) r->coarse[j] = evaluate(r, j << r->shift);
  return r;
}

fg_fixedc fg_fixed_root(fg_fixed_roots *r, uint64_t k) {
  k *= r->scale;
  fg_invariant(k < r->turn);
  bool below = 2 * k > r->turn; /* the lower half plane */
  if (below) k = r->turn - k;
  bool left = 4 * k > r->turn;
  if (left) k = r->turn / 2 - k;
  bool steep = 8 * k > r->turn; /* above the diagonal */
  if (steep) k = r->turn / 4 - k;
  fg_fixedc z;
  if (r->shift < 0)
    z = evaluate(r, k);
  else
    z = times(r->coarse[k >> r->shift], r->fine[k & (((uint64_t)1 << r->shift) - 1)]);
  if (steep) z = (fg_fixedc){z.im, z.re};
  return (fg_fixedc){left ? -z.re : z.re, below ? -z.im : z.im};
}

typedef struct dft {
  int64_t n;
  const fg_fixedc *power;  /* exp(sign 2 pi i k / n) */
  uint64_t factor[62];     /* of n, rising */
  fg_fixedc *gather, *sum; /* the largest factor's length each */
} dft;

static void combine_two(const dft *d, int64_t m, fg_fixedc *y) {
  int64_t step = d->n / (2 * m);
  for (int64_t k = 0; k < m; k++) {
    fg_fixedc a = y[k], b = times(y[k + m], d->power[k * step]);
    y[k] = (fg_fixedc){(a.re + b.re) / 2, (a.im + b.im) / 2};
    y[k + m] = (fg_fixedc){(a.re - b.re) / 2, (a.im - b.im) / 2};
  }
}

static fg_fixedc quarter(fg_fixed re, fg_fixed im) { return (fg_fixedc){re / 4, im / 4}; }

static void combine_four(const dft *d, int64_t m, fg_fixedc *y) {
  int64_t step = d->n / (4 * m);
  bool up = d->power[d->n / 4].im > 0; /* a quarter of a turn is i */
  for (int64_t k = 0; k < m; k++) {
    fg_fixedc t[4] = {y[k], y[k + m], y[k + 2 * m], y[k + 3 * m]};
    for (int64_t r = 1; r < 4 && k; r++) t[r] = times(t[r], d->power[r * k * step]);
    fg_fixedc a = {t[0].re + t[2].re, t[0].im + t[2].im}, b = {t[0].re - t[2].re, t[0].im - t[2].im};
    fg_fixedc c = {t[1].re + t[3].re, t[1].im + t[3].im}, e = {t[1].re - t[3].re, t[1].im - t[3].im};
    fg_fixedc turned = up ? (fg_fixedc){-e.im, e.re} : (fg_fixedc){e.im, -e.re};
    y[k] = quarter(a.re + c.re, a.im + c.im);
    y[k + m] = quarter(b.re + turned.re, b.im + turned.im);
    y[k + 2 * m] = quarter(a.re - c.re, a.im - c.im);
    y[k + 3 * m] = quarter(b.re - turned.re, b.im - turned.im);
  }
}

static void combine(const dft *d, int64_t p, int64_t m, fg_fixedc *y) {
  int64_t step = d->n / (p * m), turn = d->n / p;
  for (int64_t k = 0; k < m; k++) {
    for (int64_t r = 0; r < p; r++) {
      fg_fixedc t = times(y[r * m + k], d->power[r * k * step]);
      d->gather[r] = (fg_fixedc){t.re / p, t.im / p};
    }
    for (int64_t q = 0; q < p; q++) {
      fg_fixedc s = d->gather[0];
      for (int64_t r = 1, e = q; r < p; r++, e = e + q < p ? e + q : e + q - p) {
        fg_fixedc t = times(d->gather[r], d->power[e * turn]);
        s = (fg_fixedc){s.re + t.re, s.im + t.im};
      }
      d->sum[q] = s;
    }
    for (int64_t q = 0; q < p; q++) y[q * m + k] = d->sum[q];
  }
}

static void transform(const dft *d, int level, int64_t n, const fg_fixedc *x, int64_t stride, fg_fixedc *y) {
  if (n == 1) {
    y[0] = x[0];
    return;
  }
  bool four = n % 4 == 0; /* factors 2 first */
  int64_t p = four ? 4 : (int64_t)d->factor[level], m = n / p;
  for (int64_t r = 0; r < p; r++) transform(d, level + 1 + four, m, x + r * stride, stride * p, y + r * m);
  if (four)
    combine_four(d, m, y);
  else if (p == 2)
    combine_two(d, m, y);
  else
    combine(d, p, m, y);
}

void fg_fixed_dft(fg_arena *a, int64_t n, int sign, const fg_fixedc *x, fg_fixedc *y) {
  dft d = {.n = n};
  fg_fixed_roots *roots = fg_fixed_roots_create(a, (uint64_t)n, (uint64_t)n);
  fg_fixedc *power = fg_arena_new(a, fg_fixedc, n);
  for (int64_t k = 0; k < n; k++) {
    power[k] = fg_fixed_root(roots, (uint64_t)k);
    if (sign < 0) power[k].im = -power[k].im;
  }
  d.power = power;
  int count = fg_integer_factor((uint64_t)n, d.factor);
  uint64_t largest = count ? d.factor[count - 1] : 1;
  d.gather = fg_arena_new(a, fg_fixedc, largest);
  d.sum = fg_arena_new(a, fg_fixedc, largest);
  transform(&d, 0, n, x, 1, y);
}
