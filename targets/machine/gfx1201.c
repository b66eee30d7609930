/* Radeon RX 9070 XT. */
#include "targets/machine/amd.h"

#define SHEET "AMD, specifications of the Radeon RX 9070 XT"

const fg_machine fg_machine_gfx1201 = {.name = "gfx1201",
                                       .also = "rx9070xt",
                                       .title = "AMD Radeon RX 9070 XT",
                                       .code = "gfx1201",
                                       RDNA_ALIKE,
                                       RDNA_WAVES(1536, 24),
                                       FG_IS(clock_mhz, 2970, SHEET),
                                       FG_IS(memory_gbs, 640, SHEET),
                                       FG_IS(l1_bytes, 32 << 10, AMD_SPECS),
                                       FG_IS(l2_bytes, 8 << 20, AMD_SPECS),
                                       FG_IS(l3_bytes, 64 << 20, AMD_SPECS),
                                       FG_IS(multiprocessors, 32, "32 pairs of compute units: " AMD_SPECS)};
