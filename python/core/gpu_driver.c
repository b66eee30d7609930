/* Functions of libcuda, as far as they are called here, and libfftgen's plans for CUDA. In: names. Out: a table, filled
 * when the first array of a GPU comes. What the process has of libcuda already is preferred, as libfftgen does. */
#include "python/core/gpu_driver.h"
#include "fftw/engine/engine.h"
#include <dlfcn.h>
#include <string.h>

typedef struct row {
  const char *symbol;
  size_t at;
} row;

#define ROW(field, symbol)                                                                                             \
  { symbol, offsetof(fg_py_cuda, field) }
static const row of_driver[] = {
    ROW(init, "cuInit"),
    ROW(error_name, "cuGetErrorName"),
    ROW(context_current, "cuCtxGetCurrent"),
    ROW(context_push, "cuCtxPushCurrent_v2"),
    ROW(context_pop, "cuCtxPopCurrent_v2"),
    ROW(context_retain, "cuDevicePrimaryCtxRetain"),
    ROW(context_wait, "cuCtxSynchronize"),
    ROW(pointer, "cuPointerGetAttribute"),
    ROW(capturing, "cuStreamIsCapturing"),
    ROW(allocate, "cuMemAlloc_v2"),
    ROW(release, "cuMemFree_v2"),
    ROW(upload, "cuMemcpyHtoD_v2"),
    ROW(event_create, "cuEventCreate"),
    ROW(event_record, "cuEventRecord"),
    ROW(event_query, "cuEventQuery"),
    ROW(event_destroy, "cuEventDestroy_v2"),
    ROW(stream_wait_event, "cuStreamWaitEvent"),
};
static const row of_fftgen[] = {
    ROW(create, "fftgen_cuda_plan_create"),
    ROW(destroy, "fftgen_cuda_plan_destroy"),
    ROW(execute, "fftgen_cuda_execute"),
    ROW(info, "fftgen_cuda_plan_info"),
};

enum { DEVICES = 64 };
static fg_py_cuda table;
static void *context_of[DEVICES]; /* retained for as long as the process lives */
static bool ready;

static PyObject *absent(const char *what) {
  PyErr_Format(PyExc_RuntimeError, "arrays of a GPU need %s (docs/python.md says what the package wants beside it)",
               what);
  return NULL;
}

static bool find_in_driver(void) {
  bool is_here = dlsym(RTLD_DEFAULT, "cuInit") != NULL;
  void *library = is_here ? RTLD_DEFAULT : dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!is_here && !library) return absent("a CUDA driver, and there is no libcuda.so.1") != NULL;
  for (size_t i = 0; i < sizeof of_driver / sizeof *of_driver; i++) {
    void *symbol = dlsym(library, of_driver[i].symbol);
    if (!symbol) return absent("a later CUDA driver: libcuda.so.1 lacks functions") != NULL;
    memcpy((char *)&table + of_driver[i].at, &symbol, sizeof symbol);
  }
  int status = table.init(0);
  return status == 0 || fg_py_cuda_failed("starting the CUDA driver", status);
}

static bool find_in_fftgen(void) {
  for (size_t i = 0; i < sizeof of_fftgen / sizeof *of_fftgen; i++) {
    void *symbol = fg_engine_f32.library(of_fftgen[i].symbol);
    if (!symbol) return absent("libfftgen.so beside the extension, or one or two folders above it") != NULL;
    memcpy((char *)&table + of_fftgen[i].at, &symbol, sizeof symbol);
  }
  return true;
}

const fg_py_cuda *fg_py_cuda_get(void) {
  if (!ready) ready = find_in_fftgen() && find_in_driver();
  return ready ? &table : NULL;
}

PyObject *fg_py_cuda_failed(const char *what, int status) {
  const char *name = NULL;
  if (table.error_name(status, &name) != 0 || !name) name = "an error without a name";
  return PyErr_Format(PyExc_RuntimeError, "%s: %s (%d)", what, name, status);
}

void *fg_py_cuda_context(const fg_py_cuda *cu, int device) {
  if (device < 0 || device >= DEVICES) {
    PyErr_Format(PyExc_ValueError, "device %d where one of 0 to %d belongs", device, DEVICES - 1);
    return NULL;
  }
  if (context_of[device]) return context_of[device];
  int status = cu->context_retain(&context_of[device], device);
  if (status == 0) return context_of[device];
  context_of[device] = NULL;
  return fg_py_cuda_failed("asking for the device's context", status);
}

bool fg_py_cuda_enter(const fg_py_cuda *cu, int device) {
  void *context = fg_py_cuda_context(cu, device);
  if (!context) return false;
  int status = cu->context_push(context);
  return status == 0 || fg_py_cuda_failed("entering the device's context", status);
}

void fg_py_cuda_leave(const fg_py_cuda *cu) {
  void *context;
  cu->context_pop(&context);
}
