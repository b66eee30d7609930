/* What tests of plans for devices check against: plain sums, in double. */
#ifndef FG_DEVICE_SUMS_H
#define FG_DEVICE_SUMS_H
#include "generator/problem/problem.h"
#include "runtime/include/fftgen/fftgen.h"

typedef struct fg_sums_side { /* an array of the host as a caller has it */
  void *re, *im;              /* im NULL: interleaved */
  size_t bytes;               /* of each */
} fg_sums_side;

typedef struct fg_sums { /* c2c problems of one dimension */
  fg_problem problem;
  int64_t params[FG_MAX_PARAMS];
  long long given_params[FG_MAX_PARAMS]; /* the same, as calls take them */
  fg_sums_side in, out;                  /* in place: the same memory */
  double *given;                         /* the input, as it was filled: pairs */
} fg_sums;

/* Arrays with noise in the input and a pattern in the output; every parameter has
 * `value`, within its range. */
void fg_sums_create(const char *text, int64_t value, fg_sums *s);
void fg_sums_destroy(fg_sums *s);
/* The test fails where the output is wrong, or something outside of the transforms was written. */
void fg_sums_check(const fg_sums *s, const char *what);
fftgen_arrays fg_sums_arrays(const fg_sums *s); /* of the host; they are s's */
/* Problems of every form that plans for devices take. */
enum { FG_SUMS_PROBLEMS = 9 };
extern const char *const fg_sums_problems[FG_SUMS_PROBLEMS];

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
