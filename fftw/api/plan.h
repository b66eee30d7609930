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

#define FG_PLAN_MAGIC 0xf46e70a6c0def17eu /* no address of any machine's */

struct X(plan_s) {
  uint64_t magic; /* first: what another library's plans begin with is a pointer */
  fg_transform *transform;
  fg_kernel *kernel; /* runs in its place; NULL: there is none */
  fg_array in, out;
};

static inline bool fg_plan_is_ours(const struct X(plan_s) * p) { return p->magic == FG_PLAN_MAGIC; }

/* NULL, and where FFTGEN_FFTW_VERBOSE=1 a line on standard error, for what cannot be done. */
X(plan) fg_plan_make(const fg_call *c);
/* A line on standard error, where FFTGEN_FFTW_VERBOSE=1. */
void fg_plan_say(const char *what, const char *why);
/* Says why there is no plan; returns NULL. */
X(plan) fg_plan_refuse(const char *why);

static inline fg_array fg_array_pairs(fg_api_complex *x) {
  return (fg_array){(fg_real *)x, x ? (fg_real *)x + 1 : NULL};
}

static inline fg_array fg_array_split(fg_real *re, fg_real *im) { return (fg_array){re, im}; }

static inline fg_array fg_array_reals(fg_real *x) { return (fg_array){x, NULL}; }
#endif
