/* What libraries of batches take. In: a problem, values of its parameters. Out: its lengths and its batch, or why such
 * a library was not asked for it. */
#include "generator/problem/arrays.h"
#include "tuning/baselines/baselines.h"
#include <limits.h>
#include <stdio.h>

static bool is_dense(const fg_dim *d, int64_t distance, const int64_t *params) {
  return fg_num_value(d->is, params) == distance && fg_num_value(d->os, params) == distance;
}

static const char *refused(const fg_problem *p) {
  if (p->kind != FG_C2C) return "asked for c2c only";
  if (p->split_in || p->split_out) return "asked for interleaved numbers only";
  if (fg_problem_has_operations(p) || p->storage != p->compute) return "asked for plain transforms only";
  if (p->storage != FG_F32 && p->storage != FG_F64) return "asked for f32 and f64 only";
  return p->rank > 3 || p->batch_rank > 1 ? "asked for up to three dimensions and one batch" : NULL;
}

int fg_rival_shape_of(const fg_problem *p, const int64_t *params, fg_rival_shape *out, char why[FG_WHY_SIZE]) {
  const char *refusal = refused(p);
  int64_t distance = 1, batch = p->batch_rank ? fg_num_value(p->batch[0].n, params) : 1;
  *out = (fg_rival_shape){.rank = p->rank, .is_double = p->storage == FG_F64};
  for (int i = p->rank - 1; i >= 0 && !refusal; i--) {
    out->n[i] = fg_num_value(p->dim[i].n, params);
    if (!is_dense(&p->dim[i], distance, params)) refusal = "asked for numbers one behind the other only";
    distance *= out->n[i];
  }
  if (!refusal && p->batch_rank && batch > 1 && !is_dense(&p->batch[0], distance, params))
    refusal = "asked for transforms one behind the other only";
  if (!refusal && batch > INT_MAX) refusal = "asked for up to 2^31 - 1 transforms";
  if (refusal) return snprintf(why, FG_WHY_SIZE, "%s", refusal), 1;
  out->batch = (int)batch;
  out->bytes = (size_t)(distance * batch) * 2 * (size_t)fg_precision_bytes(p->storage);
  return 0;
}
