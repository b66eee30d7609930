/* SPDX-License-Identifier: 0BSD
 *
 * n8_batch_avx2: c2c f32 n=8 batch=32
 *
 * Plan: direct(8)
 * Made by: fftgen emit "c2c f32 n=8 batch=32" --target c --isa avx2 --plan 'direct(8)' --prefix n8_batch_avx2
 * Operations a call: 1408 additions, 0 multiplications, 256 fused multiply-adds
 * Bytes moved a call: 4096, and 0 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 * Flags: -mavx2 -mfma
 */
#ifndef N8_BATCH_AVX2_H
#define N8_BATCH_AVX2_H
#include <stddef.h>

#define N8_BATCH_AVX2_POINTS 8
#define N8_BATCH_AVX2_SCRATCH_BYTES 0
#define N8_BATCH_AVX2_TABLE_BYTES 0

#ifdef __cplusplus
extern "C" {
#endif

/* y[k] = sum over j of x[j] exp(- 2 pi i j k / 8), for each transform of the batch, not scaled.
 *
 * in: 256 complex numbers of float, interleaved (re, im); the alignment of the type suffices
 *   transform b0, 0 <= b0 < 32, begins at b0 * 8
 * out: 256 complex numbers of float, interleaved (re, im); the alignment of the type suffices
 *   transform b0, 0 <= b0 < 32, begins at b0 * 8
 *   in and out do not overlap
 */
void n8_batch_avx2(const float *in, float *out);

#ifdef __cplusplus
}
#endif
#endif
