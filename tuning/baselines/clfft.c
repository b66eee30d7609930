/* clFFT on the chosen OpenCL device, without its headers: its functions are loaded from libclFFT on demand. The
 * numbers of its interface are those of version 2. */
#include "targets/library.h"
#include "targets/opencl/opencl.h"
#include "targets/timing.h"
#include "tuning/baselines/baselines.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef size_t plan_ref;
typedef struct setup_data { /* clfftSetupData */
  cl_uint major, minor, patch;
  cl_ulong debug_flags;
} setup_data;

enum { SUCCESS = 0, SINGLE = 1, TWICE = 2, INTERLEAVED = 1, IN_PLACE = 1, OUT_OF_PLACE = 2, VERSION = 2 };

/* clang-format off */
#define FUNCTIONS(F)                                                                                \
  F(setup, clfftSetup, (const setup_data *data))                                                    \
  F(create, clfftCreateDefaultPlan, (plan_ref *plan, cl_context context, int rank, const size_t *n)) \
  F(set_precision, clfftSetPlanPrecision, (plan_ref plan, int precision))                           \
  F(set_layout, clfftSetLayout, (plan_ref plan, int in, int out))                                   \
  F(set_location, clfftSetResultLocation, (plan_ref plan, int location))                            \
  F(set_batch, clfftSetPlanBatchSize, (plan_ref plan, size_t batch))                                \
  F(set_scale, clfftSetPlanScale, (plan_ref plan, int sign, cl_float scale))                        \
  F(bake, clfftBakePlan,                                                                            \
    (plan_ref plan, cl_uint queues, cl_command_queue *queue, void (*notify)(plan_ref, void *), void *context)) \
  F(enqueue, clfftEnqueueTransform,                                                                 \
    (plan_ref plan, int sign, cl_uint queues, cl_command_queue *queue, cl_uint waits, const cl_event *wait, \
     cl_event *event, cl_mem *in, cl_mem *out, cl_mem scratch))                                     \
  F(destroy, clfftDestroyPlan, (plan_ref *plan))
/* clang-format on */

static struct api { FUNCTIONS(FG_API_FIELD) } api;

static const fg_symbol symbols[] = {FUNCTIONS(FG_API_SYMBOL)};

struct fg_module {
  fg_opencl_selection on;
  fg_rival_shape shape;
  int sign;
  bool planned, in_place;
  plan_ref plan;
  cl_mem in, out;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[FG_WHY_SIZE];

static void load(void) {
  void *library = fg_library_open((const char *const[]){"libclFFT.so.2"}, 1);
  if (!library) snprintf(problem, sizeof problem, "no clFFT on this machine (libclFFT.so.2)");
  const char *missing = library ? fg_library_find(library, symbols, sizeof symbols / sizeof *symbols, &api) : NULL;
  if (missing) snprintf(problem, sizeof problem, "libclFFT lacks %s", missing);
  if (!*problem && api.setup(&(setup_data){.major = VERSION}) != SUCCESS)
    snprintf(problem, sizeof problem, "clFFT does not start");
}

static void destroy(fg_module *m) {
  if (!m) return;
  if (m->planned) api.destroy(&m->plan);
  if (m->in) m->on.cl->clReleaseMemObject(m->in);
  if (m->out) m->on.cl->clReleaseMemObject(m->out);
  fg_opencl_release(&m->on);
  free(m);
}

static int make_plan(fg_module *m, char why[FG_WHY_SIZE]) {
  const fg_rival_shape *s = &m->shape;
  size_t n[3];
  for (int i = 0; i < s->rank; i++) n[i] = (size_t)s->n[s->rank - 1 - i]; /* the fastest first */
  m->planned = api.create(&m->plan, m->on.context, s->rank, n) == SUCCESS;
  int status = m->planned ? api.set_precision(m->plan, s->is_double ? TWICE : SINGLE) : 1;
  if (!status) status = api.set_layout(m->plan, INTERLEAVED, INTERLEAVED);
  if (!status) status = api.set_location(m->plan, m->in_place ? IN_PLACE : OUT_OF_PLACE);
  if (!status) status = api.set_batch(m->plan, (size_t)s->batch);
  if (!status) status = api.set_scale(m->plan, m->sign, 1);
  if (!status) status = api.bake(m->plan, 1, &m->on.queue, NULL, NULL);
  return status ? snprintf(why, FG_WHY_SIZE, "clFFT makes no plan (%d)", status), 1 : 0;
}

static int make_buffers(fg_module *m, char why[FG_WHY_SIZE]) {
  cl_int status;
  m->in = m->on.cl->clCreateBuffer(m->on.context, CL_MEM_READ_WRITE, m->shape.bytes_in, NULL, &status);
  if (status == CL_SUCCESS && !m->in_place)
    m->out = m->on.cl->clCreateBuffer(m->on.context, CL_MEM_READ_WRITE, m->shape.bytes_in, NULL, &status);
  if (status == CL_SUCCESS) return 0;
  return snprintf(why, FG_WHY_SIZE, "buffers for clFFT: %s", fg_cl_error(status)), 1;
}

static int create(const fg_problem *p, const int64_t *params, fg_effort effort, fg_module **out,
                  char why[FG_WHY_SIZE]) {
  (void)effort;
  fg_rival_shape shape;
  pthread_once(&once, load);
  if (*problem) return snprintf(why, FG_WHY_SIZE, "%s", problem), 1;
  if (fg_rival_shape_of(p, params, &shape, why)) return 1;
  if (shape.kind != FG_C2C) return snprintf(why, FG_WHY_SIZE, "asked for c2c only"), 1;
  fg_module *m = calloc(1, sizeof *m);
  if (!m) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  m->shape = shape, m->sign = p->sign, m->in_place = p->in_place;
  if (fg_opencl_acquire(&m->on, why)) return free(m), 1;
  if (make_buffers(m, why) || make_plan(m, why)) return destroy(m), 1;
  *out = m;
  return 0;
}

static int repeated(void *context, int64_t repeat) {
  fg_module *m = context;
  cl_mem *out = m->in_place ? NULL : &m->out;
  for (int64_t i = 0; i < repeat; i++)
    if (api.enqueue(m->plan, m->sign, 1, &m->on.queue, 0, NULL, NULL, &m->in, out, NULL)) return 1;
  return m->on.cl->clFinish(m->on.queue) != CL_SUCCESS;
}

static int failed(const char *what, char why[FG_WHY_SIZE]) { return snprintf(why, FG_WHY_SIZE, "clFFT %s", what), 1; }

static int upload(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  cl_int status =
      m->on.cl->clEnqueueWriteBuffer(m->on.queue, m->in, CL_TRUE, 0, m->shape.bytes_in, call->slot[0], 0, NULL, NULL);
  return status == CL_SUCCESS ? 0 : failed("gets no input", why);
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  if (upload(m, call, why)) return 1;
  if (repeated(m, 1)) return failed("does not run", why);
  cl_int status = m->on.cl->clEnqueueReadBuffer(m->on.queue, m->in_place ? m->in : m->out, CL_TRUE, 0,
                                                m->shape.bytes_in, call->slot[1], 0, NULL, NULL);
  return status == CL_SUCCESS ? 0 : failed("gives no output", why);
}

static int time_module(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  if (upload(m, call, why)) return 1;
  return fg_timing_measure(repeated, m, seconds, ns) ? failed("does not run", why) : 0;
}

static int sample(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  s->has_inside = false; /* its event is that of the last of its kernels */
  if (upload(m, call, why)) return 1;
  return fg_timing_each(repeated, m, s->seconds, s->most, s->total, &s->count) ? failed("does not run", why) : 0;
}

static const fg_device clfft = {.name = "clfft", .run = run, .time = time_module, .sample = sample, .destroy = destroy};
const fg_rival fg_rival_clfft = {"clFFT", "opencl", create, &clfft};
