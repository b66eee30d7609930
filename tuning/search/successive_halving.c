/* See successive_halving.h. */
#include "tuning/search/successive_halving.h"
#include "targets/timing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Student's t for 90 %, and what the range of so many samples is of a standard deviation. */
static const double student[] = {0, 6.31, 2.92, 2.35, 2.13, 2.02, 1.94, 1.89, 1.86, 1.83, 1.81};
static const double range_of[] = {0, 0, 1.128, 1.693, 2.059, 2.326};
enum { STUDENTS = sizeof student / sizeof *student, RANGES = sizeof range_of / sizeof *range_of };
static const double least_half = 1e-3, decisive = 5e-3, hopeless = 0.05;

/* The deviation of the middle half: what disturbs a few samples does not count. */
static void settle(fg_entrant *e) {
  double x[FG_HALVING_SAMPLES];
  int n = e->count - e->from;
  memcpy(x, e->sample + e->from, (size_t)n * sizeof *x);
  e->ns = fg_timing_median(x, n);
  double quartiles = x[n - 1 - n / 4] - x[n / 4];
  double deviation = n >= RANGES ? quartiles / 1.349 : n > 1 ? (x[n - 1] - x[0]) / range_of[n] : e->ns;
  e->half = fmax(student[n <= STUDENTS ? n - 1 : STUDENTS - 1] * deviation / sqrt(n), least_half * e->ns);
  if (n == 1) e->half = 0.1 * e->ns;
  e->spread = n >= FG_HALVING_LEAST ? quartiles / e->ns : FG_HALVING_UNKNOWN;
}

void fg_halving_add(fg_entrant *e, double ns) {
  if (e->count == FG_HALVING_SAMPLES) memmove(e->sample, e->sample + 1, (size_t)--e->count * sizeof *e->sample);
  e->sample[e->count++] = ns;
  settle(e);
}

/* By the far end of its interval: of many whose times stray, one is always fast. */
double fg_halving_doubted(const fg_entrant *e) {
  return e->won ? 0 : (e->doubt > 0 ? e->ns + e->half : e->ns) * (1 + e->doubt);
}

static int by_speed(const void *a, const void *b) {
  const fg_entrant *x = *(fg_entrant *const *)a, *y = *(fg_entrant *const *)b;
  return (fg_halving_doubted(x) > fg_halving_doubted(y)) - (fg_halving_doubted(x) < fg_halving_doubted(y));
}

static bool is_beaten(const fg_entrant *e, const fg_entrant *best, double by) {
  return e->ns * (1 + e->doubt) - e->half > (best->ns + best->half) * (1 + best->doubt) * (1 + by);
}

int fg_halving_cut(fg_entrant **e, int count) {
  int kept = 0;
  qsort(e, (size_t)count, sizeof *e, by_speed);
  for (int i = 0; i < count; i++) {
    e[i]->out = i && !e[i]->stays && (is_beaten(e[i], e[0], hopeless) || (2 * i >= count && is_beaten(e[i], e[0], 0)));
    if (e[i]->out) continue;
    fg_entrant *moved = e[i];
    memmove(&e[kept + 1], &e[kept], (size_t)(i - kept) * sizeof *e);
    e[kept++] = moved;
  }
  return kept;
}

bool fg_halving_is_decided(fg_entrant *const *e, int count) {
  for (int i = 1; i < count; i++) {
    double least = (e[i]->ns - e[i]->half) * (1 + e[i]->doubt);
    if (least < e[0]->ns * (1 + e[0]->doubt) * (1 - decisive)) return false;
  }
  return true;
}

void fg_halving_calmest(fg_entrant *e, int window) {
  int end = e->count, best = 0;
  double least = INFINITY;
  fg_entrant one = *e;
  for (int from = 0; from + window <= end; from++) {
    one.from = from, one.count = from + window;
    settle(&one);
    if (one.spread < least) least = one.spread, best = from;
  }
  if (!(least < INFINITY)) return;
  memmove(e->sample, e->sample + best, (size_t)window * sizeof *e->sample);
  e->from = 0, e->count = window;
  settle(e);
}
