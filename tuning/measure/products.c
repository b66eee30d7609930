/* See products.h. In: transforms, as numbers. Out: the sum of their products with the spectra that the problem's caller
 * has given. */
#include "tuning/measure/products.h"
#include "generator/problem/spectrum.h"

void fg_products_create(fg_context *cx, const fg_problem *p, fg_products *out) {
  int64_t n = out->count = fg_problem_spectrum_points(p);
  out->product = fg_arena_new(cx->arena, fg_quadc, n), out->sum = fg_arena_new(cx->arena, fg_quadc, n);
}

void fg_products_add(fg_products *x, const fg_problem *p, int64_t first, const long double *numbers, bool alone) {
  fg_system reals = {.field = NULL};
  for (int64_t k = 0; k < x->count; k++) x->product[k] = (fg_quadc){numbers[2 * k], numbers[2 * k + 1]};
  fg_operation_values_spectrum(&reals, p, first, x->count, x->product);
  for (int64_t k = 0; k < x->count; k++) {
    x->sum[k].re = (alone ? 0 : x->sum[k].re) + x->product[k].re;
    x->sum[k].im = (alone ? 0 : x->sum[k].im) + x->product[k].im;
  }
}

void fg_products_sum(const fg_products *x, long double *out) {
  for (int64_t k = 0; k < x->count; k++) {
    out[2 * k] = (long double)x->sum[k].re;
    out[2 * k + 1] = (long double)x->sum[k].im;
  }
}
