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

typedef enum fg_asked { FG_ASK_CHECK, FG_ASK_TIME, FG_ASK_DROP } fg_asked;
typedef enum fg_said {
  FG_SAYS_BUILT,   /* compiled */
  FG_SAYS_SAME,    /* its text is another's */
  FG_SAYS_CHECKED, /* value: the error */
  FG_SAYS_TIMED,   /* value: nanoseconds */
  FG_SAYS_FAILED,  /* text: why; value: 1 where the runner ends */
  FG_SAYS_OPEN,    /* a runner is ready */
  FG_SAYS_PROVED,
} fg_said;

typedef struct fg_request_message {
  fg_asked what;
  int slot, turn;
  double seconds;        /* TIME */
  char module_file[256]; /* to a runner: where the module is, if it has none of that slot */
} fg_request_message;

typedef struct fg_reply_message {
  fg_said what;
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
