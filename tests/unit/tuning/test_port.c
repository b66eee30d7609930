/* The arithmetic of a portability report, against numbers made by hand; its JSON. */
#include "tuning/portability/sums.h"
#include "tuning/report/json.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static void near(double is, double wanted, double error) {
  if (fabs(is - wanted) <= error * fabs(wanted)) return;
  print_error("%.17g, wanted %.17g\n", is, wanted);
  fail();
}

static void metric(void **state) {
  (void)state;
  near(fg_port_metric((double[]){1, 1, 1}, 3), 1, 0);
  near(fg_port_metric((double[]){0.5}, 1), 0.5, 0);
  near(fg_port_metric((double[]){1, 0.5}, 2), 2.0 / 3, 1e-15);       /* 2 / (1 + 2) */
  near(fg_port_metric((double[]){0.25, 0.5, 1}, 3), 3.0 / 7, 1e-15); /* 3 / (4 + 2 + 1) */
  near(fg_port_metric((double[]){0.9, 0.1}, 2), 0.18, 1e-14);        /* the slow one decides */
  assert_true(fg_port_metric((double[]){0.9, 0}, 2) == 0);           /* does not run there */
  assert_true(fg_port_metric((double[]){0.9, NAN}, 2) == 0);
  assert_true(fg_port_metric(NULL, 0) == 0);
}

static void lost(void **state) {
  (void)state;
  near(fg_port_lost(10, 20), 0.5, 0);
  near(fg_port_lost(10, 40), 0.75, 0);
  assert_true(fg_port_lost(10, 10) == 0);
  near(fg_port_lost(10, 8), -0.25, 1e-15);
}

static void spread(void **state) {
  (void)state;
  fg_port_spread s;
  fg_port_spread_of((double[]){4, 1, 2, 3, 5}, 5, &s);
  assert_int_equal(s.count, 5);
  near(s.mean, 3, 1e-15);
  near(s.deviation, sqrt(2.5), 1e-15); /* squares 4 1 0 1 4 over 4 */
  near(s.median, 3, 0);
  near(s.low, 1.04, 1e-14);
  near(s.high, 4.96, 1e-14);
  assert_true(s.least == 1 && s.most == 5);
  fg_port_spread_of((double[]){7}, 1, &s);
  assert_true(s.mean == 7 && s.median == 7 && s.high == 7 && s.deviation == 0);
  fg_port_spread_of(NULL, 0, &s);
  assert_true(s.count == 0 && s.mean == 0);
}

/* Tables of the distribution, and what it is in closed form for 2 and 4 degrees. */
static void tail(void **state) {
  (void)state;
  for (int i = 0; i < 17; i++) {
    double x = 0.01 * pow(1.7, i);
    near(fg_port_chi2_tail(x, 2), exp(-x / 2), 1e-12);
    near(fg_port_chi2_tail(x, 4), exp(-x / 2) * (1 + x / 2), 1e-12);
    near(fg_port_chi2_tail(x, 1), erfc(sqrt(x / 2)), 1e-12);
  }
  near(fg_port_chi2_tail(3.841458820694124, 1), 0.05, 1e-12);
  near(fg_port_chi2_tail(18.307038053275146, 10), 0.05, 1e-12);
  near(fg_port_chi2_tail(124.34211340400407, 100), 0.05, 1e-12);
  near(fg_port_chi2_tail(7.1, 2048), 1, 1e-15); /* 3.47e-3 each */
  assert_true(fg_port_chi2_tail(0, 5) == 1);
  assert_true(fg_port_chi2_tail(INFINITY, 5) == 0);
}

static void agreement(void **state) {
  (void)state;
  /* Magnitudes 5 and 10; the second is 11 in a, in the same direction. */
  static const double b[] = {3, 4, 0, 10, 0, 0}, a[] = {3, 4, 0, 11, 0, 0};
  fg_port_agreement g;
  fg_port_agree(a, b, 3, &g);
  near(g.l2, 1 / sqrt(125), 1e-15);
  near(g.max, 1 / sqrt(125.0 / 3), 1e-15);
  near(g.chi2, 0.1, 1e-15); /* 1^2 / 10 */
  near(g.ndf, 2, 0);        /* the bin of nothing says nothing */
  near(g.p, exp(-0.05), 1e-12);
  fg_port_agree(b, b, 3, &g);
  assert_true(g.l2 == 0 && g.max == 0 && g.chi2 == 0 && g.p == 1);
  /* Only a turn: magnitudes do not see it, the difference does. */
  static const double turned[] = {-3, 4, 0, 10, 0, 0};
  fg_port_agree(turned, b, 3, &g);
  near(g.l2, 6 / sqrt(125), 1e-15);
  assert_true(g.chi2 == 0);
  /* Something where nothing is expected. */
  fg_port_agree((double[]){3, 4, 0, 10, 0, 1e-9}, b, 3, &g);
  assert_true(isinf(g.chi2) && g.p == 0);
}

/* Alike in every locale: tests/locale/ runs this in some. */
static void json(void **state) {
  (void)state;
  cJSON *all = cJSON_CreateObject();
  cJSON_AddNumberToObject(all, "half", 0.5);
  cJSON_AddNumberToObject(all, "third", 1.0 / 3);
  char *text = fg_json_print(all);
  assert_non_null(text);
  assert_string_equal(text, "{\"half\":0.5,\"third\":0.33333333333333331}");
  cJSON_free(text);
  cJSON_Delete(all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(metric), cmocka_unit_test(lost),      cmocka_unit_test(spread),
      cmocka_unit_test(tail),   cmocka_unit_test(agreement), cmocka_unit_test(json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
