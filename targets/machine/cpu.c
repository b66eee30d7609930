/* An unknown CPU: the default for scalar code. */
#include "targets/machine/rows.h"

#define ASSUMED "assumed: what most CPUs have had for ten years; of L2, that plans need not care for L3"

const fg_machine fg_machine_cpu = {.name = "cpu",
                                   .also = "scalar",
                                   .title = "any CPU",
                                   .target = "c code",
                                   .isa = "scalar",
                                   FG_IS(line_bytes, 64, ASSUMED),
                                   FG_IS(l1_bytes, 32 << 10, ASSUMED),
                                   FG_IS(l1_associativity, 8, ASSUMED),
                                   FG_IS(l2_bytes, 2 << 20, ASSUMED),
                                   FG_IS(page_bytes, 4096, ASSUMED),
                                   FG_IS(vector_registers, 16, ASSUMED),
                                   FG_IS(f64, 1, ASSUMED)};
