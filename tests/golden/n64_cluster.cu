/* SPDX-License-Identifier: 0BSD
 *
 * n64_cluster: c2c f32 n=64 batch=count[1..65536]
 *
 * Plan: four-step(stockham(4,2), stockham(4,2); cluster=2)
 * Made by: fftgen emit "c2c f32 n=64 batch=count[1..65536]" --target cuda --plan 'four-step(stockham(4,2), stockham(4,2); cluster=2)' --prefix n64_cluster
 * Operations a call: 768 additions, 352 multiplications, 352 fused multiply-adds
 * Bytes moved a call: 1920, and 3072 to and from scratch that stays in cache
 * (counts for the smallest values of run-time parameters)
 * Build: nvcc -arch=sm_90 -cubin, or NVRTC with -arch=sm_90.
 * Launch: the manifest beside this file lists grids, arguments and tables. The C source beside it launches.
 * NAME_device is a function for kernels of your own: all threads of a block call it, with the number of
 * the block in the grid and with local_bytes of shared memory.
 */

/* Clusters (compute capability 9.0): shared memory of other blocks, and mbarriers that count its bytes. */
static __device__ __forceinline__ void fftgen_mbarrier_expect(const void *mbarrier, unsigned bytes) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(mbarrier);
  if (threadIdx.x) return;
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
}
static __device__ __forceinline__ void fftgen_mbarrier_init(const void *mbarrier, unsigned bytes) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(mbarrier);
  if (threadIdx.x) return;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  fftgen_mbarrier_expect(mbarrier, bytes);
}
static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_map_shared(const void *p, unsigned block) {
  unsigned remote;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"((unsigned)__cvta_generic_to_shared(p)), "r"(block));
  return remote;
}
static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_bits(float x) { return __float_as_uint(x); }
static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_bits(unsigned x) { return x; }
static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_bits(double x) { return (unsigned)__double2hiint(x); }
/* Waits for the loads that x was computed from: a branch needs x. */
static __attribute__((unused)) __device__ __forceinline__ void fftgen_wait_loads(unsigned x) {
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0x7fdec0de; @p nanosleep.u32 1; }" ::"r"(x) : "memory");
}
/* The same, and the compiler moves no statement across it. The store is never executed. */
static __attribute__((unused)) __device__ __forceinline__ void fftgen_fence_loads(unsigned x, const void *mbarrier) {
  const unsigned spare = (unsigned)__cvta_generic_to_shared(mbarrier) + 8;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0x7fdec0de; @!p bra skip_%=; nanosleep.u32 1; "
               "st.shared.u32 [%0], %1; skip_%=: }" ::"r"(spare), "r"(x) : "memory");
}
static __attribute__((unused)) __device__ __forceinline__ void fftgen_cluster_arrive() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
static __attribute__((unused)) __device__ __forceinline__ void fftgen_cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
static __attribute__((unused)) __device__ __forceinline__ unsigned fftgen_is_own(unsigned block) {
  unsigned own;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(own));
  return block == own;
}
/* To our own block as to any shared memory, else counted by the mbarrier there. */
static __attribute__((unused)) __device__ __forceinline__ void fftgen_send(unsigned to, float re, float im, unsigned mbarrier, unsigned own) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0; @p st.shared.v2.f32 [%0], {%1, %2}; "
               "@!p st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3]; }"
               ::"r"(to), "f"(re), "f"(im), "r"(mbarrier), "r"(own) : "memory");
}
static __attribute__((unused)) __device__ __forceinline__ void fftgen_send(unsigned to, double re, double im, unsigned mbarrier, unsigned own) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %4, 0; @p st.shared.v2.f64 [%0], {%1, %2}; "
               "@!p st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f64 [%0], {%1, %2}, [%3]; }"
               ::"r"(to), "d"(re), "d"(im), "r"(mbarrier), "r"(own) : "memory");
}
static __attribute__((unused)) __device__ __forceinline__ void fftgen_send(unsigned to, unsigned packed, unsigned mbarrier, unsigned own) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p st.shared.b32 [%0], %1; "
               "@!p st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2]; }"
               ::"r"(to), "r"(packed), "r"(mbarrier), "r"(own) : "memory");
}
static __attribute__((unused)) __device__ __forceinline__ void fftgen_mbarrier_wait(const void *mbarrier, unsigned parity) {
  asm volatile("{ .reg .pred p; retry_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra retry_%=; }" ::"r"((unsigned)__cvta_generic_to_shared(mbarrier)), "r"(parity) : "memory");
}

/* radix 4, 2 columns after 1 */
static __device__ __forceinline__ void n64_cluster_block_0(const float *in, float *work0, const int b, const int r) {
  const int q = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  const float *const px = in + 128 * b + 8 * r + 2 * c + 16 * q;
  float *const py = work0 + 2 * c + 32 * q;
  const float2 x0 = *(const float2 *)(px);
  const float2 x1 = *(const float2 *)(px + 32);
  const float2 x2 = *(const float2 *)(px + 64);
  const float2 x3 = *(const float2 *)(px + 96);
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
  *(float2 *)(py + 16) = float2{t5, t11};
  const float t12 = t3 + t7;
  const float t13 = t3 - t7;
  const float t14 = t9 - t1;
  *(float2 *)(py + 8) = float2{t12, t14};
  const float t15 = t9 + t1;
  *(float2 *)(py + 24) = float2{t13, t15};
}

/* radix 2, 4 columns after 4 */
static __device__ __forceinline__ void n64_cluster_block_1(float *work0, const float *tw0, const int r) {
  const int k = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  float hold[8];
  int it = 0;
  #pragma unroll
  for (int kh = 0; kh < 4; kh += 2) {
    const float *const px = work0 + 2 * c + 8 * k + 8 * kh;
    const float *const pw = tw0 + 2 * k + 2 * kh;
    const float2 x0 = *(const float2 *)(px);
    const float2 x1 = *(const float2 *)(px + 32);
    fftgen_wait_loads(fftgen_bits(x0.x) ^ fftgen_bits(x1.x));
    const float2 w0 = *(const float2 *)(pw);
    const float t0 = w0.y * x1.y;
    const float t1 = w0.y * x1.x;
    const float t2 = w0.x * x1.x - t0;
    const float t3 = w0.x * x1.y + t1;
    const float t4 = x0.x + t2;
    const float t5 = x0.x - t2;
    const float t6 = x0.y + t3;
    hold[4 * it + 0] = t4;
    hold[4 * it + 1] = t6;
    const float t7 = x0.y - t3;
    hold[4 * it + 2] = t5;
    hold[4 * it + 3] = t7;
    ++it;
  }
  fftgen_cluster_arrive();
  fftgen_cluster_wait();
  it = 0;
  #pragma unroll
  for (int kh = 0; kh < 4; kh += 2) {
    float *const py = work0 + 8 * r + 2 * c + 24 * k + 24 * kh;
    const unsigned peer0 = fftgen_map_shared(py, 0);
    const unsigned mbarrier0 = fftgen_map_shared(work0 + 96, 0);
    const unsigned own0 = fftgen_is_own(0);
    fftgen_send(peer0 + 0, hold[4 * it + 0], hold[4 * it + 1], mbarrier0, own0);
    const unsigned peer1 = fftgen_map_shared(py, 1);
    const unsigned mbarrier1 = fftgen_map_shared(work0 + 96, 1);
    const unsigned own1 = fftgen_is_own(1);
    fftgen_send(peer1 + 0, hold[4 * it + 2], hold[4 * it + 3], mbarrier1, own1);
    ++it;
  }
}

/* radix 4, 2 columns after 1 */
static __device__ __forceinline__ void n64_cluster_block_2(float *work0, const float *tw1, const float *tw2,
    const int r) {
  const int q = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  float hold[8];
  const float *const px = work0 + 24 * c + 2 * q;
  const float *const pw = tw2 + 8 * r + 2 * c + 16 * q;
  const float *const pv = tw1 + 8 * r + 2 * c;
  const float2 w0 = *(const float2 *)(pw);
  const float2 x0 = *(const float2 *)(px);
  const float t0 = w0.y * x0.y;
  const float t1 = w0.y * x0.x;
  const float t2 = w0.x * x0.x - t0;
  const float t3 = w0.x * x0.y + t1;
  const float2 v1 = *(const float2 *)(pv + 16);
  const float t4 = w0.y * v1.y;
  const float t5 = w0.x * v1.x - t4;
  const float t6 = w0.x * v1.y;
  const float t7 = w0.y * v1.x + t6;
  const float2 x2 = *(const float2 *)(px + 8);
  const float t8 = t7 * x2.y;
  const float t9 = t7 * x2.x;
  const float t10 = t5 * x2.x - t8;
  const float t11 = t5 * x2.y + t9;
  const float2 v0 = *(const float2 *)(pv);
  const float t12 = w0.y * v0.y;
  const float t13 = w0.x * v0.x - t12;
  const float t14 = w0.x * v0.y;
  const float t15 = w0.y * v0.x + t14;
  const float2 x1 = *(const float2 *)(px + 4);
  const float t16 = t15 * x1.y;
  const float t17 = t15 * x1.x;
  const float t18 = t13 * x1.x - t16;
  const float t19 = t13 * x1.y + t17;
  const float t20 = t15 * v1.y;
  const float t21 = t13 * v1.x - t20;
  const float t22 = t13 * v1.y;
  const float t23 = t15 * v1.x + t22;
  const float2 x3 = *(const float2 *)(px + 12);
  const float t24 = t23 * x3.y;
  const float t25 = t23 * x3.x;
  const float t26 = t21 * x3.x - t24;
  const float t27 = t21 * x3.y + t25;
  const float t28 = t18 + t26;
  const float t29 = t18 - t26;
  const float t30 = t2 + t10;
  const float t31 = t2 - t10;
  const float t32 = t30 + t28;
  const float t33 = t30 - t28;
  const float t34 = t19 + t27;
  const float t35 = t19 - t27;
  const float t36 = t3 + t11;
  const float t37 = t3 - t11;
  const float t38 = t36 + t34;
  hold[0] = t32;
  hold[1] = t38;
  const float t39 = t36 - t34;
  hold[4] = t33;
  hold[5] = t39;
  const float t40 = t31 + t35;
  const float t41 = t31 - t35;
  const float t42 = t37 - t29;
  hold[2] = t40;
  hold[3] = t42;
  const float t43 = t37 + t29;
  hold[6] = t41;
  hold[7] = t43;
  __syncthreads();
  float *const py = work0 + 2 * c + 32 * q;
  *(float2 *)(py) = float2{hold[0], hold[1]};
  *(float2 *)(py + 8) = float2{hold[2], hold[3]};
  *(float2 *)(py + 16) = float2{hold[4], hold[5]};
  *(float2 *)(py + 24) = float2{hold[6], hold[7]};
}

/* radix 2, 4 columns after 4 */
static __device__ __forceinline__ void n64_cluster_block_3(float *out, const float *work0, const float *tw0,
    const int b, const int r) {
  const int k = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  #pragma unroll
  for (int kh = 0; kh < 4; kh += 2) {
    const float *const px = work0 + 2 * c + 8 * k + 8 * kh;
    const float *const pw = tw0 + 2 * k + 2 * kh;
    float *const py = out + 128 * b + 8 * r + 2 * c + 16 * k + 16 * kh;
    const float2 w0 = *(const float2 *)(pw);
    const float2 x1 = *(const float2 *)(px + 32);
    const float t0 = w0.y * x1.y;
    const float t1 = w0.y * x1.x;
    const float t2 = w0.x * x1.x - t0;
    const float t3 = w0.x * x1.y + t1;
    const float2 x0 = *(const float2 *)(px);
    const float t4 = x0.x + t2;
    const float t5 = x0.x - t2;
    const float t6 = x0.y + t3;
    *(float2 *)(py) = float2{t4, t6};
    const float t7 = x0.y - t3;
    *(float2 *)(py + 64) = float2{t5, t7};
  }
}

/* 4 stages, 8 threads a block, clusters of 2 blocks */
static __device__ __forceinline__ void n64_cluster_block_device(const float *__restrict__ in,
    float *__restrict__ out, const float *__restrict__ tw0, const float *__restrict__ tw1,
    const float *__restrict__ tw2, float *local, const unsigned block) {
  float *const work0 = local + 0;
  fftgen_mbarrier_init(work0 + 96, 128);
  const int b = block / 2;
  const int r = block % 2;
  n64_cluster_block_0(in, work0, b, r);
  __syncthreads();
  n64_cluster_block_1(work0, tw0, r);
  __syncthreads();
  fftgen_mbarrier_wait(work0 + 96, 0);
  n64_cluster_block_2(work0, tw1, tw2, r);
  __syncthreads();
  n64_cluster_block_3(out, work0, tw0, b, r);
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(8) n64_cluster_block(const float *__restrict__ in,
    float *__restrict__ out, const float *__restrict__ tw0, const float *__restrict__ tw1,
    const float *__restrict__ tw2) {
  extern __shared__ double2 fftgen_local[];
  n64_cluster_block_device(in, out, tw0, tw1, tw2, (float *)fftgen_local, blockIdx.x);
}

