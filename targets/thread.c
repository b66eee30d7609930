/* See thread.h. A thread that says nothing has a stack of RLIMIT_STACK bytes (glibc) or
 * 128 KiB (musl); the generator and LLVM want more. The pages that are not touched
 * cost nothing. */
#include "targets/thread.h"
#include <signal.h>
#include <stddef.h>

#define STACK_BYTES ((size_t)8 << 20)

/* A new thread has the mask of its maker. What it does wrong itself is still delivered. */
static int create_deaf(pthread_t *thread, const pthread_attr_t *attr, void *(*work)(void *data), void *data) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int status = pthread_create(thread, attr, work, data);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return status;
}

int fg_thread_create(pthread_t *thread, void *(*work)(void *data), void *data) {
  pthread_attr_t attr;
  int status = pthread_attr_init(&attr);
  if (status) return status;
  status = pthread_attr_setstacksize(&attr, STACK_BYTES);
  if (!status) status = create_deaf(thread, &attr, work, data);
  pthread_attr_destroy(&attr);
  return status;
}

void fg_thread_call(void *(*work)(void *data), void *data) {
  pthread_t thread;
  if (fg_thread_create(&thread, work, data))
    work(data);
  else
    pthread_join(thread, NULL);
}
