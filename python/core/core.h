/* What the files of the extension share: Python and NumPy by their stable interfaces. */
#ifndef FFTGEN_PYTHON_CORE_H
#define FFTGEN_PYTHON_CORE_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_1_23_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL fftgen_numpy_api
#ifndef FFTGEN_PYTHON_IMPORTS /* module.c alone fills the table of NumPy's functions */
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum fg_py_family {
  FG_PY_FFT,
  FG_PY_RFFT,
  FG_PY_IRFFT,
  FG_PY_HFFT,
  FG_PY_IHFFT,
  FG_PY_DCT,
  FG_PY_DST
} fg_py_family;

typedef struct fg_py_row { /* of functions.def */
  const char *name;
  fg_py_family family;
  char dimensions; /* '1', '2', 'n' */
  bool inverse;
} fg_py_row;

static inline bool fg_py_is_trigonometric(const fg_py_row *r) {
  return r->family == FG_PY_DCT || r->family == FG_PY_DST;
}

enum { FG_PY_AXES = 64 };
typedef enum fg_py_norm { FG_PY_BACKWARD, FG_PY_ORTHO, FG_PY_FORWARD, FG_PY_NO_NORM } fg_py_norm;

/* Arguments that are known to be right, but for what fg_py_is_ready says. */
typedef struct fg_py_job {
  const fg_py_row *row;
  int dimensions; /* of the input, wherever it is: */
  const npy_intp *shape;
  PyArrayObject *x, *out; /* NumPy's. out: NULL, or the array of results */
  int rank, axis[FG_PY_AXES];
  npy_intp n[FG_PY_AXES]; /* points of the transform along each axis; elements beyond are not read */
  fg_py_norm norm;
  int type;          /* of a cosine or sine transform, 1 to 4 */
  int orthogonalize; /* below 0: where norm is FG_PY_ORTHO */
  int threads;
  int search; /* milliseconds, for a kernel of libfftgen */
} fg_py_job;

/* Whether the job can run: x has a layout that the engine reads, has enough elements and numbers of the family's kind,
 * out fits and does not partly overlap x. */
bool fg_py_is_ready(const fg_py_job *j);
/* A new reference to the results; NULL with an exception. */
PyObject *fg_py_run(const fg_py_job *j);
npy_intp fg_py_length_in(const fg_py_job *j, int i); /* elements of x along the job's axis number i */
/* x as numbers that the engine reads, cropped and padded, a new reference; NULL, without an exception: nothing to
 * convert, or nothing that is converted here (convert.c). */
PyArrayObject *fg_py_convert(const fg_py_job *j);

/* The other half of a spectrum whose last dimension's first half is there (hermitian.c). */
void fg_py_fill_hermitian(const fg_py_job *j, PyArrayObject *out, int last);

extern npy_intp fg_py_threshold; /* elements, from which on the Python half chooses threads */

/* function.c, backend.c: callables of functions.def, and SciPy's door. */
PyObject *fg_py_function(PyObject *module, PyObject *args);
PyObject *fg_py_backend(PyObject *module, PyObject *table);
const fg_py_row *fg_py_find_row(const char *name); /* NULL, with an exception */
/* module.c: tuples of whole numbers. Below 0: an exception */
int fg_py_read_axes(PyObject *lengths, PyObject *axes, fg_py_job *j);
#endif
