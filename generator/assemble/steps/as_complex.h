/* A complex transform inside of one of reals: as_complex.c and paired.c. */
#ifndef FG_ASSEMBLE_STEPS_AS_COMPLEX_H
#define FG_ASSEMBLE_STEPS_AS_COMPLEX_H
#include "generator/assemble/task.h"

/* Whether a plan inside, of n numbers, has several kernels. */
bool fg_build_has_kernels(const fg_builder *b, const fg_plan *inner, int64_t n);
/* Room before or behind a complex transform inside; and the transform from t->in to room that it makes, in kernels of
 * its own where it has such. */
fg_view fg_build_room_beside(fg_builder *b, const fg_plan *inner, int64_t n);
fg_status fg_build_between(fg_builder *b, const fg_plan *inner, fg_task *t);
#endif
