/* A child process, without a shell: run it, collect its output, end it at a time limit. */
#ifndef FG_PROCESS_H
#define FG_PROCESS_H
#include <stdbool.h>
#include <stddef.h>

typedef struct fg_process {
  char *const *argv; /* argv[0] is looked for in PATH */
  const char *temp;  /* TMPDIR of the child; NULL: as ours */
  double seconds;    /* after that it and its children are killed */
  char *text;        /* what it wrote to stdout and stderr, cut at size - 1 */
  size_t size;
} fg_process;

enum { FG_PROCESS_NOT_STARTED = -1, FG_PROCESS_TIMEOUT = -2, FG_PROCESS_KILLED = -3 };

/* The exit status, or one of the above. Never leaves a zombie. The child's
 * messages are in English (LC_ALL=C). */
int fg_process_run(const fg_process *p);
/* For signal handlers of programs with one thread: ends the child that
 * fg_process_run waits for, and its children. False: there is none. */
bool fg_process_stop_running(void);
#endif
