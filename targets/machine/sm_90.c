/* Compute capability 9.0: the H100. */
#include "targets/machine/sm_90.h"

const fg_machine fg_machine_sm_90 = {
    .name = "sm_90", .also = "h100", .title = "NVIDIA H100 SXM, 80 GB", HOPPER_ALIKE, FG_IS(memory_gbs, 3352, HOPPER)};
