/* SPDX-License-Identifier: 0BSD
 *
 * n8_scalar: c2c f64 n=8
 *
 * Plan: direct(8)
 * Made by: fftgen emit "c2c f64 n=8" --target c --isa scalar --plan 'direct(8)' --prefix n8_scalar
 * Operations a call: 52 additions, 4 multiplications, 0 fused multiply-adds
 * Bytes moved a call: 256, and 0 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=fast, with the flags below.
 * Without -fno-ivopts gcc spills registers around long straight-line code.
 */
#include <stddef.h>

/* codelet of 8 points */
static void n8_scalar_run_0(const double *restrict in, double *restrict out) {
  const double KP707106781 = 0.70710678118654757;
  const double *const px = in;
  double *const py = out;
  const double x7r = px[14];
  const double x7i = px[15];
  const double x3r = px[6];
  const double x3i = px[7];
  const double t0 = x7r - x3r;
  const double t1 = x7i - x3i;
  const double t2 = t0 - t1;
  const double t3 = t1 + t0;
  const double t4 = x7r + x3r;
  const double t5 = x7i + x3i;
  const double x0r = px[0];
  const double x0i = px[1];
  const double x4r = px[8];
  const double x4i = px[9];
  const double t6 = x0r + x4r;
  const double t7 = x0r - x4r;
  const double x1r = px[2];
  const double x1i = px[3];
  const double x5r = px[10];
  const double x5i = px[11];
  const double t8 = x1r + x5r;
  const double t9 = x1i - x5i;
  const double t10 = x1r - x5r;
  const double t11 = t10 + t9;
  const double t12 = t9 - t10;
  const double t13 = x1i + x5i;
  const double x2r = px[4];
  const double x2i = px[5];
  const double x6r = px[12];
  const double x6i = px[13];
  const double t14 = x2i - x6i;
  const double t15 = x2i + x6i;
  const double t16 = x2r - x6r;
  const double t17 = x2r + x6r;
  const double t18 = x0i - x4i;
  const double t19 = x0i + x4i;
  const double t20 = t12 - t3;
  const double t21 = t7 - t14;
  const double t22 = KP707106781 * t20;
  const double t23 = t21 + t22;
  const double t24 = t21 - t22;
  const double t25 = t11 - t2;
  const double t26 = KP707106781 * t25;
  const double t27 = t18 + t16;
  const double t28 = t27 + t26;
  py[14] = t24;
  py[15] = t28;
  const double t29 = t27 - t26;
  py[6] = t23;
  py[7] = t29;
  const double t30 = t8 + t4;
  const double t31 = t6 + t17;
  const double t32 = t31 + t30;
  const double t33 = t31 - t30;
  const double t34 = t19 - t15;
  const double t35 = t8 - t4;
  const double t36 = t34 - t35;
  const double t37 = t34 + t35;
  const double t38 = t7 + t14;
  const double t39 = t11 + t2;
  const double t40 = KP707106781 * t39;
  const double t41 = t38 - t40;
  const double t42 = t38 + t40;
  const double t43 = t13 - t5;
  const double t44 = t6 - t17;
  const double t45 = t44 - t43;
  py[12] = t45;
  py[13] = t37;
  const double t46 = t44 + t43;
  py[4] = t46;
  py[5] = t36;
  const double t47 = t18 - t16;
  const double t48 = t12 + t3;
  const double t49 = KP707106781 * t48;
  const double t50 = t47 + t49;
  py[2] = t42;
  py[3] = t50;
  const double t51 = t47 - t49;
  py[10] = t41;
  py[11] = t51;
  const double t52 = t13 + t5;
  const double t53 = t19 + t15;
  const double t54 = t53 - t52;
  py[8] = t33;
  py[9] = t54;
  const double t55 = t53 + t52;
  py[0] = t32;
  py[1] = t55;
}

/* 1 stage */
static void n8_scalar_run(const double *restrict in, double *restrict out) {
  n8_scalar_run_0(in, out);
}


void n8_scalar(const double *restrict in, double *restrict out);

void n8_scalar(const double *restrict in, double *restrict out) {
  n8_scalar_run(in, out);
}
