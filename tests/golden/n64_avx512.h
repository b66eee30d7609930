/* SPDX-License-Identifier: 0BSD
 *
 * n64_avx512: c2c f32 n=64
 *
 * Plan: stockham(8,8)
 * Made by: fftgen emit "c2c f32 n=64" --target c --isa avx512 --plan 'stockham(8,8)' --prefix n64_avx512
 * Operations a call: 704 additions, 112 multiplications, 240 fused multiply-adds
 * Bytes moved a call: 1920, and 1024 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 * Flags: -mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl -mtune=icelake-server -mprefer-vector-width=512
 */
#ifndef N64_AVX512_H
#define N64_AVX512_H
#include <stddef.h>

#define N64_AVX512_POINTS 64
#define N64_AVX512_SCRATCH_BYTES 0
#define N64_AVX512_TABLE_BYTES 0

#ifdef __cplusplus
extern "C" {
#endif

/* y[k] = sum over j of x[j] exp(- 2 pi i j k / 64), not scaled.
 *
 * in: 64 complex numbers of float, interleaved (re, im); the alignment of the type suffices
 * out: 64 complex numbers of float, interleaved (re, im); the alignment of the type suffices
 *   in and out do not overlap
 */
void n64_avx512(const float *in, float *out);

#ifdef __cplusplus
}
#endif
#endif
