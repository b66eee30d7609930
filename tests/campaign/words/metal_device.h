/* This CPU in place of an Apple GPU: kernels are those of an object with blocks_launch (../blocks_launch.h), with the 32 KiB of
 * threadgroup memory that Apple's GPUs have. */
#ifndef CAMPAIGN_WORDS_METAL_DEVICE_H
#define CAMPAIGN_WORDS_METAL_DEVICE_H
#include <stddef.h>
#include <stdlib.h>

extern "C" int blocks_launch(const char *name, const unsigned shape[4], size_t local_bytes, void **arguments);

static inline void *metal_allocate(size_t bytes) { return aligned_alloc(64, (bytes + 63) / 64 * 64 + 64); }
static inline void metal_free(void *memory) { free(memory); }
static inline int metal_launch(const char *kernel, unsigned blocks, unsigned threads, void **argument) {
  const unsigned shape[] = {blocks, threads, 1, 1};
  return blocks_launch(kernel, shape, 32 << 10, argument);
}
static inline int metal_wait() { return 0; }
#endif
