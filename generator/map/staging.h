/* Copies between arrays and shared memory around a transform (staging.c). */
#ifndef FG_MAP_STAGING_H
#define FG_MAP_STAGING_H
#include "generator/assemble/builder.h"

typedef struct fg_map_shape {
  int64_t one;        /* threads of one transform */
  int64_t group;      /* transforms of a block */
  int64_t iterations; /* of each thread, over the transforms of a block */
  int16_t batch;      /* the digit that counts transforms, if groups can be made */
  fg_num count;       /* transforms in all */
  int64_t rows;       /* 0, or the points of each, where they are rows of the last of several dimensions */
} fg_map_shape;

/* batch.c: conditions where groups reach beyond the batch; the digits that number a stage's transforms, and the
 * iterations of threads over them. */
void fg_map_guard_batch(const fg_builder *b, fg_stage *s, const fg_map_shape *sh, int16_t number, int16_t iteration);
/* Transforms of complex numbers, one behind the other, untouched on their way. */
bool fg_map_rows_are_packed(const fg_builder *b);
/* rows.c: loops over rows of an array, one behind the other, become one; how many rows a transform has, 0: the kernel is
 * another one. */
int64_t fg_map_join_rows(fg_builder *b);
/* A stage that is a whole transform, between copies. */
void fg_map_stage_codelet(fg_builder *b, const fg_map_shape *sh);
/* Whether the plan asks for copies and they can be made; the first and last stage use shared memory; copies around
 * them, once loops are dealt. */
bool fg_map_wants_copies(const fg_builder *b);
void fg_map_go_through_memory(fg_builder *b);
void fg_map_add_copies(fg_builder *b, const fg_map_shape *sh);
/* A side's copy: of the block's transforms between an array and its memory; views of both. */
fg_stage fg_map_copy(fg_builder *b, bool in, int16_t (*memory)(fg_builder *b, int16_t array), const fg_map_shape *sh);
/* A stage in which so many threads move `all` elements, one behind the other, from a buffer to another. */
fg_stage fg_map_copy_elements(fg_builder *b, int16_t from, int16_t to, int64_t threads, int64_t all);
void fg_map_drop_batch(const fg_kernel *k, fg_affine *at);
#endif
