/* SPDX-License-Identifier: 0BSD
 *
 * spectrum_fft: r2c f32 n=1024
 *
 * Plan: real(16, stockham(8,8))
 * Made by: fftgen emit "r2c f32 n=1024" --target c --isa scalar --plan 'real(16, stockham(8,8))' --prefix spectrum_fft
 * Operations a call: 14062 additions, 5012 multiplications, 0 fused multiply-adds
 * Bytes moved a call: 15504, and 16384 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * Without -fno-ivopts gcc spills registers around long straight-line code; clang spills
 * them across lines of the cache where it sets no frame pointer aside.
 */
#ifndef SPECTRUM_FFT_H
#define SPECTRUM_FFT_H
#include <stddef.h>

#define SPECTRUM_FFT_POINTS 1024
#define SPECTRUM_FFT_SCRATCH_BYTES 4096
#define SPECTRUM_FFT_TABLE_BYTES 0

#ifdef __cplusplus
extern "C" {
#endif

/* y[k] = sum over j of x[j] exp(- 2 pi i j k / 1024), k = 0 .. n/2, not scaled.
 *
 * in: 1024 numbers of float; aligned as that type is
 * out: 513 complex numbers of float, real and imaginary parts in turn; aligned as that type is
 *   in and out do not overlap
 * scratch: 4096 bytes, aligned to 64; its contents mean nothing before and after
 */
void spectrum_fft(const float *in, float *out, float *scratch);

#ifdef __cplusplus
}
#endif
#endif
