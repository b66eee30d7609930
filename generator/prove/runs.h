/* Elements with a constant stride between addresses, moved together. */
#ifndef FG_PROVE_RUNS_H
#define FG_PROVE_RUNS_H
#include "generator/prove/vm.h"

typedef struct fg_strided { /* elements whose addresses and rows have strides */
  int count;
  const int64_t *at;
  const unsigned char *on;
  int64_t step;             /* between elements, in `at` and `on` */
  int64_t re, row_step, im; /* in rows: the first, between elements, between an element's parts */
  const uint32_t *actor;    /* who moves them */
  int actor_step;
} fg_strided;

/* How many of them, from the front, are done; addresses of those are counted. */
int fg_strided_load(fg_vm *m, int buffer, const fg_strided *r, bool twiddle);
int fg_strided_store(fg_vm *m, int buffer, const fg_strided *r, const fg_held *h);
#endif
