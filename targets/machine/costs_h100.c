/* What blocks and threads cost on an H100: fitted by least squares to 2107 plans of 199 problems measured there
 * (docs/lab/cost-model.md). */
#include "targets/machine/gpu_costs.h"

const fg_gpu_costs fg_machine_gpu_costs = {
    .launch = 400 * 1000 * 1000,
    .byte = 16,
    .round = 11,
    .large_table = 2,
    .cached = 256 << 10,
    .local = 7,
    .lost = 8,
    .instruction = 21,
    .spilled = 15,
    .in_line = 65,
    .looked_up = 40300,
    .reduced = 8,
    .meeting = 268000,
    .first_loads = 28600,
    .of_thread = 1060,
    .of_block = 19900,
    .rest = 8,
    .gathered = 16,
    .portable = 8,
    .full_batch = 4096,
    .full_points = 16 << 20,
    .few_blocks = 2,
    .crowded = 128,
};
