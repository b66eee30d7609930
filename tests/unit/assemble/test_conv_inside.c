/* Convolutions of several dimensions in one block: forward, the product, and back, in one kernel. */
#include "tests/unit/offers.h"
#include "tests/unit/proving.h"
#include "tests/unit/text_proof.h"

static const struct inside {
  const char *problem, *plan;
} inside[] = {
    {"conv f32 n=16x12 batch=5 spectrum=each", "nd(stockham(4,4), convolve(stockham(4,3)); inside=2)"},
    {"conv f32 n=8x20 batch=count[1..7] spectrum=channel,conj", "nd(direct(8), convolve(stockham(5,4)); inside=2)"},
    {"conv f64 n=12x10 batch=3 scale=1/n", "nd(convolve(direct(12)), direct(10); inside=2)"},
    {"conv f32 n=5x6x7 batch=2 load=mul store=mul", "nd(direct(5), direct(6), convolve(direct(7)); inside=3)"},
    {"conv f16 n=8x8 batch=4", "nd(direct(8), convolve(direct(8)); inside=2)"},
    {"conv f32 n=1x12x6 place=in batch=4", "nd(direct(1), direct(12), convolve(direct(6)); inside=3)"},
    {"rconv f32 n=8x20 batch=4 spectrum=each", "nd(convolve(direct(8)), real(4, direct(5)); inside=2)"},
    {"rconv f64 n=6x5x12 batch=2", "nd(convolve(direct(6)), direct(5), real(2, direct(6)); inside=3)"},
    {"rconv f32 n=12x9 filter=shared", "nd(convolve(stockham(4,3)), direct(9); inside=2)"},
    {"rconv f32 n=16x16 batch=3 load=zeropad(9x10) store=crop(12x9)",
     "nd(convolve(direct(16)), real(4, direct(4)); inside=2)"},
};

static void one_kernel_is_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
    fg_program *p = assembled_for(inside[i].problem, inside[i].plan, &threads);
    assert_int_equal(p->nkernel, 1);
    must_hold(p);
    text_proof_both(p, NULL, 7, inside[i].plan);
  }
}

/* Of two stages of other dimensions each barrier is needed. */
static void barriers_are_needed(void **state) {
  (void)state;
  fg_program *p = assembled_for(inside[0].problem, inside[0].plan, &threads);
  fg_kernel *k = p->kernel[0];
  for (int s = 0; s + 1 < k->nstage; s++) {
    fg_exchange was = k->stage[s].exchange.after;
    if (!fg_exchange_is_barrier(&was)) continue;
    k->stage[s].exchange.after = fg_exchange_none();
    assert_true(must_fail(p, "").races > 0);
    k->stage[s].exchange.after = was;
  }
  must_hold(p);
}

static void parts_are_refused(void **state) {
  (void)state;
  fg_program *p;
  assert_int_not_equal(
      try_assemble("conv f32 n=4x8x8", "nd(direct(4), direct(8), convolve(direct(8)); inside=2)", &threads, &p), FG_OK);
  assert_non_null(strstr(context.diag.message, "all its dimensions"));
  assert_int_not_equal(try_assemble("conv f32 n=8x8", "nd(direct(8), convolve(direct(8)); cluster=2)", &threads, &p),
                       FG_OK);
}

/* Plans whose whole program is one kernel. */
static int count_offers(const char *problem) {
  offers o;
  int count = 0;
  offers_for(problem, 16, true, &o);
  for (int i = 0; i < o.plans.count; i++) count += fg_plan_param_value(o.plans.plan[i], FG_PARAM_INSIDE) > 0;
  return count;
}

static void blocks_that_hold_them_are_offered(void **state) {
  (void)state;
  assert_true(count_offers("conv f32 n=64x64 batch=100") > 0);
  assert_true(count_offers("conv f32 n=16x16x16 batch=100 spectrum=each") > 0);
  assert_true(count_offers("rconv f64 n=32x40 batch=100") > 0);
  assert_int_equal(count_offers("conv f32 n=256x256 batch=100"), 0);
  assert_int_equal(count_offers("conv f32 n=64x32x16 batch=100"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(one_kernel_is_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(barriers_are_needed, setup, teardown),
      cmocka_unit_test_setup_teardown(parts_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(blocks_that_hold_them_are_offered, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
