/* Completion of the command line by shells. */
#ifndef FG_CLI_COMPLETION_H
#define FG_CLI_COMPLETION_H
#include "generator/base/context.h"

typedef struct fg_completion {
  const char *folder, *name; /* where shells look for it, below share/ */
  const char *(*write)(fg_context *cx);
} fg_completion;

extern const fg_completion fg_cli_completions[]; /* ends with a row without a folder */
#endif
