/* Performance portability, measured: problems on every backend that is present (backends.h), each compared with the
 * others, with other libraries and with its device's limits. */
#ifndef FG_PORT_H
#define FG_PORT_H
#include "generator/base/context.h"
#include "tuning/baselines/fftw.h"
#include <cjson/cJSON.h>
#include <stdint.h>

typedef struct fg_port_options {
  const char *const *problem;
  int nproblem;
  const char *only; /* words of the names of ways, separated by commas; NULL: all ways */
  int candidates;   /* plans that each way compares for itself */
  double seconds;   /* of timing for each plan and each library */
  int samples;      /* executions one by one */
  double hang;      /* seconds after which a way is given up on a problem; 0: never */
  fg_effort effort; /* of FFTW's planner */
  uint64_t seed;
  const volatile int *stop; /* set: no more is measured; NULL: never */
} fg_port_options;

enum { FG_PORT_MOST_CANDIDATES = 16 };

/* *out: what docs/formats.md says; to be deleted. When it was stopped, problems that were not finished are not in it.
 * Ways and plans that fail are in it, with the reason. FG_ENA when there is no way here at all. */
fg_status fg_port_measure(fg_context *cx, const fg_port_options *o, cJSON **out);

#endif
