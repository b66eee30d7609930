/* Which stages' statements get another order. In: a stage, the machine's vectors. Out: whether one of generator/opt's
 * passes works on an iteration of it. */
#include "generator/lower/reorder.h"
#include "generator/lower/access.h"
#include "generator/lower/transpose.h"
#include "generator/opt/list_schedule.h"
#include "generator/text/recorder_order.h"
#include "targets/machine/limits.h"

static bool has_vectors(const fg_writer *w) {
  return w->e->o->isa && !w->e->launched && w->width > 1 && w->codelet && !w->hold;
}

/* Iterations on vectors; by themselves where registers are few, and pairs where vectors are double-pumped. */
static bool is_listed(const fg_writer *w) {
  if (!has_vectors(w)) return false;
  bool slow_pairs =
      fg_spell_is_double_pumped(w->e) && w->stage->vectors.packed && fg_lower_stage_bytes(w) < limit->listed_most;
  return fg_plan_option(w->e->p->plan, FG_PARAM_LIST_SCHEDULE, w->e->o->isa->registers <= 16 || slow_pairs);
}

bool fg_reorder_list(fg_writer *w, int32_t from) {
  if (!is_listed(w)) return false;
  fg_list_machine m = {.registers = w->e->o->isa->registers, .stores_last = w->load.memory == w->store.memory};
  return fg_list_schedule(w->e->coder, from, &m);
}

/* A CPU mixes as many statements as it sees at once by itself. Beyond L1 stores wait in a queue, and the sooner they
 * come the more of them do. */
bool fg_reorder_interleaves(const fg_writer *w, int32_t operations) {
  if (w->e->launched || w->lanes < 2 || w->hold || !fg_access_plan_has_rows(&w->store)) return false;
  int64_t count = 0;
  for (int32_t at = operations; at < fg_coder_position(w->e->coder); at++)
    count += fg_coder_is_statement(w->e->coder, fg_coder_order(w->e->coder)[at]);
  return fg_plan_option(w->e->p->plan, FG_PARAM_INTERLEAVE_STORES,
                        count >= limit->window && fg_lower_stage_bytes(w) < limit->early_most);
}

/* Registers for two iterations' vectors; and double-pumped vectors, which leave a CPU's window soon, or pairs that
 * leave as parts, with a step of exchanges more. */
bool fg_reorder_pipelines(const fg_writer *w) {
  if (!has_vectors(w) || !fg_access_plan_has_rows(&w->store) || w->load.memory == w->store.memory) return false;
  int vectors = w->codelet->nout / (w->pack ? 2 : 1);
  bool slow = fg_spell_is_double_pumped(w->e) ||
              (fg_is_of_parts(w, &w->store) && fg_lower_stage_bytes(w) <= limit->pipelined_most);
  return fg_plan_option(w->e->p->plan, FG_PARAM_SOFTWARE_PIPELINE, slow && 2 * vectors <= w->e->o->isa->registers);
}
