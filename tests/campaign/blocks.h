/* Blocks of threads on a CPU: what emitted kernels of CUDA, HIP, Metal and SYCL run on here. In: kernels, by
 * blocks_kernel. Out: blocks_run. The words of a language are in a file of its own: blocks_cuda.h, words/.
 *
 * The idea: a thread of a block is a context of its own, which goes on until it waits. Threads that wait for something
 * that never comes, and a block of which some threads end while others wait, are faults. In turns the first and the
 * last thread go first, so that what a barrier is for shows without it; shared memory holds no numbers when a block
 * begins. */
#ifndef CAMPAIGN_BLOCKS_H
#define CAMPAIGN_BLOCKS_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <utility>

/* ---- threads --------------------------------------------------------------------------- */

struct blocks_index {
  unsigned x;
};
static blocks_index threadIdx, blockIdx, blockDim, gridDim;

enum { BLOCKS_STACK = 256 << 10 };

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
  size_t arrays;         /* bytes of shared memory that it has declared */
  unsigned long crossed; /* barriers of the cluster that it has arrived at */
  unsigned long gifts;   /* numbers that it has given to other lanes of its warp, */
  double given[2];       /* the last two of them, */
  int given_to[2];       /* and the bits by which their lanes' numbers differ */
};
static ucontext_t blocks_home;
static blocks_thread *blocks_now;
static blocks_block *blocks_all;
static unsigned blocks_first, blocks_cluster = 1, blocks_crossing;
static unsigned long blocks_steps;
static size_t blocks_pitch, blocks_bytes; /* bytes: of a block's shared memory, as the launch says */
static void (*blocks_prepare)();          /* before each group of blocks; null: nothing is to do */
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

static void blocks_barrier() {
  blocks_block *b = blocks_own();
  unsigned long before = b->barriers;
  blocks_steps++;
  if (++b->arrived == blockDim.x) b->arrived = 0, b->barriers++;
  blocks_wait([=] { return b->barriers != before; });
}

/* What the lane has, of a warp of 32, whose number differs in these bits: all lanes give theirs, in step. */
template <class T> static T blocks_from_lane(T x, int bits) {
  blocks_thread *own = blocks_now, *warp = own - own->thread % 32;
  unsigned lanes = blockDim.x - warp->thread < 32 ? blockDim.x - warp->thread : 32, lane = own->thread % 32 ^ bits;
  int kept = own->gifts % 2;
  if (lane >= lanes) blocks_fail("a number of a lane that is not there");
  own->given[kept] = x, own->given_to[kept] = bits;
  unsigned long count = ++own->gifts;
  blocks_steps++;
  blocks_wait([=] {
    for (unsigned i = 0; i < lanes; i++)
      if (warp[i].gifts < count) return false;
    return true;
  });
  if (warp[lane].given_to[kept] != bits) blocks_fail("lanes of a warp that give their numbers to others");
  return (T)warp[lane].given[kept];
}

static char *blocks_shared() { return blocks_own()->shared; }
static unsigned *blocks_next() { return &blocks_own()->next; }

/* An array that a kernel declares: all threads of a block declare the same ones in the same order. */
template <class T> static T *blocks_array(size_t count) {
  size_t at = (blocks_now->arrays + 15) / 16 * 16;
  blocks_now->arrays = at + count * sizeof(T);
  if (blocks_now->arrays > (blocks_bytes + 15) / 16 * 16) blocks_fail("more shared memory than the launch says");
  return (T *)(blocks_shared() + at);
}

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

/* All blocks of a grid, `together` of them at a time; cluster divides that. */
static void blocks_run(unsigned blocks, unsigned together, size_t local_bytes) {
  size_t page = 4096;
  blocks_bytes = local_bytes;
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
    if (blocks_prepare) blocks_prepare();
    blocks_crossing = 0;
    blocks_begin(thread, now, local_bytes);
    blocks_together(thread, now);
  }
  for (unsigned i = 0; i < together * blockDim.x; i++) munmap(thread[i].stack, BLOCKS_STACK);
  munmap(shared, blocks_pitch * together);
  free(thread);
  free(blocks_all);
}
#endif
