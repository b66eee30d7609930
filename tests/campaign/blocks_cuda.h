/* CUDA and HIP on a CPU: what emitted kernels use of these languages, for g++. In: the text of kernels behind this
 * file.
 *
 * What emitted texts say in PTX has functions of the same names here: chunk.sh leaves out those that have "asm" inside.
 * Whether the PTX is right, only a GPU tells. */
#include "blocks.h"
#ifdef BLOCKS_CUDA
#include "blocks_half.h"
#endif

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define FFTGEN_NO_HEADERS
#define FFTGEN_HIP_WORDS
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) double2 {
  double x, y;
};
static inline void __syncthreads() { blocks_barrier(); }
template <class T> static T __shfl_xor(T x, int bits) { return blocks_from_lane(x, bits); }
template <class T> static T __shfl_xor_sync(unsigned mask, T x, int bits) {
  if (mask != 0xffffffffu) blocks_fail("a shuffle of some lanes of a warp");
  return blocks_from_lane(x, bits);
}

static float fftgen_sqrtf(float x) { return sqrtf(x); }

/* ---- clusters -------------------------------------------------------------------------------- */

enum { BLOCKS_MBARRIERS = 64 };
struct blocks_mbarrier { /* an mbarrier: bytes that have come, and how many each phase waits for */
  const void *at;
  long come, phases, armed[1024];
};
static blocks_mbarrier blocks_mbarriers[BLOCKS_MBARRIERS];

static void blocks_forget() {
  for (blocks_mbarrier &d : blocks_mbarriers) d.at = nullptr;
}
static const bool blocks_forgets = (blocks_prepare = blocks_forget, true);

static blocks_mbarrier *blocks_find(const void *at) {
  for (blocks_mbarrier &d : blocks_mbarriers)
    if (d.at == at) return &d;
  blocks_fail("an mbarrier that nobody has made");
}

static blocks_mbarrier *blocks_make(const void *at) {
  for (blocks_mbarrier &d : blocks_mbarriers)
    if (!d.at || d.at == at) {
      d.at = at, d.come = 0, d.phases = 0;
      return &d;
    }
  blocks_fail("too many mbarriers");
}

static long blocks_ended(const blocks_mbarrier *d) {
  long n = 0;
  for (long sum = 0; n < d->phases && (sum += d->armed[n]) <= d->come;) n++;
  return n;
}

static inline unsigned __cvta_generic_to_shared(const void *p) { return (unsigned)(uintptr_t)p; }
static inline void fftgen_mbarrier_expect(const void *mbarrier, unsigned bytes) {
  if (threadIdx.x) return;
  blocks_mbarrier *d = blocks_find(mbarrier);
  if (d->phases == 1024) blocks_fail("too many phases");
  d->armed[d->phases++] = bytes;
}
static inline void fftgen_mbarrier_init(const void *mbarrier, unsigned bytes) {
  if (threadIdx.x) return;
  blocks_make(mbarrier);
  fftgen_mbarrier_expect(mbarrier, bytes);
}
static inline unsigned fftgen_map_shared(const void *here, unsigned block) {
  char *own = blocks_shared(),
       *there = blocks_all[blocks_now->block - blocks_now->block % blocks_cluster + block].shared;
  return __cvta_generic_to_shared(there + ((const char *)here - own));
}
static inline unsigned __float_as_uint(float x) {
  unsigned u;
  memcpy(&u, &x, sizeof u);
  return u;
}
static inline int __double2hiint(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return (int)(u >> 32);
}
static inline void fftgen_wait_loads(unsigned) {}
static inline void fftgen_fence_loads(unsigned, const void *) {}
static inline void fftgen_cluster_arrive() {
  blocks_now->crossed++, blocks_steps++;
  blocks_crossing++;
}
static inline void fftgen_cluster_wait() { /* when all have arrived as often */
  unsigned long turn = blocks_now->crossed;
  blocks_wait([=] { return blocks_crossing >= turn * blocks_cluster * blockDim.x; });
}
static inline unsigned fftgen_is_own(unsigned block) { return blocks_now->block % blocks_cluster == block; }
template <class T> static void blocks_send(unsigned to, const T *x, unsigned count, unsigned mbarrier, unsigned own) {
  memcpy((void *)(uintptr_t)to, x, count * sizeof *x);
  if (!own) blocks_find((const void *)(uintptr_t)mbarrier)->come += (long)(count * sizeof *x);
}
static inline void fftgen_send(unsigned to, float re, float im, unsigned mbarrier, unsigned own) {
  const float x[] = {re, im};
  blocks_send(to, x, 2, mbarrier, own);
}
static inline void fftgen_send(unsigned to, double re, double im, unsigned mbarrier, unsigned own) {
  const double x[] = {re, im};
  blocks_send(to, x, 2, mbarrier, own);
}
static inline void fftgen_send(unsigned to, unsigned two, unsigned mbarrier, unsigned own) {
  blocks_send(to, &two, 1, mbarrier, own);
}
static inline void fftgen_mbarrier_wait(const void *mbarrier, unsigned turn) {
  const blocks_mbarrier *d = blocks_find(mbarrier);
  blocks_wait([=] { return (blocks_ended(d) & 1) != turn; });
}

/* ---- bulk copies -------------------------------------------------------------------------------- */

template <class T> static T *fftgen_bulk_destination(T *room, const T *array);
static inline void fftgen_bulk_init(const void *mbarrier) {
  if (!threadIdx.x) blocks_make(mbarrier);
}
static inline void fftgen_bulk_invalidate(const void *mbarrier) {
  if (!threadIdx.x) blocks_find(mbarrier)->at = blocks_mbarriers; /* of nobody any more */
}
static inline unsigned fftgen_opaque_zero() { return 0; }
template <class T>
static void fftgen_bulk_load(T *room, const T *array, unsigned number, unsigned unit, long long all,
                             const void *mbarrier) {
  if (threadIdx.x) return;
  long long left = all - (long long)unit * number;
  const T *from = array + (long long)unit * number;
  T *to = fftgen_bulk_destination(room, from);
  for (long long i = 0; i < unit; i++) to[i] = i < left ? from[i] : (T)0;
  blocks_mbarrier *d = blocks_find(mbarrier);
  if (d->phases == 1024) blocks_fail("too many phases");
  d->armed[d->phases++] = 0;
}
static inline void fftgen_bulk_wait(const void *mbarrier, unsigned phase) { fftgen_mbarrier_wait(mbarrier, phase); }
static inline void fftgen_async_fence() {}
template <class T> static void fftgen_ask_l2(const T *, unsigned) {}
template <class T>
static void fftgen_bulk_store(const T *room, T *array, unsigned number, unsigned unit, long long all) {
  long long left = all - (long long)unit * number;
  for (long long i = 0; !threadIdx.x && i < unit && i < left; i++) array[(long long)unit * number + i] = room[i];
}
static inline void fftgen_bulk_drain() {}

/* ---- queues, caches ------------------------------------------------------------------------------- */

static inline bool fftgen_counter_reached(const unsigned *counter, unsigned count) { return *counter >= count; }
static inline void __nanosleep(unsigned) { swapcontext(&blocks_now->at, &blocks_home); }
static inline void fftgen_counter_add(unsigned *counter) { ++*counter, blocks_steps++; }
static inline unsigned atomicAdd(unsigned *counter, unsigned by) { return (*counter += by) - by; }
static inline void blocks_discard(const void *line) { memset((void *)((uintptr_t)line / 128 * 128), 0xff, 128); }
template <class T> static void fftgen_store_evict_last(T *p, T x) { *p = x; }
static inline int fftgen_thread() { return (int)threadIdx.x; }
template <class T> static T fftgen_load_once(const T *p) { return *p; }
template <class T> static T fftgen_load_where(const T *p, int holds) { return holds ? *p : T{}; }
template <class T> static T fftgen_load_256b(const T *p) { return *p; }
template <class T> static T __ldcg(const T *p) { return *p; }
template <class T> static void __stcs(T *p, T x) { *p = x; }

#ifdef BLOCKS_CUDA
static float fftgen_logf(float x) { return logf(x); }
static float fftgen_log10f(float x) { return log10f(x); }
static inline float from_f16(unsigned short h) { return blocks_from_f16(h); }
static inline unsigned short to_f16(float x) { return blocks_to_f16(x); }
static inline float from_bf16(unsigned short h) { return blocks_from_bf16(h); }
static inline unsigned short to_bf16(float x) { return blocks_to_bf16(x); }
static inline unsigned char to_u8(float x) { return (unsigned char)blocks_to_whole(x, 0, 255); }
static inline short to_i16(float x) { return (short)blocks_to_whole(x, -32768, 32767); }
#endif

template <class... A, size_t... I> static void blocks_call(void (*k)(A...), void **a, std::index_sequence<I...>) {
  k(*(typename std::remove_const<A>::type *)a[I]...);
}
template <class... A> static void blocks_apply(void (*k)(A...), void **a) {
  blocks_call(k, a, std::index_sequence_for<A...>{});
}
