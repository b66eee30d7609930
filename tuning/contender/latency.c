/* The time to make a plan: just in time, and from the cache. A program against the installed library, as a user
 * would write it, without the generator.
 *
 * In: lengths (default: powers of two to 4096, smooth numbers, primes). Out: one line for each length and precision,
 * then the worst of each column. The first plan loads the plugins, LLVM among them, and is printed separately. "cpu"
 * is the processor time of the process (all its threads), which other work on the machine does not increase. */
#include <fftgen/fftgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEAT = 7 };

typedef struct reading { /* milliseconds */
  double wall, cpu;
} reading;

static double milliseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void fail(const char *problem, const char *message) {
  fprintf(stderr, "%s: %s\n", problem, message);
  exit(1);
}

/* Least of several; into an empty cache each time, or out of a full one. */
static reading plan_time(const char *problem, const char *cache, const char *origin, int repeat) {
  reading best = {1e30, 1e30};
  for (int i = 0; i < repeat; i++) {
    fftgen_plan *plan;
    fftgen_error error;
    fftgen_info info = {.size = sizeof info};
    fftgen_options o = {.size = sizeof o, .cache = cache, .flags = FFTGEN_NO_WISDOM | FFTGEN_NO_PACK};
    if (!strcmp(origin, "jit")) o.flags |= FFTGEN_NO_CACHE;
    double wall = milliseconds(CLOCK_MONOTONIC), cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    if (fftgen_plan_create(problem, &o, &plan, &error)) fail(problem, error.message);
    wall = milliseconds(CLOCK_MONOTONIC) - wall, cpu = milliseconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    fftgen_plan_info(plan, &info);
    if (i > 0 && strcmp(info.origin, origin)) fail(problem, info.reasons);
    if (wall < best.wall) best.wall = wall;
    if (cpu < best.cpu) best.cpu = cpu;
    fftgen_plan_destroy(plan);
  }
  return best;
}

static void measure(const char *n, const char *precision, const char *cache, double worst[3]) {
  char problem[64];
  snprintf(problem, sizeof problem, "c2c %s n=%s", precision, n);
  reading jit = plan_time(problem, cache, "jit", REPEAT), cached = plan_time(problem, cache, "cache", REPEAT + 1);
  printf("%-16s %8.1f %8.1f %8.3f\n", problem, jit.wall, jit.cpu, cached.wall);
  fflush(stdout);
  if (jit.wall > worst[0]) worst[0] = jit.wall;
  if (jit.cpu > worst[1]) worst[1] = jit.cpu;
  if (cached.wall > worst[2]) worst[2] = cached.wall;
}

int main(int argc, char **argv) {
  static char *usual[] = {"2",    "4",    "8",    "16", "32",  "64",   "128",  "256",  "512",
                          "1024", "2048", "4096", "15", "60",  "100",  "360",  "1000", "2310",
                          "3600", "4095", "31",   "61", "127", "1009", "2039", "4093", NULL};
  char cache[] = "/tmp/fftgen-latency-XXXXXX", command[64];
  double worst[3] = {0};
  if (!mkdtemp(cache)) fail(cache, "no folder");
  reading first = plan_time("c2c f32 n=3", cache, "jit", 1);
  printf("first plan, which loads the generator and its compiler: %.1f ms, %.1f ms cpu\n", first.wall, first.cpu);
  printf("%-16s %8s %8s %8s\n", "problem", "jit ms", "jit cpu", "cache ms");
  char **n = argc > 1 ? argv + 1 : usual;
  for (int i = 0; n[i]; i++) {
    measure(n[i], "f32", cache, worst);
    measure(n[i], "f64", cache, worst);
  }
  printf("%-16s %8.1f %8.1f %8.3f\n", "worst", worst[0], worst[1], worst[2]);
  snprintf(command, sizeof command, "rm -rf %s", cache);
  return system(command) != 0;
}
