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
#include <stdbool.h>
#include <stdint.h>

enum { FG_MAX_RANK = 7, FG_MAX_PARAMS = 16, FG_MAX_POINTWISE = 8, FG_NAME_SIZE = 24 };

typedef enum fg_kind {
  FG_C2C,
  FG_R2C,
  FG_C2R,
  FG_DCT1,
  FG_DCT2,
  FG_DCT3,
  FG_DCT4,
  FG_DST1,
  FG_DST2,
  FG_DST3,
  FG_DST4,
  FG_CONV, /* cyclic convolution with a fixed kernel */
  FG_KIND_COUNT
} fg_kind;

/* Types of numbers. Those before FG_PRECISION_COUNT may stand in a problem's text
 * as its precision; the others are of arrays alone (load=, store=). */
typedef enum fg_precision {
  FG_F16,
  FG_BF16,
  FG_F32,
  FG_F64,
  FG_PRECISION_COUNT,
  FG_U8 = FG_PRECISION_COUNT,
  FG_I16,
  FG_STORAGE_COUNT
} fg_precision;

typedef enum fg_scale { FG_SCALE_NONE, FG_SCALE_1_N, FG_SCALE_1_SQRT_N, FG_SCALE_VALUE } fg_scale;

/* A number known now, or at run time: n * f(parameter). The forms with div serve
 * vector loops over a run-time count: p / div full vectors, p % div left over. */
typedef enum fg_num_form {
  FG_NUM_CONST, /* n */
  FG_NUM_PARAM, /* n * p */
  FG_NUM_QUOT,  /* n * (p / div) */
  FG_NUM_REM,   /* n * (p % div) */
  FG_NUM_FLOOR, /* n * (p - p % div) */
  FG_NUM_CEIL,  /* n * ((p + div - 1) / div) */
} fg_num_form;

typedef struct fg_num {
  int64_t n;
  fg_num_form form;
  int16_t param; /* index into fg_problem.param; unused for FG_NUM_CONST */
  int64_t div;   /* for QUOT, REM, FLOOR, CEIL */
} fg_num;

typedef struct fg_param { /* a run-time parameter */
  char name[FG_NAME_SIZE];
  int64_t lo, hi; /* its range, both ends included */
} fg_param;

typedef struct fg_dim {
  fg_num n;  /* length; a parameter only in batch dimensions */
  fg_num is; /* input stride, in elements of the input (complex numbers or reals) */
  fg_num os; /* output stride, in elements of the output */
} fg_dim;

/* An operation of a load or store expression: a row of operations.def. */
typedef struct fg_pointwise {
  char name[FG_NAME_SIZE];   /* "u8", "window", "mag2", "shift", "zeropad", ... */
  char window[FG_NAME_SIZE]; /* window(hann): "hann"; "": none */
  int nkept;                 /* zeropad(60x80): 2 */
  int64_t kept[FG_MAX_RANK]; /* the array's lengths */
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
  int nload, nstore;
  fg_pointwise load[FG_MAX_POINTWISE], store[FG_MAX_POINTWISE];
  int nparam;
  fg_param param[FG_MAX_PARAMS];
} fg_problem;

/* The array that operation `number` of load= or store= takes from the caller. */
static inline int16_t fg_given_number(bool output, int number) {
  return (int16_t)((output ? FG_MAX_POINTWISE : 0) + number);
}

/* FG_EUSER with a message (what, where, what is allowed) for bad text; sizes,
 * strides and their products are checked against 2^62. *out untouched then. */
fg_status fg_problem_parse(fg_context *cx, const char *text, fg_problem *out);
/* The canonical text, in cx's arena: parsing it gives the same problem. Values
 * equal to their defaults are left out. */
char *fg_problem_print(fg_context *cx, const fg_problem *p);
/* FG_EUSER unless p obeys every limit that parsing checks: for problems that
 * were filled field by field. */
fg_status fg_problem_check(fg_context *cx, const fg_problem *p);
/* FG_EUSER naming the first property of p that this version does not build yet. */
fg_status fg_problem_supported(fg_context *cx, const fg_problem *p);

const fg_dim *fg_problem_axis(const fg_problem *p, int k); /* batch dimensions first, then n's */
int64_t fg_problem_points(const fg_problem *p);            /* product of the dimensions' lengths */
/* Elements of one transform on one side: along a dimension, and all of them. They
 * are reals on a real side; r2c and c2r keep n/2+1 complex numbers of the last
 * dimension. */
int64_t fg_problem_length(const fg_problem *p, int dimension, bool output);
/* The same as the transform sees it: zeropad does not shorten it. */
int64_t fg_problem_span(const fg_problem *p, int dimension, bool output);
int64_t fg_problem_elements(const fg_problem *p, bool output);
bool fg_problem_is_real(const fg_problem *p, bool output);
bool fg_problem_kind_is_real(fg_kind kind, bool output); /* the transform's own side, before store operations */
/* Where element `number` of a transform (last dimension fastest) and transform
 * `number` of the batch lie, in elements. */
int64_t fg_problem_element_at(const fg_problem *p, bool output, int64_t number, const int64_t *params);
int64_t fg_problem_batch_at(const fg_problem *p, bool output, int64_t number, const int64_t *params);
/* Elements that input/output arrays span, with every parameter at its upper
 * end: 1 + sum (n-1) * stride. */
int64_t fg_problem_input_extent(const fg_problem *p);
int64_t fg_problem_output_extent(const fg_problem *p);
int64_t fg_problem_extent_at(const fg_problem *p, bool output, const int64_t *params); /* with these parameters */
/* Number of transforms, given the run-time parameters (NULL: upper ends). */
int64_t fg_problem_batch_count(const fg_problem *p, const int64_t *params);

/* What load= and store= make of the arrays (operations_text.c). */
const fg_pointwise *fg_problem_padding(const fg_problem *p);      /* zeropad; NULL: none */
bool fg_problem_shifts(const fg_problem *p, bool output);         /* shift on that side */
bool fg_problem_stores_real(const fg_problem *p);                 /* mag and the like */
bool fg_problem_takes_arrays(const fg_problem *p);                /* mul, or a window without a name */
bool fg_problem_has_operations(const fg_problem *p);              /* operations, or a scale */
fg_precision fg_problem_stored(const fg_problem *p, bool output); /* type of the array's numbers */

const char *fg_problem_kind_name(fg_kind k);   /* "c2c", "dct2", ... */
const char *fg_precision_name(fg_precision p); /* "f16", "bf16", "f32", "f64"; "u8", "i16" */
int fg_precision_bytes(fg_precision p);

fg_num fg_num_const(int64_t n);
int64_t fg_num_value(fg_num x, const int64_t *params);
bool fg_num_is(fg_num x, int64_t value); /* a constant with this value */
fg_num fg_num_scaled(fg_num x, int64_t factor);
#endif
