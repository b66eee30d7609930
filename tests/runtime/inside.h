/* Plans as other programs make them: created, executed, compared with the definition. */
#ifndef INSIDE_H
#define INSIDE_H
#include <fftgen/fftgen.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Is it the transform of n complex floats? A few of its outputs, summed in double. */
static inline bool inside_is_right(const fftgen_plan *plan, int n) {
  const double turn = -2 * 3.14159265358979323846 / n;
  float *in = malloc((size_t)n * 2 * sizeof *in), *out = malloc((size_t)n * 2 * sizeof *out);
  if (!in || !out) return false;
  for (int i = 0; i < 2 * n; i++) in[i] = (float)((i * 37 + 11) % 101) / 50 - 1;
  bool right = fftgen_execute(plan, in, out) == FFTGEN_OK;
  for (int k = 0; k < n && right; k += n / 17 + 1) {
    double re = 0, im = 0;
    for (int j = 0; j < n; j++) {
      double angle = turn * (double)((long long)j * k % n), c = cos(angle), s = sin(angle);
      re += in[2 * j] * c - in[2 * j + 1] * s;
      im += in[2 * j] * s + in[2 * j + 1] * c;
    }
    double most = 1e-5 * n;
    right = fabs(re - out[2 * k]) <= most && fabs(im - out[2 * k + 1]) <= most;
  }
  free(in);
  free(out);
  return right;
}

/* Creates, compares, destroys. False: it has said why. */
static inline bool inside_try(int n, const fftgen_options *options) {
  char problem[64];
  fftgen_plan *plan;
  fftgen_error error;
  snprintf(problem, sizeof problem, "c2c f32 n=%d", n);
  if (fftgen_plan_create(problem, options, &plan, &error) != FFTGEN_OK) {
    printf("%s: %s\n", problem, error.message);
    return false;
  }
  bool right = inside_is_right(plan, n);
  if (!right) printf("%s: wrong\n", problem);
  fftgen_plan_destroy(plan);
  return right;
}
#endif
