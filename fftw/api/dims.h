/* Dimensions of the planning functions, as guru64's. */
#ifndef FG_FFTW_API_DIMS_H
#define FG_FFTW_API_DIMS_H
#include "fftw/api/plan.h"

typedef struct fg_dims { /* the dimensions, then the vectors */
  X(iodim64) * all;
  int rank, vectors;
} fg_dims;

typedef struct fg_embedded { /* an array of the many functions; embed: NULL, or the lengths that hold the transform */
  const int *embed;
  int stride, distance;
  int last; /* the length of the last dimension where embed is NULL */
} fg_embedded;

/* all == NULL: there is no memory, or the rank is below 0. */
fg_dims fg_dims_of_many(int rank, const int *n, int howmany, const fg_embedded *in, const fg_embedded *out);
fg_dims fg_dims_of_guru(int rank, const X(iodim) * dim, int vectors, const X(iodim) * vector);
/* A plan by these dimensions, which are freed. */
X(plan) fg_dims_plan(fg_dims d, fg_call c);
#endif
