/* Rows of complex numbers as columns: by a codelet of columns, between transpositions. */
#ifndef FG_FFTW_LINE_TURNED_H
#define FG_FFTW_LINE_TURNED_H
#include "fftw/codelet/codelet.h"

/* Of n points. NULL: other ways are as fast. */
fg_codelet_rows fg_turned_rows(int64_t n, fg_direction direction);
fg_codelet_rows_in fg_turned_rows_in(int64_t n, fg_direction direction);
/* So many rows are worth it. */
enum { FG_TURNED_LEAST = 5 };
#endif
