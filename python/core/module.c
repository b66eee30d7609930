/* fftgen._core: the extension. In: calls of the package's Python files. Out: callables, results, what the engine knows.
 */
#define FFTGEN_PYTHON_IMPORTS
#include "python/core/cold.h"
#include "python/core/gpu.h"
#include "python/core/gpu_cache.h"
#include "python/core/gpu_memory.h"
#include "python/core/host_plan.h"
#include "python/core/work.h"
#include "python/core/xla_handlers.h"

/* NumPy's table is in this file: what other files of the extension use of it, too. */
static const fg_engine *const engines[] = {&fg_engine_f64, &fg_engine_f32};
enum { ENGINES = sizeof engines / sizeof *engines };

npy_intp fg_py_threshold = NPY_MAX_INTP;

int fg_py_read_axes(PyObject *lengths, PyObject *axes, fg_py_job *j) {
  Py_ssize_t rank = PyTuple_Size(axes);
  if (rank < 1 || rank > FG_PY_AXES || PyTuple_Size(lengths) != rank) {
    PyErr_SetString(PyExc_ValueError, "lengths and axes are tuples of one size");
    return -1;
  }
  for (Py_ssize_t i = 0; i < rank; i++) {
    long axis = PyLong_AsLong(PyTuple_GetItem(axes, i));
    j->n[i] = PyLong_AsSsize_t(PyTuple_GetItem(lengths, i));
    if (PyErr_Occurred()) return -1;
    if (axis < 0 || axis >= j->dimensions) {
      PyErr_SetString(PyExc_ValueError, "an axis that the array does not have");
      return -1;
    }
    for (int k = 0; k < i; k++)
      if (j->axis[k] == axis) {
        PyErr_SetString(PyExc_ValueError, "all axes must be unique");
        return -1;
      }
    j->axis[i] = (int)axis;
  }
  j->rank = (int)rank;
  return 0;
}

/* (name, x, lengths, axes, norm, type, orthogonalize, threads, out, search); out: None, or an array. */
fg_py_job *fg_py_read_job(PyObject *args, fg_py_job *j) {
  const char *name;
  PyObject *lengths, *axes, *out;
  int norm;
  *j = (fg_py_job){0};
  if (!PyArg_ParseTuple(args, "sO!O!O!iiiiO|i", &name, &PyArray_Type, &j->x, &PyTuple_Type, &lengths, &PyTuple_Type,
                        &axes, &norm, &j->type, &j->orthogonalize, &j->threads, &out, &j->search))
    return NULL;
  j->row = fg_py_find_row(name);
  if (!j->row) return NULL;
  j->dimensions = PyArray_NDIM(j->x), j->shape = PyArray_DIMS(j->x);
  if (fg_py_read_axes(lengths, axes, j) < 0) return NULL;
  if (norm < 0 || norm > 2 || j->type < 1 || j->type > 4 || j->search < 0) {
    PyErr_SetString(PyExc_ValueError, "norm is 0 to 2, type 1 to 4, search 0 or more");
    return NULL;
  }
  if (out != Py_None && !PyArray_Check(out)) {
    PyErr_SetString(PyExc_TypeError, "return arrays must be of ArrayType");
    return NULL;
  }
  j->norm = (fg_py_norm)norm;
  if (out != Py_None) j->out = (PyArrayObject *)out;
  return j;
}

/* Results, or NotImplemented where the arguments are not as the engine takes them. */
static PyObject *run(PyObject *module, PyObject *args) {
  fg_py_job j;
  (void)module;
  if (!fg_py_read_job(args, &j)) return NULL;
  if (fg_py_is_ready(&j)) return fg_py_run(&j);
  Py_INCREF(Py_NotImplemented);
  return Py_NotImplemented;
}

static PyObject *counts(PyObject *module, PyObject *none) {
  PyObject *all = PyDict_New();
  (void)module, (void)none;
  for (int i = 0; i < ENGINES && all; i++) {
    fg_engine_counts c;
    engines[i]->count(&c);
    PyObject *one = Py_BuildValue("{sLsLsLsLsLsL}", "plans", c.plans, "limit", c.limit, "found", c.found, "made",
                                  c.made, "dropped", c.dropped, "bytes", c.bytes);
    if (!one || PyDict_SetItemString(all, engines[i]->precision, one) < 0) {
      Py_DECREF(all);
      all = NULL;
    }
    Py_XDECREF(one);
  }
  PyObject *cuda = all ? fg_py_gpu_cache_counts() : NULL;
  if (cuda && PyDict_SetItemString(all, "cuda", cuda) < 0) Py_DECREF(all), all = NULL;
  Py_XDECREF(cuda);
  return all;
}

static PyObject *set_limit(PyObject *module, PyObject *plans) {
  Py_ssize_t limit = PyLong_AsSsize_t(plans);
  (void)module;
  if (limit == -1 && PyErr_Occurred()) return NULL;
  if (limit < 0) return PyErr_Format(PyExc_ValueError, "a number of plans is 0 or more, not %zd", limit);
  for (int i = 0; i < ENGINES; i++) engines[i]->limit(limit);
  fg_py_gpu_cache_limit(limit);
  Py_RETURN_NONE;
}

static PyObject *set_threshold(PyObject *module, PyObject *elements) {
  npy_intp threshold = PyLong_AsSsize_t(elements);
  (void)module;
  if (threshold == -1 && PyErr_Occurred()) return NULL;
  fg_py_threshold = threshold < 0 ? NPY_MAX_INTP : threshold;
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"function", fg_py_function, METH_VARARGS, "function(name, signature, doc, fallback): a callable of functions.def"},
    {"backend", fg_py_backend, METH_O, "backend(table): __ua_function__ over functions of scipy.fft"},
    {"run", run, METH_VARARGS, "run(name, x, lengths, axes, norm, type, orthogonalize, threads, out)"},
    {"plan", fg_py_plan, METH_VARARGS,
     "plan(class, as run, search): the same, prepared for x and arrays with its layout"},
    {"gpu_library", fg_py_gpu_library, METH_VARARGS,
     "gpu_library(name, types, numbers, helpers): whose arrays are read"},
    {"gpu_describe", fg_py_gpu_describe, METH_O, "gpu_describe(x): (address, type, device, shape, strides), or None"},
    {"gpu_run", fg_py_gpu_run, METH_VARARGS, "gpu_run(name, x, lengths, axes, norm, type, orthogonalize, out, make)"},
    {"gpu_prepare", fg_py_gpu_prepare, METH_VARARGS, "gpu_prepare(as gpu_run): a new plan, which is kept"},
    {"gpu_pack", fg_py_gpu_pack, METH_O, "gpu_pack(path): where plans look for kernels first"},
    {"gpu_plan", fg_py_gpu_text_plan, METH_VARARGS, "gpu_plan(device, recipe): a plan that is not kept"},
    {"host_plan", fg_py_host_plan, METH_VARARGS, "host_plan(problem, threads=1): a plan of libfftgen's"},
    {"xla_handler", fg_py_xla_handler, METH_O, "xla_handler(platform): for jax.ffi.register_ffi_target"},
    {"gpu_allocate", fg_py_gpu_allocate, METH_VARARGS, "gpu_allocate(device, bytes or buffer): address and owner"},
    {"gpu_owner", fg_py_gpu_owner, METH_O, "gpu_owner(address): the device that it is on"},
    {"gpu_event", fg_py_gpu_event, METH_VARARGS, "gpu_event(device, stream): an event behind all that was enqueued"},
    {"gpu_event_done", fg_py_gpu_event_done, METH_O, "gpu_event_done(event): whether it has passed; then it is gone"},
    {"gpu_order", fg_py_gpu_order, METH_VARARGS, "gpu_order(device, first, then): one stream behind another one"},
    {"gpu_to_dlpack", fg_py_gpu_to_dlpack, METH_VARARGS, "gpu_to_dlpack(view, owner): a capsule"},
    {"gpu_from_dlpack", fg_py_gpu_from_dlpack, METH_O, "gpu_from_dlpack(capsule): what is in it, and its owner"},
    {"counts", counts, METH_NOARGS, "what is kept of plans, by precision"},
    {"set_limit", set_limit, METH_O, "how many plans are kept; 0 drops all, and their tables, and leaves the limit"},
    {"set_cold", fg_py_set_cold, METH_O, "whether this thread's calls make no plans; returns whether they did not"},
    {"set_threshold", set_threshold, METH_O, "elements from which on the Python half chooses threads; below 0: never"},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "fftgen._core", .m_size = -1,
                                        .m_methods = methods};

static int add_version(PyObject *module) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", FFTGEN_VERSION / 10000, FFTGEN_VERSION / 100 % 100, FFTGEN_VERSION % 100);
  return PyModule_AddStringConstant(module, "version", text);
}

PyMODINIT_FUNC PyInit__core(void) {
  import_array();
  PyObject *module = PyModule_Create(&definition);
  if (!module || (add_version(module) == 0 && fg_py_cold_ready(module) == 0 && fg_py_plan_ready(module) == 0 &&
                  fg_py_gpu_plan_ready(module) == 0 && fg_py_host_plan_ready(module) == 0))
    return module;
  Py_DECREF(module);
  return NULL;
}
