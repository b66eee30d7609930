/* Progress of long work. */
#ifndef FG_CLI_PROGRESS_H
#define FG_CLI_PROGRESS_H
#include "generator/cli/cli.h"

/* A line on a terminal while cx's work takes long. */
void fg_cli_progress_begin(fg_context *cx);
/* Also where there is no terminal: a line for each step. */
void fg_cli_progress_steps(fg_context *cx);
void fg_cli_progress_end(void);
#endif
