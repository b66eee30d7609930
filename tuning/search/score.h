/* Score: how much slower is the fitted model's choice than the plan that tuning finds? The same question for FFTW,
 * with its ESTIMATE and MEASURE. */
#ifndef FG_SCORE_H
#define FG_SCORE_H
#include "tuning/search/search.h"

typedef struct fg_score {
  const char *problem;
  fg_candidate estimated, tuned;                  /* ns: timed alternately */
  double ratio;                                   /* estimated over tuned */
  double peer_estimate, peer_measure, peer_ratio; /* nanoseconds; 0: FFTW has no plan for it */
} fg_score;

/* NULL-terminated; no length that fg_calibrate_problems has in the same precision. */
extern const char *const fg_score_problems[];

/* search: as for tuning, with a model. FG_EUSER where that has no constants. */
fg_status fg_score_run(fg_context *cx, const fg_request *request, const fg_search_options *search, fg_score *out);
#endif
