/* Kernels: the functions of their stages, and the function that calls them. */
#ifndef FG_LOWER_KERNEL_H
#define FG_LOWER_KERNEL_H
#include "generator/text/emitter.h"

/* Stages and frame of a kernel; uses: memory and parameters that it takes. */
fg_status fg_lower_kernel(fg_emitter *e, int kernel, fg_strbuf *out, fg_uses *uses);

const char *fg_lower_stage_symbol(const fg_emitter *e, int kernel, int stage);
const char *fg_lower_kernel_symbol(const fg_emitter *e, int kernel);
#endif
