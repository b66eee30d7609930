/* The limits, which are the same for all machines, and steps of shared memory. */
#include "targets/machine/limits.h"
#include "targets/machine/simt.h"

const fg_limits fg_machine_limits = {
#define LIMIT(name, value, meaning) .name = (value),
#include "targets/machine/limits.def"
#include "targets/machine/plan_limits.def"
#undef LIMIT
};

const int fg_machine_shared_steps[] = {64, 100, 132, 164, 196, 228, 0};
