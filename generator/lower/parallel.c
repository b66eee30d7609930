/* What several threads may share: kernels, or stages of one. In: a program whose kernels or stages have digits of
 * parts. Out: which are cut, in how many steps. */
#include "generator/lower/parallel.h"

bool fg_parallel_is_possible(const fg_emitter *e) {
  bool any = false;
  for (int i = 0; i < e->p->nkernel; i++) {
    any = any || e->p->kernel[i]->vectors.part > 0;
    for (int s = 0; s < e->p->kernel[i]->nstage; s++) any = any || e->p->kernel[i]->stage[s].vectors.part > 0;
  }
  return any && !e->launched;
}

bool fg_parallel_is_kernel(const fg_emitter *e, const fg_kernel *k) { return e->parts && k->vectors.part > 0; }

bool fg_parallel_is_stage(const fg_emitter *e, const fg_stage *s) { return e->parts && s->vectors.part > 0; }

int fg_parallel_steps(const fg_emitter *e) {
  int steps = 0;
  for (int i = 0; i < e->p->nkernel; i++) steps += e->p->kernel[i]->nouter ? 1 : e->p->kernel[i]->nstage;
  return steps;
}

/* Whether a part has this memory for itself: its kernel is cut as a whole. */
bool fg_parallel_owns(const fg_emitter *e, int memory) {
  const fg_buffer *b = &e->p->buffer[memory];
  return b->space == FG_SPACE_LOCAL && fg_parallel_is_kernel(e, e->p->kernel[b->used.first]);
}
