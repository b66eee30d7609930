/* A microcontroller: no caches, numbers of single precision alone. */
#include "targets/machine/rows.h"

#define MANUAL "Arm Cortex-M4 Technical Reference Manual, 100166: FPv4-SP"

const fg_machine fg_machine_cortex_m4 = {.name = "cortex-m4",
                                         .also = "",
                                         .title = "STM32F407 (Arm Cortex-M4F)",
                                         .target = "c",
                                         .isa = "scalar",
                                         FG_IS(clock_mhz, 168, "ST, STM32F407xx datasheet"),
                                         FG_IS(cores, 1, MANUAL),
                                         FG_IS(vector_registers, 32, MANUAL),
                                         FG_IS(f16, 1, MANUAL)};
