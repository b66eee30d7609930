/* Files: whole or not at all, whatever call of the system fails. */
#include "generator/base/atomic_file.h"
#include "generator/base/files.h"
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const fg_file two[] = {{"a.c", "alpha\n", 6}, {"a.h", "beta\n", 5}};

typedef struct place {
  fg_context cx;
  char root[64], folder[96];
} place;

static int set_up(void **state) {
  place *p = calloc(1, sizeof *p);
  p->cx.arena = fg_arena_create();
  strcpy(p->root, "/tmp/fgfilesXXXXXX");
  if (!mkdtemp(p->root)) return -1;
  snprintf(p->folder, sizeof p->folder, "%s/x/y", p->root);
  *state = p;
  return 0;
}

static int tear_down(void **state) {
  place *p = *state;
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", p->root);
  int failed = system(command);
  fg_arena_destroy(p->cx.arena);
  free(p);
  return failed;
}

static int count_entries(const char *folder) {
  DIR *d = opendir(folder);
  if (!d) return 0;
  int n = 0;
  for (struct dirent *e; (e = readdir(d));) n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
  closedir(d);
  return n;
}

static void expect_text(place *p, const char *name, const char *wanted) {
  char path[256], *text;
  size_t bytes;
  snprintf(path, sizeof path, "%s/%s", p->folder, name);
  assert_int_equal(fg_files_read(&p->cx, path, &text, &bytes), FG_OK);
  assert_string_equal(text, wanted);
  assert_int_equal(bytes, strlen(wanted));
}

static void writes_and_reads(void **state) {
  place *p = *state;
  int open_before = count_entries("/proc/self/fd");
  assert_int_equal(fg_files_write(&p->cx, p->folder, two, 2), FG_OK);
  expect_text(p, "a.c", "alpha\n");
  expect_text(p, "a.h", "beta\n");
  assert_int_equal(count_entries(p->folder), 2);
  assert_int_equal(count_entries("/proc/self/fd"), open_before);
}

static void reads_long_files(void **state) {
  place *p = *state;
  enum { BYTES = 4096 * 5 + 4095 };
  static char long_text[BYTES + 1];
  for (int i = 0; i < BYTES; i++) long_text[i] = (char)('a' + i % 23);
  assert_int_equal(fg_files_write(&p->cx, p->folder, &(fg_file){"long", long_text, BYTES}, 1), FG_OK);
  expect_text(p, "long", long_text);
}

/* Every call of the system fails once: an error, and only whole files. */
static void survives_every_failure(void **state) {
  place *p = *state;
  int failures = 0;
  for (long n = 1;; n++) {
    assert_true(n < 100);
    fg_diag_clear(&p->cx.diag);
    fg_atomic_file_fail_at(n);
    fg_status status = fg_files_write(&p->cx, p->folder, two, 2);
    fg_atomic_file_fail_at(0);
    if (status == FG_OK) break;
    failures++;
    assert_non_null(strstr(p->cx.diag.message, p->root));
    int entries = count_entries(p->folder);
    assert_true(entries <= 1); /* 1: the second rename failed */
    if (entries == 1) expect_text(p, "a.c", "alpha\n");
    char path[256];
    snprintf(path, sizeof path, "%s/a.c", p->folder);
    unlink(path);
  }
  assert_true(failures >= 10); /* folders, and per file: make, write, flush, rename */
}

static void keeps_old_file_when_a_write_fails(void **state) {
  place *p = *state;
  assert_int_equal(fg_files_write(&p->cx, p->folder, two, 2), FG_OK);
  fg_file other[] = {{"a.c", "gamma\n", 6}};
  fg_atomic_file_fail_at(7); /* past the folders and the opening: the write itself */
  assert_int_not_equal(fg_files_write(&p->cx, p->folder, other, 1), FG_OK);
  fg_atomic_file_fail_at(0);
  expect_text(p, "a.c", "alpha\n");
  assert_int_equal(count_entries(p->folder), 2);
}

static void refuses_a_file_as_folder(void **state) {
  place *p = *state;
  assert_int_equal(fg_files_write(&p->cx, p->folder, two, 1), FG_OK);
  char folder[256];
  snprintf(folder, sizeof folder, "%s/a.c/sub", p->folder);
  assert_int_equal(fg_files_write(&p->cx, folder, two, 1), FG_EUSER);
  assert_non_null(strstr(p->cx.diag.message, "a.c/sub"));
}

static void put(const place *p, const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", p->folder, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

/* What a killed process left is replaced by the next one that writes there. */
static void leaves_of_the_dead_go(void **state) {
  place *p = *state;
  assert_int_equal(fg_files_write(&p->cx, p->folder, two, 2), FG_OK);
  put(p, ".a.c.new", "half of something that was longer");
  put(p, ".a.h.new", "");
  assert_int_equal(count_entries(p->folder), 4);
  fg_file other[] = {{"a.c", "gamma\n", 6}, {"a.h", "delta\n", 6}};
  assert_int_equal(fg_files_write(&p->cx, p->folder, other, 2), FG_OK);
  expect_text(p, "a.c", "gamma\n");
  expect_text(p, "a.h", "delta\n");
  assert_int_equal(count_entries(p->folder), 2);
}

/* Two that write one file at a time: the last one to finish wins, neither harms the other. */
static void writers_do_not_meet(void **state) {
  place *p = *state;
  assert_int_equal(fg_files_write(&p->cx, p->folder, two, 2), FG_OK);
  char to[256];
  snprintf(to, sizeof to, "%s/a.c", p->folder);
  fg_atomic_file first = fg_atomic_file_name(p->cx.arena, to), second = fg_atomic_file_name(p->cx.arena, to);
  assert_int_equal(fg_atomic_file_open(&first), 0);
  assert_int_equal(fg_atomic_file_open(&second), 0);
  assert_string_not_equal(first.path, second.path);
  assert_int_equal(fg_atomic_file_write(&first, "first\n", 6, 0644), 0);
  assert_int_equal(fg_atomic_file_write(&second, "second\n", 7, 0644), 0);
  assert_int_equal(fg_atomic_file_commit(&second), 0);
  expect_text(p, "a.c", "second\n");
  assert_int_equal(fg_atomic_file_commit(&first), 0);
  expect_text(p, "a.c", "first\n");
  fg_atomic_file_close(&first), fg_atomic_file_close(&second);
  assert_int_equal(count_entries(p->folder), 2);
}

/* Nobody else's file is written to, nor where a link leads. */
static void links_are_not_followed(void **state) {
  place *p = *state;
  char from[256], to[256];
  assert_int_equal(fg_files_write(&p->cx, p->folder, two, 2), FG_OK);
  snprintf(from, sizeof from, "%s/a.h", p->folder);
  snprintf(to, sizeof to, "%s/.a.c.new", p->folder);
  assert_int_equal(symlink(from, to), 0);
  assert_int_equal(fg_files_write(&p->cx, p->folder, &(fg_file){"a.c", "gamma\n", 6}, 1), FG_OK);
  expect_text(p, "a.c", "gamma\n");
  expect_text(p, "a.h", "beta\n");
  unlink(to);
  assert_int_equal(link(from, to), 0);
  assert_int_equal(fg_files_write(&p->cx, p->folder, &(fg_file){"a.c", "delta\n", 6}, 1), FG_OK);
  expect_text(p, "a.c", "delta\n");
  expect_text(p, "a.h", "beta\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(writes_and_reads, set_up, tear_down),
      cmocka_unit_test_setup_teardown(reads_long_files, set_up, tear_down),
      cmocka_unit_test_setup_teardown(survives_every_failure, set_up, tear_down),
      cmocka_unit_test_setup_teardown(keeps_old_file_when_a_write_fails, set_up, tear_down),
      cmocka_unit_test_setup_teardown(refuses_a_file_as_folder, set_up, tear_down),
      cmocka_unit_test_setup_teardown(leaves_of_the_dead_go, set_up, tear_down),
      cmocka_unit_test_setup_teardown(writers_do_not_meet, set_up, tear_down),
      cmocka_unit_test_setup_teardown(links_are_not_followed, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
