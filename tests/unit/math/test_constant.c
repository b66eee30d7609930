/* Exact constants: identities must hold in both systems, equal values must be
 * one handle, different values never. */
#include "generator/math/constant_value.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

typedef struct fixture {
  fg_context cx;
  fg_const_pool *pool;
} fixture;

static int setup(void **state) {
  fixture *x = calloc(1, sizeof *x);
  if (!x || !(x->cx.arena = fg_arena_create())) return -1;
  x->pool = fg_const_pool_create(&x->cx);
  *state = x;
  return 0;
}

static int teardown(void **state) {
  fixture *x = *state;
  fg_arena_destroy(x->cx.arena);
  free(x);
  mpfr_free_cache();
  return 0;
}

static fg_field field_of(fixture *x, uint64_t order, uint64_t seed) {
  fg_field f;
  assert_int_equal(fg_field_create(&x->cx, order, seed, &f), FG_OK);
  return f;
}

/* a is the rational num/den: one handle, one value, one image. */
static void assert_rational(fixture *x, fg_const a, int64_t num, int64_t den) {
  assert_int_equal(a, fg_const_rational(x->pool, num, den));
  assert_true(fg_const_double(x->pool, a) == (double)num / (double)den);
}

static void test_values(void **state) {
  fixture *x = *state;
  mpfr_t angle, want, got;
  mpfr_inits2(300, angle, want, got, (mpfr_ptr)NULL);
  for (int64_t n = 1; n <= 128; n += n < 20 ? 1 : 9)
    for (int64_t k = -n; k <= 2 * n; k++)
      for (int sine = 0; sine < 2; sine++) {
        mpfr_const_pi(angle, MPFR_RNDN);
        mpfr_mul_si(angle, angle, 2 * k, MPFR_RNDN);
        mpfr_div_si(angle, angle, n, MPFR_RNDN);
        (sine ? mpfr_sin : mpfr_cos)(want, angle, MPFR_RNDN);
        fg_const_real(x->pool, (sine ? fg_const_sin : fg_const_cos)(x->pool, k, n), got);
        mpfr_sub(got, got, want, MPFR_RNDN);
        assert_true(mpfr_zero_p(got) || mpfr_get_exp(got) < -240);
      }
  mpfr_clears(angle, want, got, (mpfr_ptr)NULL);
}

static void test_pythagoras(void **state) {
  fixture *x = *state;
  for (int64_t n = 1; n <= 64; n++)
    for (int64_t k = 0; k < n; k++) {
      fg_const c = fg_const_cos(x->pool, k, n), s = fg_const_sin(x->pool, k, n);
      fg_const one = fg_const_add(x->pool, fg_const_mul(x->pool, c, c), fg_const_mul(x->pool, s, s));
      assert_rational(x, one, 1, 1);
      fg_field f = field_of(x, fg_integer_lcm(4, (uint64_t)n), (uint64_t)k + 99);
      fg_gf ci = fg_const_image(x->pool, &f, fg_const_cos(x->pool, k, n));
      fg_gf si = fg_const_image(x->pool, &f, fg_const_sin(x->pool, k, n));
      assert_true(fg_gf_add(&f, fg_gf_mul(&f, ci, ci), fg_gf_mul(&f, si, si)) == f.one);
    }
}

static void test_identities(void **state) {
  fixture *x = *state;
  fg_const_pool *p = x->pool;
  /* 4 c^2 + 2 c - 1 = 0 at c = cos(2 pi / 5) */
  fg_const c = fg_const_cos(p, 1, 5), c2 = fg_const_mul(p, c, c);
  fg_const sum = fg_const_add(p, fg_const_mul(p, fg_const_rational(p, 4, 1), c2), fg_const_add(p, c, c));
  assert_rational(x, sum, 1, 1);
  for (int64_t n = 2; n <= 40; n++) { /* product of 2 sin(pi k/n) is n; sum of cosines is 0 */
    fg_const product = fg_const_rational(p, 1, 1), zero = fg_const_rational(p, 1, 1);
    for (int64_t k = 1; k < n; k++) {
      fg_const chord = fg_const_mul(p, fg_const_rational(p, 2, 1), fg_const_sin(p, k, 2 * n));
      product = fg_const_mul(p, product, chord);
      zero = fg_const_add(p, zero, fg_const_cos(p, k, n));
    }
    assert_rational(x, product, n, 1);
    assert_rational(x, zero, 0, 1);
    assert_int_equal(fg_const_sign(p, zero), 0);
    assert_rational(x, fg_const_div(p, fg_const_rational(p, n, 1), product), 1, 1);
  }
  fg_const tangent = fg_const_div(p, fg_const_sin(p, 1, 8), fg_const_cos(p, 1, 8));
  assert_rational(x, tangent, 1, 1);
}

static void test_sharing(void **state) {
  fixture *x = *state;
  fg_const_pool *p = x->pool;
  assert_int_equal(fg_const_cos(p, 1, 8), fg_const_sin(p, 1, 8));
  assert_int_equal(fg_const_cos(p, 3, 10), fg_const_neg(p, fg_const_cos(p, 1, 5)));
  assert_int_equal(fg_const_sin(p, 5, 12), fg_const_rational(p, 1, 2));
  assert_int_equal(fg_const_rational(p, 6, -4), fg_const_rational(p, -3, 2));
  assert_int_equal(fg_const_cos(p, 7, 9), fg_const_cos(p, -14, 18));
  assert_rational(x, fg_const_cos(p, 1, 4), 0, 1);
  int before = fg_const_count(p);
  fg_const a = fg_const_mul(p, fg_const_cos(p, 1, 7), fg_const_cos(p, 1, 11));
  int after = fg_const_count(p);
  assert_true(after > before);
  assert_int_equal(a, fg_const_mul(p, fg_const_cos(p, 1, 11), fg_const_cos(p, 1, 7)));
  assert_int_equal(fg_const_neg(p, fg_const_neg(p, a)), a);
  assert_int_equal(fg_const_count(p), after + 1); /* -a */
}

/* No two different values share a handle, however close. */
static void test_distinct(void **state) {
  fixture *x = *state;
  fg_const_pool *p = x->pool;
  int64_t big = (int64_t)1 << 61;
  assert_int_not_equal(fg_const_rational(p, big - 1, big), fg_const_rational(p, 1, 1));
  assert_int_not_equal(fg_const_rational(p, 1, big), fg_const_rational(p, 1, big - 1));
  assert_int_not_equal(fg_const_rational(p, 1, big), fg_const_rational(p, 0, 1));
  enum { N = 1009 };
  fg_const handle[N / 2 + 1];
  for (int k = 0; k <= N / 2; k++) handle[k] = fg_const_cos(p, k, N);
  for (int k = 0; k <= N / 2; k++) {
    assert_int_equal(handle[k], fg_const_cos(p, N - k, N));
    for (int j = 0; j < k; j++) assert_int_not_equal(handle[j], handle[k]);
  }
}

/* A pool that saw more angles than any field has roots for still shares. */
static void test_without_field(void **state) {
  fixture *x = *state;
  fg_const_pool *p = x->pool;
  fg_const all = fg_const_rational(p, 0, 1);
  static const int64_t primes[] = {17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73};
  for (size_t i = 0; i < sizeof primes / sizeof *primes; i++) all = fg_const_add(p, all, fg_const_cos(p, 1, primes[i]));
  assert_true(fg_const_order(p, all) == 0); /* over 62 bits */
  for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
    all = fg_const_sub(p, all, fg_const_sin(p, primes[i] + 4, 4 * primes[i])); /* cos again */
  assert_rational(x, all, 0, 1);
  test_pythagoras(state);
  test_identities(state);
  test_distinct(state);
}

/* Images of expressions are the expressions of images, in any field; asking for
 * two fields in turn does not mix them up. */
static void test_images(void **state) {
  fixture *x = *state;
  fg_const_pool *p = x->pool;
  enum { ORDER = 8 * 9 * 5 * 7 * 11 * 4, STEPS = 400 };
  fg_field f[2] = {field_of(x, ORDER, 1), field_of(x, 13 * ORDER, 2)};
  uint64_t random = 3;
  for (int64_t n = 1; n <= 11; n++)
    for (int64_t k = 0; k < n; k++)
      for (int i = 0; i < 2; i++) {
        fg_gfc z = fg_gf_root(&f[i], k, n);
        assert_true(fg_const_image(p, &f[i], fg_const_cos(p, k, n)) == z.re);
        assert_true(fg_const_image(p, &f[i], fg_const_sin(p, k, n)) == z.im);
      }
  for (int s = 0; s < STEPS; s++) {
    uint64_t r = fg_random(&random), count = (uint64_t)fg_const_count(p);
    fg_const a = (fg_const)(r % count), b = (fg_const)(r / count % count);
    if (fg_const_order(p, a) == 0 || ORDER % fg_const_order(p, a)) continue;
    if (fg_const_order(p, b) == 0 || ORDER % fg_const_order(p, b) || fg_const_sign(p, b) == 0) continue;
    fg_const added = fg_const_add(p, a, b), taken = fg_const_sub(p, a, b), times = fg_const_mul(p, a, b);
    fg_const over = fg_const_div(p, a, b), minus = fg_const_neg(p, a);
    for (int i = 0; i < 2; i++) {
      const fg_field *g = &f[i];
      fg_gf u = fg_const_image(p, g, a), v = fg_const_image(p, g, b);
      assert_true(fg_const_image(p, g, added) == fg_gf_add(g, u, v));
      assert_true(fg_const_image(p, g, taken) == fg_gf_sub(g, u, v));
      assert_true(fg_const_image(p, g, times) == fg_gf_mul(g, u, v));
      assert_true(fg_gf_mul(g, fg_const_image(p, g, over), v) == u);
      assert_true(fg_const_image(p, g, minus) == fg_gf_neg(g, u));
    }
  }
  fg_gf *all = calloc((size_t)fg_const_count(p), sizeof *all);
  assert_non_null(all);
  fg_const_images(p, &f[0], all);
  for (fg_const a = 0; a < (fg_const)fg_const_count(p); a++) {
    bool fits = ORDER % fg_const_order(p, a) == 0;
    assert_true(all[a] == (fits ? fg_const_image(p, &f[0], a) : 0));
  }
  free(all);
}

static void test_order(void **state) {
  fixture *x = *state;
  fg_const_pool *p = x->pool;
  assert_int_equal(fg_const_order(p, fg_const_rational(p, 5, 3)), 4);
  assert_int_equal(fg_const_order(p, fg_const_cos(p, 2, 18)), 36);
  fg_const a = fg_const_add(p, fg_const_cos(p, 1, 9), fg_const_sin(p, 1, 10));
  assert_int_equal(fg_const_order(p, a), 180);
  assert_int_equal(fg_const_order(p, fg_const_div(p, a, fg_const_cos(p, 1, 7))), 1260);
}

static void test_rationals(void **state) {
  fixture *x = *state;
  fg_const_pool *p = x->pool;
  fg_const a = fg_const_rational(p, 1, 3), b = fg_const_rational(p, -2, 5);
  assert_rational(x, fg_const_add(p, a, b), -1, 15);
  assert_rational(x, fg_const_sub(p, a, b), 11, 15);
  assert_rational(x, fg_const_mul(p, a, b), -2, 15);
  assert_rational(x, fg_const_div(p, a, b), -5, 6);
  assert_rational(x, fg_const_neg(p, b), 2, 5);
  assert_int_equal(fg_const_sign(p, b), -1);
  assert_int_equal(fg_const_sign(p, a), 1);
  /* Beyond 64 bits: no longer one fraction, still exact. */
  fg_const big = fg_const_rational(p, (int64_t)1 << 62, 1), sum = fg_const_add(p, big, big);
  assert_true(fg_const_double(p, sum) == 0x1p63);
  fg_const square = fg_const_mul(p, big, big);
  assert_true(fg_const_double(p, square) == 0x1p124);
  assert_int_equal(fg_const_div(p, square, big), big);
  assert_int_equal(fg_const_sub(p, sum, big), big);
}

static void assert_printed(fixture *x, fg_const a, const char *want) {
  assert_string_equal(fg_const_print(&x->cx, x->pool, a), want);
}

static void test_print(void **state) {
  fixture *x = *state;
  fg_const_pool *p = x->pool;
  fg_const c = fg_const_cos(p, 1, 5), s = fg_const_sin(p, 2, 7), half = fg_const_rational(p, 1, 2);
  assert_printed(x, half, "1/2");
  assert_printed(x, fg_const_mul(p, s, half), "sin(2/7)*1/2");
  assert_printed(x, fg_const_neg(p, s), "-sin(2/7)");
  assert_printed(x, fg_const_sub(p, c, fg_const_sub(p, s, half)), "cos(1/5)-(sin(2/7)-1/2)");
  assert_printed(x, fg_const_div(p, fg_const_add(p, c, s), fg_const_mul(p, c, s)),
                 "(cos(1/5)+sin(2/7))/(cos(1/5)*sin(2/7))");
}

/* Handles and values survive many additions: the pool grows several times. */
static void test_growth(void **state) {
  fixture *x = *state;
  enum { N = 3000 };
  fg_const *handle = calloc(N, sizeof *handle);
  assert_non_null(handle);
  for (int k = 0; k < N; k++) handle[k] = fg_const_cos(x->pool, k, 4 * N);
  assert_true(fg_const_count(x->pool) >= N);
  for (int k = 0; k < N; k++) {
    assert_int_equal(handle[k], fg_const_sin(x->pool, N - k, 4 * N));
    if (k) assert_true(fg_const_double(x->pool, handle[k]) < fg_const_double(x->pool, handle[k - 1]));
  }
  free(handle);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(test_values),    TEST(test_pythagoras),    TEST(test_identities), TEST(test_sharing),
      TEST(test_distinct),  TEST(test_without_field), TEST(test_images),     TEST(test_order),
      TEST(test_rationals), TEST(test_print),         TEST(test_growth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
