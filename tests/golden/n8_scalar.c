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
  const double x0r = px[0];
  const double x0i = px[1];
  const double x4r = px[8];
  const double x4i = px[9];
  const double t0 = x0r + x4r;
  const double x2r = px[4];
  const double x2i = px[5];
  const double x6r = px[12];
  const double x6i = px[13];
  const double t1 = x2r + x6r;
  const double t2 = t0 + t1;
  const double t3 = t0 - t1;
  const double x1r = px[2];
  const double x1i = px[3];
  const double x5r = px[10];
  const double x5i = px[11];
  const double t4 = x1r + x5r;
  const double x7r = px[14];
  const double x7i = px[15];
  const double x3r = px[6];
  const double x3i = px[7];
  const double t5 = x7r + x3r;
  const double t6 = t4 + t5;
  const double t7 = t4 - t5;
  const double t8 = x0i + x4i;
  const double t9 = x2i + x6i;
  const double t10 = t8 + t9;
  const double t11 = t8 - t9;
  const double t12 = x1i + x5i;
  const double t13 = x7i + x3i;
  const double t14 = t12 + t13;
  const double t15 = t12 - t13;
  const double t16 = t2 + t6;
  const double t17 = t10 + t14;
  py[0] = t16;
  py[1] = t17;
  const double t18 = t3 + t15;
  const double t19 = t11 - t7;
  py[4] = t18;
  py[5] = t19;
  const double t20 = t2 - t6;
  const double t21 = t10 - t14;
  py[8] = t20;
  py[9] = t21;
  const double t22 = t3 - t15;
  const double t23 = t11 + t7;
  py[12] = t22;
  py[13] = t23;
  const double t24 = x0r - x4r;
  const double t25 = x2i - x6i;
  const double t26 = t24 + t25;
  const double t27 = t24 - t25;
  const double t28 = x1r - x5r;
  const double t29 = x1i - x5i;
  const double t30 = t28 + t29;
  const double t31 = t29 - t28;
  const double t32 = x7r - x3r;
  const double t33 = x7i - x3i;
  const double t34 = t32 - t33;
  const double t35 = t33 + t32;
  const double t36 = t30 + t34;
  const double t37 = t31 + t35;
  const double t38 = t31 - t35;
  const double t39 = t30 - t34;
  const double t40 = x0i - x4i;
  const double t41 = x2r - x6r;
  const double t42 = t40 - t41;
  const double t43 = t40 + t41;
  const double t44 = KP707106781 * t36;
  const double t45 = t26 + t44;
  const double t46 = t26 - t44;
  const double t47 = KP707106781 * t37;
  const double t48 = t42 + t47;
  py[2] = t45;
  py[3] = t48;
  const double t49 = t42 - t47;
  py[10] = t46;
  py[11] = t49;
  const double t50 = KP707106781 * t38;
  const double t51 = t27 + t50;
  const double t52 = t27 - t50;
  const double t53 = KP707106781 * t39;
  const double t54 = t43 - t53;
  py[6] = t51;
  py[7] = t54;
  const double t55 = t43 + t53;
  py[14] = t52;
  py[15] = t55;
}

/* 1 stage */
static void n8_scalar_run(const double *restrict in, double *restrict out) {
  n8_scalar_run_0(in, out);
}


void n8_scalar(const double *restrict in, double *restrict out);

void n8_scalar(const double *restrict in, double *restrict out) {
  n8_scalar_run(in, out);
}
