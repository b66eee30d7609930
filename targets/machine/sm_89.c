/* Compute capability 8.9. */
#include "targets/machine/nvidia.h"

#define PAPER "NVIDIA Ada GPU Architecture, V2.02"

const fg_machine fg_machine_sm_89 = {.name = "sm_89",
                                     .also = "rtx4090",
                                     .title = "NVIDIA GeForce RTX 4090",
                                     .code = "sm_89",
                                     NV_ALIKE,
                                     NV_KEPT,
                                     FG_IS(clock_mhz, 2520, PAPER),
                                     FG_IS(memory_gbs, 1008, PAPER),
                                     FG_IS(l1_bytes, 128 << 10, NV_GUIDE),
                                     FG_IS(l2_bytes, 72 << 20, PAPER),
                                     FG_IS(multiprocessors, 128, PAPER),
                                     FG_IS(shared_bytes, 100 << 10, NV_GUIDE),
                                     FG_IS(shared_block_bytes, 99 << 10, NV_GUIDE),
                                     FG_IS(threads, 1536, NV_GUIDE),
                                     FG_IS(blocks, 24, NV_GUIDE)};
