/* Radeon RX 7900 XTX. */
#include "targets/machine/amd.h"

#define SHEET "AMD, specifications of the Radeon RX 7900 XTX"

const fg_machine fg_machine_gfx1100 = {.name = "gfx1100",
                                       .also = "rx7900xtx",
                                       .title = "AMD Radeon RX 7900 XTX",
                                       .code = "gfx1100",
                                       RDNA_ALIKE,
                                       RDNA_WAVES(1536, 24),
                                       FG_IS(clock_mhz, 2500, SHEET),
                                       FG_IS(memory_gbs, 960, SHEET),
                                       FG_IS(l1_bytes, 32 << 10, AMD_SPECS),
                                       FG_IS(l2_bytes, 6 << 20, AMD_SPECS),
                                       FG_IS(l3_bytes, 96 << 20, AMD_SPECS),
                                       FG_IS(multiprocessors, 48, "48 pairs of compute units: " AMD_SPECS)};
