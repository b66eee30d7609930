/* Wisdom under everything that happens to files: cut off at every byte, bytes
 * changed, other people's lines, two writers, full disks, folders that cannot be
 * written. What is asked each time: is an entry that is read one that was written? */
#include "generator/base/atomic_file.h"
#include "generator/plan/plan.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/hash.h"
#include "runtime/store/line.h"
#include "runtime/store/read.h"
#include "runtime/store/shipped.h"
#include "runtime/store/store.h"
#include "runtime/store/wisdom.h"
#include "runtime/store/wisdom_file.h"
#include "targets/cpu.h"
#include "targets/dialect.h"
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include "tests/unit/pace.h"

#include <cmocka.h>

typedef struct fixture {
  fg_context cx;
  char folder[64], file[128];
  int warnings;
  char last[1024];
} fixture;

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  f->cx.arena = fg_arena_create();
  strcpy(f->folder, "/tmp/fftgen-wisdom-XXXXXX");
  assert_non_null(mkdtemp(f->folder));
  snprintf(f->file, sizeof f->file, "%s/w.jsonl", f->folder);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  char command[256];
  fg_atomic_file_fail_at(0);
  snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", f->folder, f->folder);
  assert_int_equal(system(command), 0);
  fg_arena_destroy(f->cx.arena);
  free(f);
  return 0;
}

static void on_warning(void *context, const char *message) {
  fixture *f = context;
  f->warnings++;
  snprintf(f->last, sizeof f->last, "%s", message);
}

static fg_wisdom_warn warn_into(fixture *f) { return (fg_wisdom_warn){on_warning, f}; }

static fg_wisdom_entry sample(int i) {
  static const char *const problems[] = {"c2c f32 n=1024", "c2c f64 n=1000 batch=16", "c2c f32 n=8"};
  static const char *const plans[] = {"stockham(16,8,8)", "stockham(10,10,10; lanes=8)", "direct(8)"};
  return (fg_wisdom_entry){.device = "x86_64 \"quoted\" \\ 6.207 avx2 48K",
                           .problem = problems[i % 3],
                           .target = "c",
                           .plan = plans[i % 3],
                           .isa = "avx512",
                           .ns = 812.5 + i,
                           .spread = 0.0125,
                           .l2 = 1.1e-7,
                           .compiler = "gcc (Debian 12.2.0) 12.2.0",
                           .kind = "clang 19.1",
                           .flags = "-O3\t-fno-ivopts",
                           .generator = "0.1.0+abc",
                           .final = true};
}

static bool same(const fg_wisdom_entry *a, const fg_wisdom_entry *b) {
  return !strcmp(a->device, b->device) && !strcmp(a->problem, b->problem) && !strcmp(a->target, b->target) &&
         !strcmp(a->plan, b->plan) && !strcmp(a->isa, b->isa) && a->ns == b->ns && a->spread == b->spread &&
         a->l2 == b->l2 && !strcmp(a->compiler, b->compiler) && !strcmp(a->kind, b->kind) &&
         !strcmp(a->flags, b->flags) && !strcmp(a->generator, b->generator) && a->final == b->final;
}

static char *three_lines(fixture *f, size_t *bytes) {
  char *text = fg_arena_strdup(f->cx.arena, "");
  for (int i = 0; i < 3; i++) {
    fg_wisdom_entry e = sample(i);
    text = fg_arena_printf(f->cx.arena, "%s%s", text, fg_wisdom_print(&f->cx, &e));
  }
  *bytes = strlen(text);
  return text;
}

/* Every good line is one of the three; returns how many there are. */
static int count_good(fixture *f, const char *text, size_t bytes) {
  fg_wisdom w;
  int good = 0;
  fg_wisdom_parse(&f->cx, "text", text, bytes, warn_into(f), &w);
  for (int i = 0; i < w.count; i++) {
    if (w.line[i].kind != FG_WISDOM_GOOD) continue;
    bool known = false;
    for (int k = 0; k < 3; k++) {
      fg_wisdom_entry e = sample(k);
      known |= same(&e, &w.line[i].entry);
    }
    assert_true(known);
    good++;
  }
  return good;
}

static void write_text(const char *path, const char *text, size_t bytes) {
  FILE *out = fopen(path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, bytes, out), bytes);
  fclose(out);
}

static int good_in_file(fixture *f) {
  char *text = fg_arena_strdup(f->cx.arena, "");
  size_t bytes = 0;
  assert_int_equal(fg_store_read(&f->cx, f->file, 1 << 20, &text, &bytes), FG_OK);
  return count_good(f, text, bytes);
}

/* ---- reading ---------------------------------------------------------------- */

static void test_round_trip(void **state) {
  fixture *f = *state;
  size_t bytes;
  char *text = three_lines(f, &bytes);
  assert_int_equal(count_good(f, text, bytes), 3);
  assert_int_equal(f->warnings, 0);
}

static void test_another_locale(void **state) {
  fixture *f = *state;
  size_t bytes;
  static const char *const commas[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8"};
  bool found = false;
  char *before = strdup(setlocale(LC_ALL, NULL));
  for (size_t i = 0; i < sizeof commas / sizeof *commas && !found; i++) found = setlocale(LC_ALL, commas[i]) != NULL;
  char *text = three_lines(f, &bytes);
  assert_null(strstr(text, "812,5"));
  int good = count_good(f, text, bytes);
  setlocale(LC_ALL, before);
  free(before);
  assert_int_equal(good, 3);
  if (!found) print_message("no locale with a decimal comma here: C was tested\n");
}

static void test_cut_at_every_byte(void **state) {
  fixture *f = *state;
  size_t bytes;
  char *text = three_lines(f, &bytes);
  size_t end[3], lines = 0;
  for (size_t i = 0; i < bytes; i++)
    if (text[i] == '\n') end[lines++] = i;
  for (size_t cut = 0; cut <= bytes; cut++) {
    if (is_left_out((long)cut, 5)) continue;
    int whole = 0;
    for (int k = 0; k < 3; k++) whole += cut >= end[k];
    f->warnings = 0;
    char *part = fg_arena_copy(f->cx.arena, text, cut + 1);
    assert_int_equal(count_good(f, part, cut), whole);
    bool clean = cut == 0 || cut >= end[2] || part[cut - 1] == '\n' || text[cut] == '\n';
    assert_int_equal(f->warnings, !clean);
  }
}

/* A file that was cut off and then continued: only the cut line is lost. */
static void test_cut_and_continued(void **state) {
  fixture *f = *state;
  size_t bytes;
  char *text = three_lines(f, &bytes);
  size_t first = strcspn(text, "\n");
  for (size_t cut = 1; cut < first; cut++) {
    char *joined = fg_arena_printf(f->cx.arena, "%.*s%s", (int)cut, text, text);
    assert_int_equal(count_good(f, joined, strlen(joined)), 3);
  }
}

static void test_every_byte_changed(void **state) {
  fixture *f = *state;
  size_t bytes;
  char *text = three_lines(f, &bytes);
  srand(7);
  for (size_t at = 0; at < bytes; at++)
    for (int turn = 0; turn < 4 && !is_left_out((long)at, 5); turn++) {
      char *changed = fg_arena_copy(f->cx.arena, text, bytes + 1);
      changed[at] = (char)(changed[at] ^ (1 << rand() % 8));
      /* A name of a field that is not needed, or the check's own name, may change:
       * count_good looks at the values. A changed newline joins two lines. */
      fg_wisdom w;
      fg_wisdom_parse(&f->cx, "text", changed, bytes, (fg_wisdom_warn){0}, &w);
      int good = 0;
      for (int i = 0; i < w.count; i++) good += w.line[i].kind == FG_WISDOM_GOOD;
      assert_true(good >= 1);
    }
}

/* Values that differ from what was written never get through, whatever the byte. */
static void test_changed_digits_are_found(void **state) {
  fixture *f = *state;
  fg_wisdom_entry e = sample(0);
  char *line = fg_wisdom_print(&f->cx, &e);
  size_t bytes = strlen(line);
  char *values = strstr(line, "\"device\"");
  for (char *at = values; at < strstr(line, ",\"check\""); at++) {
    char before = *at;
    *at = before == '7' ? '8' : '7';
    fg_wisdom w;
    fg_wisdom_parse(&f->cx, "text", line, bytes, (fg_wisdom_warn){0}, &w);
    *at = before;
    assert_true(w.count >= 1);
    assert_int_equal(w.line[0].kind, FG_WISDOM_DAMAGED);
  }
}

static void test_random_bytes(void **state) {
  fixture *f = *state;
  char junk[4096];
  srand(11);
  for (int turn = 0; turn < 300; turn++) {
    for (size_t i = 0; i < sizeof junk; i++) junk[i] = (char)(turn % 2 ? rand() % 96 + 32 : rand());
    assert_int_equal(count_good(f, junk, sizeof junk), 0);
  }
}

static void test_strict_lines(void **state) {
  fixture *f = *state;
  static const char *const wrong[] = {
      "",
      "{",
      "{}}",
      "[]",
      "{\"a\"}",
      "{\"a\":}",
      "{\"a\":1,}",
      "{\"a\":01}",
      "{\"a\":1.}",
      "{\"a\":+1}",
      "{\"a\":nan}",
      "{\"a\":1e999}",
      "{\"a\":\"\\q\"}",
      "{\"a\":\"\\u12\"}",
      "{\"a\":\"\\ud800\"}",
      "{\"a\":\"x}",
      "{\"a\":1,\"a\":2}",
      "{\"a\":{}}",
      "{\"a\":[1]}",
      "{\"a\":null}",
      "{'a':1}",
      "{\"a\":\"\t\"}",
      "{\"a\":1} x",
      "{a:1}",
      "{\"a\":truefalse}",
  };
  fg_line l;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (!fg_line_read(f->cx.arena, wrong[i], strlen(wrong[i]), &l)) fail_msg("accepted: %s", wrong[i]);
  const char *right =
      " { \"a\" : -1.5e2 , "
      "\"b\":\"\\u00e9\\n\\\\\",\"e\":\"\\u007f\\u0080\\u07ff\\u0800\\uffff\",\"c\":true,\"d\":false}\t";
  assert_null(fg_line_read(f->cx.arena, right, strlen(right), &l));
  assert_true(fg_line_number(&l, "a", 0) == -150);
  assert_string_equal(fg_line_text(&l, "b"), "\xc3\xa9\n\\");
  assert_string_equal(fg_line_text(&l, "e"), "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"); /* of 1, 2, 3 bytes */
  assert_true(fg_line_find(&l, "c", FG_LINE_TRUTH)->number == 1);
  assert_true(fg_line_find(&l, "d", FG_LINE_TRUTH)->number == 0);
  assert_null(fg_line_text(&l, "c"));
}

static void test_hash_is_fnv1a(void **state) {
  (void)state;
  char text[FG_HASH_TEXT];
  fg_hash_text(fg_hash_begin(), text);
  assert_string_equal(text, "6c62272e07bb014262b821756295c58d");
  fg_hash_text(fg_hash_add(fg_hash_begin(), "a", 1), text);
  assert_string_equal(text, "d228cb696f1a8caf78912b704e4a8964");
}

/* ---- meaning ---------------------------------------------------------------- */

static void test_best_wins(void **state) {
  fixture *f = *state;
  fg_wisdom_entry slow = sample(0), fast = slow, half = slow, other = slow;
  fast.ns = 700, fast.plan = "stockham(32,32)", fast.compiler = "clang";
  half.ns = 1, half.final = false, half.plan = "direct(8)";
  other.ns = 2, other.device = "aarch64 of somebody else";
  const fg_wisdom_entry *all[] = {&slow, &half, &other, &fast};
  char *text = fg_arena_strdup(f->cx.arena, "");
  for (int i = 0; i < 4; i++) text = fg_arena_printf(f->cx.arena, "%s%s", text, fg_wisdom_print(&f->cx, all[i]));
  fg_wisdom w;
  fg_wisdom_parse(&f->cx, "text", text, strlen(text), warn_into(f), &w);
  const fg_wisdom_entry *best = fg_wisdom_best(&w, &slow);
  assert_non_null(best);
  assert_string_equal(best->plan, "stockham(32,32)"); /* neither the foreign nor the unfinished one */
  fg_wisdom_entry nobody = slow;
  nobody.target = "opencl";
  assert_null(fg_wisdom_best(&w, &nobody));
}

static void test_newer_schema_is_kept(void **state) {
  fixture *f = *state;
  const char *newer = "{\"fftgen\":2,\"device\":\"x\",\"what\":\"we do not know\"}";
  const char *damaged = "{\"fftgen\":1,\"device\":";
  char *text = fg_arena_printf(f->cx.arena, "%s\n%s\n", newer, damaged);
  write_text(f->file, text, strlen(text));
  fg_wisdom_entry e = sample(0);
  assert_int_equal(fg_wisdom_add(&f->cx, f->file, &e, 1, warn_into(f)), FG_OK);
  assert_true(f->warnings >= 2);
  size_t bytes;
  assert_int_equal(fg_store_read(&f->cx, f->file, 1 << 20, &text, &bytes), FG_OK);
  assert_non_null(strstr(text, newer));
  assert_non_null(strstr(text, damaged));
  assert_int_equal(count_good(f, text, bytes), 1);
}

static void test_same_again_replaces(void **state) {
  fixture *f = *state;
  fg_wisdom_entry e = sample(0), worse = e;
  worse.ns = 2000;
  for (int i = 0; i < 5; i++) {
    assert_int_equal(fg_wisdom_add(&f->cx, f->file, &worse, 1, warn_into(f)), FG_OK);
    assert_int_equal(fg_wisdom_add(&f->cx, f->file, &e, 1, warn_into(f)), FG_OK);
  }
  fg_wisdom w;
  assert_int_equal(fg_wisdom_load(&f->cx, f->file, warn_into(f), &w), FG_OK);
  assert_int_equal(w.count, 1);
  assert_true(w.line[0].entry.ns == e.ns);
}

static void test_merge_is_concatenation(void **state) {
  fixture *f = *state;
  size_t bytes;
  char *text = three_lines(f, &bytes);
  char *twice = fg_arena_printf(f->cx.arena, "%s\n\r\n%s", text, text);
  fg_wisdom w;
  fg_wisdom_parse(&f->cx, "text", twice, strlen(twice), warn_into(f), &w);
  assert_int_equal(w.count, 6);
  fg_wisdom_reduce(&f->cx, &w, true);
  assert_int_equal(w.count, 3);
  assert_int_equal(f->warnings, 0);
}

/* Of many lines, some of which nobody can read, the first of each kind keeps its place, and the best one is there. */
static void test_many_are_reduced(void **state) {
  fixture *f = *state;
  enum { PROBLEMS = 3000, TURNS = 4 };
  fg_wisdom w = {.line = fg_arena_new(f->cx.arena, fg_wisdom_line, PROBLEMS * TURNS + 1)};
  for (int i = 0; i < PROBLEMS * TURNS; i++) {
    fg_wisdom_entry e = sample(0);
    e.problem = fg_arena_printf(f->cx.arena, "c2c f32 n=%d", 2 + i % PROBLEMS);
    e.compiler = i / PROBLEMS % 2 ? "gcc" : "clang";
    const int turn = i / PROBLEMS;
    e.ns = 1000 - turn;
    w.line[w.count++] = (fg_wisdom_line){.kind = FG_WISDOM_GOOD, .entry = e};
    if (i == 1) w.line[w.count++] = (fg_wisdom_line){.kind = FG_WISDOM_NEWER};
  }
  fg_wisdom_reduce(&f->cx, &w, true);
  assert_int_equal(w.count, 2 * PROBLEMS + 1);
  assert_int_equal(w.line[2].kind, FG_WISDOM_NEWER);
  assert_true(w.line[0].entry.ns == 1000 - 2 && w.line[2 * PROBLEMS].entry.ns == 1000 - 3);
  fg_wisdom_reduce(&f->cx, &w, false);
  assert_int_equal(w.count, PROBLEMS + 1);
  assert_string_equal(w.line[PROBLEMS].entry.problem, fg_arena_printf(f->cx.arena, "c2c f32 n=%d", PROBLEMS + 1));
  assert_true(w.line[PROBLEMS].entry.ns == 1000 - 3);
}

static void test_unit_batch_is_no_batch(void **state) {
  fixture *f = *state;
  fg_problem p;
  assert_int_equal(fg_problem_parse(&f->cx, "c2c f32 n=8 batch=1", &p), FG_OK);
  assert_string_equal(fg_wisdom_problem(&f->cx, &p), "c2c f32 n=8");
  assert_int_equal(fg_problem_parse(&f->cx, "c2c f32 n=8 batch=2", &p), FG_OK);
  assert_string_equal(fg_wisdom_problem(&f->cx, &p), "c2c f32 n=8 batch=2");
  const char *sums = "rconv f32 n=8 batch=1x2 spectrum=each sum=channel"; /* which counts dimensions */
  assert_int_equal(fg_problem_parse(&f->cx, sums, &p), FG_OK);
  assert_string_equal(fg_wisdom_problem(&f->cx, &p), sums);
}

/* ---- writing ---------------------------------------------------------------- */

static void test_two_writers(void **state) {
  fixture *f = *state;
  enum { WRITERS = 4, EACH = 25 };
  for (int k = 0; k < WRITERS; k++) {
    if (fork() != 0) continue;
    int bad = 0;
    for (int i = 0; i < EACH; i++) {
      fg_wisdom_entry e = sample(0);
      e.problem = fg_arena_printf(f->cx.arena, "c2c f32 n=%d", 1 + k * EACH + i);
      bad |= fg_wisdom_add(&f->cx, f->file, &e, 1, (fg_wisdom_warn){0}) != FG_OK;
    }
    _exit(bad);
  }
  for (int k = 0; k < WRITERS; k++) {
    int status;
    wait(&status);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  fg_wisdom w;
  assert_int_equal(fg_wisdom_load(&f->cx, f->file, warn_into(f), &w), FG_OK);
  assert_int_equal(w.count, WRITERS * EACH);
  assert_int_equal(f->warnings, 0);
}

/* A file that cannot be read has no sum, and it is told. */
static void test_sum_of_what_cannot_be_read(void **state) {
  fixture *f = *state;
  fg_wisdom_entry first = sample(0);
  char sum[FG_HASH_TEXT] = "";
  assert_int_equal(fg_wisdom_add(&f->cx, f->file, &first, 1, warn_into(f)), FG_OK);
  for (int call = 1; call <= 3; call++) { /* opened, read, read to its end */
    fg_context own = {.arena = f->cx.arena};
    fg_atomic_file_fail_at(call);
    assert_int_equal(fg_store_sum(&own, f->file, 1 << 20, sum), FG_ESYS);
    fg_atomic_file_fail_at(0);
    assert_true(own.diag.message[0]);
  }
  assert_int_equal(fg_store_sum(&f->cx, f->file, 1 << 20, sum), FG_OK);
}

/* The n-th call of the system fails, for every n: the file is as before, or as
 * it was to be, and an error is told exactly when it is as before. */
static void test_every_call_fails_once(void **state) {
  fixture *f = *state;
  fg_wisdom_entry first = sample(0), second = sample(1);
  assert_int_equal(fg_wisdom_add(&f->cx, f->file, &first, 1, warn_into(f)), FG_OK);
  int failures = 0;
  for (long n = 1; n < 100; n++) {
    unlink(f->file);
    assert_int_equal(fg_wisdom_add(&f->cx, f->file, &first, 1, warn_into(f)), FG_OK);
    fg_context own = {.arena = f->cx.arena};
    fg_atomic_file_fail_at(n);
    fg_status status = fg_wisdom_add(&own, f->file, &second, 1, warn_into(f));
    fg_atomic_file_fail_at(0);
    assert_int_equal(good_in_file(f), status == FG_OK ? 2 : 1);
    assert_true(status == FG_OK || own.diag.message[0]);
    failures += status != FG_OK;
  }
  assert_true(failures >= 5);
  char command[256];
  snprintf(command, sizeof command, "test $(ls %s | wc -l) = 2", f->folder); /* the file, its lock: no temporary ones */
  assert_int_equal(system(command), 0);
}

static void test_memory_runs_out(void **state) {
  fixture *f = *state;
  size_t bytes;
  char *text = three_lines(f, &bytes);
  int failures = 0;
  for (long n = 1; n < 400; n++) {
    fg_context own = {.arena = fg_arena_create()};
    fg_wisdom w;
    if (fg_arena_guard(own.arena)) {
      failures++;
    } else {
      fg_arena_fail_at(own.arena, n);
      fg_wisdom_parse(&own, "text", text, bytes, (fg_wisdom_warn){0}, &w);
    }
    fg_arena_destroy(own.arena);
  }
  assert_true(failures > 20);
}

static void test_folder_that_cannot_be_written(void **state) {
  fixture *f = *state;
  fg_wisdom_entry e = sample(0);
  fg_context own = {.arena = f->cx.arena};
  assert_int_equal(fg_wisdom_add(&own, "/proc/none/w.jsonl", &e, 1, (fg_wisdom_warn){0}), FG_ESYS);
  assert_non_null(strstr(own.diag.message, "/proc/none"));
  if (geteuid() == 0) {
    print_message("SKIP: a folder without write permission: root may write everywhere\n");
    return;
  }
  assert_int_equal(fg_wisdom_add(&f->cx, f->file, &e, 1, (fg_wisdom_warn){0}), FG_OK);
  chmod(f->folder, 0500);
  own = (fg_context){.arena = f->cx.arena};
  e.problem = "c2c f32 n=3";
  assert_int_equal(fg_wisdom_add(&own, f->file, &e, 1, (fg_wisdom_warn){0}), FG_ESYS);
  assert_int_equal(good_in_file(f), 1);
}

static void test_fingerprint(void **state) {
  (void)state;
  const char *text = fg_fingerprint_host();
  assert_ptr_equal(text, fg_fingerprint_host());
  assert_true(strlen(text) > 10);
  assert_null(strchr(text, '\n'));
  assert_true(fg_cpu_has(""));
  assert_false(fg_cpu_has("no_such_feature"));
#ifdef __x86_64__
  assert_true(fg_cpu_has("sse2"));
  assert_false(fg_cpu_has("sse2,no_such_feature"));
#endif
}

/* Instruction sets ask for features that CPUs are asked about. */
static void test_features(void **state) {
  (void)state;
  for (const fg_isa *i = fg_isa_table(); i->name; i++) {
    if (strcmp(i->cpu, fg_isa_cpu_here())) continue;
    char names[128];
    snprintf(names, sizeof names, "%s", i->cpu_feature);
    for (char *rest, *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
      const fg_cpu_feature *f = fg_cpu_features();
      while (f->name && strcmp(f->name, name)) f++;
      if (!f->name) fail_msg("%s: targets/cpu.c does not ask about %s", i->name, name);
    }
  }
}

/* ---- shipped wisdom --------------------------------------------------------------- */

static void check_plan(fixture *f, const fg_wisdom_entry *e) {
  fg_problem problem;
  fg_plan *plan;
  assert_int_equal(fg_problem_parse(&f->cx, e->problem, &problem), FG_OK);
  assert_string_equal(fg_wisdom_problem(&f->cx, &problem), e->problem);
  assert_int_equal(fg_plan_parse(&f->cx, e->plan, &plan), FG_OK);
  if (fg_plan_fits(&f->cx, plan, &problem) != FG_OK) fail_msg("%s: %s", e->problem, f->cx.diag.message);
}

/* What is left of a line: the model of its device, without the driver, no error, compiler or version. */
static fg_wisdom_entry packed(fixture *f, const fg_wisdom_entry *of) {
  fg_wisdom_entry e = *of;
  const char *driver = strstr(e.device, ", driver for ");
  if (driver) e.device = fg_arena_printf(f->cx.arena, "%.*s", (int)(driver - e.device), e.device);
  e.ns = floor(e.ns), e.spread = -1, e.l2 = 0, e.compiler = e.generator = "";
  return e;
}

/* Every line of the files is unpacked as it was, and its plan is one for its problem. */
static void test_shipped_lines(void **state) {
  fixture *f = *state;
  fg_shipped_key key;
  fg_strbuf line;
  fg_shipped_read_key(&key);
  for (const fg_shipped_file *file = fg_shipped; file->name; file++) {
    fg_wisdom whole, one;
    const char *at = file->text, *path = fg_arena_printf(f->cx.arena, "%s/%s", FFTGEN_WISDOM_FOLDER, file->name);
    assert_int_equal(fg_wisdom_load(&f->cx, path, warn_into(f), &whole), FG_OK);
    assert_int_equal(f->warnings, 0);
    for (int i = 0; i < whole.count; i++) {
      fg_wisdom_entry e = packed(f, &whole.line[i].entry);
      assert_non_null(at);
      line = fg_strbuf_new(f->cx.arena);
      at = fg_shipped_unpack(&key, at, &line);
      fg_wisdom_parse(&f->cx, file->name, line.text, line.length, warn_into(f), &one);
      assert_int_equal(one.count, 1);
      assert_int_equal(one.line[0].kind, FG_WISDOM_GOOD);
      assert_true(same(&one.line[0].entry, &e));
      check_plan(f, &e);
    }
    assert_null(at);
  }
}

static const fg_wisdom_entry *shipped(fixture *f, const char *device, const char *problem) {
  return fg_serve_shipped(&f->cx, &(fg_serve_key){.device = device, .problem = problem, .target = "cuda"}).entry;
}

static void test_shipped_lookup(void **state) {
  static const char h200[] = "NVIDIA H200, sm_90, driver for CUDA 12.4";
  fixture *f = *state;
  const fg_wisdom_entry *many = shipped(f, h200, "c2c f32 n=1024 batch=700");
  assert_non_null(many);
  assert_ptr_equal(strstr(many->problem, "c2c f32 n=1024 batch="), many->problem);
  assert_string_equal(shipped(f, h200, "c2c f32 n=1024 batch=count[1..900] sign=+1")->plan, many->plan);
  assert_string_equal(shipped(f, h200, "c2c f32 n=1024")->problem, "c2c f32 n=1024");
  assert_string_equal(shipped(f, h200, "c2c f32 n=1024 batch=700 place=in")->plan, many->plan);
  assert_null(shipped(f, h200, "c2c f32 n=1024 batch=4 batch=4"));
  assert_null(shipped(f, h200, "c2c f32 n=1022 batch=700"));
  assert_null(shipped(f, "NVIDIA H200 NVL, sm_90, driver for CUDA 12.4", "c2c f32 n=1024 batch=700"));
  assert_string_equal(
      shipped(f, "NVIDIA H100 80GB HBM3, sm_90, driver for CUDA 13.0", "c2c f32 n=1024 batch=700")->plan, many->plan);
  assert_null(shipped(f, "NVIDIA H100 PCIe, sm_90, driver for CUDA 13.0", "c2c f32 n=1024 batch=700"));
  assert_string_equal(shipped(f, NULL, "c2c f32 n=1024 batch=700")->plan, many->plan); /* a pack's source, for any */
  fg_serve_key elsewhere = {.device = h200, .problem = "c2c f32 n=1024 batch=700", .target = "opencl"};
  assert_null(fg_serve_shipped(&f->cx, &elsewhere).entry);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* Seconds; instrumented code takes longer. */
#ifdef __SANITIZE_ADDRESS__
enum { WITHIN = 120 };
#else
enum { WITHIN = 10 };
#endif

/* Heads without ends, as many as a file may have: each byte is read once, not once for each head before it (which
 * took 3 s of processor time for a quarter of these). */
static void heads_without_ends(void **state) {
  fixture *f = *state;
  static const char piece[] = "{\"fftgen\":1,\"device\":\"";
  enum { PIECES = IS_WATCHED ? 50000 : 400000 };
  size_t bytes = (sizeof piece - 1) * PIECES;
  char *text = malloc(bytes + 1);
  fg_wisdom w;
  assert_non_null(text);
  for (size_t i = 0; i < PIECES; i++) memcpy(text + i * (sizeof piece - 1), piece, sizeof piece);
  clock_t begin = clock();
  fg_wisdom_parse(&f->cx, "heads", text, bytes, (fg_wisdom_warn){NULL, NULL}, &w);
  assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < WITHIN);
  assert_int_equal(w.damaged, PIECES);
  free(text);
}

/* Two whole lines whose newline was lost are two lines. */
static void a_lost_newline_loses_nothing(void **state) {
  fixture *f = *state;
  static const char line[] = "{\"fftgen\":1,\"device\":\"d\",\"problem\":\"c2c f32 n=8\",\"target\":\"c\","
                             "\"plan\":\"direct(8)\",\"ns\":5}";
  char text[2 * sizeof line];
  fg_wisdom w;
  int length = snprintf(text, sizeof text, "%s%s", line, line);
  fg_wisdom_parse(&f->cx, "two", text, (size_t)length, (fg_wisdom_warn){NULL, NULL}, &w);
  assert_int_equal(w.count, 2);
  assert_int_equal(w.damaged, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_round_trip),
      TEST(test_another_locale),
      TEST(test_cut_at_every_byte),
      TEST(test_cut_and_continued),
      TEST(test_every_byte_changed),
      TEST(test_changed_digits_are_found),
      TEST(test_random_bytes),
      TEST(heads_without_ends),
      TEST(a_lost_newline_loses_nothing),
      TEST(test_strict_lines),
      TEST(test_hash_is_fnv1a),
      TEST(test_best_wins),
      TEST(test_newer_schema_is_kept),
      TEST(test_same_again_replaces),
      TEST(test_merge_is_concatenation),
      TEST(test_many_are_reduced),
      TEST(test_unit_batch_is_no_batch),
      TEST(test_two_writers),
      TEST(test_sum_of_what_cannot_be_read),
      TEST(test_every_call_fails_once),
      TEST(test_memory_runs_out),
      TEST(test_folder_that_cannot_be_written),
      TEST(test_fingerprint),
      TEST(test_features),
      TEST(test_shipped_lines),
      TEST(test_shipped_lookup),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
