/* Functions of libcuda, and of libfftgen for CUDA. */
#ifndef FFTGEN_PYTHON_GPU_DRIVER_H
#define FFTGEN_PYTHON_GPU_DRIVER_H
#include "python/core/core.h"
#include "runtime/include/fftgen/cuda.h"

typedef struct fg_py_cuda { /* functions of libcuda and libfftgen; those of libcuda return 0, or an error's number */
  int (*init)(unsigned flags);
  int (*error_name)(int status, const char **name);
  int (*context_current)(void **context);
  int (*context_push)(void *context);
  int (*context_pop)(void **context);
  int (*context_retain)(void **context, int device);
  int (*context_wait)(void);
  int (*pointer)(void *to, int what, unsigned long long at);
  int (*capturing)(uintptr_t stream, int *status);
  int (*allocate)(unsigned long long *at, size_t bytes);
  int (*release)(unsigned long long at);
  int (*upload)(unsigned long long to, const void *from, size_t bytes);
  int (*event_create)(void **event, unsigned flags);
  int (*event_record)(void *event, uintptr_t stream);
  int (*event_query)(void *event);
  int (*event_destroy)(void *event);
  int (*stream_wait_event)(uintptr_t stream, void *event, unsigned flags);
  fftgen_status (*create)(const char *problem, const fftgen_options *o, fftgen_cuda_plan **plan, fftgen_error *error);
  void (*destroy)(fftgen_cuda_plan *plan);
  fftgen_status (*execute)(const fftgen_cuda_plan *plan, const fftgen_cuda_arrays *arrays, struct CUstream_st *stream,
                           fftgen_error *error);
  fftgen_status (*info)(const fftgen_cuda_plan *plan, fftgen_info *info);
} fg_py_cuda;

const fg_py_cuda *fg_py_cuda_get(void);                     /* NULL with an exception */
PyObject *fg_py_cuda_failed(const char *what, int status);  /* NULL, with an exception */
bool fg_py_cuda_enter(const fg_py_cuda *cu, int device);    /* false with an exception; the device's own context */
void *fg_py_cuda_context(const fg_py_cuda *cu, int device); /* NULL with an exception */
void fg_py_cuda_leave(const fg_py_cuda *cu);
#endif
