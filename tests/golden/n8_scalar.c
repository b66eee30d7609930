/* SPDX-License-Identifier: 0BSD
 *
 * n8_scalar: c2c f64 n=8
 *
 * Plan: direct(8)
 * Made by: fftgen emit "c2c f64 n=8" --target c --isa scalar --plan 'direct(8)' --prefix n8_scalar
 * Operations a call: 52 additions, 4 multiplications, 0 fused multiply-adds
 * Bytes moved a call: 256, and 0 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 */

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define N8_SCALAR_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define N8_SCALAR_RESTRICT restrict
#else
#define N8_SCALAR_RESTRICT
#endif

/* codelet of 8 points */
static void n8_scalar_run_0(const double *N8_SCALAR_RESTRICT in, double *N8_SCALAR_RESTRICT out) {
  const double KP707106781 = 0.70710678118654757;
  const double *const px = in;
  double *const py = out;
  const double x7r = px[14];
  const double x7i = px[15];
  const double x3r = px[6];
  const double x3i = px[7];
  const double t0 = x7r + x3r;
  const double t1 = x7r - x3r;
  const double x1r = px[2];
  const double x1i = px[3];
  const double x5r = px[10];
  const double x5i = px[11];
  const double t2 = x1r + x5r;
  const double t3 = x1r - x5r;
  const double t4 = t2 + t0;
  const double t5 = t2 - t0;
  const double x2r = px[4];
  const double x2i = px[5];
  const double x6r = px[12];
  const double x6i = px[13];
  const double t6 = x2r + x6r;
  const double t7 = x2r - x6r;
  const double x0r = px[0];
  const double x0i = px[1];
  const double x4r = px[8];
  const double x4i = px[9];
  const double t8 = x0r + x4r;
  const double t9 = x0r - x4r;
  const double t10 = t8 + t6;
  const double t11 = t8 - t6;
  const double t12 = t10 + t4;
  const double t13 = t10 - t4;
  const double t14 = x7i + x3i;
  const double t15 = x7i - x3i;
  const double t16 = x1i + x5i;
  const double t17 = x1i - x5i;
  const double t18 = t16 + t14;
  const double t19 = t16 - t14;
  const double t20 = x2i + x6i;
  const double t21 = x2i - x6i;
  const double t22 = x0i + x4i;
  const double t23 = x0i - x4i;
  const double t24 = t22 + t20;
  const double t25 = t22 - t20;
  const double t26 = t24 + t18;
  py[0] = t12;
  py[1] = t26;
  const double t27 = t24 - t18;
  py[8] = t13;
  py[9] = t27;
  const double t28 = t11 + t19;
  const double t29 = t11 - t19;
  const double t30 = t25 - t5;
  py[4] = t28;
  py[5] = t30;
  const double t31 = t25 + t5;
  py[12] = t29;
  py[13] = t31;
  const double t32 = t3 + t17;
  const double t33 = t17 - t3;
  const double t34 = t1 - t15;
  const double t35 = t15 + t1;
  const double t36 = t32 + t34;
  const double t37 = t32 - t34;
  const double t38 = KP707106781 * t36;
  const double t39 = t9 + t21;
  const double t40 = t9 - t21;
  const double t41 = t39 + t38;
  const double t42 = t39 - t38;
  const double t43 = t33 + t35;
  const double t44 = t33 - t35;
  const double t45 = KP707106781 * t43;
  const double t46 = t23 - t7;
  const double t47 = t23 + t7;
  const double t48 = t46 + t45;
  py[2] = t41;
  py[3] = t48;
  const double t49 = t46 - t45;
  py[10] = t42;
  py[11] = t49;
  const double t50 = KP707106781 * t44;
  const double t51 = t40 + t50;
  const double t52 = t40 - t50;
  const double t53 = KP707106781 * t37;
  const double t54 = t47 - t53;
  py[6] = t51;
  py[7] = t54;
  const double t55 = t47 + t53;
  py[14] = t52;
  py[15] = t55;
}

/* 1 stage */
static void n8_scalar_run(const double *N8_SCALAR_RESTRICT in, double *N8_SCALAR_RESTRICT out) {
  n8_scalar_run_0(in, out);
}


#ifdef __cplusplus
extern "C"
#endif
void n8_scalar(const double *N8_SCALAR_RESTRICT in, double *N8_SCALAR_RESTRICT out);

void n8_scalar(const double *N8_SCALAR_RESTRICT in, double *N8_SCALAR_RESTRICT out) {
  n8_scalar_run(in, out);
}
