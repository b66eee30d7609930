/* What may be asked for: limits of problems, and what this version builds.
 *
 * In: an fg_problem, parsed or filled by a caller. Out: FG_OK, or one message
 * that names the axis or key. The one idea: every size is checked once, here,
 * against 2^62 with run-time parameters at their upper ends, so that no
 * later pass needs to think of overflow in an address. */
#include "generator/base/integer.h"
#include "generator/base/strbuf.h"
#include "generator/problem/arrays.h"
#include "generator/problem/bank.h"
#include "generator/problem/expression_text.h"
#include "generator/problem/frames.h"
#include "generator/problem/given.h"
#include "generator/problem/operations_text.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/problem/zeros.h"
#include <float.h>
#include <math.h>

#define LIMIT (INT64_C(1) << 62)

/* ---- sizes --------------------------------------------------------------- */

fg_status fg_problem_bad(fg_context *cx, const char *allowed, const char *what, ...) {
  fg_strbuf s = fg_strbuf_new(cx->arena);
  va_list args;
  va_start(args, what);
  fg_strbuf_vaddf(&s, what, args);
  va_end(args);
  return fg_refuse(cx, "problem: %s; allowed: %s", s.text, allowed);
}

static void upper_ends(const fg_problem *p, int64_t *value) {
  for (int i = 0; i < FG_MAX_PARAMS; i++) value[i] = i < p->nparam ? p->param[i].hi : 0;
}

/* Real transforms keep n/2+1 complex numbers of their last dimension, lapped ones have 2n samples of n points. */
static int64_t last_length(fg_kind kind, int64_t n, bool output) {
  if (fg_problem_kind_of_frame(kind) == (output ? FG_R2C : FG_C2R)) return n / 2 + 1;
  return kind == (output ? FG_IMDCT : FG_MDCT) ? 2 * n : n;
}

/* Elements of one axis on one side. */
static int64_t side_length(const fg_problem *p, const fg_dim *d, bool output, const int64_t *params) {
  int64_t n = fg_num_value(d->n, params);
  for (int i = 0; output && i < p->summed; i++)
    if (d == &p->batch[i]) return 1;
  const fg_part *kept = fg_problem_part(p, output);
  if (fg_problem_is_signal(p, output) && d == &p->dim[0]) return 1;
  if (fg_problem_is_signal(p, output) && d == &p->dim[1]) return fg_problem_signal_length(p);
  const fg_bank *bank = output && d == &p->dim[p->rank - 1] ? fg_problem_bank(p) : NULL;
  if (bank) return bank->bands;
  for (int i = 0; kept && i < kept->rank; i++)
    if (d == &p->dim[i]) return kept->length[i];
  return d == &p->dim[p->rank - 1] ? last_length(p->kind, n, output) : n;
}

const fg_dim *fg_problem_axis(const fg_problem *p, int k) {
  return k < p->batch_rank ? &p->batch[k] : &p->dim[k - p->batch_rank];
}

int64_t fg_problem_axis_length(const fg_problem *p, int k, bool output, const int64_t *params) {
  return side_length(p, fg_problem_axis(p, k), output, params);
}

/* 1 + sum (n-1) * stride; -1 when it passes the limit. */
int64_t fg_problem_extent(const fg_problem *p, bool output, const int64_t *params) {
  int64_t total = 1, span, upper[FG_MAX_PARAMS];
  upper_ends(p, upper);
  if (!params) params = upper;
  for (int k = 0; k < p->batch_rank + p->rank; k++) {
    const fg_dim *d = fg_problem_axis(p, k);
    int64_t stride = fg_num_value(output ? d->os : d->is, params);
    if (__builtin_mul_overflow(side_length(p, d, output, params) - 1, stride, &span)) return -1;
    if (__builtin_add_overflow(total, span, &total) || total > LIMIT) return -1;
  }
  return total;
}

int64_t fg_problem_length(const fg_problem *p, int dimension, bool output) {
  return side_length(p, &p->dim[dimension], output, NULL);
}

int64_t fg_problem_span(const fg_problem *p, int dimension, bool output) {
  int64_t n = p->dim[dimension].n.n;
  return dimension == p->rank - 1 ? last_length(p->kind, n, output) : n;
}

int64_t fg_problem_elements(const fg_problem *p, bool output) {
  int64_t count = 1;
  for (int i = 0; i < p->rank; i++) count *= fg_problem_length(p, i, output);
  return count;
}

bool fg_problem_kind_convolves(fg_kind kind) { return kind == FG_CONV || kind == FG_RCONV; }

fg_kind fg_problem_kind_inside(fg_kind kind, bool back) {
  return kind == FG_CONV ? FG_C2C : kind != FG_RCONV ? kind : back ? FG_C2R : FG_R2C;
}

fg_kind fg_problem_kind_of_frame(fg_kind kind) { return kind == FG_STFT ? FG_R2C : kind == FG_ISTFT ? FG_C2R : kind; }

bool fg_problem_kind_is_lapped(fg_kind kind) { return kind == FG_MDCT || kind == FG_IMDCT; }

bool fg_problem_kind_is_complex(fg_kind kind) { return kind == FG_C2C || kind == FG_CONV; }

bool fg_problem_kind_is_real(fg_kind kind, bool output) {
  if (fg_problem_kind_is_complex(kind)) return false;
  return fg_problem_kind_of_frame(kind) != (output ? FG_R2C : FG_C2R);
}

bool fg_problem_is_real(const fg_problem *p, bool output) {
  return fg_problem_kind_is_real(p->kind, output) || (output && fg_problem_stores_real(p));
}

int64_t fg_problem_element_at(const fg_problem *p, bool output, int64_t number, const int64_t *params) {
  int64_t at = 0;
  for (int i = p->rank - 1; i > 0; i--) {
    int64_t n = fg_problem_length(p, i, output);
    at += number % n * fg_num_value(output ? p->dim[i].os : p->dim[i].is, params);
    number /= n;
  }
  return at + number * fg_num_value(output ? p->dim[0].os : p->dim[0].is, params);
}

int64_t fg_problem_batch_at(const fg_problem *p, bool output, int64_t number, const int64_t *params) {
  int64_t at = 0;
  for (int i = p->batch_rank - 1; i >= 0; i--) {
    int64_t n = fg_num_value(p->batch[i].n, params);
    at += number % n * fg_num_value(output ? p->batch[i].os : p->batch[i].is, params);
    number /= n;
  }
  return at;
}

int64_t fg_problem_points(const fg_problem *p) {
  int64_t points = 1;
  for (int i = 0; i < p->rank; i++) points *= p->dim[i].n.n;
  return points;
}

int64_t fg_problem_batch_count(const fg_problem *p, const int64_t *params) {
  int64_t upper[FG_MAX_PARAMS], count = 1;
  upper_ends(p, upper);
  for (int i = 0; i < p->batch_rank; i++) count *= fg_num_value(p->batch[i].n, params ? params : upper);
  return count;
}

/* ---- checks -------------------------------------------------------------- */

/* Whether rounding leaves a number that is finite and has all its bits: subnormal ones have lost some. */
static bool is_held(double x, fg_precision compute) {
  if (compute == FG_F64) return fabs(x) >= DBL_MIN;
  float rounded = (float)x;
  return isfinite(rounded) && fabsf(rounded) >= FLT_MIN;
}

/* "dimension 0" or "batch dimension 2", slowest first. */
static const char *axis_name(fg_context *cx, const fg_problem *p, int k) {
  return k < p->batch_rank ? fg_arena_printf(cx->arena, "batch dimension %d", k)
                           : fg_arena_printf(cx->arena, "dimension %d of n", k - p->batch_rank);
}

static bool enums_valid(const fg_problem *p) {
  return (unsigned)p->kind < FG_KIND_COUNT && (unsigned)p->storage < FG_PRECISION_COUNT &&
         (unsigned)p->compute < FG_PRECISION_COUNT && (unsigned)p->scale <= FG_SCALE_VALUE &&
         (unsigned)p->spectra <= FG_SPECTRA_EACH && (p->sign == -1 || p->sign == 1) && p->nload >= 0 &&
         p->nload <= FG_MAX_POINTWISE && p->nstore >= 0 && p->nstore <= FG_MAX_POINTWISE && p->nparam >= 0 &&
         p->nparam <= FG_MAX_PARAMS;
}

static fg_status check_shape(fg_context *cx, const fg_problem *p) {
  if (p->rank < 1 || p->rank > FG_MAX_RANK) return fg_problem_bad(cx, "1 .. 7 dimensions", "n: %d dimensions", p->rank);
  if (p->batch_rank < 0 || p->batch_rank > FG_MAX_RANK)
    return fg_problem_bad(cx, "0 .. 7 dimensions", "batch: %d dimensions", p->batch_rank);
  for (int i = 0; i < p->nparam; i++)
    if (p->param[i].lo < 1 || p->param[i].hi < p->param[i].lo || p->param[i].hi > LIMIT)
      return fg_problem_bad(cx, "1 <= lowest <= highest <= 2^62", "run-time parameter '%.*s': range [%lld..%lld]",
                            FG_NAME_SIZE - 1, p->param[i].name, (long long)p->param[i].lo, (long long)p->param[i].hi);
  return FG_OK;
}

/* A length or stride: 1 .. 2^62, with a parameter at its upper end. */
static bool num_fits(const fg_problem *p, fg_num x) {
  int64_t value = x.n;
  if (x.form != FG_NUM_CONST && x.form != FG_NUM_PARAM) return false;
  if (x.form == FG_NUM_PARAM) {
    if (x.param < 0 || x.param >= p->nparam) return false;
    if (__builtin_mul_overflow(x.n, p->param[x.param].hi, &value)) return false;
  }
  return x.n >= 1 && value <= LIMIT;
}

static fg_status check_axes(fg_context *cx, const fg_problem *p) {
  int64_t upper[FG_MAX_PARAMS], total = 1;
  upper_ends(p, upper);
  for (int k = 0; k < p->batch_rank + p->rank; k++) {
    const fg_dim *d = fg_problem_axis(p, k);
    const char *axis = axis_name(cx, p, k);
    if (!num_fits(p, d->n) || (k >= p->batch_rank && d->n.form != FG_NUM_CONST))
      return fg_problem_bad(cx, "1 .. 2^62; run-time parameters only in batch counts and strides", "length of %s",
                            axis);
    if (!num_fits(p, d->is) || (k < p->summed ? !fg_num_is(d->os, 0) : !num_fits(p, d->os)))
      return fg_problem_bad(cx, "1 .. 2^62, run-time parameters at their upper ends", "stride of %s", axis);
    if (__builtin_mul_overflow(total, fg_num_value(d->n, upper), &total) || total > LIMIT)
      return fg_problem_bad(cx, "up to 2^62 points", "too large: the product of all lengths and batch counts");
  }
  if (fg_problem_extent(p, false, NULL) < 0 || fg_problem_extent(p, true, NULL) < 0)
    return fg_problem_bad(cx, "arrays that span up to 2^62 elements", "too large: the %s array",
                          fg_problem_extent(p, false, NULL) < 0 ? "input" : "output");
  return FG_OK;
}

/* Two axes write one element twice when a multiple of one stride, within its
 * length, is a multiple of the other, within its own. Strides known only at run
 * time are the caller's responsibility. */
static fg_status check_overlap(fg_context *cx, const fg_problem *p) {
  int64_t upper[FG_MAX_PARAMS];
  upper_ends(p, upper);
  for (int k = 0; k < p->batch_rank + p->rank; k++)
    for (int j = 0; j < k; j++) {
      const fg_dim *a = fg_problem_axis(p, j), *b = fg_problem_axis(p, k);
      if (j < p->summed || a->os.form != FG_NUM_CONST || b->os.form != FG_NUM_CONST) continue;
      int64_t g = fg_gcd(a->os.n, b->os.n);
      if (b->os.n / g >= side_length(p, a, true, upper) || a->os.n / g >= side_length(p, b, true, upper)) continue;
      return fg_problem_bad(cx, "strides that give every output an element of its own",
                            "output strides %lld of %s and %lld of %s write some elements twice", (long long)a->os.n,
                            axis_name(cx, p, j), (long long)b->os.n, axis_name(cx, p, k));
    }
  return FG_OK;
}

/* A filter's lengths. */
static fg_status check_filter(fg_context *cx, const fg_problem *p) {
  if (p->filter.rank && p->filter.rank != p->rank)
    return fg_problem_bad(cx, "one length for each dimension of n", "filter with %d lengths for %d dimensions",
                          p->filter.rank, p->rank);
  for (int d = 0; d < p->filter.rank; d++)
    if (p->filter.length[d] < 1 || p->filter.length[d] > p->dim[d].n.n)
      return fg_problem_bad(cx, "1 up to the length of n", "filter: %lld of %lld samples",
                            (long long)p->filter.length[d], (long long)p->dim[d].n.n);
  return FG_OK;
}

/* Results of several transforms: there is one array of them, and whose an operation's numbers are is clear. */
static fg_status check_sum(fg_context *cx, const fg_problem *p) {
  int varying = 0;
  if (!p->summed) return FG_OK;
  if (p->summed < 0 || p->summed > p->batch_rank || p->summed < p->batch_rank - 1)
    return fg_problem_bad(cx, "all dimensions of the batch, or all but the last one", "sum over %d dimensions of %d",
                          p->summed, p->batch_rank);
  if (!fg_problem_kind_convolves(p->kind))
    return fg_problem_bad(cx, "sum= for conv and rconv", "sum= of %s", fg_problem_kind_name(p->kind));
  if (p->in_place) return fg_problem_bad(cx, "place=out", "sum= with place=in");
  for (int i = 0; i < p->summed; i++) varying += p->batch[i].n.form != FG_NUM_CONST;
  if (varying > 1)
    return fg_problem_bad(cx, "one of them; numbers", "sum= over %d batch counts that are known only at run time",
                          varying);
  fg_given g;
  for (int i = 0; fg_given_at(p, i, &g); i++)
    if (g.output && (g.whose == FG_SPECTRA_EACH || (g.whose == FG_SPECTRA_CHANNEL && p->summed == p->batch_rank)))
      return fg_problem_bad(cx, "arrays of all transforms, or with sum=channel of a channel",
                            "store= with numbers for each transform of which the results are added");
  if (fg_given_numbers_results(p))
    return fg_problem_bad(cx, "b in load=", "store= with the number of a transform, of which the results are added");
  return FG_OK;
}

static fg_status check_options(fg_context *cx, const fg_problem *p) {
  bool complex_in = !fg_problem_kind_is_real(p->kind, false), complex_out = !fg_problem_kind_is_real(p->kind, true);
  if (p->compute != p->storage && fg_precision_bytes(p->compute) <= fg_precision_bytes(p->storage))
    return fg_problem_bad(cx, "the storage precision or a wider one", "compute=%s for %s",
                          fg_precision_name(p->compute), fg_precision_name(p->storage));
  if ((p->split_in && !complex_in) || (p->split_out && (!complex_out || fg_problem_stores_real(p))))
    return fg_problem_bad(cx, "split on complex sides", "layout=split for the real side of %s",
                          fg_problem_kind_name(p->kind));
  if (p->in_place && (p->split_in || p->split_out) && p->split_in != p->split_out)
    return fg_problem_bad(cx,
                          complex_in && complex_out ? "the same layout for input and output, or place=out"
                                                    : "layout=interleaved, as reals are one array, or place=out",
                          "place=in with different layouts");
  if (p->scale == FG_SCALE_VALUE && (!isfinite(p->scale_value) || p->scale_value == 0))
    return fg_problem_bad(cx, "1/n, 1/sqrt(n), a number other than 0", "scale that is zero or not finite");
  if (p->scale == FG_SCALE_VALUE && !is_held(p->scale_value, p->compute))
    return fg_problem_bad(cx,
                          p->compute == FG_F64
                              ? "1/n, 1/sqrt(n), numbers from 2.23e-308 to 1.79e308 of either sign"
                              : "1/n, 1/sqrt(n), numbers from 1.18e-38 to 3.4e38 of either sign; compute=f64",
                          "scale= with a number that %s does not hold", fg_precision_name(p->compute));
  if (!fg_problem_kind_convolves(p->kind) && p->filter.rank)
    return fg_problem_bad(cx, "filter= for conv and rconv", "filter= of %s", fg_problem_kind_name(p->kind));
  if (!fg_problem_kind_convolves(p->kind) && (p->spectra != FG_SPECTRA_SHARED || p->conjugated))
    return fg_problem_bad(cx, "spectrum= for conv and rconv", "spectrum= of %s", fg_problem_kind_name(p->kind));
  for (int i = 1; fg_problem_has_own(p, FG_SPECTRA_EACH) && i < p->batch_rank; i++)
    if (p->batch[i].n.form != FG_NUM_CONST)
      return fg_problem_bad(cx, "each with the first batch count alone known at run time; channel, shared",
                            "spectrum=each, or an operation's (each), with a batch count behind the first that is "
                            "known only at run time");
  for (int i = 0; p->kind == FG_DCT1 && i < p->rank; i++)
    if (p->dim[i].n.n < 2) return fg_problem_bad(cx, "2 and more for dct1", "n: dct1 of one point");
  return FG_OK;
}

fg_status fg_problem_check_overlapping(fg_context *cx, const fg_problem *p) {
  if (!enums_valid(p))
    return fg_problem_bad(cx, "the enumerators of problem.h, sign -1 or +1", "a field without meaning");
  fg_status st = check_shape(cx, p);
  if (!st) st = check_axes(cx, p);
  if (!st) st = fg_expressions_check(cx, p);
  if (!st) st = fg_problem_check_frames(cx, p);
  if (!st) st = check_options(cx, p);
  if (!st) st = check_filter(cx, p);
  if (!st) st = fg_operations_check(cx, p);
  if (!st) st = fg_problem_check_bank(cx, p);
  if (!st) st = check_sum(cx, p);
  return st;
}

fg_status fg_problem_check(fg_context *cx, const fg_problem *p) {
  fg_status st = fg_problem_check_overlapping(cx, p);
  return st ? st : check_overlap(cx, p);
}
