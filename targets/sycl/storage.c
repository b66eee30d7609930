/* SYCL: numbers of other types in arrays. Halves are its own; the rest as C has it, guarded, because several headers
 * may have it. */
#include "targets/storage.h"

extern const fg_storage_row fg_dialect_storage_sycl[];

#define ONCE(tag, text) "#ifndef FFTGEN_SYCL_" tag "\n#define FFTGEN_SYCL_" tag "\n" text "#endif\n"
#define WHOLE(TAG, name, type_, low, high)                                                                             \
  .type = type_,                                                                                                       \
  .preamble = {NULL, ONCE(TAG, "template <class T> inline " type_ " fftgen_to_" name "(T x) {\n"                       \
                               "  return (" type_ ")sycl::rint(x > T(" low ") ? x < T(" high ") ? x : T(" high         \
                               ") : T(" low "));\n"                                                                    \
                               "}\n")},                                                                                \
  .load = "(%T)%v", .store = "%v = fftgen_to_" name "(%a);"

static const char halves[] = ONCE("F16", "using fftgen_half = sycl::half;\n");

const fg_storage_row fg_dialect_storage_sycl[] = {
    {.stored = FG_STORED_F16,
     .type = "fftgen_half",
     .preamble = {halves, halves},
     .load = "(%T)%v",
     .store = "%v = (fftgen_half)((float)(%a));"},
    {.stored = FG_STORED_BF16,
     .type = "unsigned short",
     .preamble = {ONCE("FROM_BF16", "inline float fftgen_from_bf16(unsigned short h) {\n"
                                    "  return sycl::bit_cast<float>((unsigned)h << 16);\n"
                                    "}\n"),
                  ONCE("TO_BF16", "inline unsigned short fftgen_to_bf16(float x) {\n"
                                  "  const unsigned u = sycl::bit_cast<unsigned>(x);\n"
                                  "  if ((u & 0x7fffffffu) > 0x7f800000u) return (unsigned short)(u >> 16 | 0x40u);\n"
                                  "  return (unsigned short)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);\n"
                                  "}\n")},
     .load = "(%T)fftgen_from_bf16(%v)",
     .store = "%v = fftgen_to_bf16((float)(%a));"},
    {.stored = FG_STORED_F32, .type = "float", .load = "(%T)%v", .store = "%v = (float)(%a);"},
    {.stored = FG_STORED_U8, WHOLE("TO_U8", "u8", "unsigned char", "0", "255")},
    {.stored = FG_STORED_I16, WHOLE("TO_I16", "i16", "short", "-32768", "32767")},
    {0},
};
