/* Maps the loops of a stage to threads (deal.c). */
#ifndef FG_MAP_DEAL_H
#define FG_MAP_DEAL_H
#include "generator/assemble/builder.h"

/* The stage is idle where value >= bound. */
void fg_map_guard(fg_stage *s, const fg_affine *value, fg_num bound);
/* Deals the loops of s to at most `limit` threads; `rest` is the role of what does
 * not fit. Returns the threads used. */
int64_t fg_map_deal(fg_kernel *k, fg_stage *s, int64_t limit, fg_role rest);
/* So many threads take the innermost loop, in iterations that are the outermost one; false: in one. */
bool fg_map_iterate(fg_kernel *k, fg_stage *s, int64_t threads);

/* What fg_map_deal would use, and the iterations of the rest. */
typedef struct fg_deal {
  int64_t used, iterations;
} fg_deal;

fg_deal fg_map_try_deal(const fg_kernel *k, const fg_stage *s, int64_t limit);
/* Of one loop, when at most `left` threads share it. */
int64_t fg_map_iterations(int64_t extent, int64_t left);
#endif
