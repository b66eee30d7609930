/* See dims.h. Arrays are in row-major order: the stride of a dimension is the product of the lengths of the later
 * dimensions of the array that holds them. */
#include "fftw/api/dims.h"
#include <stdlib.h>

static fg_dims room(int rank, int vectors) {
  fg_dims d = {.rank = rank, .vectors = vectors};
  if (rank >= 0 && vectors >= 0) d.all = malloc(sizeof *d.all * ((size_t)rank + (size_t)vectors + 1));
  return d;
}

static ptrdiff_t length(const fg_embedded *e, const int *n, int rank, int d) {
  return e->embed ? e->embed[d] : d == rank - 1 ? e->last : n[d];
}

fg_dims fg_dims_of_many(int rank, const int *n, int howmany, const fg_embedded *in, const fg_embedded *out) {
  fg_dims d = room(rank, 1);
  if (!d.all) return d;
  ptrdiff_t is = in->stride, os = out->stride;
  for (int i = rank - 1; i >= 0; i--) {
    d.all[i] = (X(iodim64)){n[i], is, os};
    if (__builtin_mul_overflow(is, length(in, n, rank, i), &is) ||
        __builtin_mul_overflow(os, length(out, n, rank, i), &os))
      is = os = PTRDIFF_MAX; /* refused where it is used */
  }
  d.all[rank] = (X(iodim64)){howmany, in->distance, out->distance};
  return d;
}

fg_dims fg_dims_of_guru(int rank, const X(iodim) * dim, int vectors, const X(iodim) * vector) {
  fg_dims d = room(rank, vectors);
  for (int i = 0; d.all && i < rank + vectors; i++) {
    const X(iodim) *of = i < rank ? &dim[i] : &vector[i - rank];
    d.all[i] = (X(iodim64)){of->n, of->is, of->os};
  }
  return d;
}

X(plan) fg_dims_plan(fg_dims d, fg_call c) {
  if (!d.all) return fg_plan_refuse("a rank below 0, or no memory");
  c.rank = d.rank, c.vectors = d.vectors;
  c.dim = d.all, c.vector = d.all + d.rank;
  X(plan) p = fg_plan_make(&c);
  free(d.all);
  return p;
}
