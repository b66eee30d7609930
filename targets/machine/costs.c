/* Chooses a machine's costs: those of the measured machine with the nearest figures. */
#include "targets/machine/costs.h"

enum { FEW_REGISTERS = 16 };

const fg_unit_costs *fg_machine_unit_costs(const fg_machine *m, int registers) {
  if (m->costs) return &m->costs->units;
  if (registers <= FEW_REGISTERS) return &fg_machine_costs_zen3.units;
  return m->separate_fadd ? &fg_machine_costs_zen4.units : &fg_machine_costs_xeon.units;
}

const fg_cache_costs *fg_machine_cache_costs(const fg_machine *m, int64_t l2_bytes) {
  if (m->costs) return &m->costs->caches;
  if (m->separate_fadd) return &fg_machine_costs_zen4.caches;
  return fg_is_small_l2(l2_bytes) ? &fg_machine_costs_zen3.caches : &fg_machine_costs_xeon.caches;
}

const fg_move_costs *fg_machine_move_costs(const fg_machine *m) {
  if (m && m->costs) return &m->costs->moves;
  return m && m->separate_fadd ? &fg_machine_costs_zen4.moves : &fg_machine_costs_xeon.moves;
}

/* Measured on each of the three, and fitted together: docs/lab/cost-model.md. */
const fg_core_costs fg_machine_core_costs = {
    .call = 16 * 10,
    .pass = 16 * 4,
    .again = 16 * 2,
    .product = 4 * 16,
    .move = 16,
    .shuffle = 32,
    .single = 144,
    .chain = 16 * 25,
    .loops = 16 * 94,
    .unnoticed = 1000,
    .reopened = 3000,
    .wide_bytes = 64,
    .least_vector = 16,
    .dense = 42,
    .decoded = 1200,
    .long_code = 28,
    .very_long_code = 80,
    .missed = 600,
    .turn = 100,
    .few_iterations = 11 << 9,
    .one_array = 40 << 10,
    .least_odd = 6,
    .turned_odd = 3,
    .skewed_iterations = 3,
    .long_iteration = 512,
    .iteration_most = 32 << 10,
    .apart_least = 96 << 10,
    .apart_most = 2 << 20,
    .few_lines = 8,
    .row_least = 16,
    .most_leaving = 16,
    .few_passes = 3,
    .l1_weight = 4,
    .crowded_l1_weight = 6,
    .l2_weight = 8,
    .far_weight = 32,
    .memory_weight = 56,
    .crowded_l1_bytes = 56 << 10,
    .far_bytes = 32 << 20,
    .staying = 1 << 20,
    .looked_up = 256 << 10,
    .set_lines = 8,
    .rows_ahead = 24,
    .run_bytes = 512,
    .half_held = 6,
    .streamed = 3,
    .long_codelet = 300,
    .near_l3_bytes = 4 << 20,
    .beside_l2_weight = 8,
};
