/* Transforms of reals to as many reals, of a kind for each dimension. */
#include "fftw/api/dims.h"
#include <stdlib.h>

/* FFTW's kinds are numbered as the types of lines are. */
static bool kinds_fit(int rank, const X(r2r_kind) * kind, fg_line_type *type) {
  for (int i = 0; i < rank; i++) {
    if ((int)kind[i] < FFTW_R2HC || (int)kind[i] > FFTW_RODFT11) return false;
    type[i] = (fg_line_type)((int)FG_LINE_R2HC + (int)kind[i]);
  }
  return true;
}

static X(plan) plan(fg_dims d, const X(r2r_kind) * kind, fg_real *in, fg_real *out, unsigned flags) {
  fg_line_type *type = d.all ? malloc(sizeof *type * ((size_t)d.rank + 1)) : NULL;
  X(plan) p = NULL;
  fg_call c = {.type = type, .unit_in = 1, .unit_out = 1, .flags = flags};
  c.in = fg_array_reals(in), c.out = fg_array_reals(out);
  if (type && kinds_fit(d.rank, kind, type)) {
    p = fg_dims_plan(d, c);
  } else {
    fg_plan_refuse(type ? "a kind of r2r that there is not" : "a rank below 0, or no memory");
    free(d.all);
  }
  free(type);
  return p;
}

FG_PUBLIC X(plan) X(plan_many_r2r)(int rank, const int *n, int howmany, fg_real *in, const int *inembed, int istride,
                                   int idist, fg_real *out, const int *onembed, int ostride, int odist,
                                   const X(r2r_kind) * kind, unsigned flags) {
  int last = rank > 0 ? n[rank - 1] : 1;
  fg_embedded from = {inembed, istride, idist, last}, to = {onembed, ostride, odist, last};
  return plan(fg_dims_of_many(rank, n, howmany, &from, &to), kind, in, out, flags);
}

FG_PUBLIC X(plan)
    X(plan_r2r)(int rank, const int *n, fg_real *in, fg_real *out, const X(r2r_kind) * kind, unsigned flags) {
  return X(plan_many_r2r)(rank, n, 1, in, NULL, 1, 1, out, NULL, 1, 1, kind, flags);
}

FG_PUBLIC X(plan) X(plan_r2r_1d)(int n, fg_real *in, fg_real *out, X(r2r_kind) kind, unsigned flags) {
  return X(plan_r2r)(1, &n, in, out, &kind, flags);
}

FG_PUBLIC X(plan)
    X(plan_r2r_2d)(int n0, int n1, fg_real *in, fg_real *out, X(r2r_kind) kind0, X(r2r_kind) kind1, unsigned flags) {
  return X(plan_r2r)(2, (const int[]){n0, n1}, in, out, (const X(r2r_kind)[]){kind0, kind1}, flags);
}

FG_PUBLIC X(plan) X(plan_r2r_3d)(int n0, int n1, int n2, fg_real *in, fg_real *out, X(r2r_kind) kind0,
                                 X(r2r_kind) kind1, X(r2r_kind) kind2, unsigned flags) {
  return X(plan_r2r)(3, (const int[]){n0, n1, n2}, in, out, (const X(r2r_kind)[]){kind0, kind1, kind2}, flags);
}

FG_PUBLIC X(plan) X(plan_guru_r2r)(int rank, const X(iodim) * dims, int vectors, const X(iodim) * vector, fg_real *in,
                                   fg_real *out, const X(r2r_kind) * kind, unsigned flags) {
  return plan(fg_dims_of_guru(rank, dims, vectors, vector), kind, in, out, flags);
}

FG_PUBLIC X(plan) X(plan_guru64_r2r)(int rank, const X(iodim64) * dims, int vectors, const X(iodim64) * vector,
                                     fg_real *in, fg_real *out, const X(r2r_kind) * kind, unsigned flags) {
  fg_dims d = {.rank = rank, .vectors = vectors};
  if (rank >= 0 && vectors >= 0) d.all = malloc(sizeof *d.all * ((size_t)rank + (size_t)vectors + 1));
  for (int i = 0; d.all && i < rank + vectors; i++) d.all[i] = i < rank ? dims[i] : vector[i - rank];
  return plan(d, kind, in, out, flags);
}
