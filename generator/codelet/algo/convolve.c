/* Convolutions with something constant. In: n complex numbers, or n+1. Out: as many.
 *
 * The idea: between a transform and the one back there is one product an element, so that
 * the last pass of one and the first of the other are one codelet. In a prime's
 * convolution (Rader, Proc. IEEE 56, 1968) the element that is left out goes in where
 * the sum of the others stands, and comes out with it. */
#include "generator/codelet/algo/kind.h"

static void split(const fg_cedge *x, int n, fg_edge *out) {
  for (int k = 0; k < n; k++) out[2 * k] = x[k].re, out[2 * k + 1] = x[k].im;
}

/* Of half a spectrum, at 0 and in the middle: by the real part of the factor. */
static fg_cedge scaled(fg_dag *d, fg_cedge y, uint32_t factor) {
  fg_cedge re = {y.re, FG_ZERO}, im = {y.im, FG_ZERO};
  return (fg_cedge){fg_dag_mul_twiddle(d, re, factor).re, fg_dag_mul_twiddle(d, im, factor).re};
}

/* Result k by its factor, or the conjugate of one. first: factor 0. */
static fg_cedge product(fg_dag *d, const fg_kind_task *t, fg_cedge y, int k, int first) {
  bool half = t->kind == FG_CODELET_CONVOLVE_FIRST, upper = 2 * k > t->n - (t->kind == FG_CODELET_CONVOLVE_TWO);
  uint32_t factor = (uint32_t)(2 * (first + (half && upper ? t->n - k : k)));
  if (half && (k == 0 || 2 * k == t->n)) return scaled(d, y, factor);
  bool conjugate = upper && (half || t->kind == FG_CODELET_CONVOLVE_TWO);
  return (conjugate ? fg_dag_mul_conjugate : fg_dag_mul_twiddle)(d, y, factor);
}

void fg_convolve_build(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  int n = t->n, first = t->turned ? n - 1 : 0; /* of the factors inside */
  fg_kind_task back = *t;
  back.sign = -t->sign;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, n), *y = fg_arena_new(d->cx->arena, fg_cedge, n + 1);
  for (int k = 0; k < n; k++) {
    x[k] = (fg_cedge){in[2 * k], in[2 * k + 1]};
    if (t->turned && k) x[k] = fg_dag_mul_twiddle(d, x[k], (uint32_t)(2 * (k - 1)));
  }
  fg_codelet_kind_transform(d, t, x, y);
  for (int k = 0; k < n; k++) x[k] = product(d, t, y[k], k, first);
  if (t->kind == FG_CODELET_RADER) {
    fg_cedge alone = {in[2 * n], in[2 * n + 1]}, sum = fg_dag_cadd(d, alone, y[0]);
    split(&sum, 1, out + 2 * n);
    x[0] = fg_dag_cadd(d, x[0], alone);
  }
  fg_codelet_kind_transform(d, &back, x, y);
  for (int k = 1; t->turned && k < n; k++) y[k] = fg_dag_mul_conjugate(d, y[k], (uint32_t)(2 * (k - 1)));
  split(y, n, out);
}

/* Half of the products; the others are their conjugates. */
void fg_convolve_real_build(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  int n = t->n;
  fg_kind_task back = *t;
  back.sign = -t->sign;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, n), *y = fg_arena_new(d->cx->arena, fg_cedge, n);
  for (int k = 0; k < n; k++) x[k] = (fg_cedge){in[k], FG_ZERO};
  fg_codelet_kind_transform(d, t, x, y);
  for (int k = 0; 2 * k <= n; k++) {
    bool alone = k == 0 || 2 * k == n;
    x[k] = fg_dag_mul_twiddle(d, y[k], (uint32_t)(2 * k));
    if (alone) x[k].im = FG_ZERO;
    if (!alone) x[n - k] = (fg_cedge){x[k].re, fg_dag_neg(x[k].im)};
  }
  fg_codelet_kind_transform(d, &back, x, y);
  for (int k = 0; k < n; k++) out[k] = y[k].re;
}

static void multiply(fg_dag *d, fg_edge *x, int factor) {
  fg_cedge y = fg_dag_mul_twiddle(d, (fg_cedge){x[0], x[1]}, (uint32_t)(2 * factor));
  split(&y, 1, x);
}

void fg_convolve_odd_build(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  fg_kind_task forward = *t, back = *t;
  fg_edge *x = fg_arena_new(d->cx->arena, fg_edge, t->n + 2);
  forward.kind = FG_CODELET_R2C_ODD, back.kind = FG_CODELET_C2R_ODD, back.sign = -t->sign;
  fg_real_build(d, &forward, in, x);
  for (int k = 0; 2 * k < t->n; k++) multiply(d, x + 2 * k, k);
  fg_real_build(d, &back, x, out);
}

/* The twiddles of pairs are halved (kind.h): on the way back they are doubled. */
void fg_convolve_pair_build(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  int n = t->n, first = t->turned ? n - 1 : 0; /* of the factors inside */
  fg_kind_task forward = *t, back = *t;
  fg_edge *x = fg_arena_new(d->cx->arena, fg_edge, 2 * n), *y = fg_arena_new(d->cx->arena, fg_edge, 2 * n);
  fg_const two = fg_const_rational(d->pool, 2, 1);
  forward.kind = FG_CODELET_R2C_PAIR, back.kind = FG_CODELET_C2R_PAIR, back.sign = -t->sign;
  for (int i = 0; i < 2 * n; i++) x[i] = in[i];
  fg_codelet_kind_separate(d, &forward, x);
  for (int k = 1; t->turned && k < n; k++) multiply(d, x + 2 * k, k - 1);
  fg_real_build(d, &forward, x, y);
  for (int k = 0; k < n; k++) multiply(d, y + 2 * k, first + k);
  fg_real_build(d, &back, y, out);
  for (int k = 1; t->turned && k < n; k++) {
    fg_cedge z = fg_dag_mul_conjugate(d, (fg_cedge){out[2 * k], out[2 * k + 1]}, (uint32_t)(2 * (k - 1)));
    z = (fg_cedge){fg_dag_scale(d, two, z.re), fg_dag_scale(d, two, z.im)};
    split(&z, 1, out + 2 * k);
  }
  fg_codelet_kind_merge(d, &back, out);
}

/* In pairs, so that sums depend on few before them. */
void fg_convolve_sum_build(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  int first = t->kind == FG_CODELET_ACCUMULATE, count = t->n + first;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, count);
  for (int k = 0; k < count; k++) {
    x[k] = (fg_cedge){in[2 * k], in[2 * k + 1]};
    if (t->kind != FG_CODELET_TOTAL && k >= first) x[k] = fg_dag_mul_twiddle(d, x[k], (uint32_t)(2 * (k - first)));
  }
  for (int step = 1; step < count; step *= 2)
    for (int k = 0; k + step < count; k += 2 * step) x[k] = fg_dag_cadd(d, x[k], x[k + step]);
  split(x, 1, out);
}
