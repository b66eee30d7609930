/* See verify.h. One session holds arrays and a few transforms picked from the batch. Each check puts inputs into the
 * picked ones (random numbers stay in the others), runs the module on the whole batch and reads the picked outputs.
 *
 * Bounds: the relative L2 error of a fast transform grows like the square root of log n for random errors, like log
 * n at worst (Gentleman and Sande 1966); allowed are 3 + log2 n units in the last place, Bluestein's three
 * transforms included.
 *
 * Errors of a transform are spread over all of its results, and store operations weigh them as they weigh the
 * results (weigh.h): a window removes most of some, a logarithm near zero magnifies a small error. If the weighed
 * error is larger than that of the results, it is the bound: its norm for the L2 error, its element for an element's
 * error. Without operations it is never larger. Each operation rounds, too: 2 more units are allowed for it. */
#include "tuning/measure/verify.h"
#include "generator/math/field.h"
#include "generator/problem/arrays.h"
#include "generator/problem/frames.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/prove.h"
#include "generator/reference/operation_values.h"
#include "targets/number.h"
#include "tuning/measure/arrays.h"
#include "tuning/measure/numbers.h"
#include "tuning/measure/products.h"
#include "tuning/measure/reference.h"
#include "tuning/measure/weigh.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARED_POINTS = 1 << 18, LEAST_PICKS = 3 };

typedef struct session {
  fg_context *cx; /* of the session's own */
  const fg_problem *p;
  const fg_device *device;
  fg_module *module;
  const fg_verify_options *options;
  fg_verified *out;
  fg_geometry g;
  fg_arrays a;
  fg_call call;
  fg_reference *reference, *back; /* back: of conv, whose reference is the transform forward */
  unsigned char *may_write;
  void *kept[2]; /* copies of the input */
  int npick;     /* transforms that are looked at */
  int64_t *pick;
  long double *root[FG_MAX_RANK]; /* exp(sign 2 pi i k / n_d), re im */
  double *x, *x2, *x3;            /* [npick][room] re im: inputs */
  double *y, *y2, *y3;            /* outputs */
  long double *truth;             /* [points] */
  double scale;
  bool points;                    /* load and store operations: then truth is what they make of the transform */
  fg_weigh weigh;                 /* and of its errors */
  fg_quadc *before[2], *after[2]; /* the same transform: array and elements, results and array */
  long double *wide;              /* its elements */
  fg_products products;           /* conv: of all transforms that have one result */
  double *other;                  /* another such transform's input */
  long double *usual;             /* [count_out] what an error of 1 becomes, of results whose mean is 1 */
  long double *square;            /* [count_out] errors of a transform, squared */
  double bound;                   /* of the check at work */
  double low, high;               /* of inputs */
  uint64_t random;
} session;

typedef struct error_sum { /* of one transform */
  long double err, norm, worst;
  int64_t worst_at;
} error_sum;

/* ---- setting up ---------------------------------------------------------------- */

static double uniform(session *s) {
  double x = (double)(int64_t)fg_random(&s->random) * 0x1p-63;
  return s->points ? (s->low + s->high) / 2 + (s->high - s->low) / 2 * x : x;
}

static double scale_of(const fg_problem *p, const fg_verify_options *o) {
  if (o->unscaled || p->nload || p->nstore || fg_problem_kind_convolves(p->kind) || fg_problem_has_frames(p))
    return 1; /* with operations, truth has the scale in it */
  switch (p->scale) {
  case FG_SCALE_NONE: return 1;
  case FG_SCALE_1_N: return 1 / (double)fg_problem_scale_points(p);
  case FG_SCALE_1_SQRT_N: return 1 / sqrt((double)fg_problem_scale_points(p));
  case FG_SCALE_VALUE: return p->scale_value;
  }
  return 1;
}

/* All transforms where that is little work, of sums for each all that are added; else the first, the last and others
 * at random. */
static void choose_picks(session *s) {
  int64_t points = s->options->compared > 0 ? s->options->compared : COMPARED_POINTS;
  int64_t n = s->g.transforms, most = points / s->g.points / fg_problem_summands(s->p, s->call.params);
  if (most < LEAST_PICKS) most = LEAST_PICKS;
  s->npick = (int)(n < most ? n : most);
  s->pick = fg_arena_new(s->cx->arena, int64_t, s->npick);
  for (int i = 0; i < s->npick; i++) s->pick[i] = i;
  if (n <= most) return;
  for (int i = 1; i < s->npick - 1; i++) { /* one of each of as many equal parts */
    int64_t from = n / s->npick * i;
    s->pick[i] = from + (int64_t)(fg_random(&s->random) % (uint64_t)(n / s->npick));
  }
  s->pick[s->npick - 1] = n - 1;
}

/* Elements of a transform on the side that has more, or its points. */
static int64_t room_of(const fg_geometry *g) {
  int64_t most = g->count_in > g->count_out ? g->count_in : g->count_out;
  return most > g->points ? most : g->points;
}

static long double *roots(session *s, int64_t n) {
  long double *w = fg_arena_new(s->cx->arena, long double, 2 * n);
  for (int64_t k = 0; k < n; k++) {
    long double angle = 2 * 3.14159265358979323846264338327950288L * (long double)k / (long double)n;
    w[2 * k] = cosl(angle);
    w[2 * k + 1] = s->p->sign * sinl(angle);
  }
  return w;
}

static int64_t span_of(const fg_problem *p, bool output) {
  int64_t count = 1;
  for (int d = 0; d < p->rank; d++) count *= fg_problem_span(p, d, output);
  return count;
}

static void set_up_points(session *s) {
  fg_arena *arena = s->cx->arena;
  fg_numbers_range(s->a.type_in, &s->low, &s->high);
  s->before[0] = fg_arena_new(arena, fg_quadc, s->g.count_in);
  s->before[1] = fg_arena_new(arena, fg_quadc, span_of(s->p, false));
  s->after[0] = fg_arena_new(arena, fg_quadc, span_of(s->p, true));
  s->after[1] = fg_arena_new(arena, fg_quadc, s->g.count_out);
  int64_t spans = span_of(s->p, false) > span_of(s->p, true) ? span_of(s->p, false) : span_of(s->p, true);
  s->wide = fg_arena_new(arena, long double, 2 * (spans > s->g.points ? spans : s->g.points));
  s->usual = fg_arena_new(arena, long double, s->g.count_out);
  fg_products_create(s->cx, s->p, &s->products);
  s->other = fg_arena_new(arena, double, 2 * s->g.count_in);
  fg_weigh_create(s->cx, s->p, span_of(s->p, true), s->g.count_out, &s->weigh);
}

static fg_reference *create_reference(const session *s, fg_kind kind, int sign) {
  bool real = !fg_problem_kind_is_complex(kind);
  if (fg_problem_has_frames(s->p)) return fg_reference_create_real(fg_problem_kind_of_frame(kind), 1, &s->g.n[1], sign);
  return real ? fg_reference_create_real(kind, s->g.rank, s->g.n, sign) : fg_reference_create(s->g.rank, s->g.n, sign);
}

static fg_status set_up(session *s) {
  fg_arena *arena = s->cx->arena;
  int64_t lower[FG_MAX_PARAMS];
  fg_settings_lowest(s->p, NULL, lower);
  const int64_t *params = s->options->params ? s->options->params : lower;
  fg_geometry_create(s->cx, s->p, params, &s->g);
  fg_arrays_create(s->cx, s->p, &s->g, &s->a);
  s->may_write = fg_arrays_may_write(s->cx, &s->a, &s->g);
  s->call = (fg_call){.slot = s->a.slot,
                      .bytes = s->a.bytes,
                      .params = fg_arena_copy(arena, params, sizeof(int64_t) * (size_t)s->p->nparam)};
  s->random = s->options->seed;
  s->scale = scale_of(s->p, s->options);
  choose_picks(s);
  for (int d = 0; d < s->g.rank; d++) s->root[d] = roots(s, s->g.n[d]);
  int64_t size = 2 * room_of(&s->g) * s->npick;
  double **each[] = {&s->x, &s->x2, &s->x3, &s->y, &s->y2, &s->y3};
  for (int i = 0; i < 6; i++) *each[i] = fg_arena_new(arena, double, size);
  int64_t spans = span_of(s->p, true) > room_of(&s->g) ? span_of(s->p, true) : room_of(&s->g);
  s->truth = fg_arena_new(arena, long double, 2 * spans);
  s->square = fg_arena_new(arena, long double, s->g.count_out);
  for (int i = 0; i < 2 && !s->a.in_place; i++)
    if (i == 0 || s->a.split_in) s->kept[i] = fg_arena_alloc(arena, s->a.bytes[i]);
  s->points = s->p->nload || s->p->nstore || fg_problem_kind_convolves(s->p->kind) || fg_problem_has_frames(s->p);
  if (s->points) set_up_points(s);
  bool conv = fg_problem_kind_convolves(s->p->kind);
  fg_kind there = fg_problem_kind_inside(s->p->kind, false), back = fg_problem_kind_inside(s->p->kind, true);
  s->reference = create_reference(s, there, s->p->sign);
  if (conv) s->back = create_reference(s, back, +1);
  if (!s->reference || conv != !!s->back)
    return fg_diag_set(&s->cx->diag, FG_ENA, "verify: no reference of this length");
  fg_arrays_fill(&s->a, &s->g, s->options->seed + 1);
  return FG_OK;
}

/* ---- running ---------------------------------------------------------------------- */

static bool fail(session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(session *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!*s->out->why) fg_number_vprint(s->out->why, FG_WHY_SIZE, format, args);
  va_end(args);
  return false;
}

static int64_t at(const session *s, int i) { return 2 * room_of(&s->g) * i; }

/* Puts x into the picked transforms (and reads back what the arrays made of it),
 * runs, reads y, looks for damage. */
static fg_status execute(session *s, double *x, double *y) {
  char why[FG_WHY_SIZE] = "";
  if (s->a.in_place) fg_arrays_fill(&s->a, &s->g, s->options->seed + 1);
  for (int i = 0; i < s->npick; i++) fg_arrays_put_input(&s->a, &s->g, s->pick[i], x + at(s, i));
  for (int i = 0; i < s->npick; i++) fg_arrays_get_input(&s->a, &s->g, s->pick[i], x + at(s, i));
  fg_arrays_poison_output(&s->a);
  for (int i = 0; i < 2; i++)
    if (s->kept[i]) memcpy(s->kept[i], s->a.slot[i], s->a.bytes[i]);
  if (s->device->run(s->module, &s->call, why))
    return fg_diag_set(&s->cx->diag, FG_ESYS, "running on %s: %s", s->device->name, why);
  for (int i = 0; i < s->npick; i++) fg_arrays_get_output(&s->a, &s->g, s->pick[i], y + at(s, i));
  for (int i = 0; i < 2; i++)
    if (s->kept[i] && memcmp(s->kept[i], s->a.slot[i], s->a.bytes[i])) fail(s, "it changed its input");
  const char *damage = fg_arrays_damage(&s->a, &s->g, s->may_write);
  if (damage) fail(s, "%s", damage);
  return FG_OK;
}

static void add_error(error_sum *e, int64_t k, long double re, long double im, long double want_re,
                      long double want_im) {
  long double dr = re - want_re, di = im - want_im, square = dr * dr + di * di;
  e->err += square;
  e->norm += want_re * want_re + want_im * want_im;
  if (!(square <= e->worst)) e->worst = square, e->worst_at = k; /* NaN, too */
}

static double relative(const error_sum *e) {
  if (e->err == 0) return 0;
  return (double)sqrtl(e->err / e->norm);
}

/* Keeps the worst relative error in *worst; complains when over the bound. */
static void judge(session *s, const error_sum *e, const char *check, int i, double *worst) {
  double l2 = relative(e);
  if (!(l2 <= *worst)) *worst = l2;
  if (!(l2 <= s->bound))
    fail(s, "%s: transform %lld of %lld, relative error %.2g (%.2g allowed), largest at output %lld", check,
         (long long)s->pick[i], (long long)s->g.transforms, l2, s->bound, (long long)e->worst_at);
}

/* ---- checks -------------------------------------------------------------------------- */

/* Roundings of the operations, relative to what they make. */
static double rounding_of(const fg_problem *p) { return 4 * (p->nload + p->nstore) * fg_numbers_unit(p->compute); }

/* Into s->usual, by the largest error that is allowed; in s->truth the transform's results, in s->after[1] the array.
 */
static void find_usual(session *s, int64_t results) {
  long double sum = 0, most = s->out->bound_max;
  for (int64_t k = 0; k < 2 * results; k++) sum += s->truth[k] * s->truth[k];
  fg_weigh_run(s->cx, &s->weigh, s->truth, s->after[1], most * sqrtl(sum / (long double)results), rounding_of(s->p));
  for (int64_t k = 0; k < s->g.count_out; k++) s->usual[k] = s->weigh.blind[k] ? 0 : s->weigh.off[k] / most;
}

/* Into s->truth, the transform forward of these elements of the input. */
static void transform_truth(session *s, int64_t transform, const double *x) {
  fg_system reals = {.which = {transform, s->call.params}};
  int64_t in = span_of(s->p, false), out = span_of(s->p, true);
  for (int64_t k = 0; k < s->g.count_in; k++) s->before[0][k] = (fg_quadc){x[2 * k], x[2 * k + 1]};
  fg_operation_values_factors(&reals, s->p, transform, s->call.params, s->before[0]);
  fg_operation_values_load(s->cx, &reals, s->p, s->before[0], s->before[1]);
  for (int64_t k = 0; k < in; k++) {
    s->wide[2 * k] = (long double)s->before[1][k].re;
    s->wide[2 * k + 1] = (long double)s->before[1][k].im;
  }
  int64_t frames = fg_problem_has_frames(s->p) ? s->g.n[0] : 1;
  for (int64_t f = 0; f < frames; f++)
    fg_reference_run_wide(s->reference, s->wide + 2 * f * (in / frames), s->truth + 2 * f * (out / frames));
}

/* conv: of all transforms that are added to this one, of which the arrays have the others. */
static void convolve_truth(session *s, int64_t transform, const double *x) {
  int64_t results = fg_problem_result_count(s->p, s->call.params), first = transform % results;
  for (int64_t i = 0; i < fg_problem_summands(s->p, s->call.params); i++) {
    int64_t t = first + i * results;
    if (t != transform) fg_arrays_get_input(&s->a, &s->g, t, s->other);
    transform_truth(s, t, t == transform ? x : s->other);
    fg_products_add(&s->products, s->p, fg_problem_spectrum_at(s->p, t, s->call.params), s->truth, !i);
  }
  fg_products_sum(&s->products, s->wide);
  fg_reference_run_wide(s->back, s->wide, s->truth);
}

/* Into s->truth, what the array is to hold for these elements of the input. */
static void find_truth(session *s, int64_t transform, const double *x) {
  if (!s->points) {
    fg_truths_run(s->options->truths, s->reference, x, s->truth);
    return;
  }
  fg_system reals = {.which = {transform, s->call.params}};
  int64_t out = span_of(s->p, true);
  if (s->back)
    convolve_truth(s, transform, x);
  else
    transform_truth(s, transform, x);
  for (int64_t k = 0; k < out; k++) s->after[0][k] = (fg_quadc){s->truth[2 * k], s->truth[2 * k + 1]};
  fg_operation_values_store(s->cx, &reals, s->p, s->after[0], s->after[1]);
  s->weigh.which = reals.which;
  find_usual(s, out);
  for (int64_t k = 0; k < s->g.count_out; k++) {
    s->truth[2 * k] = (long double)s->after[1][k].re;
    s->truth[2 * k + 1] = (long double)s->after[1][k].im;
  }
}

/* A result beside its truth: whole numbers may be half a unit off and end at their range. */
static long double comparable(const session *s, double y, long double *truth) {
  fg_precision type = s->a.type_out;
  long double got = y;
  if (fg_numbers_unit(type) == 0) {
    double low, high;
    fg_numbers_range(type, &low, &high);
    if (*truth < low) *truth = low;
    if (*truth > high) *truth = high;
    long double half = 0.5L + fabsl(*truth) * 0x1p-23L; /* numbers become whole by way of floats */
    got = fabsl(y - *truth) <= half ? *truth : y - *truth > 0 ? y - 0.5L : y + 0.5L;
  }
  return got;
}

/* The logarithm of what is zero exactly, and what follows from it, for which every operation has infinities. */
static bool is_endless(const session *s, long double truth) {
  return s->points && !isfinite(truth) && fg_numbers_unit(s->a.type_out) > 0;
}

static bool is_endless_too(double got, long double truth) { return isnan(truth) ? isnan(got) : got == (double)truth; }

/* A truth that the array's numbers have no room for. */
static bool is_beyond(const session *s, long double truth) {
  double held;
  fg_numbers_put(s->a.type_out, &held, 0, (double)truth);
  return !isfinite(fg_numbers_get(s->a.type_out, &held, 0));
}

/* The one that is furthest off: its own rounding to the array's numbers grows with it,
 * all other errors with the mean of all, or where it is more with what is usual there. */
static void judge_worst(session *s, const error_sum *e, int i) {
  long double mean = sqrtl(e->norm / (long double)s->g.count_out);
  for (int64_t k = 0; k < s->g.count_out; k++) {
    if (s->square[k] == 0) continue;
    long double unit = s->points && s->usual[k] > mean ? s->usual[k] : mean;
    double off = (double)(sqrtl(s->square[k]) / unit);
    double itself = (double)(hypotl(s->scale * s->truth[2 * k], s->scale * s->truth[2 * k + 1]) / unit);
    double allowed = s->out->bound_max + (fg_numbers_unit(s->a.type_out) + rounding_of(s->p)) * itself;
    if (!(off <= s->out->max)) s->out->max = off;
    if (!(off <= allowed))
      fail(s, "random input: transform %lld of %lld, output %lld is off by %.2g (%.2g allowed)", (long long)s->pick[i],
           (long long)s->g.transforms, (long long)k, off, allowed);
  }
}

/* What the array holds stands for all numbers up to half a step beside it, however small they are: the rest of the
 * distance. */
static long double nearest(const session *s, long double got, long double want) {
  long double off = got - want, step = fg_numbers_least(s->a.type_out) / 2;
  return !(fabsl(off) <= step * (1 + 1e-9L)) ? got : want; /* NaN stays */
}

/* The norm that errors are measured by: of the results, or of what is usual. */
static long double norm_of(const session *s, const error_sum *e) {
  long double usual = 0;
  for (int64_t k = 0; k < s->g.count_out && s->points; k++) usual += s->usual[k] * s->usual[k];
  return fmaxl(e->norm, usual);
}

static void compare_with_truth(session *s, double *sum_of_squares) {
  for (int i = 0; i < s->npick; i++) {
    const double *y = s->y + at(s, i);
    error_sum e = {0};
    find_truth(s, s->pick[i], s->x + at(s, i));
    for (int64_t k = 0; k < s->g.count_out; k++) {
      long double re = s->scale * s->truth[2 * k], im = s->scale * s->truth[2 * k + 1];
      s->square[k] = 0;
      if (s->points && s->weigh.blind[k]) continue;
      if (is_endless(s, re) && is_endless_too(y[2 * k], re)) continue;
      if (is_beyond(s, re) || is_beyond(s, im))
        fail(s, "random input: output %lld of transform %lld is %.3g, which %s does not hold: a smaller scale=",
             (long long)k, (long long)s->pick[i], (double)(is_beyond(s, re) ? re : im),
             fg_precision_name(s->a.type_out));
      long double got_re = comparable(s, y[2 * k], &re), got_im = comparable(s, y[2 * k + 1], &im);
      if (s->g.real_out) got_im = im = 0;
      got_re = nearest(s, got_re, re), got_im = nearest(s, got_im, im);
      add_error(&e, k, got_re, got_im, re, im);
      s->square[k] = (got_re - re) * (got_re - re) + (got_im - im) * (got_im - im);
    }
    e.norm = norm_of(s, &e);
    judge(s, &e, "random input", i, &s->out->l2_worst);
    judge_worst(s, &e, i);
    *sum_of_squares += relative(&e) * relative(&e);
    s->out->compared++;
  }
}

static fg_status check_random(session *s) {
  int inputs = s->options->inputs > 0 ? s->options->inputs : 1;
  double sum = 0;
  for (int r = 0; r < inputs; r++) {
    for (int64_t k = 0; k < at(s, s->npick); k++) s->x[k] = uniform(s);
    fg_status status = execute(s, s->x, s->y);
    if (status) return status;
    compare_with_truth(s, &sum);
    s->out->transforms += s->g.transforms;
  }
  s->out->l2 = sqrt(sum / (double)s->out->compared);
  return FG_OK;
}

/* Product over the dimensions of root^(shift_d * index_d) for dense index k. */
static void phase(const session *s, const int64_t *shift, int64_t k, long double *re, long double *im) {
  *re = 1, *im = 0;
  for (int d = s->g.rank - 1; d >= 0; d--) {
    int64_t n = s->g.n[d], m = k % n * shift[d] % n; /* n < 2^31: the reference's limit */
    long double r = *re, w = s->root[d][2 * m], v = s->root[d][2 * m + 1];
    *re = r * w - *im * v, *im = r * v + *im * w;
    k /= n;
  }
}

/* Dense index of (index + shift) modulo the lengths. */
static int64_t shifted(const session *s, const int64_t *shift, int64_t k) {
  int64_t out = 0, stride = 1;
  for (int d = s->g.rank - 1; d >= 0; d--) {
    int64_t n = s->g.n[d];
    out += (k % n + shift[d]) % n * stride;
    stride *= n, k /= n;
  }
  return out;
}

/* Not one that leaves a transform with the wrong sign unnoticed (0, n/2), where
 * there are others. */
static void random_shift(session *s, int64_t *shift) {
  for (int d = 0; d < s->g.rank; d++) {
    int64_t n = s->g.n[d];
    do shift[d] = (int64_t)(fg_random(&s->random) % (uint64_t)n);
    while (n > 2 && 2 * shift[d] % n == 0);
  }
}

/* A single number, at a place of its own in each transform, becomes one wave. */
static fg_status check_impulse(session *s) {
  int64_t shift[FG_MAX_RANK];
  const double c = 0.8125, d = -0.59375;
  uint64_t before = s->random;
  memset(s->x2, 0, sizeof(double) * (size_t)at(s, s->npick));
  for (int i = 0; i < s->npick; i++) {
    random_shift(s, shift);
    int64_t place = shifted(s, shift, 0);
    s->x2[at(s, i) + 2 * place] = c, s->x2[at(s, i) + 2 * place + 1] = d;
  }
  fg_status status = execute(s, s->x2, s->y2);
  if (status) return status;
  s->random = before; /* the same places again */
  for (int i = 0; i < s->npick; i++) {
    const double *y = s->y2 + at(s, i);
    error_sum e = {0};
    random_shift(s, shift);
    for (int64_t k = 0; k < s->g.points; k++) {
      long double re, im;
      phase(s, shift, k, &re, &im);
      add_error(&e, k, y[2 * k], y[2 * k + 1], s->scale * (c * re - d * im), s->scale * (c * im + d * re));
    }
    judge(s, &e, "impulse", i, &s->out->impulse);
  }
  return FG_OK;
}

static long double size_of(const double *y, int64_t count) {
  long double sum = 0;
  for (int64_t k = 0; k < 2 * count; k++) sum += (long double)y[k] * y[k];
  return sqrtl(sum);
}

/* T(a x + b x2) = a T(x) + b T(x2). y of x is there. The error is one of both terms, which may nearly cancel where
 * there are few points. */
static fg_status check_linearity(session *s) {
  const long double a = 0.625, b = -0.375;
  for (int64_t k = 0; k < at(s, s->npick); k++) s->x2[k] = uniform(s);
  fg_status status = execute(s, s->x2, s->y2);
  if (status) return status;
  for (int64_t k = 0; k < at(s, s->npick); k++) s->x3[k] = (double)(a * s->x[k] + b * s->x2[k]);
  if ((status = execute(s, s->x3, s->y3))) return status;
  for (int i = 0; i < s->npick; i++) {
    const double *y = s->y + at(s, i), *y2 = s->y2 + at(s, i), *y3 = s->y3 + at(s, i);
    error_sum e = {0};
    for (int64_t k = 0; k < s->g.count_out; k++)
      add_error(&e, k, y3[2 * k], y3[2 * k + 1], a * y[2 * k] + b * y2[2 * k], a * y[2 * k + 1] + b * y2[2 * k + 1]);
    e.norm = fmaxl(e.norm, powl(a * size_of(y, s->g.count_out) - b * size_of(y2, s->g.count_out), 2));
    judge(s, &e, "linearity", i, &s->out->linearity);
  }
  return FG_OK;
}

/* x shifted by s: the spectrum times root^(s k). */
static fg_status check_time_shift(session *s) {
  int64_t shift[FG_MAX_RANK];
  random_shift(s, shift);
  for (int i = 0; i < s->npick; i++)
    for (int64_t k = 0; k < s->g.points; k++)
      memcpy(s->x2 + at(s, i) + 2 * shifted(s, shift, k), s->x + at(s, i) + 2 * k, 2 * sizeof(double));
  fg_status status = execute(s, s->x2, s->y2);
  if (status) return status;
  for (int i = 0; i < s->npick; i++) {
    const double *y = s->y + at(s, i), *y2 = s->y2 + at(s, i);
    error_sum e = {0};
    for (int64_t k = 0; k < s->g.points; k++) {
      long double re, im;
      phase(s, shift, k, &re, &im);
      add_error(&e, k, y2[2 * k], y2[2 * k + 1], y[2 * k] * re - y[2 * k + 1] * im, y[2 * k] * im + y[2 * k + 1] * re);
    }
    judge(s, &e, "shift in time", i, &s->out->time_shift);
  }
  return FG_OK;
}

/* x times conj(root^(s m)): the spectrum shifted by s. */
static fg_status check_frequency_shift(session *s) {
  int64_t shift[FG_MAX_RANK];
  random_shift(s, shift);
  for (int i = 0; i < s->npick; i++)
    for (int64_t k = 0; k < s->g.points; k++) {
      double *x = s->x + at(s, i) + 2 * k, *x2 = s->x2 + at(s, i) + 2 * k;
      long double re, im;
      phase(s, shift, k, &re, &im);
      x2[0] = (double)(x[0] * re + x[1] * im), x2[1] = (double)(x[1] * re - x[0] * im);
    }
  fg_status status = execute(s, s->x2, s->y2);
  if (status) return status;
  for (int i = 0; i < s->npick; i++) {
    const double *y = s->y + at(s, i), *y2 = s->y2 + at(s, i);
    error_sum e = {0};
    for (int64_t k = 0; k < s->g.points; k++) {
      int64_t to = shifted(s, shift, k);
      add_error(&e, to, y2[2 * to], y2[2 * to + 1], y[2 * k], y[2 * k + 1]);
    }
    judge(s, &e, "shift in frequency", i, &s->out->frequency_shift);
  }
  return FG_OK;
}

static fg_status all_checks(session *s) {
  fg_status status = set_up(s);
  s->bound = s->out->bound_l2;
  if (!status) status = check_random(s);
  if (status || s->options->no_properties || s->points) return status; /* laws of the transform alone */
  if (s->g.overlap_in && s->npick > 1) { /* inputs are not free of each other: look at one of them */
    s->npick = 1;
    if ((status = execute(s, s->x, s->y))) return status;
  }
  /* Laws combine inputs and results that were rounded to the array's numbers. */
  if (fg_numbers_unit(s->p->storage) > fg_numbers_unit(s->p->compute)) s->bound *= 4;
  fg_status (*const check[])(session *) = {check_linearity, check_time_shift, check_frequency_shift, check_impulse};
  int checks = s->p->kind == FG_C2C ? 4 : 1; /* shifts and impulses are laws of c2c */
  for (int i = 0; i < checks && !status; i++) status = check[i](s);
  return status;
}

/* ---- the entry -------------------------------------------------------------------------- */

/* Of one result: the computation's, of conv two transforms and a product, and where the array is narrower its
 * rounding, which the numbers between passes of either transform may have, too. */
double fg_verify_bound(const fg_problem *p) {
  double compute = fg_numbers_unit(p->compute), stored = fg_numbers_unit(fg_problem_stored(p, true));
  double transform = 3 + log2((double)fg_problem_points(p));
  bool twice = fg_problem_kind_convolves(p->kind);
  double bound = compute * ((twice ? 2 * transform + 2 : transform) + 2 * (p->nload + p->nstore));
  bound += compute * log2((double)fg_problem_summands(p, NULL));
  return stored > compute ? bound + (twice ? 2 : 1) * stored : bound;
}

fg_status fg_verify(fg_context *cx, const fg_problem *p, const fg_device *d, fg_module *m,
                    const fg_verify_options *options, fg_verified *out) {
  fg_status status;
  *out = (fg_verified){.bound_l2 = fg_verify_bound(p)};
  out->bound_max = 8 * out->bound_l2; /* 5.7 standard deviations are the largest of 2^22 random errors */
  fg_context own = {.arena = fg_arena_create()};
  session *volatile s = own.arena ? calloc(1, sizeof *s) : NULL; /* survives the jump */
  if (!s || fg_arena_guard(own.arena)) {
    status = fg_diag_set(&cx->diag, FG_ENOMEM, "verify: out of memory");
  } else {
    *s = (session){.cx = &own, .p = p, .device = d, .module = m, .options = options, .out = out};
    status = all_checks(s);
    if (status) fg_diag_set(&cx->diag, status, "%s", own.diag.message);
    out->ok = !status && !*out->why;
  }
  if (s) fg_reference_destroy(s->reference), fg_reference_destroy(s->back);
  free(s);
  fg_arena_destroy(own.arena);
  return status;
}
