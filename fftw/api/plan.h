/* fftw_plan: a transform, the arrays that it was planned for, and how they are passed. */
#ifndef FG_FFTW_API_PLAN_H
#define FG_FFTW_API_PLAN_H
#include "fftw/api/name.h"
#include "fftw/kernel/kernel.h"

typedef struct fg_call { /* what a planning function was asked for */
  int rank, vectors;
  const X(iodim64) * dim, *vector;
  const fg_line_type *type; /* of each dimension; NULL: all are `all` but the last, which is `last` */
  fg_line_type all, last;
  bool complex_in, complex_out;
  int unit_in, unit_out; /* numbers that a stride counts: 2 of interleaved complex numbers */
  fg_array in, out;
  unsigned flags;
} fg_call;

struct X(plan_s) {
  fg_transform *transform;
  fg_kernel *kernel; /* runs in its place; NULL: there is none */
  fg_array in, out;
};

/* NULL, and where FFTGEN_FFTW_VERBOSE=1 a line on standard error, for what cannot be done. */
X(plan) fg_plan_make(const fg_call *c);
/* Says why there is no plan; returns NULL. */
X(plan) fg_plan_refuse(const char *why);

static inline fg_array fg_array_pairs(fg_api_complex *x) {
  return (fg_array){(fg_real *)x, x ? (fg_real *)x + 1 : NULL};
}

static inline fg_array fg_array_split(fg_real *re, fg_real *im) { return (fg_array){re, im}; }

static inline fg_array fg_array_reals(fg_real *x) { return (fg_array){x, NULL}; }
#endif
