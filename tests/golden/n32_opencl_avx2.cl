/* SPDX-License-Identifier: 0BSD
 *
 * n32_opencl_avx2: c2c f32 n=32 batch=1003
 *
 * Plan: stockham(8,4)
 * Made by: fftgen emit "c2c f32 n=32 batch=1003" --target opencl --isa avx2 --plan 'stockham(8,4)' --prefix n32_opencl_avx2
 * Operations a call: 311296 additions, 49152 multiplications, 81920 fused multiply-adds
 * Bytes moved a call: 917504, and 524288 to and from scratch that stays in cache
 * Build: clBuildProgram without options, OpenCL C 1.2.
 * Launch: the manifest beside this file lists grids, arguments and tables.
 * The program beside it launches.
 */

typedef float8 vec8;

/* 2 stages in one loop nest, their intermediate results in registers */
static __attribute__((always_inline)) void n32_opencl_avx2_run_0(__global const float *in, __global float *out,
    __global const float *tw0, const int b, const int bi) {
  vec8 f0, f1, f2, f3, f4, f5, f6, f7;
  { /* radix 8, 4 columns after 1 */
    const vec8 KP707106781 = (vec8)(0.707106769f);
    __global const float *const px = in + 64 * b + 64 * bi;
    const vec8 x7 = vload8(0, px + 56);
    const vec8 x3 = vload8(0, px + 24);
    const vec8 t0 = x7 + x3;
    const vec8 t1 = x7 - x3;
    const vec8 x1 = vload8(0, px + 8);
    const vec8 x5 = vload8(0, px + 40);
    const vec8 t2 = x1 + x5;
    const vec8 t3 = x1 - x5;
    const vec8 t4 = t2 + t0;
    const vec8 t5 = t2 - t0;
    const vec8 x2 = vload8(0, px + 16);
    const vec8 x6 = vload8(0, px + 48);
    const vec8 t6 = x2 + x6;
    const vec8 t7 = x2 - x6;
    const vec8 x0 = vload8(0, px);
    const vec8 x4 = vload8(0, px + 32);
    const vec8 t8 = x0 + x4;
    const vec8 t9 = x0 - x4;
    const vec8 t10 = t8 + t6;
    const vec8 t11 = t8 - t6;
    const vec8 t12 = t10 + t4;
    const vec8 t13 = t10 - t4;
    const vec8 J = (vec8)(1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f);
    const vec8 s0 = __builtin_shufflevector(t5, t5, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t14 = J * s0 + t11;
    const vec8 t15 = t11 - J * s0;
    const vec8 t16 = t3 + t1;
    const vec8 t17 = t1 - t3;
    const vec8 t18 = KP707106781 * t16 + t9;
    const vec8 t19 = t9 - KP707106781 * t16;
    const vec8 t20 = KP707106781 * t17 - t7;
    const vec8 s1 = __builtin_shufflevector(t20, t20, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t21 = t18 - J * s1;
    const vec8 t22 = J * s1 + t18;
    const vec8 t23 = KP707106781 * t17 + t7;
    const vec8 s2 = __builtin_shufflevector(t23, t23, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t24 = t19 - J * s2;
    const vec8 t25 = J * s2 + t19;
    const vec8 s3 = __builtin_shufflevector(t12, t21, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s4 = __builtin_shufflevector(t12, t21, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s5 = __builtin_shufflevector(t14, t24, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s6 = __builtin_shufflevector(t14, t24, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s7 = __builtin_shufflevector(t13, t25, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s8 = __builtin_shufflevector(t13, t25, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s9 = __builtin_shufflevector(t15, t22, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s10 = __builtin_shufflevector(t15, t22, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s11 = __builtin_shufflevector(s3, s5, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s12 = __builtin_shufflevector(s3, s5, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s13 = __builtin_shufflevector(s4, s6, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s14 = __builtin_shufflevector(s4, s6, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s15 = __builtin_shufflevector(s7, s9, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s16 = __builtin_shufflevector(s7, s9, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s17 = __builtin_shufflevector(s8, s10, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s18 = __builtin_shufflevector(s8, s10, 4, 5, 6, 7, 12, 13, 14, 15);
    f0 = s11;
    f1 = s15;
    f2 = s13;
    f3 = s17;
    f4 = s12;
    f5 = s16;
    f6 = s14;
    f7 = s18;
  }
  { /* radix 4, 8 columns after 8 */
    __global const float *const pw = tw0;
    __global float *const py = out + 64 * b + 64 * bi;
    const vec8 x2 = f4;
    const vec8 w1r = vload8(0, pw + 8);
    const vec8 t0 = w1r * x2;
    const vec8 w1i = vload8(0, pw + 56);
    const vec8 s0 = __builtin_shufflevector(x2, x2, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t1 = t0 - w1i * s0;
    const vec8 x1 = f2;
    const vec8 w0r = vload8(0, pw);
    const vec8 t2 = w0r * x1;
    const vec8 w0i = vload8(0, pw + 48);
    const vec8 s1 = __builtin_shufflevector(x1, x1, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t3 = t2 - w0i * s1;
    const vec8 x3 = f6;
    const vec8 w2r = vload8(0, pw + 16);
    const vec8 t4 = w2r * x3;
    const vec8 w2i = vload8(0, pw + 64);
    const vec8 s2 = __builtin_shufflevector(x3, x3, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t5 = t4 - w2i * s2;
    const vec8 t6 = t3 + t5;
    const vec8 t7 = t3 - t5;
    const vec8 x0 = f0;
    const vec8 t8 = x0 + t1;
    const vec8 t9 = x0 - t1;
    const vec8 t10 = t8 + t6;
    vstore8(t10, 0, py);
    const vec8 t11 = t8 - t6;
    vstore8(t11, 0, py + 32);
    const vec8 J = (vec8)(1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f);
    const vec8 s3 = __builtin_shufflevector(t7, t7, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t12 = J * s3 + t9;
    vstore8(t12, 0, py + 16);
    const vec8 t13 = t9 - J * s3;
    vstore8(t13, 0, py + 48);
  }
  { /* radix 4, 8 columns after 8 */
    __global const float *const pw = tw0 + 24;
    __global float *const py = out + 64 * b + 64 * bi + 8;
    const vec8 x2 = f5;
    const vec8 w1r = vload8(0, pw + 8);
    const vec8 t0 = w1r * x2;
    const vec8 w1i = vload8(0, pw + 56);
    const vec8 s0 = __builtin_shufflevector(x2, x2, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t1 = t0 - w1i * s0;
    const vec8 x1 = f3;
    const vec8 w0r = vload8(0, pw);
    const vec8 t2 = w0r * x1;
    const vec8 w0i = vload8(0, pw + 48);
    const vec8 s1 = __builtin_shufflevector(x1, x1, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t3 = t2 - w0i * s1;
    const vec8 x3 = f7;
    const vec8 w2r = vload8(0, pw + 16);
    const vec8 t4 = w2r * x3;
    const vec8 w2i = vload8(0, pw + 64);
    const vec8 s2 = __builtin_shufflevector(x3, x3, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t5 = t4 - w2i * s2;
    const vec8 t6 = t3 + t5;
    const vec8 t7 = t3 - t5;
    const vec8 x0 = f1;
    const vec8 t8 = x0 + t1;
    const vec8 t9 = x0 - t1;
    const vec8 t10 = t8 + t6;
    vstore8(t10, 0, py);
    const vec8 t11 = t8 - t6;
    vstore8(t11, 0, py + 32);
    const vec8 J = (vec8)(1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f);
    const vec8 s3 = __builtin_shufflevector(t7, t7, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t12 = J * s3 + t9;
    vstore8(t12, 0, py + 16);
    const vec8 t13 = t9 - J * s3;
    vstore8(t13, 0, py + 48);
  }
}

/* 2 stages, 1 thread a block */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void n32_opencl_avx2_run(__global const float *restrict in,
    __global float *restrict out, __global const float *restrict tw0) {
  const int b = 128 * get_group_id(0);
  for (int bi = 0; bi < 128; ++bi) {
    if (b + bi < 1003) {
      n32_opencl_avx2_run_0(in, out, tw0, b, bi);
    }
  }
}

