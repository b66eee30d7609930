/* SPDX-License-Identifier: 0BSD
 *
 * n64_tiles: c2r f64 n=64
 *
 * Plan: real(2, four-step(direct(16), direct(2)))
 * Made by: fftgen emit "c2r f64 n=64" --target c --isa avx2 --plan 'real(2, four-step(direct(16), direct(2)))' --prefix n64_tiles
 * Operations a call: 406 additions, 130 multiplications, 208 fused multiply-adds
 * Bytes moved a call: 3152, and 1088 to and from scratch that stays in cache
 * Fallback: scalar loop: radix 2, 1 columns after 1
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 * Flags: -mavx2 -mfma
 */
#ifndef N64_TILES_H
#define N64_TILES_H
#include <stddef.h>

#define N64_TILES_POINTS 64
#define N64_TILES_SCRATCH_BYTES 864
#define N64_TILES_TABLE_BYTES 0

#ifdef __cplusplus
extern "C" {
#endif

/* y[k] = sum over j of x[j] exp(+ 2 pi i j k / 64), x[n-j] = conj x[j], not scaled.
 *
 * in: 33 complex numbers of double, interleaved (re, im); the alignment of the type suffices
 * out: 64 numbers of double; the alignment of the type suffices
 *   in and out do not overlap
 * scratch: 864 bytes, aligned to 64; its contents do not matter before or after the call
 */
void n64_tiles(const double *in, double *out, double *scratch);

#ifdef __cplusplus
}
#endif
#endif
