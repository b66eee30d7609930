/* Numbers of 16 bits as floats, by arithmetic alone: unlike the conversions that emitted texts bring. */
#ifndef CAMPAIGN_BLOCKS_HALF_H
#define CAMPAIGN_BLOCKS_HALF_H
#include <math.h>

static inline float blocks_from_f16(unsigned short h) {
  float x = ldexpf((float)(h & 0x3ff) + (h & 0x7c00 ? 1024 : 0), (h >> 10 & 31 ? h >> 10 & 31 : 1) - 25);
  if ((h & 0x7c00) == 0x7c00) x = h & 0x3ff ? NAN : INFINITY;
  return h & 0x8000 ? -x : x;
}
static inline unsigned short blocks_to_f16(float x) {
  unsigned short sign = signbit(x) ? 0x8000 : 0;
  float size = fabsf(x);
  if (isnan(x)) return 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  int e = size > 0 ? ilogbf(size) : -14;
  if (e < -14) e = -14;
  unsigned steps = (unsigned)nearbyintf(ldexpf(size, 10 - e)); /* of the last place */
  return (unsigned short)(sign | (steps < 1024 ? steps : ((unsigned)(e + 14) << 10) + steps));
}
/* The upper half of a float, rounded to nearest even. */
static inline float blocks_from_bf16(unsigned short h) {
  float size = h & 0x7f80 ? ldexpf((float)(128 + (h & 127)), (h >> 7 & 255) - 134) : ldexpf((float)(h & 127), -133);
  if ((h & 0x7f80) == 0x7f80) size = h & 127 ? NAN : INFINITY;
  return h & 0x8000 ? -size : size;
}
static inline unsigned short blocks_to_bf16(float x) {
  unsigned short sign = signbit(x) ? 0x8000 : 0;
  float size = fabsf(x);
  if (isnan(x)) return 0x7fc0;
  int e = size > 0 && !isinf(x) ? ilogbf(size) : -126;
  if (e < -126) e = -126;
  unsigned steps = isinf(x) ? 0 : (unsigned)nearbyintf(ldexpf(size, 7 - e)); /* of the last place */
  unsigned bits = isinf(x) ? 0x7f80 : steps < 128 ? steps : ((unsigned)(e + 126) << 7) + steps;
  return (unsigned short)(sign | bits);
}
/* The nearest even integer, within bounds. */
static inline int blocks_to_whole(float x, int low, int high) {
  if (!(x > (float)low)) return low;
  return x < (float)high ? (int)nearbyintf(x) : high;
}
#endif
