/* fftgen tune: which problems. In: arguments and a file. Out: their texts, each of which is a problem. */
#ifndef FG_CLI_TUNE_LIST_H
#define FG_CLI_TUNE_LIST_H
#include "generator/cli/cli.h"

typedef struct fg_cli_tune_problems {
  const char **text;
  int count;
} fg_cli_tune_problems;

/* file: one problem a line; NULL: none. FG_EUSER names the line of a mistake. */
fg_status fg_cli_tune_list(fg_context *cx, const fg_choice *choice, const char *file, fg_cli_tune_problems *out);
#endif
