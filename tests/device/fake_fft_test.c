/* The libraries that fftgen is measured beside on a GPU, against a driver that keeps accounts (fake_cuda.c) and
 * libraries that compute by the definition (fake_fft.c): results, refusals, and every call failing in turn, which
 * leaves nothing behind. */
#include "generator/pipeline/pipeline.h"
#include "tuning/baselines/baselines.h"
#include "tuning/measure/arrays.h"
#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

/* fake_cuda.c */
extern int fake_depth;
void fake_fail_at(int n);
int fake_alive(void);

static void (*fail_at)(int n); /* of the libraries */
static int (*alive)(void);

typedef struct given { /* a problem, and arrays with numbers that no two elements share */
  fg_context cx;
  fg_compilation c;
  fg_arrays arrays;
  fg_call call;
} given;

static void give(given *g, const char *problem) {
  *g = (given){.cx = {.arena = fg_arena_create()}};
  fg_request request = {.problem = problem, .target = "cuda"};
  fg_geometry geometry;
  assert_int_equal(fg_arena_guard(g->cx.arena), 0);
  if (fg_pipeline_parse(&g->cx, &request, &g->c) != FG_OK) fail_msg("%s", g->cx.diag.message);
  fg_geometry_create(&g->cx, &g->c.problem, NULL, &geometry);
  fg_arrays_create(&g->cx, &g->c.problem, &geometry, &g->arrays);
  size_t size = (size_t)fg_precision_bytes(g->c.problem.storage);
  for (size_t i = 0; i < g->arrays.bytes[0] / size; i++) {
    double v = sin(1 + 7 * (double)i);
    if (size == sizeof v)
      ((double *)g->arrays.slot[0])[i] = v;
    else
      ((float *)g->arrays.slot[0])[i] = (float)v;
  }
  g->call = (fg_call){.slot = g->arrays.slot, .bytes = g->arrays.bytes};
}

static double number(const given *g, int slot, int i) {
  return g->c.problem.storage == FG_F64 ? ((double *)g->arrays.slot[slot])[i]
                                        : (double)((float *)g->arrays.slot[slot])[i];
}

/* Number i of that side's transforms of so many numbers; of halves the rest mirrored. */
static void element(const given *g, int slot, int n, bool is_real, int stored, int i, double *re, double *im) {
  bool mirrored = i >= stored;
  int at = 2 * stored + (mirrored ? n - i : i); /* of the last of three transforms */
  *re = number(g, slot, is_real ? at : 2 * at);
  *im = is_real ? 0 : number(g, slot, 2 * at + 1) * (mirrored ? -1 : 1);
}

/* Element k of the last of three transforms, and what it should be. */
static void compare(const given *g, int n, fg_kind kind, int k, int sign) {
  double re = 0, im = 0, a, b;
  int half = n / 2 + 1, in = kind == FG_C2R ? half : n, out = kind == FG_R2C ? half : n;
  for (int i = 0; i < n; i++) {
    double turn = sign * 2 * M_PI * (double)(i * k % n) / n, c = cos(turn), s = sin(turn);
    element(g, 0, n, kind == FG_R2C, in, i, &a, &b);
    re += a * c - b * s, im += a * s + b * c;
  }
  element(g, 1, n, kind == FG_C2R, out, k, &a, &b);
  assert_true(fabs(re - a) < 1e-5 && (kind == FG_C2R || fabs(im - b) < 1e-5));
}

static void run(const fg_rival *r, const char *problem, int n, int sign) {
  given g;
  fg_module *m;
  char why[FG_WHY_SIZE];
  double ns = 0;
  give(&g, problem);
  if (r->create(&g.c.problem, NULL, FG_EFFORT_MEASURE, &m, why)) fail_msg("%s: %s", r->name, why);
  if (r->as_device->run(m, &g.call, why)) fail_msg("%s: %s", r->name, why);
  for (int k = 0; k < n / 2 + 1; k++) compare(&g, n, g.c.problem.kind, k, sign);
  assert_int_equal(r->as_device->time(m, &g.call, 0.001, &ns, why), 0);
  assert_true(ns > 0);
  r->as_device->destroy(m);
  assert_int_equal(alive() + fake_alive() + fake_depth, 0);
  fg_arena_destroy(g.cx.arena);
}

static void refuse(const fg_rival *r, const char *problem, const char *with) {
  given g;
  fg_module *m;
  char why[FG_WHY_SIZE];
  give(&g, problem);
  assert_int_not_equal(r->create(&g.c.problem, NULL, FG_EFFORT_MEASURE, &m, why), 0);
  if (!strstr(why, with)) fail_msg("%s of %s: %s; expected: %s", r->name, problem, why, with);
  assert_int_equal(alive() + fake_alive() + fake_depth, 0);
  fg_arena_destroy(g.cx.arena);
}

static const fg_rival *const libraries[] = {&fg_rival_cufft, &fg_rival_vkfft};

static void test_results(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    run(libraries[i], "c2c f32 n=6 batch=3", 6, -1);
    run(libraries[i], "c2c f64 n=7 batch=3 sign=+1", 7, 1);
    run(libraries[i], "r2c f32 n=6 batch=3", 6, -1);
    run(libraries[i], "r2c f64 n=7 batch=3", 7, -1);
  }
  run(&fg_rival_cufft, "c2r f32 n=6 batch=3", 6, 1);
  run(&fg_rival_cufft, "c2r f64 n=7 batch=3", 7, 1);
}

static void test_refusals(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    refuse(libraries[i], "c2c f32 n=6:2:1 batch=3:12:6", "one behind the other");
    refuse(libraries[i], "r2c f32 n=6:1:1 batch=3:8:4", "one behind the other");
    refuse(libraries[i], "c2c f16 n=6", "plain transforms");
    refuse(libraries[i], "c2c f32 n=6 layout=split", "interleaved");
    refuse(libraries[i], "conv f32 n=6", "c2c, r2c and c2r");
  }
  refuse(&fg_rival_vkfft, "c2r f32 n=6", "c2c and r2c");
  refuse(&fg_rival_cufft, "c2r f32 n=6x6", "makes no plan"); /* the stand-in has none */
}

/* Of creating, running and destroying, each call fails once: an error in words, and nothing left. */
static void test_failures(void **state) {
  void (*const at[])(int) = {fake_fail_at, fail_at};
  (void)state;
  for (int i = 0; i < 4; i++) {
    const fg_rival *r = libraries[i / 2];
    bool failed = true;
    for (int n = 1; failed; n++) {
      given g;
      fg_module *m = NULL;
      char why[FG_WHY_SIZE] = "";
      give(&g, "c2c f32 n=6 batch=3");
      at[i % 2](n);
      failed = r->create(&g.c.problem, NULL, FG_EFFORT_MEASURE, &m, why) || r->as_device->run(m, &g.call, why);
      r->as_device->destroy(m);
      at[i % 2](0);
      assert_true(!failed || *why);
      assert_true(n < 40);
      assert_int_equal(alive() + fake_depth, 0);
      fg_arena_destroy(g.cx.arena);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_results),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_failures),
  };
  void *library = dlopen(FAKE_FFT_FILE, RTLD_NOW);
  if (!library || setenv("FFTGEN_VKFFT", FAKE_FFT_FILE, 1)) return 1;
  *(void **)&fail_at = dlsym(library, "fake_fft_fail_at");
  *(void **)&alive = dlsym(library, "fake_fft_alive");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
