/* The table of subcommands, and the smallest of them. */
#include "generator/cli/cli.h"
#include <stdio.h>

static fg_status run_version(fg_context *cx, int argc, char **argv) {
  if (argc > 1) return fg_refuse(cx, "version: '%s': takes no arguments", argv[1]);
  puts("fftgen " FG_RELEASE);
  return FG_OK;
}

static const fg_command version = {"version", "print the version", NULL, run_version, NULL, false};

const fg_command *const fg_cli_commands[] = {
    &fg_cli_emit,   &fg_cli_plan,  &fg_cli_ops,  &fg_cli_verify,   &fg_cli_bench, &fg_cli_devices, &fg_cli_tune,
    &fg_cli_wisdom, &fg_cli_model, &fg_cli_pack, &fg_cli_run_with, &fg_cli_help,  &version,        NULL,
};

const char *fg_cli_command_name(int i) { return fg_cli_commands[i] ? fg_cli_commands[i]->name : NULL; }
