/* Templates: substitution, repetition, conditions, and errors that name the place. */
#include "generator/base/template.h"
#include "tests/unit/fixture.h"
#include <cmocka.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void expect(const fg_template_values *v, const char *text, const char *wanted) {
  fg_strbuf out = fg_strbuf_new(context.arena);
  assert_int_equal(fg_template_expand_text(&context, "t", text, v, &out), FG_OK);
  assert_string_equal(out.text, wanted);
}

static void expect_error(const fg_template_values *v, const char *text, const char *message) {
  fg_strbuf out = fg_strbuf_new(context.arena);
  fg_diag_clear(&context.diag);
  assert_int_equal(fg_template_expand_text(&context, "t", text, v, &out), FG_ESYS);
  assert_string_equal(context.diag.message, message);
}

static void test_substitutes(void **state) {
  (void)state;
  fg_template_values *v = fg_template_create(&context);
  fg_template_set(v, "a", "1");
  fg_template_setf(v, "b", "%d-%d", 2, 3);
  expect(v, "x ${a}${b} $ {a} $\n", "x 12-3 $ {a} $\n");
  fg_template_set(v, "a", "again");
  expect(v, "${a}", "again\n");
  expect(v, "", "");
}

static void test_repeats(void **state) {
  (void)state;
  fg_template_values *v = fg_template_create(&context);
  fg_template_set(v, "n", "N");
  fg_template_list(v, "none");
  for (int i = 0; i < 2; i++) {
    fg_template_values *row = fg_template_add_row(v, "k");
    fg_template_setf(row, "i", "%d", i);
    fg_template_list(row, "arg");
    for (int j = 0; j <= i; j++) fg_template_setf(fg_template_add_row(row, "arg"), "j", "%d", j);
  }
  expect(v, "@each k\n${n}${k.i}\n@each k.arg\n ${k.i}.${arg.j}\n@end\n@end\nend\n", "N0\n 0.0\nN1\n 1.0\n 1.1\nend\n");
  expect(v, "@each none\n${nowhere}\n@end\n", "");
}

static void test_chooses(void **state) {
  (void)state;
  fg_template_values *v = fg_template_create(&context);
  fg_template_set(v, "yes", "1");
  fg_template_set(v, "no", "");
  expect(v, "@if yes\na\n@if no\nb\n@end\nc\n@end\n@if no\n${unknown}\n@end\n", "a\nc\n");
}

static void test_names_the_error(void **state) {
  (void)state;
  fg_template_values *v = fg_template_create(&context);
  fg_template_set(v, "a", "1");
  fg_template_set(fg_template_add_row(v, "k"), "i", "0");
  expect_error(v, "x\n${wrong}\n", "template t, line 2: unknown name wrong");
  expect_error(v, "${k.i}\n", "template t, line 1: unknown name k.i");
  expect_error(v, "@each k\n${k.j}\n@end\n", "template t, line 2: unknown name k.j");
  expect_error(v, "@each list\n@end\n", "template t, line 1: unknown list list");
  expect_error(v, "@if b\n@end\n", "template t, line 1: unknown name b");
  expect_error(v, "@if a\n", "template t, line 1: block without @end");
  expect_error(v, "@end\n", "template t, line 1: unknown directive");
  expect_error(v, "a\n${a\n", "template t, line 2: bad ${...}");
  fg_strbuf out = fg_strbuf_new(context.arena);
  fg_diag_clear(&context.diag);
  assert_int_equal(fg_template_expand(&context, "no such.tmpl", v, &out), FG_ESYS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_substitutes, setup, teardown),
      cmocka_unit_test_setup_teardown(test_repeats, setup, teardown),
      cmocka_unit_test_setup_teardown(test_chooses, setup, teardown),
      cmocka_unit_test_setup_teardown(test_names_the_error, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
