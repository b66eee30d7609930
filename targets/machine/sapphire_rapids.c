/* Intel's Xeons with AVX-512 since Sapphire Rapids. */
#include "targets/machine/x86.h"

#define GUIDE "Intel 64 and IA-32 Architectures Optimization Reference Manual, Golden Cove"
#define SHEET "Intel, specifications of the Xeon Platinum 8480+"

const fg_machine fg_machine_sapphire_rapids = {
    .name = "sapphire-rapids",
    .also = "sapphirerapids intel-avx512 spr",
    .title = "Intel Xeon Platinum 8480+",
    .isa = "avx512",
    X86_ALIKE,
    X86_AVX512,
    FG_IS(clock_mhz, 3800, SHEET),
    FG_IS(memory_gbs, 307, SHEET),
    FG_IS(cores, 56, SHEET),
    FG_IS(l1_bytes, 48 << 10, GUIDE),
    FG_IS(l1_associativity, 12, GUIDE),
    FG_IS(l2_bytes, 2 << 20, GUIDE),
    FG_IS(l3_bytes, 105 << 20, SHEET),
    FG_IS(word_swaps, 1, "measured: exchanges by whole words, docs/lab/cpu-vectors.md")};
