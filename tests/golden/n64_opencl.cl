/* SPDX-License-Identifier: 0BSD
 *
 * n64_opencl: c2c f32 n=64
 *
 * Plan: stockham(8,8)
 * Made by: fftgen emit "c2c f32 n=64" --target opencl --plan 'stockham(8,8)' --prefix n64_opencl
 * Operations a call: 704 additions, 112 multiplications, 240 fused multiply-adds
 * Bytes moved a call: 1472, and 1024 to and from scratch that stays in cache
 * Build: clBuildProgram without options, OpenCL C 1.2.
 * Launch: the manifest beside this file has grids, arguments and tables,
 * the program beside it does it.
 */

/* radix 8, 8 columns after 1 */
static void n64_opencl_block_0(__global const float *in, __local float *work0) {
  const float KP707106781 = 0.707106769f;
  const int q = get_local_id(0);
  __global const float *const px = in + 2 * q;
  __local float *const py = work0 + 16 * q;
  const float x7r = px[112];
  const float x7i = px[113];
  const float x3r = px[48];
  const float x3i = px[49];
  const float t0 = x7r + x3r;
  const float t1 = x7r - x3r;
  const float x1r = px[16];
  const float x1i = px[17];
  const float x5r = px[80];
  const float x5i = px[81];
  const float t2 = x1r + x5r;
  const float t3 = x1r - x5r;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float x2r = px[32];
  const float x2i = px[33];
  const float x6r = px[96];
  const float x6i = px[97];
  const float t6 = x2r + x6r;
  const float t7 = x2r - x6r;
  const float x0r = px[0];
  const float x0i = px[1];
  const float x4r = px[64];
  const float x4i = px[65];
  const float t8 = x0r + x4r;
  const float t9 = x0r - x4r;
  const float t10 = t8 + t6;
  const float t11 = t8 - t6;
  const float t12 = t10 + t4;
  const float t13 = t10 - t4;
  const float t14 = x7i + x3i;
  const float t15 = x7i - x3i;
  const float t16 = x1i + x5i;
  const float t17 = x1i - x5i;
  const float t18 = t16 + t14;
  const float t19 = t16 - t14;
  const float t20 = x2i + x6i;
  const float t21 = x2i - x6i;
  const float t22 = x0i + x4i;
  const float t23 = x0i - x4i;
  const float t24 = t22 + t20;
  const float t25 = t22 - t20;
  const float t26 = t24 + t18;
  py[0] = t12;
  py[1] = t26;
  const float t27 = t24 - t18;
  py[8] = t13;
  py[9] = t27;
  const float t28 = t11 + t19;
  const float t29 = t11 - t19;
  const float t30 = t25 - t5;
  py[4] = t28;
  py[5] = t30;
  const float t31 = t25 + t5;
  py[12] = t29;
  py[13] = t31;
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
  py[2] = t40;
  py[3] = t46;
  const float t47 = t42 - KP707106781 * t44;
  py[10] = t41;
  py[11] = t47;
  const float t48 = KP707106781 * t45 + t37;
  const float t49 = t37 - KP707106781 * t45;
  const float t50 = t43 - KP707106781 * t39;
  py[6] = t48;
  py[7] = t50;
  const float t51 = KP707106781 * t39 + t43;
  py[14] = t49;
  py[15] = t51;
}

/* radix 8, 8 columns after 8 */
static void n64_opencl_block_1(__global float *out, __local const float *work0, __global const float *tw0) {
  const float KP707106781 = 0.707106769f;
  const int k = get_local_id(0);
  __local const float *const px = work0 + 2 * k;
  __global const float *const pw = tw0 + 2 * k;
  __global float *const py = out + 2 * k;
  const float w3r = pw[48];
  const float w3i = pw[49];
  const float x4r = px[64];
  const float x4i = px[65];
  const float t0 = w3i * x4i;
  const float t1 = w3r * x4r - t0;
  const float t2 = w3i * x4r;
  const float t3 = w3r * x4i + t2;
  const float w1r = pw[16];
  const float w1i = pw[17];
  const float x2r = px[32];
  const float x2i = px[33];
  const float t4 = w1i * x2i;
  const float t5 = w1r * x2r - t4;
  const float t6 = w1i * x2r;
  const float t7 = w1r * x2i + t6;
  const float w5r = pw[80];
  const float w5i = pw[81];
  const float x6r = px[96];
  const float x6i = px[97];
  const float t8 = w5i * x6i;
  const float t9 = w5r * x6r - t8;
  const float t10 = w5i * x6r;
  const float t11 = w5r * x6i + t10;
  const float w0r = pw[0];
  const float w0i = pw[1];
  const float x1r = px[16];
  const float x1i = px[17];
  const float t12 = w0i * x1i;
  const float t13 = w0r * x1r - t12;
  const float t14 = w0i * x1r;
  const float t15 = w0r * x1i + t14;
  const float w4r = pw[64];
  const float w4i = pw[65];
  const float x5r = px[80];
  const float x5i = px[81];
  const float t16 = w4i * x5i;
  const float t17 = w4r * x5r - t16;
  const float t18 = w4i * x5r;
  const float t19 = w4r * x5i + t18;
  const float w6r = pw[96];
  const float w6i = pw[97];
  const float x7r = px[112];
  const float x7i = px[113];
  const float t20 = w6i * x7i;
  const float t21 = w6r * x7r - t20;
  const float t22 = w6i * x7r;
  const float t23 = w6r * x7i + t22;
  const float w2r = pw[32];
  const float w2i = pw[33];
  const float x3r = px[48];
  const float x3i = px[49];
  const float t24 = w2i * x3i;
  const float t25 = w2r * x3r - t24;
  const float t26 = w2i * x3r;
  const float t27 = w2r * x3i + t26;
  const float t28 = t21 + t25;
  const float t29 = t21 - t25;
  const float t30 = t13 + t17;
  const float t31 = t13 - t17;
  const float t32 = t30 + t28;
  const float t33 = t30 - t28;
  const float t34 = t5 + t9;
  const float t35 = t5 - t9;
  const float x0r = px[0];
  const float x0i = px[1];
  const float t36 = x0r + t1;
  const float t37 = x0r - t1;
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
  const float t50 = x0i + t3;
  const float t51 = x0i - t3;
  const float t52 = t50 + t48;
  const float t53 = t50 - t48;
  const float t54 = t52 + t46;
  py[0] = t40;
  py[1] = t54;
  const float t55 = t52 - t46;
  py[64] = t41;
  py[65] = t55;
  const float t56 = t39 + t47;
  const float t57 = t39 - t47;
  const float t58 = t53 - t33;
  py[32] = t56;
  py[33] = t58;
  const float t59 = t53 + t33;
  py[96] = t57;
  py[97] = t59;
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
  py[16] = t68;
  py[17] = t74;
  const float t75 = t70 - KP707106781 * t72;
  py[80] = t69;
  py[81] = t75;
  const float t76 = KP707106781 * t73 + t65;
  const float t77 = t65 - KP707106781 * t73;
  const float t78 = t71 - KP707106781 * t67;
  py[48] = t76;
  py[49] = t78;
  const float t79 = KP707106781 * t67 + t71;
  py[112] = t77;
  py[113] = t79;
}

/* 2 stages, 8 threads a block */
__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void n64_opencl_block(__global const float *restrict in,
    __global float *restrict out, __global const float *restrict tw0) {
  __local float work0[128];
  n64_opencl_block_0(in, work0);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  n64_opencl_block_1(out, work0, tw0);
}

