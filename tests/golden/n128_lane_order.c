/* SPDX-License-Identifier: 0BSD
 *
 * n128_lane_order: c2c f64 n=128
 *
 * Plan: stockham(4,8,4; tables=init, complex_vectors=split)
 * Made by: fftgen emit "c2c f64 n=128" --target c --isa avx2 --plan 'stockham(4,8,4; tables=init, complex_vectors=split)' --prefix n128_lane_order
 * Operations a call: 1728 additions, 416 multiplications, 544 fused multiply-adds
 * Bytes moved a call: 7424, and 8192 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 * Flags: -mavx2 -mfma
 */

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define N128_LANE_ORDER_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define N128_LANE_ORDER_RESTRICT restrict
#else
#define N128_LANE_ORDER_RESTRICT
#endif

#if !defined(__GNUC__) && !defined(__clang__)
#error "vectors as GCC and Clang have them: for other compilers emit --isa scalar"
#endif
#ifdef __cplusplus
#define N128_LANE_ORDER_OF(vector) vector
#else
#define N128_LANE_ORDER_OF(vector) (vector)
#endif
typedef double vec4 __attribute__((vector_size(32)));
typedef double vec4_at __attribute__((vector_size(32), aligned(8), may_alias));

/* radix 4, 32 columns after 1 */
static void n128_lane_order_run_0(const double *N128_LANE_ORDER_RESTRICT in, double *N128_LANE_ORDER_RESTRICT out) {
  for (ptrdiff_t q = 0; q < 32; q += 4) {
    const double *const px = in + 2 * q;
    double *const py_re = out + 4 * q;
    double *const py_im = out + 128 + 4 * q;
    const vec4 s0 = *(const vec4_at *)(px + 64);
    const vec4 s1 = *(const vec4_at *)(px + 68);
    const vec4 x1r = __builtin_shufflevector(s0, s1, 0, 4, 2, 6);
    const vec4 x1i = __builtin_shufflevector(s0, s1, 1, 5, 3, 7);
    const vec4 s2 = *(const vec4_at *)(px + 192);
    const vec4 s3 = *(const vec4_at *)(px + 196);
    const vec4 x3r = __builtin_shufflevector(s2, s3, 0, 4, 2, 6);
    const vec4 x3i = __builtin_shufflevector(s2, s3, 1, 5, 3, 7);
    const vec4 t0 = x1r + x3r;
    const vec4 t1 = x1r - x3r;
    const vec4 t6 = x1i + x3i;
    const vec4 t7 = x1i - x3i;
    const vec4 s4 = *(const vec4_at *)(px);
    const vec4 s5 = *(const vec4_at *)(px + 4);
    const vec4 x0r = __builtin_shufflevector(s4, s5, 0, 4, 2, 6);
    const vec4 x0i = __builtin_shufflevector(s4, s5, 1, 5, 3, 7);
    const vec4 s6 = *(const vec4_at *)(px + 128);
    const vec4 s7 = *(const vec4_at *)(px + 132);
    const vec4 x2r = __builtin_shufflevector(s6, s7, 0, 4, 2, 6);
    const vec4 x2i = __builtin_shufflevector(s6, s7, 1, 5, 3, 7);
    const vec4 t2 = x0r + x2r;
    const vec4 t3 = x0r - x2r;
    const vec4 t8 = x0i + x2i;
    const vec4 t9 = x0i - x2i;
    const vec4 t4 = t2 + t0;
    const vec4 t5 = t2 - t0;
    const vec4 t12 = t3 + t7;
    const vec4 t13 = t3 - t7;
    const vec4 t10 = t8 + t6;
    const vec4 t11 = t8 - t6;
    const vec4 t14 = t9 - t1;
    const vec4 t15 = t9 + t1;
    const vec4 s8 = __builtin_shufflevector(t4, t12, 0, 1, 4, 5);
    const vec4 s9 = __builtin_shufflevector(t4, t12, 2, 3, 6, 7);
    const vec4 s10 = __builtin_shufflevector(t5, t13, 0, 1, 4, 5);
    const vec4 s11 = __builtin_shufflevector(t5, t13, 2, 3, 6, 7);
    const vec4 s16 = __builtin_shufflevector(t10, t14, 0, 1, 4, 5);
    const vec4 s17 = __builtin_shufflevector(t10, t14, 2, 3, 6, 7);
    const vec4 s12 = __builtin_shufflevector(s8, s10, 0, 4, 2, 6);
    *(vec4_at *)(py_re) = s12;
    const vec4 s13 = __builtin_shufflevector(s8, s10, 1, 5, 3, 7);
    *(vec4_at *)(py_re + 8) = s13;
    const vec4 s14 = __builtin_shufflevector(s9, s11, 0, 4, 2, 6);
    const vec4 s15 = __builtin_shufflevector(s9, s11, 1, 5, 3, 7);
    *(vec4_at *)(py_re + 4) = s14;
    *(vec4_at *)(py_re + 12) = s15;
    const vec4 s18 = __builtin_shufflevector(t11, t15, 0, 1, 4, 5);
    const vec4 s19 = __builtin_shufflevector(t11, t15, 2, 3, 6, 7);
    const vec4 s20 = __builtin_shufflevector(s16, s18, 0, 4, 2, 6);
    const vec4 s21 = __builtin_shufflevector(s16, s18, 1, 5, 3, 7);
    *(vec4_at *)(py_im) = s20;
    *(vec4_at *)(py_im + 8) = s21;
    const vec4 s22 = __builtin_shufflevector(s17, s19, 0, 4, 2, 6);
    const vec4 s23 = __builtin_shufflevector(s17, s19, 1, 5, 3, 7);
    *(vec4_at *)(py_im + 4) = s22;
    *(vec4_at *)(py_im + 12) = s23;
  }
}

/* radix 8, 16 columns after 4 */
static void n128_lane_order_run_1(const double *N128_LANE_ORDER_RESTRICT out, double *N128_LANE_ORDER_RESTRICT work0,
    const double *N128_LANE_ORDER_RESTRICT tw0) {
  const vec4 KP707106781 = 0.70710678118654757 - N128_LANE_ORDER_OF(vec4){0};
  for (ptrdiff_t q = 0; q < 4; ++q) {
    const double *const px_re = out + 4 * q;
    const double *const px_im = out + 128 + 4 * q;
    const double *const pw_re = tw0;
    const double *const pw_im = tw0 + 28;
    double *const py_re = work0 + 32 * q;
    double *const py_im = work0 + 136 + 32 * q;
    const vec4 w0i = *(const vec4_at *)(pw_im);
    __asm__ volatile("" ::: "memory");
    const vec4 x1i = *(const vec4_at *)(px_im + 16);
    __asm__ volatile("" ::: "memory");
    const vec4 t12 = w0i * x1i;
    const vec4 x1r = *(const vec4_at *)(px_re + 16);
    __asm__ volatile("" ::: "memory");
    const vec4 t14 = w0i * x1r;
    const vec4 w0r = *(const vec4_at *)(pw_re);
    __asm__ volatile("" ::: "memory");
    const vec4 t13 = w0r * x1r - t12;
    const vec4 t15 = w0r * x1i + t14;
    const vec4 w4i = *(const vec4_at *)(pw_im + 16);
    __asm__ volatile("" ::: "memory");
    const vec4 x5i = *(const vec4_at *)(px_im + 80);
    __asm__ volatile("" ::: "memory");
    const vec4 t16 = w4i * x5i;
    const vec4 x5r = *(const vec4_at *)(px_re + 80);
    __asm__ volatile("" ::: "memory");
    const vec4 t18 = w4i * x5r;
    const vec4 w4r = *(const vec4_at *)(pw_re + 16);
    __asm__ volatile("" ::: "memory");
    const vec4 t17 = w4r * x5r - t16;
    const vec4 t19 = w4r * x5i + t18;
    const vec4 w6i = *(const vec4_at *)(pw_im + 24);
    __asm__ volatile("" ::: "memory");
    const vec4 x7i = *(const vec4_at *)(px_im + 112);
    __asm__ volatile("" ::: "memory");
    const vec4 t20 = w6i * x7i;
    const vec4 x7r = *(const vec4_at *)(px_re + 112);
    __asm__ volatile("" ::: "memory");
    const vec4 t22 = w6i * x7r;
    const vec4 w6r = *(const vec4_at *)(pw_re + 24);
    __asm__ volatile("" ::: "memory");
    const vec4 t21 = w6r * x7r - t20;
    const vec4 t23 = w6r * x7i + t22;
    const vec4 w2i = *(const vec4_at *)(pw_im + 8);
    __asm__ volatile("" ::: "memory");
    const vec4 x3i = *(const vec4_at *)(px_im + 48);
    __asm__ volatile("" ::: "memory");
    const vec4 t24 = w2i * x3i;
    const vec4 x3r = *(const vec4_at *)(px_re + 48);
    __asm__ volatile("" ::: "memory");
    const vec4 t26 = w2i * x3r;
    const vec4 w2r = *(const vec4_at *)(pw_re + 8);
    __asm__ volatile("" ::: "memory");
    const vec4 t25 = w2r * x3r - t24;
    const vec4 t27 = w2r * x3i + t26;
    const vec4 t31 = t13 - t17;
    const vec4 t30 = t13 + t17;
    const vec4 t29 = t21 - t25;
    const vec4 t28 = t21 + t25;
    const vec4 w3i = *(const vec4_at *)(pw_im + 12);
    __asm__ volatile("" ::: "memory");
    const vec4 x4i = *(const vec4_at *)(px_im + 64);
    __asm__ volatile("" ::: "memory");
    const vec4 t0 = w3i * x4i;
    const vec4 x4r = *(const vec4_at *)(px_re + 64);
    __asm__ volatile("" ::: "memory");
    const vec4 t2 = w3i * x4r;
    const vec4 w3r = *(const vec4_at *)(pw_re + 12);
    __asm__ volatile("" ::: "memory");
    const vec4 t1 = w3r * x4r - t0;
    const vec4 t3 = w3r * x4i + t2;
    const vec4 t32 = t30 + t28;
    const vec4 t33 = t30 - t28;
    const vec4 w1i = *(const vec4_at *)(pw_im + 4);
    __asm__ volatile("" ::: "memory");
    const vec4 x2i = *(const vec4_at *)(px_im + 32);
    __asm__ volatile("" ::: "memory");
    const vec4 t4 = w1i * x2i;
    const vec4 x2r = *(const vec4_at *)(px_re + 32);
    __asm__ volatile("" ::: "memory");
    const vec4 t6 = w1i * x2r;
    const vec4 w1r = *(const vec4_at *)(pw_re + 4);
    __asm__ volatile("" ::: "memory");
    const vec4 t5 = w1r * x2r - t4;
    const vec4 t7 = w1r * x2i + t6;
    const vec4 t45 = t15 - t19;
    const vec4 t44 = t15 + t19;
    const vec4 t43 = t23 - t27;
    const vec4 t42 = t23 + t27;
    const vec4 t46 = t44 + t42;
    const vec4 t47 = t44 - t42;
    const vec4 w5i = *(const vec4_at *)(pw_im + 20);
    __asm__ volatile("" ::: "memory");
    const vec4 x6i = *(const vec4_at *)(px_im + 96);
    __asm__ volatile("" ::: "memory");
    const vec4 t8 = w5i * x6i;
    const vec4 x6r = *(const vec4_at *)(px_re + 96);
    __asm__ volatile("" ::: "memory");
    const vec4 t10 = w5i * x6r;
    const vec4 w5r = *(const vec4_at *)(pw_re + 20);
    __asm__ volatile("" ::: "memory");
    const vec4 t9 = w5r * x6r - t8;
    const vec4 t11 = w5r * x6i + t10;
    const vec4 t35 = t5 - t9;
    const vec4 t34 = t5 + t9;
    const vec4 t49 = t7 - t11;
    const vec4 t48 = t7 + t11;
    const vec4 x0r = *(const vec4_at *)(px_re);
    __asm__ volatile("" ::: "memory");
    const vec4 t37 = x0r - t1;
    const vec4 t36 = x0r + t1;
    const vec4 t38 = t36 + t34;
    const vec4 t39 = t36 - t34;
    const vec4 t40 = t38 + t32;
    const vec4 t41 = t38 - t32;
    *(vec4_at *)(py_re) = t40;
    *(vec4_at *)(py_re + 16) = t41;
    const vec4 x0i = *(const vec4_at *)(px_im);
    __asm__ volatile("" ::: "memory");
    const vec4 t51 = x0i - t3;
    const vec4 t50 = x0i + t3;
    const vec4 t60 = t31 + t45;
    const vec4 t61 = t45 - t31;
    const vec4 t62 = t29 - t43;
    const vec4 t63 = t43 + t29;
    const vec4 t64 = t37 + t49;
    const vec4 t65 = t37 - t49;
    const vec4 t66 = t60 + t62;
    const vec4 t67 = t60 - t62;
    const vec4 t68 = KP707106781 * t66 + t64;
    const vec4 t69 = t64 - KP707106781 * t66;
    const vec4 t70 = t51 - t35;
    const vec4 t71 = t51 + t35;
    const vec4 t72 = t61 + t63;
    const vec4 t73 = t61 - t63;
    *(vec4_at *)(py_re + 4) = t68;
    const vec4 t74 = KP707106781 * t72 + t70;
    const vec4 t75 = t70 - KP707106781 * t72;
    *(vec4_at *)(py_im + 4) = t74;
    *(vec4_at *)(py_im + 20) = t75;
    *(vec4_at *)(py_re + 20) = t69;
    const vec4 t76 = KP707106781 * t73 + t65;
    const vec4 t77 = t65 - KP707106781 * t73;
    *(vec4_at *)(py_re + 12) = t76;
    const vec4 t78 = t71 - KP707106781 * t67;
    const vec4 t79 = KP707106781 * t67 + t71;
    *(vec4_at *)(py_im + 12) = t78;
    *(vec4_at *)(py_im + 28) = t79;
    *(vec4_at *)(py_re + 28) = t77;
    const vec4 t52 = t50 + t48;
    const vec4 t53 = t50 - t48;
    const vec4 t56 = t39 + t47;
    const vec4 t57 = t39 - t47;
    *(vec4_at *)(py_re + 8) = t56;
    *(vec4_at *)(py_re + 24) = t57;
    const vec4 t54 = t52 + t46;
    const vec4 t55 = t52 - t46;
    *(vec4_at *)(py_im) = t54;
    *(vec4_at *)(py_im + 16) = t55;
    const vec4 t58 = t53 - t33;
    const vec4 t59 = t53 + t33;
    *(vec4_at *)(py_im + 8) = t58;
    *(vec4_at *)(py_im + 24) = t59;
  }
}

/* radix 4, 32 columns after 32 */
static void n128_lane_order_run_2(double *N128_LANE_ORDER_RESTRICT out, const double *N128_LANE_ORDER_RESTRICT work0,
    const double *N128_LANE_ORDER_RESTRICT tw1) {
  for (ptrdiff_t k = 0; k < 32; k += 4) {
    const double *const px_re = work0 + k;
    const double *const px_im = work0 + 136 + k;
    const double *const pw_re = tw1 + 3 * k;
    const double *const pw_im = tw1 + 96 + 3 * k;
    double *const py = out + 2 * k;
    const vec4 w1i = *(const vec4_at *)(pw_im + 4);
    __asm__ volatile("" ::: "memory");
    const vec4 x2i = *(const vec4_at *)(px_im + 64);
    __asm__ volatile("" ::: "memory");
    const vec4 t0 = w1i * x2i;
    const vec4 x2r = *(const vec4_at *)(px_re + 64);
    __asm__ volatile("" ::: "memory");
    const vec4 t1 = w1i * x2r;
    const vec4 w1r = *(const vec4_at *)(pw_re + 4);
    __asm__ volatile("" ::: "memory");
    const vec4 t2 = w1r * x2r - t0;
    const vec4 t3 = w1r * x2i + t1;
    const vec4 w0i = *(const vec4_at *)(pw_im);
    __asm__ volatile("" ::: "memory");
    const vec4 x1i = *(const vec4_at *)(px_im + 32);
    __asm__ volatile("" ::: "memory");
    const vec4 t4 = w0i * x1i;
    const vec4 x1r = *(const vec4_at *)(px_re + 32);
    __asm__ volatile("" ::: "memory");
    const vec4 t5 = w0i * x1r;
    const vec4 w0r = *(const vec4_at *)(pw_re);
    __asm__ volatile("" ::: "memory");
    const vec4 t6 = w0r * x1r - t4;
    const vec4 t7 = w0r * x1i + t5;
    const vec4 x0r = *(const vec4_at *)(px_re);
    __asm__ volatile("" ::: "memory");
    const vec4 t14 = x0r + t2;
    const vec4 t15 = x0r - t2;
    const vec4 w2i = *(const vec4_at *)(pw_im + 8);
    __asm__ volatile("" ::: "memory");
    const vec4 x3i = *(const vec4_at *)(px_im + 96);
    __asm__ volatile("" ::: "memory");
    const vec4 t8 = w2i * x3i;
    const vec4 x3r = *(const vec4_at *)(px_re + 96);
    __asm__ volatile("" ::: "memory");
    const vec4 t9 = w2i * x3r;
    const vec4 w2r = *(const vec4_at *)(pw_re + 8);
    __asm__ volatile("" ::: "memory");
    const vec4 t10 = w2r * x3r - t8;
    const vec4 t11 = w2r * x3i + t9;
    const vec4 t12 = t6 + t10;
    const vec4 t13 = t6 - t10;
    const vec4 t18 = t7 + t11;
    const vec4 t19 = t7 - t11;
    const vec4 x0i = *(const vec4_at *)(px_im);
    __asm__ volatile("" ::: "memory");
    const vec4 t20 = x0i + t3;
    const vec4 t21 = x0i - t3;
    const vec4 t16 = t14 + t12;
    const vec4 t17 = t14 - t12;
    const vec4 t26 = t21 - t13;
    const vec4 t27 = t21 + t13;
    const vec4 t22 = t20 + t18;
    const vec4 t23 = t20 - t18;
    const vec4 t24 = t15 + t19;
    const vec4 t25 = t15 - t19;
    const vec4 s0 = __builtin_shufflevector(t16, t22, 0, 4, 2, 6);
    const vec4 s1 = __builtin_shufflevector(t16, t22, 1, 5, 3, 7);
    *(vec4_at *)(py) = s0;
    *(vec4_at *)(py + 4) = s1;
    const vec4 s2 = __builtin_shufflevector(t17, t23, 0, 4, 2, 6);
    const vec4 s3 = __builtin_shufflevector(t17, t23, 1, 5, 3, 7);
    *(vec4_at *)(py + 128) = s2;
    *(vec4_at *)(py + 132) = s3;
    const vec4 s4 = __builtin_shufflevector(t24, t26, 0, 4, 2, 6);
    const vec4 s5 = __builtin_shufflevector(t24, t26, 1, 5, 3, 7);
    *(vec4_at *)(py + 64) = s4;
    *(vec4_at *)(py + 68) = s5;
    const vec4 s6 = __builtin_shufflevector(t25, t27, 0, 4, 2, 6);
    const vec4 s7 = __builtin_shufflevector(t25, t27, 1, 5, 3, 7);
    *(vec4_at *)(py + 192) = s6;
    *(vec4_at *)(py + 196) = s7;
  }
}

/* 3 stages */
static void n128_lane_order_run(const double *N128_LANE_ORDER_RESTRICT in, double *N128_LANE_ORDER_RESTRICT out,
    double *N128_LANE_ORDER_RESTRICT work0, const double *N128_LANE_ORDER_RESTRICT tw0,
    const double *N128_LANE_ORDER_RESTRICT tw1) {
  n128_lane_order_run_0(in, out);
  n128_lane_order_run_1(out, work0, tw0);
  n128_lane_order_run_2(out, work0, tw1);
}


#ifdef __cplusplus
extern "C"
#endif
void n128_lane_order(const double *N128_LANE_ORDER_RESTRICT in, double *N128_LANE_ORDER_RESTRICT out,
    double *N128_LANE_ORDER_RESTRICT scratch, const void *N128_LANE_ORDER_RESTRICT tables);

void n128_lane_order(const double *N128_LANE_ORDER_RESTRICT in, double *N128_LANE_ORDER_RESTRICT out,
    double *N128_LANE_ORDER_RESTRICT scratch, const void *N128_LANE_ORDER_RESTRICT tables) {
  double *const work0 = scratch;
  const double *const tw0 = (const double *)tables;
  const double *const tw1 = (const double *)tables + 56;
  n128_lane_order_run(in, out, work0, tw0, tw1);
}

/* Fills the tables; call it once, before the first transform. Entries are computed in
 * double precision. Their error is at most 0.6 units in the last place where long double
 * is longer than double, else 1.2.
 */
#include <math.h>

/* exp(2 pi i k / n) for 0 <= k < n: the angle is reduced below pi / 4 and split
 * into a high and a low double. */
static void n128_lane_order_root(unsigned long long k, unsigned long long n, double *re, double *im) {
  const int lower = 2 * k > n;
  unsigned long long m = 4 * (lower ? n - k : k);
  const int left = m > n;
  if (left) m = 2 * n - m;
  const int steep = 2 * m > n;
  if (steep) m = n - m;
  const long double angle = 1.57079632679489661923132169163975144L * (long double)(long long)m / (long double)(long long)n;
  const double high = (double)angle, low = (double)(angle - (long double)high);
  const double c = cos(high), s = sin(high);
  const double x = c - low * s, y = s + low * c;
  *re = steep ? y : x;
  *im = steep ? x : y;
  if (left) *re = -*re;
  if (lower) *im = -*im;
}

#ifdef __cplusplus
extern "C"
#endif
void n128_lane_order_init(void *tables);
void n128_lane_order_init(void *tables) {
  {
    double *const table = (double *)tables + 0;
    for (long long r = 0; r < 7; ++r)
      for (long long c = 0; c < 4; ++c) {
        double re, im;
        n128_lane_order_root((unsigned long long)(r + 1) * (unsigned long long)c % 32ULL, 32ULL, &re, &im);
        const long long i = r * 4 + c;
        const long long at = (i - (i & 3) + (i & 1) * 2 + (i >> 1 & 1));
        table[at] = (double)re;
        table[at + 28] = (double)-im;
      }
  }
  {
    double *const table = (double *)tables + 56;
    for (long long r = 0; r < 3; ++r)
      for (long long c = 0; c < 32; ++c) {
        double re, im;
        n128_lane_order_root((unsigned long long)(r + 1) * (unsigned long long)c % 128ULL, 128ULL, &re, &im);
        const long long i = (c / 4 * 3 + r) * 4 + c % 4;
        const long long at = (i - (i & 3) + (i & 1) * 2 + (i >> 1 & 1));
        table[at] = (double)re;
        table[at + 96] = (double)-im;
      }
  }
}
