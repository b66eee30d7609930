/* SPDX-License-Identifier: 0BSD
 *
 * n64_tiles: c2r f64 n=64
 *
 * Plan: real(2, four-step(direct(16), direct(2)))
 * Made by: fftgen emit "c2r f64 n=64" --target c --isa avx2 --plan 'real(2, four-step(direct(16), direct(2)))' --prefix n64_tiles
 * Operations a call: 406 additions, 130 multiplications, 208 fused multiply-adds
 * Bytes moved a call: 3152, and 1088 to and from scratch that stays in cache
 * Fallback: scalar loop: radix 2, 1 columns after 1
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 * Flags: -mavx2 -mfma
 */

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define N64_TILES_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define N64_TILES_RESTRICT restrict
#else
#define N64_TILES_RESTRICT
#endif

#if !defined(__GNUC__) && !defined(__clang__)
#error "vectors as GCC and Clang have them: for other compilers emit --isa scalar"
#endif
#ifdef __cplusplus
#define N64_TILES_OF(vector) vector
#else
#define N64_TILES_OF(vector) (vector)
#endif
typedef double vec2 __attribute__((vector_size(16)));
typedef double vec2_at __attribute__((vector_size(16), aligned(8), may_alias));
typedef double vec4 __attribute__((vector_size(32)));
typedef double vec4_at __attribute__((vector_size(32), aligned(8), may_alias));

/* exp(2 pi i r c / 4), r = 0..1, c = 1..1 */
static const double tw0[4] __attribute__((aligned(32))) = {
  1.0, 0.0, 0.0, 1.0,
};

/* exp(2 pi i r c / 64), r = 1..1, c = 1..8 */
static const double tw1[16] __attribute__((aligned(32))) = {
  0.99518472667219693, 0.98078528040323043, 0.95694033573220882, 0.92387953251128674,
  0.88192126434835505, 0.83146961230254524, 0.77301045336273699, 0.70710678118654757,
  0.098017140329560604, 0.19509032201612828, 0.29028467725446239, 0.38268343236508978,
  0.47139673682599764, 0.55557023301960218, 0.63439328416364549, 0.70710678118654757,
};

/* exp(2 pi i r c / 32), r = 0..1, c = 0..15 */
static const double tw2[64] __attribute__((aligned(32))) = {
  1.0, 1.0, 1.0, 1.0,
  1.0, 1.0, 1.0, 1.0,
  1.0, 1.0, 1.0, 1.0,
  1.0, 1.0, 1.0, 1.0,
  1.0, 0.98078528040323043, 0.92387953251128674, 0.83146961230254524,
  0.70710678118654757, 0.55557023301960218, 0.38268343236508978, 0.19509032201612828,
  0.0, -0.19509032201612828, -0.38268343236508978, -0.55557023301960218,
  -0.70710678118654757, -0.83146961230254524, -0.92387953251128674, -0.98078528040323043,
  0.0, 0.0, 0.0, 0.0,
  0.0, 0.0, 0.0, 0.0,
  0.0, 0.0, 0.0, 0.0,
  0.0, 0.0, 0.0, 0.0,
  0.0, 0.19509032201612828, 0.38268343236508978, 0.55557023301960218,
  0.70710678118654757, 0.83146961230254524, 0.92387953251128674, 0.98078528040323043,
  1.0, 0.98078528040323043, 0.92387953251128674, 0.83146961230254524,
  0.70710678118654757, 0.55557023301960218, 0.38268343236508978, 0.19509032201612828,
};

/* 3 stages in one loop nest, their intermediate results in registers */
static void n64_tiles_run0_0(const double *N64_TILES_RESTRICT in, double *N64_TILES_RESTRICT work0,
    const ptrdiff_t t) {
  vec4 f0, f1, f2, f3, f4, f5, f6, f7;
  { /* real radix 2, pairs of rows of 32 */
    const double *const px = in + 8 * t + 2;
    const double *const pu = in + (-8 * t + 62);
    const double *const pw_re = tw0;
    const double *const pw_im = tw0 + 2;
    const double *const pv_re = tw1 + 4 * t;
    const double *const pv_im = tw1 + 8 + 4 * t;
    const vec4 w0i = pw_im[0] - N64_TILES_OF(vec4){0};
    const vec4 v0r = *(const vec4_at *)(pv_re);
    const vec4 t4 = v0r * w0i;
    const vec4 v0i = *(const vec4_at *)(pv_im);
    const vec4 t2 = v0i * w0i;
    const vec4 w0r = pw_re[0] - N64_TILES_OF(vec4){0};
    const vec4 t5 = v0i * w0r + t4;
    const vec4 t3 = v0r * w0r - t2;
    const vec4 s0 = *(const vec4_at *)(px);
    const vec4 s1 = *(const vec4_at *)(px + 4);
    const vec4 s2 = __builtin_shufflevector(s0, s1, 0, 1, 4, 5);
    const vec4 s3 = __builtin_shufflevector(s0, s1, 2, 3, 6, 7);
    const vec4 x0r = __builtin_shufflevector(s2, s3, 0, 4, 2, 6);
    const vec4 x0i = __builtin_shufflevector(s2, s3, 1, 5, 3, 7);
    const vec4 s4 = *(const vec4_at *)(pu + -6);
    const vec4 s5 = *(const vec4_at *)(pu + -2);
    const vec4 s6 = __builtin_shufflevector(s4, s5, 0, 1, 4, 5);
    const vec4 s7 = __builtin_shufflevector(s4, s5, 2, 3, 6, 7);
    const vec4 u0r = __builtin_shufflevector(s6, s7, 6, 2, 4, 0);
    const vec4 u0i = __builtin_shufflevector(s6, s7, 7, 3, 5, 1);
    const vec4 t1 = x0r - u0r;
    const vec4 t0 = x0r + u0r;
    const vec4 t7 = x0i + u0i;
    const vec4 t8 = x0i - u0i;
    const vec4 t6 = t5 * t1;
    const vec4 t9 = t5 * t7;
    const vec4 t10 = t3 * t7 + t6;
    const vec4 t11 = t3 * t1 - t9;
    const vec4 t12 = t0 - t10;
    const vec4 t13 = t0 + t10;
    f0 = t12;
    f2 = t13;
    const vec4 t14 = t8 + t11;
    const vec4 t15 = t11 - t8;
    f1 = t14;
    f3 = t15;
  }
  { /* real radix 2, pairs of rows of 32 */
    const double *const px = in + 8 * t + 34;
    const double *const pu = in + (-8 * t + 30);
    const double *const pw_re = tw0 + 1;
    const double *const pw_im = tw0 + 2 + 1;
    const double *const pv_re = tw1 + 4 * t;
    const double *const pv_im = tw1 + 8 + 4 * t;
    const vec4 w0i = pw_im[0] - N64_TILES_OF(vec4){0};
    const vec4 v0r = *(const vec4_at *)(pv_re);
    const vec4 t4 = v0r * w0i;
    const vec4 v0i = *(const vec4_at *)(pv_im);
    const vec4 t2 = v0i * w0i;
    const vec4 w0r = pw_re[0] - N64_TILES_OF(vec4){0};
    const vec4 t5 = v0i * w0r + t4;
    const vec4 t3 = v0r * w0r - t2;
    const vec4 s0 = *(const vec4_at *)(px);
    const vec4 s1 = *(const vec4_at *)(px + 4);
    const vec4 s2 = __builtin_shufflevector(s0, s1, 0, 1, 4, 5);
    const vec4 s3 = __builtin_shufflevector(s0, s1, 2, 3, 6, 7);
    const vec4 x0r = __builtin_shufflevector(s2, s3, 0, 4, 2, 6);
    const vec4 x0i = __builtin_shufflevector(s2, s3, 1, 5, 3, 7);
    const vec4 s4 = *(const vec4_at *)(pu + -6);
    const vec4 s5 = *(const vec4_at *)(pu + -2);
    const vec4 s6 = __builtin_shufflevector(s4, s5, 0, 1, 4, 5);
    const vec4 s7 = __builtin_shufflevector(s4, s5, 2, 3, 6, 7);
    const vec4 u0r = __builtin_shufflevector(s6, s7, 6, 2, 4, 0);
    const vec4 u0i = __builtin_shufflevector(s6, s7, 7, 3, 5, 1);
    const vec4 t1 = x0r - u0r;
    const vec4 t0 = x0r + u0r;
    const vec4 t7 = x0i + u0i;
    const vec4 t8 = x0i - u0i;
    const vec4 t6 = t5 * t1;
    const vec4 t9 = t5 * t7;
    const vec4 t10 = t3 * t7 + t6;
    const vec4 t11 = t3 * t1 - t9;
    const vec4 t12 = t0 - t10;
    const vec4 t13 = t0 + t10;
    f4 = t12;
    f6 = t13;
    const vec4 t14 = t8 + t11;
    const vec4 t15 = t11 - t8;
    f5 = t14;
    f7 = t15;
  }
  { /* radix 2, 1 columns after 1 */
    const double *const pw_re = tw2 + 4 * t + 1;
    const double *const pw_im = tw2 + 32 + 4 * t + 1;
    double *const py_re = work0 + 4 * t + 1;
    double *const py_im = work0 + 32 + 4 * t + 1;
    const vec4 x0r = f0;
    const vec4 x0i = f1;
    const vec4 x1r = f4;
    const vec4 x1i = f5;
    const vec4 t0 = x0i + x1i;
    const vec4 t1 = x0i - x1i;
    const vec4 t3 = x0r + x1r;
    const vec4 t4 = x0r - x1r;
    const vec4 w0i = *(const vec4_at *)(pw_im);
    const vec4 t2 = w0i * t0;
    const vec4 t5 = w0i * t3;
    const vec4 w0r = *(const vec4_at *)(pw_re);
    const vec4 t6 = w0r * t3 - t2;
    const vec4 t7 = w0r * t0 + t5;
    *(vec4_at *)(py_re) = t6;
    *(vec4_at *)(py_im) = t7;
    const vec4 w1i = *(const vec4_at *)(pw_im + 16);
    const vec4 t8 = w1i * t1;
    const vec4 t9 = w1i * t4;
    const vec4 w1r = *(const vec4_at *)(pw_re + 16);
    const vec4 t10 = w1r * t4 - t8;
    const vec4 t11 = w1r * t1 + t9;
    *(vec4_at *)(py_re + 16) = t10;
    *(vec4_at *)(py_im + 16) = t11;
  }
  { /* radix 2, 1 columns after 1 */
    const double *const pw_re = tw2 + (-4 * t + 15);
    const double *const pw_im = tw2 + 32 + (-4 * t + 15);
    double *const py_re = work0 + (-4 * t + 15);
    double *const py_im = work0 + 32 + (-4 * t + 15);
    const vec4 x0r = f6;
    const vec4 x0i = f7;
    const vec4 x1r = f2;
    const vec4 x1i = f3;
    const vec4 t0 = x0i + x1i;
    const vec4 t1 = x0i - x1i;
    const vec4 s1 = *(const vec4_at *)(pw_im + -3);
    const vec4 w0i = __builtin_shufflevector(s1, s1, 3, 2, 1, 0);
    const vec4 t3 = x0r + x1r;
    const vec4 s5 = *(const vec4_at *)(pw_im + 13);
    const vec4 w1i = __builtin_shufflevector(s5, s5, 3, 2, 1, 0);
    const vec4 t4 = x0r - x1r;
    const vec4 s0 = *(const vec4_at *)(pw_re + -3);
    const vec4 w0r = __builtin_shufflevector(s0, s0, 3, 2, 1, 0);
    const vec4 s4 = *(const vec4_at *)(pw_re + 13);
    const vec4 w1r = __builtin_shufflevector(s4, s4, 3, 2, 1, 0);
    const vec4 t2 = w0i * t0;
    const vec4 t5 = w0i * t3;
    const vec4 t6 = w0r * t3 - t2;
    const vec4 t7 = w0r * t0 + t5;
    const vec4 t8 = w1i * t1;
    const vec4 t9 = w1i * t4;
    const vec4 t10 = w1r * t4 - t8;
    const vec4 t11 = w1r * t1 + t9;
    const vec4 s2 = __builtin_shufflevector(t6, t6, 3, 2, 1, 0);
    *(vec4_at *)(py_re + -3) = s2;
    const vec4 s3 = __builtin_shufflevector(t7, t7, 3, 2, 1, 0);
    *(vec4_at *)(py_im + -3) = s3;
    const vec4 s6 = __builtin_shufflevector(t10, t10, 3, 2, 1, 0);
    *(vec4_at *)(py_re + 13) = s6;
    const vec4 s7 = __builtin_shufflevector(t11, t11, 3, 2, 1, 0);
    *(vec4_at *)(py_im + 13) = s7;
  }
}

/* 3 stages */
static void n64_tiles_run0(const double *N64_TILES_RESTRICT in, double *N64_TILES_RESTRICT work0) {
  for (ptrdiff_t t = 0; t < 2; ++t) {
    n64_tiles_run0_0(in, work0, t);
  }
}

/* real radix 2, the first column of 32 */
static void n64_tiles_run1_0(const double *N64_TILES_RESTRICT in, double *N64_TILES_RESTRICT work2) {
  const double *const px = in;
  double *const py_re = work2;
  double *const py_im = work2 + 2;
  const double x0r = px[0];
  const double x1r = px[64];
  const double t0 = x0r + x1r;
  const double t1 = x0r - x1r;
  py_re[0] = t0;
  py_im[0] = t1;
}

/* real radix 2, the middle column of 32 */
static void n64_tiles_run1_1(const double *N64_TILES_RESTRICT in, double *N64_TILES_RESTRICT work2) {
  const double KP2_000000000 = 2.0;
  const double KN2_000000000 = -2.0;
  const double *const px = in + 32;
  double *const py_re = work2 + 1;
  double *const py_im = work2 + 2 + 1;
  const double x0r = px[0];
  const double x0i = px[1];
  const double t0 = KP2_000000000 * x0r;
  const double t1 = KN2_000000000 * x0i;
  py_re[0] = t0;
  py_im[0] = t1;
}

/* radix 2, 1 columns after 1 (scalar fallback) */
static void n64_tiles_run1_2(double *N64_TILES_RESTRICT work0, const double *N64_TILES_RESTRICT work2) {
  const double *const px_re = work2;
  const double *const px_im = work2 + 2;
  double *const py_re = work0;
  double *const py_im = work0 + 32;
  const double x0r = px_re[0];
  const double x0i = px_im[0];
  const double x1r = px_re[1];
  const double x1i = px_im[1];
  const double t0 = x0r + x1r;
  const double t1 = x0r - x1r;
  const double t2 = x0i + x1i;
  py_re[0] = t0;
  py_im[0] = t2;
  const double t3 = x0i - x1i;
  py_re[16] = t1;
  py_im[16] = t3;
}

/* 3 stages */
static void n64_tiles_run1(const double *N64_TILES_RESTRICT in, double *N64_TILES_RESTRICT work0,
    double *N64_TILES_RESTRICT work2) {
  n64_tiles_run1_0(in, work2);
  n64_tiles_run1_1(in, work2);
  n64_tiles_run1_2(work0, work2);
}

/* radix 16, 1 columns after 1 */
static void n64_tiles_run2_0(double *N64_TILES_RESTRICT out, const double *N64_TILES_RESTRICT work0) {
  const vec2 KP414213562 = 0.41421356237309503 - N64_TILES_OF(vec2){0};
  const vec2 KP707106781 = 0.70710678118654757 - N64_TILES_OF(vec2){0};
  const vec2 KP923879533 = 0.92387953251128674 - N64_TILES_OF(vec2){0};
  const double *const px_re = work0;
  const double *const px_im = work0 + 32;
  double *const py = out;
  const vec2 s0 = *(const vec2_at *)(px_re);
  const vec2 s8 = *(const vec2_at *)(px_re + 16);
  const vec2 x1r = __builtin_shufflevector(s0, s8, 1, 3);
  const vec2 x0r = __builtin_shufflevector(s0, s8, 0, 2);
  const vec2 s1 = *(const vec2_at *)(px_re + 2);
  const vec2 s9 = *(const vec2_at *)(px_re + 18);
  const vec2 x2r = __builtin_shufflevector(s1, s9, 0, 2);
  const vec2 x3r = __builtin_shufflevector(s1, s9, 1, 3);
  const vec2 s2 = *(const vec2_at *)(px_re + 4);
  const vec2 s10 = *(const vec2_at *)(px_re + 20);
  const vec2 x5r = __builtin_shufflevector(s2, s10, 1, 3);
  const vec2 x4r = __builtin_shufflevector(s2, s10, 0, 2);
  const vec2 s3 = *(const vec2_at *)(px_re + 6);
  const vec2 s11 = *(const vec2_at *)(px_re + 22);
  const vec2 x6r = __builtin_shufflevector(s3, s11, 0, 2);
  const vec2 x7r = __builtin_shufflevector(s3, s11, 1, 3);
  const vec2 s4 = *(const vec2_at *)(px_re + 8);
  const vec2 s12 = *(const vec2_at *)(px_re + 24);
  const vec2 x9r = __builtin_shufflevector(s4, s12, 1, 3);
  const vec2 x8r = __builtin_shufflevector(s4, s12, 0, 2);
  const vec2 s5 = *(const vec2_at *)(px_re + 10);
  const vec2 s13 = *(const vec2_at *)(px_re + 26);
  const vec2 x10r = __builtin_shufflevector(s5, s13, 0, 2);
  const vec2 x11r = __builtin_shufflevector(s5, s13, 1, 3);
  const vec2 s6 = *(const vec2_at *)(px_re + 12);
  const vec2 s14 = *(const vec2_at *)(px_re + 28);
  const vec2 x13r = __builtin_shufflevector(s6, s14, 1, 3);
  const vec2 x12r = __builtin_shufflevector(s6, s14, 0, 2);
  const vec2 s7 = *(const vec2_at *)(px_re + 14);
  const vec2 s15 = *(const vec2_at *)(px_re + 30);
  const vec2 x14r = __builtin_shufflevector(s7, s15, 0, 2);
  const vec2 x15r = __builtin_shufflevector(s7, s15, 1, 3);
  const vec2 s16 = *(const vec2_at *)(px_im);
  const vec2 s24 = *(const vec2_at *)(px_im + 16);
  const vec2 x1i = __builtin_shufflevector(s16, s24, 1, 3);
  const vec2 x0i = __builtin_shufflevector(s16, s24, 0, 2);
  const vec2 t1 = x0r - x8r;
  const vec2 t0 = x0r + x8r;
  const vec2 t3 = x4r - x12r;
  const vec2 t2 = x4r + x12r;
  const vec2 t5 = x2r - x10r;
  const vec2 t4 = x2r + x10r;
  const vec2 s17 = *(const vec2_at *)(px_im + 2);
  const vec2 s25 = *(const vec2_at *)(px_im + 18);
  const vec2 x2i = __builtin_shufflevector(s17, s25, 0, 2);
  const vec2 x3i = __builtin_shufflevector(s17, s25, 1, 3);
  const vec2 s18 = *(const vec2_at *)(px_im + 4);
  const vec2 s26 = *(const vec2_at *)(px_im + 20);
  const vec2 x5i = __builtin_shufflevector(s18, s26, 1, 3);
  const vec2 x4i = __builtin_shufflevector(s18, s26, 0, 2);
  const vec2 t11 = x14r - x6r;
  const vec2 t10 = x14r + x6r;
  const vec2 s19 = *(const vec2_at *)(px_im + 6);
  const vec2 s27 = *(const vec2_at *)(px_im + 22);
  const vec2 x6i = __builtin_shufflevector(s19, s27, 0, 2);
  const vec2 x7i = __builtin_shufflevector(s19, s27, 1, 3);
  const vec2 s20 = *(const vec2_at *)(px_im + 8);
  const vec2 s28 = *(const vec2_at *)(px_im + 24);
  const vec2 x9i = __builtin_shufflevector(s20, s28, 1, 3);
  const vec2 x8i = __builtin_shufflevector(s20, s28, 0, 2);
  const vec2 t17 = x5r - x13r;
  const vec2 t16 = x5r + x13r;
  const vec2 t19 = x1r - x9r;
  const vec2 t18 = x1r + x9r;
  const vec2 t20 = t18 - t16;
  const vec2 t21 = t18 + t16;
  const vec2 s21 = *(const vec2_at *)(px_im + 10);
  const vec2 s29 = *(const vec2_at *)(px_im + 26);
  const vec2 x10i = __builtin_shufflevector(s21, s29, 0, 2);
  const vec2 x11i = __builtin_shufflevector(s21, s29, 1, 3);
  const vec2 t25 = x1i - x9i;
  const vec2 t24 = x1i + x9i;
  const vec2 t7 = x2i - x10i;
  const vec2 t6 = x2i + x10i;
  const vec2 t28 = t25 + t17;
  const vec2 t29 = t25 - t17;
  const vec2 t8 = t5 - t7;
  const vec2 t9 = t7 + t5;
  const vec2 t33 = x3r - x11r;
  const vec2 t32 = x3r + x11r;
  const vec2 t35 = x15r - x7r;
  const vec2 t34 = x15r + x7r;
  const vec2 t36 = t34 - t32;
  const vec2 t37 = t34 + t32;
  const vec2 t39 = x3i - x11i;
  const vec2 t38 = x3i + x11i;
  const vec2 s22 = *(const vec2_at *)(px_im + 12);
  const vec2 s30 = *(const vec2_at *)(px_im + 28);
  const vec2 x13i = __builtin_shufflevector(s22, s30, 1, 3);
  const vec2 x12i = __builtin_shufflevector(s22, s30, 0, 2);
  const vec2 t23 = x5i - x13i;
  const vec2 t22 = x5i + x13i;
  const vec2 t30 = t19 - t23;
  const vec2 t31 = t19 + t23;
  const vec2 t46 = t35 - t39;
  const vec2 t47 = t35 + t39;
  const vec2 t49 = x0i - x8i;
  const vec2 t48 = x0i + x8i;
  const vec2 t51 = x4i - x12i;
  const vec2 t50 = x4i + x12i;
  const vec2 t26 = t24 - t22;
  const vec2 t27 = t24 + t22;
  const vec2 t55 = t4 - t10;
  const vec2 t54 = t4 + t10;
  const vec2 t57 = t0 - t2;
  const vec2 t56 = t0 + t2;
  const vec2 t52 = t21 + t37;
  const vec2 t53 = t21 - t37;
  const vec2 t58 = t56 + t54;
  const vec2 t59 = t56 - t54;
  const vec2 t60 = t58 + t52;
  const vec2 t61 = t58 - t52;
  const vec2 s23 = *(const vec2_at *)(px_im + 14);
  const vec2 s31 = *(const vec2_at *)(px_im + 30);
  const vec2 x14i = __builtin_shufflevector(s23, s31, 0, 2);
  const vec2 x15i = __builtin_shufflevector(s23, s31, 1, 3);
  const vec2 t13 = x14i - x6i;
  const vec2 t12 = x14i + x6i;
  const vec2 t41 = x15i - x7i;
  const vec2 t40 = x15i + x7i;
  const vec2 t67 = t48 - t50;
  const vec2 t66 = t48 + t50;
  const vec2 t14 = t11 + t13;
  const vec2 t15 = t13 - t11;
  const vec2 t44 = t41 + t33;
  const vec2 t45 = t41 - t33;
  const vec2 t65 = t6 - t12;
  const vec2 t64 = t6 + t12;
  const vec2 t42 = t40 - t38;
  const vec2 t43 = t40 + t38;
  const vec2 t68 = t66 + t64;
  const vec2 t69 = t66 - t64;
  const vec2 t62 = t27 + t43;
  const vec2 t63 = t27 - t43;
  const vec2 t74 = t69 + t53;
  const vec2 t70 = t68 + t62;
  const vec2 t75 = t69 - t53;
  const vec2 t71 = t68 - t62;
  const vec2 s32 = __builtin_shufflevector(t60, t70, 0, 2);
  const vec2 s33 = __builtin_shufflevector(t60, t70, 1, 3);
  *(vec2_at *)(py) = s32;
  *(vec2_at *)(py + 2) = s33;
  const vec2 t76 = t30 - KP414213562 * t28;
  const vec2 t77 = KP414213562 * t30 + t28;
  const vec2 t78 = KP414213562 * t44 + t46;
  const vec2 t79 = t44 - KP414213562 * t46;
  const vec2 t80 = t1 - t51;
  const vec2 t81 = t1 + t51;
  const vec2 s34 = __builtin_shufflevector(t61, t71, 0, 2);
  const vec2 s35 = __builtin_shufflevector(t61, t71, 1, 3);
  *(vec2_at *)(py + 32) = s34;
  *(vec2_at *)(py + 34) = s35;
  const vec2 t82 = t8 + t14;
  const vec2 t83 = t8 - t14;
  const vec2 t84 = KP707106781 * t82 + t80;
  const vec2 t85 = t80 - KP707106781 * t82;
  const vec2 t90 = t49 + t3;
  const vec2 t91 = t49 - t3;
  const vec2 t92 = t9 + t15;
  const vec2 t93 = t9 - t15;
  const vec2 t94 = KP707106781 * t92 + t90;
  const vec2 t95 = t90 - KP707106781 * t92;
  const vec2 t86 = t76 + t78;
  const vec2 t87 = t76 - t78;
  const vec2 t88 = KP923879533 * t86 + t84;
  const vec2 t89 = t84 - KP923879533 * t86;
  const vec2 t96 = t77 + t79;
  const vec2 t97 = t77 - t79;
  const vec2 t98 = KP923879533 * t96 + t94;
  const vec2 t99 = t94 - KP923879533 * t96;
  const vec2 t72 = t59 - t63;
  const vec2 t73 = t59 + t63;
  const vec2 s36 = __builtin_shufflevector(t72, t74, 0, 2);
  const vec2 s37 = __builtin_shufflevector(t72, t74, 1, 3);
  *(vec2_at *)(py + 16) = s36;
  *(vec2_at *)(py + 18) = s37;
  const vec2 t100 = t85 - KP923879533 * t97;
  const vec2 t101 = KP923879533 * t97 + t85;
  const vec2 s38 = __builtin_shufflevector(t73, t75, 0, 2);
  const vec2 s39 = __builtin_shufflevector(t73, t75, 1, 3);
  *(vec2_at *)(py + 48) = s38;
  *(vec2_at *)(py + 50) = s39;
  const vec2 t102 = KP923879533 * t87 + t95;
  const vec2 t103 = t95 - KP923879533 * t87;
  const vec2 s40 = __builtin_shufflevector(t88, t98, 0, 2);
  const vec2 s41 = __builtin_shufflevector(t88, t98, 1, 3);
  *(vec2_at *)(py + 4) = s40;
  *(vec2_at *)(py + 6) = s41;
  const vec2 t104 = t20 - t26;
  const vec2 t105 = t26 + t20;
  const vec2 t106 = t36 + t42;
  const vec2 t107 = t42 - t36;
  const vec2 t108 = t57 - t65;
  const vec2 t109 = t57 + t65;
  const vec2 s42 = __builtin_shufflevector(t89, t99, 0, 2);
  const vec2 s43 = __builtin_shufflevector(t89, t99, 1, 3);
  *(vec2_at *)(py + 36) = s42;
  *(vec2_at *)(py + 38) = s43;
  const vec2 t114 = t67 + t55;
  const vec2 t115 = t67 - t55;
  const vec2 s44 = __builtin_shufflevector(t100, t102, 0, 2);
  const vec2 s45 = __builtin_shufflevector(t100, t102, 1, 3);
  *(vec2_at *)(py + 20) = s44;
  *(vec2_at *)(py + 22) = s45;
  const vec2 s46 = __builtin_shufflevector(t101, t103, 0, 2);
  const vec2 s47 = __builtin_shufflevector(t101, t103, 1, 3);
  *(vec2_at *)(py + 52) = s46;
  *(vec2_at *)(py + 54) = s47;
  const vec2 t110 = t104 + t106;
  const vec2 t111 = t104 - t106;
  const vec2 t112 = KP707106781 * t110 + t108;
  const vec2 t113 = t108 - KP707106781 * t110;
  const vec2 t122 = KP707106781 * t111 + t115;
  const vec2 t116 = t105 + t107;
  const vec2 t117 = t105 - t107;
  const vec2 t118 = KP707106781 * t116 + t114;
  const vec2 t123 = t115 - KP707106781 * t111;
  const vec2 t119 = t114 - KP707106781 * t116;
  const vec2 t120 = t109 - KP707106781 * t117;
  const vec2 t121 = KP707106781 * t117 + t109;
  const vec2 s48 = __builtin_shufflevector(t112, t118, 0, 2);
  const vec2 s49 = __builtin_shufflevector(t112, t118, 1, 3);
  *(vec2_at *)(py + 8) = s48;
  *(vec2_at *)(py + 10) = s49;
  const vec2 t124 = KP414213562 * t31 - t29;
  const vec2 t125 = KP414213562 * t29 + t31;
  const vec2 t126 = KP414213562 * t47 + t45;
  const vec2 t127 = KP414213562 * t45 - t47;
  const vec2 t128 = t81 - KP707106781 * t93;
  const vec2 t129 = KP707106781 * t93 + t81;
  const vec2 t130 = t124 + t126;
  const vec2 t131 = t124 - t126;
  const vec2 t134 = KP707106781 * t83 + t91;
  const vec2 t135 = t91 - KP707106781 * t83;
  const vec2 t136 = t125 + t127;
  const vec2 t137 = t125 - t127;
  const vec2 t132 = KP923879533 * t130 + t128;
  const vec2 t133 = t128 - KP923879533 * t130;
  const vec2 t138 = KP923879533 * t136 + t134;
  const vec2 s50 = __builtin_shufflevector(t113, t119, 0, 2);
  const vec2 t139 = t134 - KP923879533 * t136;
  const vec2 s51 = __builtin_shufflevector(t113, t119, 1, 3);
  *(vec2_at *)(py + 40) = s50;
  *(vec2_at *)(py + 42) = s51;
  const vec2 s52 = __builtin_shufflevector(t120, t122, 0, 2);
  const vec2 s53 = __builtin_shufflevector(t120, t122, 1, 3);
  *(vec2_at *)(py + 24) = s52;
  *(vec2_at *)(py + 26) = s53;
  const vec2 t142 = KP923879533 * t131 + t135;
  const vec2 t140 = t129 - KP923879533 * t137;
  const vec2 t141 = KP923879533 * t137 + t129;
  const vec2 s54 = __builtin_shufflevector(t121, t123, 0, 2);
  const vec2 t143 = t135 - KP923879533 * t131;
  const vec2 s55 = __builtin_shufflevector(t121, t123, 1, 3);
  *(vec2_at *)(py + 56) = s54;
  *(vec2_at *)(py + 58) = s55;
  const vec2 s56 = __builtin_shufflevector(t132, t138, 0, 2);
  const vec2 s57 = __builtin_shufflevector(t132, t138, 1, 3);
  *(vec2_at *)(py + 12) = s56;
  *(vec2_at *)(py + 14) = s57;
  const vec2 s58 = __builtin_shufflevector(t133, t139, 0, 2);
  const vec2 s59 = __builtin_shufflevector(t133, t139, 1, 3);
  *(vec2_at *)(py + 44) = s58;
  *(vec2_at *)(py + 46) = s59;
  const vec2 s60 = __builtin_shufflevector(t140, t142, 0, 2);
  const vec2 s61 = __builtin_shufflevector(t140, t142, 1, 3);
  *(vec2_at *)(py + 28) = s60;
  *(vec2_at *)(py + 30) = s61;
  const vec2 s62 = __builtin_shufflevector(t141, t143, 0, 2);
  const vec2 s63 = __builtin_shufflevector(t141, t143, 1, 3);
  *(vec2_at *)(py + 60) = s62;
  *(vec2_at *)(py + 62) = s63;
}

/* 1 stage */
static void n64_tiles_run2(double *N64_TILES_RESTRICT out, const double *N64_TILES_RESTRICT work0) {
  n64_tiles_run2_0(out, work0);
}


#ifdef __cplusplus
extern "C"
#endif
void n64_tiles(const double *N64_TILES_RESTRICT in, double *N64_TILES_RESTRICT out,
    double *N64_TILES_RESTRICT scratch);

void n64_tiles(const double *N64_TILES_RESTRICT in, double *N64_TILES_RESTRICT out,
    double *N64_TILES_RESTRICT scratch) {
  double *const work0 = scratch;
  double *const work2 = scratch + 104;
  n64_tiles_run0(in, work0);
  n64_tiles_run1(in, work0, work2);
  n64_tiles_run2(out, work0);
}
