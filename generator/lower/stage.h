/* One stage as a function. */
#ifndef FG_LOWER_STAGE_H
#define FG_LOWER_STAGE_H
#include "generator/text/emitter.h"

/* Records it. */
fg_status fg_lower_stage(fg_emitter *e, const fg_kernel *k, int stage, fg_uses *uses);

/* The same with the loops at given counters, as the inside of a block; adds to uses. */
typedef struct fg_iteration {
  const fg_kernel *k;
  int stage;
  const int64_t *counter; /* of the stage's loops, in order; NULL: they are loops */
} fg_iteration;

fg_status fg_lower_iteration(fg_emitter *e, const fg_iteration *iteration, fg_uses *uses);
void fg_lower_add_uses(fg_uses *all, const fg_uses *u);

/* Comment and "static void name(...) {" */
typedef struct fg_function {
  const fg_kernel *k;
  const fg_stage *stage; /* NULL: of several */
  const char *name;
  bool part; /* takes part and parts */
} fg_function;

/* Digits that are loops around a stage's function: of the kernel, and those that it shares. Their number. */
int fg_lower_function_digits(const fg_kernel *k, const fg_stage *s, int16_t digit[2 * FG_MAX_LOOPS]);

void fg_lower_function_head(const fg_emitter *e, const fg_function *f, const char *what, const fg_uses *uses,
                            fg_strbuf *out);
#endif
