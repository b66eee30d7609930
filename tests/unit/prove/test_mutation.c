/* Mutations show that the proof bites: thousands of faults in programs and in
 * emitted text, each decided by the proof; one that the proof lets through must be
 * harmless by the oracle, which shares nothing with it. FFTGEN_MUTANTS=N makes a
 * longer campaign. */
#include "generator/pipeline/build.h"
#include "generator/print/emit.h"
#include "generator/prove/attempt.h"
#include "generator/prove/text.h"
#include "tests/unit/child.h"
#include "tests/unit/fixture.h"
#include "tests/unit/mutate.h"
#include "tests/unit/oracle.h"
#include "tests/unit/pace.h"
#include <stdlib.h>
#include <string.h>

enum {
  MUTANTS = 2400,
  REAL_MUTANTS = 800,
  TEXT_MUTANTS = 800,
  SAMPLED_ELEMENTS = 96, /* of a stage */
  CHECK_CAUGHT = 8       /* one in so many of those caught is run by the oracle, too */
};

/* ---- programs ----------------------------------------------------------------------- */

typedef enum twist { PLAIN, PADDED, SWIZZLED, ONE_BUFFER } twist;

static const struct sample {
  const char *problem, *plan;
  bool threads;
  int lanes, local;
  twist twist;
} samples[] = {
    {"c2c f64 n=16 batch=3", "stockham(4,4)", false, 1, 0, PLAIN},
    {"c2c f32 n=15 sign=+1", "direct(15)", false, 1, 0, PLAIN},
    {"c2c f64 n=64", "stockham(8,8)", false, 8, 0, PLAIN},
    {"c2c f64 n=60 sign=+1", "stockham(3,4,5)", false, 4, 0, PLAIN},
    {"c2c f64 n=13 batch=2", "bluestein(32,stockham(4,8))", false, 1, 0, PLAIN},
    {"c2c f64 n=13", "bluestein(32,stockham(8,4))", false, 4, 0, PLAIN},
    {"c2c f64 n=13 batch=2", "rader(13,stockham(3,4))", false, 4, 0, PLAIN},
    {"c2c f64 n=7 sign=+1", "rader(7,stockham(4,3))", false, 1, 0, PLAIN},
    {"c2c f64 n=15 batch=2", "prime-factor(direct(5),direct(3))", false, 1, 0, PLAIN},
    {"c2c f64 n=40", "prime-factor(direct(5),stockham(4,2))", false, 4, 0, PLAIN},
    {"c2c f32 n=12:3:5 batch=5:40:70", "stockham(3,4)", false, 4, 0, PLAIN},
    {"c2c f64 n=16 place=in batch=5", "stockham(4,4)", false, 4, 0, PLAIN},
    {"c2c f64 n=6:7:7 place=in batch=7:1:1", "direct(6)", false, 4, 0, PLAIN},
    {"c2c f64 n=6:70:70 place=in batch=9:45:45", "direct(6)", false, 4, 0, PLAIN},
    {"c2c f64 n=8 batch=count[1..20]", "direct(8)", false, 4, 0, PLAIN},
    {"c2c f64 n=5 batch=count[1..9]:dist[5..12]:step[5..9]", "direct(5)", false, 4, 0, PLAIN},
    {"c2c f32 n=20 layout=split batch=2", "stockham(4,5)", false, 4, 0, PLAIN},
    {"c2c f64 n=6 layout=split>interleaved batch=5", "direct(6)", false, 4, 0, PLAIN},
    {"c2c f64 n=24", "cooley-tukey(2,stockham(3,4))", false, 1, 0, PLAIN},
    {"c2c f64 n=64", "four-step(stockham(2,2,2),stockham(2,2,2);fuse_loops=on)", false, 4, 0, PLAIN},
    {"c2c f32 n=64 batch=2", "stockham(4,4,4)", true, 1, 32 << 10, PLAIN},
    {"c2c f32 n=64 batch=2", "stockham(4,4,4)", true, 1, 32 << 10, PADDED},
    {"c2c f32 n=64 batch=2", "stockham(4,4,4)", true, 1, 32 << 10, SWIZZLED},
    {"c2c f32 n=64 batch=2", "stockham(4,4,4)", true, 1, 32 << 10, ONE_BUFFER},
    {"c2c f32 n=48 batch=count[1..5]", "stockham(4,3,4)", true, 1, 32 << 10, ONE_BUFFER},
    {"c2c f32 n=64 batch=3", "stockham(8,8)", true, 1, 16, PLAIN},
    {"c2c f64 n=7 batch=2 place=in", "bluestein(16,stockham(4,4))", true, 1, 32 << 10, PLAIN},
    {"c2c f32 n=16:50:90 batch=3:1:7", "stockham(4,4)", true, 1, 32 << 10, PLAIN},
};
enum { SAMPLES = sizeof samples / sizeof *samples, FIRST_THREADS = 20 };

static const struct sample real_samples[] = {
    {"r2c f64 n=12 batch=2", "direct(12)", false, 1, 0, PLAIN},
    {"c2r f64 n=9 batch=5", "direct(9)", false, 4, 0, PLAIN},
    {"r2c f64 n=60", "real(6,stockham(2,5))", false, 4, 0, PLAIN},
    {"r2c f64 n=48 batch=2", "real(4,stockham(4,3))", false, 4, 0, PLAIN},
    {"c2r f64 n=60", "real(4,direct(15))", false, 4, 0, PLAIN},
    {"c2r f32 n=64 batch=2", "real(4,stockham(8,2))", false, 8, 0, PLAIN},
    {"r2c f32 n=7:2:1 batch=3:20:9", "direct(7)", false, 1, 0, PLAIN},
    {"r2c f64 n=30 layout=split batch=2", "real(30,direct(1))", false, 4, 0, PLAIN},
    {"r2c f64 n=12 place=in", "direct(12)", false, 1, 0, PLAIN},
    {"c2r f64 n=12 place=in batch=3", "direct(12)", false, 4, 0, PLAIN},
    {"c2r f64 n=10 batch=count[1..9]", "direct(10)", false, 4, 0, PLAIN},
    {"r2c f32 n=48 batch=2", "real(4,stockham(4,3))", true, 1, 32 << 10, PLAIN},
    {"c2r f32 n=60", "real(4,stockham(5,3))", true, 1, 32 << 10, PLAIN},
    {"c2r f32 n=64 batch=count[1..5]", "real(4,stockham(4,4))", true, 1, 32 << 10, PLAIN},
};
enum { REAL_SAMPLES = sizeof real_samples / sizeof *real_samples, FIRST_REAL_THREADS = 11 };

static bool local(const fg_program *p, const fg_access *a) { return p->buffer[a->buffer].space == FG_SPACE_LOCAL; }

/* Forms that no plan makes yet: padding, swizzle, an exchange within one buffer. */
static void twist_access(fg_program *p, fg_access *a, twist how) {
  if (!local(p, a)) return;
  if (how == PADDED) a->index.pad_every = 4, a->index.pad_by = 1;
  if (how == SWIZZLED) a->index.xor_shift = 3, a->index.xor_mask = 7;
  if (how == ONE_BUFFER) {
    while (p->buffer[a->buffer].alias >= 0) a->buffer = p->buffer[a->buffer].alias;
  }
}

static void twist_program(fg_program *p, twist how) {
  int first = -1;
  for (int b = 0; b < p->nbuffer; b++) {
    if (p->buffer[b].space != FG_SPACE_LOCAL) continue;
    if (how == PADDED) p->buffer[b].size += p->buffer[b].size / 4;
    if (how == ONE_BUFFER && first >= 0) p->buffer[b].alias = (int16_t)first;
    if (first < 0) first = b;
  }
  for (int k = 0; k < p->nkernel; k++)
    for (int s = 0; s < p->kernel[k]->nstage; s++) {
      fg_stage *stage = &p->kernel[k]->stage[s];
      twist_access(p, &stage->load, how);
      twist_access(p, &stage->store, how);
      if (how == ONE_BUFFER && local(p, &stage->load) && local(p, &stage->store))
        stage->exchange.between = fg_exchange_barrier();
    }
}

static fg_program *sample_program(const struct sample *s) {
  fg_problem q;
  fg_plan *plan;
  fg_program *p = NULL;
  fg_mapping map = {.threads = s->threads,
                    .lanes = s->lanes,
                    .registers = 16,
                    .max_threads = 16,
                    .fma = s->lanes > 1,
                    .one_source = true};
  map.local_bytes = (size_t)s->local;
  if (fg_problem_parse(&context, s->problem, &q) != FG_OK || fg_plan_parse(&context, s->plan, &plan) != FG_OK ||
      fg_pipeline_program(&context, &q, plan, &map, &p) != FG_OK)
    fail_msg("%s, %s: %s", s->problem, s->plan, context.diag.message);
  twist_program(p, s->twist);
  return p;
}

/* ---- counts ---------------------------------------------------------------------------- */

typedef struct counts {
  int made, caught, equivalent, missed;
  int confirmed, stricter; /* of those caught that the oracle saw, too: it agrees, or sees no fault */
} counts;

static void print_counts(const char *name, const counts *c) {
  printf("  %-10s %6d made  %6d caught  %5d equivalent  %d missed   (oracle on caught ones: %d wrong, %d harmless)\n",
         name, c->made, c->caught, c->equivalent, c->missed, c->confirmed, c->stricter);
}

static int mutants_wanted(int usual) {
  const char *text = getenv("FFTGEN_MUTANTS");
  return text && atoi(text) > 0 ? atoi(text) : IS_WATCHED ? usual / 8 : usual;
}

/* ---- programs under the proof ------------------------------------------------------------ */

static void decide(fg_context *cx, const fg_program *mutant, const char *sample, const char *what, uint64_t seed,
                   counts *c) {
  fg_proof proof;
  char why[160] = "";
  fg_status status = fg_prove(cx, mutant, seed, &proof);
  bool proved = status == FG_OK && proof.proved;
  c->made++;
  if (!proved) {
    c->caught++;
    if (c->caught % CHECK_CAUGHT) return;
    if (oracle_right(mutant, seed, why))
      c->stricter++;
    else
      c->confirmed++;
    if (getenv("FFTGEN_VERBOSE"))
      printf("    %s: %s: %s; oracle: %s\n", sample, what, status ? cx->diag.message : proof.failure, why);
    return;
  }
  if (oracle_right(mutant, seed, why)) {
    c->equivalent++;
    if (getenv("FFTGEN_VERBOSE")) printf("    %s: %s: equivalent\n", sample, what);
    return;
  }
  c->missed++;
  printf("  MISSED: %s: %s: %s\n", sample, what, why);
}

static mutation kind_of(int number) {
  static const mutation order[] = {MUTATE_DAG,     MUTATE_ADDRESS, MUTATE_DAG,   MUTATE_ADDRESS, MUTATE_SHAPE,
                                   MUTATE_ADDRESS, MUTATE_TABLE,   MUTATE_SHAPE, MUTATE_BARRIER, MUTATE_ADDRESS};
  return order[number % (int)(sizeof order / sizeof *order)];
}

typedef struct campaign {
  const struct sample *sample;
  int samples, first_threads; /* those with threads are the last ones */
  int wanted;                 /* mutants */
  uint64_t random;
} campaign;

static void right_ones(const campaign *c, fg_program **base) {
  char why[160];
  for (int i = 0; i < c->samples; i++) {
    const struct sample *s = &c->sample[i];
    fg_proof proof;
    base[i] = sample_program(s);
    assert_int_equal(fg_prove(&context, base[i], 1, &proof), FG_OK);
    if (!proof.proved) fail_msg("%s %s: %s", s->problem, s->plan, proof.failure);
    if (!oracle_right(base[i], 1, why)) fail_msg("%s %s: oracle: %s", s->problem, s->plan, why);
  }
}

static void sum_up(const char *name, const counts *of) {
  counts all = {0};
  printf("\n");
  for (int k = 0; k < MUTATION_COUNT; k++) {
    print_counts(mutation_name((mutation)k), &of[k]);
    all.made += of[k].made, all.caught += of[k].caught, all.equivalent += of[k].equivalent;
    all.missed += of[k].missed, all.confirmed += of[k].confirmed, all.stricter += of[k].stricter;
  }
  print_counts(name, &all);
  assert_int_equal(all.missed, 0);
  assert_true(all.caught > all.made / 2);
  assert_true(all.confirmed > 0);
}

static void run_campaign(campaign c, const char *name) {
  fg_program *base[SAMPLES + REAL_SAMPLES];
  counts of[MUTATION_COUNT] = {{0}};
  int with_threads = c.samples - c.first_threads < 5 ? c.samples - c.first_threads : 5;
  right_ones(&c, base);
  for (int i = 0; i < c.wanted; i++) {
    int sample = (int)(fg_random(&c.random) % (uint64_t)c.samples);
    mutation kind = kind_of(i);
    if (kind == MUTATE_BARRIER && !c.sample[sample].threads)
      sample = c.first_threads + (int)(fg_random(&c.random) % (uint64_t)with_threads);
    fg_context cx = {.arena = fg_arena_create()};
    assert_non_null(cx.arena);
    char what[160];
    fg_program *mutant = mutate_program(&cx, base[sample], kind, &c.random, what);
    if (mutant && i % 3 == 0 && !mutant->problem.nparam) /* with memory for one field at a time */
      cx.memory = (size_t)fg_prove_memory_of_walk(mutant, NULL, 0, FG_PRIMES) - 1;
    if (mutant) decide(&cx, mutant, c.sample[sample].problem, what, (uint64_t)i + 1, &of[kind]);
    fg_arena_destroy(cx.arena);
  }
  sum_up(name, of);
}

static void every_wrong_program_is_caught(void **state) {
  (void)state;
  run_campaign((campaign){samples, SAMPLES, FIRST_THREADS, mutants_wanted(MUTANTS), 2026}, "programs");
}

static void every_wrong_real_program_is_caught(void **state) {
  (void)state;
  run_campaign((campaign){real_samples, REAL_SAMPLES, FIRST_REAL_THREADS, mutants_wanted(REAL_MUTANTS), 2027}, "reals");
}

/* ---- texts under the proof ----------------------------------------------------------------- */

typedef enum stage { STARTED, REJECTED, CAUGHT, HARMLESS, MISSED, LET_THROUGH } stage;

typedef struct report { /* what a child says: a faulty text may take it down */
  stage at;
  char why[160];
} report;

typedef struct emitted_sample {
  const struct sample *sample;
  fg_program *p;
  fg_field field;
  fg_artifact text;
  fg_text_map map;
  int64_t most; /* elements of a stage that the proof samples; 0: it runs all */
  size_t from;  /* where the kernels begin */
} emitted_sample;

static const fg_isa *isa_of(const fg_program *p) {
  int bytes = p->vectors.lanes > 1 ? p->vectors.lanes * fg_precision_bytes(p->problem.compute) : 0;
  const fg_isa *isa = fg_isa_table();
  while (isa->name && isa->vector_bytes != bytes) isa++;
  return isa->name ? isa : NULL;
}

static void emit_sample(const struct sample *s, int64_t most, emitted_sample *out) {
  fg_emitted emitted;
  *out = (emitted_sample){.sample = s, .most = most};
  out->p = sample_program(s);
  assert_int_equal(fg_field_create(&context, fg_program_order(out->p), 77, &out->field), FG_OK);
  fg_emit_options options = {
      .dialect = fg_dialect_find("gf"), .isa = isa_of(out->p), .entry = true, .field = &out->field};
  if (most) options.map = &out->map;
  if (fg_emit(&context, out->p, &options, &emitted) != FG_OK) fail_msg("%s: %s", s->problem, context.diag.message);
  out->text = emitted.artifact;
  const char *kernels = strstr(out->text.source, fg_arena_printf(context.arena, "static void %s", out->text.name));
  assert_non_null(kernels);
  out->from = (size_t)(kernels - out->text.source);
}

static void judge_text(const emitted_sample *s, const fg_artifact *mutant, uint64_t seed, report *r) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_proof_text text = {.p = s->p, .artifact = mutant, .field = &s->field, .seed = seed, .sample = s->most};
  if (s->most) text.map = &s->map;
  fg_text_proof proof = {0};
  fg_status status = fg_proof_text_run(&cx, &text, &proof);
  snprintf(r->why, sizeof r->why, "%.150s", proof.failure);
  if (strstr(proof.failure, "does not compile"))
    r->at = REJECTED;
  else if (status != FG_OK || proof.failure[0])
    r->at = CAUGHT;
  else
    r->at = LET_THROUGH;
  if (r->at == LET_THROUGH) r->at = oracle_text_right(s->p, mutant, &s->field, seed, r->why) ? HARMLESS : MISSED;
  fg_arena_destroy(cx.arena);
}

typedef struct trial {
  const emitted_sample *s;
  const fg_artifact *mutant;
  uint64_t seed;
  report *r; /* shared with the child */
} trial;

static void judge_shared(void *data) {
  const trial *t = data;
  judge_text(t->s, t->mutant, t->seed, t->r);
}

/* In a child. */
static void try_text(const emitted_sample *s, const char *source, uint64_t seed, report *r) {
  fg_artifact mutant = s->text;
  mutant.source = source;
  mutant.source_bytes = strlen(source);
  *r = (report){.at = STARTED};
  done_in_child(judge_shared, &(trial){s, &mutant, seed, r}, 2);
  if (r->at == STARTED) r->at = CAUGHT; /* it took the child down in the proof */
  if (r->at == LET_THROUGH) r->at = MISSED;
}

static void catch_texts(const char *name, int64_t most, int usual) {
  static emitted_sample base[SAMPLES];
  counts c = {0};
  int rejected = 0, nbase = 0, wanted = mutants_wanted(usual);
  uint64_t random = 4711;
  report *r = shared_memory(sizeof *r);
  for (int i = 0; i < SAMPLES; i++) {
    if (samples[i].twist == ONE_BUFFER) continue; /* threads in step have no form as loops */
    emit_sample(&samples[i], most, &base[nbase]);
    try_text(&base[nbase], base[nbase].text.source, 1, r);
    if (r->at != HARMLESS) fail_msg("%s %s: the text itself: %s", samples[i].problem, samples[i].plan, r->why);
    nbase++;
  }
  for (int i = 0; i < wanted; i++) {
    const emitted_sample *s = &base[fg_random(&random) % (uint64_t)nbase];
    fg_context cx = {.arena = fg_arena_create()};
    char what[160];
    char *source = mutate_text(&cx, s->text.source, s->from, &random, what);
    if (source) {
      try_text(s, source, (uint64_t)i + 1, r);
      rejected += r->at == REJECTED;
      c.made += r->at != REJECTED;
      c.caught += r->at == CAUGHT;
      c.equivalent += r->at == HARMLESS;
      c.missed += r->at == MISSED;
      if (r->at == MISSED) printf("  MISSED: %s: %s: %s\n", s->sample->problem, what, r->why);
      if (getenv("FFTGEN_VERBOSE") && r->at == HARMLESS) printf("    %s: %s: equivalent\n", s->sample->problem, what);
    }
    fg_arena_destroy(cx.arena);
  }
  printf("  %-10s %6d made  %6d caught  %5d equivalent  %d missed   (%d more do not compile)\n", name, c.made, c.caught,
         c.equivalent, c.missed, rejected);
  munmap(r, sizeof *r);
  assert_int_equal(c.missed, 0);
  assert_true(c.caught > c.made / 2);
}

static void every_wrong_text_is_caught(void **state) {
  (void)state;
  catch_texts("texts", 0, TEXT_MUTANTS);
}

/* By a proof that runs few of the iterations. */
static void every_wrong_text_is_caught_by_samples(void **state) {
  (void)state;
  catch_texts("sampled", SAMPLED_ELEMENTS, TEXT_MUTANTS);
}

int main(void) {
  cmocka_set_test_filter(getenv("FFTGEN_CAMPAIGN")); /* of these; NULL: all */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_wrong_program_is_caught, setup, teardown),
      cmocka_unit_test_setup_teardown(every_wrong_real_program_is_caught, setup, teardown),
      cmocka_unit_test_setup_teardown(every_wrong_text_is_caught, setup, teardown),
      cmocka_unit_test_setup_teardown(every_wrong_text_is_caught_by_samples, setup, teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
