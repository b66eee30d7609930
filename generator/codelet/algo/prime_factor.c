/* The prime factor algorithm. In: n = a b complex numbers, a and b coprime. Out:
 * their DFT.
 *
 * The idea: with j = b j1 + a j2 and k = b' b k1 + a' a k2 modulo n, where
 * b' b = 1 (mod a) and a' a = 1 (mod b), the exponent j k falls apart into
 * j1 k1 / a and j2 k2 / b: a two-dimensional transform without twiddle factors
 * (Good 1958, Thomas 1963). */
#include "generator/base/integer.h"
#include "generator/codelet/algo/rows.h"

/* The largest factor up to sqrt(n) that is coprime to its cofactor; 1: none. */
static int coprime_factor(int n) {
  int best = 1;
  for (int a = 2; a * a < n; a++)
    if (n % a == 0 && fg_gcd(a, n / a) == 1) best = a;
  return best;
}

static int inverse(int a, int m) {
  for (int x = 1; x < m; x++)
    if ((long)a * x % m == 1) return x;
  return 0;
}

bool fg_prime_factor_applies(int n) { return n >= 6 && coprime_factor(n) > 1; }

void fg_prime_factor_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) {
  int n = dft.n, a = coprime_factor(n), b = n / a;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, n), *y = fg_arena_new(d->cx->arena, fg_cedge, n);
  fg_cedge *row = fg_arena_new(d->cx->arena, fg_cedge, n);
  for (int j2 = 0; j2 < b; j2++) { /* y[j2 a + k1] */
    for (int j1 = 0; j1 < a; j1++) x[j1] = in[(b * j1 + a * j2) % n];
    fg_algo_build(d, (fg_dft){a, dft.sign}, x, y + j2 * a);
  }
  int eb = b * inverse(b % a, a), ea = a * inverse(a % b, b);
  for (int k1 = 0; k1 < a; k1++) {
    for (int j2 = 0; j2 < b; j2++) x[j2] = y[j2 * a + k1];
    fg_algo_build(d, (fg_dft){b, dft.sign}, x, row);
    for (int k2 = 0; k2 < b; k2++) out[((long)eb * k1 + (long)ea * k2) % n] = row[k2];
  }
}
