/* AMD's Zen 3. It has separate add ports, too, but its plans, with vectors of 32 bytes, were measured and are costed
 * without them (docs/lab/cpu-vectors.md). */
#include "targets/machine/x86.h"

#define GUIDE "AMD, Software Optimization Guide for the Family 19h Processors, 56665"
#define SHEET "AMD, specifications of the EPYC 7763"

const fg_machine fg_machine_zen3 = {.name = "zen3",
                                    .also = "znver3 milan",
                                    .title = "AMD EPYC 7763",
                                    .isa = "avx2",
                                    X86_ALIKE,
                                    X86_AVX2,
                                    FG_IS(clock_mhz, 3500, SHEET),
                                    FG_IS(memory_gbs, 205, SHEET),
                                    FG_IS(cores, 64, SHEET),
                                    FG_IS(l1_bytes, 32 << 10, GUIDE),
                                    FG_IS(l1_associativity, 8, GUIDE),
                                    FG_IS(l2_bytes, 512 << 10, GUIDE),
                                    FG_IS(l3_bytes, 32 << 20, GUIDE)};
