/* A pass of map: batches in batch-major order (batch_major.c). */
#ifndef FG_MAP_BATCH_MAJOR_H
#define FG_MAP_BATCH_MAJOR_H
#include "generator/assemble/builder.h"

/* One transform of a batch through all kernels, then the next, where that is worth it; once stages have vectors. */
fg_status fg_map_batch_major(fg_builder *b);
#endif
