/* Inside block samples: ways of values from block to block. */
#ifndef FG_PROVE_BLOCK_PATHS_H
#define FG_PROVE_BLOCK_PATHS_H
#include "generator/prove/block_sample_parts.h"

/* On to a block of the next kernel that loads any of what this one stores; or back to one of the kernel before that
 * stores any of what this one loads. False: there is none. */
bool fg_block_paths_step(fg_block_sample_maker *k, fg_block_at *at, bool on);
/* Calls visit for each block of a later kernel that loads, or of an earlier one that stores, any of so many elements,
 * by chance, of what this block stores, or loads. Returns how many of these calls say yes. */
typedef bool fg_block_visit(fg_block_sample_maker *k, void *self, const fg_block_at *at);
int64_t fg_block_paths_around(fg_block_sample_maker *k, const fg_block_at *at, bool on, int some, fg_block_visit *visit,
                              void *self);
#endif
