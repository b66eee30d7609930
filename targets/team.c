/* See team.h. Between executions members look for work for some ten microseconds,
 * then they sleep: timing must not pay for waking them, and compilers that run
 * meanwhile must not pay for their waiting. */
#include "targets/team.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { LOOKS = 20000, LOOKS_ALONE = 64 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wake;
  pthread_t thread[FG_TEAM_MOST];
  int threads;       /* the caller's included */
  atomic_uint order; /* number of the work that is to be done */
  atomic_int busy;   /* members that are not done with it */
  atomic_bool dismissed;
  void (*work)(void *context, int part, int parts);
  void *context;
} team = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER, .threads = 1};

static void pause_at(int look) {
  if (look % LOOKS_ALONE == 0) sched_yield(); /* there may be fewer processors than threads */
}

static unsigned await_order(unsigned last) {
  for (int i = 0; i < LOOKS; i++) {
    unsigned now = atomic_load_explicit(&team.order, memory_order_acquire);
    if (now != last) return now;
    pause_at(i);
  }
  pthread_mutex_lock(&team.lock);
  while (atomic_load(&team.order) == last) pthread_cond_wait(&team.wake, &team.lock);
  pthread_mutex_unlock(&team.lock);
  return atomic_load_explicit(&team.order, memory_order_acquire);
}

static void *be_member(void *part) {
  for (unsigned last = 0;;) {
    last = await_order(last);
    if (atomic_load(&team.dismissed)) return NULL;
    team.work(team.context, (int)(intptr_t)part, team.threads);
    atomic_fetch_sub_explicit(&team.busy, 1, memory_order_release);
  }
}

static void give_order(void) {
  pthread_mutex_lock(&team.lock); /* so that no thread sleeps without seeing it */
  atomic_fetch_add_explicit(&team.order, 1, memory_order_release);
  pthread_cond_broadcast(&team.wake);
  pthread_mutex_unlock(&team.lock);
}

static void dismiss(void) {
  atomic_store(&team.dismissed, true);
  give_order();
  for (int i = 1; i < team.threads; i++) pthread_join(team.thread[i], NULL);
  atomic_store(&team.dismissed, false);
  atomic_store(&team.order, 0);
  team.threads = 1;
}

int fg_team_resize(int threads) {
  if (threads < 1 || threads > FG_TEAM_MOST) return 1;
  dismiss();
  for (int i = 1; i < threads; i++) {
    if (pthread_create(&team.thread[i], NULL, be_member, (void *)(intptr_t)i)) return dismiss(), 1;
    team.threads = i + 1;
  }
  return 0;
}

int fg_team_threads(void) { return team.threads; }

void fg_team_run(void (*work)(void *context, int part, int parts), void *context) {
  team.work = work;
  team.context = context;
  atomic_store(&team.busy, team.threads - 1);
  if (team.threads > 1) give_order();
  work(context, 0, team.threads);
  for (int i = 0; atomic_load_explicit(&team.busy, memory_order_acquire) > 0; i++) pause_at(i);
}
