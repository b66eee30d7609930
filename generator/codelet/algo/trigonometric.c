/* Cosine and sine transforms. In: n real numbers. Out: n real numbers.
 *
 * The idea: a cosine transform is the complex transform of a real even sequence, a
 * sine transform that of an odd one; the half samples of types II to IV are the odd
 * places of a sequence of twice the density. The periods are 2 (n-1), 2 (n+1), 4 n
 * and 8 n; equal and opposite inputs share their work by value. Type III is also
 * the transposed type II, and sine transforms of types II to IV are the cosine
 * transforms with the order turned round on one side and every other sign on the
 * other (Martucci, "Symmetric convolution and the discrete sine and cosine
 * transforms", 1994; Shao and Johnson, 2008, for the operation counts). */
#include "generator/codelet/algo/kind.h"

typedef struct extension { /* where input j and output k are among the period's */
  int in_first, in_step;   /* input j at in_first + in_step j, mirrored at 0 */
  bool odd;                /* the mirrored value is negated */
  bool quarter;            /* ... and the negative of all that half a period on: the outputs at odd places only */
  int out_first, out_step;
} extension;

static const extension *extension_of(fg_codelet_kind kind) {
  static const extension dct1 = {0, 1, false, false, 0, 1}, dct2 = {1, 2, false, false, 0, 1},
                         dct3 = {0, 1, false, true, 1, 2}, dct4 = {1, 2, false, true, 1, 2},
                         dst1 = {1, 1, true, false, 1, 1};
  switch (kind) {
  case FG_CODELET_DCT1: return &dct1;
  case FG_CODELET_DCT2: return &dct2;
  case FG_CODELET_DCT3: return &dct3;
  case FG_CODELET_DCT4: return &dct4;
  default: return &dst1;
  }
}

static void extended(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  const extension *e = extension_of(t->kind);
  int period = fg_codelet_kind_period(t->kind, t->n), half = period / 2;
  fg_cedge *x = fg_arena_new(d->cx->arena, fg_cedge, period), *y = fg_arena_new(d->cx->arena, fg_cedge, period);
  fg_kind_task forward = *t;
  forward.sign = -1;
  for (int j = 0; j < t->n; j++) {
    int at = e->in_first + j * e->in_step;
    fg_edge v = e->quarter ? fg_dag_scale(d, fg_const_rational(d->pool, 1, 2), in[j]) : in[j];
    x[at].re = v;
    x[(period - at) % period].re = e->odd ? fg_dag_neg(v) : v;
    if (!e->quarter) continue;
    x[half + at].re = fg_dag_neg(v);
    x[half - at].re = fg_dag_neg(v);
  }
  fg_codelet_kind_transform(d, &forward, x, y);
  for (int k = 0; k < t->n; k++) {
    fg_cedge v = y[e->out_first + k * e->out_step];
    out[k] = e->odd ? fg_dag_neg(v.im) : v.re;
  }
}

/* Type III as the transposed type II, whose first row counts half. */
static void transposed(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  fg_kind_task second = {FG_CODELET_DCT2, t->n, -1, t->row, 0, false};
  fg_edge *weighted = fg_arena_copy(d->cx->arena, in, sizeof *in * (size_t)t->n);
  weighted[0] = fg_dag_scale(d, fg_const_rational(d->pool, 1, 2), in[0]);
  fg_codelet_kind_transpose(d, &second, weighted, out);
}

static void cosines(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  if (t->variant == 1)
    transposed(d, t, in, out);
  else
    extended(d, t, in, out);
}

static void alternate(fg_edge *x, int n) {
  for (int i = 1; i < n; i += 2) x[i] = fg_dag_neg(x[i]);
}

static void reverse(fg_edge *x, int n) {
  for (int i = 0; 2 * i < n - 1; i++) {
    fg_edge first = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = first;
  }
}

/* Sines of type II are cosines of alternating inputs in reverse order; types III
 * and IV take the inputs in reverse order and alternate the outputs. */
static void sines(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  fg_kind_task like = *t;
  like.kind = (fg_codelet_kind)(t->kind - FG_CODELET_DST1 + FG_CODELET_DCT1);
  fg_edge *x = fg_arena_copy(d->cx->arena, in, sizeof *in * (size_t)t->n);
  bool second = t->kind == FG_CODELET_DST2;
  if (second)
    alternate(x, t->n);
  else
    reverse(x, t->n);
  cosines(d, &like, x, out);
  if (second)
    reverse(out, t->n);
  else
    alternate(out, t->n);
}

void fg_trigonometric_build(fg_dag *d, const fg_kind_task *t, const fg_edge *in, fg_edge *out) {
  if (t->kind > FG_CODELET_DST1)
    sines(d, t, in, out);
  else
    cosines(d, t, in, out);
}
