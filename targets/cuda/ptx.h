/* Emitted CUDA text with its kernels' bodies as assembly, PTX, one block each. NVRTC's assembler, which schedules
 * and allocates registers, works as before. The steps before it - C++, and a middle end that finds little to do in
 * straight-line code - took half of the time and have nothing left to do. What is made here is compared with the text
 * before it is used (generator/prove/assembly.h). */
#ifndef FG_CUDA_PTX_H
#define FG_CUDA_PTX_H
#include "targets/device.h"

/* The text, to be freed; NULL and what it does not know in why: then the text is compiled as it is. */
char *fg_ptx_translate(const char *source, char why[FG_WHY_SIZE]);
#endif
