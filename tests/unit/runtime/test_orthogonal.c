/* FFTGEN_ORTHOGONAL: matrices whose inverse is their transpose, in every kind and length; and among other operations.
 */
#include "runtime/include/fftgen/shared.h"
#include "tests/unit/folder.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 12 };

static char folder[] = "/tmp/fftgen-orthogonal-XXXXXX", cache[64], wisdom[64];
static fftgen_error error;

static fftgen_plan *get(const fftgen_problem *p) {
  fftgen_options o = {.size = sizeof o, .cache = cache, .wisdom = wisdom};
  fftgen_plan *plan;
  if (fftgen_plan_get(p, &o, &plan, &error) != FFTGEN_OK) fail_msg("%s", error.message);
  return plan;
}

static void matrix_of(fftgen_kind kind, int n, double m[MOST][MOST]) {
  fftgen_dim dim = {n, 1, 1};
  fftgen_problem p = {
      .size = sizeof p, .kind = kind, .precision = FFTGEN_F64, .rank = 1, .dim = &dim, .flags = FFTGEN_ORTHOGONAL};
  fftgen_plan *plan = get(&p);
  for (int j = 0; j < n; j++) {
    double in[MOST] = {0};
    in[j] = 1;
    assert_int_equal(fftgen_execute(plan, in, m[j]), FFTGEN_OK); /* column j of the transform */
  }
  fftgen_plan_release(plan);
}

static void inverse_is_transpose(void **state) {
  (void)state;
  for (int kind = FFTGEN_DCT1; kind <= FFTGEN_DST4; kind++)
    for (int n = 2; n <= MOST; n += n < 5 ? 1 : 4) {
      double m[MOST][MOST];
      matrix_of((fftgen_kind)kind, n, m);
      for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
          double sum = 0;
          for (int k = 0; k < n; k++) sum += m[a][k] * m[b][k];
          if (fabs(sum - (a == b)) > 1e-13) fail_msg("kind %d, n=%d: %d %d: %g", kind, n, a, b, sum);
        }
    }
}

/* Types II and III are each other's inverse. */
static void types_are_inverse(void **state) {
  (void)state;
  double two[MOST][MOST], three[MOST][MOST];
  for (int sine = 0; sine < 2; sine++) {
    matrix_of(sine ? FFTGEN_DST2 : FFTGEN_DCT2, 7, two), matrix_of(sine ? FFTGEN_DST3 : FFTGEN_DCT3, 7, three);
    for (int i = 0; i < 7; i++)
      for (int k = 0; k < 7; k++) assert_true(fabs(two[i][k] - three[k][i]) < 1e-13);
  }
  assert_true(fabs(two[0][0] - sqrt(2.0 / 7) * sin(acos(-1) / 14)) < 1e-13);
}

/* In three dimensions, after a window, and before a factor of the call's and another one. */
static void among_operations(void **state) {
  (void)state;
  fftgen_dim dim[] = {{3, 0, 0}, {2, 0, 0}, {4, 0, 0}};
  double in[24], out[24], before = 0, behind = 0;
  for (int kind = FFTGEN_DCT1; kind <= FFTGEN_DST4; kind++) {
    fftgen_problem p = {.size = sizeof p,
                        .kind = (fftgen_kind)kind,
                        .precision = FFTGEN_F64,
                        .rank = 3,
                        .dim = dim,
                        .flags = FFTGEN_ORTHOGONAL | FFTGEN_CALL_SCALE,
                        .more = "store='x*3, x*1' load=\"x*0.5, x*4\""};
    fftgen_plan *plan = get(&p);
    fftgen_call c = {.size = sizeof c, .scale = 0.25};
    for (int i = 0; i < 24; i++) in[i] = sin(i), before += in[i] * in[i];
    if (fftgen_execute_call(plan, &(fftgen_arrays){.in = in, .out = out}, &c, &error)) fail_msg("%s", error.message);
    for (int i = 0; i < 24; i++) behind += out[i] * out[i];
    assert_true(fabs(behind - 2.25 * before) < 1e-12 * before);
    fftgen_plan_release(plan);
  }
}

static void refused(void **state) {
  (void)state;
  char text[FFTGEN_TEXT_SIZE];
  fftgen_dim dim[] = {{8, 0, 0}, {8, 0, 0}, {8, 0, 0}, {8, 0, 0}};
  fftgen_problem p = {
      .size = sizeof p, .kind = FFTGEN_R2C, .precision = FFTGEN_F64, .rank = 1, .dim = dim, .flags = FFTGEN_ORTHOGONAL};
  assert_int_equal(fftgen_problem_text(&p, text, sizeof text, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "FFTGEN_ORTHOGONAL"));
  p.kind = FFTGEN_DCT2, p.rank = 4;
  assert_int_equal(fftgen_problem_text(&p, text, sizeof text, &error), FFTGEN_EPROBLEM);
  p.rank = 1, p.more = "load=u8";
  assert_int_equal(fftgen_problem_text(&p, text, sizeof text, &error), FFTGEN_OK);
  assert_string_equal(text, "dct2 f64 n=8 load=u8 store=x*0.25*min(sqrt(0.5)+k,1)");
  dim[0].n = 1, p.kind = FFTGEN_DCT1;
  assert_int_equal(fftgen_problem_text(&p, text, sizeof text, &error), FFTGEN_EPROBLEM);
  dim[0].n = -5;
  assert_int_equal(fftgen_problem_text(&p, text, sizeof text, &error), FFTGEN_EPROBLEM);
}

static int set_up(void **state) {
  (void)state;
  return folder_make_for_plans(folder, FFTGEN_JIT_FILE, cache, wisdom);
}

static int tear_down(void **state) {
  (void)state;
  fftgen_plans_limit(0, 0);
  return folder_remove(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(inverse_is_transpose), cmocka_unit_test(types_are_inverse),
                                     cmocka_unit_test(among_operations), cmocka_unit_test(refused)};
  return cmocka_run_group_tests_name("orthogonal", tests, set_up, tear_down);
}
