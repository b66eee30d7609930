/* Inside block samples: blocks that are drawn, and inputs that are not zero. */
#ifndef FG_PROVE_BLOCK_INPUTS_H
#define FG_PROVE_BLOCK_INPUTS_H
#include "generator/prove/block_sample_parts.h"

/* Of a class the first, the second and the last block, and others. */
int64_t fg_block_sample_drawn(fg_block_sample_maker *k, const fg_footprints *x, int class, int number);
/* False: there is no way to choose few. */
bool fg_block_sample_choose_inputs(fg_block_sample_maker *k);
/* All of these, and those of the spectrum, in `carries`. */
void fg_block_sample_mark_inputs(fg_block_sample_maker *k);
#endif
