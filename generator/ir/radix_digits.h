/* An address as a mixed-radix number: its digits sorted by their strides. */
#ifndef FG_RADIX_DIGITS_H
#define FG_RADIX_DIGITS_H
#include "generator/ir/kernel.h"

typedef struct fg_radix_digit { /* a digit in an address, or what is left of it */
  int16_t digit;
  int64_t step, extent; /* elements from one value to the next; values */
  int64_t weight;       /* what one of these counts of the digit's own */
} fg_radix_digit;

/* All but the kernel's own digits, from the smallest step on; -1: not all of them count up from zero by constants. Room
 * for FG_MAX_TERMS. */
int fg_radix_digits(const fg_kernel *k, const fg_affine *a, fg_radix_digit *out);
#endif
