/* Neighbours of the batch as lanes. */
#ifndef FG_ASSEMBLE_NEIGHBOURS_H
#define FG_ASSEMBLE_NEIGHBOURS_H
#include "generator/assemble/task.h"

/* Cuts a dimension of the batch into groups of lanes, if the plan's kernels are to have them: sets b->neighbours. */
void fg_build_neighbours(fg_builder *b, const fg_plan *plan, fg_task *t);
/* Of so many lines side by side in a block, those that a step takes itself. */
int64_t fg_build_own_lines(const fg_builder *b, int64_t lines);
/* Whether an axis counts transforms: one of the batch, or the lanes of a group. */
bool fg_build_counts_batch(const fg_builder *b, const fg_axis *axis);
/* After all stages: the last group may have fewer. */
void fg_build_keep_neighbours(fg_builder *b);
#endif
