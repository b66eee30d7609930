/* SPDX-License-Identifier: 0BSD
 *
 * n4_twiddle: c2c f64 n=4:is[1..64]:is batch=count[1..64]:1:1 place=in load=twiddle
 *
 * Plan: direct(4)
 * Made by: fftgen emit "c2c f64 n=4:is[1..64]:is batch=count[1..64]:1:1 place=in load=twiddle" --target c --isa avx2 --plan 'direct(4)' --prefix n4_twiddle
 * Operations a call: 16 additions, 6 multiplications, 6 fused multiply-adds
 * Bytes moved a call: 176, and 0 to and from scratch that stays in cache
 * (counts for the smallest values of run-time parameters)
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 * Flags: -mavx2 -mfma
 */

#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)
#define N4_TWIDDLE_RESTRICT __restrict
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define N4_TWIDDLE_RESTRICT restrict
#else
#define N4_TWIDDLE_RESTRICT
#endif

#if !defined(__GNUC__) && !defined(__clang__)
#error "vectors as GCC and Clang have them: for other compilers emit --isa scalar"
#endif
#ifdef __cplusplus
#define N4_TWIDDLE_OF(vector) vector
#else
#define N4_TWIDDLE_OF(vector) (vector)
#endif
typedef double vec2 __attribute__((vector_size(16)));
typedef double vec2_at __attribute__((vector_size(16), aligned(8), may_alias));
typedef double vec4 __attribute__((vector_size(32)));
typedef double vec4_at __attribute__((vector_size(32), aligned(8), may_alias));

/* codelet of 4 points */
static void n4_twiddle_run_0(double *N4_TWIDDLE_RESTRICT data, const double *N4_TWIDDLE_RESTRICT in_twiddle1,
    const ptrdiff_t p_is, const ptrdiff_t p_count) {
  for (ptrdiff_t b = 0; b < 2 * (p_count / 2); b += 2) {
    const double *const px = data + 2 * b;
    const double *const pw = in_twiddle1 + 2 * p_is + 2 * b;
    double *const py = data + 2 * b;
    const vec4 J = N4_TWIDDLE_OF(vec4){1.0, -1.0, 1.0, -1.0};
    const vec4 w0 = *(const vec4_at *)(pw);
    const vec4 s3 = __builtin_shufflevector(w0, w0, 0, 0, 2, 2);
    const vec4 s4 = __builtin_shufflevector(w0, w0, 1, 1, 3, 3);
    const vec4 t4 = s4 * J;
    const vec4 x1 = *(const vec4_at *)(px + 2 * p_is);
    const vec4 t3 = s3 * x1;
    const vec4 s5 = __builtin_shufflevector(x1, x1, 1, 0, 3, 2);
    const vec4 t5 = t3 - t4 * s5;
    const vec4 w2 = *(const vec4_at *)(pw + 4 * p_is);
    const vec4 s6 = __builtin_shufflevector(w2, w2, 0, 0, 2, 2);
    const vec4 s7 = __builtin_shufflevector(w2, w2, 1, 1, 3, 3);
    const vec4 t7 = s7 * J;
    const vec4 x3 = *(const vec4_at *)(px + 6 * p_is);
    const vec4 t6 = s6 * x3;
    const vec4 s8 = __builtin_shufflevector(x3, x3, 1, 0, 3, 2);
    const vec4 t8 = t6 - t7 * s8;
    const vec4 w1 = *(const vec4_at *)(pw + 2 * p_is);
    const vec4 s0 = __builtin_shufflevector(w1, w1, 0, 0, 2, 2);
    const vec4 s1 = __builtin_shufflevector(w1, w1, 1, 1, 3, 3);
    const vec4 t1 = s1 * J;
    const vec4 x2 = *(const vec4_at *)(px + 4 * p_is);
    const vec4 t0 = s0 * x2;
    const vec4 s2 = __builtin_shufflevector(x2, x2, 1, 0, 3, 2);
    const vec4 t2 = t0 - t1 * s2;
    const vec4 t10 = t5 - t8;
    const vec4 t9 = t5 + t8;
    const vec4 s9 = __builtin_shufflevector(t10, t10, 1, 0, 3, 2);
    const vec4 x0 = *(const vec4_at *)(px);
    const vec4 t12 = x0 - t2;
    const vec4 t11 = x0 + t2;
    const vec4 t15 = J * s9 + t12;
    const vec4 t16 = __builtin_shufflevector(t12 - s9, t12 + s9, 0, 5, 2, 7);
    *(vec4_at *)(py + 6 * p_is) = t16;
    *(vec4_at *)(py + 2 * p_is) = t15;
    const vec4 t13 = t11 + t9;
    const vec4 t14 = t11 - t9;
    *(vec4_at *)(py) = t13;
    *(vec4_at *)(py + 4 * p_is) = t14;
  }
}

/* codelet of 4 points, rest */
static void n4_twiddle_run_1(double *N4_TWIDDLE_RESTRICT data, const double *N4_TWIDDLE_RESTRICT in_twiddle1,
    const ptrdiff_t p_is, const ptrdiff_t p_count) {
  for (ptrdiff_t b = p_count - p_count % 2; b < p_count - p_count % 2 + p_count % 2; ++b) {
    const double *const px = data + 2 * b;
    const double *const pw = in_twiddle1 + 2 * p_is + 2 * b;
    double *const py = data + 2 * b;
    const vec2 J = N4_TWIDDLE_OF(vec2){1.0, -1.0};
    const vec2 w0 = *(const vec2_at *)(pw);
    const vec2 s3 = __builtin_shufflevector(w0, w0, 0, 0);
    const vec2 s4 = __builtin_shufflevector(w0, w0, 1, 1);
    const vec2 t4 = s4 * J;
    const vec2 x1 = *(const vec2_at *)(px + 2 * p_is);
    const vec2 t3 = s3 * x1;
    const vec2 s5 = __builtin_shufflevector(x1, x1, 1, 0);
    const vec2 t5 = t3 - t4 * s5;
    const vec2 w2 = *(const vec2_at *)(pw + 4 * p_is);
    const vec2 s6 = __builtin_shufflevector(w2, w2, 0, 0);
    const vec2 s7 = __builtin_shufflevector(w2, w2, 1, 1);
    const vec2 t7 = s7 * J;
    const vec2 x3 = *(const vec2_at *)(px + 6 * p_is);
    const vec2 t6 = s6 * x3;
    const vec2 s8 = __builtin_shufflevector(x3, x3, 1, 0);
    const vec2 t8 = t6 - t7 * s8;
    const vec2 w1 = *(const vec2_at *)(pw + 2 * p_is);
    const vec2 s0 = __builtin_shufflevector(w1, w1, 0, 0);
    const vec2 s1 = __builtin_shufflevector(w1, w1, 1, 1);
    const vec2 t1 = s1 * J;
    const vec2 x2 = *(const vec2_at *)(px + 4 * p_is);
    const vec2 t0 = s0 * x2;
    const vec2 s2 = __builtin_shufflevector(x2, x2, 1, 0);
    const vec2 t2 = t0 - t1 * s2;
    const vec2 t10 = t5 - t8;
    const vec2 t9 = t5 + t8;
    const vec2 s9 = __builtin_shufflevector(t10, t10, 1, 0);
    const vec2 x0 = *(const vec2_at *)(px);
    const vec2 t12 = x0 - t2;
    const vec2 t11 = x0 + t2;
    const vec2 t15 = J * s9 + t12;
    const vec2 t16 = __builtin_shufflevector(t12 - s9, t12 + s9, 0, 3);
    *(vec2_at *)(py + 6 * p_is) = t16;
    *(vec2_at *)(py + 2 * p_is) = t15;
    const vec2 t13 = t11 + t9;
    const vec2 t14 = t11 - t9;
    *(vec2_at *)(py) = t13;
    *(vec2_at *)(py + 4 * p_is) = t14;
  }
}

/* 2 stages */
static void n4_twiddle_run(double *N4_TWIDDLE_RESTRICT data, const double *N4_TWIDDLE_RESTRICT in_twiddle1,
    const ptrdiff_t p_is, const ptrdiff_t p_count) {
  n4_twiddle_run_0(data, in_twiddle1, p_is, p_count);
  n4_twiddle_run_1(data, in_twiddle1, p_is, p_count);
}


#ifdef __cplusplus
extern "C"
#endif
void n4_twiddle(double *N4_TWIDDLE_RESTRICT data, const double *N4_TWIDDLE_RESTRICT in_twiddle1, ptrdiff_t p_is,
    ptrdiff_t p_count);

void n4_twiddle(double *N4_TWIDDLE_RESTRICT data, const double *N4_TWIDDLE_RESTRICT in_twiddle1, ptrdiff_t p_is,
    ptrdiff_t p_count) {
  n4_twiddle_run(data, in_twiddle1, p_is, p_count);
}
