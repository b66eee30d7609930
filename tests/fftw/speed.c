/* How long plans and executions take, by processor time, of whichever libfftw3 the loader finds (float:
 * -DFG_FFTW_SINGLE=1 and libfftw3f). usage: speed plan MOST STEP | speed PROBLEM... A problem is N, NxM, N*HOWMANY,
 * with an r behind it for r2c: microseconds of the best of some runs. */
#include "problem.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef X(complex) pair;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b) {
  const double *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* Microseconds of a plan of n points: c2c, r2c, REDFT10. */
static double plan_time(int n, int kind, pair *a, pair *b) {
  double start = now();
  X(plan)
  p = kind == 0   ? X(plan_dft_1d)(n, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
      : kind == 1 ? X(plan_dft_r2c_1d)(n, (real *)a, b, FFTW_ESTIMATE)
                  : X(plan_r2r_1d)(n, (real *)a, (real *)b, FFTW_REDFT10, FFTW_ESTIMATE);
  double time = now() - start;
  X(destroy_plan)(p);
  return 1e6 * time;
}

static void report(const char *what, double *time, int count) {
  qsort(time, (size_t)count, sizeof *time, compare);
  printf("%s: median %.1f, 99th %.1f, most %.1f us\n", what, time[count / 2], time[count * 99 / 100], time[count - 1]);
}

static void plans(int most, int step) {
  pair *a = X(alloc_complex)((size_t)most + 2), *b = X(alloc_complex)((size_t)most + 2);
  double *time[2] = {malloc(sizeof(double) * 3 * (size_t)most), malloc(sizeof(double) * 3 * (size_t)most)};
  int count = 0;
  printf("first: %.0f us\n", plan_time(1000, 0, a, b));
  for (int n = 1; n <= most; n += step)
    for (int kind = 0; kind < 3; kind++, count++)
      for (int again = 0; again < 2; again++) time[again][count] = plan_time(n, kind, a, b);
  report("new", time[0], count), report("again", time[1], count);
  free(time[0]), free(time[1]), X(free)(a), X(free)(b);
}

static double execute_time(X(plan) p) {
  int repeats = 1;
  double best = 1;
  for (double time = 0; time < 2e-3; repeats *= 2) {
    double start = now();
    for (int i = 0; i < repeats; i++) X(execute)(p);
    time = now() - start;
  }
  for (int run = 0; run < 15; run++) {
    double start = now();
    for (int i = 0; i < repeats; i++) X(execute)(p);
    double time = (now() - start) / repeats;
    if (time < best) best = time;
  }
  return 1e6 * best;
}

static void execute(const char *text) {
  const char *x = strchr(text, 'x'), *star = strchr(text, '*');
  int n[2] = {atoi(text), x ? atoi(x + 1) : 1}, many = star ? atoi(star + 1) : 1, rank = x ? 2 : 1;
  int each = n[0] * n[1], half = x ? n[0] * (n[1] / 2 + 1) : n[0] / 2 + 1;
  size_t all = (size_t)each * (size_t)many + 2;
  pair *a = X(alloc_complex)(all), *b = X(alloc_complex)(all);
  memset(a, 0, all * sizeof *a), memset(b, 0, all * sizeof *b);
  X(plan)
  p = strchr(text, 'r')
          ? X(plan_many_dft_r2c)(rank, n, many, (real *)a, NULL, 1, each, b, NULL, 1, half, FFTW_ESTIMATE)
          : X(plan_many_dft)(rank, n, many, a, NULL, 1, each, b, NULL, 1, each, FFTW_FORWARD, FFTW_ESTIMATE);
  if (p) printf("%s %.3f\n", text, execute_time(p));
  X(destroy_plan)(p), X(free)(a), X(free)(b);
}

int main(int argc, char **argv) {
  if (argc == 4 && !strcmp(argv[1], "plan"))
    plans(atoi(argv[2]), atoi(argv[3]));
  else
    for (int i = 1; i < argc; i++) execute(argv[i]);
  return 0;
}
