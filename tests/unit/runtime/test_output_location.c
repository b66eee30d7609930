/* Where kernels are written: the cache, folders, memory, each left as it was found;
 * files in memory, whose names never return. */
#include "runtime/load/memory_file.h"
#include "runtime/load/output_location.h"
#include "targets/folder.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void put(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void expect(const char *path, const char *text) {
  char line[64] = "";
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  assert_non_null(fgets(line, sizeof line, f));
  fclose(f);
  assert_string_equal(line, text);
}

static void test_names(void **state) {
  (void)state;
  char first[FG_MEMORY_FILE_NAME], second[FG_MEMORY_FILE_NAME];
  int fd = fg_memory_file_create();
  assert_true(fd >= 0);
  fg_memory_file_name(first, fd);
  put(first, "one");
  close(fd);
  assert_int_equal(fg_memory_file_create(), fd); /* the number returns, the name does not */
  fg_memory_file_name(second, fd);
  assert_string_not_equal(first, second);
  put(second, "two");
  int copy = fg_memory_file_copy(second);
  assert_true(copy >= 0);
  put(second, "another");
  fg_memory_file_name(first, copy);
  expect(first, "two");
  close(copy);
  close(fd);
  assert_int_equal(fg_memory_file_copy("/dev/null/none"), -1);
}

static void test_places(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  char root[64];
  assert_true(fg_folder_make(root, sizeof root));
  setenv("TMPDIR", root, 1);
  setenv("FFTGEN_CACHE", root, 1);
  fg_cache cache = {.suffix = ".so"};
  assert_int_equal(fg_cache_open(&cx, NULL, &cache), FG_OK);
  fg_output_location w = {0};
  int in_cache = 0, in_root = 0, in_memory = 0;
  while (fg_output_location_next(&cx, &cache, ".so", &w)) {
    struct stat st;
    put(w.output, "kernel");
    assert_int_equal(stat(w.output, &st), 0);
    in_cache += w.in_cache;
    in_memory += w.in_memory;
    in_root += !w.in_cache && !strncmp(w.output, root, strlen(root));
    assert_true(!in_memory || (in_cache && in_root)); /* the last */
    const char *output = w.output;
    fg_output_location again = w;
    if (!w.in_memory) {
      fg_output_location_release(&again);
      assert_int_not_equal(stat(output, &st), 0);
    }
  }
  assert_int_equal(in_cache, 1);
  assert_int_equal(in_root, 1);
  assert_int_equal(in_memory, 1);
  assert_null(w.output);
  w = (fg_output_location){0}; /* without a cache, and where TMPDIR is no folder */
  setenv("TMPDIR", "/dev/null/none", 1);
  assert_true(fg_output_location_next(&cx, NULL, ".so", &w));
  assert_false(w.in_cache);
  assert_null(strstr(w.output, "/dev/null/none"));
  fg_output_location_release(&w);
  fg_arena_destroy(cx.arena);
  char command[128];
  snprintf(command, sizeof command, "rm -r '%s'", root);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_places)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
