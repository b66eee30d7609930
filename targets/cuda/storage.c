/* CUDA: numbers of other types in arrays, by PTX: halves for want of a header, the rest as kernels may be PTX
 * themselves (ptx.h), whose proof knows these lines (generator/prove/assembly.def). Two neighbours of 16 bits move as
 * one word. HIP: as C has it. */
#include "targets/storage.h"

#define DEVICE "static __device__ __forceinline__ "
#define PAIRS(tag)                                                                                                     \
  .pair_load = "pair_from_" tag "(%p)", .pair_store = "pair_to_" tag "(%p, %v);", .two = "unsigned",                   \
  .two_load = "*(const unsigned *)(%p)", .two_make = "packed_" tag "(%a, %b)", .two_store = "*(unsigned *)(%p) = %v;"
#define FROM_PAIR(tag)                                                                                                 \
  DEVICE "%P pair_from_" tag "(const unsigned short *p) {\n"                                                           \
         "  const unsigned packed = *(const unsigned *)p;\n"                                                           \
         "  return %P{from_" tag "((unsigned short)packed), from_" tag "((unsigned short)(packed >> 16))};\n"          \
         "}\n"
#define TO_PAIR(tag)                                                                                                   \
  DEVICE "unsigned packed_" tag "(%T low, %T high) {\n"                                                                \
         "  return (unsigned)to_" tag "(low) | (unsigned)to_" tag "(high) << 16;\n"                                    \
         "}\n" DEVICE "void pair_to_" tag "(unsigned short *p, const %P v) {\n"                                        \
         "  *(unsigned *)p = packed_" tag "(v.x, v.y);\n"                                                              \
         "}\n"
#define SEND "fftgen_send(%p, %v, %i, %c);"

/* A function's text, of one line of PTX. */
#define FROM(name, type, line)                                                                                         \
  DEVICE "%T " name "(" type " h) {\n"                                                                                 \
         "  float f;\n"                                                                                                \
         "  asm(\"" line "\" : \"=f\"(f) : \"h\"(h));\n"                                                               \
         "  return (%T)f;\n"                                                                                           \
         "}\n"
#define TO(name, type, held, letter, line)                                                                             \
  DEVICE type " " name "(%T value) {\n"                                                                                \
              "  " held " h;\n"                                                                                        \
              "  asm(\"" line "\" : \"=" letter "\"(h) : \"f\"((float)value));\n"                                      \
              "  return (" type ")h;\n"                                                                                \
              "}\n"
/* Clamped; adding 2^23 + 2^22 rounds to the nearest even integer, which is in the last bits. */
#define TO_WHOLE(name, type, low, high)                                                                                \
  TO(name, type, "unsigned", "r",                                                                                      \
     "{ .reg .f32 x; max.f32 x, %1, 0f" low "; min.f32 x, x, 0f" high "; add.f32 x, x, 0f4B400000; mov.b32 %0, x; }")

/* Before sm_80, rounded to nearest even: half a unit of the last place kept is added, less where that place is even; of what is no
 * number the upper half, as a quiet one. */
#define TO_BF16                                                                                                        \
  "{ .reg .pred n; .reg .b32 u, v, w; mov.b32 u, %1; setp.nan.f32 n, %1, %1; bfe.u32 v, u, 16, 1; add.u32 w, u, v; "   \
  "add.u32 w, w, 32767; or.b32 v, u, 4194304; selp.b32 w, v, w, n; shr.u32 w, w, 16; cvt.u16.u32 %0, w; }"

const fg_storage_row fg_dialect_storage_cuda[] = {
    {.stored = FG_STORED_F16,
     .type = "unsigned short",
     .preamble = {FROM("from_f16", "unsigned short", "cvt.f32.f16 %0, %1;") FROM_PAIR("f16"),
                  TO("to_f16", "unsigned short", "unsigned short", "h", "cvt.rn.f16.f32 %0, %1;") TO_PAIR("f16")},
     .load = "from_f16(%v)",
     .store = "%v = to_f16(%a);",
     PAIRS("f16"),
     .send = SEND},
    {.stored = FG_STORED_BF16,
     .type = "unsigned short",
     .preamble = {FROM("from_bf16", "unsigned short", "{ .reg .b16 z; mov.b16 z, 0; mov.b32 %0, {z, %1}; }")
                      FROM_PAIR("bf16"),
                  TO("to_bf16", "unsigned short", "unsigned short", "h", TO_BF16) TO_PAIR("bf16")},
     .rounds = TO("to_bf16", "unsigned short", "unsigned short", "h", "cvt.rn.bf16.f32 %0, %1;") TO_PAIR("bf16"),
     .load = "from_bf16(%v)",
     .store = "%v = to_bf16(%a);",
     PAIRS("bf16"),
     .send = SEND},
    {.stored = FG_STORED_F32, .type = "float", .load = "(%T)%v", .store = "%v = (float)(%a);"},
    {.stored = FG_STORED_U8,
     .type = "unsigned char",
     .preamble = {NULL, TO_WHOLE("to_u8", "unsigned char", "00000000", "437F0000")},
     .load = "(%T)%v",
     .store = "%v = to_u8(%a);"},
    {.stored = FG_STORED_I16,
     .type = "short",
     .preamble = {NULL, TO_WHOLE("to_i16", "short", "C7000000", "46FFFE00")},
     .load = "(%T)%v",
     .store = "%v = to_i16(%a);"},
    {0},
};

/* The same without PTX: HIP's compilers have a half of their own, but not on every
 * way to them. */
const fg_storage_row fg_dialect_storage_hip[] = {
    {.stored = FG_STORED_F16,
     .type = "unsigned short",
     .preamble = {DEVICE FG_FROM_F16 FROM_PAIR("f16"), DEVICE FG_TO_F16 TO_PAIR("f16")},
     .load = "from_f16(%v)",
     .store = "%v = to_f16(%a);",
     PAIRS("f16")},
    {.stored = FG_STORED_BF16,
     .type = "unsigned short",
     .preamble = {DEVICE FG_FROM_BF16 FROM_PAIR("bf16"), DEVICE FG_TO_BF16 TO_PAIR("bf16")},
     .load = "from_bf16(%v)",
     .store = "%v = to_bf16(%a);",
     PAIRS("bf16")},
    {.stored = FG_STORED_F32, .type = "float", .load = "(%T)%v", .store = "%v = (float)(%a);"},
    {.stored = FG_STORED_U8,
     .type = "unsigned char",
     .preamble = {NULL, DEVICE FG_TO_U8},
     .load = "(%T)%v",
     .store = "%v = to_u8(%a);"},
    {.stored = FG_STORED_I16,
     .type = "short",
     .preamble = {NULL, DEVICE FG_TO_I16},
     .load = "(%T)%v",
     .store = "%v = to_i16(%a);"},
    {0},
};
