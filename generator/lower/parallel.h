/* What several threads may share. */
#ifndef FG_LOWER_PARALLEL_H
#define FG_LOWER_PARALLEL_H
#include "generator/text/emitter.h"

/* Whether kernels, or stages of one, may be shared out among threads. A text without functions for that, too, holds
 * what one with them does: the text that is proved has them. */
bool fg_parallel_is_possible(const fg_emitter *e);

bool fg_parallel_is_kernel(const fg_emitter *e, const fg_kernel *k); /* is cut at an outer loop */
bool fg_parallel_is_stage(const fg_emitter *e, const fg_stage *s);   /* is cut at a loop of its own */
bool fg_parallel_owns(const fg_emitter *e, int memory);              /* each part has this memory for itself */
int fg_parallel_steps(const fg_emitter *e);
#endif
