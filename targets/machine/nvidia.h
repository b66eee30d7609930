/* Figures that all NVIDIA GPUs since compute capability 7.0 share. */
#ifndef FG_MACHINE_NVIDIA_H
#define FG_MACHINE_NVIDIA_H
#include "targets/machine/rows.h"

#define NV_GUIDE "CUDA C++ Programming Guide 12.8, Technical Specifications per Compute Capability"
#define NV_MEMORY "CUDA C++ Best Practices Guide 12.8, Coalesced Access to Global Memory"
#define NV_OCCUPANCY "CUDA Occupancy Calculator: register allocation unit, 256 a warp"

#define NV_ALIKE                                                                                                       \
  .target = "cuda opencl", FG_IS(wave, 32, NV_GUIDE), FG_IS(registers, 64 << 10, NV_GUIDE),                            \
  FG_IS(thread_registers, 255, NV_GUIDE), FG_IS(register_step, 8, NV_OCCUPANCY), FG_IS(block_threads, 1024, NV_GUIDE), \
  FG_IS(simds, 4, NV_GUIDE), FG_IS(segment_bytes, 128, NV_MEMORY), FG_IS(sector_bytes, 32, NV_MEMORY),                 \
  FG_IS(line_bytes, 128, NV_MEMORY), FG_IS(f16, 1, NV_GUIDE), FG_IS(f64, 1, NV_GUIDE),                                 \
  FG_IS(persistent, 1, "measured: persistent queues, docs/lab/gpu-two-passes.md; used from capability 7.0 on")

/* Since 8.0 the system takes 1 KiB of shared memory for each block, warps multiply matrices of three types, and bf16 has
 * instructions. */
#define NV_KEPT                                                                                                        \
  FG_IS(shared_kept_bytes, 1 << 10, NV_GUIDE), FG_IS(bf16, 1, "PTX ISA 8.7, cvt: .bf16 since sm_80"), FG_IS(matrix, 1, "PTX ISA 8.7, mma: .tf32 and .f64 since sm_80")
#endif
