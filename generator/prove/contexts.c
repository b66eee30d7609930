/* See contexts.h. In: a kernel of the translated text, a function for one thread. Out: success if all blocks of a
 * launch have ended, or a fault.
 *
 * The idea: the blocks of a cluster, or some persistent blocks, run at the same time, each of their threads on its
 * own stack. Scheduling alternates from the first and from the last thread, and a thread runs until it must wait: so
 * a missing barrier shows. Shared memory is undefined when a block begins. Threads that wait forever, and a block of
 * which some threads end while others wait, are faults. */
#undef _FORTIFY_SOURCE /* jumps between stacks */
#include "generator/prove/contexts_parts.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define LEAVES(fake, bottom, size) __sanitizer_start_switch_fiber(fake, bottom, size)
#define ARRIVES(fake, bottom, size) __sanitizer_finish_switch_fiber(fake, bottom, size)
#define LEFT_FOR_GOOD __attribute__((noinline, no_sanitize_address)) /* a function that never returns */
#else
#define LEFT_FOR_GOOD
#define LEAVES(fake, bottom, size) ((void)0)
#define ARRIVES(fake, bottom, size) ((void)0)
#endif

enum {
  FENCE = 64 << 10, /* guard pages below each stack */
  ROUNDS = 64,      /* of the scheduler; in so many of them one block is suspended: */
  SUSPENDED = 48,
  STAY = 3, /* blocks that run at the same time, where a launch has as many as there is room for */
  MOST_THREADS = 16 << 10,
  STACK = 64 << 10, /* bytes, and for each operation: */
  STACK_EACH = 256
};

static _Thread_local fg_contexts *running;

fg_contexts *fg_contexts_running(void) { return running; }

const char *fg_contexts_failure(const fg_contexts *m) { return m->failure; }

static bool is_there(const fg_contexts *m, const fg_context_thread *t) {
  switch (t->waits) {
  case FG_WAITS_NOT:
  case FG_WAITS_POLLING: break;
  case FG_WAITS_BLOCK: return m->block[t->slot].barriers >= t->until;
  case FG_WAITS_CLUSTER: return m->crossings >= t->until * m->cluster * m->threads;
  case FG_WAITS_WARP: return fg_contexts_has_warp(m, t);
  case FG_WAITS_MBARRIER: return (t->on->phases & 1) != t->until;
  }
  return true;
}

/* ---- switches ------------------------------------------------------------------------------- */

static void go_home(fg_contexts *m) {
  LEAVES(&m->now->fake, m->home_bottom, m->home_size);
  siglongjmp(m->home, 1);
}

bool fg_contexts_lack_room(const fg_contexts *m) { return m->lacks_room; }
void fg_contexts_at_ends(fg_contexts *m, int ends) { m->ends = ends; }

void fg_contexts_fail(const char *what) {
  if (!running->failure) running->failure = what;
  go_home(running);
}

void fg_contexts_give_way(void) {
  if (!sigsetjmp(running->now->at, 0)) go_home(running);
  ARRIVES(running->now->fake, &running->home_bottom, &running->home_size);
}

void fg_contexts_wait(fg_waits what, int64_t until, const fg_mbarrier *on) {
  fg_contexts *m = running;
  fg_context_thread *t = m->now;
  t->waits = what, t->until = until, t->on = on;
  while (!is_there(m, t)) fg_contexts_give_way();
  t->waits = FG_WAITS_NOT;
}

/* A thread: one kernel after the other. */
static void enter(void) {
  ARRIVES(NULL, &running->home_bottom, &running->home_size);
  for (;;) {
    fg_contexts *m = running;
    m->kernel();
    fg_context_block *b = &m->block[m->now->slot];
    if (b->arrived) fg_contexts_fail("a thread ends where others of its block wait");
    if (m->now->arrived) fg_contexts_fail("a thread ends between arriving at its cluster's barrier and waiting there");
    m->now->ended = true, b->alive--;
    fg_contexts_give_way();
  }
}

LEFT_FOR_GOOD static void make(fg_contexts *m, fg_context_thread *t) {
  ucontext_t first;
  getcontext(&first);
  first.uc_stack.ss_sp = m->stacks + m->stack * (size_t)(t - m->all) + FENCE;
  first.uc_stack.ss_size = m->stack - FENCE;
  makecontext(&first, enter, 0);
  t->made = true;
  setcontext(&first);
}

static void resume(fg_contexts *m, fg_context_thread *t) {
  m->now = t;
  m->thread_number = (unsigned)t->thread, m->slot = t->slot;
  m->local = m->shared + FG_GUARD_LEAST + m->pitch * t->slot;
  if (sigsetjmp(m->home, 0)) {
    ARRIVES(m->home_fake, NULL, NULL);
    return;
  }
  LEAVES(&m->home_fake, m->stacks + m->stack * (size_t)(t - m->all) + FENCE, m->stack - FENCE);
  if (t->made) siglongjmp(t->at, 1);
  make(m, t);
}

/* ---- blocks that run at the same time ----------------------------------------------------------- */

/* False: nothing has happened. */
static bool each_goes_on(fg_contexts *m, long long first, bool down) {
  int threads = m->together * m->threads;
  int64_t before = m->steps;
  for (int i = 0; i < threads && !m->failure; i++) {
    fg_context_thread *t = &m->all[down ? threads - 1 - i : i];
    if (t->ended || t->slot == m->suspended || !is_there(m, t)) continue;
    bool polls = t->waits == FG_WAITS_POLLING;
    m->block_number = (unsigned)first + (unsigned)t->slot;
    resume(m, t);
    m->steps += !polls || t->ended || t->waits != FG_WAITS_POLLING;
  }
  return m->steps != before;
}

static int alive(const fg_contexts *m) {
  int n = 0;
  for (int i = 0; i < m->together; i++) n += m->block[i].alive;
  return n;
}

static void begin(fg_contexts *m) {
  int64_t all = m->pitch * m->together;
  for (int64_t i = 0; i < all; i++) m->shared[i] = FG_TEXT_OUTSIDE | (uint64_t)i;
  memset(m->mbarrier, 0, sizeof m->mbarrier);
  memset(m->block, 0, sizeof m->block);
  m->crossings = 0;
  for (int i = 0; i < m->together; i++) m->block[i].taken = INT64_MAX;
  for (int i = 0; i < m->together * m->threads; i++) {
    fg_context_thread *t = &m->all[i];
    t->ended = t->arrived = false, t->waits = FG_WAITS_NOT, t->crossed = 0, t->gifts = 0;
    t->thread = i % m->threads, t->slot = i / m->threads;
    m->block[t->slot].alive++;
  }
}

/* The guards around each block's shared memory are as they were. */
static bool are_guards_whole(const fg_contexts *m) {
  for (int64_t i = 0; i < m->pitch * m->together; i++) {
    int64_t at = i % m->pitch - FG_GUARD_LEAST;
    if ((at < 0 || at >= m->o.numbers) && m->shared[i] != (FG_TEXT_OUTSIDE | (uint64_t)i)) return false;
  }
  return true;
}

/* Who has taken something from a queue, and nothing for the longest time. */
static int oldest(const fg_contexts *m) {
  int found = 0;
  for (int i = 1; i < m->together; i++)
    if (m->block[i].taken < m->block[found].taken) found = i;
  return found;
}

/* The persistent block that is furthest behind is suspended most of the time, so that others get as far ahead as they
 * may. */
static void may_suspend(fg_contexts *m, int round) {
  m->suspended = m->stay && round % ROUNDS < SUSPENDED ? oldest(m) : -1;
}

static bool some_go_on(fg_contexts *m, long long first, bool down) {
  if (each_goes_on(m, first, down)) return true;
  if (m->suspended < 0 || m->failure) return false;
  m->suspended = -1;
  return each_goes_on(m, first, down);
}

/* In a round each thread runs until it waits. The longest kernels that are run have a third as many. */
enum { MOST_ROUNDS = 1 << 18 };

static void run_together(fg_contexts *m, long long first) {
  begin(m);
  bool down = (first / m->together) % 2;
  for (int round = 0; !m->failure && alive(m); round++, down = !down) {
    may_suspend(m, round);
    if (round == MOST_ROUNDS) m->failure = "threads that go on without an end";
    if (!some_go_on(m, first, down) && !m->failure) m->failure = "all threads wait for what never comes";
  }
  if (!m->failure) m->failure = fg_contexts_left(m);
  if (!m->failure && !are_guards_whole(m)) m->failure = "a store beyond a block's shared memory";
}

/* ---- launches --------------------------------------------------------------------------------------- */

static void *map(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static void unmap(fg_contexts *m) {
  if (m->mapped) munmap(m->stacks, m->mapped);
  if (m->shared_bytes) munmap(m->shared, m->shared_bytes);
  m->mapped = m->shared_bytes = 0;
}

/* Stacks and threads of so many. */
static bool map_threads(fg_contexts *m, int threads) {
  size_t stacks = m->stack * (size_t)threads, all = stacks + sizeof *m->all * (size_t)threads;
  if (all <= m->mapped) return true;
  if (m->mapped) munmap(m->stacks, m->mapped);
  m->mapped = 0, m->stacks = map(all);
  if (!m->stacks) return false;
  m->mapped = all;
  m->all = (fg_context_thread *)(void *)(m->stacks + stacks);
  for (int i = 0; i < threads; i++) mprotect(m->stacks + m->stack * (size_t)i, FENCE, PROT_NONE);
  return true;
}

static bool has_room(fg_contexts *m) {
  m->pitch = m->o.numbers + m->o.numbers % 2 + 2 * FG_GUARD_LEAST;
  size_t numbers = (size_t)m->pitch * (size_t)m->together, bytes = 2 * sizeof *m->shared * numbers;
  if (m->together > FG_CONTEXT_BLOCKS || (int64_t)m->together * m->threads > MOST_THREADS) return false;
  if (bytes > m->shared_bytes) {
    if (m->shared_bytes) munmap(m->shared, m->shared_bytes);
    m->shared_bytes = 0, m->shared = map(bytes);
    if (!m->shared) return false;
    m->shared_bytes = bytes;
  }
  m->coming = m->shared + numbers;
  return map_threads(m, m->together * m->threads);
}

/* is_out: whether a number of a block is none that is run; NULL: all are. */
static void launch(void (*kernel)(void), int (*is_out)(long long), long long blocks, int threads, int cluster,
                   int stay) {
  fg_contexts *m = running;
  m->kernel = kernel, m->threads = threads, m->cluster = cluster, m->stay = stay, m->suspended = -1;
  m->together = stay ? blocks < STAY ? (int)blocks : STAY : cluster;
  if (stay) blocks = m->together;
  m->blocks = (unsigned)blocks;
  if (m->failure || !blocks) return;
  if (blocks < 0 || blocks % m->together) {
    m->failure = "blocks that are no whole clusters";
    return;
  }
  m->lacks_room = m->lacks_room || !has_room(m);
  for (long long first = 0; first < blocks && !m->failure && !m->lacks_room; first += m->together)
    if (!is_out || !is_out(first)) run_together(m, first);
}

/* ---- the translated text's ---------------------------------------------------------------------------------- */

static void wait_for_block(void) {
  fg_contexts *m = running;
  fg_context_block *b = &m->block[m->now->slot];
  int64_t next = b->barriers + 1;
  if (++b->arrived == m->threads) {
    b->ordered = b->fenced >= m->threads;
    b->arrived = 0, b->fenced = 0, b->barriers++, m->steps++;
  }
  fg_contexts_wait(FG_WAITS_BLOCK, next, NULL);
}

fg_contexts *fg_contexts_create(fg_context *cx, const fg_contexts_options *o) {
  fg_contexts *m = fg_arena_new(cx->arena, fg_contexts, 1);
  size_t bytes = STACK + STACK_EACH * (size_t)o->longest;
  m->o = *o;
  m->stack = (bytes + FENCE - 1) / FENCE * FENCE + FENCE;
  running = m;
  return m;
}

void fg_contexts_end(fg_contexts *m) {
  if (!m) return;
  unmap(m);
  running = NULL;
}

void fg_contexts_symbols(fg_contexts *m, fg_tcc_symbol symbol[FG_CONTEXT_SYMBOLS]) {
  const fg_tcc_symbol own[] = {{"fg_launch", fg_tcc_address((void (*)(void))launch)},
                               {"fg_wait_for_block", fg_tcc_address(wait_for_block)},
                               {"fg_thread", &m->thread_number},
                               {"fg_slot", &m->slot},
                               {"fg_block", &m->block_number},
                               {"fg_blocks", &m->blocks},
                               {"fg_local", &m->local},
                               {"fg_ends", &m->ends}};
  memcpy(symbol, own, sizeof own);
  int n = (int)(sizeof own / sizeof *own);
  n += fg_contexts_words(&symbol[n]);
  symbol[n] = (fg_tcc_symbol){NULL, NULL};
}

const char fg_contexts_declared[] =
    "extern unsigned fg_thread, fg_block, fg_blocks;\n"
    "extern int fg_slot;\n"
    "extern fg_real *fg_local;\n"
    "extern int fg_ends;\n"
    "extern void fg_launch(void (*kernel)(void), int (*is_out)(long long), long long blocks, int threads, int cluster, "
    "int stay);\n"
    "extern void fg_wait_for_block(void);\n"
    "extern fg_real fg_from_lane(fg_real x, long long bits);\n"
    "extern void *fg_matrix_product(long long shape, const fg_real *a, const fg_real *b, const fg_real *c);\n"
    "extern void fg_cluster_arrive(void);\n"
    "extern void fg_cluster_wait(void);\n"
    "extern long long fg_map_shared(const void *p, long long block);\n"
    "extern long long fg_is_own(long long block);\n"
    "extern void fg_send_pair(long long to, fg_real re, fg_real im, long long mbarrier, long long own);\n"
    "extern void fg_send_word(long long to, fg_real re, fg_real im, long long mbarrier, long long own);\n"
    "extern void fg_mbarrier_init(const void *mbarrier, long long bytes);\n"
    "extern void fg_mbarrier_expect(const void *mbarrier, long long bytes);\n"
    "extern void fg_mbarrier_wait(const void *mbarrier, long long parity);\n"
    "extern void fg_counter_wait(const void *counter, long long count);\n"
    "extern int fg_counter_reached(const void *counter, long long count);\n"
    "extern void fg_counter_add(void *counter);\n"
    "extern int fg_counter_take(void *counter, long long by);\n"
    "extern void fg_discard(void *line, int numbers);\n"
    "extern void fg_bulk_init(const void *mbarrier);\n"
    "extern void fg_bulk_invalidate(const void *mbarrier);\n"
    "extern int fg_opaque_zero(void);\n"
    "extern void *fg_bulk_destination(void *room, const void *array);\n"
    "extern void fg_bulk_load(void *room, const void *array, long long number, long long unit, long long all,\n"
    "                         const void *mbarrier);\n"
    "extern void fg_ask_l2(const void *part, long long count);\n"
    "extern void fg_async_fence(void);\n"
    "extern void fg_bulk_store(const void *room, void *array, long long number, long long unit, long long all);\n"
    "extern void fg_bulk_drain(void);\n";
