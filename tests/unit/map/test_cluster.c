/* Clusters: transforms that pass through the memories of several blocks are proved,
 * on both of their forms, and inside of tiles; what orders their stores is needed, piece by piece. */
#include "generator/base/strbuf.h"
#include "generator/ir/serialize.h"
#include "generator/ir/walk.h"
#include "generator/print/emit.h"
#include "tests/unit/offers.h"
#include "tests/unit/text_proof.h"

static const fg_mapping clusters = OF_THREADS(.local_bytes = 64 << 10, .cluster = 16);

static fg_program *assembled(const char *problem, const char *plan) { return assembled_for(problem, plan, &clusters); }

static const struct right {
  const char *problem, *plan;
} right[] = {
    {"c2c f32 n=64 batch=3", "four-step(stockham(4,2), stockham(4,2); cluster=2)"},
    {"c2c f32 n=1024 batch=2", "four-step(stockham(8,4), stockham(8,4); cluster=4)"},
    {"c2c f64 n=1024 sign=+1", "four-step(stockham(8,4), stockham(4,8); cluster=8)"},
    {"c2c f32 n=4096 batch=count[1..9]", "four-step(stockham(4,4,4), stockham(8,8); cluster=8)"},
    {"c2c f64 n=900 batch=2", "four-step(stockham(6,5), stockham(6,5); cluster=3)"},
    {"c2c f32 n=8192", "four-step(stockham(8,16), stockham(8,8); cluster=16, resident=4)"},
    {"c2c f32 n=256", "four-step(direct(16), direct(16); cluster=4)"},
    {"c2c f32 n=4096 batch=3",
     "four-step(four-step(direct(16), direct(4); cluster=2), four-step(direct(32), direct(2); cluster=2); tile=8, "
     "rows=8)"},
    {"c2c f64 n=4096 sign=+1",
     "four-step(four-step(stockham(4,4), direct(4); cluster=4), stockham(8,8); tile=4, rows=4)"},
    {"c2c f32 n=8000 batch=count[1..3]",
     "four-step(stockham(4,5,5), four-step(stockham(4,5), direct(4); cluster=4); tile=5)"},
    {"r2c f32 n=1024 batch=2", "real(4, four-step(stockham(8,4), direct(8); cluster=4))"},
    {"r2c f64 n=1536 batch=count[1..3]", "real(8, four-step(stockham(4,8), direct(6); cluster=2))"},
    {"c2r f32 n=1024 batch=2", "real(4, four-step(stockham(8,4), direct(8); cluster=4))"},
    {"c2r f64 n=1024", "real(2, four-step(stockham(8,4), stockham(4,4); cluster=4))"},
    {"c2c f16 n=1024 batch=2", "four-step(stockham(8,4), stockham(8,4); cluster=4, narrow=on)"},
    {"c2c f32 n=127 batch=3", "bluestein(256, four-step(stockham(4,4), stockham(4,4); cluster=4))"},
    {"c2c f64 n=97 sign=+1", "bluestein(192, four-step(stockham(4,4), stockham(4,3); cluster=2))"},
    {"c2c f32 n=251 batch=count[1..5]", "bluestein(512, four-step(stockham(4,2,2), stockham(4,4,2); cluster=8))"},
    {"c2c f32 n=61 batch=2 place=in", "bluestein(128, four-step(direct(8), stockham(8,2); cluster=2, resident=2))"},
    {"c2c f16 n=127 batch=2", "bluestein(256, four-step(stockham(4,4), stockham(4,4); cluster=4); narrow=on)"},
    {"c2c f32 n=1024 batch=2", "four-step(stockham(8,4), stockham(8,4); cluster=4, separate_buffers=on)"},
    {"c2c f64 n=900 batch=2", "four-step(stockham(6,5), direct(30); cluster=3, separate_buffers=on)"},
    {"r2c f32 n=1024 batch=2", "real(4, four-step(stockham(8,4), direct(8); cluster=4); separate_buffers=on)"},
    {"c2c f32 n=251 batch=count[1..5]",
     "bluestein(512, four-step(stockham(4,2,2), stockham(4,4,2); cluster=8); separate_buffers=on)"},
    {"c2c f64 n=241 sign=+1", "rader(241, four-step(stockham(4,3), stockham(5,4); cluster=4); separate_buffers=on)"},
    {"c2c f32 n=257 batch=3", "rader(257, four-step(stockham(4,4), stockham(4,4); cluster=4))"},
    {"c2c f64 n=241 sign=+1", "rader(241, four-step(stockham(4,3), stockham(5,4); cluster=4))"},
};

static void clusters_are_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    fg_program *p = assembled(right[i].problem, right[i].plan);
    assert_true(p->kernel[0]->launch.cluster > 1 || p->kernel[1]->launch.cluster > 1);
    must_hold(p);
  }
}

static void alone_they_are_the_same(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    const fg_program *p = assembled(right[i].problem, right[i].plan), *q = fg_serialize_blocks(&context, p);
    for (int k = 0; k < q->nkernel; k++) assert_int_equal(q->kernel[k]->launch.cluster, 1);
    must_hold(q);
    text_proof_both(p, NULL, 7, right[i].plan);
  }
}

/* No bank conflicts in what passes between blocks; of a convolution, there and back. */
static void banks_do_not_meet(void **state) {
  (void)state;
  static const struct right free_of_them[] = {
      {"c2c f32 n=32768", "four-step(stockham(16,16), stockham(16,8); cluster=8)"},
      {"c2c f64 n=16384", "four-step(stockham(16,8), stockham(16,8); cluster=8)"},
      {"c2c f32 n=2039", "bluestein(4096, four-step(stockham(8,8), stockham(8,8); cluster=4))"},
      {"c2c f64 n=2039", "bluestein(4096, four-step(stockham(8,8), stockham(8,8); cluster=4))"},
  };
  for (size_t i = 0; i < sizeof free_of_them / sizeof *free_of_them; i++) {
    int64_t met = proof_of(assembled(free_of_them[i].problem, free_of_them[i].plan)).bank_conflicts;
    if (met) fail_msg("%s: %lld", free_of_them[i].plan, (long long)met);
  }
}

typedef struct crossing { /* a program and the stage that stores to its cluster */
  fg_program *p;
  fg_stage *s;
} crossing;

static crossing crossing_of(const struct right *what, int number) {
  crossing c = {.p = assembled(what->problem, what->plan)};
  fg_kernel *k = c.p->kernel[0];
  for (int i = 0; i < k->nstage && number >= 0; i++)
    if (fg_stage_sends(c.p, &k->stage[i])) c.s = &k->stage[i], number--;
  assert_int_equal(number, -1);
  assert_int_equal(c.s->exchange.between.scope, FG_SCOPE_CLUSTER);
  assert_int_equal(c.s->exchange.after.scope, FG_SCOPE_CLUSTER);
  return c;
}

static crossing a_crossing(void) {
  const struct right what = {"c2c f32 n=1024 batch=2", "four-step(stockham(8,4), stockham(8,4); cluster=4)"};
  return crossing_of(&what, 0);
}

enum { CROSSINGS = 6 };
/* One of a transform, or of the two of a convolution; the last of so many transforms that several threads walk. */
static crossing crossing_number(int i) {
  static const struct right many = {"c2c f32 n=1024 batch=128", "four-step(stockham(8,4), stockham(8,4); cluster=4)"};
  static const struct right convolutions[] = {
      {"c2c f32 n=127 batch=2", "bluestein(256, four-step(stockham(4,4), stockham(4,4); cluster=4))"},
      {"c2c f64 n=257 batch=2", "rader(257, four-step(stockham(4,4), stockham(4,4); cluster=4))"}};
  if (i == CROSSINGS - 1) return crossing_of(&many, 0);
  return i ? crossing_of(&convolutions[(i - 1) / 2], (i - 1) % 2) : a_crossing();
}

static void long_walks_are_shared(void **state) {
  (void)state;
  const fg_program *many = crossing_number(CROSSINGS - 1).p;
  fg_proof whole = proof_of(many), few = proof_of(a_crossing().p);
  assert_true(fg_walk_cut(many, many->kernel[0]) >= 0 && whole.proved && few.proved);
  assert_int_equal(whole.addresses, 64 * few.addresses);
  assert_int_equal(whole.bank_conflicts, 64 * few.bank_conflicts);
  assert_int_equal(whole.segments, 64 * few.segments);
}

/* Twiddle factors that are products: every one of them matters, on both forms. */
static void wrong_products_are_found(void **state) {
  (void)state;
  fg_program *p = assembled("c2c f32 n=1024 batch=2", "four-step(stockham(8,4), stockham(8,4); cluster=4)");
  int changed = 0;
  for (int i = 0; i < p->kernel[0]->nstage; i++) {
    fg_stage *s = &p->kernel[0]->stage[i];
    if (!s->factors.product) continue;
    int factors = s->codelet->ntw / 2;
    fg_product *mine = fg_arena_copy(context.arena, s->factors.product, sizeof *mine * (size_t)factors);
    const fg_product *was = s->factors.product;
    s->factors.product = mine;
    for (int f = 1; f < factors; f++) {
      mine[f].load = (int16_t)((was[f].load + 1) % fg_stage_roots(p->kernel[0], s));
      must_fail(p, "is not that of the DFT");
      mine[f] = was[f];
      changed++;
    }
    mine[1].factor = 1;
    must_fail(p, "a twiddle factor of what is not there");
    s->factors.product = was;
  }
  assert_true(changed > 10);
  must_hold(p);
  p = assembled("c2c f64 n=512 batch=3", "stockham(8,8,8; products=on)");
  assert_non_null(p->kernel[0]->stage[1].factors.product);
  must_hold(p);
}

static int stages_by_steps(const fg_kernel *k) {
  int count = 0;
  for (int i = 0; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    if (!s->codelet || s->codelet->key.twiddle != FG_TW_STEPS) continue;
    assert_int_equal(fg_stage_roots(k, s), s->codelet->key.n / 2);
    assert_null(s->factors.product);
    count++;
  }
  return count;
}

/* Factors at each step of a radix by two; those between four-step's parts among them. */
static void factors_are_taken_in_steps(void **state) {
  (void)state;
  static const char text[] = "four-step(stockham(8,4), stockham(4,8); cluster=4, steps=%d)";
  static const int stages[] = {0, 2, 3};
  for (int steps = 0; steps < 3; steps++) {
    fg_program *p = assembled("c2c f32 n=1024 batch=2 sign=+1", fg_arena_printf(context.arena, text, steps));
    assert_int_equal(stages_by_steps(p->kernel[0]), stages[steps]);
    must_hold(p);
  }
  fg_program *p = assembled("c2c f64 n=512 batch=3", "stockham(8,8,8; steps=inner)");
  assert_int_equal(stages_by_steps(p->kernel[0]), 2);
  must_hold(p);
  must_hold(assembled("c2c f64 n=257 batch=3", "bluestein(512, stockham(8,8,8); steps=inner)"));
}

/* Runs of 7 threads 49 apart: with six more numbers, the next one begins where, in the banks, one ends. */
static void runs_are_padded(void **state) {
  (void)state;
  fg_program *p = assembled("c2c f32 n=2401 batch=2", "stockham(7,7,7,7)");
  const fg_stage *s = p->kernel[0]->stage;
  assert_int_equal(s[1].store.index.pad_every, 49);
  assert_int_equal(s[1].store.index.pad_by, 6);
  assert_int_equal(s[2].load.index.pad_every, 49);
  assert_int_equal(s[0].store.index.pad_every, 0);
  must_hold(p);
}

/* The values are right all the same: only the race model knows. */
static void an_early_arrival_is_a_race(void **state) {
  (void)state;
  for (int i = 0; i < CROSSINGS; i++) {
    crossing c = crossing_number(i);
    must_hold(c.p);
    c.s->exchange.between.signal = FG_SIGNAL_ISSUED;
    assert_true(must_fail(c.p, "before its owner needs to be done with it").races > 0);
    c.s->exchange.between.signal = FG_SIGNAL_BARRIER;
    must_hold(c.p);
  }
}

/* On the way back all have begun long since, and some may still be at their rows. */
static void blocks_must_have_arrived(void **state) {
  (void)state;
  for (int i = 0; i < CROSSINGS; i++) {
    crossing c = crossing_number(i);
    bool back = i && i % 2 == 0;
    c.s->exchange.between = fg_exchange_barrier();
    assert_true(must_fail(c.p, back ? "needs to be done with it" : "needs to have begun").races > 0);
  }
}

static void data_must_have_come(void **state) {
  (void)state;
  for (int i = 0; i < CROSSINGS; i++) {
    crossing c = crossing_number(i);
    c.s->exchange.after = fg_exchange_barrier();
    assert_true(must_fail(c.p, "what may not have come yet").races > 0);
  }
}

/* Apart: blocks arrive as soon as they are through with what is stored to next, not before. */
static void early_arrivals_come_in_time(void **state) {
  (void)state;
  fg_program *p = assembled("c2c f32 n=127 batch=2",
                            "bluestein(256, four-step(stockham(4,4), stockham(4,4); cluster=4); separate_buffers=on)");
  fg_kernel *k = p->kernel[0];
  int sends[2], count = 0, through = 0;
  for (int i = 0; i < k->nstage; i++) {
    assert_int_not_equal(k->stage[i].exchange.between.scope, FG_SCOPE_CLUSTER);
    if (fg_stage_sends(p, &k->stage[i])) sends[count++] = i;
    if (fg_exchange_crosses(&k->stage[i].exchange.offer)) through = i;
  }
  assert_int_equal(count, 2);
  assert_int_equal(through, sends[0] + 1);
  const fg_exchange arrive = k->launch.offer;
  assert_true(fg_exchange_crosses(&k->launch.offer) && fg_exchange_crosses(&k->stage[sends[1]].exchange.before));
  must_hold(p);
  k->launch.offer = fg_exchange_none();
  must_fail(p, "without having arrived");
  k->launch.offer = arrive, k->stage[through].exchange.offer = fg_exchange_none();
  must_fail(p, "without having arrived");
  k->stage[through].exchange.offer = k->stage[through + 1].exchange.offer = arrive;
  must_fail(p, "again before they have waited");
  k->stage[through].exchange.offer = k->stage[through + 1].exchange.offer = fg_exchange_none();
  k->stage[sends[0]].exchange.offer = arrive; /* its rows are yet to be read */
  must_fail(p, "before its owner needs to be done with it");
  k->stage[sends[0]].exchange.offer = fg_exchange_none(), k->stage[through].exchange.offer = arrive;
  k->stage[sends[1]].exchange.before = fg_exchange_none();
  must_fail(p, "before its owner needs to be done with it");
  k->stage[sends[1]].exchange.before = fg_exchange_cluster(FG_SIGNAL_WAIT),
  k->stage[through].exchange.before = fg_exchange_none();
  must_fail(p, "which another thread uses before the next barrier");
  k->stage[through].exchange.before = fg_exchange_barrier();
  must_hold(p);
}

/* A convolution's rows, and the block's barriers between their passes. */
static void rows_wait_for_each_other(void **state) {
  (void)state;
  crossing c = crossing_number(1), back = crossing_number(2);
  fg_stage *rows = c.s + 1;
  assert_int_equal(rows->exchange.between.scope, FG_SCOPE_BLOCK);
  rows->exchange.between = fg_exchange_none();
  must_fail(c.p, "which another thread uses before the next barrier");
  rows->exchange.between = fg_exchange_barrier(), rows->exchange.after = fg_exchange_none();
  must_fail(c.p, "which another thread uses before the next barrier");
  back.s[-1].exchange.after = fg_exchange_none();
  must_fail(back.p, "which another thread uses before the next barrier");
}

/* One block's part gets more than is waited for, another's less. */
static void all_wait_for_the_same(void **state) {
  (void)state;
  crossing c = a_crossing();
  fg_access *to = &c.s->store;
  to->npred = 1; /* the last slot's stores stay away: they are all for one block */
  to->pred[0] = (fg_pred){.value = {.offset = fg_num_const(0)}, .bound = fg_num_const(3)};
  fg_affine_add(&to->pred[0].value, to->reg, fg_num_const(1));
  must_fail(c.p, "elements and waits for");
}

static void a_block_reads_its_own_part(void **state) {
  (void)state;
  crossing c = a_crossing();
  fg_stage *next = c.s + 1;
  int16_t rank = fg_kernel_rank(c.p->kernel[0]);
  for (int t = 0; t < next->load.index.at.nterm; t++) {
    fg_term *term = &next->load.index.at.term[t];
    if (term->digit == rank) term->coef.n = 0; /* always the first block's */
  }
  must_fail(c.p, "loads another's part");
}

/* No block may end before all stores to its memory are complete. */
static void a_block_must_not_end_early(void **state) {
  (void)state;
  crossing c = a_crossing();
  fg_kernel *k = c.p->kernel[0];
  k->nstage = (int)(c.s - k->stage) + 1;
  c.s->exchange.after = fg_exchange_none();
  must_fail(c.p, "may end before what is stored to them has come");
}

static void what_cannot_be_is_refused(void **state) {
  (void)state;
  fg_program *p;
  fg_mapping none = clusters;
  none.cluster = 1;
  assert_int_equal(try_assemble("c2c f32 n=64", right[0].plan, &none, &p), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "clusters of up to 1"));
  const char *plan = "four-step(stockham(4,2), stockham(4,2); cluster=3)";
  assert_int_equal(try_assemble("c2c f32 n=64", plan, &clusters, &p), FG_EUSER);
  if (!strstr(context.diag.message, "divide 8 and 8")) fail_msg("%s", context.diag.message);
  p = assembled("c2c f32 n=64", right[0].plan);
  fg_emitted emitted;
  fg_emit_options options = {.dialect = fg_dialect_find("opencl")};
  fg_diag_clear(&context.diag);
  assert_int_equal(fg_emit(&context, p, &options, &emitted), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "the dialect opencl has none"));
  options.dialect = fg_dialect_find("cuda");
  crossing c = a_crossing();
  c.s->exchange.between.signal = FG_SIGNAL_ISSUED;
  fg_diag_clear(&context.diag);
  assert_int_equal(fg_emit(&context, c.p, &options, &emitted), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "before its loads are over"));
}

/* What no block holds, and what no cluster shares out. */
static void convolutions_that_do_not_fit_are_refused(void **state) {
  (void)state;
  fg_program *p;
  const char *large = "bluestein(32768, four-step(stockham(16,16), stockham(16,8); cluster=2))";
  assert_int_equal(try_assemble("c2c f32 n=16381", large, &clusters, &p), FG_EUSER);
  if (!strstr(context.diag.message, "hold 132096 bytes of a convolution of 32768 points, and here up to 65536"))
    fail_msg("%s", context.diag.message);
  const char *odd = "bluestein(192, four-step(stockham(4,4), stockham(4,3); cluster=8))";
  assert_int_equal(try_assemble("c2c f32 n=97", odd, &clusters, &p), FG_EUSER);
  if (!strstr(context.diag.message, "divide 16 and 12")) fail_msg("%s", context.diag.message);
}

/* All loads are used before the barrier, and nothing else is stored there. */
static void the_text_crosses_once(void **state) {
  (void)state;
  fg_emitted emitted;
  fg_emit_options options = {.dialect = fg_dialect_find("cuda")};
  assert_int_equal(fg_emit(&context, a_crossing().p, &options, &emitted), FG_OK);
  const char *text = emitted.file[0].text, *kernels = strstr(text, "fftgen_mbarrier_wait(const void");
  assert_non_null(kernels);
  const char *use = strstr(kernels, "  fftgen_wait_loads("), *cross = strstr(kernels, "  fftgen_cluster_wait();"),
             *arrive = strstr(kernels, "  fftgen_cluster_arrive();");
  assert_true(use && arrive && cross && use < arrive && arrive < cross);
  assert_null(strstr(cross + 1, "  fftgen_cluster_arrive();"));
  assert_true(strstr(kernels, "fftgen_send(") > cross);
  assert_non_null(strstr(kernels, "__cluster_dims__(4, 1, 1)"));
  assert_int_equal(emitted.artifact.launch[0].cluster, 4);
}

static const char *text_for(const char *problem, const char *plan) {
  fg_emitted emitted;
  fg_emit_options options = {.dialect = fg_dialect_find("cuda")};
  assert_int_equal(fg_emit(&context, assembled(problem, plan), &options, &emitted), FG_OK);
  return emitted.file[0].text;
}

static const char *text_of(const char *plan) { return text_for("c2c f32 n=1024 batch=2", plan); }

/* The second time behind the same mbarrier, which is closed as soon as all is through. */
static void the_text_of_a_convolution_crosses_twice(void **state) {
  (void)state;
  const char *text =
      text_for("c2c f32 n=127 batch=2", "bluestein(256, four-step(stockham(4,4), stockham(4,4); cluster=4))");
  const char *open = strstr(text, "  fftgen_mbarrier_init(work0 + 136, 384);"),
             *first =
                 open ? strstr(open,
                               "  fftgen_mbarrier_wait(work0 + 136, 0);\n  fftgen_mbarrier_expect(work0 + 136, 384);")
                      : NULL,
             *second = first ? strstr(first, "  fftgen_mbarrier_wait(work0 + 136, 1);") : NULL;
  if (!second) fail_msg("%s", text);
  assert_null(strstr(second, "fftgen_mbarrier_expect("));
  const char *cross = strstr(text, "  fftgen_cluster_wait();"), *again = strstr(cross + 1, "  fftgen_cluster_wait();");
  assert_non_null(again);
  assert_null(strstr(again + 1, "  fftgen_cluster_wait();"));
}

/* Late: what is sent is known before the barrier is waited at. */
static void late_results_are_held(void **state) {
  (void)state;
  const char *text = text_of("four-step(stockham(8,4), stockham(8,4); cluster=4, deferred_store=on)");
  const char *arrive = strstr(text, "  fftgen_cluster_arrive();"),
             *held = strstr(text, "fftgen_fence_loads(fftgen_bits(hold[0])"),
             *cross = strstr(text, "  fftgen_cluster_wait();");
  assert_true(arrive && held && cross && arrive < held && held < cross);
  assert_null(strstr(text, "  fftgen_wait_loads("));
  assert_null(strstr(text_of("four-step(stockham(8,4), stockham(8,4); cluster=4)"), "  fftgen_fence_loads("));
}

static int count_of(const char *text, const char *words) {
  int count = 0;
  for (; (text = strstr(text, words)); text++) count++;
  return count;
}

/* The input's pairs and no others. */
static const char *text_of_halves(const char *plan, fg_emitted *emitted) {
  fg_emit_options options = {.dialect = fg_dialect_find("cuda")};
  const fg_program *p = assembled("c2c f16 n=1024 batch=2", plan);
  for (int i = FG_BUFFER_OUT + 1; i < p->nbuffer; i++)
    if (p->buffer[i].space == FG_SPACE_LOCAL)
      assert_int_equal(p->buffer[i].precision, strstr(plan, "narrow") ? FG_F16 : FG_F32);
  assert_int_equal(fg_emit(&context, p, &options, emitted), FG_OK);
  return emitted->file[0].text;
}

/* A number that is sent to another block is one word, before the barrier, and half of the bytes are awaited.
 */
static void halves_are_sent_as_halves(void **state) {
  (void)state;
  fg_emitted wide, narrow;
  const char *floats = text_of_halves("four-step(stockham(8,4), stockham(8,4); cluster=4)", &wide);
  const char *halves = text_of_halves("four-step(stockham(8,4), stockham(8,4); cluster=4, narrow=on)", &narrow);
  assert_non_null(strstr(halves, "unsigned short *const work"));
  assert_non_null(strstr(halves, "  hold[4 * it + 0] = packed_f16("));
  assert_non_null(strstr(halves, ", hold[4 * it + 0], mbarrier"));
  assert_null(strstr(halves, "  float hold["));
  assert_null(strstr(floats, "  unsigned hold["));
  assert_non_null(strstr(floats, " + 544, 1536);"));
  assert_non_null(strstr(halves, " + 576, 768);"));
  assert_true(5 * (narrow.artifact.launch[0].local_bytes - 16) <= 3 * wide.artifact.launch[0].local_bytes);
}

/* Those of both iterations are loaded before the first is converted. */
static void halves_come_first(void **state) {
  (void)state;
  fg_emitted both, each;
  const char *text = text_of_halves("stockham(16,8,8; threads=32, narrow=on)", &both);
  assert_non_null(strstr(text, "  unsigned come[32];"));
  assert_int_equal(count_of(text, " = *(const unsigned *)(px"), 16);
  assert_non_null(strstr(text, "pair_from_f16((const unsigned short *)(come + 16 * it + 15))"));
  assert_null(strstr(text_of_halves("stockham(16,8,8; threads=64, narrow=on)", &each), "come["));
}

/* Of 32 banks 16 rows fill a half; those of the next column are in the other one, on both sides of the rows' exchange.
 */
static void few_rows_meet_no_banks(void **state) {
  (void)state;
  const fg_program *p =
      assembled("c2c f16 n=4096 batch=2", "four-step(stockham(8,8), stockham(16,4); cluster=4, narrow=on)");
  const fg_stage *rows = &p->kernel[0]->stage[2];
  int64_t pitch = 0;
  for (int t = 0; t < rows->load.index.at.nterm; t++) {
    const fg_term *term = &rows->load.index.at.term[t];
    if (!strcmp(p->kernel[0]->digit[term->digit].name, "c")) pitch = term->coef.n;
  }
  assert_int_equal(pitch % 4, 2);
  assert_true(rows->store.index.pad_by > 0);
  assert_int_equal(rows->store.index.pad_by, rows[1].load.index.pad_by);
}

static void inputs_are_read_ahead(void **state) {
  (void)state;
  const char *text = text_of("four-step(stockham(8,4), stockham(8,4); cluster=4, l2_prefetch=on)");
  assert_int_equal(count_of(text, "fftgen_load_256b((const float2 *)(px"), 8);
  assert_int_equal(count_of(text, "fftgen_load_256b((const float2 *)("), 8);
}

static int balanced; /* of the plans by clusters that were offered last */

static int count_offers(const char *problem, int blocks) {
  offers o;
  int count = 0;
  offers_for(problem, blocks, false, &o);
  balanced = 0;
  for (int i = 0; i < o.plans.count; i++) {
    const fg_plan *whole = o.plans.plan[i];
    const fg_plan *plan = whole->step == FG_REAL || whole->step == FG_BLUESTEIN ? whole->child[0] : whole;
    bool pair = plan->step == FG_FOUR_STEP && fg_plan_param_value(plan->child[0], FG_PARAM_CLUSTER);
    if (!pair && !fg_plan_param_value(plan, FG_PARAM_CLUSTER)) continue;
    offered_program(&o, i);
    balanced += fg_plan_param_value(whole, FG_PARAM_CLUSTER_SCHEDULING) == 1;
    count++;
  }
  return count;
}

static void recipes_offer_clusters(void **state) {
  (void)state;
  assert_true(count_offers("c2c f32 n=32768 batch=64", 16) > 0);
  assert_true(count_offers("c2c f64 n=8192 batch=64", 8) > 0);
  assert_true(count_offers("c2c f32 n=20000 batch=64", 16) > 0);
  assert_int_equal(count_offers("c2c f32 n=32768 batch=64", 1), 0);
  assert_int_equal(count_offers("c2c f32 n=32768 batch=64 place=in", 16), 0);
  assert_true(count_offers("c2c f32 n=1048576 batch=64", 8) > 0);
  assert_int_equal(count_offers("c2c f32 n=1048576 batch=64", 1), 0);
  assert_true(count_offers("r2c f32 n=65536 batch=64", 8) > 0);
  assert_true(count_offers("c2r f64 n=65536 batch=64", 16) > 0);
  assert_true(count_offers("r2c f32 n=2097152 batch=64", 16) > 0);
  assert_int_equal(count_offers("r2c f32 n=65536 batch=64", 1), 0);
  assert_true(count_offers("c2c f32 n=10007 batch=64", 8) > 0);
  assert_true(count_offers("c2c f64 n=16381 batch=64 place=in", 16) > 0);
  assert_int_equal(count_offers("c2c f32 n=10007 batch=64", 4), 0);
  assert_int_equal(count_offers("c2c f32 n=8191 batch=64", 16), 0);  /* a block is better */
  assert_int_equal(count_offers("c2c f32 n=65537 batch=64", 16), 0); /* and so are three kernels */
}

/* Small clusters, of which there are many. */
static void recipes_balance_clusters(void **state) {
  (void)state;
  assert_true(count_offers("c2c f64 n=8192 batch=4096", 8) > 0 && balanced > 0);
  assert_true(count_offers("r2c f32 n=65536 batch=4096", 8) > 0 && balanced > 0);
  assert_true(count_offers("c2c f64 n=8192 batch=4", 8) > 0 && !balanced);
}

/* Planes in the memories of a cluster, or of a block; other dimensions around. */
static void planes_are_proved(void **state) {
  (void)state;
  must_hold(assembled("c2c f32 n=16x16 batch=3", "nd(stockham(4,4), stockham(4,4); cluster=4)"));
  must_hold(assembled("c2c f64 n=12x30 sign=+1 batch=count[1..4]", "nd(stockham(4,3), stockham(6,5); cluster=3)"));
  must_hold(assembled("c2c f32 n=8x8 place=in batch=2", "nd(stockham(4,2), direct(8); cluster=1)"));
  must_hold(assembled("c2c f32 n=9x6", "nd(stockham(3,3), direct(6); cluster=1)"));
  must_hold(assembled("c2c f32 n=5x16x8 batch=2", "nd(direct(5), stockham(4,4), stockham(4,2); cluster=4)"));
  must_hold(assembled("c2c f16 n=3x2x8x8", "nd(direct(3), direct(2), stockham(4,2), stockham(4,2); cluster=2)"));
  must_hold(assembled("c2c f32 n=16x12 batch=2", "nd(four-step(stockham(2,2), direct(4); cluster=4), stockham(4,3))"));
  fg_program *p;
  assert_int_not_equal(try_assemble("c2c f32 n=8x8 place=in", "nd(direct(8), direct(8); cluster=2)", &clusters, &p),
                       FG_OK);
  assert_int_not_equal(try_assemble("c2c f32 n=9x6", "nd(stockham(3,3), direct(6); cluster=2)", &clusters, &p), FG_OK);
}

/* All dimensions in a block, or the last ones; several short transforms in one, through its memory or not. */
static void dimensions_in_a_block_are_proved(void **state) {
  (void)state;
  must_hold(assembled("c2c f32 n=9x9x8 batch=7", "nd(direct(9), direct(9), direct(8); inside=3)"));
  must_hold(assembled("c2c f32 n=3x5x3 batch=40", "nd(direct(3), direct(5), direct(3); inside=3, copies=1)"));
  must_hold(assembled("c2c f64 n=12x10 sign=+1 batch=count[1..9]", "nd(stockham(4,3), stockham(5,2); inside=2)"));
  must_hold(assembled("c2c f32 n=4x8x6 batch=2", "nd(direct(4), direct(8), direct(6); inside=2)"));
  must_hold(assembled("c2c f32 n=8x6 place=in batch=3", "nd(direct(8), direct(6); inside=2)"));
  must_hold(assembled("r2c f32 n=6x5x8 batch=3", "nd(direct(6), direct(5), real(4, direct(2)); inside=3)"));
  must_hold(assembled("r2c f32 n=4x6x5 batch=2", "nd(direct(4), direct(6), direct(5); inside=2)"));
  must_hold(assembled("c2r f64 n=6x8 batch=2", "nd(direct(6), real(4, direct(2)); inside=2)"));
  must_hold(assembled("c2r f32 n=3x4x5 batch=2", "nd(direct(3), direct(4), direct(5); inside=2)"));
  fg_program *p;
  assert_int_not_equal(try_assemble("c2c f32 n=8x8", "nd(direct(8), direct(8); inside=3)", &clusters, &p), FG_OK);
  assert_int_equal(assembled("c2c f32 n=9x9x8 batch=7", "nd(direct(9), direct(9), direct(8); inside=3)")->nkernel, 1);
}

static void reals_as_complex_numbers_are_proved(void **state) {
  (void)state;
  must_hold(assembled("r2c f32 n=45 batch=3", "as-complex(stockham(9,5))"));
  must_hold(assembled("r2c f64 n=29 batch=2", "as-complex(bluestein(64, stockham(8,8)))"));
  must_hold(assembled("r2c f32 n=225 batch=2", "as-complex(four-step(stockham(5,3), stockham(5,3)))"));
  fg_program *p;
  assert_int_not_equal(try_assemble("c2r f32 n=45", "as-complex(stockham(9,5))", &clusters, &p), FG_OK);
}

static void reals_two_by_two_are_proved(void **state) {
  (void)state;
  must_hold(assembled("r2c f32 n=45 batch=4", "paired(stockham(9,5))"));
  must_hold(assembled("r2c f32 n=45 batch=7", "paired(stockham(9,5))")); /* the last one alone */
  must_hold(assembled("r2c f64 n=29 batch=3", "paired(bluestein(64, stockham(8,8)))"));
  must_hold(assembled("r2c f32 n=20 batch=3:100:60x5:20:11", "paired(stockham(5,4))"));
  must_hold(assembled("r2c f32 n=225 batch=3", "paired(four-step(stockham(5,3), stockham(5,3)))"));
  static const char *const not_so[] = {"r2c f32 n=45",
                                       "r2c f32 n=45 batch=count[2..8]",
                                       "r2c f32 n=45 batch=4 load=window(hann)",
                                       "r2c f32 n=45:2:1 batch=4:91:23",
                                       "r2c f32 n=45 batch=4 place=in",
                                       "c2r f32 n=45 batch=4"};
  fg_program *p;
  for (size_t i = 0; i < sizeof not_so / sizeof *not_so; i++)
    assert_int_not_equal(try_assemble(not_so[i], "paired(stockham(9,5))", &clusters, &p), FG_OK);
}

/* What a stage holds across the barrier, by both laws of its addresses: each number is
 * sent once; behind the exchange there is room for its mbarrier. */
static void all_that_is_held_is_sent(void **state) {
  (void)state;
  fg_emitted emitted;
  fg_emit_options options = {.dialect = fg_dialect_find("cuda")};
  const fg_program *p = assembled("r2c f32 n=1024", "real(4, four-step(stockham(8,4), direct(8); cluster=4))");
  assert_int_equal(fg_emit(&context, p, &options, &emitted), FG_OK);
  const char *text = strstr(emitted.file[0].text, "fftgen_cluster_wait();");
  for (int slot = 0; slot < 4; slot++) {
    const char *pair =
        fg_arena_printf(context.arena, " hold[8 * it + %d], hold[8 * it + %d], ", 2 * slot, 2 * slot + 1);
    const char *sent = text ? strstr(text, pair) : NULL;
    if (!sent) fail_msg("not sent:%s", pair);
    assert_null(strstr(sent + 1, pair));
  }
  int64_t end = 0;
  for (int i = 0; i < p->nbuffer; i++)
    if (fg_buffer_is_distributed(&p->buffer[i])) end = 8 * p->buffer[i].size + 16;
  assert_non_null(
      strstr(emitted.file[1].text, fg_arena_printf(context.arena, "\"local_bytes\": %lld", (long long)end)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planes_are_proved),
      cmocka_unit_test(clusters_are_proved),
      cmocka_unit_test(alone_they_are_the_same),
      cmocka_unit_test(banks_do_not_meet),
      cmocka_unit_test(long_walks_are_shared),
      cmocka_unit_test(an_early_arrival_is_a_race),
      cmocka_unit_test(blocks_must_have_arrived),
      cmocka_unit_test(data_must_have_come),
      cmocka_unit_test(all_wait_for_the_same),
      cmocka_unit_test(a_block_reads_its_own_part),
      cmocka_unit_test(a_block_must_not_end_early),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(the_text_crosses_once),
      cmocka_unit_test(wrong_products_are_found),
      cmocka_unit_test(factors_are_taken_in_steps),
      cmocka_unit_test(runs_are_padded),
      cmocka_unit_test(late_results_are_held),
      cmocka_unit_test(inputs_are_read_ahead),
      cmocka_unit_test(recipes_offer_clusters),
      cmocka_unit_test(recipes_balance_clusters),
      cmocka_unit_test(all_that_is_held_is_sent),
      cmocka_unit_test(halves_are_sent_as_halves),
      cmocka_unit_test(halves_come_first),
      cmocka_unit_test(few_rows_meet_no_banks),
      cmocka_unit_test(dimensions_in_a_block_are_proved),
      cmocka_unit_test(reals_as_complex_numbers_are_proved),
      cmocka_unit_test(reals_two_by_two_are_proved),
      cmocka_unit_test(rows_wait_for_each_other),
      cmocka_unit_test(convolutions_that_do_not_fit_are_refused),
      cmocka_unit_test(the_text_of_a_convolution_crosses_twice),
      cmocka_unit_test(early_arrivals_come_in_time),
  };
  return cmocka_run_group_tests(tests, setup_guarded, teardown);
}
