/* Real and imaginary parts apart. In: n complex numbers. Out: their DFT.
 *
 * The idea: the transform of the real parts alone is C - i S with real C and S, that
 * of the imaginary ones likewise, and X_k, X_(n-k) are C_k of the numbers, minus and
 * plus i S_k. So i multiplies once for each pair of outputs, at the end, and nowhere
 * before: as many operations as other rows have, but vectors of pairs, where i is a
 * shuffle, need n/2 - 1 of them (lower/complex_vectors.c). */
#include "generator/codelet/algo/rows.h"

bool fg_parted_applies(int n) { return n >= 3; }

static void transform_part(fg_dag *d, fg_dft dft, const fg_cedge *in, bool imaginary, fg_cedge *out) {
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, dft.n);
  for (int j = 0; j < dft.n; j++) x[j].re = imaginary ? in[j].im : in[j].re;
  fg_algo_build(d, dft, x, out);
}

void fg_parted_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) {
  int n = dft.n;
  fg_cedge *a = fg_arena_new(d->cx->arena, fg_cedge, n), *b = fg_arena_new(d->cx->arena, fg_cedge, n);
  transform_part(d, dft, in, false, a);
  transform_part(d, dft, in, true, b);
  out[0] = (fg_cedge){a[0].re, b[0].re};
  for (int k = 1; 2 * k <= n; k++) {
    fg_cedge even = {a[k].re, b[k].re}, odd = fg_dag_mul_i((fg_cedge){a[k].im, b[k].im}, 1);
    out[k] = fg_dag_cadd(d, even, odd);
    if (2 * k < n) out[n - k] = fg_dag_csub(d, even, odd);
  }
}
