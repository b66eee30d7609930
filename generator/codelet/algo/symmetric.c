/* Odd n by symmetry. In: n complex numbers, n odd. Out: their DFT.
 *
 * The idea: with s_j = x_j + x_(n-j) and d_j = x_j - x_(n-j) all factors are
 * real: X_k and X_(n-k) are x_0 + sum_j cos(2 pi jk/n) s_j, plus and minus
 * i sum_j sin(2 pi jk/n) d_j (Singleton 1969). Where errors alone count, sums are
 * taken by halves: log2 of their length roundings are behind each term. */
#include "generator/codelet/algo/rows.h"

bool fg_symmetric_applies(int n) { return n >= 3 && n % 2 == 1 && fg_algo_is_prime(n); }

static fg_cedge sum(fg_dag *d, const fg_cedge *term, int count) {
  if (count == 1) return term[0];
  int first = d->accuracy == 2 ? count / 2 : count - 1;
  return fg_dag_cadd(d, sum(d, term, first), sum(d, term + first, count - first));
}

void fg_symmetric_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) {
  int n = dft.n, m = (n - 1) / 2;
  fg_cedge *s = fg_arena_new(d->cx->arena, fg_cedge, m + 1), *diff = fg_arena_new(d->cx->arena, fg_cedge, m + 1);
  fg_cedge *even = fg_arena_new(d->cx->arena, fg_cedge, m + 1), *odd = fg_arena_new(d->cx->arena, fg_cedge, m + 1);
  s[0] = even[0] = in[0];
  for (int j = 1; j <= m; j++) {
    s[j] = fg_dag_cadd(d, in[j], in[n - j]);
    diff[j] = fg_dag_csub(d, in[j], in[n - j]);
  }
  out[0] = sum(d, s, m + 1);
  for (int k = 1; k <= m; k++) {
    for (int j = 1; j <= m; j++) {
      fg_root w = fg_dag_root(d, (int64_t)j * k, n);
      even[j] = fg_dag_cscale(d, w.cos, s[j]);
      odd[j] = fg_dag_cscale(d, w.sin, diff[j]);
    }
    fg_cedge c = sum(d, even, m + 1), i = fg_dag_mul_i(sum(d, odd + 1, m), dft.sign);
    out[k] = fg_dag_cadd(d, c, i);
    out[n - k] = fg_dag_csub(d, c, i);
  }
}
