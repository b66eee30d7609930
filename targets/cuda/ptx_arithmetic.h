/* Instructions that compute values (ptx_value.c). */
#ifndef FG_TARGETS_CUDA_PTX_ARITHMETIC_H
#define FG_TARGETS_CUDA_PTX_ARITHMETIC_H
#include "targets/cuda/ptx_parts.h"

fg_ptx_value fg_ptx_arithmetic(fg_ptx *g, char op, fg_ptx_value a, fg_ptx_value b);
fg_ptx_value fg_ptx_negative(fg_ptx *g, fg_ptx_value a);
fg_ptx_value fg_ptx_fused(fg_ptx *g, const fg_ptx_value x[3]);
fg_ptx_value fg_ptx_operated(fg_ptx *g, const char *op, const fg_ptx_value *x,
                             int operands); /* an instruction of reals */
fg_ptx_value fg_ptx_less(fg_ptx *g, fg_ptx_value a, fg_ptx_value b);
fg_ptx_value fg_ptx_both(fg_ptx *g, fg_ptx_value a, fg_ptx_value b);
fg_ptx_value fg_ptx_truth(fg_ptx *g, fg_ptx_value a);
#endif
