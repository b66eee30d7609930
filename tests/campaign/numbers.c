/* See numbers.h. */
#include "numbers.h"
#include <math.h>
#include <string.h>

uint64_t random_bits(uint64_t *state) {
  uint64_t x = *state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

long long random_below(uint64_t *state, long long n) { return (long long)(random_bits(state) >> 1) % n; }

uint64_t random_start(uint64_t seed, long long number) {
  uint64_t state = seed * 0xd1342543de82ef95u + (uint64_t)number;
  random_bits(&state);
  return random_bits(&state);
}

static long double from_half(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  long double fraction = bits & 1023, sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) return fraction > 0 ? NAN : sign * INFINITY;
  return sign * (exponent ? ldexpl(1024 + fraction, exponent - 25) : ldexpl(fraction, -24));
}

static long double from_bfloat(uint16_t bits) {
  uint32_t word = (uint32_t)bits << 16;
  float x;
  memcpy(&x, &word, sizeof x);
  return x;
}

long double number_get(const void *array, number type, long long i) {
  switch (type) {
  case F16: return from_half(((const uint16_t *)array)[i]);
  case BF16: return from_bfloat(((const uint16_t *)array)[i]);
  case F32: return ((const float *)array)[i];
  case F64: return ((const double *)array)[i];
  case U8: return ((const uint8_t *)array)[i];
  default: return ((const int16_t *)array)[i];
  }
}

void number_put_random(void *array, number type, long long i, uint64_t *state) {
  uint64_t bits = random_bits(state);
  double x = (double)(bits >> 11) * 0x1p-52 - 1;
  float y = (float)x;
  uint32_t word;
  memcpy(&word, &y, sizeof word);
  switch (type) { /* halves: signs, and exponents below that of 1 */
  case F16:
    ((uint16_t *)array)[i] = (uint16_t)((bits >> 48 & 0x83ff) | (10 + (bits & 3) + (bits >> 2 & 1)) << 10);
    break;
  case BF16: ((uint16_t *)array)[i] = (uint16_t)(word >> 16); break;
  case F32: ((float *)array)[i] = y; break;
  case F64: ((double *)array)[i] = x; break;
  case U8: ((uint8_t *)array)[i] = (uint8_t)(bits >> 56); break;
  default: ((int16_t *)array)[i] = (int16_t)(bits >> 48); break;
  }
}

long double number_unit(number type) {
  static const int bits[] = {11, 8, 24, 53};
  return type <= F64 ? ldexpl(1, -bits[type]) : ldexpl(1, -24);
}

static long double clamped(long double v, number type) {
  long double least = type == U8 ? 0 : -32768, most = type == U8 ? 255 : 32767;
  return v < least ? least : v > most ? most : rintl(v);
}

bool number_allowed(long double got, number type, long double v, long double e) {
  if (!isfinite(e)) return true; /* decibels of nothing, and what is made of them */
  e += number_unit(type) * fabsl(v);
  if (type >= U8) return got >= clamped(v - e, type) && got <= clamped(v + e, type);
  if (type == F16) {
    e += ldexpl(1, -25);
    if (isinf(got)) return fabsl(v) + e >= 65504 && (got > 0) == (v > 0);
  }
  return fabsl(got - v) <= e + (type == F64 ? 1e-300L : 1e-38L);
}
