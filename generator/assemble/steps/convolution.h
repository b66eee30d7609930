/* One convolution, which Bluestein's and Rader's steps and the user's `conv` make: a transform forward, the product
 * with a spectrum, and a transform back. Its forms are rows of convolution.c. */
#ifndef FG_ASSEMBLE_STEPS_CONVOLUTION_H
#define FG_ASSEMBLE_STEPS_CONVOLUTION_H
#include "generator/assemble/task.h"

/* By the first form that applies. In: the plan of bluestein, rader or convolve, its task. spectrum: the caller's, of
 * convolve; else NULL. */
fg_status fg_build_convolution(fg_builder *b, const fg_plan *plan, const fg_task *task, const fg_view *spectrum);

/* A form: whether it is for a plan and a task; its stages, with what is around them. */
typedef bool fg_convolution_applies(fg_builder *b, const fg_plan *plan, const fg_task *task);
typedef fg_status fg_convolution_build(fg_builder *b, const fg_plan *plan, const fg_task *task,
                                       const fg_view *spectrum);

/* Separate: two transforms, whatever they are, with memory between. */
typedef struct fg_separate {
  int64_t length;
  int sign;                  /* of the transform forward */
  fg_view in, spectrum, out; /* in and out may be the same */
  const fg_view *with;       /* table, or the caller's spectrum */
  int first;                 /* buffers of the transform forward begin here */
} fg_separate;

fg_status fg_build_forward(fg_builder *b, const fg_plan *inside, fg_separate *c);
fg_status fg_build_backward(fg_builder *b, const fg_plan *inside, const fg_separate *c);
fg_convolution_build fg_build_separate_bluestein, fg_build_separate_rader;
/* bluestein.c: a convolution by two of them, whose chirps cancel between. */
fg_convolution_applies fg_build_can_join_chirps;
fg_convolution_build fg_build_joined_chirps;

/* fused_convolution.c: fused in a block; the same along the dimensions of an array, whose lengths are coprime; and on
 * CPUs, from memory to memory. */
fg_convolution_applies fg_build_can_fuse, fg_build_can_fuse_rows;
fg_convolution_build fg_build_fused_bluestein, fg_build_fused_rader, fg_build_fused_convolution, fg_build_fused_rows;
bool fg_build_has_fused_rows(const fg_plan *plan); /* on CPUs; whether here, fg_build_can_fuse_rows says */
/* Elements of whole rows, of which n are wanted. */
int64_t fg_build_rows_for(const fg_plan *plan, int64_t n);

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
/* Rows of one codelet of r points, in place: element e of row k is at k + e pitch, k < n/r. */
fg_status fg_build_convolved_columns(fg_builder *b, int64_t n, int64_t r, int sign, const fg_view *at, int64_t pitch,
                                     const fg_view *spectrum);
/* split_convolution.c: of lengths that no block holds, by columns and rows. */
fg_convolution_applies fg_build_can_split;
fg_convolution_build fg_build_split_convolution, fg_build_split_with;
/* summed_convolution.c: the sum of several, by any plan of a transform. */
fg_status fg_build_summed_convolution(fg_builder *b, const fg_plan *inside, const fg_task *t, const fg_view *spectrum);
/* four_step.c: the same on CPUs, in tiles. */
fg_convolution_applies fg_build_can_tile;
fg_convolution_build fg_build_tiled_convolution;
#endif
