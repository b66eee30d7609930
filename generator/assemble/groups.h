/* Several transforms of a batch at a time, on CPUs. */
#ifndef FG_ASSEMBLE_GROUPS_H
#define FG_ASSEMBLE_GROUPS_H
#include "generator/assemble/task.h"

/* Whether the plan takes groups of the batch, and whether their transforms are lanes of vectors. */
bool fg_build_has_groups(const fg_builder *b, const fg_plan *plan);
bool fg_build_is_side_by_side(const fg_plan *plan);
/* The stages of the whole problem by such a plan. */
fg_status fg_build_groups(fg_builder *b, const fg_plan *plan, const fg_task *task);
#endif
