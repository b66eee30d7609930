/* A compilation as a shared object by LLVM, as tuning/search/object.h is for C. */
#ifndef FG_NATIVE_H
#define FG_NATIVE_H
#include "generator/pipeline/pipeline.h"
#include "targets/llvm/link.h"

typedef struct fg_native {
  const fg_artifact *artifact;
  const void *description; /* a fftgen_kernel, then what it points to */
  size_t size;
  int npointer;
  const struct fg_link_pointer *pointer;
  int level;        /* of LLVM's code generation */
  char address[40]; /* hash of the instructions, LLVM, flags, level and CPU */
} fg_native;

/* c: through fg_pipeline_emit, of a dialect of instructions. */
fg_status fg_native_create(const fg_compilation *c, fg_native *out);
/* Machine code, from instructions alone: 0, or nonzero with the reason in why. */
int fg_native_make(const fg_native *n, fg_image *out, char why[FG_WHY_SIZE]); /* free(out->bytes) */
int fg_native_write(const fg_image *image, const char *path, char why[FG_WHY_SIZE]);
#endif
