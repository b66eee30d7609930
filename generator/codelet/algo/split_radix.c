/* Conjugate-pair split radix. In: n complex numbers, 4 divides n. Out: their DFT.
 *
 * The idea: half the transform from the even inputs, two quarters from those at
 * 4j + 1 and 4j - 1; the twiddle factors of the two quarters are each other's
 * conjugates, so they share their constants (Kamar and Elcherif 1989; Yavne 1968
 * for the operation count). */
#include "generator/codelet/algo/rows.h"

bool fg_split_radix_applies(int n) { return n >= 4 && n % 4 == 0; }

void fg_split_radix_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) {
  int n = dft.n, h = n / 2, q = n / 4, sign = dft.sign;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, h), *u = fg_arena_new(d->cx->arena, fg_cedge, h);
  fg_cedge *z = fg_arena_new(d->cx->arena, fg_cedge, q), *w = fg_arena_new(d->cx->arena, fg_cedge, q);
  for (int j = 0; j < h; j++) x[j] = in[2 * j];
  fg_algo_build(d, (fg_dft){h, sign}, x, u);
  for (int j = 0; j < q; j++) x[j] = in[4 * j + 1];
  fg_algo_build(d, (fg_dft){q, sign}, x, z);
  for (int j = 0; j < q; j++) x[j] = in[(4 * j + n - 1) % n];
  fg_algo_build(d, (fg_dft){q, sign}, x, w);
  for (int k = 0; k < q; k++) {
    fg_cedge a = fg_dag_mul_root(d, z[k], (int64_t)sign * k, n), b = fg_dag_mul_root(d, w[k], -(int64_t)sign * k, n);
    fg_cedge sum = fg_dag_cadd(d, a, b), diff = fg_dag_mul_i(fg_dag_csub(d, a, b), sign);
    out[k] = fg_dag_cadd(d, u[k], sum);
    out[k + h] = fg_dag_csub(d, u[k], sum);
    out[k + q] = fg_dag_cadd(d, u[k + q], diff);
    out[k + q + h] = fg_dag_csub(d, u[k + q], diff);
  }
}
