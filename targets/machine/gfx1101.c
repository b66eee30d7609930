/* Radeon RX 7800 XT. */
#include "targets/machine/amd.h"

#define SHEET "AMD, specifications of the Radeon RX 7800 XT"

const fg_machine fg_machine_gfx1101 = {.name = "gfx1101",
                                       .also = "rx7800xt",
                                       .title = "AMD Radeon RX 7800 XT",
                                       .code = "gfx1101",
                                       RDNA_ALIKE,
                                       RDNA_WAVES(1536, 24),
                                       FG_IS(clock_mhz, 2430, SHEET),
                                       FG_IS(memory_gbs, 624, SHEET),
                                       FG_IS(l1_bytes, 32 << 10, AMD_SPECS),
                                       FG_IS(l2_bytes, 4 << 20, AMD_SPECS),
                                       FG_IS(l3_bytes, 64 << 20, AMD_SPECS),
                                       FG_IS(multiprocessors, 30, "30 pairs of compute units: " AMD_SPECS)};
