/* The shipped cost model: integers only, so that without measurements every machine chooses the same plan. Unit:
 * sixteenths of a vector instruction of one full vector, roughly.
 *
 * In: a program and its counts. Out: its cost; that of blocks and threads is in gpu.c.
 *
 * Arithmetic and moves (moves.c) run in parallel: the slower one counts, plus half of the faster one, plus the
 * spills of codelets. Every pass costs a fixed amount (all this: cpu.c). Bytes beyond a level of a typical cache
 * hierarchy cost more (caches.c). */
#include "generator/cost/cost_parts.h"
#include "generator/ir/program_machine.h"

/* Whatever its kernels have: one codelet may be a block of one thread. */
static bool has_threads(const fg_program *p) { return fg_program_machine(p)->multiprocessors > 0; }

int64_t fg_cost_estimate(const fg_program *p, const fg_program_cost *counts) {
  if (has_threads(p)) return fg_cost_threads(p);
  int64_t cost = core->call * p->nkernel;
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++) cost += fg_cost_stage(p, p->kernel[i], &p->kernel[i]->stage[s]);
  int64_t footprint = counts->scratch_bytes + counts->table_bytes;
  footprint += fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  cost += fg_cost_bytes(p, counts, footprint) + fg_cost_in_place(p);
  return p->plan && p->plan->step == FG_RADER ? fg_cost_of_rader(p, cost) : cost;
}
