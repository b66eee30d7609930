/* Loads and stores (ptx_memory.c). */
#ifndef FG_TARGETS_CUDA_PTX_MEMORY_H
#define FG_TARGETS_CUDA_PTX_MEMORY_H
#include "targets/cuda/ptx_parts.h"

int fg_ptx_size(uint8_t type); /* bytes in memory; 0: there is none of this type */
fg_ptx_value fg_ptx_load(fg_ptx *g, fg_ptx_value pointer);
void fg_ptx_store(fg_ptx *g, fg_ptx_value pointer, fg_ptx_value x);
#endif
