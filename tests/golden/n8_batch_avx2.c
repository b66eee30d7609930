/* SPDX-License-Identifier: 0BSD
 *
 * n8_batch_avx2: c2c f32 n=8 batch=32
 *
 * Plan: direct(8)
 * Made by: fftgen emit "c2c f32 n=8 batch=32" --target c --isa avx2 --plan 'direct(8)' --prefix n8_batch_avx2
 * Operations a call: 1408 additions, 0 multiplications, 256 fused multiply-adds
 * Bytes moved a call: 4096, and 0 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 * Flags: -mavx2 -mfma
 */

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define N8_BATCH_AVX2_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define N8_BATCH_AVX2_RESTRICT restrict
#else
#define N8_BATCH_AVX2_RESTRICT
#endif

#if !defined(__GNUC__) && !defined(__clang__)
#error "vectors as GCC and Clang have them: for other compilers emit --isa scalar"
#endif
#ifdef __cplusplus
#define N8_BATCH_AVX2_OF(vector) vector
#else
#define N8_BATCH_AVX2_OF(vector) (vector)
#endif
typedef float vec8 __attribute__((vector_size(32)));
typedef float vec8_at __attribute__((vector_size(32), aligned(4), may_alias));

/* codelet of 8 points */
static void n8_batch_avx2_run_0(const float *N8_BATCH_AVX2_RESTRICT in, float *N8_BATCH_AVX2_RESTRICT out) {
  for (ptrdiff_t b = 0; b < 32; b += 4) {
    const vec8 KP707106781 = 0.707106769f - N8_BATCH_AVX2_OF(vec8){0};
    const float *const px = in + 16 * b;
    float *const py = out + 16 * b;
    const vec8 s0 = *(const vec8_at *)(px);
    const vec8 s2 = *(const vec8_at *)(px + 16);
    const vec8 s9 = __builtin_shufflevector(s0, s2, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s8 = __builtin_shufflevector(s0, s2, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s1 = *(const vec8_at *)(px + 8);
    const vec8 s3 = *(const vec8_at *)(px + 24);
    const vec8 s11 = __builtin_shufflevector(s1, s3, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s10 = __builtin_shufflevector(s1, s3, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s4 = *(const vec8_at *)(px + 32);
    const vec8 s6 = *(const vec8_at *)(px + 48);
    const vec8 s13 = __builtin_shufflevector(s4, s6, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s12 = __builtin_shufflevector(s4, s6, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 x1 = __builtin_shufflevector(s9, s13, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 x3 = __builtin_shufflevector(s9, s13, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 J = N8_BATCH_AVX2_OF(vec8){1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f};
    const vec8 x2 = __builtin_shufflevector(s8, s12, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 x0 = __builtin_shufflevector(s8, s12, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s5 = *(const vec8_at *)(px + 40);
    const vec8 s7 = *(const vec8_at *)(px + 56);
    const vec8 s15 = __builtin_shufflevector(s5, s7, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s14 = __builtin_shufflevector(s5, s7, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 x5 = __builtin_shufflevector(s11, s15, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 x7 = __builtin_shufflevector(s11, s15, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 t3 = x1 - x5;
    const vec8 t2 = x1 + x5;
    const vec8 t1 = x7 - x3;
    const vec8 t0 = x7 + x3;
    const vec8 x6 = __builtin_shufflevector(s10, s14, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 x4 = __builtin_shufflevector(s10, s14, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 t7 = x2 - x6;
    const vec8 t6 = x2 + x6;
    const vec8 t9 = x0 - x4;
    const vec8 t8 = x0 + x4;
    const vec8 t17 = t1 - t3;
    const vec8 t16 = t3 + t1;
    const vec8 t5 = t2 - t0;
    const vec8 t4 = t2 + t0;
    const vec8 s16 = __builtin_shufflevector(t5, t5, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t20 = KP707106781 * t17 - t7;
    const vec8 t23 = KP707106781 * t17 + t7;
    const vec8 t11 = t8 - t6;
    const vec8 t10 = t8 + t6;
    const vec8 s17 = __builtin_shufflevector(t20, t20, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 s18 = __builtin_shufflevector(t23, t23, 1, 0, 3, 2, 5, 4, 7, 6);
    const vec8 t18 = KP707106781 * t16 + t9;
    const vec8 t19 = t9 - KP707106781 * t16;
    const vec8 t14 = J * s16 + t11;
    const vec8 t15 = t11 - J * s16;
    const vec8 t12 = t10 + t4;
    const vec8 t13 = t10 - t4;
    const vec8 t21 = t18 - J * s17;
    const vec8 t22 = J * s17 + t18;
    const vec8 t24 = t19 - J * s18;
    const vec8 t25 = J * s18 + t19;
    const vec8 s19 = __builtin_shufflevector(t12, t21, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s20 = __builtin_shufflevector(t12, t21, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s21 = __builtin_shufflevector(t14, t24, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s22 = __builtin_shufflevector(t14, t24, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s23 = __builtin_shufflevector(t13, t25, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s24 = __builtin_shufflevector(t13, t25, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s25 = __builtin_shufflevector(t15, t22, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s26 = __builtin_shufflevector(t15, t22, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s27 = __builtin_shufflevector(s19, s21, 0, 1, 2, 3, 8, 9, 10, 11);
    *(vec8_at *)(py) = s27;
    const vec8 s28 = __builtin_shufflevector(s19, s21, 4, 5, 6, 7, 12, 13, 14, 15);
    *(vec8_at *)(py + 32) = s28;
    const vec8 s29 = __builtin_shufflevector(s20, s22, 0, 1, 2, 3, 8, 9, 10, 11);
    *(vec8_at *)(py + 16) = s29;
    const vec8 s30 = __builtin_shufflevector(s20, s22, 4, 5, 6, 7, 12, 13, 14, 15);
    *(vec8_at *)(py + 48) = s30;
    const vec8 s31 = __builtin_shufflevector(s23, s25, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s32 = __builtin_shufflevector(s23, s25, 4, 5, 6, 7, 12, 13, 14, 15);
    *(vec8_at *)(py + 8) = s31;
    *(vec8_at *)(py + 40) = s32;
    const vec8 s33 = __builtin_shufflevector(s24, s26, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s34 = __builtin_shufflevector(s24, s26, 4, 5, 6, 7, 12, 13, 14, 15);
    *(vec8_at *)(py + 24) = s33;
    *(vec8_at *)(py + 56) = s34;
  }
}

/* 1 stage */
static void n8_batch_avx2_run(const float *N8_BATCH_AVX2_RESTRICT in, float *N8_BATCH_AVX2_RESTRICT out) {
  n8_batch_avx2_run_0(in, out);
}


#ifdef __cplusplus
extern "C"
#endif
void n8_batch_avx2(const float *N8_BATCH_AVX2_RESTRICT in, float *N8_BATCH_AVX2_RESTRICT out);

void n8_batch_avx2(const float *N8_BATCH_AVX2_RESTRICT in, float *N8_BATCH_AVX2_RESTRICT out) {
  n8_batch_avx2_run(in, out);
}
