/* Inputs that the engine does not read as they are: whole numbers, halves, reals where pairs belong, arrays that are
 * too short, lists. In: a job. Out: the same job with an array of its own in place of x.
 *
 * What is left to Python: numbers that fftgen does not have, foreign byte order, addresses that are not aligned, hfft.
 */
#include "python/core/core.h"

static bool is_whole(int type) { return type == NPY_BOOL || (type >= NPY_BYTE && type <= NPY_ULONGLONG); }

/* The type that x is to have; -1: none of ours. */
static int type_for(const fg_py_job *j) {
  int type = PyArray_TYPE(j->x);
  if (is_whole(type)) type = NPY_DOUBLE;
  if (type == NPY_HALF) type = NPY_FLOAT;
  if (type != NPY_FLOAT && type != NPY_DOUBLE && type != NPY_CFLOAT && type != NPY_CDOUBLE) return -1;
  if (j->row->family != FG_PY_IRFFT) return type;
  return type == NPY_FLOAT ? NPY_CFLOAT : type == NPY_DOUBLE ? NPY_CDOUBLE : type;
}

/* The elements of an array that another shape has, too. */
static PyArrayObject *part(PyArrayObject *a, const npy_intp *other) {
  npy_intp shape[FG_PY_AXES];
  int dimensions = PyArray_NDIM(a);
  for (int i = 0; i < dimensions; i++) shape[i] = PyArray_DIM(a, i) < other[i] ? PyArray_DIM(a, i) : other[i];
  PyArray_Descr *type = PyArray_DESCR(a);
  Py_INCREF(type);
  return (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, type, dimensions, shape, PyArray_STRIDES(a),
                                               PyArray_DATA(a), PyArray_FLAGS(a) & ~NPY_ARRAY_OWNDATA, NULL);
}

static bool fill(PyArrayObject *to, PyArrayObject *from) {
  PyArrayObject *into = part(to, PyArray_DIMS(from)), *elements = part(from, PyArray_DIMS(to));
  bool done = into && elements && PyArray_CopyInto(into, elements) == 0;
  Py_XDECREF(into), Py_XDECREF(elements);
  return done;
}

static PyArrayObject *converted(const fg_py_job *j, const npy_intp *shape, int type, bool pads) {
  int dimensions = PyArray_NDIM(j->x);
  PyArrayObject *a = pads ? (PyArrayObject *)PyArray_ZEROS(dimensions, shape, type, 0)
                          : (PyArrayObject *)PyArray_SimpleNew(dimensions, shape, type);
  if (a && fill(a, j->x)) return a;
  Py_XDECREF(a);
  PyErr_Clear();
  return NULL;
}

PyArrayObject *fg_py_convert(const fg_py_job *j) {
  npy_intp shape[FG_PY_AXES];
  int type = type_for(j);
  bool pads = false, crops = false;
  if (type < 0 || !PyArray_ISNOTSWAPPED(j->x) || PyArray_NDIM(j->x) > FG_PY_AXES) return NULL;
  for (int i = 0; i < PyArray_NDIM(j->x); i++) shape[i] = PyArray_DIM(j->x, i);
  for (int i = 0; i < j->rank; i++) {
    npy_intp needed = fg_py_length_in(j, i), *n = &shape[j->axis[i]];
    if (needed < 1 || needed > INT32_MAX) return NULL;
    pads = pads || needed > *n, crops = crops || needed < *n;
    *n = needed;
  }
  bool orthogonal = fg_py_is_trigonometric(j->row) && j->orthogonalize; /* such inputs are not cropped in place */
  return pads || type != PyArray_TYPE(j->x) || (crops && orthogonal) ? converted(j, shape, type, pads) : NULL;
}
