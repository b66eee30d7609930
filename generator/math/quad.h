/* Numbers of 113 bits for comparisons: roots of unity and the DFT.
 * Only arithmetic that the compiler provides and MPFR; no quadmath. */
#ifndef FG_QUAD_H
#define FG_QUAD_H
#include "generator/base/context.h"
#include "generator/math/block.h"

typedef struct fg_quadc {
  fg_quad re, im;
} fg_quadc;

fg_quad fg_quad_from(mpfr_t x);
void fg_quad_to(mpfr_t y, fg_quad x); /* x may be infinite, or no number */
/* One of MPFR's functions of one number. */
fg_quad fg_quad_by(fg_quad x, int (*function)(mpfr_t, const mpfr_t, mpfr_rnd_t));
/* The same as by MPFR's functions within a few units of the last place, in a tenth of their time. */
fg_quad fg_quad_sqrt(fg_quad x);
fg_quad fg_quad_log(fg_quad x);
fg_quad fg_quad_log10(fg_quad x);
/* exp(2 pi i k / n) for 0 <= k < n. */
fg_quadc *fg_quad_roots(fg_context *cx, int64_t n);
/* y[k] = sum_j x[j] exp(sign 2 pi i j k / n). x and y do not overlap. */
void fg_quad_dft(fg_context *cx, int64_t n, int sign, const fg_quadc *x, fg_quadc *y);
static inline fg_quadc fg_quadc_mul(fg_quadc a, fg_quadc b) {
  return (fg_quadc){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
#endif
