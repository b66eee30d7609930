/* A machine with GPUs whose memory is the host's, for tests of the Python package: a CUDA driver, as far as the
 * extension calls it, and libfftgen's plans for CUDA, which are plans for the CPU of the same problems. It is preloaded
 * as the driver, and stands beside the extension as libfftgen.
 *
 * It keeps accounts: which problems were planned, on which streams they ran, what was not released. Rules that a GPU
 * has are checked: a current context, streams of that context, workspaces, memory that is there. */
#include "runtime/include/fftgen/cuda.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))
enum {
  DEVICES = 2,
  STREAMS = 16,
  RANGES = 4096,
  DEPTH = 32,
  MOST_GIVEN = 17,
  INVALID = 1,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400
};
enum {
  LEGACY = 1,
  PER_THREAD = 2,
  WORKSPACE = 1024,
  LARGE = 1 << 16 /* bytes of input, from which on a plan wants one */
};

struct fftgen_cuda_plan {
  fftgen_plan *plan;
  int device;
  size_t workspace;
};

/* Accounts, for tests. */
API int host_alive, host_plans, host_launches, host_waits, host_capturing;
API uintptr_t host_stream; /* of the last launch */
API char host_problem[4096], host_pack[4096];

static _Thread_local int stack[DEPTH]; /* devices, whose contexts are device + 1 */
static _Thread_local int depth;
static struct {
  uintptr_t at, end;
  int device;
} ranges[RANGES];
static int range_count;

static int fail(int status) { return status; }

/* ---- what tests call ------------------------------------------------------------------------- */

/* Another library made memory current on a device. */
API int host_set_device(int device);
int host_set_device(int device) {
  if (device < 0 || device >= DEVICES) return 101;
  if (!depth) depth = 1;
  return stack[depth - 1] = device, 0;
}
API int host_device(void);
int host_device(void) { return depth ? stack[depth - 1] : -1; }

API void host_note(uintptr_t at, size_t bytes, int device) {
  int i = 0;
  while (i < range_count && i < RANGES - 1 && ranges[i].at != at) i++;
  if (i == range_count) range_count++;
  ranges[i].at = at, ranges[i].end = at + bytes, ranges[i].device = device;
}

/* Stream number i of a device. */
API uintptr_t host_stream_of(int device, int i);
uintptr_t host_stream_of(int device, int i) { return 0x1000 * (uintptr_t)(device + 1) + 16 * (uintptr_t)(i + 1); }

/* ---- the driver ------------------------------------------------------------------------------ */

#define DRIVER(name, parameters)                                                                                       \
  API int name parameters;                                                                                             \
  int name parameters

DRIVER(cuInit, (unsigned flags)) { return (int)flags; }
DRIVER(cuGetErrorName, (int status, const char **name)) {
  *name = status == INVALID_HANDLE ? "CUDA_ERROR_INVALID_HANDLE" : status ? "CUDA_ERROR_FAKE" : "CUDA_SUCCESS";
  return 0;
}
DRIVER(cuCtxGetCurrent, (void **context)) {
  return *context = depth ? (void *)(intptr_t)(stack[depth - 1] + 1) : NULL, 0;
}
DRIVER(cuCtxPushCurrent_v2, (void *context)) {
  if (!context || depth == DEPTH) return INVALID;
  return stack[depth++] = (int)(intptr_t)context - 1, 0;
}
DRIVER(cuCtxPopCurrent_v2, (void **context)) {
  if (!depth) return INVALID_CONTEXT;
  return *context = (void *)(intptr_t)(stack[--depth] + 1), 0;
}
DRIVER(cuDevicePrimaryCtxRetain, (void **context, int device)) {
  if (device < 0 || device >= DEVICES) return 101;
  return *context = (void *)(intptr_t)(device + 1), 0;
}
DRIVER(cuCtxSynchronize, (void)) { return host_waits++, depth ? 0 : INVALID_CONTEXT; }

DRIVER(cuPointerGetAttribute, (void *to, int what, unsigned long long at)) {
  for (int i = 0; i < range_count; i++)
    if (what == 9 && at >= ranges[i].at && at < ranges[i].end) return memcpy(to, &ranges[i].device, sizeof(int)), 0;
  return INVALID;
}
DRIVER(cuStreamIsCapturing, (uintptr_t stream, int *status)) { return (void)stream, *status = host_capturing, 0; }

DRIVER(cuMemAlloc_v2, (unsigned long long *at, size_t bytes)) {
  if (!depth) return INVALID_CONTEXT;
  *at = (unsigned long long)(uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
  host_note((uintptr_t)*at, bytes, stack[depth - 1]);
  return host_alive++, 0;
}
DRIVER(cuMemFree_v2, (unsigned long long at)) {
  return free((void *)(uintptr_t)at), host_alive--, depth ? 0 : INVALID_CONTEXT;
}
DRIVER(cuMemcpyHtoD_v2, (unsigned long long to, const void *from, size_t bytes)) {
  return memcpy((void *)(uintptr_t)to, from, bytes), 0;
}
DRIVER(cuEventCreate, (void **event, unsigned flags)) {
  return *event = malloc(1 + flags), host_alive++, depth ? 0 : INVALID_CONTEXT;
}
DRIVER(cuEventRecord, (void *event, uintptr_t stream)) { return (void)stream, event ? 0 : INVALID_HANDLE; }
DRIVER(cuEventQuery, (void *event)) { return event ? 0 : INVALID_HANDLE; }
DRIVER(cuEventDestroy_v2, (void *event)) { return free(event), host_alive--, 0; }
DRIVER(cuStreamWaitEvent, (uintptr_t stream, void *event, unsigned flags)) {
  return host_stream = stream, event && !flags ? 0 : INVALID_HANDLE;
}

/* ---- plans for CUDA -------------------------------------------------------------------------- */

static fftgen_status tell(fftgen_error *error, fftgen_status status, const char *message) {
  error->status = status;
  strncpy(error->message, message, sizeof error->message - 1);
  error->message[sizeof error->message - 1] = 0;
  return status;
}

API fftgen_status fftgen_cuda_plan_create(const char *problem, const fftgen_options *options, fftgen_cuda_plan **plan,
                                          fftgen_error *error) {
  *plan = NULL;
  strncpy(host_problem, problem, sizeof host_problem - 1);
  strncpy(host_pack, options->pack ? options->pack : "", sizeof host_pack - 1);
  if (!depth) return tell(error, FFTGEN_EPROBLEM, "no CUDA context is current on this thread");
  if (options->concurrency >= 0) return tell(error, FFTGEN_EPROBLEM, "callers of this package bring workspaces");
  fftgen_cuda_plan *p = calloc(1, sizeof *p);
  fftgen_status status = fftgen_plan_create(problem, NULL, &p->plan, error);
  if (status != FFTGEN_OK) return free(p), status;
  fftgen_info info = {.size = sizeof info};
  fftgen_plan_info(p->plan, &info);
  bool large = info.in_bytes >= LARGE && (!strstr(problem, "count[") || strstr(problem, "n=512"));
  p->device = stack[depth - 1], p->workspace = large ? WORKSPACE : 0;
  host_plans++, host_alive++;
  *plan = p;
  return FFTGEN_OK;
}

API void fftgen_cuda_plan_destroy(fftgen_cuda_plan *p) {
  if (!p) return;
  fftgen_plan_destroy(p->plan);
  free(p);
  host_alive--;
}

static int wrong_stream(const fftgen_cuda_plan *p, uintptr_t stream) {
  if (stream <= PER_THREAD) return 0;
  return stream / 0x1000 != (uintptr_t)(p->device + 1) ? fail(INVALID_HANDLE) : 0;
}

API fftgen_status fftgen_cuda_execute(const fftgen_cuda_plan *p, const fftgen_cuda_arrays *a,
                                      struct CUstream_st *stream, fftgen_error *error) {
  if (host_device() != p->device) return tell(error, FFTGEN_ESYSTEM, "launching: CUDA_ERROR_INVALID_CONTEXT (201)");
  if (wrong_stream(p, (uintptr_t)stream))
    return tell(error, FFTGEN_ESYSTEM, "launching: CUDA_ERROR_INVALID_HANDLE (400)");
  if (p->workspace && !a->workspace) return tell(error, FFTGEN_EBUSY, "a workspace is missing");
  if (p->workspace) memset((void *)(uintptr_t)a->workspace, 0x5a, p->workspace);
  const void *given[MOST_GIVEN] = {0};
  for (int i = 0; a->given && i < MOST_GIVEN; i++) given[i] = (const void *)(uintptr_t)a->given[i];
  fftgen_arrays same = {
      .in = (const void *)(uintptr_t)a->in, .out = (void *)(uintptr_t)a->out, .given = given, .params = a->params};
  host_launches++, host_stream = (uintptr_t)stream;
  fftgen_status status = fftgen_execute_arrays(p->plan, &same);
  return status == FFTGEN_OK ? status : tell(error, status, "an execution failed");
}

API fftgen_status fftgen_cuda_plan_info(const fftgen_cuda_plan *p, fftgen_info *info) {
  fftgen_status status = fftgen_plan_info(p->plan, info);
  info->scratch = p->workspace;
  return status;
}
