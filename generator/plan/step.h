/* Kinds of steps of a plan: rows of steps.def. */
#ifndef FG_PLAN_STEP_H
#define FG_PLAN_STEP_H

typedef enum fg_step {
#define STEP(ID, ...) FG_##ID,
#include "generator/plan/steps.def"
  FG_STEP_COUNT
} fg_step;

const char *fg_step_name(fg_step s);
const char *fg_step_form(fg_step s); /* "four-step(PLAN, PLAN)" */
const char *fg_step_help(fg_step s); /* what it computes, one line */
#endif
