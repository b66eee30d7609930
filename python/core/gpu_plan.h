/* A plan of libfftgen's as an object, and how its calls get memory. */
#ifndef FFTGEN_PYTHON_GPU_PLAN_H
#define FFTGEN_PYTHON_GPU_PLAN_H
#include "python/core/gpu_array.h"

typedef struct fg_py_gpu_plan fg_py_gpu_plan;
int fg_py_gpu_plan_ready(PyObject *module); /* makes the type; below 0 with an exception */
/* What `make` returns; see _gpu.Recipe. A new reference; NULL with an exception. */
fg_py_gpu_plan *fg_py_gpu_plan_new(int device, PyObject *recipe);
PyObject *fg_py_gpu_text_plan(PyObject *module, PyObject *args);
PyObject *fg_py_gpu_pack(PyObject *module, PyObject *path);
bool fg_py_gpu_plan_is(PyObject *x);
size_t fg_py_gpu_plan_bytes(const fg_py_gpu_plan *p); /* of memory that it holds on the GPU */
/* Results in out, or, where that is NULL, in a new array. NULL without an exception: not from here, x's library
 * allocates on another device. */
PyObject *fg_py_gpu_plan_run(fg_py_gpu_plan *p, const fg_py_gpu_array *x, const fg_py_gpu_array *out);
#endif
