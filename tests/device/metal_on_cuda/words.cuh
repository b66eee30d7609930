/* Metal's words for nvcc, behind the changes of metal_on_cuda.sh. */
#include <cuda_fp16.h>

#define threadgroup
#define thread
#define constant const
#define threadgroup_barrier(flags) __syncthreads()
#define simd_shuffle_xor(x, bits) __shfl_xor_sync(0xffffffffu, x, bits)

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned uint;
typedef __half2 half2;

static __device__ inline float2 metal_pair(float x, float y) { return make_float2(x, y); }
static __device__ inline float2 metal_pair(half2 a) { return __half22float2(a); }
static __device__ inline float2 metal_pair(uchar2 a) { return make_float2(a.x, a.y); }
static __device__ inline float2 metal_pair(short2 a) { return make_float2(a.x, a.y); }
static __device__ inline half2 metal_halves(float2 a) { return __float22half2_rn(a); }
#define float2(...) metal_pair(__VA_ARGS__)
#define half2(...) metal_halves(__VA_ARGS__)
#define uchar2(...) make_uchar2(__VA_ARGS__)
#define short2(...) make_short2(__VA_ARGS__)

template <class T, class U> static __device__ inline T as_type(U x) {
  union {
    U from;
    T to;
  } u = {x};
  return u.to;
}
