/* One walk by several threads. In: a machine that allows it. Out: the same after the walk. The idea: blocks at which
 * a kernel may be divided, those of GPUs among them, do not touch each other's elements, and each has its own
 * memory. So threads take some of the blocks each, with a barrier after each kernel. They add their records of
 * accesses to the same place, one after the other. If there is a fault, a walk of one thread finds it again and
 * describes it. */
#include "generator/prove/shares.h"
#include "generator/base/invariant.h"
#include "generator/prove/memory.h"
#include "generator/prove/pages.h"
#include "generator/prove/races.h"
#include "targets/thread.h"
#include <mpfr.h>
#include <pthread.h>

enum { MOST_SHARES = 16 };

typedef struct fg_shares shares;

typedef struct worker {
  shares *all;
  fg_share share;
  int kernels; /* walked */
  fg_context cx;
  fg_vm *m;
  fg_proof proof;
  pthread_t thread;
} worker;

struct fg_shares {
  const fg_vm *whole;
  int count, waiting;
  unsigned round;
  bool broken; /* no thread waits any more */
  pthread_mutex_t lock;
  pthread_cond_t met;
  worker worker[MOST_SHARES];
};

bool fg_shares_possible(const fg_program *p) {
  for (int k = 0; k < p->nkernel; k++)
    if (fg_walk_cut(p, p->kernel[k]) < 0) return false;
  return true;
}

/* Waits for all threads. False: one of them has failed. */
static bool wait_for_all(shares *s) {
  pthread_mutex_lock(&s->lock);
  unsigned round = s->round;
  if (++s->waiting == s->count) {
    s->waiting = 0;
    s->round++;
    pthread_cond_broadcast(&s->met);
  }
  while (s->round == round && !s->broken) pthread_cond_wait(&s->met, &s->lock);
  bool good = !s->broken;
  pthread_mutex_unlock(&s->lock);
  return good;
}

static void give_up(shares *s) {
  pthread_mutex_lock(&s->lock);
  s->broken = true;
  pthread_cond_broadcast(&s->met);
  pthread_mutex_unlock(&s->lock);
}

/* ---- side by side ---------------------------------------------------------------------- */

/* The check and the update are one atomic operation. */
bool fg_shares_meet(const fg_vm *m, fg_touch *t, bool store) {
  fg_touch before = {.both = __atomic_load_n(&t->both, __ATOMIC_RELAXED)}, after;
  bool conflict;
  do {
    after = before;
    conflict = fg_touch_conflicts(&after, m->block, store);
  } while (after.both != before.both &&
           !__atomic_compare_exchange_n(&t->both, &before.both, after.both, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return conflict;
}

/* After a kernel: one for all. */
static bool meet(void *context, fg_vm *m) {
  worker *w = context;
  if (m->failures || !wait_for_all(w->all)) return false;
  if (w->share.share == 0) {
    fg_ram_forget(&m->pool->launch);
    fg_ram_release(m, m->kernel);
  }
  w->kernels++;
  return wait_for_all(w->all);
}

/* ---- threads ----------------------------------------------------------------------------- */

/* A machine that shares the memory that blocks share, and nothing else. */
static void divide(worker *w, const fg_vm *whole) {
  fg_vm *m = w->m = fg_arena_new(w->cx.arena, fg_vm, 1);
  *m = *whole;
  m->cx = &w->cx;
  m->proof = &w->proof;
  m->share = &w->share;
  m->simd_group = (uint32_t)w->share.share;
  m->received = fg_arena_new(w->cx.arena, int64_t, fg_ram_ranks(m->p));
  if (w->share.share) m->progress.report = NULL;
  for (int b = 0; b < m->p->nbuffer; b++) {
    fg_ram *memory = &m->memory[b];
    memory->near = NULL;
    memory->thread = NULL;
    if (memory->local && memory->page) memory->page = fg_arena_new(w->cx.arena, fg_page *, memory->npage);
  }
}

static fg_status walk_own(fg_context *cx, void *data) {
  worker *w = data;
  (void)cx;
  divide(w, w->all->whole);
  fg_vm_run(w->m, 0);
  return FG_OK;
}

static void *walk_share(void *data) {
  worker *w = data;
  if (!fg_arena_guard(w->cx.arena)) (void)fg_invariant_run(&w->cx, walk_own, w); /* it gives up */
  if (w->kernels < w->all->whole->p->nkernel || w->m->failures) give_up(w->all);
  if (w->share.share) mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* of a thread that ends now */
  return NULL;
}

static bool begin(shares *s) {
  for (int i = 0; i < s->count; i++) {
    worker *w = &s->worker[i];
    *w = (worker){.all = s, .share = {i, s->count, meet, w}, .cx = {.arena = fg_arena_create()}};
    if (!w->cx.arena) return false;
  }
  return true;
}

static void add_counts(const shares *s, fg_proof *sum) {
  for (int i = 0; i < s->count; i++) {
    sum->addresses += s->worker[i].proof.addresses;
    sum->block_conflicts += s->worker[i].proof.block_conflicts;
    sum->bank_conflicts += s->worker[i].proof.bank_conflicts;
    sum->segments += s->worker[i].proof.segments;
    sum->segments_ideal += s->worker[i].proof.segments_ideal;
  }
}

/* False: a thread has failed. */
static bool all_do(shares *s, void *(*what)(void *worker)) {
  int begun = 1;
  while (begun < s->count && !fg_thread_create(&s->worker[begun].thread, what, &s->worker[begun])) begun++;
  if (begun < s->count) give_up(s);
  what(&s->worker[0]);
  for (int i = 1; i < begun; i++) pthread_join(s->worker[i].thread, NULL);
  return !s->broken;
}

bool fg_shares_create(fg_vm *m, int threads) {
  shares *s = m->shares = fg_arena_new(m->cx->arena, shares, 1);
  *s = (shares){.whole = m, .count = threads < MOST_SHARES ? threads : MOST_SHARES};
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->met, NULL);
  for (int b = 0; b < m->p->nbuffer; b++) {
    fg_ram *memory = &m->memory[b];
    if (memory->page && !memory->local) memory->others = fg_arena_new(m->cx->arena, fg_notes *, memory->npage);
  }
  return begin(s);
}

bool fg_shares_run(fg_vm *m) {
  if (!all_do(m->shares, walk_share)) return false;
  add_counts(m->shares, m->proof);
  return true;
}

void fg_shares_release(fg_vm *m) {
  shares *s = m->shares;
  if (!s) return;
  for (int i = 0; i < s->count; i++) fg_arena_destroy(s->worker[i].cx.arena);
  pthread_mutex_destroy(&s->lock);
  pthread_cond_destroy(&s->met);
  m->shares = NULL;
}
