/* See device_sums.h. */
#include "tests/unit/device_sums.h"
#include "generator/problem/shape.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

enum { PATTERN = 0x5a };

static double noise(int64_t i) {
  uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15u + 12345;
  x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
  return (double)(int64_t)(x >> 12) / (double)(1ll << 51) - 1;
}

static bool wide(const fg_sums *s) { return s->problem.storage == FG_F64; }

static double part(const fg_sums *s, const fg_sums_side *side, int64_t at, int which) {
  const void *from = side->im && which ? side->im : side->re;
  int64_t i = side->im ? at : 2 * at + which;
  return wide(s) ? ((const double *)from)[i] : (double)((const float *)from)[i];
}

static void set(const fg_sums *s, const fg_sums_side *side, int64_t at, int which, double value) {
  void *to = side->im && which ? side->im : side->re;
  int64_t i = side->im ? at : 2 * at + which;
  if (wide(s))
    ((double *)to)[i] = value;
  else
    ((float *)to)[i] = (float)value;
}

static fg_sums_side make_side(const fg_sums *s, int64_t extent, bool split) {
  size_t bytes = (size_t)extent * (size_t)fg_precision_bytes(s->problem.storage) * (split ? 1 : 2);
  fg_sums_side side = {malloc(bytes), split ? malloc(bytes) : NULL, bytes};
  memset(side.re, PATTERN, bytes);
  if (split) memset(side.im, PATTERN, bytes);
  return side;
}

void fg_sums_create(const char *text, int64_t value, fg_sums *s) {
  fg_context cx = {.arena = fg_arena_create()};
  memset(s, 0, sizeof *s);
  if (!cx.arena || fg_arena_guard(cx.arena) || fg_problem_parse(&cx, text, &s->problem) != FG_OK) abort();
  fg_arena_destroy(cx.arena);
  const fg_problem *p = &s->problem;
  for (int i = 0; i < p->nparam; i++) s->params[i] = s->given_params[i] = value;
  int64_t in = fg_problem_extent(p, false, NULL), out = fg_problem_extent(p, true, NULL);
  s->in = make_side(s, in, p->split_in);
  s->out = p->in_place ? s->in : make_side(s, out, p->split_out);
  s->given = malloc(16 * (size_t)in);
  for (int64_t i = 0; i < in; i++)
    for (int which = 0; which < 2; which++) {
      set(s, &s->in, i, which, noise(2 * i + which));
      s->given[2 * i + which] = part(s, &s->in, i, which);
    }
}

fftgen_arrays fg_sums_arrays(const fg_sums *s) {
  fftgen_arrays a = {.in = s->in.re, .in_im = s->in.im, .params = s->given_params};
  if (!s->problem.in_place) a.out = s->out.re, a.out_im = s->out.im;
  return a;
}

const char *const fg_sums_problems[FG_SUMS_PROBLEMS] = {
    "c2c f32 n=8 batch=100",
    "c2c f32 n=64 sign=+1",
    "c2c f64 n=60 batch=7",
    "c2c f32 n=256 batch=count[1..9]",
    "c2c f32 n=60:s[2..6]:1 batch=3:500:60",
    "c2c f64 n=96 layout=split",
    "c2c f64 n=96 place=in batch=3 layout=split",
    "c2c f32 n=30 layout=interleaved>split batch=2",
    "c2c f32 n=1009 place=in batch=2",
};

void fg_sums_destroy(fg_sums *s) {
  free(s->in.re), free(s->in.im), free(s->given);
  if (!s->problem.in_place) free(s->out.re), free(s->out.im);
}

typedef struct sums_of { /* of squares */
  double difference, size;
} sums_of;

static void add_output(const fg_sums *s, int64_t transform, int64_t k, sums_of *to) {
  const fg_problem *p = &s->problem;
  int64_t n = fg_problem_points(p), from = fg_problem_batch_at(p, false, transform, s->params);
  int64_t at = fg_problem_batch_at(p, true, transform, s->params) + fg_problem_element_at(p, true, k, s->params);
  double re = 0, im = 0;
  for (int64_t j = 0; j < n; j++) {
    double angle = p->sign * 2 * M_PI * (double)(j * k % n) / (double)n;
    int64_t i = from + fg_problem_element_at(p, false, j, s->params);
    double x = s->given[2 * i], y = s->given[2 * i + 1];
    re += x * cos(angle) - y * sin(angle);
    im += x * sin(angle) + y * cos(angle);
  }
  double dr = part(s, &s->out, at, 0) - re, di = part(s, &s->out, at, 1) - im;
  to->difference += dr * dr + di * di;
  to->size += re * re + im * im;
}

/* Where there is no output, the pattern (in place: the input) must be. */
static bool rest_is_untouched(const fg_sums *s) {
  const fg_problem *p = &s->problem;
  int64_t extent = fg_problem_extent(p, true, NULL), n = fg_problem_points(p),
          most = fg_problem_batch_count(p, s->params);
  bool *written = calloc((size_t)extent, sizeof *written), good = true;
  for (int64_t b = 0; b < most; b++)
    for (int64_t k = 0; k < n; k++)
      written[fg_problem_batch_at(p, true, b, s->params) + fg_problem_element_at(p, true, k, s->params)] = true;
  unsigned char pattern[8];
  memset(pattern, PATTERN, sizeof pattern);
  size_t size = (size_t)fg_precision_bytes(p->storage);
  for (int64_t i = 0; i < extent && !p->in_place; i++)
    for (int which = 0; which < 2 && !written[i]; which++) {
      const char *at = which && s->out.im ? s->out.im : s->out.re;
      good &= !memcmp(at + (size_t)(s->out.im ? i : 2 * i + which) * size, pattern, size);
    }
  for (int64_t i = 0; i < extent && p->in_place; i++)
    good &= written[i] || (part(s, &s->out, i, 0) == s->given[2 * i] && part(s, &s->out, i, 1) == s->given[2 * i + 1]);
  free(written);
  return good;
}

/* Relative error (L2) of what is in the output now; 1e30 where something outside of the transforms was written. */
static double error_of(const fg_sums *s) {
  enum { OUTPUTS = 24 };
  sums_of sums = {0, 0};
  int64_t n = fg_problem_points(&s->problem), batch = fg_problem_batch_count(&s->problem, s->params);
  for (int64_t b = 0; b<batch; b += batch> 16 ? batch / 8 : 1)
    for (int64_t k = 0; k<n; k += n> OUTPUTS ? n / OUTPUTS : 1) add_output(s, b, k, &sums);
  if (!rest_is_untouched(s)) return 1e30;
  return sums.size > 0 ? sqrt(sums.difference / sums.size) : 0;
}

static double bound_of(const fg_sums *s) { return wide(s) ? 1e-13 : 2e-6; }

void fg_sums_check(const fg_sums *s, const char *what) {
  double error = error_of(s);
  if (!(error < bound_of(s))) fail_msg("%s: error %g", what, error);
}

/* ---- arrays of the caller's -------------------------------------------------------- */

const char fg_given_plain[] = "r2c f32 n=64", fg_given_problem[] = "r2c f32 n=64 load=mul store=mul";

void fg_given_fill(fg_given_arrays *a) {
  for (int i = 0; i < FG_GIVEN; i++) {
    a->in[i] = (float)(i % 7) - 3;
    a->weight[i] = (float)(i % 5) / 4;
    a->weighted[i] = a->in[i] * a->weight[i];
  }
  for (int i = 0; i < FG_GIVEN + 2; i++) a->factor[i] = (float)(i % 11) - 5;
}

double fg_given_error(const fg_given_arrays *a) {
  double difference = 0, size = 0;
  for (int k = 0; k < FG_GIVEN + 2; k += 2) {
    double x = (double)a->plain[k], y = (double)a->plain[k + 1], c = (double)a->factor[k], d = (double)a->factor[k + 1];
    double re = x * c - y * d - (double)a->out[k], im = x * d + y * c - (double)a->out[k + 1];
    difference += re * re + im * im;
    size += (x * x + y * y) * (c * c + d * d);
  }
  return sqrt(difference / size);
}
