/* One backend on one problem, measured in a separate process: candidate plans, other libraries on the same device,
 * the device's limits, single executions, outputs. */
#ifndef FG_PORT_RUN_H
#define FG_PORT_RUN_H
#include "tuning/baselines/fftw.h"
#include "tuning/portability/backends.h"

enum { FG_PORT_PLANS = 32, FG_PORT_SAMPLES = 1000, FG_PORT_INPUTS = 2, FG_PORT_BINS = 1 << 20 };

typedef struct fg_port_task {
  const fg_port_backend *backend;
  const char *problem;
  int nplan; /* to be compared; 0: the cheapest by the shipped model, and all of what follows */
  const char *plan[FG_PORT_PLANS];
  int candidates;   /* so many of those */
  double seconds;   /* of timing for each plan and each library */
  int samples;      /* executions one by one, up to FG_PORT_SAMPLES */
  fg_effort effort; /* of FFTW's planner */
  uint64_t seed;
} fg_port_task;

typedef struct fg_port_launches {
  int count;
  bool has_inside; /* inside: by the device's clock */
  double total[FG_PORT_SAMPLES], inside[FG_PORT_SAMPLES];
} fg_port_launches;

typedef struct fg_port_plan {
  char text[256];
  double ns, l2, build_seconds;
  int64_t flops;
  int fallbacks;
  char why[FG_WHY_SIZE]; /* it does not run there; "": it does */
} fg_port_plan;

typedef struct fg_port_rival {
  char name[16];
  double ns, l2;
  char why[FG_WHY_SIZE];
  fg_port_launches launches;
} fg_port_rival;

enum { FG_PORT_RIVALS = 3 };

typedef struct fg_port_result {
  char why[FG_WHY_SIZE]; /* nothing was measured; "": it was */
  int nplan, best;       /* in the order requested, or that of the model; which one was the fastest */
  fg_port_plan plan[FG_PORT_PLANS];
  int nrival;
  fg_port_rival rival[FG_PORT_RIVALS];
  double copy_ns; /* to copy as many bytes as it reads and writes */
  double roof_ns; /* for its operations, at the device's best; 0: not known */
  fg_port_launches launches;
  int64_t bins; /* of one transform's output, that are kept: up to FG_PORT_BINS */
  bool has_output;
  double output[]; /* [FG_PORT_INPUTS][bins] pairs: of random numbers, of f(x) = x */
} fg_port_result;

extern const char *const fg_port_inputs[FG_PORT_INPUTS];

size_t fg_port_result_bytes(int64_t bins);
/* out: of fg_port_share, of so many bins; complete when it returns, whatever happened. */
void fg_port_run(const fg_port_task *t, fg_port_patience patience, fg_port_result *out);

#endif
