/* Stages that warps compute by products of matrices (lower/products.c): their kernels are proved, by all blocks or by
 * those at the ends of long batches; faults of their text are found; others than they are for refuse. */
#include "generator/prove/sparse.h"
#include "tests/unit/compiled.h"

static void compiled_on(const char *machine, const char *problem, const char *plan, fg_compilation *c) {
  compiled((fg_request){.problem = problem, .plan = plan, .target = "cuda", .machine = fg_machine_find(machine)}, c);
}

/* Lengths at the edges of blocks of sixteen, even ones, warps of 8, 16 and 32 transforms, groups that are not full. */
static void kernels_are_proved(void **state) {
  (void)state;
  static const char *const all[][2] = {
      {"c2c f16 n=3 batch=5", "direct(3; matrix=on)"},
      {"c2c f16 n=31 batch=70", "direct(31; matrix=on, group=16, threads=32)"},
      {"c2c f16 n=32 batch=64", "direct(32; matrix=on, group=64, threads=64)"},
      {"c2c f16 n=33 batch=33", "direct(33; matrix=on, group=32, threads=128)"},
      {"c2c f16 n=67 batch=count[1..300]", "direct(67; matrix=on)"},
      {"c2c f16 n=94 batch=40 sign=+1 place=in", "direct(94; matrix=on, group=8, threads=32)"},
      {"c2c f16 n=255 batch=9", "direct(255; matrix=on, group=16, threads=64)"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_compilation c;
    compiled_on("sm_90", all[i][0], all[i][1], &c);
    if (!c.text.read) fail_msg("%s: its text is not read", all[i][0]);
    assert_non_null(strstr(c.emitted.artifact.source, "fftgen_mma_m16n8k16_f16(a"));
    fresh();
  }
}

/* Drawn lengths, batches and blocks. */
static void drawn_ones_are_proved(void **state) {
  (void)state;
  static const int group[] = {8, 16, 32, 32, 64}, each[] = {4, 2, 1, 4, 2}; /* threads of a transform */
  unsigned random = 20261130;
  for (int i = 0; i < 16; i++) {
    int n[4];
    for (int k = 0; k < 4; k++) random = random * 1664525u + 1013904223u, n[k] = (int)(random >> 8);
    const char *place = n[3] % 2 ? " place=in" : "", *sign = n[3] / 2 % 2 ? " sign=+1" : "";
    int points = 3 + n[0] % 253, shape = n[2] % 5;
    fg_compilation c;
    compiled_on("sm_90",
                fg_arena_printf(context.arena, "c2c f16 n=%d batch=%d%s%s", points, 1 + n[1] % 90, place, sign),
                fg_arena_printf(context.arena, "direct(%d; matrix=on, group=%d, threads=%d)", points, group[shape],
                                group[shape] * each[shape]),
                &c);
    assert_true(c.text.read > 0);
    fresh();
  }
}

/* Of 2^30 bytes. */
static void ends_of_long_batches_are_proved(void **state) {
  (void)state;
  fg_compilation c;
  compiled_on("sm_80", "c2c f16 n=127 batch=1056837", "direct(127; matrix=on)", &c);
  assert_true(c.text.read > 0 && c.text.outputs >= (int64_t)2 * 127 * 32);
}

typedef struct fault {
  const char *from, *to;
  int n;
} fault;

static void are_found(const char *problem, const char *plan, const fault *all, size_t count) {
  fg_compilation c;
  compiled_on("sm_90", problem, plan, &c);
  for (size_t i = 0; i < count; i++) {
    const char *changed = text_with(context.arena, c.emitted.artifact.source, all[i].from, all[i].n, all[i].to);
    if (!failure_with(&c, changed)[0]) fail_msg("%s: '%s' for '%s' is not found", problem, all[i].to, all[i].from);
  }
}

static void faults_are_found(void **state) {
  (void)state;
  static const fault all[] = {
      {"lane / 4", "lane / 8", 1},                         /* another column */
      {"lane % 4", "lane / 4", 1},                         /* another k */
      {"5 * (first", "4 * (first", 1},                     /* another row of memory */
      {"q < 3", "q < 4", 1},                               /* an input that is its own partner */
      {"0 < q && q < 3", "q < 3", 1},                      /* input 0 twice */
      {".x + u0.x", ".x - u0.x", 1},                       /* a difference for a sum */
      {"w18.x, w19.x", "w19.x, w18.x", 1},                 /* cosines of other columns */
      {"w18.y", "w18.x", 1},                               /* a cosine among sines */
      {"m16n8k16_f16(a26, b5", "m16n8k16_f16(a27, b5", 1}, /* sines of sums */
      {".v[0] + c31.v[0]", ".v[0] + c31.v[1]", 1},         /* a sum of another transform */
      {".v[0] - c31", ".v[0] + c31", 1},                   /* C + i S for C - i S */
      {"0 < k && k < 3", "k < 3", 3},                      /* a result n: of another warp's transform */
      {"0 < k && k < 3", "k < 2 && 0 < k", 1},             /* no result 3 */
      {"__syncthreads();", "", 1},                         /* rows that have not come */
      {"__syncthreads();", "", 2},                         /* results that have not */
      {"tw0 + 2 * root", "tw0 + 2 * root + 2", 1},
  };
  are_found("c2c f16 n=5 batch=40", "direct(5; matrix=on)", all, sizeof all / sizeof *all);
}

/* Stores and loads between the ends, too, whose blocks are not run. */
static void faults_of_long_batches_are_found(void **state) {
  (void)state;
  static const fault all[] = {
      {"in + 2 * e + 254 * b", "in + 2 * e + 254 * (b < 32 ? 320000 : b)", 1},
      {"out + 2 * e + 254 * b", "out + 2 * e + 254 * (b < 32 ? 320000 : b)", 1},
      {"b = 32 * block", "b = 32 * (block / 2)", 1},
      {"lane / 4", "lane / 8", 1},
  };
  are_found("c2c f16 n=127 batch=1000000", "direct(127; matrix=on)", all, sizeof all / sizeof *all);
}

static void refuses(const char *machine, const char *problem, const char *plan, const char *why) {
  fg_compilation c;
  fg_request r = {.problem = problem, .plan = plan, .target = "cuda", .machine = fg_machine_find(machine)};
  if (!strcmp(machine, "opencl")) r.target = "opencl", r.machine = NULL;
  assert_int_not_equal(fg_pipeline_compile(&context, &r, &c), FG_OK);
  if (!strstr(context.diag.message, why)) fail_msg("%s: %s", problem, context.diag.message);
  fg_diag_clear(&context.diag);
}

static void others_refuse(void **state) {
  (void)state;
  refuses("sm_70", "c2c f16 n=127 batch=64", "direct(127; matrix=on)", "this target has none");
  refuses("opencl", "c2c f16 n=127 batch=64", "direct(127; matrix=on)", "this target has none");
  refuses("sm_90", "c2c f32 n=127 batch=64", "direct(127; matrix=on)", "half precision");
  refuses("sm_90", "c2c bf16 n=127 batch=64", "direct(127; matrix=on)", "half precision");
  refuses("sm_90", "r2c f16 n=127 batch=64", "direct(127; matrix=on)", "c2c alone");
  refuses("sm_90", "c2c f16 n=127 batch=64 scale=1/n", "direct(127; matrix=on)", "without operations");
  refuses("sm_90", "c2c f16 n=257 batch=64", "direct(257; matrix=on)", "1 .. 255");
  refuses("sm_90", "c2c f16 n=64 batch=64", "stockham(8,8; matrix=on)", "direct(N; matrix=on)");
  refuses("sm_90", "c2c f16 n=127 batch=64", "direct(127; matrix=on, group=24)", "whole warps");
  refuses("sm_90", "c2c f16 n=127:2:2 batch=64:254:254", "direct(127; matrix=on)", "one behind the other");
}

/* The recipe offers it for primes, to machines that have such products. */
static void primes_choose_it(void **state) {
  (void)state;
  static const struct {
    const char *machine, *problem;
    bool chosen;
  } all[] = {{"h100", "c2c f16 n=127 batch=264208", true},  {"h200", "c2c f16 n=251 batch=133680", true},
             {"h100", "c2c f16 n=254 batch=132104", false}, {"h100", "c2c f32 n=127 batch=264208", false},
             {"sm_70", "c2c f16 n=127 batch=2642", false},  {"h100", "c2c f16 n=257 batch=130562", false}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_compilation c;
    fg_request r = {.problem = all[i].problem, .target = "cuda", .machine = fg_machine_find(all[i].machine)};
    if (fg_pipeline_parse(&context, &r, &c) != FG_OK || fg_pipeline_decide(&c) != FG_OK)
      fail_msg("%s: %s", all[i].problem, context.diag.message);
    if (fg_plan_has_matrix(c.chosen.plan) != all[i].chosen) fail_msg("%s, %s", all[i].machine, all[i].problem);
    fresh();
  }
}

static void untouched_pages_are_known(void **state) {
  (void)state;
  enum { BYTES = 1 << 20, AT = 1 << 19 };
  fg_sparse s = {0};
  char *x = fg_sparse_zeros(&s, BYTES);
  assert_non_null(x);
  x[0] = 1, x[BYTES - 1] = 1;
  assert_true(fg_sparse_is_untouched(x + 1, BYTES - 2));
  assert_false(fg_sparse_is_untouched(x, BYTES));
  x[AT] = 1;
  assert_false(fg_sparse_is_untouched(x + 1, BYTES - 2));
  fg_sparse_free(&s);
  assert_int_equal(s.count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(kernels_are_proved, setup, teardown),
                                     cmocka_unit_test_setup_teardown(drawn_ones_are_proved, setup, teardown),
                                     cmocka_unit_test_setup_teardown(ends_of_long_batches_are_proved, setup, teardown),
                                     cmocka_unit_test_setup_teardown(faults_are_found, setup, teardown),
                                     cmocka_unit_test_setup_teardown(faults_of_long_batches_are_found, setup, teardown),
                                     cmocka_unit_test_setup_teardown(others_refuse, setup, teardown),
                                     cmocka_unit_test_setup_teardown(primes_choose_it, setup, teardown),
                                     cmocka_unit_test(untouched_pages_are_known)};
  return cmocka_run_group_tests_name("products", tests, NULL, NULL);
}
