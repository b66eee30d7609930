/* Plans that are shared by their structs, and what a call says beside its arrays: scale, threads, no transforms. */
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
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/fftgen-kept-XXXXXX", cache[64], wisdom[64];
static fftgen_error error;

static fftgen_options usual(void) {
  return (fftgen_options){.size = sizeof(fftgen_options), .cache = cache, .wisdom = wisdom};
}

/* c2c in one dimension, with `batch` of them. */
typedef struct plain {
  fftgen_dim dim, batch;
  fftgen_problem p;
} plain;

static fftgen_problem *c2c(plain *at, long long n, long long batch) {
  *at = (plain){.dim = {n, 1, 1}, .batch = {batch, n, n}};
  at->p = (fftgen_problem){.size = sizeof at->p, .precision = FFTGEN_F32, .rank = 1, .dim = &at->dim, .sign = -1};
  at->p.batch_rank = 1, at->p.batch = &at->batch;
  return &at->p;
}

static fftgen_plan *get(const fftgen_problem *p) {
  fftgen_plan *plan;
  fftgen_options o = usual();
  if (fftgen_plan_get(p, &o, &plan, &error) != FFTGEN_OK) fail_msg("%s", error.message);
  return plan;
}

static fftgen_plan *create(const char *text, const fftgen_options *o) {
  fftgen_plan *plan;
  if (fftgen_plan_create(text, o, &plan, &error) != FFTGEN_OK) fail_msg("%s: %s", text, error.message);
  return plan;
}

static fftgen_plans counts(void) {
  fftgen_plans c = {.size = sizeof c};
  assert_int_equal(fftgen_plans_count(&c), FFTGEN_OK);
  return c;
}

/* ---- shared plans ---------------------------------------------------------------- */

static void one_for_equal_structs(void **state) {
  (void)state;
  plain a, b;
  fftgen_plans before = counts();
  fftgen_plan *first = get(c2c(&a, 8, 3)), *second = get(c2c(&b, 8, 3));
  assert_ptr_equal(first, second);
  fftgen_plan *others[] = {get(c2c(&b, 8, 2)), get((c2c(&b, 8, 3)->sign = 1, &b.p)),
                           get((c2c(&b, 8, 3)->more = "scale=1/n", &b.p)),
                           get((c2c(&b, 8, 3)->flags = FFTGEN_IN_PLACE, &b.p))};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_ptr_not_equal(first, others[i]);
    fftgen_plan_release(others[i]);
  }
  fftgen_plans after = counts();
  assert_int_equal(after.made - before.made, 5);
  assert_int_equal(after.found - before.found, 1);
  float in[48] = {1}, out[48];
  fftgen_plan_release(first);
  assert_int_equal(fftgen_execute(second, in, out), FFTGEN_OK);
  assert_true(out[14] == 1 && out[16] == 0);
  fftgen_plan_destroy(second); /* the same, of a plan that is shared */
  assert_ptr_equal(get(&a.p), first);
  fftgen_plan_release(first);
}

/* Options are a part of the key, as their texts say, not their addresses. */
static void options_tell_apart(void **state) {
  (void)state;
  plain a;
  fftgen_plan *plan[4];
  char text[] = "stockham(4,4)";
  fftgen_options o[4] = {usual(), usual(), usual(), usual()};
  o[1].plan = "stockham(4,4)", o[2].plan = text, o[3].flags = FFTGEN_NO_PACK;
  for (int i = 0; i < 4; i++)
    if (fftgen_plan_get(c2c(&a, 16, 1), &o[i], &plan[i], &error) != FFTGEN_OK) fail_msg("%s", error.message);
  assert_ptr_equal(plan[1], plan[2]);
  assert_ptr_not_equal(plan[0], plan[1]);
  assert_ptr_not_equal(plan[0], plan[3]);
  for (int i = 0; i < 4; i++) fftgen_plan_release(plan[i]);
}

static void bounded(void **state) {
  (void)state;
  plain a;
  fftgen_plans_limit(2, 1 << 20);
  assert_true(counts().kept <= 2);
  fftgen_plan *held = get(c2c(&a, 8, 4));
  for (int i = 5; i < 8; i++) fftgen_plan_release(get(c2c(&a, 8, i)));
  assert_int_equal(counts().kept, 2);
  float in[64] = {1}, out[64];
  assert_int_equal(fftgen_execute(held, in, out), FFTGEN_OK); /* dropped, and still its user's */
  fftgen_plan_release(held);
  fftgen_plans_limit(0, 0);
  assert_int_equal(counts().kept, 0);
  assert_int_equal(counts().bytes, 0);
  held = get(c2c(&a, 8, 4));
  assert_int_equal(counts().kept, 0);
  fftgen_plan_release(held);
  fftgen_plans_limit(1024, INT64_C(1) << 30);
}

static atomic_int wrong;

static void *get_often(void *data) {
  for (int i = 0; i < 200; i++) {
    plain a;
    fftgen_options o = usual();
    fftgen_plan *p = NULL;
    float in[64] = {1}, out[64] = {0};
    int batch = 1 + (i + *(int *)data) % 4;
    bool done =
        fftgen_plan_get(c2c(&a, 8, batch), &o, &p, NULL) == FFTGEN_OK && fftgen_execute(p, in, out) == FFTGEN_OK;
    if (!done || out[14] != 1) wrong++;
    if (i % 50 == 0) fftgen_plans_limit(3, 1 << 20);
    fftgen_plan_release(p);
  }
  return NULL;
}

static void by_threads(void **state) {
  (void)state;
  pthread_t thread[4];
  int number[4] = {0, 1, 2, 3};
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, get_often, &number[i]), 0);
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  assert_int_equal(wrong, 0);
  assert_true(counts().kept <= 3);
  fftgen_plans_limit(1024, INT64_C(1) << 30);
}

static void in_a_child(void **state) {
  (void)state;
  plain a;
  fftgen_plan *p = get(c2c(&a, 8, 2));
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    fftgen_plan *again = get(&a.p);
    fftgen_plan_release(again), fftgen_plan_release(p);
    _exit(again == p ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  fftgen_plan_release(p);
}

static void what_is_refused(void **state) {
  (void)state;
  plain a;
  fftgen_plan *plan = (fftgen_plan *)&a;
  fftgen_options bad = {.size = 0};
  assert_int_equal(fftgen_plan_get(NULL, NULL, &plan, &error), FFTGEN_EPROBLEM);
  assert_null(plan);
  assert_int_equal(fftgen_plan_get(c2c(&a, 8, 1), NULL, NULL, &error), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_plan_get(c2c(&a, 8, 1), &bad, &plan, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "options.size"));
  a.p.rank = 99;
  assert_int_equal(fftgen_plan_get(&a.p, NULL, &plan, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "rank"));
  c2c(&a, 8, 1)->batch = NULL;
  assert_int_equal(fftgen_plan_get(&a.p, NULL, &plan, &error), FFTGEN_EPROBLEM);
  c2c(&a, -8, 1);
  assert_int_equal(fftgen_plan_get(&a.p, NULL, &plan, &error), FFTGEN_EPROBLEM);
  c2c(&a, 8, 1)->nparam = 1;
  assert_int_equal(fftgen_plan_get(&a.p, NULL, &plan, &error), FFTGEN_EPROBLEM);
  fftgen_plans none = {.size = 0};
  assert_int_equal(fftgen_plans_count(&none), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_plans_count(NULL), FFTGEN_EPROBLEM);
  fftgen_plan_release(NULL);
}

/* ---- calls ------------------------------------------------------------------------ */

static fftgen_status run(const fftgen_plan *p, const void *in, void *out, double scale, int threads) {
  fftgen_call c = {.size = sizeof c, .scale = scale, .threads = threads};
  return fftgen_execute_call(p, &(fftgen_arrays){.in = in, .out = out}, &c, &error);
}

static void scaled(const char *more, fftgen_kind kind, unsigned flags) {
  plain a;
  float in[16] = {3, 0, 1}, plain_out[32] = {0}, out[32] = {0}, one[32] = {0};
  c2c(&a, 8, 1)->kind = kind, a.p.batch_rank = 0, a.p.more = more, a.p.sign = 0, a.p.flags = flags;
  fftgen_plan *usually = get(&a.p);
  a.p.flags |= FFTGEN_CALL_SCALE;
  fftgen_plan *p = get(&a.p);
  assert_int_equal(fftgen_execute(usually, in, plain_out), FFTGEN_OK);
  assert_int_equal(fftgen_execute(p, in, one), FFTGEN_OK); /* by 1 */
  assert_memory_equal(one, plain_out, sizeof one);
  if (run(p, in, out, -0.25, 0) != FFTGEN_OK) fail_msg("%s", error.message);
  for (int i = 0; i < 16; i++)
    if (fabsf(out[i] + 0.25f * plain_out[i]) > 1e-6f) fail_msg("kind %d: %g %g", kind, out[i], plain_out[i]);
  fftgen_plan_release(usually), fftgen_plan_release(p);
}

static void scale_of_a_call(void **state) {
  (void)state;
  scaled(NULL, FFTGEN_C2C, 0);
  scaled(NULL, FFTGEN_R2C, 0);
  scaled(NULL, FFTGEN_C2R, 0);
  scaled(NULL, FFTGEN_DCT2, 0);
  scaled("scale=0.5 store=conj", FFTGEN_C2C, 0);
  scaled("store=\"conj, x * 2\"", FFTGEN_C2C, 0);
  plain a;
  double in[4] = {1, 2}, out[4];
  c2c(&a, 2, 1)->precision = FFTGEN_F64, a.p.flags = FFTGEN_CALL_SCALE;
  fftgen_plan *p = get(&a.p);
  assert_int_equal(run(p, in, out, 1e-300, 0), FFTGEN_OK);
  assert_true(out[0] == 1e-300 && out[1] == 2e-300);
  assert_int_equal(run(p, in, out, INFINITY, 0), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "finite"));
  fftgen_plan_release(p);
}

/* Operands of a call keep their order around the factor. */
static void scale_among_operands(void **state) {
  (void)state;
  plain a;
  float in[8] = {1, 2}, out[8], before[4] = {2, 2, 2, 2}, behind[4] = {1, 2, 3, 4};
  c2c(&a, 4, 1)->more = "load=x*w[j] store=x*gain[k]", a.p.flags = FFTGEN_CALL_SCALE, a.p.batch_rank = 0;
  fftgen_plan *p = get(&a.p);
  const void *given[] = {before, behind};
  fftgen_call c = {.size = sizeof c, .scale = 10};
  fftgen_arrays arrays = {.in = in, .out = out, .given = given};
  assert_int_equal(fftgen_execute_call(p, &arrays, &c, &error), FFTGEN_OK);
  for (int k = 0; k < 4; k++)
    assert_true(out[2 * k] == 20.0f * (float)(k + 1) && out[2 * k + 1] == 40.0f * (float)(k + 1));
  given[1] = NULL;
  assert_int_equal(fftgen_execute_call(p, &arrays, &c, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "missing"));
  fftgen_plan_release(p);
}

static int most_parts, calls;

static void in_turn(void *context, int parts, fftgen_work work, void *data) {
  (void)context;
  most_parts = parts > most_parts ? parts : most_parts, calls++;
  for (int i = 0; i < parts; i++) work(data, i);
}

static void divided(const char *text, size_t numbers) {
  fftgen_options o = usual();
  o.parallel_for = in_turn, o.threads = 4;
  fftgen_plan *p = create(text, &o);
  size_t bytes = numbers * sizeof(float);
  float *in = malloc(bytes), *first = malloc(bytes), *out = malloc(bytes);
  for (size_t i = 0; i < numbers; i++) in[i] = sinf((float)i);
  assert_int_equal(fftgen_execute(p, in, first), FFTGEN_OK);
  for (int threads = 0; threads < 7; threads++) {
    memset(out, 0, bytes), most_parts = calls = 0;
    assert_int_equal(run(p, in, out, 0, threads), FFTGEN_OK);
    assert_memory_equal(out, first, bytes);
    assert_int_equal(most_parts, threads == 0 || threads > 4 ? 4 : threads == 1 ? 0 : threads);
  }
  assert_int_equal(run(p, in, out, 0, -1), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "threads"));
  assert_int_equal(run(p, in, out, 2, 1), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "FFTGEN_CALL_SCALE"));
  fftgen_plan_destroy(p);
  free(in), free(first), free(out);
}

static void threads_of_a_call(void **state) {
  (void)state;
  divided("c2c f32 n=16 batch=10", 320); /* a batch */
  divided("c2c f32 n=65536", 131072);    /* steps */
}

/* ---- no transforms ------------------------------------------------------------------ */

static void nothing_to_do(void **state) {
  (void)state;
  static const char *const texts[] = {"c2c f32 n=8 batch=0", "r2c f64 n=30x20 batch=3x0x2", "c2c f32 n=8 batch=0:1:1",
                                      "dct2 f32 n=8 batch=0 place=in", "conv f32 n=64 batch=0x3 spectrum=each"};
  fftgen_options o = usual();
  o.flags = FFTGEN_NO_JIT; /* no kernel is needed */
  o.effort = FFTGEN_MEASURE;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    fftgen_plan *p = create(texts[i], &o);
    float in[2] = {1, 2}, out[2] = {3, 4};
    fftgen_info info = {.size = sizeof info};
    assert_int_equal(fftgen_plan_info(p, &info), FFTGEN_OK);
    assert_string_equal(info.origin, "none");
    assert_non_null(strstr(info.problem, "0"));
    assert_int_equal(info.out_bytes, 0);
    assert_int_equal(fftgen_execute(p, in, out), FFTGEN_OK);
    assert_int_equal(fftgen_execute(p, NULL, NULL), FFTGEN_OK);
    assert_true(out[0] == 3 && out[1] == 4 && in[0] == 1);
    fftgen_plan_destroy(p);
  }
}

static void counts_from_zero(void **state) {
  (void)state;
  fftgen_options o = usual();
  fftgen_plan *p = create("c2c f32 n=4 batch=count[0..5]:4:4", &o);
  float in[40], out[40];
  for (int i = 0; i < 40; i++) in[i] = 1, out[i] = 7;
  const long long values[] = {0, 2, 6, -1};
  fftgen_arrays a = {.in = in, .out = out, .params = values};
  assert_int_equal(fftgen_execute_arrays(p, &a), FFTGEN_OK);
  assert_true(out[0] == 7);
  a.params = values + 1;
  assert_int_equal(fftgen_execute_arrays(p, &a), FFTGEN_OK);
  assert_true(out[0] == 4 && out[8] == 4 && out[16] == 7);
  for (int i = 2; i < 4; i++) {
    a.params = values + i;
    assert_int_equal(fftgen_execute_call(p, &a, NULL, &error), FFTGEN_EPROBLEM);
    assert_non_null(strstr(error.message, "parameters"));
  }
  fftgen_plan_destroy(p);
}

static void zeros_as_structs(void **state) {
  (void)state;
  plain a;
  char text[FFTGEN_TEXT_SIZE];
  assert_int_equal(fftgen_problem_text(c2c(&a, 8, 0), text, sizeof text, &error), FFTGEN_OK);
  assert_string_equal(text, "c2c f32 n=8 batch=0");
  static const fftgen_param count = {"count", 0, 9};
  c2c(&a, 8, FFTGEN_PARAM(0))->param = &count, a.p.nparam = 1;
  assert_int_equal(fftgen_problem_text(&a.p, text, sizeof text, &error), FFTGEN_OK);
  assert_string_equal(text, "c2c f32 n=8 batch=count[0..9]");
  fftgen_plan *p = get(c2c(&a, 8, 0));
  assert_int_equal(run(p, NULL, NULL, 1, 0), FFTGEN_OK);
  fftgen_plan_release(p);
}

static void zeros_that_are_refused(void **state) {
  (void)state;
  static const char *const texts[] = {"c2c f32 n=0",
                                      "c2c f32 n=8 batch=4:0:8",
                                      "c2c f32 n=8:s[0..3]:1",
                                      "c2c f32 n=8 batch=2:s[0..100]:8",
                                      "c2c f32 n=8 batch=count[0..0]",
                                      "c2c f32 n=8 batch=0*count[1..9]",
                                      "c2c f32 n=8x0"};
  fftgen_options o = usual();
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    fftgen_plan *p = (fftgen_plan *)&o;
    if (fftgen_plan_create(texts[i], &o, &p, &error) != FFTGEN_EPROBLEM) fail_msg("%s", texts[i]);
    assert_null(p);
    assert_non_null(strstr(error.message, "allowed"));
  }
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

      cmocka_unit_test(one_for_equal_structs),
      cmocka_unit_test(options_tell_apart),
      cmocka_unit_test(bounded),
      cmocka_unit_test(by_threads),
      cmocka_unit_test(in_a_child),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(scale_of_a_call),
      cmocka_unit_test(scale_among_operands),
      cmocka_unit_test(threads_of_a_call),
      cmocka_unit_test(nothing_to_do),
      cmocka_unit_test(counts_from_zero),
      cmocka_unit_test(zeros_as_structs),
      cmocka_unit_test(zeros_that_are_refused),
  };
  return cmocka_run_group_tests_name("kept", tests, set_up, tear_down);
}
