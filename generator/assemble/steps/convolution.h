/* Fused convolutions (fused_convolution.c), those along the dimensions of an array (coprime_rader.c), and those too
 * long for a block (split_convolution.c). */
#ifndef FG_ASSEMBLE_STEPS_CONVOLUTION_H
#define FG_ASSEMBLE_STEPS_CONVOLUTION_H
#include "generator/assemble/task.h"

/* assemble/steps/fused_convolution.c: fused convolutions. */
bool fg_build_can_fuse(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* The same of CPUs, from memory to memory; elements of whole rows, behind n of them zeros; their convolution, of which
 * as many are wanted, in their place. */
bool fg_build_has_fused_rows(const fg_plan *plan); /* on CPUs; whether here, fg_build_can_fuse_rows says */
bool fg_build_can_fuse_rows(const fg_builder *b, const fg_plan *plan);
int64_t fg_build_rows_for(const fg_plan *plan, int64_t n);
fg_status fg_build_fused_rows(fg_builder *b, const fg_plan *plan, const fg_task *ends, int64_t elements,
                              const fg_view *spectrum);
/* One in a block, from view to view, without anything around it, forward with the sign of `ends`. */
fg_status fg_build_fused_convolution(fg_builder *b, const fg_plan *plan, const fg_task *ends, const fg_view *spectrum);
fg_status fg_build_fused_rader(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_fused_bluestein(fg_builder *b, const fg_plan *plan, const fg_task *task);

/* Rows in other memory: each turned, convolved and turned back. */
typedef struct fg_convolved_rows {
  const fg_plan *passes;
  int sign;                              /* of the transform forward */
  fg_view row, back;                     /* source and destination of numbers */
  fg_view spectrum;                      /* the table that they are with */
  const fg_twiddle_exponents *exponents; /* of their elements */
  const fg_view *point_in;               /* NULL, or Rader's first point */
  const fg_view *point_out;              /* destination of element 0 of the results */
  int axis;                              /* these two count them: tiles, and the rows of one */
  int64_t together;
} fg_convolved_rows;

fg_status fg_build_convolved(fg_builder *b, const fg_convolved_rows *rows);
/* assemble/steps/coprime_rader.c: Rader's, along the dimensions of an array. */
bool fg_build_is_coprime(const fg_plan *plan);
fg_status fg_build_coprime_rader(fg_builder *b, const fg_plan *plan, const fg_task *task);
#endif
