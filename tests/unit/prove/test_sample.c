/* Samples: what is wrong in a tail or in the middle of a long loop only, in some entry of a large table, or in texts of
 * calls too long to be run as a whole, is found all the same; and what a proof of the text costs beside all else. */
#include "generator/pipeline/pipeline.h"
#include "generator/prove/literals.h"
#include "tests/unit/proving.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const fg_mapping four_lanes = {.lanes = 4, .one_source = true, .registers = 16, .fma = true};

/* ---- texts --------------------------------------------------------------------------------- */

typedef struct emitted {
  fg_program *p;
  fg_field field;
  fg_text_map map;
  fg_artifact artifact;
} emitted;

static emitted emit(const char *problem, const char *plan, const fg_mapping *map) {
  emitted e = {.p = assembled_for(problem, plan, map)};
  fg_emitted made;
  assert_int_equal(fg_field_create(&context, fg_program_order(e.p), 5, &e.field), FG_OK);
  fg_emit_options options = {.dialect = fg_dialect_find("gf"),
                             .isa = fg_isa_find(map->lanes > 1 ? "avx2" : "scalar"),
                             .entry = true,
                             .field = &e.field,
                             .map = &e.map};
  if (fg_emit(&context, e.p, &options, &made) != FG_OK) fail_msg("%s: %s", problem, context.diag.message);
  e.artifact = made.artifact;
  return e;
}

static fg_text_proof sampled(const emitted *e, const char *source) {
  fg_artifact artifact = e->artifact;
  fg_proof_text text = {
      .p = e->p, .artifact = &artifact, .field = &e->field, .seed = 9, .one_prime = true, .map = &e->map};
  fg_text_proof proof = {0};
  artifact.source = source;
  artifact.source_bytes = strlen(source);
  if (fg_proof_text_run(&context, &text, &proof) != FG_OK) fail_msg("%s", context.diag.message);
  return proof;
}

/* The text with `instead` for the last `what`, or for the first one behind `behind`. */
static const char *changed(const char *text, const char *behind, const char *what, const char *instead) {
  const char *at = behind ? strstr(text, behind) : text, *hit = NULL;
  for (const char *next = at; next && (next = strstr(next, what)); next++) {
    hit = next;
    if (behind) break;
  }
  if (!hit) fail_msg("no \"%s\" in the text", what);
  return fg_arena_printf(context.arena, "%.*s%s%s", (int)(hit - text), text, instead, hit + strlen(what));
}

static void must_be_found(const emitted *e, const char *source) {
  fg_text_proof proof = sampled(e, source);
  if (!proof.failure[0]) fail_msg("not found: %s", e->artifact.name);
}

static void only_a_sample_runs(const emitted *e) {
  fg_text_proof proof = sampled(e, e->artifact.source);
  assert_string_equal(proof.failure, "");
  assert_true(proof.all_iterations > 20 * proof.iterations);
  assert_true(proof.outputs > 1000);
}

static void wrong_loops_are_found(void **state) {
  (void)state;
  emitted e = emit("c2c f64 n=262144", "stockham(8,8,8,8,8,8)", &scalar);
  only_a_sample_runs(&e);
  const char *text = e.artifact.source;
  must_be_found(&e, changed(text, "run_0(", "q < 32768", "q < 32767"));           /* the last iteration is missing */
  must_be_found(&e, changed(text, "run_0(", "/ parts; ++q", "/ parts + 1; ++q")); /* one too many */
  must_be_found(&e, changed(text, "run_0(", "++q", "q += 2"));                    /* every other one */
  must_be_found(&e, changed(text, "run_0(", "q = ", "q = 1 + "));                 /* the first one */
  must_be_found(&e, changed(text, "run_0(", "++q", "q += 1 + (q == 777)"));       /* one in the middle */
}

static void wrong_vectors_are_found(void **state) {
  (void)state;
  emitted e = emit("c2c f64 n=65536", "four-step(stockham(8,16), stockham(8,8,8))", &four_lanes);
  only_a_sample_runs(&e);
  const char *text = e.artifact.source;
  must_be_found(&e, changed(text, NULL, "vec4_store(py", "vec4_store(1 + py"));
  must_be_found(&e, changed(text, NULL, "vec4_load(px", "vec4_load(4 + px"));
  must_be_found(&e, changed(text, NULL, "_run0_0(", "_run0_1("));
}

/* Threads beyond the work, and a batch that does not fill its blocks. */
static void wrong_tails_are_found(void **state) {
  (void)state;
  emitted e = emit("c2c f32 n=1000 batch=997", "stockham(10,10,10; group=3)", &threads);
  const char *text = e.artifact.source;
  assert_string_equal(sampled(&e, text).failure, "");
  must_be_found(&e, changed(text, NULL, "< 997", "< 996"));
  must_be_found(&e, changed(text, NULL, "< 997", "< 998"));
}

/* An array that is written shifted: the place where it wraps is in the middle. */
static void wrong_turns_are_found(void **state) {
  (void)state;
  emitted e = emit("c2c f64 n=50625 store=shift", "stockham(15,15,15,15)", &scalar);
  only_a_sample_runs(&e);
  must_be_found(&e, changed(e.artifact.source, "23625 < 2531", "<", "<= 1 +"));
  must_be_found(&e, changed(e.artifact.source, "23625 < 2531", "<", "< -1 +"));
}

/* Calls of 2^26 points have one, too, that takes neither long nor much memory. */
static void long_calls_have_a_sample(void **state) {
  (void)state;
  emitted e = emit("c2c f64 n=67108864", "stockham(64,64,128,128)", &scalar);
  only_a_sample_runs(&e);
  must_be_found(&e, changed(e.artifact.source, "run_3(", "py[67108864] = ", "py[67108865] = "));
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct literals {
  emitted e;
  fg_artifact c;
  char *source;
} literals;

static literals in_numbers(const char *problem, const char *plan) {
  literals l = {.e = emit(problem, plan, &scalar)};
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .static_tables = true};
  fg_emitted made;
  if (fg_emit(&context, l.e.p, &options, &made) != FG_OK) fail_msg("%s: %s", problem, context.diag.message);
  l.c = made.artifact;
  l.c.source = l.source = fg_arena_strdup(context.arena, l.c.source);
  return l;
}

static const char *read_back(literals *l) {
  static fg_text_proof proof;
  fg_proof_text text = {.p = l->e.p, .artifact = &l->e.artifact, .field = &l->e.field, .seed = 3, .one_prime = true};
  proof = (fg_text_proof){0};
  if (fg_proof_text_literals(&context, &text, &l->c, &proof) != FG_OK) fail_msg("%s", context.diag.message);
  return proof.failure;
}

/* Of how many numbers one is changed: instrumented code takes fifty times as long. */
#ifdef __SANITIZE_ADDRESS__
enum { EVERY = 7 * 67 };
#else
enum { EVERY = 7 };
#endif

/* Digit number `digit` behind the point of every so many numbers of the largest table. */
static void any_entry_counts(const char *problem, const char *plan, const char *table, int digit) {
  literals l = in_numbers(problem, plan);
  assert_string_equal(read_back(&l), "");
  char *at = strstr(l.source, fg_arena_printf(context.arena, " %s[", table));
  assert_non_null(at);
  char *end = strstr(at, "};");
  int tried = 0;
  for (int number = 0; (at = strstr(at, "0.")) && at < end; at++, number++) {
    size_t digits = strspn(at + 2, "0123456789");
    if (number % EVERY || digits < 15 || strchr("eE", at[2 + digits])) continue;
    char was = at[1 + digit];
    at[1 + digit] = was == '9' ? '8' : (char)(was + 1);
    if (!read_back(&l)[0]) fail_msg("%s: %.20s is not missed", table, at);
    at[1 + digit] = was;
    tried++;
  }
  assert_true(tried > 700 / EVERY);
}

static void entries_of_roots_count(void **state) {
  (void)state;
  any_entry_counts("c2c f64 n=4096", "stockham(64,64)", "tw0", 11);
}

static void entries_of_spectra_count(void **state) {
  (void)state;
  any_entry_counts("c2c f64 n=769", "rader(769, stockham(16,48))", "spectrum0", 8);
  any_entry_counts("c2c f64 n=719", "bluestein(1440, stockham(36,40))", "chirp1", 8);
}

/* ---- cost ------------------------------------------------------------------------------------ */

static double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The text's proof, of all else that handing out takes. */
static double share_of_text(const char *problem, const char *target, const char *isa) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_request request = {.problem = problem, .target = target, .isa = isa};
  fg_compilation c;
  double from = processor_time();
  fg_status status = fg_pipeline_parse(&cx, &request, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  if (status == FG_OK) status = fg_pipeline_prove(&c);
  if (status == FG_OK) status = fg_pipeline_emit(&c);
  double before = processor_time();
  if (status == FG_OK) status = fg_pipeline_prove_emitted(&c);
  double after = processor_time();
  if (status != FG_OK || !c.text.proved) fail_msg("%s: %s", problem, cx.diag.message);
  fg_arena_destroy(cx.arena);
  return (after - before) / (before - from);
}

/* Programs of CPUs from 262144 points on are sampled, too, and take no longer than their texts. */
static void texts_cost_a_share(void **state) {
  (void)state;
  static const char *const rows[][3] = {{"c2c f64 n=65536", "c", "avx2"},    {"c2c f32 n=131072", "c", "avx512"},
                                        {"c2c f32 n=64x64x64", "c", "neon"}, {"c2c f64 n=65536", "cuda", NULL},
                                        {"c2c f32 n=512x512", "hip", NULL},  {"r2c f32 n=100000", "opencl", NULL}};
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
  skip(); /* what they add is not the same everywhere */
#endif
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double least = 1;
    for (int times = 0; times < 3 && least > 0.3; times++) {
      double share = share_of_text(rows[i][0], rows[i][1], rows[i][2]);
      if (share < least) least = share;
    }
    if (least > 0.3) fail_msg("%s, %s: %d %%", rows[i][0], rows[i][1], (int)(100 * least));
  }
}

/* A convolution of no power of two: the field has its roots, and none that a DFT of this prime would need. */
static void texts_are_sampled_where_no_definition_can_be(void **state) {
  (void)state;
  const fg_mapping *map[] = {&scalar, &four_lanes};
  for (int i = 0; i < 2; i++) {
    fg_program *p = assembled_for("c2c f32 n=10007", "bluestein(20250, stockham(15,15,9,10))", map[i]);
    fg_text_options options = {.seed = 5, .primes = 1};
    fg_text_proof proof;
    assert_int_equal(fg_prove_text(&context, p, fg_isa_find(i ? "sse2" : "scalar"), &options, &proof), FG_OK);
    if (!proof.proved) fail_msg("%s", proof.failure);
    if (!strstr(proof.walked, "of samples")) fail_msg("%s", proof.walked);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(wrong_loops_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(wrong_vectors_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(wrong_tails_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(wrong_turns_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(long_calls_have_a_sample, setup, teardown),
      cmocka_unit_test_setup_teardown(entries_of_roots_count, setup, teardown),
      cmocka_unit_test_setup_teardown(entries_of_spectra_count, setup, teardown),
      cmocka_unit_test_setup_teardown(texts_are_sampled_where_no_definition_can_be, setup, teardown),
      cmocka_unit_test_setup_teardown(texts_cost_a_share, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
