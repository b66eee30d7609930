/* In: lengths and numbers of 113 bits. Out: roots of unity, transforms
 * of that precision. The idea: a second number system for the proof, which knows
 * nothing of fields, codelets or symbolic constants; block.c computes in it. */
#include "generator/math/quad.h"
#include <limits.h>
#include <math.h>

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

void fg_quad_to(mpfr_t y, fg_quad x) {
  mpfr_set_d(y, 0, MPFR_RNDN);
  for (int i = 0; i < 3; i++) {
    double part = (double)x;
    mpfr_add_d(y, y, part, MPFR_RNDN);
    if (!isfinite(part)) break;
    x -= part;
  }
}

fg_quad fg_quad_by(fg_quad x, int (*function)(mpfr_t, const mpfr_t, mpfr_rnd_t)) {
  mpfr_t y;
  mpfr_init2(y, 200);
  fg_quad_to(y, x);
  function(y, y, MPFR_RNDN);
  fg_quad result = fg_quad_from(y);
  mpfr_clear(y);
  return result;
}

static fg_quadc quadc_of(fg_blockc z, int e) { return (fg_quadc){fg_block_quad(z.re, e), fg_block_quad(z.im, e)}; }

fg_quadc *fg_quad_roots(fg_context *cx, int64_t n) {
  const fg_blockc *root = fg_block_roots(cx->arena, n);
  fg_quadc *z = fg_arena_new(cx->arena, fg_quadc, n);
  for (int64_t k = 0; k < n; k++) z[k] = quadc_of(root[k], 0);
  return z;
}

void fg_quad_dft(fg_context *cx, int64_t n, int sign, const fg_quadc *x, fg_quadc *y) {
  int e = fg_block_exponent(&x->re, 2 * n);
  bool numbers = e != INT_MAX;
  if (e == INT_MIN || !numbers) { /* nothing but zeros; or no numbers in, none out */
    for (int64_t k = 0; k < n; k++) y[k] = numbers ? (fg_quadc){0, 0} : (fg_quadc){NAN, NAN};
    return;
  }
  fg_blockc *in = fg_arena_new(cx->arena, fg_blockc, 2 * n), *out = in + n;
  for (int64_t j = 0; j < n; j++) in[j] = (fg_blockc){fg_block_from(x[j].re, e), fg_block_from(x[j].im, e)};
  fg_block_dft(cx->arena, n, sign, in, out);
  for (int64_t k = 0; k < n; k++) y[k] = quadc_of(out[k], e);
}
