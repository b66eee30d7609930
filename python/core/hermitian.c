/* The half of a real array's spectrum that r2c does not make: X[-k] = conj X[k], along all transformed axes at once.
 *
 * Element k > n/2 of the last dimension is the conjugate of element n - k, whose other indices are mirrored, too. An
 * index that is mirrored stays where it is at 0, so each such axis is two segments: the first element, and the rest. */
#include "python/core/core.h"

typedef struct axis {
  npy_intp n, stride;
  bool mirrored, last;
} axis;

typedef struct filler {
  axis axis[FG_PY_AXES];
  int count;
  bool single;
} filler;

static void conjugate_line(const filler *f, char *to, const char *from, npy_intp n, npy_intp to_step,
                           npy_intp from_step) {
  if (f->single)
    for (npy_intp i = 0; i < n; i++) {
      float *y = (float *)(void *)(to + i * to_step);
      const float *x = (const float *)(const void *)(from + i * from_step);
      y[0] = x[0], y[1] = -x[1];
    }
  else
    for (npy_intp i = 0; i < n; i++) {
      double *y = (double *)(void *)(to + i * to_step);
      const double *x = (const double *)(const void *)(from + i * from_step);
      y[0] = x[0], y[1] = -x[1];
    }
}

static void fill(const filler *f, int number, char *to, const char *from);

/* `n` elements of an axis, and all of the axes behind it. */
static void walk(const filler *f, int number, char *to, const char *from, npy_intp n, npy_intp from_step) {
  npy_intp step = f->axis[number].stride;
  if (number == f->count - 1) {
    conjugate_line(f, to, from, n, step, from_step);
    return;
  }
  for (npy_intp i = 0; i < n; i++) fill(f, number + 1, to + i * step, from + i * from_step);
}

static void fill(const filler *f, int number, char *to, const char *from) {
  const axis *a = &f->axis[number];
  if (a->last) {
    npy_intp first = a->n / 2 + 1;
    walk(f, number, to + first * a->stride, from + (a->n - first) * a->stride, a->n - first, -a->stride);
  } else if (a->mirrored) {
    walk(f, number, to, from, 1, a->stride);
    walk(f, number, to + a->stride, from + (a->n - 1) * a->stride, a->n - 1, -a->stride);
  } else {
    walk(f, number, to, from, a->n, a->stride);
  }
}

static npy_intp size(npy_intp x) { return x < 0 ? -x : x; }

/* Longer strides outside. */
static void sort(filler *f) {
  for (int i = 1; i < f->count; i++)
    for (int k = i; k > 0 && size(f->axis[k].stride) > size(f->axis[k - 1].stride); k--) {
      axis kept = f->axis[k];
      f->axis[k] = f->axis[k - 1], f->axis[k - 1] = kept;
    }
}

void fg_py_fill_hermitian(const fg_py_job *j, PyArrayObject *out, int last) {
  filler f = {.count = PyArray_NDIM(out), .single = PyArray_TYPE(out) == NPY_CFLOAT};
  for (int i = 0; i < f.count; i++) f.axis[i] = (axis){PyArray_DIM(out, i), PyArray_STRIDE(out, i), false, i == last};
  for (int i = 0; i < j->rank; i++) f.axis[j->axis[i]].mirrored = true;
  sort(&f);
  fill(&f, 0, PyArray_BYTES(out), PyArray_BYTES(out));
}
