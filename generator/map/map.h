/* Passes of map, in the files of their names; passes.c has the order. */
#ifndef FG_MAP_H
#define FG_MAP_H
#include "generator/assemble/builder.h"

/* Batch axes leave the stages and become the kernel's outer BLOCK digits. */
void fg_map_outer_batch(fg_builder *b);
fg_status fg_map_number_blocks(fg_builder *b, fg_kernel *k);
fg_status fg_map_lanes(fg_builder *b); /* loops and lanes, for all kernels */
void fg_map_parallel_split(fg_program *p);
/* Which buffers are permuted; once all stages have their vectors. */
void fg_map_lane_order(fg_builder *b);
/* Tables that vectors read in panels; once vectors have their tables. */
void fg_map_table_panels(fg_program *p);
/* Pairs of passes over a tile share loops; once they have their vectors. */
void fg_map_share(fg_builder *b);
fg_status fg_map_threads(fg_builder *b);
/* Lanes in blocks: kernel k gets blocks of one thread. alone: it was one stage, with its batch in its loops. */
fg_status fg_map_chunk(fg_builder *b, fg_kernel *k, bool alone);
/* Pads the LOCAL buffers of the program's kernel k, within the device's memory. */
void fg_map_pad(fg_builder *b, fg_kernel *k);
/* persistent.c: two kernels as one, where the plan says so. */
fg_status fg_map_queue(fg_builder *b);
#endif
