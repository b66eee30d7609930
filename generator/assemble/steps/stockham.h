/* Stockham passes, for steps that are made of them. */
#ifndef FG_ASSEMBLE_STEPS_STOCKHAM_H
#define FG_ASSEMBLE_STEPS_STOCKHAM_H
#include "generator/assemble/task.h"

/* One Stockham pass of radix r after `done` points; see assemble/steps/stockham.c. */
fg_status fg_build_pass(fg_builder *b, const fg_task *t, int64_t r, int64_t done);
/* The first one, or of a transform back the last one: on interleaved complex vectors where that exchanges less. */
fg_status fg_build_first_pass(fg_builder *b, const fg_task *t, int64_t r);
/* The same passes the other way round: factors are applied last. */
fg_status fg_build_passes_back(fg_builder *b, const fg_plan *plan, const fg_task *task);
#endif
