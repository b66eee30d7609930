/* The description that travels with a compiled kernel: what the runtime needs to
 * know to call it, and nothing else. The same struct serves sources that are
 * linked into a program, shared objects of the cache, and what comes from
 * libfftgen-jit (there it is the symbol fftgen_kernel_here).
 *
 * A kernel is called as   entry(places, params)   : one pointer for each buffer,
 * two (real parts, imaginary parts) where `split` says so, in the order of
 * `buffer`; params are the values of the problem's run-time parameters. */
#ifndef FFTGEN_KERNEL_H
#define FFTGEN_KERNEL_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FFTGEN_KERNEL_ABI 3 /* of this struct: another number is refused */

enum { FFTGEN_BUFFER_IN, FFTGEN_BUFFER_OUT, FFTGEN_BUFFER_WORK, FFTGEN_BUFFER_TABLE, FFTGEN_BUFFER_GIVEN };

typedef struct fftgen_buffer {
  int kind;         /* FFTGEN_BUFFER_... */
  int split;        /* two places, `bytes` counts both */
  uint64_t bytes;   /* with run-time parameters at their upper ends */
  const char *name; /* as in the source */
} fftgen_buffer;

typedef struct fftgen_kernel {
  int abi; /* FFTGEN_KERNEL_ABI */
  int nbuffer, nparam;
  const char *problem;   /* canonical text */
  const char *plan;      /* text */
  const char *isa;       /* "avx512"; "" = any */
  const char *features;  /* CPU features that it needs, separated by commas; "" = none */
  const char *generator; /* version that wrote it */
  int64_t flops;         /* real operations of one call */
  int64_t bytes;         /* moved by one call, tables included */
  const fftgen_buffer *buffer;
  void (*entry)(void *const *places, const long long *params);
  void (*init)(void *const *places); /* fills the tables, once; NULL: they need none */
  /* By several threads: `steps` steps, 0: not possible. In each of them every part 0 .. parts-1 is run once, in any
   * order and at the same time; all of them end before the next step begins. The workspace has part_bytes more for
   * each part but the first. */
  int steps;
  uint64_t part_bytes;
  void (*part)(void *const *places, const long long *params, int step, int part, int parts);
  void (*direct)(const void *in,
                 void *out); /* the same as entry, of an input and an output alone; NULL: there is none */
} fftgen_kernel;

#ifdef __cplusplus
}
#endif
#endif
