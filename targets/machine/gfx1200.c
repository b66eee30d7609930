/* Radeon RX 9060 XT. */
#include "targets/machine/amd.h"

#define SHEET "AMD, specifications of the Radeon RX 9060 XT"

const fg_machine fg_machine_gfx1200 = {.name = "gfx1200",
                                       .also = "rx9060xt",
                                       .title = "AMD Radeon RX 9060 XT",
                                       .code = "gfx1200",
                                       RDNA_ALIKE,
                                       RDNA_WAVES(1536, 24),
                                       FG_IS(clock_mhz, 3130, SHEET),
                                       FG_IS(memory_gbs, 320, SHEET),
                                       FG_IS(l1_bytes, 32 << 10, AMD_SPECS),
                                       FG_IS(l2_bytes, 4 << 20, AMD_SPECS),
                                       FG_IS(l3_bytes, 32 << 20, AMD_SPECS),
                                       FG_IS(multiprocessors, 16, "16 pairs of compute units: " AMD_SPECS)};
