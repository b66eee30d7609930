/* Odd n by symmetry. In: n complex numbers, n odd. Out: their DFT.
 *
 * The idea: with s_j = x_j + x_(n-j) and d_j = x_j - x_(n-j) all factors are
 * real: X_k and X_(n-k) are x_0 + sum_j cos(2 pi jk/n) s_j, plus and minus
 * i sum_j sin(2 pi jk/n) d_j (Singleton 1969). */
#include "generator/algo/rows.h"

bool fg_symmetric_applies(int n) { return n >= 3 && n % 2 == 1 && fg_algo_is_prime(n); }

void fg_symmetric_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) {
  int n = dft.n, m = (n - 1) / 2;
  fg_cedge *s = fg_arena_new(d->cx->arena, fg_cedge, m + 1), *diff = fg_arena_new(d->cx->arena, fg_cedge, m + 1);
  out[0] = in[0];
  for (int j = 1; j <= m; j++) {
    s[j] = fg_dag_cadd(d, in[j], in[n - j]);
    diff[j] = fg_dag_csub(d, in[j], in[n - j]);
    out[0] = fg_dag_cadd(d, out[0], s[j]);
  }
  for (int k = 1; k <= m; k++) {
    fg_cedge even = in[0], odd = {FG_ZERO, FG_ZERO};
    for (int j = 1; j <= m; j++) {
      fg_root w = fg_dag_root(d, (int64_t)j * k, n);
      even = fg_dag_cadd(d, even, fg_dag_cscale(d, w.cos, s[j]));
      odd = fg_dag_cadd(d, odd, fg_dag_cscale(d, w.sin, diff[j]));
    }
    odd = fg_dag_mul_i(odd, dft.sign);
    out[k] = fg_dag_cadd(d, even, odd);
    out[n - k] = fg_dag_csub(d, even, odd);
  }
}
