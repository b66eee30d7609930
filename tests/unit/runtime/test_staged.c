/* Plans of any strides and of lengths that calls say: against plans of dense arrays, and what must not be touched. */
#include "runtime/include/fftgen/shared.h"
#include "tests/unit/folder.h"
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 1 << 15, MIDDLE = ROOM / 2 }; /* elements of an array, and where element 0 is */

static char folder[] = "/tmp/fftgen-staged-XXXXXX", cache[64], wisdom[64];
static fftgen_error error;

static fftgen_options usual(void) {
  return (fftgen_options){.size = sizeof(fftgen_options), .cache = cache, .wisdom = wisdom};
}

static fftgen_plan *get(const fftgen_problem *p, const fftgen_options *o) {
  fftgen_plan *plan;
  if (fftgen_plan_get(p, o, &plan, &error) != FFTGEN_OK) fail_msg("%s", error.message);
  return plan;
}

typedef struct layout {
  const char *what;
  fftgen_kind kind;
  int rank, batch_rank;
  fftgen_dim dim[3], batch[3];
  unsigned flags;
  const char *more;
  long long in_lengths[3], out_lengths[3]; /* 0 in the first: all */
} layout;

static const layout layouts[] = {
    {.what = "backwards", .kind = FFTGEN_C2C, .rank = 1, .batch_rank = 1, .dim = {{8, -1, 1}}, .batch = {{5, 8, 8}}},
    {.what = "both backwards",
     .kind = FFTGEN_C2C,
     .rank = 1,
     .batch_rank = 1,
     .dim = {{12, -2, -3}},
     .batch = {{3, -50, 100}}},
    {.what = "one row, read often",
     .kind = FFTGEN_C2C,
     .rank = 1,
     .batch_rank = 2,
     .dim = {{16, 3, 1}},
     .batch = {{4, 0, 64}, {3, 0, 16}}},
    {.what = "one number, read often",
     .kind = FFTGEN_R2C,
     .rank = 1,
     .batch_rank = 1,
     .dim = {{10, 0, 2}},
     .batch = {{9, 1, -12}}},
    {.what = "two dimensions",
     .kind = FFTGEN_C2C,
     .rank = 2,
     .batch_rank = 1,
     .dim = {{6, 40, -20}, {5, -7, 3}},
     .batch = {{2, 1, 200}}},
    {.what = "reals of two dimensions",
     .kind = FFTGEN_R2C,
     .rank = 2,
     .batch_rank = 1,
     .dim = {{4, -9, 16}, {6, 1, -2}},
     .batch = {{3, 100, 100}}},
    {.what = "back to reals",
     .kind = FFTGEN_C2R,
     .rank = 2,
     .batch_rank = 1,
     .dim = {{4, 16, 9}, {7, -2, 1}},
     .batch = {{3, 100, 100}}},
    {.what = "cosines", .kind = FFTGEN_DCT2, .rank = 1, .batch_rank = 1, .dim = {{9, -4, 11}}, .batch = {{11, 1, 1}}},
    {.what = "long", .kind = FFTGEN_C2C, .rank = 1, .batch_rank = 0, .dim = {{1024, -3, 2}}, .batch = {{0, 0, 0}}},
    {.what = "split",
     .kind = FFTGEN_C2C,
     .rank = 1,
     .batch_rank = 1,
     .dim = {{8, -1, 1}},
     .batch = {{20, 8, 8}},
     .flags = FFTGEN_SPLIT_IN},
    {.what = "split, stored",
     .kind = FFTGEN_C2C,
     .rank = 1,
     .batch_rank = 1,
     .dim = {{8, 1, -1}},
     .batch = {{20, 8, 8}},
     .flags = FFTGEN_SPLIT_IN | FFTGEN_SPLIT_OUT},
    {.what = "in place",
     .kind = FFTGEN_C2C,
     .rank = 1,
     .batch_rank = 1,
     .dim = {{8, -2, -2}},
     .batch = {{9, 20, 20}},
     .flags = FFTGEN_IN_PLACE},
    {.what = "scaled",
     .kind = FFTGEN_C2C,
     .rank = 1,
     .batch_rank = 1,
     .dim = {{8, -1, 1}},
     .batch = {{3, 8, 8}},
     .flags = FFTGEN_CALL_SCALE,
     .more = "scale=1/n"},
    {.what = "whole numbers",
     .kind = FFTGEN_R2C,
     .rank = 1,
     .batch_rank = 1,
     .dim = {{12, -1, 1}},
     .batch = {{3, 12, 7}},
     .more = "load=u8"},
    {.what = "padded",
     .kind = FFTGEN_C2C,
     .rank = 1,
     .batch_rank = 1,
     .dim = {{16, 1, 1}},
     .batch = {{5, 11, 16}},
     .flags = FFTGEN_CALL_LENGTHS,
     .in_lengths = {11}},
    {.what = "cropped",
     .kind = FFTGEN_C2C,
     .rank = 1,
     .batch_rank = 1,
     .dim = {{16, 1, 1}},
     .batch = {{5, 16, 7}},
     .flags = FFTGEN_CALL_LENGTHS,
     .in_lengths = {16},
     .out_lengths = {7}},
    {.what = "both of two",
     .kind = FFTGEN_R2C,
     .rank = 2,
     .batch_rank = 1,
     .dim = {{6, -10, 4}, {8, 1, 1}},
     .batch = {{3, 60, 24}},
     .flags = FFTGEN_CALL_LENGTHS,
     .in_lengths = {4, 5},
     .out_lengths = {6, 3}},
    {.what = "as they usually are",
     .kind = FFTGEN_C2R,
     .rank = 1,
     .batch_rank = 1,
     .dim = {{10, 0, 0}},
     .batch = {{4, 0, 0}},
     .flags = FFTGEN_CALL_LENGTHS,
     .in_lengths = {3},
     .out_lengths = {9}},
};

/* ---- arrays -------------------------------------------------------------------- */

static bool is_real(fftgen_kind kind, bool output) {
  return kind != FFTGEN_C2C && kind != (output ? FFTGEN_R2C : FFTGEN_C2R);
}

static long long length(const layout *l, int d, bool output) {
  long long n = l->dim[d].n;
  return d == l->rank - 1 && l->kind == (output ? FFTGEN_R2C : FFTGEN_C2R) ? n / 2 + 1 : n;
}

/* Strides that are both 0. */
static long long stride(const layout *l, int axis, bool output) {
  const fftgen_dim *d = axis < l->batch_rank ? &l->batch[axis] : &l->dim[axis - l->batch_rank];
  if (d->is || d->os) return output ? d->os : d->is;
  long long s = 1;
  for (int k = axis + 1; k < l->batch_rank + l->rank; k++)
    s *= k < l->batch_rank ? l->batch[k].n : length(l, k - l->batch_rank, output);
  return s;
}

typedef struct walk { /* of all elements of one side, densely and in the caller's array */
  long long place;
  bool present;
} walk;

static long long elements(const layout *l, bool output) {
  long long count = 1;
  for (int i = 0; i < l->batch_rank; i++) count *= l->batch[i].n;
  for (int d = 0; d < l->rank; d++) count *= length(l, d, output);
  return count;
}

static walk element(const layout *l, bool output, long long number) {
  const long long *kept = output ? l->out_lengths : l->in_lengths;
  walk w = {MIDDLE, true};
  for (int k = l->batch_rank + l->rank - 1; k >= 0; k--) {
    long long n = k < l->batch_rank ? l->batch[k].n : length(l, k - l->batch_rank, output);
    if (k >= l->batch_rank && kept[0] && number % n >= kept[k - l->batch_rank]) w.present = false;
    w.place += number % n * stride(l, k, output);
    number /= n;
  }
  return w;
}

typedef struct arrays { /* numbers of doubles, floats or bytes, as a side has them */
  double in[2 * ROOM], out[2 * ROOM], dense_in[2 * ROOM], dense_out[2 * ROOM];
} arrays;

typedef struct test {
  const layout *l;
  bool wide, bytes; /* double; the input is of bytes */
  arrays *a;
} test;

static double number(const void *at, bool wide, bool bytes, long long i) {
  return bytes ? ((const unsigned char *)at)[i] : wide ? ((const double *)at)[i] : (double)((const float *)at)[i];
}

static void set(void *at, bool wide, bool bytes, long long i, double x) {
  if (bytes)
    ((unsigned char *)at)[i] = (unsigned char)x;
  else if (wide)
    ((double *)at)[i] = x;
  else
    ((float *)at)[i] = (float)x;
}

/* Where part `part` of element `at` is; `room` elements are of one part where these are in two arrays. */
static long long place(bool real, bool split, long long at, int part, long long room) {
  return real ? at : split ? part * room + at : 2 * at + part;
}

static void fill(const test *t) {
  bool real = is_real(t->l->kind, false), split = t->l->flags & FFTGEN_SPLIT_IN;
  for (int i = 0; i < 2 * ROOM; i++) set(t->a->in, t->wide, t->bytes, i, 128 + floor(100 * sin(i)));
  for (int i = 0; i < 2 * ROOM; i++) set(t->a->out, t->wide, false, i, 77);
  for (long long i = 0; i < elements(t->l, false); i++)
    for (int part = 0; part < (real ? 1 : 2); part++) {
      walk w = element(t->l, false, i);
      double x = w.present ? number(t->a->in, t->wide, t->bytes, place(real, split, w.place, part, ROOM)) : 0;
      set(t->a->dense_in, t->wide, t->bytes, place(real, false, i, part, 0), x);
    }
}

static void *shifted(const test *t, void *array, bool output, int part) {
  bool real = is_real(t->l->kind, output), split = t->l->flags & (output ? FFTGEN_SPLIT_OUT : FFTGEN_SPLIT_IN);
  size_t bytes = t->bytes && !output ? 1 : t->wide ? 8 : 4;
  return (char *)array + bytes * (size_t)place(real, split, MIDDLE, part, ROOM);
}

/* Results where they belong, and nothing anywhere else. */
static void compare(const test *t, double scale) {
  static unsigned char written[2 * ROOM];
  bool real = is_real(t->l->kind, true), split = t->l->flags & FFTGEN_SPLIT_OUT, inside = t->l->flags & FFTGEN_IN_PLACE;
  const void *out = inside ? t->a->in : t->a->out;
  double most = t->wide ? 1e-11 : 2e-3;
  memset(written, 0, sizeof written);
  for (long long i = 0; i < elements(t->l, true); i++)
    for (int part = 0; part < (real ? 1 : 2); part++) {
      walk w = element(t->l, true, i);
      long long at = place(real, split, w.place, part, ROOM);
      if (!w.present) continue;
      written[at] = 1;
      double x = number(out, t->wide, false, at);
      double y = scale * number(t->a->dense_out, t->wide, false, place(real, false, i, part, 0));
      if (fabs(x - y) > most * (1 + fabs(y))) fail_msg("%s: %lld: %g in place of %g", t->l->what, i, x, y);
    }
  for (int i = 0; i < 2 * ROOM && !inside; i++)
    if (!written[i] && number(out, t->wide, false, i) != 77) fail_msg("%s: number %d is written", t->l->what, i);
}

static fftgen_problem problem_of(const layout *l, bool wide) {
  return (fftgen_problem){.size = sizeof(fftgen_problem),
                          .kind = l->kind,
                          .precision = wide ? FFTGEN_F64 : FFTGEN_F32,
                          .rank = l->rank,
                          .dim = l->dim,
                          .batch_rank = l->batch_rank,
                          .batch = l->batch,
                          .flags = l->flags,
                          .more = l->more};
}

static void run_dense(const test *t) {
  fftgen_options o = usual();
  fftgen_problem p = problem_of(t->l, t->wide);
  fftgen_dim dim[3], batch[3];
  for (int i = 0; i < t->l->rank; i++) dim[i] = (fftgen_dim){t->l->dim[i].n, 0, 0};
  for (int i = 0; i < t->l->batch_rank; i++) batch[i] = (fftgen_dim){t->l->batch[i].n, 0, 0};
  p.dim = dim, p.batch = batch, p.flags = 0;
  fftgen_plan *plan = get(&p, &o);
  assert_int_equal(fftgen_execute(plan, t->a->dense_in, t->a->dense_out), FFTGEN_OK);
  fftgen_plan_release(plan);
}

static void in_turn(void *context, int parts, fftgen_work work, void *data) {
  (void)context;
  for (int i = parts - 1; i >= 0; i--) work(data, i);
}

static void check(const layout *l, bool wide, int threads) {
  static arrays a;
  test t = {l, wide, l->more && strstr(l->more, "u8"), &a};
  fftgen_problem p = problem_of(l, wide);
  fftgen_options o = usual();
  if (threads > 1) o.parallel_for = in_turn, o.threads = threads;
  fill(&t);
  run_dense(&t);
  fftgen_plan *plan = get(&p, &o);
  bool inside = l->flags & FFTGEN_IN_PLACE;
  fftgen_arrays at = {.in = shifted(&t, a.in, false, 0), .out = inside ? NULL : shifted(&t, a.out, true, 0)};
  if (l->flags & FFTGEN_SPLIT_IN) at.in_im = shifted(&t, a.in, false, 1);
  if (l->flags & FFTGEN_SPLIT_OUT) at.out_im = shifted(&t, a.out, true, 1);
  double scale = l->flags & FFTGEN_CALL_SCALE ? -3 : 0;
  fftgen_call c = {.size = sizeof c, .scale = scale};
  if (l->in_lengths[0]) c.in_lengths = l->in_lengths;
  if (l->out_lengths[0]) c.out_lengths = l->out_lengths;
  if (fftgen_execute_call(plan, &at, &c, &error) != FFTGEN_OK) fail_msg("%s: %s", l->what, error.message);
  compare(&t, scale != 0 ? scale : 1);
  fftgen_plan_release(plan);
}

static void all_layouts(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    for (int threads = 1; threads < 4; threads += 2)
      check(&layouts[i], false, threads), check(&layouts[i], true, threads);
}

/* ---- at run time ------------------------------------------------------------------ */

static void parameters(void **state) {
  (void)state;
  static const fftgen_param param[] = {{"count", 0, 20}, {"step", -40, 40}, {"jump", 0, 100}};
  fftgen_dim dim = {4, FFTGEN_PARAM(1), 1}, batch = {FFTGEN_PARAM(0), FFTGEN_TIMES_PARAM(2, 2), 4};
  fftgen_problem p = {.size = sizeof p,
                      .precision = FFTGEN_F64,
                      .rank = 1,
                      .dim = &dim,
                      .batch_rank = 1,
                      .batch = &batch,
                      .param = param,
                      .nparam = 3};
  fftgen_options o = usual();
  fftgen_plan *plan = get(&p, &o);
  double in[200], out[80];
  for (int i = 0; i < 200; i++) in[i] = i;
  const struct {
    long long value[3]; /* in the order of the text: step, count, jump */
    double first, second;
  } calls[] = {{{-3, 2, 1}, 4 * 100 - 2 * 18, 4 * 104 - 2 * 18}, {{0, 3, 0}, 400, 400}, {{2, 0, 5}, 7, 7}};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 80; k++) out[k] = 7;
    fftgen_arrays a = {.in = in + 100, .out = out, .params = calls[i].value};
    if (fftgen_execute_call(plan, &a, NULL, &error) != FFTGEN_OK) fail_msg("%s", error.message);
    assert_true(out[0] == calls[i].first && out[8] == calls[i].second);
    assert_true(out[8 * calls[i].value[1]] == 7);
  }
  fftgen_arrays a = {.in = in, .out = out, .params = (const long long[]){-41, 1, 1}};
  assert_int_equal(fftgen_execute_call(plan, &a, NULL, &error), FFTGEN_EPROBLEM);
  fftgen_plan_release(plan);
}

/* One plan, and as many lengths as there are calls. */
static void lengths_of_each_call(void **state) {
  (void)state;
  fftgen_dim dim = {6, 1, 1};
  fftgen_problem p = {.size = sizeof p, .precision = FFTGEN_F64, .rank = 1, .dim = &dim, .flags = FFTGEN_CALL_LENGTHS};
  fftgen_options o = usual();
  fftgen_plan *plan = get(&p, &o);
  double in[12], out[12];
  for (long long l = 0; l <= 7; l++) {
    long long none = 1;
    for (int i = 0; i < 12; i++) in[i] = i < 2 * l ? 1 : NAN, out[i] = 7;
    fftgen_call c = {.size = sizeof c, .in_lengths = &l, .out_lengths = &none};
    fftgen_status status = fftgen_execute_call(plan, &(fftgen_arrays){.in = in, .out = out}, &c, &error);
    assert_int_equal(status, l <= 6 ? FFTGEN_OK : FFTGEN_EPROBLEM);
    if (l <= 6) assert_true(out[0] == (double)l && out[1] == (double)l && out[2] == 7);
  }
  assert_non_null(strstr(error.message, "in_lengths"));
  long long bad = -1;
  fftgen_call c = {.size = sizeof c, .out_lengths = &bad};
  assert_int_equal(fftgen_execute_call(plan, &(fftgen_arrays){.in = in, .out = out}, &c, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "out_lengths"));
  fftgen_plan_release(plan);
  p.flags = 0, plan = get(&p, &o);
  c.out_lengths = NULL, c.in_lengths = &bad;
  assert_int_equal(fftgen_execute_call(plan, &(fftgen_arrays){.in = in, .out = out}, &c, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "FFTGEN_CALL_LENGTHS"));
  fftgen_plan_release(plan);
}

/* Kernels are of the length: no stride, count or number of dimensions makes another one. */
static void one_kernel(void **state) {
  (void)state;
  fftgen_options o = usual();
  char text[2][64] = {"", ""};
  for (int i = 0; i < 2; i++) {
    fftgen_dim dim = {128, -1 - i, 1 + i}, batch[] = {{3 + i, -500, 900}, {2, 0, 400}};
    fftgen_problem p = {
        .size = sizeof p, .precision = FFTGEN_F32, .rank = 1, .dim = &dim, .batch_rank = 1 + i, .batch = batch};
    fftgen_plan *plan = get(&p, &o);
    fftgen_info info = {.size = sizeof info};
    assert_int_equal(fftgen_plan_info(plan, &info), FFTGEN_OK);
    assert_true(info.scratch >= 2048 && info.in_bytes == 1024);
    snprintf(text[i], sizeof text[i], "%s", info.problem);
    fftgen_plan_release(plan);
  }
  assert_string_equal(text[0], "c2c f32 n=128");
  assert_string_equal(text[1], text[0]);
}

static void *run_often(void *data) {
  const fftgen_plan *plan = data;
  static atomic_int failures;
  float in[16], out[16];
  for (int i = 0; i < 16; i++) in[i] = i < 2 ? 1 : 0;
  for (int i = 0; i < 300; i++)
    if (fftgen_execute(plan, in + 14, out) != FFTGEN_OK || out[1] != 1) failures++;
  return failures ? data : NULL;
}

static void by_threads(void **state) {
  (void)state;
  fftgen_dim dim = {8, -1, 1};
  fftgen_problem p = {.size = sizeof p, .precision = FFTGEN_F32, .rank = 1, .dim = &dim};
  fftgen_options o = usual();
  o.concurrency = 2;
  fftgen_plan *plan = get(&p, &o);
  pthread_t thread[4];
  void *failed;
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, run_often, plan), 0);
  for (int i = 0; i < 4; i++) {
    pthread_join(thread[i], &failed);
    assert_null(failed);
  }
  fftgen_plan_release(plan);
}

static const struct wrong {
  const char *says;
  fftgen_dim dim, batch;
  unsigned flags;
  const char *more;
} wrongs[] = {
    {"write some elements twice", {8, -1, 1}, {4, 1, -4}, 0, NULL},
    {"one stride of two", {8, -1, 0}, {1, 8, 8}, 0, NULL},
    {"negative number", {-8, -1, 1}, {1, 8, 8}, 0, NULL},
    {"unlike sides", {8, -1, 1}, {2, 8, 8}, FFTGEN_IN_PLACE, NULL},
    {"to themselves", {8, -1, 1}, {2, 8, 8}, 0, "load=mul(each)"},
    {"transform's number", {8, -1, 1}, {2, 8, 8}, 0, "load=x*(1+b)"},
    {"place=", {8, -1, -1}, {2, 8, 8}, 0, "place=in"},
    {"2^62", {8, INT64_MIN, 1}, {2, 8, 8}, 0, NULL},
};

static void what_is_refused(void **state) {
  (void)state;
  fftgen_options o = usual();
  for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
    const struct wrong *w = &wrongs[i];
    fftgen_problem p = {.size = sizeof p,
                        .precision = FFTGEN_F32,
                        .rank = 1,
                        .dim = &w->dim,
                        .batch_rank = 1,
                        .batch = &w->batch,
                        .flags = w->flags,
                        .more = w->more};
    fftgen_plan *plan = (fftgen_plan *)&o;
    assert_int_equal(fftgen_plan_create_from(&p, &o, &plan, &error), FFTGEN_EPROBLEM);
    assert_null(plan);
    if (!strstr(error.message, w->says)) fail_msg("'%s' is not in: %s", w->says, error.message);
  }
  static const fftgen_param count = {"count", -1, 4};
  fftgen_dim dim = {8, 1, 1}, batch = {FFTGEN_PARAM(0), 8, 8};
  fftgen_problem p = {.size = sizeof p,
                      .precision = FFTGEN_F32,
                      .rank = 1,
                      .dim = &dim,
                      .batch_rank = 1,
                      .batch = &batch,
                      .param = &count,
                      .nparam = 1};
  fftgen_plan *plan;
  assert_int_equal(fftgen_plan_create_from(&p, &o, &plan, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "count below 0"));
}

static unsigned long long random_state;

static unsigned drawn(unsigned below) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(random_state >> 33) % below;
}

static long long drawn_number(void) {
  static const long long extremes[] = {0, -1, -20, INT64_MAX, INT64_MIN, 1LL << 62, FFTGEN_PARAM(0), FFTGEN_PARAM(2)};
  return drawn(5) ? (long long)drawn(60) - 10 : extremes[drawn(sizeof extremes / sizeof *extremes)];
}

/* Structs of any numbers get a plan, or a status and a sentence. */
static void any_numbers(void **state) {
  (void)state;
  static const char *const names[] = {"a", "count", "s", "x y", NULL};
  static const char *const words[] = {NULL,       "scale=1/n", "store=\"x",      "load=",   "store=x load='x*2'",
                                      "place=in", "load=u8",   "store=mag,conj", "load=''", "filter=each(3)"};
  fftgen_options o = usual();
  o.flags = FFTGEN_NO_JIT | FFTGEN_NO_CACHE | FFTGEN_NO_WISDOM;
  for (int i = 0; i < 20000; i++) {
    fftgen_dim dim[3], batch[3];
    fftgen_param param[3];
    for (int k = 0; k < 3; k++) {
      dim[k] = (fftgen_dim){drawn(4) ? 1 + drawn(9) : drawn_number(), drawn_number(), drawn_number()};
      batch[k] = (fftgen_dim){drawn(4) ? 1 + drawn(9) : drawn_number(), drawn_number(), drawn_number()};
      if (drawn(2)) dim[k].is = dim[k].os = 0;
      param[k] = (fftgen_param){names[drawn(5)], (long long)drawn(9) - 4, (long long)drawn(30) - 3};
    }
    fftgen_problem p = {.size = sizeof p,
                        .kind = drawn(14),
                        .precision = drawn(5),
                        .rank = (int)drawn(4),
                        .dim = dim,
                        .batch_rank = (int)drawn(4),
                        .batch = drawn(9) ? batch : NULL,
                        .param = param,
                        .nparam = drawn(3) ? 0 : (int)drawn(4),
                        .sign = (int)drawn(3) - 1,
                        .flags = drawn(2) ? 0 : drawn(256),
                        .more = drawn(3) ? NULL : words[drawn(10)]};
    fftgen_plan *plan = (fftgen_plan *)&p;
    fftgen_status status = fftgen_plan_create_from(&p, &o, &plan, &error);
    assert_true(status == FFTGEN_OK || status == FFTGEN_EPROBLEM || status == FFTGEN_ENOKERNEL);
    assert_true((status == FFTGEN_OK) == (plan != NULL) && *error.message && !strchr(error.message, '\n'));
    fftgen_plan_destroy(plan);
  }
  static const fftgen_param unused[] = {{"step", -4, 4}, {NULL, 1, 2}};
  fftgen_dim dim = {8, FFTGEN_PARAM(0), 1};
  fftgen_problem p = {.size = sizeof p, .precision = FFTGEN_F32, .rank = 1, .dim = &dim, .param = unused, .nparam = 2};
  o = usual();
  fftgen_plan_release(get(&p, &o));
}

static void no_transforms(void **state) {
  (void)state;
  fftgen_dim dim = {8, -1, 1}, batch = {0, -8, 8};
  fftgen_problem p = {
      .size = sizeof p, .precision = FFTGEN_F32, .rank = 1, .dim = &dim, .batch_rank = 1, .batch = &batch};
  fftgen_options o = usual();
  o.flags = FFTGEN_NO_JIT | FFTGEN_NO_CACHE;
  fftgen_plan *plan = get(&p, &o);
  assert_int_equal(fftgen_execute(plan, NULL, NULL), FFTGEN_OK);
  fftgen_plan_release(plan);
}

/* ---- full spectra ------------------------------------------------------------------ */

typedef struct full {
  const char *what;
  int rank, batch_rank;
  fftgen_dim dim[3], batch[2]; /* of reals to n numbers; and of c2c, densely */
  unsigned flags;
} full;

static const full fulls[] = {
    {.what = "odd", .rank = 1, .batch_rank = 1, .dim = {{9, 0, 0}}, .batch = {{4, 0, 0}}},
    {.what = "even", .rank = 1, .batch_rank = 1, .dim = {{16, 0, 0}}, .batch = {{3, 0, 0}}, .flags = FFTGEN_CALL_SCALE},
    {.what = "one", .rank = 1, .dim = {{1, 0, 0}}},
    {.what = "cube", .rank = 3, .batch_rank = 1, .dim = {{3, 0, 0}, {4, 0, 0}, {6, 0, 0}}, .batch = {{2, 0, 0}}},
    {.what = "columns", .rank = 2, .batch_rank = 1, .dim = {{5, 8, 8}, {8, 1, 1}}, .batch = {{3, 40, 40}}},
    {.what = "backwards", .rank = 2, .batch_rank = 1, .dim = {{5, -8, 8}, {8, -1, 1}}, .batch = {{3, 40, 40}}},
};

/* All numbers of the transform of reals are those of the same numbers as complex ones. */
static void check_full(const full *f, bool wide) {
  static arrays a;
  fftgen_options o = usual();
  fftgen_problem p = {.size = sizeof p,
                      .kind = FFTGEN_R2C,
                      .precision = wide ? FFTGEN_F64 : FFTGEN_F32,
                      .rank = f->rank,
                      .dim = f->dim,
                      .batch_rank = f->batch_rank,
                      .batch = f->batch,
                      .flags = f->flags | FFTGEN_FULL_SPECTRUM};
  fftgen_plan *plan = get(&p, &o);
  p.kind = FFTGEN_C2C, p.flags = 0;
  fftgen_plan *whole = get(&p, &o);
  int count = 1, first = f->dim[0].is < 0 ? 39 : 0;
  for (int i = 0; i < f->rank; i++) count *= (int)f->dim[i].n;
  for (int i = 0; i < f->batch_rank; i++) count *= (int)f->batch[i].n;
  for (int i = 0; i < count; i++) {
    double x = floor(100 * sin(i));
    set(a.in, wide, false, i, x), set(a.dense_in, wide, false, 2 * i, x), set(a.dense_in, wide, false, 2 * i + 1, 0);
  }
  for (int i = 0; i < 2 * count + 8; i++) set(a.out, wide, false, i, 77);
  size_t bytes = wide ? 8 : 4;
  fftgen_call c = {.size = sizeof c, .scale = f->flags ? 2 : 1};
  fftgen_arrays at = {.in = (char *)a.in + bytes * (size_t)first, .out = a.out};
  fftgen_arrays of = {.in = (char *)a.dense_in + 2 * bytes * (size_t)first, .out = a.dense_out};
  if (fftgen_execute_call(plan, &at, &c, &error) != FFTGEN_OK) fail_msg("%s: %s", f->what, error.message);
  assert_int_equal(fftgen_execute_arrays(whole, &of), FFTGEN_OK);
  for (int i = 0; i < 2 * count; i++) {
    double x = number(a.out, wide, false, i), y = c.scale * number(a.dense_out, wide, false, i);
    if (fabs(x - y) > (wide ? 1e-10 : 1e-2)) fail_msg("%s: number %d: %g in place of %g", f->what, i, x, y);
  }
  for (int i = 0; i < 8; i++) assert_true(number(a.out, wide, false, 2 * count + i) == 77);
  fftgen_plan_release(plan), fftgen_plan_release(whole);
}

static void full_spectra(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof fulls / sizeof *fulls; i++) check_full(&fulls[i], false), check_full(&fulls[i], true);
  fftgen_dim dim = {8, 1, 1}, batch = {2, 8, 5};
  fftgen_options o = usual();
  fftgen_problem p = {.size = sizeof p,
                      .kind = FFTGEN_R2C,
                      .precision = FFTGEN_F32,
                      .rank = 1,
                      .dim = &dim,
                      .batch_rank = 1,
                      .batch = &batch,
                      .flags = FFTGEN_FULL_SPECTRUM};
  fftgen_plan *plan;
  assert_int_equal(fftgen_plan_create_from(&p, &o, &plan, &error), FFTGEN_EPROBLEM); /* rows of 5 have no room for 8 */
  assert_non_null(strstr(error.message, "twice"));
  batch.os = 8, p.more = "store=mag";
  assert_int_equal(fftgen_plan_create_from(&p, &o, &plan, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "store="));
  assert_null(plan);
  p.more = NULL, p.flags |= FFTGEN_IN_PLACE;
  assert_int_equal(fftgen_plan_create_from(&p, &o, &plan, &error), FFTGEN_EPROBLEM);
  p.flags = FFTGEN_FULL_SPECTRUM, p.kind = FFTGEN_C2R;
  assert_int_equal(fftgen_plan_create_from(&p, &o, &plan, &error), FFTGEN_EPROBLEM);
  p.kind = FFTGEN_R2C, p.dim = NULL;
  assert_int_equal(fftgen_plan_create_from(&p, &o, &plan, &error), FFTGEN_EPROBLEM);
}

static int set_up(void **state) {
  (void)state;
  return folder_make_for_plans(folder, FFTGEN_JIT_FILE, cache, wisdom);
}

static int tear_down(void **state) {
  (void)state;
  fftgen_plans_limit(0, 0);
  return folder_remove(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_layouts),   cmocka_unit_test(parameters),  cmocka_unit_test(lengths_of_each_call),
      cmocka_unit_test(one_kernel),    cmocka_unit_test(by_threads),  cmocka_unit_test(what_is_refused),
      cmocka_unit_test(no_transforms), cmocka_unit_test(any_numbers), cmocka_unit_test(full_spectra),
  };
  return cmocka_run_group_tests_name("staged", tests, set_up, tear_down);
}
