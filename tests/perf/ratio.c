/* An emitted kernel beside the plain one (reference.c), in turns in one process. In: -DREAL, -DPOINTS, -DBATCH. Out:
 * both times of a transform, their ratio and the distance of the results; exit code 3 where these differ.
 *
 * Whatever else runs here makes some turns longer, none shorter: of each the shortest counts. */
#include "kernel.h"
#include "reference.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 60 };
static pair in[POINTS * BATCH], ours[POINTS * BATCH], theirs[POINTS * BATCH];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void run_ours(const plan *p) {
  (void)p;
#if KERNEL_SCRATCH_BYTES > 0
  static _Alignas(64) char scratch[KERNEL_SCRATCH_BYTES];
  kernel(&in[0].re, &ours[0].re, (real *)scratch);
#else
  kernel(&in[0].re, &ours[0].re);
#endif
}

static void run_theirs(const plan *p) {
  for (int b = 0; b < BATCH; b++) reference_execute(p, in + b * POINTS, theirs + b * POINTS);
}

static double time_of(void (*run)(const plan *), const plan *p, int repeats) {
  double start = now();
  for (int i = 0; i < repeats; i++) run(p);
  return (now() - start) / repeats;
}

/* As many as take some 50 microseconds. */
static int repeats_of(void (*run)(const plan *), const plan *p) {
  run(p);
  double ns = time_of(run, p, 1);
  return ns > 50000 ? 1 : (int)(50000 / (ns + 10)) + 1;
}

static double distance(void) {
  double error = 0, norm = 0;
  for (int i = 0; i < POINTS * BATCH; i++) {
    error += pow(ours[i].re - theirs[i].re, 2) + pow(ours[i].im - theirs[i].im, 2);
    norm += pow(theirs[i].re, 2) + pow(theirs[i].im, 2);
  }
  return sqrt(error / norm);
}

int main(void) {
  plan *p = reference_create(POINTS);
  for (int i = 0; i < POINTS * BATCH; i++)
    in[i] = (pair){(real)rand() / (real)RAND_MAX - (real)0.5, (real)rand() / (real)RAND_MAX - (real)0.5};
  int few = repeats_of(run_theirs, p), many = repeats_of(run_ours, p);
  double least[2] = {1e30, 1e30};
  for (int t = 0; t < TURNS; t++) {
    least[0] = fmin(least[0], time_of(run_ours, p, many));
    least[1] = fmin(least[1], time_of(run_theirs, p, few));
  }
  double far = distance();
  printf("%.1f %.1f %.3f %.2g\n", least[0] / BATCH, least[1] / BATCH, least[1] / least[0], far);
  reference_destroy(p);
  return far < (sizeof(real) == 4 ? 1e-5 : 1e-13) ? 0 : 3;
}
