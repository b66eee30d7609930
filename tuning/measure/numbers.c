/* See numbers.h. Halves are composed from exponent and mantissa by arithmetic, so that this code shares nothing with
 * the text that is verified. */
#include "tuning/measure/numbers.h"
#include <math.h>
#include <string.h>

typedef struct narrow { /* a 16-bit float */
  int mantissa, least;  /* bits; exponent of the least normal number */
} narrow;

static const narrow half = {10, -14}, brain = {7, -126};

static uint16_t narrow_bits(narrow f, double x) {
  int most = 1 - f.least, exponent; /* largest exponent; frexp's is one more than the number's */
  uint16_t sign = signbit(x) ? 0x8000 : 0, infinity = (uint16_t)((2 * most + 1) << f.mantissa);
  if (isnan(x)) return (uint16_t)(sign | infinity | 1u << (f.mantissa - 1));
  double size = fabs(x);
  if (isinf(size)) return (uint16_t)(sign | infinity);
  frexp(size, &exponent);
  if (size == 0 || exponent - 1 < f.least) exponent = f.least + 1;
  int unit = exponent - 1 - f.mantissa;
  double units = nearbyint(ldexp(size, -unit)); /* to nearest even */
  if (ldexp(units, unit) >= ldexp(1, most + 1)) return (uint16_t)(sign | infinity);
  /* The leading bit of a normal number carries into the exponent. */
  int below = (exponent - 1 - f.least) << f.mantissa;
  return (uint16_t)(sign | (unsigned)(below + (int)units));
}

static double narrow_value(narrow f, uint16_t bits) {
  int most = 1 - f.least, exponent = (bits & 0x7fff) >> f.mantissa, rest = bits & ((1 << f.mantissa) - 1);
  double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == 2 * most + 1) return rest ? (double)NAN : sign * (double)INFINITY;
  if (exponent == 0) return sign * ldexp(rest, f.least - f.mantissa);
  return sign * ldexp(rest + (1 << f.mantissa), exponent - 1 + f.least - f.mantissa);
}

static double clamped(double x, double low, double high) { return nearbyint(x < low ? low : x > high ? high : x); }

void fg_numbers_put(fg_precision type, void *array, int64_t i, double x) {
  switch (type) {
  case FG_F16: ((uint16_t *)array)[i] = narrow_bits(half, x); break;
  case FG_BF16: ((uint16_t *)array)[i] = narrow_bits(brain, x); break;
  case FG_F32: ((float *)array)[i] = (float)x; break;
  case FG_F64: ((double *)array)[i] = x; break;
  case FG_U8: ((uint8_t *)array)[i] = (uint8_t)clamped(x, 0, 255); break;
  case FG_I16: ((int16_t *)array)[i] = (int16_t)clamped(x, -32768, 32767); break;
  case FG_STORAGE_COUNT: break;
  }
}

double fg_numbers_get(fg_precision type, const void *array, int64_t i) {
  switch (type) {
  case FG_F16: return narrow_value(half, ((const uint16_t *)array)[i]);
  case FG_BF16: return narrow_value(brain, ((const uint16_t *)array)[i]);
  case FG_F32: return (double)((const float *)array)[i];
  case FG_F64: return ((const double *)array)[i];
  case FG_U8: return ((const uint8_t *)array)[i];
  case FG_I16: return ((const int16_t *)array)[i];
  case FG_STORAGE_COUNT: break;
  }
  return 0;
}

double fg_numbers_unit(fg_precision type) {
  static const double unit[FG_STORAGE_COUNT] = {
      [FG_F16] = 0x1p-11, [FG_BF16] = 0x1p-8, [FG_F32] = 0x1p-24, [FG_F64] = 0x1p-53};
  return unit[type];
}

double fg_numbers_least(fg_precision type) {
  static const double least[FG_STORAGE_COUNT] = {
      [FG_F16] = 0x1p-24, [FG_BF16] = 0x1p-133, [FG_F32] = 0x1p-149, [FG_F64] = 0x1p-1074};
  return least[type];
}

void fg_numbers_range(fg_precision type, double *low, double *high) {
  *low = type == FG_U8 ? 0 : type == FG_I16 ? -32768 : -1;
  *high = type == FG_U8 ? 255 : type == FG_I16 ? 32767 : 1;
}
