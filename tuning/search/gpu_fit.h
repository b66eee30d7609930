/* Fits the cost model of blocks and threads (targets/machine/gpu_costs.def) to measured plans. */
#ifndef FG_GPU_FIT_H
#define FG_GPU_FIT_H
#include "targets/machine/gpu_costs.h"
#include "tuning/search/figure_fit.h"

typedef struct fg_gpu_fit_options {
  const fg_machine *machine; /* that plans are made for */
  const char *target;        /* dialect: "cuda" */
  const fg_figure_sample *sample;
  int count;
  const volatile int *stop; /* set by Ctrl-C; NULL: never */
  void (*watch)(void *context, const char *phase, int done, int total);
  void *context;
} fg_gpu_fit_options;

/* FG_EUSER: too few plans; FG_ENA: stopped. */
fg_status fg_gpu_fit_run(fg_context *cx, const fg_gpu_fit_options *options, fg_gpu_costs *costs, fg_figure_fit *out);
#endif
