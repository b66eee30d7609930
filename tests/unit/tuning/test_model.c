/* The fitted model: constants that were planted are found again; its file survives
 * damage, other machines and several writers; what it says follows from the file
 * alone. */
#include "generator/base/atomic_file.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/store.h"
#include "runtime/version.h"
#include "tests/unit/folder.h"
#include "tuning/search/calibrate.h"
#include "tuning/search/candidates.h"
#include "tuning/search/fit.h"
#include "tuning/search/score.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static char folder[] = "/tmp/fftgen-model-test-XXXXXX", path[64];
static fg_context cx; /* each test's own */

static uint64_t state = 88172645463325252u;

/* Marsaglia's xorshift: 0 .. 1 */
static double uniform(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

/* ---- the fit ------------------------------------------------------------------- */

static void test_least_squares(void **s) {
  (void)s;
  enum { ROWS = 40, COLS = 6 };
  static const double planted[COLS] = {3, 0, 0.5, 120, 0, 7};
  double a[ROWS * COLS], b[ROWS], x[COLS];
  double *work = calloc((size_t)fg_fit_room(ROWS, COLS), sizeof *work);
  for (int r = 0; r < ROWS; r++) {
    b[r] = 0;
    for (int c = 0; c < COLS; c++) b[r] += planted[c] * (a[r * COLS + c] = uniform());
  }
  fg_fit_solve(a, b, ROWS, COLS, work, x);
  for (int c = 0; c < COLS; c++)
    if (!(fabs(x[c] - planted[c]) < 1e-6 * (1 + planted[c]))) fail_msg("constant %d: %g, not %g", c, x[c], planted[c]);
  free(work);
}

/* Where the best solution has a negative part, that part is 0 and the others make
 * the best of it: no small step within x >= 0 leads further down. */
static void test_never_negative(void **s) {
  (void)s;
  enum { ROWS = 20, COLS = 4 };
  static const double planted[COLS] = {2, -1, 4, 1};
  double a[ROWS * COLS], b[ROWS], x[COLS];
  double *work = calloc((size_t)fg_fit_room(ROWS, COLS), sizeof *work);
  for (int r = 0; r < ROWS; r++) {
    b[r] = 0;
    for (int c = 0; c < COLS; c++) b[r] += planted[c] * (a[r * COLS + c] = uniform());
  }
  fg_fit_solve(a, b, ROWS, COLS, work, x);
  for (int c = 0; c < COLS; c++) {
    double slope = 0;
    for (int r = 0; r < ROWS; r++) {
      double rest = -b[r];
      for (int k = 0; k < COLS; k++) rest += a[r * COLS + k] * x[k];
      slope += rest * a[r * COLS + c];
    }
    assert_true(x[c] >= 0);
    if (x[c] > 0)
      assert_true(fabs(slope) < 1e-8);
    else
      assert_true(slope > -1e-8);
  }
  assert_true(x[1] == 0);
  free(work);
}

/* Kernels that never were: counts at random, times by planted constants. */
static void test_planted_constants(void **s) {
  (void)s;
  enum { SAMPLES = 400 };
  const fg_feature_info *info = fg_feature_table();
  static fg_model_sample sample[SAMPLES];
  fg_model_fit planted = {0}, fit = {0};
  for (int i = 0; i < FG_FEATURE_COUNT; i++) planted.cost[i] = info[i].usual * (0.3 + 3 * uniform());
  for (int k = 0; k < SAMPLES; k++) {
    double size = pow(2, 20 * uniform());
    for (int i = 0; i < FG_FEATURE_COUNT; i++) {
      bool here = uniform() < 0.3;
      sample[k].features.count[i] = here ? size * uniform() / info[i].usual : 0;
    }
    sample[k].features.count[FG_FEATURE_CALL] = 1;
    sample[k].ns = fg_model_predict(&planted, &sample[k].features);
    sample[k].weight = 1;
  }
  fg_model_solve(&cx, sample, SAMPLES, &fit);
  assert_int_equal(fit.samples, SAMPLES);
  assert_true(fit.error < 0.01);
  for (int i = 0; i < FG_FEATURE_COUNT; i++)
    if (i != FG_FEATURE_CALL && !(fabs(fit.cost[i] / planted.cost[i] - 1) < 0.05))
      fail_msg("%s: %g, not %g", info[i].name, fit.cost[i], planted.cost[i]);
}

/* What no sample reaches costs what it usually does, and is never free. */
static void test_unseen_is_not_free(void **s) {
  (void)s;
  fg_model_sample sample[2] = {{.ns = 20, .weight = 1}, {.ns = 40, .weight = 1}};
  fg_model_fit fit = {0};
  sample[0].features.count[FG_FEATURE_ADD] = 100;
  sample[1].features.count[FG_FEATURE_ADD] = 200;
  fg_model_solve(&cx, sample, 2, &fit);
  assert_true(fabs(fit.cost[FG_FEATURE_ADD] - 0.2) < 0.01);
  double usual = fg_feature_table()[FG_FEATURE_LOADM].usual;
  assert_true(fabs(fit.cost[FG_FEATURE_LOADM] - usual) < 1e-6 * usual);
}

/* ---- the file ------------------------------------------------------------------ */

static fg_model_fit some_fit(const char *isa) {
  fg_model_fit fit = {.device = fg_fingerprint_host(),
                      .target = "c",
                      .compiler = "gcc \"12\"",
                      .isa = isa,
                      .generator = fg_version,
                      .samples = 12,
                      .error = 0.125};
  for (int i = 0; i < FG_FEATURE_COUNT; i++) fit.cost[i] = 0.25 * i;
  return fit;
}

static struct heard {
  int count;
  char last[512];
} h; /* warnings of the last load */

static void hear(void *context, const char *message) {
  (void)context;
  h.count++;
  snprintf(h.last, sizeof h.last, "%s", message);
}

static fg_model load(void) {
  fg_model m;
  memset(&h, 0, sizeof h);
  assert_int_equal(fg_model_load(&cx, path, (fg_wisdom_warn){hear, NULL}, &m), FG_OK);
  return m;
}

static void write_text(const char *text, size_t bytes) {
  assert_int_equal(fg_store_replace(&cx, path, text, bytes), FG_OK);
}

static void test_file(void **s) {
  (void)s;
  assert_int_equal(load().count, 0);
  fg_model_fit wide = some_fit("avx512"), narrow = some_fit("avx2");
  assert_int_equal(fg_model_save(&cx, path, &wide, 1), FG_OK);
  assert_int_equal(fg_model_save(&cx, path, &narrow, 1), FG_OK);
  wide.cost[3] = 99;
  assert_int_equal(fg_model_save(&cx, path, &wide, 1), FG_OK);
  fg_model m = load();
  assert_int_equal(m.count, 2);
  assert_int_equal(h.count, 0);
  const fg_model_fit *f = fg_model_find(&m, "c", "gcc \"12\"", "avx512");
  assert_non_null(f);
  assert_true(f->cost[3] == 99 && f->cost[4] == 1 && f->samples == 12 && f->error == 0.125);
  assert_null(fg_model_find(&m, "c", "gcc 13", "avx512"));
  assert_null(fg_model_find(&m, "tcc", "gcc \"12\"", "avx512"));
  assert_null(fg_model_find(NULL, "c", "gcc \"12\"", "avx512"));
}

static void test_other_machines(void **s) {
  (void)s;
  fg_model_fit fit = some_fit("avx2");
  fit.device = "x86_64 Elsewhere 1.2 - 1K,2K,3K";
  assert_int_equal(fg_model_save(&cx, path, &fit, 1), FG_OK);
  assert_int_equal(load().count, 0);
  assert_int_equal(h.count, 1);
  assert_non_null(strstr(h.last, "fitted on another machine"));
  /* Theirs stays when ours is written. */
  fg_model_fit ours = some_fit("avx2");
  assert_int_equal(fg_model_save(&cx, path, &ours, 1), FG_OK);
  assert_int_equal(load().count, 1);
  assert_int_equal(h.count, 1);
}

/* Cut off anywhere, or with any byte changed, it is either refused or the same. */
static void test_damage(void **s) {
  (void)s;
  fg_model_fit fit = some_fit("avx2");
  char *line = fg_model_print(&cx, &fit);
  size_t bytes = strlen(line);
  for (size_t cut = 1; cut + 1 < bytes; cut += 7) {
    write_text(line, cut);
    assert_int_equal(load().count, 0);
    assert_int_equal(h.count, 1);
  }
  for (size_t at = 0; at + 1 < bytes; at += 5) {
    char before = line[at];
    line[at] = (char)(before ^ 1);
    write_text(line, bytes);
    assert_int_equal(load().count, 0);
    assert_true(h.count >= 1);
    line[at] = before;
  }
  write_text(line, bytes);
  assert_int_equal(load().count, 1);
  static const char newer[] = "{\"fftgen_model\":2,\"device\":\"x\"}\n";
  write_text(newer, sizeof newer - 1);
  assert_int_equal(load().count, 0);
  assert_non_null(strstr(h.last, "newer"));
}

static void test_writers_at_once(void **s) {
  (void)s;
  enum { WRITERS = 8 };
  for (int w = 0; w < WRITERS; w++)
    if (fork() == 0) {
      char isa[16];
      snprintf(isa, sizeof isa, "isa%d", w);
      fg_model_fit fit = some_fit(isa);
      fg_context own = {.arena = fg_arena_create()};
      _exit(fg_model_save(&own, path, &fit, 1) != FG_OK);
    }
  for (int w = 0; w < WRITERS; w++) {
    int status;
    assert_true(wait(&status) > 0);
    assert_int_equal(status, 0);
  }
  assert_int_equal(load().count, WRITERS);
  assert_int_equal(h.count, 0);
}

static void test_failed_write(void **s) {
  (void)s;
  fg_model_fit fit = some_fit("avx2");
  assert_int_equal(fg_model_save(&cx, path, &fit, 1), FG_OK);
  fit.cost[0] = 5;
  int failed = 0;
  for (long n = 1; n < 12; n++) {
    fg_atomic_file_fail_at(n);
    failed += fg_model_save(&cx, path, &fit, 1) != FG_OK;
    fg_atomic_file_fail_at(0);
    assert_int_equal(load().count, 1);
  }
  assert_true(failed >= 4);
}

/* ---- what it says -------------------------------------------------------------- */

static const char *estimate(const char *problem, const fg_model *model, double *ns) {
  static char plan[256];
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  fg_search_space space;
  fg_search_result r;
  fg_device_facts facts = {.version = "gcc \"12\"", .cache = {48 << 10, 2 << 20, 32 << 20}};
  if (fg_arena_guard(cx.arena)) fail();
  fg_request request = {.problem = problem, .isa = "avx2"};
  assert_int_equal(fg_pipeline_parse(&cx, &request, &c), FG_OK);
  assert_int_equal(fg_pipeline_decide(&c), FG_OK);
  assert_int_equal(fg_space_load(&cx, NULL, &space), FG_OK);
  fg_search_options o = {
      .device = fg_device_find("cc"), .facts = &facts, .one_compiler = true, .space = &space, .model = model};
  assert_int_equal(fg_candidates_list(&c, &o, &r), FG_OK);
  const fg_candidate *best = fg_candidates_estimate(&r);
  snprintf(plan, sizeof plan, "%s", best ? best->plan : "");
  *ns = best ? best->predicted : 0;
  fg_arena_destroy(cx.arena);
  return plan;
}

static void test_estimate(void **s) {
  (void)s;
  fg_model_fit fit = some_fit("avx2");
  fg_model model = {.count = 1, .fit = &fit};
  double ns, again;
  char first[256];
  for (int i = 0; i < FG_FEATURE_COUNT; i++) fit.cost[i] = fg_feature_table()[i].usual;
  snprintf(first, sizeof first, "%s", estimate("c2c f32 n=1024", &model, &ns));
  assert_true(*first && ns > 0);
  assert_string_equal(estimate("c2c f32 n=1024", &model, &again), first);
  assert_true(ns == again);
  /* It is the model that decides: where nothing but stages counts, the fewest are best, in either form of vectors. */
  for (int i = 0; i < FG_FEATURE_COUNT; i++) fit.cost[i] = 0;
  fit.cost[FG_FEATURE_START] = 100;
  assert_non_null(strstr(estimate("c2c f32 n=1024", &model, &ns), "stockham(32,32"));
  assert_true(ns == 200);
  /* Where spills do, too, the largest radices are not. */
  fit.cost[FG_FEATURE_SPILL] = 100;
  assert_null(strstr(estimate("c2c f32 n=1024", &model, &ns), "32"));
  fit.isa = "avx512";
  assert_string_equal(estimate("c2c f32 n=1024", &model, &ns), "");
  assert_string_equal(estimate("c2c f32 n=1024", NULL, &ns), "");
}

static fg_features count(const char *problem, const char *plan, const size_t cache[3]) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  fg_features f;
  fg_feature_machine m = {.registers = 16};
  memcpy(m.cache, cache, sizeof m.cache);
  if (fg_arena_guard(cx.arena)) fail();
  fg_request request = {.problem = problem, .isa = "avx2", .plan = plan};
  assert_int_equal(fg_pipeline_parse(&cx, &request, &c), FG_OK);
  assert_int_equal(fg_pipeline_decide(&c), FG_OK);
  fg_features_count(&c, c.chosen.program, &m, NULL, &f);
  fg_arena_destroy(cx.arena);
  return f;
}

static double bytes_at(const fg_features *f, int level) {
  static const fg_feature at[3][2] = {{FG_FEATURE_LOAD2, FG_FEATURE_STORE2},
                                      {FG_FEATURE_LOAD3, FG_FEATURE_STORE3},
                                      {FG_FEATURE_LOADM, FG_FEATURE_STOREM}};
  return f->count[at[level - 2][0]] + f->count[at[level - 2][1]];
}

/* The same program, its arrays in one cache after the other. */
static void test_working_sets(void **s) {
  (void)s;
  static const size_t all[] = {1 << 20, 1 << 22, 1 << 24}, second[] = {1 << 12, 1 << 22, 1 << 24},
                      third[] = {1 << 10, 1 << 12, 1 << 24}, none[] = {1 << 8, 1 << 9, 1 << 10};
  static const char problem[] = "c2c f32 n=1024", plan[] = "stockham(32,32)";
  fg_features f = count(problem, plan, all);
  assert_true(bytes_at(&f, 2) == 0 && bytes_at(&f, 3) == 0 && bytes_at(&f, 4) == 0);
  f = count(problem, plan, second);
  double bytes = bytes_at(&f, 2);
  assert_true(bytes >= 4 * 8192 && bytes_at(&f, 3) == 0); /* two passes, read and written */
  f = count(problem, plan, third);
  assert_true(bytes_at(&f, 3) == bytes && bytes_at(&f, 2) == 0 && bytes_at(&f, 4) == 0);
  f = count(problem, plan, none);
  assert_true(bytes_at(&f, 4) == bytes);
  /* Batches walk their arrays once, the scratch of each stays where it is. */
  f = count("c2c f32 n=1024 batch=1024", plan, second);
  assert_true(bytes_at(&f, 4) > 0 || bytes_at(&f, 3) > 0);
  assert_true(f.count[FG_FEATURE_START] == 2048);
}

/* What scores are taken on must be news to the fit. */
static void test_scored_on_others(void **s) {
  (void)s;
  int count = 0;
  for (const char *const *p = fg_score_problems; *p; p++, count++)
    for (const char *const *q = fg_calibrate_problems; *q; q++) assert_string_not_equal(*p, *q);
  assert_true(count >= 20);
}

/* ---- the program --------------------------------------------------------------- */

/* What `fftgen ARGUMENTS` prints with this file; exit code 0. */
static const char *printed(const char *arguments) {
  static char text[1 << 16];
  char command[512];
  snprintf(command, sizeof command, "FFTGEN_MODEL=%s FFTGEN_WISDOM=none %s %s 2>&1", path, FFTGEN_FILE, arguments);
  FILE *f = popen(command, "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = 0;
  if (pclose(f)) fail_msg("%s: %s", command, text);
  return text;
}

static void must_print(const char *arguments, const char *const *words) {
  const char *text = printed(arguments);
  for (; *words; words++)
    if (!strstr(text, *words)) fail_msg("fftgen %s: '%s' is not in: %s", arguments, *words, text);
}

/* Of tcc, with a cost for each iteration alone: the fewest stages are the best. */
static void test_program(void **s) {
  (void)s;
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  const fg_device *tcc = fg_device_find("tcc");
  if (tcc->probe(&facts, why)) skip();
  fg_model_fit fit = some_fit("scalar");
  fit.target = "tcc", fit.compiler = facts.version;
  for (int i = 0; i < FG_FEATURE_COUNT; i++) fit.cost[i] = i == FG_FEATURE_START ? 100 : 0;
  assert_int_equal(fg_model_save(&cx, path, &fit, 1), FG_OK);
  must_print("model show", (const char *const[]){"nanoseconds for each  scalar  of", "start  ",
                                                 "12 kernels, within 12.5 %", facts.version, NULL});
  must_print("model show --json", (const char *const[]){"{\"fftgen_model\":1,", "\"start\":100,\"depth\":0,", NULL});
  must_print("plan 'c2c f32 n=16' --device tcc --estimate",
             (const char *const[]){"direct(16)", "stockham(4,4)", "scalar", NULL});
  must_print("plan 'c2c f32 n=16' --device tcc --estimate --json",
             (const char *const[]){"\"plan\":\"direct(16)\",\"isa\":\"scalar\"", "\"predicted_ns\":100,", NULL});
  must_print("tune 'c2c f32 n=16' --device tcc --estimate --json",
             (const char *const[]){"\"problem\":\"c2c f32 n=16\",\"plan\":\"direct(16)\",\"predicted_ns\":100}", NULL});
  must_print("model score 'c2c f32 n=4' --device tcc --seconds 1",
             (const char *const[]){"c2c f32 n=4  ", " ns by direct(4) scalar", "on 1 problems; FFTW's: ", NULL});
  must_print(
      "model score 'c2c f32 n=4' --device tcc --seconds 1 --json",
      (const char *const[]){"\"estimated\":\"direct(4)\",\"estimated_isa\":\"scalar\",\"tuned\":\"direct(4)\"", NULL});
}

static int set_up(void **s) {
  (void)s;
  if (!mkdtemp(folder)) return 1;
  snprintf(path, sizeof path, "%s/model.jsonl", folder);
  return 0;
}

static int begin(void **s) {
  (void)s;
  unlink(path);
  cx = (fg_context){.arena = fg_arena_create()};
  return cx.arena ? 0 : -1;
}

static int end(void **s) {
  (void)s;
  fg_arena_destroy(cx.arena);
  return 0;
}

static int tear_down(void **s) {
  (void)s;
  return folder_remove(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_least_squares),
      cmocka_unit_test(test_never_negative),
      cmocka_unit_test_setup_teardown(test_planted_constants, begin, end),
      cmocka_unit_test_setup_teardown(test_unseen_is_not_free, begin, end),
      cmocka_unit_test_setup_teardown(test_file, begin, end),
      cmocka_unit_test_setup_teardown(test_other_machines, begin, end),
      cmocka_unit_test_setup_teardown(test_damage, begin, end),
      cmocka_unit_test_setup_teardown(test_writers_at_once, begin, end),
      cmocka_unit_test_setup_teardown(test_failed_write, begin, end),
      cmocka_unit_test(test_estimate),
      cmocka_unit_test_setup_teardown(test_program, begin, end),
      cmocka_unit_test(test_working_sets),
      cmocka_unit_test(test_scored_on_others),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
