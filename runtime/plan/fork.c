/* See fork.h. Threads inside are counted. A forking thread stops others from entering, waits, and forks with the
 * count's lock held. A thread that forks from inside, as drivers do to start a compiler, does not wait. */
#include "runtime/plan/fork.h"
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int inside, forking; /* threads */
static bool lost;           /* in this process others were inside when it was forked */
static _Thread_local int depth;

static void before(void) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += FG_FORK_SECONDS;
  pthread_mutex_lock(&lock);
  forking++;
  while (inside && !depth && pthread_cond_timedwait(&changed, &lock, &end) != ETIMEDOUT) continue;
}

static void in_parent(void) {
  forking--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

/* Threads that waited in the parent do not exist in the child. */
static void in_child(void) {
  lost = lost || inside;
  inside = depth > 0;
  forking = 0;
  pthread_mutex_init(&lock, NULL);
  pthread_cond_init(&changed, NULL);
}

static void watch_forks(void) { pthread_atfork(before, in_parent, in_child); }

bool fg_fork_enter(void) {
  pthread_once(&once, watch_forks);
  if (depth++) return !lost;
  pthread_mutex_lock(&lock);
  while (forking) pthread_cond_wait(&changed, &lock);
  inside++;
  bool whole = !lost;
  pthread_mutex_unlock(&lock);
  return whole;
}

void fg_fork_leave(void) {
  if (--depth) return;
  pthread_mutex_lock(&lock);
  inside--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}
