/* The device llvm as a compiler: a shared object in memory, for whoever writes it
 * to a file or loads it. */
#ifndef FG_LLVM_BUILD_H
#define FG_LLVM_BUILD_H
#include "targets/llvm/link.h"

/* part: data besides the tables, such as a description of the kernel. */
typedef struct fg_llvm_parts {
  int count;
  const fg_link_part *part;
} fg_llvm_parts;

/* Nonzero: the reason in why. The image is the caller's, to be freed. */
int fg_llvm_build(const fg_artifact *a, const fg_llvm_parts *more, fg_image *out, char why[FG_WHY_SIZE]);
#endif
