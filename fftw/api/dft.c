/* Complex transforms. Where the parts of numbers are in arrays of their own there is no sign: callers exchange the
 * parts of both sides for the backward transform. */
#include "fftw/api/dims.h"

static fg_call call(fg_api_complex *in, fg_api_complex *out, int sign, unsigned flags) {
  fg_line_type type = sign == FFTW_BACKWARD ? FG_LINE_BACKWARD : FG_LINE_FORWARD;
  return (fg_call){.all = type,
                   .last = type,
                   .complex_in = true,
                   .complex_out = true,
                   .unit_in = 2,
                   .unit_out = 2,
                   .in = fg_array_pairs(in),
                   .out = fg_array_pairs(out),
                   .flags = flags};
}

static fg_call split_call(fg_array in, fg_array out, unsigned flags) {
  fg_call c = call(NULL, NULL, FFTW_FORWARD, flags);
  c.unit_in = c.unit_out = 1;
  c.in = in, c.out = out;
  return c;
}

FG_PUBLIC X(plan) X(plan_many_dft)(int rank, const int *n, int howmany, fg_api_complex *in, const int *inembed,
                                   int istride, int idist, fg_api_complex *out, const int *onembed, int ostride,
                                   int odist, int sign, unsigned flags) {
  int last = rank > 0 ? n[rank - 1] : 1;
  fg_embedded from = {inembed, istride, idist, last}, to = {onembed, ostride, odist, last};
  return fg_dims_plan(fg_dims_of_many(rank, n, howmany, &from, &to), call(in, out, sign, flags));
}

FG_PUBLIC X(plan)
    X(plan_dft)(int rank, const int *n, fg_api_complex *in, fg_api_complex *out, int sign, unsigned flags) {
  return X(plan_many_dft)(rank, n, 1, in, NULL, 1, 1, out, NULL, 1, 1, sign, flags);
}

FG_PUBLIC X(plan) X(plan_dft_1d)(int n, fg_api_complex *in, fg_api_complex *out, int sign, unsigned flags) {
  return X(plan_dft)(1, &n, in, out, sign, flags);
}

FG_PUBLIC X(plan) X(plan_dft_2d)(int n0, int n1, fg_api_complex *in, fg_api_complex *out, int sign, unsigned flags) {
  return X(plan_dft)(2, (const int[]){n0, n1}, in, out, sign, flags);
}

FG_PUBLIC X(plan)
    X(plan_dft_3d)(int n0, int n1, int n2, fg_api_complex *in, fg_api_complex *out, int sign, unsigned flags) {
  return X(plan_dft)(3, (const int[]){n0, n1, n2}, in, out, sign, flags);
}

FG_PUBLIC X(plan) X(plan_guru_dft)(int rank, const X(iodim) * dims, int vectors, const X(iodim) * vector,
                                   fg_api_complex *in, fg_api_complex *out, int sign, unsigned flags) {
  return fg_dims_plan(fg_dims_of_guru(rank, dims, vectors, vector), call(in, out, sign, flags));
}

FG_PUBLIC X(plan) X(plan_guru_split_dft)(int rank, const X(iodim) * dims, int vectors, const X(iodim) * vector,
                                         fg_real *ri, fg_real *ii, fg_real *ro, fg_real *io, unsigned flags) {
  return fg_dims_plan(fg_dims_of_guru(rank, dims, vectors, vector),
                      split_call(fg_array_split(ri, ii), fg_array_split(ro, io), flags));
}

static X(plan) plan_guru64(int rank, const X(iodim64) * dims, int vectors, const X(iodim64) * vector, fg_call c) {
  c.rank = rank, c.dim = dims;
  c.vectors = vectors, c.vector = vector;
  return fg_plan_make(&c);
}

FG_PUBLIC X(plan) X(plan_guru64_dft)(int rank, const X(iodim64) * dims, int vectors, const X(iodim64) * vector,
                                     fg_api_complex *in, fg_api_complex *out, int sign, unsigned flags) {
  return plan_guru64(rank, dims, vectors, vector, call(in, out, sign, flags));
}

FG_PUBLIC X(plan) X(plan_guru64_split_dft)(int rank, const X(iodim64) * dims, int vectors, const X(iodim64) * vector,
                                           fg_real *ri, fg_real *ii, fg_real *ro, fg_real *io, unsigned flags) {
  return plan_guru64(rank, dims, vectors, vector, split_call(fg_array_split(ri, ii), fg_array_split(ro, io), flags));
}
