/* Instruction sets that emitted C can be told to use: widths, flags, and how to
 * find out whether this CPU has them. */
#include "targets/dialect.h"
#include <string.h>

#define AVX512_FEATURES "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"
#define AVX512_FLAGS                                                                                                   \
  "-mavx2 -mfma -mavx512f -mavx512dq -mavx512bw -mavx512vl -mtune=icelake-server -mprefer-vector-width=512"

/* From narrow to wide, CPU by CPU. Flags are understood by gcc >= 12 and clang >= 14; the
 * preferred width keeps both from splitting 64-byte vectors. */
static const fg_isa table[] = {
    {.name = "scalar", .cpu = "", .vector_bytes = 0, .registers = 16, .fma = false, .flags = "", .cpu_feature = ""},
    {.name = "sse2",
     .cpu = "x86-64",
     .vector_bytes = 16,
     .least_bytes = 16,
     .registers = 16,
     .second = 512 << 10,
     .fma = false,
     .stream = true,
     .flags = "-msse2",
     .cpu_feature = "sse2"},
    {.name = "avx2",
     .cpu = "x86-64",
     .vector_bytes = 32,
     .least_bytes = 16,
     .registers = 16,
     .second = 512 << 10,
     .fma = true,
     .stream = true,
     .alternating = 32,
     .flags = "-mavx2 -mfma",
     .half_flags = "-mf16c", /* no CPU has AVX2 without it */
     .cpu_feature = "avx2,fma"},
    {.name = "avx512",
     .cpu = "x86-64",
     .vector_bytes = 64,
     .least_bytes = 16,
     .registers = 32,
     .second = 2 << 20,
     .fma = true,
     .stream = true,
     .two_sources = true,
     .words = true,
     .flags = AVX512_FLAGS,
     .half_flags = "-mf16c",
     .cpu_feature = AVX512_FEATURES},
    {.name = "znver4", /* AVX-512 on AMD's CPUs, which alone have SSE4A */
     .cpu = "x86-64",
     .vector_bytes = 64,
     .least_bytes = 16,
     .registers = 32,
     .second = 1 << 20,
     .fma = true,
     .stream = true,
     .two_sources = true,
     .words = true,
     .adders = true,
     .flags = AVX512_FLAGS,
     .half_flags = "-mf16c",
     .cpu_feature = AVX512_FEATURES ",sse4a"},
    {.name = "neon",
     .cpu = "aarch64",
     .vector_bytes = 16,
     .registers = 32,
     .fma = true,
     .flags = "", /* every AArch64 has it */
     .cpu_feature = "neon"},
    {0},
};

typedef struct feature {
  const char *name;
  bool here;
} feature;

static bool has_feature(const char *name, size_t length) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const feature features[] = {
      {"sse2", __builtin_cpu_supports("sse2")},         {"avx2", __builtin_cpu_supports("avx2")},
      {"fma", __builtin_cpu_supports("fma")},           {"avx512f", __builtin_cpu_supports("avx512f")},
      {"avx512dq", __builtin_cpu_supports("avx512dq")}, {"avx512bw", __builtin_cpu_supports("avx512bw")},
      {"avx512vl", __builtin_cpu_supports("avx512vl")}, {"sse4a", __builtin_cpu_supports("sse4a")},
  };
#elif defined(__aarch64__)
  const feature features[] = {{"neon", true}};
#else
  const feature features[] = {{"", false}};
#endif
  for (size_t i = 0; i < sizeof features / sizeof *features; i++)
    if (strlen(features[i].name) == length && !memcmp(features[i].name, name, length)) return features[i].here;
  return false;
}

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

bool fg_isa_runs_here(const fg_isa *isa) {
  for (const char *at = isa->cpu_feature; *at;) {
    size_t length = strcspn(at, ",");
    if (!has_feature(at, length)) return false;
    at += length + (at[length] == ',');
  }
  return true;
}

const fg_isa *fg_isa_native(void) {
  const fg_isa *best = table;
  for (const fg_isa *i = table; i->name; i++)
    if (fg_isa_runs_here(i)) best = i;
  return best;
}
