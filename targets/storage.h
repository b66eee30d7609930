/* Numbers of other types in arrays, as C and the languages made from it convert
 * them one by one: bits and arithmetic, no library. Each is a function's text after
 * its qualifier. Conversion rounds to nearest even.
 *
 * f16: multiplying by 2^112 turns a half's bits, moved to a float's place, into its
 * number, subnormal ones included; backwards, adding 1/2 leaves a subnormal's
 * units in the last bits. u8, i16: adding 2^23 + 2^22 leaves the whole number in the
 * last bits. */
#ifndef FG_STORAGE_H
#define FG_STORAGE_H
#include "targets/dialect.h"

#define FG_FROM_F16                                                                                                    \
  "%T from_f16(unsigned short h) {\n"                                                                                  \
  "  union {\n    float f;\n    unsigned u;\n  } x;\n"                                                                 \
  "  x.u = (h & 0x7fffu) << 13;\n"                                                                                     \
  "  x.f *= 5.192296858534828e33f;\n"                                                                                  \
  "  if (x.f >= 65536.0f) x.u |= 0x7f800000u;\n"                                                                       \
  "  x.u |= (h & 0x8000u) << 16;\n"                                                                                    \
  "  return (%T)x.f;\n"                                                                                                \
  "}\n"
#define FG_TO_F16                                                                                                      \
  "unsigned short to_f16(%T value) {\n"                                                                                \
  "  union {\n    float f;\n    unsigned u;\n  } x;\n"                                                                 \
  "  x.f = (float)value;\n"                                                                                            \
  "  const unsigned sign = x.u >> 16 & 0x8000u;\n"                                                                     \
  "  x.u &= 0x7fffffffu;\n"                                                                                            \
  "  if (x.u >= 0x47800000u)\n"                                                                                        \
  "    x.u = x.u > 0x7f800000u ? 0x7e00u : 0x7c00u;\n"                                                                 \
  "  else if (x.u < 0x38800000u)\n"                                                                                    \
  "    x.f += 0.5f, x.u -= 0x3f000000u;\n"                                                                             \
  "  else\n"                                                                                                           \
  "    x.u = (x.u + 0xc8000fffu + (x.u >> 13 & 1u)) >> 13;\n"                                                          \
  "  return (unsigned short)(x.u | sign);\n"                                                                           \
  "}\n"
#define FG_FROM_BF16                                                                                                   \
  "%T from_bf16(unsigned short h) {\n"                                                                                 \
  "  union {\n    float f;\n    unsigned u;\n  } x;\n"                                                                 \
  "  x.u = (unsigned)h << 16;\n"                                                                                       \
  "  return (%T)x.f;\n"                                                                                                \
  "}\n"
#define FG_TO_BF16                                                                                                     \
  "unsigned short to_bf16(%T value) {\n"                                                                               \
  "  union {\n    float f;\n    unsigned u;\n  } x;\n"                                                                 \
  "  x.f = (float)value;\n"                                                                                            \
  "  if ((x.u & 0x7fffffffu) > 0x7f800000u) return (unsigned short)(x.u >> 16 | 0x40u);\n"                             \
  "  return (unsigned short)((x.u + 0x7fffu + (x.u >> 16 & 1u)) >> 16);\n"                                             \
  "}\n"
#define FG_TO_WHOLE(name, type, low, high)                                                                             \
  type " " name "(%T value) {\n"                                                                                       \
       "  union {\n    float f;\n    unsigned u;\n  } x;\n"                                                            \
       "  x.f = (float)(value > " low " ? value < " high " ? value : " high " : " low ") + 12582912.0f;\n"             \
       "  return (" type ")x.u;\n"                                                                                     \
       "}\n"
#define FG_TO_U8 FG_TO_WHOLE("to_u8", "unsigned char", "0", "255")
#define FG_TO_I16 FG_TO_WHOLE("to_i16", "short", "-32768", "32767")

/* fg_precision, which targets do not see. */
enum { FG_STORED_F16, FG_STORED_BF16, FG_STORED_F32, FG_STORED_F64, FG_STORED_U8, FG_STORED_I16 };

extern const fg_storage_row fg_dialect_storage_c[], fg_dialect_storage_opencl[], fg_dialect_storage_cuda[],
    fg_dialect_storage_hip[];
#endif
