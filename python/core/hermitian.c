/* The half of a real array's spectrum that r2c does not make: libfftgen's, on an array of NumPy's
 * (runtime/plan/mirror.h). */
#include "python/core/core.h"
#include "runtime/plan/mirror.h"

_Static_assert((int)FG_PY_AXES <= FG_MIRROR_AXES, "an array has an axis more");

void fg_py_fill_hermitian(const fg_py_job *j, PyArrayObject *out, int last) {
  fg_mirror m;
  m.count = PyArray_NDIM(out), m.bytes = PyArray_TYPE(out) == NPY_CFLOAT ? 4 : 8;
  for (int i = 0; i < m.count; i++)
    m.axis[i] = (fg_mirror_axis){PyArray_DIM(out, i), PyArray_STRIDE(out, i), false, i == last};
  for (int i = 0; i < j->rank; i++) m.axis[j->axis[i]].mirrored = true;
  fg_mirror_fill(&m, PyArray_BYTES(out));
}
