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
#ifndef N5_BACKWARD_H
#define N5_BACKWARD_H
#include <stddef.h>

#define N5_BACKWARD_POINTS 5
#define N5_BACKWARD_SCRATCH_BYTES 0
#define N5_BACKWARD_TABLE_BYTES 0

#ifdef __cplusplus
extern "C" {
#endif

/* y[k] = sum over j of x[j] exp(+ 2 pi i j k / 5), not scaled.
 *
 * in: 5 complex numbers of float, interleaved (re, im); the alignment of the type suffices
 * out: 5 complex numbers of float, interleaved (re, im); the alignment of the type suffices
 *   in and out do not overlap
 */
void n5_backward(const float *in, float *out);

#ifdef __cplusplus
}
#endif
#endif
