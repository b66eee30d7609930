/* See block.h. In: floats of 113 bits. Out: integers that stand for them, their
 * arithmetic and transforms. A float's bits are taken apart and put together here:
 * IEEE 754 binary128, one bit of sign, 15 of exponent, 112 of fraction. Chirp
 * transform: Bluestein, IEEE Trans. AU-18 (1970). */
#include "generator/math/block.h"
#include <limits.h>
#include <stdbool.h>
#include <string.h>

enum { PLAIN_LIMIT = 61, FRACTION = 112, BIAS = 16383, NO_NUMBER = 0x7fff, POINT = 128, MPFR_BITS = 192 };

/* ---- products ------------------------------------------------------------------------- */

fg_blockc fg_blockc_mul(fg_blockc a, fg_blockc b) {
  return (fg_blockc){fg_block_sub(fg_block_mul(a.re, b.re), fg_block_mul(a.im, b.im)),
                     fg_block_add(fg_block_mul(a.re, b.im), fg_block_mul(a.im, b.re))};
}

/* ---- floats ---------------------------------------------------------------------------- */

static fg_fraction bits_of(fg_quad x) {
  fg_fraction bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static int exponent_of(fg_fraction bits) { return (int)(bits >> FRACTION & NO_NUMBER); }

int fg_block_exponent(const fg_quad *x, int64_t n) {
  int most = 0;
  for (int64_t i = 0; i < n; i++) {
    int e = exponent_of(bits_of(x[i]));
    if (e > most) most = e;
  }
  return most == NO_NUMBER ? INT_MAX : most ? most - BIAS + 1 : INT_MIN;
}

fg_block fg_block_from(fg_quad x, int e) {
  fg_fraction bits = bits_of(x), one = (fg_fraction)1 << FRACTION, number = (bits & (one - 1)) | one;
  int shift = exponent_of(bits) - BIAS - e + POINT - FRACTION; /* of the number's last bit, from the last of 128 */
  fg_block r = {0};
  if (!exponent_of(bits) || shift <= -POINT) return r;
  if (shift < 0)
    r.low = number >> -shift;
  else if (shift < POINT)
    r = (fg_block){number << shift, shift ? (int64_t)(number >> (POINT - shift)) : 0};
  else
    r.high = (int64_t)(number << (shift - POINT));
  return bits >> 127 ? fg_block_neg(r) : r;
}

static int leading_zeros(fg_fraction x) {
  return x >> 64 ? __builtin_clzll((uint64_t)(x >> 64)) : 64 + __builtin_clzll((uint64_t)x);
}

/* x's 128 leading bits, the first of them a one, worth 2^*e. */
static fg_fraction leading(fg_block x, int *e) {
  if (!x.high) {
    int zeros = leading_zeros(x.low);
    *e = -1 - zeros;
    return x.low << zeros;
  }
  int zeros = __builtin_clzll((uint64_t)x.high), kept = 64 - zeros;
  *e = kept - 1;
  return (fg_fraction)(uint64_t)x.high << (POINT - kept) | x.low >> kept;
}

fg_quad fg_block_quad(fg_block x, int e) {
  bool negative = x.high < 0;
  int at;
  fg_quad r = 0;
  if (negative) x = fg_block_neg(x);
  if (!x.high && !x.low) return 0;
  fg_fraction number = leading(x, &at), kept = number >> (POINT - 1 - FRACTION);
  kept += number >> (POINT - 2 - FRACTION) & 1; /* half is rounded up; a carry goes into the exponent */
  int exponent = at + e + BIAS - 1;             /* kept's leading bit adds one */
  if (exponent < 0) return 0;
  fg_fraction bits = ((fg_fraction)(unsigned)exponent << FRACTION) + kept;
  if (negative) bits |= (fg_fraction)1 << 127;
  memcpy(&r, &bits, sizeof r);
  return r;
}

/* Four doubles hold all of its bits. */
static fg_block from_mpfr(mpfr_t x) {
  mpfr_t rest;
  fg_block sum = {0};
  mpfr_init2(rest, mpfr_get_prec(x));
  mpfr_set(rest, x, MPFR_RNDN);
  for (int i = 0; i < 4; i++) {
    double part = mpfr_get_d(rest, MPFR_RNDZ);
    mpfr_sub_d(rest, rest, part, MPFR_RNDN);
    sum = fg_block_add(sum, fg_block_from(part, 0));
  }
  mpfr_clear(rest);
  return sum;
}

/* ---- roots of unity ----------------------------------------------------------------------- */

fg_blockc fg_block_root(int64_t k, int64_t n) {
  mpfr_t angle, c, s;
  mpfr_inits2(MPFR_BITS, angle, c, s, (mpfr_ptr)0);
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul_si(angle, angle, 2 * k, MPFR_RNDN);
  mpfr_div_si(angle, angle, n, MPFR_RNDN);
  mpfr_sin_cos(s, c, angle, MPFR_RNDN);
  /* Where the exact value is 0, pi's rounding would leave a tiny number. */
  fg_blockc z = {from_mpfr(c), from_mpfr(s)};
  if (4 * k % n == 0 && 4 * k / n % 2) z.re = (fg_block){0};
  if (2 * k % n == 0) z.im = (fg_block){0};
  mpfr_clears(angle, c, s, (mpfr_ptr)0);
  return z;
}

/* By doubling: what MPFR rounds are the powers of two, and those whose parts are whole. */
fg_blockc *fg_block_roots(fg_arena *a, int64_t n) {
  fg_blockc *z = fg_arena_new(a, fg_blockc, n);
  for (int64_t k = 0, step = 0; k < n; k++) {
    bool power = (k & (k - 1)) == 0;
    if (power) step = k;
    z[k] = power || 4 * k % n == 0 ? fg_block_root(k, n) : fg_blockc_mul(z[step], z[k - step]);
  }
  return z;
}

/* ---- transforms ----------------------------------------------------------------------------- */

typedef struct chirp chirp;

typedef struct dft {
  fg_arena *arena;
  int sign;
  int64_t order; /* of the roots */
  const fg_blockc *root;
  chirp **made; /* those that were needed so far; NULL: none will be */
} dft;

struct chirp {
  chirp *next;
  int64_t n;
  int times;              /* convolutions have 2^times points */
  dft half, there, back;  /* roots of order 2 n; transforms */
  const fg_blockc *other; /* what is convolved with, transformed */
  fg_blockc *a, *b;       /* scratch */
};

/* exp(sign 2 pi i k / order) */
static fg_blockc turn(const dft *d, int64_t k) {
  fg_blockc z = d->root[k];
  if (d->sign < 0) z.im = fg_block_neg(z.im);
  return z;
}

static int64_t smallest_factor(int64_t n) {
  for (int64_t p = 2; p * p <= n; p++)
    if (n % p == 0) return p;
  return n;
}

static fg_block halved(fg_block x, int times) {
  return (fg_block){x.low >> times | (fg_fraction)(uint64_t)x.high << (POINT - times), x.high >> times};
}

static void transform(const dft *d, int64_t n, const fg_blockc *x, int64_t stride, fg_blockc *y);

static const chirp *chirp_create(const dft *d, int64_t n) {
  chirp *c = fg_arena_new(d->arena, chirp, 1);
  *c = (chirp){.next = *d->made, .n = n};
  while (INT64_C(1) << c->times < 2 * n - 1) c->times++;
  int64_t length = INT64_C(1) << c->times;
  const fg_blockc *roots = fg_block_roots(d->arena, length);
  c->half = (dft){.sign = d->sign, .order = 2 * n, .root = fg_block_roots(d->arena, 2 * n)};
  c->there = (dft){.sign = -1, .order = length, .root = roots};
  c->back = (dft){.sign = 1, .order = length, .root = roots};
  c->a = fg_arena_new(d->arena, fg_blockc, length), c->b = fg_arena_new(d->arena, fg_blockc, length);
  fg_blockc *other = fg_arena_new(d->arena, fg_blockc, length);
  for (int64_t j = 0; j < n; j++) {
    fg_blockc z = turn(&c->half, j * j % (2 * n));
    c->a[j] = c->a[(length - j) % length] = (fg_blockc){z.re, fg_block_neg(z.im)};
  }
  transform(&c->there, length, c->a, 1, other);
  c->other = other;
  return *d->made = c;
}

static const chirp *chirp_of(const dft *d, int64_t n) {
  for (const chirp *c = *d->made; c; c = c->next)
    if (c->n == n) return c;
  return chirp_create(d, n);
}

/* conj(chirp) * x, convolved with the chirp, times conj(chirp) again. */
static void chirp_transform(const dft *d, int64_t n, const fg_blockc *x, int64_t stride, fg_blockc *y) {
  const chirp *c = chirp_of(d, n);
  int64_t length = INT64_C(1) << c->times;
  for (int64_t j = 0; j < length; j++)
    c->a[j] = j < n ? fg_blockc_mul(x[j * stride], turn(&c->half, j * j % (2 * n))) : (fg_blockc){{0, 0}, {0, 0}};
  transform(&c->there, length, c->a, 1, c->b);
  for (int64_t k = 0; k < length; k++) {
    fg_blockc product = fg_blockc_mul(c->b[k], c->other[k]);
    c->a[k] = (fg_blockc){halved(product.re, c->times), halved(product.im, c->times)};
  }
  transform(&c->back, length, c->a, 1, c->b);
  for (int64_t k = 0; k < n; k++) y[k] = fg_blockc_mul(c->b[k], turn(&c->half, k * k % (2 * n)));
}

static void four(const dft *d, const fg_blockc *t, fg_blockc *s) {
  fg_blockc a = fg_blockc_add(t[0], t[2]), b = fg_blockc_sub(t[0], t[2]);
  fg_blockc c = fg_blockc_add(t[1], t[3]), e = fg_blockc_sub(t[1], t[3]);
  fg_blockc turned = d->sign < 0 ? (fg_blockc){e.im, fg_block_neg(e.re)} : (fg_blockc){fg_block_neg(e.im), e.re};
  s[0] = fg_blockc_add(a, c), s[2] = fg_blockc_sub(a, c);
  s[1] = fg_blockc_add(b, turned), s[3] = fg_blockc_sub(b, turned);
}

/* n odd: sums and differences of inputs j and n - j take one cosine and one sine, and
 * give outputs k and n - k at once. */
static void plain(const dft *d, int64_t n, const fg_blockc *x, int64_t stride, fg_blockc *y) {
  fg_blockc sum[PLAIN_LIMIT], difference[PLAIN_LIMIT];
  int64_t step = d->order / n;
  y[0] = x[0];
  for (int64_t j = 1; j <= n / 2; j++) {
    sum[j] = fg_blockc_add(x[j * stride], x[(n - j) * stride]);
    difference[j] = fg_blockc_sub(x[j * stride], x[(n - j) * stride]);
    y[0] = fg_blockc_add(y[0], sum[j]);
  }
  for (int64_t k = 1; k <= n / 2; k++) {
    fg_blockc even = x[0], odd = {{0, 0}, {0, 0}};
    for (int64_t j = 1; j <= n / 2; j++) {
      fg_blockc z = turn(d, j * k % n * step);
      even.re = fg_block_add(even.re, fg_block_mul(z.re, sum[j].re));
      even.im = fg_block_add(even.im, fg_block_mul(z.re, sum[j].im));
      odd.re = fg_block_sub(odd.re, fg_block_mul(z.im, difference[j].im));
      odd.im = fg_block_add(odd.im, fg_block_mul(z.im, difference[j].re));
    }
    y[k] = fg_blockc_add(even, odd);
    y[n - k] = fg_blockc_sub(even, odd);
  }
}

/* p numbers, p transforms of one each. */
static void combine_row(const dft *d, int64_t p, const fg_blockc *t, fg_blockc *s) {
  if (p == 2) {
    s[0] = fg_blockc_add(t[0], t[1]), s[1] = fg_blockc_sub(t[0], t[1]);
  } else if (p == 4) {
    four(d, t, s);
  } else if (p <= PLAIN_LIMIT) {
    plain(d, p, t, 1, s);
  } else {
    chirp_transform(d, p, t, 1, s);
  }
}

/* p transforms of m points are stored one after the other in y: combines them. t: 2 p numbers. */
static void combine(const dft *d, int64_t p, int64_t m, fg_blockc *t, fg_blockc *y) {
  int64_t step = d->order / (p * m);
  for (int64_t k = 0; k < m; k++) {
    t[0] = y[k];
    for (int64_t r = 1; r < p; r++) t[r] = k ? fg_blockc_mul(y[r * m + k], turn(d, r * k * step)) : y[r * m];
    combine_row(d, p, t, t + p);
    for (int64_t q = 0; q < p; q++) y[q * m + k] = t[p + q];
  }
}

static void transform(const dft *d, int64_t n, const fg_blockc *x, int64_t stride, fg_blockc *y) {
  int64_t p = n % 4 ? smallest_factor(n) : 4, m = n / p;
  fg_blockc few[2 * PLAIN_LIMIT], *t = p <= PLAIN_LIMIT ? few : fg_arena_new(d->arena, fg_blockc, 2 * p);
  if (m == 1) {
    for (int64_t r = 0; r < p; r++) t[r] = x[r * stride];
    if (n > 1)
      combine_row(d, p, t, y);
    else
      y[0] = x[0];
    return;
  }
  for (int64_t r = 0; r < p; r++) transform(d, m, x + r * stride, stride * p, y + r * m);
  combine(d, p, m, t, y);
}

void fg_block_dft(fg_arena *a, int64_t n, int sign, const fg_blockc *x, fg_blockc *y) {
  chirp *made = NULL;
  dft d = {.arena = a, .sign = sign, .order = n, .root = fg_block_roots(a, n), .made = &made};
  transform(&d, n, x, 1, y);
}
