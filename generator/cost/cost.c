/* The shipped cost model: integers only, so that without measurements every machine chooses the same plan. Unit:
 * sixteenths of a vector instruction of one full vector, roughly.
 *
 * In: a program and its counts. Out: its cost; that of blocks and threads is in gpu.c.
 *
 * Arithmetic and moves (moves.c) run in parallel: the slower one counts, plus half of the faster one, plus the
 * spills of codelets. Every pass costs a fixed amount (all this: cpu.c). Bytes beyond a level of a typical cache
 * hierarchy cost more (caches.c). */
#include "generator/cost/cost_parts.h"

static const fg_core_costs *const core = &fg_machine_core_costs; /* alike on all CPUs that were measured */

int64_t fg_cost_elements(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int64_t params[FG_MAX_PARAMS];
  for (int i = 0; i < p->problem.nparam; i++) params[i] = p->problem.param[i].lo;
  return fg_stage_instances(k, s, params);
}

/* What a clipped loop stores again begins where a vector began before. */
static bool clips_at_vectors(const fg_kernel *k, const fg_stage *s) {
  int64_t row = s->store.move == FG_MOVE_TRANSPOSE ? fg_access_slots(k, &s->store) : 1;
  for (int i = 0; i < s->nloop; i++) {
    int64_t last = k->digit[s->loop[i]].last;
    if (last != INT64_MAX && last * row % fg_stage_lanes(k, s)) return false;
  }
  return true;
}

bool fg_cost_stays_in_values(const fg_kernel *k) {
  if (!fg_kernel_is_joined(k)) return false;
  for (int i = 0; i < k->nstage - 1; i++)
    if (!clips_at_vectors(k, &k->stage[i])) return false;
  return true;
}

int64_t fg_cost_stays_within(const fg_program *p, const fg_kernel *k) {
  int root = fg_buffer_root(p, k->stage[0].store.buffer);
  for (int i = 1; i < k->nstage; i++)
    if (fg_buffer_root(p, k->stage[i].load.buffer) != root || fg_buffer_root(p, k->stage[i].store.buffer) != root)
      return INT64_MAX;
  return fg_buffer_bytes(&p->buffer[root]);
}

static bool has_threads(const fg_program *p) {
  for (int i = 0; i < p->nkernel; i++)
    if (p->kernel[i]->threads > 1) return true;
  return false;
}

int64_t fg_cost_estimate(const fg_program *p, const fg_program_cost *counts) {
  if (has_threads(p)) return fg_cost_threads(p);
  int64_t cost = core->call * p->nkernel;
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++) cost += fg_cost_stage(p, p->kernel[i], &p->kernel[i]->stage[s]);
  int64_t footprint = counts->scratch_bytes + counts->table_bytes;
  footprint += fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  cost += fg_cost_bytes(p, counts, footprint);
  return p->plan && p->plan->step == FG_RADER ? fg_cost_of_rader(p, cost) : cost;
}
