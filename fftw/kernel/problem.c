/* See problem.h. In: a request. Out: text.
 *
 * libfftgen has one kind for all dimensions, positive strides, batches from the slowest to the fastest; halfcomplex
 * kinds and copies it has not. */
#include "fftw/kernel/problem.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 7 }; /* dimensions, and as many of the batch */

/* By FG_LINE_REDFT00 and those behind it. */
static const fftgen_kind real_kinds[] = {FFTGEN_DCT1, FFTGEN_DCT3, FFTGEN_DCT2, FFTGEN_DCT4,
                                         FFTGEN_DST1, FFTGEN_DST3, FFTGEN_DST2, FFTGEN_DST4};

static bool kind_of(const fg_request *r, fftgen_problem *p) {
  fg_line_type first = r->type[0], last = r->type[r->rank - 1];
  bool complex = first == FG_LINE_FORWARD || first == FG_LINE_BACKWARD;
  for (int i = 1; i < r->rank - 1; i++)
    if (r->type[i] != first) return false;
  if (last == FG_LINE_R2C || last == FG_LINE_C2R) {
    p->kind = last == FG_LINE_R2C ? FFTGEN_R2C : FFTGEN_C2R;
    p->sign = last == FG_LINE_R2C ? -1 : 1;
    return r->rank == 1 || first == (last == FG_LINE_R2C ? FG_LINE_FORWARD : FG_LINE_BACKWARD);
  }
  if (last != first || (!complex && (last < FG_LINE_REDFT00 || last > FG_LINE_RODFT11))) return false;
  p->kind = complex ? FFTGEN_C2C : real_kinds[last - FG_LINE_REDFT00];
  if (complex) p->sign = first == FG_LINE_FORWARD ? -1 : 1;
  return true;
}

static bool is_split(fg_array a) { return a.im && a.im - a.re != 1; }

/* Numbers become elements. */
static bool scale(ptrdiff_t stride, bool pairs, long long *to) {
  if (stride <= 0 || (pairs && stride % 2)) return false;
  *to = pairs ? stride / 2 : stride;
  return true;
}

static bool dim_of(const fg_request *r, const fg_dim *d, fftgen_dim *to) {
  to->n = d->n;
  return scale(d->is, r->complex_in && !is_split(r->in), &to->is) &&
         scale(d->os, r->complex_out && !is_split(r->out), &to->os);
}

static int by_stride(const void *a, const void *b) {
  const fftgen_dim *x = a, *y = b;
  return x->os < y->os ? 1 : x->os > y->os ? -1 : x->is < y->is ? 1 : x->is > y->is ? -1 : 0;
}

bool fg_kernel_text(const fg_kernel_library *l, const fg_request *r, char *text) {
  fftgen_dim dim[MOST], batch[MOST];
  fftgen_problem p = {.size = sizeof p, .precision = sizeof(fg_real) == sizeof(float) ? FFTGEN_F32 : FFTGEN_F64};
  bool in_place = r->in.re == r->out.re;
  if (r->rank < 1 || r->rank > MOST || !kind_of(r, &p)) return false;
  if (in_place && r->in.im && r->out.im && r->in.im != r->out.im) return false;
  for (int i = 0; i < r->rank; i++)
    if (!dim_of(r, &r->dim[i], &dim[i])) return false;
  for (int i = 0; i < r->vectors; i++) {
    if (r->vector[i].n < 1) return false;
    if (r->vector[i].n == 1) continue;
    if (p.batch_rank == MOST || !dim_of(r, &r->vector[i], &batch[p.batch_rank++])) return false;
  }
  qsort(batch, (size_t)p.batch_rank, sizeof *batch, by_stride);
  p.rank = r->rank, p.dim = dim, p.batch = batch;
  p.flags = (in_place ? FFTGEN_IN_PLACE : 0u) | (is_split(r->in) ? FFTGEN_SPLIT_IN : 0u) |
            (is_split(r->out) ? FFTGEN_SPLIT_OUT : 0u);
  return l->text(&p, text, FFTGEN_TEXT_SIZE, NULL) == FFTGEN_OK;
}

int64_t fg_kernel_points(const fg_request *r, bool all) {
  int64_t points = 1;
  for (int i = 0; i < r->rank + (all ? r->vectors : 0); i++) {
    int64_t n = i < r->rank ? r->dim[i].n : r->vector[i - r->rank].n;
    if (n > 0 && __builtin_mul_overflow(points, n, &points)) return INT64_MAX;
  }
  return points;
}
