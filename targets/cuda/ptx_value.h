/* Values: made, converted, loaded and stored (ptx_value.c). */
#ifndef FG_TARGETS_CUDA_PTX_VALUE_H
#define FG_TARGETS_CUDA_PTX_VALUE_H
#include "targets/cuda/ptx_parts.h"

fg_ptx_value fg_ptx_int(int64_t x);
fg_ptx_value fg_ptx_real(uint8_t type, double x);
bool fg_ptx_known(const fg_ptx_value *x); /* an integer that is constant */
int fg_ptx_register(fg_ptx *g, int class);
fg_ptx_value fg_ptx_convert(fg_ptx *g, fg_ptx_value a, uint8_t type);
/* One register for an integer, a real number or a pointer. */
fg_ptx_value fg_ptx_settle(fg_ptx *g, fg_ptx_value a);
fg_ptx_value fg_ptx_load(fg_ptx *g, fg_ptx_value pointer);
void fg_ptx_store(fg_ptx *g, fg_ptx_value pointer, fg_ptx_value x);
const char *fg_ptx_operand_text(char text[32], uint8_t type, fg_ptx_operand a);
#endif
