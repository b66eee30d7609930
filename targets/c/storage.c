/* C: numbers of other types in arrays. Scalars by targets/storage.h; vectors by the
 * same steps on GCC's vector extensions, of halves by F16C where the compiler may
 * use it. */
#include "targets/storage.h"

#define FLOATS(tag) "typedef float %V_" tag "f __attribute__((vector_size(4 * %N)));\n"
#define BITS(tag) "typedef unsigned %V_" tag "u __attribute__((vector_size(4 * %N)));\n"
#define STORED(tag, type, bytes)                                                                                       \
  "typedef " type " %V_" tag "s __attribute__((vector_size(" bytes " * %N), aligned(" bytes "), may_alias));\n"

#define FROM_F16_VECTOR                                                                                                \
  "static %V %V_from_f16(const unsigned short *p) {\n"                                                                 \
  "#if defined(__F16C__) && %N == 8\n"                                                                                 \
  "  typedef short bits __attribute__((vector_size(16), aligned(2), may_alias));\n"                                    \
  "  const %V_f16f f = __builtin_ia32_vcvtph2ps256(*(const bits *)p);\n"                                               \
  "#elif defined(__AVX512F__) && %N == 16\n"                                                                           \
  "  typedef short bits __attribute__((vector_size(32), aligned(2), may_alias));\n"                                    \
  "#ifdef __clang__\n"                                                                                                 \
  "  const unsigned short all = (unsigned short)-1;\n"                                                                 \
  "#else\n"                                                                                                            \
  "  const short all = -1;\n"                                                                                          \
  "#endif\n"                                                                                                           \
  "  const %V_f16f f = __builtin_ia32_vcvtph2ps512_mask(*(const bits *)p, %Q_OF(%V_f16f){0}, all, 4);\n"               \
  "#else\n"                                                                                                            \
  "  const %V_f16u h = __builtin_convertvector(*(const %V_f16s *)p, %V_f16u);\n"                                       \
  "  const %V_f16f scaled = (%V_f16f)((h & 0x7fff) << 13) * 5.192296858534828e33f;\n"                                  \
  "  const %V_f16u endless = (%V_f16u)(scaled >= 65536.0f) & 0x7f800000;\n"                                            \
  "  const %V_f16f f = (%V_f16f)((%V_f16u)scaled | endless | (h & 0x8000) << 16);\n"                                   \
  "#endif\n"                                                                                                           \
  "  return __builtin_convertvector(f, %V);\n"                                                                         \
  "}\n"
#define TO_F16_VECTOR                                                                                                  \
  "static void %V_to_f16(unsigned short *p, %V v) {\n"                                                                 \
  "  const %V_f16f f = __builtin_convertvector(v, %V_f16f);\n"                                                         \
  "#if defined(__F16C__) && %N == 8\n"                                                                                 \
  "  *(%V_f16s *)p = (%V_f16s)__builtin_ia32_vcvtps2ph256(f, 0);\n"                                                    \
  "#elif defined(__AVX512F__) && %N == 16\n"                                                                           \
  "  typedef short bits __attribute__((vector_size(32)));\n"                                                           \
  "  *(%V_f16s *)p = (%V_f16s)__builtin_ia32_vcvtps2ph512_mask(f, 0, %Q_OF(bits){0}, (unsigned short)-1);\n"           \
  "#else\n"                                                                                                            \
  "  const %V_f16u sign = (%V_f16u)f & 0x80000000, u = (%V_f16u)f ^ sign;\n"                                           \
  "  const %V_f16u usual = (u + 0xc8000fff + (u >> 13 & 1)) >> 13;\n"                                                  \
  "  const %V_f16u tiny = (%V_f16u)((%V_f16f)u + 0.5f) - 0x3f000000;\n"                                                \
  "  const %V_f16u is_tiny = (%V_f16u)(u < 0x38800000), is_large = (%V_f16u)(u >= 0x47800000);\n"                      \
  "  const %V_f16u large = ((%V_f16u)(u > 0x7f800000) & 0x200) | 0x7c00;\n"                                            \
  "  const %V_f16u size = (tiny & is_tiny) | (usual & ~is_tiny & ~is_large) | (large & is_large);\n"                   \
  "  *(%V_f16s *)p = __builtin_convertvector(size | sign >> 16, %V_f16s);\n"                                           \
  "#endif\n"                                                                                                           \
  "}\n"
#define FROM_BF16_VECTOR                                                                                               \
  "static %V %V_from_bf16(const unsigned short *p) {\n"                                                                \
  "  const %V_bf16u h = __builtin_convertvector(*(const %V_bf16s *)p, %V_bf16u);\n"                                    \
  "  return __builtin_convertvector((%V_bf16f)(h << 16), %V);\n"                                                       \
  "}\n"
#define TO_BF16_VECTOR                                                                                                 \
  "static void %V_to_bf16(unsigned short *p, %V v) {\n"                                                                \
  "  const %V_bf16u u = (%V_bf16u)__builtin_convertvector(v, %V_bf16f);\n"                                             \
  "  const %V_bf16u wrong = (%V_bf16u)((u & 0x7fffffff) > 0x7f800000);\n"                                              \
  "  const %V_bf16u h = ((u + 0x7fff + (u >> 16 & 1)) & ~wrong) | ((u | 0x400000) & wrong);\n"                         \
  "  *(%V_bf16s *)p = __builtin_convertvector(h >> 16, %V_bf16s);\n"                                                   \
  "}\n"
#define FROM_VECTOR(tag, type)                                                                                         \
  "static %V %V_from_" tag "(const " type " *p) {\n"                                                                   \
  "  return __builtin_convertvector(*(const %V_" tag "s *)p, %V);\n"                                                   \
  "}\n"
/* Numbers become twice as wide, or half, at a time: that is what compilers have instructions for. */
#define INTS(tag) "typedef int %V_" tag "i __attribute__((vector_size(4 * %N)));\n"
#define SHORTS(tag) "typedef short %V_" tag "h __attribute__((vector_size(2 * %N)));\n"
#define CONVERT(wide, x) "__builtin_convertvector(" x ", %V_" wide ")"
/* One instruction for 8 and 16 lanes, which gcc finds in none of these steps. `few`: 8 of them as they are in memory.
 */
#define FROM_WHOLE_VECTOR(tag, type, letters, all, few, wide)                                                          \
  "static %V %V_from_" tag "(const " type " *p) {\n"                                                                   \
  "#if defined(__clang__)\n"                                                                                           \
  "  const %V_" tag "i whole = __builtin_convertvector(*(const %V_" tag "s *)p, %V_" tag "i);\n"                       \
  "#elif defined(__AVX512F__) && %N == 16\n"                                                                           \
  "  typedef " all ", aligned(1), may_alias));\n"                                                                      \
  "  const unsigned short lanes = 65535;\n"                                                                            \
  "  const %V_" tag "i whole = __builtin_ia32_pmov" letters "512_mask(*(const all *)p, %Q_OF(%V_" tag                  \
  "i){0}, lanes);\n"                                                                                                   \
  "#elif defined(__AVX2__) && %N == 8\n" few "  const %V_" tag "i whole = __builtin_ia32_pmov" letters "256(few);\n"   \
  "#else\n"                                                                                                            \
  "  const %V_" tag "i whole = " wide ";\n"                                                                            \
  "#endif\n"                                                                                                           \
  "  return __builtin_convertvector(whole, %V);\n"                                                                     \
  "}\n"
#define EIGHT_BYTES                                                                                                    \
  "  typedef long long word __attribute__((aligned(1), may_alias)), words __attribute__((vector_size(16)));\n"         \
  "  typedef char bytes __attribute__((vector_size(16)));\n"                                                           \
  "  const bytes few = (bytes)%Q_OF(words){*(const word *)p, 0};\n"
#define EIGHT_SHORTS                                                                                                   \
  "  typedef short shorts __attribute__((vector_size(16), aligned(2), may_alias));\n"                                  \
  "  const shorts few = *(const shorts *)p;\n"
/* Lane by lane where the number is none. */
#define TO_WHOLE_VECTOR(tag, type, low, high, narrow)                                                                  \
  "static void %V_to_" tag "(" type " *p, %V v) {\n"                                                                   \
  "  const %V_" tag "f f = __builtin_convertvector(v, %V_" tag "f);\n"                                                 \
  "  const %V_" tag "u above = (%V_" tag "u)(f > " low "), below = (%V_" tag "u)(f < " high ");\n"                     \
  "  const %V_" tag "f zero = {0};\n"                                                                                  \
  "  const %V_" tag "u least = (%V_" tag "u)(zero + " low "), most = (%V_" tag "u)(zero + " high ");\n"                \
  "  const %V_" tag "u u = (((%V_" tag "u)f & below) | (most & ~below)) & above;\n"                                    \
  "  const %V_" tag "f clamped = (%V_" tag "f)(u | (least & ~above));\n"                                               \
  "  const %V_" tag "u whole = (%V_" tag "u)(clamped + 12582912.0f);\n"                                                \
  "  *(%V_" tag "s *)p = __builtin_convertvector(" narrow ", %V_" tag "s);\n"                                          \
  "}\n"

const fg_storage_row fg_dialect_storage_c[] = {
    {.stored = FG_STORED_F16,
     .type = "unsigned short",
     .preamble = {"static " FG_FROM_F16, "static " FG_TO_F16},
     .load = "from_f16(%v)",
     .store = "%v = to_f16(%a);",
     .vtypes = FLOATS("f16") BITS("f16") STORED("f16", "unsigned short", "2"),
     .vpreamble = {FROM_F16_VECTOR, TO_F16_VECTOR},
     .vload = "%V_from_f16(%p)",
     .vstore = "%V_to_f16(%p, %v);"},
    {.stored = FG_STORED_BF16,
     .type = "unsigned short",
     .preamble = {"static " FG_FROM_BF16, "static " FG_TO_BF16},
     .load = "from_bf16(%v)",
     .store = "%v = to_bf16(%a);",
     .vtypes = FLOATS("bf16") BITS("bf16") STORED("bf16", "unsigned short", "2"),
     .vpreamble = {FROM_BF16_VECTOR, TO_BF16_VECTOR},
     .vload = "%V_from_bf16(%p)",
     .vstore = "%V_to_bf16(%p, %v);"},
    {.stored = FG_STORED_F32,
     .type = "float",
     .load = "(%T)%v",
     .store = "%v = (float)(%a);",
     .vtypes = STORED("f32", "float", "4"),
     .vpreamble = {FROM_VECTOR("f32", "float"), "static void %V_to_f32(float *p, %V v) {\n"
                                                "  *(%V_f32s *)p = __builtin_convertvector(v, %V_f32s);\n"
                                                "}\n"},
     .vload = "%V_from_f32(%p)",
     .vstore = "%V_to_f32(%p, %v);"},
    {.stored = FG_STORED_U8,
     .type = "unsigned char",
     .preamble = {NULL, "static " FG_TO_U8},
     .load = "(%T)%v",
     .store = "%v = to_u8(%a);",
     .vtypes = FLOATS("u8") BITS("u8") INTS("u8") SHORTS("u8") STORED("u8", "unsigned char", "1"),
     .vpreamble = {FROM_WHOLE_VECTOR("u8", "unsigned char", "zxbd", "char all __attribute__((vector_size(16)",
                                     EIGHT_BYTES, CONVERT("u8i", CONVERT("u8h", "*(const %V_u8s *)p"))),
                   TO_WHOLE_VECTOR("u8", "unsigned char", "0.0f", "255.0f", CONVERT("u8h", "whole"))},
     .vload = "%V_from_u8(%p)",
     .vstore = "%V_to_u8(%p, %v);"},
    {.stored = FG_STORED_I16,
     .type = "short",
     .preamble = {NULL, "static " FG_TO_I16},
     .load = "(%T)%v",
     .store = "%v = to_i16(%a);",
     .vtypes = FLOATS("i16") BITS("i16") INTS("i16") STORED("i16", "short", "2"),
     .vpreamble = {FROM_WHOLE_VECTOR("i16", "short", "sxwd", "short all __attribute__((vector_size(32)", EIGHT_SHORTS,
                                     CONVERT("i16i", "*(const %V_i16s *)p")),
                   TO_WHOLE_VECTOR("i16", "short", "-32768.0f", "32767.0f", "whole")},
     .vload = "%V_from_i16(%p)",
     .vstore = "%V_to_i16(%p, %v);"},
    {0},
};
