/* Roots of unity to the last bit, and tables of them that are shared. */
#ifndef FG_FFTW_LINE_TWIDDLES_H
#define FG_FFTW_LINE_TWIDDLES_H
#include "fftw/base/real.h"

typedef struct fg_roots fg_roots; /* all of one order, as products of two short tables */

fg_roots *fg_roots_create(int64_t order); /* NULL: there is no memory */
void fg_roots_destroy(fg_roots *r);
/* exp(-2 pi i e / order), 0 <= e < order; backward: its conjugate. */
fg_complex fg_roots_value(const fg_roots *r, int64_t e, fg_direction direction);

/* Number j * columns + b is exp(-+ 2 pi i j b / (rows columns)), `times` times; packed in panels of columns. */
struct fg_twiddles {
  int64_t rows, columns, panel, times;
  fg_direction direction;
  int users;
  struct fg_twiddles *next;
  fg_real *number;
};
typedef struct fg_twiddles fg_twiddles;

/* NULL: there is no memory. */
const fg_twiddles *fg_twiddles_get(int64_t rows, int64_t columns, int64_t panel, fg_direction direction);
/* The same for `times` columns side by side in place of one. */
const fg_twiddles *fg_twiddles_get_for(int64_t times, int64_t rows, int64_t columns, fg_direction direction);
void fg_twiddles_release(const fg_twiddles *t); /* NULL does nothing */
#endif
