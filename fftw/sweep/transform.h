/* A transform of any dimensions, vectors, strides and layouts, as steps that each sweep over all vectors of one
 * dimension.
 *
 * Strides count numbers, and may be negative. Of a complex array the imaginary parts have a pointer of their own, one
 * number behind where the array is interleaved. */
#ifndef FG_FFTW_TRANSFORM_H
#define FG_FFTW_TRANSFORM_H
#include "fftw/base/memory.h"
#include "fftw/line/line.h"

typedef struct fg_dim {
  int64_t n;
  ptrdiff_t is, os;
} fg_dim;

typedef struct fg_array {
  fg_real *re, *im; /* im: NULL where numbers are real */
} fg_array;

/* What results are multiplied by: both factors alike scale, factors of opposite sign conjugate, too. */
typedef struct fg_factors {
  fg_real re, im; /* real results take re alone */
} fg_factors;

typedef struct fg_request {
  int rank, vectors;
  const fg_dim *dim;        /* slowest first; of c2r and r2c, the last one's n counts reals */
  const fg_line_type *type; /* of each dimension */
  const fg_dim *vector;
  bool complex_in, complex_out; /* rank 0: both */
  fg_array in, out;             /* whether they are one, and the layout of their parts, is part of the plan */
  bool preserve;                /* the input of a c2r of several dimensions */
  int threads;
} fg_request;

typedef struct fg_transform fg_transform;

fg_transform *fg_transform_create(const fg_request *r); /* NULL: there is no memory */
void fg_transform_destroy(fg_transform *t);             /* NULL does nothing */
/* What a transform begins with: a call of it is one jump. */
typedef void (*fg_transform_runner)(fg_transform *t, fg_array in, fg_array out);
/* Any number of threads may run one. Arrays are at the same distances from each other as those of the request. Where
 * there is no memory, nothing says so. */
static inline void fg_transform_run(fg_transform *t, fg_array in, fg_array out) {
  (*(const fg_transform_runner *)(const void *)t)(t, in, out);
}
/* The same, and results times factors, but of rank 0, or NULL. False: there is no memory. */
bool fg_transform_run_scaled(fg_transform *t, fg_array in, fg_array out, const fg_factors *by);
void fg_transform_scale(const fg_transform *t, fg_array out, const fg_factors *by); /* results that are there */
size_t fg_transform_bytes(const fg_transform *t); /* of memory that an execution borrows */
fg_flops fg_transform_flops(const fg_transform *t);
/* One line a step, by `put`. */
void fg_transform_print(const fg_transform *t, void (*put)(void *to, char c), void *to);
#endif
