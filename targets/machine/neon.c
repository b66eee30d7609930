/* AArch64 with NEON: a server's CPU of 64 bits by Arm. */
#include "targets/machine/rows.h"

#define MANUAL "Arm Architecture Reference Manual for A-profile, DDI 0487"
#define CORE "Arm Neoverse V2 Core Technical Reference Manual, 102375"
#define SHEET "AWS, Graviton4: 96 cores, 2.8 GHz, 2 MiB of L2 a core, 12 channels of DDR5-5600"

const fg_machine fg_machine_neon = {.name = "neon",
                                    .also = "neoverse-v2 graviton4",
                                    .title = "AWS Graviton4 (Arm Neoverse V2)",
                                    .target = "c",
                                    .isa = "neon",
                                    FG_IS(clock_mhz, 2800, SHEET),
                                    FG_IS(memory_gbs, 537, SHEET),
                                    FG_IS(cores, 96, SHEET),
                                    FG_IS(line_bytes, 64, CORE),
                                    FG_IS(l1_bytes, 64 << 10, CORE),
                                    FG_IS(l1_associativity, 4, CORE),
                                    FG_IS(l2_bytes, 2 << 20, SHEET),
                                    FG_IS(l3_bytes, 36 << 20, SHEET),
                                    FG_IS(page_bytes, 4096, MANUAL),
                                    FG_IS(vector_bytes, 16, MANUAL),
                                    FG_IS(vector_registers, 32, MANUAL),
                                    FG_IS(f16, 1, MANUAL),
                                    FG_IS(f64, 1, MANUAL)};
