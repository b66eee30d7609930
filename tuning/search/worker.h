/* A candidate in a process of its own: it is generated, proven, built and
 * verified there, and timed there whenever the search asks for it. What crashes,
 * hangs or eats memory does so alone. */
#ifndef FG_WORKER_H
#define FG_WORKER_H
#include "generator/pipeline/pipeline.h"

typedef struct fg_worker_task { /* texts need live only until fg_worker_start returns */
  const fg_device *device;
  const fg_device_facts *facts; /* of the device */
  const char *problem, *plan, *isa;
  const char *temp;      /* folder for what it writes; the search removes it. NULL: the usual one */
  const char *compiler;  /* device cc; NULL: as chosen already */
  const int64_t *params; /* values of the run-time parameters; NULL: the lowest (fg_settings_lowest) */
  uint64_t seed;
  bool once;              /* not where another with the same text has been prepared */
  double prepare_seconds; /* of processor time for the generator and the verification */
} fg_worker_task;

typedef enum fg_worker_state {
  FG_WORKER_PREPARING, /* nothing heard yet */
  FG_WORKER_READY,     /* verified; waits to be asked */
  FG_WORKER_TIMING,
  FG_WORKER_LOST, /* failed, crashed or was stopped: `why` */
} fg_worker_state;

typedef struct fg_worker {
  int pid, fd;
  fg_worker_state state;
  double l2;             /* measured error, once READY */
  double ns;             /* of the last timing */
  char why[FG_WHY_SIZE]; /* LOST */
  bool same;             /* LOST: its text is another's */
  double since;          /* when the state began */
} fg_worker;

/* 0, or nonzero with w->why: no process could be started. */
int fg_worker_start(fg_worker *w, const fg_worker_task *task);
/* Asks a READY worker to time for so many seconds. */
void fg_worker_time(fg_worker *w, double seconds);
/* To be called when w->fd is readable: takes one message, changes the state. */
void fg_worker_hear(fg_worker *w);
/* Waits until the state is no longer PREPARING or TIMING; false: at `deadline`
 * (fg_timing_now) or when `stop` was set, it still is. */
bool fg_worker_await(fg_worker *w, double deadline, const volatile int *stop);
/* Ends the process. The reason is kept when there is one already. */
void fg_worker_stop(fg_worker *w, const char *why);
#endif
