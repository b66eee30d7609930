/* A GPU of NVIDIA in place of one of Apple: memory that the host reaches as well, and the kernels of the cubin that METAL_CUBIN
 * names. */
#ifndef METAL_ON_CUDA_DEVICE_H
#define METAL_ON_CUDA_DEVICE_H
#include <cuda.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* NULL: there is no such device, or no such file. */
static inline CUmodule metal_module() {
  static CUmodule module;
  CUdevice device;
  CUcontext context;
  const char *path = getenv("METAL_CUBIN");
  if (module || !path || cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device)) return module;
  if (cuCtxSetCurrent(context) || cuModuleLoad(&module, path)) module = nullptr;
  return module;
}
static inline void *metal_allocate(size_t bytes) {
  CUdeviceptr at = 0;
  if (!metal_module() || cuMemAllocManaged(&at, bytes + !bytes, CU_MEM_ATTACH_GLOBAL)) return nullptr;
  return (void *)(uintptr_t)at;
}
static inline void metal_free(void *memory) { cuMemFree((CUdeviceptr)(uintptr_t)memory); }
static inline int metal_launch(const char *kernel, unsigned blocks, unsigned threads, void **argument) {
  CUfunction function;
  if (cuModuleGetFunction(&function, metal_module(), kernel)) return -1;
  return cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, argument, nullptr) ? -1 : 0;
}
static inline int metal_wait() { return cuCtxSynchronize() ? -1 : 0; }
#endif
