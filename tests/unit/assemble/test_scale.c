/* Where the scale of a convolution is: at its results, or with the product where numbers between passes are halves. */
#include "tests/unit/proving.h"

static const fg_mapping roomy = OF_THREADS(.local_bytes = 200 << 10, .cluster = 8);

static int scales(const fg_operations *operations) {
  int count = 0;
  for (int i = 0; operations && i < operations->count; i++)
    count += operations->operation[i].row->takes == FG_TAKES_SYMBOL;
  return count;
}

static bool stores_results(const fg_program *p, const fg_stage *s) {
  return p->buffer[s->store.buffer].space == FG_SPACE_OUTPUT;
}

static const struct {
  const char *problem, *plan;
  int results, between; /* stages that scale what they store to the output, and others */
} all[] = {
    {"conv f16 n=512 scale=1/n", "convolve(stockham(8,8,8))", 1, 0},
    {"conv f16 n=512 scale=1/n", "convolve(stockham(8,8,8); narrow=on)", 0, 1},
    {"conv f32 n=512 scale=1/n", "convolve(stockham(8,8,8))", 1, 0},
    {"conv f16 n=512", "convolve(stockham(8,8,8); narrow=on)", 0, 0},
    {"conv bf16 n=8 scale=1/n", "convolve(direct(8); narrow=on)", 1, 0},
    {"conv f16 n=64 scale=1/n", "convolve(four-step(stockham(4,2), stockham(4,2); cluster=2); narrow=on)", 0, 1},
    {"conv bf16 n=16x16 scale=1/n", "nd(stockham(4,4), convolve(stockham(4,4)); tile=8, rows=8, narrow=on)", 0, 1},
    {"rconv f16 n=1024 scale=0.5", "convolve(real(8, stockham(16,8)); narrow=on)", 0, 3},
    {"rconv f16 n=1024 batch=4 scale=1/n", "convolve(paired(stockham(16,8,8)); narrow=on)", 0, 2},
    {"rconv f16 n=1024:1:3 batch=2 scale=1/n", "convolve(real(8, stockham(16,8)); narrow=on)", 0, 3},
    {"rconv bf16 n=1024:3:1 scale=1/n load=mul store=crop(1:999)", "convolve(real(8, stockham(16,8)); narrow=on)", 0,
     3},
    {"rconv bf16 n=1024 scale=1/n", "convolve(real(4, four-step(stockham(8,4), direct(8); cluster=4)); narrow=on)", 0,
     4},
};

static void scale_is_where_numbers_are_wide(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const fg_program *p = assembled_for(all[i].problem, all[i].plan, &roomy);
    int results = 0, between = 0;
    must_hold(p);
    for (int k = 0; k < p->nkernel; k++)
      for (int j = 0; j < p->kernel[k]->nstage; j++) {
        const fg_stage *s = &p->kernel[k]->stage[j];
        int found = scales(s->operations.loaded) + scales(s->operations.stored);
        *(stores_results(p, s) ? &results : &between) += found;
      }
    if (results != all[i].results || between != all[i].between)
      fail_msg("%s by %s: %d of results, %d between", all[i].problem, all[i].plan, results, between);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scale_is_where_numbers_are_wide)};
  return cmocka_run_group_tests(tests, setup_guarded, teardown);
}
