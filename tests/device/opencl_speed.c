/* OpenCL on a CPU against two others on the same machine: the project's own C
 * (gcc, one thread) and clFFT. In: lengths. Out: a line for each with both
 * ratios, and their geometric means; --gate: exit code 1 below the bars.
 *
 * Contenders take turns in one process, many short rounds, and the least median
 * of each counts: what else the machine does only ever adds. One thread: run
 * with POCL_MAX_PTHREAD_COUNT=1 (set here when it is not). Exit code 77: no
 * OpenCL, or no CPU. */
#include "generator/codelet/library.h"
#include "generator/pipeline/pipeline.h"
#include "tuning/baselines/baselines.h"
#include "tuning/measure/arrays.h"
#include "tuning/measure/verify.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 12, LAUNCH_BYTES = 1 << 22, USUAL = 22 }; /* a launch alone may take 60 us: no large part of it */
#define SHORT 0.02                                        /* seconds of a round */
#define LEAST_OF_C 0.6
#define LEAST_OF_CLFFT 3.0

typedef struct contender {
  const fg_device *device;
  fg_module *module;
  double ns; /* the least */
} contender;

static fg_library *library;

/* ---- ours ------------------------------------------------------------------------- */

static fg_status build(fg_context *cx, const char *problem, contender *c, fg_compilation *out) {
  char why[FG_WHY_SIZE] = "";
  fg_device_facts facts;
  fg_verified v = {.ok = false};
  if (c->device->probe(&facts, why)) return fg_diag_set(&cx->diag, FG_ESYS, "%s", why);
  fg_request request = {
      .problem = problem, .target = c->device->dialect, .entry = true, .facts = facts.local_bytes ? &facts : NULL};
  fg_status status = fg_pipeline_compile(cx, &request, out);
  if (status != FG_OK) return status;
  if (c->device->build(&out->emitted.artifact, &c->module, why)) return fg_diag_set(&cx->diag, FG_ESYS, "%s", why);
  status =
      fg_verify(cx, &out->problem, c->device, c->module, &(fg_verify_options){.inputs = 1, .no_properties = true}, &v);
  if (status == FG_OK && !v.ok) status = fg_diag_set(&cx->diag, FG_EWRONG, "%s: %s", c->device->name, v.why);
  return status;
}

static void time_once(contender *c, const fg_call *call) {
  char why[FG_WHY_SIZE];
  double ns = 0;
  if (c->device->time(c->module, call, SHORT, &ns, why) == 0 && (c->ns == 0 || ns < c->ns)) c->ns = ns;
}

/* ---- comparison -------------------------------------------------------------------------- */

typedef struct sums {
  double log_c, log_clfft;
  int c, clfft, failed;
} sums;

/* Left out where it is not here, or does not take the length. */
static void open_clfft(const fg_problem *p, contender *c) {
  char why[FG_WHY_SIZE];
  if (fg_rival_clfft.create(p, NULL, FG_EFFORT_ESTIMATE, &c->module, why)) c->module = NULL;
}

static fg_status compare(fg_context *cx, int64_t n, bool is_double, sums *s) {
  contender ours[2] = {{.device = fg_device_find("cc")}, {.device = fg_device_find("opencl")}};
  int64_t one = n * (is_double ? 16 : 8), batch = (LAUNCH_BYTES + one - 1) / one;
  const char *problem =
      fg_arena_printf(cx->arena, "c2c %s n=%lld batch=%lld", is_double ? "f64" : "f32", (long long)n, (long long)batch);
  fg_compilation *c = fg_arena_new(cx->arena, fg_compilation, 2);
  fg_status status = build(cx, problem, &ours[0], &c[0]);
  if (status == FG_OK) status = build(cx, problem, &ours[1], &c[1]);
  if (status != FG_OK) return status;
  fg_geometry g;
  fg_arrays a;
  contender clfft = {.device = fg_rival_clfft.as_device};
  fg_geometry_create(cx, &c->problem, NULL, &g);
  fg_arrays_create(cx, &c->problem, &g, &a);
  fg_arrays_fill(&a, &g, 1);
  fg_call call = {.slot = a.slot, .bytes = a.bytes};
  open_clfft(&c->problem, &clfft);
  for (int r = 0; r < ROUNDS; r++) {
    time_once(&ours[0], &call);
    time_once(&ours[1], &call);
    if (clfft.module) time_once(&clfft, &call);
  }
  if (clfft.module) clfft.device->destroy(clfft.module);
  double of_c = ours[0].ns / ours[1].ns, of_clfft = clfft.ns / ours[1].ns;
  printf("%-30s C %9.1f us  OpenCL %9.1f us  %5.2f of C  clFFT %9.1f us  %6.2f x  [%s | %s]\n", problem,
         1e-3 * ours[0].ns, 1e-3 * ours[1].ns, of_c, 1e-3 * clfft.ns, of_clfft, fg_plan_print(cx, c[0].chosen.plan),
         fg_plan_print(cx, c[1].chosen.plan));
  s->log_c += log(of_c), s->c++;
  if (clfft.ns > 0) s->log_clfft += log(of_clfft), s->clfft++;
  for (int i = 0; i < 2; i++) ours[i].device->destroy(ours[i].module);
  return FG_OK;
}

static void one(int64_t n, bool is_double, sums *s) {
  fg_context cx = {.arena = fg_arena_create(), .library = library};
  fg_status status = !cx.arena || fg_arena_guard(cx.arena) ? FG_ENOMEM : compare(&cx, n, is_double, s);
  if (status != FG_OK) {
    printf("FAIL: n=%lld: %s\n", (long long)n, cx.diag.message[0] ? cx.diag.message : fg_status_name(status));
    s->failed++;
  }
  if (cx.arena) fg_arena_destroy(cx.arena);
}

int main(int argc, char **argv) {
  static const int64_t usual[USUAL] = {8,   16,   30,   64,   100,  128,  243,  256,  360,   512,   625,
                                       800, 1000, 1024, 1536, 2048, 2187, 3000, 4096, 10000, 16384, 65536};
  char why[FG_WHY_SIZE] = "";
  fg_device_facts facts;
  sums s = {0};
  bool gate = argc > 1 && !strcmp(argv[1], "--gate"), is_double = argc > 1 && !strcmp(argv[argc - 1], "f64");
  setvbuf(stdout, NULL, _IOLBF, 0);
  setenv("POCL_MAX_PTHREAD_COUNT", "1", 0);
  if (fg_device_find("opencl")->probe(&facts, why)) return printf("SKIP: %s\n", why), 77;
  if (facts.is_gpu_like) return printf("SKIP: %s is no CPU\n", facts.name), 77;
  library = fg_codelet_library_create();
  int given = 0;
  for (int i = 1; i < argc; i++)
    if (atoll(argv[i]) > 0) one(atoll(argv[i]), is_double, &s), given++;
  for (int i = 0; i < USUAL && !given; i++) one(usual[i], is_double, &s);
  fg_codelet_library_destroy(library);
  double of_c = s.c ? exp(s.log_c / s.c) : 0, of_clfft = s.clfft ? exp(s.log_clfft / s.clfft) : 0;
  printf("geometric mean: %.2f of C (%d), bar %.1f; %.2f x clFFT (%d), bar %.1f\n", of_c, s.c, LEAST_OF_C, of_clfft,
         s.clfft, LEAST_OF_CLFFT);
  if (!s.clfft) puts("SKIP: no clFFT here (libclfft2): the ratio to it is not measured");
  bool below = of_c < LEAST_OF_C || (s.clfft && of_clfft < LEAST_OF_CLFFT);
  return s.failed || (gate && below);
}
