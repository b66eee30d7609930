/* CUDA: numbers of other types in arrays. Halves by PTX, for want of a header; the
 * rest as C has it. Two neighbours of 16 bits move as one word. */
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
#define SEND "fftgen_store_async(%p, %v, %i);"

/* What needs no instructions of its own. */
#define WIDER_ROWS                                                                                                     \
  {.stored = FG_STORED_F32, .type = "float", .load = "(%T)%v", .store = "%v = (float)(%a);"},                          \
      {.stored = FG_STORED_U8,                                                                                         \
       .type = "unsigned char",                                                                                        \
       .preamble = {NULL, DEVICE FG_TO_U8},                                                                            \
       .load = "(%T)%v",                                                                                               \
       .store = "%v = to_u8(%a);"},                                                                                    \
  {                                                                                                                    \
    .stored = FG_STORED_I16, .type = "short", .preamble = {NULL, DEVICE FG_TO_I16}, .load = "(%T)%v",                  \
    .store = "%v = to_i16(%a);"                                                                                        \
  }

const fg_storage_row fg_dialect_storage_cuda[] = {
    {.stored = FG_STORED_F16,
     .type = "unsigned short",
     .preamble = {DEVICE "%T from_f16(unsigned short h) {\n"
                         "  float f;\n"
                         "  asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(f) : \"h\"(h));\n"
                         "  return (%T)f;\n"
                         "}\n" FROM_PAIR("f16"),
                  DEVICE "unsigned short to_f16(%T value) {\n"
                         "  unsigned short h;\n"
                         "  asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(h) : \"f\"((float)value));\n"
                         "  return h;\n"
                         "}\n" TO_PAIR("f16")},
     .load = "from_f16(%v)",
     .store = "%v = to_f16(%a);",
     PAIRS("f16"),
     .send = SEND},
    {.stored = FG_STORED_BF16,
     .type = "unsigned short",
     .preamble = {DEVICE FG_FROM_BF16 FROM_PAIR("bf16"), DEVICE FG_TO_BF16 TO_PAIR("bf16")},
     .load = "from_bf16(%v)",
     .store = "%v = to_bf16(%a);",
     PAIRS("bf16"),
     .send = SEND},
    WIDER_ROWS,
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
    WIDER_ROWS,
    {0},
};
