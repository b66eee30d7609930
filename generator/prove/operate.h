/* Load and store operations in a walk (operate.c). */
#ifndef FG_PROVE_OPERATE_H
#define FG_PROVE_OPERATE_H
#include "generator/prove/vm.h"

typedef struct fg_prove_rows { /* of elements, before their operations */
  int parts, first;            /* of an element; elements before the first */
  fg_gf *gf[FG_PRIMES];
  fg_quad *real;
  const bool *reads; /* which numbers are wanted; NULL: all */
} fg_prove_rows;

/* Elements become what the stage's operations make of them, in their rows. False: the walk must end. */
bool fg_prove_operate(fg_vm *m, const fg_simd_group *b, const fg_moves *x, const fg_prove_rows *r);
#endif
