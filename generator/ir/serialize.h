/* Serialised: a program whose blocks run side by side in clusters, or are persistent and wait for each other, for
 * targets without concurrent blocks. */
#ifndef FG_SERIALIZE_H
#define FG_SERIALIZE_H
#include "generator/ir/program.h"

/* The same transform without clusters: the blocks of one become iterations of each stage, their memories parts of one.
 * Two kernels with a queue become two; lanes exchange numbers through memory. The program itself where there is nothing
 * of that. */
const fg_program *fg_serialize_blocks(fg_context *cx, const fg_program *of);
#endif
