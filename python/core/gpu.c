/* Calls with arrays of a GPU. In: a job, arrays. Out: results on the GPU, by a plan that is kept; what has none yet,
 * and what is not plain, goes to the Python half (_gpu.py), which comes back with a recipe for one. */
#include "python/core/gpu.h"
#include "python/core/gpu_cache.h"
#include "python/core/gpu_driver.h"

PyObject *fg_py_gpu_call(fg_py_job *j, const fg_py_gpu_array *x, PyObject *out) {
  fg_py_gpu_array to;
  fg_py_gpu_key key;
  if (out && !fg_py_gpu_read(out, &to)) return NULL;
  if (!fg_py_gpu_key_of(j, x, out ? &to : NULL, &key)) return NULL;
  fg_py_gpu_plan *p = fg_py_gpu_cache_find(&key);
  if (!p) return NULL;
  PyObject *result = fg_py_gpu_plan_run(p, x, out ? &to : NULL);
  Py_DECREF(p);
  return result;
}

typedef struct call { /* arguments of gpu_run */
  fg_py_job job;
  fg_py_gpu_array x, out;
  bool has_out;
  PyObject *make;
  fg_py_gpu_key key;
} call;

/* (name, x, lengths, axes, norm, type, orthogonalize, out, make). Below 0: an exception; 0: not plain. */
static int read_call(PyObject *args, call *c) {
  const char *name;
  PyObject *x, *lengths, *axes, *out;
  int norm;
  c->job = (fg_py_job){0};
  if (!PyArg_ParseTuple(args, "sOO!O!iiiOO", &name, &x, &PyTuple_Type, &lengths, &PyTuple_Type, &axes, &norm,
                        &c->job.type, &c->job.orthogonalize, &out, &c->make))
    return -1;
  c->job.row = fg_py_find_row(name);
  c->job.norm = (fg_py_norm)norm;
  c->has_out = out != Py_None;
  if (!c->job.row || !fg_py_cuda_get()) return -1;
  if (!fg_py_gpu_read(x, &c->x) || (c->has_out && !fg_py_gpu_read(out, &c->out))) return 0;
  c->job.dimensions = c->x.dimensions, c->job.shape = c->x.shape;
  if (fg_py_read_axes(lengths, axes, &c->job) < 0) return -1;
  return fg_py_gpu_key_of(&c->job, &c->x, c->has_out ? &c->out : NULL, &c->key);
}

/* By the recipe that `make` returns, or the plan. A new reference. */
static fg_py_gpu_plan *made(const call *c) {
  PyObject *recipe = PyObject_CallObject(c->make, NULL);
  if (!recipe) return NULL;
  fg_py_gpu_plan *p = NULL;
  if (fg_py_gpu_plan_is(recipe))
    Py_INCREF(recipe), p = (fg_py_gpu_plan *)recipe;
  else
    p = fg_py_gpu_plan_new(c->x.device, recipe);
  Py_DECREF(recipe);
  if (!p || fg_py_gpu_cache_add(&c->key, p)) return p;
  Py_DECREF(p);
  return NULL;
}

static PyObject *not_plain(void) {
  Py_INCREF(Py_NotImplemented);
  return Py_NotImplemented;
}

/* Results; or NotImplemented where arrays are not plain. */
PyObject *fg_py_gpu_run(PyObject *module, PyObject *args) {
  call c;
  (void)module;
  int read = read_call(args, &c);
  if (read <= 0) return read < 0 ? NULL : not_plain();
  fg_py_gpu_plan *p = fg_py_gpu_cache_find(&c.key);
  if (!p) p = made(&c);
  if (!p) return NULL;
  PyObject *result = fg_py_gpu_plan_run(p, &c.x, c.has_out ? &c.out : NULL);
  Py_DECREF(p);
  return result || PyErr_Occurred() ? result
                                    : PyErr_Format(PyExc_RuntimeError, "another device is current than the array's");
}

/* A new plan, which calls find from now on; or NotImplemented. */
PyObject *fg_py_gpu_prepare(PyObject *module, PyObject *args) {
  call c;
  (void)module;
  int read = read_call(args, &c);
  if (read <= 0) return read < 0 ? NULL : not_plain();
  return (PyObject *)made(&c);
}
