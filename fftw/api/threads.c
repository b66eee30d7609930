/* Threads: how many a plan made from now on may use, and who runs them. */
#include "fftw/api/settings.h"
#include "fftw/sweep/parallel.h"

static int threads = 1;

int fg_settings_threads(void) { return __atomic_load_n(&threads, __ATOMIC_RELAXED); }

FG_PUBLIC int X(init_threads)(void) { return 1; }

FG_PUBLIC void X(plan_with_nthreads)(int n) { __atomic_store_n(&threads, n < 1 ? 1 : n, __ATOMIC_RELAXED); }

FG_PUBLIC int X(planner_nthreads)(void) { return fg_settings_threads(); }

/* The planner is safe at any time. */
FG_PUBLIC void X(make_planner_thread_safe)(void) {}

FG_PUBLIC void X(threads_set_callback)(void (*loop)(void *(*work)(char *), char *jobs, size_t bytes, int count,
                                                    void *data),
                                       void *data) {
  fg_parallel_use(loop, data);
}

FG_PUBLIC void X(cleanup_threads)(void) {
  X(plan_with_nthreads)(1);
  X(cleanup)();
}
