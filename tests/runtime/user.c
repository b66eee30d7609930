/* What a user writes: plan, execute, look, destroy. usage: user PROBLEM N, a c2c
 * f32 problem of N points. C99 and C++11. */
#define _POSIX_C_SOURCE 200809L
#include <fftgen/fftgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* A wave of three periods: all of it belongs into output 3. */
static int check(const fftgen_plan *plan, int n) {
  float *in = (float *)malloc(8 * (size_t)n), *out = (float *)malloc(8 * (size_t)n);
  double wrong = 0;
  for (int i = 0; i < n; i++) {
    double angle = 2 * 3.14159265358979323846 * 3 * i / n;
    in[2 * i] = (float)cos(angle);
    in[2 * i + 1] = (float)sin(angle);
  }
  int status = fftgen_execute(plan, in, out);
  for (int i = 0; i < n; i++) wrong += fabs(out[2 * i] - (i == 3 ? n : 0)) + fabs(out[2 * i + 1]);
  free(in);
  free(out);
  return status != FFTGEN_OK || !(wrong < 1e-4 * n * sqrt(n));
}

int main(int argc, char **argv) {
  fftgen_plan *plan;
  fftgen_error error;
  fftgen_info info;
  double start = milliseconds();
  if (argc != 3) return 2;
  if (fftgen_plan_create(argv[1], NULL, &plan, &error) != FFTGEN_OK) {
    puts(error.message);
    return 1;
  }
  double took = milliseconds() - start;
  info.size = sizeof info;
  fftgen_plan_info(plan, &info);
  int bad = check(plan, atoi(argv[2]));
  printf("%s %s %s: planned in %.2f ms%s\n", info.origin, info.plan, info.isa, took, bad ? ", WRONG" : "");
  printf("not from elsewhere: %s\n", info.reasons);
  fftgen_plan_destroy(plan);
  return bad;
}
