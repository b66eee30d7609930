/* NVRTC, the compiler of CUDA C++ as a library, without its headers. It needs no
 * GPU: kernels can be compiled for any architecture that it knows. */
#ifndef FG_CUDA_NVRTC_API_H
#define FG_CUDA_NVRTC_API_H
#include "targets/device.h"

typedef struct fg_cuda_usage { /* what a compiled kernel takes */
  char kernel[128];
  int registers;
  int stack_bytes, spill_stores, spill_loads; /* of a thread */
} fg_cuda_usage;

enum { FG_CUDA_MOST_KERNELS = 64 };

typedef struct fg_cuda_image { /* a cubin; free with fg_cuda_image_free */
  void *bytes;
  size_t size;
  int nusage; /* one for each kernel, in the compiler's order */
  fg_cuda_usage usage[FG_CUDA_MOST_KERNELS];
} fg_cuda_image;

/* arch: "sm_90"; "compute_90" gives PTX instead, which drivers of that and of later GPUs finish. Nonzero and the
 * reason: NVRTC is not here, or its first error. */
int fg_cuda_compile(const char *source, const char *arch, fg_cuda_image *out, char why[FG_WHY_SIZE]);
void fg_cuda_image_free(fg_cuda_image *image);
/* 0 and "NVRTC 13.0", or the reason of absence. */
int fg_cuda_compiler(char *version, size_t size, char why[FG_WHY_SIZE]);
#endif
