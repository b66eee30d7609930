/* The stride between rows of numbers, chosen so that accesses spread evenly over cache sets and memory banks
 * (memory.c). */
#ifndef FG_ASSEMBLE_PITCH_H
#define FG_ASSEMBLE_PITCH_H
#include "generator/assemble/builder.h"

/* From row to row of n elements. On CPUs long rows begin with whole vectors, and rows whose distance is a
 * multiple of a large power of two, which would share a few sets of the cache, get a cache line more. */
int64_t fg_build_padded(const fg_builder *b, int64_t n);
fg_precision fg_build_kept(const fg_builder *b); /* of numbers in shared memory */
/* Complex numbers in the banks of shared memory, side by side. */
int64_t fg_build_bank_row(const fg_builder *b);
/* From row to row of n elements in shared memory, where threads that are numbered along
 * rows of the padded memory then use different banks. */
int64_t fg_build_bank_pitch(const fg_builder *b, int64_t n);
#endif
