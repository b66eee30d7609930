/* The search space: what rules make of plans; every mistake of a file is refused
 * with its name, the rule, and what is allowed. */
#include "generator/pipeline/pipeline.h"
#include "tuning/search/space.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static char folder[] = "/tmp/fftgen-space-test-XXXXXX", path[64];

static fg_context cx;

static void begin(void) {
  cx = (fg_context){.arena = fg_arena_create()};
  assert_non_null(cx.arena);
}

static void end(void) { fg_arena_destroy(cx.arena); }

static fg_status load(const char *text, fg_search_space *out) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  if (fg_arena_guard(cx.arena)) fail();
  return fg_space_load(&cx, path, out);
}

static fg_compilation decided(const char *problem, const char *isa, const char *plan) {
  fg_compilation c;
  fg_request r = {.problem = problem, .isa = isa, .plan = plan};
  assert_int_equal(fg_pipeline_parse(&cx, &r, &c), FG_OK);
  assert_int_equal(fg_pipeline_decide(&c), FG_OK);
  return c;
}

static const char *const compilers[] = {"clang", NULL};
static const fg_space_device device = {compilers, {48 << 10, 2 << 20, 32 << 20}};

typedef fg_status (*widener)(const fg_compilation *, const fg_search_space *, const fg_space_device *,
                             fg_space_variant **, int *);

/* Plans (and compilers) of all variants, separated by blanks. */
static const char *widened(widener widen, const char *rules, const char *problem, const char *plan) {
  static char text[1 << 16];
  fg_search_space s;
  fg_space_variant *v;
  int count;
  if (load(rules, &s) != FG_OK) return cx.diag.message;
  fg_compilation c = decided(problem, "avx2", plan);
  if (widen(&c, &s, &device, &v, &count) != FG_OK) return cx.diag.message;
  text[0] = 0;
  for (int i = 0; i < count; i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s%s%s%s", i ? " " : "", fg_plan_print(&cx, v[i].plan),
             v[i].compiler ? "@" : "", v[i].compiler ? v[i].compiler : "");
  }
  return text;
}

static const char *variants(const char *rules, const char *problem, const char *plan) {
  return widened(fg_space_expand, rules, problem, plan);
}

static const char problem[] = "c2c f32 n=64", plan[] = "stockham(8,8)";

static void test_values(void **state) {
  (void)state;
  begin();
  assert_string_equal(variants("rules = {}", problem, plan), "stockham(8,8)");
  assert_string_equal(variants("rules = {{name='pairs', values={1, 2}}}", problem, plan),
                      "stockham(8,8; complex_vectors=split) stockham(8,8; complex_vectors=interleaved)");
  assert_string_equal(variants("rules = {{name='complex_vectors', values={'first', 'auto', 1}}}", problem, plan),
                      "stockham(8,8; complex_vectors=first) stockham(8,8) stockham(8,8; complex_vectors=split)");
  /* What is usual is not said; two rules are a product. */
  assert_string_equal(
      variants("rules = {{name='lanes', values={0, 4}}, {name='reuse', values={0, 2}}}", problem, plan),
      "stockham(8,8; reuse=off) stockham(8,8) stockham(8,8; lanes=4, reuse=off) stockham(8,8; lanes=4)");
  /* No value: the plan stays. What it says already is left alone. */
  assert_string_equal(variants("rules = {{name='lanes', values={}}}", problem, plan), "stockham(8,8)");
  assert_string_equal(variants("rules = {{name='lanes', values={8}}}", problem, "stockham(8,8; lanes=4)"),
                      "stockham(8,8; lanes=4)");
  end();
}

static void test_conditions(void **state) {
  (void)state;
  begin();
  static const char rules[] = "rules = {{name='lanes',\n"
                              "  when = function(problem, device, plan)\n"
                              "    return plan[1] == 'stockham' and plan[2] == 8 and problem.points == 64\n"
                              "      and device.lanes == 8 and device.cache[2] == 2 << 20 and device.isa == 'avx2'\n"
                              "  end,\n"
                              "  values = function(problem, device, plan) return { plan[3] // 2 } end}}";
  assert_string_equal(variants(rules, problem, plan), "stockham(8,8; lanes=4)");
  assert_string_equal(variants(rules, problem, "stockham(4,16)"), "stockham(4,16)");
  assert_string_equal(variants(rules, "c2c f32 n=32", "stockham(8,4)"), "stockham(8,4)");
  end();
}

/* Rules print and read numbers alike in every locale; the caller's stays. */
static void test_numbers(void **state) {
  (void)state;
  char before[8], after[8];
  snprintf(before, sizeof before, "%.1f", 0.5);
  begin();
  static const char rules[] =
      "rules = {{name='lanes', values=function()\n"
      "  if tostring(1.5) .. string.format('%.2f', 0.25) == '1.50.25'\n"
      "    and tonumber('2.5') == 5 / 2 and ('i\\xfd'):upper() == 'I\\xfd' then return { 4 } end\n"
      "  error(tostring(1.5)) end}}";
  assert_string_equal(variants(rules, problem, plan), "stockham(8,8; lanes=4)");
  load("error('x' .. 1.5, 0)", &(fg_search_space){0});
  assert_non_null(strstr(cx.diag.message, "x1.5"));
  end();
  snprintf(after, sizeof after, "%.1f", 0.5);
  assert_string_equal(after, before);
}

static void test_plans_and_compilers(void **state) {
  (void)state;
  begin();
  static const char orders[] = "rules = {{name='plans', values=function(p, d, plan)\n"
                               "  return {{plan[1], plan[3], plan[2]}} end},\n"
                               "  {name='compiler', values=function(p, d) return d.compilers end}}";
  assert_string_equal(variants(orders, problem, "stockham(4,16)"),
                      "stockham(4,16) stockham(4,16)@clang stockham(16,4) stockham(16,4)@clang");
  assert_string_equal(variants(orders, problem, plan), "stockham(8,8) stockham(8,8)@clang"); /* equal ones once */
  static const char inner[] = "rules = {{name='plans', values=function(p, d, plan)\n"
                              "  return {{plan[1], plan[2], {'stockham', 4, 4, lanes=4, tile=8}}} end}}";
  assert_string_equal(variants(inner, "c2c f32 n=32", "cooley-tukey(2, stockham(2,8))"),
                      "cooley-tukey(2, stockham(2,8)) cooley-tukey(2, stockham(4,4; tile=8))");
  end();
}

/* Changes of the fastest: one at a time, the first of each rule before the second of any, and of what the plan
 * says, too; other rules have no part in it. */
static void test_around(void **state) {
  (void)state;
  begin();
  static const char rules[] =
      "rules = {{name='lanes', values={4}},\n"
      "  {name='reuse', around=true, values={2, 1, 0}},\n"
      "  {name='compiler', around=true, values=function(p, d) return d.compilers end},\n"
      "  {name='plans', around=true, values=function(p, d, plan) return {{plan[1], plan[3],\n"
      "   plan[2], addsub='off'}} end, when=function(p, d, plan) return plan.addsub == 'on' end}}";
  assert_string_equal(widened(fg_space_around, rules, problem, "stockham(4,16)"),
                      "stockham(4,16) stockham(4,16; reuse=output) stockham(4,16)@clang stockham(4,16; reuse=off)");
  assert_string_equal(widened(fg_space_around, rules, problem, "stockham(4,16; addsub=on, reuse=output)"),
                      "stockham(4,16; addsub=on) stockham(4,16; addsub=on, reuse=output) stockham(16,4; addsub=off) "
                      "stockham(4,16; addsub=on, reuse=output)@clang stockham(4,16; addsub=on, reuse=off)");
  assert_string_equal(variants(rules, problem, "stockham(4,16)"), "stockham(4,16; lanes=4)");
  end();
}

static void test_isas(void **state) {
  (void)state;
  begin();
  fg_search_space s;
  const char **isa;
  int count;
  assert_int_equal(load("rules = {{name='isa', values=function(p, d) return {d.narrower[1]} end}}", &s), FG_OK);
  fg_compilation c = decided(problem, "avx512", NULL);
  assert_int_equal(fg_space_isas(&c, &s, &device, &isa, &count), FG_OK);
  assert_int_equal(count, 1);
  assert_string_equal(isa[0], "avx2");
  assert_int_equal(load("rules = {{name='isa', values={'sundial'}}}", &s), FG_OK);
  assert_int_equal(fg_space_isas(&c, &s, &device, &isa, &count), FG_EUSER);
  assert_non_null(strstr(cx.diag.message, "sundial"));
  end();
}

static void test_candidates(void **state) {
  (void)state;
  begin();
  fg_search_space s;
  assert_int_equal(load("candidates = 7 rules = {}", &s), FG_OK);
  assert_int_equal(s.most, 7);
  assert_int_equal(load("rules = {}", &s), FG_OK);
  assert_int_equal(s.most, 0);
  end();
}

/* Plans of the space inside for a problem; "" where there is none. */
static const char *own_variants(const char *text, const char *isa) {
  static char plans[1 << 16];
  fg_compilation c;
  fg_search_space s;
  fg_space_variant *v;
  int count;
  fg_request r = {.problem = text, .isa = isa};
  if (fg_arena_guard(cx.arena)) fail();
  plans[0] = 0;
  assert_int_equal(fg_space_load(&cx, NULL, &s), FG_OK);
  assert_true(s.most > 0);
  if (fg_pipeline_parse(&cx, &r, &c) != FG_OK || fg_pipeline_decide(&c) != FG_OK) return plans;
  for (int way = 0; way < 2; way++) {
    fg_status status = (way ? fg_space_around : fg_space_expand)(&c, &s, &device, &v, &count);
    if (status != FG_OK) fail_msg("%s: %s", text, cx.diag.message);
    assert_true(way || count >= c.ncandidate);
    for (int k = 0; k < count; k++) {
      fg_built b;
      size_t used = strlen(plans);
      snprintf(plans + used, sizeof plans - used, " %s", fg_plan_print(&cx, v[k].plan));
      status = fg_pipeline_build(&c, v[k].plan, &b);
      if (status != FG_OK && status != FG_ENA) fail_msg("%s by %s: %s", text, plans + used, cx.diag.message);
    }
  }
  return plans;
}

/* Nothing of the space inside is refused for any kind of problem, and it offers
 * what recipes do not. */
static void test_own(void **state) {
  (void)state;
  static const struct {
    const char *problem, *isa, *expected;
  } all[] = {{"c2c f32 n=4", "scalar", ""},
             {"c2c f32 n=60", "avx2", "complex_vectors=split"},
             {"c2c f64 n=1024", "avx512", "stockham(8,8,16)"},
             {"c2c f32 n=1009", "avx512", "bluestein("},
             {"c2c f32 n=64 batch=512", "avx512", "complex_vectors=interleaved"},
             {"r2c f32 n=16", "avx2", "direct(16)"},
             {"c2c f64 n=512 place=in layout=split", "avx2", "stockham("},
             {"c2c f32 n=1048576", "avx512", "stream=on"},
             {"c2c f32 n=1048576", "avx512", "tile=32"},
             {"c2c f64 n=1024", "avx512", "interleave_stores=off"},
             {"c2c f32 n=64", "avx2", "addsub=on"},
             {"c2c f64 n=1024", "avx512", "list_schedule=on"},
             {"c2c f64 n=1024", "avx2", "lane_order=off"},
             {"c2c f32 n=16384", "avx512", "four-step(stockham(8,16), stockham(8,16))"},
             {"c2c f32 n=256 batch=count[1..65536]", "avx2", "stockham("},
             {"c2c f32 n=32x32", "avx2", "nd("}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    begin();
    const char *plans = own_variants(all[i].problem, all[i].isa);
    if (!strstr(plans, all[i].expected)) fail_msg("%s: no %s in %s", all[i].problem, all[i].expected, plans);
    end();
  }
}

static void test_mistakes(void **state) {
  (void)state;
  static const struct {
    const char *rules, *words;
  } all[] = {
      {"rules = {", "space.lua:1:"},
      {"", "'rules' is a nil; allowed: a list of rules"},
      {"rules = {7}", "rule 1: a number; allowed: a table"},
      {"rules = {{values={1}}}", "rule 1: its name is a nil"},
      {"rules = {{name='pears', values={1}}}", "rule 1 (pears): no such name; allowed: isa, compiler, plans"},
      {"rules = {{name='pairs', value={1}}}", "rule 1 (pairs): a field 'value'; allowed: name, values, when, around"},
      {"rules = {{name='pairs'}}", "rule 1 (pairs): values is a nil; allowed: a list"},
      {"rules = {{name='pairs', values={1}, when=true}}", "when is a boolean; allowed: a function"},
      {"rules = {{name='lanes', values={1}}, {name='pairs', values={7}}}",
       "rule 2 (pairs): value 7; allowed: auto, split"},
      {"rules = {{name='pairs', values={1.5}}}", "rule 1 (pairs): value 1.5; allowed: auto"},
      {"rules = {{name='pairs', values={'one'}}}", "value one; allowed: auto, split, interleaved, first"},
      {"rules = {{name='lanes', values={65}}}", "rule 1 (lanes): value 65; allowed: 0 .. 64"},
      {"rules = {{name='pairs', values=function() return 1 end}}", "values() returned a number; allowed: a list"},
      {"rules = {{name='compiler', values={'./evil.sh'}}}", "compiler ./evil.sh; allowed: gcc, clang"},
      {"rules = {{name='compiler', values={1}}}", "a value that is a number; allowed: texts"},
      {"rules = {{name='pairs', values={1}, around=1}}", "around is a number; allowed: true, false"},
      {"rules = {{name='isa', values={'avx2'}, around=true}}", "no name for what is tried around plans"},
      {"rules = {{name='plans', values={1}}}", "a plan that is a number; allowed: tables"},
      {"rules = {{name='plans', values={{'stockham', 8, 9}}}}", "plan stockham(8,9)"},
      {"rules = {{name='plans', values={{'sundial', 8}}}}", "sundial"},
      {"rules = {{name='pairs', values=function() return none.x end}}", "space.lua:1:"},
      {"rules = {{name='pairs', values=function() while true do end end}}", "no end after"},
      {"rules = {} io.write('x')", "space.lua:1:"},
      {"candidates = 0 rules = {}", "'candidates' is no whole number in 1 .. 1000"},
      {"rules = {{name='threads', values=function() local t = {} for i = 1, 300 do t[i] = i end return t end}}",
       "more than 256 variants"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    begin();
    const char *said = variants(all[i].rules, problem, plan);
    if (!strstr(said, all[i].words) || !strstr(said, "space.lua"))
      fail_msg("'%s' is not in what is said of %s: %s", all[i].words, all[i].rules, said);
    end();
  }
  begin();
  fg_search_space s;
  assert_int_equal(fg_space_load(&cx, "/nowhere/space.lua", &s), FG_EUSER);
  end();
}

static int set_up(void **state) {
  (void)state;
  if (!mkdtemp(folder)) return 1;
  snprintf(path, sizeof path, "%s/space.lua", folder);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  return unlink(path) || rmdir(folder);
}

/* Convolutions that no block holds, as three kernels in a queue: each can be built for a GPU that has queues. */
static void test_convolutions_in_queues(void **state) {
  (void)state;
  begin();
  static const char *const all[][2] = {
      {"conv f32 n=65536 batch=2048 spectrum=each", "convolve(four-step(stockham(16,16), stockham(16,16)))"},
      {"conv f64 n=131072 batch=512", "convolve(four-step(stockham(8,8,4), stockham(16,32); cluster=16))"},
      {"conv f32 n=90000 batch=1490", "convolve(four-step(stockham(25,15), stockham(16,15)))"},
      {"conv f32 n=1024x1024 batch=128 spectrum=each", "nd(stockham(32,32), convolve(stockham(16,16,4)))"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_search_space s;
    fg_compilation c;
    fg_space_variant *v;
    int count, queues = 0;
    fg_request r = {.problem = all[i][0], .plan = all[i][1], .target = "cuda", .machine = fg_machine_find("sm_90")};
    assert_int_equal(fg_space_load(&cx, NULL, &s), FG_OK);
    assert_int_equal(fg_pipeline_parse(&cx, &r, &c), FG_OK);
    assert_int_equal(fg_pipeline_decide(&c), FG_OK);
    assert_int_equal(fg_space_expand(&c, &s, &device, &v, &count), FG_OK);
    for (int k = 0; k < count; k++) {
      fg_built b;
      const char *text = fg_plan_print(&cx, v[k].plan);
      if (!strstr(text, "queue=")) continue;
      queues++;
      if (fg_pipeline_build(&c, v[k].plan, &b) != FG_OK) fail_msg("%s: %s", text, cx.diag.message);
      assert_int_equal(b.program->queue.kernels, 3);
    }
    assert_true(queues > 0);
  }
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_plans_and_compilers),
      cmocka_unit_test(test_around),
      cmocka_unit_test(test_isas),
      cmocka_unit_test(test_candidates),
      cmocka_unit_test(test_own),
      cmocka_unit_test(test_mistakes),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_convolutions_in_queues),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
