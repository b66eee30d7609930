/* Calls with arrays on GPUs. In: arrays of CuPy's, PyTorch's, or described by numbers. Out: launches on the array's
 * current stream, by plans of libfftgen's (docs/runtime.md), which is opened when the first one is wanted. */
#ifndef FFTGEN_PYTHON_GPU_H
#define FFTGEN_PYTHON_GPU_H
#include "python/core/gpu_array.h"

/* NULL without an exception: the Python half's to do. */
PyObject *fg_py_gpu_call(fg_py_job *j, const fg_py_gpu_array *x, PyObject *out);
PyObject *fg_py_gpu_run(PyObject *module, PyObject *args);
PyObject *fg_py_gpu_prepare(PyObject *module, PyObject *args);
#endif
