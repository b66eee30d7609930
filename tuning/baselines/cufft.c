/* cuFFT on the GPU of the device "cuda", without its headers: its functions are loaded from libcufft on demand. */
#include "targets/cuda/clock.h"
#include "targets/library.h"
#include "tuning/baselines/baselines.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int plan_ref;

/* Numbers of the library's interface. */
enum { SUCCESS = 0, C2C = 0x29, Z2Z = 0x69 };

/* clang-format off */
#define FUNCTIONS(F)                                                                           \
  F(create, cufftCreate, (plan_ref *plan))                                                     \
  F(make, cufftMakePlanMany64,                                                                 \
    (plan_ref plan, int rank, long long *n, long long *in, long long is, long long id,         \
     long long *out, long long os, long long od, int type, long long batch, size_t *scratch))  \
  F(set_stream, cufftSetStream, (plan_ref plan, fg_cu_stream_ref stream))                      \
  F(single, cufftExecC2C, (plan_ref plan, void *in, void *out, int sign))                      \
  F(twice, cufftExecZ2Z, (plan_ref plan, void *in, void *out, int sign))                       \
  F(destroy, cufftDestroy, (plan_ref plan))
/* clang-format on */

static struct api { FUNCTIONS(FG_API_FIELD) } api;

static const fg_symbol symbols[] = {FUNCTIONS(FG_API_SYMBOL)};

struct fg_module {
  const fg_cu_api *cu;
  int device;
  fg_cu_context_ref context;
  fg_cuda_clock clock;
  fg_rival_shape shape;
  int sign;
  bool planned, in_place;
  plan_ref plan;
  fg_cu_memory in, out;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[FG_WHY_SIZE];

static void load(void) {
  static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so",
                                      "/usr/local/cuda/lib64/libcufft.so"};
  void *library = fg_library_open(names, sizeof names / sizeof *names);
  if (!library) snprintf(problem, sizeof problem, "no cuFFT on this machine (libcufft.so)");
  const char *missing = library ? fg_library_find(library, symbols, sizeof symbols / sizeof *symbols, &api) : NULL;
  if (missing) snprintf(problem, sizeof problem, "libcufft lacks %s", missing);
}

static void destroy(fg_module *m) {
  char why[FG_WHY_SIZE];
  if (!m) return;
  if (m->context && fg_cu_enter(m->cu, m->context, why) == 0) {
    if (m->planned) api.destroy(m->plan);
    if (m->in) m->cu->release(m->in);
    if (m->out && !m->in_place) m->cu->release(m->out);
    fg_cuda_clock_destroy(&m->clock);
    fg_cu_leave(m->cu, 0);
  }
  if (m->context) m->cu->context_release(m->device);
  free(m);
}

static int make_plan(fg_module *m, char why[FG_WHY_SIZE]) {
  const fg_rival_shape *s = &m->shape;
  long long n[3], distance = 1;
  size_t scratch;
  for (int i = 0; i < s->rank; i++) n[i] = s->n[i], distance *= s->n[i];
  m->planned = api.create(&m->plan) == SUCCESS;
  int status = !m->planned;
  if (!status)
    status =
        api.make(m->plan, s->rank, n, n, 1, distance, n, 1, distance, s->is_double ? Z2Z : C2C, s->batch, &scratch);
  if (!status) status = api.set_stream(m->plan, m->clock.stream);
  return status ? snprintf(why, FG_WHY_SIZE, "cuFFT makes no plan (%d)", status), 1 : 0;
}

static int open_inside(fg_module *m, char why[FG_WHY_SIZE]) {
  if (fg_cuda_clock_create(&m->clock, m->cu, why)) return 1;
  int status = m->cu->allocate(&m->in, m->shape.bytes);
  if (status == FG_CU_SUCCESS && !m->in_place) status = m->cu->allocate(&m->out, m->shape.bytes);
  if (m->in_place) m->out = m->in;
  return status == FG_CU_SUCCESS ? make_plan(m, why) : fg_cu_failed(why, "allocating memory on the GPU", status);
}

static int create(const fg_problem *p, const int64_t *params, fg_effort effort, fg_module **out,
                  char why[FG_WHY_SIZE]) {
  (void)effort;
  fg_rival_shape shape;
  pthread_once(&once, load);
  if (*problem) return snprintf(why, FG_WHY_SIZE, "%s", problem), 1;
  const fg_cu_api *cu = fg_cu_load(why);
  if (!cu || fg_rival_shape_of(p, params, &shape, why)) return 1;
  fg_module *m = calloc(1, sizeof *m);
  if (!m) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  m->cu = cu, m->shape = shape, m->sign = p->sign, m->in_place = p->in_place;
  int status = cu->device_get(&m->device, 0);
  if (status == FG_CU_SUCCESS) status = cu->context_retain(&m->context, m->device);
  int bad = status != FG_CU_SUCCESS ? fg_cu_failed(why, "opening the CUDA context", status)
                                    : fg_cu_enter(m->cu, m->context, why) || fg_cu_leave(m->cu, open_inside(m, why));
  if (bad)
    destroy(m);
  else
    *out = m;
  return bad;
}

static int launch(void *context, char why[FG_WHY_SIZE]) {
  fg_module *m = context;
  void *in = (void *)(uintptr_t)m->in, *out = (void *)(uintptr_t)m->out;
  int status = (m->shape.is_double ? api.twice : api.single)(m->plan, in, out, m->sign);
  return status ? snprintf(why, FG_WHY_SIZE, "cuFFT does not run (%d)", status), 1 : 0;
}

static int upload(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  int status = m->cu->upload(m->in, call->slot[0], m->shape.bytes);
  if (status == FG_CU_SUCCESS) status = m->cu->stream_wait(NULL);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "copying to the GPU", status);
}

static int run_inside(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  if (upload(m, call, why) || launch(m, why)) return 1;
  int status = m->cu->stream_wait(m->clock.stream);
  if (status == FG_CU_SUCCESS) status = m->cu->download(call->slot[1], m->out, m->shape.bytes);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "running cuFFT", status);
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  return fg_cu_enter(m->cu, m->context, why) || fg_cu_leave(m->cu, run_inside(m, call, why));
}

static int time_module(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  fg_cuda_work work = {launch, m};
  return fg_cu_enter(m->cu, m->context, why) ||
         fg_cu_leave(m->cu, upload(m, call, why) || fg_cuda_clock_time(&m->clock, &work, seconds, ns, why));
}

static int sample(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  fg_cuda_work work = {launch, m};
  return fg_cu_enter(m->cu, m->context, why) ||
         fg_cu_leave(m->cu, upload(m, call, why) || fg_cuda_clock_sample(&m->clock, &work, s, why));
}

static const fg_device cufft = {.name = "cufft", .run = run, .time = time_module, .sample = sample, .destroy = destroy};
const fg_rival fg_rival_cufft = {"cuFFT", "cuda", create, &cufft};
