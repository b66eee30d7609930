/* Chooses a GPU's costs, and names the sets. */
#include "targets/machine/gpu_costs.h"
#include <stddef.h>

const fg_gpu_costs *fg_machine_gpu_costs(const fg_machine *m) {
  (void)m; /* one was measured */
  return &fg_machine_costs_h100;
}

static const fg_gpu_cost table[] = {
#define COST(name, fitted, meaning) {#name, meaning, fitted, offsetof(fg_gpu_costs, name)},
#include "targets/machine/gpu_costs.def"
#undef COST
    {0},
};

const fg_gpu_cost *fg_machine_gpu_cost_table(void) { return table; }
