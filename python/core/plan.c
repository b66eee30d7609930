/* A plan as an object: a call that is prepared. In: arrays of the shape, strides and type that it was made for, or its
 * own. Out: results. Other arrays are transformed, too, as a function would; what cannot be is an error. */
#include "python/core/work.h"
#include <stdlib.h>
#include <string.h>

typedef struct layout { /* of an array that a plan takes */
  int type;
  npy_intp shape[FG_PY_AXES], stride[FG_PY_AXES];
} layout;

typedef struct plan {
  PyObject_HEAD fg_py_job job; /* with a reference to x */
  fg_py_work work;             /* with a reference to out */
  bool in_place, own_out;      /* own_out: results are stored in new arrays unless a call says where */
  layout in, out;
} plan;

static PyTypeObject *plan_type;

static layout layout_of(PyArrayObject *a) {
  layout l = {.type = PyArray_TYPE(a)};
  size_t bytes = sizeof *l.shape * (size_t)PyArray_NDIM(a);
  memcpy(l.shape, PyArray_DIMS(a), bytes), memcpy(l.stride, PyArray_STRIDES(a), bytes);
  return l;
}

static bool fits(const plan *p, PyObject *x, const layout *l) {
  if (!PyArray_CheckExact(x)) return false;
  PyArrayObject *a = (PyArrayObject *)x;
  int dimensions = PyArray_NDIM(p->job.x);
  size_t bytes = sizeof *l->shape * (size_t)dimensions;
  return PyArray_TYPE(a) == l->type && PyArray_NDIM(a) == dimensions && !memcmp(PyArray_DIMS(a), l->shape, bytes) &&
         !memcmp(PyArray_STRIDES(a), l->stride, bytes) && PyArray_ISALIGNED(a) && PyArray_ISNOTSWAPPED(a);
}

static PyObject *tell_layout(PyArrayObject *x, PyArrayObject *made_for) {
  PyObject *of[2][2] = {{NULL, NULL}, {NULL, NULL}};
  PyArrayObject *const array[] = {made_for, x};
  bool named = true;
  for (int i = 0; i < 2; i++) {
    of[i][0] = PyObject_GetAttrString((PyObject *)array[i], "dtype");
    of[i][1] = PyObject_GetAttrString((PyObject *)array[i], "shape");
    named = named && of[i][0] && of[i][1];
  }
  if (named)
    PyErr_Format(PyExc_ValueError, "a plan takes arrays of the shape and type that it was made for, %S %S, not %S %S",
                 of[0][0], of[0][1], of[1][0], of[1][1]);
  for (int i = 0; i < 4; i++) Py_XDECREF(of[i / 2][i % 2]);
  return NULL;
}

/* As a function would: any arrays of the plan's numbers of elements. */
static PyObject *run_other(const plan *p, PyObject *x, PyObject *out) {
  fg_py_job j = p->job;
  if (!PyArray_Check(x) || (out && !PyArray_Check(out)))
    return PyErr_Format(PyExc_TypeError, "a plan takes arrays of NumPy's");
  PyArrayObject *a = (PyArrayObject *)x;
  bool alike = PyArray_TYPE(a) == p->in.type && PyArray_NDIM(a) == PyArray_NDIM(j.x) &&
               !memcmp(PyArray_DIMS(a), p->in.shape, sizeof *p->in.shape * (size_t)PyArray_NDIM(a));
  j.x = a, j.shape = PyArray_DIMS(a), j.out = (PyArrayObject *)out, j.search = 0;
  if (!alike) return tell_layout(a, p->job.x);
  if (fg_py_is_ready(&j)) return fg_py_run(&j);
  return PyErr_Format(PyExc_ValueError,
                      "out has another shape or type than the plan's, or overlaps x; or x is not aligned");
}

static PyObject *run_on(const plan *p, PyObject *x, PyObject *out) {
  if (out == Py_None) out = NULL;
  if (!x || x == Py_None) {
    if (!out && !p->own_out) return fg_py_rerun(&p->work, p->job.x, p->work.out);
    x = (PyObject *)p->job.x;
  }
  if (!out && p->in_place) out = x;
  bool alike = fits(p, x, &p->in) && (!out || fits(p, out, &p->out));
  if (alike && out)
    alike = PyArray_ISWRITEABLE((PyArrayObject *)out) &&
            fg_py_lie_alike((PyArrayObject *)x, (PyArrayObject *)out, p->in_place);
  if (alike && !out) alike = p->own_out; /* new arrays are in row-major order; the plan's results may not be */
  return alike ? fg_py_rerun(&p->work, (PyArrayObject *)x, (PyArrayObject *)out) : run_other(p, x, out);
}

static PyObject *call(PyObject *self, PyObject *args, PyObject *named) {
  static char x_name[] = "x", out_name[] = "out";
  static char *names[] = {x_name, out_name, NULL};
  PyObject *x = NULL, *out = NULL;
  if (PyTuple_Size(args) == 0 && !named) return run_on((plan *)self, NULL, NULL);
  if (!PyArg_ParseTupleAndKeywords(args, named, "|OO", names, &x, &out)) return NULL;
  return run_on((plan *)self, x, out);
}

static PyObject *execute(PyObject *self, PyObject *const *args, Py_ssize_t count) {
  if (count > 2) return PyErr_Format(PyExc_TypeError, "execute takes x and out");
  return run_on((plan *)self, count > 0 ? args[0] : NULL, count > 1 ? args[1] : NULL);
}

/* ---- what it is ----------------------------------------------------------------------------- */

typedef struct text {
  char *at;
  size_t length, room;
} text;

static void put(void *to, char c) {
  text *t = to;
  if (t->length < t->room) t->at[t->length++] = c;
}

static PyObject *get_text(PyObject *self, void *none) {
  const fg_py_work *w = &((plan *)self)->work;
  char room[4096];
  text t = {room, 0, sizeof room};
  (void)none;
  if (w->plan) w->engine->print(w->plan, put, &t);
  return PyUnicode_DecodeUTF8(room, (Py_ssize_t)t.length, "replace");
}

static PyObject *get_compiled(PyObject *self, void *none) {
  const fg_py_work *w = &((plan *)self)->work;
  (void)none;
  return PyBool_FromLong(w->plan && w->engine->is_compiled(w->plan));
}

static PyObject *get_bytes(PyObject *self, void *none) {
  const fg_py_work *w = &((plan *)self)->work;
  (void)none;
  return PyLong_FromSize_t(w->plan ? w->engine->bytes(w->plan) : 0);
}

static PyObject *array_of(PyArrayObject *a) {
  Py_INCREF(a);
  return (PyObject *)a;
}

static PyObject *get_x(PyObject *self, void *none) {
  (void)none;
  return array_of(((plan *)self)->job.x);
}

static PyObject *get_out(PyObject *self, void *none) {
  (void)none;
  return array_of(((plan *)self)->work.out);
}

/* ---- its life --------------------------------------------------------------------------------- */

static void forget(PyObject *self) {
  plan *p = (plan *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (p->work.plan) p->work.engine->release(p->work.plan);
  Py_XDECREF(p->job.x), Py_XDECREF(p->work.out);
  union {
    void *data;
    freefunc function;
  } frees = {.data = PyType_GetSlot(type, Py_tp_free)};
  frees.function(self);
  Py_DECREF(type);
}

static bool find_plan(plan *p) {
  fg_py_work *w = &p->work;
  if (w->last < 0) return true;
  if (!fg_py_may_get(w)) return false;
  PyThreadState *state = PyEval_SaveThread(); /* kernels may take seconds */
  w->plan = w->engine->get(&w->problem);
  PyEval_RestoreThread(state);
  if (!w->plan) PyErr_NoMemory();
  return w->plan;
}

/* Of a class that Python derives. */
static plan *new_plan(PyObject *type, const fg_py_job *j) {
  if (!PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, plan_type)) {
    PyErr_SetString(PyExc_TypeError, "a class of plans is wanted");
    return NULL;
  }
  plan *p = (plan *)PyType_GenericAlloc((PyTypeObject *)type, 0); /* of zeros */
  if (!p) return NULL;
  p->job = *j;
  if (fg_py_prepare(&p->work, &p->job)) {
    Py_INCREF(j->x);
    p->in = layout_of(j->x), p->out = layout_of(p->work.out);
    p->in_place = PyArray_DATA(j->x) == PyArray_DATA(p->work.out), p->own_out = !j->out;
    if (find_plan(p)) return p;
  } else {
    p->job.x = NULL;
  }
  Py_DECREF(p);
  return NULL;
}

PyObject *fg_py_plan(PyObject *module, PyObject *args) {
  fg_py_job j;
  (void)module;
  PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_Size(args));
  fg_py_job *read = rest && PyTuple_Size(args) > 1 ? fg_py_read_job(rest, &j) : NULL;
  Py_XDECREF(rest); /* the caller has the arrays as long as this runs */
  if (!read) return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a class and a job are wanted");
  if (fg_py_is_ready(&j)) return (PyObject *)new_plan(PyTuple_GetItem(args, 0), &j);
  Py_INCREF(Py_NotImplemented);
  return Py_NotImplemented;
}

static PyObject *refuse(PyTypeObject *type, PyObject *args, PyObject *named) {
  (void)type, (void)args, (void)named;
  return PyErr_Format(PyExc_TypeError, "fftgen.plan makes plans");
}

static PyMethodDef methods[] = {{NULL, NULL, 0, NULL}, {NULL, NULL, 0, NULL}};

static PyGetSetDef attributes[] = {
    {"text", get_text, NULL, "the plan as text", NULL},
    {"compiled", get_compiled, NULL, "whether libfftgen made a kernel of this very problem", NULL},
    {"workspace_bytes", get_bytes, NULL, "memory that an execution borrows, beside the stack", NULL},
    {"x", get_x, NULL, "the array that it was made for", NULL},
    {"out", get_out, NULL, "results' array, or one with their layout", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

int fg_py_plan_ready(PyObject *module) {
  union {
    PyObject *(*fast)(PyObject *self, PyObject *const *args, Py_ssize_t count);
    PyCFunction plain;
  } to = {.fast = execute};
  union {
    ternaryfunc function;
    void *data;
  } calls = {.function = call};
  union {
    destructor function;
    void *data;
  } forgets = {.function = forget};
  union {
    newfunc function;
    void *data;
  } refuses = {.function = refuse};
  methods[0] = (PyMethodDef){"execute", to.plain, METH_FASTCALL, "execute(x=None, out=None): as a call"};
  PyType_Slot slots[] = {{Py_tp_call, calls.data}, {Py_tp_dealloc, forgets.data}, {Py_tp_new, refuses.data},
                         {Py_tp_methods, methods}, {Py_tp_getset, attributes},    {0, NULL}};
  PyType_Spec spec = {"fftgen._core.Plan", sizeof(plan), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  plan_type = (PyTypeObject *)PyType_FromSpec(&spec);
  if (!plan_type) return -1;
  Py_INCREF(plan_type);
  return PyModule_AddObject(module, "Plan", (PyObject *)plan_type);
}
