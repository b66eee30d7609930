/* Search: which candidate is the fastest here? Successive halving (Jamieson and
 * Talwalkar 2016) over candidates that were proven and verified, each in a
 * process of its own; interleaved repetitions, each against a fixed reference
 * that is timed beside it, so that what the machine does meanwhile meets all. */
#ifndef FG_SEARCH_H
#define FG_SEARCH_H
#include "tuning/search/model.h"
#include "tuning/search/space.h"
#include "tuning/search/worker.h"

enum { FG_SEARCH_SAMPLES = 64 };

typedef struct fg_candidate {
  const char *plan, *isa;
  const char *compiler; /* NULL: the usual one */
  const char *recipe;   /* that proposed it, or a plan that it was made from */
  bool users;           /* exactly what a user's recipe proposes */
  int steps;            /* from what would be taken without a search: other plans 1, each change around one 1 more */
  int64_t flops, bytes; /* of one call, as the generator counts them */
  int64_t cost;         /* by the shipped model */
  double predicted;     /* nanoseconds by the fitted model; 0: nothing is fitted for its compiler and instruction set */
  fg_features features; /* CPUs */
  fg_worker worker;
  bool started;
  int samples, rungs;               /* how far it came */
  double sample[FG_SEARCH_SAMPLES]; /* nanoseconds, noise taken out by the reference */
  double ns, spread;                /* median; distance of the quartiles over the median, of the last rung */
  int rung_from;                    /* first sample of the present rung */
  bool dismissed;                   /* by the search: too slow, too late, or the search is over */
  bool failed;                      /* did not build, crashed, hung, computed wrongly */
  const char *why;                  /* failed: the reason */
} fg_candidate;

/* What is going on, for progress bars: "build", "time"; done of total; seconds
 * that it will take at most. */
typedef struct fg_search_watch {
  void (*call)(void *context, const char *phase, int done, int total, double left);
  void *context;
} fg_search_watch;

typedef struct fg_search_options {
  const fg_device *device;
  const fg_device_facts *facts;
  const char *compiler;         /* NULL: the usual one, and others as candidates */
  bool one_compiler;            /* no others, whatever the space says */
  const int64_t *params;        /* of the problem; NULL: the lowest (fg_settings_lowest) */
  const fg_search_space *space; /* what is tried */
  const fg_model *model;        /* fitted on this machine; NULL: nothing is */
  double seconds;               /* 0: as long as the problem is worth */
  int most;                     /* candidates; 0: as the space says */
  int jobs;                     /* that are prepared at once; 0: one a CPU */
  double hang;                  /* seconds after which a candidate hangs; 0: what is left */
  uint64_t seed;
  const volatile int *stop; /* set by Ctrl-C; NULL: never */
  fg_search_watch watch;
} fg_search_options;

typedef struct fg_search_result {
  int count;
  fg_candidate *candidate; /* fastest first, then those that failed, then those never looked at */
  bool final;              /* nothing cut it short */
  double seconds;
} fg_search_result;

/* c: through fg_pipeline_decide. FG_OK when one candidate at least was timed;
 * FG_ENA when time was over before that or somebody stopped it, FG_EWRONG when
 * every one of them failed. */
fg_status fg_search_run(const fg_compilation *c, const fg_search_options *options, fg_search_result *out);
#endif
