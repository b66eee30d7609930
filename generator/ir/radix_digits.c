/* See radix_digits.h. In: an address. Out: its digits, sorted. */
#include "generator/ir/radix_digits.h"
#include <stdlib.h>

static int by_step(const void *a, const void *b) {
  int64_t x = ((const fg_radix_digit *)a)->step, y = ((const fg_radix_digit *)b)->step;
  return (x > y) - (x < y);
}

int fg_radix_digits(const fg_kernel *k, const fg_affine *a, fg_radix_digit *out) {
  int n = 0;
  for (int i = 0; i < a->nterm; i++) {
    const fg_term *t = &a->term[i];
    const fg_digit *d = &k->digit[t->digit];
    if (fg_kernel_is_outer(k, t->digit)) continue;
    bool counts = d->extent.form == FG_NUM_CONST && fg_num_is(d->start, 0) && !fg_digit_is_clipped(d);
    if (!counts || t->coef.form != FG_NUM_CONST || t->coef.n <= 0) return -1;
    if (d->extent.n > 1) out[n++] = (fg_radix_digit){t->digit, t->coef.n * d->step, d->extent.n, 1};
  }
  qsort(out, (size_t)n, sizeof *out, by_step);
  return n;
}
