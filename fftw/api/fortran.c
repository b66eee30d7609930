/* FFTW's legacy Fortran interface (its manual, chapter 8): subroutines whose arguments are addresses. In: calls of
 * Fortran programs. Out: those of the C functions. What a function returns is the first argument; a plan is an
 * integer*8. The last dimension of C is Fortran's first, so lists of dimensions, and of the kinds along them, are
 * turned round; those of the guru functions, which have strides, are not. */
#include "fftw/api/name.h"
#include <stdlib.h>

#if FG_FFTW_SINGLE
#define F(name) sfftw_##name
#else
#define F(name) dfftw_##name
#endif
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

/* A subroutine by both of its names. */
#define SUBROUTINE(name, ...)                                                                                          \
  FG_PUBLIC void F(name##_)(__VA_ARGS__);                                                                              \
  FG_PUBLIC void F(name##__)(__VA_ARGS__) __attribute__((alias(TEXT(F(name##_)))));                                    \
  void F(name##_)(__VA_ARGS__)

typedef X(plan) plan;
typedef fg_real real;
typedef fg_api_complex complex_number;
typedef X(iodim) iodim;
typedef X(r2r_kind) r2r_kind;

/* ---- lists ------------------------------------------------------------------------- */

static void *room_for(int count, size_t bytes) { return malloc((size_t)(count > 0 ? count : 1) * bytes); }

/* The other way round; NULL: there is none, or no memory. */
static int *turned(int rank, const int *n) {
  int *list = n ? room_for(rank, sizeof *list) : NULL;
  for (int i = 0; list && i < rank; i++) list[i] = n[rank - 1 - i];
  return list;
}

static r2r_kind *kinds_of(int rank, const int *kind, int backward) {
  r2r_kind *list = room_for(rank, sizeof *list);
  for (int i = 0; list && i < rank; i++) list[i] = (r2r_kind)kind[backward ? rank - 1 - i : i];
  return list;
}

static iodim *dims_of(int rank, const int *n, const int *is, const int *os) {
  iodim *list = room_for(rank, sizeof *list);
  for (int i = 0; list && i < rank; i++) list[i] = (iodim){n[i], is[i], os[i]};
  return list;
}

typedef struct many { /* lists of a function of many transforms */
  int *n, *in, *out;
  r2r_kind *kind;
  int whole;
} many;

static many begin_many(int rank, const int *n, const int *in, const int *out, const int *kind) {
  many m = {turned(rank, n), turned(rank, in), turned(rank, out), kind ? kinds_of(rank, kind, 1) : NULL, 0};
  m.whole = m.n && (m.in || !in) && (m.out || !out) && (m.kind || !kind);
  return m;
}

static void end_many(many *m) {
  free(m->n);
  free(m->in);
  free(m->out);
  free(m->kind);
}

typedef struct guru { /* of a guru function */
  iodim *dims, *many;
  r2r_kind *kind;
  int whole;
} guru;

/* Dimensions as their lengths and strides, a list each. */
#define DIMS const int *rank, const int *n, const int *is, const int *os
#define MANY const int *h_rank, const int *h_n, const int *h_is, const int *h_os

static guru begin_guru(DIMS, MANY, const int *kind) {
  guru g = {dims_of(*rank, n, is, os), dims_of(*h_rank, h_n, h_is, h_os), kind ? kinds_of(*rank, kind, 0) : NULL, 0};
  g.whole = g.dims && g.many && (g.kind || !kind);
  return g;
}

static void end_guru(guru *g) {
  free(g->dims);
  free(g->many);
  free(g->kind);
}

/* Plans of lists: NULL where there was no memory for them. */
#define OF_MANY(in, out, kind, call)                                                                                   \
  many m = begin_many(*rank, n, in, out, kind);                                                                        \
  *p = m.whole ? (call) : NULL;                                                                                        \
  end_many(&m)
#define OF_GURU(kind, call)                                                                                            \
  guru g = begin_guru(rank, n, is, os, h_rank, h_n, h_is, h_os, kind);                                                 \
  *p = g.whole ? (call) : NULL;                                                                                        \
  end_guru(&g)

/* ---- plans and what they do ---------------------------------------------------------- */

SUBROUTINE(execute, const plan *p) { X(execute)(*p); }
SUBROUTINE(destroy_plan, plan *p) { X(destroy_plan)(*p); }
SUBROUTINE(execute_dft, const plan *p, complex_number *in, complex_number *out) { X(execute_dft)(*p, in, out); }
SUBROUTINE(execute_split_dft, const plan *p, real *ri, real *ii, real *ro, real *io) {
  X(execute_split_dft)(*p, ri, ii, ro, io);
}
SUBROUTINE(execute_dft_r2c, const plan *p, real *in, complex_number *out) { X(execute_dft_r2c)(*p, in, out); }
SUBROUTINE(execute_dft_c2r, const plan *p, complex_number *in, real *out) { X(execute_dft_c2r)(*p, in, out); }
SUBROUTINE(execute_split_dft_r2c, const plan *p, real *in, real *ro, real *io) {
  X(execute_split_dft_r2c)(*p, in, ro, io);
}
SUBROUTINE(execute_split_dft_c2r, const plan *p, real *ri, real *ii, real *out) {
  X(execute_split_dft_c2r)(*p, ri, ii, out);
}
SUBROUTINE(execute_r2r, const plan *p, real *in, real *out) { X(execute_r2r)(*p, in, out); }

SUBROUTINE(print_plan, const plan *p) { X(print_plan)(*p); }
SUBROUTINE(flops, const plan *p, double *add, double *mul, double *fma) { X(flops)(*p, add, mul, fma); }
SUBROUTINE(estimate_cost, double *cost, const plan *p) { *cost = X(estimate_cost)(*p); }
SUBROUTINE(cost, double *cost, const plan *p) { *cost = X(cost)(*p); }

/* ---- complex numbers ------------------------------------------------------------------ */

SUBROUTINE(plan_dft, plan *p, const int *rank, const int *n, complex_number *in, complex_number *out, const int *sign,
           const int *flags) {
  OF_MANY(NULL, NULL, NULL, X(plan_dft)(*rank, m.n, in, out, *sign, (unsigned)*flags));
}
SUBROUTINE(plan_dft_1d, plan *p, const int *n, complex_number *in, complex_number *out, const int *sign,
           const int *flags) {
  *p = X(plan_dft_1d)(*n, in, out, *sign, (unsigned)*flags);
}
SUBROUTINE(plan_dft_2d, plan *p, const int *nx, const int *ny, complex_number *in, complex_number *out, const int *sign,
           const int *flags) {
  *p = X(plan_dft_2d)(*ny, *nx, in, out, *sign, (unsigned)*flags);
}
SUBROUTINE(plan_dft_3d, plan *p, const int *nx, const int *ny, const int *nz, complex_number *in, complex_number *out,
           const int *sign, const int *flags) {
  *p = X(plan_dft_3d)(*nz, *ny, *nx, in, out, *sign, (unsigned)*flags);
}
SUBROUTINE(plan_many_dft, plan *p, const int *rank, const int *n, const int *howmany, complex_number *in,
           const int *inembed, const int *istride, const int *idist, complex_number *out, const int *onembed,
           const int *ostride, const int *odist, const int *sign, const int *flags) {
  OF_MANY(inembed, onembed, NULL,
          X(plan_many_dft)(*rank, m.n, *howmany, in, m.in, *istride, *idist, out, m.out, *ostride, *odist, *sign,
                           (unsigned)*flags));
}
SUBROUTINE(plan_guru_dft, plan *p, DIMS, MANY, complex_number *in, complex_number *out, const int *sign,
           const int *flags) {
  OF_GURU(NULL, X(plan_guru_dft)(*rank, g.dims, *h_rank, g.many, in, out, *sign, (unsigned)*flags));
}
SUBROUTINE(plan_guru_split_dft, plan *p, DIMS, MANY, real *ri, real *ii, real *ro, real *io, const int *flags) {
  OF_GURU(NULL, X(plan_guru_split_dft)(*rank, g.dims, *h_rank, g.many, ri, ii, ro, io, (unsigned)*flags));
}

/* ---- reals to complex numbers ---------------------------------------------------------- */

SUBROUTINE(plan_dft_r2c, plan *p, const int *rank, const int *n, real *in, complex_number *out, const int *flags) {
  OF_MANY(NULL, NULL, NULL, X(plan_dft_r2c)(*rank, m.n, in, out, (unsigned)*flags));
}
SUBROUTINE(plan_dft_r2c_1d, plan *p, const int *n, real *in, complex_number *out, const int *flags) {
  *p = X(plan_dft_r2c_1d)(*n, in, out, (unsigned)*flags);
}
SUBROUTINE(plan_dft_r2c_2d, plan *p, const int *nx, const int *ny, real *in, complex_number *out, const int *flags) {
  *p = X(plan_dft_r2c_2d)(*ny, *nx, in, out, (unsigned)*flags);
}
SUBROUTINE(plan_dft_r2c_3d, plan *p, const int *nx, const int *ny, const int *nz, real *in, complex_number *out,
           const int *flags) {
  *p = X(plan_dft_r2c_3d)(*nz, *ny, *nx, in, out, (unsigned)*flags);
}
SUBROUTINE(plan_many_dft_r2c, plan *p, const int *rank, const int *n, const int *howmany, real *in, const int *inembed,
           const int *istride, const int *idist, complex_number *out, const int *onembed, const int *ostride,
           const int *odist, const int *flags) {
  OF_MANY(inembed, onembed, NULL,
          X(plan_many_dft_r2c)(*rank, m.n, *howmany, in, m.in, *istride, *idist, out, m.out, *ostride, *odist,
                               (unsigned)*flags));
}
SUBROUTINE(plan_guru_dft_r2c, plan *p, DIMS, MANY, real *in, complex_number *out, const int *flags) {
  OF_GURU(NULL, X(plan_guru_dft_r2c)(*rank, g.dims, *h_rank, g.many, in, out, (unsigned)*flags));
}
SUBROUTINE(plan_guru_split_dft_r2c, plan *p, DIMS, MANY, real *in, real *ro, real *io, const int *flags) {
  OF_GURU(NULL, X(plan_guru_split_dft_r2c)(*rank, g.dims, *h_rank, g.many, in, ro, io, (unsigned)*flags));
}

/* ---- complex numbers to reals ---------------------------------------------------------- */

SUBROUTINE(plan_dft_c2r, plan *p, const int *rank, const int *n, complex_number *in, real *out, const int *flags) {
  OF_MANY(NULL, NULL, NULL, X(plan_dft_c2r)(*rank, m.n, in, out, (unsigned)*flags));
}
SUBROUTINE(plan_dft_c2r_1d, plan *p, const int *n, complex_number *in, real *out, const int *flags) {
  *p = X(plan_dft_c2r_1d)(*n, in, out, (unsigned)*flags);
}
SUBROUTINE(plan_dft_c2r_2d, plan *p, const int *nx, const int *ny, complex_number *in, real *out, const int *flags) {
  *p = X(plan_dft_c2r_2d)(*ny, *nx, in, out, (unsigned)*flags);
}
SUBROUTINE(plan_dft_c2r_3d, plan *p, const int *nx, const int *ny, const int *nz, complex_number *in, real *out,
           const int *flags) {
  *p = X(plan_dft_c2r_3d)(*nz, *ny, *nx, in, out, (unsigned)*flags);
}
SUBROUTINE(plan_many_dft_c2r, plan *p, const int *rank, const int *n, const int *howmany, complex_number *in,
           const int *inembed, const int *istride, const int *idist, real *out, const int *onembed, const int *ostride,
           const int *odist, const int *flags) {
  OF_MANY(inembed, onembed, NULL,
          X(plan_many_dft_c2r)(*rank, m.n, *howmany, in, m.in, *istride, *idist, out, m.out, *ostride, *odist,
                               (unsigned)*flags));
}
SUBROUTINE(plan_guru_dft_c2r, plan *p, DIMS, MANY, complex_number *in, real *out, const int *flags) {
  OF_GURU(NULL, X(plan_guru_dft_c2r)(*rank, g.dims, *h_rank, g.many, in, out, (unsigned)*flags));
}
SUBROUTINE(plan_guru_split_dft_c2r, plan *p, DIMS, MANY, real *ri, real *ii, real *out, const int *flags) {
  OF_GURU(NULL, X(plan_guru_split_dft_c2r)(*rank, g.dims, *h_rank, g.many, ri, ii, out, (unsigned)*flags));
}

/* ---- reals to reals ---------------------------------------------------------------------- */

SUBROUTINE(plan_r2r, plan *p, const int *rank, const int *n, real *in, real *out, const int *kind, const int *flags) {
  OF_MANY(NULL, NULL, kind, X(plan_r2r)(*rank, m.n, in, out, m.kind, (unsigned)*flags));
}
SUBROUTINE(plan_r2r_1d, plan *p, const int *n, real *in, real *out, const int *kind, const int *flags) {
  *p = X(plan_r2r_1d)(*n, in, out, (r2r_kind)*kind, (unsigned)*flags);
}
SUBROUTINE(plan_r2r_2d, plan *p, const int *nx, const int *ny, real *in, real *out, const int *kindx, const int *kindy,
           const int *flags) {
  *p = X(plan_r2r_2d)(*ny, *nx, in, out, (r2r_kind)*kindy, (r2r_kind)*kindx, (unsigned)*flags);
}
SUBROUTINE(plan_r2r_3d, plan *p, const int *nx, const int *ny, const int *nz, real *in, real *out, const int *kindx,
           const int *kindy, const int *kindz, const int *flags) {
  *p = X(plan_r2r_3d)(*nz, *ny, *nx, in, out, (r2r_kind)*kindz, (r2r_kind)*kindy, (r2r_kind)*kindx, (unsigned)*flags);
}
SUBROUTINE(plan_many_r2r, plan *p, const int *rank, const int *n, const int *howmany, real *in, const int *inembed,
           const int *istride, const int *idist, real *out, const int *onembed, const int *ostride, const int *odist,
           const int *kind, const int *flags) {
  OF_MANY(inembed, onembed, kind,
          X(plan_many_r2r)(*rank, m.n, *howmany, in, m.in, *istride, *idist, out, m.out, *ostride, *odist, m.kind,
                           (unsigned)*flags));
}
SUBROUTINE(plan_guru_r2r, plan *p, DIMS, MANY, real *in, real *out, const int *kind, const int *flags) {
  OF_GURU(kind, X(plan_guru_r2r)(*rank, g.dims, *h_rank, g.many, in, out, g.kind, (unsigned)*flags));
}

/* ---- wisdom, threads ------------------------------------------------------------------- */

typedef struct writer { /* a subroutine of the caller's: one character, its data */
  void (*put)(char *c, void *data);
  void *data;
} writer;

static void put_one(char c, void *data) {
  const writer *w = data;
  w->put(&c, w->data);
}

typedef struct reader { /* likewise: the next character, or -1 */
  void (*get)(int *c, void *data);
  void *data;
} reader;

static int get_one(void *data) {
  const reader *r = data;
  int c = -1;
  r->get(&c, r->data);
  return c < 0 ? EOF : c;
}

SUBROUTINE(export_wisdom, void (*put)(char *c, void *data), void *data) {
  writer w = {put, data};
  X(export_wisdom)(put_one, &w);
}
SUBROUTINE(import_wisdom, int *done, void (*get)(int *c, void *data), void *data) {
  reader r = {get, data};
  *done = X(import_wisdom)(get_one, &r);
}
SUBROUTINE(import_system_wisdom, int *done) { *done = X(import_system_wisdom)(); }
SUBROUTINE(forget_wisdom, void) { X(forget_wisdom)(); }
SUBROUTINE(cleanup, void) { X(cleanup)(); }
SUBROUTINE(set_timelimit, const double *seconds) { X(set_timelimit)(*seconds); }
SUBROUTINE(init_threads, int *done) { *done = X(init_threads)(); }
SUBROUTINE(cleanup_threads, void) { X(cleanup_threads)(); }
SUBROUTINE(plan_with_nthreads, const int *threads) { X(plan_with_nthreads)(*threads); }
SUBROUTINE(planner_nthreads, int *threads) { *threads = X(planner_nthreads)(); }
