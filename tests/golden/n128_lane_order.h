/* SPDX-License-Identifier: 0BSD
 *
 * n128_lane_order: c2c f64 n=128
 *
 * Plan: stockham(4,8,4; tables=init, complex_vectors=split)
 * Made by: fftgen emit "c2c f64 n=128" --target c --isa avx2 --plan 'stockham(4,8,4; tables=init, complex_vectors=split)' --prefix n128_lane_order
 * Operations a call: 1728 additions, 416 multiplications, 544 fused multiply-adds
 * Bytes moved a call: 7424, and 8192 to and from scratch that stays in cache
 * Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on
 * -fno-omit-frame-pointer, with the flags below.
 * gcc without -fno-ivopts spills registers around long straight-line code; clang without a
 * frame pointer spills vectors to unaligned addresses, across cache lines.
 * Flags: -mavx2 -mfma
 */
#ifndef N128_LANE_ORDER_H
#define N128_LANE_ORDER_H
#include <stddef.h>

#define N128_LANE_ORDER_POINTS 128
#define N128_LANE_ORDER_SCRATCH_BYTES 2176
#define N128_LANE_ORDER_TABLE_BYTES 1984

#ifdef __cplusplus
extern "C" {
#endif

/* y[k] = sum over j of x[j] exp(- 2 pi i j k / 128), not scaled.
 *
 * in: 128 complex numbers of double, interleaved (re, im); the alignment of the type suffices
 * out: 128 complex numbers of double, interleaved (re, im); the alignment of the type suffices
 *   in and out do not overlap
 * scratch: 2176 bytes, aligned to 64; its contents do not matter before or after the call
 * tables: filled by n128_lane_order_init
 */
void n128_lane_order(const double *in, double *out, double *scratch, const void *tables);

/* Fills the tables that the calls read: N128_LANE_ORDER_TABLE_BYTES of memory, aligned to
 * 64 bytes. Once; then any number of threads may share them. */
void n128_lane_order_init(void *tables);

#ifdef __cplusplus
}
#endif
#endif
