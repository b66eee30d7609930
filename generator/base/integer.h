/* Whole numbers: the smaller and the larger one, powers of two, divisors. */
#ifndef FG_GENERATOR_INTEGER_H
#define FG_GENERATOR_INTEGER_H
#include <stdbool.h>
#include <stdint.h>

static inline int64_t fg_smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t fg_larger(int64_t a, int64_t b) { return a > b ? a : b; }
static inline bool fg_is_power_of_two(int64_t x) { return x > 0 && (x & (x - 1)) == 0; }

/* Of what is a power of two, else of the next one above; 0 of 0 and 1. */
static inline int fg_log2(int64_t x) {
  int bits = 0;
  while (INT64_C(1) << bits < x) bits++;
  return bits;
}

/* What is left without powers of two. */
static inline int fg_odd_part(int x) {
  while (x > 0 && x % 2 == 0) x /= 2;
  return x;
}

/* For qsort, of int64_t. */
static inline int fg_rising(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

/* The greatest common divisor, of either sign: not negative; of 0 and 0: 0. */
static inline int64_t fg_gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a < 0 ? -a : a;
}
#endif
