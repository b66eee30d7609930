/* AMD's Zen 5: units as wide as vectors of 64 bytes. */
#include "targets/machine/x86.h"

#define GUIDE "AMD, Software Optimization Guide for the Zen 5 Microarchitecture, 58455"
#define SHEET "AMD, specifications of the EPYC 9755"

const fg_machine fg_machine_zen5 = {.name = "zen5",
                                    .also = "turin",
                                    .title = "AMD EPYC 9755",
                                    .isa = "znver5",
                                    X86_ALIKE,
                                    X86_AVX512,
                                    FG_IS(clock_mhz, 4100, SHEET),
                                    FG_IS(memory_gbs, 576, SHEET),
                                    FG_IS(cores, 128, SHEET),
                                    FG_IS(l1_bytes, 48 << 10, GUIDE),
                                    FG_IS(l1_associativity, 12, GUIDE),
                                    FG_IS(l2_bytes, 1 << 20, GUIDE),
                                    FG_IS(l3_bytes, 32 << 20, GUIDE),
                                    FG_IS(separate_fadd, 1, GUIDE)};
