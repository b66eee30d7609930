/* The two kernels of a four-step transform (four_step.c), for steps that have other dimensions in the first one. */
#ifndef FG_ASSEMBLE_STEPS_FOUR_STEP_H
#define FG_ASSEMBLE_STEPS_FOUR_STEP_H
#include "generator/assemble/task.h"

typedef struct fg_four_step {
  int64_t n1, n2;
  int64_t planes;      /* transforms that are in a tile together, on CPUs; 0: one */
  int64_t tile, rows;  /* columns of a tile of the first kernel, elements of one of the second */
  bool uneven;         /* the last tile has fewer */
  int64_t pitch;       /* from a column to the next in the workspace */
  int64_t run;         /* 0, or elements of a column that are contiguous */
  bool returns;        /* a convolution's: its columns go back from there to the output */
  fg_view work;        /* column j, element k at j pitch + k; in runs at (k / run n2 + j) run + k % run */
  const fg_view *near; /* NULL, or a block's own place for the rows' results, by the axes of tiles, too */
} fg_four_step;

/* By the plan, which is four-step(A, B), and the lanes in scope. */
void fg_build_parts_tiles(const fg_builder *b, const fg_plan *plan, fg_four_step *f);
/* For columns by A, of all axes in scope. */
void fg_build_parts_workspace(fg_builder *b, const fg_plan *columns, const fg_task *t, fg_four_step *f);
/* From the workspace to the task's output, in a kernel of its own. */
fg_status fg_build_parts_rows(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_four_step *f);
#endif
