/* Radeon RX 6900 XT. */
#include "targets/machine/amd.h"

#define SHEET "AMD, specifications of the Radeon RX 6900 XT"

const fg_machine fg_machine_gfx1030 = {.name = "gfx1030",
                                       .also = "rx6900xt",
                                       .title = "AMD Radeon RX 6900 XT",
                                       .code = "gfx1030",
                                       RDNA_ALIKE,
                                       RDNA_WAVES(1024, 16),
                                       FG_IS(clock_mhz, 2250, SHEET),
                                       FG_IS(memory_gbs, 512, SHEET),
                                       FG_IS(l1_bytes, 16 << 10, AMD_SPECS),
                                       FG_IS(l2_bytes, 4 << 20, AMD_SPECS),
                                       FG_IS(l3_bytes, 128 << 20, AMD_SPECS),
                                       FG_IS(multiprocessors, 40, "40 pairs of compute units: " AMD_SPECS)};
