/* Numbers of a block against MPFR: products, the way from floats and back, roots,
 * transforms. */
#include "generator/math/block.h"
#include "generator/math/field.h"
#include "generator/math/quad.h"
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static uint64_t state = 7;

static fg_block random_block(int64_t most) {
  fg_fraction low = fg_random(&state);
  return (fg_block){low << 64 | fg_random(&state), (int64_t)(fg_random(&state) % (uint64_t)(2 * most + 1)) - most};
}

static void to_mpfr(mpfr_t out, fg_block x) {
  mpfr_set_ui(out, (uint64_t)(x.low >> 64), MPFR_RNDN);
  mpfr_mul_2si(out, out, 64, MPFR_RNDN);
  mpfr_add_ui(out, out, (uint64_t)x.low, MPFR_RNDN);
  mpfr_mul_2si(out, out, -128, MPFR_RNDN);
  mpfr_add_si(out, out, x.high, MPFR_RNDN);
}

static void products(void **unused) {
  (void)unused;
  mpfr_t x, y, z;
  mpfr_inits2(512, x, y, z, (mpfr_ptr)0);
  for (int i = 0; i < 20000; i++) {
    int64_t most = i % 4 == 0 ? 0 : i % 4 == 1 ? 3 : 1 << 30;
    fg_block a = random_block(most), b = random_block(most);
    to_mpfr(x, a), to_mpfr(y, b), to_mpfr(z, fg_block_mul(a, b));
    mpfr_mul(x, x, y, MPFR_RNDN);
    mpfr_sub(x, x, z, MPFR_RNDN);
    assert_true(mpfr_zero_p(x) || mpfr_get_exp(x) <= -126);
    to_mpfr(x, fg_block_add(a, b)), to_mpfr(y, a), to_mpfr(z, b);
    mpfr_sub(x, x, y, MPFR_RNDN);
    mpfr_sub(x, x, z, MPFR_RNDN);
    assert_true(mpfr_zero_p(x));
  }
  mpfr_clears(x, y, z, (mpfr_ptr)0);
}

static void floats(void **unused) {
  (void)unused;
  for (int i = 0; i < 20000; i++) {
    int e = (int)(fg_random(&state) % 400) - 200;
    fg_quad x = fg_block_quad(random_block(i % 2 ? 0 : 1 << 20), e), y = x < 0 ? -x : x;
    int most = fg_block_exponent(&x, 1);
    assert_true(fg_block_quad(fg_block_from(x, most), most) == x);
    assert_true(y < (fg_quad)ldexp(1, most) && y >= (fg_quad)ldexp(1, most - 1));
  }
  fg_quad special[] = {0, INFINITY, NAN, 1};
  assert_int_equal(fg_block_exponent(special, 1), INT_MIN);
  assert_int_equal(fg_block_exponent(special, 2), INT_MAX);
  assert_int_equal(fg_block_exponent(special + 2, 1), INT_MAX);
  assert_int_equal(fg_block_exponent(special + 3, 1), 1);
  assert_true(fg_block_quad(fg_block_from(0, 3), 3) == 0);
  assert_true(fg_block_from((fg_quad)0x1p-140, 0).low == 0);
}

/* By the definition, in floats of 113 bits. */
static void transforms(void **unused) {
  (void)unused;
  static const int lengths[] = {1, 2, 3, 4, 8, 12, 60, 61, 64, 67, 134, 210, 289};
  fg_context cx = {.arena = fg_arena_create()};
  assert_int_equal(fg_arena_guard(cx.arena), 0);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      int n = lengths[i];
      fg_quadc *x = fg_arena_new(cx.arena, fg_quadc, n), *y = fg_arena_new(cx.arena, fg_quadc, n);
      const fg_quadc *root = fg_quad_roots(&cx, n);
      for (int j = 0; j < n; j++) {
        x[j].re = fg_block_quad(random_block(1), 5);
        x[j].im = fg_block_quad(random_block(1), 5);
      }
      fg_quad_dft(&cx, n, sign, x, y);
      fg_quad distance = 0, size = 0;
      for (int k = 0; k < n; k++) {
        fg_quadc sum = {0, 0};
        for (int j = 0; j < n; j++) {
          fg_quadc w = root[j * k % n], z = fg_quadc_mul(x[j], (fg_quadc){w.re, sign * w.im});
          sum = (fg_quadc){sum.re + z.re, sum.im + z.im};
        }
        fg_quadc d = {sum.re - y[k].re, sum.im - y[k].im};
        distance += d.re * d.re + d.im * d.im;
        size += sum.re * sum.re + sum.im * sum.im;
      }
      assert_true(sqrt((double)(distance / size)) < 0x1p-108);
    }
  fg_arena_destroy(cx.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(floats),
                                     cmocka_unit_test(transforms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
