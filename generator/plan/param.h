/* Named parameters of a plan: the rows of params.def. */
#ifndef FG_PLAN_PARAM_H
#define FG_PLAN_PARAM_H
#include <stdbool.h>
#include <stdint.h>

/* params.def: the tuning parameters, one line each. */
#define PARAM(NAME, text, lo, hi, preset, help) FG_PARAM_##NAME,

typedef enum fg_param_id {
#include "generator/plan/params.def"
  FG_PARAM_COUNT
} fg_param_id;

#undef PARAM

/* Forms of text that rules fitted on measurements decide, and plans may turn around (`forms`): bits. */
typedef enum fg_form {
  FG_EARLY = 1,
  FG_ORDERED = 2,
  FG_HALVED = 4,
  FG_ALTERNATING = 8,
  FG_LISTED = 16,
  FG_WOVEN = 32,
  FG_BALANCED = 64,
  FG_SKEWED = 128
} fg_form;

typedef struct fg_param_info {
  const char *name, *help;
  int64_t lo, hi, preset;
  bool of_parts; /* plans inside of others have it, too */
} fg_param_info;

const fg_param_info *fg_param_table(void); /* FG_PARAM_COUNT rows */
/* -1 when there is none of that name. */
int fg_param_find(const char *name);
#endif
