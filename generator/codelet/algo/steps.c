/* Powers of two whose twiddle factors are inside. In: n complex numbers, n = 2^b, and n/2
 * factors. Out: the DFT of x_j w^j.
 *
 * The idea: by steps of radix 2 (decimation in time) the factors w^j of a pass and those of
 * the codelet's own are one before each butterfly, and the same for all of a step's but for
 * quarter turns: n/2 factors in place of n-1. A butterfly is six fused operations,
 * X = e + f o by four and e - f o = 2 e - X by two (Goedecker, SIAM J. Sci. Comput. 18,
 * 1997). Factor 0 is w^(n/2); factor p + j, p = 1, 2, 4 .. n/4 and j < p, is
 * w^(n/(4 p)) exp(sign 2 pi i j / (4 p)). */
#include "generator/codelet/algo/steps.h"

bool fg_steps_applies(int n) { return n >= 4 && (n & (n - 1)) == 0; }

/* e + factor times o. */
static fg_edge with_product(fg_dag *d, fg_edge e, uint32_t slot, fg_edge a, fg_edge b) {
  return fg_dag_add(d, fg_dag_add(d, e, fg_dag_twiddle(d, slot, a)), fg_dag_twiddle(d, slot + 1, b));
}

static void butterfly(fg_dag *d, fg_cedge e, fg_cedge o, uint32_t slot, fg_cedge *sum, fg_cedge *difference) {
  sum->re = with_product(d, e.re, slot, o.re, fg_dag_neg(o.im));
  sum->im = with_product(d, e.im, slot, o.im, o.re);
  *difference = fg_dag_csub(d, fg_dag_cscale(d, fg_const_rational(d->pool, 2, 1), e), *sum);
}

/* Inputs in[0], in[step], ... */
static void build(fg_dag *d, fg_dft dft, const fg_cedge *in, int step, fg_cedge *out) {
  int n = dft.n, half = n / 2, quarter = n / 4;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, n);
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  build(d, (fg_dft){half, dft.sign}, in, 2 * step, x);
  build(d, (fg_dft){half, dft.sign}, in + step, 2 * step, x + half);
  for (int k = 0; k < half; k++) {
    bool turned = quarter && k >= quarter;
    fg_cedge o = turned ? fg_dag_mul_i(x[half + k], dft.sign) : x[half + k];
    int factor = quarter ? quarter + k % quarter : 0;
    butterfly(d, x[k], o, (uint32_t)(2 * factor), &out[k], &out[half + k]);
  }
}

void fg_steps_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) { build(d, dft, in, 1, out); }
