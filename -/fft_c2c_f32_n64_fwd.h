/* SPDX-License-Identifier: 0BSD
 *
 * fft_c2c_f32_n64_fwd: c2c f32 n=64
 *
 * Plan: stockham(8,8)
 * Made by: fftgen emit "c2c f32 n=64" --target c --isa znver4 --plan 'stockham(8,8)'
 * Operations a call: 704 additions, 112 multiplications, 240 fused multiply-adds
 * Bytes moved a call: 1920, and 1024 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * Without -fno-ivopts gcc spills registers around long straight-line code; clang spills
 * them across lines of the cache where it sets no frame pointer aside.
 * Flags: -mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl -mtune=icelake-server -mprefer-vector-width=512
 */
#ifndef FFT_C2C_F32_N64_FWD_H
#define FFT_C2C_F32_N64_FWD_H
#include <stddef.h>

#define FFT_C2C_F32_N64_FWD_POINTS 64
#define FFT_C2C_F32_N64_FWD_SCRATCH_BYTES 0
#define FFT_C2C_F32_N64_FWD_TABLE_BYTES 0

#ifdef __cplusplus
extern "C" {
#endif

/* y[k] = sum over j of x[j] exp(- 2 pi i j k / 64), not scaled.
 *
 * in: 64 complex numbers of float, real and imaginary parts in turn; aligned as that type is
 * out: 64 complex numbers of float, real and imaginary parts in turn; aligned as that type is
 *   in and out do not overlap
 */
void fft_c2c_f32_n64_fwd(const float *in, float *out);

#ifdef __cplusplus
}
#endif
#endif
