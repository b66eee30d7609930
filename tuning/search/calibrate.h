/* Calibration: kernels of many kinds, built, verified and timed on this machine, to which the fitted model's
 * constants are fitted. */
#ifndef FG_CALIBRATE_H
#define FG_CALIBRATE_H
#include "tuning/search/search.h"

typedef struct fg_calibrate_options {
  const fg_device *device; /* of the dialect C */
  const fg_device_facts *facts;
  const char *compiler; /* NULL: the usual one */
  const char *isa;      /* NULL: the widest that runs here, and those that the space looks at beside it */
  const fg_search_space *space;
  const char *const *problem; /* texts, NULL-terminated; NULL: fg_calibrate_problems */
  int most;                   /* kernels of a problem and instruction set; 0: the usual number */
  int jobs;                   /* that are prepared at once; 0: one a CPU */
  const volatile int *stop;   /* set by Ctrl-C; NULL: never */
  fg_search_watch watch;      /* phases "build", "time"; done and total are problems */
} fg_calibrate_options;

typedef struct fg_calibrate_sample {
  const char *problem, *plan, *isa;
  double ns;
  fg_features features;
} fg_calibrate_sample;

typedef struct fg_calibration {
  int nsample, nfit, nfailed;
  fg_calibrate_sample *sample;
  fg_model_fit *fit; /* one for each instruction set */
} fg_calibration;

/* What is fitted on, NULL-terminated: nothing else may be in it than what scores
 * leave out (tests/score.sh). */
extern const char *const fg_calibrate_problems[];

/* FG_ENA when it was stopped, FG_ESYS when too few kernels were measured. */
fg_status fg_calibrate_run(fg_context *cx, const fg_calibrate_options *options, fg_calibration *out);
#endif
