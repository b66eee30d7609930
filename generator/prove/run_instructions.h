/* Instructions, interpreted over a prime field. */
#ifndef FG_PROVE_RUN_INSTRUCTIONS_H
#define FG_PROVE_RUN_INSTRUCTIONS_H
#include "generator/base/context.h"
#include "generator/math/field.h"
#include "targets/code.h"

/* Runs code whose numbers are field elements; every address is inside `count[slot]`
 * numbers of its slot or the run ends with what is wrong in why[]. */
typedef struct fg_prove_code_memory {
  fg_gf *const *slot;
  const int64_t *count;
  int nslot;
  fg_gf *const *table; /* of numbers; those of integers are the code's own */
  const int64_t *table_count;
  const int64_t *params;
} fg_prove_code_memory;

typedef struct fg_prove_code_share { /* what is run */
  int step;                          /* -1: all */
  int share, shares;
  int ends; /* of outermost loops so many iterations at either end; 0: all */
} fg_prove_code_share;

bool fg_prove_code_run(fg_context *cx, const fg_instructions *code, const fg_field *f, const fg_prove_code_memory *m,
                       const fg_prove_code_share *share, char why[128]);
#endif
