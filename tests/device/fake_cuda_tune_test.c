/* The tuner on a device that is not this CPU, against the driver of fake_cuda.c, whose kernels are computed here: NVRTC
 * compiles them for real, the host runs what they should. Into some of them faults are planted - a wrong number, a
 * number written elsewhere, a hang, a crash, a context that is lost - and each must cost its own candidate and nothing
 * else. Exit code 77: NVRTC is not there. */
#include "targets/cuda/cuda.h"
#include "tuning/measure/sweeps.h"
#include "tuning/search/search.h"
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include <cmocka.h>

/* fake_cuda.c */
extern int (*fake_kernel)(const char *name, unsigned long image, void **arguments);
extern float fake_milliseconds;
extern int fake_dead;

enum { POINTS = 256, BATCH = 37, MOST = 256, REFUSED = 719 };
enum fault { SOUND, WRONG, ELSEWHERE, INPUT, HANGS, CRASHES, LOST, REFUSES };
static const char problem[] = "c2c f32 n=256 batch=37";

typedef struct shared { /* by all processes of a search: images in the order in which they came */
  unsigned long image[MOST];
  int count;
  enum fault fault[MOST]; /* of the image with that number */
} shared;
static shared *known;

static int number_of(unsigned long image) {
  for (int i = 0; i < known->count; i++)
    if (known->image[i] == image) return i;
  known->image[known->count] = image;
  return known->count++;
}

static void transform(const float complex *in, float complex *out) {
  static double complex root[POINTS];
  for (int k = 0; k < POINTS; k++) root[k] = cexp(-2 * M_PI * I * k / POINTS);
  for (int k = 0; k < POINTS; k++) {
    double complex sum = 0;
    for (int i = 0; i < POINTS; i++) sum += (double complex)in[i] * root[i * k % POINTS];
    out[k] = (float complex)sum;
  }
}

static void *pointer(void *argument) {
  unsigned long long at;
  memcpy(&at, argument, sizeof at);
  return (void *)(uintptr_t)at;
}

static int candidate(unsigned long image, float complex *in, float complex *out) {
  int number = number_of(image);
  enum fault fault = known->fault[number];
  for (int t = 0; t < BATCH; t++) transform(in + (size_t)t * POINTS, out + (size_t)t * POINTS);
  fake_milliseconds = 0.25f + 0.02f * (float)number;
  if (fault == WRONG) out[17 * POINTS + 5] += 1e-3f;
  if (fault == ELSEWHERE) out[BATCH * POINTS + 3] = 1;
  if (fault == INPUT) in[3] += 1;
  if (fault == HANGS) sleep(1000);
  if (fault == CRASHES) abort();
  if (fault == LOST) fake_dead = 1;
  return fault == LOST || fault == REFUSES ? REFUSED : 0;
}

static int kernel(const char *name, unsigned long image, void **arguments) {
  for (int i = 0; i < FG_SWEEP_COUNT; i++) {
    const fg_sweep_row *row = &fg_sweep_table[i];
    void *slot[8];
    int64_t param[8];
    if (strcmp(name, row->name) != 0) continue;
    for (int k = 0; k < row->nslot; k++) slot[k] = pointer(arguments[k]);
    for (int k = 0; k < row->nparam; k++) memcpy(&param[k], arguments[row->nslot + k], sizeof *param);
    row->run(slot, param);
    return 0;
  }
  return candidate(image, pointer(arguments[0]), pointer(arguments[1]));
}

typedef struct tuned {
  fg_context cx;
  fg_compilation c;
  fg_search_space space;
  fg_device_facts facts;
  fg_search_result result;
} tuned;

/* A user's space: all of it is tried. */
static void write_space(char path[]) {
  static const char rules[] = "rules = { { name = 'threads', values = { 0, 32, 64, 128 } },\n"
                              "          { name = 'steps', values = { 0, 1 } } }\n";
  int fd = mkstemp(path);
  assert_true(fd >= 0 && write(fd, rules, sizeof rules - 1) == sizeof rules - 1);
  close(fd);
}

static void tune(tuned *t, int most) {
  char why[FG_WHY_SIZE], path[] = "/tmp/fftgen-space-XXXXXX";
  write_space(path);
  *t = (tuned){.cx = {.arena = fg_arena_create()}};
  assert_false(fg_arena_guard(t->cx.arena) != 0);
  assert_int_equal(fg_device_cuda.probe(&t->facts, why), 0);
  const fg_request request = {.problem = problem, .target = "cuda", .facts = &t->facts};
  assert_int_equal(fg_pipeline_parse(&t->cx, &request, &t->c), FG_OK);
  assert_int_equal(fg_pipeline_decide(&t->c), FG_OK);
  assert_int_equal(fg_space_load(&t->cx, path, &t->space), FG_OK);
  unlink(path);
  const fg_search_options o = {
      .device = &fg_device_cuda, .facts = &t->facts, .space = &t->space, .seconds = 120, .hang = 1.5, .most = most};
  fg_status status = fg_search_run(&t->c, &o, &t->result);
  if (status != FG_OK) fail_msg("%s", t->cx.diag.message);
}

static int count_why(const tuned *t, const char *text) {
  int n = 0;
  for (int i = 0; i < t->result.count; i++) {
    const fg_candidate *k = &t->result.candidate[i];
    n += k->failed && k->why && strstr(k->why, text);
  }
  return n;
}

static void expect_why(const tuned *t, const char *text) {
  if (count_why(t, text) == 1) return;
  for (int i = 0; i < t->result.count; i++)
    if (t->result.candidate[i].why) printf("%s: %s\n", t->result.candidate[i].plan, t->result.candidate[i].why);
  fail_msg("%d candidates failed by: %s", count_why(t, text), text);
}

static void begin(void) {
  memset(known, 0, sizeof *known);
  fake_kernel = kernel;
}

static void test_the_fastest_wins(void **state) {
  (void)state;
  static tuned t;
  begin();
  tune(&t, 5);
  assert_true(t.result.candidate[0].ns > 0);
  assert_true(t.result.final && t.result.proved);
  assert_float_equal(t.result.candidate[0].ns, 0.25e6, 1); /* the first that was loaded */
  for (int i = 0; i < t.result.count; i++) assert_false(t.result.candidate[i].failed);
  fg_arena_destroy(t.cx.arena);
}

static void test_each_fault_costs_its_own_candidate(void **state) {
  (void)state;
  static tuned t;
  begin();
  const enum fault planted[] = {WRONG, ELSEWHERE, SOUND, INPUT, HANGS, CRASHES, LOST, REFUSES};
  memcpy(known->fault, planted, sizeof planted);
  tune(&t, 12);
  assert_true(known->count > 8);
  expect_why(&t, "computes wrongly: 1 of 18944 numbers are off");
  expect_why(&t, "it wrote 1 words that are no output");
  expect_why(&t, "it changed its input");
  expect_why(&t, "hangs while it is checked");
  expect_why(&t, "crashed: Aborted");
  assert_int_equal(count_why(&t, "CUDA_ERROR_FAKE"), 2);
  assert_true(t.result.candidate[0].ns > 0);
  assert_float_equal(t.result.candidate[0].ns, 0.25e6 + 2 * 0.02e6, 1); /* the first sound one */
  fg_arena_destroy(t.cx.arena);
}

static int make_room(void **state) {
  (void)state;
  known = mmap(NULL, sizeof *known, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return known == MAP_FAILED;
}

int main(void) {
  char why[FG_WHY_SIZE];
  fg_device_facts facts;
  if (fg_device_cuda.probe(&facts, why)) {
    printf("SKIP: %s\n", why);
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_fastest_wins),
                                     cmocka_unit_test(test_each_fault_costs_its_own_candidate)};
  return cmocka_run_group_tests_name("device.cuda.tune.fake", tests, make_room, NULL);
}
