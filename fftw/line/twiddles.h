/* Tables of roots of unity that are shared. */
#ifndef FG_FFTW_LINE_TWIDDLES_H
#define FG_FFTW_LINE_TWIDDLES_H
#include "fftw/base/real.h"

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
