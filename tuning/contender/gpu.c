/* A plug-in for GPU benchmarks: plans are compiled on demand, through the whole pipeline, with the device's own
 * facts, and proven. $FFTGEN_PLAN sets the plan's text. */
#include "tuning/contender/gpu.h"
#include "generator/pipeline/pipeline.h"
#include "targets/cuda/cuda.h"
#include <stdio.h>
#include <stdlib.h>

int fftc_abi(void) { return FFTC_ABI; }

const char *fftc_name(void) { return "fftgen"; }

static fg_status compile(fg_context *cx, const char *problem, const fg_device_facts *facts, fg_compilation *c) {
  fg_request request = {.problem = problem, .target = "cuda", .plan = getenv("FFTGEN_PLAN"), .facts = facts};
  return fg_pipeline_compile(cx, &request, c);
}

static fg_module *build(fg_context *cx, const char *problem, char why[FG_WHY_SIZE]) {
  fg_device_facts facts;
  fg_compilation c;
  fg_module *module = NULL;
  if (fg_device_cuda.probe(&facts, why)) return NULL;
  if (fg_arena_guard(cx->arena)) return snprintf(why, FG_WHY_SIZE, "out of memory"), NULL;
  if (compile(cx, problem, &facts, &c) != FG_OK) {
    snprintf(why, FG_WHY_SIZE, "%.500s", cx->diag.message);
    return NULL;
  }
  return fg_device_cuda.build(&c.emitted.artifact, &module, why) ? NULL : module;
}

void *fftc_plan(int rank, const long long *n, long long batch, int precision, int kind, int in_place) {
  char problem[256], why[FG_WHY_SIZE] = "out of memory";
  if (rank != 1 || (precision != FFTC_SINGLE && precision != FFTC_DOUBLE) || kind > FFTC_BACKWARD) return NULL;
  snprintf(problem, sizeof problem, "c2c %s n=%lld batch=%lld%s%s", precision == FFTC_SINGLE ? "f32" : "f64", n[0],
           batch, kind == FFTC_BACKWARD ? " sign=+1" : "", in_place ? " place=in" : "");
  fg_context cx = {.arena = fg_arena_create()};
  fg_module *module = cx.arena ? build(&cx, problem, why) : NULL;
  if (!module) fprintf(stderr, "fftgen: %s: %s\n", problem, why);
  fg_arena_destroy(cx.arena);
  return module;
}

int fftc_execute(void *plan, void *in, void *out, void *aux, void *stream) {
  char why[FG_WHY_SIZE];
  (void)aux;
  return fg_cuda_enqueue(plan, (void *const[]){in, out}, NULL, stream, why);
}

void fftc_destroy(void *plan) { fg_device_cuda.destroy(plan); }
