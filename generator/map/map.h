/* Passes of map, in the files of their names; passes.c has the order. */
#ifndef FG_MAP_H
#define FG_MAP_H
#include "generator/assemble/builder.h"

fg_status fg_map_lanes(fg_builder *b); /* loops of vectors */
fg_status fg_map_parallel_split(fg_builder *b);
/* Which buffers are permuted; once all stages have their vectors. */
fg_status fg_map_lane_order(fg_builder *b);
/* Tables that vectors read in panels; once vectors have their tables. */
fg_status fg_map_table_panels(fg_builder *b);
/* Pairs of passes over a tile share loops; once they have their vectors. */
fg_status fg_map_share(fg_builder *b);
fg_status fg_map_threads(fg_builder *b);
/* A block that stays loads into spare memory what comes next, where the plan says so. */
fg_status fg_map_ahead(fg_builder *b);
fg_status fg_map_chunk(fg_builder *b);  /* vectors in blocks of one thread */
fg_status fg_map_stream(fg_builder *b); /* which stores go past the caches */
/* Exchanges by shuffles, where they stay in a warp. */
fg_status fg_map_shuffle(fg_builder *b);
/* persistent.c: two kernels as one, where the plan says so. */
fg_status fg_map_queue(fg_builder *b);
#endif
