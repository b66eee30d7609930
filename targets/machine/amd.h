/* Figures that AMD's GPUs of a family share. A multiprocessor is a compute unit of CDNA, and a pair of them of RDNA,
 * where a block's waves run on either. */
#ifndef FG_MACHINE_AMD_H
#define FG_MACHINE_AMD_H
#include "targets/machine/rows.h"

#define AMD_SPECS "ROCm documentation 7, reference, AMD GPU specifications"
#define AMD_LLVM "LLVM 19, AMDGPUBaseInfo.cpp: getTotalNumVGPRs, getVGPRAllocGranule, getMaxWavesPerEU"
#define AMD_LLVM_UNITS "LLVM 19, AMDGPUBaseInfo.cpp: getMaxFlatWorkGroupSize, getEUsPerCU"
#define AMD_ISA "AMD, instruction set architecture guides: V_CVT_F32_F16, V_FMA_F64"
#define AMD_WAVES "as many as waves of one block each: no other limit is documented"

#define AMD_ALIKE                                                                                                      \
  .target = "hip opencl", FG_IS(thread_registers, 256, AMD_LLVM), FG_IS(block_threads, 1024, AMD_LLVM_UNITS),          \
  FG_IS(simds, 4, AMD_LLVM_UNITS), FG_IS(shared_block_bytes, 64 << 10, AMD_SPECS), FG_IS(f16, 1, AMD_ISA),             \
  FG_IS(f64, 1, AMD_ISA),                                                                                              \
  FG_IS(sector_bytes, 64, "ROCm Compute Profiler 3, L2 cache (TCC): requests of 64 and 128 bytes")

/* wave64, local memory of a compute unit; AGPRs not counted where they are no part of the same file. */
#define CDNA_ALIKE(line, where)                                                                                        \
  AMD_ALIKE, FG_IS(wave, 64, AMD_SPECS), FG_IS(shared_bytes, 64 << 10, AMD_SPECS), FG_IS(line_bytes, line, where),     \
      FG_IS(segment_bytes, line, where)
/* Vector registers of a SIMD unit are counted per lane: so many times 64 lanes times 4 units. */
#define CDNA_WAVES(registers_, step, waves)                                                                            \
  FG_IS(registers, 4 * 64 * (registers_), AMD_LLVM), FG_IS(register_step, step, AMD_LLVM),                             \
      FG_IS(threads, 4 * 64 * (waves), AMD_LLVM), FG_IS(blocks, 4 * (waves), AMD_WAVES)

#define RDNA_PAPER "AMD RDNA architecture white paper: lines of 128 bytes"
#define RDNA_ALIKE                                                                                                     \
  AMD_ALIKE, FG_IS(wave, 32, AMD_SPECS), FG_IS(shared_bytes, 128 << 10, AMD_SPECS),                                    \
      FG_IS(line_bytes, 128, RDNA_PAPER), FG_IS(segment_bytes, 128, RDNA_PAPER),                                       \
      FG_IS(threads, 4 * 32 * 16, AMD_LLVM), FG_IS(blocks, 4 * 16, AMD_WAVES)
#define RDNA_WAVES(registers_, step)                                                                                   \
  FG_IS(registers, 4 * 32 * (registers_), AMD_LLVM), FG_IS(register_step, step, AMD_LLVM)
#endif
