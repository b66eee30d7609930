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
#ifndef N4_TWIDDLE_H
#define N4_TWIDDLE_H
#include <stddef.h>

#define N4_TWIDDLE_POINTS 4
#define N4_TWIDDLE_SCRATCH_BYTES 0
#define N4_TWIDDLE_TABLE_BYTES 0

#ifdef __cplusplus
extern "C" {
#endif

/* y[k] = sum over j of x[j] exp(- 2 pi i j k / 4), for each transform of the batch, not scaled.
 *
 * data: 256 complex numbers of double, interleaved (re, im); the alignment of the type suffices
 *   loaded: twiddle, times a factor for each element but the first
 *   point j is at j * (p_is)
 *   transform b0, 0 <= b0 < (p_count), begins at b0 * 1
 * in_twiddle1: 256 complex numbers of double, each where the element lies that it belongs to; those of points 0 are not read
 * p_is: 1 .. 64
 * p_count: 1 .. 64
 */
void n4_twiddle(double *data, const double *in_twiddle1, ptrdiff_t p_is, ptrdiff_t p_count);

#ifdef __cplusplus
}
#endif
#endif
