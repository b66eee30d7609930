/* Arrays beyond 2^31 elements, of which little is touched: compiled kernels on
 * memory that is reserved but not there. In: problems of large strides. Out: their
 * results, equal to those of the same transforms side by side. */
#include "runtime/include/fftgen/fftgen.h"
#include "tests/unit/folder.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static char folder[] = "/tmp/fftgen-sparse-XXXXXX";

static fftgen_plan *plan_of(const char *problem, const char *plan) {
  fftgen_options o = {.size = sizeof o, .cache = folder, .flags = FFTGEN_NO_WISDOM | FFTGEN_NO_PACK, .plan = plan};
  fftgen_plan *p;
  fftgen_error error;
  if (fftgen_plan_create(problem, &o, &p, &error) != FFTGEN_OK) fail_msg("%s: %s", problem, error.message);
  return p;
}

typedef struct sample {
  const char *near, *far, *plan;
  int64_t n, batch, stride, distance; /* of the far one */
  bool in_place;
  long long param; /* 0: none */
} sample;

static float noise(int64_t i) { return (float)((double)((uint64_t)i * 2654435761u % 1000003) / 1000003 - 0.5); }

static float *reserve(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

static void compare(const sample *s, const float *want, const float *far) {
  for (int64_t b = 0; b < s->batch; b++)
    for (int64_t k = 0; k < s->n; k++) {
      const float *x = want + 2 * (b * s->n + k), *y = far + 2 * (b * s->distance + k * s->stride);
      if (memcmp(x, y, 2 * sizeof *x)) fail_msg("%s: element %d of transform %d", s->far, (int)k, (int)b);
    }
}

static void check(const sample *s) {
  size_t bytes = 8 * (size_t)((s->n - 1) * s->stride + (s->batch - 1) * s->distance + 1);
  float *in = reserve(bytes), *out = s->in_place ? in : reserve(bytes);
  if (!in || !out) skip();
  size_t count = 2 * (size_t)(s->n * s->batch);
  float *x = calloc(count, sizeof *x), *want = calloc(count, sizeof *want);
  assert_true(x && want);
  for (int64_t b = 0; b < s->batch; b++)
    for (int64_t k = 0; k < s->n; k++)
      for (int part = 0; part < 2; part++) {
        int64_t i = 2 * (b * s->n + k) + part;
        x[i] = in[2 * (b * s->distance + k * s->stride) + part] = noise(i);
      }
  fftgen_plan *near = plan_of(s->near, s->plan), *far = plan_of(s->far, s->plan);
  assert_int_equal(fftgen_execute(near, x, want), FFTGEN_OK);
  fftgen_arrays a = {.in = in, .out = out, .params = s->param ? &s->param : NULL};
  assert_int_equal(fftgen_execute_arrays(far, &a), FFTGEN_OK);
  compare(s, want, out);
  fftgen_plan_destroy(near);
  fftgen_plan_destroy(far);
  free(x), free(want);
  munmap(in, bytes);
  if (!s->in_place) munmap(out, bytes);
}

static void far_elements_are_reached(void **state) {
  (void)state;
  static const sample samples[] = {
      {"c2c f32 n=64 batch=3", "c2c f32 n=64 batch=3:3000000000:3000000000", "stockham(8,8; deterministic=on)", 64, 3,
       1, 3000000000, false, 0},
      {"c2c f32 n=16", "c2c f32 n=16:500000000:500000000 place=in", "stockham(4,4; deterministic=on)", 16, 1, 500000000,
       0, true, 0},
      {"c2c f32 n=16 batch=2", "c2c f32 n=16 batch=2:pitch[16..4000000000]:pitch", "direct(16; deterministic=on)", 16,
       2, 1, 3999999999, false, 3999999999},
      {"c2c f32 n=11 batch=2", "c2c f32 n=11 batch=2:4000000001:4000000001", "rader(11, direct(10); deterministic=on)",
       11, 2, 1, 4000000001, false, 0},
  };
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) check(&samples[i]);
}

static int set_up(void **state) {
  (void)state;
  return folder_make(folder, FFTGEN_JIT_FILE);
}

static int tear_down(void **state) {
  (void)state;
  return folder_remove(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(far_elements_are_reached, set_up, tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
