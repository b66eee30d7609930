/* Fits the cost model of blocks and threads to measured plans: the figures (targets/machine/gpu_costs.def) that
 * predict their times best.
 *
 * Times may be in any unit, such as parts of a copy's speed: one factor for all of them is fitted, too. */
#ifndef FG_GPU_FIT_H
#define FG_GPU_FIT_H
#include "generator/base/context.h"
#include "targets/machine/gpu_costs.h"

typedef struct fg_gpu_sample {
  const char *problem, *plan; /* texts */
  double time;                /* per execution; above 0 */
} fg_gpu_sample;

typedef struct fg_gpu_fit_options {
  const fg_machine *machine; /* that plans are made for */
  const char *target;        /* dialect: "cuda" */
  const fg_gpu_sample *sample;
  int count;
  const volatile int *stop; /* set by Ctrl-C; NULL: never */
  void (*watch)(void *context, const char *phase, int done, int total);
  void *context;
} fg_gpu_fit_options;

typedef struct fg_gpu_errors { /* of predictions, over the plans */
  double all, near;     /* root mean square of the logarithm of predicted over measured time; near: of plans within
                         * 1.3 of the fastest of their problem */
  double choice, worst; /* time of the plan with the least prediction over the fastest: geometric mean, worst problem */
} fg_gpu_errors;

typedef struct fg_gpu_fit {
  fg_gpu_costs costs;
  int plans, problems, left_out; /* left out: plans that this version does not know */
  char why_left_out[256];        /* the first of these */
  fg_gpu_errors before, after;   /* by the machine's figures, by the new ones */
  fg_gpu_errors apart;           /* each fifth of the problems by a fit to the others */
  double *error; /* by the new figures, of each sample: the logarithm of predicted over measured time; NaN:
                  * left out */
} fg_gpu_fit;

/* FG_EUSER: too few plans; FG_ENA: stopped. */
fg_status fg_gpu_fit_run(fg_context *cx, const fg_gpu_fit_options *options, fg_gpu_fit *out);
#endif
