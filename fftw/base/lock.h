/* Locks that fork() finds free: a child never waits for a thread that it does not have. */
#ifndef FG_FFTW_BASE_LOCK_H
#define FG_FFTW_BASE_LOCK_H

/* A thread that holds one takes none that is declared above it. */
typedef enum fg_lock_name {
  FG_LOCK_WISDOM,
  FG_LOCK_PLANS,
  FG_LOCK_KERNELS,
  FG_LOCK_LINES,
  FG_LOCK_TWIDDLES,
  FG_LOCKS
} fg_lock_name;

void fg_lock_take(fg_lock_name name);
void fg_lock_leave(fg_lock_name name);
#endif
