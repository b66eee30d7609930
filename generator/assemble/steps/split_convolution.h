/* Convolutions of lengths that no block holds, by columns and rows. */
#ifndef FG_ASSEMBLE_STEPS_SPLIT_CONVOLUTION_H
#define FG_ASSEMBLE_STEPS_SPLIT_CONVOLUTION_H
#include "generator/assemble/task.h"

bool fg_build_can_split(const fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_split_convolution(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* From view to view, without anything around it. */
fg_status fg_build_split_with(fg_builder *b, const fg_plan *plan, const fg_task *ends, const fg_view *spectrum);
#endif
