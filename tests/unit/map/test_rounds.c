/* Exchanges in rounds: how many copies and how much memory they take, that their programs are proved in any language,
 * that wrong ones are refused, and which machine has them. */
#include "generator/ir/serialize.h"
#include "tests/unit/compiled.h"
#include "tests/unit/launched.h"
#include "tests/unit/proving.h"

static const fg_mapping small = {.threads = true,
                                 .lanes = 1,
                                 .registers = 64,
                                 .max_threads = 512,
                                 .local_bytes = 32 << 10,
                                 .cluster = 1,
                                 .shuffles = true,
                                 .fma = true};

/* Between a thread's registers and memory. */
static bool is_copy(const fg_program *p, const fg_stage *s) {
  const fg_buffer *from = &p->buffer[s->load.buffer], *to = &p->buffer[s->store.buffer];
  return !s->codelet && fg_buffer_is_of_lanes(from) != fg_buffer_is_of_lanes(to);
}

static int copies_of(const fg_program *p) {
  int n = 0;
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) n += is_copy(p, &p->kernel[k]->stage[s]);
  return n;
}

/* Of the first kernel's shared memory, what its stages use. */
static int64_t bytes_of(const fg_program *p) {
  int64_t most = 0;
  for (int s = 0; s < p->kernel[0]->nstage; s++) {
    const fg_buffer *b = &p->buffer[fg_buffer_root(p, p->kernel[0]->stage[s].store.buffer)];
    if (fg_buffer_is_shared(b) && fg_buffer_bytes(b) > most) most = fg_buffer_bytes(b);
  }
  return most;
}

static const struct row {
  const char *problem, *plan;
  int kernels, copies;
  int64_t most; /* bytes */
} rows[] = {
    {"c2c f32 n=1024 batch=count[1..9]", "stockham(16,8,8; exchange=parts)", 1, 8, 9 << 10}, /* two in a block */
    {"c2c f32 n=1024 batch=3", "stockham(32,32; exchange=halves)", 1, 8, 6 << 10},
    {"c2c f32 n=4096 batch=3 place=in sign=+1", "stockham(16,16,16; exchange=halves)", 1, 16, 9 << 10},
    {"c2c f32 n=8192 batch=2", "stockham(16,8,8,8; threads=512, exchange=parts)", 1, 12, 32 << 10},
    {"c2c f64 n=4096 batch=2", "stockham(16,16,16; exchange=parts)", 1, 8, 32 << 10},
    {"c2c f32 n=16384 batch=2", "stockham(32,32,16; threads=512, exchange=halves)", 1, 16, 32 << 10},
    {"c2c f16 n=1024 batch=4", "stockham(16,8,8; exchange=parts, narrow=on)", 1, 8, 9 << 10},
    {"c2c f32 n=64 batch=64", "stockham(8,8; shuffles=on, exchange=parts)", 1, 0, 0}, /* nothing left for memory */
    {"c2c f32 n=16384 batch=2", "four-step(stockham(16,8), stockham(16,8); tile=16, rows=16, exchange=parts)", 2, 8,
     16 << 10},
};

static void programs_are_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct row *r = &rows[i];
    fg_program *p = assembled_for(r->problem, r->plan, &small);
    if (p->nkernel != r->kernels || copies_of(p) != r->copies || bytes_of(p) > r->most)
      fail_msg("%s, %s: %d kernels, %d copies, %lld bytes", r->problem, r->plan, p->nkernel, copies_of(p),
               (long long)bytes_of(p));
    must_hold(p);
    must_hold(fg_serialize_blocks(&context, p));
    fresh();
  }
}

static fg_program *exchanged(void) {
  return assembled_for("c2c f32 n=1024 batch=3", "stockham(32,32; exchange=halves)", &small);
}

static void wrong_programs_are_refused(void **state) {
  (void)state;
  for (int s = 1; s < 9; s++) { /* each copy, but for the last one, ends with a barrier */
    fg_program *p = exchanged();
    assert_true(is_copy(p, &p->kernel[0]->stage[s]));
    p->kernel[0]->stage[s].exchange.after = fg_exchange_none();
    if (s == 8)
      must_hold(p);
    else
      must_fail(p, "before the next barrier");
    fresh();
  }
  for (int s = 1; s < 9; s++) { /* the other part, and the other half */
    fg_program *p = exchanged();
    fg_stage *copy = &p->kernel[0]->stage[s];
    fg_access *registers = s % 2 ? &copy->load : &copy->store;
    registers->index.at.offset.n ^= 1;
    assert_false(proof_of(p).proved);
    fresh();
    p = exchanged();
    copy = &p->kernel[0]->stage[s];
    if (copy->npred)
      copy->npred = 0;
    else
      copy->load.index.at.offset.n += copy->load.index.at.offset.n ? -16 : 16;
    assert_false(proof_of(p).proved);
    fresh();
  }
  fg_program *p = exchanged(); /* another thread's registers */
  p->kernel[0]->stage[1].load.index.at.term[0].coef.n *= 2;
  assert_false(proof_of(p).proved);
}

static void plans_without_rounds_are_refused(void **state) {
  (void)state;
  static const char *const refused[][2] = {
      {"c2c f32 n=1000 batch=3", "stockham(10,10,10; exchange=parts)"},
      {"c2c f32 n=64 batch=3", "stockham(8,8; exchange=parts)"}, /* less than a warp */
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    fg_program *p;
    assert_int_equal(try_assemble(refused[i][0], refused[i][1], &small, &p), FG_EUSER);
    assert_non_null(strstr(context.diag.message, "exchange: numbers of threads"));
    fresh();
  }
}

/* Apple's GPUs by themselves, in one kernel and 32 KiB; others where a plan says so. */
static void machines_say_where(void **state) {
  (void)state;
  static const char *const lengths[] = {"c2c f32 n=8192 batch=2", "c2c f32 n=16384 batch=2"};
  for (int i = 0; i < 2; i++) {
    fg_compilation c;
    compiled_for("metal", lengths[i], NULL, &c);
    assert_int_equal(c.emitted.artifact.nlaunch, 1);
    assert_int_equal(c.emitted.artifact.launch[0].local_bytes, 32 << 10);
    assert_true(c.emitted.artifact.launch[0].registers);
    assert_int_equal(copies_of(c.chosen.program), i ? 24 : 12);
    assert_true(c.text.read);
    fresh();
  }
  const fg_dialect *d;
  for (int i = 0; (d = launched_dialect(i)); i++) {
    fg_compilation c;
    if (!d->lane) continue;
    compiled_for(d->name, "c2c f32 n=1024 batch=16", "stockham(16,8,8; exchange=parts)", &c);
    assert_true(copies_of(c.chosen.program) > 0);
    assert_true(c.text.read);
    fresh();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(programs_are_proved, setup, teardown),
                                     cmocka_unit_test_setup_teardown(wrong_programs_are_refused, setup, teardown),
                                     cmocka_unit_test_setup_teardown(plans_without_rounds_are_refused, setup, teardown),
                                     cmocka_unit_test_setup_teardown(machines_say_where, setup, teardown)};
  return cmocka_run_group_tests_name("rounds", tests, NULL, NULL);
}
