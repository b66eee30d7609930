/* FFTW's functions beside each other: basic and many are what guru is with the strides that they stand for; execution
 * on other arrays; wisdom, text, threads. */
#include "test_surface.h"
#include "problem.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka wants these first */
#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef X(complex) pair;

static real *numbers(size_t n, uint64_t seed) {
  real *x = X(alloc_real)(n);
  for (size_t i = 0; i < n; i++) x[i] = (real)((double)draw(&seed, 2001) / 1000 - 1);
  return x;
}

/* Executes and destroys; fails without a plan. */
static void run(X(plan) p) {
  assert_non_null(p);
  X(execute)(p);
  X(destroy_plan)(p);
}

static void same(const real *a, const real *b, size_t n) { assert_memory_equal(a, b, n * sizeof *a); }

void test_basic_is_guru(void **state) {
  (void)state;
  enum { A = 4, B = 6, C = 5, N = A * B * C, H = A * B * (C / 2 + 1) };
  real *x = numbers(2 * N, 1), *y = numbers(2 * N, 2), *z = numbers(2 * N, 3);
  X(iodim) rows[3] = {{A, B * C, B * C}, {B, C, C}, {C, 1, 1}};
  X(iodim) half[3] = {{A, B * C, B * 3}, {B, C, 3}, {C, 1, 1}}, back[3] = {{A, B * 3, B * C}, {B, 3, C}, {C, 1, 1}};
  int n[3] = {A, B, C};
  run(X(plan_dft_3d)(A, B, C, (pair *)x, (pair *)y, FFTW_FORWARD, FFTW_ESTIMATE));
  run(X(plan_guru_dft)(3, rows, 0, NULL, (pair *)x, (pair *)z, FFTW_FORWARD, FFTW_ESTIMATE));
  same(y, z, 2 * N);
  run(X(plan_dft)(2, n + 1, (pair *)x, (pair *)y, FFTW_BACKWARD, FFTW_ESTIMATE));
  run(X(plan_dft_2d)(B, C, (pair *)x, (pair *)z, FFTW_BACKWARD, FFTW_ESTIMATE));
  same(y, z, 2 * B * C);
  run(X(plan_dft_r2c_3d)(A, B, C, x, (pair *)y, FFTW_ESTIMATE));
  run(X(plan_guru_dft_r2c)(3, half, 0, NULL, x, (pair *)z, FFTW_ESTIMATE));
  same(y, z, 2 * H);
  real *w = numbers(2 * N, 4);
  run(X(plan_dft_c2r)(3, n, (pair *)y, w, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT));
  same(y, z, 2 * H);
  real *v = numbers(2 * N, 5);
  run(X(plan_guru_dft_c2r)(3, back, 0, NULL, (pair *)z, v, FFTW_ESTIMATE));
  same(v, w, N);
  for (int i = 0; i < N; i++) assert_true(fabs((double)(w[i] / N - x[i])) < 100 * UNIT);
  X(r2r_kind) kind[3] = {FFTW_REDFT10, FFTW_RODFT01, FFTW_DHT};
  run(X(plan_r2r_3d)(A, B, C, x, y, kind[0], kind[1], kind[2], FFTW_ESTIMATE));
  run(X(plan_guru_r2r)(3, rows, 0, NULL, x, z, kind, FFTW_ESTIMATE));
  same(y, z, N);
  X(free)(x), X(free)(y), X(free)(z), X(free)(w), X(free)(v);
}

/* Rows of reals in place are padded, unless strides are given. */
void test_in_place_rows(void **state) {
  (void)state;
  enum { A = 3, B = 7, H = B / 2 + 1 };
  real *x = numbers(A * B, 1), *y = numbers(2 * A * H, 2), *z = numbers(2 * A * H, 3);
  for (int i = 0; i < A; i++) memcpy(z + 2 * H * i, x + B * i, B * sizeof *x);
  run(X(plan_dft_r2c_2d)(A, B, x, (pair *)y, FFTW_ESTIMATE));
  run(X(plan_dft_r2c_2d)(A, B, z, (pair *)z, FFTW_ESTIMATE));
  for (int i = 0; i < 2 * A * H; i++) assert_true(fabs((double)(y[i] - z[i])) < 100 * UNIT);
  run(X(plan_dft_c2r_2d)(A, B, (pair *)z, z, FFTW_ESTIMATE));
  for (int i = 0; i < A; i++)
    for (int j = 0; j < B; j++) assert_true(fabs((double)(z[2 * H * i + j] / (A * B) - x[B * i + j])) < 100 * UNIT);
  X(free)(x), X(free)(y), X(free)(z);
}

/* Columns of a wider array, several at once, by the many functions. */
void test_many(void **state) {
  (void)state;
  enum { A = 6, B = 8, WIDE = 11, MANY = 3 };
  int n[2] = {A, B}, embed[2] = {A, WIDE};
  size_t size = 2 * A * WIDE * MANY;
  real *x = numbers(size, 1), *y = numbers(size, 2), *z = numbers(size, 2);
  X(iodim) dims[2] = {{A, WIDE * MANY, WIDE * MANY}, {B, MANY, MANY}}, many = {MANY, 1, 1};
  run(X(plan_many_dft)(2, n, MANY, (pair *)x, embed, MANY, 1, (pair *)y, embed, MANY, 1, FFTW_FORWARD, FFTW_ESTIMATE));
  run(X(plan_guru_dft)(2, dims, 1, &many, (pair *)x, (pair *)z, FFTW_FORWARD, FFTW_ESTIMATE));
  same(y, z, size);
  X(free)(x), X(free)(y), X(free)(z);
}

/* At alignments that no plan was made for. */
void test_other_arrays(void **state) {
  (void)state;
  enum { N = 96 };
  real *x = numbers(2 * N + 3, 1), *y = numbers(2 * N + 3, 2), *z = numbers(2 * N + 3, 3);
  X(plan) p = X(plan_dft_1d)(N, (pair *)x, (pair *)y, FFTW_FORWARD, FFTW_MEASURE);
  X(execute)(p);
  memcpy(z + 1, x, 2 * N * sizeof *x);
  memmove(x + 3, x, 2 * N * sizeof *x);
  X(execute_dft)(p, (pair *)(x + 3), (pair *)(z + 3));
  same(y, z + 3, 2 * N);
  X(destroy_plan)(p);
  X(destroy_plan)(NULL);
  X(free)(x), X(free)(y), X(free)(z);
}

void test_what_cannot_be(void **state) {
  (void)state;
  real x[16] = {0};
  X(r2r_kind) wrong = (X(r2r_kind))99;
  assert_null(X(plan_dft_1d)(0, (pair *)x, (pair *)x, FFTW_FORWARD, FFTW_ESTIMATE));
  assert_null(X(plan_dft_1d)(-3, (pair *)x, (pair *)x, FFTW_FORWARD, FFTW_ESTIMATE));
  assert_null(X(plan_dft)(-1, NULL, (pair *)x, (pair *)x, FFTW_FORWARD, FFTW_ESTIMATE));
  assert_null(X(plan_r2r_1d)(1, x, x, FFTW_REDFT00, FFTW_ESTIMATE));
  assert_null(X(plan_r2r_1d)(4, x, x, wrong, FFTW_ESTIMATE));
  assert_null(X(plan_dft_r2c)(0, NULL, x, (pair *)x, FFTW_ESTIMATE));
  X(iodim64) far = {1 << 30, (ptrdiff_t)1 << 40, 1};
  assert_null(X(plan_guru64_dft)(1, &far, 0, NULL, (pair *)x, (pair *)x, FFTW_FORWARD, FFTW_ESTIMATE));
  run(X(plan_many_dft)(1, (const int[]){4}, 0, (pair *)x, NULL, 1, 4, (pair *)x, NULL, 1, 4, -1, FFTW_ESTIMATE));
  for (int i = 0; i < 16; i++) assert_true(x[i] == 0);
}

/* What FFTGEN_FFTW_VERBOSE=1 says of wisdom that is refused. */
static void assert_refused(const char *text, const char *why) {
  char line[256] = "";
  FILE *said = tmpfile();
  int error = dup(STDERR_FILENO);
  assert_true(said && error >= 0 && dup2(fileno(said), STDERR_FILENO) >= 0);
  setenv("FFTGEN_FFTW_VERBOSE", "1", 1);
  int good = X(import_wisdom_from_string)(text);
  unsetenv("FFTGEN_FFTW_VERBOSE");
  dup2(error, STDERR_FILENO), close(error);
  rewind(said);
  assert_non_null(fgets(line, sizeof line, said));
  fclose(said);
  assert_int_equal(good, 0);
  assert_non_null(strstr(line, why));
}

void test_wisdom(void **state) {
  (void)state;
  real x[64];
  X(forget_wisdom)();
  assert_null(X(plan_dft_1d)(32, (pair *)x, (pair *)x, -1, FFTW_WISDOM_ONLY));
  X(destroy_plan)(X(plan_dft_1d)(32, (pair *)x, (pair *)x, -1, FFTW_PATIENT));
  char *text = X(export_wisdom_to_string)();
  X(forget_wisdom)();
  assert_refused("(other-3.3.10 fftw_wisdom)", "no wisdom: another library's");
  assert_int_equal(X(import_wisdom_from_string)(""), 0);
  char *cut = strdup(text);
  cut[strlen(cut) - 3] = 0;
  assert_refused(cut, "no wisdom: it is cut");
  assert_null(X(plan_dft_1d)(32, (pair *)x, (pair *)x, -1, FFTW_WISDOM_ONLY));
  assert_int_equal(X(import_wisdom_from_string)(text), 1);
  X(plan) p = X(plan_dft_1d)(32, (pair *)x, (pair *)x, -1, FFTW_WISDOM_ONLY | FFTW_PATIENT);
  assert_non_null(p);
  assert_null(X(plan_dft_1d)(32, (pair *)x, (pair *)x, -1, FFTW_WISDOM_ONLY | FFTW_EXHAUSTIVE));
  X(destroy_plan)(p);
  X(cleanup)();
  free(text), free(cut);
}

void test_text(void **state) {
  (void)state;
  real x[64];
  X(plan) p = X(plan_dft_1d)(24, (pair *)x, (pair *)x, -1, FFTW_ESTIMATE);
  char *text = X(sprint_plan)(p);
  double add, mul, fma;
  X(flops)(p, &add, &mul, &fma);
  assert_non_null(strstr(text, "24"));
  assert_true(add + mul + 2 * fma >= 4 * 24 && X(cost)(p) > 0);
  X(destroy_plan)(p);
  free(text);
}

/* ---- threads ------------------------------------------------------------------- */

static int loops;

static void in_turn(void *(*work)(char *), char *jobs, size_t bytes, int count, void *data) {
  loops += *(int *)data;
  for (int i = count - 1; i >= 0; i--) work(jobs + (size_t)i * bytes);
}

void test_threads_change_nothing(void **state) {
  (void)state;
  enum { A = 128, B = 150 };
  int one = 1;
  real *x = numbers(2 * A * B, 1), *y = numbers(2 * A * B, 2), *z = numbers(2 * A * B, 3);
  run(X(plan_dft_2d)(A, B, (pair *)x, (pair *)y, -1, FFTW_ESTIMATE));
  X(init_threads)();
  X(plan_with_nthreads)(3);
  assert_int_equal(X(planner_nthreads)(), 3);
  run(X(plan_dft_2d)(A, B, (pair *)x, (pair *)z, -1, FFTW_ESTIMATE));
  same(y, z, 2 * A * B);
  X(threads_set_callback)(in_turn, &one);
  run(X(plan_dft_2d)(A, B, (pair *)x, (pair *)z, -1, FFTW_ESTIMATE));
  same(y, z, 2 * A * B);
  assert_true(loops > 0);
  X(threads_set_callback)(NULL, NULL);
  X(cleanup_threads)();
  assert_int_equal(X(planner_nthreads)(), 1);
  X(free)(x), X(free)(y), X(free)(z);
}

static void *plan_many(void *of) {
  uint64_t random = *(uint64_t *)of;
  for (int i = 0; i < 200; i++) {
    int n = 1 + (int)draw(&random, 400);
    real *x = numbers(2 * (size_t)n, 1), *y = numbers(2 * (size_t)n, 2);
    X(plan) p = X(plan_dft_1d)(n, (pair *)x, (pair *)y, i % 2 ? -1 : 1, FFTW_ESTIMATE);
    if (!p) abort();
    X(execute)(p);
    X(destroy_plan)(p);
    if (i % 50 == 0) X(cleanup)();
    X(free)(x), X(free)(y);
  }
  return NULL;
}

/* FFTW's own planner may not be called so. */
void test_planner_in_threads(void **state) {
  (void)state;
  pthread_t thread[8];
  uint64_t seed[8];
  for (int i = 0; i < 8; i++) seed[i] = (uint64_t)i, pthread_create(&thread[i], NULL, plan_many, &seed[i]);
  for (int i = 0; i < 8; i++) pthread_join(thread[i], NULL);
}

/* ---- forks ----------------------------------------------------------------------- */

static void *plan_until(void *of) {
  for (uint64_t seed = 1; !__atomic_load_n((bool *)of, __ATOMIC_RELAXED);) plan_many(&seed);
  return NULL;
}

/* Wherever the threads of the parent are, a child makes plans. */
void test_forks_while_threads_plan(void **state) {
  (void)state;
  pthread_t thread[4];
  bool over = false;
  for (int i = 0; i < 4; i++) pthread_create(&thread[i], NULL, plan_until, &over);
  int lost = 0;
  for (int i = 0; i < 40; i++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(20);
      X(plan) p = X(plan_dft_1d)(1000 + i, NULL, NULL, -1, FFTW_ESTIMATE);
      X(destroy_plan)(p);
      _exit(p ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    lost += status != 0;
  }
  __atomic_store_n(&over, true, __ATOMIC_RELAXED);
  for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
  assert_int_equal(lost, 0);
}
