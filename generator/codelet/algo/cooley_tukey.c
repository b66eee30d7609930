/* Cooley-Tukey, decimation in time. In: n = a b complex numbers. Out: their DFT.
 *
 * The idea: a transforms of the inputs at stride a, twiddle factors, b
 * transforms across (Cooley and Tukey 1965), a being the factor nearest to
 * sqrt(n). */
#include "generator/codelet/algo/rows.h"

/* The largest factor up to sqrt(n), so that a <= b; 1 when n is prime. */
static int nearest_factor(int n) {
  int best = 1;
  for (int a = 2; a * a <= n; a++)
    if (n % a == 0) best = a;
  return best;
}

bool fg_cooley_tukey_applies(int n) { return n >= 4 && !fg_algo_is_prime(n); }

void fg_cooley_tukey_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) {
  int n = dft.n, a = nearest_factor(n), b = n / a;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, n), *y = fg_arena_new(d->cx->arena, fg_cedge, n);
  fg_cedge *column = fg_arena_new(d->cx->arena, fg_cedge, a);
  for (int j2 = 0; j2 < a; j2++) { /* y[j2 b + k1] */
    for (int j1 = 0; j1 < b; j1++) x[j1] = in[a * j1 + j2];
    fg_algo_build(d, (fg_dft){b, dft.sign}, x, y + j2 * b);
  }
  for (int k1 = 0; k1 < b; k1++) {
    for (int j2 = 0; j2 < a; j2++) x[j2] = fg_dag_mul_root(d, y[j2 * b + k1], (int64_t)dft.sign * j2 * k1, n);
    fg_algo_build(d, (fg_dft){a, dft.sign}, x, column);
    for (int k2 = 0; k2 < a; k2++) out[k1 + b * k2] = column[k2];
  }
}
