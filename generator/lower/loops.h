/* Digits as text: names, loops, numbers of blocks and threads. */
#ifndef FG_LOWER_LOOPS_H
#define FG_LOWER_LOOPS_H
#include "generator/text/emitter.h"

/* Digit names that clash with nothing: of the outer digits, then of a stage's. */
void fg_nest_name_digits(const fg_emitter *e, const fg_kernel *k, const fg_stage *s, const char **digit,
                         int64_t *value);

/* Type of a digit: the small one where nothing that it is part of grows large. */
const char *fg_nest_digit_type(const fg_emitter *e, const fg_kernel *k, int digit);

/* Opens "for" lines for digits that are loops; declares those of blocks and threads. */
/* A loop over a digit, as text. */
typedef struct fg_text_loop {
  int digit;
  size_t at; /* of the text: where it begins */
  const char *counter, *end;
  int64_t first, step, iterations; /* turns: number of iterations, 0: not known */
} fg_text_loop;

typedef struct fg_nest {
  const fg_emitter *e;
  const fg_kernel *k;
  const char *const *digit;
  fg_uses *uses;
  fg_strbuf *out;
  int indent;
  int depth;      /* open brackets */
  int part_digit; /* its loop runs from part to part + 1 of parts; -1: none */
  int nloop;      /* of these brackets, from outside, that are loops over digits, as text: */
  fg_text_loop loop[FG_MAX_DIGITS];
} fg_nest;

void fg_nest_loop(fg_nest *n, int digit, bool unroll);
void fg_nest_threads(fg_nest *n, int threads);                            /* a loop named "thread" */
void fg_nest_hardware(fg_nest *n, int digit, const char *id, bool whole); /* whole: no other digit is above it */
void fg_nest_open(fg_nest *n, const char *text);                          /* a line that ends in a bracket */

/* Of loops over digits, if nothing else is open; 0: not known. */
int64_t fg_nest_iterations(const fg_nest *n);

/* Instead of all brackets, whose text is cut away: one with the first iteration's digits; loops of all others. */
void fg_nest_first_iteration(fg_nest *n);

void fg_nest_other_iterations(fg_nest *n);
void fg_nest_close(fg_nest *n);
#endif
