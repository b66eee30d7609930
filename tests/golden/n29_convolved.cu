/* SPDX-License-Identifier: 0BSD
 *
 * n29_convolved: c2c f32 n=29 batch=count[1..65536]
 *
 * Plan: bluestein(64, four-step(stockham(4,2), stockham(4,2); cluster=2); separate_buffers=on)
 * Made by: fftgen emit "c2c f32 n=29 batch=count[1..65536]" --target cuda --plan 'bluestein(64, four-step(stockham(4,2), stockham(4,2); cluster=2); separate_buffers=on)' --prefix n29_convolved
 * Operations a call: 1408 additions, 1024 multiplications, 1024 fused multiply-adds
 * Bytes moved a call: 3840, and 6144 to and from scratch that stays in cache
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
/* Predicated, in place of a branch: a thread's loads are issued together. */
static __attribute__((unused)) __device__ __forceinline__ float fftgen_load_where(const float *p, int holds) {
  float x;
  asm volatile("{ .reg .pred q; setp.ne.s32 q, %2, 0; mov.f32 %0, 0f00000000;"
      " @q ld.global.nc.f32 %0, [%1]; }" : "=&f"(x) : "l"(p), "r"(holds));
  return x;
}
static __attribute__((unused)) __device__ __forceinline__ float2 fftgen_load_where(const float2 *p, int holds) {
  float x, y;
  asm volatile("{ .reg .pred q; setp.ne.s32 q, %3, 0; mov.f32 %0, 0f00000000; mov.f32 %1, 0f00000000;"
      " @q ld.global.nc.v2.f32 {%0, %1}, [%2]; }"
      : "=&f"(x), "=&f"(y) : "l"(p), "r"(holds));
  return float2{x, y};
}

/* radix 4, 2 columns after 1 */
static __device__ __forceinline__ void n29_convolved_block_0(const float *in, const float *chirp0, float *work2,
    const int b, const int t) {
  const int q = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  const float *const pw = chirp0 + 8 * t + 2 * c + 16 * q;
  float *const py = work2 + 2 * c + 32 * q;
  const int ok_x0 = 4 * t + c + 8 * q < 29;
  const float *const px = in + 58 * b + 8 * t + 2 * c + 16 * q;
  const float2 x0 = fftgen_load_where((const float2 *)(px), ok_x0);
  const int ok_x1 = 4 * t + c + 8 * q + 16 < 29;
  const float2 x1 = fftgen_load_where((const float2 *)(px + 32), ok_x1);
  const float2 w0 = *(const float2 *)(pw);
  const float t0 = w0.y * x0.y;
  const float t1 = w0.y * x0.x;
  const float2 w1 = *(const float2 *)(pw + 32);
  const float t2 = w1.y * x1.y;
  const float t3 = w1.y * x1.x;
  const float t4 = w0.x * x0.x - t0;
  const float t5 = w0.x * x0.y + t1;
  const float t6 = w1.x * x1.x - t2;
  const float t7 = w1.x * x1.y + t3;
  const float t8 = t4 + t6;
  const float t9 = t5 + t7;
  *(float2 *)(py) = float2{t8, t9};
  const float t10 = t4 + t7;
  const float t11 = t5 - t6;
  *(float2 *)(py + 8) = float2{t10, t11};
  const float t12 = t4 - t6;
  const float t13 = t5 - t7;
  *(float2 *)(py + 16) = float2{t12, t13};
  const float t14 = t5 + t6;
  const float t15 = t4 - t7;
  *(float2 *)(py + 24) = float2{t15, t14};
}

/* radix 2, 4 columns after 4 */
static __device__ __forceinline__ void n29_convolved_block_1(float *work0, const float *work2, const float *tw2,
    const int t) {
  const int k = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  #pragma unroll
  for (int kh = 0; kh < 4; kh += 2) {
    const float *const px = work2 + 2 * c + 8 * k + 8 * kh;
    const float *const pw = tw2 + 2 * k + 2 * kh;
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
    float *const py = work0 + 8 * t + 2 * c + 18 * k + 18 * kh;
    const unsigned peer0 = fftgen_map_shared(py, 0);
    const unsigned mbarrier0 = fftgen_map_shared(work0 + 72, 0);
    const unsigned own0 = fftgen_is_own(0);
    fftgen_send(peer0 + 0, t4, t6, mbarrier0, own0);
    const float t7 = x0.y - t3;
    const unsigned peer1 = fftgen_map_shared(py, 1);
    const unsigned mbarrier1 = fftgen_map_shared(work0 + 72, 1);
    const unsigned own1 = fftgen_is_own(1);
    fftgen_send(peer1 + 0, t5, t7, mbarrier1, own1);
  }
}

/* radix 4, 2 columns after 1 */
static __device__ __forceinline__ void n29_convolved_block_2(const float *work0, float *work2, const float *tw3,
    const float *tw4, const int t) {
  const int q = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  const float *const px = work0 + 18 * c + 2 * q;
  const float *const pw = tw4 + 8 * t + 2 * c + 16 * q;
  const float *const pv = tw3 + 8 * t + 2 * c;
  float *const py = work2 + 2 * c + 32 * q;
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
  *(float2 *)(py) = float2{t32, t38};
  const float t39 = t36 - t34;
  *(float2 *)(py + 16) = float2{t33, t39};
  const float t40 = t31 + t35;
  const float t41 = t31 - t35;
  const float t42 = t37 - t29;
  *(float2 *)(py + 8) = float2{t40, t42};
  const float t43 = t37 + t29;
  *(float2 *)(py + 24) = float2{t41, t43};
}

/* radix 2 forward and backward, 4 columns */
static __device__ __forceinline__ void n29_convolved_block_3(const float *chirp1, float *work2, const float *tw2,
    const int t) {
  const int k = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  for (int kh = 0; kh < 4; kh += 2) {
    const float *const px = work2 + 2 * c + 8 * k + 8 * kh;
    const float *const pw = tw2 + 2 * k + 2 * kh;
    const float *const pv = chirp1 + 8 * t + 2 * c + 16 * k + 16 * kh;
    float *const py = work2 + 2 * c + 8 * k + 8 * kh;
    const float2 w0 = *(const float2 *)(pw);
    const float2 x1 = *(const float2 *)(px + 32);
    const float t0 = w0.y * x1.x;
    const float t1 = w0.y * x1.y;
    const float t2 = w0.x * x1.y + t0;
    const float t3 = w0.x * x1.x - t1;
    const float2 x0 = *(const float2 *)(px);
    const float t4 = x0.x + t3;
    const float t5 = x0.x - t3;
    const float t6 = x0.y + t2;
    const float t7 = x0.y - t2;
    const float2 v0 = *(const float2 *)(pv);
    const float t8 = v0.y * t6;
    const float t9 = v0.x * t4 - t8;
    const float t10 = v0.y * t4;
    const float t11 = v0.x * t6 + t10;
    const float2 v1 = *(const float2 *)(pv + 64);
    const float t12 = v1.y * t7;
    const float t13 = v1.x * t5 - t12;
    const float t14 = v1.y * t5;
    const float t15 = v1.x * t7 + t14;
    const float t16 = t9 + t13;
    const float t17 = t9 - t13;
    const float t18 = t11 + t15;
    *(float2 *)(py) = float2{t16, t18};
    const float t19 = t11 - t15;
    const float t20 = w0.y * t19;
    const float t21 = w0.x * t17 + t20;
    const float t22 = w0.y * t17;
    const float t23 = w0.x * t19 - t22;
    *(float2 *)(py + 32) = float2{t21, t23};
  }
}

/* radix 4, 2 columns after 1 */
static __device__ __forceinline__ void n29_convolved_block_4(float *work0, const float *work2, const float *tw5,
    const float *tw6, const int t) {
  const int q = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  const float *const px = work2 + 2 * c + 32 * q;
  const float *const pw = tw6 + 8 * t + 2 * c + 16 * q;
  const float *const pv = tw5 + 8 * t + 2 * c;
  const float2 x1 = *(const float2 *)(px + 8);
  const float2 x3 = *(const float2 *)(px + 24);
  const float t0 = x1.x + x3.x;
  const float t1 = x1.x - x3.x;
  const float2 x0 = *(const float2 *)(px);
  const float2 x2 = *(const float2 *)(px + 16);
  const float t2 = x0.x + x2.x;
  const float t3 = x0.x - x2.x;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float t6 = x1.y + x3.y;
  const float t7 = x1.y - x3.y;
  const float t8 = x0.y + x2.y;
  const float t9 = x0.y - x2.y;
  const float t10 = t8 + t6;
  const float t11 = t8 - t6;
  const float2 w0 = *(const float2 *)(pw);
  const float t12 = w0.y * t10;
  const float t13 = w0.x * t4 - t12;
  const float t14 = w0.y * t4;
  const float t15 = w0.x * t10 + t14;
  float *const py = work0 + 8 * t + 2 * c + 18 * q;
  const unsigned peer0 = fftgen_map_shared(py, 0);
  const unsigned mbarrier0 = fftgen_map_shared(work0 + 72, 0);
  const unsigned own0 = fftgen_is_own(0);
  fftgen_send(peer0 + 0, t13, t15, mbarrier0, own0);
  const float2 v1 = *(const float2 *)(pv + 16);
  const float t16 = w0.y * v1.y;
  const float t17 = w0.x * v1.x - t16;
  const float t18 = w0.x * v1.y;
  const float t19 = w0.y * v1.x + t18;
  const float t20 = t19 * t11;
  const float t21 = t17 * t5 - t20;
  const float t22 = t19 * t5;
  const float t23 = t17 * t11 + t22;
  const unsigned peer1 = fftgen_map_shared(py, 1);
  const unsigned mbarrier1 = fftgen_map_shared(work0 + 72, 1);
  const unsigned own1 = fftgen_is_own(1);
  fftgen_send(peer1 + 0, t21, t23, mbarrier1, own1);
  const float t24 = t3 - t7;
  const float t25 = t3 + t7;
  const float t26 = t9 + t1;
  const float t27 = t9 - t1;
  const float2 v0 = *(const float2 *)(pv);
  const float t28 = w0.y * v0.y;
  const float t29 = w0.x * v0.x - t28;
  const float t30 = w0.x * v0.y;
  const float t31 = w0.y * v0.x + t30;
  const float t32 = t31 * t26;
  const float t33 = t29 * t24 - t32;
  const float t34 = t31 * t24;
  const float t35 = t29 * t26 + t34;
  fftgen_send(peer0 + 144, t33, t35, mbarrier0, own0);
  const float t36 = t31 * v1.y;
  const float t37 = t29 * v1.x - t36;
  const float t38 = t29 * v1.y;
  const float t39 = t31 * v1.x + t38;
  const float t40 = t39 * t27;
  const float t41 = t37 * t25 - t40;
  const float t42 = t39 * t25;
  const float t43 = t37 * t27 + t42;
  fftgen_send(peer1 + 144, t41, t43, mbarrier1, own1);
}

/* radix 2, 4 columns after 4 */
static __device__ __forceinline__ void n29_convolved_block_5(const float *work0, float *work2, const float *tw7) {
  const int k = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  #pragma unroll
  for (int kh = 0; kh < 4; kh += 2) {
    const float *const px = work0 + 18 * c + 2 * k + 2 * kh;
    const float *const pw = tw7 + 2 * k + 2 * kh;
    float *const py = work2 + 2 * c + 8 * k + 8 * kh;
    const float2 x0 = *(const float2 *)(px);
    const float2 x1 = *(const float2 *)(px + 8);
    const float t0 = x0.x + x1.x;
    const float t1 = x0.x - x1.x;
    const float t2 = x0.y + x1.y;
    *(float2 *)(py) = float2{t0, t2};
    const float t3 = x0.y - x1.y;
    const float2 w0 = *(const float2 *)(pw);
    const float t4 = w0.y * t3;
    const float t5 = w0.y * t1;
    const float t6 = w0.x * t1 - t4;
    const float t7 = w0.x * t3 + t5;
    *(float2 *)(py + 32) = float2{t6, t7};
  }
}

/* radix 4, 2 columns after 1 */
static __device__ __forceinline__ void n29_convolved_block_6(float *out, const float *chirp0, const float *work2,
    const int b, const int t) {
  const int q = threadIdx.x / 4;
  const int c = threadIdx.x % 4;
  const float *const px = work2 + 2 * c + 32 * q;
  const float *const pw = chirp0 + 8 * t + 2 * c + 16 * q;
  float *const py = out + 58 * b + 8 * t + 2 * c + 16 * q;
  const float2 x1 = *(const float2 *)(px + 8);
  const float2 x3 = *(const float2 *)(px + 24);
  const float t0 = x1.x + x3.x;
  const float t1 = x1.x - x3.x;
  const float2 x0 = *(const float2 *)(px);
  const float2 x2 = *(const float2 *)(px + 16);
  const float t2 = x0.x + x2.x;
  const float t3 = x0.x - x2.x;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float t6 = x1.y + x3.y;
  const float t7 = x1.y - x3.y;
  const float t8 = x0.y + x2.y;
  const float t9 = x0.y - x2.y;
  const float t10 = t8 + t6;
  const float t11 = t8 - t6;
  const float2 w0 = *(const float2 *)(pw);
  const float t12 = w0.y * t10;
  const float t13 = w0.x * t4 - t12;
  const float t14 = w0.y * t4;
  const float t15 = w0.x * t10 + t14;
  const int ok_y0 = 4 * t + c + 8 * q < 29;
  if (ok_y0) {
    *(float2 *)(py) = float2{t13, t15};
  }
  const float2 w2 = *(const float2 *)(pw + 64);
  const float t16 = w2.y * t11;
  const float t17 = w2.x * t5 - t16;
  const float t18 = w2.y * t5;
  const float t19 = w2.x * t11 + t18;
  const int ok_y2 = 4 * t + c + 8 * q + 32 < 29;
  if (ok_y2) {
    *(float2 *)(py + 64) = float2{t17, t19};
  }
  const float t20 = t3 - t7;
  const float t21 = t3 + t7;
  const float t22 = t9 + t1;
  const float t23 = t9 - t1;
  const float2 w1 = *(const float2 *)(pw + 32);
  const float t24 = w1.y * t22;
  const float t25 = w1.x * t20 - t24;
  const float t26 = w1.y * t20;
  const float t27 = w1.x * t22 + t26;
  const int ok_y1 = 4 * t + c + 8 * q + 16 < 29;
  if (ok_y1) {
    *(float2 *)(py + 32) = float2{t25, t27};
  }
  const float2 w3 = *(const float2 *)(pw + 96);
  const float t28 = w3.y * t23;
  const float t29 = w3.x * t21 - t28;
  const float t30 = w3.y * t21;
  const float t31 = w3.x * t23 + t30;
  const int ok_y3 = 4 * t + c + 8 * q + 48 < 29;
  if (ok_y3) {
    *(float2 *)(py + 96) = float2{t29, t31};
  }
}

/* 7 stages, 8 threads a block, clusters of 2 blocks */
static __device__ __forceinline__ void n29_convolved_block_device(const float *__restrict__ in,
    float *__restrict__ out, const float *__restrict__ chirp0, const float *__restrict__ chirp1,
    const float *__restrict__ tw2, const float *__restrict__ tw3, const float *__restrict__ tw4,
    const float *__restrict__ tw5, const float *__restrict__ tw6, const float *__restrict__ tw7, float *local,
    const unsigned block) {
  float *const work0 = local + 0;
  float *const work2 = local + 76;
  fftgen_mbarrier_init(work0 + 72, 128);
  fftgen_cluster_arrive();
  const int b = block / 2;
  const int t = block % 2;
  n29_convolved_block_0(in, chirp0, work2, b, t);
  __syncthreads();
  fftgen_cluster_wait();
  n29_convolved_block_1(work0, work2, tw2, t);
  __syncthreads();
  fftgen_mbarrier_wait(work0 + 72, 0);
  fftgen_mbarrier_expect(work0 + 72, 128);
  __syncthreads();
  n29_convolved_block_2(work0, work2, tw3, tw4, t);
  fftgen_cluster_arrive();
  __syncthreads();
  n29_convolved_block_3(chirp1, work2, tw2, t);
  __syncthreads();
  fftgen_cluster_wait();
  n29_convolved_block_4(work0, work2, tw5, tw6, t);
  __syncthreads();
  fftgen_mbarrier_wait(work0 + 72, 1);
  __syncthreads();
  n29_convolved_block_5(work0, work2, tw7);
  __syncthreads();
  n29_convolved_block_6(out, chirp0, work2, b, t);
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(8) n29_convolved_block(const float *__restrict__ in,
    float *__restrict__ out, const float *__restrict__ chirp0, const float *__restrict__ chirp1,
    const float *__restrict__ tw2, const float *__restrict__ tw3, const float *__restrict__ tw4,
    const float *__restrict__ tw5, const float *__restrict__ tw6, const float *__restrict__ tw7) {
  extern __shared__ double2 fftgen_local[];
  n29_convolved_block_device(in, out, chirp0, chirp1, tw2, tw3, tw4, tw5, tw6, tw7, (float *)fftgen_local,
      blockIdx.x);
}

