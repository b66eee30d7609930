/* Compute capability 9.0 with faster memory: the H200. */
#include "targets/machine/sm_90.h"

const fg_machine fg_machine_h200 = {.name = "h200",
                                    .also = "",
                                    .title = "NVIDIA H200 SXM, 141 GB",
                                    .device = "H200",
                                    HOPPER_ALIKE,
                                    FG_IS(memory_gbs, 4800, "NVIDIA H200 Tensor Core GPU datasheet")};
