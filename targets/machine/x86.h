/* Figures that 64-bit x86 CPUs share. */
#ifndef FG_MACHINE_X86_H
#define FG_MACHINE_X86_H
#include "targets/machine/rows.h"

#define X86_MANUAL "Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1"
#define X86_ALIKE                                                                                                      \
  .target = "c code opencl", FG_IS(line_bytes, 64, X86_MANUAL), FG_IS(page_bytes, 4096, X86_MANUAL),                   \
  FG_IS(f64, 1, X86_MANUAL)
#define X86_AVX512                                                                                                     \
  FG_IS(vector_bytes, 64, X86_MANUAL), FG_IS(vector_registers, 32, X86_MANUAL), FG_IS(f16, 1, X86_MANUAL)
#define X86_AVX2 FG_IS(vector_bytes, 32, X86_MANUAL), FG_IS(vector_registers, 16, X86_MANUAL), FG_IS(f16, 1, X86_MANUAL)
#endif
