/* HIP's words for kernels, by CUDA's compilers: they have them all. */
#ifndef HIP_ON_CUDA_RUNTIME_H
#define HIP_ON_CUDA_RUNTIME_H
#ifndef __CUDACC__
#error "for nvcc and NVRTC: emitted HIP, executed on a GPU of NVIDIA's"
#endif
#endif
