/* Roots of unity to the last bit. */
#ifndef FG_FFTW_LINE_ROOTS_H
#define FG_FFTW_LINE_ROOTS_H
#include "fftw/base/real.h"

typedef struct fg_roots fg_roots; /* all of one order, as products of two short tables */

fg_roots *fg_roots_create(int64_t order); /* NULL: there is no memory */
void fg_roots_destroy(fg_roots *r);
/* exp(-2 pi i e / order), 0 <= e < order; backward: its conjugate. */
fg_complex fg_roots_value(const fg_roots *r, int64_t e, fg_direction direction);
/* The same of e = first, first + step, first + 2 step and so on. */
void fg_roots_run(const fg_roots *r, int64_t first, int64_t step, int64_t count, fg_direction direction,
                  fg_complex *out);
#endif
