/* Values: made, converted (ptx_value.c). */
#ifndef FG_TARGETS_CUDA_PTX_VALUE_H
#define FG_TARGETS_CUDA_PTX_VALUE_H
#include "targets/cuda/ptx_parts.h"

fg_ptx_value fg_ptx_int(int64_t x);
fg_ptx_value fg_ptx_real(uint8_t type, double x);
bool fg_ptx_known(const fg_ptx_value *x); /* an integer that is constant */
int fg_ptx_register(fg_ptx *g, int class);
/* The register of an operation that was done before in a block that is open; -1 - a new one, which it is to be written
 * for. */
int fg_ptx_done(fg_ptx *g, const char *op, uint8_t type, fg_ptx_memo m);
fg_ptx_value fg_ptx_convert(fg_ptx *g, fg_ptx_value a, uint8_t type);
/* One register for an integer, a real number or a pointer. */
fg_ptx_value fg_ptx_settle(fg_ptx *g, fg_ptx_value a);
const char *fg_ptx_operand_text(char text[32], uint8_t type, fg_ptx_operand a);
#endif
