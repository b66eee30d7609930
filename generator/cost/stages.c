/* What the cost of a stage depends on besides itself. In: a kernel and its stages. Out: how often codelets run, and
 * where values are between stages. */
#include "generator/cost/cost_parts.h"

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

/* Of values that are more than there are registers compilers keep the others in memory. */
static bool fits_registers(const fg_program *p, const fg_kernel *k, const fg_stage *s) {
  int64_t values = fg_stage_iterations(k, s) * s->codelet->nout;
  return (s->vectors.packed ? values / 2 : values) <= p->vectors.registers;
}

bool fg_cost_stays_in_values(const fg_program *p, const fg_kernel *k) {
  if (!fg_kernel_is_joined(k)) return false;
  for (int i = 0; i < k->nstage - 1; i++)
    if (!clips_at_vectors(k, &k->stage[i]) || !fits_registers(p, k, &k->stage[i])) return false;
  return true;
}

int64_t fg_cost_stays_within(const fg_program *p, const fg_kernel *k) {
  int root = fg_buffer_root(p, k->stage[0].store.buffer);
  for (int i = 1; i < k->nstage; i++)
    if (fg_buffer_root(p, k->stage[i].load.buffer) != root || fg_buffer_root(p, k->stage[i].store.buffer) != root)
      return INT64_MAX;
  return fg_buffer_bytes(&p->buffer[root]);
}
