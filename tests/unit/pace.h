/* How many of many cases of one kind run. All of them where code is as it is; where a sanitizer watches memory and
 * arithmetic, which cases of one kind treat alike, one of several: it runs five times as slowly. */
#ifndef PACE_H
#define PACE_H
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { IS_WATCHED = 1 };
#else
enum { IS_WATCHED = 0 };
#endif

/* Is case `number` left out? Of `some` cases one runs where they are watched. */
static inline bool is_left_out(long number, int some) { return IS_WATCHED && number % some; }

/* The number by which a test draws what it runs today; FFTGEN_SEED=DAY repeats it. */
static inline long drawn_day(void) {
  const char *seed = getenv("FFTGEN_SEED");
  return seed && *seed ? strtol(seed, NULL, 10) : (long)(time(NULL) / 86400);
}

/* Is case `number` drawn today? Of `some` cases one is a day; with FFTGEN_ALL, which the tests NAME.all have, every
 * one. */
static inline bool is_drawn(long number, long some) {
  return getenv("FFTGEN_ALL") || (number + drawn_day()) % some == 0;
}
#endif
