/* Prime fields. In: an order M and a seed. Out: a random prime p = 1 (mod M),
 * 2^60 < p < 2^62, a random root of unity of order exactly M, and arithmetic.
 *
 * The idea: products are reduced by Montgomery's method (Montgomery 1985), which
 * needs no division; p < 2^62 leaves two spare bits, so sums need no carry.
 * Primality is Miller-Rabin with the twelve bases that decide every 64-bit
 * number (Sorenson and Webster 2015); M is factored by trial division, then by
 * Pollard's rho (Pollard 1975). */
#include "generator/math/field.h"
#include "generator/base/invariant.h"
#include <inttypes.h>

enum { DIGIT_BITS = 8, DIGIT = 1 << DIGIT_BITS, TRIAL_LIMIT = 1 << 16, PRIME_TRIES = 20000 };
static const uint64_t LIMIT = (uint64_t)1 << 62; /* numbers and primes are smaller */

fg_gf fg_gf_from(const fg_field *f, int64_t x) {
  uint64_t magnitude = x < 0 ? -(uint64_t)x : (uint64_t)x;
  fg_gf r = fg_gf_mul(f, magnitude % f->p, f->r2);
  return x < 0 ? fg_gf_neg(f, r) : r;
}

fg_gf fg_gf_pow(const fg_field *f, fg_gf a, uint64_t e) {
  fg_gf r = f->one;
  for (; e; e >>= 1, a = fg_gf_mul(f, a, a))
    if (e & 1) r = fg_gf_mul(f, r, a);
  return r;
}

fg_gf fg_gf_inv(const fg_field *f, fg_gf a) {
  fg_invariant(a != 0);
  return fg_gf_pow(f, a, f->p - 2);
}

fg_gfc fg_gfc_mul(const fg_field *f, fg_gfc a, fg_gfc b) {
  fg_gf rr = fg_gf_mul(f, a.re, b.re), ii = fg_gf_mul(f, a.im, b.im);
  fg_gf ri = fg_gf_mul(f, a.re, b.im), ir = fg_gf_mul(f, a.im, b.re);
  return (fg_gfc){fg_gf_sub(f, rr, ii), fg_gf_add(f, ri, ir)};
}

/* What multiplication modulo an odd p needs; enough for from, to, mul and pow. */
static void set_modulus(fg_field *f, uint64_t p) {
  uint64_t inverse = p; /* right modulo 8; each step doubles the bits */
  for (int i = 0; i < 5; i++) inverse *= 2 - p * inverse;
  f->p = p;
  f->np = -inverse;
  f->one = (uint64_t)(((fg_wide)1 << 64) % p);
  f->r2 = (uint64_t)((fg_wide)f->one * f->one % p);
}

/* Whether p, odd and over 37, is a strong probable prime to this base. */
static bool strong_probable_prime(const fg_field *f, uint64_t base) {
  int twos = __builtin_ctzll(f->p - 1);
  fg_gf minus_one = fg_gf_neg(f, f->one);
  fg_gf x = fg_gf_pow(f, fg_gf_from(f, (int64_t)base), (f->p - 1) >> twos);
  if (x == f->one || x == minus_one) return true;
  for (int i = 1; i < twos; i++) {
    x = fg_gf_mul(f, x, x);
    if (x == minus_one) return true;
  }
  return false;
}

bool fg_integer_is_prime(uint64_t n) {
  static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  enum { BASES = sizeof bases / sizeof *bases };
  fg_invariant(n < LIMIT);
  if (n < 2) return false;
  for (int i = 0; i < BASES; i++)
    if (n % bases[i] == 0) return n == bases[i];
  fg_field f = {0};
  set_modulus(&f, n);
  for (int i = 0; i < BASES; i++)
    if (!strong_probable_prime(&f, bases[i])) return false;
  return true;
}

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* A proper divisor of an odd composite n: Pollard's rho, x -> x^2 + c. */
static uint64_t rho(uint64_t n) {
  fg_field f = {0};
  set_modulus(&f, n);
  for (fg_gf c = 1;; c++) {
    fg_gf slow = 2, fast = 2;
    uint64_t d = 1;
    while (d == 1) {
      slow = fg_gf_add(&f, fg_gf_mul(&f, slow, slow), c);
      fast = fg_gf_add(&f, fg_gf_mul(&f, fast, fast), c);
      fast = fg_gf_add(&f, fg_gf_mul(&f, fast, fast), c);
      d = gcd(fg_gf_sub(&f, slow, fast), n);
    }
    if (d != n) return d;
  }
}

/* Adds the prime factors of n, none of them small, in any order. */
static int factor_large(uint64_t n, uint64_t *prime) {
  if (n == 1) return 0;
  if (n < (uint64_t)TRIAL_LIMIT * TRIAL_LIMIT || fg_integer_is_prime(n)) {
    prime[0] = n;
    return 1;
  }
  uint64_t d = rho(n);
  int count = factor_large(d, prime);
  return count + factor_large(n / d, prime + count);
}

int fg_integer_factor(uint64_t n, uint64_t *prime) {
  fg_invariant(n > 0 && n < LIMIT);
  int count = 0;
  for (uint64_t d = 2; d < TRIAL_LIMIT && d * d <= n; d += 1 + (d & 1))
    for (; n % d == 0; n /= d) prime[count++] = d;
  int end = count + factor_large(n, prime + count);
  for (int i = count + 1; i < end; i++) /* three large ones at most */
    for (int j = i; j > count && prime[j] < prime[j - 1]; j--) {
      uint64_t t = prime[j];
      prime[j] = prime[j - 1];
      prime[j - 1] = t;
    }
  return end;
}

uint64_t fg_integer_lcm(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return 0;
  fg_wide product = (fg_wide)a * (b / gcd(a, b));
  return product < LIMIT ? (uint64_t)product : 0;
}

static bool draw_prime(fg_field *f, uint64_t order, uint64_t *state) {
  if (order > LIMIT / 4) return false;
  uint64_t low = (LIMIT >> 2) / order + 1, count = (LIMIT - 2) / order - low + 1;
  for (int i = 0; i < PRIME_TRIES; i++) {
    uint64_t p = order * (low + fg_random_below(count, state)) + 1;
    if (!fg_integer_is_prime(p)) continue;
    set_modulus(f, p);
    return true;
  }
  return false;
}

/* A random element of order exactly `order`. */
static fg_gf draw_root(const fg_field *f, uint64_t order, uint64_t *state) {
  uint64_t prime[62];
  int count = fg_integer_factor(order, prime);
  for (;;) {
    fg_gf w = fg_gf_pow(f, 1 + fg_random_below(f->p - 1, state), (f->p - 1) / order);
    int i = 0;
    while (i < count && fg_gf_pow(f, w, order / prime[i]) != f->one) i++;
    if (i == count) return w;
  }
}

static const fg_gf *power_table(fg_context *cx, const fg_field *f) {
  int digits = 1;
  while (digits * DIGIT_BITS < 62 && f->order >> (digits * DIGIT_BITS)) digits++;
  fg_gf *table = fg_arena_new(cx->arena, fg_gf, digits * DIGIT), base = f->root;
  for (int j = 0; j < digits; j++) {
    fg_gf *row = table + j * DIGIT, x = f->one;
    for (int d = 0; d < DIGIT; d++, x = fg_gf_mul(f, x, base)) row[d] = x;
    base = x;
  }
  return table;
}

fg_status fg_field_create(fg_context *cx, uint64_t order, uint64_t seed, fg_field *out) {
  fg_invariant(order > 0 && order % 4 == 0);
  fg_field f = {.order = order};
  uint64_t state = seed;
  if (!draw_prime(&f, order, &state))
    return fg_refuse(
        cx,
        "no prime field has roots of unity of order %" PRIu64
        ": found no prime between 2^60 and 2^62 that is 1 modulo it; orders up to 2^52 always work; " FG_FIELD_LIMITS,
        order);
  f.root = draw_root(&f, order, &state);
  f.i = fg_gf_pow(&f, f.root, order / 4);
  f.half = fg_gf_inv(&f, fg_gf_from(&f, 2));
  f.half_i = fg_gf_neg(&f, fg_gf_mul(&f, f.half, f.i));
  f.power = power_table(cx, &f);
  *out = f;
  return FG_OK;
}

static fg_gf root_power(const fg_field *f, uint64_t e) {
  const fg_gf *row = f->power;
  fg_gf r = row[e % DIGIT];
  while (e >>= DIGIT_BITS) {
    row += DIGIT;
    if (e % DIGIT) r = fg_gf_mul(f, r, row[e % DIGIT]);
  }
  return r;
}

fg_gfc fg_gf_root(const fg_field *f, int64_t k, int64_t n) {
  fg_invariant(n > 0);
  uint64_t each = f->order / (uint64_t)n;
  fg_invariant(each * (uint64_t)n == f->order);
  if (k < 0 || k >= n) k = k % n + (k % n < 0 ? n : 0); /* a division takes longer than the rest */
  uint64_t e = (uint64_t)k * each;
  fg_gf z = root_power(f, e), conj = root_power(f, e ? f->order - e : 0);
  return (fg_gfc){fg_gf_mul(f, fg_gf_add(f, z, conj), f->half), fg_gf_mul(f, fg_gf_sub(f, z, conj), f->half_i)};
}
