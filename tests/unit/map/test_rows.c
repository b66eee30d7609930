/* Rows of the last of several dimensions, one codelet each, go through shared memory; the barriers around it are
 * needed. */
#include "tests/unit/proving.h"
#include "tests/unit/text_proof.h"

static const struct staged {
  const char *problem, *plan;
  int row; /* the kernel that has rows */
} staged[] = {
    {"c2c f32 n=4x40x11 batch=3", "nd(direct(4), stockham(8,5), direct(11))", 0},
    {"c2c f32 n=4x40x7 batch=count[1..5]", "nd(direct(4), stockham(8,5), direct(7))", 0},
    {"c2c f64 n=5x33x9 batch=2 sign=+1", "nd(direct(5), direct(33), direct(9))", 0},
    {"c2c f16 n=8x8x5 batch=4", "nd(direct(8), direct(8), direct(5))", 0},
    {"c2c f32 n=100x6 place=in batch=4", "nd(stockham(10,10), direct(6))", 0},
    {"c2c f32 n=64x3", "nd(stockham(8,8), direct(3))", 0},
};

static bool goes_through_memory(const fg_program *p, const fg_kernel *k) {
  return k->nstage == 3 && p->buffer[k->stage[0].store.buffer].space == FG_SPACE_LOCAL && k->stage[1].codelet &&
         p->buffer[k->stage[2].load.buffer].space == FG_SPACE_LOCAL;
}

static void rows_are_staged_and_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof staged / sizeof *staged; i++) {
    fg_program *p = assembled_for(staged[i].problem, staged[i].plan, &threads);
    assert_true(p->nkernel > 1 && goes_through_memory(p, p->kernel[staged[i].row]));
    must_hold(p);
    text_proof_both(p, NULL, 7, staged[i].plan);
  }
}

static void barriers_are_needed(void **state) {
  (void)state;
  for (int s = 0; s < 2; s++) {
    fg_program *p = assembled_for(staged[0].problem, staged[0].plan, &threads);
    p->kernel[0]->stage[s].exchange.after = fg_exchange_none();
    assert_true(must_fail(p, "").races > 0);
  }
}

/* Rows of other strides, few of them, or groups of few: as they were. */
static void others_are_not(void **state) {
  (void)state;
  static const struct staged others[] = {
      {"c2c f32 n=4x40x11 batch=3", "nd(direct(4), stockham(8,5), direct(11); group=4)", 0},
      {"c2c f32 n=2x4x11 batch=30", "nd(direct(2), direct(4), direct(11))", 0},
      {"c2c f32 n=4x40:16:11x11 batch=3:640:1760", "nd(direct(4), stockham(8,5), direct(11))", 0},
      {"c2c f32 n=4x40x11 batch=3 load=window(hann)", "nd(direct(4), stockham(8,5), direct(11))", 0},
      {"c2c f32 n=4x40x11 batch=3 layout=split", "nd(direct(4), stockham(8,5), direct(11))", 0},
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    fg_program *p = assembled_for(others[i].problem, others[i].plan, &threads);
    assert_false(goes_through_memory(p, p->kernel[0]));
    must_hold(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(rows_are_staged_and_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(barriers_are_needed, setup, teardown),
      cmocka_unit_test_setup_teardown(others_are_not, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
