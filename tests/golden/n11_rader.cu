/* SPDX-License-Identifier: 0BSD
 *
 * n11_rader: c2c f32 n=11 batch=count[1..65536]
 *
 * Plan: rader(11, stockham(5,2))
 * Made by: fftgen emit "c2c f32 n=11 batch=count[1..65536]" --target cuda --plan 'rader(11, stockham(5,2))' --prefix n11_rader
 * Operations a call: 7544 additions, 2640 multiplications, 7248 fused multiply-adds
 * Bytes moved a call: 20208, and 48608 to and from scratch that stays in cache
 * (counts with run-time parameters at their lower ends)
 * Build: nvcc -arch=sm_90 -cubin, or NVRTC with -arch=sm_90.
 * Launch: the manifest beside this file has grids, arguments and tables; the C source beside it does it.
 * NAME_device is the same for kernels of your own: all threads of a block call it with the number of
 * the block of the grid that it stands for, and shared memory of local_bytes.
 */

/* copy to the block's memory */
static __device__ __forceinline__ void n11_rader_block_0(const float *__restrict__ in, float *__restrict__ work0,
    const int b, const long long p_count) {
  const int e = threadIdx.x;
  float *const py = work0 + 2 * e;
  const int ok_x0 = e < 704 && e + 11 * b < 11 * p_count;
  const float *const px = in + 2 * e + 22 * b;
  const float2 x0 = ok_x0 ? *(const float2 *)(px) : make_float2(0, 0);
  const int ok_y0 = e < 704;
  if (ok_y0) {
    *(float2 *)(py) = make_float2(x0.x, x0.y);
  }
  const int ok_x1 = e + 128 < 704 && e + 11 * b + 128 < 11 * p_count;
  const float2 x1 = ok_x1 ? *(const float2 *)(px + 256) : make_float2(0, 0);
  const int ok_y1 = e + 128 < 704;
  if (ok_y1) {
    *(float2 *)(py + 256) = make_float2(x1.x, x1.y);
  }
  const int ok_x2 = e + 256 < 704 && e + 11 * b + 256 < 11 * p_count;
  const float2 x2 = ok_x2 ? *(const float2 *)(px + 512) : make_float2(0, 0);
  const int ok_y2 = e + 256 < 704;
  if (ok_y2) {
    *(float2 *)(py + 512) = make_float2(x2.x, x2.y);
  }
  const int ok_x3 = e + 384 < 704 && e + 11 * b + 384 < 11 * p_count;
  const float2 x3 = ok_x3 ? *(const float2 *)(px + 768) : make_float2(0, 0);
  const int ok_y3 = e + 384 < 704;
  if (ok_y3) {
    *(float2 *)(py + 768) = make_float2(x3.x, x3.y);
  }
  const int ok_x4 = e + 512 < 704 && e + 11 * b + 512 < 11 * p_count;
  const float2 x4 = ok_x4 ? *(const float2 *)(px + 1024) : make_float2(0, 0);
  const int ok_y4 = e + 512 < 704;
  if (ok_y4) {
    *(float2 *)(py + 1024) = make_float2(x4.x, x4.y);
  }
  const int ok_x5 = e + 640 < 704 && e + 11 * b + 640 < 11 * p_count;
  const float2 x5 = ok_x5 ? *(const float2 *)(px + 1280) : make_float2(0, 0);
  const int ok_y5 = e + 640 < 704;
  if (ok_y5) {
    *(float2 *)(py + 1280) = make_float2(x5.x, x5.y);
  }
}

/* radix 5, 2 columns after 1 */
static __device__ __forceinline__ void n11_rader_block_1(float *__restrict__ work0, const int *__restrict__ power1) {
  const float KP250000000 = 0.25f;
  const float KP618033989 = 0.618034005f;
  const float KP559016994 = 0.559017003f;
  const float KP951056516 = 0.95105654f;
  const int g = threadIdx.x / 2;
  const int q = threadIdx.x % 2;
  float hold[10];
  int ix2 = q + 4;
  ix2 = power1[ix2];
  ix2 = ix2 + 11 * g;
  ix2 *= 2;
  const float2 x2 = *(const float2 *)(work0 + ix2);
  int ix3 = q + 6;
  ix3 = power1[ix3];
  ix3 = ix3 + 11 * g;
  ix3 *= 2;
  const float2 x3 = *(const float2 *)(work0 + ix3);
  const float t0 = x2.x + x3.x;
  const float t1 = x2.x - x3.x;
  int ix1 = q + 2;
  ix1 = power1[ix1];
  ix1 = ix1 + 11 * g;
  ix1 *= 2;
  const float2 x1 = *(const float2 *)(work0 + ix1);
  int ix4 = q + 8;
  ix4 = power1[ix4];
  ix4 = ix4 + 11 * g;
  ix4 *= 2;
  const float2 x4 = *(const float2 *)(work0 + ix4);
  const float t2 = x1.x + x4.x;
  const float t3 = x1.x - x4.x;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  int ix0 = q;
  ix0 = power1[ix0];
  ix0 = ix0 + 11 * g;
  ix0 *= 2;
  const float2 x0 = *(const float2 *)(work0 + ix0);
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
  float *const py = work0 + 10 * q + 22 * g + 2;
  *(float2 *)(py) = make_float2(hold[0], hold[1]);
  *(float2 *)(py + 2) = make_float2(hold[2], hold[3]);
  *(float2 *)(py + 4) = make_float2(hold[4], hold[5]);
  *(float2 *)(py + 6) = make_float2(hold[6], hold[7]);
  *(float2 *)(py + 8) = make_float2(hold[8], hold[9]);
}

/* radix 2 and back, 5 columns */
static __device__ __forceinline__ void n11_rader_block_2(float *__restrict__ work0,
    const float *__restrict__ spectrum0, const float *__restrict__ tw3) {
  const int g = threadIdx.x / 5 % 22;
  const int k = threadIdx.x % 5;
  const int t = threadIdx.x;
  if (t < 110) {
    for (int gh = 0; gh < 66; gh += 22) {
      if (g + gh < 64) {
        const float *const px = work0 + 2 * k + 22 * g + 22 * gh + 2;
        const float *const pw = tw3 + 2 * k;
        const float *const pv = spectrum0 + 2 * k;
        float *const py = work0 + 2 * k + 22 * g + 22 * gh + 2;
        float *const pz = work0 + 22 * g + 22 * gh;
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
        const float *const pu = work0 + 22 * g + 22 * gh;
        const float2 u0 = ok_u0 ? *(const float2 *)(pu) : make_float2(0, 0);
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
          *(float2 *)(pz) = make_float2(t13, t19);
        }
        const float t20 = t12 + t15;
        const float t21 = t12 - t15;
        const float t22 = t18 + t17;
        *(float2 *)(py) = make_float2(t20, t22);
        const float t23 = t18 - t17;
        const float t24 = w0.y * t23;
        const float t25 = w0.x * t21 + t24;
        const float t26 = w0.y * t21;
        const float t27 = w0.x * t23 - t26;
        *(float2 *)(py + 10) = make_float2(t25, t27);
      }
    }
  }
}

/* radix 5, 2 columns after 1 */
static __device__ __forceinline__ void n11_rader_block_3(float *__restrict__ work0, const int *__restrict__ power2) {
  const float KP250000000 = 0.25f;
  const float KP618033989 = 0.618034005f;
  const float KP559016994 = 0.559017003f;
  const float KP951056516 = 0.95105654f;
  const int g = threadIdx.x / 2;
  const int q = threadIdx.x % 2;
  float hold[10];
  const float *const px = work0 + 10 * q + 22 * g + 2;
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
  int iy0 = q;
  iy0 = power2[iy0];
  iy0 = iy0 + 11 * g;
  iy0 *= 2;
  *(float2 *)(work0 + iy0) = make_float2(hold[0], hold[1]);
  int iy1 = q + 2;
  iy1 = power2[iy1];
  iy1 = iy1 + 11 * g;
  iy1 *= 2;
  *(float2 *)(work0 + iy1) = make_float2(hold[2], hold[3]);
  int iy2 = q + 4;
  iy2 = power2[iy2];
  iy2 = iy2 + 11 * g;
  iy2 *= 2;
  *(float2 *)(work0 + iy2) = make_float2(hold[4], hold[5]);
  int iy3 = q + 6;
  iy3 = power2[iy3];
  iy3 = iy3 + 11 * g;
  iy3 *= 2;
  *(float2 *)(work0 + iy3) = make_float2(hold[6], hold[7]);
  int iy4 = q + 8;
  iy4 = power2[iy4];
  iy4 = iy4 + 11 * g;
  iy4 *= 2;
  *(float2 *)(work0 + iy4) = make_float2(hold[8], hold[9]);
}

/* copy from the block's memory */
static __device__ __forceinline__ void n11_rader_block_4(float *__restrict__ out, const float *__restrict__ work0,
    const int b, const long long p_count) {
  const int e = threadIdx.x;
  float *const py = out + 2 * e + 22 * b;
  const int ok_x0 = e < 704;
  const float *const px = work0 + 2 * e;
  const float2 x0 = ok_x0 ? *(const float2 *)(px) : make_float2(0, 0);
  const int ok_y0 = e < 704 && e + 11 * b < 11 * p_count;
  if (ok_y0) {
    *(float2 *)(py) = make_float2(x0.x, x0.y);
  }
  const int ok_x1 = e + 128 < 704;
  const float2 x1 = ok_x1 ? *(const float2 *)(px + 256) : make_float2(0, 0);
  const int ok_y1 = e + 128 < 704 && e + 11 * b + 128 < 11 * p_count;
  if (ok_y1) {
    *(float2 *)(py + 256) = make_float2(x1.x, x1.y);
  }
  const int ok_x2 = e + 256 < 704;
  const float2 x2 = ok_x2 ? *(const float2 *)(px + 512) : make_float2(0, 0);
  const int ok_y2 = e + 256 < 704 && e + 11 * b + 256 < 11 * p_count;
  if (ok_y2) {
    *(float2 *)(py + 512) = make_float2(x2.x, x2.y);
  }
  const int ok_x3 = e + 384 < 704;
  const float2 x3 = ok_x3 ? *(const float2 *)(px + 768) : make_float2(0, 0);
  const int ok_y3 = e + 384 < 704 && e + 11 * b + 384 < 11 * p_count;
  if (ok_y3) {
    *(float2 *)(py + 768) = make_float2(x3.x, x3.y);
  }
  const int ok_x4 = e + 512 < 704;
  const float2 x4 = ok_x4 ? *(const float2 *)(px + 1024) : make_float2(0, 0);
  const int ok_y4 = e + 512 < 704 && e + 11 * b + 512 < 11 * p_count;
  if (ok_y4) {
    *(float2 *)(py + 1024) = make_float2(x4.x, x4.y);
  }
  const int ok_x5 = e + 640 < 704;
  const float2 x5 = ok_x5 ? *(const float2 *)(px + 1280) : make_float2(0, 0);
  const int ok_y5 = e + 640 < 704 && e + 11 * b + 640 < 11 * p_count;
  if (ok_y5) {
    *(float2 *)(py + 1280) = make_float2(x5.x, x5.y);
  }
}

/* 5 stages, 128 threads a block */
static __device__ __forceinline__ void n11_rader_block_device(const float *__restrict__ in, float *__restrict__ out,
    const float *__restrict__ spectrum0, const int *__restrict__ power1, const int *__restrict__ power2,
    const float *__restrict__ tw3, const long long p_count, float *local, const unsigned block) {
  float *const work0 = local + 0;
  const int b = 64 * (block);
  n11_rader_block_0(in, work0, b, p_count);
  __syncthreads();
  n11_rader_block_1(work0, power1);
  __syncthreads();
  n11_rader_block_2(work0, spectrum0, tw3);
  __syncthreads();
  n11_rader_block_3(work0, power2);
  __syncthreads();
  n11_rader_block_4(out, work0, b, p_count);
}

extern "C" __global__ void __launch_bounds__(128) n11_rader_block(const float *__restrict__ in,
    float *__restrict__ out, const float *__restrict__ spectrum0, const int *__restrict__ power1,
    const int *__restrict__ power2, const float *__restrict__ tw3, const long long p_count) {
  extern __shared__ double2 fftgen_local[];
  n11_rader_block_device(in, out, spectrum0, power1, power2, tw3, p_count, (float *)fftgen_local, blockIdx.x);
}

