/* Compute capability 7.0. */
#include "targets/machine/nvidia.h"

#define PAPER "NVIDIA Tesla V100 GPU Architecture, WP-08608-001"

const fg_machine fg_machine_sm_70 = {.name = "sm_70",
                                     .also = "v100",
                                     .title = "NVIDIA V100 SXM2",
                                     .code = "sm_70",
                                     NV_ALIKE,
                                     FG_IS(clock_mhz, 1530, PAPER),
                                     FG_IS(memory_gbs, 900, PAPER),
                                     FG_IS(l1_bytes, 128 << 10, NV_GUIDE),
                                     FG_IS(l2_bytes, 6 << 20, PAPER),
                                     FG_IS(multiprocessors, 80, PAPER),
                                     FG_IS(shared_bytes, 96 << 10, NV_GUIDE),
                                     FG_IS(shared_block_bytes, 96 << 10, NV_GUIDE),
                                     FG_IS(threads, 2048, NV_GUIDE),
                                     FG_IS(blocks, 32, NV_GUIDE)};
