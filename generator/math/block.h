/* Numbers of one block: a transform's, or a codelet's, with an exponent that all of
 * them share, so that their arithmetic is that of integers. 128 bits behind the point
 * and 63 before it: of numbers of about 1 it loses less than floats of 113 bits do,
 * in a tenth of the time that those take without hardware. */
#ifndef FG_BLOCK_H
#define FG_BLOCK_H
#include "generator/base/arena.h"
#include <mpfr.h>
#include <stdint.h>

__extension__ typedef __float128 fg_quad;
__extension__ typedef unsigned __int128 fg_fraction;

typedef struct fg_block { /* high + low / 2^128 */
  fg_fraction low;
  int64_t high;
} fg_block;

typedef struct fg_blockc {
  fg_block re, im;
} fg_blockc;

static inline fg_block fg_block_add(fg_block a, fg_block b) {
  fg_block r = {.low = a.low + b.low};
  r.high = (int64_t)((uint64_t)a.high + (uint64_t)b.high + (r.low < a.low));
  return r;
}

static inline fg_block fg_block_sub(fg_block a, fg_block b) {
  fg_block r = {.low = a.low - b.low};
  r.high = (int64_t)((uint64_t)a.high - (uint64_t)b.high - (a.low < b.low));
  return r;
}

static inline fg_block fg_block_neg(fg_block a) { return fg_block_sub((fg_block){0}, a); }

/* Where x is negative: y, else 0. */
static inline fg_fraction fg_block_taken(int64_t x, fg_fraction y) { return y & (fg_fraction)(x >> 63); }

/* Cut off behind 2^-128; wrong by less than 2^-126. As if both were positive, then each
 * is taken away from the upper two limbs where the other's sign was taken for 2^64. */
static inline fg_block fg_block_mul(fg_block a, fg_block b) {
  uint64_t al = (uint64_t)a.low, am = (uint64_t)(a.low >> 64), ah = (uint64_t)a.high;
  uint64_t bl = (uint64_t)b.low, bm = (uint64_t)(b.low >> 64), bh = (uint64_t)b.high;
  fg_fraction inner = (fg_fraction)am * bm + ((fg_fraction)am * bl >> 64) + (uint64_t)((fg_fraction)al * bm >> 64);
  fg_fraction p = inner + (fg_fraction)ah * bl, q = p + (fg_fraction)al * bh;
  fg_fraction r = (fg_fraction)ah * bm, s = (fg_fraction)am * bh, middle = (q >> 64) + (uint64_t)r + (uint64_t)s;
  uint64_t carry = (uint64_t)(p < inner) + (uint64_t)(q < p);
  uint64_t high = carry + (uint64_t)(middle >> 64) + (uint64_t)(r >> 64) + (uint64_t)(s >> 64) + ah * bh;
  fg_fraction upper = (fg_fraction)high << 64 | (uint64_t)middle;
  upper -= fg_block_taken(a.high, b.low) + fg_block_taken(b.high, a.low);
  return (fg_block){(uint64_t)q | upper << 64, (int64_t)(uint64_t)(upper >> 64)};
}

fg_blockc fg_blockc_mul(fg_blockc a, fg_blockc b);
static inline fg_blockc fg_blockc_add(fg_blockc a, fg_blockc b) {
  return (fg_blockc){fg_block_add(a.re, b.re), fg_block_add(a.im, b.im)};
}
static inline fg_blockc fg_blockc_sub(fg_blockc a, fg_blockc b) {
  return (fg_blockc){fg_block_sub(a.re, b.re), fg_block_sub(a.im, b.im)};
}

/* The least e with |x| < 2^e for all n of them that are not zero; INT_MIN: all are;
 * INT_MAX: there are infinities, or no numbers. */
int fg_block_exponent(const fg_quad *x, int64_t n);
/* x / 2^e, which must be less than 2^63; and back, rounded. */
fg_block fg_block_from(fg_quad x, int e);
fg_quad fg_block_quad(fg_block x, int e);

/* exp(2 pi i k / n) for 0 <= k < n; each part of the many within 2^-125 log2(n). */
fg_blockc fg_block_root(int64_t k, int64_t n);
fg_blockc *fg_block_roots(fg_arena *a, int64_t n);
/* y[k] = sum_j x[j] exp(sign 2 pi i j k / n): decimation in time over the prime factors;
 * those over 61 by the chirp transform. |x| <= 1; x and y do not overlap. */
void fg_block_dft(fg_arena *a, int64_t n, int sign, const fg_blockc *x, fg_blockc *y);
#endif
