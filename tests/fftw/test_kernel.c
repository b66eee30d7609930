/* Kernels of libfftgen in the place of codelets: problems drawn, under every flag, against the definition; that wisdom
 * decides between the two. The kernels are made with the program of the build. */
#include "problem.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants these first */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Mostly what libfftgen has: one kind, positive strides; and some of what it has not. */
static void draw_problem(problem *p, uint64_t *random) {
  *p = (problem){.rank = 1 + (int)draw(random, 3), .vectors = (int)draw(random, 3), .sign = draw(random, 2) ? 1 : -1};
  static const unsigned flags[] = {FFTW_MEASURE, FFTW_MEASURE, FFTW_MEASURE, FFTW_ESTIMATE};
  p->flags = flags[draw(random, 4)];
  int kind = DFT - (int)draw(random, 4), real_kind = (int)draw(random, FFTW_RODFT11 + 1);
  p->in_place = draw(random, 3) == 0;
  for (int d = 0; d < MOST_DIMS; d++) {
    p->kind[d] = kind < C2R ? real_kind : kind;
    p->dim[d].n = 2 + (ptrdiff_t)draw(random, p->rank == 1 ? 200 : p->rank == 2 ? 30 : 9);
    p->vector[d].n = 1 + (ptrdiff_t)draw(random, 9);
  }
  p->split = kind >= C2R && draw(random, 3) == 0;
  if (draw(random, 2)) p->flags |= FFTW_PRESERVE_INPUT;
  problem_lay_out(p, random, draw(random, 3) == 0);
}

/* Wisdom says that kernels are faster, whatever the clock says: of whatever is planned now. */
static void believe_in_kernels(void) {
  char *text = X(export_wisdom_to_string)();
  for (char *c = text; (c = strstr(c, " 5)")) || (c = strstr(text, " 1)"));) c[1] = '9';
  assert_int_equal(X(import_wisdom_from_string)(text), 1);
  free(text);
}

static double error_of(const problem *p) {
  const char *why;
  double error = problem_error(p, &why), allowed = problem_allowed(p);
  if (error < 0 || error > allowed) fail_msg("kind %d n %td: %s, error %.2g", p->kind[0], p->dim[0].n, why, error);
  return error;
}

/* As the clock decides, and then as kernels alone. */
static void drawn_problems(void **state) {
  (void)state;
  uint64_t random = 91;
  for (int i = 0; i < 40; i++) {
    problem p;
    draw_problem(&p, &random);
    error_of(&p);
    if (i % 4) continue;
    X(cleanup)();
    X(set_timelimit)(0);
    error_of(&p);
    X(set_timelimit)(FFTW_NO_TIMELIMIT);
    believe_in_kernels();
    error_of(&p);
  }
}

static bool is_kernel(X(plan) p) {
  assert_non_null(p);
  char *text = X(sprint_plan)(p);
  bool is = !strncmp(text, "(kernel ", 8);
  free(text);
  return is;
}

static X(plan) plan(int n, unsigned flags) {
  static X(complex) x[4096], y[4096];
  return X(plan_dft_1d)(n, x, y, FFTW_FORWARD, flags);
}

/* Without time nothing is compiled; wisdom says what to take; codelets serve ESTIMATE until somebody measured. */
static void wisdom_decides(void **state) {
  (void)state;
  X(cleanup)();
  X(plan) quick = plan(360, FFTW_ESTIMATE);
  X(set_timelimit)(0);
  X(plan) hurried = plan(360, FFTW_MEASURE);
  X(set_timelimit)(FFTW_NO_TIMELIMIT);
  assert_false(is_kernel(quick) || is_kernel(hurried));
  believe_in_kernels();
  X(plan) best = plan(360, FFTW_MEASURE), then = plan(360, FFTW_ESTIMATE);
  assert_true(is_kernel(best) && is_kernel(then));
  assert_false(is_kernel(quick) || is_kernel(hurried));
  X(cleanup)(); /* plans live on */
  X(execute)(best), X(execute)(then), X(execute)(quick);
  X(destroy_plan)(best), X(destroy_plan)(then), X(destroy_plan)(quick), X(destroy_plan)(hurried);
}

/* What is written says what was faster, and is read again. */
static void choices_are_wisdom(void **state) {
  (void)state;
  X(cleanup)();
  X(plan) p = plan(1500, FFTW_MEASURE);
  bool kernel = is_kernel(p);
  char *text = X(export_wisdom_to_string)();
  assert_non_null(strstr(text, kernel ? " 9)" : " 5)"));
  X(destroy_plan)(p);
  X(cleanup)();
  assert_int_equal(X(import_wisdom_from_string)(text), 1);
  p = plan(1500, FFTW_MEASURE | FFTW_WISDOM_ONLY);
  assert_true(is_kernel(p) == kernel);
  X(destroy_plan)(p);
  free(text);
}

/* Several threads, by threads of the library's. */
static void in_parts(void **state) {
  (void)state;
  enum { N = 1 << 15, MANY = 3 };
  X(complex) *x = X(alloc_complex)(N * MANY), *y = X(alloc_complex)(N * MANY), *z = X(alloc_complex)(N * MANY);
  for (int i = 0; i < N * MANY; i++) x[i][0] = (real)(i % 17), x[i][1] = (real)(i % 5);
  X(cleanup)();
  X(plan_with_nthreads)(3);
  X(set_timelimit)(0);
  const int n = N;
  X(destroy_plan)(X(plan_many_dft)(1, &n, MANY, x, NULL, 1, N, y, NULL, 1, N, -1, FFTW_MEASURE));
  X(set_timelimit)(FFTW_NO_TIMELIMIT);
  believe_in_kernels();
  X(plan) p = X(plan_many_dft)(1, &n, MANY, x, NULL, 1, N, y, NULL, 1, N, -1, FFTW_MEASURE);
  X(plan_with_nthreads)(1);
  X(forget_wisdom)();
  X(plan) q = X(plan_many_dft)(1, &n, MANY, x, NULL, 1, N, z, NULL, 1, N, -1, FFTW_ESTIMATE);
  assert_true(is_kernel(p) && !is_kernel(q));
  X(execute)(p), X(execute)(q);
  for (int i = 0; i < N * MANY; i++)
    for (int part = 0; part < 2; part++) assert_true(fabs((double)(y[i][part] - z[i][part])) < 1e7 * UNIT);
  X(destroy_plan)(p), X(destroy_plan)(q);
  X(free)(x), X(free)(y), X(free)(z);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drawn_problems),
      cmocka_unit_test(wisdom_decides),
      cmocka_unit_test(choices_are_wisdom),
      cmocka_unit_test(in_parts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
