/* SPDX-License-Identifier: 0BSD
 *
 * n64_sycl: c2c f32 n=64 batch=count[1..1000]
 *
 * Plan: stockham(8,8)
 * Made by: fftgen emit "c2c f32 n=64 batch=count[1..1000]" --target sycl --plan 'stockham(8,8)' --prefix n64_sycl
 * Operations a call: 11264 additions, 1792 multiplications, 3840 fused multiply-adds
 * Bytes moved a call: 23552, and 16384 to and from scratch that stays in cache
 * (counts for the smallest values of run-time parameters)
 * Build: include it in a source for a SYCL 2020 compiler (icpx -fsycl, acpp), C++17, and without fast math.
 * Launch: the manifest beside this file lists grids, arguments and tables. The C++ source beside it
 * launches. Kernels of your own call its kernels: all work-items of a group, with local_bytes of local
 * memory, aligned to 16 bytes, in place of `local`.
 */

#pragma once
#include <sycl/sycl.hpp>

#ifndef FFTGEN_SYCL_WORDS
#define FFTGEN_SYCL_WORDS
struct alignas(8) fftgen_float2 {
  float x, y;
};
struct alignas(16) fftgen_double2 {
  double x, y;
};
inline unsigned fftgen_thread(const sycl::nd_item<1> &item) { return (unsigned)item.get_local_id(0); }
inline unsigned fftgen_block(const sycl::nd_item<1> &item) { return (unsigned)item.get_group(0); }
#endif

/* radix 8, 8 columns after 1 */
static inline __attribute__((always_inline)) void n64_sycl_block_0(const float *in, float *work0, const int b,
    const long long p_count, [[maybe_unused]] const sycl::nd_item<1> &item) {
  const float KP707106781 = 0.707106769f;
  const int g = fftgen_thread(item) / 8;
  const int q = fftgen_thread(item) % 8;
  float *const py = work0 + 18 * q + 144 * g;
  const int ok_x0 = b + g < p_count;
  const float *const px = in + 128 * b + 2 * q + 128 * g;
  const fftgen_float2 x0 = ok_x0 ? *(const fftgen_float2 *)(px) : fftgen_float2{0, 0};
  const fftgen_float2 x1 = ok_x0 ? *(const fftgen_float2 *)(px + 16) : fftgen_float2{0, 0};
  const fftgen_float2 x2 = ok_x0 ? *(const fftgen_float2 *)(px + 32) : fftgen_float2{0, 0};
  const fftgen_float2 x3 = ok_x0 ? *(const fftgen_float2 *)(px + 48) : fftgen_float2{0, 0};
  const fftgen_float2 x4 = ok_x0 ? *(const fftgen_float2 *)(px + 64) : fftgen_float2{0, 0};
  const fftgen_float2 x5 = ok_x0 ? *(const fftgen_float2 *)(px + 80) : fftgen_float2{0, 0};
  const fftgen_float2 x6 = ok_x0 ? *(const fftgen_float2 *)(px + 96) : fftgen_float2{0, 0};
  const fftgen_float2 x7 = ok_x0 ? *(const fftgen_float2 *)(px + 112) : fftgen_float2{0, 0};
  const float t0 = x7.x + x3.x;
  const float t1 = x7.x - x3.x;
  const float t2 = x1.x + x5.x;
  const float t3 = x1.x - x5.x;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float t6 = x2.x + x6.x;
  const float t7 = x2.x - x6.x;
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
  *(fftgen_float2 *)(py) = fftgen_float2{t12, t26};
  const float t27 = t24 - t18;
  *(fftgen_float2 *)(py + 8) = fftgen_float2{t13, t27};
  const float t28 = t11 + t19;
  const float t29 = t11 - t19;
  const float t30 = t25 - t5;
  *(fftgen_float2 *)(py + 4) = fftgen_float2{t28, t30};
  const float t31 = t25 + t5;
  *(fftgen_float2 *)(py + 12) = fftgen_float2{t29, t31};
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
  *(fftgen_float2 *)(py + 2) = fftgen_float2{t40, t46};
  const float t47 = t42 - KP707106781 * t44;
  *(fftgen_float2 *)(py + 10) = fftgen_float2{t41, t47};
  const float t48 = KP707106781 * t45 + t37;
  const float t49 = t37 - KP707106781 * t45;
  const float t50 = t43 - KP707106781 * t39;
  *(fftgen_float2 *)(py + 6) = fftgen_float2{t48, t50};
  const float t51 = KP707106781 * t39 + t43;
  *(fftgen_float2 *)(py + 14) = fftgen_float2{t49, t51};
}

/* radix 8, 8 columns after 8 */
static inline __attribute__((always_inline)) void n64_sycl_block_1(float *out, const float *work0, const float *tw0,
    const int b, const long long p_count, [[maybe_unused]] const sycl::nd_item<1> &item) {
  const float KP707106781 = 0.707106769f;
  const int g = fftgen_thread(item) / 8;
  const int k = fftgen_thread(item) % 8;
  const int bx = k + 64 * g;
  const float *const px = work0 + 2 * (bx + 1 * (bx / 8));
  const float *const pw = tw0 + 2 * k;
  float *const py = out + 128 * b + 2 * k + 128 * g;
  const fftgen_float2 w3 = *(const fftgen_float2 *)(pw + 48);
  const fftgen_float2 x4 = *(const fftgen_float2 *)(px + 72);
  const float t0 = w3.y * x4.y;
  const float t1 = w3.x * x4.x - t0;
  const float t2 = w3.y * x4.x;
  const float t3 = w3.x * x4.y + t2;
  const fftgen_float2 w1 = *(const fftgen_float2 *)(pw + 16);
  const fftgen_float2 x2 = *(const fftgen_float2 *)(px + 36);
  const float t4 = w1.y * x2.y;
  const float t5 = w1.x * x2.x - t4;
  const float t6 = w1.y * x2.x;
  const float t7 = w1.x * x2.y + t6;
  const fftgen_float2 w5 = *(const fftgen_float2 *)(pw + 80);
  const fftgen_float2 x6 = *(const fftgen_float2 *)(px + 108);
  const float t8 = w5.y * x6.y;
  const float t9 = w5.x * x6.x - t8;
  const float t10 = w5.y * x6.x;
  const float t11 = w5.x * x6.y + t10;
  const fftgen_float2 w0 = *(const fftgen_float2 *)(pw);
  const fftgen_float2 x1 = *(const fftgen_float2 *)(px + 18);
  const float t12 = w0.y * x1.y;
  const float t13 = w0.x * x1.x - t12;
  const float t14 = w0.y * x1.x;
  const float t15 = w0.x * x1.y + t14;
  const fftgen_float2 w4 = *(const fftgen_float2 *)(pw + 64);
  const fftgen_float2 x5 = *(const fftgen_float2 *)(px + 90);
  const float t16 = w4.y * x5.y;
  const float t17 = w4.x * x5.x - t16;
  const float t18 = w4.y * x5.x;
  const float t19 = w4.x * x5.y + t18;
  const fftgen_float2 w6 = *(const fftgen_float2 *)(pw + 96);
  const fftgen_float2 x7 = *(const fftgen_float2 *)(px + 126);
  const float t20 = w6.y * x7.y;
  const float t21 = w6.x * x7.x - t20;
  const float t22 = w6.y * x7.x;
  const float t23 = w6.x * x7.y + t22;
  const fftgen_float2 w2 = *(const fftgen_float2 *)(pw + 32);
  const fftgen_float2 x3 = *(const fftgen_float2 *)(px + 54);
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
  const fftgen_float2 x0 = *(const fftgen_float2 *)(px);
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
  const int ok_y0 = b + g < p_count;
  if (ok_y0) {
    *(fftgen_float2 *)(py) = fftgen_float2{t40, t54};
  }
  const float t55 = t52 - t46;
  if (ok_y0) {
    *(fftgen_float2 *)(py + 64) = fftgen_float2{t41, t55};
  }
  const float t56 = t39 + t47;
  const float t57 = t39 - t47;
  const float t58 = t53 - t33;
  if (ok_y0) {
    *(fftgen_float2 *)(py + 32) = fftgen_float2{t56, t58};
  }
  const float t59 = t53 + t33;
  if (ok_y0) {
    *(fftgen_float2 *)(py + 96) = fftgen_float2{t57, t59};
  }
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
  if (ok_y0) {
    *(fftgen_float2 *)(py + 16) = fftgen_float2{t68, t74};
  }
  const float t75 = t70 - KP707106781 * t72;
  if (ok_y0) {
    *(fftgen_float2 *)(py + 80) = fftgen_float2{t69, t75};
  }
  const float t76 = KP707106781 * t73 + t65;
  const float t77 = t65 - KP707106781 * t73;
  const float t78 = t71 - KP707106781 * t67;
  if (ok_y0) {
    *(fftgen_float2 *)(py + 48) = fftgen_float2{t76, t78};
  }
  const float t79 = KP707106781 * t67 + t71;
  if (ok_y0) {
    *(fftgen_float2 *)(py + 112) = fftgen_float2{t77, t79};
  }
}

/* 2 stages, 128 threads a block */
static inline void n64_sycl_block(const float *in, float *out, const float *tw0, const long long p_count,
    [[maybe_unused]] float *local, const sycl::nd_item<1> &item) {
  float *const work0 = local + 0;
  const int b = 16 * fftgen_block(item);
  n64_sycl_block_0(in, work0, b, p_count, item);
  sycl::group_barrier(item.get_group());
  n64_sycl_block_1(out, work0, tw0, b, p_count, item);
}

