/* SPDX-License-Identifier: 0BSD
 *
 * n64_metal: c2c f32 n=64 batch=count[1..1000]
 *
 * Plan: stockham(8,8; shuffles=off)
 * Made by: fftgen emit "c2c f32 n=64 batch=count[1..1000]" --target metal --plan 'stockham(8,8; shuffles=off)' --prefix n64_metal
 * Operations a call: 11264 additions, 1792 multiplications, 3840 fused multiply-adds
 * Bytes moved a call: 23552, and 16384 to and from scratch that stays in cache
 * (counts for the smallest values of run-time parameters)
 * Build: xcrun metal -O2 -fno-fast-math NAME.metal -o NAME.metallib, or newLibrary with this text and
 * without fast math, Metal 2.2.
 * Launch: the manifest beside this file lists grids, arguments and tables.
 * The C++ source beside it launches.
 */

#include <metal_stdlib>
using namespace metal;

/* radix 8, 8 columns after 1 */
static inline __attribute__((always_inline)) void n64_metal_block_0(device const float *in, threadgroup float *work0,
    const int b, const long p_count, const uint thread_id) {
  const float KP707106781 = 0.707106769f;
  const int g = thread_id / 8;
  const int q = thread_id % 8;
  threadgroup float *const py = work0 + 18 * q + 144 * g;
  const int ok_x0 = b + g < p_count;
  device const float *const px = in + 128 * b + 2 * q + 128 * g;
  const float2 x0 = ok_x0 ? *(device const float2 *)(px) : float2(0, 0);
  const float2 x1 = ok_x0 ? *(device const float2 *)(px + 16) : float2(0, 0);
  const float2 x2 = ok_x0 ? *(device const float2 *)(px + 32) : float2(0, 0);
  const float2 x3 = ok_x0 ? *(device const float2 *)(px + 48) : float2(0, 0);
  const float2 x4 = ok_x0 ? *(device const float2 *)(px + 64) : float2(0, 0);
  const float2 x5 = ok_x0 ? *(device const float2 *)(px + 80) : float2(0, 0);
  const float2 x6 = ok_x0 ? *(device const float2 *)(px + 96) : float2(0, 0);
  const float2 x7 = ok_x0 ? *(device const float2 *)(px + 112) : float2(0, 0);
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
  *(threadgroup float2 *)(py) = float2(t12, t26);
  const float t27 = t24 - t18;
  *(threadgroup float2 *)(py + 8) = float2(t13, t27);
  const float t28 = t11 + t19;
  const float t29 = t11 - t19;
  const float t30 = t25 - t5;
  *(threadgroup float2 *)(py + 4) = float2(t28, t30);
  const float t31 = t25 + t5;
  *(threadgroup float2 *)(py + 12) = float2(t29, t31);
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
  *(threadgroup float2 *)(py + 2) = float2(t40, t46);
  const float t47 = t42 - KP707106781 * t44;
  *(threadgroup float2 *)(py + 10) = float2(t41, t47);
  const float t48 = KP707106781 * t45 + t37;
  const float t49 = t37 - KP707106781 * t45;
  const float t50 = t43 - KP707106781 * t39;
  *(threadgroup float2 *)(py + 6) = float2(t48, t50);
  const float t51 = KP707106781 * t39 + t43;
  *(threadgroup float2 *)(py + 14) = float2(t49, t51);
}

/* radix 8, 8 columns after 8 */
static inline __attribute__((always_inline)) void n64_metal_block_1(device float *out,
    threadgroup const float *work0, device const float *tw0, const int b, const long p_count, const uint thread_id) {
  const float KP707106781 = 0.707106769f;
  const int g = thread_id / 8;
  const int k = thread_id % 8;
  const int bx = k + 64 * g;
  threadgroup const float *const px = work0 + 2 * (bx + 1 * (bx / 8));
  device const float *const pw = tw0 + 2 * k;
  device float *const py = out + 128 * b + 2 * k + 128 * g;
  const float2 w3 = *(device const float2 *)(pw + 48);
  const float2 x4 = *(threadgroup const float2 *)(px + 72);
  const float t0 = w3.y * x4.y;
  const float t1 = w3.x * x4.x - t0;
  const float t2 = w3.y * x4.x;
  const float t3 = w3.x * x4.y + t2;
  const float2 w1 = *(device const float2 *)(pw + 16);
  const float2 x2 = *(threadgroup const float2 *)(px + 36);
  const float t4 = w1.y * x2.y;
  const float t5 = w1.x * x2.x - t4;
  const float t6 = w1.y * x2.x;
  const float t7 = w1.x * x2.y + t6;
  const float2 w5 = *(device const float2 *)(pw + 80);
  const float2 x6 = *(threadgroup const float2 *)(px + 108);
  const float t8 = w5.y * x6.y;
  const float t9 = w5.x * x6.x - t8;
  const float t10 = w5.y * x6.x;
  const float t11 = w5.x * x6.y + t10;
  const float2 w0 = *(device const float2 *)(pw);
  const float2 x1 = *(threadgroup const float2 *)(px + 18);
  const float t12 = w0.y * x1.y;
  const float t13 = w0.x * x1.x - t12;
  const float t14 = w0.y * x1.x;
  const float t15 = w0.x * x1.y + t14;
  const float2 w4 = *(device const float2 *)(pw + 64);
  const float2 x5 = *(threadgroup const float2 *)(px + 90);
  const float t16 = w4.y * x5.y;
  const float t17 = w4.x * x5.x - t16;
  const float t18 = w4.y * x5.x;
  const float t19 = w4.x * x5.y + t18;
  const float2 w6 = *(device const float2 *)(pw + 96);
  const float2 x7 = *(threadgroup const float2 *)(px + 126);
  const float t20 = w6.y * x7.y;
  const float t21 = w6.x * x7.x - t20;
  const float t22 = w6.y * x7.x;
  const float t23 = w6.x * x7.y + t22;
  const float2 w2 = *(device const float2 *)(pw + 32);
  const float2 x3 = *(threadgroup const float2 *)(px + 54);
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
  const float2 x0 = *(threadgroup const float2 *)(px);
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
    *(device float2 *)(py) = float2(t40, t54);
  }
  const float t55 = t52 - t46;
  if (ok_y0) {
    *(device float2 *)(py + 64) = float2(t41, t55);
  }
  const float t56 = t39 + t47;
  const float t57 = t39 - t47;
  const float t58 = t53 - t33;
  if (ok_y0) {
    *(device float2 *)(py + 32) = float2(t56, t58);
  }
  const float t59 = t53 + t33;
  if (ok_y0) {
    *(device float2 *)(py + 96) = float2(t57, t59);
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
    *(device float2 *)(py + 16) = float2(t68, t74);
  }
  const float t75 = t70 - KP707106781 * t72;
  if (ok_y0) {
    *(device float2 *)(py + 80) = float2(t69, t75);
  }
  const float t76 = KP707106781 * t73 + t65;
  const float t77 = t65 - KP707106781 * t73;
  const float t78 = t71 - KP707106781 * t67;
  if (ok_y0) {
    *(device float2 *)(py + 48) = float2(t76, t78);
  }
  const float t79 = KP707106781 * t67 + t71;
  if (ok_y0) {
    *(device float2 *)(py + 112) = float2(t77, t79);
  }
}

/* 2 stages, 128 threads a block */
[[kernel, max_total_threads_per_threadgroup(128)]] void n64_metal_block(device const float *in [[buffer(0)]],
    device float *out [[buffer(1)]], device const float *tw0 [[buffer(2)]], constant long &p_count [[buffer(3)]],
    uint thread_id [[thread_position_in_threadgroup]], uint block_id [[threadgroup_position_in_grid]]) {
  alignas(16) threadgroup float work0[2304];
  const int b = 16 * block_id;
  n64_metal_block_0(in, work0, b, p_count, thread_id);
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  n64_metal_block_1(out, work0, tw0, b, p_count, thread_id);
}

