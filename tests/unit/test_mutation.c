/* Mutations show that the proof bites: thousands of faults in programs and in
 * emitted text, each decided by the proof; one that the proof lets through must be
 * harmless by the oracle, which shares nothing with it. FFTGEN_MUTANTS=N makes a
 * longer campaign. */
#include "generator/assemble.h"
#include "generator/prove.h"
#include "tests/unit/mutate.h"
#include "tests/unit/oracle.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

enum { MUTANTS = 6000, CHECK_CAUGHT = 8 /* one in so many of those caught goes to the oracle, too */ };

static fg_context context;

static int setup(void **state) {
  (void)state;
  context = (fg_context){.arena = fg_arena_create()};
  return context.arena ? 0 : -1;
}

static int teardown(void **state) {
  (void)state;
  fg_arena_destroy(context.arena);
  mpfr_free_cache();
  return 0;
}

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
    {"c2c f32 n=12:3:5 batch=5:40:70", "stockham(3,4)", false, 4, 0, PLAIN},
    {"c2c f64 n=16 place=in batch=5", "stockham(4,4)", false, 4, 0, PLAIN},
    {"c2c f64 n=6:7:7 place=in batch=7:1:1", "direct(6)", false, 4, 0, PLAIN},
    {"c2c f64 n=8 batch=count[1..20]", "direct(8)", false, 4, 0, PLAIN},
    {"c2c f64 n=5 batch=count[1..9]:dist[5..12]:step[5..9]", "direct(5)", false, 4, 0, PLAIN},
    {"c2c f64 n=24", "cooley-tukey(2,stockham(3,4))", false, 1, 0, PLAIN},
    {"c2c f32 n=64 batch=2", "stockham(4,4,4)", true, 1, 32 << 10, PLAIN},
    {"c2c f32 n=64 batch=2", "stockham(4,4,4)", true, 1, 32 << 10, PADDED},
    {"c2c f32 n=64 batch=2", "stockham(4,4,4)", true, 1, 32 << 10, SWIZZLED},
    {"c2c f32 n=64 batch=2", "stockham(4,4,4)", true, 1, 32 << 10, ONE_BUFFER},
    {"c2c f32 n=48 batch=count[1..5]", "stockham(4,3,4)", true, 1, 32 << 10, ONE_BUFFER},
    {"c2c f32 n=64 batch=3", "stockham(8,8)", true, 1, 16, PLAIN},
    {"c2c f64 n=7 batch=2 place=in", "bluestein(16,stockham(4,4))", true, 1, 32 << 10, PLAIN},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

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
      if (how == ONE_BUFFER && local(p, &stage->load) && local(p, &stage->store)) stage->sync_mid = FG_SCOPE_BLOCK;
    }
}

static fg_program *sample_program(const struct sample *s) {
  fg_problem q;
  fg_plan *plan;
  fg_program *p = NULL;
  fg_mapping map = {.threads = s->threads, .lanes = s->lanes, .registers = 16, .max_threads = 16, .fma = s->lanes > 1};
  map.local_bytes = (size_t)s->local;
  if (fg_problem_parse(&context, s->problem, &q) != FG_OK || fg_plan_parse(&context, s->plan, &plan) != FG_OK ||
      fg_assemble(&context, &q, plan, &map, &p) != FG_OK)
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

static int mutants_wanted(void) {
  const char *text = getenv("FFTGEN_MUTANTS");
  return text && atoi(text) > 0 ? atoi(text) : MUTANTS;
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

static void every_wrong_program_is_caught(void **state) {
  (void)state;
  fg_program *base[SAMPLES];
  counts all = {0}, of[MUTATION_COUNT] = {{0}};
  uint64_t random = 2026;
  char why[160];
  for (int i = 0; i < SAMPLES; i++) {
    fg_proof proof;
    base[i] = sample_program(&samples[i]);
    assert_int_equal(fg_prove(&context, base[i], 1, &proof), FG_OK);
    if (!proof.proved) fail_msg("%s %s: %s", samples[i].problem, samples[i].plan, proof.failure);
    if (!oracle_right(base[i], 1, why)) fail_msg("%s %s: oracle: %s", samples[i].problem, samples[i].plan, why);
  }
  int wanted = mutants_wanted();
  for (int i = 0, number = 0; i < wanted; i++) {
    int sample = (int)(fg_random(&random) % SAMPLES);
    mutation kind = kind_of(number++);
    if (kind == MUTATE_BARRIER && !samples[sample].threads) sample = 12 + (int)(fg_random(&random) % 5);
    fg_context cx = {.arena = fg_arena_create()};
    assert_non_null(cx.arena);
    char what[160];
    fg_program *mutant = mutate_program(&cx, base[sample], kind, &random, what);
    if (mutant) decide(&cx, mutant, samples[sample].problem, what, (uint64_t)i + 1, &of[kind]);
    fg_arena_destroy(cx.arena);
  }
  printf("\n");
  for (int k = 0; k < MUTATION_COUNT; k++) {
    print_counts(mutation_name((mutation)k), &of[k]);
    all.made += of[k].made, all.caught += of[k].caught, all.equivalent += of[k].equivalent;
    all.missed += of[k].missed, all.confirmed += of[k].confirmed, all.stricter += of[k].stricter;
  }
  print_counts("programs", &all);
  assert_int_equal(all.missed, 0);
  assert_true(all.caught > all.made / 2);
  assert_true(all.confirmed > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_wrong_program_is_caught)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
