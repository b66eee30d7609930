/* Matrices turned and copied by vectors. */
#ifndef FG_FFTW_LINE_TRANSPOSE_H
#define FG_FFTW_LINE_TRANSPOSE_H
#include "fftw/base/real.h"

typedef struct fg_matrix { /* elements of a row are contiguous */
  fg_real *at;
  ptrdiff_t stride; /* numbers from a row to the next */
} fg_matrix;

/* to[j][i] = from[i][j], i < rows, j < columns. An element is one number or, of complex ones, two. They share no
 * memory.
 */
void fg_transpose(fg_matrix to, fg_matrix from, int64_t rows, int64_t columns, bool complex);
/* to[i][j] = from[i][j], j < numbers. */
void fg_copy_rows(fg_matrix to, fg_matrix from, int64_t rows, int64_t numbers);
/* What another call just stored, to where it is loaded from next: loads are of a pair each, which one store wrote, and
 * stores of vectors. A load of what several stores wrote would wait until these are in the cache. */
void fg_copy_again(fg_real *to, const fg_real *from, int64_t numbers);
#endif
