/* Elements of one side of a problem, numbered. In: lengths, strides and values of their parameters. Out: whether two
 * elements can be one; for an address, the number of its element, or that there is none.
 *
 * The idea: an address is a sum of digits times strides, and often the strides alone determine the digits. If each
 * stride is longer than the extent of all smaller ones, digits follow by division. Two strides a and b coincide
 * where a i = b j, and the least such i and j are b/g and a/g (g: their greatest common divisor); below those, a
 * digit follows modulo b/g. So the memory of a sparse array is proportional to its elements, not to its extent, and
 * distinct elements need not be enumerated. */
#include "generator/prove/element_numbers.h"
#include "generator/base/integer.h"
#include "generator/problem/shape.h"

/* The largest stride first; of the number, the last dimension counts fastest. */
static void add_dim(fg_strides *x, int64_t stride, int64_t length, int64_t weight) {
  int at = x->count++;
  for (; at > 0 && x->stride[at - 1] < stride; at--) {
    x->stride[at] = x->stride[at - 1];
    x->length[at] = x->length[at - 1];
    x->weight[at] = x->weight[at - 1];
  }
  x->stride[at] = stride;
  x->length[at] = length;
  x->weight[at] = weight;
}

/* x with a x = 1 modulo m, by Euclid's algorithm; a and m have no common divisor. */
static int64_t inverse_modulo(int64_t a, int64_t m) {
  int64_t x = 1, next = 0, rest = a % m, divisor = m;
  while (rest > 1) {
    int64_t quotient = divisor / rest, left = divisor % rest, back = next - quotient * x;
    next = x, x = back;
    divisor = rest, rest = left;
  }
  return m == 1 ? 0 : (x % m + m) % m;
}

/* What solves the equation of the two smallest strides. */
static void solve_last(fg_strides *x) {
  if (x->count < 2) return;
  int64_t a = x->stride[x->count - 2], b = x->stride[x->count - 1];
  x->common = fg_gcd(a, b);
  x->inverse = inverse_modulo(a / x->common, b / x->common);
}

fg_strides fg_strides_create(const fg_problem *q, const int64_t *params, bool output) {
  fg_strides x = {.elements = 1};
  for (int i = q->batch_rank + q->rank - 1; i >= 0; i--) {
    const fg_dim *d = fg_problem_axis(q, i);
    int64_t n = fg_problem_axis_length(q, i, output, params);
    int64_t stride = fg_num_value(output ? d->os : d->is, params);
    x.backward |= n > 1 && stride <= 0;
    if (n > 1) add_dim(&x, stride, n, x.elements);
    x.elements *= n;
  }
  for (int k = x.count - 1; k >= 0; k--) x.span[k] = x.span[k + 1] + (x.length[k] - 1) * x.stride[k];
  if (!x.backward) solve_last(&x);
  return x;
}

static bool is_nested(const fg_strides *x) {
  for (int k = 0; k < x->count; k++)
    if (x->stride[k] <= x->span[k + 1]) return false;
  return true;
}

static bool pair_meets(const fg_strides *x, int i, int j) {
  int64_t g = fg_gcd(x->stride[i], x->stride[j]);
  return x->stride[j] / g < x->length[i] && x->stride[i] / g < x->length[j];
}

fg_apart fg_strides_apart(const fg_strides *x) {
  if (x->backward) return FG_APART_UNKNOWN;
  if (is_nested(x)) return FG_APART;
  for (int i = 0; i < x->count; i++)
    for (int j = 0; j < i; j++)
      if (pair_meets(x, i, j)) return FG_APART_NOT;
  return x->count == 2 ? FG_APART : FG_APART_UNKNOWN;
}

/* Digits of what is left below dimension k, as a number; -1: there are none. */
static int64_t number_below(const fg_strides *x, int k, int64_t e) {
  if (k == x->count) return e ? -1 : 0;
  int64_t stride = x->stride[k], most = e / stride, over = e - x->span[k + 1];
  int64_t least = over > 0 ? (over + stride - 1) / stride : 0;
  if (most > x->length[k] - 1) most = x->length[k] - 1;
  if (least == most || k + 2 != x->count) {
    for (int64_t i = least; i <= most; i++) {
      int64_t rest = number_below(x, k + 1, e - i * stride);
      if (rest >= 0) return i * x->weight[k] + rest;
    }
    return -1;
  }
  int64_t below = x->stride[k + 1], period = below / x->common;
  if (e % x->common) return -1;
  int64_t wanted = (int64_t)((fg_wide)(uint64_t)(e / x->common % period) * (uint64_t)x->inverse % (uint64_t)period);
  int64_t i = least + ((wanted - least) % period + period) % period;
  return i > most ? -1 : i * x->weight[k] + (e - i * stride) / below * x->weight[k + 1];
}

int64_t fg_strides_number(const fg_strides *x, int64_t e) { return e < 0 ? -1 : number_below(x, 0, e); }
