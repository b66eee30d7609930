/* Loads ahead: parts of the next input and of the present spectrum come while others compute; each wait and each
 * barrier around them is needed. */
#include "generator/print/emit.h"
#include "tests/unit/offers.h"
#include "tests/unit/proving.h"
#include "tests/unit/text_proof.h"

/* Some of 512 numbers is left over beside 512 that stay, all of 64. */
static const fg_mapping engines = OF_THREADS(.local_bytes = 6 << 10, .cluster = 16);

static fg_program *assembled(const char *problem, const char *plan) { return assembled_for(problem, plan, &engines); }

static const struct right {
  const char *problem, *plan;
} right[] = {
    {"conv f32 n=512 batch=5 spectrum=each", "convolve(stockham(8,8,8); load_ahead=on)"},
    {"conv f32 n=512 batch=count[1..9] spectrum=each,conj", "convolve(stockham(8,8,8); load_ahead=on, products=on)"},
    {"conv f32 n=512 batch=7 spectrum=shared", "convolve(stockham(8,8,8); load_ahead=on)"},
    {"conv f32 n=512 batch=5 spectrum=each load=mul,window(hann) store=mul",
     "convolve(stockham(8,8,8); load_ahead=on)"},
    {"conv f64 n=216 batch=4 spectrum=each", "convolve(stockham(6,6,6); load_ahead=on)"},
    {"conv f16 n=343 batch=5 spectrum=each", "convolve(stockham(7,7,7); load_ahead=on)"},
    {"c2c f32 n=512 batch=count[1..9]", "stockham(8,8,8; load_ahead=on)"},
    {"c2c f32 n=343 batch=5 sign=+1", "stockham(7,7,7; load_ahead=on)"},
    {"c2c f64 n=300 batch=3", "stockham(10,6,5; load_ahead=on)"},
    {"r2c f32 n=1000 batch=3", "real(10, stockham(10,10); load_ahead=on)"},
};

static void copies_are_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    fg_program *p = assembled(right[i].problem, right[i].plan);
    assert_true(fg_kernel_fetches(p->kernel[0]) && p->kernel[0]->launch.persistent);
    must_hold(p);
    text_proof_both(p, NULL, 7, right[i].plan);
  }
}

static fg_program *simple(void) {
  return assembled("conv f32 n=512 batch=5 spectrum=each", "convolve(stockham(8,8,8); load_ahead=on)");
}

/* The copy between others, and the stage that waits for it. */
static int second_of(const fg_kernel *k) {
  int s = 1;
  while (!fg_stage_is_bulk(&k->stage[s])) s++;
  return s;
}

static int waiting_in(const fg_kernel *k) {
  int s = 1;
  while (!fg_exchange_is_engine_wait(&k->stage[s].exchange.before)) s++;
  return s;
}

static void each_copy_is_waited_for(void **state) {
  (void)state;
  fg_program *p = simple();
  fg_kernel *k = p->kernel[0];
  fg_stage *reads = &k->stage[waiting_in(k)];
  reads->exchange.before = fg_exchange_none();
  assert_true(must_fail(p, "may still be bringing").races > 0);
  reads->exchange.before = fg_exchange_engine_wait();
  must_hold(p);
  k->stage[second_of(k) + 1].exchange.before = fg_exchange_engine_wait();
  assert_true(must_fail(p, "a bulk copy that was not begun").races > 0);
}

static void readers_must_be_done(void **state) {
  (void)state;
  fg_program *p = simple();
  fg_kernel *k = p->kernel[0];
  fg_stage *before = &k->stage[second_of(k) - 1], *reads = &k->stage[waiting_in(k)];
  before->exchange.after = fg_exchange_none();
  assert_true(must_fail(p, "use before the next barrier").races > 0);
  before->exchange.after = fg_exchange_barrier();
  must_hold(p);
  reads->exchange.after = fg_exchange_none();
  assert_true(must_fail(p, "use before the next barrier").races > 0);
  reads->exchange.after = fg_exchange_barrier();
  k->launch.fetch--;
  assert_true(must_fail(p, "a bulk copy").races > 0);
}

/* Slots from elsewhere, or of another part. */
static void parts_are_what_they_should_be(void **state) {
  (void)state;
  fg_program *p = simple();
  fg_kernel *k = p->kernel[0];
  fg_stage *copy = &k->stage[second_of(k)], *reads = &k->stage[waiting_in(k)];
  copy->load.index.at.offset.n++;
  assert_false(proof_of(p).proved);
  copy->load.index.at.offset.n--;
  reads->factors.more.rest->index.at.offset.n++;
  assert_false(proof_of(p).proved);
  reads->factors.more.rest->index.at.offset.n--;
  must_hold(p);
  reads->factors.more.rest->buffer = FG_BUFFER_IN;
  must_fail(p, "goes on in another buffer");
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan, *says;
  } wrong[] = {
      {"conv f32 n=64 batch=5 spectrum=each", "convolve(stockham(8,8); group=2, load_ahead=on)", "a transform each"},
      {"c2c f32 n=512 batch=5 place=in", "stockham(8,8,8; load_ahead=on)", "part by part"},
      {"c2c f32 n=512 batch=5", "stockham(8,8,8; bulk=shared, load_ahead=on)", "no other bulk copies"},
      {"c2c f32 n=720 batch=5", "stockham(10,9,8; load_ahead=on)", "more spare memory"},
  };
  fg_program *p;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_not_equal(try_assemble(wrong[i].problem, wrong[i].plan, &engines, &p), FG_OK);
    if (!strstr(context.diag.message, wrong[i].says)) fail_msg("%s", context.diag.message);
  }
  fg_mapping none = engines;
  none.cluster = 1;
  assert_int_not_equal(try_assemble("c2c f32 n=512 batch=5", "stockham(8,8,8; load_ahead=on)", &none, &p), FG_OK);
  assert_non_null(strstr(context.diag.message, "engines that copy"));
}

static const char *after(const char *text, const char *words) {
  const char *found = strstr(text, words);
  if (!found) fail_msg("no \"%s\" in\n%s", words, text);
  return found;
}

/* Tables once; the input's copy, the spectrum's, and the next one's. */
static void the_text_takes_turns(void **state) {
  (void)state;
  fg_emitted emitted;
  fg_emit_options options = {.dialect = fg_dialect_find("cuda")};
  assert_int_equal(fg_emit(&context, simple(), &options, &emitted), FG_OK);
  const char *text = after(emitted.file[0].text, "const unsigned blocks");
  text = after(text, "if (first < end) fftgen_bulk_load(ahead_memory, in + ");
  text = after(text, "if (first < end) fftgen_ask_l2(in + ");
  text = after(text, "_block_1(tw");
  text = after(text, "for (unsigned tile = first; tile < end; tile += step) {");
  text = after(text, "fftgen_bulk_wait(mbarrier, 0);");
  text = after(text, "fftgen_async_fence();\n    __syncthreads();\n    fftgen_bulk_load(ahead_memory, spectrum + ");
  text = after(text, "ahead_spectrum = fftgen_bulk_destination(ahead_memory, spectrum + ");
  text = after(text, "fftgen_bulk_wait(mbarrier, 1);");
  text = after(text, "fftgen_async_fence();\n    __syncthreads();\n    if (tile + step < end) fftgen_bulk_load(");
  after(text, "fftgen_bulk_invalidate(mbarrier);");
}

/* Where a block has hardly another one beside it, and each transform a spectrum of its own. */
static int count_offers(const char *problem, int cluster) {
  offers o;
  int count = 0;
  offers_for(problem, cluster, true, &o);
  for (int i = 0; i < o.plans.count; i++) count += fg_plan_param_value(o.plans.plan[i], FG_PARAM_LOAD_AHEAD) > 0;
  return count;
}

static void the_recipe_offers_it(void **state) {
  (void)state;
  assert_true(count_offers("conv f32 n=16384 batch=8192 spectrum=each", 16) > 0);
  assert_true(count_offers("conv f32 n=15000 batch=4096 spectrum=each,conj", 16) > 0);
  assert_true(count_offers("conv f64 n=8192 batch=4096 spectrum=each", 16) > 0);
  assert_int_equal(count_offers("conv f32 n=16384 batch=8192 spectrum=each", 1), 0);
  assert_int_equal(count_offers("conv f32 n=16384 batch=8192 spectrum=shared", 16), 0);
  assert_int_equal(count_offers("conv f16 n=16384 batch=8192 spectrum=each", 16), 0);
  assert_int_equal(count_offers("conv f32 n=4096 batch=8192 spectrum=each", 16), 0);
  assert_int_equal(count_offers("c2c f32 n=16384 batch=8192", 16), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(copies_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(each_copy_is_waited_for, setup, teardown),
      cmocka_unit_test_setup_teardown(readers_must_be_done, setup, teardown),
      cmocka_unit_test_setup_teardown(parts_are_what_they_should_be, setup, teardown),
      cmocka_unit_test_setup_teardown(what_cannot_be_is_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(the_text_takes_turns, setup, teardown),
      cmocka_unit_test_setup_teardown(the_recipe_offers_it, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
