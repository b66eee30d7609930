/* An unknown GPU with OpenCL: the default for OpenCL. */
#include "targets/machine/any_gpu.h"

const fg_machine fg_machine_opencl_gpu = {
    .name = "opencl-gpu",
    .also = "gpu",
    .title = "any GPU with OpenCL 1.2",
    .target = "opencl",
    ANY_GPU,
    FG_IS(thread_registers, 255, ANY_ASSUMED),
    FG_IS(plan_registers, 128, "assumed: half of what most give a thread"),
    FG_IS(block_threads, 256, "assumed: what all devices met so far allow"),
    FG_IS(shared_block_bytes, 32 << 10, "OpenCL 1.2, CL_DEVICE_LOCAL_MEM_SIZE: the least that a device has")};
