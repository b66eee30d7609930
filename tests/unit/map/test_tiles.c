/* Tiles of CPUs: passes that share their loops, lines that are fetched ahead, where workspaces are. */
#include "generator/ir/count.h"
#include "tests/unit/isa_program.h"
#include <stdlib.h>

/* ---- shared loops --------------------------------------------------------------------- */

static int sharing(const fg_program *p) {
  int n = 0;
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) n += p->kernel[k]->stage[s].vectors.shared > 0;
  return n;
}

static int64_t scratch_of(const fg_program *p) {
  fg_program_cost cost;
  fg_program_count(p, &cost);
  return cost.local_size;
}

/* Programs and their texts, of loops that are cut and loops that are whole, of two and three passes. */
static void what_is_shared_is_proved(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    int pairs;
  } all[] = {
      {"avx2", "c2c f64 n=64", "four-step(stockham(2,2,2), stockham(2,2,2)", 2},
      {"avx2", "c2c f32 n=4096 sign=+1", "four-step(stockham(8,4,2), stockham(4,4,4)", 2},
      {"znver4", "c2c f64 n=16384", "four-step(stockham(8,4,4), stockham(8,4,4)", 2},
      {"avx512", "c2c f32 n=24000 batch=2", "four-step(stockham(16,5,2), stockham(3,5,2,5)", 3},
      {"sse2", "c2c f32 n=2304", "four-step(stockham(4,4,3), stockham(4,4,3)", 2},
      {"neon", "c2c f64 n=1024 place=in", "four-step(stockham(4,4,2), stockham(4,2,4)", 2},
      {"avx2", "c2c f64 n=60x64", "nd(stockham(3,4,5), stockham(4,4,4)", 2},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const fg_program *apart =
        program_for(all[i].isa, all[i].problem, fg_arena_printf(context.arena, "%s; fuse_loops=off)", all[i].plan));
    const fg_program *p =
        program_for(all[i].isa, all[i].problem, fg_arena_printf(context.arena, "%s; fuse_loops=on)", all[i].plan));
    if (sharing(p) != all[i].pairs) fail_msg("%s, %s: %d pairs", all[i].problem, all[i].plan, sharing(p));
    assert_int_equal(sharing(apart), 0);
    assert_true(scratch_of(p) < scratch_of(apart));
    fg_proof proof;
    assert_int_equal(fg_prove(&context, p, 3, &proof), FG_OK);
    if (!proof.proved) fail_msg("%s, %s: %s", all[i].problem, all[i].plan, proof.failure);
    text_must_hold(p, all[i].isa);
  }
}

/* Tiles larger than a part of L2; not vectors that become rows, nor several dimensions. */
static void large_tiles_share(void **state) {
  (void)state;
  assert_int_equal(
      sharing(program_for("znver4", "c2c f32 n=4194304", "four-step(stockham(16,16,16), stockham(16,8,8))")), 2);
  assert_int_equal(sharing(program_for("znver4", "c2c f32 n=65536", "four-step(stockham(16,16), stockham(16,16))")), 0);
  assert_int_equal(sharing(program_for("znver4", "c2c f32 n=131072", "four-step(stockham(16,16), stockham(8,8,8))")),
                   0);
  assert_int_equal(sharing(program_for("znver4", "c2c f32 n=512x1024", "nd(stockham(8,8,8), stockham(16,8,8))")), 0);
  assert_int_equal(sharing(program_for("znver4", "c2c f32 n=4194304",
                                       "four-step(stockham(16,16,16), stockham(16,8,8); fuse_loops=off)")),
                   0);
  const fg_program *p = program_for("znver4", "c2c f32 n=1048576", "four-step(stockham(16,8,8), stockham(16,8,8))");
  assert_int_equal(p->kernel[0]->stage[1].vectors.shared, 0); /* the first pass turns vectors of columns */
  assert_int_equal(p->kernel[0]->stage[2].vectors.shared, 1);
  assert_int_equal(p->kernel[1]->stage[1].vectors.shared, 2);
}

/* Loops around two calls, which take their values. */
static void calls_take_what_is_shared(void **state) {
  (void)state;
  const char *text = text_for("avx2", "c2c f64 n=4096", "four-step(stockham(4,4,4), stockham(4,4,4); fuse_loops=on)");
  assert_non_null(strstr(text, "    for (ptrdiff_t c = 0; c < 4; ++c) {\n      k_run0_1("));
  assert_non_null(strstr(text, ", const ptrdiff_t c) {\n"));
}

/* A group whose stages do not have the same loops is no program. */
static void groups_that_do_not_fit(void **state) {
  (void)state;
  const char *why = "";
  fg_program *p = program_for("avx2", "c2c f64 n=64", "four-step(stockham(2,2,2), stockham(2,2,2); fuse_loops=on)");
  assert_true(fg_program_valid(p, &why));
  fg_stage *s = &p->kernel[0]->stage[2];
  assert_true(s->vectors.shared > 0);
  for (int16_t shared = (int16_t)(s->vectors.shared + 1); shared < s->nloop + 2; shared++) {
    fg_stage was = *s;
    s->vectors.shared = shared;
    assert_false(fg_program_valid(p, &why));
    fg_proof proof;
    assert_int_equal(fg_prove(&context, p, 3, &proof), FG_OK);
    assert_false(proof.proved);
    *s = was;
  }
  p->kernel[0]->stage[0].vectors.shared = 1;
  assert_false(fg_program_valid(p, &why));
}

/* ---- lines fetched ahead ---------------------------------------------------------------- */

enum { BOTH = 2 };

/* Of a first pass of radix 16 on pairs of vectors: the next row; of a last one, the next tile's. */
static void tiles_are_fetched(void **state) {
  (void)state;
  const char *plan = "four-step(stockham(16,8,8), stockham(16,8,8))";
  const char *large = text_for("znver4", "c2c f32 n=1048576", plan);
  assert_non_null(strstr(large, "pl = in + 128 * t + 2 * c + 2048 * q + 2048;")); /* one row on */
  int rows = 2 * 16 * BOTH, tile = 1024 * 64 * 8 / 64 / (128 * 4);                /* lines a turn */
  assert_int_equal(occurrences(large, ", 0, 2);"), rows + tile * BOTH);
  const char *near = text_for("znver4", "c2c f32 n=65536", "four-step(stockham(16,16), stockham(16,16))");
  assert_null(strstr(near, ", 0, 2);")); /* L2 has it */
  const char *wide =
      text_for("znver4", "c2c f32 n=256x256x256", "nd(stockham(8,8,4), stockham(8,8,4), stockham(16,16))");
  assert_int_equal(occurrences(wide, ", 0, 2);"), BOTH * (2 * 8 + 8)); /* columns of both dimensions */
}

/* Where L2 is large, the third brings rows of whole pages as fast. */
static void a_large_second_cache_waits(void **state) {
  (void)state;
  const char *plan = "four-step(stockham(16,8,8), stockham(16,8,8))";
  assert_null(strstr(text_for("avx512", "c2c f32 n=1048576", plan), ", 0, 2);"));
  plan = "four-step(stockham(16,16,16), stockham(16,8,8))";
  assert_non_null(strstr(text_for("avx512", "c2c f32 n=4194304", plan), ", 0, 2);"));
  plan = "four-step(stockham(16,10,10), stockham(25,25))";
  assert_non_null(strstr(text_for("avx512", "c2c f32 n=1000000", plan), ", 0, 2);"));
}

/* Columns of spectra of reals: rows of the workspace, which has parts apart, begin with whole lines, and the next
 * iteration's and the next tile's are fetched. */
static void rows_of_spectra_begin_with_lines(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan;
    int kernel;
  } all[] = {
      {"rconv f64 n=2048x1440", "nd(convolve(stockham(32,32,2)), real(8, stockham(12,15)))", 1},
      {"c2r f64 n=1000x1000", "nd(stockham(10,10,10), real(8, stockham(25,5)))", 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const fg_program *p = program_for("znver4", all[i].problem, all[i].plan);
    const fg_kernel *k = p->kernel[all[i].kernel];
    const fg_access *a = i ? &k->stage[k->nstage - 1].store : &k->stage[0].load;
    assert_int_equal(p->buffer[a->buffer].space, FG_SPACE_WORK);
    for (int t = 0; t < a->index.at.nterm; t++)
      if (a->index.at.term[t].coef.n > 16) assert_int_equal(a->index.at.term[t].coef.n % 8, 0);
  }
  const char *text = strstr(text_for("znver4", all[0].problem, all[0].plan), "k_run1_0(");
  assert_true(occurrences(text, ", 0, 2);") >= 2 * 32);
}

/* Of a spectrum that L2 does not hold, rows of short codelets are fetched several iterations ahead. */
static void short_codelets_fetch_earlier(void **state) {
  (void)state;
  const char *text =
      text_for("znver4", "rconv f64 n=2048x1440", "nd(convolve(stockham(32,32,2)), real(8, stockham(12,15)))");
  const char *one = "pn = spectrum + 16 * t + 1442 * k + ";
  const char *at = strstr(text, one);
  assert_non_null(at);
  assert_true(atoi(at + strlen(one)) >= 4 * 1442);
}

/* Tiles of columns of reals leave most of a small L2 to what is fetched; those of rows have long parts of them. */
static void tiles_of_reals_fit(void **state) {
  (void)state;
  const fg_program *p =
      program_for("znver4", "rconv f64 n=262144", "convolve(real(8, four-step(stockham(32,32), direct(32))))");
  assert_true(fg_buffer_bytes(&p->buffer[p->kernel[0]->stage[0].store.buffer]) <= (1 << 20) / 4 + (1 << 14));
  p = program_for("znver4", "rconv f64 n=600000", "convolve(real(6, four-step(stockham(20,20), stockham(10,25))))");
  assert_true(fg_num_is(p->kernel[1]->digit[p->kernel[1]->outer[0]].extent, 5)); /* of 40 pairs each */
}

/* ---- where the workspace is --------------------------------------------------------------- */

static bool streams(const fg_program *p, int kernel) {
  const fg_kernel *k = p->kernel[kernel];
  return k->stage[k->nstage - 1].store.stream;
}

/* The output holds it as long as an L3 holds both arrays; beyond, whole lines are stored past the caches. */
static void far_workspaces_stream(void **state) {
  (void)state;
  const fg_program *near = program_for("znver4", "c2c f32 n=1048576", "four-step(stockham(16,8,8), stockham(16,8,8))");
  assert_int_equal(fg_buffer_root(near, near->kernel[1]->stage[0].load.buffer), FG_BUFFER_OUT);
  assert_false(streams(near, 0) || streams(near, 1));
  const fg_program *far = program_for("znver4", "c2c f32 n=4194304", "four-step(stockham(16,16,16), stockham(16,8,8))");
  assert_int_not_equal(fg_buffer_root(far, far->kernel[1]->stage[0].load.buffer), FG_BUFFER_OUT);
  assert_true(streams(far, 0) && streams(far, 1));
}

/* With a large L2: from the size on where it does not hold all arrays together. */
static void outputs_written_once_stream(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    bool stream;
  } all[] = {
      {"avx512", "c2c f64 n=59049", "four-step(stockham(27,9), stockham(9,27))", true},
      {"avx512", "c2c f32 n=59049", "four-step(stockham(27,9), stockham(9,27))", false}, /* L2 holds them */
      {"znver4", "c2c f64 n=59049", "four-step(stockham(27,9), stockham(9,27))", false}, /* L3 is near */
      {"avx512", "c2c f64 n=65536", "stockham(32,32,8,8)", false},                       /* in place */
      {"avx512", "c2c f64 n=256x256", "nd(stockham(16,16), stockham(8,32))", false},     /* the same */
      {"avx512", "c2c f32 n=16 batch=20000", "direct(16)", true},
      {"avx512", "c2c f32 n=16 batch=5000", "direct(16)", false},
      {"avx512", "c2c f64 n=16 batch=20000", "stockham(4,4)", true},
      {"avx512", "c2c f32 n=60 batch=10000", "direct(60)", false},      /* rows begin within lines */
      {"avx512", "c2c f32 n=256 batch=8000", "stockham(16,16)", false}, /* its lines are fetched */
      {"znver4", "c2c f64 n=16 batch=10000", "direct(16)", false},      /* L3 is near */
      {"znver4", "c2c f64 n=16 batch=40000", "direct(16)", true},       /* its share is not */
      {"znver4", "c2c f64 n=32 batch=21545", "stockham(8,4; rows=16)", true},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    if (streams(p, p->nkernel - 1) != all[i].stream) fail_msg("%s, %s: %s", all[i].isa, all[i].problem, all[i].plan);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_is_shared_is_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(large_tiles_share, setup, teardown),
      cmocka_unit_test_setup_teardown(calls_take_what_is_shared, setup, teardown),
      cmocka_unit_test_setup_teardown(groups_that_do_not_fit, setup, teardown),
      cmocka_unit_test_setup_teardown(tiles_are_fetched, setup, teardown),
      cmocka_unit_test_setup_teardown(a_large_second_cache_waits, setup, teardown),
      cmocka_unit_test_setup_teardown(rows_of_spectra_begin_with_lines, setup, teardown),
      cmocka_unit_test_setup_teardown(short_codelets_fetch_earlier, setup, teardown),
      cmocka_unit_test_setup_teardown(tiles_of_reals_fit, setup, teardown),
      cmocka_unit_test_setup_teardown(far_workspaces_stream, setup, teardown),
      cmocka_unit_test_setup_teardown(outputs_written_once_stream, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
