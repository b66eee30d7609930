/* fftgen: the program. In: a subcommand and its arguments. Out: its exit code:
 * 0, 1 (the system failed), 2 (a user's mistake), 3 (a wrong result), 4 (an error of its own).
 *
 * The subcommands are rows of a table (cli/commands.c); each is a file of cli/. */
#include "generator/base/invariant.h"
#include "generator/cli/fault.h"
#include "generator/cli/help.h"
#include "generator/cli/progress.h"
#include "targets/cc/process.h"
#include "targets/env.h"
#include "targets/number.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const fg_command *find_command(const char *name) {
  int i = fg_words_find(name, strlen(name), fg_cli_command_name);
  return i < 0 ? NULL : fg_cli_commands[i];
}

static bool asks_for_help(const fg_command *c, int argc, char **argv) {
  for (int i = 1; i < argc && (!c->runs_another || argv[i][0] == '-'); i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
  return false;
}

static fg_status run_command(fg_context *cx, const char *name, int argc, char **argv) {
  const fg_command *command = find_command(name);
  const char *bare = name + strspn(name, "-"); /* --version, --verison */
  if (!command)
    return fg_refuse(cx, "%s: no such subcommand%s; there are: %s", fg_words_quote(cx->arena, name, strlen(name)),
                     fg_words_near(cx->arena, bare, strlen(bare), fg_cli_command_name),
                     fg_words_join(cx->arena, fg_cli_command_name));
  argv[0] = fg_arena_printf(cx->arena, "fftgen %s", name);
  if (!asks_for_help(command, argc, argv)) return command->run(cx, argc, argv);
  fputs(fg_cli_page_print(command->argp ? fg_cli_command_page(cx, command) : fg_cli_first_page(cx)), stdout);
  return FG_OK;
}

/* Output that did not arrive is a failure, a closed pipe and a full disk alike. */
static fg_status close_output(fg_context *cx, fg_status status) {
  bool failed = ferror(stdout) != 0;
  errno = 0;
  if (fclose(stdout) != 0) failed = true;
  if (!failed) return status;
  fg_diag_clear(&cx->diag);
  return fg_diag_set(&cx->diag, FG_ESYS, "standard output: %s", errno ? strerror(errno) : "write failed");
}

/* Asked to end while a compiler runs: it ends first, what it left is cleared away,
 * then the program ends as it was asked to. The second time it ends at once. */
static volatile sig_atomic_t asked_to_end;

static void on_end(int number) {
  signal(number, SIG_DFL);
  asked_to_end = number;
  if (!fg_process_stop_running()) raise(number);
}

static void handle_signals(void) {
  static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
  signal(SIGPIPE, SIG_IGN); /* these two are errors of a write */
  signal(SIGXFSZ, SIG_IGN);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (signal(ends[i], on_end) == SIG_IGN) signal(ends[i], SIG_IGN);
}

/* 0: as much as is free. */
static size_t proof_memory(void) {
  const char *text = fg_env("FFTGEN_PROOF_MIB");
  double mib = text ? fg_number_read(text, NULL) : 0;
  return mib > 0 && mib < 0x1p40 ? (size_t)(mib * 0x1p20) : 0;
}

typedef struct command {
  const char *name;
  int argc;
  char **argv;
} command;

static fg_status run_guarded(fg_context *cx, void *data) {
  const command *c = data;
  return run_command(cx, c->name, c->argc, c->argv);
}

static void complain(const fg_diag *diag, fg_status status) {
  fprintf(stderr, "fftgen: %s%s\n", diag->message[0] ? diag->message : "out of memory",
          status == FG_EINTERNAL ? "; please report this" : "");
}

int main(int argc, char **argv) {
  handle_signals();
  fg_cli_fault_begin(argc, argv);
  static fg_context cx;
  cx.arena = fg_arena_create();
  fg_status status = FG_ENOMEM;
  if (cx.arena && !fg_arena_guard(cx.arena)) {
    const char *name = argc > 1 ? argv[1] : "help";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    if (strcmp(name, "--version") == 0) name = "version";
    fg_cli_progress_begin(&cx);
    cx.memory = proof_memory();
    command c = {name, argc > 1 ? argc - 1 : 1, argc > 1 ? argv + 1 : argv};
    status = fg_invariant_run(&cx, run_guarded, &c);
  }
  fg_cli_progress_end();
  status = close_output(&cx, status);
  if (asked_to_end) raise(asked_to_end);
  if (status != FG_OK) complain(&cx.diag, status);
  fg_arena_destroy(cx.arena);
  return fg_diag_exit_code(status);
}
