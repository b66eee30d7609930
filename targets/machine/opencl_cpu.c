/* A CPU that OpenCL runs on: a block of one work-item with vectors. */
#include "targets/machine/x86.h"

#define GUARANTEED "OpenCL 1.2, CL_DEVICE_LOCAL_MEM_SIZE: the least that a device has"
#define ASSUMED "assumed: as x86-64"

const fg_machine fg_machine_opencl_cpu = {.name = "opencl-cpu",
                                          .also = "pocl",
                                          .title = "any x86 CPU with AVX2, by OpenCL",
                                          .target = "opencl",
                                          .isa = "avx2",
                                          FG_IS(line_bytes, 64, X86_MANUAL),
                                          FG_IS(page_bytes, 4096, X86_MANUAL),
                                          FG_IS(f64, 1, X86_MANUAL),
                                          X86_AVX2,
                                          FG_IS(l1_bytes, 32 << 10, ASSUMED),
                                          FG_IS(l1_associativity, 8, ASSUMED),
                                          FG_IS(l2_bytes, 512 << 10, ASSUMED),
                                          FG_IS(shared_block_bytes, 32 << 10, GUARANTEED),
                                          FG_IS(block_threads, 256, "assumed: what all devices met so far allow")};
