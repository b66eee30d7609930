/* Any 64-bit x86 CPU: what all of them have, and the caches of a small one. */
#include "targets/machine/x86.h"

#define ASSUMED "assumed: the smallest of the CPUs that plans were measured on, Zen 3 (docs/lab/cpu-vectors.md)"

const fg_machine fg_machine_x86_64 = {.name = "x86-64",
                                      .also = "",
                                      .title = "any 64-bit x86 CPU",
                                      .isa = "sse2",
                                      X86_ALIKE,
                                      FG_IS(vector_bytes, 16, X86_MANUAL),
                                      FG_IS(vector_registers, 16, X86_MANUAL),
                                      FG_IS(l1_bytes, 32 << 10, ASSUMED),
                                      FG_IS(l1_associativity, 8, ASSUMED),
                                      FG_IS(l2_bytes, 512 << 10, ASSUMED)};
