/* Pages of help about subcommands. */
#ifndef FG_CLI_HELP_H
#define FG_CLI_HELP_H
#include "generator/cli/cli.h"
#include "generator/cli/page.h"

/* What --help of a subcommand says, and its man page. */
fg_cli_page *fg_cli_command_page(fg_context *cx, const fg_command *command);
/* The first page: subcommands, topics, examples, exit codes. */
fg_cli_page *fg_cli_first_page(fg_context *cx);
#endif
