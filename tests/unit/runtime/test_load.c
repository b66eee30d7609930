/* Libraries that are loaded: plugins and kernels of every wrong sort are refused, each with its reason, and the right
 * ones are taken after them. */
#include "runtime/load/host.h"
#include "runtime/load/plugin.h"
#include "runtime/version.h"
#include "targets/folder.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static fg_context cx;

static int begin(void **state) {
  (void)state;
  cx = (fg_context){.arena = fg_arena_create()};
  return cx.arena ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  fg_arena_destroy(cx.arena);
  return 0;
}

/* file NULL: the variable is not set, and nothing is beside this program. */
static void must_refuse_plugin(const char *file, const char *words) {
  const char *why = "";
  if (file)
    setenv("FFTGEN_JIT", file, 1);
  else
    unsetenv("FFTGEN_JIT");
  assert_null(fg_plugin_find(&cx, &why));
  if (!strstr(why, words)) fail_msg("%s: \"%s\" does not say \"%s\"", file ? file : "no variable", why, words);
}

static void plugins(void **state) {
  (void)state;
  const char *why = "";
  must_refuse_plugin("", "FFTGEN_JIT is empty");
  must_refuse_plugin("/nonexistent/libfftgen-jit.so", "/nonexistent/libfftgen-jit.so: ");
  must_refuse_plugin(NULL, "libfftgen-jit.so: ");
  must_refuse_plugin("libm.so.6", "not the library that it should be");
  must_refuse_plugin(FOREIGN_FILE, "of another version than this library");
  must_refuse_plugin(DAMAGED_FILE, "of another version than this library");
  setenv("FFTGEN_JIT", FFTGEN_JIT_FILE, 1);
  const fg_jit *jit = fg_plugin_find(&cx, &why);
  if (!jit) fail_msg("%s", why);
  assert_int_equal(jit->abi, FG_JIT_ABI);
  assert_string_equal(jit->version, fg_version);
  setenv("FFTGEN_JIT", "", 1); /* once found it stays */
  assert_ptr_equal(fg_plugin_find(&cx, &why), jit);
}

static void must_refuse_kernel(const char *problem, const char *path, const char *words) {
  fg_host_loader l;
  fg_load_host_begin(&l);
  const char *why = l.loader.open(&l.loader, &cx, problem, path);
  if (!why || !strstr(why, words)) fail_msg("%s: \"%s\" does not say \"%s\"", path, why ? why : "taken", words);
  assert_null(l.kernel);
  assert_null(l.loader.plan);
  fg_load_host_end(&l);
}

static void kernels(void **state) {
  (void)state;
  char folder[64], text[80];
  assert_true(fg_folder_make(folder, sizeof folder));
  snprintf(text, sizeof text, "%s/kernel.so", folder);
  FILE *f = fopen(text, "w");
  assert_non_null(f);
  fputs("no object\n", f);
  fclose(f);
  must_refuse_kernel("c2c f32 n=2", "/nonexistent/kernel.so", "/nonexistent/kernel.so: ");
  must_refuse_kernel("c2c f32 n=2", text, "/kernel.so: "); /* nor is it one in memory */
  must_refuse_kernel("c2c f32 n=2", "libm.so.6", "no kernel inside");
  must_refuse_kernel("c2c f32 n=4", FOREIGN_FILE, "a kernel for another problem");
  must_refuse_kernel("c2c f32 n=2", DAMAGED_FILE, "its description is damaged");
  unlink(text), rmdir(folder);
  fg_host_loader l;
  fg_load_host_begin(&l);
  const char *why = l.loader.open(&l.loader, &cx, "c2c f32 n=2", FOREIGN_FILE);
  if (why) fail_msg("%s", why);
  float in[4] = {1, 2, 3, 5}, out[4];
  l.kernel->entry((void *const[]){in, out}, NULL);
  assert_true(out[0] == 4 && out[1] == 7 && out[2] == -2 && out[3] == -3);
  assert_string_equal(l.loader.plan, "direct(2)");
  assert_null(l.loader.remark);
  assert_null(l.loader.refuse(&l.loader, ""));
  assert_non_null(strstr(l.loader.refuse(&l.loader, "no-such-feature"), "this CPU lacks"));
  fg_load_host_end(&l);
  assert_null(l.kernel);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(plugins, begin, end),
                                     cmocka_unit_test_setup_teardown(kernels, begin, end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
