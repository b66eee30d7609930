/* Of a convolution: transforms times their spectra, and the sum of these (sum=). */
#ifndef FG_PRODUCTS_H
#define FG_PRODUCTS_H
#include "generator/reference/operation_values.h"

typedef struct fg_products {
  int64_t count;           /* numbers of a spectrum */
  fg_quadc *product, *sum; /* of one transform; of all so far */
} fg_products;

void fg_products_create(fg_context *cx, const fg_problem *p, fg_products *out);
/* A transform's numbers, re im, times the spectrum that begins with number `first`; `alone`: nothing is there yet. */
void fg_products_add(fg_products *x, const fg_problem *p, int64_t first, const long double *numbers, bool alone);
void fg_products_sum(const fg_products *x, long double *out); /* re im */
#endif
