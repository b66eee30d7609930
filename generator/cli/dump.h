/* --dump of emit and plan, and the last steps of emit. */
#ifndef FG_CLI_DUMP_H
#define FG_CLI_DUMP_H
#include "generator/cli/cli.h"

typedef struct fg_cli_dump {
  const char *stage;
  fg_status (*print)(fg_compilation *c); /* after fg_pipeline_decide */
} fg_cli_dump;

const char *fg_cli_dump_stage(int i); /* NULL after the last one */

/* To be put into argp's children. Its input is a const fg_cli_dump *: NULL, nothing asked for. */
extern const struct argp fg_cli_dump_argp;

/* After fg_pipeline_decide: the proof, then the text, which names the command that makes it again. */
fg_status fg_cli_source(fg_compilation *c);
#endif
