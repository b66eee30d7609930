/* See lock.h. In: names of locks. Out: one thread at a time. Who forks takes all of them first, in their order, so that
 * what they guard is whole in the child. */
#include "fftw/base/lock.h"
#include <pthread.h>

static pthread_mutex_t lock[FG_LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                         PTHREAD_MUTEX_INITIALIZER};
_Static_assert(FG_LOCKS == 5, "each lock is initialised");

void fg_lock_take(fg_lock_name name) { pthread_mutex_lock(&lock[name]); }

void fg_lock_leave(fg_lock_name name) { pthread_mutex_unlock(&lock[name]); }

static void before_fork(void) {
  for (int i = 0; i < FG_LOCKS; i++) pthread_mutex_lock(&lock[i]);
}

static void after_fork(void) {
  for (int i = FG_LOCKS - 1; i >= 0; i--) pthread_mutex_unlock(&lock[i]);
}

/* Ends with the library where that is closed. */
__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(before_fork, after_fork, after_fork); }
