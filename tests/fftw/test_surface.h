/* Tests of test_surface.c. */
#ifndef FG_TESTS_FFTW_SURFACE_H
#define FG_TESTS_FFTW_SURFACE_H

void test_basic_is_guru(void **state);
void test_in_place_rows(void **state);
void test_many(void **state);
void test_other_arrays(void **state);
void test_what_cannot_be(void **state);
void test_wisdom(void **state);
void test_text(void **state);
void test_threads_change_nothing(void **state);
void test_planner_in_threads(void **state);
void test_forks_while_threads_plan(void **state);
#endif
