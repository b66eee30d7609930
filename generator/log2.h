/* Logarithm to base 2 of what is a power of two, else of the next one above; 0 of 0 and 1. */
#ifndef FG_GENERATOR_LOG2_H
#define FG_GENERATOR_LOG2_H
#include <stdint.h>

static inline int fg_log2(int64_t x) {
  int bits = 0;
  while (INT64_C(1) << bits < x) bits++;
  return bits;
}
#endif
