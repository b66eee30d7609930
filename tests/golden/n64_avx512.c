/* SPDX-License-Identifier: 0BSD
 *
 * n64_avx512: c2c f32 n=64
 *
 * Plan: stockham(8,8)
 * Made by: fftgen emit "c2c f32 n=64" --target c --isa avx512 --plan 'stockham(8,8)' --prefix n64_avx512
 * Operations a call: 704 additions, 112 multiplications, 240 fused multiply-adds
 * Bytes moved a call: 1472, and 1024 to and from scratch that stays in cache
 * Fallback: scalar loop: radix 8, 8 columns after 1
 * Fallback: scalar loop: radix 8, 8 columns after 8
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=fast, with the flags below.
 * Without -fno-ivopts gcc spills registers around long straight-line code.
 * Flags: -mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl -mtune=icelake-server -mprefer-vector-width=512
 */
#include <stddef.h>

/* exp(-2 pi i r c / 64), r = 1..7, c = 0..7 */
static const float tw0[112] = {
  1.0f, 0.99518472f, 0.980785251f, 0.956940353f, 0.923879504f, 0.881921291f, 0.831469595f, 0.773010433f,
  1.0f, 0.980785251f, 0.923879504f, 0.831469595f, 0.707106769f, 0.555570245f, 0.382683426f, 0.195090324f,
  1.0f, 0.956940353f, 0.831469595f, 0.634393275f, 0.382683426f, 0.0980171412f, -0.195090324f, -0.471396744f,
  1.0f, 0.923879504f, 0.707106769f, 0.382683426f, 0.0f, -0.382683426f, -0.707106769f, -0.923879504f,
  1.0f, 0.881921291f, 0.555570245f, 0.0980171412f, -0.382683426f, -0.773010433f, -0.980785251f, -0.956940353f,
  1.0f, 0.831469595f, 0.382683426f, -0.195090324f, -0.707106769f, -0.980785251f, -0.923879504f, -0.555570245f,
  1.0f, 0.773010433f, 0.195090324f, -0.471396744f, -0.923879504f, -0.956940353f, -0.555570245f, 0.0980171412f,
  0.0f, -0.0980171412f, -0.195090324f, -0.290284663f, -0.382683426f, -0.471396744f, -0.555570245f, -0.634393275f,
  0.0f, -0.195090324f, -0.382683426f, -0.555570245f, -0.707106769f, -0.831469595f, -0.923879504f, -0.980785251f,
  0.0f, -0.290284663f, -0.555570245f, -0.773010433f, -0.923879504f, -0.99518472f, -0.980785251f, -0.881921291f,
  0.0f, -0.382683426f, -0.707106769f, -0.923879504f, -1.0f, -0.923879504f, -0.707106769f, -0.382683426f,
  0.0f, -0.471396744f, -0.831469595f, -0.99518472f, -0.923879504f, -0.634393275f, -0.195090324f, 0.290284663f,
  0.0f, -0.555570245f, -0.923879504f, -0.980785251f, -0.707106769f, -0.195090324f, 0.382683426f, 0.831469595f,
  0.0f, -0.634393275f, -0.980785251f, -0.881921291f, -0.382683426f, 0.290284663f, 0.831469595f, 0.99518472f,
};

/* radix 8, 8 columns after 1 (scalar, for want of vectors) */
static void n64_avx512_run_0(const float *restrict in, float *restrict work0) {
  const float KP707106781 = 0.707106769f;
  for (ptrdiff_t q = 0; q < 8; ++q) {
    const float *const px = in + 2 * q;
    float *const py_re = work0 + 8 * q;
    float *const py_im = work0 + 64 + 8 * q;
    const float x0r = px[0];
    const float x0i = px[1];
    const float x4r = px[64];
    const float x4i = px[65];
    const float t0 = x0r + x4r;
    const float x2r = px[32];
    const float x2i = px[33];
    const float x6r = px[96];
    const float x6i = px[97];
    const float t1 = x2r + x6r;
    const float t2 = t0 + t1;
    const float t3 = t0 - t1;
    const float x1r = px[16];
    const float x1i = px[17];
    const float x5r = px[80];
    const float x5i = px[81];
    const float t4 = x1r + x5r;
    const float x7r = px[112];
    const float x7i = px[113];
    const float x3r = px[48];
    const float x3i = px[49];
    const float t5 = x7r + x3r;
    const float t6 = t4 + t5;
    const float t7 = t4 - t5;
    const float t8 = x0i + x4i;
    const float t9 = x2i + x6i;
    const float t10 = t8 + t9;
    const float t11 = t8 - t9;
    const float t12 = x1i + x5i;
    const float t13 = x7i + x3i;
    const float t14 = t12 + t13;
    const float t15 = t12 - t13;
    const float t16 = t2 + t6;
    const float t17 = t10 + t14;
    py_re[0] = t16;
    py_im[0] = t17;
    const float t18 = t3 + t15;
    const float t19 = t11 - t7;
    py_re[2] = t18;
    py_im[2] = t19;
    const float t20 = t2 - t6;
    const float t21 = t10 - t14;
    py_re[4] = t20;
    py_im[4] = t21;
    const float t22 = t3 - t15;
    const float t23 = t11 + t7;
    py_re[6] = t22;
    py_im[6] = t23;
    const float t24 = x1r - x5r;
    const float t25 = x1i - x5i;
    const float t26 = t24 + t25;
    const float t27 = t25 - t24;
    const float t28 = x7r - x3r;
    const float t29 = x7i - x3i;
    const float t30 = t28 - t29;
    const float t31 = t29 + t28;
    const float t32 = x0r - x4r;
    const float t33 = x2i - x6i;
    const float t34 = t32 + t33;
    const float t35 = t32 - t33;
    const float t36 = x0i - x4i;
    const float t37 = x2r - x6r;
    const float t38 = t36 - t37;
    const float t39 = t36 + t37;
    const float t40 = t26 + t30;
    const float t41 = KP707106781 * t40 + t34;
    const float t42 = t34 - KP707106781 * t40;
    const float t43 = t27 + t31;
    const float t44 = KP707106781 * t43 + t38;
    py_re[1] = t41;
    py_im[1] = t44;
    const float t45 = t38 - KP707106781 * t43;
    py_re[5] = t42;
    py_im[5] = t45;
    const float t46 = t27 - t31;
    const float t47 = KP707106781 * t46 + t35;
    const float t48 = t35 - KP707106781 * t46;
    const float t49 = t26 - t30;
    const float t50 = t39 - KP707106781 * t49;
    py_re[3] = t47;
    py_im[3] = t50;
    const float t51 = KP707106781 * t49 + t39;
    py_re[7] = t48;
    py_im[7] = t51;
  }
}

/* radix 8, 8 columns after 8 (scalar, for want of vectors) */
static void n64_avx512_run_1(float *restrict out, const float *restrict work0) {
  const float KP707106781 = 0.707106769f;
  for (ptrdiff_t k = 0; k < 8; ++k) {
    const float *const px_re = work0 + k;
    const float *const px_im = work0 + 64 + k;
    const float *const pw_re = tw0 + k;
    const float *const pw_im = tw0 + 56 + k;
    float *const py = out + 2 * k;
    const float w3r = pw_re[24];
    const float w3i = pw_im[24];
    const float x4r = px_re[32];
    const float x4i = px_im[32];
    const float t0 = w3i * x4i;
    const float t1 = w3i * x4r;
    const float t2 = w3r * x4r - t0;
    const float t3 = w3r * x4i + t1;
    const float w1r = pw_re[8];
    const float w1i = pw_im[8];
    const float x2r = px_re[16];
    const float x2i = px_im[16];
    const float t4 = w1i * x2i;
    const float t5 = w1i * x2r;
    const float t6 = w1r * x2r - t4;
    const float t7 = w1r * x2i + t5;
    const float w5r = pw_re[40];
    const float w5i = pw_im[40];
    const float x6r = px_re[48];
    const float x6i = px_im[48];
    const float t8 = w5i * x6i;
    const float t9 = w5i * x6r;
    const float t10 = w5r * x6r - t8;
    const float t11 = w5r * x6i + t9;
    const float w0r = pw_re[0];
    const float w0i = pw_im[0];
    const float x1r = px_re[8];
    const float x1i = px_im[8];
    const float t12 = w0i * x1i;
    const float t13 = w0i * x1r;
    const float w4r = pw_re[32];
    const float w4i = pw_im[32];
    const float x5r = px_re[40];
    const float x5i = px_im[40];
    const float t14 = w4i * x5i;
    const float t15 = w4i * x5r;
    const float t16 = w0r * x1r - t12;
    const float t17 = w4r * x5r - t14;
    const float t18 = t16 - t17;
    const float t19 = w0r * x1i + t13;
    const float t20 = w4r * x5i + t15;
    const float t21 = t19 - t20;
    const float w6r = pw_re[48];
    const float w6i = pw_im[48];
    const float x7r = px_re[56];
    const float x7i = px_im[56];
    const float t22 = w6i * x7i;
    const float t23 = w6i * x7r;
    const float w2r = pw_re[16];
    const float w2i = pw_im[16];
    const float x3r = px_re[24];
    const float x3i = px_im[24];
    const float t24 = w2i * x3i;
    const float t25 = w2i * x3r;
    const float t26 = w6r * x7r - t22;
    const float t27 = w2r * x3r - t24;
    const float t28 = t26 - t27;
    const float t29 = w6r * x7i + t23;
    const float t30 = w2r * x3i + t25;
    const float t31 = t29 - t30;
    const float x0r = px_re[0];
    const float x0i = px_im[0];
    const float t32 = x0r + t2;
    const float t33 = t6 + t10;
    const float t34 = t32 + t33;
    const float t35 = t32 - t33;
    const float t36 = t16 + t17;
    const float t37 = t26 + t27;
    const float t38 = t36 + t37;
    const float t39 = t36 - t37;
    const float t40 = x0i + t3;
    const float t41 = t7 + t11;
    const float t42 = t40 + t41;
    const float t43 = t40 - t41;
    const float t44 = t19 + t20;
    const float t45 = t29 + t30;
    const float t46 = t44 + t45;
    const float t47 = t44 - t45;
    const float t48 = t34 + t38;
    const float t49 = t42 + t46;
    py[0] = t48;
    py[1] = t49;
    const float t50 = t35 + t47;
    const float t51 = t43 - t39;
    py[32] = t50;
    py[33] = t51;
    const float t52 = t34 - t38;
    const float t53 = t42 - t46;
    py[64] = t52;
    py[65] = t53;
    const float t54 = t35 - t47;
    const float t55 = t43 + t39;
    py[96] = t54;
    py[97] = t55;
    const float t56 = t18 + t21;
    const float t57 = t28 - t31;
    const float t58 = t56 + t57;
    const float t59 = t56 - t57;
    const float t60 = x0r - t2;
    const float t61 = t7 - t11;
    const float t62 = t60 + t61;
    const float t63 = t60 - t61;
    const float t64 = t21 - t18;
    const float t65 = t31 + t28;
    const float t66 = t64 + t65;
    const float t67 = t64 - t65;
    const float t68 = x0i - t3;
    const float t69 = t6 - t10;
    const float t70 = t68 - t69;
    const float t71 = t68 + t69;
    const float t72 = KP707106781 * t58 + t62;
    const float t73 = KP707106781 * t66 + t70;
    py[16] = t72;
    py[17] = t73;
    const float t74 = KP707106781 * t67 + t63;
    const float t75 = t71 - KP707106781 * t59;
    py[48] = t74;
    py[49] = t75;
    const float t76 = t62 - KP707106781 * t58;
    const float t77 = t70 - KP707106781 * t66;
    py[80] = t76;
    py[81] = t77;
    const float t78 = t63 - KP707106781 * t67;
    const float t79 = KP707106781 * t59 + t71;
    py[112] = t78;
    py[113] = t79;
  }
}

/* 2 stages */
static void n64_avx512_run(const float *restrict in, float *restrict out, float *restrict work0) {
  n64_avx512_run_0(in, work0);
  n64_avx512_run_1(out, work0);
}


void n64_avx512(const float *restrict in, float *restrict out, float *restrict scratch);

void n64_avx512(const float *restrict in, float *restrict out, float *restrict scratch) {
  float *const work0 = scratch;
  n64_avx512_run(in, out, work0);
}
