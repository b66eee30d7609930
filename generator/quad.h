/* Numbers of 113 bits for comparisons: roots of unity, the DFT, tables' values.
 * Only arithmetic that the compiler provides and MPFR; no quadmath. */
#ifndef FG_QUAD_H
#define FG_QUAD_H
#include "generator/block.h"
#include "generator/constant.h"
#include "generator/program.h"

typedef struct fg_quadc {
  fg_quad re, im;
} fg_quadc;

fg_quad fg_quad_from(mpfr_t x);
/* exp(2 pi i k / n) for 0 <= k < n. */
fg_quadc *fg_quad_roots(fg_context *cx, int64_t n);
/* y[k] = sum_j x[j] exp(sign 2 pi i j k / n). x and y do not overlap. */
void fg_quad_dft(fg_context *cx, int64_t n, int sign, const fg_quadc *x, fg_quadc *y);
/* What table t of p holds, natural order, from the definition in program.h. */
fg_quadc *fg_quad_table(fg_context *cx, const fg_table *t);
/* Of a table of roots of unity: the exponent, 0 .. order - 1, of what element i is, but for its sign; element i. */
int64_t fg_quad_exponent(const fg_table *t, int64_t i);
fg_quadc fg_quad_element(const fg_table *t, int64_t i);
static inline fg_quadc fg_quadc_mul(fg_quadc a, fg_quadc b) {
  return (fg_quadc){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
#endif
