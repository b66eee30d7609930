/* Radeon Instinct MI50. */
#include "targets/machine/amd.h"

#define SHEET "AMD, specifications of the Radeon Instinct MI50"

const fg_machine fg_machine_gfx906 = {
    .name = "gfx906",
    .also = "mi50",
    .title = "AMD Radeon Instinct MI50",
    .code = "gfx906",
    CDNA_ALIKE(64, "AMD, Vega 7 nm instruction set architecture: cache lines of 64 bytes"),
    CDNA_WAVES(256, 4, 10),
    FG_IS(clock_mhz, 1725, SHEET),
    FG_IS(memory_gbs, 1024, SHEET),
    FG_IS(l1_bytes, 16 << 10, AMD_SPECS),
    FG_IS(l2_bytes, 4 << 20, AMD_SPECS),
    FG_IS(multiprocessors, 60, AMD_SPECS)};
