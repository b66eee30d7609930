/* The part of the HIP runtime API that emitted launchers use, by the CUDA driver
 * API: so that they, and the kernels' text, run where there is no GPU of AMD's.
 * It shows that the text is right; it says nothing about AMD's speed. */
#ifndef HIP_ON_CUDA_RUNTIME_API_H
#define HIP_ON_CUDA_RUNTIME_API_H
#include <cuda.h>
#include <stdint.h>

typedef CUresult hipError_t;
typedef void *hipDeviceptr_t;
typedef CUstream hipStream_t;
typedef CUmodule hipModule_t;
typedef CUfunction hipFunction_t;

#define hipSuccess CUDA_SUCCESS
#define hipErrorOutOfMemory CUDA_ERROR_OUT_OF_MEMORY
#define hipErrorFileNotFound CUDA_ERROR_FILE_NOT_FOUND

#define hipModuleLoadData cuModuleLoadData
#define hipModuleUnload cuModuleUnload
#define hipModuleGetFunction cuModuleGetFunction

static inline hipError_t hipSetDevice(int number) {
  CUdevice device;
  CUcontext context;
  CUresult status = cuInit(0);
  if (status == CUDA_SUCCESS) status = cuDeviceGet(&device, number);
  if (status == CUDA_SUCCESS) status = cuDevicePrimaryCtxRetain(&context, device);
  return status == CUDA_SUCCESS ? cuCtxSetCurrent(context) : status;
}

static inline hipError_t hipMalloc(void **memory, size_t bytes) {
  CUdeviceptr at = 0;
  CUresult status = cuMemAlloc(&at, bytes);
  *memory = (void *)(uintptr_t)at;
  return status;
}

static inline hipError_t hipFree(void *memory) { return cuMemFree((CUdeviceptr)(uintptr_t)memory); }

static inline hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void *from, size_t bytes) {
  return cuMemcpyHtoD((CUdeviceptr)(uintptr_t)to, from, bytes);
}

static inline hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t bytes) {
  return cuMemcpyDtoH(to, (CUdeviceptr)(uintptr_t)from, bytes);
}

/* HIP gives a block all of its memory without being asked. */
static inline hipError_t hipModuleLaunchKernel(hipFunction_t kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                               unsigned by, unsigned bz, unsigned local_bytes, hipStream_t stream,
                                               void **argument, void **extra) {
  CUresult status = CUDA_SUCCESS;
  if (local_bytes > 48 * 1024)
    status = cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)local_bytes);
  if (status != CUDA_SUCCESS) return status;
  return cuLaunchKernel(kernel, gx, gy, gz, bx, by, bz, local_bytes, stream, argument, extra);
}
#endif
