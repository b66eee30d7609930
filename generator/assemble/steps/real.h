/* Transforms of reals, in the forms among which steps/real.c chooses. */
#ifndef FG_ASSEMBLE_STEPS_REAL_H
#define FG_ASSEMBLE_STEPS_REAL_H
#include "generator/assemble/twiddle.h"

/* Of pairs of columns k and m - k in real radix r, k = first .. first + count - 1. */
typedef struct fg_column_pairs {
  bool backward; /* c2r */
  int sign;
  int64_t r, m, first, count;
} fg_column_pairs;

/* Real radix r over m columns; c2r is r2c in the opposite order. */
typedef struct fg_real_radix {
  fg_builder *b;
  int sign;
  bool backward;
  int64_t r, m;
} fg_real_radix;

/* The codelet of kind `forward`, or of the one that reads it backwards; pairs and columns have twiddle factors. */
fg_status fg_build_real_radix(const fg_real_radix *x, fg_codelet_kind forward, const fg_codelet **out);
/* The form's stage from view to view, or back. */
fg_stage *fg_build_real_radix_stage(const fg_real_radix *x, fg_stage_form *form, const fg_view *from,
                                    const fg_view *to);
fg_factors fg_build_pair_factors(fg_builder *b, const fg_column_pairs *p, bool between);
/* Whether the task is the problem's transform, or one of the two of its convolution, in kernels of its own. */
bool fg_build_is_whole_real(const fg_builder *b, const fg_task *task);
/* r2c, a product with half a spectrum, and c2r by real(R, PLAN): without the half spectrum in between, on CPUs. */
bool fg_build_can_convolve_real(const fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_convolved_real(fg_builder *b, const fg_plan *plan, const fg_task *task, const fg_view *spectrum);
/* Its stages between the transforms: columns of a real radix forward, the product, and back. */
typedef struct fg_real_product {
  fg_builder *b;
  int sign;
  int64_t r, m;            /* radix; columns of all transforms together */
  int64_t element, number; /* in both views, from one column to the next, and from number to number of one */
  const fg_view *from, *to, *spectrum;
  const fg_factors *factors; /* of results 1, 2, .. of the pairs */
} fg_real_product;

/* Column first + q of a row with column columns-1-q of its partner, q < count, which is `far` behind it; their results
 * are `result` + step q and its mirror image. */
typedef struct fg_product_pairs {
  const char *what, *loop;
  int64_t columns, far, first, count, result, step;
  int axis;           /* 0: none, else 1 + the first of two that count pairs of rows, */
  int64_t pairs, row; /* so many of a tile at a time, so far apart */
  bool alone;
} fg_product_pairs;

fg_status fg_build_product_pairs(const fg_real_product *x, const fg_product_pairs *p);
/* Column 0, or the one in the middle: real numbers, two by two. */
fg_status fg_build_product_edge(const fg_real_product *x, int64_t column, int64_t result);
/* The same by real(R, four-step(A, B)) (real_convolution.c); FG_ENA: it does not apply. */
fg_status fg_build_convolved_matrix(fg_builder *b, const fg_plan *plan, const fg_task *task, const fg_view *spectrum);
fg_status fg_build_real_stockham(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* assemble/steps/real_four_step.c, assemble/steps/real_matrix.c: the same as a matrix. */
fg_status fg_build_real_four_step(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_real_matrix(fg_builder *b, const fg_plan *plan, const fg_task *task);
#endif
