/* Memory for results whose library does not make them here, order between streams, and DLPack's capsules. In: numbers.
 * Out: objects that own memory, events as numbers, capsules.
 *
 * Capsules are those of DLPack's version 0, which all libraries exchange. */
#include "python/core/gpu_memory.h"
#include "python/core/dlpack.h"
#include "python/core/gpu_array.h"
#include "python/core/gpu_driver.h"
#include <stdlib.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

static void release(PyObject *capsule) {
  const fg_py_cuda *cu = fg_py_cuda_get();
  uintptr_t at = (uintptr_t)PyCapsule_GetPointer(capsule, "fftgen memory");
  intptr_t device = (intptr_t)PyCapsule_GetContext(capsule);
  if (!cu || !at || !fg_py_cuda_enter(cu, (int)device)) return;
  cu->release(at); /* after the work that uses it */
  fg_py_cuda_leave(cu);
}

static bool upload(const fg_py_cuda *cu, unsigned long long at, PyArrayObject *from) {
  int status = cu->upload(at, PyArray_DATA(from), (size_t)PyArray_NBYTES(from));
  return status == 0 || fg_py_cuda_failed("copying to the device", status);
}

static PyObject *allocate(const fg_py_cuda *cu, int device, Py_ssize_t bytes, PyArrayObject *from) {
  unsigned long long at = 0;
  int status = cu->allocate(&at, bytes ? (size_t)bytes : 1);
  if (status) return PyErr_Format(PyExc_MemoryError, "%zd bytes of device %d", bytes, device);
  PyObject *owner = PyCapsule_New((void *)(uintptr_t)at, "fftgen memory", release);
  bool done = owner && PyCapsule_SetContext(owner, (void *)(intptr_t)device) == 0 && (!from || upload(cu, at, from));
  PyObject *both = done ? Py_BuildValue("KO", at, owner) : NULL;
  if (!owner) cu->release(at);
  Py_XDECREF(owner);
  return both;
}

/* (device, bytes, or an array of the host): an address, and what owns it; with the array's contents. */
PyObject *fg_py_gpu_allocate(PyObject *module, PyObject *args) {
  int device;
  PyObject *what;
  const fg_py_cuda *cu = fg_py_cuda_get();
  (void)module;
  if (!cu || !PyArg_ParseTuple(args, "iO", &device, &what)) return NULL;
  PyArrayObject *from = PyArray_Check(what) ? (PyArrayObject *)what : NULL;
  if (from && !PyArray_IS_C_CONTIGUOUS(from)) return PyErr_Format(PyExc_ValueError, "the array is not contiguous");
  Py_ssize_t bytes = from ? PyArray_NBYTES(from) : PyLong_AsSsize_t(what);
  if (PyErr_Occurred() || !fg_py_cuda_enter(cu, device)) return NULL;
  PyObject *both = allocate(cu, device, bytes, from);
  fg_py_cuda_leave(cu);
  return both;
}

/* The device of an address; ValueError where it is none of a GPU's. */
PyObject *fg_py_gpu_owner(PyObject *module, PyObject *address) {
  enum { DEVICE_ORDINAL = 9 };
  const fg_py_cuda *cu = fg_py_cuda_get();
  int device = -1;
  (void)module;
  unsigned long long at = cu ? PyLong_AsUnsignedLongLong(address) : 0;
  if (!cu || PyErr_Occurred()) return NULL;
  if (cu->pointer(&device, DEVICE_ORDINAL, at) == 0) return PyLong_FromLong(device);
  return PyErr_Format(PyExc_ValueError, "%p is no address of a GPU's memory", (void *)(uintptr_t)at);
}

/* ---- order ----------------------------------------------------------------------------------- */

enum { NO_TIMES = 2 };

static void *record(const fg_py_cuda *cu, uintptr_t stream) {
  void *event = NULL;
  int status = cu->event_create(&event, NO_TIMES);
  if (status) return fg_py_cuda_failed("making an event", status);
  status = cu->event_record(event, stream);
  if (status == 0) return event;
  cu->event_destroy(event);
  return fg_py_cuda_failed("recording an event", status);
}

/* (device, stream): an event behind all that was enqueued, as a number. */
PyObject *fg_py_gpu_event(PyObject *module, PyObject *args) {
  int device;
  unsigned long long stream;
  const fg_py_cuda *cu = fg_py_cuda_get();
  (void)module;
  if (!cu || !PyArg_ParseTuple(args, "iK", &device, &stream) || !fg_py_cuda_enter(cu, device)) return NULL;
  void *event = record(cu, (uintptr_t)stream);
  fg_py_cuda_leave(cu);
  return event ? PyLong_FromVoidPtr(event) : NULL;
}

/* Whether it has passed; then it is gone. */
PyObject *fg_py_gpu_event_done(PyObject *module, PyObject *event_number) {
  const fg_py_cuda *cu = fg_py_cuda_get();
  (void)module;
  void *event = cu ? PyLong_AsVoidPtr(event_number) : NULL;
  if (!event) return NULL;
  enum { NOT_READY = 600 };
  bool done = cu->event_query(event) != NOT_READY;
  if (done) cu->event_destroy(event);
  return PyBool_FromLong(done);
}

/* (device, first, then): what is enqueued on one stream from now on runs behind what the other one has. */
PyObject *fg_py_gpu_order(PyObject *module, PyObject *args) {
  int device;
  unsigned long long first, then;
  const fg_py_cuda *cu = fg_py_cuda_get();
  (void)module;
  if (!cu || !PyArg_ParseTuple(args, "iKK", &device, &first, &then) || !fg_py_cuda_enter(cu, device)) return NULL;
  void *event = record(cu, (uintptr_t)first);
  int status = event ? cu->stream_wait_event((uintptr_t)then, event, 0) : 0;
  if (event) cu->event_destroy(event);
  fg_py_cuda_leave(cu);
  if (!event || status) return event ? fg_py_cuda_failed("ordering two streams", status) : NULL;
  Py_RETURN_NONE;
}

/* ---- DLPack ---------------------------------------------------------------------------------- */

typedef struct exported {
  fg_dlpack_managed m;
  int64_t sizes[2 * FG_PY_AXES];
} exported;

/* From any thread. */
static void release_exported(fg_dlpack_managed *m) {
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF((PyObject *)m->owner);
  PyGILState_Release(state);
  free(m);
}

static void release_capsule(PyObject *capsule) {
  fg_dlpack_managed *m = PyCapsule_IsValid(capsule, "dltensor") ? PyCapsule_GetPointer(capsule, "dltensor") : NULL;
  if (m && m->release) m->release(m);
}

/* (view, owner): a capsule, which keeps the owner. */
PyObject *fg_py_gpu_to_dlpack(PyObject *module, PyObject *args) {
  PyObject *view, *owner;
  fg_py_gpu_array a;
  (void)module;
  if (!PyArg_ParseTuple(args, "OO", &view, &owner)) return NULL;
  if (!fg_py_gpu_read(view, &a)) return PyErr_Format(PyExc_TypeError, "a view of a GPU's array is wanted");
  exported *e = calloc(1, sizeof *e);
  if (!e) return PyErr_NoMemory();
  for (int i = 0; i < a.dimensions; i++) e->sizes[i] = a.shape[i], e->sizes[FG_PY_AXES + i] = a.stride[i];
  e->m.t = (fg_dlpack_tensor){.data = (void *)a.at,
                              .device_type = FG_DLPACK_CUDA,
                              .device = a.device,
                              .dimensions = a.dimensions,
                              .code = fg_dlpack_types[a.type].code,
                              .bits = fg_dlpack_types[a.type].bits,
                              .lanes = 1,
                              .shape = e->sizes,
                              .strides = e->sizes + FG_PY_AXES};
  e->m.owner = owner, e->m.release = release_exported;
  PyObject *capsule = PyCapsule_New(&e->m, "dltensor", release_capsule);
  if (!capsule) return free(e), NULL;
  Py_INCREF(owner);
  return capsule;
}

static void release_import(PyObject *capsule) {
  fg_dlpack_managed *m = PyCapsule_GetPointer(capsule, "used_dltensor");
  if (m && m->release) m->release(m);
}

static PyObject *sizes_of(const int64_t *sizes, int count) {
  PyObject *all = PyTuple_New(count);
  for (int i = 0; all && i < count; i++) PyTuple_SetItem(all, i, PyLong_FromLongLong(sizes[i]));
  return all;
}

static void dense(const fg_dlpack_tensor *t, int64_t *strides) {
  int64_t step = 1;
  for (int i = t->dimensions - 1; i >= 0; i--) strides[i] = step, step *= t->shape[i];
}

/* (address, code, bits, device, shape, strides), and what owns them, of a capsule, which is used up. */
PyObject *fg_py_gpu_from_dlpack(PyObject *module, PyObject *capsule) {
  int64_t strides[FG_PY_AXES];
  (void)module;
  fg_dlpack_managed *m = PyCapsule_GetPointer(capsule, "dltensor");
  if (!m) return NULL;
  const fg_dlpack_tensor *t = &m->t;
  if (t->device_type != FG_DLPACK_CUDA || t->lanes != 1 || t->dimensions < 0 || t->dimensions > FG_PY_AXES)
    return PyErr_Format(PyExc_TypeError, "an array of a CUDA device, of at most %d dimensions, is wanted", FG_PY_AXES);
  dense(t, strides);
  PyObject *owner = PyCapsule_New(m, "used_dltensor", NULL);
  if (!owner || PyCapsule_SetName(capsule, "used_dltensor") < 0 || PyCapsule_SetDestructor(owner, release_import) < 0)
    return Py_XDECREF(owner), NULL;
  PyObject *shape = sizes_of(t->shape, t->dimensions);
  PyObject *stride = sizes_of(t->strides ? t->strides : strides, t->dimensions);
  PyObject *all = shape && stride ? Py_BuildValue("KiiiOOO", (unsigned long long)(uintptr_t)t->data + t->offset,
                                                  t->code, t->bits, t->device, shape, stride, owner)
                                  : NULL;
  Py_XDECREF(shape), Py_XDECREF(stride), Py_DECREF(owner);
  return all;
}
