/* HIP text to a code object, without a GPU: by clang alone, with no header, or by
 * hiprtc in a child process, which an architecture that it does not know ends. */
#ifndef FG_HIP_COMPILE_H
#define FG_HIP_COMPILE_H
#include "targets/hip/arch.h"

typedef enum fg_hip_compiler { FG_HIP_ANY, FG_HIP_HIPRTC, FG_HIP_CLANG } fg_hip_compiler;

/* arch: a row of fg_hip_arch_table. ANY: hiprtc, then clang. Nonzero and the reason: neither is here, neither
 * knows the architecture, or the first error of the text. */
int fg_hip_compile(fg_hip_compiler which, const char *source, const char *arch, fg_hip_code *out,
                   char why[FG_WHY_SIZE]);
/* 0 and "clang version 19.1.7", or the reason of absence. */
int fg_hip_compiler_here(fg_hip_compiler which, char *version, size_t size, char why[FG_WHY_SIZE]);
#endif
