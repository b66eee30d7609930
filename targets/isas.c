/* Instruction sets for emitted C: widths, flags, and the CPU features (cpu.c) that they need. */
#include "targets/cpu.h"
#include "targets/dialect.h"
#include <string.h>

/* What AVX-512 is on every CPU that has it. */
#define AVX512                                                                                                         \
  .cpu = "x86-64", .vector_bytes = 64, .least_bytes = 16, .registers = 32, .fma = true, .stream = true,                \
  .two_sources = true,                                                                                                 \
  .flags = "-mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl -mtune=icelake-server "                            \
           "-mprefer-vector-width=512",                                                                                \
  .half_flags = "-mf16c"
#define AVX512_FEATURES "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"

/* From narrow to wide, CPU by CPU. Flags are understood by gcc >= 12 and clang >= 14; the
 * preferred width keeps both from splitting 64-byte vectors. */
static const fg_isa table[] = {
    {.name = "scalar",
     .cpu = "",
     .machine = "cpu",
     .vector_bytes = 0,
     .registers = 16,
     .fma = false,
     .flags = "",
     .cpu_feature = ""},
    {.name = "sse2",
     .cpu = "x86-64",
     .vector_bytes = 16,
     .least_bytes = 16,
     .registers = 16,
     .machine = "x86-64",
     .fma = false,
     .stream = true,
     .flags = "-msse2",
     .cpu_feature = "sse2"},
    {.name = "avx2",
     .cpu = "x86-64",
     .vector_bytes = 32,
     .least_bytes = 16,
     .registers = 16,
     .machine = "zen3",
     .fma = true,
     .stream = true,
     .alternating = 32,
     .flags = "-mavx2 -mfma",
     .half_flags = "-mf16c", /* no CPU has AVX2 without it */
     .cpu_feature = "avx2,fma"},
    {.name = "avx512", AVX512, .machine = "sapphire-rapids", .cpu_feature = AVX512_FEATURES},
    {.name = "znver4", /* on AMD's CPUs, which alone have SSE4A */
     AVX512,
     .machine = "zen4",
     .cpu_feature = AVX512_FEATURES ",sse4a"},
    {.name = "znver5", /* the same units, as wide as vectors */
     AVX512,
     .machine = "zen5",
     .cpu_feature = AVX512_FEATURES ",sse4a,avx512vp2intersect"},
    {.name = "neon",
     .cpu = "aarch64",
     .machine = "neon",
     .vector_bytes = 16,
     .registers = 32,
     .fma = true,
     .flags = "", /* every AArch64 has it */
     .cpu_feature = "neon"},
    {0},
};

const char *fg_isa_cpu_here(void) {
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "";
#endif
}

const fg_isa *fg_isa_table(void) { return table; }

const fg_isa *fg_isa_find(const char *name) {
  for (const fg_isa *i = table; i->name; i++)
    if (!strcmp(i->name, name)) return i;
  return NULL;
}

bool fg_isa_runs_here(const fg_isa *isa) { return fg_cpu_has(isa->cpu_feature); }

const fg_isa *fg_isa_native(void) {
  const fg_isa *best = table;
  for (const fg_isa *i = table; i->name; i++)
    if (fg_isa_runs_here(i)) best = i;
  return best;
}
