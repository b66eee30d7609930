/* Kernels of the program, and what is around all their stages (outer.c). */
#ifndef FG_MAP_OUTER_H
#define FG_MAP_OUTER_H
#include "generator/assemble/builder.h"

/* Room for them; nothing waits behind the last stages. */
fg_status fg_map_begin(fg_builder *b);
/* Batch axes leave the stages of the kernel in hand and become its outer BLOCK digits. */
void fg_map_outer_batch(fg_builder *b);
/* The same for all kernels of a CPU, which are the program's now. */
fg_status fg_map_batches(fg_builder *b);
/* k is the program's next one; of several with its number. */
void fg_map_add_kernel(fg_builder *b, fg_kernel *k, const char *name);
fg_status fg_map_frames(fg_builder *b); /* which frame of templates/ holds each */
/* Divisors of BLOCK digits, and how many blocks each kernel has. */
fg_status fg_map_number_blocks(fg_builder *b);
#endif
