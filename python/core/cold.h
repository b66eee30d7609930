/* Calls that must not make plans: inside of fftgen.cold("raise"), by thread. */
#ifndef FFTGEN_PYTHON_COLD_H
#define FFTGEN_PYTHON_COLD_H
#include "python/core/core.h"

int fg_py_cold_ready(PyObject *module);                     /* makes ColdError; below 0 with an exception */
PyObject *fg_py_set_cold(PyObject *module, PyObject *cold); /* for this thread; whether it was */
bool fg_py_is_cold(void);
/* False with a ColdError, where this thread is cold: `of`, an object, is what would be planned for. */
bool fg_py_may_plan(const char *what, PyObject *of);
#endif
