/* Compute capability 8.6. */
#include "targets/machine/nvidia.h"

#define PAPER "NVIDIA Ampere GA102 GPU Architecture, V2.1"

const fg_machine fg_machine_sm_86 = {.name = "sm_86",
                                     .also = "rtx3090",
                                     .title = "NVIDIA GeForce RTX 3090",
                                     .code = "sm_86",
                                     NV_ALIKE,
                                     NV_KEPT,
                                     FG_IS(clock_mhz, 1695, PAPER),
                                     FG_IS(memory_gbs, 936, PAPER),
                                     FG_IS(l1_bytes, 128 << 10, NV_GUIDE),
                                     FG_IS(l2_bytes, 6 << 20, PAPER),
                                     FG_IS(multiprocessors, 82, PAPER),
                                     FG_IS(shared_bytes, 100 << 10, NV_GUIDE),
                                     FG_IS(shared_block_bytes, 99 << 10, NV_GUIDE),
                                     FG_IS(threads, 1536, NV_GUIDE),
                                     FG_IS(blocks, 16, NV_GUIDE)};
