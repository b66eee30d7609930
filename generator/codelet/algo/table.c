/* The table of algorithms, and the choice between them. */
#include "generator/codelet/algo/algo.h"
#include "generator/codelet/algo/rows.h"
#include <string.h>

#define ROW(name)                                                                                                      \
  { #name, fg_##name##_applies, fg_##name##_build }
const fg_algo fg_algo_table[] = {
    ROW(direct),      ROW(rader),        ROW(symmetric), ROW(prime_factor),  ROW(tangent),
    ROW(split_radix), ROW(cooley_tukey), ROW(parted),    {NULL, NULL, NULL},
};
#undef ROW

const fg_algo *fg_algo_find(const char *name) {
  for (const fg_algo *a = fg_algo_table; a->name; a++)
    if (!strcmp(a->name, name)) return a;
  return NULL;
}

/* Where a row that applies is not the best. Rader's two transforms in a row round
 * more often than one row of sums does, until that grows too long; where products
 * and sums are rounded as one, the transforms gain more. */
static bool preferred(const fg_algo *a, int n, fg_fma_form form, int accuracy) {
  if (a->build == fg_parted_build) return false; /* requested where a product by i is expensive */
  if (a->build == fg_direct_build) return n <= 2;
  if (a->build == fg_tangent_build) return n >= 64 && form == FG_FORM_ADD_MUL; /* equal below, and when fused */
  if (a->build != fg_rader_build) return true;
  if (accuracy == 1 && form == FG_FORM_ADD_MUL && n > 13 && n < 37) return false;
  if (accuracy == 2 && n > 13) return false;
  int m = (n - 1) / 2; /* convolutions of a length that has no fast transform lose */
  return m != 5 && fg_algo_best(m, form, accuracy)->build != fg_symmetric_build;
}

const fg_algo *fg_algo_best(int n, fg_fma_form form, int accuracy) {
  for (const fg_algo *a = fg_algo_table; a->name; a++)
    if (a->applies(n) && preferred(a, n, form, accuracy)) return a;
  return NULL;
}

void fg_algo_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out) {
  fg_algo_best(dft.n, d->form, d->accuracy)->build(d, dft, in, out);
}

uint64_t fg_algo_order(int n) {
  uint64_t order = fg_integer_lcm(8, 4 * (uint64_t)n);
  for (int p = 3; p <= n; p += 2) /* Rader's convolutions: periods p - 1, or longer ones, and their transforms */
    if (n % p == 0 && fg_algo_is_prime(p))
      order = fg_integer_lcm(order, fg_integer_lcm(fg_algo_order(p - 1), fg_algo_order(fg_rader_points(p))));
  return order;
}

/* n itself when n is prime; n >= 2. */
static int smallest_factor(int n) {
  for (int p = 2; p * p <= n; p++)
    if (n % p == 0) return p;
  return n;
}

bool fg_algo_is_prime(int n) { return n >= 2 && smallest_factor(n) == n; }

int fg_algo_power(int base, int e, int p) {
  int64_t r = 1;
  for (int i = 0; i < e; i++) r = r * base % p;
  return (int)r;
}

int fg_algo_generator(int p) {
  for (int g = 2; g < p; g++) {
    int order = 1;
    for (int64_t x = g; x != 1; x = x * g % p) order++;
    if (order == p - 1) return g;
  }
  return 1; /* p = 2 */
}
