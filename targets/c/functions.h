/* C: functions of vectors, as text on GCC's vector extensions: no calls, no branches, all lanes at once.
 *
 * Logarithms: x = 2^e m, m from sqrt 1/2 to sqrt 2, f = m - 1. In double precision s = f / (2 + f), log m = 2 artanh s,
 * of which f - f^2/2 is taken exactly; in single precision log m = f + f^2 Q(f), Q the best polynomial of its degree,
 * by pairs of terms (J.-M. Muller, Elementary Functions, chapters 3, 4 and 11; the plugin of LLVM has the same). */
#ifndef FG_C_FUNCTIONS_H
#define FG_C_FUNCTIONS_H
#include "targets/dialect.h"

/* e and f. least: the smallest number that is not subnormal; half: what sqrt 1/2's bits lack to those of 1. */
#define FG_C_SPLIT(word, least, power, log_power, half, fraction, mantissa, exponent, one, bias)                       \
  "  typedef " word " bits __attribute__((vector_size(%B)));\n"                                                        \
  "  const bits small = (bits)(x < " least ");\n"                                                                      \
  "  const bits y = ((bits)(x * " power ") & small) | ((bits)x & ~small);\n"                                           \
  "  const bits moved = y + " half ";\n"                                                                               \
  "  const %V less = (%V)((bits)(%Q_OF(%V){0} + " log_power ") & small);\n"                                            \
  "  const %V e = (%V)(moved >> " mantissa " | " exponent ") - " bias " - less;\n"                                     \
  "  const %V f = (%V)(y - (moved & ~" fraction ") + " one ") - 1.0f;\n" /* Numbers above 0 aside. */
#define FG_C_EDGES(most, endless, none)                                                                                \
  "  const bits usual = (bits)((bits)x - 1 < " most ");\n"                                                             \
  "  const bits zero = (bits)(x == 0.0f), below = (bits)(x < 0.0f);\n"                                                 \
  "  const bits other = (bits)x | (zero & " endless ") | (below & " none ");\n"                                        \
  "  return (%V)(((bits)result & usual) | (other & ~usual));\n"                                                        \
  "}\n"
#define FG_C_LOG_F32(name, result)                                                                                     \
  "static %V %V_" name "(%V x) {\n" FG_C_SPLIT(                                                                        \
      "unsigned", "1.17549435e-38f", "33554432.0f", "25.0f", "0x4afb0du", "0x7fffffu", "23", "0x4b000000u",            \
      "0x3f800000u", "8388735.0f") "  const %V s = f * f;\n"                                                           \
                                   "  const %V p0 = 0.333333256932f * f - 0.499999883469f, p1 = 0.200019738087f * f "  \
                                   "- 0.250015829146f;\n"                                                              \
                                   "  const %V p2 = 0.141818282794f * f - 0.166090835829f;\n"                          \
                                   "  const %V p3 = (0.129044116078f * f - 0.132429831291f) - 0.0762176191231f * s;\n" \
                                   "  const %V log_m = s * ((p3 * s + p2) * (s * s) + (p1 * s + p0)) + f;\n"           \
                                   "  const %V result = " result                                                       \
                                   ";\n" FG_C_EDGES("0x7f7fffffu", "0xff800000u", "0x7fc00000u")

#define FG_C_LOG_F64(name, result)                                                                                     \
  "static %V %V_" name "(%V x) {\n" FG_C_SPLIT(                                                                        \
      "unsigned long long", "2.2250738585072014e-308", "18014398509481984.0", "54.0", "0x95f619980c433ull",            \
      "0xfffffffffffffull", "52", "0x4330000000000000ull", "0x3ff0000000000000ull",                                    \
      "4503599627371519.0") "  const %V s = f / (2.0 + f), z = s * s, square = f * f * 0.5;\n"                         \
                            "  const %V p0 = 2.0 / 21 * z + 2.0 / 19, p1 = p0 * z + 2.0 / 17, p2 = p1 * z + 2.0 / "    \
                            "15;\n"                                                                                    \
                            "  const %V p3 = p2 * z + 2.0 / 13, p4 = p3 * z + 2.0 / 11, p5 = p4 * z + 2.0 / 9;\n"      \
                            "  const %V p6 = (p5 * z + 2.0 / 7) * z + 2.0 / 5, p7 = p6 * z + 2.0 / 3;\n"               \
                            "  const %V rest = square - s * (p7 * z + square);\n"                                      \
                            "  const %V result = " result ";\n" FG_C_EDGES(                                            \
                                "0x7fefffffffffffffull", "0xfff0000000000000ull", "0x7ff8000000000000ull")

/* The high part of log 2, of log10 2, times an exponent is exact. */
#define FG_C_LOG                                                                                                       \
  {                                                                                                                    \
    FG_C_LOG_F32("log", "e * 0.693145752f + (e * 1.42860677e-06f + log_m)"),                                           \
        FG_C_LOG_F64("log", "e * 0.69314718055920821 - ((rest - e * 7.3710025651677989e-13) - f)")                     \
  }
#define FG_C_LOG10                                                                                                     \
  {                                                                                                                    \
    FG_C_LOG_F32("log10", "e * 0.301025391f + (log_m * 0.434294492f + e * 4.60503898e-06f)"),                          \
        FG_C_LOG_F64("log10",                                                                                          \
                     "e * 0.30102999566361177 + ((f - rest) * 0.43429448190325182 + e * 3.6942390771589308e-13)")      \
  }

/* e^x: x = n log 2 + r, the series of e^r, and 2^n in two steps, since it may be no number itself. */
#define FG_C_EXP_F32                                                                                                   \
  "static %V %V_exp(%V x) {\n"                                                                                         \
  "  typedef unsigned bits __attribute__((vector_size(%B)));\n"                                                        \
  "  const %V most = %Q_OF(%V){0} + 89.0f, least = %Q_OF(%V){0} + -105.0f, round = %Q_OF(%V){0} + 12582912.0f;\n"      \
  "  const bits above = (bits)(x > most), below = (bits)(x < least);\n"                                                \
  "  const %V y = (%V)(((bits)x & ~above & ~below) | ((bits)most & above) | ((bits)least & below));\n"                 \
  "  const bits power = (bits)(y * 1.44269502f + round) - (bits)round + 254u, half = power >> 1;\n"                    \
  "  const %V n = (%V)(power | 0x4b000000u) - 8388862.0f;\n"                                                           \
  "  const %V r = y - n * 0.693145752f - n * 1.42860682e-06f;\n"                                                       \
  "  const %V s0 = ((0.000198412698f * r + 0.00138888889f) * r + 0.00833333333f) * r + 0.0416666667f;\n"               \
  "  const %V s1 = (s0 * r + 0.166666667f) * r + 0.5f;\n"                                                              \
  "  return (r * r * s1 + r + 1.0f) * (%V)(half << 23) * (%V)((power - half) << 23);\n"                                \
  "}\n"
#define FG_C_EXP_F64                                                                                                   \
  "static %V %V_exp(%V x) {\n"                                                                                         \
  "  typedef unsigned long long bits __attribute__((vector_size(%B)));\n"                                              \
  "  const %V most = %Q_OF(%V){0} + 710.0, least = %Q_OF(%V){0} + -746.0, round = %Q_OF(%V){0} + "                     \
  "6755399441055744.0;\n"                                                                                              \
  "  const bits above = (bits)(x > most), below = (bits)(x < least);\n"                                                \
  "  const %V y = (%V)(((bits)x & ~above & ~below) | ((bits)most & above) | ((bits)least & below));\n"                 \
  "  const bits power = (bits)(y * 1.4426950408889634 + round) - (bits)round + 2046ull, half = power >> 1;\n"          \
  "  const %V n = (%V)(power | 0x4330000000000000ull) - 4503599627372542.0;\n"                                         \
  "  const %V r = y - n * 0.69314718055920821 - n * 7.3710025651677989e-13;\n"                                         \
  "  const %V s0 = ((1.6059043836821613e-10 * r + 2.08767569878681e-09) * r + 2.505210838544172e-08) * r + "           \
  "2.7557319223985888e-07;\n"                                                                                          \
  "  const %V s1 = ((s0 * r + 2.7557319223985893e-06) * r + 2.4801587301587302e-05) * r + 0.00019841269841269841;\n"   \
  "  const %V s2 = ((s1 * r + 0.0013888888888888889) * r + 0.0083333333333333332) * r + 0.041666666666666664;\n"       \
  "  const %V s3 = (s2 * r + 0.16666666666666666) * r + 0.5;\n"                                                        \
  "  return (r * r * s3 + r + 1.0f) * (%V)(half << 52) * (%V)((power - half) << 52);\n"                                \
  "}\n"
#define FG_C_EXP                                                                                                       \
  { FG_C_EXP_F32, FG_C_EXP_F64 }

/* gcc shares wide vectors out to narrower ones through memory where a loop runs over their lanes. */
#define FG_C_SQRT                                                                                                      \
  {                                                                                                                    \
    "static %V %V_sqrt(%V a) {\n"                                                                                      \
    "#if defined(__AVX512F__) && !defined(__clang__) && %B == 64\n"                                                    \
    "  return __builtin_ia32_sqrtps512_mask(a, %Q_OF(%V){0}, -1, 4);\n" FG_C_SQRT_LANES,                               \
        "static %V %V_sqrt(%V a) {\n"                                                                                  \
        "#if defined(__AVX512F__) && !defined(__clang__) && %B == 64\n"                                                \
        "  return __builtin_ia32_sqrtpd512_mask(a, %Q_OF(%V){0}, -1, 4);\n" FG_C_SQRT_LANES                            \
  }
#define FG_C_SQRT_LANES                                                                                                \
  "#else\n"                                                                                                            \
  "  for (int i = 0; i < %N; ++i) a[i] = sqrt%F(a[i]);\n"                                                              \
  "  return a;\n"                                                                                                      \
  "#endif\n"                                                                                                           \
  "}\n"
#define FG_C_ABS                                                                                                       \
  "static %V %V_fabs(%V a) {\n"                                                                                        \
  "  typedef __typeof__(a < a) bits;\n"                                                                                \
  "  return (%V)((bits)a & ~(bits)(-%Q_OF(%V){0}));\n"                                                                 \
  "}\n" /* A number where the other one is none. */
#define FG_C_CHOICE(name, relation)                                                                                    \
  "static %V %V_" name "(%V a, %V b) {\n"                                                                              \
  "  typedef __typeof__(a " relation " b) bits;\n"                                                                     \
  "  const bits first = (a " relation " b) | (b != b);\n"                                                              \
  "  return (%V)(((bits)a & first) | ((bits)b & ~first));\n"                                                           \
  "}\n"
#endif
