/* The steps of plans, a function each, which adds the stages of a plan's node. Rows of assemble.c. */
#ifndef FG_ASSEMBLE_STEPS_STEPS_H
#define FG_ASSEMBLE_STEPS_STEPS_H
#include "generator/assemble/task.h"

/* Whether a target's clusters have so many blocks, each of which gets as much of both. */
fg_status fg_build_check_cluster(const fg_builder *b, int blocks, int64_t n1, int64_t n2);
/* assemble/steps/dense.c: a codelet for the real parts and for the imaginary ones. */
fg_status fg_build_dense(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* assemble/steps/real.c: transforms of reals. */
fg_status fg_build_real(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* assemble/steps/as_complex.c: reals with imaginary parts of zero. */
fg_status fg_build_as_complex(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* assemble/steps/paired.c: two transforms of reals as the parts of a complex one. */
fg_status fg_build_paired(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* assemble/steps/trig.c: cosine and sine transforms. */
fg_status fg_build_trig(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_stockham(fg_builder *b, const fg_plan *plan, const fg_task *task);
/* assemble/steps/convolution.c, assemble/steps/prime_factor.c, assemble/steps/four_step.c, assemble/steps/nd.c: steps
 * of plans. */
fg_status fg_build_bluestein(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_rader(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_prime_factor(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_four_step(fg_builder *b, const fg_plan *plan, const fg_task *task);
fg_status fg_build_nd(fg_builder *b, const fg_plan *plan, const fg_task *task);
#endif
