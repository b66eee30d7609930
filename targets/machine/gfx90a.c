/* Instinct MI250X, one of its two dies. */
#include "targets/machine/amd.h"

#define SHEET "AMD, specifications of the Instinct MI250X, one of its two dies"

const fg_machine fg_machine_gfx90a = {.name = "gfx90a",
                                      .also = "mi250x",
                                      .title = "AMD Instinct MI250X, one of its two dies",
                                      .code = "gfx90a",
                                      CDNA_ALIKE(128, "AMD CDNA 2 architecture white paper: L2 lines of 128 bytes"),
                                      CDNA_WAVES(512, 8, 8),
                                      FG_IS(clock_mhz, 1700, SHEET),
                                      FG_IS(memory_gbs, 1638, SHEET),
                                      FG_IS(l1_bytes, 16 << 10, AMD_SPECS),
                                      FG_IS(l2_bytes, 8 << 20, AMD_SPECS),
                                      FG_IS(multiprocessors, 110, AMD_SPECS)};
