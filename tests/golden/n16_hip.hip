/* SPDX-License-Identifier: 0BSD
 *
 * n16_hip: c2c f32 n=16 batch=count[1..65536]
 *
 * Plan: stockham(4,4)
 * Made by: fftgen emit "c2c f32 n=16 batch=count[1..65536]" --target hip --plan 'stockham(4,4)' --prefix n16_hip
 * Operations a call: 4096 additions, 768 multiplications, 768 fused multiply-adds
 * Bytes moved a call: 11264, and 8192 to and from scratch that stays in cache
 * (counts for the smallest values of run-time parameters)
 * Build: hipcc --genco --offload-arch=gfx942, or hiprtc, or, without any header, clang and its lld:
 * clang -x hip --cuda-device-only --offload-arch=gfx942 -O3 -nogpulib -nogpuinc -DFFTGEN_NO_HEADERS \
 *   --no-gpu-bundle-output NAME.hip -o NAME.co
 * Launch: the manifest beside this file lists grids, arguments and tables. The C source beside it launches.
 * NAME_device is a function for kernels of your own: all threads of a block call it, with the number of
 * the block in the grid and with local_bytes of shared memory.
 */

#if defined(__HIPCC_RTC__) /* hiprtc: all words are built in */
#elif __has_include(<hip/hip_runtime.h>) && !defined(FFTGEN_NO_HEADERS)
#include <hip/hip_runtime.h>
#elif !defined(FFTGEN_HIP_WORDS) /* clang -x hip -nogpulib -nogpuinc: the words that are used below */
#define FFTGEN_HIP_WORDS
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
typedef float float2 __attribute__((ext_vector_type(2)));
typedef double double2 __attribute__((ext_vector_type(2)));
__device__ __forceinline__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
struct fftgen_index { unsigned x; };
#define threadIdx (fftgen_index{__builtin_amdgcn_workitem_id_x()})
#define blockIdx (fftgen_index{__builtin_amdgcn_workgroup_id_x()})
#endif

/* radix 4, 4 columns after 1 */
static __device__ __forceinline__ void n16_hip_block_0(const float *__restrict__ in, float *__restrict__ work0,
    const int b, const long long p_count) {
  const int g = threadIdx.x / 4;
  const int q = threadIdx.x % 4;
  const int by = 4 * q + 16 * g;
  float *const py = work0 + 2 * (by + 1 * (by / 8));
  const int ok_x0 = b + g < p_count;
  const float *const px = in + 32 * b + 2 * q + 32 * g;
  const float2 x0 = ok_x0 ? *(const float2 *)(px) : float2{0, 0};
  const float2 x1 = ok_x0 ? *(const float2 *)(px + 8) : float2{0, 0};
  const float2 x2 = ok_x0 ? *(const float2 *)(px + 16) : float2{0, 0};
  const float2 x3 = ok_x0 ? *(const float2 *)(px + 24) : float2{0, 0};
  const float t0 = x1.x + x3.x;
  const float t1 = x1.x - x3.x;
  const float t2 = x0.x + x2.x;
  const float t3 = x0.x - x2.x;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float t6 = x1.y + x3.y;
  const float t7 = x1.y - x3.y;
  const float t8 = x0.y + x2.y;
  const float t9 = x0.y - x2.y;
  const float t10 = t8 + t6;
  *(float2 *)(py) = float2{t4, t10};
  const float t11 = t8 - t6;
  *(float2 *)(py + 4) = float2{t5, t11};
  const float t12 = t3 + t7;
  const float t13 = t3 - t7;
  const float t14 = t9 - t1;
  *(float2 *)(py + 2) = float2{t12, t14};
  const float t15 = t9 + t1;
  *(float2 *)(py + 6) = float2{t13, t15};
}

/* radix 4, 4 columns after 4 */
static __device__ __forceinline__ void n16_hip_block_1(float *__restrict__ out, const float *__restrict__ work0,
    const float *__restrict__ tw0, const int b, const long long p_count) {
  const int g = threadIdx.x / 4;
  const int k = threadIdx.x % 4;
  const int bx = k + 16 * g;
  const float *const px = work0 + 2 * (bx + 1 * (bx / 8));
  const float *const pw = tw0 + 2 * k;
  float *const py = out + 32 * b + 2 * k + 32 * g;
  const float2 w1 = *(const float2 *)(pw + 8);
  const float2 x2 = *(const float2 *)(px + 18);
  const float t0 = w1.y * x2.y;
  const float t1 = w1.y * x2.x;
  const float t2 = w1.x * x2.x - t0;
  const float t3 = w1.x * x2.y + t1;
  const float2 w0 = *(const float2 *)(pw);
  const float2 x1 = *(const float2 *)(px + 8);
  const float t4 = w0.y * x1.y;
  const float t5 = w0.y * x1.x;
  const float t6 = w0.x * x1.x - t4;
  const float t7 = w0.x * x1.y + t5;
  const float2 w2 = *(const float2 *)(pw + 16);
  const float2 x3 = *(const float2 *)(px + 26);
  const float t8 = w2.y * x3.y;
  const float t9 = w2.y * x3.x;
  const float t10 = w2.x * x3.x - t8;
  const float t11 = w2.x * x3.y + t9;
  const float t12 = t6 + t10;
  const float t13 = t6 - t10;
  const float2 x0 = *(const float2 *)(px);
  const float t14 = x0.x + t2;
  const float t15 = x0.x - t2;
  const float t16 = t14 + t12;
  const float t17 = t14 - t12;
  const float t18 = t7 + t11;
  const float t19 = t7 - t11;
  const float t20 = x0.y + t3;
  const float t21 = x0.y - t3;
  const float t22 = t20 + t18;
  const int ok_y0 = b + g < p_count;
  if (ok_y0) {
    *(float2 *)(py) = float2{t16, t22};
  }
  const float t23 = t20 - t18;
  if (ok_y0) {
    *(float2 *)(py + 16) = float2{t17, t23};
  }
  const float t24 = t15 + t19;
  const float t25 = t15 - t19;
  const float t26 = t21 - t13;
  if (ok_y0) {
    *(float2 *)(py + 8) = float2{t24, t26};
  }
  const float t27 = t21 + t13;
  if (ok_y0) {
    *(float2 *)(py + 24) = float2{t25, t27};
  }
}

/* 2 stages, 128 threads a block */
static __device__ __forceinline__ void n16_hip_block_device(const float *__restrict__ in, float *__restrict__ out,
    const float *__restrict__ tw0, const long long p_count, float *local, const unsigned block) {
  float *const work0 = local + 0;
  const int b = 32 * block;
  n16_hip_block_0(in, work0, b, p_count);
  __syncthreads();
  n16_hip_block_1(out, work0, tw0, b, p_count);
}

extern "C" __global__ void __launch_bounds__(128) n16_hip_block(const float *__restrict__ in,
    float *__restrict__ out, const float *__restrict__ tw0, const long long p_count) {
  extern __shared__ double2 fftgen_local[];
  n16_hip_block_device(in, out, tw0, p_count, (float *)fftgen_local, blockIdx.x);
}

