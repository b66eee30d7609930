/* See fault.h. In: the command line. Out: on SIGSEGV and similar signals, a line on standard error and exit code 4.
 *
 * The idea: the proof runs the emitted text in this process, and a wrong text may access any address. No file has
 * been written by then. The line is prepared before, because a signal handler may do little but write it. If there
 * are handlers of these signals already (a sanitizer's), they stay. */
#include "generator/cli/fault.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FAULTED = 4, STACK = 1 << 16 };

static char line[1024];
static char stack[STACK]; /* of the handler: the fault may be that there is no more of the usual one */

static pid_t owner;

static void on_fault(int number) {
  if (getpid() != owner) { /* a child that tries something out: it ends as its parent expects */
    raise(number);
    return;
  }
  ssize_t written = write(STDERR_FILENO, line, strlen(line));
  (void)written;
  _exit(FAULTED);
}

static void make_line(int argc, char **argv) {
  size_t at =
      (size_t)snprintf(line, sizeof line, "fftgen: internal error: the processor stopped it, nothing is written");
  for (int i = 1; i < argc && at < sizeof line; i++)
    at += (size_t)snprintf(line + at, sizeof line - at, "%s\"%s\"", i == 1 ? "; please report this: fftgen " : " ",
                           argv[i]);
  memcpy(line + (at < sizeof line - 2 ? at : sizeof line - 2), "\n", 2);
}

void fg_cli_fault_begin(int argc, char **argv) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  struct sigaction fault = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND}, before;
  make_line(argc, argv);
  owner = getpid();
  if (sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL)) fault.sa_flags = (int)SA_RESETHAND;
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    if (sigaction(faults[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(faults[i], &fault, NULL);
}
