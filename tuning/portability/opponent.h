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

/* Of a budget for several problems other libraries take a third at most, so that the last problems have their shares.
 */
typedef struct fg_opponents_time {
  double start, budget; /* when it began; 0: no limit */
  double spent;         /* by other libraries */
} fg_opponents_time;

/* All that run on d, FFTW planned by MEASURE, each timed for so many seconds, unless their time is over; how many. The
 * run-time parameters of the problem have the lower ends of their ranges. */
int fg_opponents_measure(const fg_request *request, const fg_device *d, double seconds, fg_port_patience patience,
                         fg_opponents_time *time, fg_opponent out[FG_OPPONENTS]);
#endif
