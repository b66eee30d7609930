/* SPDX-License-Identifier: 0BSD
 *
 * n64_avx512: c2c f32 n=64
 *
 * Plan: stockham(8,8)
 * Made by: fftgen emit "c2c f32 n=64" --target c --isa avx512 --plan 'stockham(8,8)' --prefix n64_avx512
 * Operations a call: 704 additions, 112 multiplications, 240 fused multiply-adds
 * Bytes moved a call: 1920, and 1024 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 * Flags: -mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl -mtune=icelake-server -mprefer-vector-width=512
 */

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define N64_AVX512_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define N64_AVX512_RESTRICT restrict
#else
#define N64_AVX512_RESTRICT
#endif
#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)
#pragma GCC optimize("schedule-insns,sched-pressure")
#endif

#if !defined(__GNUC__) && !defined(__clang__)
#error "vectors as GCC and Clang have them: for other compilers emit --isa scalar"
#endif
#ifdef __cplusplus
#define N64_AVX512_OF(vector) vector
#else
#define N64_AVX512_OF(vector) (vector)
#endif
typedef float vec16 __attribute__((vector_size(64)));
typedef float vec16_at __attribute__((vector_size(64), aligned(4), may_alias));
typedef unsigned long long vec16_words __attribute__((vector_size(64)));

/* exp(-2 pi i r c / 64), r = 1..7, c = 0..7 */
static const float tw0[224] __attribute__((aligned(64))) = {
  1.0f, 1.0f, 0.99518472f, 0.99518472f, 0.980785251f, 0.980785251f, 0.956940353f, 0.956940353f,
  0.923879504f, 0.923879504f, 0.881921291f, 0.881921291f, 0.831469595f, 0.831469595f, 0.773010433f, 0.773010433f,
  1.0f, 1.0f, 0.980785251f, 0.980785251f, 0.923879504f, 0.923879504f, 0.831469595f, 0.831469595f,
  0.707106769f, 0.707106769f, 0.555570245f, 0.555570245f, 0.382683426f, 0.382683426f, 0.195090324f, 0.195090324f,
  1.0f, 1.0f, 0.956940353f, 0.956940353f, 0.831469595f, 0.831469595f, 0.634393275f, 0.634393275f,
  0.382683426f, 0.382683426f, 0.0980171412f, 0.0980171412f, -0.195090324f, -0.195090324f, -0.471396744f, -0.471396744f,
  1.0f, 1.0f, 0.923879504f, 0.923879504f, 0.707106769f, 0.707106769f, 0.382683426f, 0.382683426f,
  0.0f, 0.0f, -0.382683426f, -0.382683426f, -0.707106769f, -0.707106769f, -0.923879504f, -0.923879504f,
  1.0f, 1.0f, 0.881921291f, 0.881921291f, 0.555570245f, 0.555570245f, 0.0980171412f, 0.0980171412f,
  -0.382683426f, -0.382683426f, -0.773010433f, -0.773010433f, -0.980785251f, -0.980785251f, -0.956940353f, -0.956940353f,
  1.0f, 1.0f, 0.831469595f, 0.831469595f, 0.382683426f, 0.382683426f, -0.195090324f, -0.195090324f,
  -0.707106769f, -0.707106769f, -0.980785251f, -0.980785251f, -0.923879504f, -0.923879504f, -0.555570245f, -0.555570245f,
  1.0f, 1.0f, 0.773010433f, 0.773010433f, 0.195090324f, 0.195090324f, -0.471396744f, -0.471396744f,
  -0.923879504f, -0.923879504f, -0.956940353f, -0.956940353f, -0.555570245f, -0.555570245f, 0.0980171412f, 0.0980171412f,
  0.0f, 0.0f, -0.0980171412f, 0.0980171412f, -0.195090324f, 0.195090324f, -0.290284663f, 0.290284663f,
  -0.382683426f, 0.382683426f, -0.471396744f, 0.471396744f, -0.555570245f, 0.555570245f, -0.634393275f, 0.634393275f,
  0.0f, 0.0f, -0.195090324f, 0.195090324f, -0.382683426f, 0.382683426f, -0.555570245f, 0.555570245f,
  -0.707106769f, 0.707106769f, -0.831469595f, 0.831469595f, -0.923879504f, 0.923879504f, -0.980785251f, 0.980785251f,
  0.0f, 0.0f, -0.290284663f, 0.290284663f, -0.555570245f, 0.555570245f, -0.773010433f, 0.773010433f,
  -0.923879504f, 0.923879504f, -0.99518472f, 0.99518472f, -0.980785251f, 0.980785251f, -0.881921291f, 0.881921291f,
  0.0f, 0.0f, -0.382683426f, 0.382683426f, -0.707106769f, 0.707106769f, -0.923879504f, 0.923879504f,
  -1.0f, 1.0f, -0.923879504f, 0.923879504f, -0.707106769f, 0.707106769f, -0.382683426f, 0.382683426f,
  0.0f, 0.0f, -0.471396744f, 0.471396744f, -0.831469595f, 0.831469595f, -0.99518472f, 0.99518472f,
  -0.923879504f, 0.923879504f, -0.634393275f, 0.634393275f, -0.195090324f, 0.195090324f, 0.290284663f, -0.290284663f,
  0.0f, 0.0f, -0.555570245f, 0.555570245f, -0.923879504f, 0.923879504f, -0.980785251f, 0.980785251f,
  -0.707106769f, 0.707106769f, -0.195090324f, 0.195090324f, 0.382683426f, -0.382683426f, 0.831469595f, -0.831469595f,
  0.0f, 0.0f, -0.634393275f, 0.634393275f, -0.980785251f, 0.980785251f, -0.881921291f, 0.881921291f,
  -0.382683426f, 0.382683426f, 0.290284663f, -0.290284663f, 0.831469595f, -0.831469595f, 0.99518472f, -0.99518472f,
};

/* 2 stages in one loop nest, their intermediate results in registers */
static void n64_avx512_run_0(const float *N64_AVX512_RESTRICT in, float *N64_AVX512_RESTRICT out) {
  vec16 f0, f1, f2, f3, f4, f5, f6, f7;
  { /* radix 8, 8 columns after 1 */
    const vec16 KP707106781 = 0.707106769f - N64_AVX512_OF(vec16){0};
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
    const vec16 J = N64_AVX512_OF(vec16){1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f};
    const vec16 s0 = (vec16)((vec16_words)t5 << 32 | (vec16_words)t5 >> 32);
    const vec16 t14 = J * s0 + t11;
    const vec16 t15 = t11 - J * s0;
    const vec16 t16 = t3 + t1;
    const vec16 t17 = t1 - t3;
    const vec16 t18 = KP707106781 * t16 + t9;
    const vec16 t19 = t9 - KP707106781 * t16;
    const vec16 t20 = KP707106781 * t17 - t7;
    const vec16 s1 = (vec16)((vec16_words)t20 << 32 | (vec16_words)t20 >> 32);
    const vec16 t21 = t18 - J * s1;
    const vec16 t22 = J * s1 + t18;
    const vec16 t23 = KP707106781 * t17 + t7;
    const vec16 s2 = (vec16)((vec16_words)t23 << 32 | (vec16_words)t23 >> 32);
    const vec16 t24 = t19 - J * s2;
    const vec16 t25 = J * s2 + t19;
    const vec16 s3 = __builtin_shufflevector(t12, t21, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    const vec16 s4 = __builtin_shufflevector(t12, t21, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    const vec16 s5 = __builtin_shufflevector(t14, t24, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    const vec16 s6 = __builtin_shufflevector(t14, t24, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    const vec16 s7 = __builtin_shufflevector(t13, t25, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    const vec16 s8 = __builtin_shufflevector(t13, t25, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    const vec16 s9 = __builtin_shufflevector(t15, t22, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    const vec16 s10 = __builtin_shufflevector(t15, t22, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    const vec16 s11 = __builtin_shufflevector(s3, s5, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    const vec16 s12 = __builtin_shufflevector(s3, s5, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    const vec16 s13 = __builtin_shufflevector(s4, s6, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    const vec16 s14 = __builtin_shufflevector(s4, s6, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    const vec16 s15 = __builtin_shufflevector(s7, s9, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    const vec16 s16 = __builtin_shufflevector(s7, s9, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    const vec16 s17 = __builtin_shufflevector(s8, s10, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    const vec16 s18 = __builtin_shufflevector(s8, s10, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    const vec16 s19 = __builtin_shufflevector(s11, s15, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const vec16 s20 = __builtin_shufflevector(s11, s15, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    const vec16 s21 = __builtin_shufflevector(s13, s17, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const vec16 s22 = __builtin_shufflevector(s13, s17, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    const vec16 s23 = __builtin_shufflevector(s12, s16, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const vec16 s24 = __builtin_shufflevector(s12, s16, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    const vec16 s25 = __builtin_shufflevector(s14, s18, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
    const vec16 s26 = __builtin_shufflevector(s14, s18, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
    f0 = s19;
    f1 = s21;
    f2 = s20;
    f3 = s22;
    f4 = s23;
    f5 = s25;
    f6 = s24;
    f7 = s26;
  }
  { /* radix 8, 8 columns after 8 */
    const vec16 KP707106781 = 0.707106769f - N64_AVX512_OF(vec16){0};
    const float *const pw = tw0;
    float *const py = out;
    const vec16 x4 = f4;
    const vec16 w3r = *(const vec16_at *)(pw + 48);
    const vec16 t0 = w3r * x4;
    const vec16 w3i = *(const vec16_at *)(pw + 160);
    const vec16 s0 = (vec16)((vec16_words)x4 << 32 | (vec16_words)x4 >> 32);
    const vec16 t1 = t0 - w3i * s0;
    const vec16 x2 = f2;
    const vec16 w1r = *(const vec16_at *)(pw + 16);
    const vec16 t2 = w1r * x2;
    const vec16 w1i = *(const vec16_at *)(pw + 128);
    const vec16 s1 = (vec16)((vec16_words)x2 << 32 | (vec16_words)x2 >> 32);
    const vec16 t3 = t2 - w1i * s1;
    const vec16 x6 = f6;
    const vec16 w5r = *(const vec16_at *)(pw + 80);
    const vec16 t4 = w5r * x6;
    const vec16 w5i = *(const vec16_at *)(pw + 192);
    const vec16 s2 = (vec16)((vec16_words)x6 << 32 | (vec16_words)x6 >> 32);
    const vec16 t5 = t4 - w5i * s2;
    const vec16 x1 = f1;
    const vec16 w0r = *(const vec16_at *)(pw);
    const vec16 t6 = w0r * x1;
    const vec16 w0i = *(const vec16_at *)(pw + 112);
    const vec16 s3 = (vec16)((vec16_words)x1 << 32 | (vec16_words)x1 >> 32);
    const vec16 t7 = t6 - w0i * s3;
    const vec16 x5 = f5;
    const vec16 w4r = *(const vec16_at *)(pw + 64);
    const vec16 t8 = w4r * x5;
    const vec16 w4i = *(const vec16_at *)(pw + 176);
    const vec16 s4 = (vec16)((vec16_words)x5 << 32 | (vec16_words)x5 >> 32);
    const vec16 t9 = t8 - w4i * s4;
    const vec16 x7 = f7;
    const vec16 w6r = *(const vec16_at *)(pw + 96);
    const vec16 t10 = w6r * x7;
    const vec16 w6i = *(const vec16_at *)(pw + 208);
    const vec16 s5 = (vec16)((vec16_words)x7 << 32 | (vec16_words)x7 >> 32);
    const vec16 t11 = t10 - w6i * s5;
    const vec16 x3 = f3;
    const vec16 w2r = *(const vec16_at *)(pw + 32);
    const vec16 t12 = w2r * x3;
    const vec16 w2i = *(const vec16_at *)(pw + 144);
    const vec16 s6 = (vec16)((vec16_words)x3 << 32 | (vec16_words)x3 >> 32);
    const vec16 t13 = t12 - w2i * s6;
    const vec16 t14 = t11 + t13;
    const vec16 t15 = t11 - t13;
    const vec16 t16 = t7 + t9;
    const vec16 t17 = t7 - t9;
    const vec16 t18 = t16 + t14;
    const vec16 t19 = t16 - t14;
    const vec16 t20 = t3 + t5;
    const vec16 t21 = t3 - t5;
    const vec16 x0 = f0;
    const vec16 t22 = x0 + t1;
    const vec16 t23 = x0 - t1;
    const vec16 t24 = t22 + t20;
    const vec16 t25 = t22 - t20;
    const vec16 t26 = t24 + t18;
    *(vec16_at *)(py) = t26;
    const vec16 t27 = t24 - t18;
    *(vec16_at *)(py + 64) = t27;
    const vec16 J = N64_AVX512_OF(vec16){1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f};
    const vec16 s7 = (vec16)((vec16_words)t19 << 32 | (vec16_words)t19 >> 32);
    const vec16 t28 = J * s7 + t25;
    *(vec16_at *)(py + 32) = t28;
    const vec16 t29 = t25 - J * s7;
    *(vec16_at *)(py + 96) = t29;
    const vec16 t30 = t17 + t15;
    const vec16 t31 = t15 - t17;
    const vec16 t32 = KP707106781 * t30 + t23;
    const vec16 t33 = t23 - KP707106781 * t30;
    const vec16 t34 = KP707106781 * t31 - t21;
    const vec16 s8 = (vec16)((vec16_words)t34 << 32 | (vec16_words)t34 >> 32);
    const vec16 t35 = t32 - J * s8;
    *(vec16_at *)(py + 16) = t35;
    const vec16 t36 = J * s8 + t32;
    *(vec16_at *)(py + 112) = t36;
    const vec16 t37 = KP707106781 * t31 + t21;
    const vec16 s9 = (vec16)((vec16_words)t37 << 32 | (vec16_words)t37 >> 32);
    const vec16 t38 = t33 - J * s9;
    *(vec16_at *)(py + 48) = t38;
    const vec16 t39 = J * s9 + t33;
    *(vec16_at *)(py + 80) = t39;
  }
}

/* 2 stages */
static void n64_avx512_run(const float *N64_AVX512_RESTRICT in, float *N64_AVX512_RESTRICT out) {
  n64_avx512_run_0(in, out);
}


#ifdef __cplusplus
extern "C"
#endif
void n64_avx512(const float *N64_AVX512_RESTRICT in, float *N64_AVX512_RESTRICT out);

void n64_avx512(const float *N64_AVX512_RESTRICT in, float *N64_AVX512_RESTRICT out) {
  n64_avx512_run(in, out);
}
