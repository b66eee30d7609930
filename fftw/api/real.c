/* r2c and c2r. The last dimension's length counts reals; in place, rows of reals are padded to rows of complex numbers.
 */
#include "fftw/api/dims.h"

static fg_call r2c_call(fg_real *in, fg_array out, int unit, unsigned flags) {
  return (fg_call){.all = FG_LINE_FORWARD,
                   .last = FG_LINE_R2C,
                   .complex_out = true,
                   .unit_in = 1,
                   .unit_out = unit,
                   .in = fg_array_reals(in),
                   .out = out,
                   .flags = flags};
}

static fg_call c2r_call(fg_array in, int unit, fg_real *out, unsigned flags) {
  return (fg_call){.all = FG_LINE_BACKWARD,
                   .last = FG_LINE_C2R,
                   .complex_in = true,
                   .unit_in = unit,
                   .unit_out = 1,
                   .in = in,
                   .out = fg_array_reals(out),
                   .flags = flags};
}

static int half(int rank, const int *n) { return rank > 0 ? n[rank - 1] / 2 + 1 : 1; }

static int padded(int rank, const int *n, bool in_place) {
  return in_place ? 2 * half(rank, n) : rank > 0 ? n[rank - 1] : 1;
}

FG_PUBLIC X(plan)
    X(plan_many_dft_r2c)(int rank, const int *n, int howmany, fg_real *in, const int *inembed, int istride, int idist,
                         fg_api_complex *out, const int *onembed, int ostride, int odist, unsigned flags) {
  if (rank < 1) return fg_plan_refuse("r2c of no dimensions: reals do not become complex numbers");
  fg_embedded from = {inembed, istride, idist, padded(rank, n, in == (fg_real *)out)},
              to = {onembed, ostride, odist, half(rank, n)};
  return fg_dims_plan(fg_dims_of_many(rank, n, howmany, &from, &to), r2c_call(in, fg_array_pairs(out), 2, flags));
}

FG_PUBLIC X(plan)
    X(plan_many_dft_c2r)(int rank, const int *n, int howmany, fg_api_complex *in, const int *inembed, int istride,
                         int idist, fg_real *out, const int *onembed, int ostride, int odist, unsigned flags) {
  if (rank < 1) return fg_plan_refuse("c2r of no dimensions: complex numbers do not become reals");
  fg_embedded from = {inembed, istride, idist, half(rank, n)},
              to = {onembed, ostride, odist, padded(rank, n, (fg_real *)in == out)};
  return fg_dims_plan(fg_dims_of_many(rank, n, howmany, &from, &to), c2r_call(fg_array_pairs(in), 2, out, flags));
}

FG_PUBLIC X(plan) X(plan_dft_r2c)(int rank, const int *n, fg_real *in, fg_api_complex *out, unsigned flags) {
  return X(plan_many_dft_r2c)(rank, n, 1, in, NULL, 1, 1, out, NULL, 1, 1, flags);
}

FG_PUBLIC X(plan) X(plan_dft_c2r)(int rank, const int *n, fg_api_complex *in, fg_real *out, unsigned flags) {
  return X(plan_many_dft_c2r)(rank, n, 1, in, NULL, 1, 1, out, NULL, 1, 1, flags);
}

FG_PUBLIC X(plan) X(plan_dft_r2c_1d)(int n, fg_real *in, fg_api_complex *out, unsigned flags) {
  return X(plan_dft_r2c)(1, &n, in, out, flags);
}

FG_PUBLIC X(plan) X(plan_dft_c2r_1d)(int n, fg_api_complex *in, fg_real *out, unsigned flags) {
  return X(plan_dft_c2r)(1, &n, in, out, flags);
}

FG_PUBLIC X(plan) X(plan_dft_r2c_2d)(int n0, int n1, fg_real *in, fg_api_complex *out, unsigned flags) {
  return X(plan_dft_r2c)(2, (const int[]){n0, n1}, in, out, flags);
}

FG_PUBLIC X(plan) X(plan_dft_c2r_2d)(int n0, int n1, fg_api_complex *in, fg_real *out, unsigned flags) {
  return X(plan_dft_c2r)(2, (const int[]){n0, n1}, in, out, flags);
}

FG_PUBLIC X(plan) X(plan_dft_r2c_3d)(int n0, int n1, int n2, fg_real *in, fg_api_complex *out, unsigned flags) {
  return X(plan_dft_r2c)(3, (const int[]){n0, n1, n2}, in, out, flags);
}

FG_PUBLIC X(plan) X(plan_dft_c2r_3d)(int n0, int n1, int n2, fg_api_complex *in, fg_real *out, unsigned flags) {
  return X(plan_dft_c2r)(3, (const int[]){n0, n1, n2}, in, out, flags);
}

/* ---- guru -------------------------------------------------------------------- */

static X(plan) plan_guru(int rank, const X(iodim) * dims, int vectors, const X(iodim) * vector, fg_call c) {
  if (rank < 1) return fg_plan_refuse("r2c or c2r of no dimensions");
  return fg_dims_plan(fg_dims_of_guru(rank, dims, vectors, vector), c);
}

static X(plan) plan_guru64(int rank, const X(iodim64) * dims, int vectors, const X(iodim64) * vector, fg_call c) {
  if (rank < 1) return fg_plan_refuse("r2c or c2r of no dimensions");
  c.rank = rank, c.dim = dims;
  c.vectors = vectors, c.vector = vector;
  return fg_plan_make(&c);
}

#define GURU(name, dim, make)                                                                                          \
  FG_PUBLIC X(plan) X(plan_##name##_dft_r2c)(int rank, const dim *dims, int vectors, const dim *vector, fg_real *in,   \
                                             fg_api_complex *out, unsigned flags) {                                    \
    return make(rank, dims, vectors, vector, r2c_call(in, fg_array_pairs(out), 2, flags));                             \
  }                                                                                                                    \
  FG_PUBLIC X(plan) X(plan_##name##_dft_c2r)(int rank, const dim *dims, int vectors, const dim *vector,                \
                                             fg_api_complex *in, fg_real *out, unsigned flags) {                       \
    return make(rank, dims, vectors, vector, c2r_call(fg_array_pairs(in), 2, out, flags));                             \
  }                                                                                                                    \
  FG_PUBLIC X(plan) X(plan_##name##_split_dft_r2c)(int rank, const dim *dims, int vectors, const dim *vector,          \
                                                   fg_real *in, fg_real *ro, fg_real *io, unsigned flags) {            \
    return make(rank, dims, vectors, vector, r2c_call(in, fg_array_split(ro, io), 1, flags));                          \
  }                                                                                                                    \
  FG_PUBLIC X(plan) X(plan_##name##_split_dft_c2r)(int rank, const dim *dims, int vectors, const dim *vector,          \
                                                   fg_real *ri, fg_real *ii, fg_real *out, unsigned flags) {           \
    return make(rank, dims, vectors, vector, c2r_call(fg_array_split(ri, ii), 1, out, flags));                         \
  }

GURU(guru, X(iodim), plan_guru)
GURU(guru64, X(iodim64), plan_guru64)
