/* hiprtc, the compiler of HIP as a library, in a child process: it aborts where
 * it does not know an architecture. */
#ifndef FG_HIP_HIPRTC_H
#define FG_HIP_HIPRTC_H
#include "targets/hip/code.h"

/* Nonzero and the reason: not here, ended, or the text's first error. */
int fg_hiprtc_compile(const char *source, const char *arch, fg_hip_code *out, char why[FG_WHY_SIZE]);
/* 0 and "hiprtc 5.2", or the reason of absence. */
int fg_hiprtc_here(char *version, size_t size, char why[FG_WHY_SIZE]);
#endif
