/* Lines of one dimension of several in two kernels each, parts of them in blocks: beside other dimensions, with them in
 * the block, beside neighbours of the batch, of reals; and where there are none. */
#include "tests/unit/proving.h"

static const fg_mapping roomy = OF_THREADS(.local_bytes = 200 << 10, .cluster = 4);

static const struct {
  const char *problem, *plan;
  int kernels;
} all[] = {
    {"c2c f32 n=3x96", "nd(direct(3), four-step(stockham(4,2), direct(12)))", 3},
    {"c2c f32 n=96x21", "nd(four-step(direct(8), stockham(4,3); tile=3, rows=2), direct(21))", 3},
    {"c2c f64 n=80:160:200x5:27:31 batch=2:12800:16000", "nd(four-step(direct(8), direct(10)), direct(5); tile=2)", 3},
    {"c2c f32 n=48x60 place=in",
     "nd(four-step(direct(8), direct(6); uneven=on, rows=5), four-step(direct(6), direct(10)))", 4},
    {"c2c f32 n=4x64x18 sign=+1", "nd(direct(4), four-step(direct(8), direct(8)), direct(18); tile=8)", 4},
    {"c2c f32 n=64:35:35x5:7:7 batch=7:1:1", "nd(four-step(direct(8), direct(8)), direct(5); tile=16)", 3},
    {"c2c f32 n=5:576:576x64:9:9 batch=9:1:1", "nd(direct(5), four-step(direct(8), direct(8)))", 3},
    {"r2c f32 n=3x128", "nd(direct(3), four-step(direct(8), stockham(4,4)); uneven=on)", 3},
    {"c2r f32 n=3x128", "nd(direct(3), four-step(direct(8), stockham(4,4)); uneven=on)", 3},
    {"r2c f32 n=64x20", "nd(four-step(direct(8), direct(8)), real(4, direct(5)))", 3},
    {"c2c f32 n=5x96", "nd(direct(5), four-step(stockham(4,2), direct(12); tile=4, rows=4); inside=2)", 2},
    {"c2c f32 n=96x21 batch=2", "nd(four-step(direct(8), stockham(4,3)), stockham(7,3); inside=2)", 2},
    {"c2c f64 n=3:570:580x64:8:9x5:1:1 sign=+1",
     "nd(direct(3), four-step(direct(4), direct(16); rows=2), direct(5); inside=3)", 2},
    {"c2c f32 n=64x6x5 place=in", "nd(four-step(stockham(4,2), direct(8)), direct(6), direct(5); inside=3)", 2},
    {"r2c f32 n=64x20 scale=1/n", "nd(four-step(direct(8), direct(8)), real(4, direct(5)); inside=2)", 2},
    {"c2r f32 n=64x20 batch=3", "nd(four-step(stockham(4,2), direct(8); tile=3, rows=3), real(4, direct(5)); inside=2)",
     2},
    {"c2r f64 n=3:570:640x64:8:9x5:1:1", "nd(direct(3), four-step(direct(4), direct(16)), direct(5); inside=3)", 2},
    {"r2c f32 n=128:23:23 batch=23:1:1", "four-step(direct(8), stockham(4,4))", 2},
    {"c2r f64 n=128:5:5 batch=3:325:640x5:1:1", "four-step(stockham(4,2), stockham(4,4); tile=15, rows=10)", 2},
};

static void parts_hold(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const fg_program *p = assembled_for(all[i].problem, all[i].plan, &roomy);
    must_hold(p);
    if (p->nkernel != all[i].kernels) fail_msg("%s, %s: %d kernels", all[i].problem, all[i].plan, p->nkernel);
  }
}

/* Neighbours stay side by side between the two kernels. */
static void neighbours_stay(void **state) {
  (void)state;
  const fg_program *p = assembled_for("c2c f32 n=64x16", "nd(four-step(direct(8), direct(8)), direct(16))", &roomy);
  for (int b = 0; b < p->nbuffer; b++)
    if (p->buffer[b].space == FG_SPACE_WORK) assert_int_equal(p->buffer[b].size, 64 * 16);
  const fg_kernel *k = p->kernel[p->nkernel - 1];
  int16_t lanes = k->stage[0].loop[k->stage[0].nloop - 1];
  assert_true(fg_num_is(fg_affine_coef(&k->stage[0].load.index.at, lanes), 1));
}

static void not_built(const char *problem, const char *plan, const fg_mapping *map) {
  fg_program *p = NULL;
  if (try_assemble(problem, plan, map, &p) == FG_OK) fail_msg("%s, %s is built", problem, plan);
}

static void others_have_none(void **state) {
  (void)state;
  not_built("c2c f32 n=3x96", "nd(direct(3), four-step(direct(8), direct(12)))", &eight_lanes);
  not_built("c2c f32 n=8x64 batch=9", "nd(direct(8), four-step(direct(8), direct(8)); queue=3)", &roomy);
  not_built("c2c f32 n=3x8x64", "nd(direct(3), direct(8), four-step(direct(8), direct(8)); inside=2)", &roomy);
  not_built("r2c f32 n=8x64", "nd(direct(8), four-step(direct(8), stockham(4,2)); inside=2)", &roomy);
  not_built("c2c f32 n=64", "four-step(four-step(direct(4), direct(4)), direct(4))", &roomy);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_hold), cmocka_unit_test(neighbours_stay),
                                     cmocka_unit_test(others_have_none)};
  return cmocka_run_group_tests(tests, setup_guarded, teardown);
}
