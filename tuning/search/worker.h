/* The work of a search's processes; worker_pool.h starts and supervises them.
 *
 * A builder generates a candidate and compiles it. For a device that loads code it writes a module file and ends;
 * otherwise it checks and times its module itself. A runner has the device's one context and a testbed, and does so
 * for all module files. A prover proves a candidate. Each communicates by a socket that keeps message boundaries, ends
 * with its parent, and ignores Ctrl-C, which the parent handles. */
#ifndef FG_WORKER_H
#define FG_WORKER_H
#include "generator/pipeline/pipeline.h"
#include "tuning/measure/drawn.h"

typedef struct fg_worker_task {
  const fg_device *device;
  const fg_device_facts *facts; /* of the device */
  const char *problem, *plan, *isa;
  const char *temp;      /* folder for what it writes; the search removes it. NULL: the usual one */
  const char *compiler;  /* device cc; NULL: as chosen already */
  const int64_t *params; /* values of the run-time parameters; NULL: the lowest (fg_settings_lowest) */
  const fg_drawn *drawn; /* inputs and truths; NULL: there are none, or a runner's: it draws them */
  uint64_t seed;
  bool impatient;          /* a process that gets no processor time counts as hanging, too */
  bool once;               /* not where another with the same text has been built */
  const char *module_file; /* builder: file to leave; NULL: it stays */
} fg_worker_task;

typedef enum fg_request_kind { FG_REQUEST_CHECK, FG_REQUEST_TIME, FG_REQUEST_DROP } fg_request_kind;
typedef enum fg_reply_kind {
  FG_REPLY_BUILT,   /* compiled; value: 1 where bodies of kernels are assembly */
  FG_REPLY_SAME,    /* its text is another's */
  FG_REPLY_CHECKED, /* value: the error */
  FG_REPLY_TIMED,   /* value: nanoseconds */
  FG_REPLY_FAILED,  /* text: why; value: 1 where the runner ends */
  FG_REPLY_OPEN,    /* a runner is ready */
  FG_REPLY_PROVED,
} fg_reply_kind;

typedef struct fg_request_message {
  fg_request_kind what;
  int slot, turn;
  double seconds;        /* TIME */
  char module_file[256]; /* to a runner: where the module is, if it has none of that slot */
} fg_request_message;

typedef struct fg_reply_message {
  fg_reply_kind what;
  int slot;
  double value;
  char text[FG_WHY_SIZE];
} fg_reply_message;

typedef enum fg_worker_kind { FG_BUILDER, FG_RUNNER, FG_PROVER } fg_worker_kind;
/* A process; *fd is the parent's end. -1: none could be started. Texts need live only until it returns. */
int fg_worker_start(fg_worker_kind kind, const fg_worker_task *task, int *fd);
/* Ends it: by SIGTERM first, as it may have a compiler running. In: its own number. Out: its exit status (waitpid). */
int fg_worker_end(int pid);
#endif
