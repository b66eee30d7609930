/* An unknown GPU with CUDA, of compute capability 8.0 or later: the default for CUDA. */
#include "targets/machine/any_gpu.h"
#include "targets/machine/nvidia.h"

const fg_machine fg_machine_cuda = {
    .name = "cuda",
    .also = "",
    .title = "any NVIDIA GPU of compute capability 8.0 and later",
    .target = "cuda",
    ANY_GPU,
    FG_IS(wave, 32, NV_GUIDE),
    FG_IS(thread_registers, 255, NV_GUIDE),
    FG_IS(block_threads, 1024, NV_GUIDE),
    FG_IS(shared_block_bytes, 160 << 10, "of 163 KiB that compute capability 8.0 gives a block: " NV_GUIDE),
    FG_IS(persistent, 1, NV_GUIDE)};
