/* What libraries of batches take. In: a problem, values of its parameters. Out: its lengths and its batch, or why such
 * a library was not asked for it. */
#include "generator/problem/arrays.h"
#include "tuning/baselines/baselines.h"
#include <limits.h>
#include <stdio.h>

/* Numbers of a transform along dimension i, on the input's side or the output's. */
static int64_t numbers_of(const fg_problem *p, int i, bool is_output, const int64_t *params) {
  int64_t n = fg_num_value(p->dim[i].n, params);
  bool is_half = i == p->rank - 1 && p->kind == (is_output ? FG_R2C : FG_C2R);
  return is_half ? n / 2 + 1 : n;
}

static const char *refused(const fg_problem *p) {
  if (p->kind != FG_C2C && p->kind != FG_R2C && p->kind != FG_C2R) return "asked for c2c, r2c and c2r only";
  if (p->split_in || p->split_out) return "asked for interleaved numbers only";
  if (fg_problem_has_operations(p) || p->storage != p->compute) return "asked for plain transforms only";
  if (p->storage != FG_F32 && p->storage != FG_F64) return "asked for f32 and f64 only";
  return p->rank > 3 || p->batch_rank > 1 ? "asked for up to three dimensions and one batch" : NULL;
}

/* Numbers of a transform, if its elements, and transforms of a batch, are one behind the other; 0: they are not. */
static int64_t dense(const fg_problem *p, bool is_output, const int64_t *params) {
  int64_t distance = 1;
  for (int i = p->rank - 1; i >= 0; i--) {
    if (fg_num_value(is_output ? p->dim[i].os : p->dim[i].is, params) != distance) return 0;
    distance *= numbers_of(p, i, is_output, params);
  }
  const fg_dim *batch = &p->batch[0];
  bool apart = p->batch_rank && fg_num_value(batch->n, params) > 1 &&
               fg_num_value(is_output ? batch->os : batch->is, params) != distance;
  return apart ? 0 : distance;
}

int fg_rival_shape_of(const fg_problem *p, const int64_t *params, fg_rival_shape *out, char why[FG_WHY_SIZE]) {
  const char *refusal = refused(p);
  int64_t batch = p->batch_rank ? fg_num_value(p->batch[0].n, params) : 1, in = 0, results = 0;
  *out = (fg_rival_shape){.kind = p->kind, .rank = p->rank, .is_double = p->storage == FG_F64};
  if (!refusal) {
    in = dense(p, false, params), results = dense(p, true, params);
    for (int i = 0; i < p->rank; i++) out->n[i] = fg_num_value(p->dim[i].n, params);
    if (!in || !results) refusal = "asked for numbers one behind the other only";
    if (batch > INT_MAX) refusal = "asked for up to 2^31 - 1 transforms";
  }
  if (refusal) return snprintf(why, FG_WHY_SIZE, "%s", refusal), 1;
  size_t real = (size_t)batch * (size_t)fg_precision_bytes(p->storage);
  out->batch = (int)batch;
  out->bytes_in = real * (size_t)in * (p->kind == FG_R2C ? 1 : 2);
  out->bytes_out = real * (size_t)results * (p->kind == FG_C2R ? 1 : 2);
  return 0;
}
