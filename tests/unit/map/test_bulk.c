/* Bulk copies: what is loaded while others compute is proved, partial groups and rows that begin
 * anywhere included; every barrier and every wait around it is needed. */
#include "generator/plan/recipe.h"
#include "generator/print/emit.h"
#include "tests/unit/proving.h"
#include "tests/unit/text_proof.h"

static const fg_mapping engines = OF_THREADS(.local_bytes = 64 << 10, .cluster = 16);

static fg_program *assembled(const char *problem, const char *plan) { return assembled_for(problem, plan, &engines); }

static const struct right {
  const char *problem, *plan;
} right[] = {
    {"c2c f32 n=64 batch=5", "stockham(8,8; group=2, bulk=separate)"},
    {"c2c f32 n=64 batch=5", "stockham(8,8; group=2, bulk=shared, persistent=2)"},
    {"c2c f32 n=64 batch=count[1..9]", "stockham(8,8; group=4, bulk=both, persistent=4)"},
    {"c2c f32 n=343 batch=count[1..9]", "stockham(7,7,7; group=1, bulk=both, persistent=0)"},
    {"c2c f32 n=343 batch=7 sign=+1", "stockham(7,7,7; group=2, bulk=shared, persistent=3)"},
    {"c2c f64 n=125 batch=count[1..5]", "stockham(5,5,5; group=3, bulk=both)"},
    {"c2c f16 n=512 batch=count[1..5]", "stockham(8,8,8; group=2, narrow=on, bulk=separate)"},
    {"c2c f16 n=512 batch=3", "stockham(8,8,8; group=2, bulk=both)"},
    {"r2c f32 n=256 batch=count[1..5]", "real(2, stockham(8,4,4); group=2, bulk=both)"},
    {"r2c f64 n=256 batch=3", "real(4, stockham(8,8); bulk=shared)"},
    {"c2r f32 n=256 batch=count[1..5]", "real(2, stockham(8,4,4); group=2, bulk=separate)"},
    {"c2r f32 n=100 batch=3", "real(2, stockham(10,5); group=2, bulk=both)"},
};

static void copies_are_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    fg_program *p = assembled(right[i].problem, right[i].plan);
    assert_true(fg_kernel_fetches(p->kernel[0]));
    must_hold(p);
    text_proof_both(p, NULL, 7, right[i].plan);
  }
}

static fg_program *simple(int way) {
  static const char *const plans[] = {"stockham(8,8; group=2, bulk=separate)", "stockham(8,8; group=2, bulk=shared)",
                                      "stockham(8,8; group=2, bulk=both)"};
  return assembled("c2c f32 n=64 batch=5", plans[way - 1]);
}

/* The next copy must not begin before all have read the present one. */
static void readers_must_be_done(void **state) {
  (void)state;
  fg_program *p = simple(1);
  fg_kernel *k = p->kernel[0];
  assert_int_equal(k->launch.fetch, 2);
  k->stage[1].exchange.after = fg_exchange_none();
  assert_true(must_fail(p, "a bulk copy stores to what threads use before the next barrier").races > 0);
  k->stage[1].exchange.after = fg_exchange_barrier();
  must_hold(p);
}

/* Three stages read what is copied; behind the first it is too early for more. */
static void nobody_reads_what_is_on_its_way(void **state) {
  (void)state;
  fg_program *p = assembled("c2r f32 n=256 batch=5", "real(2, stockham(8,4,4); group=2, bulk=separate)");
  fg_kernel *k = p->kernel[0];
  assert_true(k->launch.fetch > 2);
  k->stage[1].exchange.after = fg_exchange_barrier();
  must_hold(p);
  k->launch.fetch = 2;
  assert_true(must_fail(p, "reads what a bulk copy may still be bringing").races > 0);
}

/* In the exchanges' memory, while they need it. */
static void exchanges_must_be_over(void **state) {
  (void)state;
  fg_program *p = simple(2);
  fg_kernel *k = p->kernel[0];
  assert_int_equal(k->launch.fetch, k->nstage);
  must_hold(p);
  k->launch.fetch = 2;
  assert_true(must_fail(p, "may still be bringing").races > 0);
  p = assembled("c2c f32 n=512 batch=5", "stockham(8,8,8; bulk=shared)");
  k = p->kernel[0];
  k->launch.fetch = 2;
  k->stage[2].load = k->stage[1].load;
  assert_true(must_fail(p, "may still be").races > 0);
}

/* What is copied out must be complete, and is not to be overwritten before that. */
static void results_must_be_there(void **state) {
  (void)state;
  fg_program *p = simple(3);
  fg_kernel *k = p->kernel[0];
  assert_true(fg_stage_is_bulk(&k->stage[k->nstage - 1]));
  k->stage[k->nstage - 2].exchange.after = fg_exchange_none();
  assert_true(must_fail(p, "a bulk copy reads what threads store before the next barrier").races > 0);
  k->stage[k->nstage - 2].exchange.after = fg_exchange_barrier();
  must_hold(p);
}

/* Other rows, more than there are, fewer than are read. */
static void copies_move_what_they_should(void **state) {
  (void)state;
  fg_program *p = simple(1);
  fg_stage *s = &p->kernel[0]->stage[0];
  fg_pred whole = s->load.pred[s->load.npred - 1];
  s->load.pred[s->load.npred - 1].bound.n += 64;
  assert_true(must_fail(p, "loads element 320 of in").out_of_bounds > 0);
  s->load.pred[s->load.npred - 1] = whole;
  s->load.index.at.offset.n++;
  assert_false(proof_of(p).proved);
  s->load.index.at.offset.n--;
  s->store.pred[s->store.npred++] = (fg_pred){.value = s->store.index.at, .bound = fg_num_const(127)};
  assert_true(must_fail(p, "what was never stored there").uninitialised > 0);
  s->store.npred--;
  must_hold(p);
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan, *says;
  } wrong[] = {
      {"c2c f32 n=64 batch=5:65:65", "stockham(8,8; bulk=separate)", "one behind the other"},
      {"c2c f32 n=64 batch=5 place=in", "stockham(8,8; bulk=separate)", "another array"},
      {"c2c f32 n=64 batch=5", "stockham(8,8; copies=on, bulk=separate)", "no other stage that copies"},
      {"c2c f32 n=8 batch=64", "direct(8; bulk=separate)", "several passes"},
      {"c2c f32 n=4096 batch=5", "stockham(16,16,16; bulk=separate)", "more than the 65536 bytes"},
  };
  fg_program *p;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(try_assemble(wrong[i].problem, wrong[i].plan, &engines, &p), FG_EUSER);
    if (!strstr(context.diag.message, wrong[i].says)) fail_msg("%s", context.diag.message);
  }
  fg_mapping none = engines;
  none.cluster = 1;
  assert_int_equal(try_assemble("c2c f32 n=64 batch=5", "stockham(8,8; bulk=separate)", &none, &p), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "this target has none"));
  p = simple(1);
  p->kernel[0]->launch.persistent = true;
  must_fail(p, "do not go through numbers");
  p = assembled("c2c f32 n=64 batch=5", "stockham(8,8; group=1, bulk=separate, persistent=2)");
  p->kernel[0]->launch.iterations = 3;
  must_fail(p, "not as many blocks");
  p = simple(1);
  p->kernel[0]->launch.fetch = 1;
  must_fail(p, "begin nowhere");
  p = simple(1);
  p->kernel[0]->stage[1].exchange.before.transport = FG_TRANSPORT_ENGINE;
  must_fail(p, "not at an end");
  fg_emitted emitted;
  fg_emit_options options = {.dialect = fg_dialect_find("opencl")};
  fg_diag_clear(&context.diag);
  assert_int_equal(fg_emit(&context, simple(1), &options, &emitted), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "the dialect opencl has none"));
}

static const char *after(const char *text, const char *words) {
  const char *found = strstr(text, words);
  if (!found) fail_msg("no \"%s\" in\n%s", words, text);
  return found;
}

static fg_launch emit_text(const char *plan, const char **text) {
  fg_emitted emitted;
  fg_emit_options options = {.dialect = fg_dialect_find("cuda")};
  const fg_program *p = assembled("c2c f32 n=343 batch=count[1..99]", plan);
  assert_int_equal(fg_emit(&context, p, &options, &emitted), FG_OK);
  *text = emitted.file[0].text;
  return emitted.artifact.launch[0];
}

/* Wait, read, barrier, next copy; tables stay in the loop; the copy out is last. */
static void the_text_loops_over_tiles(void **state) {
  (void)state;
  const char *text;
  fg_launch l = emit_text("stockham(7,7,7; group=2, bulk=both, persistent=0)", &text);
  assert_true(l.persistent && l.bulk && l.local_bytes > 2 * 2 * 343 * 8);
  text = after(text, "const unsigned blocks");
  text = after(text, "fftgen_bulk_init(mbarrier);");
  text = after(text, "end = (p_count + 1) / 2, step = blocks;");
  text = after(text, "if (first < end) fftgen_bulk_load(in_tile_memory, in, first, 1372, 686 * p_count, mbarrier);");
  text = after(text, "for (unsigned tile = first");
  text = after(text, "fftgen_bulk_wait(mbarrier, phase);");
  text = after(text, "_block_1(");
  text = after(text, "fftgen_async_fence();\n    __syncthreads();\n    if (tile + step < end) fftgen_bulk_load(");
  text = after(text, "tw0 + zero");
  text = after(text, "fftgen_async_fence();\n    __syncthreads();\n    fftgen_bulk_store(");
  text = after(text, "fftgen_bulk_drain();\n    __syncthreads();\n  }\n  fftgen_bulk_invalidate(mbarrier);");
  after(text, "gridDim.x");
}

/* Some numbers each, or one: fewer blocks, or no loop. */
static void blocks_may_go_through_some(void **state) {
  (void)state;
  const char *text;
  fg_launch l = emit_text("stockham(7,7,7; group=2, bulk=separate, persistent=4)", &text);
  assert_true(!l.persistent && l.bulk && l.block_factor[0].div == 8);
  after(text, "first = block * 4, end = first + 4 < (p_count + 1) / 2 ?");
  l = emit_text("stockham(7,7,7; group=2, bulk=separate)", &text);
  assert_true(!l.persistent && l.bulk && l.block_factor[0].div == 2);
  after(text, "const unsigned tile = block, phase = 0;\n  fftgen_bulk_load(in_tile_memory, in, tile,");
  assert_null(strstr(text, "tile + step"));
}

/* With their padding, both copies and the mbarrier never exceed shared memory. */
static void memory_is_enough(void **state) {
  (void)state;
  int refused = 0, made = 0;
  for (size_t bytes = 1024; bytes < 1024 + 640; bytes += 8) {
    fg_mapping map = engines;
    fg_emitted emitted;
    fg_emit_options options = {.dialect = fg_dialect_find("cuda")};
    fg_program *p;
    map.local_bytes = bytes;
    if (try_assemble("c2c f32 n=64 batch=5", "stockham(8,8; group=1, bulk=both)", &map, &p) != FG_OK) {
      refused++;
      continue;
    }
    assert_int_equal(fg_emit(&context, p, &options, &emitted), FG_OK);
    assert_true(emitted.artifact.launch[0].local_bytes <= bytes);
    made++;
  }
  assert_true(refused > 0 && made > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_are_proved),
      cmocka_unit_test(readers_must_be_done),
      cmocka_unit_test(nobody_reads_what_is_on_its_way),
      cmocka_unit_test(exchanges_must_be_over),
      cmocka_unit_test(results_must_be_there),
      cmocka_unit_test(copies_move_what_they_should),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(the_text_loops_over_tiles),
      cmocka_unit_test(blocks_may_go_through_some),
      cmocka_unit_test(memory_is_enough),
  };
  return cmocka_run_group_tests(tests, setup_guarded, teardown);
}
