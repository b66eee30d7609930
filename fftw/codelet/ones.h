/* Codelets that do one transform at a time, between any strides, in place or not (ones.c).
 *
 * Each reads all of a transform before it writes any of it. Parts of complex numbers have pointers and strides of their
 * own, so that one codelet does r2c and halfcomplex order, forward and backward, pairs and arrays of parts. */
#ifndef FG_FFTW_ONES_H
#define FG_FFTW_ONES_H
#include "fftw/base/real.h"

typedef enum fg_one_kind {
  FG_ONE_COMPLEX, /* forward; with exchanged parts on both sides backward */
  FG_ONE_R2C,
  FG_ONE_C2R,
  FG_ONE_HARTLEY,
  FG_ONE_DCT1,
  FG_ONE_DCT2,
  FG_ONE_DCT3,
  FG_ONE_DCT4,
  FG_ONE_DST1,
  FG_ONE_KINDS
} fg_one_kind;

typedef struct fg_walk {
  ptrdiff_t is, os;        /* of elements; of complex ones, of their real parts */
  ptrdiff_t im_is, im_os;  /* of imaginary parts */
  fg_real odd_in, odd_out; /* factor of elements with odd numbers, of DCT2 to DCT4: 1 or -1 */
  bool zeros;              /* R2C: imaginary parts that are zero are written, too */
  int64_t count;           /* of transforms, one after the other; the next one begins id, od further */
  ptrdiff_t id, od;
} fg_walk;

typedef void (*fg_one)(const fg_real *re, const fg_real *im, fg_real *out_re, fg_real *out_im, const fg_walk *w);

fg_one fg_ones_find(fg_one_kind kind, int64_t n); /* NULL: there is none */
#endif
