/* Opponents: the times of other libraries for a problem on the device that it was tuned for. Measured in a separate
 * process, for a report. */
#ifndef FG_OPPONENT_H
#define FG_OPPONENT_H
#include "generator/pipeline/pipeline.h"
#include "tuning/portability/backends.h"

enum { FG_OPPONENTS = 3 };

typedef struct fg_opponent {
  char name[16];
  double ns;             /* of one call; 0: it does not take part */
  char why[FG_WHY_SIZE]; /* it does not take part; "": it does */
} fg_opponent;

/* All that run on d, FFTW planned by MEASURE, each timed for so many seconds; how many. The run-time parameters of the
 * problem have the lower ends of their ranges. */
int fg_opponents_measure(const fg_request *request, const fg_device *d, double seconds, fg_port_patience patience,
                         fg_opponent out[FG_OPPONENTS]);
#endif
