/* FFTW's interface, version 3.3.10, as its documentation describes it, for libfftw3 and libfftw3f by fftgen.
 *
 * SPDX-License-Identifier: MIT
 * Written from the documented interface; it has nothing of FFTW's own header in it. docs/fftw.md says what is there. */
#ifndef FFTW3_H
#define FFTW3_H
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(FFTW_NO_Complex) && defined(_Complex_I) && defined(complex) && defined(I)
#define FFTW_DEFINE_COMPLEX(R, C) typedef R _Complex C
#else
#define FFTW_DEFINE_COMPLEX(R, C) typedef R C[2]
#endif

enum fftw_r2r_kind_do_not_use_me {
  FFTW_R2HC = 0,
  FFTW_HC2R = 1,
  FFTW_DHT = 2,
  FFTW_REDFT00 = 3,
  FFTW_REDFT01 = 4,
  FFTW_REDFT10 = 5,
  FFTW_REDFT11 = 6,
  FFTW_RODFT00 = 7,
  FFTW_RODFT01 = 8,
  FFTW_RODFT10 = 9,
  FFTW_RODFT11 = 10
};

struct fftw_iodim_do_not_use_me {
  int n, is, os;
};

struct fftw_iodim64_do_not_use_me {
  ptrdiff_t n, is, os;
};

typedef void (*fftw_write_char_func_do_not_use_me)(char c, void *);
typedef int (*fftw_read_char_func_do_not_use_me)(void *);

#define FFTW_FORWARD (-1)
#define FFTW_BACKWARD (+1)
#define FFTW_NO_TIMELIMIT (-1.0)
#define FFTW_MEASURE (0U)
#define FFTW_DESTROY_INPUT (1U << 0)
#define FFTW_UNALIGNED (1U << 1)
#define FFTW_CONSERVE_MEMORY (1U << 2)
#define FFTW_EXHAUSTIVE (1U << 3)
#define FFTW_PRESERVE_INPUT (1U << 4)
#define FFTW_PATIENT (1U << 5)
#define FFTW_ESTIMATE (1U << 6)
#define FFTW_WISDOM_ONLY (1U << 21)

#define FFTW_MANGLE_DOUBLE(name) fftw_##name
#define FFTW_MANGLE_FLOAT(name) fftwf_##name

/* All functions of a precision: X names, R reals, C complex numbers. */
#define FFTW_DEFINE_API(X, R, C)                                                                                       \
  FFTW_DEFINE_COMPLEX(R, C);                                                                                           \
  typedef struct X(plan_s) * X(plan);                                                                                  \
  typedef struct fftw_iodim_do_not_use_me X(iodim);                                                                    \
  typedef struct fftw_iodim64_do_not_use_me X(iodim64);                                                                \
  typedef enum fftw_r2r_kind_do_not_use_me X(r2r_kind);                                                                \
  typedef fftw_write_char_func_do_not_use_me X(write_char_func);                                                       \
  typedef fftw_read_char_func_do_not_use_me X(read_char_func);                                                         \
                                                                                                                       \
  void X(execute)(const X(plan) p);                                                                                    \
  void X(destroy_plan)(X(plan) p);                                                                                     \
                                                                                                                       \
  X(plan) X(plan_dft)(int rank, const int *n, C *in, C *out, int sign, unsigned flags);                                \
  X(plan) X(plan_dft_1d)(int n, C *in, C *out, int sign, unsigned flags);                                              \
  X(plan) X(plan_dft_2d)(int n0, int n1, C *in, C *out, int sign, unsigned flags);                                     \
  X(plan) X(plan_dft_3d)(int n0, int n1, int n2, C *in, C *out, int sign, unsigned flags);                             \
  X(plan)                                                                                                              \
  X(plan_many_dft)                                                                                                     \
  (int rank, const int *n, int howmany, C *in, const int *inembed, int istride, int idist, C *out, const int *onembed, \
   int ostride, int odist, int sign, unsigned flags);                                                                  \
  X(plan)                                                                                                              \
  X(plan_guru_dft)                                                                                                     \
  (int rank, const X(iodim) * dims, int howmany_rank, const X(iodim) * howmany_dims, C * in, C * out, int sign,        \
   unsigned flags);                                                                                                    \
  X(plan)                                                                                                              \
  X(plan_guru_split_dft)                                                                                               \
  (int rank, const X(iodim) * dims, int howmany_rank, const X(iodim) * howmany_dims, R * ri, R * ii, R * ro, R * io,   \
   unsigned flags);                                                                                                    \
  X(plan)                                                                                                              \
  X(plan_guru64_dft)                                                                                                   \
  (int rank, const X(iodim64) * dims, int howmany_rank, const X(iodim64) * howmany_dims, C * in, C * out, int sign,    \
   unsigned flags);                                                                                                    \
  X(plan)                                                                                                              \
  X(plan_guru64_split_dft)                                                                                             \
  (int rank, const X(iodim64) * dims, int howmany_rank, const X(iodim64) * howmany_dims, R * ri, R * ii, R * ro,       \
   R * io, unsigned flags);                                                                                            \
  void X(execute_dft)(const X(plan) p, C *in, C *out);                                                                 \
  void X(execute_split_dft)(const X(plan) p, R *ri, R *ii, R *ro, R *io);                                              \
                                                                                                                       \
  X(plan) X(plan_dft_r2c)(int rank, const int *n, R *in, C *out, unsigned flags);                                      \
  X(plan) X(plan_dft_r2c_1d)(int n, R *in, C *out, unsigned flags);                                                    \
  X(plan) X(plan_dft_r2c_2d)(int n0, int n1, R *in, C *out, unsigned flags);                                           \
  X(plan) X(plan_dft_r2c_3d)(int n0, int n1, int n2, R *in, C *out, unsigned flags);                                   \
  X(plan)                                                                                                              \
  X(plan_many_dft_r2c)                                                                                                 \
  (int rank, const int *n, int howmany, R *in, const int *inembed, int istride, int idist, C *out, const int *onembed, \
   int ostride, int odist, unsigned flags);                                                                            \
  X(plan) X(plan_dft_c2r)(int rank, const int *n, C *in, R *out, unsigned flags);                                      \
  X(plan) X(plan_dft_c2r_1d)(int n, C *in, R *out, unsigned flags);                                                    \
  X(plan) X(plan_dft_c2r_2d)(int n0, int n1, C *in, R *out, unsigned flags);                                           \
  X(plan) X(plan_dft_c2r_3d)(int n0, int n1, int n2, C *in, R *out, unsigned flags);                                   \
  X(plan)                                                                                                              \
  X(plan_many_dft_c2r)                                                                                                 \
  (int rank, const int *n, int howmany, C *in, const int *inembed, int istride, int idist, R *out, const int *onembed, \
   int ostride, int odist, unsigned flags);                                                                            \
  X(plan)                                                                                                              \
  X(plan_guru_dft_r2c)                                                                                                 \
  (int rank, const X(iodim) * dims, int howmany_rank, const X(iodim) * howmany_dims, R * in, C * out, unsigned flags); \
  X(plan)                                                                                                              \
  X(plan_guru_dft_c2r)                                                                                                 \
  (int rank, const X(iodim) * dims, int howmany_rank, const X(iodim) * howmany_dims, C * in, R * out, unsigned flags); \
  X(plan)                                                                                                              \
  X(plan_guru_split_dft_r2c)                                                                                           \
  (int rank, const X(iodim) * dims, int howmany_rank, const X(iodim) * howmany_dims, R * in, R * ro, R * io,           \
   unsigned flags);                                                                                                    \
  X(plan)                                                                                                              \
  X(plan_guru_split_dft_c2r)                                                                                           \
  (int rank, const X(iodim) * dims, int howmany_rank, const X(iodim) * howmany_dims, R * ri, R * ii, R * out,          \
   unsigned flags);                                                                                                    \
  X(plan)                                                                                                              \
  X(plan_guru64_dft_r2c)                                                                                               \
  (int rank, const X(iodim64) * dims, int howmany_rank, const X(iodim64) * howmany_dims, R * in, C * out,              \
   unsigned flags);                                                                                                    \
  X(plan)                                                                                                              \
  X(plan_guru64_dft_c2r)                                                                                               \
  (int rank, const X(iodim64) * dims, int howmany_rank, const X(iodim64) * howmany_dims, C * in, R * out,              \
   unsigned flags);                                                                                                    \
  X(plan)                                                                                                              \
  X(plan_guru64_split_dft_r2c)                                                                                         \
  (int rank, const X(iodim64) * dims, int howmany_rank, const X(iodim64) * howmany_dims, R * in, R * ro, R * io,       \
   unsigned flags);                                                                                                    \
  X(plan)                                                                                                              \
  X(plan_guru64_split_dft_c2r)                                                                                         \
  (int rank, const X(iodim64) * dims, int howmany_rank, const X(iodim64) * howmany_dims, R * ri, R * ii, R * out,      \
   unsigned flags);                                                                                                    \
  void X(execute_dft_r2c)(const X(plan) p, R *in, C *out);                                                             \
  void X(execute_dft_c2r)(const X(plan) p, C *in, R *out);                                                             \
  void X(execute_split_dft_r2c)(const X(plan) p, R *in, R *ro, R *io);                                                 \
  void X(execute_split_dft_c2r)(const X(plan) p, R *ri, R *ii, R *out);                                                \
                                                                                                                       \
  X(plan) X(plan_r2r)(int rank, const int *n, R *in, R *out, const X(r2r_kind) * kind, unsigned flags);                \
  X(plan) X(plan_r2r_1d)(int n, R *in, R *out, X(r2r_kind) kind, unsigned flags);                                      \
  X(plan) X(plan_r2r_2d)(int n0, int n1, R *in, R *out, X(r2r_kind) kind0, X(r2r_kind) kind1, unsigned flags);         \
  X(plan)                                                                                                              \
  X(plan_r2r_3d)                                                                                                       \
  (int n0, int n1, int n2, R *in, R *out, X(r2r_kind) kind0, X(r2r_kind) kind1, X(r2r_kind) kind2, unsigned flags);    \
  X(plan)                                                                                                              \
  X(plan_many_r2r)                                                                                                     \
  (int rank, const int *n, int howmany, R *in, const int *inembed, int istride, int idist, R *out, const int *onembed, \
   int ostride, int odist, const X(r2r_kind) * kind, unsigned flags);                                                  \
  X(plan)                                                                                                              \
  X(plan_guru_r2r)                                                                                                     \
  (int rank, const X(iodim) * dims, int howmany_rank, const X(iodim) * howmany_dims, R * in, R * out,                  \
   const X(r2r_kind) * kind, unsigned flags);                                                                          \
  X(plan)                                                                                                              \
  X(plan_guru64_r2r)                                                                                                   \
  (int rank, const X(iodim64) * dims, int howmany_rank, const X(iodim64) * howmany_dims, R * in, R * out,              \
   const X(r2r_kind) * kind, unsigned flags);                                                                          \
  void X(execute_r2r)(const X(plan) p, R *in, R *out);                                                                 \
                                                                                                                       \
  void X(forget_wisdom)(void);                                                                                         \
  void X(cleanup)(void);                                                                                               \
  void X(set_timelimit)(double t);                                                                                     \
  void X(plan_with_nthreads)(int nthreads);                                                                            \
  int X(planner_nthreads)(void);                                                                                       \
  int X(init_threads)(void);                                                                                           \
  void X(cleanup_threads)(void);                                                                                       \
  void X(threads_set_callback)(void (*loop)(void *(*work)(char *), char *jobs, size_t bytes, int count, void *data),   \
                               void *data);                                                                            \
  void X(make_planner_thread_safe)(void);                                                                              \
                                                                                                                       \
  int X(export_wisdom_to_filename)(const char *filename);                                                              \
  void X(export_wisdom_to_file)(FILE * file);                                                                          \
  char *X(export_wisdom_to_string)(void);                                                                              \
  void X(export_wisdom)(X(write_char_func) put, void *data);                                                           \
  int X(import_system_wisdom)(void);                                                                                   \
  int X(import_wisdom_from_filename)(const char *filename);                                                            \
  int X(import_wisdom_from_file)(FILE * file);                                                                         \
  int X(import_wisdom_from_string)(const char *text);                                                                  \
  int X(import_wisdom)(X(read_char_func) get, void *data);                                                             \
                                                                                                                       \
  void X(fprint_plan)(const X(plan) p, FILE *file);                                                                    \
  void X(print_plan)(const X(plan) p);                                                                                 \
  char *X(sprint_plan)(const X(plan) p);                                                                               \
  void X(flops)(const X(plan) p, double *add, double *mul, double *fmas);                                              \
  double X(estimate_cost)(const X(plan) p);                                                                            \
  double X(cost)(const X(plan) p);                                                                                     \
  int X(alignment_of)(R * p);                                                                                          \
                                                                                                                       \
  void *X(malloc)(size_t n);                                                                                           \
  R *X(alloc_real)(size_t n);                                                                                          \
  C *X(alloc_complex)(size_t n);                                                                                       \
  void X(free)(void *p);                                                                                               \
                                                                                                                       \
  extern const char X(version)[], X(cc)[], X(codelet_optim)[]

FFTW_DEFINE_API(FFTW_MANGLE_DOUBLE, double, fftw_complex);
FFTW_DEFINE_API(FFTW_MANGLE_FLOAT, float, fftwf_complex);

#ifdef __cplusplus
}
#endif
#endif
