/* What tests of plans for devices check against: plain sums, in double. */
#ifndef FG_DEVICE_SUMS_H
#define FG_DEVICE_SUMS_H
#include "generator/problem/problem.h"

typedef struct fg_sums_side { /* an array of the host as a caller has it */
  void *re, *im;              /* im NULL: interleaved */
  size_t bytes;               /* of each */
} fg_sums_side;

typedef struct fg_sums { /* c2c problems of one dimension */
  fg_problem problem;
  int64_t params[FG_MAX_PARAMS];
  fg_sums_side in, out; /* in place: the same memory */
  double *given;        /* the input, as it was filled: pairs */
} fg_sums;

/* Arrays with noise in the input and a pattern in the output; every parameter has
 * `value`, within its range. */
void fg_sums_create(const char *text, int64_t value, fg_sums *s);
void fg_sums_destroy(fg_sums *s);
/* Relative error (L2) of what is in the output now; 1e30 where something outside
 * of the transforms was written. */
double fg_sums_error(const fg_sums *s);
double fg_sums_bound(const fg_sums *s);

/* r2c of FG_GIVEN reals, weighted before and multiplied after: by a plan that takes
 * both arrays, or by hand around a plain one. */
enum { FG_GIVEN = 64 };
extern const char fg_given_plain[], fg_given_problem[]; /* their texts */
typedef struct fg_given_arrays {
  float in[FG_GIVEN], weight[FG_GIVEN], weighted[FG_GIVEN];
  float factor[FG_GIVEN + 2], out[FG_GIVEN + 2], plain[FG_GIVEN + 2];
} fg_given_arrays;
void fg_given_fill(fg_given_arrays *a);
double fg_given_error(const fg_given_arrays *a); /* of out, from the results of `weighted` in plain */
#endif
