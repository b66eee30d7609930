/* SPDX-License-Identifier: 0BSD
 *
 * n3_bluestein: c2c f64 n=3
 *
 * Plan: bluestein(8, stockham(4,2))
 * Made by: fftgen emit "c2c f64 n=3" --target c --isa scalar --plan 'bluestein(8, stockham(4,2))' --prefix n3_bluestein
 * Operations a call: 116 additions, 88 multiplications, 0 fused multiply-adds
 * Bytes moved a call: 384, and 752 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 */

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define N3_BLUESTEIN_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define N3_BLUESTEIN_RESTRICT restrict
#else
#define N3_BLUESTEIN_RESTRICT
#endif

/* exp(-2 pi i c^2 / 6), c = 0..2 */
static const double chirp0[6] = {
  1.0, 0.0, 0.5, -0.8660254037844386,
  -0.5, 0.8660254037844386,
};

/* transform of the conjugated chirp of 3 points, wrapped to 8, over 8 */
static const double chirp1[16] = {
  0.125, 0.0, 0.21338834764831843, 0.15309310892394862,
  0.25, 0.21650635094610965, 0.03661165235168156, -0.15309310892394862,
  -0.125, -0.4330127018922193, 0.03661165235168156, -0.15309310892394862,
  0.25, 0.21650635094610965, 0.21338834764831843, 0.15309310892394862,
};

/* exp(-2 pi i r c / 8), r = 1..1, c = 0..3 */
static const double tw2[8] = {
  1.0, 0.0, 0.70710678118654757, -0.70710678118654757,
  0.0, -1.0, -0.70710678118654757, -0.70710678118654757,
};

/* multiply 3 points by a table */
static void n3_bluestein_run_0(const double *N3_BLUESTEIN_RESTRICT in, double *N3_BLUESTEIN_RESTRICT work0) {
  for (ptrdiff_t k = 0; k < 3; ++k) {
    const double *const px = in + 2 * k;
    const double *const pw = chirp0 + 2 * k;
    double *const py = work0 + 2 * k;
    const double w0r = pw[0];
    const double w0i = pw[1];
    const double x0r = px[0];
    const double x0i = px[1];
    const double t0 = w0r * x0r;
    const double t1 = w0r * x0i;
    const double t2 = w0i * x0i;
    const double t3 = t0 - t2;
    const double t4 = w0i * x0r;
    const double t5 = t1 + t4;
    py[0] = t3;
    py[1] = t5;
  }
}

/* zero 1 points */
static void n3_bluestein_run_1(double *N3_BLUESTEIN_RESTRICT work0) {
  double *const py = work0 + 6;
  const double x0r = 0;
  const double x0i = 0;
  py[0] = x0r;
  py[1] = x0i;
}

/* radix 4, 2 columns after 1 */
static void n3_bluestein_run_2(const double *N3_BLUESTEIN_RESTRICT work0, double *N3_BLUESTEIN_RESTRICT work1) {
  for (ptrdiff_t q = 0; q < 2; ++q) {
    const double *const px = work0 + 2 * q;
    double *const py = work1 + 8 * q;
    const double x0r = px[0];
    const double x0i = px[1];
    const double x1r = px[4];
    const double x1i = px[5];
    const double t0 = x0r + x1r;
    const double t1 = x0i + x1i;
    py[0] = t0;
    py[1] = t1;
    const double t2 = x0r + x1i;
    const double t3 = x0i - x1r;
    py[2] = t2;
    py[3] = t3;
    const double t4 = x0r - x1r;
    const double t5 = x0i - x1i;
    py[4] = t4;
    py[5] = t5;
    const double t6 = x0i + x1r;
    const double t7 = x0r - x1i;
    py[6] = t7;
    py[7] = t6;
  }
}

/* radix 2 forward and backward, 4 columns */
static void n3_bluestein_run_3(double *N3_BLUESTEIN_RESTRICT work1) {
  for (ptrdiff_t k = 0; k < 4; ++k) {
    const double *const px = work1 + 2 * k;
    const double *const pw = tw2 + 2 * k;
    const double *const pv = chirp1 + 2 * k;
    double *const py = work1 + 2 * k;
    const double w0r = pw[0];
    const double w0i = pw[1];
    const double x1r = px[8];
    const double x1i = px[9];
    const double t0 = w0r * x1r;
    const double t1 = w0r * x1i;
    const double t2 = w0i * x1i;
    const double t3 = t0 - t2;
    const double t4 = w0i * x1r;
    const double t5 = t1 + t4;
    const double x0r = px[0];
    const double x0i = px[1];
    const double t6 = x0r + t3;
    const double t7 = x0r - t3;
    const double v0r = pv[0];
    const double v0i = pv[1];
    const double t8 = v0r * t6;
    const double t9 = v0i * t6;
    const double t10 = x0i + t5;
    const double t11 = x0i - t5;
    const double t12 = v0i * t10;
    const double t13 = t8 - t12;
    const double t14 = v0r * t10;
    const double t15 = t14 + t9;
    const double v1r = pv[8];
    const double v1i = pv[9];
    const double t16 = v1r * t7;
    const double t17 = v1i * t7;
    const double t18 = v1i * t11;
    const double t19 = t16 - t18;
    const double t20 = v1r * t11;
    const double t21 = t20 + t17;
    const double t22 = t13 - t19;
    const double t23 = t13 + t19;
    const double t24 = t15 - t21;
    const double t25 = t15 + t21;
    py[0] = t23;
    py[1] = t25;
    const double t26 = w0i * t24;
    const double t27 = w0r * t22;
    const double t28 = w0i * t22;
    const double t29 = w0r * t24;
    const double t30 = t29 - t28;
    const double t31 = t27 + t26;
    py[8] = t31;
    py[9] = t30;
  }
}

/* radix 4, 2 columns after 1 */
static void n3_bluestein_run_4(double *N3_BLUESTEIN_RESTRICT work0, const double *N3_BLUESTEIN_RESTRICT work1) {
  for (ptrdiff_t q = 0; q < 2; ++q) {
    const double *const px = work1 + 8 * q;
    double *const py = work0 + 2 * q;
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
    const double t5 = x1i + x3i;
    const double t6 = x1i - x3i;
    const double t7 = t3 - t6;
    const double t8 = x0i + x2i;
    const double t9 = x0i - x2i;
    const double t10 = t9 + t1;
    py[4] = t7;
    py[5] = t10;
    const double t11 = t8 + t5;
    py[0] = t4;
    py[1] = t11;
  }
}

/* multiply 3 points by a table */
static void n3_bluestein_run_5(double *N3_BLUESTEIN_RESTRICT out, const double *N3_BLUESTEIN_RESTRICT work0) {
  for (ptrdiff_t k = 0; k < 3; ++k) {
    const double *const px = work0 + 2 * k;
    const double *const pw = chirp0 + 2 * k;
    double *const py = out + 2 * k;
    const double w0r = pw[0];
    const double w0i = pw[1];
    const double x0r = px[0];
    const double x0i = px[1];
    const double t0 = w0r * x0r;
    const double t1 = w0r * x0i;
    const double t2 = w0i * x0i;
    const double t3 = t0 - t2;
    const double t4 = w0i * x0r;
    const double t5 = t1 + t4;
    py[0] = t3;
    py[1] = t5;
  }
}

/* 6 stages */
static void n3_bluestein_run(const double *N3_BLUESTEIN_RESTRICT in, double *N3_BLUESTEIN_RESTRICT out,
    double *N3_BLUESTEIN_RESTRICT work0, double *N3_BLUESTEIN_RESTRICT work1) {
  n3_bluestein_run_0(in, work0);
  n3_bluestein_run_1(work0);
  n3_bluestein_run_2(work0, work1);
  n3_bluestein_run_3(work1);
  n3_bluestein_run_4(work0, work1);
  n3_bluestein_run_5(out, work0);
}


#ifdef __cplusplus
extern "C"
#endif
void n3_bluestein(const double *N3_BLUESTEIN_RESTRICT in, double *N3_BLUESTEIN_RESTRICT out,
    double *N3_BLUESTEIN_RESTRICT scratch);

void n3_bluestein(const double *N3_BLUESTEIN_RESTRICT in, double *N3_BLUESTEIN_RESTRICT out,
    double *N3_BLUESTEIN_RESTRICT scratch) {
  double *const work0 = scratch;
  double *const work1 = scratch + 48;
  n3_bluestein_run(in, out, work0, work1);
}
