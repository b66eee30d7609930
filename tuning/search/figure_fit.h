/* Fits figures of a cost model to measured plans: those that predict their times best.
 *
 * Times may be in any unit, such as nanoseconds or parts of a copy's speed: one factor for all of them is fitted, too.
 */
#ifndef FG_FIGURE_FIT_H
#define FG_FIGURE_FIT_H
#include "generator/base/context.h"
#include "generator/ir/program.h"

enum { FG_FIGURES_MOST = 128 };

typedef struct fg_figure_sample {
  const char *problem, *plan; /* texts */
  double time;                /* per execution; above 0 */
  const char *isa;            /* CPUs: row of targets/isas.c; else NULL */
} fg_figure_sample;

typedef struct fg_figure_fit_options {
  const fg_figure_sample *sample;
  int count, least;     /* samples; as many are needed */
  int figures;          /* FG_FIGURES_MOST at most */
  const bool *fitted;   /* those that are moved, if they are above 0 */
  const int64_t *first; /* from where */
  void *self;           /* of what follows */
  fg_status (*compile)(void *self, fg_context *own, const fg_figure_sample *s, const fg_program **out);
  void (*use)(void *self, const int64_t *figures);        /* for the costs that follow */
  int64_t (*cost)(const void *self, const fg_program *p); /* by several threads at once */
  const volatile int *stop;                               /* set by Ctrl-C; NULL: never */
  void (*watch)(void *context, const char *phase, int done, int total);
  void *context;
} fg_figure_fit_options;

typedef struct fg_figure_errors { /* of predictions, over the plans */
  double all, near;     /* root mean square of the logarithm of predicted over measured time; near: of plans within
                         * 1.3 of the fastest of their problem */
  double choice, worst; /* time of the plan with the least prediction over the fastest: geometric mean, worst problem */
} fg_figure_errors;

typedef struct fg_figure_fit {
  int64_t value[FG_FIGURES_MOST];
  int plans, problems, left_out;  /* left out: plans that this version does not know */
  char why_left_out[256];         /* the first of these */
  fg_figure_errors before, after; /* by the first figures, by the new ones */
  fg_figure_errors apart;         /* each fifth of the problems by a fit to the others */
  double *error; /* by the new figures, of each sample: the logarithm of predicted over measured time; NaN:
                  * left out */
} fg_figure_fit;

/* FG_EUSER: too few plans; FG_ENA: stopped. */
fg_status fg_figure_fit_run(fg_context *cx, const fg_figure_fit_options *options, fg_figure_fit *out);
#endif
