/* SPDX-License-Identifier: 0BSD
 *
 * n64_avx512: c2c f32 n=64
 *
 * Plan: stockham(8,8)
 * Made by: fftgen emit "c2c f32 n=64" --target c --isa avx512 --plan 'stockham(8,8)' --prefix n64_avx512
 * Operations a call: 704 additions, 112 multiplications, 240 fused multiply-adds
 * Bytes moved a call: 1472, and 1024 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * Without -fno-ivopts gcc spills registers around long straight-line code; clang spills
 * them across lines of the cache where it sets no frame pointer aside.
 * Flags: -mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl -mtune=icelake-server -mprefer-vector-width=512
 */

#include <stddef.h>
#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)
#pragma GCC optimize("schedule-insns,sched-pressure")
#endif

typedef float vec16 __attribute__((vector_size(64)));
typedef float vec16_at __attribute__((vector_size(64), aligned(4), may_alias));
typedef unsigned long long vec16_words __attribute__((vector_size(64)));

/* exp(-2 pi i r c / 64), r = 1..7, c = 0..7 */
static const float tw0[112] __attribute__((aligned(64))) = {
  1.0f, 0.0f, 0.99518472f, -0.0980171412f, 0.980785251f, -0.195090324f, 0.956940353f, -0.290284663f,
  0.923879504f, -0.382683426f, 0.881921291f, -0.471396744f, 0.831469595f, -0.555570245f, 0.773010433f, -0.634393275f,
  1.0f, 0.0f, 0.980785251f, -0.195090324f, 0.923879504f, -0.382683426f, 0.831469595f, -0.555570245f,
  0.707106769f, -0.707106769f, 0.555570245f, -0.831469595f, 0.382683426f, -0.923879504f, 0.195090324f, -0.980785251f,
  1.0f, 0.0f, 0.956940353f, -0.290284663f, 0.831469595f, -0.555570245f, 0.634393275f, -0.773010433f,
  0.382683426f, -0.923879504f, 0.0980171412f, -0.99518472f, -0.195090324f, -0.980785251f, -0.471396744f, -0.881921291f,
  1.0f, 0.0f, 0.923879504f, -0.382683426f, 0.707106769f, -0.707106769f, 0.382683426f, -0.923879504f,
  0.0f, -1.0f, -0.382683426f, -0.923879504f, -0.707106769f, -0.707106769f, -0.923879504f, -0.382683426f,
  1.0f, 0.0f, 0.881921291f, -0.471396744f, 0.555570245f, -0.831469595f, 0.0980171412f, -0.99518472f,
  -0.382683426f, -0.923879504f, -0.773010433f, -0.634393275f, -0.980785251f, -0.195090324f, -0.956940353f, 0.290284663f,
  1.0f, 0.0f, 0.831469595f, -0.555570245f, 0.382683426f, -0.923879504f, -0.195090324f, -0.980785251f,
  -0.707106769f, -0.707106769f, -0.980785251f, -0.195090324f, -0.923879504f, 0.382683426f, -0.555570245f, 0.831469595f,
  1.0f, 0.0f, 0.773010433f, -0.634393275f, 0.195090324f, -0.980785251f, -0.471396744f, -0.881921291f,
  -0.923879504f, -0.382683426f, -0.956940353f, 0.290284663f, -0.555570245f, 0.831469595f, 0.0980171412f, 0.99518472f,
};

/* 2 stages as one, what passes between them in values */
static void n64_avx512_run_0(const float *restrict in, float *restrict out) {
  vec16 f0, f1, f2, f3, f4, f5, f6, f7;
  { /* radix 8, 8 columns after 1 */
    const vec16 KP707106781 = 0.707106769f - (vec16){0};
    const float *const px = in;
    const vec16 x7 = *(const vec16_at *)(px + 112);
    const vec16 x3 = *(const vec16_at *)(px + 48);
    const vec16 t0 = x7 + x3;
    const vec16 t1 = x7 - x3;
    const vec16 x1 = *(const vec16_at *)(px + 16);
    const vec16 x5 = *(const vec16_at *)(px + 80);
    const vec16 t2 = x1 + x5;
    const vec16 t3 = x1 - x5;
    const vec16 t4 = t2 + t0;
    const vec16 t5 = t2 - t0;
    const vec16 x2 = *(const vec16_at *)(px + 32);
    const vec16 x6 = *(const vec16_at *)(px + 96);
    const vec16 t6 = x2 + x6;
    const vec16 t7 = x2 - x6;
    const vec16 x0 = *(const vec16_at *)(px);
    const vec16 x4 = *(const vec16_at *)(px + 64);
    const vec16 t8 = x0 + x4;
    const vec16 t9 = x0 - x4;
    const vec16 t10 = t8 + t6;
    const vec16 t11 = t8 - t6;
    const vec16 t12 = t10 + t4;
    const vec16 t13 = t10 - t4;
    const vec16 J = (vec16){1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
    const vec16 s0 = (vec16)((vec16_words)t5 << 32 | (vec16_words)t5 >> 32);
    const vec16 t14 = J * s0 + t11;
    const vec16 t15 = t11 - J * s0;
    const vec16 s1 = (vec16)((vec16_words)t3 << 32 | (vec16_words)t3 >> 32);
    const vec16 t16 = J * s1 + t3;
    const vec16 s2 = (vec16)((vec16_words)t1 << 32 | (vec16_words)t1 >> 32);
    const vec16 t17 = t1 - J * s2;
    const vec16 s3 = (vec16)((vec16_words)t7 << 32 | (vec16_words)t7 >> 32);
    const vec16 t18 = J * s3 + t9;
    const vec16 t19 = t9 - J * s3;
    const vec16 t20 = t16 - t17;
    const vec16 t21 = t16 + t17;
    const vec16 t22 = KP707106781 * t21 + t18;
    const vec16 t23 = t18 - KP707106781 * t21;
    const vec16 t24 = KP707106781 * J;
    const vec16 s4 = (vec16)((vec16_words)t20 << 32 | (vec16_words)t20 >> 32);
    const vec16 t25 = t19 - t24 * s4;
    const vec16 t26 = t24 * s4 + t19;
    const vec16 s5 = __builtin_shufflevector(t12, t22, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    const vec16 s6 = __builtin_shufflevector(t12, t22, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    const vec16 s7 = __builtin_shufflevector(t14, t26, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    const vec16 s8 = __builtin_shufflevector(t14, t26, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    const vec16 s9 = __builtin_shufflevector(t13, t23, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    const vec16 s10 = __builtin_shufflevector(t13, t23, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    const vec16 s11 = __builtin_shufflevector(t15, t25, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    const vec16 s12 = __builtin_shufflevector(t15, t25, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    const vec16 s13 = __builtin_shufflevector(s5, s7, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    const vec16 s14 = __builtin_shufflevector(s5, s7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    const vec16 s15 = __builtin_shufflevector(s6, s8, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    const vec16 s16 = __builtin_shufflevector(s6, s8, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    const vec16 s17 = __builtin_shufflevector(s9, s11, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    const vec16 s18 = __builtin_shufflevector(s9, s11, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    const vec16 s19 = __builtin_shufflevector(s10, s12, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    const vec16 s20 = __builtin_shufflevector(s10, s12, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    const vec16 s21 = __builtin_shufflevector(s13, s17, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const vec16 s22 = __builtin_shufflevector(s13, s17, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    const vec16 s23 = __builtin_shufflevector(s15, s19, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const vec16 s24 = __builtin_shufflevector(s15, s19, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    const vec16 s25 = __builtin_shufflevector(s14, s18, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const vec16 s26 = __builtin_shufflevector(s14, s18, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    const vec16 s27 = __builtin_shufflevector(s16, s20, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const vec16 s28 = __builtin_shufflevector(s16, s20, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    f0 = s21;
    f1 = s23;
    f2 = s22;
    f3 = s24;
    f4 = s25;
    f5 = s27;
    f6 = s26;
    f7 = s28;
  }
  { /* radix 8, 8 columns after 8 */
    const vec16 KP707106781 = 0.707106769f - (vec16){0};
    const float *const pw = tw0;
    float *const py = out;
    const vec16 x4 = f4;
    const vec16 w3 = *(const vec16_at *)(pw + 48);
    const vec16 s0 = __builtin_shufflevector(w3, w3, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
    const vec16 t0 = s0 * x4;
    const vec16 s1 = __builtin_shufflevector(w3, w3, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
    const vec16 J = (vec16){1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1};
    const vec16 t1 = s1 * J;
    const vec16 s2 = (vec16)((vec16_words)x4 << 32 | (vec16_words)x4 >> 32);
    const vec16 t2 = t0 - t1 * s2;
    const vec16 x2 = f2;
    const vec16 w1 = *(const vec16_at *)(pw + 16);
    const vec16 s3 = __builtin_shufflevector(w1, w1, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
    const vec16 t3 = s3 * x2;
    const vec16 s4 = __builtin_shufflevector(w1, w1, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
    const vec16 t4 = s4 * J;
    const vec16 s5 = (vec16)((vec16_words)x2 << 32 | (vec16_words)x2 >> 32);
    const vec16 t5 = t3 - t4 * s5;
    const vec16 x6 = f6;
    const vec16 w5 = *(const vec16_at *)(pw + 80);
    const vec16 s6 = __builtin_shufflevector(w5, w5, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
    const vec16 t6 = s6 * x6;
    const vec16 s7 = __builtin_shufflevector(w5, w5, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
    const vec16 t7 = s7 * J;
    const vec16 s8 = (vec16)((vec16_words)x6 << 32 | (vec16_words)x6 >> 32);
    const vec16 t8 = t6 - t7 * s8;
    const vec16 x1 = f1;
    const vec16 w0 = *(const vec16_at *)(pw);
    const vec16 s9 = __builtin_shufflevector(w0, w0, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
    const vec16 t9 = s9 * x1;
    const vec16 s10 = __builtin_shufflevector(w0, w0, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
    const vec16 t10 = s10 * J;
    const vec16 s11 = (vec16)((vec16_words)x1 << 32 | (vec16_words)x1 >> 32);
    const vec16 t11 = t9 - t10 * s11;
    const vec16 x5 = f5;
    const vec16 w4 = *(const vec16_at *)(pw + 64);
    const vec16 s12 = __builtin_shufflevector(w4, w4, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
    const vec16 t12 = s12 * x5;
    const vec16 s13 = __builtin_shufflevector(w4, w4, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
    const vec16 t13 = s13 * J;
    const vec16 s14 = (vec16)((vec16_words)x5 << 32 | (vec16_words)x5 >> 32);
    const vec16 t14 = t12 - t13 * s14;
    const vec16 x7 = f7;
    const vec16 w6 = *(const vec16_at *)(pw + 96);
    const vec16 s15 = __builtin_shufflevector(w6, w6, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
    const vec16 t15 = s15 * x7;
    const vec16 s16 = __builtin_shufflevector(w6, w6, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
    const vec16 t16 = s16 * J;
    const vec16 s17 = (vec16)((vec16_words)x7 << 32 | (vec16_words)x7 >> 32);
    const vec16 t17 = t15 - t16 * s17;
    const vec16 x3 = f3;
    const vec16 w2 = *(const vec16_at *)(pw + 32);
    const vec16 s18 = __builtin_shufflevector(w2, w2, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
    const vec16 t18 = s18 * x3;
    const vec16 s19 = __builtin_shufflevector(w2, w2, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
    const vec16 t19 = s19 * J;
    const vec16 s20 = (vec16)((vec16_words)x3 << 32 | (vec16_words)x3 >> 32);
    const vec16 t20 = t18 - t19 * s20;
    const vec16 t21 = t17 + t20;
    const vec16 t22 = t17 - t20;
    const vec16 t23 = t11 + t14;
    const vec16 t24 = t11 - t14;
    const vec16 t25 = t23 + t21;
    const vec16 t26 = t23 - t21;
    const vec16 t27 = t5 + t8;
    const vec16 t28 = t5 - t8;
    const vec16 x0 = f0;
    const vec16 t29 = x0 + t2;
    const vec16 t30 = x0 - t2;
    const vec16 t31 = t29 + t27;
    const vec16 t32 = t29 - t27;
    const vec16 t33 = t31 + t25;
    *(vec16_at *)(py) = t33;
    const vec16 t34 = t31 - t25;
    *(vec16_at *)(py + 64) = t34;
    const vec16 s21 = (vec16)((vec16_words)t26 << 32 | (vec16_words)t26 >> 32);
    const vec16 t35 = J * s21 + t32;
    *(vec16_at *)(py + 32) = t35;
    const vec16 t36 = t32 - J * s21;
    *(vec16_at *)(py + 96) = t36;
    const vec16 s22 = (vec16)((vec16_words)t24 << 32 | (vec16_words)t24 >> 32);
    const vec16 t37 = J * s22 + t24;
    const vec16 s23 = (vec16)((vec16_words)t22 << 32 | (vec16_words)t22 >> 32);
    const vec16 t38 = t22 - J * s23;
    const vec16 s24 = (vec16)((vec16_words)t28 << 32 | (vec16_words)t28 >> 32);
    const vec16 t39 = J * s24 + t30;
    const vec16 t40 = t30 - J * s24;
    const vec16 t41 = t37 - t38;
    const vec16 t42 = t37 + t38;
    const vec16 t43 = KP707106781 * t42 + t39;
    *(vec16_at *)(py + 16) = t43;
    const vec16 t44 = t39 - KP707106781 * t42;
    *(vec16_at *)(py + 80) = t44;
    const vec16 t45 = KP707106781 * J;
    const vec16 s25 = (vec16)((vec16_words)t41 << 32 | (vec16_words)t41 >> 32);
    const vec16 t46 = t40 - t45 * s25;
    *(vec16_at *)(py + 112) = t46;
    const vec16 t47 = t45 * s25 + t40;
    *(vec16_at *)(py + 48) = t47;
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
