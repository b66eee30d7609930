/* SPDX-License-Identifier: 0BSD
 *
 * n64_bulk: c2c f32 n=64 batch=count[1..65536]
 *
 * Plan: stockham(8,8; group=2, bulk=both, persistent=4)
 * Made by: fftgen emit "c2c f32 n=64 batch=count[1..65536]" --target cuda --plan 'stockham(8,8; group=2, bulk=both, persistent=4)' --prefix n64_bulk
 * Operations a call: 1408 additions, 224 multiplications, 480 fused multiply-adds
 * Bytes moved a call: 2944, and 6144 to and from scratch that stays in cache
 * (counts for the smallest values of run-time parameters)
 * Build: nvcc -arch=sm_90 -cubin, or NVRTC with -arch=sm_90.
 * Launch: the manifest beside this file lists grids, arguments and tables. The C source beside it launches.
 * NAME_device is a function for kernels of your own: all threads of a block call it, with the number of
 * the block in the grid and with local_bytes of shared memory.
 */

/* Bulk copies: compute capability 9.0. */
static __device__ __forceinline__ unsigned fftgen_shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
static __attribute__((unused)) __device__ __forceinline__ void fftgen_bulk_init(const void *mbarrier) {
  if (threadIdx.x) return;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(fftgen_shared_address(mbarrier)), "r"(blockDim.x < 32 ? blockDim.x : 32) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
static __attribute__((unused)) __device__ __forceinline__ void fftgen_bulk_invalidate(const void *mbarrier) {
  if (!threadIdx.x) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(fftgen_shared_address(mbarrier)) : "memory");
}
static __device__ __forceinline__ unsigned fftgen_opaque_zero() {
  unsigned zero;
  asm volatile("mov.u32 %0, 0;" : "=r"(zero));
  return zero;
}
/* Shared memory at the same offset from a multiple of 16 bytes as the array's tile. */
template <class T> static __device__ __forceinline__ T *fftgen_bulk_destination(T *shared, const T *array) {
  return (T *)((char *)shared + ((unsigned long long)array & 15));
}
struct fftgen_bulk_parts { /* reals of a tile: all, before the first multiple of 16 bytes, in whole pieces of 16 */
  unsigned count, head, body;
};
template <class T> static __device__ __forceinline__ fftgen_bulk_parts fftgen_split_bulk(const T *part, unsigned unit, long long left) {
  fftgen_bulk_parts c;
  c.count = left < unit ? (unsigned)left : unit;
  c.head = (unsigned)(-(unsigned long long)part & 15) / sizeof(T);
  if (c.head > c.count) c.head = c.count;
  c.body = (unsigned)((c.count - c.head) * sizeof(T)) / 16 * 16 / sizeof(T);
  return c;
}
template <class T>
static __device__ __forceinline__ void fftgen_bulk_load(T *shared, const T *array, unsigned number, unsigned unit, long long all, const void *mbarrier) {
  const unsigned step = blockDim.x < 32 ? blockDim.x : 32;
  if (threadIdx.x >= 32) return;
  const T *from = array + (long long)unit * number;
  T *to = fftgen_bulk_destination(shared, from);
  const fftgen_bulk_parts c = fftgen_split_bulk(from, unit, all - (long long)unit * number);
  const unsigned bytes = c.body * (unsigned)sizeof(T), at = fftgen_shared_address(mbarrier);
  if (!threadIdx.x && bytes) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(fftgen_shared_address(to + c.head)), "l"(from + c.head), "r"(bytes), "r"(at) : "memory");
  }
  for (unsigned i = threadIdx.x; i < c.head; i += step) to[i] = from[i];
  for (unsigned i = c.head + c.body + threadIdx.x; i < unit; i += step) to[i] = i < c.count ? from[i] : (T)0;
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory");
}
static __device__ __forceinline__ void fftgen_bulk_wait(const void *mbarrier, unsigned phase) {
  asm volatile("{ .reg .pred p; retry_%=: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra retry_%=; }" ::"r"(fftgen_shared_address(mbarrier)), "r"(phase) : "memory");
}
static __device__ __forceinline__ void fftgen_async_fence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
template <class T>
static __device__ __forceinline__ void fftgen_bulk_store(const T *shared, T *array, unsigned number, unsigned unit, long long all) {
  const unsigned step = blockDim.x < 32 ? blockDim.x : 32;
  if (threadIdx.x >= 32) return;
  T *to = array + (long long)unit * number;
  const fftgen_bulk_parts c = fftgen_split_bulk(to, unit, all - (long long)unit * number);
  for (unsigned i = threadIdx.x; i < c.head; i += step) to[i] = shared[i];
  for (unsigned i = c.head + c.body + threadIdx.x; i < c.count; i += step) to[i] = shared[i];
  if (threadIdx.x || !c.body) return;
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to + c.head), "r"(fftgen_shared_address(shared + c.head)), "r"((unsigned)(c.body * sizeof(T))) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
static __device__ __forceinline__ void fftgen_bulk_drain() {
  if (!threadIdx.x) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

/* radix 8, 8 columns after 1 */
static __device__ __forceinline__ void n64_bulk_block_1(float *work0, const float *in_tile) {
  const float KP707106781 = 0.707106769f;
  const int g = threadIdx.x / 8;
  const int q = threadIdx.x % 8;
  const float *const px = in_tile + 2 * q + 128 * g;
  float *const py = work0 + 18 * q + 144 * g;
  const float2 x7 = *(const float2 *)(px + 112);
  const float2 x3 = *(const float2 *)(px + 48);
  const float t0 = x7.x + x3.x;
  const float t1 = x7.x - x3.x;
  const float2 x1 = *(const float2 *)(px + 16);
  const float2 x5 = *(const float2 *)(px + 80);
  const float t2 = x1.x + x5.x;
  const float t3 = x1.x - x5.x;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float2 x2 = *(const float2 *)(px + 32);
  const float2 x6 = *(const float2 *)(px + 96);
  const float t6 = x2.x + x6.x;
  const float t7 = x2.x - x6.x;
  const float2 x0 = *(const float2 *)(px);
  const float2 x4 = *(const float2 *)(px + 64);
  const float t8 = x0.x + x4.x;
  const float t9 = x0.x - x4.x;
  const float t10 = t8 + t6;
  const float t11 = t8 - t6;
  const float t12 = t10 + t4;
  const float t13 = t10 - t4;
  const float t14 = x7.y + x3.y;
  const float t15 = x7.y - x3.y;
  const float t16 = x1.y + x5.y;
  const float t17 = x1.y - x5.y;
  const float t18 = t16 + t14;
  const float t19 = t16 - t14;
  const float t20 = x2.y + x6.y;
  const float t21 = x2.y - x6.y;
  const float t22 = x0.y + x4.y;
  const float t23 = x0.y - x4.y;
  const float t24 = t22 + t20;
  const float t25 = t22 - t20;
  const float t26 = t24 + t18;
  *(float2 *)(py) = float2{t12, t26};
  const float t27 = t24 - t18;
  *(float2 *)(py + 8) = float2{t13, t27};
  const float t28 = t11 + t19;
  const float t29 = t11 - t19;
  const float t30 = t25 - t5;
  *(float2 *)(py + 4) = float2{t28, t30};
  const float t31 = t25 + t5;
  *(float2 *)(py + 12) = float2{t29, t31};
  const float t32 = t3 + t17;
  const float t33 = t17 - t3;
  const float t34 = t1 - t15;
  const float t35 = t15 + t1;
  const float t36 = t9 + t21;
  const float t37 = t9 - t21;
  const float t38 = t32 + t34;
  const float t39 = t32 - t34;
  const float t40 = KP707106781 * t38 + t36;
  const float t41 = t36 - KP707106781 * t38;
  const float t42 = t23 - t7;
  const float t43 = t23 + t7;
  const float t44 = t33 + t35;
  const float t45 = t33 - t35;
  const float t46 = KP707106781 * t44 + t42;
  *(float2 *)(py + 2) = float2{t40, t46};
  const float t47 = t42 - KP707106781 * t44;
  *(float2 *)(py + 10) = float2{t41, t47};
  const float t48 = KP707106781 * t45 + t37;
  const float t49 = t37 - KP707106781 * t45;
  const float t50 = t43 - KP707106781 * t39;
  *(float2 *)(py + 6) = float2{t48, t50};
  const float t51 = KP707106781 * t39 + t43;
  *(float2 *)(py + 14) = float2{t49, t51};
}

/* radix 8, 8 columns after 8 */
static __device__ __forceinline__ void n64_bulk_block_2(float *work0, const float *tw0) {
  const float KP707106781 = 0.707106769f;
  const int g = threadIdx.x / 8;
  const int k = threadIdx.x % 8;
  float hold[16];
  const int bx = k + 64 * g;
  const float *const px = work0 + 2 * (bx + 1 * (bx / 8));
  const float *const pw = tw0 + 2 * k;
  const float2 w3 = *(const float2 *)(pw + 48);
  const float2 x4 = *(const float2 *)(px + 72);
  const float t0 = w3.y * x4.y;
  const float t1 = w3.x * x4.x - t0;
  const float t2 = w3.y * x4.x;
  const float t3 = w3.x * x4.y + t2;
  const float2 w1 = *(const float2 *)(pw + 16);
  const float2 x2 = *(const float2 *)(px + 36);
  const float t4 = w1.y * x2.y;
  const float t5 = w1.x * x2.x - t4;
  const float t6 = w1.y * x2.x;
  const float t7 = w1.x * x2.y + t6;
  const float2 w5 = *(const float2 *)(pw + 80);
  const float2 x6 = *(const float2 *)(px + 108);
  const float t8 = w5.y * x6.y;
  const float t9 = w5.x * x6.x - t8;
  const float t10 = w5.y * x6.x;
  const float t11 = w5.x * x6.y + t10;
  const float2 w0 = *(const float2 *)(pw);
  const float2 x1 = *(const float2 *)(px + 18);
  const float t12 = w0.y * x1.y;
  const float t13 = w0.x * x1.x - t12;
  const float t14 = w0.y * x1.x;
  const float t15 = w0.x * x1.y + t14;
  const float2 w4 = *(const float2 *)(pw + 64);
  const float2 x5 = *(const float2 *)(px + 90);
  const float t16 = w4.y * x5.y;
  const float t17 = w4.x * x5.x - t16;
  const float t18 = w4.y * x5.x;
  const float t19 = w4.x * x5.y + t18;
  const float2 w6 = *(const float2 *)(pw + 96);
  const float2 x7 = *(const float2 *)(px + 126);
  const float t20 = w6.y * x7.y;
  const float t21 = w6.x * x7.x - t20;
  const float t22 = w6.y * x7.x;
  const float t23 = w6.x * x7.y + t22;
  const float2 w2 = *(const float2 *)(pw + 32);
  const float2 x3 = *(const float2 *)(px + 54);
  const float t24 = w2.y * x3.y;
  const float t25 = w2.x * x3.x - t24;
  const float t26 = w2.y * x3.x;
  const float t27 = w2.x * x3.y + t26;
  const float t28 = t21 + t25;
  const float t29 = t21 - t25;
  const float t30 = t13 + t17;
  const float t31 = t13 - t17;
  const float t32 = t30 + t28;
  const float t33 = t30 - t28;
  const float t34 = t5 + t9;
  const float t35 = t5 - t9;
  const float2 x0 = *(const float2 *)(px);
  const float t36 = x0.x + t1;
  const float t37 = x0.x - t1;
  const float t38 = t36 + t34;
  const float t39 = t36 - t34;
  const float t40 = t38 + t32;
  const float t41 = t38 - t32;
  const float t42 = t23 + t27;
  const float t43 = t23 - t27;
  const float t44 = t15 + t19;
  const float t45 = t15 - t19;
  const float t46 = t44 + t42;
  const float t47 = t44 - t42;
  const float t48 = t7 + t11;
  const float t49 = t7 - t11;
  const float t50 = x0.y + t3;
  const float t51 = x0.y - t3;
  const float t52 = t50 + t48;
  const float t53 = t50 - t48;
  const float t54 = t52 + t46;
  hold[0] = t40;
  hold[1] = t54;
  const float t55 = t52 - t46;
  hold[8] = t41;
  hold[9] = t55;
  const float t56 = t39 + t47;
  const float t57 = t39 - t47;
  const float t58 = t53 - t33;
  hold[4] = t56;
  hold[5] = t58;
  const float t59 = t53 + t33;
  hold[12] = t57;
  hold[13] = t59;
  const float t60 = t31 + t45;
  const float t61 = t45 - t31;
  const float t62 = t29 - t43;
  const float t63 = t43 + t29;
  const float t64 = t37 + t49;
  const float t65 = t37 - t49;
  const float t66 = t60 + t62;
  const float t67 = t60 - t62;
  const float t68 = KP707106781 * t66 + t64;
  const float t69 = t64 - KP707106781 * t66;
  const float t70 = t51 - t35;
  const float t71 = t51 + t35;
  const float t72 = t61 + t63;
  const float t73 = t61 - t63;
  const float t74 = KP707106781 * t72 + t70;
  hold[2] = t68;
  hold[3] = t74;
  const float t75 = t70 - KP707106781 * t72;
  hold[10] = t69;
  hold[11] = t75;
  const float t76 = KP707106781 * t73 + t65;
  const float t77 = t65 - KP707106781 * t73;
  const float t78 = t71 - KP707106781 * t67;
  hold[6] = t76;
  hold[7] = t78;
  const float t79 = KP707106781 * t67 + t71;
  hold[14] = t77;
  hold[15] = t79;
  __syncthreads();
  float *const py = work0 + 2 * k + 128 * g;
  *(float2 *)(py) = float2{hold[0], hold[1]};
  *(float2 *)(py + 16) = float2{hold[2], hold[3]};
  *(float2 *)(py + 32) = float2{hold[4], hold[5]};
  *(float2 *)(py + 48) = float2{hold[6], hold[7]};
  *(float2 *)(py + 64) = float2{hold[8], hold[9]};
  *(float2 *)(py + 80) = float2{hold[10], hold[11]};
  *(float2 *)(py + 96) = float2{hold[12], hold[13]};
  *(float2 *)(py + 112) = float2{hold[14], hold[15]};
}

/* 4 stages, 16 threads a block */
static __device__ __forceinline__ void n64_bulk_block_device(const float *__restrict__ in, float *__restrict__ out,
    const float *__restrict__ tw0, const long long p_count, float *local, const unsigned block) {
  float *const work0_memory = local + 0;
  float *const in_tile_memory = local + 292;
  const void *const mbarrier = local + 552;
  fftgen_bulk_init(mbarrier);
  __syncthreads();
  const unsigned first = block * 4, end = first + 4 < (p_count + 1) / 2 ? first + 4 : (p_count + 1) / 2, step = 1;
  if (first < end) fftgen_bulk_load(in_tile_memory, in, first, 256, 128 * p_count, mbarrier);
  for (unsigned tile = first, phase = 0; tile < end; tile += step, phase ^= 1) {
    const int b = 2 * tile;
    const unsigned zero = fftgen_opaque_zero();
    float *const in_tile = fftgen_bulk_destination(in_tile_memory, in + 256 * (long long)tile);
    float *const work0 = fftgen_bulk_destination(work0_memory, out + 256 * (long long)tile);
    fftgen_bulk_wait(mbarrier, phase);
    n64_bulk_block_1(work0, in_tile);
    fftgen_async_fence();
    __syncthreads();
    if (tile + step < end) fftgen_bulk_load(in_tile_memory, in, tile + step, 256, 128 * p_count, mbarrier);
    n64_bulk_block_2(work0, tw0 + zero);
    fftgen_async_fence();
    __syncthreads();
    fftgen_bulk_store(work0, out, tile, 256, 128 * p_count);
    fftgen_bulk_drain();
    __syncthreads();
  }
  fftgen_bulk_invalidate(mbarrier);
}

extern "C" __global__ void __launch_bounds__(16) n64_bulk_block(const float *__restrict__ in,
    float *__restrict__ out, const float *__restrict__ tw0, const long long p_count) {
  extern __shared__ double2 fftgen_local[];
  n64_bulk_block_device(in, out, tw0, p_count, (float *)fftgen_local, blockIdx.x);
}

