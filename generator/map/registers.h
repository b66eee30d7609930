/* A thread's registers in place of shared memory, on one side of a stage (registers.c). */
#ifndef FG_MAP_REGISTERS_H
#define FG_MAP_REGISTERS_H
#include "generator/assemble/builder.h"

typedef struct fg_registers { /* of a stage: one of its accesses */
  const fg_kernel *k;
  fg_stage *s;
  fg_access *a;
  int64_t threads, each; /* each: slots of all iterations of a thread */
  int64_t *at;           /* [threads * each]: elements of the buffer */
} fg_registers;

/* Its elements. False: they are not as many for each thread, or no simple function of digits. */
bool fg_map_find_registers(const fg_builder *b, fg_registers *x);
/* A buffer of registers, in which the access has its elements from now on, in the order of iterations and slots. */
int16_t fg_map_use_registers(fg_builder *b, fg_kernel *k, const fg_registers *x);
#endif
