/* Wisdom that every plan asks: read once, and again as soon as the file is another one. */
#include "generator/base/atomic_file.h"
#include "runtime/store/consult.h"
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/fftgen-consult-XXXXXX", file[64], other[64];
static char warning[1100];
static int warnings;

/* The clock is the test's: how long ago a file changed is what it says. */
static atomic_int later;
time_t __real_time(time_t *out);
time_t __wrap_time(time_t *out);
time_t __wrap_time(time_t *out) {
  time_t now = __real_time(NULL) + later;
  if (out) *out = now;
  return now;
}

static int setup(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return -1;
  snprintf(file, sizeof file, "%s/wisdom.jsonl", folder);
  snprintf(other, sizeof other, "%s/other.jsonl", folder);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}

static void put(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

/* A line that says n, always of the same length. */
static const char *line(int n) {
  static char text[256];
  snprintf(text, sizeof text,
           "{\"fftgen\":1,\"device\":\"d\",\"problem\":\"c2c f32 "
           "n=%d\",\"target\":\"c\",\"plan\":\"direct(%d)\",\"ns\":1}\n",
           n, n);
  return text;
}

static void warn(void *context, const char *message) {
  (void)context;
  warnings++;
  snprintf(warning, sizeof warning, "%s", message);
}

typedef struct seen {
  int count;        /* of lines */
  char problem[32]; /* of the first one */
} seen;

static void look(void *data, const fg_wisdom *w) {
  seen *s = data;
  s->count = w->count;
  snprintf(s->problem, sizeof s->problem, "%s", w->count ? w->line[0].entry.problem : "");
}

static fg_status consult(const char *path, seen *s) {
  fg_context cx = {.arena = fg_arena_create()};
  *s = (seen){.count = -1};
  warnings = 0;
  fg_status status = FG_ENOMEM;
  if (!fg_arena_guard(cx.arena)) status = fg_consult(&cx, path, (fg_wisdom_warn){warn, NULL}, look, s);
  if (status != FG_OK) snprintf(warning, sizeof warning, "%s", cx.diag.message);
  fg_arena_destroy(cx.arena);
  return status;
}

static void expect(const char *path, const char *problem) {
  seen s;
  if (consult(path, &s) != FG_OK) fail_msg("%s", warning);
  assert_string_equal(s.problem, problem);
}

/* Whether an answer is given without any file being opened or read. */
static bool is_known(const char *path) {
  seen s;
  fg_atomic_file_fail_at(1);
  bool known = consult(path, &s) == FG_OK && s.count > 0;
  fg_atomic_file_fail_at(0);
  return known;
}

static void test_read_once(void **state) {
  (void)state;
  put(file, line(4));
  later = 10;
  expect(file, "c2c f32 n=4");
  for (int i = 0; i < 3; i++) assert_true(is_known(file));
  expect(file, "c2c f32 n=4");
}

/* Of a file that was just written the next change may have the same time. */
static void test_just_written(void **state) {
  (void)state;
  later = 0;
  put(file, line(4));
  expect(file, "c2c f32 n=4");
  assert_false(is_known(file));
  put(file, line(8));
  expect(file, "c2c f32 n=8");
  later = 10;
  expect(file, "c2c f32 n=8");
  assert_true(is_known(file));
}

static void known_as_four(void) {
  later = 0;
  put(file, line(4));
  later = 10;
  expect(file, "c2c f32 n=4");
  assert_true(is_known(file));
}

static void test_another_file(void **state) {
  (void)state;
  known_as_four();
  put(other, line(8));
  assert_int_equal(rename(other, file), 0);
  expect(file, "c2c f32 n=8");
}

static void test_longer(void **state) {
  (void)state;
  seen s;
  known_as_four();
  FILE *f = fopen(file, "a");
  fputs(line(8), f);
  fclose(f);
  assert_int_equal(consult(file, &s), FG_OK);
  assert_int_equal(s.count, 2);
}

/* As long, and with its old time put back: that of the inode's change stays. */
static void test_same_size_and_time(void **state) {
  (void)state;
  struct stat st;
  known_as_four();
  assert_int_equal(stat(file, &st), 0);
  nanosleep(&(struct timespec){0, 20000000}, NULL); /* a grain of the system's time */
  put(file, line(8));
  struct timespec times[2] = {st.st_atim, st.st_mtim};
  assert_int_equal(utimensat(AT_FDCWD, file, times, 0), 0);
  expect(file, "c2c f32 n=8");
}

static void test_gone_and_back(void **state) {
  (void)state;
  seen s;
  known_as_four();
  unlink(file);
  assert_int_equal(consult(file, &s), FG_OK);
  assert_int_equal(s.count, 0);
  put(file, line(8));
  expect(file, "c2c f32 n=8");
  unlink(file);
  assert_int_equal(mkfifo(file, 0600), 0);
  assert_int_equal(consult(file, &s), FG_ESYS); /* and nobody waits */
  assert_non_null(strstr(warning, "not a regular file"));
  assert_int_equal(s.count, -1);
  unlink(file);
}

static void test_several_files(void **state) {
  (void)state;
  char path[6][80];
  for (int i = 0; i < 6; i++) {
    char problem[32];
    snprintf(path[i], sizeof path[i], "%s/%d.jsonl", folder, i);
    snprintf(problem, sizeof problem, "c2c f32 n=%d", i + 2);
    put(path[i], line(i + 2));
    later = 10;
    expect(path[i], problem);
    expect(path[0], "c2c f32 n=2");
  }
  assert_true(is_known(path[5]));
}

/* What is wrong in it is told whenever it is asked, by the line's number. */
static void test_damaged_lines(void **state) {
  (void)state;
  seen s;
  later = 10;
  put(file, "nonsense\n");
  for (int i = 0; i < 3; i++) {
    assert_int_equal(consult(file, &s), FG_OK);
    assert_int_equal(warnings, 1);
    assert_non_null(strstr(warning, "wisdom.jsonl, line 1: not a JSON object; skipped"));
  }
}

static void ask_for_much(void *data, const fg_wisdom *w) {
  fg_context *cx = data;
  fg_arena_fail_at(cx->arena, 1);
  fg_arena_strdup(cx->arena, w->line[0].entry.problem);
}

/* Memory that runs out leaves nothing locked and nothing half read. */
static void test_no_memory(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  known_as_four();
  if (fg_arena_guard(cx.arena)) fail_msg("a jump out of a question");
  assert_int_equal(fg_consult(&cx, file, (fg_wisdom_warn){0}, ask_for_much, &cx), FG_ENOMEM);
  expect(file, "c2c f32 n=4");
  fg_arena_destroy(cx.arena);
}

enum { THREADS = 8, ROUNDS = 200 };

static void *ask_often(void *data) {
  atomic_int *bad = data;
  for (int i = 0; i < ROUNDS; i++) {
    fg_context cx = {.arena = fg_arena_create()};
    seen s = {0};
    if (fg_arena_guard(cx.arena) || fg_consult(&cx, file, (fg_wisdom_warn){0}, look, &s) != FG_OK || s.count != 3)
      (*bad)++;
    fg_arena_destroy(cx.arena);
  }
  return NULL;
}

/* Many ask while the file is replaced: each sees one whole file. */
static void test_threads(void **state) {
  (void)state;
  pthread_t thread[THREADS];
  atomic_int bad = 0;
  later = 10;
  for (int i = -1; i < 50; i++) {
    char text[800] = "";
    for (int k = 0; k < 3; k++) strcat(text, line(10 + i + k));
    put(other, text);
    assert_int_equal(rename(other, file), 0);
    for (int k = 0; i < 0 && k < THREADS; k++) assert_int_equal(pthread_create(&thread[k], NULL, ask_often, &bad), 0);
  }
  for (int k = 0; k < THREADS; k++) pthread_join(thread[k], NULL);
  assert_int_equal(bad, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_read_once),          cmocka_unit_test(test_just_written),
                                     cmocka_unit_test(test_another_file),       cmocka_unit_test(test_longer),
                                     cmocka_unit_test(test_same_size_and_time), cmocka_unit_test(test_gone_and_back),
                                     cmocka_unit_test(test_several_files),      cmocka_unit_test(test_damaged_lines),
                                     cmocka_unit_test(test_no_memory),          cmocka_unit_test(test_threads)};
  return cmocka_run_group_tests_name("consult", tests, setup, teardown);
}
