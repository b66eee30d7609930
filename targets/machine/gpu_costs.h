/* Costs of blocks and threads (gpu_costs.def), a set for each measured GPU. */
#ifndef FG_MACHINE_GPU_COSTS_H
#define FG_MACHINE_GPU_COSTS_H
#include "targets/machine/machine.h"

typedef struct fg_gpu_costs {
#define COST(name, fitted, meaning) int64_t name;
#include "targets/machine/gpu_costs.def"
#undef COST
} fg_gpu_costs;

extern const fg_gpu_costs fg_machine_costs_h100;

/* Those of the machine; of one that was not measured, the H100's: what is not memory is in cycles, and how many of
 * these a byte takes is in the machine's row. */
const fg_gpu_costs *fg_machine_gpu_costs(const fg_machine *m);

typedef struct fg_gpu_cost { /* one of them: what it is, and its place */
  const char *name, *meaning;
  bool fitted;
  size_t value; /* offset of an int64_t in fg_gpu_costs */
} fg_gpu_cost;
const fg_gpu_cost *fg_machine_gpu_cost_table(void); /* ended by one without a name */
#endif
