/* Figures that the GPUs of compute capability 9.0 share. */
#ifndef FG_MACHINE_SM_90_H
#define FG_MACHINE_SM_90_H
#include "targets/machine/nvidia.h"

#define HOPPER "NVIDIA H100 Tensor Core GPU Architecture, V1.04"
#define HOPPER_CLUSTER                                                                                                 \
  "Hopper Tuning Guide 12.8: 8 blocks everywhere, 16 where the kernel allows more than the portable size"

#define HOPPER_ALIKE                                                                                                   \
  NV_ALIKE, NV_KEPT, .code = "sm_90", FG_IS(clock_mhz, 1980, "nvidia-smi: maximum clock of multiprocessors"),          \
                     FG_IS(l1_bytes, 256 << 10, NV_GUIDE), FG_IS(l2_bytes, 50 << 20, HOPPER),                          \
                     FG_IS(multiprocessors, 132, HOPPER), FG_IS(shared_bytes, 228 << 10, NV_GUIDE),                    \
                     FG_IS(shared_block_bytes, 227 << 10, NV_GUIDE), FG_IS(threads, 2048, NV_GUIDE),                   \
                     FG_IS(blocks, 32, NV_GUIDE), FG_IS(cluster, 16, HOPPER_CLUSTER), FG_IS(bulk_copies, 1, NV_GUIDE)
#endif
