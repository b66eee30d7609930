/* The type of numbers: the library is built once for double and once for float. */
#ifndef FG_FFTW_BASE_REAL_H
#define FG_FFTW_BASE_REAL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef FG_FFTW_REAL
#define FG_FFTW_REAL double /* a header read alone */
#define FG_FFTW_SINGLE 0
#endif

typedef FG_FFTW_REAL fg_real;

typedef struct fg_complex {
  fg_real re, im;
} fg_complex;

typedef enum fg_direction { FG_FORWARD, FG_BACKWARD } fg_direction; /* exp(-i ...), exp(+i ...) */

typedef struct fg_flops { /* of one call */
  double add, mul, fma;
} fg_flops;

static inline void fg_flops_add(fg_flops *to, const fg_flops *x, double times) {
  to->add += times * x->add, to->mul += times * x->mul, to->fma += times * x->fma;
}
#endif
