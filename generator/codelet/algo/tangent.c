/* Scaled split radix. In: n complex numbers, n a power of two. Out: their DFT.
 *
 * The idea: the quarter transforms are computed divided by factors s(k) such that
 * the twiddle factors become 1 + i tan or cot + i, two products in place of four;
 * the factors pass through the recursion and leave where they meet the twiddle
 * factors of an unscaled transform (Johnson and Frigo, "A modified split-radix FFT
 * with fewer arithmetic operations", 2007). */
#include "generator/codelet/algo/rows.h"

typedef struct scaled { /* the transform of n numbers, X[k] divided by s(divisor, k); divisor 0: as it is */
  int n, divisor, sign;
} scaled;

/* s(n, k) = s(n/4, k mod n/4) times the larger of cosine and sine; 1 for n <= 4. */
static fg_const factor(fg_dag *d, int n, int k) {
  if (n <= 4) return d->one;
  k %= n / 4;
  fg_root w = fg_dag_root(d, k, n);
  return fg_const_mul(d->pool, factor(d, n / 4, k), 8 * k <= n ? w.cos : w.sin);
}

static fg_const quotient(fg_dag *d, int n, int k, int divisor, int at) {
  return fg_const_div(d->pool, factor(d, n, k), factor(d, divisor, at));
}

static void transform(fg_dag *d, scaled t, const fg_cedge *in, fg_cedge *out);

static void pair(fg_dag *d, scaled t, const fg_cedge *in, fg_cedge *out) {
  out[0] = fg_dag_cadd(d, in[0], in[1]);
  out[1] = fg_dag_csub(d, in[0], in[1]);
  if (t.divisor) out[1] = fg_dag_cscale(d, quotient(d, 1, 0, t.divisor, 1), out[1]);
}

/* exp(2 pi i k / n) times what the quarters were divided by, over s(n, k) where
 * the result is scaled. */
static fg_root twiddle(fg_dag *d, scaled t, int k) {
  fg_root w = fg_dag_root(d, (int64_t)t.sign * k, t.n);
  fg_const by = t.divisor ? quotient(d, t.n / 4, k, t.n, k) : factor(d, t.n / 4, k);
  return (fg_root){fg_const_mul(d->pool, w.cos, by), fg_const_mul(d->pool, w.sin, by)};
}

/* The four outputs k + j n/4 from halves u and the twiddled quarters a and b. */
static void butterfly(fg_dag *d, scaled t, int k, const fg_cedge *u, const fg_cedge *ab, fg_cedge *out) {
  int n = t.n, q = n / 4, h = n / 2;
  fg_cedge sum = fg_dag_cadd(d, ab[0], ab[1]), diff = fg_dag_mul_i(fg_dag_csub(d, ab[0], ab[1]), t.sign);
  if (t.divisor == 2 * n) { /* u is divided already */
    sum = fg_dag_cscale(d, quotient(d, n, k, 2 * n, k), sum);
    diff = fg_dag_cscale(d, quotient(d, n, k, 2 * n, k + q), diff);
  }
  out[k] = fg_dag_cadd(d, u[k], sum);
  out[k + h] = fg_dag_csub(d, u[k], sum);
  out[k + q] = fg_dag_cadd(d, u[k + q], diff);
  out[k + h + q] = fg_dag_csub(d, u[k + q], diff);
  if (t.divisor == 4 * n) /* s(4n) has no period that the halves share: at the end */
    for (int i = k; i < n; i += q) out[i] = fg_dag_cscale(d, quotient(d, n, k, 4 * n, i), out[i]);
}

static void transform(fg_dag *d, scaled t, const fg_cedge *in, fg_cedge *out) {
  int n = t.n, h = n / 2, q = n / 4;
  if (n == 1) out[0] = in[0];
  if (n == 2) pair(d, t, in, out);
  if (n <= 2) return;
  fg_arena *arena = d->cx->arena;
  fg_cedge *x = fg_arena_new(arena, fg_cedge, h), *u = fg_arena_new(arena, fg_cedge, h);
  fg_cedge *z = fg_arena_new(arena, fg_cedge, q), *w = fg_arena_new(arena, fg_cedge, q);
  for (int j = 0; j < h; j++) x[j] = in[2 * j];
  transform(d, (scaled){h, t.divisor == 4 * n ? n : t.divisor, t.sign}, x, u);
  for (int j = 0; j < q; j++) x[j] = in[4 * j + 1];
  transform(d, (scaled){q, q, t.sign}, x, z);
  for (int j = 0; j < q; j++) x[j] = in[(4 * j + n - 1) % n];
  transform(d, (scaled){q, q, t.sign}, x, w);
  for (int k = 0; k < q; k++) {
    fg_root f = twiddle(d, t, k);
    fg_cedge ab[2] = {fg_dag_mul_constant(d, z[k], f.cos, f.sin),
                      fg_dag_mul_constant(d, w[k], f.cos, fg_const_neg(d->pool, f.sin))};
    butterfly(d, t, k, u, ab, out);
  }
}

bool fg_tangent_applies(int n) { return n >= 4 && (n & (n - 1)) == 0; }

void fg_tangent_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) {
  transform(d, (scaled){dft.n, 0, dft.sign}, in, out);
}
