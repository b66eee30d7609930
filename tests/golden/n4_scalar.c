/* SPDX-License-Identifier: 0BSD
 *
 * n4_scalar: c2c f64 n=4
 *
 * Plan: direct(4)
 * Made by: fftgen emit "c2c f64 n=4" --target c --isa scalar --plan 'direct(4)' --prefix n4_scalar
 * Operations a call: 16 additions, 0 multiplications, 0 fused multiply-adds
 * Bytes moved a call: 128, and 0 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 */

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define N4_SCALAR_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define N4_SCALAR_RESTRICT restrict
#else
#define N4_SCALAR_RESTRICT
#endif

/* codelet of 4 points */
static void n4_scalar_run_0(const double *N4_SCALAR_RESTRICT in, double *N4_SCALAR_RESTRICT out) {
  const double *const px = in;
  double *const py = out;
  const double x1r = px[2];
  const double x1i = px[3];
  const double x3r = px[6];
  const double x3i = px[7];
  const double t0 = x1r + x3r;
  const double t1 = x1r - x3r;
  const double x0r = px[0];
  const double x0i = px[1];
  const double x2r = px[4];
  const double x2i = px[5];
  const double t2 = x0r + x2r;
  const double t3 = x0r - x2r;
  const double t4 = t2 + t0;
  const double t5 = t2 - t0;
  const double t6 = x1i + x3i;
  const double t7 = x1i - x3i;
  const double t8 = x0i + x2i;
  const double t9 = x0i - x2i;
  const double t10 = t8 + t6;
  py[0] = t4;
  py[1] = t10;
  const double t11 = t8 - t6;
  py[4] = t5;
  py[5] = t11;
  const double t12 = t3 + t7;
  const double t13 = t3 - t7;
  const double t14 = t9 - t1;
  py[2] = t12;
  py[3] = t14;
  const double t15 = t9 + t1;
  py[6] = t13;
  py[7] = t15;
}

/* 1 stage */
static void n4_scalar_run(const double *N4_SCALAR_RESTRICT in, double *N4_SCALAR_RESTRICT out) {
  n4_scalar_run_0(in, out);
}


#ifdef __cplusplus
extern "C"
#endif
void n4_scalar(const double *N4_SCALAR_RESTRICT in, double *N4_SCALAR_RESTRICT out);

void n4_scalar(const double *N4_SCALAR_RESTRICT in, double *N4_SCALAR_RESTRICT out) {
  n4_scalar_run(in, out);
}
