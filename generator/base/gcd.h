/* Greatest common divisor, of either sign: not negative; of 0 and 0: 0. */
#ifndef FG_GENERATOR_GCD_H
#define FG_GENERATOR_GCD_H
#include <stdint.h>

static inline int64_t fg_gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a < 0 ? -a : a;
}
#endif
