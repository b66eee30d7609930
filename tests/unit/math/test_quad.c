/* Functions of 113 bits beside MPFR's. */
#include "generator/math/quad.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct function {
  const char *name;
  fg_quad (*own)(fg_quad x);
  int (*mpfr)(mpfr_t y, const mpfr_t x, mpfr_rnd_t round);
} functions[] = {
    {"sqrt", fg_quad_sqrt, mpfr_sqrt}, {"log", fg_quad_log, mpfr_log}, {"log10", fg_quad_log10, mpfr_log10}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void compare(const struct function *f, fg_quad x) {
  fg_quad own = f->own(x), wanted = fg_quad_by(x, f->mpfr), d = own < wanted ? wanted - own : own - wanted;
  fg_quad size = wanted < 0 ? -wanted : wanted;
  if (d > size * 0x1p-109) fail_msg("%s(%a): %a off", f->name, (double)x, (double)(d / size));
}

static void is_within_units(void **state) {
  (void)state;
  uint64_t random = 1;
  for (int i = 0; i < 20000; i++) {
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double part = (double)(random >> 12) * 0x1p-52;
    int e = (int)(random >> 3 & 2047) - 1024;
    fg_quad near = 1 + (fg_quad)(part - .5) * ldexp(1, -(int)(random >> 50 & 63)) / 3;
    for (int k = 0; k < FUNCTIONS; k++) {
      if (part > 0) compare(&functions[k], (fg_quad)ldexp(part, e) * 3 / 7);
      compare(&functions[k], near);
    }
  }
}

static void at_the_edges(void **state) {
  (void)state;
  for (int k = 0; k < FUNCTIONS; k++) {
    assert_true(isnan((double)functions[k].own(-1)));
    assert_true(isnan((double)functions[k].own((fg_quad)NAN)));
    assert_true(functions[k].own(1) == (k ? 0 : 1));
    assert_true(isinf((double)functions[k].own((fg_quad)INFINITY)));
  }
  assert_true(fg_quad_sqrt(0) == 0);
  assert_true(isinf((double)fg_quad_log(0)));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(is_within_units), cmocka_unit_test(at_the_edges)};
  return cmocka_run_group_tests_name("quad", tests, NULL, NULL);
}
