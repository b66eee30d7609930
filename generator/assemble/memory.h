/* Memory between stages: buffers, as views (memory.c). */
#ifndef FG_ASSEMBLE_MEMORY_H
#define FG_ASSEMBLE_MEMORY_H
#include "generator/assemble/builder.h"

/* A new LOCAL buffer of n elements for each value of the inner axes in scope. */
fg_view fg_build_scratch(fg_builder *b, int64_t n);
/* The same, in blocks: a vector of real parts, one of imaginary parts. */
fg_view fg_build_blocks(fg_builder *b, int64_t n);
/* The same, its numbers interleaved, whatever order suits vectors best. */
fg_view fg_build_interleaved(fg_builder *b, int64_t n);
/* A new LOCAL buffer for the kernel in hand, of which each of `blocks` blocks of a
 * cluster holds n elements; those of lanes side by side. */
fg_view fg_build_exchange(fg_builder *b, int64_t n, int blocks);
fg_view fg_build_real_scratch(fg_builder *b, int64_t n); /* of reals */
/* Whole blocks of the output belong to each transform that is stored there, so that intermediate results may be stored
 * there in blocks. */
/* `last`: length of the pass over the output's memory in place. */
bool fg_build_output_has_blocks(const fg_builder *b, const fg_view *out, int64_t last);
/* Memory of the output, for passes that are over before anything final is written
 * there: less to keep in cache. False, *v untouched: that cannot be. */
bool fg_build_output_scratch(fg_builder *b, int64_t n, fg_view *v);
/* A new WORK buffer of n elements for each transform of the batch. */
fg_view fg_build_workspace(fg_builder *b, int64_t n);
/* The same for all axes in scope, between kernels of one step: lanes stay side by side. */
fg_view fg_build_workspace_of_lines(fg_builder *b, int64_t n);
/* Of reals; pairs: that may be stored as complex numbers. */
fg_view fg_build_real_workspace(fg_builder *b, int64_t n, bool pairs);
/* A table, shared with an equal one that is there already. */
fg_view fg_build_table(fg_builder *b, const fg_table *wanted);
int16_t fg_build_buffer(fg_program *p, const fg_buffer *wanted); /* its number */
#endif
