/* Fixed-point numbers of 124 fractional bits: cosines, sines and spectra that are
 * rounded to float or double once, from a value of more than 100 bits. They are
 * faster than software floats, and everything here is at most 1. */
#ifndef FG_FIXED_H
#define FG_FIXED_H
#include "generator/base/arena.h"
#include <stdint.h>

__extension__ typedef __int128 fg_fixed; /* the value times 2^124; below 4 */

#define FG_FIXED_ONE ((fg_fixed)1 << 124)

typedef struct fg_fixedc {
  fg_fixed re, im;
} fg_fixedc;

typedef struct fg_fixed_roots fg_fixed_roots;

/* For roots of unity of order n < 2^60, of which about `count` will be asked for. */
fg_fixed_roots *fg_fixed_roots_create(fg_arena *a, uint64_t n, uint64_t count);
/* exp(2 pi i k / n), 0 <= k < n; each part within 2^-122. */
fg_fixedc fg_fixed_root(fg_fixed_roots *r, uint64_t k);

/* y[k] = 1/n sum_j x[j] exp(sign 2 pi i jk/n), for |x[j]| <= 1; each part within
 * 2^-120. Time is n times the sum of n's prime factors. x and y do not overlap. */
void fg_fixed_dft(fg_arena *a, int64_t n, int sign, const fg_fixedc *x, fg_fixedc *y);

float fg_fixed_float(fg_fixed x);   /* rounded to nearest */
double fg_fixed_double(fg_fixed x); /* rounded to nearest */
#endif
