/* Tables for Rader's algorithm. In: a prime n, and the definition of a table. Out: powers and logarithms of a
 * generator modulo n, a table's entries, and whether its definition is valid.
 *
 * The idea: with a generator g, the inputs in the order g^q and the outputs in the order g^-p are a cyclic
 * convolution of n-1 points with the roots of unity in the order g^-j (Rader, Proc. IEEE 56, 1968). */
#include "generator/base/integer.h"
#include "generator/ir/table_values.h"
#include "generator/reference/bank_values.h"
#include "generator/reference/window_values.h"

#define MOST_INDEX (INT64_C(1) << 31)

static int64_t power(int64_t base, int64_t e, int64_t n) {
  int64_t out = 1;
  for (; e; e >>= 1) {
    if (e & 1) out = out * base % n;
    base = base * base % n;
  }
  return out;
}

int64_t fg_table_least_generator(int64_t n) {
  uint64_t prime[62];
  if (n < 3 || n >= MOST_INDEX || !fg_integer_is_prime((uint64_t)n)) return 0;
  int count = fg_integer_factor((uint64_t)n - 1, prime);
  for (int64_t g = 2;; g++) {
    bool good = true;
    for (int i = 0; i < count && good; i++) good = power(g, (n - 1) / (int64_t)prime[i], n) != 1;
    if (good) return g;
  }
}

bool fg_table_is_index(const fg_table *t) {
  return t->fill == FG_FILL_POWER || t->fill == FG_FILL_LOGARITHM || t->fill == FG_FILL_BAND;
}

bool fg_table_is_sum(const fg_table *t) {
  return t->fill == FG_FILL_BLUESTEIN || t->fill == FG_FILL_POWERS || t->fill == FG_FILL_RADER;
}

int fg_table_axes(const fg_table *t) {
  int axes = 0;
  while (axes < FG_MAX_COPRIME && t->coprime[axes]) axes++;
  return axes;
}

/* Good's two orders: logarithms are stored where the sum of places times order / coprime is their value
 * modulo the order, results of a transform of these dimensions at the remainders of their numbers. */
int64_t fg_table_multiplier(const fg_table *t, int axis) {
  int64_t n = t->coprime[axis], x = 1;
  if (fg_table_is_sum(t)) return 1;
  while (x < n && t->order / n % n * x % n != 1) x++;
  return x % n;
}

int64_t fg_table_position(const fg_table *t, int64_t k) {
  int64_t place = 0;
  if (t->across) return k % t->across * (t->cols / t->across) + k / t->across;
  if (!t->coprime[0]) return k;
  for (int i = 0; i < fg_table_axes(t); i++)
    place = place * t->coprime[i] + k * fg_table_multiplier(t, i) % t->coprime[i];
  return place;
}

/* Dimensions without a common factor, two by two, whose product is the convolution's length. */
static bool is_coprime(const fg_table *t) {
  int64_t product = 1, length = fg_table_is_sum(t) ? t->cols : t->order;
  for (int i = 0; i < fg_table_axes(t); i++) {
    if (t->coprime[i] < 1 || product > length || fg_gcd(product, t->coprime[i]) > 1) return false;
    product *= t->coprime[i];
  }
  return product == length && !t->across && (fg_table_is_sum(t) || t->fill == FG_FILL_LOGARITHM);
}

int64_t fg_table_generator(const fg_table *t) {
  int64_t g = fg_table_least_generator(t->n);
  return t->fill == FG_FILL_POWER && t->sign < 0 ? power(g, t->n - 2, t->n) : g;
}

int64_t fg_table_root_order(const fg_table *t) {
  switch (t->fill) {
  case FG_FILL_TWIDDLE:
  case FG_FILL_DOUBLING:
  case FG_FILL_STEPS:
  case FG_FILL_CHIRP: break;
  case FG_FILL_BLUESTEIN: return 2 * t->n;
  case FG_FILL_POWERS:
  case FG_FILL_RADER:
  case FG_FILL_RADER_SUM: return t->n;
  case FG_FILL_POWER:
  case FG_FILL_LOGARITHM:
  case FG_FILL_BAND:
  case FG_FILL_WINDOW: return 1;
  }
  return t->order;
}

/* A convolution of `length` points serves the prime n. */
static bool serves(int64_t length, int64_t n) {
  return fg_table_least_generator(n) && (length == n - 1 || length >= 2 * n - 3);
}

bool fg_table_possible(const fg_table *t) {
  if (t->rows < 1 || t->cols < 1 || t->order < 1) return false;
  if (t->across && (!fg_table_is_sum(t) || t->across < 0 || t->cols % t->across)) return false;
  if (t->coprime[0] && !is_coprime(t)) return false;
  if (t->panel && (t->panel < 0 || t->cols % t->panel)) return false;
  switch (t->fill) {
  case FG_FILL_DOUBLING:
  case FG_FILL_TWIDDLE:
  case FG_FILL_CHIRP: break;
  case FG_FILL_STEPS: return (t->rows & (t->rows - 1)) == 0 && t->order % (2 * t->rows) == 0;
  case FG_FILL_WINDOW: return t->rows == 1 && t->window.row && t->n > 0 && t->cols <= t->n;
  case FG_FILL_BAND:
    return t->rows == 1 && t->cols == t->window.bank.bands && t->window.points > 0 && t->window.slots > 0;
  case FG_FILL_BLUESTEIN: return t->rows == 1 && t->n > 0 && t->n <= t->cols / 2 + 1;
  case FG_FILL_POWERS:
  case FG_FILL_RADER: return t->rows == 1 && serves(t->cols, t->n);
  case FG_FILL_RADER_SUM: return t->rows == 1 && t->cols == 2 && serves(t->order, t->n);
  case FG_FILL_POWER: return t->rows == 1 && t->cols == t->n - 1 && fg_table_least_generator(t->n);
  case FG_FILL_LOGARITHM: return t->rows == 1 && t->cols == t->n && t->order < MOST_INDEX && serves(t->order, t->n);
  }
  return true;
}

int64_t fg_table_band_width(const fg_bank *bank, int64_t points) {
  int64_t most = 1, first, end;
  for (int64_t m = 0; m < bank->bands; m++) {
    fg_operation_values_band(bank, points, m, &first, &end);
    if (end - first > most) most = end - first;
  }
  return most;
}

static int32_t *bands(fg_context *cx, const fg_table *t) {
  int32_t *out = fg_arena_new(cx->arena, int32_t, t->cols);
  for (int64_t m = 0; m < t->cols; m++) out[m] = (int32_t)fg_operation_values_band_start(t->window, m);
  return out;
}

int32_t *fg_table_indices(fg_context *cx, const fg_table *t) {
  if (!fg_table_is_index(t) || !fg_table_possible(t)) return NULL;
  if (t->fill == FG_FILL_BAND) return bands(cx, t);
  int64_t g = fg_table_generator(t), m = t->n - 1, x = 1;
  int32_t *out = fg_arena_new(cx->arena, int32_t, t->cols);
  if (t->fill == FG_FILL_LOGARITHM) out[0] = (int32_t)t->order;
  for (int64_t c = 0; c < m; c++, x = x * g % t->n) {
    if (t->fill == FG_FILL_POWER)
      out[c] = (int32_t)x;
    else
      out[x] = (int32_t)fg_table_position(t, t->sign > 0 ? c : (m - c) % m);
  }
  return out;
}
