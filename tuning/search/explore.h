/* Exploration: chooses which candidate is built next, checked and timed, or dropped. */
#ifndef FG_EXPLORE_H
#define FG_EXPLORE_H
#include "tuning/search/expected_gain.h"
#include "tuning/search/search.h"

/* The part of the time after which nothing is begun: ending processes takes the rest on a busy machine. */
#define FG_EXPLORE_PART 0.96

typedef struct fg_exploration {
  const fg_compilation *c, *whole; /* whole: of all of the batch, where c is of a part of it; NULL: c is */
  const fg_search_options *o;
  fg_search_result *out;
  fg_worker_pool *pool;
  const fg_drawn *drawn; /* hosts; NULL: there are none */
  const char *temp;      /* folder of this search; NULL: there is none */
  double start, deadline;
  double usual;   /* seconds that the problem is worth */
  double longest; /* seconds of the longest step so far that cannot be stopped */
  bool quiet;     /* the device is this CPU: building and timing disturb each other */
  int room, most; /* of out->candidate; that may be started */
  int jobs;       /* that are built at once */
  int started;
  bool wave_closed;              /* hosts: no candidate is built until those that are have been timed */
  int wave;                      /* built in it */
  const fg_candidate *anchor[2]; /* of the shipped, of the fitted model: the first that was timed */
  fg_guesses moves;              /* how far these were off, and the model for each family of plans */
  struct fg_families *families;
  fg_build proving;            /* plan NULL: nothing yet */
  double reported;             /* when the watch was called last */
  struct fg_beside *reference; /* timed beside hosts' candidates; NULL: nothing is */
} fg_exploration;

bool fg_explore_stopped(const fg_exploration *s);
void fg_explore_report(fg_exploration *s, const char *phase);
/* Builds, checks and times until no candidate has an expected gain, or its share of the time is over. */
fg_status fg_explore_run(fg_exploration *s);
/* Those that are left, until it is clear who is the fastest. True: it is, or nothing but time would tell. */
bool fg_explore_race(fg_exploration *s);
fg_candidate *fg_explore_best(fg_exploration *s); /* NULL: none was timed */
void fg_explore_prove(fg_exploration *s, const fg_candidate *k);
void fg_explore_fail(fg_exploration *s, fg_candidate *k, const char *why);
void fg_explore_end(fg_exploration *s);
#endif
