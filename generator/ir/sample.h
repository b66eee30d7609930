/* Sample: the iterations of a program's loops that are walked if all would take too long.
 *
 * For every loop, and for the threads of a block, some values are walked: the first, the last, those around which a
 * predicate or a shift changes, and random ones. An iteration is walked if all its loops have such values. A loop's
 * values are those of the text: start + counter * step, or, if the digit is clipped or decreasing, counter * step
 * alone. */
#ifndef FG_SAMPLE_H
#define FG_SAMPLE_H
#include "generator/ir/program.h"

typedef struct fg_picks { /* counters of one loop that are walked, in rising order */
  int64_t *at;
  int count, room;
  int64_t extent; /* of the loop */
  bool all;       /* it is walked as a whole */
} fg_picks;

typedef struct fg_sample {
  fg_picks *of[FG_MAX_BUFFERS]; /* per kernel: of its digits, and behind them, at FG_MAX_DIGITS, of its threads */
} fg_sample;

typedef struct fg_sample_options {
  const int64_t *params;
  const bool *joined; /* per kernel: its stages' loops are not asked; NULL: all are */
  uint64_t seed;
  int64_t most; /* elements that a stage moves in all its iterations, about */
} fg_sample_options;

/* p: without clusters and queues (serialize.h). */
fg_sample *fg_sample_create(fg_context *cx, const fg_program *p, const fg_sample_options *o);
/* The counter that is walked behind counter i of a loop; the first one is always walked. */
int64_t fg_sample_next(const fg_picks *x, int64_t i);
/* Whether the text has a loop for an outer digit, or one of a stage. */
bool fg_sample_has_loop(const fg_digit *d);
/* What the text counts, at a counter. */
int64_t fg_sample_value(const fg_digit *d, int64_t counter, const int64_t *params);
#endif
