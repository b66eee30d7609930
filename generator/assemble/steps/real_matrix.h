/* Reals as a matrix with rows in pairs, for steps that go through it: r2c and c2r (real_matrix.c), and convolutions on
 * CPUs (real_convolution.c). */
#ifndef FG_ASSEMBLE_STEPS_REAL_MATRIX_H
#define FG_ASSEMBLE_STEPS_REAL_MATRIX_H
#include "generator/assemble/steps/real.h"

typedef struct fg_real_matrix {
  fg_builder *b;
  const fg_task *t;
  bool backward;       /* c2r */
  int64_t r, half;     /* radix of reals; complex transforms side by side */
  int64_t n1, n2, m;   /* length of columns, of rows; of the complex transforms */
  int64_t fold;        /* pairs of rows */
  int64_t pairs, cols; /* of a tile: pairs, and columns of all transforms together */
  fg_axis_kind tiles;
  bool apart;      /* row 0 has a kernel of its own, and pairs are k = 1 .. fold */
  bool whole;      /* tiles of pairs begin where results do that begin sectors; see begin_earlier */
  fg_view numbers; /* the reals, two by two */
  fg_view between; /* pair k, row h of it, column j, transform i at k row + h far + j column + i number */
  int64_t row, far, column, number;
  fg_view scratch; /* rows before or after the pairs: likewise, k in the tile, with element q for column j */
  int64_t at_row, at_far, at_element, at_number;
} fg_real_matrix;

/* Which rows a stage has: both of the pairs; the lower or the upper ones; or row 0 alone. */
typedef enum fg_matrix_rows { FG_MATRIX_BOTH, FG_MATRIX_LOWER, FG_MATRIX_UPPER, FG_MATRIX_ROW_0 } fg_matrix_rows;

/* CPUs: tiles and memory of an r2c by real(R, four-step(A, B)). FG_ENA: it does not apply. */
fg_status fg_build_open_matrix(fg_builder *b, const fg_plan *plan, const fg_task *t, fg_real_matrix *x);
/* From the reals to the matrix, or back. */
fg_status fg_build_matrix_columns(const fg_real_matrix *x, const fg_plan *plan);
/* Scratch for both rows of a tile's pairs, or for row 0. */
void fg_build_matrix_scratch(fg_real_matrix *x, fg_matrix_rows rows);
/* From the matrix to scratch, or back. */
fg_status fg_build_matrix_rows(const fg_real_matrix *x, const fg_plan *plan, fg_matrix_rows rows);
/* CPUs: of the pairs' pass, products of one factor of the element and one of the row. */
fg_factors fg_build_matrix_factors(const fg_real_matrix *x);
#endif
