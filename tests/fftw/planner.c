/* Eight threads plan, execute and destroy, which FFTW's planner forbids; sums of results are the same for all rounds.
 * usage: planner ROUNDS */
#include "fftw/include/fftw3.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8, PLANS = 300 };

static double plan(int n, int flags) {
  fftw_complex *x = fftw_alloc_complex((size_t)n), *y = fftw_alloc_complex((size_t)n);
  fftw_plan p = fftw_plan_dft_1d(n, x, y, FFTW_FORWARD, (unsigned)flags);
  if (!p) abort();
  for (int i = 0; i < n; i++) x[i][0] = i % 7, x[i][1] = i % 3;
  fftw_execute(p);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += fabs(y[i][0]) + fabs(y[i][1]);
  fftw_destroy_plan(p), fftw_free(x), fftw_free(y);
  return sum;
}

static double result[THREADS];

static void *work(void *of) {
  long thread = (long)((double *)of - result);
  for (long i = 0; i < PLANS; i++) result[thread] += plan(16 + (int)((thread * 7919 + i * 31) % 900), FFTW_ESTIMATE);
  return NULL;
}

int main(int argc, char **argv) {
  double first[THREADS];
  int rounds = argc > 1 ? atoi(argv[1]) : 0;
  for (int round = 0; round < rounds; round++) {
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) result[i] = 0, pthread_create(&thread[i], NULL, work, &result[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
      if (!round) first[i] = result[i];
      if (result[i] != first[i]) return printf("round %d, thread %d: another result\n", round, i), 1;
    }
    if (round % 10 == 9) fftw_cleanup();
  }
  printf("%d rounds of %d threads and %d plans\n", rounds, THREADS, PLANS);
  return rounds == 0;
}
