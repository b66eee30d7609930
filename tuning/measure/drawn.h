/* Random inputs of a problem and their transforms, computed once for all modules that are tried on it.
 *
 * There are a few inputs; each transform of a batch has one of them, chosen by a hash of its number, so that
 * neighbours and transforms at equal distances differ. So every element of every result has a reference, at the cost
 * of a few transforms. References have 64 bits. */
#ifndef FG_DRAWN_H
#define FG_DRAWN_H
#include "generator/problem/problem.h"

enum { FG_DRAWN_MOST = 7, FG_DRAWN_DIMS = 2 * FG_MAX_RANK };

typedef struct fg_side { /* one side's arrays: the address of number c of element k of transform t */
  fg_precision type;
  int nslot;                      /* arrays: two of a split side, real and imaginary parts */
  int per;                        /* numbers of an element in one array */
  int64_t count, extent;          /* elements of a transform; that an array spans */
  int ndim, nbatch;               /* of the elements of a transform, and of the batch: slowest first, merged where */
  int64_t dim[2 * FG_DRAWN_DIMS]; /* they can be; length and stride of each, the batch's behind the others' */
} fg_side;

typedef struct fg_drawn {
  const fg_problem *p;
  const int64_t *params;     /* values of the run-time parameters */
  fg_side in, out, spectrum; /* spectrum: of a convolution, as many as `spectra`: one, or one for each transform */
  int64_t spectra;           /* 0: none */
  int64_t transforms;
  int distinct;
  bool in_place;
  void *input[2];    /* [distinct][count][per] of the array's type, for each place of the input */
  void *factors;     /* [distinct][count][2]: the spectra's numbers, of the type of the arithmetic */
  double *truth[2];  /* the same of the output */
  double *norm;      /* [distinct]: square sum of a truth */
  double bound_l2;   /* relative error that is allowed, */
  double bound_max;  /* of one number over the root mean square, */
  double bound_unit; /* and over itself */
} fg_drawn;

/* In cx's arena. params NULL: the lowest. FG_ENA: load or store operations, spectra by channel, whole numbers, inputs
 * that overlap, or results that the array's type has no room for; then fg_verify is the check. */
fg_status fg_drawn_create(fg_context *cx, const fg_problem *p, const int64_t *params, uint64_t seed,
                          const fg_drawn **out);
/* Whether it may: false is for sure. */
bool fg_drawn_serves(const fg_problem *p);
/* Which input transform t has. */
static inline int fg_drawn_pick(int64_t t, int64_t distinct) {
  uint64_t z = (uint64_t)t * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  return (int)(t < distinct ? t : (int64_t)((z ^ z >> 31) % (uint64_t)distinct));
}
/* Element offset of index i of n dimensions as in fg_side. */
static inline int64_t fg_drawn_offset(const int64_t *dim, int n, int64_t i) {
  int64_t at = 0;
  for (int d = n - 1; d > 0; d--) at += i % dim[2 * d] * dim[2 * d + 1], i /= dim[2 * d];
  return n ? at + i * dim[1] : 0;
}
#endif
