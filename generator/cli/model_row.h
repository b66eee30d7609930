/* fftgen model row: fits the figures of a GPU (targets/machine/gpu_costs.def) to measured plans. */
#ifndef FG_CLI_MODEL_ROW_H
#define FG_CLI_MODEL_ROW_H
#include "generator/cli/cli.h"

typedef struct fg_cli_row_order {
  const fg_choice *choice;
  const char *plans;    /* file of what was measured; with problems, what is measured is added to it */
  const char *problems; /* file of what to measure; NULL: nothing */
  const char *out;      /* file; NULL: standard output */
} fg_cli_row_order;

fg_status fg_cli_model_row(fg_context *cx, const fg_cli_row_order *o);
#endif
