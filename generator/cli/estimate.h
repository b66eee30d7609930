/* What the fitted model says about a problem's candidates, without measuring.
 * Shared by plan --estimate and tune --estimate; --space and --model of both. */
#ifndef FG_CLI_ESTIMATE_H
#define FG_CLI_ESTIMATE_H
#include "generator/cli/run.h"
#include "tuning/search/candidates.h"

typedef struct fg_cli_yardstick {
  const char *space_file, *model_file; /* NULL: the usual ones */
  fg_search_space space;
  fg_model model;
} fg_cli_yardstick;

/* --space and --model, to be put into argp's children. Their input is a fg_cli_yardstick. */
extern const struct argp fg_cli_model_argp;
/* Reads both. What the model's file has of other machines, and damage, is warned of. */
fg_status fg_cli_model_load(fg_context *cx, fg_cli_yardstick *m);
/* All candidates that the model has constants for, fastest first. c: through
 * fg_pipeline_decide. FG_EUSER when nothing is fitted for any of them. */
fg_status fg_cli_estimate(const fg_compilation *c, const fg_search_options *search, fg_search_result *out);
#endif
