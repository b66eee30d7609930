/* References for verification: FFTW in quadruple precision (113 bits), from 2^16 elements on in long doubles (64
 * bits). */
#ifndef FG_REFERENCE_H
#define FG_REFERENCE_H
#include "generator/problem/problem.h"

typedef struct fg_reference fg_reference; /* one transform, dense */

/* NULL: out of memory, or a length over 2^31 - 1. */
fg_reference *fg_reference_create(int rank, const int64_t *n, int sign); /* c2c of `rank` dimensions */
fg_reference *fg_reference_create_real(fg_kind kind, int rank, const int64_t *n,
                                       int sign); /* any other kind; conv is two of c2c */
/* Any kind, for results computed in that precision: by long doubles beside doubles, by doubles beside what is
 * narrower, whatever the length. A fraction of the time. */
fg_reference *fg_reference_create_for(fg_precision computed, fg_kind kind, int rank, const int64_t *n, int sign);
/* in, out: re, im pairs of all elements; im of a real side is not read, and 0. Rounded once at the end, to long double.
 */
void fg_reference_run(fg_reference *r, const double *in, long double *out);
/* The same of inputs that doubles do not hold. */
void fg_reference_run_wide(fg_reference *r, const long double *in, long double *out);
/* Results of a problem's inputs, kept: verifying several programs with the
 * same inputs computes the truth once. Up to 64 MiB, then no more are kept. */
typedef struct fg_truths fg_truths;
fg_truths *fg_truths_create(void); /* NULL: out of memory */
/* As fg_reference_run; truths NULL: nothing is kept. All of one length and sign. */
void fg_truths_run(fg_truths *truths, fg_reference *r, const double *in, long double *out);
void fg_truths_destroy(fg_truths *truths); /* NULL allowed */

void fg_reference_destroy(fg_reference *r); /* NULL allowed */
#endif
