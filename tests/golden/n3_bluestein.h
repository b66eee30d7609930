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
#ifndef N3_BLUESTEIN_H
#define N3_BLUESTEIN_H
#include <stddef.h>

#define N3_BLUESTEIN_POINTS 3
#define N3_BLUESTEIN_SCRATCH_BYTES 512
#define N3_BLUESTEIN_TABLE_BYTES 0

#ifdef __cplusplus
extern "C" {
#endif

/* y[k] = sum over j of x[j] exp(- 2 pi i j k / 3), not scaled.
 *
 * in: 3 complex numbers of double, interleaved (re, im); the alignment of the type suffices
 * out: 3 complex numbers of double, interleaved (re, im); the alignment of the type suffices
 *   in and out do not overlap
 * scratch: 512 bytes, aligned to 64; its contents do not matter before or after the call
 */
void n3_bluestein(const double *in, double *out, double *scratch);

#ifdef __cplusplus
}
#endif
#endif
