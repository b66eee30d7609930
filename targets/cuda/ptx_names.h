/* Names and their bindings (ptx_frame.c). */
#ifndef FG_TARGETS_CUDA_PTX_NAMES_H
#define FG_TARGETS_CUDA_PTX_NAMES_H
#include "targets/cuda/ptx_parts.h"

void fg_ptx_bind(fg_ptx *g, int name, fg_ptx_value x);
void fg_ptx_assign(fg_ptx *g, int name, fg_ptx_value x);
void fg_ptx_assign_element(fg_ptx *g, fg_ptx_value array, fg_ptx_value i, fg_ptx_value x);
fg_ptx_value fg_ptx_kept(fg_ptx *g, fg_ptx_value x); /* fit for a name */
fg_ptx_value fg_ptx_value_of(fg_ptx *g, int name);   /* of a token */
#endif
