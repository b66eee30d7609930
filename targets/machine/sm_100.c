/* Compute capability 10.0. */
#include "targets/machine/nvidia.h"

#define PAPER "NVIDIA Blackwell Architecture Technical Brief; NVIDIA DGX B200 datasheet"
#define TIMED                                                                                                          \
  "Chips and Cheese, Nvidia's B200: Keeping the CUDA Juggernaut Rolling: 2 * 74 multiprocessors, caches by latency"

const fg_machine fg_machine_sm_100 = {
    .name = "sm_100",
    .also = "b200",
    .title = "NVIDIA B200 SXM",
    .code = "sm_100",
    NV_ALIKE,
    NV_KEPT,
    FG_IS(clock_mhz, 1965, TIMED),
    FG_IS(memory_gbs, 8000, PAPER),
    FG_IS(l1_bytes, 256 << 10, NV_GUIDE),
    FG_IS(l2_bytes, 126 << 20, TIMED),
    FG_IS(multiprocessors, 148, TIMED),
    FG_IS(shared_bytes, 228 << 10, NV_GUIDE),
    FG_IS(shared_block_bytes, 227 << 10, NV_GUIDE),
    FG_IS(threads, 2048, NV_GUIDE),
    FG_IS(blocks, 32, NV_GUIDE),
    FG_IS(cluster, 16, "Blackwell Tuning Guide 13.0: 8 blocks everywhere, 16 where the kernel allows more"),
    FG_IS(bulk_copies, 1, NV_GUIDE)};
