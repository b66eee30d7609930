/* The truth: FFTW in quadruple precision (113 bits), for verification. */
#ifndef FG_REFERENCE_H
#define FG_REFERENCE_H
#include <stdint.h>

typedef struct fg_reference fg_reference; /* c2c of `rank` dimensions, dense, interleaved */

/* NULL: out of memory, or a length over 2^31 - 1. */
fg_reference *fg_reference_create(int rank, const int64_t *n, int sign);
/* in, out: re, im pairs. Rounded once at the end, to long double. */
void fg_reference_run(fg_reference *r, const double *in, long double *out);
void fg_reference_destroy(fg_reference *r); /* NULL allowed */
#endif
