/* Probes the device in a child process: a driver that was started in this process would not work in the processes of
 * a search, which are forked from it. */
#include "generator/base/arena.h"
#include "generator/cli/run.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct answer {
  fg_status status;
  int row; /* of the table of devices */
  fg_device_facts facts;
  char message[1024];
} answer;

static void answer_in_child(const fg_choice *choice, int fd) {
  static answer a;
  const fg_device *d = NULL;
  fg_context cx = {.arena = fg_arena_create()};
  a.status = FG_ENOMEM;
  if (cx.arena && !fg_arena_guard(cx.arena)) a.status = fg_cli_device(&cx, choice, &d, &a.facts);
  while (a.status == FG_OK && fg_device_table()[a.row] != d) a.row++;
  snprintf(a.message, sizeof a.message, "%s", cx.diag.message);
  _exit(write(fd, &a, sizeof a) != sizeof a);
}

fg_status fg_cli_device_apart(fg_context *cx, const fg_choice *choice, const fg_device **out, fg_device_facts *facts) {
  answer a;
  int ends[2];
  if (pipe(ends) != 0) return fg_diag_set(&cx->diag, FG_ESYS, "no pipe to a child process");
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) answer_in_child(choice, ends[1]);
  close(ends[1]);
  ssize_t got = pid > 0 ? read(ends[0], &a, sizeof a) : -1; /* shorter than PIPE_BUF: whole or nothing */
  close(ends[0]);
  if (pid > 0) waitpid(pid, NULL, 0);
  if (got != sizeof a) return fg_diag_set(&cx->diag, FG_ESYS, "looking for the device ended the process that did");
  if (a.status != FG_OK) return fg_diag_set(&cx->diag, a.status, "%s", a.message);
  *out = fg_device_table()[a.row];
  *facts = a.facts;
  return FG_OK;
}
