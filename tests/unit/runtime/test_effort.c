/* Plans that are measured where they run, the line of wisdom that stays of it, and wisdom's public functions. */
#include "runtime/include/fftgen/fftgen.h"
#include "targets/timing.h"
#include "tests/unit/folder.h"
#include "tests/unit/wisdom_entry.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static char folder[] = "/tmp/fftgen-effort-XXXXXX", cache[64], wisdom[64], other[64];

static fftgen_options usual(fftgen_effort effort) {
  return (fftgen_options){.size = sizeof(fftgen_options), .cache = cache, .wisdom = wisdom, .effort = effort};
}

/* Where there is no room for a sentence about it, the plan's reasons are written there. */
static fftgen_plan *plan_with(const char *problem, const fftgen_options *o, fftgen_info *info) {
  fftgen_plan *p;
  fftgen_error error;
  if (fftgen_plan_create(problem, o, &p, &error) != FFTGEN_OK) fail_msg("%s: %s", problem, error.message);
  *info = (fftgen_info){.size = sizeof *info};
  assert_int_equal(fftgen_plan_info(p, info), FFTGEN_OK);
  return p;
}

static void expect_reason(const fftgen_info *info, const char *wanted) {
  if (!strstr(info->reasons, wanted)) fail_msg("%s: '%s' is not in: %s", info->problem, wanted, info->reasons);
}

static int lines_of(const char *file, fg_wisdom *w) {
  static fg_context cx;
  fg_arena_destroy(cx.arena);
  cx.arena = fg_arena_create();
  assert_int_equal(fg_wisdom_load(&cx, file, (fg_wisdom_warn){0}, w), FG_OK);
  return w->count;
}

/* An impulse at 1: its transform is a turn of the circle. */
static void check_impulse(const fftgen_plan *p, int n) {
  float *x = calloc((size_t)n, 2 * sizeof *x), *y = calloc((size_t)n, 2 * sizeof *y);
  x[2] = 1;
  assert_int_equal(fftgen_execute(p, x, y), FFTGEN_OK);
  for (int k = 0; k < n; k++) {
    double turn = -2 * M_PI * k / n;
    assert_true(fabs(y[2 * k] - cos(turn)) < 1e-5 && fabs(y[2 * k + 1] - sin(turn)) < 1e-5);
  }
  free(x);
  free(y);
}

static void test_measured_once(void **state) {
  (void)state;
  fftgen_options o = usual(FFTGEN_MEASURE);
  fftgen_info info, again;
  fg_wisdom w;
  fftgen_plan *p = plan_with("c2c f32 n=240", &o, &info);
  expect_reason(&info, "effort: the fastest of those that were timed");
  check_impulse(p, 240);
  assert_int_equal(lines_of(wisdom, &w), 1);
  assert_string_equal(w.line[0].entry.problem, "c2c f32 n=240");
  assert_string_equal(w.line[0].entry.plan, info.plan);
  assert_false(w.line[0].entry.final);
  fftgen_plan *second = plan_with("c2c f32 n=240", &o, &again);
  expect_reason(&again, "effort: wisdom has it");
  assert_string_equal(again.plan, info.plan);
  assert_true(again.ns > 0);
  fftgen_plan_destroy(second);
  /* More patience has more to try, once. */
  o = usual(FFTGEN_PATIENT);
  second = plan_with("c2c f32 n=240", &o, &again);
  expect_reason(&again, "effort: the fastest of those that were timed");
  fftgen_plan_destroy(second);
  assert_int_equal(lines_of(wisdom, &w), 1);
  assert_true(w.line[0].entry.final);
  second = plan_with("c2c f32 n=240", &o, &again);
  expect_reason(&again, "effort: wisdom has it");
  fftgen_plan_destroy(second);
  fftgen_plan_destroy(p);
}

/* In place, in parts, and what cannot be measured. */
static void test_shapes(void **state) {
  (void)state;
  fftgen_options o = usual(FFTGEN_MEASURE);
  fftgen_info info;
  static const char *const timed[] = {"c2c f64 n=60 place=in", "r2c f32 n=48 layout=split", "c2c f32 n=16 batch=5",
                                      "c2r f32 n=32 place=in"};
  for (int i = 0; i < 4; i++) {
    fftgen_plan *p = plan_with(timed[i], &o, &info);
    expect_reason(&info, "effort: ");
    assert_null(strstr(info.reasons, "effort: it depends"));
    fftgen_plan_destroy(p);
  }
  fftgen_plan *p = plan_with("c2c f32 n=16 batch=count[1..9]", &o, &info);
  expect_reason(&info, "effort: it depends on parameters");
  fftgen_plan_destroy(p);
  o.plan = "direct(8)";
  p = plan_with("c2c f32 n=8", &o, &info);
  expect_reason(&info, "effort: the plan is given");
  fftgen_plan_destroy(p);
}

/* A line about the other sign, or another place that its plan permits, is enough; and the time is known. */
static void test_measured_for_others(void **state) {
  (void)state;
  fftgen_options o = usual(FFTGEN_MEASURE);
  fftgen_info info;
  static const char *const others[] = {"c2c f32 n=360 sign=+1", "c2c f32 n=360 scale=0.5", "c2c f32 n=360"};
  unlink(wisdom);
  fftgen_plan *p = plan_with("c2c f32 n=360", &o, &info);
  assert_true(info.ns > 0);
  fftgen_plan_destroy(p);
  for (int i = 0; i < 3; i++) {
    p = plan_with(others[i], &o, &info);
    expect_reason(&info, "effort: wisdom has it");
    assert_true(info.ns > 0);
    fftgen_plan_destroy(p);
  }
  p = plan_with("c2c f32 n=360 batch=4", &o, &info);
  expect_reason(&info, "effort: the fastest of those that were timed");
  fftgen_plan_destroy(p);
}

/* No candidate is begun after the limit; the one that is under way ends. */
static void test_time_limit(void **state) {
  (void)state;
  fftgen_options o = usual(FFTGEN_PATIENT);
  fftgen_info info;
  o.time_limit = 1e-9;
  double begin = fg_timing_now();
  fftgen_plan *p = plan_with("c2c f32 n=1260", &o, &info);
  double took = fg_timing_now() - begin;
  expect_reason(&info, "effort: no other plan was timed");
  if (took > 20) fail_msg("a limit of a nanosecond takes %g s", took);
  fftgen_plan_destroy(p);
  o.time_limit = -1;
  assert_int_equal(fftgen_plan_create("c2c f32 n=8", &o, &p, NULL), FFTGEN_EPROBLEM);
  o = usual((fftgen_effort)3);
  assert_int_equal(fftgen_plan_create("c2c f32 n=8", &o, &p, NULL), FFTGEN_EPROBLEM);
}

static fftgen_status put(const char *file, const char *problem, const char *device) {
  fg_wisdom_entry e = entry_for(device ? device : fftgen_fingerprint(), "c", problem, "direct(8)", 5);
  e.isa = "scalar", e.generator = "x";
  return entry_add(file, &e) == FG_OK ? FFTGEN_OK : FFTGEN_ESYSTEM;
}

static void test_import_export_forget(void **state) {
  (void)state;
  fftgen_options o = usual(FFTGEN_ESTIMATE);
  fftgen_error error;
  fg_wisdom w;
  unlink(wisdom);
  assert_int_equal(put(wisdom, "c2c f32 n=8", NULL), FFTGEN_OK);
  assert_int_equal(put(other, "c2c f64 n=8", NULL), FFTGEN_OK);
  assert_int_equal(put(other, "c2c f64 n=8", "another machine"), FFTGEN_OK);
  assert_int_equal(fftgen_wisdom_import(other, &o, &error), FFTGEN_OK);
  assert_int_equal(lines_of(wisdom, &w), 3);
  assert_int_equal(fftgen_wisdom_import(other, &o, NULL), FFTGEN_OK);
  assert_int_equal(lines_of(wisdom, &w), 3);
  assert_int_equal(fftgen_wisdom_export(other, &o, NULL), FFTGEN_OK);
  assert_int_equal(lines_of(other, &w), 3);
  assert_int_equal(fftgen_wisdom_forget("c2c f64 n=8 batch=1", &o, &error), FFTGEN_OK);
  assert_int_equal(lines_of(wisdom, &w), 2);
  assert_int_equal(fftgen_wisdom_forget(NULL, &o, &error), FFTGEN_OK);
  assert_int_equal(lines_of(wisdom, &w), 1);
  assert_string_equal(w.line[0].entry.device, "another machine");
  assert_int_equal(lines_of(other, &w), 3);
  /* What is wrong is said, and nothing changes. */
  assert_int_equal(fftgen_wisdom_import("/dev/null/file", &o, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "/dev/null/file"));
  assert_int_equal(fftgen_wisdom_import(NULL, &o, &error), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_wisdom_export("/dev/null/file", &o, &error), FFTGEN_ESYSTEM);
  assert_int_equal(fftgen_wisdom_forget("c2c f32", &o, &error), FFTGEN_EPROBLEM);
  assert_int_equal(lines_of(wisdom, &w), 1);
}

static void write_text(const char *file, const char *text) {
  FILE *f = fopen(file, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

/* Of a file that is no wisdom nothing comes into the user's own, of a damaged one what is wisdom; what was damaged in
 * the user's own file before stays. */
static void test_import_of_what_is_none(void **state) {
  (void)state;
  static const char source[] = "#include <stdio.h>\nint main(void) { return 0; }\n";
  fftgen_options o = usual(FFTGEN_ESTIMATE);
  fftgen_error error;
  fg_wisdom w;
  unlink(wisdom), unlink(other);
  write_text(wisdom, "damaged\n");
  write_text(other, source);
  assert_int_equal(fftgen_wisdom_import(other, &o, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "no line of wisdom"));
  assert_int_equal(lines_of(wisdom, &w), 1);
  assert_int_equal(put(other, "c2c f32 n=8", NULL), FFTGEN_OK);
  assert_int_equal(lines_of(other, &w), 3);
  assert_int_equal(fftgen_wisdom_import(other, &o, &error), FFTGEN_OK);
  assert_int_equal(lines_of(wisdom, &w), 2);
  assert_int_equal(w.damaged, 1);
}

static int set_up(void **state) {
  (void)state;
  if (folder_make(folder, FFTGEN_JIT_FILE)) return 1;
  snprintf(cache, sizeof cache, "%s/cache", folder);
  snprintf(wisdom, sizeof wisdom, "%s/wisdom.jsonl", folder);
  snprintf(other, sizeof other, "%s/other.jsonl", folder);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  return folder_remove(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_measured_once),
                                     cmocka_unit_test(test_shapes),
                                     cmocka_unit_test(test_time_limit),
                                     cmocka_unit_test(test_measured_for_others),
                                     cmocka_unit_test(test_import_of_what_is_none),
                                     cmocka_unit_test(test_import_export_forget)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
