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

enum { PLAIN_LIMIT = 128 }; /* largest prime factor that is summed plainly */

typedef struct level { /* p transforms of m points become one */
  int64_t p, m;
  const fg_gf *factor; /* z^(r k), z of order p m, r = 1 .. p-1, at k (p - 1) + r - 1: in the order of their use */
  const fg_gf *small;  /* z^(q m), q < p */
  struct chirp *chirp; /* NULL: p is small */
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
  const fg_gf *kernel;   /* DFT of the inverse rotations, wrapped, over length */
  dft *forward, *backward;
  fg_gf *a, *b; /* scratch, length each */
} chirp;

static int64_t convolution_length(uint64_t p) {
  int64_t length = 1;
  while ((uint64_t)length < 2 * p - 1) length *= 2;
  return length;
}

static void transform(const dft *d, int number, const fg_gf *x, int64_t stride, fg_gf *y);

/* In place, p points at t. */
static void chirp_transform(const chirp *c, const fg_field *f, fg_gf *t) {
  for (int64_t j = 0; j < c->length; j++) c->a[j] = j < c->p ? fg_gf_mul(f, t[j], c->rotation[j]) : 0;
  transform(c->forward, 0, c->a, 1, c->b);
  for (int64_t j = 0; j < c->length; j++) c->b[j] = fg_gf_mul(f, c->b[j], c->kernel[j]);
  transform(c->backward, 0, c->b, 1, c->a);
  for (int64_t j = 0; j < c->p; j++) t[j] = fg_gf_mul(f, c->a[j], c->rotation[j]);
}

/* In place, p points at t: t[q] = sum_r t[r] small[r q]. Products are added as
 * they are, kept below 2^64 p, and reduced once per sum. */
static void plain_transform(const fg_field *f, const level *l, fg_gf *t) {
  fg_gf sum[PLAIN_LIMIT];
  fg_wide limit = (fg_wide)f->p << 64;
  for (int64_t q = 0; q < l->p; q++) {
    fg_wide s = 0;
    for (int64_t r = 0, e = 0; r < l->p; r++, e = e + q < l->p ? e + q : e + q - l->p) {
      s += (fg_wide)t[r] * l->small[e];
      if (s >= limit) s -= limit;
    }
    sum[q] = fg_gf_reduce(f, s);
  }
  for (int64_t q = 0; q < l->p; q++) t[q] = sum[q];
}

static void combine_two(const fg_field *f, const level *l, fg_gf *y) {
  for (int64_t k = 0; k < l->m; k++) {
    fg_gf a = y[k], b = fg_gf_mul(f, y[k + l->m], l->factor[k]);
    y[k] = fg_gf_add(f, a, b);
    y[k + l->m] = fg_gf_sub(f, a, b);
  }
}

static void combine_four(const fg_field *f, const level *l, fg_gf *y) {
  int64_t m = l->m;
  for (int64_t k = 0; k < m; k++) {
    const fg_gf *w = &l->factor[3 * k];
    fg_gf a = y[k], b = fg_gf_mul(f, y[m + k], w[0]), c = fg_gf_mul(f, y[2 * m + k], w[1]);
    fg_gf d = fg_gf_mul(f, y[3 * m + k], w[2]), even = fg_gf_add(f, a, c), odd = fg_gf_add(f, b, d);
    fg_gf turned = fg_gf_mul(f, l->small[1], fg_gf_sub(f, b, d)), other = fg_gf_sub(f, a, c);
    y[k] = fg_gf_add(f, even, odd);
    y[m + k] = fg_gf_add(f, other, turned);
    y[2 * m + k] = fg_gf_sub(f, even, odd);
    y[3 * m + k] = fg_gf_sub(f, other, turned);
  }
}

/* p transforms of m points lie one after the other in y: combines them. */
static void combine(const fg_field *f, const level *l, fg_gf *y) {
  const chirp *c = l->chirp;
  fg_gf small[PLAIN_LIMIT], *t = c ? c->a + c->length : small;
  for (int64_t k = 0; k < l->m; k++) {
    t[0] = y[k];
    for (int64_t r = 1; r < l->p; r++) t[r] = fg_gf_mul(f, y[r * l->m + k], l->factor[k * (l->p - 1) + r - 1]);
    if (c)
      chirp_transform(c, f, t);
    else
      plain_transform(f, l, t);
    for (int64_t q = 0; q < l->p; q++) y[q * l->m + k] = t[q];
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
  if (l->p == 2)
    combine_two(d->f, l, y);
  else if (l->p == 4)
    combine_four(d->f, l, y);
  else
    combine(d->f, l, y);
}

static dft *dft_create(fg_arena *a, const fg_field *f, int64_t n, fg_gf z);

static chirp *chirp_create(fg_arena *a, const fg_field *f, int64_t p, fg_gf z) {
  chirp *c = fg_arena_new(a, chirp, 1);
  c->p = p;
  c->length = convolution_length((uint64_t)p);
  fg_gf w = fg_gf_pow(f, f->root, f->order / (uint64_t)c->length);
  c->forward = dft_create(a, f, c->length, w);
  c->backward = dft_create(a, f, c->length, fg_gf_inv(f, w));
  c->a = fg_arena_new(a, fg_gf, c->length + p); /* the last p hold the points themselves */
  c->b = fg_arena_new(a, fg_gf, c->length);
  fg_gf *rotation = fg_arena_new(a, fg_gf, p), *kernel = fg_arena_new(a, fg_gf, c->length);
  /* Exponents j^2 (p+1)/2: each differs from the last by (2j-1)/2 = (j-1) + 1/2. */
  fg_gf half = fg_gf_pow(f, z, (uint64_t)(p + 1) / 2), scale = fg_gf_inv(f, fg_gf_from(f, c->length));
  fg_gf x = f->one, step = half;
  for (int64_t j = 0; j < p; j++) {
    rotation[j] = x;
    x = fg_gf_mul(f, x, step);
    step = fg_gf_mul(f, step, z);
  }
  fg_gf inverse = fg_gf_inv(f, z);
  x = scale; /* the backward transform's 1/length goes into the kernel */
  step = fg_gf_inv(f, half);
  for (int64_t j = 0; j < p; j++) {
    c->a[j] = x;
    if (j) c->a[c->length - j] = x;
    x = fg_gf_mul(f, x, step);
    step = fg_gf_mul(f, step, inverse);
  }
  transform(c->forward, 0, c->a, 1, kernel);
  c->rotation = rotation;
  c->kernel = kernel;
  return c;
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
}

/* z has order n. The largest factor over PLAIN_LIMIT comes last, so that at most one chirp transform is set up per
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

/* One of the two halves: u_k = (re + i im)_k for z, into y's real parts; or with -i for 1/z, into the others. */
static void half_transform(fg_arena *a, const fg_field *f, int64_t n, int sign, const fg_gfc *x, fg_gfc *y,
                           bool other) {
  uint64_t e = f->order / (uint64_t)n;
  fg_gf i = other ? fg_gf_neg(f, f->i) : f->i;
  dft *d = dft_create(a, f, n, fg_gf_pow(f, f->root, (sign > 0) != other ? e : f->order - e));
  fg_gf *u = fg_arena_raw(a, sizeof *u * (size_t)n), *v = fg_arena_raw(a, sizeof *v * (size_t)n);
  for (int64_t k = 0; k < n; k++) u[k] = fg_gf_add(f, x[k].re, fg_gf_mul(f, i, x[k].im));
  transform(d, 0, u, 1, v);
  for (int64_t k = 0; k < n; k++) *(other ? &y[k].im : &y[k].re) = v[k];
}

/* Scratch is several times the data: an arena of its own gives it back. */
static bool half_apart(const fg_field *f, int64_t n, int sign, const fg_gfc *x, fg_gfc *y, bool other) {
  fg_arena *scratch = fg_arena_create();
  bool done = scratch && !fg_arena_guard(scratch);
  if (done) half_transform(scratch, f, n, sign, x, y, other);
  fg_arena_destroy(scratch);
  return done;
}

fg_status fg_field_dft(fg_context *cx, const fg_field *f, int64_t n, int sign, const fg_gfc *x, fg_gfc *y) {
  fg_invariant(n > 0 && (sign == 1 || sign == -1));
  uint64_t order = fg_field_dft_order(n);
  if (order == 0 || f->order % order)
    return fg_diag_set(&cx->diag, FG_EUSER,
                       "a transform of %" PRId64 " points needs roots of unity of order %" PRIu64
                       "; the field has those of %" PRIu64,
                       n, order, f->order);
  for (int other = 0; other < 2; other++)
    if (!half_apart(f, n, sign, x, y, other)) return FG_ENOMEM;
  for (int64_t k = 0; k < n; k++) {
    fg_gf u = y[k].re, v = y[k].im;
    y[k] = (fg_gfc){fg_gf_mul(f, fg_gf_add(f, u, v), f->half), fg_gf_mul(f, fg_gf_sub(f, u, v), f->half_i)};
  }
  return FG_OK;
}
