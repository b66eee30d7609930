/* AMD's Zen 4: vectors of 64 bytes pass units of 32. */
#include "targets/machine/x86.h"

#define GUIDE "AMD, Software Optimization Guide for the Zen 4 Microarchitecture, 57647"
#define SHEET "AMD, specifications of the EPYC 9654"

const fg_machine fg_machine_zen4 = {.name = "zen4",
                                    .also = "genoa",
                                    .title = "AMD EPYC 9654",
                                    .isa = "znver4",
                                    X86_ALIKE,
                                    X86_AVX512,
                                    FG_IS(clock_mhz, 3700, SHEET),
                                    FG_IS(memory_gbs, 461, SHEET),
                                    FG_IS(cores, 96, SHEET),
                                    FG_IS(l1_bytes, 32 << 10, GUIDE),
                                    FG_IS(l1_associativity, 8, GUIDE),
                                    FG_IS(l2_bytes, 1 << 20, GUIDE),
                                    FG_IS(l3_bytes, 32 << 20, GUIDE),
                                    FG_IS(separate_fadd, 1, GUIDE),
                                    FG_IS(double_pumped, 1, GUIDE)};
