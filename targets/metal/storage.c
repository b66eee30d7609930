/* Metal: numbers of other types in arrays. Halves are its own; bytes and 16-bit numbers are limited and rounded to
 * nearest even. */
#include "targets/storage.h"

extern const fg_storage_row fg_dialect_storage_metal[];

#define WHOLE(tag, name, low, high)                                                                                    \
  .type = name,                                                                                                        \
  .preamble = {NULL, "static inline " name " to_" tag "(float x) {\n"                                                  \
                     "  return (" name ")rint(x > " low " ? x < " high " ? x : " high " : " low ");\n"                 \
                     "}\n"                                                                                             \
                     "static inline " name "2 convert_" tag "(float2 x) {\n"                                           \
                     "  return " name "2(to_" tag "(x.x), to_" tag "(x.y));\n"                                         \
                     "}\n"},                                                                                           \
  .load = "(%T)%v", .store = "%v = to_" tag "(%a);", .pair_load = "%P(*(%S" name "2 *)(%p))",                          \
  .pair_store = "*(%S" name "2 *)(%p) = convert_" tag "(%v);"

const fg_storage_row fg_dialect_storage_metal[] = {
    {.stored = FG_STORED_F16,
     .type = "half",
     .load = "(%T)%v",
     .store = "%v = (half)(%a);",
     .pair_load = "%P(*(%Shalf2 *)(%p))",
     .pair_store = "*(%Shalf2 *)(%p) = half2(%v);"},
    {.stored = FG_STORED_BF16,
     .type = "ushort",
     .preamble = {"static inline float from_bf16(ushort h) { return as_type<float>((uint)h << 16); }\n",
                  "static inline ushort to_bf16(float x) {\n"
                  "  const uint u = as_type<uint>(x);\n"
                  "  if ((u & 0x7fffffffu) > 0x7f800000u) return (ushort)(u >> 16 | 0x40u);\n"
                  "  return (ushort)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);\n"
                  "}\n"},
     .load = "from_bf16(%v)",
     .store = "%v = to_bf16(%a);"},
    {.stored = FG_STORED_U8, WHOLE("u8", "uchar", "0.0f", "255.0f")},
    {.stored = FG_STORED_I16, WHOLE("i16", "short", "-32768.0f", "32767.0f")},
    {0},
};
