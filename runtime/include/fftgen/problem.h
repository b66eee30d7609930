/* A problem as a struct, in the form of FFTW's guru interface. A struct means the same problem as its text
 * (docs/problem.md), and has the same kernels. */
#ifndef FFTGEN_PROBLEM_H
#define FFTGEN_PROBLEM_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fftgen_kind {
  FFTGEN_C2C,
  FFTGEN_R2C,
  FFTGEN_C2R,
  FFTGEN_DCT1,
  FFTGEN_DCT2,
  FFTGEN_DCT3,
  FFTGEN_DCT4,
  FFTGEN_DST1,
  FFTGEN_DST2,
  FFTGEN_DST3,
  FFTGEN_DST4,
  FFTGEN_CONV,
  FFTGEN_RCONV
} fftgen_kind;

typedef enum fftgen_precision { FFTGEN_F16, FFTGEN_BF16, FFTGEN_F32, FFTGEN_F64 } fftgen_precision;

typedef struct fftgen_param { /* a number that is known when the plan is executed: from lowest to highest */
  const char *name;           /* an identifier; "count" */
  long long lowest, highest;
} fftgen_param;

/* In a dimension: parameter i, or a number times it, as a stride or as the length of a batch dimension. Lengths of
 * batch dimensions may be 0, and parameters that are lengths from 0 on: then there is nothing to do. */
#define FFTGEN_PARAM(i) FFTGEN_TIMES_PARAM(1, i)
#define FFTGEN_TIMES_PARAM(times, i) (-(16LL * (times) + (i)))

/* A plan (not a text) may have negative strides, and 0 for the input, as numbers where there are no parameters, and as
 * values of parameters; arrays begin at element 0, wherever the others are. */
typedef struct fftgen_dim { /* strides are in elements of their array; both 0: dense */
  long long n, is, os;      /* length, input stride, output stride */
} fftgen_dim;

/* FFTGEN_CALL_SCALE: results are multiplied by a number that a call brings (shared.h).
 * FFTGEN_CALL_LENGTHS: a call says how many elements of a transform its arrays have; a text does not say so.
 * FFTGEN_FULL_SPECTRUM, of r2c: all n numbers of the last dimension are stored, as c2c would; a text does not say so.
 * FFTGEN_ORTHOGONAL, of cosine and sine transforms up to 3 dimensions: the matrix is orthogonal, as norm="ortho" of
 * scipy.fft. */
enum {
  FFTGEN_IN_PLACE = 1,
  FFTGEN_SPLIT_IN = 2,
  FFTGEN_SPLIT_OUT = 4,
  FFTGEN_CALL_SCALE = 8,
  FFTGEN_CALL_LENGTHS = 16,
  FFTGEN_FULL_SPECTRUM = 32,
  FFTGEN_ORTHOGONAL = 64
};

typedef struct fftgen_problem { /* zero in a field: the default of the text */
  size_t size;                  /* sizeof(fftgen_problem) */
  fftgen_kind kind;
  fftgen_precision precision;   /* of the numbers in memory */
  int rank, batch_rank, nparam; /* 1 .. 7, 0 .. 7, 0 .. 16 */
  const fftgen_dim *dim;        /* slowest first, as in FFTW */
  const fftgen_dim *batch;
  const fftgen_param *param; /* a call takes their values in the order of the text */
  int sign;                  /* of the exponent: -1, +1; 0: the kind's usual one */
  unsigned flags;            /* FFTGEN_IN_PLACE ... */
  const char *more;          /* further words of the text: "scale=1/n"; NULL: none */
} fftgen_problem;

#ifdef __cplusplus
}
#endif
#endif
