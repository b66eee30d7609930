/* fftgen model row: fits the figures of a GPU (targets/machine/gpu_costs.def), or of this CPU (cpu_costs.def), to
 * measured plans, and prints them as source. */
#ifndef FG_CLI_MODEL_ROW_H
#define FG_CLI_MODEL_ROW_H
#include "generator/cli/cli.h"
#include "tuning/search/figure_fit.h"
#include <stdio.h>

typedef struct fg_cli_row_order {
  const fg_choice *choice;
  const char *plans;    /* file of what was measured; with problems, what is measured is added to it */
  const char *problems; /* file of what to measure; NULL: nothing, of a CPU fg_calibrate_problems */
  const char *model;    /* of a CPU: file of a fitted model whose predictions are the times; NULL: none was named */
  const char *space;    /* of a CPU: of the plans that are measured; NULL: the usual one */
  int most;             /* of a CPU: plans of a problem and instruction set; 0: the usual number */
  const char *out;      /* file; NULL: standard output */
} fg_cli_row_order;

fg_status fg_cli_model_row(fg_context *cx, const fg_cli_row_order *o);

/* For both kinds. */
typedef struct fg_cli_row_samples {
  fg_figure_sample *list;
  int count, room;
} fg_cli_row_samples;
void fg_cli_row_add(fg_context *cx, fg_cli_row_samples *s, fg_figure_sample one);
/* Progress: on a terminal a line that changes; in a log one every few seconds. */
void fg_cli_row_show(void *context, const char *phase, int done, int total);
void fg_cli_row_clear_line(void);
void fg_cli_row_date(char date[40]); /* today's */
/* The fit's errors, the row's text to the file or standard output, or with --json each plan's times. first: what the
 * figures were before. */
fg_status fg_cli_row_end(fg_context *cx, const fg_cli_row_order *o, const fg_figure_fit *fit,
                         const fg_cli_row_samples *s, const char *first, const char *text);
/* model_row_cpu.c */
fg_status fg_cli_model_row_cpu(fg_context *cx, const fg_cli_row_order *o, const fg_device *device,
                               const fg_device_facts *facts);
#endif
