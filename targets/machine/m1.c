/* The fast cores of Apple's M1. */
#include "targets/machine/rows.h"

#define MANUAL "Arm Architecture Reference Manual for A-profile, DDI 0487"
#define GUIDE "Apple Silicon CPU Optimization Guide 3.0"
#define SYSCTL "macOS on an M1: sysctl hw.perflevel0, hw.cachelinesize, hw.pagesize"

const fg_machine fg_machine_m1 = {.name = "m1",
                                  .also = "apple-m1",
                                  .title = "Apple M1, fast cores",
                                  .target = "c",
                                  .isa = "neon",
                                  FG_IS(clock_mhz, 3204, "powermetrics on an M1"),
                                  FG_IS(memory_gbs, 68, "128 bits of LPDDR4X-4266"),
                                  FG_IS(cores, 4, SYSCTL),
                                  FG_IS(line_bytes, 128, SYSCTL),
                                  FG_IS(l1_bytes, 128 << 10, SYSCTL),
                                  FG_IS(l1_associativity, 8, GUIDE),
                                  FG_IS(l2_bytes, 12 << 20, SYSCTL),
                                  FG_IS(page_bytes, 16 << 10, SYSCTL),
                                  FG_IS(vector_bytes, 16, MANUAL),
                                  FG_IS(vector_registers, 32, MANUAL),
                                  FG_IS(f16, 1, MANUAL),
                                  FG_IS(f64, 1, MANUAL)};
