/* bench --portability: its options and its output. */
#ifndef FG_CLI_PORTABILITY_H
#define FG_CLI_PORTABILITY_H
#include "generator/cli/cli.h"
#include "tuning/report/bench.h"

enum { FG_CLI_REPORTS = 8 };

typedef struct fg_cli_portability {
  bool wanted, csv, further; /* further: options that need it were given */
  const char *only, *report[FG_CLI_REPORTS];
  int reports;
  int candidates, samples;
  double hang;
  fg_choice *choice; /* no problem need be given */
} fg_cli_portability;

extern const struct argp fg_cli_portability_argp; /* its input is a fg_cli_portability */
fg_status fg_cli_portability_run(fg_context *cx, const fg_cli_portability *p, const fg_bench_options *bench);

#endif
