/* Transforms that are added, taken one after the other by a kernel (summed_turns.c). */
#ifndef FG_ASSEMBLE_STEPS_SUMMED_H
#define FG_ASSEMBLE_STEPS_SUMMED_H
#include "generator/assemble/task.h"

enum { FG_SUMMED_IN_TURN = 64 }; /* transforms that are added one by one, at most: errors grow with them */

/* Whether a CPU, or blocks that hold so many numbers of each line, may do so. */
bool fg_build_may_take_turns(const fg_builder *b, int64_t numbers);
int64_t
fg_build_blocks_of_lines(const fg_builder *b); /* a block for each result, or for lines that are taken together */
/* Turns of a part: on GPUs such that there are blocks enough, with so many for each part; on CPUs as many as there are
 * parts. */
int64_t fg_build_turns_of_part(const fg_builder *b, int64_t blocks);
/* From here on up to `most` transforms are turns. Of more there are parts: blocks' own, or turns, too. In: a view by
 * the axes in scope, which there is one more of then. */
void fg_build_take_turns(fg_builder *b, int64_t most, bool own_parts, fg_view *in);
void fg_build_end_turns(fg_builder *b);
/* Another view, by the axes from then on. */
void fg_build_split_turns(const fg_builder *b, fg_view *v);
/* The kernel's stages from `first` on happen for transforms that there are, where parts have fewer. */
void fg_build_keep_turns(fg_builder *b, int first);
/* The stage happens in one turn of a part, or in those behind the first; or in such parts. */
typedef enum fg_sum_step { FG_SUM_FIRST, FG_SUM_FURTHER, FG_SUM_LAST } fg_sum_step;
void fg_build_only_in(fg_builder *b, fg_stage *stage, fg_sum_step which, bool of_parts);
/* The kernel's stages from `first` on are of sums: behind the last turn of the last part. */
void fg_build_in_last_turn(fg_builder *b, int first);
/* What follows is of sums; and the opposite. */
void fg_build_without_summands(fg_builder *b, fg_num extent[FG_MAX_AXES]);
void fg_build_with_summands(fg_builder *b, const fg_num extent[FG_MAX_AXES]);
#endif
