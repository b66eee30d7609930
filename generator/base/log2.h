/* Integer logarithms and powers of two. */
#ifndef FG_GENERATOR_LOG2_H
#define FG_GENERATOR_LOG2_H
#include <stdint.h>

/* Of what is a power of two, else of the next one above; 0 of 0 and 1. */
static inline int fg_log2(int64_t x) {
  int bits = 0;
  while (INT64_C(1) << bits < x) bits++;
  return bits;
}

/* What is left without them. */
static inline int fg_odd_part(int x) {
  while (x > 0 && x % 2 == 0) x /= 2;
  return x;
}
#endif
