/* SPDX-License-Identifier: 0BSD
 *
 * n64_queue: c2c f32 n=64 batch=count[1..1000]
 *
 * Plan: four-step(stockham(4,2), stockham(4,2); queue=3, tile=8, rows=8)
 * Made by: fftgen emit "c2c f32 n=64 batch=count[1..1000]" --target cuda --plan 'four-step(stockham(4,2), stockham(4,2); queue=3, tile=8, rows=8)' --prefix n64_queue
 * Operations a call: 768 additions, 352 multiplications, 352 fused multiply-adds
 * Bytes moved a call: 2944, and 2048 to and from scratch that stays in cache
 * (counts for the smallest values of run-time parameters)
 * Build: nvcc -arch=sm_90 -cubin, or NVRTC with -arch=sm_90.
 * Launch: the manifest beside this file lists grids, arguments and tables. The C source beside it launches.
 * NAME_device is a function for kernels of your own: all threads of a block call it, with the number of
 * the block in the grid and with local_bytes of shared memory.
 */

/* Counters that blocks wait for. */
static __device__ __forceinline__ bool fftgen_counter_reached(const unsigned *counter, unsigned count) {
  unsigned now;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(counter) : "memory");
  return now >= count;
}
static __device__ __forceinline__ void fftgen_counter_wait(const unsigned *counter, unsigned count) {
  while (!fftgen_counter_reached(counter, count)) __nanosleep(100);
}
static __device__ __forceinline__ void fftgen_counter_add(unsigned *counter) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}
/* Volatile: addresses that are computed from it are not kept from one item to the next. */
static __attribute__((unused)) __device__ __forceinline__ int fftgen_thread() {
  int thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}
/* Other blocks read it soon: L2 evicts it last. */
static __attribute__((unused)) __device__ __forceinline__ void fftgen_store_evict_last(float2 *p, float2 x) {
  asm volatile("{ .reg .b64 keep; createpolicy.fractional.L2::evict_last.b64 keep, 1.0;"
      " st.global.L2::cache_hint.v2.f32 [%0], {%1, %2}, keep; }" ::"l"(p), "f"(x.x), "f"(x.y) : "memory");
}
static __attribute__((unused)) __device__ __forceinline__ void fftgen_store_evict_last(double2 *p, double2 x) {
  asm volatile("{ .reg .b64 keep; createpolicy.fractional.L2::evict_last.b64 keep, 1.0;"
      " st.global.L2::cache_hint.v2.f64 [%0], {%1, %2}, keep; }" ::"l"(p), "d"(x.x), "d"(x.y) : "memory");
}
/* Read once: L1 does not keep it. */
static __attribute__((unused)) __device__ __forceinline__ float2 fftgen_load_once(const float2 *p) {
  float2 x;
  asm("ld.global.nc.L1::no_allocate.v2.f32 {%0, %1}, [%2];" : "=f"(x.x), "=f"(x.y) : "l"(p));
  return x;
}
static __attribute__((unused)) __device__ __forceinline__ double2 fftgen_load_once(const double2 *p) {
  double2 x;
  asm("ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];" : "=d"(x.x), "=d"(x.y) : "l"(p));
  return x;
}

/* Whether a work item is a tile of the second kernel; `tile`: its number among that kernel's tiles. */
static __device__ __forceinline__ bool n64_queue_second(const unsigned item, const unsigned transforms, unsigned *tile) {
  const unsigned ahead = 1 < transforms * 1 ? 1 : transforms * 1;
  *tile = item;
  if (item < ahead) return false;
  const unsigned position = (item - ahead) % 2, before = position * 1 / 2;
  const bool second = (position + 1) * 1 / 2 > before;
  *tile = (item - ahead) / 2 * 1 + before;
  if (!second) *tile = item - *tile;
  return second;
}

/* radix 4, 2 columns after 1 */
static __device__ __forceinline__ void n64_queue_block0_0(const float *in, float *work1, const int b) {
  const int q = threadIdx.x / 8;
  const int c = threadIdx.x % 8;
  const float *const px = in + 128 * b + 2 * c + 16 * q;
  const int by = 8 * c + 4 * q;
  float *const py = work1 + 2 * (by + 1 * (by / 16));
  const float2 x0 = fftgen_load_once((const float2 *)(px));
  const float2 x1 = fftgen_load_once((const float2 *)(px + 32));
  const float2 x2 = fftgen_load_once((const float2 *)(px + 64));
  const float2 x3 = fftgen_load_once((const float2 *)(px + 96));
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

/* radix 2, 4 columns after 4 */
static __device__ __forceinline__ void n64_queue_block0_1(float *work0, const float *work1, const float *tw0,
    const int s) {
  const int c = threadIdx.x / 4;
  const int k = threadIdx.x % 4;
  #pragma unroll
  for (int ch = 0; ch < 8; ch += 4) {
    const float *const pw = tw0 + 2 * k;
    float *const py = work0 + 16 * ch + 16 * c + 2 * k + 128 * s;
    const float2 w0 = *(const float2 *)(pw);
    int ix1 = 8 * c + k + 8 * ch + 4;
    ix1 += ix1 / 16;
    ix1 *= 2;
    const float2 x1 = *(const float2 *)(work1 + ix1);
    const float t0 = w0.y * x1.y;
    const float t1 = w0.y * x1.x;
    const float t2 = w0.x * x1.x - t0;
    const float t3 = w0.x * x1.y + t1;
    int ix0 = 8 * c + k + 8 * ch;
    ix0 += ix0 / 16;
    ix0 *= 2;
    const float2 x0 = *(const float2 *)(work1 + ix0);
    const float t4 = x0.x + t2;
    const float t5 = x0.x - t2;
    const float t6 = x0.y + t3;
    *(float2 *)(py) = float2{t4, t6};
    const float t7 = x0.y - t3;
    *(float2 *)(py + 8) = float2{t5, t7};
  }
}

/* 2 stages, 16 threads a block */
static __device__ __forceinline__ void n64_queue_block0_device(const float *__restrict__ in,
    float *__restrict__ work0, const float *__restrict__ tw0, float *local, const unsigned block) {
  float *const work1 = local + 0;
  const int b = block;
  const int s = block % 3;
  n64_queue_block0_0(in, work1, b);
  __syncthreads();
  n64_queue_block0_1(work0, work1, tw0, s);
}

/* radix 4, 2 columns after 1 */
static __device__ __forceinline__ void n64_queue_block1_0(const float *work0, float *work2, const float *tw1,
    const float *tw2, const int s) {
  const int q = threadIdx.x / 8;
  const int c = threadIdx.x % 8;
  const float *const px = work0 + 16 * q + 2 * c + 128 * s;
  const float *const pw = tw2 + 2 * c + 16 * q;
  const float *const pv = tw1 + 2 * c;
  float *const py = work2 + 2 * c + 64 * q;
  const float2 x0 = __ldcg((const float2 *)(px));
  const float2 x1 = __ldcg((const float2 *)(px + 32));
  const float2 x2 = __ldcg((const float2 *)(px + 64));
  const float2 x3 = __ldcg((const float2 *)(px + 96));
  const float2 w0 = *(const float2 *)(pw);
  const float t0 = w0.y * x0.y;
  const float t1 = w0.y * x0.x;
  const float t2 = w0.x * x0.x - t0;
  const float t3 = w0.x * x0.y + t1;
  const float2 v1 = *(const float2 *)(pv + 16);
  const float t4 = w0.y * v1.y;
  const float t5 = w0.x * v1.x - t4;
  const float t6 = w0.x * v1.y;
  const float t7 = w0.y * v1.x + t6;
  const float t8 = t7 * x2.y;
  const float t9 = t7 * x2.x;
  const float t10 = t5 * x2.x - t8;
  const float t11 = t5 * x2.y + t9;
  const float2 v0 = *(const float2 *)(pv);
  const float t12 = w0.y * v0.y;
  const float t13 = w0.x * v0.x - t12;
  const float t14 = w0.x * v0.y;
  const float t15 = w0.y * v0.x + t14;
  const float t16 = t15 * x1.y;
  const float t17 = t15 * x1.x;
  const float t18 = t13 * x1.x - t16;
  const float t19 = t13 * x1.y + t17;
  const float t20 = t15 * v1.y;
  const float t21 = t13 * v1.x - t20;
  const float t22 = t13 * v1.y;
  const float t23 = t15 * v1.x + t22;
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
  *(float2 *)(py + 32) = float2{t33, t39};
  const float t40 = t31 + t35;
  const float t41 = t31 - t35;
  const float t42 = t37 - t29;
  *(float2 *)(py + 16) = float2{t40, t42};
  const float t43 = t37 + t29;
  *(float2 *)(py + 48) = float2{t41, t43};
}

/* radix 2, 4 columns after 4 */
static __device__ __forceinline__ void n64_queue_block1_1(float *out, const float *tw0, const float *work2,
    const int b) {
  const int k = threadIdx.x / 8;
  const int c = threadIdx.x % 8;
  #pragma unroll
  for (int kh = 0; kh < 4; kh += 2) {
    const float *const px = work2 + 2 * c + 16 * k + 16 * kh;
    const float *const pw = tw0 + 2 * k + 2 * kh;
    float *const py = out + 128 * b + 2 * c + 16 * k + 16 * kh;
    const float2 w0 = *(const float2 *)(pw);
    const float2 x1 = *(const float2 *)(px + 64);
    const float t0 = w0.y * x1.y;
    const float t1 = w0.y * x1.x;
    const float t2 = w0.x * x1.x - t0;
    const float t3 = w0.x * x1.y + t1;
    const float2 x0 = *(const float2 *)(px);
    const float t4 = x0.x + t2;
    const float t5 = x0.x - t2;
    const float t6 = x0.y + t3;
    __stcs((float2 *)(py), float2{t4, t6});
    const float t7 = x0.y - t3;
    __stcs((float2 *)(py + 64), float2{t5, t7});
  }
}

/* 2 stages, 16 threads a block */
static __device__ __forceinline__ void n64_queue_block1_device(float *__restrict__ out,
    const float *__restrict__ work0, const float *__restrict__ tw0, const float *__restrict__ tw1,
    const float *__restrict__ tw2, float *local, unsigned *freed, const unsigned block) {
  float *const work2 = local + 0;
  const int b = block;
  const int s = block % 3;
  n64_queue_block1_0(work0, work2, tw1, tw2, s);
  __syncthreads();
  if (threadIdx.x == 0) fftgen_counter_add(freed);
  n64_queue_block1_1(out, tw0, work2, b);
}

/* Counters: work items taken; then, for each transform, the finished tiles of each kernel. */
extern "C" __global__ void __launch_bounds__(256) n64_queue_begin(unsigned *queue, const long long p_count) {
  for (unsigned i = threadIdx.x; i < 32 + 2 * (unsigned)p_count; i += 256) queue[i] = 0;
}

/* Persistent blocks take tiles of both kernels. Between the kernels is a ring of 3 transforms. */
extern "C" __global__ void __launch_bounds__(16) n64_queue_queue(const float *__restrict__ in,
    float *__restrict__ out, float *work0, const float *__restrict__ tw0, const float *__restrict__ tw1,
    const float *__restrict__ tw2, unsigned *queue, const long long p_count) {
  extern __shared__ double2 fftgen_local[];
  __shared__ unsigned next;
  const unsigned transforms = (unsigned)p_count;
  const unsigned ahead = 1 < transforms * 1 ? 1 : transforms * 1;
  unsigned *const stored = queue + 32, *const taken = stored + transforms;
  unsigned *finished = nullptr;
  for (;;) {
    unsigned long long zero = 0;
    asm volatile("" : "+l"(zero));
    if (threadIdx.x == 0) next = atomicAdd(queue, 1u);
    __syncthreads();
    const unsigned item = next;
    if (finished && threadIdx.x == 15) fftgen_counter_add(finished);
    if (item >= ahead + transforms * 2) return;
    unsigned tile;
    const bool second = n64_queue_second(item, transforms, &tile);
    const unsigned transform = tile / (second ? 1 : 1);
    if (transform >= transforms) {
      finished = nullptr;
      __syncthreads();
      continue;
    }
    finished = second ? nullptr : stored + transform;
    if (!second) {
      if (threadIdx.x == 0 && transform >= 3) fftgen_counter_wait(taken + transform - 3, 1);
      __syncthreads();
      n64_queue_block0_device(in, work0, tw0 + zero, (float *)fftgen_local, tile);
    } else {
      if (threadIdx.x == 0) fftgen_counter_wait(stored + transform, 1);
      __syncthreads();
      n64_queue_block1_device(out, work0, tw0 + zero, tw1 + zero, tw2 + zero, (float *)fftgen_local,
          taken + transform, tile);
    }
  }
}

