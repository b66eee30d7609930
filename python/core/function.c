/* Callables of functions.def. In: arguments of a call. Out: results, by the engine at once where the arguments are
 * plain: an array of numbers that it reads, whole numbers, words. Anything else is passed to the function's Python half
 * (fftgen/_general.py), which converts arguments, or raises what NumPy or SciPy would.
 *
 * A callable has one of three signatures: fftgen's own, numpy.fft's, scipy.fft's. */
#include "python/core/gpu.h"
#include <string.h>

static const fg_py_row rows[] = {
#define FUNCTION(name, family, dimensions, inverse) {#name, FG_PY_##family, dimensions, inverse},
#include "python/core/functions.def"
#undef FUNCTION
};
enum { ROWS = sizeof rows / sizeof *rows, WORTH_THREADS = 1 << 14 /* elements */ };

typedef enum slot { X, TYPE, LENGTHS, AXES, NORM, OVERWRITE, WORKERS, OUT, ORTHOGONALIZE, PLAN, SLOTS } slot;

typedef struct parameter {
  slot slot;
  const char *name; /* NULL: n or s, axis or axes, by the dimensions */
} parameter;

typedef struct signature {
  const char *name, *module;
  int positional[2];       /* so many may be given by position: complex, trigonometric */
  parameter parameter[12]; /* ended by no slot */
} signature;

#define NAMED(slot, name)                                                                                              \
  { slot, name }
#define BY_DIMENSIONS(slot)                                                                                            \
  { slot, NULL }
#define END                                                                                                            \
  { SLOTS, NULL }
static const signature signatures[] = {
    {"fftgen",
     "fftgen",
     {4, 5},
     {NAMED(X, "x"), NAMED(TYPE, "type"), BY_DIMENSIONS(LENGTHS), BY_DIMENSIONS(AXES), NAMED(NORM, "norm"),
      NAMED(ORTHOGONALIZE, "orthogonalize"), NAMED(OUT, "out"), NAMED(WORKERS, "workers"), END}},
    {"numpy",
     "fftgen.numpy_fft",
     {5, 5},
     {NAMED(X, "a"), BY_DIMENSIONS(LENGTHS), BY_DIMENSIONS(AXES), NAMED(NORM, "norm"), NAMED(OUT, "out"), END}},
    {"scipy",
     "fftgen.scipy_fft",
     {6, 7},
     {NAMED(X, "x"), NAMED(TYPE, "type"), BY_DIMENSIONS(LENGTHS), BY_DIMENSIONS(AXES), NAMED(NORM, "norm"),
      NAMED(OVERWRITE, "overwrite_x"), NAMED(WORKERS, "workers"), NAMED(PLAN, "plan"),
      NAMED(ORTHOGONALIZE, "orthogonalize"), END}},
};

typedef struct function {
  const fg_py_row *row;
  int positional, count;
  slot slot[SLOTS];
  PyObject *name[SLOTS]; /* interned */
  PyObject *fallback;    /* the same function in Python */
  bool asks;             /* SciPy's number of workers, which Python alone knows */
  bool leaves;           /* arrays that are not NumPy's to their library: numpy.fft's */
  PyMethodDef method;
} function;

/* Interned, so that most words are found by their address. */
static PyObject *norms[3];
static const char *const norm_names[] = {"backward", "ortho", "forward"};

/* ---- arguments -------------------------------------------------------------------------- */

static int find_name(const function *f, PyObject *name) {
  for (int i = 0; i < f->count; i++)
    if (f->name[i] == name) return i;
  for (int i = 0; i < f->count; i++)
    if (PyUnicode_Compare(f->name[i], name) == 0) return i;
  return -1;
}

/* None is what is not given, but for the axes of functions that have some by default, and for types. */
static bool counts(const function *f, slot slot, PyObject *value) {
  return value != Py_None || slot == TYPE || (slot == AXES && f->row->dimensions != 'n');
}

/* What was not given is NULL. False: the call is wrong. */
static bool bind(const function *f, PyObject *const *args, Py_ssize_t count, PyObject *names, PyObject **value) {
  memset(value, 0, sizeof *value * SLOTS);
  if (count < 1 || count > f->positional) return false;
  for (Py_ssize_t i = 0; i < count; i++)
    if (counts(f, f->slot[i], args[i])) value[f->slot[i]] = args[i];
  Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t i = 0; i < named; i++) {
    int at = find_name(f, PyTuple_GetItem(names, i));
    if (at < count) return false; /* unknown, or there already */
    if (counts(f, f->slot[at], args[count + i])) value[f->slot[at]] = args[count + i];
  }
  return value[X] != NULL;
}

static bool read_whole(PyObject *value, npy_intp *to) {
  if (!PyIndex_Check(value)) return false;
  *to = PyNumber_AsSsize_t(value, PyExc_OverflowError);
  if (*to != -1 || !PyErr_Occurred()) return true;
  PyErr_Clear();
  return false;
}

/* Tuples and lists. */
static Py_ssize_t count_of(PyObject *sequence) {
  return PyTuple_Check(sequence) ? PyTuple_Size(sequence) : PyList_Check(sequence) ? PyList_Size(sequence) : -1;
}

static PyObject *item(PyObject *sequence, Py_ssize_t i) {
  return PyTuple_Check(sequence) ? PyTuple_GetItem(sequence, i) : PyList_GetItem(sequence, i);
}

static bool add_axis(fg_py_job *j, npy_intp axis) {
  if (axis < 0) axis += j->dimensions;
  if (axis < 0 || axis >= j->dimensions || j->rank == FG_PY_AXES) return false;
  for (int i = 0; i < j->rank; i++)
    if (j->axis[i] == axis) return false;
  j->axis[j->rank++] = (int)axis;
  return true;
}

static bool read_axes(fg_py_job *j, PyObject *axes) {
  npy_intp axis = -1;
  if (j->row->dimensions == '1') return (!axes || read_whole(axes, &axis)) && add_axis(j, axis);
  if (!axes) {
    for (int i = j->row->dimensions == '2' ? -2 : -j->dimensions; i < 0; i++)
      if (!add_axis(j, i)) return false;
    return true;
  }
  if (count_of(axes) < 0) return false;
  for (Py_ssize_t i = 0; i < count_of(axes); i++)
    if (!read_whole(item(axes, i), &axis) || !add_axis(j, axis)) return false;
  return true;
}

/* s of as many lengths as there are axes; -1 is the whole axis. */
static bool read_shape(fg_py_job *j, PyObject *s) {
  if (count_of(s) != j->rank) return false;
  for (int i = 0; i < j->rank; i++) {
    if (!read_whole(item(s, i), &j->n[i])) return false;
    if (j->n[i] == -1) j->n[i] = j->shape[j->axis[i]];
  }
  return true;
}

/* The half of a spectrum, for reals. */
static bool takes_half(const fg_py_row *row) { return row->family == FG_PY_IRFFT || row->family == FG_PY_HFFT; }

static bool read_lengths(fg_py_job *j, PyObject *lengths, PyObject *axes) {
  if (lengths && j->row->dimensions == '1') return read_whole(lengths, &j->n[0]);
  if (lengths) return (axes || j->row->dimensions == '2') && read_shape(j, lengths);
  for (int i = 0; i < j->rank; i++) j->n[i] = j->shape[j->axis[i]];
  if (j->rank && takes_half(j->row)) j->n[j->rank - 1] = 2 * (j->n[j->rank - 1] - 1);
  return true;
}

static bool read_norm(fg_py_job *j, PyObject *norm) {
  if (!norm) return true;
  for (int i = 0; i < 3; i++)
    if (norm == norms[i]) return j->norm = (fg_py_norm)i, true;
  for (int i = 0; i < 3; i++)
    if (PyUnicode_Check(norm) && PyUnicode_CompareWithASCIIString(norm, norm_names[i]) == 0)
      return j->norm = (fg_py_norm)i, true;
  return false;
}

static bool read_flag(PyObject *value, int *to) {
  if (!value) return true;
  if (value != Py_True && value != Py_False) return false;
  *to = value == Py_True;
  return true;
}

static bool read_type(fg_py_job *j, PyObject *type) {
  npy_intp number = 2;
  if (type && !read_whole(type, &number)) return false;
  j->type = (int)number;
  return number >= 1 && number <= 4;
}

/* Of arrays that are worth threads, the default is Python's business. */
static bool read_workers(fg_py_job *j, PyObject *workers, npy_intp most) {
  npy_intp threads = 1;
  if (!workers) return PyArray_SIZE(j->x) < most;
  if (!read_whole(workers, &threads) || threads < 1) return false;
  j->threads = PyArray_SIZE(j->x) < WORTH_THREADS ? 1 : threads > INT32_MAX ? INT32_MAX : (int)threads;
  return true;
}

/* False: not plain. */
static bool read_all(fg_py_job *j, PyObject *const *value) {
  int overwrite = 0;
  if (value[PLAN] || !read_axes(j, value[AXES])) return false;
  if (!read_lengths(j, value[LENGTHS], value[AXES]) || !read_norm(j, value[NORM])) return false;
  return read_type(j, value[TYPE]) && read_flag(value[ORTHOGONALIZE], &j->orthogonalize) &&
         read_flag(value[OVERWRITE], &overwrite);
}

static void begin(fg_py_job *j, const function *f, int dimensions, const npy_intp *shape) {
  j->row = f->row, j->rank = 0, j->norm = FG_PY_BACKWARD, j->orthogonalize = -1, j->threads = 1, j->search = 0;
  j->dimensions = dimensions, j->shape = shape, j->x = j->out = NULL;
}

/* Halves whose reals numpy.fft returns as halves, and so do fftgen's own functions. */
static bool stays_half(const function *f, PyArrayObject *x) {
  return !f->asks && takes_half(f->row) && PyArray_TYPE(x) == NPY_HALF;
}

static PyObject *run_numpy(const function *f, PyObject *const *value) {
  fg_py_job j;
  PyArrayObject *x = (PyArrayObject *)value[X];
  if (stays_half(f, x)) return NULL;
  begin(&j, f, PyArray_NDIM(x), PyArray_DIMS(x));
  j.x = x;
  if (!read_workers(&j, value[WORKERS], f->asks ? WORTH_THREADS : fg_py_threshold) || !read_all(&j, value)) return NULL;
  if (value[OUT] && !PyArray_CheckExact(value[OUT])) return NULL;
  j.out = (PyArrayObject *)value[OUT];
  if (fg_py_is_ready(&j)) return fg_py_run(&j);
  PyArrayObject *own = fg_py_convert(&j);
  if (!own) return NULL;
  j.x = own, j.shape = PyArray_DIMS(own);
  PyObject *result = fg_py_is_ready(&j) ? fg_py_run(&j) : NULL;
  Py_DECREF(own);
  return result;
}

/* Whatever workers are, a GPU has its own. */
static PyObject *run_on_gpu(const function *f, PyObject *const *value, const fg_py_gpu_array *x) {
  fg_py_job j;
  npy_intp workers;
  begin(&j, f, x->dimensions, x->shape);
  if (value[WORKERS] && (!read_whole(value[WORKERS], &workers) || workers < 1)) return NULL;
  return read_all(&j, value) ? fg_py_gpu_call(&j, x, value[OUT]) : NULL;
}

/* NULL, without an exception: not plain. */
static PyObject *run_plain(const function *f, PyObject *const *value) {
  fg_py_gpu_array x;
  if (PyArray_CheckExact(value[X])) return run_numpy(f, value);
  return !f->leaves && fg_py_gpu_read(value[X], &x) ? run_on_gpu(f, value, &x) : NULL;
}

/* ---- calls -------------------------------------------------------------------------------- */

static PyObject *fall_back(const function *f, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  PyObject *tuple = PyTuple_New(count), *named = names ? PyDict_New() : NULL, *result = NULL;
  bool ok = tuple && (named || !names);
  for (Py_ssize_t i = 0; i < count && ok; i++) {
    Py_INCREF(args[i]);
    PyTuple_SetItem(tuple, i, args[i]);
  }
  for (Py_ssize_t i = 0; names && ok && i < PyTuple_Size(names); i++)
    ok = PyDict_SetItem(named, PyTuple_GetItem(names, i), args[count + i]) == 0;
  if (ok) result = PyObject_Call(f->fallback, tuple, named);
  Py_XDECREF(tuple), Py_XDECREF(named);
  return result;
}

/* What a callable is bound to: a module object, because Python pickles functions of modules by their names. */
static struct PyModuleDef holder = {PyModuleDef_HEAD_INIT, .m_name = "fftgen", .m_size = sizeof(function)};

static PyObject *call(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
  const function *f = PyModule_GetState(self);
  PyObject *value[SLOTS];
  if (!f) return NULL;
  PyObject *result = bind(f, args, count, names, value) ? run_plain(f, value) : NULL;
  return result || PyErr_Occurred() ? result : fall_back(f, args, count, names);
}

/* ---- creation ------------------------------------------------------------------------------ */

const fg_py_row *fg_py_find_row(const char *name) {
  for (int i = 0; i < ROWS; i++)
    if (!strcmp(rows[i].name, name)) return &rows[i];
  PyErr_Format(PyExc_ValueError, "fftgen has no function %s", name);
  return NULL;
}

static const char *name_of(const parameter *p, const fg_py_row *row) {
  if (p->name) return p->name;
  return p->slot == LENGTHS ? row->dimensions == '1' ? "n" : "s" : row->dimensions == '1' ? "axis" : "axes";
}

static bool belongs(const parameter *p, const fg_py_row *row) {
  if (p->slot == TYPE || p->slot == ORTHOGONALIZE) return fg_py_is_trigonometric(row);
  return p->slot != PLAN || !fg_py_is_trigonometric(row);
}

static bool add_parameters(function *f, const signature *s) {
  f->positional = s->positional[fg_py_is_trigonometric(f->row)];
  for (const parameter *p = s->parameter; p->slot != SLOTS; p++) {
    if (!belongs(p, f->row)) continue;
    f->slot[f->count] = p->slot;
    f->name[f->count] = PyUnicode_InternFromString(name_of(p, f->row));
    if (!f->name[f->count++]) return false;
  }
  return true;
}

static const signature *find_signature(const char *name) {
  for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
    if (!strcmp(signatures[i].name, name)) return &signatures[i];
  PyErr_Format(PyExc_ValueError, "fftgen has no signature %s", name);
  return NULL;
}

static PyObject *create(function *f, PyObject *self, const char *module_name, const char *doc) {
  char *kept = strdup(doc); /* functions live as long as the process */
  PyObject *module = PyUnicode_FromString(module_name);
  union {
    PyObject *(*fast)(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);
    PyCFunction plain;
  } to = {.fast = call};
  f->method = (PyMethodDef){f->row->name, to.plain, METH_FASTCALL | METH_KEYWORDS, kept};
  PyObject *result = module && kept ? PyCFunction_NewEx(&f->method, self, module) : NULL;
  Py_XDECREF(module);
  return result;
}

PyObject *fg_py_function(PyObject *module, PyObject *args) {
  const char *name, *style, *doc;
  PyObject *fallback;
  (void)module;
  if (!PyArg_ParseTuple(args, "sssO", &name, &style, &doc, &fallback)) return NULL;
  for (int i = 0; i < 3; i++)
    if (!norms[i] && !(norms[i] = PyUnicode_InternFromString(norm_names[i]))) return NULL;
  const fg_py_row *row = fg_py_find_row(name);
  const signature *s = row ? find_signature(style) : NULL;
  PyObject *self = s ? PyModule_Create(&holder) : NULL;
  if (!self) return NULL;
  function *f = PyModule_GetState(self); /* of zeros */
  f->row = row, f->fallback = fallback, f->asks = !strcmp(style, "scipy"), f->leaves = !strcmp(style, "numpy");
  Py_INCREF(fallback);
  PyObject *result = add_parameters(f, s) ? create(f, self, s->module, doc) : NULL;
  Py_DECREF(self);
  if (!result && !PyErr_Occurred()) PyErr_NoMemory();
  return result;
}
