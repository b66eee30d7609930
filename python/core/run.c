/* A job becomes a problem of the engine's, and is run. In: arguments that are known to be right. Out: results.
 *
 * Strides are the arrays' own; nothing is copied but inputs that a cosine or sine transform's orthogonalisation scales.
 * The full spectrum of real numbers is a kind of the engine's, or r2c and its mirror image. */
#include "python/core/cold.h"
#include "python/core/work.h"
#include <math.h>
#include <string.h>

enum { SHORT = 1 << 12 /* points, below which other threads of Python wait */ };

/* ---- types ------------------------------------------------------------------------------ */

static bool is_complex(PyArrayObject *a) { return PyArray_TYPE(a) == NPY_CDOUBLE || PyArray_TYPE(a) == NPY_CFLOAT; }

static bool is_single(PyArrayObject *a) { return PyArray_TYPE(a) == NPY_FLOAT || PyArray_TYPE(a) == NPY_CFLOAT; }

static int type_num(bool pairs, bool single) {
  return pairs ? single ? NPY_CFLOAT : NPY_CDOUBLE : single ? NPY_FLOAT : NPY_DOUBLE;
}

static const fg_engine *engine_of(PyArrayObject *x) { return is_single(x) ? &fg_engine_f32 : &fg_engine_f64; }

static npy_intp real_bytes(PyArrayObject *x) { return is_single(x) ? 4 : 8; }

static bool is_readable(PyArrayObject *x) {
  int type = PyArray_TYPE(x);
  if (type != NPY_DOUBLE && type != NPY_CDOUBLE && type != NPY_FLOAT && type != NPY_CFLOAT) return false;
  if (!PyArray_ISALIGNED(x) || !PyArray_ISNOTSWAPPED(x)) return false;
  npy_intp real = real_bytes(x);
  for (int i = 0; i < PyArray_NDIM(x); i++)
    if (PyArray_STRIDE(x, i) % real) return false;
  return (uintptr_t)PyArray_DATA(x) % (size_t)real == 0;
}

/* ---- shapes ----------------------------------------------------------------------------- */

npy_intp fg_py_length_in(const fg_py_job *j, int i) {
  bool half = i == j->rank - 1 && (j->row->family == FG_PY_IRFFT || j->row->family == FG_PY_HFFT);
  return half ? j->n[i] / 2 + 1 : j->n[i];
}

static npy_intp length_out(const fg_py_job *j, int i) {
  bool half = i == j->rank - 1 && (j->row->family == FG_PY_RFFT || j->row->family == FG_PY_IHFFT);
  return half ? j->n[i] / 2 + 1 : j->n[i];
}

static bool real_results(const fg_py_job *j) {
  if (fg_py_is_trigonometric(j->row)) return !is_complex(j->x);
  return j->row->family == FG_PY_IRFFT || j->row->family == FG_PY_HFFT;
}

static void shape_out(const fg_py_job *j, npy_intp *shape) {
  memcpy(shape, PyArray_DIMS(j->x), sizeof *shape * (size_t)PyArray_NDIM(j->x));
  for (int i = 0; i < j->rank; i++) shape[j->axis[i]] = length_out(j, i);
}

static int type_out(const fg_py_job *j) { return type_num(!real_results(j), is_single(j->x)); }

/* ---- what can run ------------------------------------------------------------------------- */

static void bounds(PyArrayObject *a, const char **first, const char **end) {
  *first = PyArray_BYTES(a), *end = *first + PyArray_ITEMSIZE(a);
  for (int i = 0; i < PyArray_NDIM(a); i++) {
    npy_intp n = PyArray_DIM(a, i), span = n > 0 ? (n - 1) * PyArray_STRIDE(a, i) : 0;
    *(span < 0 ? first : end) += span;
  }
}

static bool overlap(PyArrayObject *a, PyArrayObject *b) {
  const char *a_first, *a_end, *b_first, *b_end;
  bounds(a, &a_first, &a_end), bounds(b, &b_first, &b_end);
  return a_first < b_end && b_first < a_end;
}

/* One array: each element's result takes its place. */
static bool same(PyArrayObject *x, PyArrayObject *out) {
  size_t bytes = sizeof(npy_intp) * (size_t)PyArray_NDIM(x);
  return PyArray_DATA(x) == PyArray_DATA(out) && PyArray_TYPE(x) == PyArray_TYPE(out) &&
         !memcmp(PyArray_DIMS(x), PyArray_DIMS(out), bytes) && !memcmp(PyArray_STRIDES(x), PyArray_STRIDES(out), bytes);
}

/* Whether no two elements of a result can share an address: each stride exceeds the extent of the smaller ones. */
static bool has_no_overlap(PyArrayObject *a) {
  npy_intp span = PyArray_ITEMSIZE(a);
  bool seen[FG_PY_AXES] = {false};
  for (int k = 0; k < PyArray_NDIM(a); k++) {
    int least = -1;
    for (int i = 0; i < PyArray_NDIM(a); i++) {
      if (seen[i]) continue;
      npy_intp stride = PyArray_STRIDE(a, i) < 0 ? -PyArray_STRIDE(a, i) : PyArray_STRIDE(a, i);
      npy_intp best = least < 0                      ? 0
                      : PyArray_STRIDE(a, least) < 0 ? -PyArray_STRIDE(a, least)
                                                     : PyArray_STRIDE(a, least);
      if (least < 0 || stride < best) least = i;
    }
    seen[least] = true;
    npy_intp stride = PyArray_STRIDE(a, least) < 0 ? -PyArray_STRIDE(a, least) : PyArray_STRIDE(a, least);
    if (PyArray_DIM(a, least) < 2) continue;
    if (stride < span) return false;
    span += stride * (PyArray_DIM(a, least) - 1);
  }
  return true;
}

static bool out_fits(const fg_py_job *j) {
  npy_intp shape[FG_PY_AXES];
  PyArrayObject *out = j->out;
  if (PyArray_TYPE(out) != type_out(j) || PyArray_NDIM(out) != PyArray_NDIM(j->x) || !PyArray_ISWRITEABLE(out) ||
      !is_readable(out))
    return false;
  shape_out(j, shape);
  if (memcmp(shape, PyArray_DIMS(out), sizeof *shape * (size_t)PyArray_NDIM(out))) return false;
  if (!PyArray_IS_C_CONTIGUOUS(out) && !has_no_overlap(out)) return false;
  return !overlap(j->x, out) || same(j->x, out);
}

/* Numbers as the family takes them, as many as it takes. */
static bool input_fits(const fg_py_job *j) {
  bool pairs = is_complex(j->x);
  fg_py_family family = j->row->family;
  if (family == FG_PY_HFFT || (family == FG_PY_IRFFT && !pairs)) return false;
  if ((family == FG_PY_RFFT || family == FG_PY_IHFFT) && pairs) return false;
  if (j->rank < 1 || PyArray_NDIM(j->x) > FG_PY_AXES) return false;
  for (int i = 0; i < j->rank; i++)
    if (j->n[i] < 1 || j->n[i] > INT32_MAX || fg_py_length_in(j, i) > PyArray_DIM(j->x, j->axis[i])) return false;
  if (!fg_py_is_trigonometric(j->row) || j->type != 1 || family == FG_PY_DST) return true;
  for (int i = 0; i < j->rank; i++)
    if (j->n[i] < 2) return false;
  return true;
}

bool fg_py_is_ready(const fg_py_job *j) {
  if (!is_readable(j->x) || !input_fits(j) || (j->out && !out_fits(j))) return false;
  if (j->orthogonalize == 0 || !fg_py_is_trigonometric(j->row)) return true;
  for (int i = 0; i < j->rank; i++) /* inputs that may be copied */
    if (j->n[i] != PyArray_DIM(j->x, j->axis[i])) return false;
  return true;
}

/* ---- factors ------------------------------------------------------------------------------ */

/* Type of the forward transform that is run: II and III are each other's inverse. */
static int type_run(const fg_py_job *j) {
  return !j->row->inverse ? j->type : j->type == 2 ? 3 : j->type == 3 ? 2 : j->type;
}

static double factor_of(const fg_py_job *j) {
  bool inverse = j->row->inverse;
  fg_py_norm norm = inverse ? (fg_py_norm)(FG_PY_FORWARD - j->norm) : j->norm;
  if (norm == FG_PY_BACKWARD) return 1;
  double points = 1;
  for (int i = 0; i < j->rank; i++) {
    double n = (double)j->n[i];
    if (fg_py_is_trigonometric(j->row)) n = 2 * (n + (j->type != 1 ? 0 : j->row->family == FG_PY_DCT ? -1 : 1));
    points *= n;
  }
  return norm == FG_PY_ORTHO ? 1 / sqrt(points) : 1 / points;
}

/* Which elements of a line an orthogonal transform scales, by sqrt 2 before and by sqrt 1/2 behind. */
typedef struct edges {
  bool first_before, last_before, first_behind, last_behind;
} edges;

static edges edges_of(const fg_py_job *j) {
  static const edges cosine[5] = {{0}, {true, true, true, true}, {.first_behind = true}, {.first_before = true}, {0}};
  static const edges sine[5] = {{0}, {0}, {.last_behind = true}, {.last_before = true}, {0}};
  bool wanted = j->orthogonalize < 0 ? j->norm == FG_PY_ORTHO : j->orthogonalize;
  if (!fg_py_is_trigonometric(j->row) || !wanted) return (edges){0};
  return (j->row->family == FG_PY_DCT ? cosine : sine)[type_run(j)];
}

static void scale_numbers(PyArrayObject *a, int number, int axis, char *at, double by) {
  if (number == PyArray_NDIM(a)) {
    for (int i = 0; i < (is_complex(a) ? 2 : 1); i++)
      if (is_single(a))
        ((float *)(void *)at)[i] *= (float)by;
      else
        ((double *)(void *)at)[i] *= by;
    return;
  }
  npy_intp n = number == axis ? 1 : PyArray_DIM(a, number);
  for (npy_intp i = 0; i < n; i++) scale_numbers(a, number + 1, axis, at + i * PyArray_STRIDE(a, number), by);
}

/* Elements number `index` of all lines along an axis. */
static void scale_plane(PyArrayObject *a, int axis, npy_intp index, double by) {
  scale_numbers(a, 0, axis, PyArray_BYTES(a) + index * PyArray_STRIDE(a, axis), by);
}

static void scale_edges(const fg_py_job *j, PyArrayObject *a, bool before, double by) {
  edges e = edges_of(j);
  for (int i = 0; i < j->rank; i++) {
    if (before ? e.first_before : e.first_behind) scale_plane(a, j->axis[i], 0, by);
    if (before ? e.last_before : e.last_behind) scale_plane(a, j->axis[i], j->n[i] - 1, by);
  }
}

/* ---- problems ----------------------------------------------------------------------------- */

static bool is_full_of_real(const fg_py_job *j) { return j->row->family == FG_PY_FFT && !is_complex(j->x); }

/* Of several dimensions a half is transformed, and so it is where a kernel of libfftgen's is looked for. */
static bool is_filled(const fg_py_job *j) { return is_full_of_real(j) && (j->rank > 1 || j->search > 0); }

static fg_engine_kind kind_of(const fg_py_job *j) {
  switch (j->row->family) {
  case FG_PY_FFT:
    if (is_full_of_real(j)) return is_filled(j) ? FG_ENGINE_R2C : FG_ENGINE_WHOLE;
    return j->row->inverse ? FG_ENGINE_BACKWARD : FG_ENGINE_FORWARD;
  case FG_PY_RFFT:
  case FG_PY_IHFFT: return FG_ENGINE_R2C;
  case FG_PY_DCT: return (fg_engine_kind)(FG_ENGINE_DCT1 + type_run(j) - 1);
  case FG_PY_DST: return (fg_engine_kind)(FG_ENGINE_DST1 + type_run(j) - 1);
  default: return FG_ENGINE_C2R;
  }
}

/* Whether the order of dimensions is ours to choose. */
static bool is_any_order(const fg_py_job *j) { return j->row->family == FG_PY_FFT || fg_py_is_trigonometric(j->row); }

static int64_t size(int64_t x) { return x < 0 ? -x : x; }

/* The dimension with the shortest stride last: it is transformed from the input to the output. Returns its axis. */
static int order(fg_engine_dim *dim, int *axis, int rank) {
  for (int i = 0; i < rank - 1; i++)
    if (size(dim[i].os) < size(dim[rank - 1].os)) {
      fg_engine_dim kept = dim[i];
      int kept_axis = axis[i];
      dim[i] = dim[rank - 1], axis[i] = axis[rank - 1];
      dim[rank - 1] = kept, axis[rank - 1] = kept_axis;
    }
  return axis[rank - 1];
}

/* Returns the axis of the last dimension, or -1: there is nothing to do. */
static int problem_of(const fg_py_job *j, PyArrayObject *x, PyArrayObject *out, fg_engine_problem *p) {
  npy_intp real = real_bytes(x);
  uint64_t transformed = 0;
  int axis[FG_PY_AXES], count = j->rank;
  p->kind = kind_of(j), p->rank = j->rank, p->in_place = PyArray_DATA(x) == PyArray_DATA(out);
  p->threads = j->threads, p->search = j->search;
  for (int i = 0; i < j->rank; i++) {
    axis[i] = j->axis[i], transformed |= UINT64_C(1) << axis[i];
    p->dim[i] = (fg_engine_dim){j->n[i], PyArray_STRIDE(x, axis[i]) / real, PyArray_STRIDE(out, axis[i]) / real};
  }
  int last = is_any_order(j) ? order(p->dim, axis, j->rank) : axis[j->rank - 1];
  for (int i = 0; i < PyArray_NDIM(x); i++) {
    npy_intp n = PyArray_DIM(x, i);
    if (transformed >> i & 1 || n == 1) continue;
    if (n == 0) return -1;
    p->dim[count++] = (fg_engine_dim){n, PyArray_STRIDE(x, i) / real, PyArray_STRIDE(out, i) / real};
  }
  if (fg_py_is_trigonometric(j->row) && is_complex(x)) p->dim[count++] = (fg_engine_dim){2, 1, 1};
  p->vectors = count - j->rank;
  return last;
}

/* ---- running ------------------------------------------------------------------------------ */

static bool run(const fg_py_work *w, fg_engine_plan *plan, PyArrayObject *x, PyArrayObject *out) {
  const fg_py_job *j = w->job;
  bool full = is_full_of_real(j), conjugate = j->row->family == FG_PY_IHFFT || (full && j->row->inverse);
  if (!w->engine->run(plan, PyArray_DATA(x), PyArray_DATA(out), w->factor, conjugate ? -w->factor : w->factor))
    return false;
  if (is_filled(j)) fg_py_fill_hermitian(j, out, w->last);
  if (w->behind) scale_edges(j, out, false, sqrt(.5));
  return true;
}

static bool run_planned(const fg_py_work *w, PyArrayObject *x, PyArrayObject *out) {
  if (w->plan) return run(w, w->plan, x, out);
  fg_engine_plan *plan = w->engine->get(&w->problem);
  bool done = plan && run(w, plan, x, out);
  if (plan) w->engine->release(plan);
  return done;
}

static bool run_without_python(const fg_py_work *w, PyArrayObject *x, PyArrayObject *out) {
  if (PyArray_SIZE(out) < SHORT) return run_planned(w, x, out);
  PyThreadState *state = PyEval_SaveThread();
  bool done = run_planned(w, x, out);
  PyEval_RestoreThread(state);
  return done;
}

static PyArrayObject *results(const fg_py_job *j, PyArrayObject *out) {
  npy_intp shape[FG_PY_AXES];
  if (out) {
    Py_INCREF(out);
    return out;
  }
  shape_out(j, shape);
  return (PyArrayObject *)PyArray_SimpleNew(PyArray_NDIM(j->x), shape, type_out(j));
}

/* Inputs that are scaled before are stored in the results' array, and are transformed there. */
static bool scale_inputs(const fg_py_work *w, PyArrayObject *x, PyArrayObject *out) {
  if (PyArray_SIZE(out) == 0) return true;
  if (PyArray_DATA(out) != PyArray_DATA(x) && PyArray_CopyInto(out, x) < 0) return false;
  scale_edges(w->job, out, true, sqrt(2));
  return true;
}

bool fg_py_prepare(fg_py_work *w, const fg_py_job *j) {
  edges e = edges_of(j);
  w->job = j, w->plan = NULL;
  w->out = results(j, j->out);
  if (!w->out) return false;
  w->before = e.first_before || e.last_before, w->behind = e.first_behind || e.last_behind;
  w->engine = engine_of(j->x), w->factor = factor_of(j);
  w->last = problem_of(j, w->before ? w->out : j->x, w->out, &w->problem);
  return true;
}

bool fg_py_may_get(const fg_py_work *w) {
  if (!fg_py_is_cold() || w->plan || w->last < 0 || w->engine->knows(&w->problem)) return true;
  PyObject *shape = PyObject_GetAttrString((PyObject *)w->job->x, "shape");
  if (shape) fg_py_may_plan(w->job->row->name, shape);
  Py_XDECREF(shape);
  return false;
}

static bool start(const fg_py_work *w, PyArrayObject *x, PyArrayObject *out) {
  if (!fg_py_may_get(w)) return false;
  if (w->before && !scale_inputs(w, x, out)) return false;
  if (w->last < 0 || run_without_python(w, w->before ? out : x, out)) return true;
  PyErr_NoMemory();
  return false;
}

PyObject *fg_py_run(const fg_py_job *j) {
  fg_py_work w;
  if (!fg_py_prepare(&w, j)) return NULL;
  if (start(&w, j->x, w.out)) return (PyObject *)w.out;
  Py_DECREF(w.out);
  return NULL;
}

PyObject *fg_py_rerun(const fg_py_work *w, PyArrayObject *x, PyArrayObject *out) {
  PyArrayObject *to = results(w->job, out);
  if (!to) return NULL;
  if (start(w, x, to)) return (PyObject *)to;
  Py_DECREF(to);
  return NULL;
}

bool fg_py_lie_alike(PyArrayObject *x, PyArrayObject *out, bool in_place) {
  return in_place ? same(x, out) : !overlap(x, out);
}
