/* Search: which candidate is the fastest on this machine? The model's best are built first; then moves from the
 * fastest so far, one at a time, as the search space says. The expected gain (expected_gain.h) decides which is next,
 * and when the search ends. Candidates that compute rightly race (successive_halving.h). A candidate that is refused,
 * spills, hangs, crashes or computes wrongly costs only its own time (worker_pool.h). */
#ifndef FG_SEARCH_H
#define FG_SEARCH_H
#include "tuning/search/model.h"
#include "tuning/search/space.h"
#include "tuning/search/successive_halving.h"
#include "tuning/search/worker_pool.h"

typedef struct fg_candidate {
  const char *plan, *isa;
  const char *compiler; /* NULL: the usual one */
  const char *recipe;   /* that proposed it, or a plan that it was made from */
  bool users;           /* exactly what a user's recipe proposes */
  bool known;           /* what wisdom has */
  int group;            /* 0: a user's; 1: with a yardstick; 2: without */
  int steps;            /* from what would be taken without this search: other plans 1, each change around one 1 more */
  const struct fg_candidate *base; /* it is a move around this one; NULL: it is none */
  int64_t flops, bytes;            /* of one call, as the generator counts them */
  int64_t cost;                    /* by the shipped model */
  double predicted;     /* nanoseconds by the fitted model; 0: nothing is fitted for its compiler and instruction set */
  fg_features features; /* CPUs */
  fg_work work;
  bool started, moved; /* moved: the moves around it are listed */
  fg_entrant entrant;
  double ns, spread; /* of the rounds that count; 0: not timed; a negative spread is not known */
  bool failed;       /* did not build, crashed, hung, computed wrongly */
  const char *why;   /* failed: the reason */
} fg_candidate;

/* The current step, for progress: "build", "time", "prove"; candidates done of all that were looked at; seconds that it
 * will take at most; the fastest so far, NULL: there is none. Called at least every fifth of a second. */
typedef struct fg_search_watch {
  void (*call)(void *context, const char *phase, int done, int total, double left, const fg_candidate *best);
  void *context;
} fg_search_watch;

typedef struct fg_search_options {
  const fg_device *device;
  const fg_device_facts *facts;
  const char *compiler;         /* NULL: the usual one, and others as candidates */
  const char *known;            /* a plan of the problem that was found earlier: a candidate, too; NULL: none */
  const char *known_isa;        /* its instruction set; NULL: the compilation's */
  bool one_compiler;            /* no others, whatever the space says */
  const int64_t *params;        /* of the problem; NULL: the lowest (fg_settings_lowest) */
  const fg_search_space *space; /* what is tried */
  const fg_model *model;        /* fitted on this machine; NULL: nothing is */
  double begun;                 /* when its time began, by fg_timing_now; 0: now */
  double seconds;               /* 0: as long as the problem is worth */
  double most_seconds;          /* until a first candidate is timed; less than `seconds`: no more than these */
  int most;                     /* candidates; 0: as the space says */
  int jobs;                     /* that are prepared at once; 0: one a CPU */
  double hang;                  /* seconds after which a candidate hangs; 0: a share of all */
  uint64_t seed;
  const volatile int *stop; /* set by Ctrl-C; NULL: never */
  fg_search_watch watch;
} fg_search_options;

typedef struct fg_search_result {
  int count;
  fg_candidate *candidate; /* those that were looked at: fastest first, then those that failed */
  bool final;              /* nothing cut it short */
  bool proved;             /* the fastest */
  bool calmed;             /* the fastest was measured again, as its spread was wide */
  double seconds;
  int64_t timed_transforms, transforms; /* a large batch is timed in part; candidates' ns are of all of it */
} fg_search_result;

/* What was not timed, though wisdom has it, or though by the shipped model it is far faster than the best that was;
 * NULL: there is none. */
const fg_candidate *fg_search_missed(const fg_search_result *r, const fg_candidate *best);

/* c: through fg_pipeline_decide. FG_OK when one candidate at least was timed;
 * FG_ENA when time was over before that or the caller stopped it, FG_EWRONG when
 * every one of them failed. */
fg_status fg_search_run(const fg_compilation *c, const fg_search_options *options, fg_search_result *out);
#endif
