/* SPDX-License-Identifier: 0BSD
 *
 * n8_batch_avx2: c2c f32 n=8 batch=32
 *
 * Plan: direct(8)
 * Made by: fftgen emit "c2c f32 n=8 batch=32" --target c --isa avx2 --plan 'direct(8)' --prefix n8_batch_avx2
 * Operations a call: 1408 additions, 0 multiplications, 256 fused multiply-adds
 * Bytes moved a call: 4096, and 0 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=fast, with the flags below.
 * Without -fno-ivopts gcc spills registers around long straight-line code.
 * Flags: -mavx2 -mfma
 */

#include <stddef.h>

typedef float vec8 __attribute__((vector_size(32)));
typedef float vec8_at __attribute__((vector_size(32), aligned(4), may_alias));

/* codelet of 8 points */
static void n8_batch_avx2_run_0(const float *restrict in, float *restrict out) {
  const vec8 KP707106781 = 0.707106769f - (vec8){0};
  for (ptrdiff_t b = 0; b < 32; b += 8) {
    const float *const px = in + 16 * b;
    float *const py = out + 16 * b;
    const vec8 s0 = *(const vec8_at *)(px);
    const vec8 s1 = *(const vec8_at *)(px + 8);
    const vec8 s2 = *(const vec8_at *)(px + 16);
    const vec8 s3 = *(const vec8_at *)(px + 24);
    const vec8 s4 = *(const vec8_at *)(px + 32);
    const vec8 s5 = *(const vec8_at *)(px + 40);
    const vec8 s6 = *(const vec8_at *)(px + 48);
    const vec8 s7 = *(const vec8_at *)(px + 56);
    const vec8 s8 = *(const vec8_at *)(px + 64);
    const vec8 s9 = *(const vec8_at *)(px + 72);
    const vec8 s10 = *(const vec8_at *)(px + 80);
    const vec8 s11 = *(const vec8_at *)(px + 88);
    const vec8 s12 = *(const vec8_at *)(px + 96);
    const vec8 s13 = *(const vec8_at *)(px + 104);
    const vec8 s14 = *(const vec8_at *)(px + 112);
    const vec8 s15 = *(const vec8_at *)(px + 120);
    const vec8 s16 = __builtin_shufflevector(s0, s2, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s17 = __builtin_shufflevector(s0, s2, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s18 = __builtin_shufflevector(s1, s3, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s19 = __builtin_shufflevector(s1, s3, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s20 = __builtin_shufflevector(s4, s6, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s21 = __builtin_shufflevector(s4, s6, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s22 = __builtin_shufflevector(s5, s7, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s23 = __builtin_shufflevector(s5, s7, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s24 = __builtin_shufflevector(s8, s10, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s25 = __builtin_shufflevector(s8, s10, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s26 = __builtin_shufflevector(s9, s11, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s27 = __builtin_shufflevector(s9, s11, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s28 = __builtin_shufflevector(s12, s14, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s29 = __builtin_shufflevector(s12, s14, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s30 = __builtin_shufflevector(s13, s15, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s31 = __builtin_shufflevector(s13, s15, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s32 = __builtin_shufflevector(s16, s20, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s33 = __builtin_shufflevector(s16, s20, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s34 = __builtin_shufflevector(s18, s22, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s35 = __builtin_shufflevector(s18, s22, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s36 = __builtin_shufflevector(s17, s21, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s37 = __builtin_shufflevector(s17, s21, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s38 = __builtin_shufflevector(s19, s23, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s39 = __builtin_shufflevector(s19, s23, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s40 = __builtin_shufflevector(s24, s28, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s41 = __builtin_shufflevector(s24, s28, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s42 = __builtin_shufflevector(s26, s30, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s43 = __builtin_shufflevector(s26, s30, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s44 = __builtin_shufflevector(s25, s29, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s45 = __builtin_shufflevector(s25, s29, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s46 = __builtin_shufflevector(s27, s31, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s47 = __builtin_shufflevector(s27, s31, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 x0r = __builtin_shufflevector(s32, s40, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 x2r = __builtin_shufflevector(s32, s40, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 x4r = __builtin_shufflevector(s34, s42, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 x6r = __builtin_shufflevector(s34, s42, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 x1r = __builtin_shufflevector(s36, s44, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 x3r = __builtin_shufflevector(s36, s44, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 x5r = __builtin_shufflevector(s38, s46, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 x7r = __builtin_shufflevector(s38, s46, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 x0i = __builtin_shufflevector(s33, s41, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 x2i = __builtin_shufflevector(s33, s41, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 x4i = __builtin_shufflevector(s35, s43, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 x6i = __builtin_shufflevector(s35, s43, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 x1i = __builtin_shufflevector(s37, s45, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 x3i = __builtin_shufflevector(s37, s45, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 x5i = __builtin_shufflevector(s39, s47, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 x7i = __builtin_shufflevector(s39, s47, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 t0 = x7r + x3r;
    const vec8 t1 = x7r - x3r;
    const vec8 t2 = x1r + x5r;
    const vec8 t3 = x1r - x5r;
    const vec8 t4 = t2 + t0;
    const vec8 t5 = t2 - t0;
    const vec8 t6 = x2r + x6r;
    const vec8 t7 = x2r - x6r;
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
    const vec8 s48 = __builtin_shufflevector(t12, t26, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s49 = __builtin_shufflevector(t12, t26, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s50 = __builtin_shufflevector(t40, t46, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s51 = __builtin_shufflevector(t40, t46, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s52 = __builtin_shufflevector(t28, t30, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s53 = __builtin_shufflevector(t28, t30, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s54 = __builtin_shufflevector(t48, t50, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s55 = __builtin_shufflevector(t48, t50, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s56 = __builtin_shufflevector(t13, t27, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s57 = __builtin_shufflevector(t13, t27, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s58 = __builtin_shufflevector(t41, t47, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s59 = __builtin_shufflevector(t41, t47, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s60 = __builtin_shufflevector(t29, t31, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s61 = __builtin_shufflevector(t29, t31, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s62 = __builtin_shufflevector(t49, t51, 0, 8, 1, 9, 4, 12, 5, 13);
    const vec8 s63 = __builtin_shufflevector(t49, t51, 2, 10, 3, 11, 6, 14, 7, 15);
    const vec8 s64 = __builtin_shufflevector(s48, s50, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s65 = __builtin_shufflevector(s48, s50, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s66 = __builtin_shufflevector(s49, s51, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s67 = __builtin_shufflevector(s49, s51, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s68 = __builtin_shufflevector(s52, s54, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s69 = __builtin_shufflevector(s52, s54, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s70 = __builtin_shufflevector(s53, s55, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s71 = __builtin_shufflevector(s53, s55, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s72 = __builtin_shufflevector(s56, s58, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s73 = __builtin_shufflevector(s56, s58, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s74 = __builtin_shufflevector(s57, s59, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s75 = __builtin_shufflevector(s57, s59, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s76 = __builtin_shufflevector(s60, s62, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s77 = __builtin_shufflevector(s60, s62, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s78 = __builtin_shufflevector(s61, s63, 0, 1, 8, 9, 4, 5, 12, 13);
    const vec8 s79 = __builtin_shufflevector(s61, s63, 2, 3, 10, 11, 6, 7, 14, 15);
    const vec8 s80 = __builtin_shufflevector(s64, s68, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s81 = __builtin_shufflevector(s64, s68, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s82 = __builtin_shufflevector(s66, s70, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s83 = __builtin_shufflevector(s66, s70, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s84 = __builtin_shufflevector(s65, s69, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s85 = __builtin_shufflevector(s65, s69, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s86 = __builtin_shufflevector(s67, s71, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s87 = __builtin_shufflevector(s67, s71, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s88 = __builtin_shufflevector(s72, s76, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s89 = __builtin_shufflevector(s72, s76, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s90 = __builtin_shufflevector(s74, s78, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s91 = __builtin_shufflevector(s74, s78, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s92 = __builtin_shufflevector(s73, s77, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s93 = __builtin_shufflevector(s73, s77, 4, 5, 6, 7, 12, 13, 14, 15);
    const vec8 s94 = __builtin_shufflevector(s75, s79, 0, 1, 2, 3, 8, 9, 10, 11);
    const vec8 s95 = __builtin_shufflevector(s75, s79, 4, 5, 6, 7, 12, 13, 14, 15);
    *(vec8_at *)(py) = s80;
    *(vec8_at *)(py + 8) = s88;
    *(vec8_at *)(py + 16) = s84;
    *(vec8_at *)(py + 24) = s92;
    *(vec8_at *)(py + 32) = s82;
    *(vec8_at *)(py + 40) = s90;
    *(vec8_at *)(py + 48) = s86;
    *(vec8_at *)(py + 56) = s94;
    *(vec8_at *)(py + 64) = s81;
    *(vec8_at *)(py + 72) = s89;
    *(vec8_at *)(py + 80) = s85;
    *(vec8_at *)(py + 88) = s93;
    *(vec8_at *)(py + 96) = s83;
    *(vec8_at *)(py + 104) = s91;
    *(vec8_at *)(py + 112) = s87;
    *(vec8_at *)(py + 120) = s95;
  }
}

/* 1 stage */
static void n8_batch_avx2_run(const float *restrict in, float *restrict out) {
  n8_batch_avx2_run_0(in, out);
}


void n8_batch_avx2(const float *restrict in, float *restrict out);

void n8_batch_avx2(const float *restrict in, float *restrict out) {
  n8_batch_avx2_run(in, out);
}
