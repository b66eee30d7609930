/* CUDA and HIP on a CPU: what emitted kernels use of these languages, for g++. In: the text of kernels behind this
 * file, and behind that a table of them (chunk.sh). Out: blocks_launch.
 *
 * The idea: a thread of a block is a context of its own, which goes on until it waits. Threads that wait for something
 * that never comes, and a block of which some threads end while others wait, are faults. In turns the first and the
 * last thread go first, so that what a barrier is for shows without it; shared memory holds no numbers when a block
 * begins. What emitted texts say in PTX has functions of the same names here: chunk.sh leaves out those that have "asm"
 * inside. Whether the PTX is right, only a GPU tells. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <utility>

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

/* ---- threads --------------------------------------------------------------------------- */

struct blocks_index {
  unsigned x;
};
static blocks_index threadIdx, blockIdx, blockDim, gridDim;

enum { BLOCKS_STACK = 256 << 10, BLOCKS_MBARRIERS = 64 };

struct blocks_block { /* one of the blocks that run at the same time */
  char *shared;
  unsigned arrived, next; /* next: a number that its threads share */
  unsigned long barriers;
};
struct blocks_thread {
  ucontext_t at;
  char *stack;
  unsigned thread, block;
  bool ended;
  unsigned long crossed; /* barriers of the cluster that it has arrived at */
};
static ucontext_t blocks_home;
static blocks_thread *blocks_now;
static blocks_block *blocks_all;
static unsigned blocks_first, blocks_cluster, blocks_crossing;
static unsigned long blocks_steps, blocks_crossed;
static size_t blocks_pitch;
static void (*blocks_kernel)(void **);
static void **blocks_arguments;

[[noreturn]] static void blocks_fail(const char *what) {
  fprintf(stderr, "%s: block %u, thread %u\n", what, blockIdx.x, threadIdx.x);
  _Exit(6);
}

static blocks_block *blocks_own() { return &blocks_all[blocks_now->block]; }

template <class F> static void blocks_wait(F is_there) {
  while (!is_there()) swapcontext(&blocks_now->at, &blocks_home);
  blocks_steps++;
}

static void blocks_enter() {
  blocks_kernel(blocks_arguments);
  if (blocks_own()->arrived) blocks_fail("a thread ends where others wait");
  blocks_now->ended = true;
  swapcontext(&blocks_now->at, &blocks_home);
}

static void __syncthreads() {
  blocks_block *b = blocks_own();
  unsigned long before = b->barriers;
  blocks_steps++;
  if (++b->arrived == blockDim.x) b->arrived = 0, b->barriers++;
  blocks_wait([=] { return b->barriers != before; });
}

static char *blocks_shared() { return blocks_own()->shared; }
static unsigned *blocks_next() { return &blocks_own()->next; }

static void blocks_together(blocks_thread *thread, unsigned blocks) {
  unsigned threads = blocks * blockDim.x, alive = threads;
  for (unsigned long turn = 0; alive; turn++) {
    unsigned long before = blocks_steps;
    for (unsigned i = 0; i < threads; i++) {
      blocks_thread *t = &thread[turn % 2 ? threads - 1 - i : i];
      if (t->ended) continue;
      blocks_now = t;
      threadIdx.x = t->thread, blockIdx.x = blocks_first + t->block;
      swapcontext(&blocks_home, &t->at);
      if (t->ended) alive--, blocks_steps++;
    }
    if (alive && blocks_steps == before) blocks_fail("all threads wait");
  }
}

static char *blocks_memory(size_t bytes) { /* whose addresses have 32 bits */
#ifdef MAP_32BIT
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT;
#else
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
#endif
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (memory == MAP_FAILED) blocks_fail("no memory");
  return (char *)memory;
}

static void blocks_begin(blocks_thread *thread, unsigned blocks, size_t local_bytes) {
  for (unsigned b = 0; b < blocks; b++) {
    memset(blocks_all[b].shared, 0xff, local_bytes); /* no number */
    blocks_all[b].arrived = 0, blocks_all[b].barriers = 0;
    for (unsigned i = 0; i < blockDim.x; i++) {
      blocks_thread *t = &thread[b * blockDim.x + i];
      char *stack = t->stack;
      *t = blocks_thread{};
      t->stack = stack, t->thread = i, t->block = b;
      getcontext(&t->at);
      t->at.uc_stack.ss_sp = stack, t->at.uc_stack.ss_size = BLOCKS_STACK;
      makecontext(&t->at, blocks_enter, 0);
    }
  }
}

/* ---- clusters -------------------------------------------------------------------------------- */

struct blocks_mbarrier { /* an mbarrier: bytes that have come, and how many each phase waits for */
  const void *at;
  long come, phases, armed[1024];
};
static blocks_mbarrier blocks_mbarriers[BLOCKS_MBARRIERS];

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
template <class T> static void blocks_send(unsigned to, const T *x, unsigned count, unsigned mbarrier) {
  memcpy((void *)(uintptr_t)to, x, count * sizeof *x);
  blocks_find((const void *)(uintptr_t)mbarrier)->come += (long)(count * sizeof *x);
}
static inline void fftgen_store_async(unsigned to, float re, float im, unsigned mbarrier) {
  const float x[] = {re, im};
  blocks_send(to, x, 2, mbarrier);
}
static inline void fftgen_store_async(unsigned to, double re, double im, unsigned mbarrier) {
  const double x[] = {re, im};
  blocks_send(to, x, 2, mbarrier);
}
static inline void fftgen_store_async(unsigned to, unsigned two, unsigned mbarrier) {
  blocks_send(to, &two, 1, mbarrier);
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

/* ---- halves ------------------------------------------------------------------------------------------ */

#ifdef BLOCKS_CUDA
static inline float from_f16(unsigned short h) {
  float x = ldexpf((float)(h & 0x3ff) + (h & 0x7c00 ? 1024 : 0), (h >> 10 & 31 ? h >> 10 & 31 : 1) - 25);
  if ((h & 0x7c00) == 0x7c00) x = h & 0x3ff ? NAN : INFINITY;
  return h & 0x8000 ? -x : x;
}
static inline unsigned short to_f16(float x) {
  unsigned short sign = signbit(x) ? 0x8000 : 0;
  float size = fabsf(x);
  if (isnan(x)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  int e = size > 0 ? ilogbf(size) : -14;
  if (e < -14) e = -14;
  unsigned steps = (unsigned)nearbyintf(ldexpf(size, 10 - e)); /* of the last place */
  return (unsigned short)(sign | (steps < 1024 ? steps : ((unsigned)(e + 14) << 10) + steps));
}

#endif

/* ---- launches ------------------------------------------------------------------------------------------ */

template <class... A, size_t... I> static void blocks_call(void (*k)(A...), void **a, std::index_sequence<I...>) {
  k(*(typename std::remove_const<A>::type *)a[I]...);
}
template <class... A> static void blocks_apply(void (*k)(A...), void **a) {
  blocks_call(k, a, std::index_sequence_for<A...>{});
}

/* All blocks of a grid, `together` of them at a time; cluster divides that. */
static void blocks_run(unsigned blocks, unsigned together, size_t local_bytes) {
  size_t page = 4096;
  blocks_pitch = (local_bytes + page - 1) / page * page + page; /* and one that nobody may touch */
  char *shared = blocks_memory(blocks_pitch * together);
  blocks_all = (blocks_block *)calloc(together, sizeof *blocks_all);
  blocks_thread *thread = (blocks_thread *)calloc((size_t)together * blockDim.x, sizeof *thread);
  for (unsigned b = 0; b < together; b++) {
    blocks_all[b].shared = shared + b * blocks_pitch + (blocks_pitch - page - (local_bytes + 15) / 16 * 16);
    mprotect(shared + (b + 1) * blocks_pitch - page, page, PROT_NONE);
  }
  for (unsigned i = 0; i < together * blockDim.x; i++)
    thread[i].stack =
        (char *)mmap(nullptr, BLOCKS_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  for (blocks_first = 0; blocks_first < blocks; blocks_first += together) {
    unsigned now = blocks - blocks_first < together ? blocks - blocks_first : together;
    for (blocks_mbarrier &d : blocks_mbarriers) d.at = nullptr;
    blocks_crossing = 0;
    blocks_begin(thread, now, local_bytes);
    blocks_together(thread, now);
  }
  for (unsigned i = 0; i < together * blockDim.x; i++) munmap(thread[i].stack, BLOCKS_STACK);
  munmap(shared, blocks_pitch * together);
  free(thread);
  free(blocks_all);
}

struct blocks_row {
  const char *name;
  void (*kernel)(void **);
};
extern const blocks_row blocks_table[];

/* 0, or -1: there is no such kernel. */
extern "C" int blocks_launch(const char *name, const unsigned shape[4], size_t local_bytes, void **arguments);
extern "C" int blocks_launch(const char *name, const unsigned shape[4], size_t local_bytes, void **arguments) {
  const blocks_row *row = blocks_table;
  while (row->name && strcmp(row->name, name) != 0) row++;
  if (!row->name) return -1;
  blocks_kernel = row->kernel, blocks_arguments = arguments;
  gridDim.x = shape[0], blockDim.x = shape[1], blocks_cluster = shape[2];
  blocks_run(shape[0], shape[3], local_bytes);
  return 0;
}
