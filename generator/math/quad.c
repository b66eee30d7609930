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
  fg_quad result = mpfr_number_p(y) ? fg_quad_from(y) : (fg_quad)mpfr_get_d(y, MPFR_RNDN);
  mpfr_clear(y);
  return result;
}

/* Far from what doubles do not have. */
static bool is_usual(fg_quad x) { return x > 0x1p-900 && x < 0x1p900; }

/* Newton's iteration, from a double. */
fg_quad fg_quad_sqrt(fg_quad x) {
  if (!is_usual(x)) return fg_quad_by(x, mpfr_sqrt);
  fg_quad y = sqrt((double)x);
  for (int i = 0; i < 2; i++) y = (y + x / y) / 2;
  return y;
}

/* x = 2^e m, m from sqrt 1/2 to sqrt 2; log m = 2 artanh s, s = (m - 1) / (m + 1), s^2 < 0.0295: what is left out is
 * below 2^-117 of it. */
fg_quad fg_quad_log(fg_quad x) {
#define INVERSE(n) (fg_quad)1 / n
  static const fg_quad inverse[] = {INVERSE(3),  INVERSE(5),  INVERSE(7),  INVERSE(9),  INVERSE(11), INVERSE(13),
                                    INVERSE(15), INVERSE(17), INVERSE(19), INVERSE(21), INVERSE(23), INVERSE(25),
                                    INVERSE(27), INVERSE(29), INVERSE(31), INVERSE(33), INVERSE(35), INVERSE(37),
                                    INVERSE(39), INVERSE(41), INVERSE(43), INVERSE(45)};
#undef INVERSE
  static const double log_2[3] = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 0x1.7b57a079a1934p-111};
  int e;
  if (!is_usual(x)) return fg_quad_by(x, mpfr_log);
  if (frexp((double)x, &e) < 0x1.6a09e667f3bcdp-1) e--;
  fg_quad m = x * ldexp(1, -e), s = (m - 1) / (m + 1), square = s * s, sum = 0, log_m;
  for (int k = sizeof inverse / sizeof *inverse - 1; k >= 0; k--) sum = (sum + inverse[k]) * square;
  log_m = 2 * (s + s * sum);
  return e ? ((log_2[2] * (fg_quad)e + log_m) + log_2[1] * (fg_quad)e) + log_2[0] * (fg_quad)e : log_m;
}

fg_quad fg_quad_log10(fg_quad x) {
  static const double factor[3] = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.ee191f71a3012p-112};
  return fg_quad_log(x) * ((fg_quad)factor[2] + factor[1] + factor[0]);
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
