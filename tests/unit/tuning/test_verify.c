/* The verifier on modules that are right - FFTW and a plain sum - and on the
 * same plain sum with one fault at a time, each of which must be found. */
#include "generator/prove/prove.h"
#include "tuning/baselines/fftw.h"
#include "tuning/measure/reference.h"
#include "tuning/measure/verify.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

typedef enum fault {
  NO_FAULT,
  WRONG_SIGN,
  ONE_ELEMENT,   /* one output of the last transform, off by a thousandth */
  SWAPPED_BATCH, /* the outputs of two transforms */
  NO_SCALE,
  BEYOND_OUTPUT, /* one element after the end */
  BEFORE_OUTPUT,
  BETWEEN_STRIDES,
  CHANGES_INPUT,
  CHANGES_INPUT_GAP,
  BEYOND_INPUT,
  READS_GAP,       /* times zero */
  FLOAT_TWIDDLES,  /* in a transform of doubles */
  LAST_POINT_LOST, /* the input's last point counts as zero */
  NOT_LINEAR,
  FAILS,
  FAULTS
} fault;

struct fg_module { /* a plain sum over one batch dimension, out of place, interleaved, f64 */
  int64_t n, is, os, count, bis, bos;
  int sign;
  double scale;
  fault fault;
};

static void transform(const fg_module *m, const double *in, double *out) {
  int sign = m->fault == WRONG_SIGN ? -m->sign : m->sign;
  for (int64_t k = 0; k < m->n; k++) {
    double re = 0, im = 0;
    for (int64_t j = 0; j < (m->fault == LAST_POINT_LOST ? m->n - 1 : m->n); j++) {
      double angle = 2 * 3.14159265358979323846 * (double)(j * k % m->n) / (double)m->n;
      double c = cos(angle), s = sign * sin(angle), x = in[2 * j * m->is], y = in[2 * j * m->is + 1];
      if (m->fault == FLOAT_TWIDDLES) c = (float)c, s = (float)s;
      if (m->fault == NOT_LINEAR) x = fabs(x);
      re += c * x - s * y, im += c * y + s * x;
    }
    double scale = m->fault == NO_SCALE ? 1 : m->scale;
    out[2 * k * m->os] = re * scale;
    out[2 * k * m->os + 1] = im * scale;
  }
}

static int run_sum(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  double *in = call->slot[0], *out = call->slot[1];
  int64_t count = call->params ? m->count : 0;
  if (m->fault == FAILS) return snprintf(why, FG_WHY_SIZE, "it is broken"), 1;
  for (int64_t b = 0; b < count; b++) {
    int64_t to = m->fault == SWAPPED_BATCH && b < 2 ? 1 - b : b;
    transform(m, in + 2 * b * m->bis, out + 2 * to * m->bos);
  }
  double *last_in = in + 2 * ((count - 1) * m->bis + (m->n - 1) * m->is);
  double *last_out = out + 2 * ((count - 1) * m->bos + (m->n - 1) * m->os);
  switch (m->fault) {
  case ONE_ELEMENT: last_out[0] *= 1.001; break;
  case BEYOND_OUTPUT: last_out[2] = 0; break;
  case BEFORE_OUTPUT: out[-1] = 1; break;
  case BETWEEN_STRIDES: out[2] = 0; break;
  case CHANGES_INPUT: in[3 * m->is] = 0; break;
  case CHANGES_INPUT_GAP: in[2] = 0; break;
  case BEYOND_INPUT: last_in[2] = 0; break;
  case READS_GAP: out[0] += 0 * in[2]; break;
  default: break;
  }
  return 0;
}

static const fg_device sum_device = {.name = "sum", .run = run_sum};

static fg_context context(void) {
  fg_context cx = {.arena = fg_arena_create()};
  assert_non_null(cx.arena);
  return cx;
}

static const char sum_text[] = "c2c f64 n=12:2:3 batch=5:40:50 sign=+1 scale=0.5";
static const fg_module sum_module = {
    .n = 12, .is = 2, .os = 3, .count = 5, .bis = 40, .bos = 50, .sign = 1, .scale = 0.5};

static fg_status verify_sum(fault f, fg_verified *v) {
  fg_context cx = context();
  fg_problem p;
  assert_int_equal(fg_problem_parse(&cx, sum_text, &p), FG_OK);
  fg_module m = sum_module;
  m.fault = f;
  fg_status status = fg_verify(&cx, &p, &sum_device, &m, &(fg_verify_options){.seed = 7}, v);
  if (status) assert_true(*cx.diag.message);
  fg_arena_destroy(cx.arena);
  return status;
}

static void test_right_sum_passes(void **state) {
  (void)state;
  fg_verified v;
  assert_int_equal(verify_sum(NO_FAULT, &v), FG_OK);
  if (!v.ok) fail_msg("%s", v.why);
  assert_int_equal(v.compared, 5);
  assert_true(v.l2 > 1e-17 && v.l2 < 1e-15 && v.max > v.l2 && v.l2_worst >= v.l2);
  assert_true(v.impulse > 0 && v.linearity > 0 && v.time_shift > 0 && v.frequency_shift > 0);
}

static void test_every_fault_is_found(void **state) {
  (void)state;
  for (fault f = NO_FAULT + 1; f < FAILS; f++) {
    fg_verified v;
    assert_int_equal(verify_sum(f, &v), FG_OK);
    if (v.ok) fail_msg("fault %d was not found", (int)f);
    assert_true(*v.why);
    const char *word = f == BEYOND_OUTPUT || f == BEYOND_INPUT        ? "wrote behind"
                       : f == BEFORE_OUTPUT                           ? "wrote before"
                       : f == BETWEEN_STRIDES                         ? "between the strides"
                       : f == CHANGES_INPUT || f == CHANGES_INPUT_GAP ? "changed its input"
                       : f == ONE_ELEMENT                             ? "transform 4 of 5"
                                                                      : "random input";
    if (!strstr(v.why, word)) fail_msg("fault %d: \"%s\" does not say \"%s\"", (int)f, v.why, word);
  }
  fg_verified v;
  assert_int_equal(verify_sum(FAILS, &v), FG_ESYS);
  assert_false(v.ok);
}

/* dst3 of two floats, three of them, and a window that takes away the first result almost. */
static int run_window(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  const float *in = call->slot[0], weight[2] = {-0.000421051f, 1.0f}, root = 1.41421356f;
  float *out = call->slot[1];
  (void)why;
  for (int b = 0; b < 3; b++) {
    float x = root * in[2 * b], y = in[2 * b + 1];
    out[2 * b] = (x + y) * weight[0] * (m->n == 1 ? 1.01f : 1);
    out[2 * b + 1] = (x - y) * weight[1] + (m->n == 2 ? 2e-6f : 0);
  }
  return 0;
}

/* Its error is that of floats, whatever the window leaves; what is wrong is found in either result. */
static void test_windows_that_take_nearly_all(void **state) {
  (void)state;
  const fg_device device = {.name = "window", .run = run_window};
  for (uint64_t seed = 1; seed < 40; seed++)
    for (int fault = 0; fault < 3; fault++) {
      fg_context cx = context();
      fg_problem p;
      fg_verified v;
      fg_module m = {.n = fault};
      assert_int_equal(fg_problem_parse(&cx, "dst3 f32 n=2 batch=3 store=window(flattop)", &p), FG_OK);
      assert_int_equal(fg_verify(&cx, &p, &device, &m, &(fg_verify_options){.inputs = 20, .seed = seed}, &v), FG_OK);
      if (v.ok != (fault == 0)) fail_msg("seed %d, fault %d: \"%s\"", (int)seed, fault, v.why);
      fg_arena_destroy(cx.arena);
    }
}

/* dct2 of four floats, and what the store operations make of it; n: the fault. */
static int run_decibels(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  const float *in = call->slot[0];
  float *out = call->slot[1];
  (void)why;
  for (int k = 0; k < 4; k++) {
    float sum = 0;
    for (int j = 0; j < 4; j++) sum += 2 * in[j] * (float)cos(3.14159265358979323846 * (2 * j + 1) * k / 8);
    if (m->n == 1 && k == 2) sum *= 1.001f;
    float decibels = log10f(sum * sum) * 10;
    if (m->n == 2) decibels += 0.01f;
    out[k] = m->sign ? decibels * decibels : decibels;
  }
  return 0;
}

/* Decibels near zero have the error of a logarithm there, which is large beside them, and so have their squares. */
static void test_what_becomes_of_errors(void **state) {
  (void)state;
  const fg_device device = {.name = "decibels", .run = run_decibels};
  for (uint64_t seed = 1; seed < 20; seed++)
    for (int fault = 0; fault < 6; fault++) {
      fg_context cx = context();
      fg_problem p;
      fg_verified v;
      fg_module m = {.n = fault % 3, .sign = fault / 3};
      const char *text = fault / 3 ? "dct2 f32 n=4 store=logmag,mag2" : "dct2 f32 n=4 store=logmag";
      assert_int_equal(fg_problem_parse(&cx, text, &p), FG_OK);
      assert_int_equal(fg_verify(&cx, &p, &device, &m, &(fg_verify_options){.inputs = 50, .seed = seed}, &v), FG_OK);
      if (v.ok != (fault % 3 == 0)) fail_msg("%s, seed %d, fault %d: \"%s\"", text, (int)seed, fault % 3, v.why);
      fg_arena_destroy(cx.arena);
    }
}

/* The four checks alone find what they are for. */
static void test_checks_see_on_their_own(void **state) {
  (void)state;
  fg_verified v;
  assert_int_equal(verify_sum(NOT_LINEAR, &v), FG_OK);
  assert_true(v.linearity > 0.01);
  assert_int_equal(verify_sum(WRONG_SIGN, &v), FG_OK);
  assert_true(v.impulse > 0.01 && v.time_shift > 0.01 && v.frequency_shift > 0.01);
  assert_int_equal(verify_sum(FLOAT_TWIDDLES, &v), FG_OK);
  assert_true(v.l2 > 1e-9 && v.l2 < 1e-6);
  assert_true(v.impulse > 1e-9 && v.impulse < 1e-6);
}

static void verify_fftw(const char *text, const int64_t *params, fg_verified *v) {
  fg_context cx = context();
  fg_problem p;
  fg_module *m = NULL;
  char why[FG_WHY_SIZE];
  if (fg_problem_parse(&cx, text, &p)) fail_msg("%s: %s", text, cx.diag.message);
  if (fg_peer_create(&p, params, FG_EFFORT_ESTIMATE, &m, why)) fail_msg("%s: %s", text, why);
  fg_verify_options options = {.params = params, .inputs = 3, .seed = 11};
  if (fg_verify(&cx, &p, &fg_peer_device, m, &options, v)) fail_msg("%s: %s", text, cx.diag.message);
  if (!v->ok) fail_msg("%s: %s", text, v->why);
  fg_peer_device.destroy(m);
  fg_arena_destroy(cx.arena);
}

static void test_fftw_passes(void **state) {
  (void)state;
  static const char *const text[] = {
      "c2c f32 n=1",
      "c2c f64 n=2 sign=+1",
      "c2c f32 n=1024 batch=3",
      "c2c f64 n=1009",
      "c2c f32 n=360:7:1 batch=5:1:400 sign=+1",
      "c2c f64 n=64 batch=4 place=in",
      "c2c f32 n=30:2:2 batch=7:70:70 place=in sign=+1",
      "c2c f64 n=100 batch=3 layout=split",
      "c2c f32 n=100 batch=3 layout=split sign=+1",
      "c2c f64 n=50 layout=split place=in sign=+1",
      "c2c f64 n=12x10 batch=2",
      "c2c f64 n=64:1:1 batch=20:16:64",
      "c2c f32 n=16 batch=40000",
  };
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    fg_verified v;
    verify_fftw(text[i], NULL, &v);
    assert_true(v.compared >= 1 && v.compared <= v.transforms);
  }
}

/* The numbers themselves, against what is known of FFTW. */
static void test_errors_are_measured(void **state) {
  (void)state;
  fg_verified v;
  verify_fftw("c2c f32 n=1024", NULL, &v);
  assert_true(v.l2 > 0.5e-7 && v.l2 < 2e-7);
  verify_fftw("c2c f64 n=1024", NULL, &v);
  assert_true(v.l2 > 1e-16 && v.l2 < 4e-16);
  assert_true(v.bound_l2 > 5e-16 && v.bound_l2 < 2e-15);
}

static void test_run_time_parameters(void **state) {
  (void)state;
  fg_verified v;
  verify_fftw("c2c f64 n=8 batch=count[1..1000]:9:8", (int64_t[]){17}, &v);
  assert_int_equal(v.transforms, 3 * 17);
}

/* Without values for them, parameters are the lowest at which no two results are one. */
static void test_lowest_parameters(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int64_t value[FG_MAX_PARAMS];
  } row[] = {
      {"c2c f32 n=64:is[1..1048576]:os[1..1048576] batch=16:id[1..1048576]:od[1..1048576]", {1, 1, 1, 64}},
      {"c2c f64 n=8:s[3..9]:2*s batch=4:d[1..100]:2*d", {3, 22}},
      {"c2c f64 n=8:16:16 batch=count[5..9]:d[1..100]:d", {5, 1}}, /* between the elements of the others */
      {"c2c f64 n=8:r[1..99]:r[1..99]x4:1:1 batch=count[1..9]:d[2..100]:d", {4, 1, 32}},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    fg_context cx = context();
    fg_problem p;
    fg_verified v;
    int64_t at[FG_MAX_PARAMS] = {0};
    if (fg_problem_parse(&cx, row[i].text, &p)) fail_msg("%s: %s", row[i].text, cx.diag.message);
    assert_true(fg_settings_lowest(&p, NULL, at));
    for (int k = 0; k < p.nparam; k++)
      if (at[k] != row[i].value[k]) fail_msg("%s: %s=%lld", row[i].text, p.param[k].name, (long long)at[k]);
    fg_arena_destroy(cx.arena);
    verify_fftw(row[i].text, at, &v);
  }
}

static void test_refusals(void **state) {
  (void)state;
  fg_context cx = context();
  fg_problem p;
  fg_module *m = NULL;
  char why[FG_WHY_SIZE] = "";
  assert_int_equal(fg_problem_parse(&cx, "conv f32 n=16", &p), FG_OK);
  assert_int_not_equal(fg_peer_create(&p, NULL, FG_EFFORT_ESTIMATE, &m, why), 0);
  assert_null(m);
  static const char *const others[] = {"c2c f32 n=16 store=mag2", "r2c f32 n=16 load=window(hann)", "c2c f16 n=16"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_int_equal(fg_problem_parse(&cx, others[i], &p), FG_OK);
    assert_int_not_equal(fg_peer_create(&p, NULL, FG_EFFORT_ESTIMATE, &m, why), 0);
  }
  fg_arena_destroy(cx.arena);
}

/* The reference itself: a known transform, exact to more than 64 bits. */
static void test_reference(void **state) {
  (void)state;
  int64_t n[] = {3};
  double in[6] = {1, 0, 2, 0, 4, 0};
  long double out[6];
  fg_reference *r = fg_reference_create(1, n, -1);
  assert_non_null(r);
  fg_reference_run(r, in, out);
  assert_true(out[0] == 7 && out[1] == 0 && fabsl(out[2] + 2) < 1e-30L);
  assert_true(fabsl(out[3] - sqrtl(3)) < 3e-19L && fabsl(out[5] + sqrtl(3)) < 3e-19L);
  fg_reference_destroy(r);
  fg_reference_destroy(NULL);
  assert_null(fg_reference_create(1, (int64_t[]){INT64_C(1) << 40}, 1));
}

static const long double pi = 3.14159265358979323846264338327950288L;

/* Of long transforms in long doubles: an element of one, which is one root after the other. */
static void check_long_reference(fg_kind kind) {
  enum { LENGTH = 65537 };
  int64_t n[] = {LENGTH}, results = kind == FG_R2C ? LENGTH / 2 + 1 : LENGTH;
  bool complex = kind == FG_C2C || kind == FG_R2C;
  double *in = calloc(2 * LENGTH, sizeof *in);
  long double *out = calloc(2 * LENGTH, sizeof *out);
  fg_reference *r = kind == FG_C2C ? fg_reference_create(1, n, -1) : fg_reference_create_real(kind, 1, n, -1);
  assert_true(in && out && r);
  in[complex ? 2 : 0] = 1;
  fg_reference_run(r, in, out);
  for (int64_t k = 0; k < results; k++) {
    long double angle = complex ? -2 * pi * (long double)k / LENGTH : pi * (long double)k / (2.0L * LENGTH);
    assert_true(fabsl(out[2 * k] - (complex ? 1 : 2) * cosl(angle)) < 1e-17L);
    assert_true(fabsl(out[2 * k + 1] - (complex ? sinl(angle) : 0)) < 1e-17L);
  }
  fg_reference_destroy(r);
  free(out);
  free(in);
}

static void test_long_reference(void **state) {
  (void)state;
  check_long_reference(FG_C2C);
  check_long_reference(FG_R2C);
  check_long_reference(FG_DCT2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reference),
      cmocka_unit_test(test_long_reference),
      cmocka_unit_test(test_right_sum_passes),
      cmocka_unit_test(test_every_fault_is_found),
      cmocka_unit_test(test_windows_that_take_nearly_all),
      cmocka_unit_test(test_what_becomes_of_errors),
      cmocka_unit_test(test_checks_see_on_their_own),
      cmocka_unit_test(test_fftw_passes),
      cmocka_unit_test(test_errors_are_measured),
      cmocka_unit_test(test_run_time_parameters),
      cmocka_unit_test(test_lowest_parameters),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
