/* Convolutions of three dimensions whose planes are in a block, or in the blocks of a cluster. */
#include "tests/unit/offers.h"
#include "tests/unit/proving.h"
#include "tests/unit/text_proof.h"

static const struct planes {
  const char *problem, *plan;
} planes[] = {
    {"conv f32 n=4x8x8 batch=3 spectrum=each", "nd(convolve(direct(4)), direct(8), stockham(4,2); cluster=1)"},
    {"conv f32 n=6x8x12 batch=2 spectrum=each,conj", "nd(convolve(direct(6)), direct(8), stockham(4,3); cluster=4)"},
    {"conv f64 n=12x4x6 place=in batch=2", "nd(convolve(stockham(4,3)), direct(4), direct(6); cluster=2)"},
    {"conv f32 n=4x8x8 load=zeropad(3x6x5) store=crop(4x8x7)",
     "nd(convolve(direct(4)), direct(8), direct(8); cluster=2)"},
    {"conv f16 n=4x4x8 batch=2", "nd(convolve(direct(4)), direct(4), direct(8); cluster=2)"},
};

static void three_kernels_are_proved(void **state) {
  (void)state;
  fg_mapping clusters = threads;
  clusters.cluster = 8;
  for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) {
    fg_program *p = assembled_for(planes[i].problem, planes[i].plan, &clusters);
    assert_int_equal(p->nkernel, 3);
    must_hold(p);
    text_proof_both(p, NULL, 7, planes[i].plan);
  }
}

static void other_shapes_are_refused(void **state) {
  (void)state;
  fg_program *p;
  fg_mapping clusters = threads;
  clusters.cluster = 8;
  static const struct planes wrong[] = {
      {"conv f32 n=8x8", "nd(direct(8), convolve(direct(8)); cluster=2)"},
      {"conv f32 n=4x8x8", "nd(direct(4), direct(8), convolve(direct(8)); cluster=2)"},
      {"conv f32 n=4x9x8", "nd(convolve(direct(4)), direct(9), direct(8); cluster=2)"},
      {"rconv f32 n=4x8x8", "nd(convolve(direct(4)), direct(8), real(2, direct(4)); cluster=2)"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_not_equal(try_assemble(wrong[i].problem, wrong[i].plan, &clusters, &p), FG_OK);
    assert_non_null(strstr(context.diag.message, "cluster="));
  }
}

static int count_offers(const char *problem) {
  offers o;
  int count = 0;
  offers_for(problem, 16, true, &o);
  for (int i = 0; i < o.plans.count; i++) count += fg_plan_param_value(o.plans.plan[i], FG_PARAM_CLUSTER) > 0;
  return count;
}

static void planes_that_clusters_hold_are_offered(void **state) {
  (void)state;
  assert_true(count_offers("conv f32 n=256x256x256 batch=8 spectrum=each") > 0);
  assert_true(count_offers("conv f64 n=64x64x64 batch=100") > 0);
  assert_int_equal(count_offers("conv f32 n=64x4096x4096"), 0);
  assert_int_equal(count_offers("rconv f32 n=64x64x64 batch=9"), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(three_kernels_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(other_shapes_are_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(planes_that_clusters_hold_are_offered, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
