/* Values of the run-time parameters at which a program is walked. */
#ifndef FG_PROVE_SETTINGS_H
#define FG_PROVE_SETTINGS_H
#include "generator/ir/program.h"

typedef struct fg_settings { /* values of the run-time parameters: the middle of ranges, the upper ends, others */
  int count;
  int64_t (*value)[FG_MAX_PARAMS];
  bool cut; /* some parameter's upper end was too large to hold */
} fg_settings;

fg_settings *fg_settings_create(fg_context *cx, const fg_program *p);
/* Each output stride exceeds what the smaller ones span: no two results are one. */
bool fg_settings_nested(const fg_problem *q, const int64_t *params);
char *fg_settings_text(const fg_problem *q, const int64_t *params, char text[96]); /* " at count=5" */
#endif
