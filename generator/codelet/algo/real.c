/* Real inputs or real outputs. In: the slots of a kind. Out: its other slots.
 *
 * The idea: a real input is a complex one without imaginary part, and of the
 * conjugate outputs one of each pair is asked for. Backward the inputs come in
 * conjugate pairs, or the forward network is transposed: the matrix of c2r is that
 * of r2c with the other sign, transposed, where each pair counts twice. Frequencies
 * k + 1/2 are the odd ones of 2 n numbers whose second half is the negative of the
 * first, or zero (Sorensen, Jones, Heideman and Burrus, "Real-valued fast Fourier
 * transform algorithms", 1987, for what pruning reaches). */
#include "generator/codelet/algo/kind.h"

static bool is_odd(const fg_kind_task *t) { return t->kind == FG_CODELET_R2C_ODD || t->kind == FG_CODELET_C2R_ODD; }

/* Frequency of complex element k, of the period. */
static int frequency(const fg_kind_task *t, int k) { return is_odd(t) ? 2 * k + 1 : k; }

/* Is element k its own conjugate partner? */
static bool is_single(const fg_kind_task *t, int k) {
  return 2 * frequency(t, k) % fg_codelet_kind_period(t->kind, t->n) == 0;
}

static void real_to_complex(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  int n = t->n, period = fg_codelet_kind_period(t->kind, n), count = fg_codelet_output(t->kind, n).elements;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, period), *y = fg_arena_new(d->cx->arena, fg_cedge, period);
  bool both = is_odd(t) && t->variant == 0;
  fg_const half = fg_const_rational(d->pool, 1, 2);
  for (int j = 0; j < n; j++) {
    x[j].re = both ? fg_dag_scale(d, half, in[j]) : in[j];
    if (both) x[j + n].re = fg_dag_neg(x[j].re);
  }
  fg_codelet_kind_transform(d, t, x, y);
  for (int k = 0; k < count; k++) {
    out[2 * k] = y[frequency(t, k)].re;
    out[2 * k + 1] = y[frequency(t, k)].im;
  }
}

/* The real part of what reals transform to, or the imaginary one: half of the inputs
 * stand for both halves of a symmetric sequence. */
static void real_to_part(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  int count = fg_codelet_input(t->kind, t->n).elements, first = t->kind == FG_CODELET_ODD;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, t->n), *y = fg_arena_new(d->cx->arena, fg_cedge, t->n);
  fg_kind_task plus = *t;
  plus.sign = 1;
  for (int j = 0; j < count; j++) x[first + j].re = in[j];
  fg_codelet_kind_transform(d, &plus, x, y);
  for (int k = 0; k < count; k++) out[k] = first ? y[first + k].im : y[k].re;
}

static void complex_to_real(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  int n = t->n, period = fg_codelet_kind_period(t->kind, n), count = fg_codelet_input(t->kind, n).elements;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, period), *y = fg_arena_new(d->cx->arena, fg_cedge, period);
  for (int k = 0; k < count; k++) {
    int f = frequency(t, k);
    x[f].re = in[2 * k];
    if (is_single(t, k)) continue;
    x[f].im = in[2 * k + 1];
    x[period - f] = (fg_cedge){x[f].re, fg_dag_neg(x[f].im)};
  }
  fg_codelet_kind_transform(d, t, x, y);
  for (int j = 0; j < n; j++) out[j] = y[j].re;
}

static void complex_to_real_transposed(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  fg_kind_task forward = {is_odd(t) ? FG_CODELET_R2C_ODD : FG_CODELET_R2C, t->n, -t->sign, t->row, 0, false};
  int count = fg_codelet_input(t->kind, t->n).elements;
  fg_edge *twice = fg_arena_new(d->cx->arena, fg_edge, 2 * count);
  fg_const two = fg_const_rational(d->pool, 2, 1);
  for (int k = 0; k < count; k++) {
    bool single = is_single(t, k);
    twice[2 * k] = single ? in[2 * k] : fg_dag_scale(d, two, in[2 * k]);
    twice[2 * k + 1] = single ? FG_ZERO : fg_dag_scale(d, two, in[2 * k + 1]);
  }
  fg_codelet_kind_transpose(d, &forward, twice, out);
}

static fg_edge conjugated(bool yes, fg_edge im) { return yes ? fg_dag_neg(im) : im; }

static void complex_to_complex(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  int n = t->n;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, n), *y = fg_arena_new(d->cx->arena, fg_cedge, n);
  for (int k = 0; k < n; k++) {
    bool upper = k >= (n + 1) / 2 && (t->kind == FG_CODELET_C2R_COLUMN || t->kind == FG_CODELET_C2R_PAIR);
    x[k] = (fg_cedge){in[2 * k], conjugated(upper, in[2 * k + 1])};
  }
  fg_codelet_kind_transform(d, t, x, y);
  bool conjugates = t->kind == FG_CODELET_R2C_COLUMN || t->kind == FG_CODELET_R2C_PAIR;
  int twice = t->kind == FG_CODELET_R2C_MIDDLE;
  for (int k = 0; k < n + twice; k++) {
    bool upper = k >= (n + 1) / 2;
    const fg_cedge *result = &y[upper ? k - twice : k];
    out[2 * k] = result->re;
    out[2 * k + 1] = conjugated(upper && (conjugates || twice), result->im);
  }
}

/* a_j and b_j become 2 Y_2j and 2 Y_(2j+1); the first of all is halved here, the
 * others by their factors. */
void fg_codelet_kind_separate(fg_dag *d, const fg_kind_task *t, fg_edge *in) {
  if (t->kind != FG_CODELET_R2C_PAIR) return;
  int half = t->n / 2;
  fg_edge *y = fg_arena_new(d->cx->arena, fg_edge, 2 * t->n);
  for (int j = 0; j < half; j++) {
    const fg_edge *a = in + 2 * j, *b = in + 2 * (half + j);
    y[4 * j] = fg_dag_add(d, a[0], b[0]);
    y[4 * j + 1] = fg_dag_sub(d, a[1], b[1]);
    y[4 * j + 2] = fg_dag_add(d, a[1], b[1]);
    y[4 * j + 3] = fg_dag_sub(d, b[0], a[0]);
  }
  for (int i = 0; i < 2; i++) y[i] = fg_dag_scale(d, fg_const_rational(d->pool, 1, 2), y[i]);
  for (int i = 0; i < 2 * t->n; i++) in[i] = y[i];
}

void fg_codelet_kind_merge(fg_dag *d, const fg_kind_task *t, fg_edge *out) {
  if (t->kind != FG_CODELET_C2R_PAIR) return;
  int half = t->n / 2;
  fg_edge *z = fg_arena_new(d->cx->arena, fg_edge, 2 * t->n);
  for (int j = 0; j < half; j++) {
    const fg_edge *even = out + 4 * j, *odd = even + 2;
    z[2 * j] = fg_dag_sub(d, even[0], odd[1]);
    z[2 * j + 1] = fg_dag_add(d, even[1], odd[0]);
    z[2 * (half + j)] = fg_dag_add(d, even[0], odd[1]);
    z[2 * (half + j) + 1] = fg_dag_sub(d, odd[0], even[1]);
  }
  for (int i = 0; i < 2 * t->n; i++) out[i] = z[i];
}

/* The parts of n complex numbers are n numbers and as many behind them. */
static void real_parts(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  bool apart = t->kind == FG_CODELET_R2C_TWO; /* the inputs; else the outputs */
  int n = t->n, re = apart ? 2 : 1, im = apart ? 1 : n;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, n), *y = fg_arena_new(d->cx->arena, fg_cedge, n);
  for (int k = 0; k < n; k++) x[k] = apart ? (fg_cedge){in[k], in[n + k]} : (fg_cedge){in[2 * k], in[2 * k + 1]};
  fg_codelet_kind_transform(d, t, x, y);
  for (int k = 0; k < n; k++) out[re * k] = y[k].re, out[re * k + im] = y[k].im;
}

static void negate(const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  for (int k = 0; k < t->n; k++) out[k] = fg_dag_neg(in[k]);
}

/* The even part of the spectrum under conjugation is the first transform's, the odd one the second's, times i. */
static void part(fg_dag *d, int n, const fg_edge *in, fg_edge *out) {
  for (int j = 0; j + 1 < n; j += 2) {
    const fg_edge *a = in + 2 * j, *b = a + 2;
    fg_edge *x = out + 2 * j;
    x[0] = fg_dag_add(d, a[0], b[0]);
    x[1] = fg_dag_sub(d, a[1], b[1]);
    x[2] = fg_dag_add(d, a[1], b[1]);
    x[3] = fg_dag_sub(d, b[0], a[0]);
    for (int i = 0; i < 4; i++) x[i] = fg_dag_scale(d, fg_const_rational(d->pool, 1, 2), x[i]);
  }
}

static void fold(fg_dag *d, int n, const fg_edge *in, fg_edge *out) {
  for (int q = 0; q < n / 2; q++) {
    out[q] = fg_dag_neg(fg_dag_add(d, in[n / 2 + q], in[3 * n / 2 + q]));
    out[n / 2 + q] = fg_dag_sub(d, in[q], in[n + q]);
  }
}

static void unfold(int n, const fg_edge *in, fg_edge *out) {
  for (int q = 0; q < n / 2; q++) {
    out[q] = in[n / 2 + q], out[n + q] = fg_dag_neg(in[n / 2 + q]);
    out[n / 2 + q] = out[3 * n / 2 + q] = fg_dag_neg(in[q]);
  }
}

void fg_real_build(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  switch (t->kind) {
  case FG_CODELET_R2C:
  case FG_CODELET_R2C_ODD: real_to_complex(d, t, in, out); break;
  case FG_CODELET_EVEN:
  case FG_CODELET_ODD: real_to_part(d, t, in, out); break;
  case FG_CODELET_C2R:
  case FG_CODELET_C2R_ODD:
    if (t->variant == 0)
      complex_to_real(d, t, in, out);
    else
      complex_to_real_transposed(d, t, in, out);
    break;
  case FG_CODELET_R2C_TWO:
  case FG_CODELET_C2R_TWO: real_parts(d, t, in, out); break;
  case FG_CODELET_NEGATE: negate(t, in, out); break;
  case FG_CODELET_COPY:
  case FG_CODELET_JOIN:
    for (int k = 0; k < (t->kind == FG_CODELET_COPY ? 2 : 1) * t->n; k++) out[k] = in[k];
    break;
  case FG_CODELET_FOLD: fold(d, t->n, in, out); break;
  case FG_CODELET_SUM:
    for (int k = 0; k < t->n; k++) out[0] = k ? fg_dag_add(d, out[0], in[k]) : in[0];
    break;
  case FG_CODELET_UNFOLD: unfold(t->n, in, out); break;
  case FG_CODELET_PART: part(d, t->n, in, out); break;
  default: complex_to_complex(d, t, in, out); break;
  }
}
