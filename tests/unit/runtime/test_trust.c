/* What files say about compilers: a kind and a version, and never a program. */
#include "runtime/store/wisdom.h"
#include "targets/cc/kind.h"
#include "targets/device.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

extern const fg_device fg_device_cc;

static void test_kinds(void **state) {
  (void)state;
  static const char *const rows[][2] = {
      {"gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "gcc 12.2"},
      {"gcc-13 (Ubuntu 13.2.0-4ubuntu3) 13.2.0", "gcc 13.2"},
      {"gcc (GCC) 14", "gcc 14"},
      {"Debian clang version 14.0.6", "clang 14.0"},
      {"Ubuntu clang version 19.1.7 (3ubuntu1)", "clang 19.1"},
      {"clang of nobody", ""},
      {"gcc", ""},
      {"", ""},
      {"gcc (x) 123456789012345678.12345678901234567", ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char kind[FG_CC_KIND];
    fg_cc_kind(rows[i][0], kind);
    assert_string_equal(kind, rows[i][1]);
    assert_int_equal(fg_cc_is_kind(kind), *kind != 0);
  }
}

static void test_nothing_else_is_a_kind(void **state) {
  (void)state;
  static const char *const wrong[] = {"",
                                      "cc",
                                      "gcc-12",
                                      "gcc 12.2.1",
                                      "gcc  12",
                                      "gcc 12 -O2",
                                      "./gcc 12",
                                      "clang 19.1 /bin",
                                      "gcc /bin/sh",
                                      "gcc\n12",
                                      "/bin/clang",
                                      "gcc 12.2\n",
                                      "tcc",
                                      "gccc 12",
                                      "gcc "};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char why[FG_WHY_SIZE];
    if (fg_cc_is_kind(wrong[i])) fail_msg("'%s' is a kind", wrong[i]);
    assert_int_not_equal(fg_device_cc.option("kind", wrong[i], why), 0);
  }
  assert_false(fg_cc_is_kind(NULL));
  assert_int_equal(fg_cc_alike("gcc 12.2", "gcc 12.3"), FG_CC_SAME_VERSION);
  assert_int_equal(fg_cc_alike("gcc 12.2", "gcc 13.2"), FG_CC_SAME_KIND);
  assert_int_equal(fg_cc_alike("gcc", "gcc 13.2"), FG_CC_SAME_KIND);
  assert_int_equal(fg_cc_alike("gcc 19.1", "clang 19.1"), FG_CC_OTHER);
  assert_int_equal(fg_cc_alike("", ""), FG_CC_OTHER);
}

/* A kind is a wish: what is here decides. */
static void test_a_kind_that_is_not_here(void **state) {
  (void)state;
  char why[FG_WHY_SIZE], kind[FG_CC_KIND];
  fg_device_facts usual, facts;
  if (fg_device_cc.probe(&usual, why)) {
    print_message("SKIP: %s\n", why);
    skip();
  }
  fg_cc_kind(usual.version, kind);
  char *version = strchr(kind, ' ');
  assert_non_null(version);
  strcpy(version, " 1.0");
  assert_int_equal(fg_device_cc.option("kind", kind, why), 0);
  assert_int_equal(fg_device_cc.probe(&facts, why), 0);
  assert_int_equal(fg_device_cc.option("kind", NULL, why), 0);
  assert_string_equal(facts.version, usual.version);
}

/* A line of before is read, its command is noted as being there, and is not written again. */
static void test_an_old_line(void **state) {
  (void)state;
  static const char line[] =
      "{\"fftgen\":1,\"device\":\"d\",\"problem\":\"c2c f32 n=8\",\"target\":\"c\",\"plan\":\"direct(8)\","
      "\"command\":\"/tmp/evil.sh\",\"ns\":1}\n";
  fg_context cx = {.arena = fg_arena_create()};
  fg_wisdom w;
  fg_wisdom_parse(&cx, "text", line, sizeof line - 1, (fg_wisdom_warn){0}, &w);
  assert_int_equal(w.count, 1);
  assert_int_equal(w.line[0].kind, FG_WISDOM_GOOD);
  assert_true(w.line[0].entry.has_command);
  assert_string_equal(w.line[0].entry.kind, "");
  assert_null(strstr(fg_wisdom_print(&cx, &w.line[0].entry), "evil"));
  fg_arena_destroy(cx.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_nothing_else_is_a_kind),
      cmocka_unit_test(test_a_kind_that_is_not_here),
      cmocka_unit_test(test_an_old_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
