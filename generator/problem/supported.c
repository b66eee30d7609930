/* What this version builds, of what the grammar can say.
 *
 * In: a problem. Out: FG_OK, or one message that names the first property without
 * a way to kernels yet. Apart from check.c, because the runtime asks the
 * generator what it builds. */
#include "generator/problem/arrays.h"
#include "generator/problem/given.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"

#define LIMIT (INT64_C(1) << 62)

static fg_status refuse(fg_context *cx, const char *what, const char *built) {
  return fg_refuse(cx, "problem: %s is understood but not built yet; this version builds: %s", what, built);
}

static bool same_elements(const fg_problem *p) { return fg_problem_is_real(p, false) == fg_problem_is_real(p, true); }

/* In place: an element of the one side begins where one of the other does; in
 * FFTW's padded layout a row of reals begins where one of complex numbers does. */
static bool same_strides(const fg_problem *p) {
  for (int k = 0; k < p->batch_rank + p->rank; k++) {
    const fg_dim *d = fg_problem_axis(p, k);
    bool real_in = fg_problem_is_real(p, false), row = k >= p->batch_rank && fg_num_is(d->is, 1) && fg_num_is(d->os, 1);
    if (same_elements(p) ? fg_num_equal(d->is, d->os) : row) continue;
    if (same_elements(p)) return false;
    if (!fg_num_equal(real_in ? d->is : d->os, fg_num_scaled(real_in ? d->os : d->is, 2))) return false;
  }
  return true;
}

bool fg_problem_relocates(const fg_problem *p) { return p->in_place && same_elements(p) && !same_strides(p); }

/* The batch dimension of least stride that is no less than `span`, of those not yet in `taken`; -1: none. */
static int next_batch(const fg_problem *p, unsigned taken, int64_t span) {
  int found = -1;
  for (int i = 0; i < p->batch_rank; i++) {
    const fg_dim *d = &p->batch[i];
    bool equal = d->is.form == FG_NUM_CONST && fg_num_equal(d->is, d->os);
    if (taken >> i & 1 || !equal || d->is.n < span) continue;
    if (found < 0 || d->is.n < p->batch[found].is.n) found = i;
  }
  return found;
}

/* In place with unlike strides: a transform is read before any of it is written (into a workspace, in several
 * dimensions), so it is enough that no transform's elements, of both sides, are among those of another. */
static bool lie_apart(const fg_problem *p) {
  int64_t in = 1, out = 1;
  for (int i = 0; i < p->rank; i++) {
    const fg_dim *d = &p->dim[i];
    if (!same_elements(p) || d->is.form != FG_NUM_CONST || d->os.form != FG_NUM_CONST) return false;
    in += (d->n.n - 1) * d->is.n, out += (d->n.n - 1) * d->os.n;
  }
  int64_t span = in > out ? in : out;
  for (unsigned taken = 0; taken != (1u << p->batch_rank) - 1;) {
    int i = next_batch(p, taken, span);
    if (i < 0) return false;
    fg_num count = p->batch[i].n;
    int64_t most = count.form == FG_NUM_CONST ? count.n : count.n * p->param[count.param].hi;
    span += (most - 1) * p->batch[i].is.n;
    taken |= 1u << i;
  }
  return true;
}

enum { MOST_AXES = 9 /* of addresses: batch dimensions and dimensions */ };

static fg_status kind_supported(fg_context *cx, const fg_problem *p) {
  if (fg_problem_kind_convolves(p->kind) && fg_problem_spectra_extent(p, NULL) > LIMIT / 16)
    return refuse(cx, "conv with spectra of more than 2^58 numbers", "fewer; spectrum=shared");
  fg_given g;
  for (int i = 0; fg_given_at(p, i, &g); i++) {
    if (i == FG_MOST_GIVEN) return refuse(cx, "operations with more than 16 arrays of the caller's", "up to 16");
    if (fg_given_extent(p, &g, NULL) > LIMIT / 16)
      return refuse(cx, "an operation with more than 2^58 numbers of the caller's", "fewer; mul(shared), add(shared)");
  }
  if (p->rank > 1 && p->rank + p->batch_rank > MOST_AXES)
    return refuse(cx, fg_arena_printf(cx->arena, "n and batch with %d dimensions together", p->rank + p->batch_rank),
                  "9 of both together");
  return FG_OK;
}

/* With parameters at their lower ends, as costs are counted: up to 2^48 they stay far below 2^63. */
static bool can_be_counted(const fg_problem *p) {
  int64_t lower[FG_MAX_PARAMS];
  for (int i = 0; i < p->nparam; i++) lower[i] = p->param[i].lo;
  return fg_problem_points(p) <= (INT64_C(1) << 48) / fg_problem_batch_count(p, lower);
}

fg_status fg_problem_supported(fg_context *cx, const fg_problem *p) {
  int64_t bytes = 2 * fg_precision_bytes(p->storage);
  fg_status st = fg_problem_check(cx, p);
  if (st) return st;
  if ((st = kind_supported(cx, p))) return st;
  if (p->compute != FG_F32 && p->compute != FG_F64)
    return refuse(cx, fg_arena_printf(cx->arena, "compute=%s", fg_precision_name(p->compute)),
                  "computing in f32 and f64, for numbers in memory of any precision");
  if (p->in_place && !same_strides(p) && !lie_apart(p))
    return refuse(cx, "place=in with input strides unlike the output's",
                  same_elements(p)
                      ? "place=in with equal strides, or with any of n that are known when it is built and equal ones "
                        "of batch, where the transforms of a batch do not overlap; place=out"
                      : "place=in with strides of the reals twice those of the complex numbers (along the "
                        "transform also 1 and 1), place=out");
  if (fg_problem_extent(p, false, NULL) > LIMIT / bytes || fg_problem_extent(p, true, NULL) > LIMIT / bytes)
    return fg_refuse(cx, "problem: too large: an array of more than 2^62 bytes; allowed: arrays up to 2^62 bytes");
  if (!can_be_counted(p))
    return fg_refuse(cx, "problem: too large: a call of more than 2^48 points; allowed: up to 2^48 points a call, with "
                         "parameters at their lower ends");
  return FG_OK;
}
