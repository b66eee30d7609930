/* SPDX-License-Identifier: 0BSD
 *
 * n64_avx512: c2c f32 n=64
 *
 * Plan: stockham(8,8)
 * Made by: fftgen emit "c2c f32 n=64" --target c --isa avx512 --plan 'stockham(8,8)' --prefix n64_avx512
 * Operations a call: 704 additions, 112 multiplications, 240 fused multiply-adds
 * Bytes moved a call: 1472, and 1024 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=fast, with the flags below.
 * Without -fno-ivopts gcc spills registers around long straight-line code.
 * Flags: -mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl -mtune=icelake-server -mprefer-vector-width=512
 */

#include <stddef.h>

typedef float vec8 __attribute__((vector_size(32)));
typedef float vec8_at __attribute__((vector_size(32), aligned(4), may_alias));

/* exp(-2 pi i r c / 64), r = 1..7, c = 0..7 */
static const float tw0[112] __attribute__((aligned(32))) = {
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

/* 2 stages as one, what passes between them in values */
static void n64_avx512_run_0(const float *restrict in, float *restrict out) {
  vec8 f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15;
  { /* radix 8, 8 columns after 1 */
    const vec8 KP707106781 = 0.707106769f - (vec8){0};
    const float *const px = in;
    const vec8 s0 = *(const vec8_at *)(px + 112);
    const vec8 s1 = *(const vec8_at *)(px + 120);
    const vec8 x7r = __builtin_shufflevector(s0, s1, 0, 2, 8, 10, 4, 6, 12, 14);
    const vec8 x7i = __builtin_shufflevector(s0, s1, 1, 3, 9, 11, 5, 7, 13, 15);
    const vec8 s2 = *(const vec8_at *)(px + 48);
    const vec8 s3 = *(const vec8_at *)(px + 56);
    const vec8 x3r = __builtin_shufflevector(s2, s3, 0, 2, 8, 10, 4, 6, 12, 14);
    const vec8 x3i = __builtin_shufflevector(s2, s3, 1, 3, 9, 11, 5, 7, 13, 15);
    const vec8 t0 = x7r + x3r;
    const vec8 t1 = x7r - x3r;
    const vec8 s4 = *(const vec8_at *)(px + 16);
    const vec8 s5 = *(const vec8_at *)(px + 24);
    const vec8 x1r = __builtin_shufflevector(s4, s5, 0, 2, 8, 10, 4, 6, 12, 14);
    const vec8 x1i = __builtin_shufflevector(s4, s5, 1, 3, 9, 11, 5, 7, 13, 15);
    const vec8 s6 = *(const vec8_at *)(px + 80);
    const vec8 s7 = *(const vec8_at *)(px + 88);
    const vec8 x5r = __builtin_shufflevector(s6, s7, 0, 2, 8, 10, 4, 6, 12, 14);
    const vec8 x5i = __builtin_shufflevector(s6, s7, 1, 3, 9, 11, 5, 7, 13, 15);
    const vec8 t2 = x1r + x5r;
    const vec8 t3 = x1r - x5r;
    const vec8 t4 = t2 + t0;
    const vec8 t5 = t2 - t0;
    const vec8 s8 = *(const vec8_at *)(px + 32);
    const vec8 s9 = *(const vec8_at *)(px + 40);
    const vec8 x2r = __builtin_shufflevector(s8, s9, 0, 2, 8, 10, 4, 6, 12, 14);
    const vec8 x2i = __builtin_shufflevector(s8, s9, 1, 3, 9, 11, 5, 7, 13, 15);
    const vec8 s10 = *(const vec8_at *)(px + 96);
    const vec8 s11 = *(const vec8_at *)(px + 104);
    const vec8 x6r = __builtin_shufflevector(s10, s11, 0, 2, 8, 10, 4, 6, 12, 14);
    const vec8 x6i = __builtin_shufflevector(s10, s11, 1, 3, 9, 11, 5, 7, 13, 15);
    const vec8 t6 = x2r + x6r;
    const vec8 t7 = x2r - x6r;
    const vec8 s12 = *(const vec8_at *)(px);
    const vec8 s13 = *(const vec8_at *)(px + 8);
    const vec8 x0r = __builtin_shufflevector(s12, s13, 0, 2, 8, 10, 4, 6, 12, 14);
    const vec8 x0i = __builtin_shufflevector(s12, s13, 1, 3, 9, 11, 5, 7, 13, 15);
    const vec8 s14 = *(const vec8_at *)(px + 64);
    const vec8 s15 = *(const vec8_at *)(px + 72);
    const vec8 x4r = __builtin_shufflevector(s14, s15, 0, 2, 8, 10, 4, 6, 12, 14);
    const vec8 x4i = __builtin_shufflevector(s14, s15, 1, 3, 9, 11, 5, 7, 13, 15);
    const vec8 t8 = x0r + x4r;
    const vec8 t9 = x0r - x4r;
    const vec8 t10 = t8 + t6;
    const vec8 t11 = t8 - t6;
    const vec8 t12 = t10 + t4;
    const vec8 t13 = t10 - t4;
    const vec8 t14 = x7i + x3i;
    const vec8 t15 = x7i - x3i;
    const vec8 t16 = x1i + x5i;
    const vec8 t17 = x1i - x5i;
    const vec8 t18 = t16 + t14;
    const vec8 t19 = t16 - t14;
    const vec8 t20 = x2i + x6i;
    const vec8 t21 = x2i - x6i;
    const vec8 t22 = x0i + x4i;
    const vec8 t23 = x0i - x4i;
    const vec8 t24 = t22 + t20;
    const vec8 t25 = t22 - t20;
    const vec8 t26 = t24 + t18;
    const vec8 t27 = t24 - t18;
    const vec8 t28 = t11 + t19;
    const vec8 t29 = t11 - t19;
    const vec8 t30 = t25 - t5;
    const vec8 t31 = t25 + t5;
    const vec8 t32 = t3 + t17;
    const vec8 t33 = t17 - t3;
    const vec8 t34 = t1 - t15;
    const vec8 t35 = t15 + t1;
    const vec8 t36 = t9 + t21;
    const vec8 t37 = t9 - t21;
    const vec8 t38 = t32 + t34;
    const vec8 t39 = t32 - t34;
    const vec8 t40 = KP707106781 * t38 + t36;
    const vec8 t41 = t36 - KP707106781 * t38;
    const vec8 t42 = t23 - t7;
    const vec8 t43 = t23 + t7;
    const vec8 t44 = t33 + t35;
    const vec8 t45 = t33 - t35;
    const vec8 t46 = KP707106781 * t44 + t42;
    const vec8 t47 = t42 - KP707106781 * t44;
    const vec8 t48 = KP707106781 * t45 + t37;
    const vec8 t49 = t37 - KP707106781 * t45;
    const vec8 t50 = t43 - KP707106781 * t39;
    const vec8 t51 = KP707106781 * t39 + t43;
    const vec8 s16 = __builtin_shufflevector(t12, t40, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s17 = __builtin_shufflevector(t12, t40, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s18 = __builtin_shufflevector(t28, t48, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s19 = __builtin_shufflevector(t28, t48, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s20 = __builtin_shufflevector(t13, t41, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s21 = __builtin_shufflevector(t13, t41, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s22 = __builtin_shufflevector(t29, t49, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s23 = __builtin_shufflevector(t29, t49, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s24 = __builtin_shufflevector(s16, s18, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s25 = __builtin_shufflevector(s16, s18, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s26 = __builtin_shufflevector(s17, s19, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s27 = __builtin_shufflevector(s17, s19, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s28 = __builtin_shufflevector(s20, s22, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s29 = __builtin_shufflevector(s20, s22, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s30 = __builtin_shufflevector(s21, s23, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s31 = __builtin_shufflevector(s21, s23, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s32 = __builtin_shufflevector(s24, s28, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s33 = __builtin_shufflevector(s24, s28, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s34 = __builtin_shufflevector(s26, s30, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s35 = __builtin_shufflevector(s26, s30, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s36 = __builtin_shufflevector(s25, s29, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s37 = __builtin_shufflevector(s25, s29, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s38 = __builtin_shufflevector(s27, s31, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s39 = __builtin_shufflevector(s27, s31, 4, 5, 6, 7, 12, 13, 14, 15);
    f0 = s32;
    f1 = s36;
    f2 = s33;
    f3 = s37;
    f4 = s34;
    f5 = s38;
    f6 = s35;
    f7 = s39;
    const vec8 s40 = __builtin_shufflevector(t26, t46, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s41 = __builtin_shufflevector(t26, t46, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s42 = __builtin_shufflevector(t30, t50, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s43 = __builtin_shufflevector(t30, t50, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s44 = __builtin_shufflevector(t27, t47, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s45 = __builtin_shufflevector(t27, t47, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s46 = __builtin_shufflevector(t31, t51, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s47 = __builtin_shufflevector(t31, t51, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s48 = __builtin_shufflevector(s40, s42, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s49 = __builtin_shufflevector(s40, s42, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s50 = __builtin_shufflevector(s41, s43, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s51 = __builtin_shufflevector(s41, s43, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s52 = __builtin_shufflevector(s44, s46, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s53 = __builtin_shufflevector(s44, s46, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s54 = __builtin_shufflevector(s45, s47, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s55 = __builtin_shufflevector(s45, s47, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s56 = __builtin_shufflevector(s48, s52, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s57 = __builtin_shufflevector(s48, s52, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s58 = __builtin_shufflevector(s50, s54, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s59 = __builtin_shufflevector(s50, s54, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s60 = __builtin_shufflevector(s49, s53, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s61 = __builtin_shufflevector(s49, s53, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s62 = __builtin_shufflevector(s51, s55, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s63 = __builtin_shufflevector(s51, s55, 4, 5, 6, 7, 12, 13, 14, 15);
    f8 = s56;
    f9 = s60;
    f10 = s57;
    f11 = s61;
    f12 = s58;
    f13 = s62;
    f14 = s59;
    f15 = s63;
  }
  { /* radix 8, 8 columns after 8 */
    const vec8 KP707106781 = 0.707106769f - (vec8){0};
    const float *const pw_re = tw0;
    const float *const pw_im = tw0 + 56;
    float *const py = out;
    const vec8 w3r = *(const vec8_at *)(pw_re + 24);
    const vec8 w3i = *(const vec8_at *)(pw_im + 24);
    const vec8 x4r = f4;
    const vec8 x4i = f12;
    const vec8 t0 = w3i * x4i;
    const vec8 t1 = w3r * x4r - t0;
    const vec8 t2 = w3i * x4r;
    const vec8 t3 = w3r * x4i + t2;
    const vec8 w1r = *(const vec8_at *)(pw_re + 8);
    const vec8 w1i = *(const vec8_at *)(pw_im + 8);
    const vec8 x2r = f2;
    const vec8 x2i = f10;
    const vec8 t4 = w1i * x2i;
    const vec8 t5 = w1r * x2r - t4;
    const vec8 t6 = w1i * x2r;
    const vec8 t7 = w1r * x2i + t6;
    const vec8 w5r = *(const vec8_at *)(pw_re + 40);
    const vec8 w5i = *(const vec8_at *)(pw_im + 40);
    const vec8 x6r = f6;
    const vec8 x6i = f14;
    const vec8 t8 = w5i * x6i;
    const vec8 t9 = w5r * x6r - t8;
    const vec8 t10 = w5i * x6r;
    const vec8 t11 = w5r * x6i + t10;
    const vec8 w0r = *(const vec8_at *)(pw_re);
    const vec8 w0i = *(const vec8_at *)(pw_im);
    const vec8 x1r = f1;
    const vec8 x1i = f9;
    const vec8 t12 = w0i * x1i;
    const vec8 t13 = w0r * x1r - t12;
    const vec8 t14 = w0i * x1r;
    const vec8 t15 = w0r * x1i + t14;
    const vec8 w4r = *(const vec8_at *)(pw_re + 32);
    const vec8 w4i = *(const vec8_at *)(pw_im + 32);
    const vec8 x5r = f5;
    const vec8 x5i = f13;
    const vec8 t16 = w4i * x5i;
    const vec8 t17 = w4r * x5r - t16;
    const vec8 t18 = w4i * x5r;
    const vec8 t19 = w4r * x5i + t18;
    const vec8 w6r = *(const vec8_at *)(pw_re + 48);
    const vec8 w6i = *(const vec8_at *)(pw_im + 48);
    const vec8 x7r = f7;
    const vec8 x7i = f15;
    const vec8 t20 = w6i * x7i;
    const vec8 t21 = w6r * x7r - t20;
    const vec8 t22 = w6i * x7r;
    const vec8 t23 = w6r * x7i + t22;
    const vec8 w2r = *(const vec8_at *)(pw_re + 16);
    const vec8 w2i = *(const vec8_at *)(pw_im + 16);
    const vec8 x3r = f3;
    const vec8 x3i = f11;
    const vec8 t24 = w2i * x3i;
    const vec8 t25 = w2r * x3r - t24;
    const vec8 t26 = w2i * x3r;
    const vec8 t27 = w2r * x3i + t26;
    const vec8 t28 = t21 + t25;
    const vec8 t29 = t21 - t25;
    const vec8 t30 = t13 + t17;
    const vec8 t31 = t13 - t17;
    const vec8 t32 = t30 + t28;
    const vec8 t33 = t30 - t28;
    const vec8 t34 = t5 + t9;
    const vec8 t35 = t5 - t9;
    const vec8 x0r = f0;
    const vec8 x0i = f8;
    const vec8 t36 = x0r + t1;
    const vec8 t37 = x0r - t1;
    const vec8 t38 = t36 + t34;
    const vec8 t39 = t36 - t34;
    const vec8 t40 = t38 + t32;
    const vec8 t41 = t38 - t32;
    const vec8 t42 = t23 + t27;
    const vec8 t43 = t23 - t27;
    const vec8 t44 = t15 + t19;
    const vec8 t45 = t15 - t19;
    const vec8 t46 = t44 + t42;
    const vec8 t47 = t44 - t42;
    const vec8 t48 = t7 + t11;
    const vec8 t49 = t7 - t11;
    const vec8 t50 = x0i + t3;
    const vec8 t51 = x0i - t3;
    const vec8 t52 = t50 + t48;
    const vec8 t53 = t50 - t48;
    const vec8 t54 = t52 + t46;
    const vec8 s0 = __builtin_shufflevector(t40, t54, 0, 8, 1, 9, 2, 10, 3, 11);
    const vec8 s1 = __builtin_shufflevector(t40, t54, 4, 12, 5, 13, 6, 14, 7, 15);
    *(vec8_at *)(py) = s0;
    *(vec8_at *)(py + 8) = s1;
    const vec8 t55 = t52 - t46;
    const vec8 s2 = __builtin_shufflevector(t41, t55, 0, 8, 1, 9, 2, 10, 3, 11);
    const vec8 s3 = __builtin_shufflevector(t41, t55, 4, 12, 5, 13, 6, 14, 7, 15);
    *(vec8_at *)(py + 64) = s2;
    *(vec8_at *)(py + 72) = s3;
    const vec8 t56 = t39 + t47;
    const vec8 t57 = t39 - t47;
    const vec8 t58 = t53 - t33;
    const vec8 s4 = __builtin_shufflevector(t56, t58, 0, 8, 1, 9, 2, 10, 3, 11);
    const vec8 s5 = __builtin_shufflevector(t56, t58, 4, 12, 5, 13, 6, 14, 7, 15);
    *(vec8_at *)(py + 32) = s4;
    *(vec8_at *)(py + 40) = s5;
    const vec8 t59 = t53 + t33;
    const vec8 s6 = __builtin_shufflevector(t57, t59, 0, 8, 1, 9, 2, 10, 3, 11);
    const vec8 s7 = __builtin_shufflevector(t57, t59, 4, 12, 5, 13, 6, 14, 7, 15);
    *(vec8_at *)(py + 96) = s6;
    *(vec8_at *)(py + 104) = s7;
    const vec8 t60 = t31 + t45;
    const vec8 t61 = t45 - t31;
    const vec8 t62 = t29 - t43;
    const vec8 t63 = t43 + t29;
    const vec8 t64 = t37 + t49;
    const vec8 t65 = t37 - t49;
    const vec8 t66 = t60 + t62;
    const vec8 t67 = t60 - t62;
    const vec8 t68 = KP707106781 * t66 + t64;
    const vec8 t69 = t64 - KP707106781 * t66;
    const vec8 t70 = t51 - t35;
    const vec8 t71 = t51 + t35;
    const vec8 t72 = t61 + t63;
    const vec8 t73 = t61 - t63;
    const vec8 t74 = KP707106781 * t72 + t70;
    const vec8 s8 = __builtin_shufflevector(t68, t74, 0, 8, 1, 9, 2, 10, 3, 11);
    const vec8 s9 = __builtin_shufflevector(t68, t74, 4, 12, 5, 13, 6, 14, 7, 15);
    *(vec8_at *)(py + 16) = s8;
    *(vec8_at *)(py + 24) = s9;
    const vec8 t75 = t70 - KP707106781 * t72;
    const vec8 s10 = __builtin_shufflevector(t69, t75, 0, 8, 1, 9, 2, 10, 3, 11);
    const vec8 s11 = __builtin_shufflevector(t69, t75, 4, 12, 5, 13, 6, 14, 7, 15);
    *(vec8_at *)(py + 80) = s10;
    *(vec8_at *)(py + 88) = s11;
    const vec8 t76 = KP707106781 * t73 + t65;
    const vec8 t77 = t65 - KP707106781 * t73;
    const vec8 t78 = t71 - KP707106781 * t67;
    const vec8 s12 = __builtin_shufflevector(t76, t78, 0, 8, 1, 9, 2, 10, 3, 11);
    const vec8 s13 = __builtin_shufflevector(t76, t78, 4, 12, 5, 13, 6, 14, 7, 15);
    *(vec8_at *)(py + 48) = s12;
    *(vec8_at *)(py + 56) = s13;
    const vec8 t79 = KP707106781 * t67 + t71;
    const vec8 s14 = __builtin_shufflevector(t77, t79, 0, 8, 1, 9, 2, 10, 3, 11);
    const vec8 s15 = __builtin_shufflevector(t77, t79, 4, 12, 5, 13, 6, 14, 7, 15);
    *(vec8_at *)(py + 112) = s14;
    *(vec8_at *)(py + 120) = s15;
  }
}

/* 2 stages */
static void n64_avx512_run(const float *restrict in, float *restrict out) {
  n64_avx512_run_0(in, out);
}


void n64_avx512(const float *restrict in, float *restrict out);

void n64_avx512(const float *restrict in, float *restrict out) {
  n64_avx512_run(in, out);
}
