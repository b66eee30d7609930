/* fg_problem: WHAT is to be computed; nothing here says how.
 *
 * The form is FFTW's guru interface: per dimension a length and two strides,
 * the batch dimensions likewise. Everything else is a special case. One line of
 * text, parsed and printed exactly:
 *
 *   c2c f32 n=1024
 *   c2c f64 n=1000 batch=16 sign=+1
 *   c2c f32 n=64:3:1 batch=count[1..65536]:192:64
 *   r2c f32 n=256x256 place=in
 *
 * Strides, batch counts may be run-time parameters with a range, so that one
 * kernel serves many calls. */
#ifndef FG_PROBLEM_H
#define FG_PROBLEM_H
#include "generator/base/context.h"
#include "generator/problem/number.h"
#include "generator/problem/types.h"
#include <stdbool.h>
#include <stdint.h>

enum { FG_MAX_RANK = 7, FG_MAX_PARAMS = 16, FG_MAX_POINTWISE = 8, FG_NAME_SIZE = 24, FG_EXPRESSION_SIZE = 192 };
typedef enum fg_scale { FG_SCALE_NONE, FG_SCALE_1_N, FG_SCALE_1_SQRT_N, FG_SCALE_VALUE } fg_scale;

typedef struct fg_param { /* a run-time parameter */
  char name[FG_NAME_SIZE];
  int64_t lo, hi; /* its range, both ends included */
} fg_param;

typedef struct fg_dim {
  fg_num n;  /* length; a parameter only in batch dimensions */
  fg_num is; /* input stride, in elements of the input (complex numbers or reals) */
  fg_num os; /* output stride, in elements of the output */
} fg_dim;

typedef struct fg_part { /* elements of each dimension of an array: "60x80", "2:60x0:80" */
  int rank;              /* 0: all */
  int64_t first[FG_MAX_RANK], length[FG_MAX_RANK];
} fg_part;

/* Which transforms of a batch have numbers of their own: none, all with another last index, all. */
typedef enum fg_spectra { FG_SPECTRA_SHARED, FG_SPECTRA_CHANNEL, FG_SPECTRA_EACH } fg_spectra;

/* Triangles of frequencies, evenly spaced on a scale of hearing: mel(80,16000). */
typedef struct fg_bank {
  int64_t bands;          /* 0: none */
  double rate, low, high; /* samples a second; Hz */
  bool htk, peak;         /* HTK's scale; triangles of height 1 in place of equal areas */
} fg_bank;

/* An operation of a load or store expression: a row of operations.def. */
typedef struct fg_pointwise {
  char name[FG_NAME_SIZE];       /* "u8", "window", "mag2", "shift", "zeropad", ... */
  char window[FG_NAME_SIZE];     /* window(hann): "hann"; "": none */
  double parameter;              /* window(kaiser(8.6)): 8.6 */
  fg_spectra whose;              /* mul(channel): which transforms have operands of their own */
  fg_part kept;                  /* zeropad(60x80), crop(2:60): what the array has of the elements */
  char text[FG_EXPRESSION_SIZE]; /* of an expression, without blanks */
  bool makes_real;               /* an expression's result is real */
  fg_bank bank;                  /* mel(...) */
} fg_pointwise;

typedef struct fg_problem {
  fg_kind kind;
  fg_precision storage, compute;
  int rank, batch_rank;
  fg_dim dim[FG_MAX_RANK]; /* slowest first, as FFTW */
  fg_dim batch[FG_MAX_RANK];
  int sign;                 /* -1 forward, +1 backward: exponent's sign */
  bool split_in, split_out; /* real and imaginary parts in two arrays */
  bool in_place;
  fg_scale scale;
  double scale_value; /* FG_SCALE_VALUE */
  fg_spectra spectra; /* conv */
  bool conjugated;    /* conv: times the conjugates of the spectrum */
  int summed; /* conv: results are added over so many dimensions of the batch, the first ones; their output strides are
                 0 */
  fg_part filter; /* conv: the spectrum is that of a filter of so many samples; rank 0: it is the caller's */
  int nload, nstore;
  fg_pointwise load[FG_MAX_POINTWISE], store[FG_MAX_POINTWISE];
  int nparam;
  fg_param param[FG_MAX_PARAMS];
} fg_problem;

/* The array that operation `number` of load= or store= takes from the caller. */
static inline int16_t fg_given_number(bool output, int number) {
  return (int16_t)((output ? FG_MAX_POINTWISE : 0) + number);
}
enum { FG_GIVEN_SPECTRUM = 2 * FG_MAX_POINTWISE }; /* the spectrum of a convolution; arrays of expressions: given.h */

/* FG_EUSER with a message (what, where, what is allowed) for bad text; sizes,
 * strides and their products are checked against 2^62. *out untouched then. */
fg_status fg_problem_parse(fg_context *cx, const char *text, fg_problem *out);
/* The canonical text, in cx's arena: parsing it gives the same problem. Values
 * equal to their defaults are left out. */
char *fg_problem_print(fg_context *cx, const fg_problem *p);
/* The text of the transform that makes the spectra of a convolution from its filters' samples. */
char *fg_problem_prepare(fg_context *cx, const fg_problem *p);
/* FG_EUSER unless p obeys every limit that parsing checks: for problems that
 * were filled field by field. */
fg_status fg_problem_check(fg_context *cx, const fg_problem *p);
/* FG_EUSER naming the first property of p that this version does not build yet. */
fg_status fg_problem_supported(fg_context *cx, const fg_problem *p);
/* What a check of problems refuses. */
fg_status fg_problem_bad(fg_context *cx, const char *allowed, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
#endif
