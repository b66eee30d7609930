/* Compute capability 8.0. */
#include "targets/machine/nvidia.h"

#define PAPER "NVIDIA A100 Tensor Core GPU Architecture, V1.0"

const fg_machine fg_machine_sm_80 = {.name = "sm_80",
                                     .also = "a100",
                                     .title = "NVIDIA A100 SXM, 40 GB",
                                     .code = "sm_80",
                                     NV_ALIKE,
                                     NV_KEPT,
                                     FG_IS(clock_mhz, 1410, PAPER),
                                     FG_IS(memory_gbs, 1555, PAPER),
                                     FG_IS(l1_bytes, 192 << 10, NV_GUIDE),
                                     FG_IS(l2_bytes, 40 << 20, PAPER),
                                     FG_IS(multiprocessors, 108, PAPER),
                                     FG_IS(shared_bytes, 164 << 10, NV_GUIDE),
                                     FG_IS(shared_block_bytes, 163 << 10, NV_GUIDE),
                                     FG_IS(threads, 2048, NV_GUIDE),
                                     FG_IS(blocks, 32, NV_GUIDE)};
