/* Real columns in pairs: two neighbours are one complex column. */
#ifndef FG_FFTW_LINE_PAIRS_H
#define FG_FFTW_LINE_PAIRS_H
#include "fftw/line/across.h"

/* Columns of n points, `count` of them, side by side; rows of reals and rows of complex numbers are so many numbers
 * apart. */
typedef struct fg_pairs {
  int64_t n, count;
  ptrdiff_t real_stride, complex_stride;
  bool whole; /* r2c of all n elements, the last ones conjugates */
} fg_pairs;

bool fg_pairs_has(int64_t n, int64_t count); /* whether so many columns of n points are done so */
bool fg_pairs_are_few(int64_t count);        /* then all of them are taken together */
/* The line of complex columns; NULL and true: it is one codelet, fg_codelets_find(n). False: there is no memory. */
bool fg_pairs_find(int64_t n, int64_t count, bool back, fg_line **line);
/* Numbers of memory for `count` columns. */
size_t fg_pairs_work(int64_t n, int64_t count, const fg_line *line);
void fg_pairs_r2c(const fg_pairs *p, const fg_line *line, const fg_real *in, fg_complex *out, fg_real *work);
void fg_pairs_c2r(const fg_pairs *p, const fg_line *line, const fg_complex *in, fg_real *out, fg_real *work);
#endif
