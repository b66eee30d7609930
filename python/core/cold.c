/* See cold.h. In: whether this thread may make plans. Out: ColdError where one would be made. The one idea: whoever
 * makes a plan asks here before. */
#include "python/core/cold.h"

static _Thread_local bool is_cold;
static PyObject *error;

int fg_py_cold_ready(PyObject *module) {
  error = PyErr_NewExceptionWithDoc("fftgen.ColdError", "A plan would be made inside of fftgen.cold(\"raise\").",
                                    PyExc_RuntimeError, NULL);
  if (!error) return -1;
  Py_INCREF(error);
  return PyModule_AddObject(module, "ColdError", error);
}

PyObject *fg_py_set_cold(PyObject *module, PyObject *cold) {
  bool before = is_cold;
  int truth = PyObject_IsTrue(cold);
  (void)module;
  if (truth < 0) return NULL;
  is_cold = truth;
  return PyBool_FromLong(before);
}

bool fg_py_is_cold(void) { return is_cold; }

bool fg_py_may_plan(const char *what, PyObject *of) {
  if (!is_cold) return true;
  PyErr_Format(error, "%s %S: there is no plan yet, and fftgen.cold(\"raise\") forbids to make one", what, of);
  return false;
}
