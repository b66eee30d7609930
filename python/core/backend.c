/* SciPy's door: __ua_function__ of a backend. In: one of scipy.fft's functions, its arguments. Out: what the function
 * of the table beside it returns; or NotImplemented, and SciPy continues. */
#include "python/core/core.h"

static PyObject *dispatch(PyObject *table, PyObject *const *args, Py_ssize_t count) {
  if (count != 3)
    return PyErr_Format(PyExc_TypeError, "__ua_function__ takes a function, arguments and named arguments");
  PyObject *function = PyDict_GetItemWithError(table, args[0]);
  if (function) return PyObject_Call(function, args[1], args[2]);
  if (PyErr_Occurred()) return NULL;
  Py_INCREF(Py_NotImplemented);
  return Py_NotImplemented;
}

PyObject *fg_py_backend(PyObject *module, PyObject *table) {
  static PyMethodDef method;
  union {
    PyObject *(*fast)(PyObject *self, PyObject *const *args, Py_ssize_t count);
    PyCFunction plain;
  } to = {.fast = dispatch};
  (void)module;
  method = (PyMethodDef){"__ua_function__", to.plain, METH_FASTCALL, "SciPy calls this."};
  if (PyDict_Check(table)) return PyCFunction_NewEx(&method, table, NULL);
  return PyErr_Format(PyExc_TypeError, "a dict of functions is wanted");
}
