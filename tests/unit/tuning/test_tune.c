/* The tuner through the program, as a user starts it: one size in a few seconds;
 * candidates that crash, hang and compute wrongly, planted through a recipe; a
 * budget; Ctrl-C; a second run; wisdom that cannot be written.
 *
 * The faults are made by a compiler that is a script: where the source was made
 * from one of the planted plans, it spoils it. */
#include "runtime/store/fingerprint.h"
#include "runtime/store/wisdom.h"
#include "targets/timing.h"
#include "tests/unit/folder.h"
#include "tests/unit/pace.h"
#include "tuning/search/model.h"
#include <cjson/cJSON.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static char folder[] = "/tmp/fftgen-tune-test-XXXXXX", wisdom[64];

static void write_file(const char *name, const char *text, mode_t mode) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  assert_int_equal(chmod(path, mode), 0);
}

typedef struct outcome {
  int code;       /* exit code, -1: none */
  double seconds; /* of processors: on a busy machine nothing else says how much was done */
  char *out, *err;
} outcome;

static char *slurp(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  char *text = calloc(1, 1 << 20);
  (void)!fread(text, 1, (1 << 20) - 1, f);
  fclose(f);
  return text;
}

static double worked(void) {
  struct rusage all;
  getrusage(RUSAGE_CHILDREN, &all);
  return (double)(all.ru_utime.tv_sec + all.ru_stime.tv_sec) +
         1e-6 * (double)(all.ru_utime.tv_usec + all.ru_stime.tv_usec);
}

static outcome tune_once(const char *arguments) {
  char command[2048];
  snprintf(command, sizeof command, "cd %s && FFTGEN_WISDOM=%s %s tune %s >out 2>err", folder, wisdom, FFTGEN_FILE,
           arguments);
  double start = worked();
  int status = system(command);
  outcome o = {.seconds = worked() - start, .code = WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  o.out = slurp("out"), o.err = slurp("err");
  return o;
}

static void forget(outcome *o) { free(o->out), free(o->err); }

/* On a machine that is too busy for the budget, with more and more of it. */
static outcome tune(const char *arguments) {
  char longer[1024];
  outcome o = tune_once(arguments);
  for (int seconds = 20; seconds <= 320 && o.code && strstr(o.err, "no candidate was ready"); seconds *= 4) {
    forget(&o);
    snprintf(longer, sizeof longer, "%s --budget %ds", arguments, seconds);
    o = tune_once(longer);
  }
  return o;
}

static double all_processors(void) { return (double)sysconf(_SC_NPROCESSORS_ONLN); }

static void expect_code(const outcome *o, int code) {
  if (o->code != code) fail_msg("exit code %d, not %d: %s %s", o->code, code, o->out, o->err);
}

static void expect_text(const char *text, const char *wanted) {
  if (!strstr(text, wanted)) fail_msg("'%s' is not in: %s", wanted, text);
}

/* What wisdom says about a problem; plan "" when it says nothing. */
static void known(const char *problem, char plan[128], double *ns) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_wisdom w;
  assert_int_equal(fg_wisdom_load(&cx, wisdom, (fg_wisdom_warn){0}, &w), FG_OK);
  assert_int_equal(w.damaged, 0);
  fg_wisdom_entry key = {.device = fg_fingerprint_host(), .problem = problem, .target = "c"};
  const fg_wisdom_entry *best = fg_wisdom_best(&w, &key);
  snprintf(plan, 128, "%s", best ? best->plan : "");
  *ns = best ? best->ns : 0;
  fg_arena_destroy(cx.arena);
}

static int count_leftovers(void) {
  char command[200];
  snprintf(command, sizeof command, "exit $(ls -d %s/tmp/* 2>/dev/null | wc -l)", folder);
  return WEXITSTATUS(system(command));
}

/* With what is known forgotten, again where it took longer than so many seconds of all processors: others may have
 * them, too, but hardly three times in a row. */
static outcome tune_in(double seconds, const char *arguments, outcome (*one)(const char *arguments)) {
  outcome o;
  for (int tries = 3;; forget(&o)) {
    unlink(wisdom);
    o = one(arguments);
    if (o.seconds < seconds * all_processors()) return o;
    print_message("took %.2f s of processors\n", o.seconds);
    if (!--tries) fail_msg("more than %.1f s of all processors, three times", seconds);
  }
}

static void test_time_of_one_size(void **state) {
  (void)state;
  char plan[128];
  double ns;
  outcome o = tune_in(5, "'c2c f32 n=1024'", tune);
  expect_code(&o, 0);
  expect_text(o.out, "c2c f32 n=1024");
  expect_text(o.err, "[1/1] c2c f32 n=1024: "); /* no terminal: a line each second */
  assert_null(strstr(o.err, "fftgen:"));
  known("c2c f32 n=1024", plan, &ns);
  assert_true(strlen(plan) > 0);
  assert_true(ns > 50 && ns < 1e6);
  assert_int_equal(count_leftovers(), 0);
  forget(&o);
}

/* A part of the batch is timed: messages name all of it. Spectra by channel are verified, which takes its time. */
static void test_large_batches(void **state) {
  (void)state;
  if (IS_WATCHED) skip();
  outcome o = tune_once("'c2c f32 n=4194304 batch=4' --budget 0.1s");
  expect_code(&o, 1);
  expect_text(o.err, "problem \"c2c f32 n=4194304 batch=4\": no candidate was ready");
  forget(&o);
  o = tune("'conv f32 n=4096 batch=8x768 spectrum=channel' --candidates 1 --budget 10s");
  expect_code(&o, 0);
  expect_text(o.out, "timed on 1024 of 6144 transforms");
  forget(&o);
}

/* Reports have every problem, with the reason where there is no result. */
static void test_reasons_are_reported(void **state) {
  (void)state;
  outcome o = tune_once("'c2c f32 n=4194304 batch=4' 'c2c f32 n=1048576' --budget 0.1s --json --report r.csv");
  expect_code(&o, 1);
  cJSON *json = cJSON_Parse(o.out);
  assert_int_equal(cJSON_GetArraySize(json), 2);
  const cJSON *first = cJSON_GetArrayItem(json, 0);
  assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(first, "problem")), "c2c f32 n=4194304 batch=4");
  expect_text(cJSON_GetStringValue(cJSON_GetObjectItem(first, "why")), "no candidate was ready");
  cJSON_Delete(json);
  char *csv = slurp("r.csv");
  expect_text(csv, "\"c2c f32 n=1048576\",\"\",,,\"none\"");
  free(csv);
  forget(&o);
  /* A comment behind a problem; a mistake in a list says where, and nothing is tuned. */
  write_file("list", "# all\n\nc2c f32 n=8 # short\n  c2c f32 n=0\n", 0644);
  o = tune_once("--file list --budget 5s");
  expect_code(&o, 2);
  expect_text(o.err, "fftgen: list, line 4: problem, column 11: n: 0");
  assert_null(strstr(o.err, "["));
  forget(&o);
}

static void test_second_run_knows(void **state) {
  (void)state;
  if (IS_WATCHED) skip(); /* test_report does the same, and this one tunes three times */
  outcome o = tune("'c2c f32 n=8' --candidates 3 --budget 30s");
  expect_code(&o, 0);
  forget(&o);
  o = tune("'c2c f32 n=8 batch=1' 'c2c f32 n=8' --budget 30s");
  expect_code(&o, 0);
  expect_text(o.out, "[1/2] c2c f32 n=8: known already");
  expect_text(o.out, "[2/2] c2c f32 n=8: known already");
  assert_true(o.seconds < 1);
  forget(&o);
  o = tune("'c2c f32 n=8' --json --report known.html");
  expect_text(o.out, "[{\"candidates\":[],\"problem\":\"c2c f32 n=8\",\"why\":\"known already\",\"plan\":\"");
  char *page = slurp("known.html");
  expect_text(page, ": known already.");
  free(page);
  forget(&o);
  o = tune("'c2c f32 n=8' --again --candidates 3 --budget 10s");
  expect_text(o.out, "best of");
  forget(&o);
}

/* ---- faults -------------------------------------------------------------------- */

static const char recipe[] =
    "function applies(p, d) return p.points == 64 end\n"
    "function plans(p, d)\n"
    "  return {{'stockham', 4, 16}, {'stockham', 16, 4}, {'stockham', 2, 32}, {'stockham', 8, 8}}\n"
    "end\n";

/* Every emitted source has the name of the plan. */
static const char bad_compiler[] =
    "#!/bin/sh\n"
    "for a; do case $a in *.c) source=$a;; esac; done\n"
    "if [ -n \"$source\" ]; then\n"
    "  if grep -q 'stockham(4,16)' \"$source\"; then sed -i 's/_entry(void.*const long long .params) {/&"
    "*(volatile int *)0 = 0;/' \"$source\"; fi\n"
    "  if grep -q 'stockham(16,4)' \"$source\"; then sed -i 's/_entry(void.*const long long .params) {/&"
    "for (volatile int i = 0;; i++) {}/' \"$source\"; fi\n"
    "  if grep -q 'stockham(2,32)' \"$source\"; then sed -i 's/_entry(void.*const long long .params) {/&"
    "((double *)arguments[1])[3] = 1; return;/' \"$source\"; fi\n"
    "fi\n"
    "exec gcc \"$@\"\n";

static cJSON *candidate(const cJSON *list, const char *plan) {
  cJSON *c;
  cJSON_ArrayForEach(c, list) if (!strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(c, "plan")), plan)) return c;
  fail_msg("no candidate %s", plan);
  return NULL;
}

static void expect_failed(const cJSON *list, const char *plan, const char *why) {
  const cJSON *c = candidate(list, plan);
  assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(c, "state")), "failed");
  expect_text(cJSON_GetStringValue(cJSON_GetObjectItem(c, "why")), why);
}

static const char *state_of(const cJSON *list, const char *plan) {
  return cJSON_GetStringValue(cJSON_GetObjectItem(candidate(list, plan), "state"));
}

static bool all_are_judged(const cJSON *list) {
  static const char *const bad[] = {"stockham(4,16)", "stockham(16,4)", "stockham(2,32)"};
  if (!list || strcmp(state_of(list, "stockham(8,8)"), "timed")) return false;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (strcmp(state_of(list, bad[i]), "failed")) return false;
  return true;
}

static void test_faults_are_survived(void **state) {
  (void)state;
  char plan[128];
  double ns;
  write_file("faults.lua", recipe, 0644);
  write_file("badcc", bad_compiler, 0755);
  outcome o;
  cJSON *json;
  const cJSON *list;
  for (int patience = 1;; patience *= 4) { /* where the machine is busy, so that the good ones hang, too */
    char arguments[200];
    snprintf(arguments, sizeof arguments,
             "'c2c f64 n=64' --recipe faults.lua --compiler ./badcc --hang %ds --budget %ds --json", 3 * patience,
             14 * patience);
    o = tune_once(arguments);
    json = o.code ? NULL : cJSON_Parse(o.out);
    list = cJSON_GetObjectItem(cJSON_GetArrayItem(json, 0), "candidates");
    if (all_are_judged(list) || patience == 16) break;
    cJSON_Delete(json);
    forget(&o);
  }
  expect_code(&o, 0);
  expect_failed(list, "stockham(4,16)", "crashed: Segmentation fault");
  expect_failed(list, "stockham(16,4)", "hangs");
  expect_failed(list, "stockham(2,32)", "wrong");
  assert_string_equal(state_of(list, "stockham(8,8)"), "timed");
  cJSON_Delete(json);
  known("c2c f64 n=64", plan, &ns);
  assert_true(strlen(plan) && strcmp(plan, "stockham(4,16)") && strcmp(plan, "stockham(16,4)") &&
              strcmp(plan, "stockham(2,32)"));
  assert_int_equal(count_leftovers(), 0);
  forget(&o);
}

static void test_nothing_but_faults(void **state) {
  (void)state;
  char plan[128];
  double ns;
  write_file("sinkcc", "#!/bin/sh\ncase $* in *--version*|*-dumpversion*) exec gcc \"$@\";; esac\nexit 1\n", 0755);
  outcome o = tune("'c2c f64 n=128' --compiler ./sinkcc --budget 4s");
  assert_true(o.code == 3 || o.code == 1);
  expect_text(o.err, "fftgen: ");
  known("c2c f64 n=128", plan, &ns);
  assert_string_equal(plan, "");
  forget(&o);
}

/* ---- limits -------------------------------------------------------------------- */

static void test_time_is_kept(void **state) {
  (void)state;
  outcome o = tune_in(4 * 1.1 + 0.3, "'c2c f32 n=100' 'c2c f64 n=512' --budget 4s", tune_once);
  forget(&o);
}

/* A budget includes what comes before the search: a compiler that takes long to say its version. */
static void test_time_includes_the_beginning(void **state) {
  (void)state;
  write_file("latecc", "#!/bin/sh\ncase $* in *--version*|*-dumpversion*) sleep 1;; esac\nexec gcc \"$@\"\n", 0755);
  double start = fg_timing_now();
  outcome o = tune_once("'c2c f64 n=128' --compiler ./latecc --budget 4s");
  assert_true(fg_timing_now() - start < 8); /* 11 where the search's own time alone counts */
  forget(&o);
}

static void test_interrupt_keeps_what_was_found(void **state) {
  (void)state;
  char plan[128];
  double ns;
  int pid = fork();
  if (pid == 0) {
    assert_int_equal(chdir(folder), 0);
    setenv("FFTGEN_WISDOM", wisdom, 1);
    freopen("out", "w", stdout);
    freopen("err", "w", stderr);
    execl(FFTGEN_FILE, FFTGEN_FILE, "tune", "c2c f64 n=16", "c2c f64 n=4096", "c2c f64 n=8192", "--budget", "60s",
          NULL);
    _exit(99);
  }
  /* When the first is known, the second is under way. */
  for (int i = 0; i < 400; i++) {
    known("c2c f64 n=16", plan, &ns);
    if (*plan) break;
    nanosleep(&(struct timespec){0, 100000000}, NULL);
  }
  assert_true(strlen(plan) > 0);
  nanosleep(&(struct timespec){0, 500000000}, NULL);
  double start = fg_timing_now();
  kill(pid, SIGINT);
  int status;
  waitpid(pid, &status, 0);
  assert_true(fg_timing_now() - start < 15); /* of some 40 that were left */
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 1);
  char *err = slurp("err");
  expect_text(err, "interrupted");
  free(err);
  assert_int_equal(count_leftovers(), 0);
}

static void test_nothing_measured_is_lost(void **state) {
  (void)state;
  outcome o = tune("'c2c f32 n=4' --budget 2s --wisdom /proc/none/w.jsonl");
  expect_code(&o, 1);
  expect_text(o.err, "/proc/none");
  expect_text(o.out, "{\"fftgen\":1,");
  forget(&o);
}

static void need_avx2(void) {
  if (!fg_isa_runs_here(fg_isa_find("avx2"))) skip();
}

/* The compiler's version as wisdom and models name it. */
static void find_compiler(char *version, size_t size) {
  FILE *f = popen("gcc --version | head -1", "r");
  assert_non_null(f);
  assert_non_null(fgets(version, (int)size, f));
  version[strcspn(version, "\n")] = 0;
  pclose(f);
}

static void write_model(const char *machine, double spill) {
  char version[256];
  fg_context cx = {.arena = fg_arena_create()};
  find_compiler(version, sizeof version);
  fg_model_fit fit = {
      .device = machine, .target = "c", .compiler = version, .isa = "avx2", .generator = "any", .samples = 10};
  for (int i = 0; i < FG_FEATURE_COUNT; i++) fit.cost[i] = fg_feature_table()[i].usual;
  fit.cost[FG_FEATURE_SPILL] = spill;
  write_file("model.jsonl", fg_model_print(&cx, &fit), 0644);
  fg_arena_destroy(cx.arena);
}

static void test_report(void **state) {
  (void)state;
  outcome o = tune("'c2c f32 n=32' 'c2c f32 n=8 batch=4' --budget 60s --candidates 2 --report r.html");
  expect_code(&o, 0);
  char *page = slurp("r.html");
  expect_text(page, "<h2>1. <code>c2c f32 n=32</code></h2>");
  expect_text(page, "<h2>2. <code>c2c f32 n=8 batch=4</code></h2>");
  /* What it was measured on, when, by which version and command, and FFTW beside it. */
  static const char *const head[] = {"machine", "device", "date", "fftgen", "command"};
  for (int i = 0; i < 5; i++) {
    char row[64];
    snprintf(row, sizeof row, "<dt>%s</dt><dd>", head[i]);
    expect_text(page, row);
  }
  expect_text(page, "UTC</dd>");
  expect_text(page, "'c2c f32 n=8 batch=4' --budget 60s");
  expect_text(page, "class=\"row winner\"");
  expect_text(page, "<code>FFTW</code>");
  expect_text(page, "<circle cx=");
  expect_text(page, "class=\"roof\"");
  expect_text(page, "operations in registers:");
  expect_text(page, "</html>");
  assert_null(strstr(page, "http"));
  assert_null(strstr(page, "${"));
  expect_text(page, "No model is fitted");
  free(page);
  forget(&o);
  need_avx2();
  write_model(fg_fingerprint_host(), 0.5);
  o = tune("'c2c f32 n=32' --budget 30s --candidates 2 --again --isa avx2 --compiler gcc --model model.jsonl --report "
           "r.html");
  expect_code(&o, 0);
  page = slurp("r.html");
  expect_text(page, "class=\"won\"");
  expect_text(page, "predicted ");
  assert_null(strstr(page, "No model is fitted"));
  free(page);
  forget(&o);
  /* FFTW plans longer than a problem's share: the others have theirs. */
  o = tune("'c2c f32 n=131072' 'c2c f32 n=32' 'c2c f32 n=8' --budget 20s --candidates 1 --again --json --report r.csv");
  expect_text(o.out, "left out: other libraries take a third of --budget at most");
  forget(&o);
  o = tune("'c2c f32 n=32' --budget 30s --candidates 2 --again --report r.csv");
  expect_code(&o, 0);
  char *csv = slurp("r.csv");
  expect_text(csv, "problem,plan,isa");
  expect_text(csv, "\"c2c f32 n=32\",\"");
  free(csv);
  forget(&o);
}

/* Drivers do not survive fork: candidates must start their own, and a report must start none here. */
static void test_another_device(void **state) {
  (void)state;
  if (IS_WATCHED) skip(); /* most of it is the driver's */
  outcome o = tune("'c2c f32 n=16' 'c2c f32 n=8' --target opencl --candidates 1 --budget 30s --report o.csv");
  if (o.code == 2 && strstr(o.err, "nothing here runs it")) {
    print_message("SKIP: %s", o.err);
  } else {
    expect_code(&o, 0);
    expect_text(o.out, "c2c f32 n=16");
    expect_text(o.out, "c2c f32 n=8");
    forget(&o);
    /* What was said of candidates that are none is not why the search has no result. */
    o = tune_once("'c2c f32 n=1024 batch=100' --device opencl --budget 0.1s");
    expect_text(o.err, "problem \"c2c f32 n=1024 batch=100\": no candidate was ready and timed within ");
  }
  forget(&o);
}

/* ---- model and space --------------------------------------------------------- */

static void test_estimate(void **state) {
  (void)state;
  need_avx2();
  char plan[128];
  double ns;
  static const char command[] = "'c2c f32 n=4096' --estimate --isa avx2 --compiler gcc --model model.jsonl";
  write_model(fg_fingerprint_host(), 0);
  outcome o = tune(command), again = tune(command);
  expect_code(&o, 0);
  expect_text(o.out, "[1/1] c2c f32 n=4096: about ");
  expect_text(o.out, "estimated");
  assert_string_equal(o.err, "");
  assert_string_equal(o.out, again.out);
  known("c2c f32 n=4096", plan, &ns);
  assert_string_equal(plan, ""); /* nothing measured, nothing written */
  write_model(fg_fingerprint_host(), 1000);
  outcome dear = tune(command);
  expect_code(&dear, 0);
  assert_true(strcmp(o.out, dear.out) != 0); /* the file decides */
  assert_null(strstr(dear.out, "(32"));
  assert_null(strstr(dear.out, ",32"));
  forget(&o), forget(&again), forget(&dear);
}

static void test_estimate_needs_a_model(void **state) {
  (void)state;
  need_avx2();
  outcome o = tune("'c2c f32 n=64' --estimate --model none.jsonl");
  expect_code(&o, 2);
  expect_text(o.err, "fftgen model fit");
  forget(&o);
  write_model("x86_64 Elsewhere 1.2 - 1K,2K,3K", 0);
  o = tune("'c2c f32 n=64' --estimate --isa avx2 --compiler gcc --model model.jsonl");
  expect_code(&o, 2);
  expect_text(o.err, "fftgen: warning: model.jsonl, line 1: fitted on another machine; skipped");
  forget(&o);
  /* Tuning continues without it. */
  o = tune("'c2c f32 n=4' --isa avx2 --compiler gcc --model model.jsonl --budget 3s --again");
  expect_code(&o, 0);
  expect_text(o.err, "fitted on another machine");
  forget(&o);
}

static void test_space(void **state) {
  (void)state;
  if (IS_WATCHED) skip(); /* unit.test_space reads spaces, and the other tests here tune */
  need_avx2();
  write_file("space.lua",
             "candidates = 5\n"
             "rules = {{name = 'lanes', values = {2, 4}}, {name = 'reuse', values = {0}}}\n",
             0644);
  outcome o = tune("'c2c f32 n=256' --space space.lua --isa avx2 --budget 4s --json");
  expect_code(&o, 0);
  cJSON *json = cJSON_Parse(o.out);
  const cJSON *list = cJSON_GetObjectItem(cJSON_GetArrayItem(json, 0), "candidates"), *c;
  assert_true(cJSON_GetArraySize(list) > 0 && cJSON_GetArraySize(list) <= 5);
  cJSON_ArrayForEach(c, list) {
    const char *plan = cJSON_GetStringValue(cJSON_GetObjectItem(c, "plan"));
    expect_text(plan, "lanes=");
    expect_text(plan, "reuse=off");
  }
  cJSON_Delete(json);
  forget(&o);
  /* Around the fastest: what changes nothing in the text is not built. */
  write_file("space.lua",
             "candidates = 20\n"
             "rules = {{name = 'tables', values = {0}}, {name = 'stream', around = true, values = {1, 0}},\n"
             "  {name = 'fma', around = true, values = {0}}}\n",
             0644);
  o = tune("'c2c f32 n=32' --space space.lua --isa avx2 --compiler gcc --budget 30s --again --json");
  expect_code(&o, 0);
  json = cJSON_Parse(o.out);
  list = cJSON_GetObjectItem(cJSON_GetArrayItem(json, 0), "candidates");
  int same = 0, around = 0;
  cJSON_ArrayForEach(c, list) {
    const char *plan = cJSON_GetStringValue(cJSON_GetObjectItem(c, "plan"));
    same += !strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(c, "state")), "same");
    around += strstr(plan, "stream=on") || strstr(plan, "fma=off");
  }
  assert_true(same > 0 && around > 0);
  cJSON_Delete(json);
  forget(&o);
  /* One plan that was asked for is not varied. */
  o = tune("'c2c f32 n=256' --plan 'stockham(4,64)' --space space.lua --isa avx2 --budget 2s --again --json");
  expect_code(&o, 0);
  json = cJSON_Parse(o.out);
  list = cJSON_GetObjectItem(cJSON_GetArrayItem(json, 0), "candidates");
  assert_int_equal(cJSON_GetArraySize(list), 1);
  candidate(list, "stockham(4,64)");
  cJSON_Delete(json);
  forget(&o);
  write_file("space.lua", "rules = {{name = 'lanes', values = {65}}}\n", 0644);
  o = tune("'c2c f32 n=256' --space space.lua --budget 4s --again");
  expect_code(&o, 2);
  expect_text(o.err, "space space.lua: rule 1 (lanes): value 65; allowed: 0 .. 64");
  forget(&o);
}

/* The way of a user: fit, see, estimate. One problem, so that it is short. */
static void test_model_command(void **state) {
  (void)state;
  need_avx2();
  char command[1024];
  snprintf(command, sizeof command, "cd %s && %s model show --model none.jsonl >out 2>err", folder, FFTGEN_FILE);
  int status = system(command);
  assert_int_equal(WEXITSTATUS(status), 2);
  char *err = slurp("err");
  expect_text(err, "fftgen model fit");
  free(err);
  write_model(fg_fingerprint_host(), 0.5);
  snprintf(command, sizeof command, "cd %s && %s model show --model model.jsonl >out 2>err", folder, FFTGEN_FILE);
  assert_int_equal(system(command), 0);
  char *out = slurp("out");
  expect_text(out, "spill");
  expect_text(out, "avx2");
  free(out);
  snprintf(command, sizeof command,
           "cd %s && %s plan 'c2c f32 n=100' --estimate --isa avx2 --compiler gcc --model model.jsonl >out 2>err",
           folder, FFTGEN_FILE);
  assert_int_equal(system(command), 0);
  out = slurp("out");
  expect_text(out, "stockham(");
  expect_text(out, "complex_vectors=split");
  free(out);
}

static void test_user_mistakes(void **state) {
  (void)state;
  write_file("empty", "# nothing\n\n", 0644);
  static const struct {
    const char *arguments, *words;
  } mistakes[] = {
      {"", "--file"},
      {"'c2c f32 n=8' --budget soon", "budget"},
      {"'c2c f32 n=8' --budget 0s", "budget"},
      {"--file empty", "no problem"},
      {"--file missing", "missing"},
      {"'c2c f32 n=8' --report r.txt", ".html"},
      {"'c2c f32 n=0'", "n"},
      {"'c2c f32 n=8' --device sundial", "sundial"},
      {"'c2c f32 n=8' --space missing.lua", "missing.lua"},
  };
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    outcome o = tune(mistakes[i].arguments);
    expect_code(&o, 2);
    expect_text(o.err, mistakes[i].words);
    assert_string_equal(o.out, "");
    forget(&o);
  }
}

static int set_up(void **state) {
  (void)state;
  char temp[128];
  if (!mkdtemp(folder)) return 1;
  snprintf(wisdom, sizeof wisdom, "%s/wisdom.jsonl", folder);
  snprintf(temp, sizeof temp, "%s/tmp", folder);
  return mkdir(temp, 0700) || setenv("TMPDIR", temp, 1) || setenv("FFTGEN_MODEL", "/nonexistent/model.jsonl", 1);
}

static int tear_down(void **state) {
  (void)state;
  return folder_remove(folder);
}

/* FFTGEN_TESTS: a pattern of those that run; with - before it, of those that do not. */
int main(void) {
  const char *which = getenv("FFTGEN_TESTS");
  if (which && *which == '-')
    cmocka_set_skip_filter(which + 1);
  else if (which)
    cmocka_set_test_filter(which);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_time_of_one_size),
      cmocka_unit_test(test_large_batches),
      cmocka_unit_test(test_reasons_are_reported),
      cmocka_unit_test(test_second_run_knows),
      cmocka_unit_test(test_faults_are_survived),
      cmocka_unit_test(test_nothing_but_faults),
      cmocka_unit_test(test_time_is_kept),
      cmocka_unit_test(test_time_includes_the_beginning),
      cmocka_unit_test(test_interrupt_keeps_what_was_found),
      cmocka_unit_test(test_nothing_measured_is_lost),
      cmocka_unit_test(test_report),
      cmocka_unit_test(test_another_device),
      cmocka_unit_test(test_estimate),
      cmocka_unit_test(test_estimate_needs_a_model),
      cmocka_unit_test(test_space),
      cmocka_unit_test(test_model_command),
      cmocka_unit_test(test_user_mistakes),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
