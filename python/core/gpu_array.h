/* Arrays of a GPU, whichever library made them. */
#ifndef FFTGEN_PYTHON_GPU_ARRAY_H
#define FFTGEN_PYTHON_GPU_ARRAY_H
#include "python/core/core.h"

/* Types of elements, as _gpu.NUMBERS has them. */
typedef enum fg_py_number {
  FG_PY_F16,
  FG_PY_F32,
  FG_PY_F64,
  FG_PY_BF16,
  FG_PY_C32, /* from here on pairs */
  FG_PY_C64,
  FG_PY_C128,
  FG_PY_BC32,
  FG_PY_NUMBERS
} fg_py_number;

typedef struct fg_py_library fg_py_library; /* a Python package whose arrays are read here (gpu_array.c) */

typedef struct fg_py_gpu_array {
  const fg_py_library *library;
  PyObject *object; /* borrowed */
  uintptr_t at;
  fg_py_number type;
  int device, dimensions;
  npy_intp shape[FG_PY_AXES], stride[FG_PY_AXES]; /* strides in elements */
} fg_py_gpu_array;

/* False: not an array that is read here, or not plain; never an exception. */
bool fg_py_gpu_read(PyObject *x, fg_py_gpu_array *a);
bool fg_py_gpu_address(const fg_py_library *l, PyObject *x, uintptr_t *at);
bool fg_py_gpu_stream(const fg_py_gpu_array *x, uintptr_t *stream);
bool fg_py_gpu_allocates_here(const fg_py_library *l); /* on the current device, whatever device arrays are on */
PyObject *fg_py_gpu_library(PyObject *module, PyObject *args);
PyObject *fg_py_gpu_describe(PyObject *module, PyObject *x);
#endif
