/* The reference transform of the proof. In: n pairs of field elements. Out: their
 * DFT, computed by means that share nothing with the compiler's.
 *
 * The idea: (re, im) -> (re + i im, re - i im) maps pairs to two independent
 * elements, because i lies in the field; a rotation (cos, sin) becomes a factor z
 * for the first and 1/z for the second. So one DFT of pairs is two DFTs over the
 * field itself, of root z and of root 1/z: recursive decimation in time over the
 * prime factors of n, plain sums for small ones, for large ones the chirp
 * transform (Bluestein 1970) with convolutions of a power of two points. */
#include "generator/base/invariant.h"
#include "generator/math/field.h"
#include <inttypes.h>

enum { PLAIN_LIMIT = 128 }; /* largest prime factor that is summed by the definition */

typedef struct level { /* p transforms of m points become one */
  int64_t p, m;
  const fg_gf *factor;     /* z^(r k), z of order p m, r = 1 .. p-1, at k (p - 1) + r - 1: in the order of their use */
  const fg_gf *small;      /* z^(q m), q < p */
  const fg_gf *even, *odd; /* (z^(r q m) + its inverse) / 2 and their difference / 2, r, q = 1 .. p / 2; NULL: p is 2 */
  struct chirp *chirp;     /* NULL: p is small */
} level;

typedef struct dft dft;
struct dft {
  const fg_field *f;
  int64_t n;
  int levels;
  level level[62]; /* the one that is done last first; factors rise, but for those of 4 */
};

typedef struct chirp {
  int64_t p, length;     /* points; of the convolutions */
  const fg_gf *rotation; /* z^(j^2/2), where 1/2 is modulo p; z of order p */
  const fg_gf *kernel;   /* DFT of the inverse rotations, wrapped, over length, in the order of spread */
  dft *convolution;
  fg_gf *a; /* scratch: length, and the points behind */
} chirp;

static int64_t convolution_length(uint64_t p) {
  int64_t length = 1;
  while ((uint64_t)length < 2 * p - 1) length *= 2;
  return length;
}

/* sum_r t[r] factor[r]. Products are added as they are, which is below 2^64 p for four of them, and reduced once. */
static inline fg_gf sum_of(const fg_field *f, const fg_gf *t, const fg_gf *factor, int64_t count) {
  fg_wide limit = (fg_wide)f->p << 64, s = 0;
  for (int64_t r = 0; r < count; r++) {
    s += (fg_wide)t[r] * factor[r];
    if (r % 4 == 3 && s >= limit) s -= limit;
  }
  return fg_gf_reduce(f, s >= limit ? s - limit : s);
}

/* In place, p = 2 half + 1 points at t: t[q] = sum_r t[r] small[r q]. Sums and differences of the points r and p - r
 * serve q and p - q. */
static inline void plain_transform(const fg_field *f, const level *l, fg_gf *t, int64_t half) {
  fg_gf sum[PLAIN_LIMIT / 2], difference[PLAIN_LIMIT / 2], first = t[0], all = first;
  for (int64_t r = 0; r < half; r++) {
    fg_gf a = t[1 + r], b = t[2 * half - r];
    sum[r] = fg_gf_add(f, a, b), difference[r] = fg_gf_sub(f, a, b);
    all = fg_gf_add(f, all, sum[r]);
  }
  t[0] = all;
  for (int64_t q = 0; q < half; q++) {
    fg_gf a = fg_gf_add(f, first, sum_of(f, sum, l->even + q * half, half));
    fg_gf b = sum_of(f, difference, l->odd + q * half, half);
    t[1 + q] = fg_gf_add(f, a, b), t[2 * half - q] = fg_gf_sub(f, a, b);
  }
}

/* At k = 0 all factors are 1. */
static void combine_two(const fg_field *f, const level *l, fg_gf *y) {
  fg_gf first = y[0], second = y[l->m];
  y[0] = fg_gf_add(f, first, second), y[l->m] = fg_gf_sub(f, first, second);
  for (int64_t k = 1; k < l->m; k++) {
    fg_gf a = y[k], b = fg_gf_mul(f, y[k + l->m], l->factor[k]);
    y[k] = fg_gf_add(f, a, b);
    y[k + l->m] = fg_gf_sub(f, a, b);
  }
}

static inline void four_points(const fg_field *f, fg_gf i, fg_gf t[4]) {
  fg_gf even = fg_gf_add(f, t[0], t[2]), odd = fg_gf_add(f, t[1], t[3]), other = fg_gf_sub(f, t[0], t[2]);
  fg_gf turned = fg_gf_mul(f, i, fg_gf_sub(f, t[1], t[3]));
  t[0] = fg_gf_add(f, even, odd), t[1] = fg_gf_add(f, other, turned);
  t[2] = fg_gf_sub(f, even, odd), t[3] = fg_gf_sub(f, other, turned);
}

static void combine_four(const fg_field *f, const level *l, fg_gf *y) {
  int64_t m = l->m;
  fg_gf i = l->small[1];
  for (int64_t k = 0; k < m; k++) {
    const fg_gf *w = &l->factor[3 * k];
    fg_gf t[4] = {y[k], y[m + k], y[2 * m + k], y[3 * m + k]};
    for (int r = 1; r < 4 && k; r++) t[r] = fg_gf_mul(f, t[r], w[r - 1]);
    four_points(f, i, t);
    for (int q = 0; q < 4; q++) y[q * m + k] = t[q];
  }
}

static inline void load(const fg_field *f, const level *l, const fg_gf *y, int64_t k, fg_gf *t, int64_t p) {
  for (int64_t r = 0; r < p; r++) t[r] = y[r * l->m + k];
  for (int64_t r = 1; r < p && k; r++) t[r] = fg_gf_mul(f, t[r], l->factor[k * (p - 1) + r - 1]);
}

static inline void combine_odd(const fg_field *f, const level *l, fg_gf *y, int64_t half) {
  fg_gf t[PLAIN_LIMIT];
  for (int64_t k = 0; k < l->m; k++) {
    load(f, l, y, k, t, 2 * half + 1);
    plain_transform(f, l, t, half);
    for (int64_t q = 0; q <= 2 * half; q++) y[q * l->m + k] = t[q];
  }
}

/* ---- convolutions: lengths are powers of two ----------------------------------------------------- */

/* The transpose of combine_four, and of combine_two. */
static void divide(const fg_field *f, const level *l, fg_gf *y) {
  int64_t m = l->m;
  fg_gf i = l->small[1];
  for (int64_t k = 0; k < m; k++) {
    const fg_gf *w = &l->factor[(l->p - 1) * k];
    if (l->p == 2) {
      fg_gf a = y[k], b = y[m + k];
      y[k] = fg_gf_add(f, a, b), y[m + k] = fg_gf_mul(f, fg_gf_sub(f, a, b), *w);
      continue;
    }
    fg_gf t[4] = {y[k], y[m + k], y[2 * m + k], y[3 * m + k]};
    four_points(f, i, t);
    y[k] = t[0];
    for (int q = 1; q < 4; q++) y[q * m + k] = k ? fg_gf_mul(f, t[q], w[q - 1]) : t[q];
  }
}

/* In place, without the permutation of results: it is the transpose of gather. */
static void spread(const dft *d, const fg_field *f, int number, fg_gf *y) {
  const level *l = &d->level[number];
  if (number == d->levels) return;
  divide(f, l, y);
  for (int64_t r = 0; r < l->p && l->m > 1; r++) spread(d, f, number + 1, y + r * l->m);
}

/* In place, of points in the order that spread leaves. */
static void gather(const dft *d, const fg_field *f, int number, fg_gf *y) {
  const level *l = &d->level[number];
  if (number == d->levels) return;
  for (int64_t r = 0; r < l->p && l->m > 1; r++) gather(d, f, number + 1, y + r * l->m);
  (l->p == 2 ? combine_two : combine_four)(f, l, y);
}

/* In place, p points at t. Gathered by the same root, results are in the opposite order. */
static void chirp_transform(const chirp *c, const fg_field *f, fg_gf *t) {
  for (int64_t j = 0; j < c->length; j++) c->a[j] = j < c->p ? fg_gf_mul(f, t[j], c->rotation[j]) : 0;
  spread(c->convolution, f, 0, c->a);
  for (int64_t j = 0; j < c->length; j++) c->a[j] = fg_gf_mul(f, c->a[j], c->kernel[j]);
  gather(c->convolution, f, 0, c->a);
  for (int64_t j = 0; j < c->p; j++) t[j] = fg_gf_mul(f, c->a[j ? c->length - j : 0], c->rotation[j]);
}

static void combine_chirp(const fg_field *f, const level *l, fg_gf *y) {
  fg_gf *t = l->chirp->a + l->chirp->length;
  for (int64_t k = 0; k < l->m; k++) {
    load(f, l, y, k, t, l->p);
    chirp_transform(l->chirp, f, t);
    for (int64_t q = 0; q < l->p; q++) y[q * l->m + k] = t[q];
  }
}

/* p transforms of m points are stored one after the other in y: combines them. The field is copied: no store to y
 * changes it, and it stays in registers. */
static void combine(const fg_field *field, const level *l, fg_gf *y) {
  const fg_field f = *field;
  switch (l->p) {
  case 2: combine_two(&f, l, y); break;
  case 4: combine_four(&f, l, y); break;
  case 3: combine_odd(&f, l, y, 1); break;
  case 5: combine_odd(&f, l, y, 2); break;
  case 7: combine_odd(&f, l, y, 3); break;
  default: (l->chirp ? combine_chirp(&f, l, y) : combine_odd(&f, l, y, l->p / 2)); break;
  }
}

static void transform(const dft *d, int number, const fg_gf *x, int64_t stride, fg_gf *y) {
  const level *l = &d->level[number];
  if (number == d->levels) {
    y[0] = x[0];
    return;
  }
  for (int64_t r = 0; r < l->p; r++) {
    if (l->m == 1)
      y[r] = x[r * stride];
    else
      transform(d, number + 1, x + r * stride, stride * l->p, y + r * l->m);
  }
  combine(d->f, l, y);
}

static dft *dft_create(fg_arena *a, const fg_field *f, int64_t n, fg_gf z);

static chirp *chirp_create(fg_arena *a, const fg_field *f, int64_t p, fg_gf z) {
  chirp *c = fg_arena_new(a, chirp, 1);
  c->p = p;
  c->length = convolution_length((uint64_t)p);
  c->convolution = dft_create(a, f, c->length, fg_gf_pow(f, f->root, f->order / (uint64_t)c->length));
  c->a = fg_arena_raw(a, sizeof *c->a * (size_t)(c->length + p));
  fg_gf *rotation = fg_arena_raw(a, sizeof *rotation * (size_t)p), *kernel = fg_arena_new(a, fg_gf, c->length);
  /* Exponents j^2 (p+1)/2: each differs from the last by (2j-1)/2 = (j-1) + 1/2. */
  fg_gf half = fg_gf_pow(f, z, (uint64_t)(p + 1) / 2), scale = fg_gf_inv(f, fg_gf_from(f, c->length));
  fg_gf x = f->one, step = half;
  for (int64_t j = 0; j < p; j++) {
    rotation[j] = x;
    x = fg_gf_mul(f, x, step);
    step = fg_gf_mul(f, step, z);
  }
  fg_gf inverse = fg_gf_inv(f, z);
  x = scale; /* 1/length of the backward transform is folded into the kernel */
  step = fg_gf_inv(f, half);
  for (int64_t j = 0; j < p; j++) {
    kernel[j] = x;
    if (j) kernel[c->length - j] = x;
    x = fg_gf_mul(f, x, step);
    step = fg_gf_mul(f, step, inverse);
  }
  spread(c->convolution, f, 0, kernel);
  c->rotation = rotation;
  c->kernel = kernel;
  return c;
}

static void halves_create(fg_arena *a, const fg_field *f, level *l) {
  int64_t half = l->p / 2;
  fg_gf *even = fg_arena_raw(a, sizeof *even * (size_t)(half * half));
  fg_gf *odd = fg_arena_raw(a, sizeof *odd * (size_t)(half * half));
  for (int64_t q = 1; q <= half; q++)
    for (int64_t r = 1; r <= half; r++) {
      fg_gf z = l->small[q * r % l->p], inverse = l->small[l->p - q * r % l->p];
      even[(q - 1) * half + r - 1] = fg_gf_mul(f, f->half, fg_gf_add(f, z, inverse));
      odd[(q - 1) * half + r - 1] = fg_gf_mul(f, f->half, fg_gf_sub(f, z, inverse));
    }
  l->even = even, l->odd = odd;
}

/* z has order p m. */
static void level_create(fg_arena *a, const fg_field *f, fg_gf z, level *l) {
  fg_gf *factor = fg_arena_raw(a, sizeof *factor * (size_t)(l->m * (l->p - 1))), x = f->one;
  fg_gf *small = fg_arena_raw(a, sizeof *small * (size_t)l->p), root = fg_gf_pow(f, z, (uint64_t)l->m);
  for (int64_t k = 0; k < l->m; k++, x = fg_gf_mul(f, x, z)) {
    fg_gf y = x;
    for (int64_t r = 1; r < l->p; r++, y = fg_gf_mul(f, y, x)) factor[k * (l->p - 1) + r - 1] = y;
  }
  small[0] = f->one;
  for (int64_t q = 1; q < l->p; q++) small[q] = fg_gf_mul(f, small[q - 1], root);
  l->factor = factor;
  l->small = small;
  if (l->p > 2 && l->p != 4 && l->p <= PLAIN_LIMIT) halves_create(a, f, l);
}

/* z has order n. The largest factor over PLAIN_LIMIT is taken last, so that at most one chirp transform is set up per
 * prime. */
static dft *dft_create(fg_arena *a, const fg_field *f, int64_t n, fg_gf z) {
  dft *d = fg_arena_new(a, dft, 1);
  uint64_t prime[62];
  int count = fg_integer_factor((uint64_t)n, prime);
  d->f = f;
  d->n = n;
  for (int i = 0; i < count; n /= d->level[d->levels++].p) {
    level *l = &d->level[d->levels];
    bool two = prime[i] == 2 && i + 1 < count && prime[i + 1] == 2;
    l->p = two ? 4 : (int64_t)prime[i];
    i += two ? 2 : 1;
    l->m = n / l->p;
    level_create(a, f, z, l);
    if (l->p > PLAIN_LIMIT)
      l->chirp = l > d->level && l[-1].p == l->p ? l[-1].chirp : chirp_create(a, f, l->p, l->small[1]);
    z = fg_gf_pow(f, z, (uint64_t)l->p);
  }
  return d;
}

uint64_t fg_field_dft_order(int64_t n) {
  uint64_t prime[62], order = fg_integer_lcm(4, (uint64_t)n);
  int count = fg_integer_factor((uint64_t)n, prime);
  for (int i = 0; i < count; i++)
    if (prime[i] > PLAIN_LIMIT) order = fg_integer_lcm(order, (uint64_t)convolution_length(prime[i]));
  return order;
}

/* Of u_k = (re + i im)_k for z, into y's real parts; of the same with -i for 1/z, into the others: by z, backward. */
static void both_halves(fg_arena *a, const fg_field *f, int64_t n, int sign, const fg_gfc *x, fg_gfc *y) {
  uint64_t e = f->order / (uint64_t)n;
  dft *d = dft_create(a, f, n, fg_gf_pow(f, f->root, sign > 0 ? e : f->order - e));
  fg_gf *u = fg_arena_raw(a, sizeof *u * (size_t)n), *v = fg_arena_raw(a, sizeof *v * (size_t)n);
  for (int other = 0; other < 2; other++) {
    fg_gf i = other ? fg_gf_neg(f, f->i) : f->i;
    for (int64_t k = 0; k < n; k++) u[k] = fg_gf_add(f, x[k].re, fg_gf_mul(f, i, x[k].im));
    transform(d, 0, u, 1, v);
    for (int64_t k = 0; k < n; k++) *(other ? &y[k].im : &y[k].re) = v[other && k ? n - k : k];
  }
}

/* Scratch is several times the data: an arena of its own gives it back. */
static bool transform_apart(const fg_field *f, int64_t n, int sign, const fg_gfc *x, fg_gfc *y) {
  fg_arena *scratch = fg_arena_create();
  bool done = scratch && !fg_arena_guard(scratch);
  if (done) both_halves(scratch, f, n, sign, x, y);
  fg_arena_destroy(scratch);
  return done;
}

fg_status fg_field_dft(fg_context *cx, const fg_field *f, int64_t n, int sign, const fg_gfc *x, fg_gfc *y) {
  fg_invariant(n > 0 && (sign == 1 || sign == -1));
  uint64_t order = fg_field_dft_order(n);
  if (order == 0 || f->order % order)
    return fg_refuse(cx,
                     "a transform of %" PRId64 " points needs roots of unity of order %" PRIu64
                     "; the field has those of %" PRIu64,
                     n, order, f->order);
  if (!transform_apart(f, n, sign, x, y)) return FG_ENOMEM;
  for (int64_t k = 0; k < n; k++) {
    fg_gf u = y[k].re, v = y[k].im;
    y[k] = (fg_gfc){fg_gf_mul(f, fg_gf_add(f, u, v), f->half), fg_gf_mul(f, fg_gf_sub(f, u, v), f->half_i)};
  }
  return FG_OK;
}
