/* The steps of plans, a function each: rows of plan/steps.def. */
#ifndef FG_ASSEMBLE_STEPS_STEPS_H
#define FG_ASSEMBLE_STEPS_STEPS_H
#include "generator/assemble/task.h"

/* Whether a target's clusters have so many blocks, each of which gets as much of both. */
fg_status fg_build_check_cluster(const fg_builder *b, int blocks, int64_t n1, int64_t n2);
/* Whether two kernels for the parts of a transform may follow; on GPUs lines of another dimension, which an axis
 * counts, may be around both, as the batch is. */
bool fg_build_may_be_parted(const fg_builder *b);
bool fg_build_counts_lines(const fg_builder *b, const fg_axis *axis);
/* Whether on CPUs transforms by a plan, n points of all of them, are kernels of their own, one after the other. */
bool fg_build_has_turns(const fg_builder *b, const fg_plan *plan, int64_t n);
/* Each adds the stages of a plan's node; FG_ENA: the step does not apply, others may. */
#define STEP(ID, NAME, FORM, LEAST, MOST, LEAST_CHILD, NCHILD, SERVES, LENGTH, CHECK, BUILD, TABLES, HELP)             \
  fg_status fg_build_##BUILD(fg_builder *b, const fg_plan *plan, const fg_task *task);
#include "generator/plan/steps.def"
#endif
