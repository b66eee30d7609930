/* Kinds of steps of a plan: names, forms and meanings, a row each. */
#ifndef FG_PLAN_STEP_H
#define FG_PLAN_STEP_H

typedef enum fg_step {
  FG_DIRECT,
  FG_STOCKHAM,
  FG_COOLEY_TUKEY,
  FG_BLUESTEIN,
  FG_RADER,
  FG_PRIME_FACTOR,
  FG_FOUR_STEP,
  FG_ND,
  FG_REAL,
  FG_TRIG,
  FG_DENSE,
  FG_AS_COMPLEX,
  FG_PAIRED,
  FG_CONVOLVE,
  FG_STEP_COUNT
} fg_step;

const char *fg_step_name(fg_step s);
const char *fg_step_form(fg_step s); /* "four-step(PLAN, PLAN)" */
const char *fg_step_help(fg_step s); /* what it computes, one line */
/* -1 when there is none of that name. */
int fg_step_find(const char *name);
#endif
