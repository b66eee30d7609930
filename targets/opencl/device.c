/* The device "opencl": the first platform's first device, unless the user chose another.
 * In: OpenCL C text and its launches. Out: a module with kernels, tables and
 * workspace on the device.
 *
 * A module keeps its own reference to context and queue: choosing another
 * device later does not disturb it. */
#include "targets/argument_slots.h"
#include "targets/host.h"
#include "targets/opencl/facts.h"
#include "targets/opencl/opencl.h"
#include "targets/timing.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LISTED = 32 };

typedef fg_opencl_selection selection;

struct fg_module {
  selection on;
  cl_program program;
  int nlaunch;
  fg_launch *launch;
  cl_kernel *kernel;
  fg_argument_slots slots;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  char platform[64], device[64]; /* options; "": the first */
  selection chosen;              /* context NULL: not chosen yet */
} state;

static int failed(char why[FG_WHY_SIZE], const char *what, cl_int status) {
  snprintf(why, FG_WHY_SIZE, "%s: %s (%d)", what, fg_cl_error(status), (int)status);
  return 1;
}

/* ---- choosing a device ----------------------------------------------------- */

static bool matches(const char *wanted, int number, const char *name) {
  char *end;
  if (!*wanted) return true;
  long n = strtol(wanted, &end, 10);
  return *end ? strcasestr(name, wanted) != NULL : n == number;
}

static bool pick_device(const fg_cl_api *cl, cl_platform_id platform, cl_device_id *out) {
  cl_device_id list[MAX_LISTED];
  cl_uint n = 0;
  char name[256];
  if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_LISTED, list, &n) != CL_SUCCESS) return false;
  for (cl_uint i = 0; i < n && i < MAX_LISTED; i++) {
    if (cl->clGetDeviceInfo(list[i], CL_DEVICE_NAME, sizeof name, name, NULL) != CL_SUCCESS) continue;
    if (!matches(state.device, (int)i, name)) continue;
    *out = list[i];
    return true;
  }
  return false;
}

static int pick(selection *s, char why[FG_WHY_SIZE]) {
  cl_platform_id list[MAX_LISTED];
  cl_uint n = 0;
  char name[256];
  cl_int status = s->cl->clGetPlatformIDs(MAX_LISTED, list, &n);
  if (status != CL_SUCCESS || n == 0)
    return snprintf(why, FG_WHY_SIZE, "no OpenCL platform is installed (an ICD such as pocl-opencl-icd)"), 1;
  for (cl_uint i = 0; i < n && i < MAX_LISTED; i++) {
    if (s->cl->clGetPlatformInfo(list[i], CL_PLATFORM_NAME, sizeof name, name, NULL) != CL_SUCCESS) continue;
    s->platform = list[i];
    if (matches(state.platform, (int)i, name) && pick_device(s->cl, list[i], &s->device)) return 0;
  }
  snprintf(why, FG_WHY_SIZE, "no OpenCL device%s%s%s%s among %u platforms", *state.platform ? " on platform " : "",
           state.platform, *state.device ? " of name or number " : "", state.device, (unsigned)n);
  return 1;
}

int fg_opencl_acquire(selection *out, char why[FG_WHY_SIZE]) {
  cl_int status = CL_SUCCESS;
  selection *s = &state.chosen;
  int bad = 0;
  pthread_mutex_lock(&lock);
  if (!s->context) {
    selection fresh = {.cl = fg_cl_load(why)};
    bad = !fresh.cl || pick(&fresh, why);
    if (!bad) {
      fresh.context = fresh.cl->clCreateContext(NULL, 1, &fresh.device, NULL, NULL, &status);
      if (status != CL_SUCCESS) bad = failed(why, "creating an OpenCL context", status);
    }
    if (!bad) {
      fresh.queue = fresh.cl->clCreateCommandQueue(fresh.context, fresh.device, 0, &status);
      if (status != CL_SUCCESS) {
        bad = failed(why, "creating an OpenCL queue", status);
        fresh.cl->clReleaseContext(fresh.context);
      }
    }
    if (!bad) *s = fresh;
  }
  if (!bad) {
    s->cl->clRetainContext(s->context);
    s->cl->clRetainCommandQueue(s->queue);
    *out = *s;
  }
  pthread_mutex_unlock(&lock);
  return bad;
}

void fg_opencl_release(selection *s) {
  if (!s->context) return;
  s->cl->clReleaseCommandQueue(s->queue);
  s->cl->clReleaseContext(s->context);
  s->context = NULL;
}

static int option(const char *key, const char *value, char why[FG_WHY_SIZE]) {
  char *option = !strcmp(key, "platform") ? state.platform : !strcmp(key, "device") ? state.device : NULL;
  if (!option) return snprintf(why, FG_WHY_SIZE, "opencl: unknown option %.64s (platform, device)", key), 1;
  if (value && strlen(value) >= sizeof state.device)
    return snprintf(why, FG_WHY_SIZE, "opencl: option %s: at most %zu characters", key, sizeof state.device - 1), 1;
  pthread_mutex_lock(&lock);
  snprintf(option, sizeof state.device, "%s", value ? value : "");
  fg_opencl_release(&state.chosen);
  pthread_mutex_unlock(&lock);
  return 0;
}

/* ---- facts ------------------------------------------------------------------- */

static int probe(fg_device_facts *facts, char why[FG_WHY_SIZE]) {
  selection s;
  if (fg_opencl_acquire(&s, why)) return 1;
  fg_cl_facts(s.cl, s.device, facts);
  fg_opencl_release(&s);
  return 0;
}

/* ---- memory ---------------------------------------------------------------------- */

static int take(void *on, uintptr_t *out, size_t bytes, char why[FG_WHY_SIZE]) {
  const fg_module *m = on;
  cl_int status;
  char what[64];
  *out = (uintptr_t)m->on.cl->clCreateBuffer(m->on.context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  snprintf(what, sizeof what, "a buffer of %zu bytes", bytes);
  return status == CL_SUCCESS ? 0 : failed(why, what, status);
}

static int fill(void *on, uintptr_t to, size_t at, const void *from, size_t bytes, char why[FG_WHY_SIZE]) {
  const fg_module *m = on;
  cl_int status = m->on.cl->clEnqueueWriteBuffer(m->on.queue, (cl_mem)to, CL_TRUE, at, bytes, from, 0, NULL, NULL);
  return status == CL_SUCCESS ? 0 : failed(why, "copying to the device", status);
}

static int fetch(void *on, void *to, uintptr_t from, size_t bytes, char why[FG_WHY_SIZE]) {
  const fg_module *m = on;
  cl_int status = m->on.cl->clEnqueueReadBuffer(m->on.queue, (cl_mem)from, CL_TRUE, 0, bytes, to, 0, NULL, NULL);
  return status == CL_SUCCESS ? 0 : failed(why, "copying from the device", status);
}

static void release(void *on, uintptr_t memory) { ((fg_module *)on)->on.cl->clReleaseMemObject((cl_mem)memory); }

static const fg_device_memory device_memory = {take, fill, fetch, release};

/* ---- building ------------------------------------------------------------------ */

static int build_source(const selection *on, const char *source, const char *flags, cl_program *out,
                        char why[FG_WHY_SIZE]) {
  const fg_cl_api *cl = on->cl;
  cl_int status;
  size_t length = strlen(source), size = 0;
  cl_program p = cl->clCreateProgramWithSource(on->context, 1, &source, &length, &status);
  if (status != CL_SUCCESS) return failed(why, "creating an OpenCL program", status);
  status = cl->clBuildProgram(p, 1, &on->device, flags ? flags : "", NULL, NULL);
  if (status == CL_SUCCESS) return *out = p, 0;
  cl->clGetProgramBuildInfo(p, on->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  char *log = calloc(size + 1, 1);
  if (log) cl->clGetProgramBuildInfo(p, on->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
  if (log && *log)
    fg_host_first_error(log, why, "OpenCL compiler");
  else
    failed(why, "OpenCL compiler", status);
  free(log);
  cl->clReleaseProgram(p);
  return 1;
}

static void destroy(fg_module *m) {
  if (!m) return;
  const fg_cl_api *cl = m->on.cl;
  fg_argument_slots_free(&m->slots);
  for (int i = 0; i < m->nlaunch; i++)
    if (m->kernel && m->kernel[i]) cl->clReleaseKernel(m->kernel[i]);
  if (m->program) cl->clReleaseProgram(m->program);
  fg_opencl_release(&m->on);
  free(m->kernel);
  free(m->launch);
  free(m);
}

static int make_kernels(fg_module *m, char why[FG_WHY_SIZE]) {
  const fg_cl_api *cl = m->on.cl;
  for (int i = 0; i < m->nlaunch; i++) {
    const fg_launch *l = &m->launch[i];
    size_t most = 0;
    cl_int status;
    m->kernel[i] = cl->clCreateKernel(m->program, l->entry, &status);
    if (status != CL_SUCCESS) return m->kernel[i] = NULL, failed(why, l->entry, status);
    cl->clGetKernelWorkGroupInfo(m->kernel[i], m->on.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    if ((size_t)l->threads > most) {
      snprintf(why, FG_WHY_SIZE, "%s needs %d threads per block; this device allows %zu", l->entry, l->threads, most);
      return 1;
    }
    if (fg_argument_slots_check(&m->slots, l, why)) return 1;
  }
  return 0;
}

static int build(const fg_artifact *a, fg_module **out, char why[FG_WHY_SIZE]) {
  fg_module *m = calloc(1, sizeof *m);
  if (!m) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  if (fg_argument_slots_create(&m->slots, a, &device_memory, m, why) || fg_opencl_acquire(&m->on, why))
    return free(m), 1;
  m->nlaunch = a->nlaunch;
  m->launch = calloc((size_t)a->nlaunch, sizeof *m->launch);
  m->kernel = calloc((size_t)a->nlaunch, sizeof *m->kernel);
  int bad = !m->launch || !m->kernel;
  if (bad)
    snprintf(why, FG_WHY_SIZE, "out of memory");
  else
    memcpy(m->launch, a->launch, (size_t)a->nlaunch * sizeof *m->launch);
  bad = bad || build_source(&m->on, a->source, a->flags, &m->program, why) || make_kernels(m, why) ||
        fg_argument_slots_make(&m->slots, a, why);
  for (int i = 0; !bad && i < m->nlaunch; i++) m->launch[i].entry = NULL; /* the artifact's, which may be freed */
  if (bad)
    destroy(m);
  else
    *out = m;
  return bad;
}

/* ---- running ------------------------------------------------------------------- */

static int set_args(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  for (int i = 0; i < m->nlaunch; i++)
    for (int k = 0; k < m->launch[i].narg; k++) {
      fg_launch_arg arg = m->launch[i].arg[k];
      cl_long value = arg.is_param ? call->params[arg.index] : 0;
      const void *at = arg.is_param ? (const void *)&value : (const void *)&m->slots.used[arg.index];
      cl_int status =
          m->on.cl->clSetKernelArg(m->kernel[i], (cl_uint)k, arg.is_param ? sizeof value : sizeof(cl_mem), at);
      if (status != CL_SUCCESS) return failed(why, "setting a kernel's argument", status);
    }
  return 0;
}

typedef struct repetition {
  fg_module *m;
  const fg_call *call;
  cl_int status;
} repetition;

static int enqueue(void *context, int64_t repeat) {
  repetition *r = context;
  const fg_cl_api *cl = r->m->on.cl;
  for (int64_t i = 0; i < repeat; i++)
    for (int k = 0; k < r->m->nlaunch; k++) {
      const fg_launch *l = &r->m->launch[k];
      size_t local = (size_t)l->threads, global = (size_t)fg_launch_blocks(l, r->call->params) * local;
      if (!global) continue;
      r->status = cl->clEnqueueNDRangeKernel(r->m->on.queue, r->m->kernel[k], 1, NULL, &global, &local, 0, NULL, NULL);
      if (r->status != CL_SUCCESS) return 1;
    }
  r->status = cl->clFinish(r->m->on.queue);
  return r->status != CL_SUCCESS;
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  repetition r = {m, call, CL_SUCCESS};
  if (fg_argument_slots_upload(&m->slots, call, why) || set_args(m, call, why)) return 1;
  if (enqueue(&r, 1)) return failed(why, "launching", r.status);
  return fg_argument_slots_download(&m->slots, call, why);
}

static int time_module(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  repetition r = {m, call, CL_SUCCESS};
  if (fg_argument_slots_upload(&m->slots, call, why) || set_args(m, call, why)) return 1;
  if (fg_timing_measure(enqueue, &r, seconds, ns)) return failed(why, "launching", r.status);
  return 0;
}

/* ---- single executions, by the device's own clock -------------------------------- */

/* Nanoseconds from the start of the first kernel to the end of the last. */
static cl_int between(const fg_cl_api *cl, const cl_event *event, int count, double *ns) {
  cl_ulong from = 0, to = 0;
  cl_int status = cl->clGetEventProfilingInfo(event[0], CL_PROFILING_COMMAND_START, sizeof from, &from, NULL);
  if (status == CL_SUCCESS)
    status = cl->clGetEventProfilingInfo(event[count - 1], CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
  *ns = (double)to - (double)from;
  return status;
}

/* One execution on a queue that keeps times; event: room for each launch. */
static cl_int clocked(fg_module *m, const int64_t *params, cl_command_queue queue, cl_event *event, double *ns) {
  const fg_cl_api *cl = m->on.cl;
  int count = 0;
  cl_int status = CL_SUCCESS;
  for (int k = 0; k < m->nlaunch && status == CL_SUCCESS; k++) {
    size_t local = (size_t)m->launch[k].threads, global = (size_t)fg_launch_blocks(&m->launch[k], params) * local;
    if (!global) continue;
    status = cl->clEnqueueNDRangeKernel(queue, m->kernel[k], 1, NULL, &global, &local, 0, NULL, &event[count]);
    count += status == CL_SUCCESS;
  }
  cl_int ended = cl->clFinish(queue);
  if (status == CL_SUCCESS) status = ended;
  if (status == CL_SUCCESS && count) status = between(cl, event, count, ns);
  for (int i = 0; i < count; i++) cl->clReleaseEvent(event[i]);
  return status;
}

static int sample_inside(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  cl_int status;
  cl_event *event = calloc((size_t)m->nlaunch, sizeof *event);
  cl_command_queue queue =
      m->on.cl->clCreateCommandQueue(m->on.context, m->on.device, CL_QUEUE_PROFILING_ENABLE, &status);
  s->has_inside = status == CL_SUCCESS; /* a device without a clock has no such queue */
  if (!s->has_inside || !event) return free(event), 0;
  double first;
  status = clocked(m, call->params, queue, event, &first);
  for (int i = 0; i < s->count && status == CL_SUCCESS; i++)
    status = clocked(m, call->params, queue, event, &s->inside[i]);
  m->on.cl->clReleaseCommandQueue(queue);
  free(event);
  return status == CL_SUCCESS ? 0 : failed(why, "timing a launch", status);
}

static int sample(fg_module *m, const fg_call *call, fg_samples *s, char why[FG_WHY_SIZE]) {
  repetition r = {m, call, CL_SUCCESS};
  if (fg_argument_slots_upload(&m->slots, call, why) || set_args(m, call, why)) return 1;
  if (fg_timing_each(enqueue, &r, s->seconds, s->most, s->total, &s->count)) return failed(why, "launching", r.status);
  return sample_inside(m, call, s, why);
}

/* ---- compiling alone --------------------------------------------------------- */

static int take_binary(const selection *on, cl_program p, fg_code *out, char why[FG_WHY_SIZE]) {
  size_t size = 0;
  cl_int status = on->cl->clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
  if (status != CL_SUCCESS || !size) return snprintf(why, FG_WHY_SIZE, "this OpenCL driver gives no binaries away"), 1;
  unsigned char *bytes = malloc(size);
  if (!bytes) return snprintf(why, FG_WHY_SIZE, "out of memory"), 1;
  status = on->cl->clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL);
  if (status != CL_SUCCESS) return free(bytes), failed(why, "fetching a binary", status);
  fg_device_facts facts;
  fg_cl_facts(on->cl, on->device, &facts);
  *out = (fg_code){.bytes = bytes, .size = size, .form = "binary"};
  memcpy(out->fits, facts.identity, sizeof out->fits);
  return 0;
}

static int compile_native(const char *source, const char *arch, fg_code *out, char why[FG_WHY_SIZE]) {
  selection on;
  cl_program p;
  if (strcmp(arch, "native")) return snprintf(why, FG_WHY_SIZE, "OpenCL's architecture %.64s: native is all", arch), 1;
  if (fg_opencl_acquire(&on, why)) return 1;
  int bad = build_source(&on, source, NULL, &p, why);
  if (!bad) {
    bad = take_binary(&on, p, out, why);
    on.cl->clReleaseProgram(p);
  }
  fg_opencl_release(&on);
  return bad;
}

const fg_device fg_device_opencl = {
    .name = "opencl",
    .help = "CPUs and GPUs that an OpenCL driver has",
    .dialect = "opencl",
    .has_lanes = true,
    .probe = probe,
    .build = build,
    .run = run,
    .time = time_module,
    .sample = sample,
    .destroy = destroy,
    .option = option,
    .compile = compile_native,
};
