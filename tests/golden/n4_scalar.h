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
#ifndef N4_SCALAR_H
#define N4_SCALAR_H
#include <stddef.h>

#define N4_SCALAR_POINTS 4
#define N4_SCALAR_SCRATCH_BYTES 0
#define N4_SCALAR_TABLE_BYTES 0

#ifdef __cplusplus
extern "C" {
#endif

/* y[k] = sum over j of x[j] exp(- 2 pi i j k / 4), not scaled.
 *
 * in: 4 complex numbers of double, interleaved (re, im); the alignment of the type suffices
 * out: 4 complex numbers of double, interleaved (re, im); the alignment of the type suffices
 *   in and out do not overlap
 */
void n4_scalar(const double *in, double *out);

#ifdef __cplusplus
}
#endif
#endif
