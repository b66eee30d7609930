/* SPDX-License-Identifier: 0BSD
 *
 * n16_shuffles: c2c f32 n=16 batch=64
 *
 * Plan: stockham(4,4)
 * Made by: fftgen emit "c2c f32 n=16 batch=64" --target metal --plan 'stockham(4,4)' --prefix n16_shuffles
 * Operations a call: 8192 additions, 1536 multiplications, 1536 fused multiply-adds
 * Bytes moved a call: 22528, and 0 to and from scratch that stays in cache
 * Build: xcrun metal -O2 -fno-fast-math NAME.metal -o NAME.metallib, or newLibrary with this text and
 * without fast math, Metal 2.2.
 * Launch: the manifest beside this file lists grids, arguments and tables.
 * The C++ source beside it launches.
 */

#include <metal_stdlib>
using namespace metal;
static inline float fftgen_from_lane(float x, ushort bits) { return simd_shuffle_xor(x, bits); }

/* radix 4, 4 columns after 1 */
static inline __attribute__((always_inline)) void n16_shuffles_block_0(device const float *in, thread float *lane4,
    const int b, const uint thread_id) {
  const int g = thread_id / 4;
  const int q = thread_id % 4;
  device const float *const px = in + 32 * b + 2 * q + 32 * g;
  thread float *const py = lane4;
  const float2 x0 = *(device const float2 *)(px);
  const float2 x1 = *(device const float2 *)(px + 8);
  const float2 x2 = *(device const float2 *)(px + 16);
  const float2 x3 = *(device const float2 *)(px + 24);
  const float t0 = x1.x + x3.x;
  const float t1 = x1.x - x3.x;
  const float t2 = x0.x + x2.x;
  const float t3 = x0.x - x2.x;
  const float t4 = t2 + t0;
  const float t5 = t2 - t0;
  const float t6 = x1.y + x3.y;
  const float t7 = x1.y - x3.y;
  const float t8 = x0.y + x2.y;
  const float t9 = x0.y - x2.y;
  const float t10 = t8 + t6;
  py[0] = t4;
  py[1] = t10;
  const float t11 = t8 - t6;
  py[4] = t5;
  py[5] = t11;
  const float t12 = t3 + t7;
  const float t13 = t3 - t7;
  const float t14 = t9 - t1;
  py[2] = t12;
  py[3] = t14;
  const float t15 = t9 + t1;
  py[6] = t13;
  py[7] = t15;
}

/* 2 bits of lanes and numbers exchanged */
static inline __attribute__((always_inline)) void n16_shuffles_block_1(thread const float *lane4,
    thread float *lane5, const uint thread_id) {
  const float v0 = lane4[0];
  const float v1 = lane4[1];
  const float v2 = lane4[2];
  const float v3 = lane4[3];
  const float v4 = lane4[4];
  const float v5 = lane4[5];
  const float v6 = lane4[6];
  const float v7 = lane4[7];
  const int l0 = thread_id & 1;
  const float v8 = 0 < l0 ? v0 : v2;
  const float v9 = fftgen_from_lane(v8, 1);
  const float v10 = 0 < l0 ? v9 : v0;
  const float v11 = 0 < l0 ? v2 : v9;
  const float v12 = 0 < l0 ? v1 : v3;
  const float v13 = fftgen_from_lane(v12, 1);
  const float v14 = 0 < l0 ? v13 : v1;
  const float v15 = 0 < l0 ? v3 : v13;
  const float v16 = 0 < l0 ? v4 : v6;
  const float v17 = fftgen_from_lane(v16, 1);
  const float v18 = 0 < l0 ? v17 : v4;
  const float v19 = 0 < l0 ? v6 : v17;
  const float v20 = 0 < l0 ? v5 : v7;
  const float v21 = fftgen_from_lane(v20, 1);
  const float v22 = 0 < l0 ? v21 : v5;
  const float v23 = 0 < l0 ? v7 : v21;
  const int l1 = (thread_id >> 1) & 1;
  const float v24 = 0 < l1 ? v10 : v18;
  const float v25 = fftgen_from_lane(v24, 2);
  const float v26 = 0 < l1 ? v25 : v10;
  const float v27 = 0 < l1 ? v18 : v25;
  const float v28 = 0 < l1 ? v14 : v22;
  const float v29 = fftgen_from_lane(v28, 2);
  const float v30 = 0 < l1 ? v29 : v14;
  const float v31 = 0 < l1 ? v22 : v29;
  const float v32 = 0 < l1 ? v11 : v19;
  const float v33 = fftgen_from_lane(v32, 2);
  const float v34 = 0 < l1 ? v33 : v11;
  const float v35 = 0 < l1 ? v19 : v33;
  const float v36 = 0 < l1 ? v15 : v23;
  const float v37 = fftgen_from_lane(v36, 2);
  const float v38 = 0 < l1 ? v37 : v15;
  const float v39 = 0 < l1 ? v23 : v37;
  lane5[0] = v26;
  lane5[1] = v30;
  lane5[2] = v34;
  lane5[3] = v38;
  lane5[4] = v27;
  lane5[5] = v31;
  lane5[6] = v35;
  lane5[7] = v39;
}

/* radix 4, 4 columns after 4 */
static inline __attribute__((always_inline)) void n16_shuffles_block_2(device float *out, device const float *tw0,
    thread const float *lane5, const int b, const uint thread_id) {
  const int g = thread_id / 4;
  const int k = thread_id % 4;
  thread const float *const px = lane5;
  device const float *const pw = tw0 + 2 * k;
  device float *const py = out + 32 * b + 2 * k + 32 * g;
  const float2 w1 = *(device const float2 *)(pw + 8);
  const float x2r = px[4];
  const float x2i = px[5];
  const float t0 = w1.y * x2i;
  const float t1 = w1.y * x2r;
  const float t2 = w1.x * x2r - t0;
  const float t3 = w1.x * x2i + t1;
  const float2 w0 = *(device const float2 *)(pw);
  const float x1r = px[2];
  const float x1i = px[3];
  const float t4 = w0.y * x1i;
  const float t5 = w0.y * x1r;
  const float t6 = w0.x * x1r - t4;
  const float t7 = w0.x * x1i + t5;
  const float2 w2 = *(device const float2 *)(pw + 16);
  const float x3r = px[6];
  const float x3i = px[7];
  const float t8 = w2.y * x3i;
  const float t9 = w2.y * x3r;
  const float t10 = w2.x * x3r - t8;
  const float t11 = w2.x * x3i + t9;
  const float t12 = t6 + t10;
  const float t13 = t6 - t10;
  const float x0r = px[0];
  const float x0i = px[1];
  const float t14 = x0r + t2;
  const float t15 = x0r - t2;
  const float t16 = t14 + t12;
  const float t17 = t14 - t12;
  const float t18 = t7 + t11;
  const float t19 = t7 - t11;
  const float t20 = x0i + t3;
  const float t21 = x0i - t3;
  const float t22 = t20 + t18;
  *(device float2 *)(py) = float2(t16, t22);
  const float t23 = t20 - t18;
  *(device float2 *)(py + 16) = float2(t17, t23);
  const float t24 = t15 + t19;
  const float t25 = t15 - t19;
  const float t26 = t21 - t13;
  *(device float2 *)(py + 8) = float2(t24, t26);
  const float t27 = t21 + t13;
  *(device float2 *)(py + 24) = float2(t25, t27);
}

/* 3 stages, 128 threads a block */
[[kernel, max_total_threads_per_threadgroup(128)]] void n16_shuffles_block(device const float *in [[buffer(0)]],
    device float *out [[buffer(1)]], device const float *tw0 [[buffer(2)]],
    uint thread_id [[thread_position_in_threadgroup]], uint block_id [[threadgroup_position_in_grid]]) {
  float lane4[8];
  float lane5[8];
  const int b = 32 * block_id;
  n16_shuffles_block_0(in, lane4, b, thread_id);
  n16_shuffles_block_1(lane4, lane5, thread_id);
  n16_shuffles_block_2(out, tw0, lane5, b, thread_id);
}

