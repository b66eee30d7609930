/* The device llvm as a compiler: a shared object in memory, to be written to a file or loaded. */
#ifndef FG_LLVM_BUILD_H
#define FG_LLVM_BUILD_H
#include "targets/llvm/link.h"

typedef struct fg_llvm_order {
  int npart; /* data besides the tables, such as a description of the kernel */
  const fg_link_part *part;
  int level; /* of code generation, 0 .. 3 */
} fg_llvm_order;

/* The level that the device builds at; where the caller waits and that would take long,
 * 0, which takes a quarter of the time. */
int fg_llvm_level(const fg_artifact *a, bool effort_fast);

/* Nonzero: the reason in why. The image is the caller's, to be freed. */
int fg_llvm_build(const fg_artifact *a, const fg_llvm_order *order, fg_image *out, char why[FG_WHY_SIZE]);
#endif
