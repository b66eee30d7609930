/* Instinct MI100. */
#include "targets/machine/amd.h"

#define SHEET "AMD, specifications of the Instinct MI100"

const fg_machine fg_machine_gfx908 = {.name = "gfx908",
                                      .also = "mi100",
                                      .title = "AMD Instinct MI100",
                                      .code = "gfx908",
                                      CDNA_ALIKE(128, "estimated: as CDNA 2 has it, whose L2 is built alike"),
                                      CDNA_WAVES(256, 4, 10),
                                      FG_IS(clock_mhz, 1502, SHEET),
                                      FG_IS(memory_gbs, 1229, SHEET),
                                      FG_IS(l1_bytes, 16 << 10, AMD_SPECS),
                                      FG_IS(l2_bytes, 8 << 20, AMD_SPECS),
                                      FG_IS(multiprocessors, 120, AMD_SPECS)};
