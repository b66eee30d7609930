/* Inside map: what both ways of giving roles share. */
#ifndef FG_MAP_H
#define FG_MAP_H
#include "generator/assemble/build.h"

/* Until the roles are given, a stage's digit for a batch axis carries its number. */
bool fg_map_is_batch(const fg_kernel *k, int16_t digit);
int fg_map_batch_axis(const fg_kernel *k, int16_t digit);

void fg_map_rename(fg_stage *s, int16_t from, int16_t to);
void fg_map_split_terms(fg_stage *s, int16_t digit, int16_t extra);
/* The same stage with digits of its own to rename. */
fg_stage fg_map_twin(fg_builder *b, const fg_stage *s);
int16_t fg_map_add_digit(fg_kernel *k, const fg_digit *d);
/* From zero in steps of one. */
int16_t fg_map_new_digit(fg_kernel *k, const char *name, fg_role role, int64_t extent);
void fg_map_drop_terms(fg_affine *a, int16_t digit); /* of a sum */
void fg_map_drop_loop(fg_stage *s, int position);
/* Whether a buffer is shared memory in the kernel in hand. */
bool fg_map_is_local(const fg_builder *b, int buffer);
/* Batch axes leave the stages and become the kernel's outer BLOCK digits. */
void fg_map_outer_batch(fg_builder *b);
fg_status fg_map_number_blocks(fg_builder *b, fg_kernel *k);
fg_status fg_map_lanes(fg_builder *b); /* loops and lanes, for all kernels */

/* ---- parallel_split.c ----------------------------------------------------------- */
void fg_map_parallel_split(fg_program *p);

/* ---- lane_order.c ----------------------------------------------------------- */
/* Which buffers are permuted; once all stages have their vectors. */
void fg_map_lane_order(fg_builder *b);

/* ---- table_panels.c ---------------------------------------------------------- */
/* Tables that vectors read in panels; once vectors have their tables. */
void fg_map_table_panels(fg_program *p);

/* ---- fuse_loops.c ----------------------------------------------------------- */
/* Pairs of passes over a tile share loops; once they have their vectors. */
void fg_map_share(fg_builder *b);

/* ---- threads.c --------------------------------------------------------- */
fg_status fg_map_threads(fg_builder *b);
/* The stage stands aside where value >= bound. */
void fg_map_guard(fg_stage *s, const fg_affine *value, fg_num bound);
/* Deals the loops of s to at most `limit` threads; `rest` is the role of what does
 * not fit. Returns the threads used. */
int64_t fg_map_deal(fg_kernel *k, fg_stage *s, int64_t limit, fg_role rest);
/* So many threads take the innermost loop, in turns that are the outermost one; false: in one. */
bool fg_map_iterate(fg_kernel *k, fg_stage *s, int64_t threads);
/* What fg_map_deal would use, and the iterations of the rest. */
typedef struct fg_deal {
  int64_t used, iterations;
} fg_deal;
fg_deal fg_map_try_deal(const fg_kernel *k, const fg_stage *s, int64_t limit);

/* Of one loop, when at most `left` threads share it. */
int64_t fg_map_iterations(int64_t extent, int64_t left);

/* ---- chunk.c ----------------------------------------------------------- */
/* Lanes in blocks: kernel k gets blocks of one thread. alone: it was one stage, with its batch in its loops. */
fg_status fg_map_chunk(fg_builder *b, fg_kernel *k, bool alone);

/* ---- block.c ----------------------------------------------------------- */
/* Before any of the program's: neighbouring threads get neighbours in memory; and how many threads both kernels of a
 * queue have (0: there is none), as many as the one that wants more. Idle ones stand aside. */
void fg_map_order_loops(fg_builder *b);
int64_t fg_map_queue_threads(fg_builder *b);
/* One kernel, transforms whole in a block. FG_ENA: its memory is too small. */
fg_status fg_map_block(fg_builder *b);

/* ---- cluster.c --------------------------------------------------------- */
bool fg_map_stage_uses(const fg_builder *b, const fg_stage *s, int16_t memory);
bool fg_map_has_separate_buffers(const fg_builder *b); /* what blocks of a cluster send has memory of its own */
void fg_map_cross_cluster(fg_builder *b);

/* ---- staging.c ---------------------------------------------------------- */
typedef struct fg_map_shape {
  int64_t one;        /* threads of one transform */
  int64_t group;      /* transforms of a block */
  int64_t iterations; /* of each thread, over the transforms of a block */
  int16_t batch;      /* the digit that counts transforms, if groups can be made */
  fg_num count;       /* transforms in all */
} fg_map_shape;

/* Transforms of complex numbers, one behind the other, untouched on their way. */
bool fg_map_rows_are_packed(const fg_builder *b);
/* A stage that is a whole transform, between copies. */
void fg_map_stage_codelet(fg_builder *b, const fg_map_shape *sh);
/* Whether the plan asks for copies and they can be made; the first and last stage
 * turn to shared memory; copies around them, once loops are dealt. */
bool fg_map_wants_copies(const fg_builder *b);
void fg_map_go_through_memory(fg_builder *b);
/* Whether the first and last stage are copies of whole rows; they are left out, to be added again so. */
bool fg_map_has_copies(const fg_builder *b);
void fg_map_drop_copies(fg_builder *b);
void fg_map_add_copies(fg_builder *b, const fg_map_shape *sh);

/* The same by the engine of blocks that stay, where the plan asks for it: FG_EUSER where that cannot be. Stages
 * turn to shared memory; copies around them, once loops are dealt and the batch is cut. */
enum {
  FG_MAP_BULK_BYTES = 96
}; /* further ones: rows begin anywhere between multiples of 16, and there is an mbarrier */
fg_status fg_map_bulk_begin(fg_builder *b, bool copied);
/* FG_ENA where others may try without shared memory: stages have not turned to it. */
fg_status fg_map_bulk_too_large(fg_builder *b);
fg_status fg_map_bulk_end(fg_builder *b, const fg_map_shape *sh);
void fg_map_bulk_blocks(fg_kernel *k); /* fewer, where each goes through several numbers */
/* A side's copy: of the block's transforms between an array and its memory; views of both. */
fg_stage fg_map_copy(fg_builder *b, bool in, int16_t (*memory)(fg_builder *b, int16_t array), const fg_map_shape *sh);
void fg_map_drop_batch(const fg_kernel *k, fg_affine *at);

/* ---- padding.c ------------------------------------------------------------- */
/* Pads the LOCAL buffers of the program's kernel k, within the device's memory. */
void fg_map_pad(fg_builder *b, fg_kernel *k);
/* persistent.c: two kernels as one, where the plan says so. */
fg_status fg_map_queue(fg_builder *b);
#endif
