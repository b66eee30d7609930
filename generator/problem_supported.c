/* What this version builds, of what the grammar can say.
 *
 * In: a problem. Out: FG_OK, or one message that names the first property without
 * a way to kernels yet. Apart from problem_check.c, because the runtime reads
 * problems without any codelet. */
#include "generator/codelet.h"
#include "generator/problem.h"

#define LIMIT (INT64_C(1) << 62)

static fg_status refuse(fg_context *cx, const char *what, const char *built) {
  return fg_diag_set(&cx->diag, FG_EUSER, "problem: %s is understood but not built yet; this version builds: %s", what,
                     built);
}

static bool num_equal(fg_num a, fg_num b) {
  return a.n == b.n && a.form == b.form && (a.form == FG_NUM_CONST || a.param == b.param);
}

static bool same_elements(const fg_problem *p) { return fg_problem_is_real(p, false) == fg_problem_is_real(p, true); }

/* In place: an element of the one side begins where one of the other does; in
 * FFTW's padded layout a row of reals begins where one of complex numbers does. */
static bool same_strides(const fg_problem *p) {
  for (int k = 0; k < p->batch_rank + p->rank; k++) {
    const fg_dim *d = fg_problem_axis(p, k);
    bool real_in = fg_problem_is_real(p, false), row = k >= p->batch_rank && fg_num_is(d->is, 1) && fg_num_is(d->os, 1);
    if (same_elements(p) ? num_equal(d->is, d->os) : row) continue;
    if (same_elements(p)) return false;
    if (!num_equal(real_in ? d->is : d->os, fg_num_scaled(real_in ? d->os : d->is, 2))) return false;
  }
  return true;
}

enum { MOST_AXES = 9 /* of addresses: batch dimensions and dimensions */ };

static fg_status kind_supported(fg_context *cx, const fg_problem *p) {
  if (p->kind == FG_CONV) return refuse(cx, "conv", "c2c, r2c, c2r, dct1 .. dct4, dst1 .. dst4");
  if (p->rank > 1 && p->rank + p->batch_rank > MOST_AXES)
    return refuse(cx, fg_arena_printf(cx->arena, "n and batch with %d dimensions together", p->rank + p->batch_rank),
                  "9 of both together");
  return FG_OK;
}

fg_status fg_problem_supported(fg_context *cx, const fg_problem *p) {
  int64_t bytes = 2 * fg_precision_bytes(p->storage);
  fg_status st = fg_problem_check(cx, p);
  if (st) return st;
  if ((st = kind_supported(cx, p))) return st;
  if (p->compute != FG_F32 && p->compute != FG_F64)
    return refuse(cx, fg_arena_printf(cx->arena, "compute=%s", fg_precision_name(p->compute)),
                  "computing in f32 and f64, for numbers in memory of any precision");
  if (p->in_place && !same_strides(p))
    return refuse(cx, "place=in with input strides unlike the output's",
                  same_elements(p) ? "place=in with equal strides, place=out"
                                   : "place=in with strides of the reals twice those of the complex numbers (along the "
                                     "transform also 1 and 1), place=out");
  if (fg_problem_input_extent(p) > LIMIT / bytes || fg_problem_output_extent(p) > LIMIT / bytes)
    return fg_diag_set(&cx->diag, FG_EUSER,
                       "problem: too large: an array of more than 2^62 bytes; allowed: arrays up to 2^62 bytes");
  return FG_OK;
}
