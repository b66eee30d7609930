/* An unknown GPU with HIP: the default for HIP. */
#include "targets/machine/amd.h"
#include "targets/machine/any_gpu.h"

const fg_machine fg_machine_hip = {.name = "hip",
                                   .also = "",
                                   .title = "any AMD GPU",
                                   .target = "hip",
                                   ANY_GPU,
                                   FG_IS(thread_registers, 256, AMD_LLVM),
                                   FG_IS(block_threads, 1024, AMD_LLVM_UNITS),
                                   FG_IS(shared_block_bytes, 64 << 10, AMD_SPECS)};
