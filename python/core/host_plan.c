/* See host_plan.h. In: a problem's text, addresses of arrays that have its layout. Out: results. The Python half has
 * checked the arrays; here their bytes are compared with what the plan reads and writes. */
#include "python/core/host_plan.h"
#include "fftw/engine/engine.h"
#include "python/core/cold.h"
#include <string.h>

typedef struct library { /* of libfftgen */
  fftgen_status (*create)(const char *problem, const fftgen_options *o, fftgen_plan **plan, fftgen_error *error);
  void (*destroy)(fftgen_plan *plan);
  fftgen_status (*execute)(const fftgen_plan *plan, const fftgen_arrays *arrays);
  fftgen_status (*info)(const fftgen_plan *plan, fftgen_info *info);
} library;

typedef struct host_plan {
  PyObject_HEAD fftgen_plan *plan;
} host_plan;

static PyTypeObject *type;

static bool find(const char *name, void *to) {
  void *symbol = fg_engine_f32.library(name);
  memcpy(to, &symbol, sizeof symbol);
  return symbol != NULL;
}

/* NULL with an exception. */
static const library *functions(void) {
  static library l;
  static bool there;
  if (!there)
    there = find("fftgen_plan_create", &l.create) && find("fftgen_plan_destroy", &l.destroy) &&
            find("fftgen_execute_arrays", &l.execute) && find("fftgen_plan_info", &l.info);
  if (there) return &l;
  PyErr_Format(PyExc_NotImplementedError, "libfftgen.so is not beside the extension, or of another version");
  return NULL;
}

PyObject *fg_py_no_plan(fftgen_status status, const char *message) {
  PyObject *kind = status == FFTGEN_ENOMEM                                   ? PyExc_MemoryError
                   : status == FFTGEN_EPROBLEM || status == FFTGEN_ENOKERNEL ? PyExc_NotImplementedError
                                                                             : PyExc_RuntimeError;
  return PyErr_Format(kind, "%s", message);
}

PyObject *fg_py_facts(const fftgen_info *i) {
  return Py_BuildValue("{ssssssssssslslsLsL}", "problem", i->problem, "plan", i->plan, "arch", i->isa, "origin",
                       i->origin, "reasons", i->reasons, "workspace_bytes", (long)i->scratch, "table_bytes",
                       (long)i->tables, "flops", (long long)i->flops, "bytes", (long long)i->bytes);
}

int fg_py_read_given(PyObject *addresses, unsigned long long *given) {
  Py_ssize_t count = PyTuple_Size(addresses);
  if (count > FG_PY_MOST_GIVEN) return PyErr_SetString(PyExc_ValueError, "more arrays than a plan takes"), -1;
  for (Py_ssize_t i = 0; i < count; i++) given[i] = PyLong_AsUnsignedLongLong(PyTuple_GetItem(addresses, i));
  return PyErr_Occurred() ? -1 : (int)count;
}

static void run_parts(void *context, int parts, fftgen_work work, void *data) {
  (void)context;
  fg_engine_f32.parallel(parts, work, data);
}

/* (problem[, threads]): so many threads run parts of an execution. */
PyObject *fg_py_host_plan(PyObject *module, PyObject *args) {
  const library *l = functions();
  const char *problem;
  fftgen_options o = {.size = sizeof o, .threads = 1};
  fftgen_error error = {.message = ""};
  (void)module;
  if (!l || !PyArg_ParseTuple(args, "s|i", &problem, &o.threads)) return NULL;
  if (!fg_py_may_plan("problem", PyTuple_GetItem(args, 0))) return NULL;
  if (o.threads > 1) o.parallel_for = run_parts;
  host_plan *p = (host_plan *)PyType_GenericAlloc(type, 0);
  if (!p) return NULL;
  PyThreadState *state = PyEval_SaveThread(); /* kernels may be compiled */
  fftgen_status status = l->create(problem, &o, &p->plan, &error);
  PyEval_RestoreThread(state);
  if (status == FFTGEN_OK) return (PyObject *)p;
  Py_DECREF(p);
  return fg_py_no_plan(status, error.message);
}

static void forget(PyObject *self) {
  const library *l = functions();
  if (l && ((host_plan *)self)->plan) l->destroy(((host_plan *)self)->plan);
  union {
    void *data;
    freefunc function;
  } frees = {.data = PyType_GetSlot(type, Py_tp_free)};
  frees.function(self);
  Py_DECREF(type);
}

static const void *pointer(unsigned long long at) { return (const void *)(uintptr_t)at; }

/* (in, bytes of it, out, bytes of it, given): addresses. */
static PyObject *launch(PyObject *self, PyObject *args) {
  const library *l = functions();
  const fftgen_plan *plan = ((host_plan *)self)->plan;
  unsigned long long in, out, at[FG_PY_MOST_GIVEN];
  Py_ssize_t in_bytes, out_bytes;
  PyObject *addresses;
  const void *given[FG_PY_MOST_GIVEN];
  fftgen_info info = {.size = sizeof info};
  if (!l || !PyArg_ParseTuple(args, "KnKnO!", &in, &in_bytes, &out, &out_bytes, &PyTuple_Type, &addresses)) return NULL;
  int count = fg_py_read_given(addresses, at);
  if (count < 0) return NULL;
  for (int i = 0; i < count; i++) given[i] = pointer(at[i]);
  if (l->info(plan, &info) != FFTGEN_OK || (size_t)in_bytes < info.in_bytes || (size_t)out_bytes < info.out_bytes)
    return PyErr_Format(PyExc_ValueError, "arrays of %zd and %zd bytes where a plan wants %zu and %zu", in_bytes,
                        out_bytes, info.in_bytes, info.out_bytes);
  fftgen_arrays arrays = {.in = pointer(in), .out = (void *)(uintptr_t)out, .given = given};
  PyThreadState *state = PyEval_SaveThread();
  fftgen_status status = l->execute(plan, &arrays);
  PyEval_RestoreThread(state);
  if (status != FFTGEN_OK) return PyErr_Format(PyExc_RuntimeError, "an execution failed (%d)", (int)status);
  Py_RETURN_NONE;
}

static PyObject *facts(PyObject *self, void *none) {
  const library *l = functions();
  fftgen_info info = {.size = sizeof info};
  (void)none;
  if (!l || l->info(((host_plan *)self)->plan, &info) != FFTGEN_OK) return NULL;
  return fg_py_facts(&info);
}

static PyObject *refuse(PyTypeObject *of, PyObject *args, PyObject *named) {
  (void)of, (void)args, (void)named;
  return PyErr_Format(PyExc_TypeError, "_core.host_plan makes plans");
}

static PyMethodDef methods[] = {
    {"launch", launch, METH_VARARGS, "launch(in, bytes, out, bytes, given): addresses of arrays with the layout"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef attributes[] = {{"facts", facts, NULL, "what libfftgen says of it", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

int fg_py_host_plan_ready(PyObject *module) {
  union {
    destructor function;
    void *data;
  } forgets = {.function = forget};
  union {
    newfunc function;
    void *data;
  } refuses = {.function = refuse};
  PyType_Slot slots[] = {{Py_tp_dealloc, forgets.data},
                         {Py_tp_new, refuses.data},
                         {Py_tp_methods, methods},
                         {Py_tp_getset, attributes},
                         {0, NULL}};
  PyType_Spec spec = {"fftgen._core.HostPlan", sizeof(host_plan), 0, Py_TPFLAGS_DEFAULT, slots};
  type = (PyTypeObject *)PyType_FromSpec(&spec);
  if (!type) return -1;
  Py_INCREF(type);
  return PyModule_AddObject(module, "HostPlan", (PyObject *)type);
}
