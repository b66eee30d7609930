/* Copies between arrays and shared memory by an engine, in persistent blocks (async_copy.c). */
#ifndef FG_MAP_ASYNC_COPY_H
#define FG_MAP_ASYNC_COPY_H
#include "generator/map/staging.h"

/* Where the plan asks for such copies: FG_EUSER where they cannot be. Stages use shared memory; copies around them,
 * once loops are dealt and the batch is cut. */
enum {
  FG_MAP_BULK_BYTES = 96
}; /* further ones: rows begin anywhere between multiples of 16, and there is an mbarrier */

fg_status fg_map_bulk_begin(fg_builder *b, bool copied);
/* FG_ENA where others may try without shared memory: stages have not turned to it. */
fg_status fg_map_bulk_too_large(fg_builder *b);
fg_status fg_map_bulk_end(fg_builder *b, const fg_map_shape *sh);
void fg_map_bulk_blocks(fg_kernel *k); /* fewer, where each iterates over several numbers */
#endif
