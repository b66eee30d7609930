/* A contender for CPU FFT benchmarks whose plug-ins export five functions with C linkage: fb_name, fb_plan,
 * fb_execute, fb_destroy, fb_option. It uses libfftgen, so the benchmark measures what a user of the runtime gets.
 *
 * Data: forward, interleaved, contiguous, not scaled, aligned to 64 bytes. fb_plan returns NULL for problems that
 * are not built, and for several threads without OpenMP. Option: a wisdom file, or "plan=TEXT". */
#include <fftgen/fftgen.h>
#ifdef FFTGEN_BENCH_OPENMP
#include <fftgen/openmp.h>
#endif
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { KIND_C2C = 0, SINGLE = 32 };

EXPORT const char *fb_name(void);
EXPORT void fb_option(const char *text);
EXPORT void *fb_plan(int rank, const int *n, int batch, int precision, int kind, int inplace, int threads);
EXPORT void fb_execute(void *plan, void *in, void *out);
EXPORT void fb_destroy(void *plan);

static char wisdom[1024], plan_text[512];

const char *fb_name(void) { return "fftgen"; }

void fb_option(const char *text) {
  wisdom[0] = plan_text[0] = 0;
  if (!strncmp(text, "plan=", 5))
    snprintf(plan_text, sizeof plan_text, "%s", text + 5);
  else
    snprintf(wisdom, sizeof wisdom, "%s", text);
}

static void problem_text(char *text, size_t size, int rank, const int *n) {
  size_t used = strlen(text);
  for (int i = 0; i < rank; i++) {
    snprintf(text + used, size - used, "%s%d", i ? "x" : " n=", n[i]);
    used += strlen(text + used);
  }
}

/* False: no way to run on so many. */
static bool set_threads(fftgen_options *options, int threads) {
#ifdef FFTGEN_BENCH_OPENMP
  if (threads > 1) options->parallel_for = fftgen_openmp_for, options->threads = threads;
  return true;
#else
  (void)options;
  return threads <= 1;
#endif
}

void *fb_plan(int rank, const int *n, int batch, int precision, int kind, int inplace, int threads) {
  char text[256];
  snprintf(text, sizeof text, "%s %s", kind == KIND_C2C ? "c2c" : "r2c", precision == SINGLE ? "f32" : "f64");
  problem_text(text, sizeof text, rank, n);
  size_t used = strlen(text);
  if (batch > 1) snprintf(text + used, sizeof text - used, " batch=%d", batch);
  used = strlen(text);
  if (inplace) snprintf(text + used, sizeof text - used, " place=in");
  fftgen_options options = {.size = sizeof options, .concurrency = 1};
  if (!set_threads(&options, threads)) return NULL;
  if (wisdom[0]) options.wisdom = wisdom;
  if (plan_text[0]) options.plan = plan_text;
  fftgen_plan *plan;
  fftgen_error error;
  if (fftgen_plan_create(text, &options, &plan, &error) == FFTGEN_OK) return plan;
  if (getenv("FFTGEN_BENCH_VERBOSE")) fprintf(stderr, "fftgen: %s: %s\n", text, error.message);
  return NULL;
}

void fb_execute(void *plan, void *in, void *out) { fftgen_execute(plan, in, out); }

void fb_destroy(void *plan) { fftgen_plan_destroy(plan); }
