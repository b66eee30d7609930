/* SPDX-License-Identifier: 0BSD
 *
 * n5_backward: c2c f32 n=5 sign=+1
 *
 * Plan: direct(5)
 * Made by: fftgen emit "c2c f32 n=5 sign=+1" --target c --isa scalar --plan 'direct(5)' --prefix n5_backward
 * Operations a call: 32 additions, 12 multiplications, 0 fused multiply-adds
 * Bytes moved a call: 80, and 0 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 */

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define N5_BACKWARD_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define N5_BACKWARD_RESTRICT restrict
#else
#define N5_BACKWARD_RESTRICT
#endif

/* codelet of 5 points */
static void n5_backward_run_0(const float *N5_BACKWARD_RESTRICT in, float *N5_BACKWARD_RESTRICT out) {
  const float KP559016994 = 0.559017003f;
  const float KP250000000 = 0.25f;
  const float KP951056516 = 0.95105654f;
  const float KP587785252 = 0.587785244f;
  const float *const px = in;
  float *const py = out;
  const float x2r = px[4];
  const float x2i = px[5];
  const float x3r = px[6];
  const float x3i = px[7];
  const float t0 = x2r + x3r;
  const float t1 = x2r - x3r;
  const float x1r = px[2];
  const float x1i = px[3];
  const float x4r = px[8];
  const float x4i = px[9];
  const float t2 = x1r + x4r;
  const float t3 = x1r - x4r;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float t6 = KP559016994 * t5;
  const float t7 = KP250000000 * t4;
  const float t8 = x1i - x4i;
  const float t9 = x1i + x4i;
  const float t10 = KP951056516 * t8;
  const float t11 = KP587785252 * t8;
  const float t12 = x2i - x3i;
  const float t13 = x2i + x3i;
  const float t14 = KP587785252 * t12;
  const float t15 = t10 + t14;
  const float t16 = KP951056516 * t12;
  const float t17 = t16 - t11;
  const float x0r = px[0];
  const float x0i = px[1];
  const float t18 = x0r + t4;
  const float t19 = x0r - t7;
  const float t20 = t6 + t19;
  const float t21 = t19 - t6;
  const float t22 = t20 - t15;
  const float t23 = t20 + t15;
  const float t24 = t21 + t17;
  const float t25 = t21 - t17;
  const float t26 = t9 + t13;
  const float t27 = t9 - t13;
  const float t28 = KP559016994 * t27;
  const float t29 = KP250000000 * t26;
  const float t30 = KP951056516 * t3;
  const float t31 = KP587785252 * t3;
  const float t32 = KP587785252 * t1;
  const float t33 = t30 + t32;
  const float t34 = KP951056516 * t1;
  const float t35 = t34 - t31;
  const float t36 = x0i + t26;
  py[0] = t18;
  py[1] = t36;
  const float t37 = x0i - t29;
  const float t38 = t28 + t37;
  const float t39 = t37 - t28;
  const float t40 = t38 + t33;
  py[2] = t22;
  py[3] = t40;
  const float t41 = t38 - t33;
  py[8] = t23;
  py[9] = t41;
  const float t42 = t39 - t35;
  py[4] = t24;
  py[5] = t42;
  const float t43 = t39 + t35;
  py[6] = t25;
  py[7] = t43;
}

/* 1 stage */
static void n5_backward_run(const float *N5_BACKWARD_RESTRICT in, float *N5_BACKWARD_RESTRICT out) {
  n5_backward_run_0(in, out);
}


#ifdef __cplusplus
extern "C"
#endif
void n5_backward(const float *N5_BACKWARD_RESTRICT in, float *N5_BACKWARD_RESTRICT out);

void n5_backward(const float *N5_BACKWARD_RESTRICT in, float *N5_BACKWARD_RESTRICT out) {
  n5_backward_run(in, out);
}
