/* Transforms by their definition over the field (FFTW's manual, "What FFTW really computes"). */
#ifndef FG_FFTW_FIELD_DEFINITION_H
#define FG_FFTW_FIELD_DEFINITION_H
#include "fftw/line/line.h"
#include "field.h"

/* One line of n points, n^2 products; imaginary parts of reals are neither read nor set to anything but 0. */
void definition_apply(fg_line_type type, int64_t n, const fg_complex *x, fg_complex *y);
/* The sum of c^k y[k] over the results of a complex line of n points, from its inputs alone, n divisions. */
fg_complex definition_sum(fg_line_type type, int64_t n, const fg_complex *x, fg_complex c);

static inline fg_complex definition_times(fg_complex a, fg_complex b) {
  return fg_complex{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
#endif
