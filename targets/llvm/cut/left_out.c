/* What is called in place of functions of LLVM's that left_out.txt names. Whatever only they use is not linked.
 *
 * LLVM compresses debug information, which objects here have not: that takes two libraries. */
#include <stdlib.h>

void fg_llvm_left_out(void);
void *fg_llvm_none(void);

void fg_llvm_left_out(void) { abort(); }
void *fg_llvm_none(void) { return NULL; }

#define LEFT_OUT(name)                                                                                                 \
  void name(void);                                                                                                     \
  void name(void) { abort(); }
LEFT_OUT(ZSTD_CCtx_setParameter)
LEFT_OUT(ZSTD_compress2)
LEFT_OUT(ZSTD_compressBound)
LEFT_OUT(ZSTD_createCCtx)
LEFT_OUT(ZSTD_decompress)
LEFT_OUT(ZSTD_freeCCtx)
LEFT_OUT(ZSTD_getErrorName)
LEFT_OUT(ZSTD_isError)
LEFT_OUT(compress2)
LEFT_OUT(compressBound)
LEFT_OUT(uncompress)
LEFT_OUT(crc32)
