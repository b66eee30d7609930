/* SPDX-License-Identifier: 0BSD
 *
 * n64_columns: r2c f32 n=64 batch=count[1..65536]
 *
 * Plan: four-step(direct(8), stockham(4,2))
 * Made by: fftgen emit "r2c f32 n=64 batch=count[1..65536]" --target cuda --plan 'four-step(direct(8), stockham(4,2))' --prefix n64_columns
 * Operations a call: 368 additions, 180 multiplications, 212 fused multiply-adds
 * Bytes moved a call: 1616, and 640 to and from scratch that stays in cache
 * (counts for the smallest values of run-time parameters)
 * Build: nvcc -arch=sm_90 -cubin, or NVRTC with -arch=sm_90.
 * Launch: the manifest beside this file lists grids, arguments and tables. The C source beside it launches.
 * NAME_device is a function for kernels of your own: all threads of a block call it, with the number of
 * the block in the grid and with local_bytes of shared memory.
 */

/* codelet of 8 points, r2c */
static __device__ __forceinline__ void n64_columns_block0_0(const float *in, float *work0, const int b) {
  const float KP707106781 = 0.707106769f;
  const float KP000000000 = 0.0f;
  const int c = threadIdx.x;
  const float *const px = in + 64 * b + c;
  float *const py = work0 + 80 * b + 2 * c;
  const float x0 = px[0];
  const float x1 = px[8];
  const float x2 = px[16];
  const float x3 = px[24];
  const float x4 = px[32];
  const float x5 = px[40];
  const float x6 = px[48];
  const float x7 = px[56];
  const float t0 = x7 + x3;
  const float t1 = x7 - x3;
  const float t2 = x1 + x5;
  const float t3 = x1 - x5;
  const float t4 = t2 + t0;
  const float t5 = t0 - t2;
  const float t6 = x2 + x6;
  const float t7 = x2 - x6;
  const float t8 = x0 + x4;
  const float t9 = x0 - x4;
  const float t10 = t8 + t6;
  const float t11 = t8 - t6;
  *(float2 *)(py + 32) = float2{t11, t5};
  const float t12 = t10 + t4;
  *(float2 *)(py) = float2{t12, KP000000000};
  const float t13 = t10 - t4;
  *(float2 *)(py + 64) = float2{t13, KP000000000};
  const float t14 = t3 + t1;
  const float t15 = t1 - t3;
  const float t16 = KP707106781 * t14 + t9;
  const float t17 = t9 - KP707106781 * t14;
  const float t18 = KP707106781 * t15 - t7;
  *(float2 *)(py + 16) = float2{t16, t18};
  const float t19 = KP707106781 * t15 + t7;
  *(float2 *)(py + 48) = float2{t17, t19};
}

/* 1 stage, 8 threads a block */
static __device__ __forceinline__ void n64_columns_block0_device(const float *__restrict__ in,
    float *__restrict__ work0, const unsigned block) {
  const int b = block;
  n64_columns_block0_0(in, work0, b);
}

extern "C" __global__ void __launch_bounds__(8) n64_columns_block0(const float *__restrict__ in,
    float *__restrict__ work0) {
  n64_columns_block0_device(in, work0, blockIdx.x);
}

/* radix 4, 2 columns after 1 */
static __device__ __forceinline__ void n64_columns_block1_0(const float *work0, float *work1, const float *tw0,
    const float *tw1, const int b) {
  const int c = threadIdx.x / 2;
  const int q = threadIdx.x % 2;
  const float *const px = work0 + 80 * b + 16 * c + 2 * q;
  const float *const pw = tw1 + 2 * c + 10 * q;
  const float *const pv = tw0 + 2 * c;
  const int by = 16 * c + 4 * q;
  float *const py = work1 + 2 * (by + 1 * (by / 8));
  const float2 x0 = *(const float2 *)(px);
  const float2 x1 = *(const float2 *)(px + 4);
  const float2 x2 = *(const float2 *)(px + 8);
  const float2 x3 = *(const float2 *)(px + 12);
  const float2 w0 = *(const float2 *)(pw);
  const float t0 = w0.y * x0.y;
  const float t1 = w0.y * x0.x;
  const float t2 = w0.x * x0.x - t0;
  const float t3 = w0.x * x0.y + t1;
  const float2 v1 = *(const float2 *)(pv + 10);
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
  *(float2 *)(py + 4) = float2{t33, t39};
  const float t40 = t31 + t35;
  const float t41 = t31 - t35;
  const float t42 = t37 - t29;
  *(float2 *)(py + 2) = float2{t40, t42};
  const float t43 = t37 + t29;
  *(float2 *)(py + 6) = float2{t41, t43};
}

/* radix 2, 4 columns after 4 */
static __device__ __forceinline__ void n64_columns_block1_1(float *out, const float *work1, const float *tw2,
    const int b) {
  const int k = threadIdx.x / 5;
  const int c = threadIdx.x % 5;
  #pragma unroll
  for (int kh = 0; kh < 4; kh += 2) {
    const int bx = 16 * c + k + kh;
    const float *const px = work1 + 2 * (bx + 1 * (bx / 8));
    const float *const pw = tw2 + 2 * k + 2 * kh;
    float *const py = out + 66 * b + 2 * c + 16 * k + 16 * kh;
    float *const pz = out + (66 * b - 2 * c - 16 * k - 16 * kh + 64);
    const float2 w0 = *(const float2 *)(pw);
    const float2 x1 = *(const float2 *)(px + 8);
    const float t0 = w0.y * x1.y;
    const float t1 = w0.y * x1.x;
    const float t2 = w0.x * x1.x - t0;
    const float t3 = w0.x * x1.y + t1;
    const float2 x0 = *(const float2 *)(px);
    const float t4 = x0.x + t2;
    const float t5 = x0.x - t2;
    const float t6 = x0.y + t3;
    *(float2 *)(py) = float2{t4, t6};
    const float t7 = t3 - x0.y;
    const int ok_z0 = -8 * c + k + kh < 1 && c < 4;
    if (ok_z0) {
      *(float2 *)(pz) = float2{t5, t7};
    }
  }
}

/* 2 stages, 10 threads a block */
static __device__ __forceinline__ void n64_columns_block1_device(float *__restrict__ out,
    const float *__restrict__ work0, const float *__restrict__ tw0, const float *__restrict__ tw1,
    const float *__restrict__ tw2, float *local, const unsigned block) {
  float *const work1 = local + 0;
  const int b = block;
  n64_columns_block1_0(work0, work1, tw0, tw1, b);
  __syncthreads();
  n64_columns_block1_1(out, work1, tw2, b);
}

extern "C" __global__ void __launch_bounds__(10) n64_columns_block1(float *__restrict__ out,
    const float *__restrict__ work0, const float *__restrict__ tw0, const float *__restrict__ tw1,
    const float *__restrict__ tw2) {
  extern __shared__ double2 fftgen_local[];
  n64_columns_block1_device(out, work0, tw0, tw1, tw2, (float *)fftgen_local, blockIdx.x);
}

