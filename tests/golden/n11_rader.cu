/* SPDX-License-Identifier: 0BSD
 *
 * n11_rader: c2c f32 n=11 batch=count[1..65536]
 *
 * Plan: rader(11, stockham(5,2))
 * Made by: fftgen emit "c2c f32 n=11 batch=count[1..65536]" --target cuda --plan 'rader(11, stockham(5,2))' --prefix n11_rader
 * Operations a call: 7544 additions, 2640 multiplications, 7248 fused multiply-adds
 * Bytes moved a call: 20208, and 48608 to and from scratch that stays in cache
 * (counts for the smallest values of run-time parameters)
 * Build: nvcc -arch=sm_90 -cubin, or NVRTC with -arch=sm_90.
 * Launch: the manifest beside this file lists grids, arguments and tables. The C source beside it launches.
 * NAME_device is a function for kernels of your own: all threads of a block call it, with the number of
 * the block in the grid and with local_bytes of shared memory.
 */

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

/* bring 11 points */
static __device__ __forceinline__ void n11_rader_block_0(const float *in, float *work0, const int *log1, const int b,
    const long long p_count) {
  const int g = threadIdx.x / 2;
  const int k = threadIdx.x % 2;
  const int ok_x0 = k < 11 && b + g < p_count;
  const float *const px = in + 22 * b + 2 * k + 22 * g;
  const float2 x0 = fftgen_load_where((const float2 *)(px), ok_x0);
  const int ok_x1 = k + 2 < 11 && b + g < p_count;
  const float2 x1 = fftgen_load_where((const float2 *)(px + 4), ok_x1);
  const int ok_x2 = k + 4 < 11 && b + g < p_count;
  const float2 x2 = fftgen_load_where((const float2 *)(px + 8), ok_x2);
  const int ok_x3 = k + 6 < 11 && b + g < p_count;
  const float2 x3 = fftgen_load_where((const float2 *)(px + 12), ok_x3);
  const int ok_x4 = k + 8 < 11 && b + g < p_count;
  const float2 x4 = fftgen_load_where((const float2 *)(px + 16), ok_x4);
  const int ok_x5 = k + 10 < 11 && b + g < p_count;
  const float2 x5 = fftgen_load_where((const float2 *)(px + 20), ok_x5);
  const int ok_y0 = k < 11;
  int iy0 = k;
  iy0 = ok_y0 ? log1[iy0] : 0;
  iy0 += 11 * g;
  iy0 *= 2;
  if (ok_y0) {
    *(float2 *)(work0 + iy0) = float2{x0.x, x0.y};
  }
  const int ok_y1 = k + 2 < 11;
  int iy1 = k + 2;
  iy1 = ok_y1 ? log1[iy1] : 0;
  iy1 += 11 * g;
  iy1 *= 2;
  if (ok_y1) {
    *(float2 *)(work0 + iy1) = float2{x1.x, x1.y};
  }
  const int ok_y2 = k + 4 < 11;
  int iy2 = k + 4;
  iy2 = ok_y2 ? log1[iy2] : 0;
  iy2 += 11 * g;
  iy2 *= 2;
  if (ok_y2) {
    *(float2 *)(work0 + iy2) = float2{x2.x, x2.y};
  }
  const int ok_y3 = k + 6 < 11;
  int iy3 = k + 6;
  iy3 = ok_y3 ? log1[iy3] : 0;
  iy3 += 11 * g;
  iy3 *= 2;
  if (ok_y3) {
    *(float2 *)(work0 + iy3) = float2{x3.x, x3.y};
  }
  const int ok_y4 = k + 8 < 11;
  int iy4 = k + 8;
  iy4 = ok_y4 ? log1[iy4] : 0;
  iy4 += 11 * g;
  iy4 *= 2;
  if (ok_y4) {
    *(float2 *)(work0 + iy4) = float2{x4.x, x4.y};
  }
  const int ok_y5 = k + 10 < 11;
  int iy5 = k + 10;
  iy5 = ok_y5 ? log1[iy5] : 0;
  iy5 += 11 * g;
  iy5 *= 2;
  if (ok_y5) {
    *(float2 *)(work0 + iy5) = float2{x5.x, x5.y};
  }
}

/* radix 5, 2 columns after 1 */
static __device__ __forceinline__ void n11_rader_block_1(float *work0) {
  const float KP250000000 = 0.25f;
  const float KP618033989 = 0.618034005f;
  const float KP559016994 = 0.559017003f;
  const float KP951056516 = 0.95105654f;
  const int g = threadIdx.x / 2;
  const int q = threadIdx.x % 2;
  float hold[10];
  const float *const px = work0 + 2 * q + 22 * g;
  const float2 x2 = *(const float2 *)(px + 8);
  const float2 x3 = *(const float2 *)(px + 12);
  const float t0 = x2.x + x3.x;
  const float t1 = x2.x - x3.x;
  const float2 x1 = *(const float2 *)(px + 4);
  const float2 x4 = *(const float2 *)(px + 16);
  const float t2 = x1.x + x4.x;
  const float t3 = x1.x - x4.x;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float2 x0 = *(const float2 *)(px);
  const float t6 = x0.x - KP250000000 * t4;
  const float t7 = x0.x + t4;
  const float t8 = x1.y - x4.y;
  const float t9 = x1.y + x4.y;
  const float t10 = x2.y - x3.y;
  const float t11 = x2.y + x3.y;
  const float t12 = KP618033989 * t10 + t8;
  const float t13 = t10 - KP618033989 * t8;
  const float t14 = KP559016994 * t5 + t6;
  const float t15 = t6 - KP559016994 * t5;
  const float t16 = KP951056516 * t12 + t14;
  const float t17 = t14 - KP951056516 * t12;
  const float t18 = t15 - KP951056516 * t13;
  const float t19 = KP951056516 * t13 + t15;
  const float t20 = t9 + t11;
  const float t21 = t9 - t11;
  const float t22 = x0.y - KP250000000 * t20;
  const float t23 = x0.y + t20;
  hold[0] = t7;
  hold[1] = t23;
  const float t24 = KP618033989 * t1 + t3;
  const float t25 = t1 - KP618033989 * t3;
  const float t26 = KP559016994 * t21 + t22;
  const float t27 = t22 - KP559016994 * t21;
  const float t28 = t26 - KP951056516 * t24;
  hold[2] = t16;
  hold[3] = t28;
  const float t29 = KP951056516 * t24 + t26;
  hold[8] = t17;
  hold[9] = t29;
  const float t30 = KP951056516 * t25 + t27;
  hold[4] = t18;
  hold[5] = t30;
  const float t31 = t27 - KP951056516 * t25;
  hold[6] = t19;
  hold[7] = t31;
  __syncthreads();
  float *const py = work0 + 10 * q + 22 * g;
  *(float2 *)(py) = float2{hold[0], hold[1]};
  *(float2 *)(py + 2) = float2{hold[2], hold[3]};
  *(float2 *)(py + 4) = float2{hold[4], hold[5]};
  *(float2 *)(py + 6) = float2{hold[6], hold[7]};
  *(float2 *)(py + 8) = float2{hold[8], hold[9]};
}

/* radix 2 forward and backward, 5 columns */
static __device__ __forceinline__ void n11_rader_block_2(float *work0, const float *spectrum0, const float *tw3) {
  const int g = threadIdx.x / 5 % 22;
  const int k = threadIdx.x % 5;
  const int t = threadIdx.x;
  if (t < 110) {
    for (int gh = 0; gh < 66; gh += 22) {
      if (g + gh < 64) {
        const float *const px = work0 + 2 * k + 22 * g + 22 * gh;
        const float *const pw = tw3 + 2 * k;
        const float *const pv = spectrum0 + 2 * k;
        float *const py = work0 + 2 * k + 22 * g + 22 * gh;
        float *const pz = work0 + 22 * g + 22 * gh + 20;
        const float2 w0 = *(const float2 *)(pw);
        const float2 x1 = *(const float2 *)(px + 10);
        const float t0 = w0.y * x1.x;
        const float t1 = w0.y * x1.y;
        const float t2 = w0.x * x1.y + t0;
        const float t3 = w0.x * x1.x - t1;
        const float2 x0 = *(const float2 *)(px);
        const float t4 = x0.x + t3;
        const float t5 = x0.x - t3;
        const float2 v0 = *(const float2 *)(pv);
        const float t6 = v0.y * t4;
        const float t7 = x0.y + t2;
        const float t8 = x0.y - t2;
        const float t9 = v0.y * t7;
        const float t10 = v0.x * t4 - t9;
        const float t11 = v0.x * t7 + t6;
        const int ok_u0 = k < 1;
        const float *const pu = work0 + 22 * g + 22 * gh + 20;
        const float2 u0 = ok_u0 ? *(const float2 *)(pu) : float2{0, 0};
        const float t12 = t10 + u0.x;
        const float t13 = u0.x + t4;
        const float2 v1 = *(const float2 *)(pv + 10);
        const float t14 = v1.y * t8;
        const float t15 = v1.x * t5 - t14;
        const float t16 = v1.y * t5;
        const float t17 = v1.x * t8 + t16;
        const float t18 = t11 + u0.y;
        const float t19 = u0.y + t7;
        const int ok_z0 = k < 1;
        if (ok_z0) {
          *(float2 *)(pz) = float2{t13, t19};
        }
        const float t20 = t12 + t15;
        const float t21 = t12 - t15;
        const float t22 = t18 + t17;
        *(float2 *)(py) = float2{t20, t22};
        const float t23 = t18 - t17;
        const float t24 = w0.y * t23;
        const float t25 = w0.x * t21 + t24;
        const float t26 = w0.y * t21;
        const float t27 = w0.x * t23 - t26;
        *(float2 *)(py + 10) = float2{t25, t27};
      }
    }
  }
}

/* radix 5, 2 columns after 1 */
static __device__ __forceinline__ void n11_rader_block_3(float *work0) {
  const float KP250000000 = 0.25f;
  const float KP618033989 = 0.618034005f;
  const float KP559016994 = 0.559017003f;
  const float KP951056516 = 0.95105654f;
  const int g = threadIdx.x / 2;
  const int q = threadIdx.x % 2;
  float hold[10];
  const float *const px = work0 + 10 * q + 22 * g;
  const float2 x2 = *(const float2 *)(px + 4);
  const float2 x3 = *(const float2 *)(px + 6);
  const float t0 = x2.x + x3.x;
  const float t1 = x2.x - x3.x;
  const float2 x1 = *(const float2 *)(px + 2);
  const float2 x4 = *(const float2 *)(px + 8);
  const float t2 = x1.x + x4.x;
  const float t3 = x1.x - x4.x;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float2 x0 = *(const float2 *)(px);
  const float t6 = x0.x - KP250000000 * t4;
  const float t7 = x0.x + t4;
  const float t8 = x1.y - x4.y;
  const float t9 = x1.y + x4.y;
  const float t10 = x2.y - x3.y;
  const float t11 = x2.y + x3.y;
  const float t12 = KP618033989 * t10 + t8;
  const float t13 = t10 - KP618033989 * t8;
  const float t14 = KP559016994 * t5 + t6;
  const float t15 = t6 - KP559016994 * t5;
  const float t16 = t14 - KP951056516 * t12;
  const float t17 = KP951056516 * t12 + t14;
  const float t18 = KP951056516 * t13 + t15;
  const float t19 = t15 - KP951056516 * t13;
  const float t20 = t9 + t11;
  const float t21 = t9 - t11;
  const float t22 = x0.y - KP250000000 * t20;
  const float t23 = x0.y + t20;
  hold[0] = t7;
  hold[1] = t23;
  const float t24 = KP618033989 * t1 + t3;
  const float t25 = t1 - KP618033989 * t3;
  const float t26 = KP559016994 * t21 + t22;
  const float t27 = t22 - KP559016994 * t21;
  const float t28 = KP951056516 * t24 + t26;
  hold[2] = t16;
  hold[3] = t28;
  const float t29 = t26 - KP951056516 * t24;
  hold[8] = t17;
  hold[9] = t29;
  const float t30 = t27 - KP951056516 * t25;
  hold[4] = t18;
  hold[5] = t30;
  const float t31 = KP951056516 * t25 + t27;
  hold[6] = t19;
  hold[7] = t31;
  __syncthreads();
  float *const py = work0 + 2 * q + 22 * g;
  *(float2 *)(py) = float2{hold[0], hold[1]};
  *(float2 *)(py + 4) = float2{hold[2], hold[3]};
  *(float2 *)(py + 8) = float2{hold[4], hold[5]};
  *(float2 *)(py + 12) = float2{hold[6], hold[7]};
  *(float2 *)(py + 16) = float2{hold[8], hold[9]};
}

/* take 11 points */
static __device__ __forceinline__ void n11_rader_block_4(float *out, const float *work0, const int *log2,
    const int b, const long long p_count) {
  const int g = threadIdx.x / 2;
  const int k = threadIdx.x % 2;
  float *const py = out + 22 * b + 2 * k + 22 * g;
  const int ok_x0 = k < 11;
  int ix0 = k;
  ix0 = ok_x0 ? log2[ix0] : 0;
  ix0 += 11 * g;
  ix0 *= 2;
  const float2 x0 = ok_x0 ? *(const float2 *)(work0 + ix0) : float2{0, 0};
  const int ok_y0 = k < 11 && b + g < p_count;
  if (ok_y0) {
    *(float2 *)(py) = float2{x0.x, x0.y};
  }
  const int ok_x1 = k + 2 < 11;
  int ix1 = k + 2;
  ix1 = ok_x1 ? log2[ix1] : 0;
  ix1 += 11 * g;
  ix1 *= 2;
  const float2 x1 = ok_x1 ? *(const float2 *)(work0 + ix1) : float2{0, 0};
  const int ok_y1 = k + 2 < 11 && b + g < p_count;
  if (ok_y1) {
    *(float2 *)(py + 4) = float2{x1.x, x1.y};
  }
  const int ok_x2 = k + 4 < 11;
  int ix2 = k + 4;
  ix2 = ok_x2 ? log2[ix2] : 0;
  ix2 += 11 * g;
  ix2 *= 2;
  const float2 x2 = ok_x2 ? *(const float2 *)(work0 + ix2) : float2{0, 0};
  const int ok_y2 = k + 4 < 11 && b + g < p_count;
  if (ok_y2) {
    *(float2 *)(py + 8) = float2{x2.x, x2.y};
  }
  const int ok_x3 = k + 6 < 11;
  int ix3 = k + 6;
  ix3 = ok_x3 ? log2[ix3] : 0;
  ix3 += 11 * g;
  ix3 *= 2;
  const float2 x3 = ok_x3 ? *(const float2 *)(work0 + ix3) : float2{0, 0};
  const int ok_y3 = k + 6 < 11 && b + g < p_count;
  if (ok_y3) {
    *(float2 *)(py + 12) = float2{x3.x, x3.y};
  }
  const int ok_x4 = k + 8 < 11;
  int ix4 = k + 8;
  ix4 = ok_x4 ? log2[ix4] : 0;
  ix4 += 11 * g;
  ix4 *= 2;
  const float2 x4 = ok_x4 ? *(const float2 *)(work0 + ix4) : float2{0, 0};
  const int ok_y4 = k + 8 < 11 && b + g < p_count;
  if (ok_y4) {
    *(float2 *)(py + 16) = float2{x4.x, x4.y};
  }
  const int ok_x5 = k + 10 < 11;
  int ix5 = k + 10;
  ix5 = ok_x5 ? log2[ix5] : 0;
  ix5 += 11 * g;
  ix5 *= 2;
  const float2 x5 = ok_x5 ? *(const float2 *)(work0 + ix5) : float2{0, 0};
  const int ok_y5 = k + 10 < 11 && b + g < p_count;
  if (ok_y5) {
    *(float2 *)(py + 20) = float2{x5.x, x5.y};
  }
}

/* 5 stages, 128 threads a block */
static __device__ __forceinline__ void n11_rader_block_device(const float *__restrict__ in, float *__restrict__ out,
    const float *__restrict__ spectrum0, const int *__restrict__ log1, const int *__restrict__ log2,
    const float *__restrict__ tw3, const long long p_count, float *local, const unsigned block) {
  float *const work0 = local + 0;
  const int b = 64 * block;
  n11_rader_block_0(in, work0, log1, b, p_count);
  __syncthreads();
  n11_rader_block_1(work0);
  __syncthreads();
  n11_rader_block_2(work0, spectrum0, tw3);
  __syncthreads();
  n11_rader_block_3(work0);
  __syncthreads();
  n11_rader_block_4(out, work0, log2, b, p_count);
}

extern "C" __global__ void __launch_bounds__(128) n11_rader_block(const float *__restrict__ in,
    float *__restrict__ out, const float *__restrict__ spectrum0, const int *__restrict__ log1,
    const int *__restrict__ log2, const float *__restrict__ tw3, const long long p_count) {
  extern __shared__ double2 fftgen_local[];
  n11_rader_block_device(in, out, spectrum0, log1, log2, tw3, p_count, (float *)fftgen_local, blockIdx.x);
}

