/* Prime fields against plain 128-bit remainders, and the reference transform
 * against the sum that defines it. */
#include "generator/math/field.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

__extension__ typedef unsigned __int128 wide;

static fg_context context;
static uint64_t state = 2026; /* of the tests' own random numbers */

static int setup(void **unused) {
  (void)unused;
  context = (fg_context){.arena = fg_arena_create()};
  return context.arena ? 0 : -1;
}

static int teardown(void **unused) {
  (void)unused;
  fg_arena_destroy(context.arena);
  return 0;
}

static fg_field field_of(uint64_t order, uint64_t seed) {
  fg_field f;
  assert_int_equal(fg_field_create(&context, order, seed, &f), FG_OK);
  return f;
}

static uint64_t plain_pow(uint64_t a, uint64_t e, uint64_t p) {
  wide r = 1;
  for (wide b = a; e; e >>= 1, b = b * b % p)
    if (e & 1) r = r * b % p;
  return (uint64_t)r;
}

static void test_splitmix(void **unused) {
  (void)unused;
  uint64_t s = 1234567; /* published test vector */
  assert_true(fg_random(&s) == 6457827717110365317u);
  assert_true(fg_random(&s) == 3203168211198807973u);
  assert_true(fg_random(&s) == 9817491932198370423u);
}

static void test_lcm(void **unused) {
  (void)unused;
  assert_true(fg_integer_lcm(12, 18) == 36);
  assert_true(fg_integer_lcm(1, 7) == 7);
  assert_true(fg_integer_lcm(0, 7) == 0);
  assert_true(fg_integer_lcm((uint64_t)1 << 61, 2) == (uint64_t)1 << 61);
  assert_true(fg_integer_lcm((uint64_t)1 << 61, 3) == 0);
  assert_true(fg_integer_lcm((uint64_t)1 << 31, ((uint64_t)1 << 31) - 1) == ((uint64_t)1 << 62) - ((uint64_t)1 << 31));
  assert_true(fg_integer_lcm(((uint64_t)1 << 61) - 1, 1000003) == 0);
}

static void test_primality(void **unused) {
  (void)unused;
  enum { END = 100000 };
  char *composite = calloc(END, 1);
  assert_non_null(composite);
  for (int d = 2; d < END; d++)
    for (int m = 2 * d; !composite[d] && m < END; m += d) composite[m] = 1;
  for (int n = 2; n < END; n++) assert_int_equal(fg_integer_is_prime((uint64_t)n), !composite[n]);
  free(composite);
  assert_false(fg_integer_is_prime(0));
  assert_false(fg_integer_is_prime(1));
  /* Strong pseudoprimes to the first 4, 7 and 9 prime bases. */
  assert_false(fg_integer_is_prime(3215031751u));
  assert_false(fg_integer_is_prime(341550071728321u));
  assert_false(fg_integer_is_prime(3825123056546413051u));
  assert_true(fg_integer_is_prime(((uint64_t)1 << 61) - 1));
  assert_false(fg_integer_is_prime((uint64_t)2147483647 * 2147483629));
}

static void check_factors(uint64_t n) {
  uint64_t prime[62], product = 1;
  int count = fg_integer_factor(n, prime);
  for (int i = 0; i < count; i++) {
    assert_true(fg_integer_is_prime(prime[i]));
    assert_true(i == 0 || prime[i - 1] <= prime[i]);
    product *= prime[i];
  }
  assert_true(product == n);
}

static void test_factors(void **unused) {
  (void)unused;
  for (uint64_t n = 1; n < 5000; n++) check_factors(n);
  for (int i = 0; i < 30; i++) check_factors(fg_random(&state) >> 4);
  check_factors((uint64_t)2147483647 * 2147483629);
  check_factors((uint64_t)1000003 * 1000003 * 1000003);
  check_factors((uint64_t)65537 * 65537 * 65539);
  check_factors((uint64_t)1 << 61);
  check_factors(((uint64_t)1 << 61) - 1);
}

static void check_field(uint64_t order, uint64_t seed) {
  fg_field f = field_of(order, seed);
  assert_true(f.p > (uint64_t)1 << 60 && f.p < (uint64_t)1 << 62);
  assert_true(f.p % order == 1 && f.order == order);
  for (uint64_t d = 2; d < 2000; d++) assert_true(f.p % d != 0);
  for (uint64_t base = 2; base < 50; base++) assert_true(plain_pow(base, f.p - 1, f.p) == 1);
  uint64_t root = fg_gf_reduce(&f, f.root);
  assert_true(plain_pow(root, order, f.p) == 1);
  uint64_t rest = order;
  for (uint64_t q = 2; rest > 1; q++) {
    if (q * q > rest) q = rest;
    if (rest % q) continue;
    assert_true(plain_pow(root, order / q, f.p) != 1);
    while (rest % q == 0) rest /= q;
  }
  assert_true(fg_gf_reduce(&f, f.one) == 1);
  assert_true(fg_gf_mul(&f, f.i, f.i) == fg_gf_from(&f, -1));
  assert_true(fg_gf_add(&f, f.half, f.half) == f.one);
  assert_true(fg_gf_mul(&f, f.half_i, fg_gf_mul(&f, fg_gf_from(&f, 2), f.i)) == f.one);
}

static const uint64_t orders[] = {4,
                                  8,
                                  12,
                                  1024,
                                  4 * 1009,
                                  (uint64_t)8 * 3 * 5 * 7 * 11 * 13 * 17,
                                  (uint64_t)1 << 40,
                                  (uint64_t)4 * 1000003 * 1009,
                                  (uint64_t)1 << 52};

static void test_fields(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    for (uint64_t seed = 0; seed < 3; seed++) check_field(orders[i], seed);
}

static void check_arithmetic(const fg_field *f) {
  for (int i = 0; i < 2000; i++) {
    fg_gf a = fg_random_below(f->p, &state), b = fg_random_below(f->p, &state);
    if (i < 4) a = i & 1 ? f->p - 1 : 0, b = i & 2 ? f->p - 1 : 0; /* the corners */
    uint64_t x = fg_gf_reduce(f, a), y = fg_gf_reduce(f, b);
    assert_true(a < f->p && b < f->p && x < f->p && y < f->p);
    assert_true(fg_gf_reduce(f, fg_gf_mul(f, a, b)) == (uint64_t)((wide)x * y % f->p));
    assert_true(fg_gf_reduce(f, fg_gf_add(f, a, b)) == (uint64_t)(((wide)x + y) % f->p));
    assert_true(fg_gf_reduce(f, fg_gf_sub(f, a, b)) == (uint64_t)(((wide)x + f->p - y) % f->p));
    assert_true(fg_gf_reduce(f, fg_gf_neg(f, a)) == (f->p - x) % f->p);
    assert_true(fg_gf_mul(f, a, f->one) == a);
    uint64_t e = fg_random(&state);
    assert_true(fg_gf_reduce(f, fg_gf_pow(f, a, e)) == plain_pow(x, e, f->p));
    if (a) assert_true(fg_gf_mul(f, a, fg_gf_inv(f, a)) == f->one);
    int64_t n = (int64_t)e;
    uint64_t m = n < 0 ? -(uint64_t)n % f->p : (uint64_t)n % f->p;
    assert_true(fg_gf_reduce(f, fg_gf_from(f, n)) == (n < 0 && m ? f->p - m : m));
  }
  assert_true(fg_gf_from(f, INT64_MIN) == fg_gf_sub(f, fg_gf_from(f, -INT64_MAX), f->one));
}

static void test_arithmetic(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    fg_field f = field_of(orders[i], 77 + i);
    check_arithmetic(&f);
  }
}

static void test_seeds(void **unused) {
  (void)unused;
  fg_field a = field_of(1024, 5), b = field_of(1024, 5), c = field_of(1024, 6);
  assert_true(a.p == b.p && a.root == b.root);
  assert_true(a.p != c.p);
}

static void test_refusals(void **unused) {
  (void)unused;
  fg_field f = {.p = 1};
  assert_int_equal(fg_field_create(&context, (uint64_t)1 << 61, 1, &f), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "2305843009213693952"));
  assert_true(f.p == 1); /* untouched */
  fg_diag_clear(&context.diag);
  fg_gfc x[3] = {{0, 0}}, y[3];
  f = field_of(16, 1); /* no third roots */
  assert_int_equal(fg_field_dft(&context, &f, 3, 1, x, y), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "12"));
}

static bool same(fg_gfc a, fg_gfc b) { return a.re == b.re && a.im == b.im; }

/* Roots of unity multiply as they should, and the first is a power of w. */
static void check_roots(const fg_field *f, int64_t n) {
  fg_gf z = fg_gf_pow(f, f->root, f->order / (uint64_t)n), power = f->one;
  fg_gfc step = fg_gf_root(f, 1, n), product = {f->one, 0};
  for (int64_t k = 0; k < n; k++) {
    fg_gfc r = fg_gf_root(f, k, n);
    assert_true(same(r, product));
    assert_true(same(r, fg_gf_root(f, k - 3 * n, n)) && same(r, fg_gf_root(f, k + 5 * n, n)));
    assert_true(fg_gf_add(f, r.re, fg_gf_mul(f, f->i, r.im)) == power);
    assert_true(fg_gf_add(f, fg_gf_mul(f, r.re, r.re), fg_gf_mul(f, r.im, r.im)) == f->one);
    fg_gfc mirror = fg_gf_root(f, -k, n);
    assert_true(mirror.re == r.re && mirror.im == fg_gf_neg(f, r.im));
    product = fg_gfc_mul(f, product, step);
    power = fg_gf_mul(f, power, z);
  }
  assert_true(same(product, (fg_gfc){f->one, 0}));
}

static void test_roots(void **unused) {
  (void)unused;
  fg_field f = field_of((uint64_t)8 * 9 * 5 * 7 * 1009 << 20, 3);
  static const int64_t lengths[] = {1, 2, 3, 4, 5, 8, 9, 12, 360, 1009, 4096};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) check_roots(&f, lengths[i]);
  assert_true(same(fg_gf_root(&f, 1, 4), (fg_gfc){0, f.one}));
  assert_true(same(fg_gf_root(&f, 1, 2), (fg_gfc){fg_gf_from(&f, -1), 0}));
  assert_true(fg_gf_root(&f, 1, 6).re == f.half);
  assert_true(fg_gf_root(&f, 1, 8).re == fg_gf_root(&f, 1, 8).im);
}

static fg_gfc *numbers(int64_t n) {
  fg_gfc *x = calloc((size_t)n, sizeof *x);
  assert_non_null(x);
  return x;
}

static fg_gfc *random_numbers(int64_t n) {
  fg_gfc *x = numbers(n);
  for (int64_t j = 0; j < n; j++) x[j] = (fg_gfc){fg_gf_random(&state), fg_gf_random(&state)};
  return x;
}

/* Against the defining sum, at every `stride`-th output. */
static void check_sum(int64_t n, int sign, int64_t stride) {
  fg_field f = field_of(fg_field_dft_order(n), (uint64_t)n);
  fg_gfc *x = random_numbers(n), *y = numbers(n);
  assert_int_equal(fg_field_dft(&context, &f, n, sign, x, y), FG_OK);
  for (int64_t k = 0; k < n; k += stride) {
    fg_gfc sum = {0, 0}, w = {f.one, 0}, step = fg_gf_root(&f, sign * k, n);
    for (int64_t j = 0; j < n; j++, w = fg_gfc_mul(&f, w, step)) sum = fg_gfc_add(&f, sum, fg_gfc_mul(&f, x[j], w));
    if (!same(sum, y[k])) fail_msg("n=%lld sign=%d: output %lld differs", (long long)n, sign, (long long)k);
  }
  free(x);
  free(y);
}

static void test_dft_small(void **unused) {
  (void)unused;
  for (int64_t n = 1; n <= 160; n++) {
    check_sum(n, -1, 1);
    check_sum(n, 1, 1);
  }
}

static void test_dft_large(void **unused) {
  (void)unused;
  static const int64_t lengths[] = {256,  257,  262,       343,       393,  509,      625,   729,   1009,     1013 * 2,
                                    1024, 2187, 131 * 137, 139 * 139, 4093, 4093 * 6, 10007, 65536, 127 * 128};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    check_sum(lengths[i], i & 1 ? 1 : -1, 1 + lengths[i] / 50);
}

static fg_gf energy(const fg_field *f, const fg_gfc *x, int64_t n) {
  fg_gf sum = 0;
  for (int64_t j = 0; j < n; j++)
    sum = fg_gf_add(f, sum, fg_gf_add(f, fg_gf_mul(f, x[j].re, x[j].re), fg_gf_mul(f, x[j].im, x[j].im)));
  return sum;
}

/* Parseval, and there and back: what no error at a few outputs survives. */
static void check_round_trip(int64_t n) {
  fg_field f = field_of(fg_field_dft_order(n), (uint64_t)n + 1);
  fg_gfc *x = random_numbers(n), *y = numbers(n), *z = numbers(n);
  assert_int_equal(fg_field_dft(&context, &f, n, -1, x, y), FG_OK);
  fg_gf length = fg_gf_from(&f, n);
  assert_true(energy(&f, y, n) == fg_gf_mul(&f, length, energy(&f, x, n)));
  assert_int_equal(fg_field_dft(&context, &f, n, 1, y, z), FG_OK);
  for (int64_t j = 0; j < n; j++)
    assert_true(same(z[j], (fg_gfc){fg_gf_mul(&f, length, x[j].re), fg_gf_mul(&f, length, x[j].im)}));
  free(x);
  free(y);
  free(z);
}

static void test_round_trips(void **unused) {
  (void)unused;
  static const int64_t lengths[] = {1 << 16, 59049, 100003, 2 * 3 * 5 * 7 * 11 * 13, 1021 * 64, 1 << 18};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) check_round_trip(lengths[i]);
}

/* A shifted impulse gives the powers of one root. */
static void test_impulses(void **unused) {
  (void)unused;
  static const int64_t lengths[] = {1 << 20, 200003, 531441};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    int64_t n = lengths[i], at = n / 3 + 1;
    fg_field f = field_of(fg_field_dft_order(n), 9);
    fg_gfc *x = numbers(n), *y = numbers(n), w = {f.one, 0}, step = fg_gf_root(&f, -at, n);
    x[at].re = f.one;
    assert_int_equal(fg_field_dft(&context, &f, n, -1, x, y), FG_OK);
    for (int64_t k = 0; k < n; k++, w = fg_gfc_mul(&f, w, step)) assert_true(same(y[k], w));
    free(x);
    free(y);
  }
}

static void test_dft_order(void **unused) {
  (void)unused;
  assert_true(fg_field_dft_order(1) == 4);
  assert_true(fg_field_dft_order(6) == 12);
  for (int64_t n = 1; n < 3000; n++)
    assert_true(fg_field_dft_order(n) % 4 == 0 && fg_field_dft_order(n) % (uint64_t)n == 0);
  assert_true(fg_field_dft_order(10007) % 32768 == 0); /* its chirp transform */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_splitmix),    cmocka_unit_test(test_lcm),       cmocka_unit_test(test_primality),
      cmocka_unit_test(test_factors),     cmocka_unit_test(test_fields),    cmocka_unit_test(test_arithmetic),
      cmocka_unit_test(test_seeds),       cmocka_unit_test(test_refusals),  cmocka_unit_test(test_roots),
      cmocka_unit_test(test_dft_order),   cmocka_unit_test(test_dft_small), cmocka_unit_test(test_dft_large),
      cmocka_unit_test(test_round_trips), cmocka_unit_test(test_impulses),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
