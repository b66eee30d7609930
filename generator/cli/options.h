/* The options of a subcommand as rows, for --help, man pages, completion and hints at misspelt ones. */
#ifndef FG_CLI_OPTIONS_H
#define FG_CLI_OPTIONS_H
#include "generator/base/text_match.h"
#include <argp.h>

typedef struct fg_option {
  const char *name;     /* "output" */
  char letter;          /* 'o'; 0: none */
  const char *arg;      /* "FOLDER"; NULL: takes no value */
  const char *help;     /* names in place of %s */
  const char *group;    /* the heading above it; NULL: none */
  fg_words_name values; /* what it takes; NULL: anything */
} fg_option;

enum { FG_CLI_OPTIONS = 64 };

/* All options of argp and its children, grouped ones and --help last; how many. */
int fg_cli_options(fg_arena *a, const struct argp *argp, fg_option out[FG_CLI_OPTIONS]);
/* The error at the word where argp gave up: an unknown option, a value that is
 * missing or too much. */
const char *fg_cli_option_fault(fg_arena *a, const struct argp *argp, const char *word);
#endif
