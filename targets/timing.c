/* See timing.h. Neither mean nor median: other work on the same core, including other guests of a hypervisor, only
 * adds time, half a millisecond at a time and often for most of the time. Short samples fit in between, and of many
 * the fastest tenth is the time of the code. */
#include "targets/timing.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { MIN_SAMPLES = 5, MAX_SAMPLES = 1001, TENTH = 10 };

static const double shortest_sample = 2e-5, longest_sample = 1e-4; /* seconds, of a call that takes less */

static double read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double fg_timing_now(void) { return read_clock(CLOCK_MONOTONIC); }
double fg_timing_thread(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }
double fg_timing_process(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* A sample is worth taking when it is long against the clock (it resolves 1 ns, a call of it costs 20) and leaves time
 * for some forty others. */
static int choose_repeat(fg_timed run, void *context, double seconds, int64_t *out) {
  double aim = fmin(fmax(seconds / 40, shortest_sample), longest_sample);
  int64_t repeat = 1;
  for (;;) {
    double start = fg_timing_now();
    int status = run(context, repeat);
    if (status) return status;
    double t = fg_timing_now() - start;
    if (t >= aim * 0.5) break;
    double factor = t > 0 ? aim / t : 8;
    repeat = factor < 2 ? repeat * 2 : factor > 8 ? repeat * 8 : (int64_t)((double)repeat * factor);
  }
  *out = repeat;
  return 0;
}

int fg_timing_measure(fg_timed run, void *context, double seconds, double *ns) {
  double sample[MAX_SAMPLES], start = fg_timing_now();
  int64_t repeat;
  int count = 0, status = choose_repeat(run, context, seconds, &repeat); /* warms up, too */
  if (status) return status;
  while (count < MAX_SAMPLES && (count < MIN_SAMPLES || fg_timing_now() - start < seconds)) {
    double begin = fg_timing_now();
    status = run(context, repeat);
    if (status) return status;
    sample[count++] = (fg_timing_now() - begin) / (double)repeat;
  }
  qsort(sample, (size_t)count, sizeof *sample, by_value);
  *ns = 1e9 * sample[count / TENTH];
  return 0;
}

int fg_timing_each(fg_timed run, void *context, double seconds, int most, double *ns, int *count) {
  int status = run(context, 1);
  double start = fg_timing_now();
  for (*count = 0; !status && *count < most; ++*count) {
    double begin = fg_timing_now();
    if (*count && seconds > 0 && begin - start > seconds) break;
    status = run(context, 1);
    ns[*count] = 1e9 * (fg_timing_now() - begin);
  }
  return status;
}

double fg_timing_median(double *x, int n) {
  qsort(x, (size_t)n, sizeof *x, by_value);
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}
