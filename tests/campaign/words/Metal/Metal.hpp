/* What emitted launchers use of metal-cpp, on another device: metal_device.h has its memory and its launches, which run when
 * they are dispatched. A command buffer that is not committed, an encoder that is not ended: each is a fault. */
#ifndef CAMPAIGN_WORDS_METAL_H
#define CAMPAIGN_WORDS_METAL_H
#include <Foundation/Foundation.hpp>
#include "metal_device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace MTL {

enum ResourceOptions { ResourceStorageModeShared = 0, ResourceStorageModePrivate = 32 };
enum { MOST_ARGUMENTS = 31 };

inline void expect(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "Metal: %s\n", what);
  _Exit(6);
}

struct Size {
  NS::UInteger width, height, depth;
  Size(NS::UInteger w, NS::UInteger h, NS::UInteger d) : width(w), height(h), depth(d) {}
};
struct Buffer {
  void *memory;
  size_t bytes;
  ResourceOptions options;
  void *contents() { return options == ResourceStorageModeShared ? memory : nullptr; }
  void release() { metal_free(memory); }
};
struct Function {
  const char *name;
  void release() {}
};
struct ComputePipelineState {
  const char *name;
  NS::UInteger maxTotalThreadsPerThreadgroup() { return 1024; }
  void release() {}
};
struct Library {
  const char *source;
  Function *newFunction(const NS::String *name) { return strstr(source, name->text) ? new Function{name->text} : nullptr; }
};
struct CompileOptions {
  bool fast = true;
  static CompileOptions *alloc() { return new CompileOptions; }
  CompileOptions *init() { return this; }
  void setFastMathEnabled(bool is) { fast = is; }
};

struct ComputeCommandEncoder {
  const char *kernel = nullptr;
  void *address[MOST_ARGUMENTS] = {}, *argument[MOST_ARGUMENTS] = {};
  unsigned char bytes[MOST_ARGUMENTS][16];
  bool ended = false;
  void setComputePipelineState(const ComputePipelineState *p) { kernel = p->name; }
  void setBuffer(const Buffer *b, NS::UInteger offset, NS::UInteger i) {
    expect(b && i < MOST_ARGUMENTS && offset < b->bytes + !b->bytes && offset % 4 == 0, "no such part of a buffer");
    address[i] = (char *)b->memory + offset, argument[i] = &address[i];
  }
  void setBytes(const void *from, NS::UInteger length, NS::UInteger i) {
    expect(i < MOST_ARGUMENTS && length <= sizeof *bytes, "too many bytes");
    memcpy(bytes[i], from, length), argument[i] = bytes[i];
  }
  void dispatchThreadgroups(Size blocks, Size threads) {
    expect(!ended && blocks.width && threads.width <= 1024, "no such dispatch");
    expect(!metal_launch(kernel, (unsigned)blocks.width, (unsigned)threads.width, argument), "no such kernel");
  }
  void endEncoding() { ended = true; }
};
struct CommandBuffer {
  ComputeCommandEncoder *encoder = nullptr;
  bool committed = false;
  ComputeCommandEncoder *computeCommandEncoder() { return encoder = new ComputeCommandEncoder; }
  void commit() { expect(encoder && encoder->ended, "an encoder that is not ended"), committed = true; }
  void waitUntilCompleted() {
    expect(committed, "commands that are not committed");
    expect(!metal_wait(), "kernels that fail");
  }
};
struct CommandQueue {
  CommandBuffer *commandBuffer() { return new CommandBuffer; }
};
struct Device {
  Buffer *newBuffer(size_t bytes, ResourceOptions options) {
    void *memory = metal_allocate(bytes);
    expect(memory, "no memory");
    memset(memory, 0xff, bytes);
    return new Buffer{memory, bytes, options};
  }
  Library *newLibrary(const NS::String *source, const CompileOptions *options, NS::Error **) {
    expect(!options->fast, "compiled with fast math");
    return new Library{source->text};
  }
  ComputePipelineState *newComputePipelineState(const Function *f, NS::Error **) {
    return new ComputePipelineState{f->name};
  }
  CommandQueue *newCommandQueue() { return new CommandQueue; }
};
inline Device *CreateSystemDefaultDevice() { return new Device; }

} // namespace MTL
#endif
