/* A program of one thread as kernels of one stage each, so that large ones can be proved by a sample of their
 * blocks. */
#ifndef FG_PROVE_STAGES_APART_H
#define FG_PROVE_STAGES_APART_H
#include "generator/ir/program.h"

typedef struct fg_stages_apart {
  fg_program *p;
  bool *follows; /* by kernel: it may begin while other parts of the one before are not through */
} fg_stages_apart;

/* The same operations in the same order. False: all kernels have blocks of their own, or threads. */
bool fg_prove_stages_apart(fg_context *cx, const fg_program *p, fg_stages_apart *out);
#endif
