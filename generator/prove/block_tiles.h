/* Inside block samples: tiles whose stages are kernels of their own. */
#ifndef FG_PROVE_BLOCK_TILES_H
#define FG_PROVE_BLOCK_TILES_H
#include "generator/prove/block_sample_parts.h"

/* How many blocks, one after the other, are of one tile, of stages that are kernels; 1: there is none. */
int64_t fg_block_sample_tile(const fg_block_sample_maker *k, int kernel, int which);
/* Whether tiles whose stages are kernels of their own share no element that any of them stores to. False: one of memory
 * `*memory`. */
bool fg_block_sample_tiles_hold(fg_block_sample_maker *k, int kernel, int *memory);
#endif
