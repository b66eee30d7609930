/* Inside block samples: ways of values from block to block. */
#ifndef FG_PROVE_BLOCK_PATHS_H
#define FG_PROVE_BLOCK_PATHS_H
#include "generator/prove/block_sample_parts.h"

typedef struct fg_block_at {
  int kernel;
  int64_t block;
} fg_block_at;

/* On to a block of the next kernel that loads any of what this one stores; or back to one of the kernel before that
 * stores any of what this one loads. False: there is none. */
bool fg_block_paths_step(fg_block_sample_maker *k, fg_block_at *at, bool on);
#endif
