/* Sums of frames are shared out among blocks, whatever a signal's length. */
#include "tests/unit/proving.h"
#include "tests/unit/text_proof.h"

static int64_t blocks_of(const fg_kernel *k) {
  int64_t blocks = 1;
  for (int i = 0; i < k->launch.nblocks; i++) blocks *= k->launch.blocks[i].n;
  return blocks;
}

static void blocks_have_parts_of_a_signal(void **state) {
  (void)state;
  static const struct sums {
    const char *problem, *plan;
    int64_t least;
  } sums[] = {
      {"istft f32 n=200:17:8x32", "frames(real(4, direct(8)))", 10},
      {"istft f64 n=60:9:5x16 store=window(hann),norm batch=3", "frames(real(4, direct(4)))", 6},
      {"imdct f32 n=300x12", "frames(fold(direct(12)))", 30},
  };
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
    fg_program *p = assembled_for(sums[i].problem, sums[i].plan, &threads);
    const fg_kernel *last = p->kernel[p->nkernel - 1];
    assert_int_equal(last->nstage, 1);
    assert_true(blocks_of(last) >= sums[i].least);
    must_hold(p);
    text_proof_both(p, NULL, 7, sums[i].plan);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(blocks_have_parts_of_a_signal, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
