/* Instinct MI300X. */
#include "targets/machine/amd.h"

#define SHEET "AMD, specifications of the Instinct MI300X"

const fg_machine fg_machine_gfx942 = {.name = "gfx942",
                                      .also = "mi300x",
                                      .title = "AMD Instinct MI300X",
                                      .code = "gfx942",
                                      CDNA_ALIKE(128, "AMD CDNA 3 architecture white paper: L2 lines of 128 bytes"),
                                      CDNA_WAVES(512, 8, 8),
                                      FG_IS(clock_mhz, 2100, SHEET),
                                      FG_IS(memory_gbs, 5300, SHEET),
                                      FG_IS(l1_bytes, 32 << 10, AMD_SPECS),
                                      FG_IS(l2_bytes, 32 << 20, AMD_SPECS),
                                      FG_IS(l3_bytes, 256 << 20, AMD_SPECS),
                                      FG_IS(multiprocessors, 304, AMD_SPECS)};
