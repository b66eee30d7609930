/* OpenCL on a CPU against two others on the same machine: the project's own C
 * (gcc, one thread) and clFFT. In: lengths. Out: a line for each with both
 * ratios, and their geometric means; --gate: exit code 1 below the bars.
 *
 * Contenders take turns in one process, many short rounds, and the least median
 * of each counts: what else the machine does only ever adds. One thread: run
 * with POCL_MAX_PTHREAD_COUNT=1 (set here when it is not). Exit code 77: no
 * OpenCL, or no CPU. */
#include "generator/library.h"
#include "generator/pipeline.h"
#include "targets/opencl/cl_api.h"
#include "targets/timing.h"
#include "tuning/arrays.h"
#include "tuning/verify.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_CLFFT
#include <clFFT.h>
#endif

enum { ROUNDS = 12, LAUNCH_BYTES = 1 << 20, USUAL = 22 };
#define SHORT 0.02 /* seconds of a round */
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

/* ---- clFFT -------------------------------------------------------------------------- */

#ifdef HAVE_CLFFT
#define CLFFT(F)                                                                                                       \
  F(clfftSetup)                                                                                                        \
  F(clfftCreateDefaultPlan) F(clfftSetPlanPrecision) F(clfftSetPlanBatchSize) F(clfftSetResultLocation)                \
      F(clfftSetLayout) F(clfftBakePlan) F(clfftEnqueueTransform) F(clfftDestroyPlan) F(clfftTeardown)
static struct {
#define F(name) __typeof__(&name) name;
  CLFFT(F)
#undef F
} fft;

static struct {
  const fg_cl_api *cl;
  cl_context context;
  cl_command_queue queue;
} on;

static bool open_clfft(void) {
  char why[FG_WHY_SIZE];
  cl_platform_id platform;
  cl_device_id device;
  void *library = dlopen("libclFFT.so.2", RTLD_NOW | RTLD_LOCAL);
  on.cl = library ? fg_cl_load(why) : NULL;
  if (!on.cl) return false;
#define F(name)                                                                                                        \
  {                                                                                                                    \
    void *address = dlsym(library, #name);                                                                             \
    if (!address) return false;                                                                                        \
    memcpy(&fft.name, &address, sizeof address);                                                                       \
  }
  CLFFT(F)
#undef F
  cl_int status;
  if (on.cl->clGetPlatformIDs(1, &platform, NULL) ||
      on.cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return false;
  on.context = on.cl->clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  if (!status) on.queue = on.cl->clCreateCommandQueue(on.context, device, 0, &status);
  clfftSetupData data = {.major = clfftVersionMajor, .minor = clfftVersionMinor, .patch = clfftVersionPatch};
  return !status && fft.clfftSetup(&data) == CLFFT_SUCCESS;
}

typedef struct peer {
  clfftPlanHandle plan;
  cl_mem in, out;
  bool here;
  double ns;
} peer;

static void open_peer(peer *p, size_t n, size_t batch, bool is_double) {
  cl_int status = 0;
  size_t bytes = n * batch * (is_double ? 16 : 8);
  *p = (peer){0};
  if (fft.clfftCreateDefaultPlan(&p->plan, on.context, CLFFT_1D, &n)) return;
  void *zeros = calloc(1, bytes);
  p->in = on.cl->clCreateBuffer(on.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, &status);
  p->out = on.cl->clCreateBuffer(on.context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  free(zeros);
  p->here = !status && !fft.clfftSetPlanPrecision(p->plan, is_double ? CLFFT_DOUBLE : CLFFT_SINGLE) &&
            !fft.clfftSetLayout(p->plan, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED) &&
            !fft.clfftSetResultLocation(p->plan, CLFFT_OUTOFPLACE) && !fft.clfftSetPlanBatchSize(p->plan, batch) &&
            !fft.clfftBakePlan(p->plan, 1, &on.queue, NULL, NULL);
}

static int run_peer(void *of, int64_t repeat) {
  peer *p = of;
  for (int64_t i = 0; i < repeat; i++)
    if (fft.clfftEnqueueTransform(p->plan, CLFFT_FORWARD, 1, &on.queue, 0, NULL, NULL, &p->in, &p->out, NULL)) return 1;
  return on.cl->clFinish(on.queue) != CL_SUCCESS;
}

static void time_peer(peer *p) {
  double ns = 0;
  if (p->here && fg_timing_measure(run_peer, p, SHORT, &ns) == 0 && (p->ns == 0 || ns < p->ns)) p->ns = ns;
}

static void close_peer(peer *p) {
  if (p->plan) fft.clfftDestroyPlan(&p->plan);
  if (p->in) on.cl->clReleaseMemObject(p->in);
  if (p->out) on.cl->clReleaseMemObject(p->out);
}
#else
typedef struct peer {
  double ns;
} peer;
static bool open_clfft(void) { return false; }
static void open_peer(peer *p, size_t n, size_t batch, bool is_double) {
  (void)n, (void)batch, (void)is_double, p->ns = 0;
}
static void time_peer(peer *p) { (void)p; }
static void close_peer(peer *p) { (void)p; }
#endif

/* ---- a contest -------------------------------------------------------------------------- */

typedef struct sums {
  double log_c, log_clfft;
  int c, clfft, failed;
} sums;

static fg_status contest(fg_context *cx, int64_t n, bool is_double, bool has_clfft, sums *s) {
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
  peer p = {.ns = 0};
  fg_geometry_create(cx, &c->problem, NULL, &g);
  fg_arrays_create(cx, &c->problem, &g, &a);
  fg_arrays_fill(&a, &g, 1);
  fg_call call = {.place = a.place, .bytes = a.bytes};
  if (has_clfft) open_peer(&p, (size_t)n, (size_t)batch, is_double);
  for (int r = 0; r < ROUNDS; r++) {
    time_once(&ours[0], &call);
    time_once(&ours[1], &call);
    time_peer(&p);
  }
  close_peer(&p);
  double of_c = ours[0].ns / ours[1].ns, of_clfft = p.ns / ours[1].ns;
  printf("%-30s C %9.1f us  OpenCL %9.1f us  %5.2f of C  clFFT %9.1f us  %6.2f x  [%s | %s]\n", problem,
         1e-3 * ours[0].ns, 1e-3 * ours[1].ns, of_c, 1e-3 * p.ns, of_clfft, fg_plan_print(cx, c[0].chosen.plan),
         fg_plan_print(cx, c[1].chosen.plan));
  s->log_c += log(of_c), s->c++;
  if (p.ns > 0) s->log_clfft += log(of_clfft), s->clfft++;
  for (int i = 0; i < 2; i++) ours[i].device->destroy(ours[i].module);
  return FG_OK;
}

static void one(int64_t n, bool is_double, bool has_clfft, sums *s) {
  fg_context cx = {.arena = fg_arena_create(), .library = library};
  fg_status status = !cx.arena || fg_arena_guard(cx.arena) ? FG_ENOMEM : contest(&cx, n, is_double, has_clfft, s);
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
  bool has_clfft = open_clfft();
  if (!has_clfft) puts("SKIP: no clFFT here: the ratio to it is not measured");
  library = fg_library_create();
  int given = 0;
  for (int i = 1; i < argc; i++)
    if (atoll(argv[i]) > 0) one(atoll(argv[i]), is_double, has_clfft, &s), given++;
  for (int i = 0; i < USUAL && !given; i++) one(usual[i], is_double, has_clfft, &s);
  fg_library_destroy(library);
  double of_c = s.c ? exp(s.log_c / s.c) : 0, of_clfft = s.clfft ? exp(s.log_clfft / s.clfft) : 0;
  printf("geometric mean: %.2f of C (%d), bar %.1f; %.2f x clFFT (%d), bar %.1f\n", of_c, s.c, LEAST_OF_C, of_clfft,
         s.clfft, LEAST_OF_CLFFT);
  bool below = of_c < LEAST_OF_C || (has_clfft && of_clfft < LEAST_OF_CLFFT);
  return s.failed || (gate && below);
}
