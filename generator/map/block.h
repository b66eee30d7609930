/* Whole transforms in a block (block.c). */
#ifndef FG_MAP_BLOCK_H
#define FG_MAP_BLOCK_H
#include "generator/assemble/builder.h"

/* Neighbouring threads get neighbours in memory. */
fg_status fg_map_order_loops(fg_builder *b);
/* How many threads the kernels of a queue have (0: there is none): as many as the one that wants most. Idle ones skip
 * it. */
int64_t fg_map_queue_threads(fg_builder *b);
/* One kernel, transforms whole in a block. FG_ENA: its memory is too small. */
fg_status fg_map_block(fg_builder *b);
/* How many blocks at once registers are left for, of a kernel alone; once its memory is padded. */
fg_status fg_map_leave_registers(fg_builder *b);
/* Pads LOCAL buffers, within the device's memory; for kernels that have whole transforms in a block. */
fg_status fg_map_padding(fg_builder *b);

/* persistent.c: kernels that queue= joins, the first ones; 0: there is none. */
int fg_map_joined(const fg_builder *b);
#endif
