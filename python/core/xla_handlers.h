/* Handlers for XLA's programs. */
#ifndef FFTGEN_PYTHON_XLA_HANDLERS_H
#define FFTGEN_PYTHON_XLA_HANDLERS_H
#include "python/core/core.h"

PyObject *fg_py_xla_handler(PyObject *module, PyObject *platform); /* "cpu" or "CUDA": a capsule */
#endif
