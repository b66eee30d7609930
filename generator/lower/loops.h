/* Digits: names, loops, numbers of blocks and threads. */
#ifndef FG_LOWER_LOOPS_H
#define FG_LOWER_LOOPS_H
#include "generator/text/emitter.h"

/* Digit names that clash with nothing: of the outer digits, then of a stage's. */
void fg_nest_name_digits(const fg_emitter *e, const fg_kernel *k, const fg_stage *s, const char **digit,
                         int64_t *value);

/* Type of a digit: the small one where nothing that it is part of grows large. */
const char *fg_nest_digit_type(const fg_emitter *e, const fg_kernel *k, int digit);

typedef struct fg_nest {
  const fg_emitter *e;
  const fg_kernel *k;
  const char *const *digit;
  fg_uses *uses;
  int depth;      /* open brackets */
  int part_digit; /* its loop runs from part to part + 1 of parts; -1: none */
} fg_nest;

/* Opens loops; names what blocks and threads compute. */
void fg_nest_loop(fg_nest *n, int digit, bool unroll);
void fg_nest_threads(fg_nest *n, int threads);                            /* a loop named "thread" */
void fg_nest_hardware(fg_nest *n, int digit, const char *id, bool whole); /* whole: no other digit is above it */
void fg_nest_open(fg_nest *n, const char *words);                         /* a line that ends in a bracket */

void fg_nest_close(fg_nest *n);
#endif
