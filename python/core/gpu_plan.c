/* A plan of libfftgen's as an object. In: a recipe, which the Python half made of a call: a problem's text, and whom to
 * ask for memory. Out: launches. A plan in use by a graph that was captured is never freed. */
#include "python/core/gpu_plan.h"
#include "python/core/cold.h"
#include "python/core/gpu_driver.h"
#include "python/core/host_plan.h"
#include <stdlib.h>
#include <string.h>

struct fg_py_gpu_plan {
  PyObject_HEAD fftgen_cuda_plan *plan;
  void *context;
  int device;
  bool captured;
  PyObject *held; /* workspaces that captured graphs use: a list, or NULL */
  int given_count;
  unsigned long long given[FG_PY_MOST_GIVEN];
  long long parameter;       /* of the problem, if it has one: how many transforms */
  PyObject *workspace_bytes; /* NULL: none */
  /* of the recipe, with references: */
  PyObject *kept;                     /* owners of what is given */
  PyObject *make, *arguments, *named; /* results: make(*arguments, **named); without arguments: make(x) */
  PyObject *make_workspace;
};

static PyTypeObject *type;

/* ---- its life -------------------------------------------------------------------------------- */

static char *pack; /* NULL: what FFTGEN_PACK names */

/* (path): kernels are looked for there before any is compiled. */
PyObject *fg_py_gpu_pack(PyObject *module, PyObject *path) {
  PyObject *bytes = PyUnicode_EncodeFSDefault(path);
  char *copy = bytes ? strdup(PyBytes_AsString(bytes)) : NULL;
  (void)module;
  if (bytes && !copy) PyErr_NoMemory();
  Py_XDECREF(bytes);
  if (!copy) return NULL;
  free(pack);
  pack = copy;
  Py_RETURN_NONE;
}

static bool create_here(fg_py_gpu_plan *p, const fg_py_cuda *cu, const char *text) {
  fftgen_options o = {.size = sizeof o, .concurrency = -1, .pack = pack};
  fftgen_error error = {.message = ""};
  PyThreadState *state = PyEval_SaveThread(); /* kernels may be compiled */
  fftgen_status status = cu->create(text, &o, &p->plan, &error);
  PyEval_RestoreThread(state);
  if (status == FFTGEN_OK) return true;
  return fg_py_no_plan(status, error.message) != NULL;
}

static bool find_workspace(fg_py_gpu_plan *p, const fg_py_cuda *cu) {
  fftgen_info info = {.size = sizeof info};
  if (cu->info(p->plan, &info) != FFTGEN_OK) return PyErr_Format(PyExc_RuntimeError, "a plan without facts") != NULL;
  if (!info.scratch) return true;
  p->workspace_bytes = PyLong_FromSize_t(info.scratch);
  return p->workspace_bytes != NULL;
}

static bool create(fg_py_gpu_plan *p, const char *text) {
  const fg_py_cuda *cu = fg_py_cuda_get();
  p->context = cu ? fg_py_cuda_context(cu, p->device) : NULL;
  if (!p->context || !fg_py_cuda_enter(cu, p->device)) return false;
  bool done = create_here(p, cu, text) && find_workspace(p, cu);
  fg_py_cuda_leave(cu);
  return done;
}

/* Kernels that were enqueued end first. If that cannot be known, the plan stays. */
static void destroy(fg_py_gpu_plan *p) {
  const fg_py_cuda *cu = fg_py_cuda_get();
  if (!cu || p->captured || cu->context_push(p->context) != 0) return;
  PyThreadState *state = PyEval_SaveThread();
  if (cu->context_wait() == 0) cu->destroy(p->plan);
  PyEval_RestoreThread(state);
  fg_py_cuda_leave(cu);
}

static void forget(PyObject *self) {
  fg_py_gpu_plan *p = (fg_py_gpu_plan *)self;
  if (p->plan) destroy(p);
  Py_XDECREF(p->workspace_bytes), Py_XDECREF(p->make), Py_XDECREF(p->arguments), Py_XDECREF(p->named);
  Py_XDECREF(p->make_workspace);
  if (!p->captured) Py_XDECREF(p->kept), Py_XDECREF(p->held);
  union {
    void *data;
    freefunc function;
  } frees = {.data = PyType_GetSlot(type, Py_tp_free)};
  frees.function(self);
  Py_DECREF(type);
}

static PyObject *none_is_null(PyObject *x) {
  if (x == Py_None) return NULL;
  Py_INCREF(x);
  return x;
}

fg_py_gpu_plan *fg_py_gpu_plan_new(int device, PyObject *recipe) {
  const char *text;
  PyObject *make, *arguments, *named, *workspace, *given, *kept;
  if (!PyTuple_Check(recipe)) return PyErr_Format(PyExc_TypeError, "a recipe is a tuple"), NULL;
  long long parameter = 0;
  if (!PyArg_ParseTuple(recipe, "sOOOOO!O|L", &text, &make, &arguments, &named, &workspace, &PyTuple_Type, &given,
                        &kept, &parameter))
    return NULL;
  if (!fg_py_may_plan("problem", PyTuple_GetItem(recipe, 0))) return NULL;
  fg_py_gpu_plan *p = (fg_py_gpu_plan *)PyType_GenericAlloc(type, 0); /* of zeros */
  if (!p) return NULL;
  p->device = device, p->parameter = parameter;
  p->make = none_is_null(make), p->arguments = none_is_null(arguments), p->named = none_is_null(named);
  p->make_workspace = none_is_null(workspace), p->kept = none_is_null(kept);
  p->given_count = fg_py_read_given(given, p->given);
  if (p->given_count >= 0 && create(p, text)) return p;
  Py_DECREF(p);
  return NULL;
}

bool fg_py_gpu_plan_is(PyObject *x) { return Py_TYPE(x) == type; }

size_t fg_py_gpu_plan_bytes(const fg_py_gpu_plan *p) {
  fftgen_info info = {.size = sizeof info};
  const fg_py_cuda *cu = fg_py_cuda_get();
  return cu && cu->info(p->plan, &info) == FFTGEN_OK ? info.tables : 0;
}

/* ---- running --------------------------------------------------------------------------------- */

static bool launch(fg_py_gpu_plan *p, const fg_py_cuda *cu, const fftgen_cuda_arrays *arrays, uintptr_t stream) {
  fftgen_error error;
  if (cu->execute(p->plan, arrays, (struct CUstream_st *)stream, &error) == FFTGEN_OK) return true;
  return PyErr_Format(PyExc_RuntimeError, "%s", error.message) != NULL;
}

static bool launch_in(fg_py_gpu_plan *p, const fg_py_cuda *cu, const fftgen_cuda_arrays *arrays, uintptr_t stream,
                      bool here) {
  if (here) return launch(p, cu, arrays, stream);
  if (!fg_py_cuda_enter(cu, p->device)) return false;
  bool done = launch(p, cu, arrays, stream);
  fg_py_cuda_leave(cu);
  return done;
}

/* A graph runs again whenever its owner wants: its plan and its workspaces stay. */
static bool note_capture(fg_py_gpu_plan *p, const fg_py_cuda *cu, uintptr_t stream, PyObject *workspace) {
  int status = 0;
  if (cu->capturing(stream, &status) != 0 || !status) return true;
  p->captured = true;
  if (!workspace) return true;
  if (!p->held) p->held = PyList_New(0);
  return p->held && PyList_Append(p->held, workspace) == 0;
}

/* Memory of the array's library, which orders its next use behind the stream's work. */
static PyObject *workspace_for(const fg_py_gpu_plan *p, const fg_py_library *l, unsigned long long *at) {
  uintptr_t address;
  PyObject *memory = PyObject_CallFunctionObjArgs(p->make_workspace, p->workspace_bytes, NULL);
  if (!memory || !fg_py_gpu_address(l, memory, &address)) return Py_XDECREF(memory), NULL;
  *at = address;
  return memory;
}

/* On the stream, and with memory, of x's library. */
static bool run_on(fg_py_gpu_plan *p, const fg_py_gpu_array *x, fftgen_cuda_arrays arrays, bool here) {
  const fg_py_cuda *cu = fg_py_cuda_get();
  uintptr_t stream;
  PyObject *workspace = NULL;
  if (!fg_py_gpu_stream(x, &stream)) return false;
  if (p->workspace_bytes && !(workspace = workspace_for(p, x->library, &arrays.workspace))) return false;
  if (!note_capture(p, cu, stream, workspace)) return Py_XDECREF(workspace), false;
  bool done = launch_in(p, cu, &arrays, stream, here);
  Py_XDECREF(workspace);
  return done;
}

static bool is_here(const fg_py_gpu_plan *p) {
  void *context = NULL;
  return fg_py_cuda_get()->context_current(&context) == 0 && context == p->context;
}

static PyObject *results_for(const fg_py_gpu_plan *p, PyObject *x) {
  return p->arguments ? PyObject_Call(p->make, p->arguments, p->named) : PyObject_CallFunctionObjArgs(p->make, x, NULL);
}

PyObject *fg_py_gpu_plan_run(fg_py_gpu_plan *p, const fg_py_gpu_array *x, const fg_py_gpu_array *out) {
  uintptr_t at = out ? out->at : 0;
  bool here = is_here(p);
  if (!here && (!out || p->workspace_bytes) && fg_py_gpu_allocates_here(x->library)) return NULL;
  PyObject *results = out ? out->object : results_for(p, x->object);
  if (out) Py_INCREF(results);
  if (!results) return NULL;
  if (out || fg_py_gpu_address(x->library, results, &at)) {
    const fftgen_cuda_arrays arrays = {.in = x->at, .out = at, .given = p->given, .params = &p->parameter};
    if (run_on(p, x, arrays, here)) return results;
  }
  Py_DECREF(results);
  return NULL;
}

/* (owner, address of the input, given[, address of the output]): the owner is an array, the output by default; streams
 * and memory are of its library. Without given ones its own operands are. */
static PyObject *launch_given(PyObject *self, PyObject *args) {
  fg_py_gpu_plan *p = (fg_py_gpu_plan *)self;
  fg_py_gpu_array to;
  PyObject *owner, *addresses;
  unsigned long long in, out = 0, given[FG_PY_MOST_GIVEN] = {0};
  if (!PyArg_ParseTuple(args, "OKO!|K", &owner, &in, &PyTuple_Type, &addresses, &out)) return NULL;
  if (fg_py_read_given(addresses, given) < 0) return NULL;
  if (!fg_py_gpu_read(owner, &to) || to.device != p->device)
    return PyErr_Format(PyExc_ValueError, "the owner is no plain array of the plan's device");
  if (!out) out = to.at;
  bool here = is_here(p);
  if (!here && p->workspace_bytes && fg_py_gpu_allocates_here(to.library))
    return PyErr_Format(PyExc_RuntimeError, "another device is current than the array's");
  const fftgen_cuda_arrays arrays = {
      .in = in, .out = out, .given = PyTuple_Size(addresses) > 0 ? given : p->given, .params = &p->parameter};
  if (!run_on(p, &to, arrays, here)) return NULL;
  Py_RETURN_NONE;
}

/* (device, recipe): a plan that nothing looks up. */
PyObject *fg_py_gpu_text_plan(PyObject *module, PyObject *args) {
  int device;
  PyObject *recipe;
  (void)module;
  if (!PyArg_ParseTuple(args, "iO", &device, &recipe)) return NULL;
  return (PyObject *)fg_py_gpu_plan_new(device, recipe);
}

/* ---- what it is ------------------------------------------------------------------------------ */

static PyObject *facts(PyObject *self, void *none) {
  fftgen_info info = {.size = sizeof info};
  const fg_py_cuda *cu = fg_py_cuda_get();
  (void)none;
  if (!cu || cu->info(((fg_py_gpu_plan *)self)->plan, &info) != FFTGEN_OK) return NULL;
  return fg_py_facts(&info);
}

static PyObject *refuse(PyTypeObject *of, PyObject *args, PyObject *named) {
  (void)of, (void)args, (void)named;
  return PyErr_Format(PyExc_TypeError, "fftgen.plan makes plans");
}

static PyMethodDef methods[] = {
    {"launch", launch_given, METH_VARARGS, "launch(owner, in, given, out): an array, addresses"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef attributes[] = {{"facts", facts, NULL, "what libfftgen says of it", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};

int fg_py_gpu_plan_ready(PyObject *module) {
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
  PyType_Spec spec = {"fftgen._core.GpuPlan", sizeof(fg_py_gpu_plan), 0, Py_TPFLAGS_DEFAULT, slots};
  type = (PyTypeObject *)PyType_FromSpec(&spec);
  if (!type) return -1;
  Py_INCREF(type);
  return PyModule_AddObject(module, "GpuPlan", (PyObject *)type);
}
