/* A plan of libfftgen's for the host, by a problem's text. */
#ifndef FFTGEN_PYTHON_HOST_PLAN_H
#define FFTGEN_PYTHON_HOST_PLAN_H
#include "python/core/core.h"
#include "runtime/include/fftgen/fftgen.h"

enum { FG_PY_MOST_GIVEN = 17 };                 /* a spectrum, and what a problem's operations take */
int fg_py_host_plan_ready(PyObject *module);    /* makes the type; below 0 with an exception */
PyObject *fg_py_facts(const fftgen_info *info); /* a new reference; NULL with an exception */
/* The exception for a plan that was not made; NULL. */
PyObject *fg_py_no_plan(fftgen_status status, const char *message);
/* A tuple of addresses. Below 0: an exception. */
int fg_py_read_given(PyObject *addresses, unsigned long long *given);
PyObject *fg_py_host_plan(PyObject *module, PyObject *args);
#endif
