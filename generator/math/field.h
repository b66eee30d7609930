/* Prime fields for the proof: arithmetic modulo a prime p = 1 (mod M) with
 * 2^60 < p < 2^62, so that every root of unity of an order dividing M exists.
 *
 * One root of unity w of order M is drawn per field; i, cos, sin and sqrt(1/2)
 * all derive from it: cos(2 pi k/n) = (z + 1/z) / 2, sin = (z - 1/z) / (2 i),
 * z = w^(k M / n). Real and imaginary parts of numbers stay SEPARATE elements:
 * then conjugation is (re, -im), as over the reals. Elements are in Montgomery
 * form; fg_gf_from/to convert. Source of the method: Montgomery 1985. */
#ifndef FG_FIELD_H
#define FG_FIELD_H
#include "generator/base/context.h"
#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 fg_wide;
typedef uint64_t fg_gf; /* an element, Montgomery form, < p */

typedef struct fg_field {
  uint64_t p, order;  /* the prime; M */
  uint64_t np, r2;    /* -1/p mod 2^64; 2^128 mod p */
  fg_gf one, root, i; /* 1; w of order exactly M; w^(M/4) */
  fg_gf half, half_i; /* 1/2; 1/(2 i) */
  const fg_gf *power; /* w^(d 256^j) at 256 j + d: powers of w are products of a few entries */
} fg_field;

typedef struct fg_gfc {
  fg_gf re, im;
} fg_gfc; /* a complex number: two elements */

/* Orders up to here have fields; above, most do. */
#define FG_FIELD_ALWAYS ((uint64_t)1 << 52)
/* A random prime = 1 (mod order) and a random root. order must be a multiple of
 * 4. FG_EUSER when order is too large for 62 bits (message says so). The same
 * seed gives the same field. */
fg_status fg_field_create(fg_context *cx, uint64_t order, uint64_t seed, fg_field *out);

fg_gf fg_gf_from(const fg_field *f, int64_t x);
/* The lesser: of x and x - p the one below p, without a branch, which could not be predicted. */
static inline fg_gf fg_gf_least(uint64_t x, uint64_t y) { return x < y ? x : y; }
/* t / 2^64 modulo p, for t < 2^64 p: brings a product back to Montgomery form. */
static inline fg_gf fg_gf_reduce(const fg_field *f, fg_wide t) {
  uint64_t m = (uint64_t)t * f->np;
  uint64_t r = (uint64_t)((t + (fg_wide)m * f->p) >> 64);
  return fg_gf_least(r, r - f->p);
}
static inline fg_gf fg_gf_mul(const fg_field *f, fg_gf a, fg_gf b) { return fg_gf_reduce(f, (fg_wide)a * b); }
fg_gf fg_gf_pow(const fg_field *f, fg_gf a, uint64_t e);
fg_gf fg_gf_inv(const fg_field *f, fg_gf a); /* a != 0 */
static inline fg_gf fg_gf_add(const fg_field *f, fg_gf a, fg_gf b) { return fg_gf_least(a + b, a + b - f->p); }
static inline fg_gf fg_gf_sub(const fg_field *f, fg_gf a, fg_gf b) { return fg_gf_least(a - b, a - b + f->p); }
static inline fg_gf fg_gf_neg(const fg_field *f, fg_gf a) { return a ? f->p - a : 0; }
/* exp(2 pi i k / n) as (cos, sin); n divides order, any k. */
fg_gfc fg_gf_root(const fg_field *f, int64_t k, int64_t n);
fg_gfc fg_gfc_mul(const fg_field *f, fg_gfc a, fg_gfc b);
static inline fg_gfc fg_gfc_add(const fg_field *f, fg_gfc a, fg_gfc b) {
  return (fg_gfc){fg_gf_add(f, a.re, b.re), fg_gf_add(f, a.im, b.im)};
}

static inline uint64_t fg_random(uint64_t *state) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
/* Uniform below bound: the high half of a product, drawn again where the low half is
 * one of the few too many (Lemire 2019), so that few draws divide. */
static inline uint64_t fg_random_below(uint64_t bound, uint64_t *state) {
  fg_wide product = (fg_wide)fg_random(state) * bound;
  if ((uint64_t)product < bound)
    for (uint64_t excess = -bound % bound; (uint64_t)product < excess;) product = (fg_wide)fg_random(state) * bound;
  return (uint64_t)(product >> 64);
}
/* Uniform below 2^60: an element of every field. */
static inline fg_gf fg_gf_random(uint64_t *state) { return fg_random(state) >> 4; }
/* 0 when it does not fit 62 bits, or when one of them is 0. */
uint64_t fg_integer_lcm(uint64_t a, uint64_t b);
bool fg_integer_is_prime(uint64_t n); /* n < 2^62 */
/* Prime factors of n < 2^62 in rising order, each as often as it divides:
 * returns how many; prime[] has room for 62. */
int fg_integer_factor(uint64_t n, uint64_t *prime);

/* DFT by other means than the compiler's: y[k] = sum_j x[j] exp(sign 2 pi i jk/n).
 * Recursive decimation in time over the prime factors of n, plain sums below;
 * a prime factor over 128 is transformed by the chirp transform. Every root it needs is
 * in fg_field_dft_order. x and y do not overlap. */
fg_status fg_field_dft(fg_context *cx, const fg_field *f, int64_t n, int sign, const fg_gfc *x, fg_gfc *y);
/* The order that fg_field_dft needs for n points: a multiple of 4 and n (and of
 * what its chirp transforms need). 0: too large. */
uint64_t fg_field_dft_order(int64_t n);
/* What to say where no field has the roots of unity that a proof needs. */
#define FG_FIELD_LIMITS "allowed: lengths of small prime factors (dct1: n - 1, dst1: n + 1), others up to 2^16"

#endif
