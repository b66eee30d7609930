/* Worker pool: the processes of a search, and their supervision. Builders work in parallel; modules are checked and
 * timed one at a time, on a device that loads code by one runner, which has the device's only context. If a candidate
 * crashes, hangs, is refused or computes wrongly, only it is lost: its process is ended, the reason kept, and
 * another runner started when needed. */
#ifndef FG_WORKER_POOL_H
#define FG_WORKER_POOL_H
#include "tuning/search/worker.h"

typedef enum fg_work_state {
  FG_WORK_UNSEEN,
  FG_WORK_BUILDING,
  FG_WORK_BUILT,    /* waits to be checked */
  FG_WORK_CHECKING, /* request sent */
  FG_WORK_READY,    /* right; waits to be timed */
  FG_WORK_TIMING,
  FG_WORK_LOST, /* failed, crashed or was dropped: `why` */
} fg_work_state;

typedef struct fg_work { /* one candidate's */
  fg_work_state state;
  int slot, pid, fd;     /* pid -1: no process of its own */
  int turns;             /* timings so far */
  double l2, ns;         /* error, once READY; of the last timing */
  double since, until;   /* when the state began; when it has lasted too long (fg_timing_now) */
  double worked;         /* processor seconds of its process when the state began */
  bool assembled;        /* bodies of its kernels are assembly */
  bool same, dropped;    /* LOST: its text is another's; not for a fault of its own */
  char why[FG_WHY_SIZE]; /* LOST */
} fg_work;

typedef struct fg_worker_pool fg_worker_pool;

typedef struct fg_build { /* what to build; texts live on */
  const char *plan, *isa, *compiler;
  bool once;
} fg_build;

/* common: without plan, isa, compiler, once, module_file. In cx's arena. */
fg_worker_pool *fg_worker_pool_create(fg_context *cx, const fg_worker_task *common);
/* slot: a number of its own, below 1024. It has failed when it is not built after so many seconds. */
void fg_worker_pool_build(fg_worker_pool *c, fg_work *w, int slot, const fg_build *b, double seconds);
/* Of a BUILT, or a READY one; while nothing else is asked. It hangs after `limit` seconds. */
void fg_worker_pool_check(fg_worker_pool *c, fg_work *w, double limit);
void fg_worker_pool_time(fg_worker_pool *c, fg_work *w, double seconds, double limit);
bool fg_worker_pool_is_busy(const fg_worker_pool *c); /* something is being checked or timed */
/* Starts to prove a candidate; what was being proved before is given up. */
void fg_worker_pool_prove(fg_worker_pool *c, const fg_build *b);
typedef enum fg_proof_state { FG_PROOF_NONE, FG_PROOF_RUNS, FG_PROOF_YES, FG_PROOF_NO } fg_proof_state;
fg_proof_state fg_worker_pool_proof(const fg_worker_pool *c, const char **why);
/* Handles replies for this number of seconds, and ends processes that exceed their time limit. */
void fg_worker_pool_wait(fg_worker_pool *c, double seconds);
/* Until it is neither being built nor asked, or `stop` was set (NULL: never). False: at `deadline`, it still is. */
bool fg_worker_pool_await(fg_worker_pool *c, const fg_work *w, double deadline, const volatile int *stop);
/* Is no longer needed; with a reason of its own it has failed. */
void fg_worker_pool_drop(fg_worker_pool *c, fg_work *w, const char *why);
const char *fg_worker_pool_failure(const fg_worker_pool *c); /* NULL, or why the device cannot be used at all */
void fg_worker_pool_destroy(fg_worker_pool *c);              /* ends every process */
#endif
