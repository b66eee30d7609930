/* SPDX-License-Identifier: 0BSD
 *
 * n64_opencl: c2c f32 n=64
 *
 * Plan: stockham(8,8)
 * Made by: fftgen emit "c2c f32 n=64" --target opencl --plan 'stockham(8,8)' --prefix n64_opencl
 * Operations a call: 704 additions, 112 multiplications, 240 fused multiply-adds
 * Bytes moved a call: 1472, and 1024 to and from scratch that stays in cache
 * Build: clBuildProgram without options, OpenCL C 1.2.
 * Launch: the manifest beside this file lists grids, arguments and tables.
 * The program beside it launches.
 */

/* radix 8, 8 columns after 1 */
static __attribute__((always_inline)) void n64_opencl_block_0(__global const float *in, __local float *work0) {
  const float KP707106781 = 0.707106769f;
  const int q = get_local_id(0);
  __global const float *const px = in + 2 * q;
  const int by = 8 * q;
  __local float *const py = work0 + 2 * (by + 1 * (by / 16));
  const float2 x0 = *(__global const float2 *)(px);
  const float2 x1 = *(__global const float2 *)(px + 16);
  const float2 x2 = *(__global const float2 *)(px + 32);
  const float2 x3 = *(__global const float2 *)(px + 48);
  const float2 x4 = *(__global const float2 *)(px + 64);
  const float2 x5 = *(__global const float2 *)(px + 80);
  const float2 x6 = *(__global const float2 *)(px + 96);
  const float2 x7 = *(__global const float2 *)(px + 112);
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
  *(__local float2 *)(py) = (float2)(t12, t26);
  const float t27 = t24 - t18;
  *(__local float2 *)(py + 8) = (float2)(t13, t27);
  const float t28 = t11 + t19;
  const float t29 = t11 - t19;
  const float t30 = t25 - t5;
  *(__local float2 *)(py + 4) = (float2)(t28, t30);
  const float t31 = t25 + t5;
  *(__local float2 *)(py + 12) = (float2)(t29, t31);
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
  *(__local float2 *)(py + 2) = (float2)(t40, t46);
  const float t47 = t42 - KP707106781 * t44;
  *(__local float2 *)(py + 10) = (float2)(t41, t47);
  const float t48 = KP707106781 * t45 + t37;
  const float t49 = t37 - KP707106781 * t45;
  const float t50 = t43 - KP707106781 * t39;
  *(__local float2 *)(py + 6) = (float2)(t48, t50);
  const float t51 = KP707106781 * t39 + t43;
  *(__local float2 *)(py + 14) = (float2)(t49, t51);
}

/* radix 8, 8 columns after 8 */
static __attribute__((always_inline)) void n64_opencl_block_1(__global float *out, __local const float *work0,
    __global const float *tw0) {
  const float KP707106781 = 0.707106769f;
  const int k = get_local_id(0);
  const int bx = k;
  __local const float *const px = work0 + 2 * (bx + 1 * (bx / 16));
  __global const float *const pw = tw0 + 2 * k;
  __global float *const py = out + 2 * k;
  const float2 w3 = *(__global const float2 *)(pw + 48);
  const float2 x4 = *(__local const float2 *)(px + 68);
  const float t0 = w3.y * x4.y;
  const float t1 = w3.x * x4.x - t0;
  const float t2 = w3.y * x4.x;
  const float t3 = w3.x * x4.y + t2;
  const float2 w1 = *(__global const float2 *)(pw + 16);
  const float2 x2 = *(__local const float2 *)(px + 34);
  const float t4 = w1.y * x2.y;
  const float t5 = w1.x * x2.x - t4;
  const float t6 = w1.y * x2.x;
  const float t7 = w1.x * x2.y + t6;
  const float2 w5 = *(__global const float2 *)(pw + 80);
  const float2 x6 = *(__local const float2 *)(px + 102);
  const float t8 = w5.y * x6.y;
  const float t9 = w5.x * x6.x - t8;
  const float t10 = w5.y * x6.x;
  const float t11 = w5.x * x6.y + t10;
  const float2 w0 = *(__global const float2 *)(pw);
  const float2 x1 = *(__local const float2 *)(px + 16);
  const float t12 = w0.y * x1.y;
  const float t13 = w0.x * x1.x - t12;
  const float t14 = w0.y * x1.x;
  const float t15 = w0.x * x1.y + t14;
  const float2 w4 = *(__global const float2 *)(pw + 64);
  const float2 x5 = *(__local const float2 *)(px + 84);
  const float t16 = w4.y * x5.y;
  const float t17 = w4.x * x5.x - t16;
  const float t18 = w4.y * x5.x;
  const float t19 = w4.x * x5.y + t18;
  const float2 w6 = *(__global const float2 *)(pw + 96);
  const float2 x7 = *(__local const float2 *)(px + 118);
  const float t20 = w6.y * x7.y;
  const float t21 = w6.x * x7.x - t20;
  const float t22 = w6.y * x7.x;
  const float t23 = w6.x * x7.y + t22;
  const float2 w2 = *(__global const float2 *)(pw + 32);
  const float2 x3 = *(__local const float2 *)(px + 50);
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
  const float2 x0 = *(__local const float2 *)(px);
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
  *(__global float2 *)(py) = (float2)(t40, t54);
  const float t55 = t52 - t46;
  *(__global float2 *)(py + 64) = (float2)(t41, t55);
  const float t56 = t39 + t47;
  const float t57 = t39 - t47;
  const float t58 = t53 - t33;
  *(__global float2 *)(py + 32) = (float2)(t56, t58);
  const float t59 = t53 + t33;
  *(__global float2 *)(py + 96) = (float2)(t57, t59);
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
  *(__global float2 *)(py + 16) = (float2)(t68, t74);
  const float t75 = t70 - KP707106781 * t72;
  *(__global float2 *)(py + 80) = (float2)(t69, t75);
  const float t76 = KP707106781 * t73 + t65;
  const float t77 = t65 - KP707106781 * t73;
  const float t78 = t71 - KP707106781 * t67;
  *(__global float2 *)(py + 48) = (float2)(t76, t78);
  const float t79 = KP707106781 * t67 + t71;
  *(__global float2 *)(py + 112) = (float2)(t77, t79);
}

/* 2 stages, 8 threads a block */
__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void n64_opencl_block(__global const float *restrict in,
    __global float *restrict out, __global const float *restrict tw0) {
  __local float work0[136] __attribute__((aligned(16)));
  n64_opencl_block_0(in, work0);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  n64_opencl_block_1(out, work0, tw0);
}

