/* Neighbours of the batch as lanes. */
#ifndef FG_ASSEMBLE_NEIGHBOURS_H
#define FG_ASSEMBLE_NEIGHBOURS_H
#include "generator/assemble/task.h"

/* Cuts a dimension of the batch into groups of lanes, if the plan's kernels are to have them: sets b->neighbours. */
void fg_build_neighbours(fg_builder *b, const fg_plan *plan, fg_task *t);
/* How many there are whose numbers follow each other in both views; 1: none. */
int64_t fg_build_adjoining(const fg_builder *b, const fg_view *in, const fg_view *out);
/* What kernels that count them with other lines put out of sight, until they are built. */
typedef struct fg_neighbours {
  fg_num groups;
  int64_t lanes;
  int kernel; /* the first of them */
} fg_neighbours;
fg_neighbours fg_build_join_neighbours(fg_builder *b);
void fg_build_part_neighbours(fg_builder *b, const fg_neighbours *before);
/* Of so many lines side by side in a block, those that a step takes itself. */
int64_t fg_build_own_lines(const fg_builder *b, int64_t lines);
/* Whether an axis counts transforms: one of the batch, or the lanes of a group. */
bool fg_build_counts_batch(const fg_builder *b, const fg_axis *axis);
/* After all stages: the last group may have fewer. */
void fg_build_keep_neighbours(fg_builder *b);
#endif
