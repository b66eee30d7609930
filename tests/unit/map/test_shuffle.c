/* Exchanges by shuffles: where they are taken, that their programs are proved in any language, and that wrong ones are
 * refused. */
#include "generator/ir/serialize.h"
#include "tests/unit/compiled.h"
#include "tests/unit/launched.h"
#include "tests/unit/proving.h"

static const fg_mapping lanes = OF_THREADS(.local_bytes = 64 << 10, .cluster = 1, .shuffles = true);

static int shuffles_of(const fg_program *p) {
  int n = 0;
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) n += fg_exchange_is_shuffle(&p->kernel[k]->stage[s].exchange.before);
  return n;
}

static int barriers_of(const fg_program *p) {
  int n = 0;
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      const fg_exchanges *x = &p->kernel[k]->stage[s].exchange;
      n += fg_exchange_is_barrier(&x->before) + fg_exchange_is_barrier(&x->between) + fg_exchange_is_barrier(&x->after);
    }
  return n;
}

static const struct row {
  const char *problem, *plan;
  int shuffles, barriers;
} rows[] = {
    {"c2c f32 n=64 batch=16", "stockham(8,8; shuffles=on)", 1, 0},
    {"c2c f32 n=64 batch=16", "stockham(8,8)", 0, 1},               /* no machine says that it is quicker */
    {"c2c f32 n=64 batch=3", "stockham(8,8; shuffles=on)", 0, 1},   /* less than a warp */
    {"c2c f32 n=60 batch=16", "stockham(6,10; shuffles=on)", 0, 1}, /* no powers of two */
    {"c2c f64 n=256 batch=count[1..50]", "stockham(16,16; shuffles=on)", 1, 0},
    {"c2c f32 n=64 batch=64", "stockham(2,2,2,2,2,2; shuffles=on)", 5, 0},
    {"c2c f32 n=64 batch=16", "stockham(4,4,4; shuffles=on)", 2, 0}, /* bits that change lanes */
    {"c2c f32 n=1024 batch=3", "stockham(32,32; shuffles=on)", 1, 0},
    {"c2c f32 n=4096 batch=3", "stockham(16,16,16; shuffles=on)", 0, 3}, /* through other warps */
    {"c2c f16 n=64 batch=16", "stockham(8,8; shuffles=on, narrow=on)", 1, 0},
    {"c2c f32 n=64 batch=12 place=in layout=split", "stockham(8,8; shuffles=on)", 1, 1},
    {"c2c f64 n=32 batch=8 place=in", "stockham(8,4; shuffles=on)", 1, 1}, /* whose results are stored over inputs */
    {"conv f32 n=64 batch=16", "convolve(stockham(8,8); shuffles=on)", 2, 0},
};

static void programs_are_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct row *r = &rows[i];
    fg_program *p = assembled_for(r->problem, r->plan, &lanes);
    if (shuffles_of(p) != r->shuffles || barriers_of(p) != r->barriers)
      fail_msg("%s, %s: %d shuffles, %d barriers", r->problem, r->plan, shuffles_of(p), barriers_of(p));
    must_hold(p);
    const fg_program *q = fg_serialize_blocks(&context, p);
    assert_int_equal(shuffles_of(q), 0);
    must_hold(q);
    fresh();
  }
}

static fg_stage *first_shuffle(fg_program *p) {
  fg_stage *s = p->kernel[0]->stage;
  while (!fg_exchange_is_shuffle(&s->exchange.before)) s++;
  return s;
}

static fg_program *exchanged(void) {
  return assembled_for("c2c f32 n=64 batch=16", "stockham(8,8; shuffles=on)", &lanes);
}

/* The coefficients of two digits. */
static void swap(fg_affine *a, int i, int k) {
  fg_num kept = a->term[i].coef;
  a->term[i].coef = a->term[k].coef, a->term[k].coef = kept;
}

static void wrong_programs_are_refused(void **state) {
  (void)state;
  fg_program *p = exchanged();
  int terms = first_shuffle(p)->load.index.at.nterm;
  for (int i = 1; i < terms; i++) { /* 0: the number of the warp */
    p = exchanged();
    swap(&first_shuffle(p)->load.index.at, i, i == 1 ? 2 : 1);
    assert_false(proof_of(p).proved);
    fresh();
  }
  p = exchanged(); /* warps are no lanes */
  swap(&first_shuffle(p)->load.index.at, 0, 1);
  must_fail(p, "'s registers of lane");
  p = exchanged(); /* what is no exchange reads none of others' */
  first_shuffle(p)->exchange.before = fg_exchange_none();
  must_fail(p, "loads from thread");
  p = exchanged(); /* nor is anything stored there */
  swap(&first_shuffle(p)->store.index.at, 1, 7);
  must_fail(p, "stores to thread");
}

static void the_verifier_reads_them(void **state) {
  (void)state;
  const char *why = "";
  fg_program *p = exchanged();
  fg_stage *s = first_shuffle(p);
  assert_true(fg_program_valid(p, &why));
  p->buffer[s->load.buffer].local.each++;
  assert_false(fg_program_valid(p, &why));
  assert_non_null(strstr(why, "registers of lanes"));
  p->buffer[s->load.buffer].local.each--;
  s->store.buffer = s->load.buffer;
  assert_false(fg_program_valid(p, &why));
  assert_non_null(strstr(why, "no copy from registers to others"));
}

/* Apple's GPUs by themselves, others where a plan says so, OpenCL not at all. */
static void machines_say_where(void **state) {
  (void)state;
  const fg_dialect *d;
  for (int i = 0; (d = launched_dialect(i)); i++)
    for (int on = 0; on < 2; on++) {
      fg_compilation c;
      compiled_for(d->name, "c2c f32 n=64 batch=16", on ? "stockham(8,8; shuffles=on)" : "stockham(8,8)", &c);
      bool wanted = d->lane && (on || launched_is(d, "metal"));
      assert_int_equal(shuffles_of(c.chosen.program), wanted);
      assert_int_equal(!!strstr(c.emitted.artifact.source, "fftgen_from_lane("), wanted);
      assert_int_equal(c.emitted.artifact.launch[0].registers, wanted);
      if (wanted) assert_int_equal(c.emitted.artifact.launch[0].local_bytes, 0);
      if (wanted && !c.text.read) fail_msg("%s: its text is not read", d->name);
      fresh();
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(programs_are_proved, setup, teardown),
                                     cmocka_unit_test_setup_teardown(wrong_programs_are_refused, setup, teardown),
                                     cmocka_unit_test_setup_teardown(the_verifier_reads_them, setup, teardown),
                                     cmocka_unit_test_setup_teardown(machines_say_where, setup, teardown)};
  return cmocka_run_group_tests_name("shuffle", tests, NULL, NULL);
}
