/* Arrays of a GPU by their attributes. In: objects of a library's, whose Python half has named its types. Out: address,
 * type, device, shape, strides in elements, the current stream. What is not plain (another type of numbers, strides
 * that are no whole elements, an address that is not aligned, a tensor that records gradients or is conjugated later)
 * is left to the Python half. */
#include "python/core/gpu_array.h"
#include "python/core/dlpack.h"
#include <string.h>

static const struct {
  const char *name;
  int bytes;
} numbers[FG_PY_NUMBERS] = {{"f16", 2}, {"f32", 4}, {"f64", 8},   {"bf16", 2},
                            {"c32", 4}, {"c64", 8}, {"c128", 16}, {"bc32", 4}};

typedef enum word { DATA, PTR, DEVICE_ID, SHAPE, STRIDES, DTYPE, REQUIRES_GRAD, WORDS } word;
static const char *const word_texts[WORDS] = {"data", "ptr", "device_id", "shape", "strides", "dtype", "requires_grad"};
static PyObject *words[WORDS];

enum { TYPES = 2, HELPERS = 9 };
struct fg_py_library {
  const char *name;
  bool (*read)(const fg_py_library *l, PyObject *x, fg_py_gpu_array *a);
  bool (*address)(const fg_py_library *l, PyObject *x, uintptr_t *at);
  bool (*stream)(const fg_py_library *l, const fg_py_gpu_array *x, uintptr_t *stream);
  bool allocates_here;
  const char *const *helper_names;
  PyObject *type[TYPES], *number[FG_PY_NUMBERS], *helper[HELPERS];
  const fg_dlpack_exchange *exchange; /* NULL: attributes are read */
  int device_type;                    /* of its arrays there */
};

/* ---- parts of attributes; each takes the reference that it is given -------------------------- */

static bool take_address(PyObject *value, uintptr_t *at) {
  *at = value ? (uintptr_t)PyLong_AsUnsignedLongLongMask(value) : 0;
  Py_XDECREF(value);
  return value != NULL;
}

static bool take_int(PyObject *value, int *to) {
  *to = value ? (int)PyLong_AsLong(value) : -1;
  Py_XDECREF(value);
  return value != NULL;
}

/* Tuples, and classes of their kind. */
static bool take_sizes(PyObject *sizes, npy_intp *to, int *count) {
  Py_ssize_t all = sizes && PyTuple_Check(sizes) ? PyTuple_Size(sizes) : FG_PY_AXES + 1;
  for (Py_ssize_t i = 0; i < all && all <= FG_PY_AXES; i++) to[i] = PyLong_AsSsize_t(PyTuple_GetItem(sizes, i));
  Py_XDECREF(sizes);
  *count = (int)all;
  return all <= FG_PY_AXES;
}

static bool take_number(const fg_py_library *l, PyObject *type, fg_py_number *to) {
  int i = 0;
  while (i < FG_PY_NUMBERS && l->number[i] != type) i++;
  for (int k = 0; type && i == FG_PY_NUMBERS && k < FG_PY_NUMBERS; k++) /* another object of the same meaning */
    if (l->number[k] != Py_None && PyObject_RichCompareBool(type, l->number[k], Py_EQ) > 0) i = k;
  *to = (fg_py_number)i;
  Py_XDECREF(type);
  return type && i < FG_PY_NUMBERS;
}

static bool is_true(PyObject *value) {
  bool yes = value == Py_True;
  Py_XDECREF(value);
  return yes;
}

static PyObject *call_one(PyObject *f, PyObject *x) { return PyObject_CallFunctionObjArgs(f, x, NULL); }

/* ---- CuPy ------------------------------------------------------------------------------------ */

enum { CUPY_STREAM };
static const char *const cupy_helpers[] = {"stream", NULL};

static bool cupy_address(const fg_py_library *l, PyObject *x, uintptr_t *at) {
  (void)l;
  PyObject *data = PyObject_GetAttr(x, words[DATA]);
  bool there = data && take_address(PyObject_GetAttr(data, words[PTR]), at);
  Py_XDECREF(data);
  return there;
}

static bool cupy_read(const fg_py_library *l, PyObject *x, fg_py_gpu_array *a) {
  int dimensions;
  PyObject *data = PyObject_GetAttr(x, words[DATA]);
  bool there = data && take_address(PyObject_GetAttr(data, words[PTR]), &a->at) &&
               take_int(PyObject_GetAttr(data, words[DEVICE_ID]), &a->device);
  Py_XDECREF(data);
  if (!there || !take_number(l, PyObject_GetAttr(x, words[DTYPE]), &a->type)) return false;
  if (!take_sizes(PyObject_GetAttr(x, words[SHAPE]), a->shape, &a->dimensions)) return false;
  if (!take_sizes(PyObject_GetAttr(x, words[STRIDES]), a->stride, &dimensions)) return false;
  npy_intp bytes = numbers[a->type].bytes;
  for (int i = 0; i < dimensions; i++) {
    if (a->stride[i] % bytes) return false;
    a->stride[i] /= bytes;
  }
  return dimensions == a->dimensions;
}

static bool cupy_stream(const fg_py_library *l, const fg_py_gpu_array *x, uintptr_t *stream) {
  (void)x;
  PyObject *current = PyObject_CallObject(l->helper[CUPY_STREAM], NULL);
  bool there = current && take_address(PyObject_GetAttr(current, words[PTR]), stream);
  Py_XDECREF(current);
  return there;
}

/* ---- PyTorch: unbound methods of its tensors ------------------------------------------------- */

enum { TORCH_STREAM, TORCH_DATA, TORCH_DEVICE, TORCH_STRIDE, TORCH_CONJ, TORCH_NEG, TORCH_RECORDS };
static const char *const torch_helpers[] = {"stream",  "data_ptr", "get_device",      "stride",
                                            "is_conj", "is_neg",   "is_grad_enabled", NULL};

static bool torch_exchange(const fg_py_library *l, PyObject *x, fg_dlpack_tensor *t) {
  if (l->exchange->tensor_of(x, t) != 0) return PyErr_Clear(), false; /* of a type that DLPack does not have */
  return t->device_type == l->device_type && t->lanes == 1;
}

static bool torch_address(const fg_py_library *l, PyObject *x, uintptr_t *at) {
  fg_dlpack_tensor t;
  if (l->exchange && torch_exchange(l, x, &t)) return *at = (uintptr_t)t.data + t.offset, true;
  return take_address(call_one(l->helper[TORCH_DATA], x), at);
}

/* Elements that are changed when they are read (pairs are conjugated, of which the imaginary parts are negated), or
 * whose changes are recorded. */
static bool torch_is_lazy(const fg_py_library *l, PyObject *x, bool pairs) {
  if (is_true(call_one(l->helper[pairs ? TORCH_CONJ : TORCH_NEG], x))) return true;
  return is_true(PyObject_GetAttr(x, words[REQUIRES_GRAD])) &&
         is_true(PyObject_CallObject(l->helper[TORCH_RECORDS], NULL));
}

/* By the table that PyTorch has from 2.10 on: a quarter of the time. */
static bool torch_read_exchanged(const fg_py_library *l, PyObject *x, fg_py_gpu_array *a) {
  fg_dlpack_tensor t;
  int type = 0;
  if (!torch_exchange(l, x, &t) || t.dimensions > FG_PY_AXES) return false;
  while (type < FG_PY_NUMBERS && (fg_dlpack_types[type].code != t.code || fg_dlpack_types[type].bits != t.bits)) type++;
  if (type == FG_PY_NUMBERS || torch_is_lazy(l, x, type >= FG_PY_C32)) return false;
  a->type = (fg_py_number)type, a->device = t.device, a->dimensions = t.dimensions;
  a->at = (uintptr_t)t.data + t.offset;
  for (int i = 0; i < t.dimensions; i++) a->shape[i] = t.shape[i], a->stride[i] = t.strides[i];
  return true;
}

static bool torch_read(const fg_py_library *l, PyObject *x, fg_py_gpu_array *a) {
  int dimensions;
  if (l->exchange && torch_read_exchanged(l, x, a)) return true;
  if (!take_number(l, PyObject_GetAttr(x, words[DTYPE]), &a->type)) return false;
  if (!take_int(call_one(l->helper[TORCH_DEVICE], x), &a->device) || a->device < 0) return false;
  if (torch_is_lazy(l, x, a->type >= FG_PY_C32) || !torch_address(l, x, &a->at)) return false;
  if (!take_sizes(PyObject_GetAttr(x, words[SHAPE]), a->shape, &a->dimensions)) return false;
  return take_sizes(call_one(l->helper[TORCH_STRIDE], x), a->stride, &dimensions) && dimensions == a->dimensions;
}

static bool torch_stream(const fg_py_library *l, const fg_py_gpu_array *x, uintptr_t *stream) {
  void *current;
  if (l->exchange && l->device_type == FG_DLPACK_CUDA &&
      !l->exchange->current_stream(l->device_type, x->device, &current))
    return *stream = (uintptr_t)current, true;
  PyObject *device = PyLong_FromLong(x->device);
  bool there = device && take_address(call_one(l->helper[TORCH_STREAM], device), stream);
  Py_XDECREF(device);
  return there;
}

/* ---- views: arrays as tuples of their numbers, _gpu.View ------------------------------------- */

enum { VIEW_AT, VIEW_NUMBER, VIEW_DEVICE, VIEW_SHAPE, VIEW_STRIDES, VIEW_STREAM, VIEW_FIELDS };
static const char *const view_helpers[] = {NULL};

static PyObject *field(PyObject *view, int number) {
  PyObject *value = PyTuple_GetItem(view, number); /* borrowed */
  Py_XINCREF(value);
  return value;
}

static bool view_address(const fg_py_library *l, PyObject *x, uintptr_t *at) {
  (void)l;
  return take_address(field(x, VIEW_AT), at);
}

static bool view_read(const fg_py_library *l, PyObject *x, fg_py_gpu_array *a) {
  int number, dimensions;
  if (PyTuple_Size(x) < VIEW_FIELDS || !view_address(l, x, &a->at)) return false;
  if (!take_int(field(x, VIEW_NUMBER), &number) || number < 0 || number >= FG_PY_NUMBERS) return false;
  a->type = (fg_py_number)number;
  return take_int(field(x, VIEW_DEVICE), &a->device) && take_sizes(field(x, VIEW_SHAPE), a->shape, &a->dimensions) &&
         take_sizes(field(x, VIEW_STRIDES), a->stride, &dimensions) && dimensions == a->dimensions;
}

static bool view_stream(const fg_py_library *l, const fg_py_gpu_array *x, uintptr_t *stream) {
  (void)l;
  return take_address(field(x->object, VIEW_STREAM), stream);
}

/* ---- all ------------------------------------------------------------------------------------- */

static fg_py_library libraries[] = {
    {.name = "cupy",
     .read = cupy_read,
     .address = cupy_address,
     .stream = cupy_stream,
     .allocates_here = true,
     .helper_names = cupy_helpers},
    {.name = "torch",
     .read = torch_read,
     .address = torch_address,
     .stream = torch_stream,
     .helper_names = torch_helpers},
    {.name = "view", .read = view_read, .address = view_address, .stream = view_stream, .helper_names = view_helpers},
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

static const fg_py_library *library_of(PyObject *x) {
  PyObject *type = (PyObject *)Py_TYPE(x);
  for (int i = 0; i < LIBRARIES; i++)
    for (int k = 0; k < TYPES; k++)
      if (libraries[i].type[k] == type) return &libraries[i];
  return NULL;
}

bool fg_py_gpu_read(PyObject *x, fg_py_gpu_array *a) {
  a->library = library_of(x), a->object = x;
  if (!a->library) return false;
  bool read = a->library->read(a->library, x, a) && !PyErr_Occurred();
  if (PyErr_Occurred()) PyErr_Clear(); /* the Python half asks again, and says it */
  /* Halves are loaded two at a time. */
  return read && a->at % (uintptr_t)(a->type == FG_PY_F16 || a->type == FG_PY_BF16 ? 4 : numbers[a->type].bytes) == 0;
}

bool fg_py_gpu_address(const fg_py_library *l, PyObject *x, uintptr_t *at) { return l->address(l, x, at); }

bool fg_py_gpu_stream(const fg_py_gpu_array *x, uintptr_t *stream) { return x->library->stream(x->library, x, stream); }

bool fg_py_gpu_allocates_here(const fg_py_library *l) { return l->allocates_here; }

/* A table of another version is none. */
static bool find_exchange(fg_py_library *l, PyObject *helpers) {
  PyObject *capsule = PyDict_GetItemString(helpers, "exchange"), *type = PyDict_GetItemString(helpers, "device_type");
  l->exchange = NULL;
  if (!capsule || capsule == Py_None) return true;
  const fg_dlpack_exchange *e = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
  l->device_type = type ? (int)PyLong_AsLong(type) : FG_DLPACK_CUDA;
  if (e && e->major == FG_DLPACK_MAJOR && e->tensor_of) l->exchange = e;
  return e && !PyErr_Occurred();
}

static bool fill(fg_py_library *l, PyObject *types, PyObject *of_numbers, PyObject *helpers) {
  for (Py_ssize_t i = 0; i < TYPES && i < PyTuple_Size(types); i++) l->type[i] = field(types, (int)i);
  for (int i = 0; i < FG_PY_NUMBERS; i++) l->number[i] = field(of_numbers, i);
  for (int i = 0; l->helper_names[i]; i++) {
    l->helper[i] = PyDict_GetItemString(helpers, l->helper_names[i]);
    if (!l->helper[i]) return PyErr_Format(PyExc_KeyError, "%s: %s", l->name, l->helper_names[i]) != NULL;
    Py_INCREF(l->helper[i]);
  }
  return find_exchange(l, helpers) && !PyErr_Occurred();
}

/* (name, types, numbers, helpers): from now on, arrays of these types are read here. Numbers: what an array's dtype is
 * for each of fg_py_number, None where the library has none. */
PyObject *fg_py_gpu_library(PyObject *module, PyObject *args) {
  const char *name;
  PyObject *types, *of_numbers, *helpers;
  (void)module;
  if (!PyArg_ParseTuple(args, "sO!O!O!", &name, &PyTuple_Type, &types, &PyTuple_Type, &of_numbers, &PyDict_Type,
                        &helpers))
    return NULL;
  for (int i = 0; i < WORDS; i++)
    if (!words[i] && !(words[i] = PyUnicode_InternFromString(word_texts[i]))) return NULL;
  for (int i = 0; i < LIBRARIES; i++) {
    if (strcmp(libraries[i].name, name) != 0) continue;
    if (!fill(&libraries[i], types, of_numbers, helpers)) return NULL;
    Py_RETURN_NONE;
  }
  return PyErr_Format(PyExc_ValueError, "no arrays of %s are read here", name);
}

static PyObject *tuple_of(const npy_intp *sizes, int count) {
  PyObject *t = PyTuple_New(count);
  for (int i = 0; t && i < count; i++) PyTuple_SetItem(t, i, PyLong_FromSsize_t(sizes[i]));
  return t;
}

/* (address, type, device, shape, strides in elements), or None: not plain. */
PyObject *fg_py_gpu_describe(PyObject *module, PyObject *x) {
  fg_py_gpu_array a;
  (void)module;
  if (!fg_py_gpu_read(x, &a)) Py_RETURN_NONE;
  PyObject *shape = tuple_of(a.shape, a.dimensions), *stride = tuple_of(a.stride, a.dimensions);
  PyObject *all = shape && stride
                      ? Py_BuildValue("KsiOO", (unsigned long long)a.at, numbers[a.type].name, a.device, shape, stride)
                      : NULL;
  Py_XDECREF(shape), Py_XDECREF(stride);
  return all;
}
