/* SPDX-License-Identifier: 0BSD
 *
 * n7_products: c2c f16 n=7 batch=count[1..65536]
 *
 * Plan: direct(7; matrix=on)
 * Made by: fftgen emit "c2c f16 n=7 batch=count[1..65536]" --target cuda --arch sm_90 --plan 'direct(7; matrix=on)' --prefix n7_products
 * Planned for: sm_90, NVIDIA H100 SXM, 80 GB
 * Operations a call: 1024 additions, 0 multiplications, 2048 fused multiply-adds
 * Bytes moved a call: 2048, and 3840 to and from scratch that stays in cache
 * (counts for the smallest values of run-time parameters)
 * Build: nvcc -arch=sm_90 -cubin, or NVRTC with -arch=sm_90.
 * Launch: the manifest beside this file lists grids, arguments and tables. The C source beside it launches.
 * NAME_device is a function for kernels of your own: all threads of a block call it, with the number of
 * the block in the grid and with local_bytes of shared memory.
 */

struct fftgen_fragment8 {
  float v[8];
};
struct fftgen_fragment4 {
  float v[4];
};
static __device__ __forceinline__ unsigned fftgen_two_halves(float low, float high) {
  unsigned x;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(high), "f"(low));
  return x;
}
static __device__ __forceinline__ fftgen_fragment4 fftgen_mma_m16n8k16_f16(const fftgen_fragment8 a, const fftgen_fragment4 b,
    const fftgen_fragment4 c) {
  fftgen_fragment4 d;
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
               : "=f"(d.v[0]), "=f"(d.v[1]), "=f"(d.v[2]), "=f"(d.v[3])
               : "r"(fftgen_two_halves(a.v[0], a.v[1])), "r"(fftgen_two_halves(a.v[2], a.v[3])), "r"(fftgen_two_halves(a.v[4], a.v[5])), "r"(fftgen_two_halves(a.v[6], a.v[7])), "r"(fftgen_two_halves(b.v[0], b.v[1])), "r"(fftgen_two_halves(b.v[2], b.v[3])), "f"(c.v[0]), "f"(c.v[1]), "f"(c.v[2]), "f"(c.v[3]));
  return d;
}
static __device__ __forceinline__ float from_f16(unsigned short h) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
  return (float)f;
}
static __device__ __forceinline__ float2 pair_from_f16(const unsigned short *p) {
  const unsigned packed = *(const unsigned *)p;
  return float2{from_f16((unsigned short)packed), from_f16((unsigned short)(packed >> 16))};
}
static __device__ __forceinline__ unsigned short to_f16(float value) {
  unsigned short h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"((float)value));
  return (unsigned short)h;
}
static __device__ __forceinline__ unsigned packed_f16(float low, float high) {
  return (unsigned)to_f16(low) | (unsigned)to_f16(high) << 16;
}
static __device__ __forceinline__ void pair_to_f16(unsigned short *p, const float2 v) {
  *(unsigned *)p = packed_f16(v.x, v.y);
}

/* copy to shared memory */
static __device__ __forceinline__ void n7_products_block_0(const unsigned short *in, unsigned short *work0,
    const int b, const long long p_count) {
  const int e = threadIdx.x;
  unsigned short *const py = work0 + 2 * e;
  const int ok_x0 = e + 7 * b < 7 * p_count;
  const unsigned short *const px = in + 2 * e + 14 * b;
  const unsigned x0 = ok_x0 ? *(const unsigned *)(px) : 0;
  const int ok_x1 = e + 7 * b + 64 < 7 * p_count;
  const unsigned x1 = ok_x1 ? *(const unsigned *)(px + 128) : 0;
  const int ok_x2 = e + 7 * b + 128 < 7 * p_count;
  const unsigned x2 = ok_x2 ? *(const unsigned *)(px + 256) : 0;
  const int ok_x3 = e + 192 < 224 && e + 7 * b + 192 < 7 * p_count;
  const unsigned x3 = ok_x3 ? *(const unsigned *)(px + 384) : 0;
  *(unsigned *)(py) = x0;
  *(unsigned *)(py + 128) = x1;
  *(unsigned *)(py + 256) = x2;
  const int ok_y3 = e + 192 < 224;
  if (ok_y3) {
    *(unsigned *)(py + 384) = x3;
  }
}

/* 7 points by products of matrices */
static __device__ __forceinline__ void n7_products_block_1(const float *tw0, unsigned short *work0) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int eighth = lane / 4;
  const int q = lane % 4;
  for (int past = 0; past < 2; past += 2) {
    const int first = 32 * (warp / 2) + 2 * (warp % 2) + past;
    const int from0 = 7 * (first + 4 * eighth + 0) + q;
    const int to0 = 7 * (first + 4 * eighth + 0) + 7 - q;
    const int out0_0 = 7 * (first + 8 * q + 0);
    const int out0_1 = 7 * (first + 8 * q + 4);
    const float2 x0 = pair_from_f16(work0 + 2 * from0);
    const float2 u0 = 0 < q ? pair_from_f16(work0 + 2 * to0) : float2{0, 0};
    const float t1 = x0.x + u0.x;
    const float t2 = x0.x - u0.x;
    const float t3 = x0.y + u0.y;
    const float t4 = x0.y - u0.y;
    const fftgen_fragment4 b5 = fftgen_fragment4{t1, 0, 0, 0};
    const fftgen_fragment4 b6 = fftgen_fragment4{t3, 0, 0, 0};
    const fftgen_fragment4 b7 = fftgen_fragment4{t2, 0, 0, 0};
    const fftgen_fragment4 b8 = fftgen_fragment4{t4, 0, 0, 0};
    const int from1 = 7 * (first + 4 * eighth + 1) + q;
    const int to1 = 7 * (first + 4 * eighth + 1) + 7 - q;
    const int out1_0 = 7 * (first + 8 * q + 1);
    const int out1_1 = 7 * (first + 8 * q + 5);
    const float2 x9 = pair_from_f16(work0 + 2 * from1);
    const float2 u9 = 0 < q ? pair_from_f16(work0 + 2 * to1) : float2{0, 0};
    const float t10 = x9.x + u9.x;
    const float t11 = x9.x - u9.x;
    const float t12 = x9.y + u9.y;
    const float t13 = x9.y - u9.y;
    const fftgen_fragment4 b14 = fftgen_fragment4{t10, 0, 0, 0};
    const fftgen_fragment4 b15 = fftgen_fragment4{t12, 0, 0, 0};
    const fftgen_fragment4 b16 = fftgen_fragment4{t11, 0, 0, 0};
    const fftgen_fragment4 b17 = fftgen_fragment4{t13, 0, 0, 0};
    for (int row = 0; row < 16; row += 16) {
      const int k = row + eighth;
      const int root = 4 * k + q;
      const float2 w18 = *(const float2 *)(tw0 + 2 * root);
      const float2 w19 = *(const float2 *)(tw0 + 2 * root + 128);
      const float2 w20 = *(const float2 *)(tw0 + 2 * root + 64);
      const float2 w21 = *(const float2 *)(tw0 + 2 * root + 192);
      const float2 w22 = *(const float2 *)(tw0 + 2 * root + 256);
      const float2 w23 = *(const float2 *)(tw0 + 2 * root + 384);
      const float2 w24 = *(const float2 *)(tw0 + 2 * root + 320);
      const float2 w25 = *(const float2 *)(tw0 + 2 * root + 448);
      const fftgen_fragment8 a26 = fftgen_fragment8{w18.x, w19.x, w20.x, w21.x, w22.x, w23.x, w24.x, w25.x};
      const fftgen_fragment8 a27 = fftgen_fragment8{w18.y, w19.y, w20.y, w21.y, w22.y, w23.y, w24.y, w25.y};
      const fftgen_fragment4 c28 = fftgen_mma_m16n8k16_f16(a26, b5, fftgen_fragment4{0, 0, 0, 0});
      const fftgen_fragment4 c29 = fftgen_mma_m16n8k16_f16(a26, b6, fftgen_fragment4{0, 0, 0, 0});
      const fftgen_fragment4 c30 = fftgen_mma_m16n8k16_f16(a27, b7, fftgen_fragment4{0, 0, 0, 0});
      const fftgen_fragment4 c31 = fftgen_mma_m16n8k16_f16(a27, b8, fftgen_fragment4{0, 0, 0, 0});
      const fftgen_fragment4 c32 = fftgen_mma_m16n8k16_f16(a26, b14, fftgen_fragment4{0, 0, 0, 0});
      const fftgen_fragment4 c33 = fftgen_mma_m16n8k16_f16(a26, b15, fftgen_fragment4{0, 0, 0, 0});
      const fftgen_fragment4 c34 = fftgen_mma_m16n8k16_f16(a27, b16, fftgen_fragment4{0, 0, 0, 0});
      const fftgen_fragment4 c35 = fftgen_mma_m16n8k16_f16(a27, b17, fftgen_fragment4{0, 0, 0, 0});
      const float t36 = c28.v[0] + c31.v[0];
      const float t37 = c29.v[0] - c30.v[0];
      const float t38 = c28.v[0] - c31.v[0];
      const float t39 = c29.v[0] + c30.v[0];
      if (k < 4) {
        pair_to_f16(work0 + 2 * (out0_0 + k), float2{t36, t37});
      }
      if (0 < k && k < 4) {
        pair_to_f16(work0 + 2 * (out0_0 - k) + 14, float2{t38, t39});
      }
      const float t40 = c28.v[1] + c31.v[1];
      const float t41 = c29.v[1] - c30.v[1];
      const float t42 = c28.v[1] - c31.v[1];
      const float t43 = c29.v[1] + c30.v[1];
      if (k < 4) {
        pair_to_f16(work0 + 2 * (out0_1 + k), float2{t40, t41});
      }
      if (0 < k && k < 4) {
        pair_to_f16(work0 + 2 * (out0_1 - k) + 14, float2{t42, t43});
      }
      const float t44 = c28.v[2] + c31.v[2];
      const float t45 = c29.v[2] - c30.v[2];
      const float t46 = c28.v[2] - c31.v[2];
      const float t47 = c29.v[2] + c30.v[2];
      if (k < -4) {
        pair_to_f16(work0 + 2 * (out0_0 + k) + 16, float2{t44, t45});
      }
      if (k < -4) {
        pair_to_f16(work0 + (2 * (out0_0 - k) - 2), float2{t46, t47});
      }
      const float t48 = c28.v[3] + c31.v[3];
      const float t49 = c29.v[3] - c30.v[3];
      const float t50 = c28.v[3] - c31.v[3];
      const float t51 = c29.v[3] + c30.v[3];
      if (k < -4) {
        pair_to_f16(work0 + 2 * (out0_1 + k) + 16, float2{t48, t49});
      }
      if (k < -4) {
        pair_to_f16(work0 + (2 * (out0_1 - k) - 2), float2{t50, t51});
      }
      const float t52 = c32.v[0] + c35.v[0];
      const float t53 = c33.v[0] - c34.v[0];
      const float t54 = c32.v[0] - c35.v[0];
      const float t55 = c33.v[0] + c34.v[0];
      if (k < 4) {
        pair_to_f16(work0 + 2 * (out1_0 + k), float2{t52, t53});
      }
      if (0 < k && k < 4) {
        pair_to_f16(work0 + 2 * (out1_0 - k) + 14, float2{t54, t55});
      }
      const float t56 = c32.v[1] + c35.v[1];
      const float t57 = c33.v[1] - c34.v[1];
      const float t58 = c32.v[1] - c35.v[1];
      const float t59 = c33.v[1] + c34.v[1];
      if (k < 4) {
        pair_to_f16(work0 + 2 * (out1_1 + k), float2{t56, t57});
      }
      if (0 < k && k < 4) {
        pair_to_f16(work0 + 2 * (out1_1 - k) + 14, float2{t58, t59});
      }
      const float t60 = c32.v[2] + c35.v[2];
      const float t61 = c33.v[2] - c34.v[2];
      const float t62 = c32.v[2] - c35.v[2];
      const float t63 = c33.v[2] + c34.v[2];
      if (k < -4) {
        pair_to_f16(work0 + 2 * (out1_0 + k) + 16, float2{t60, t61});
      }
      if (k < -4) {
        pair_to_f16(work0 + (2 * (out1_0 - k) - 2), float2{t62, t63});
      }
      const float t64 = c32.v[3] + c35.v[3];
      const float t65 = c33.v[3] - c34.v[3];
      const float t66 = c32.v[3] - c35.v[3];
      const float t67 = c33.v[3] + c34.v[3];
      if (k < -4) {
        pair_to_f16(work0 + 2 * (out1_1 + k) + 16, float2{t64, t65});
      }
      if (k < -4) {
        pair_to_f16(work0 + (2 * (out1_1 - k) - 2), float2{t66, t67});
      }
    }
  }
}

/* copy from shared memory */
static __device__ __forceinline__ void n7_products_block_2(unsigned short *out, const unsigned short *work0,
    const int b, const long long p_count) {
  const int e = threadIdx.x;
  unsigned short *const py = out + 2 * e + 14 * b;
  const unsigned short *const px = work0 + 2 * e;
  const unsigned x0 = *(const unsigned *)(px);
  const int ok_y0 = e + 7 * b < 7 * p_count;
  if (ok_y0) {
    *(unsigned *)(py) = x0;
  }
  const unsigned x1 = *(const unsigned *)(px + 128);
  const int ok_y1 = e + 7 * b + 64 < 7 * p_count;
  if (ok_y1) {
    *(unsigned *)(py + 128) = x1;
  }
  const unsigned x2 = *(const unsigned *)(px + 256);
  const int ok_y2 = e + 7 * b + 128 < 7 * p_count;
  if (ok_y2) {
    *(unsigned *)(py + 256) = x2;
  }
  const int ok_x3 = e + 192 < 224;
  const unsigned x3 = ok_x3 ? *(const unsigned *)(px + 384) : 0;
  const int ok_y3 = e + 192 < 224 && e + 7 * b + 192 < 7 * p_count;
  if (ok_y3) {
    *(unsigned *)(py + 384) = x3;
  }
}

/* 3 stages, 64 threads a block */
static __device__ __forceinline__ void n7_products_block_device(const unsigned short *__restrict__ in,
    unsigned short *__restrict__ out, const float *__restrict__ tw0, const long long p_count, float *local,
    const unsigned block) {
  unsigned short *const work0 = (unsigned short *)(local + 0);
  const int b = 32 * block;
  n7_products_block_0(in, work0, b, p_count);
  __syncthreads();
  n7_products_block_1(tw0, work0);
  __syncthreads();
  n7_products_block_2(out, work0, b, p_count);
}

extern "C" __global__ void __launch_bounds__(64) n7_products_block(const unsigned short *__restrict__ in,
    unsigned short *__restrict__ out, const float *__restrict__ tw0, const long long p_count) {
  extern __shared__ double2 fftgen_local[];
  n7_products_block_device(in, out, tw0, p_count, (float *)fftgen_local, blockIdx.x);
}

