/* Products of matrices by a warp, in PTX. */
#ifndef FG_TARGETS_CUDA_MATRIX_H
#define FG_TARGETS_CUDA_MATRIX_H
#include "targets/forms/matrix.h"

extern const fg_matrix_form fg_cuda_matrix;
#endif
