/* Spills read back from assembly: what counts, and what does not. */
#include "targets/cc/spills.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static void expect(const char *assembly, int stores, int loads) {
  fg_spills s = fg_spills_count(assembly);
  assert_int_equal(s.stores, stores);
  assert_int_equal(s.loads, loads);
}

static void test_x86(void **state) {
  (void)state;
  expect("", 0, 0);
  expect("\tvmovaps\t%zmm3, 64(%rsp)\n", 1, 0);
  expect("\tvmovapd\t%ymm0, -120(%rbp)\n\tmovaps\t%xmm15, (%rsp)", 2, 0);
  expect("\tvmovaps\t64(%rsp), %zmm3\n", 0, 1);
  expect("\tvfmadd231ps\t-64(%rbp), %ymm1, %ymm2\n\taddsd\t8(%rsp), %xmm0\n", 0, 2);
  expect("\tvmovaps\t%zmm3, 64(%rsi)\n\tvmovaps\t(%rdi,%rax), %zmm3\n", 0, 0);
  expect("\tmovq\t%rbx, 8(%rsp)\n\tmovq\t8(%rsp), %rbx\n\tsubq\t$64, %rsp\n", 0, 0);
  expect("# a comment on xmm and (%rsp)\n", 0, 0);
}

static void test_arm(void **state) {
  (void)state;
  expect("\tstr\tq0, [sp, 16]\n\tldr\tq31, [sp, 32]\n\tstp\tq1, q2, [x29, -32]\n", 2, 1);
  expect("\tstp\td8, d9, [sp, 16]\n\tstp\tx29, x30, [sp, -80]!\n\tstr\tq0, [x1]\n", 0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_x86), cmocka_unit_test(test_arm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
