/* Deterministic plans: the same bits for any batch, alignment, number of threads
 * and instruction set. In: plans of several kinds. Out: results of the compiled
 * kernels, compared with those of one transform alone, bit by bit. */
#include "runtime/include/fftgen/fftgen.h"
#include "targets/dialect.h"
#include "tests/unit/folder.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include <cmocka.h>

enum { MOST = 9 /* transforms */, OFFSETS = 5 };

static char folder[] = "/tmp/fftgen-bits-XXXXXX";

static fftgen_options options(const char *plan) {
  return (fftgen_options){
      .size = sizeof(fftgen_options), .cache = folder, .flags = FFTGEN_NO_WISDOM | FFTGEN_NO_PACK, .plan = plan};
}

static fftgen_plan *plan_of(const char *problem, const fftgen_options *o) {
  fftgen_plan *p;
  fftgen_error error;
  if (fftgen_plan_create(problem, o, &p, &error) != FFTGEN_OK) fail_msg("%s: %s", problem, error.message);
  return p;
}

typedef struct loop {
  fftgen_work work;
  void *data;
  int part;
} loop;

static void *run_one(void *data) {
  loop *l = data;
  l->work(l->data, l->part);
  return NULL;
}

static void run_parts(void *context, int parts, fftgen_work work, void *data) {
  pthread_t thread[8];
  loop l[8];
  (void)context;
  assert_true(parts <= 8);
  for (int i = 0; i < parts; i++) {
    l[i] = (loop){work, data, i};
    assert_int_equal(pthread_create(&thread[i], NULL, run_one, &l[i]), 0);
  }
  for (int i = 0; i < parts; i++) pthread_join(thread[i], NULL);
}

static void fill(void *x, size_t bytes, bool wide) {
  uint64_t state = 99;
  for (size_t i = 0; i < bytes / (wide ? 8 : 4); i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double value = (double)(int64_t)state / 9.3e18;
    if (wide)
      ((double *)x)[i] = value;
    else
      ((float *)x)[i] = (float)value;
  }
}

typedef struct sample {
  const char *precision;
  int n;
  const char *plan; /* without its parameters */
} sample;

static char *room(size_t bytes) {
  char *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
  assert_non_null(memory);
  return memory;
}

/* `count` transforms by a plan, input and output `offset` numbers off a vector's boundary. */
static void expect_bits(const fftgen_plan *p, const sample *s, long long count, int offset, const char *want) {
  size_t number = !strcmp(s->precision, "f64") ? 8 : 4, bytes = 2 * number * (size_t)s->n * (size_t)count;
  char *in = room(bytes + 4096), *out = room(bytes + 4096);
  char *x = in + (size_t)offset * number, *y = out + (size_t)(offset * 3 % 16) * number;
  fill(x, bytes, number == 8);
  fftgen_arrays a = {.in = x, .out = y, .params = &count};
  assert_int_equal(fftgen_execute_arrays(p, &a), FFTGEN_OK);
  if (memcmp(y, want, bytes))
    fail_msg("%s n=%d %s: %lld transforms, offset %d: other bits", s->precision, s->n, s->plan, count, offset);
  free(in), free(out);
}

/* The first MOST transforms of the filled array, one by one. */
static char *one_by_one(const sample *s, const fftgen_options *o) {
  size_t number = !strcmp(s->precision, "f64") ? 8 : 4, one = 2 * number * (size_t)s->n;
  char text[64], *in = room(one * MOST), *out = room(one * MOST);
  snprintf(text, sizeof text, "c2c %s n=%d", s->precision, s->n);
  fftgen_plan *p = plan_of(text, o);
  fill(in, one * MOST, number == 8);
  for (int i = 0; i < MOST; i++)
    assert_int_equal(fftgen_execute(p, in + one * (size_t)i, out + one * (size_t)i), FFTGEN_OK);
  fftgen_plan_destroy(p);
  free(in);
  return out;
}

static void check(const sample *s) {
  char text[96], plan[160];
  snprintf(plan, sizeof plan, "%s; deterministic=on, parallel_split=on)", s->plan);
  fftgen_options o = options(plan);
  char *want = one_by_one(s, &o);
  snprintf(text, sizeof text, "c2c %s n=%d batch=count[1..%d]", s->precision, s->n, MOST);
  fftgen_plan *any = plan_of(text, &o);
  o.parallel_for = run_parts, o.threads = 2;
  fftgen_plan *two = plan_of(text, &o);
  for (int count = 1; count <= MOST; count++)
    for (int offset = 0; offset < OFFSETS; offset++) {
      expect_bits(any, s, count, offset, want);
      expect_bits(two, s, count, offset, want);
    }
  fftgen_plan_destroy(any);
  fftgen_plan_destroy(two);
  snprintf(text, sizeof text, "c2c %s n=%d batch=%d", s->precision, s->n, MOST);
  o.parallel_for = NULL;
  fftgen_plan *constant = plan_of(text, &o);
  expect_bits(constant, s, MOST, 1, want);
  fftgen_plan_destroy(constant);
  free(want);
}

static void the_same_bits(void **state) {
  (void)state;
  static const sample samples[] = {
      {"f32", 5, "direct(5"},
      {"f32", 8, "direct(8"},
      {"f64", 60, "stockham(5,4,3"},
      {"f32", 256, "stockham(16,16"},
      {"f32", 37, "rader(37, stockham(6,6)"},
      {"f64", 23, "bluestein(48, stockham(6,8)"},
  };
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) check(&samples[i]);
}

/* Lanes of other widths, or none: other programs, the same operations. */
static void the_same_bits_by_any_lanes(void **state) {
  (void)state;
  sample s = {"f32", 60, "stockham(5,4,3"};
  fftgen_options o = options("stockham(5,4,3; lanes=1, deterministic=on)");
  char *want = one_by_one(&s, &o);
  static const char *const plans[] = {"stockham(5,4,3; deterministic=on)", "stockham(5,4,3; lanes=2, deterministic=on)",
                                      "stockham(5,4,3; lanes=4, deterministic=on)"};
  for (int i = 0; i < 3; i++) {
    o.plan = plans[i];
    char *got = one_by_one(&s, &o);
    assert_memory_equal(got, want, 8 * 60 * MOST);
    free(got);
  }
  free(want);
}

/* Without the flag, machines with fused operations round otherwise: the comparison
 * above sees it. */
static void other_bits_are_seen(void **state) {
  (void)state;
  if (!fg_isa_native()->fma) skip();
  sample s = {"f32", 60, "stockham(5,4,3"};
  fftgen_options o = options("stockham(5,4,3; deterministic=on)");
  char *want = one_by_one(&s, &o);
  o.plan = "stockham(5,4,3; fma=on)";
  char *got = one_by_one(&s, &o);
  assert_memory_not_equal(got, want, 8 * 60 * MOST);
  free(want), free(got);
}

static void contradictions_are_refused(void **state) {
  (void)state;
  static const char *const bad[][2] = {
      {"stockham(8,8; fma=on, deterministic=on)", "deterministic, but fused"},
      {"stockham(8,8; deterministic=on, complex_vectors=interleaved)", "deterministic, but interleaved vectors"}};
  for (int i = 0; i < 2; i++) {
    fftgen_options o = options(bad[i][0]);
    fftgen_plan *p;
    fftgen_error error;
    assert_int_not_equal(fftgen_plan_create("c2c f32 n=64", &o, &p, &error), FFTGEN_OK);
    if (!strstr(error.message, bad[i][1])) fail_msg("%s: %s", bad[i][0], error.message);
  }
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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_bits),
      cmocka_unit_test(the_same_bits_by_any_lanes),
      cmocka_unit_test(other_bits_are_seen),
      cmocka_unit_test(contradictions_are_refused),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
