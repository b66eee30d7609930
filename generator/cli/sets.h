/* --set NAME=VALUE: values of run-time parameters. */
#ifndef FG_CLI_SETS_H
#define FG_CLI_SETS_H
#include "generator/problem/problem.h"
#include <argp.h>

enum { FG_CLI_SETS = 16 };

typedef struct fg_cli_sets {
  int count;
  const char *text[FG_CLI_SETS];
  int64_t value[FG_MAX_PARAMS]; /* by the problem's numbering; filled by fg_cli_fill_sets */
  bool any;                     /* the problem has parameters: use `value` */
} fg_cli_sets;

/* To be put into argp's children; its input is a fg_cli_sets. */
extern const struct argp fg_cli_sets_argp;
/* What --set says, and the lowest of all others at which results do not overlap. */
fg_status fg_cli_fill_sets(fg_context *cx, const fg_problem *p, fg_cli_sets *sets);
#endif
