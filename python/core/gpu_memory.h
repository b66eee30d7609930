/* Functions of the module: memory, order between streams, DLPack. */
#ifndef FFTGEN_PYTHON_GPU_MEMORY_H
#define FFTGEN_PYTHON_GPU_MEMORY_H
#include "python/core/core.h"

PyObject *fg_py_gpu_allocate(PyObject *module, PyObject *args);
PyObject *fg_py_gpu_owner(PyObject *module, PyObject *address);
PyObject *fg_py_gpu_event(PyObject *module, PyObject *args);
PyObject *fg_py_gpu_event_done(PyObject *module, PyObject *event_number);
PyObject *fg_py_gpu_order(PyObject *module, PyObject *args);
PyObject *fg_py_gpu_to_dlpack(PyObject *module, PyObject *args);
PyObject *fg_py_gpu_from_dlpack(PyObject *module, PyObject *capsule);
#endif
