/* Plans: text to tree and back, every refusal, lengths, parameters. */
#include "generator/codelet/codelet.h"
#include "generator/plan/plan.h"
#include <cmocka.h>

#include "tests/unit/refusal.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static fg_plan *parsed(const char *text) {
  fg_plan *p = NULL;
  fg_diag_clear(&context.diag);
  if (fg_plan_parse(&context, text, &p)) fail_msg("'%s' was refused: %s", text, context.diag.message);
  return p;
}

static void round_trip(const char *text, const char *canonical) {
  const char *printed = fg_plan_print(&context, parsed(text));
  if (canonical) assert_string_equal(printed, canonical);
  assert_string_equal(fg_plan_print(&context, parsed(printed)), printed);
}

static void test_round_trips(void **state) {
  (void)state;
  round_trip("direct(8)", "direct(8)");
  round_trip(" stockham ( 16 , 8,\t8 ) ", "stockham(16,8,8)");
  round_trip("cooley-tukey(2,bluestein(32768,stockham(16,16,16,8)))",
             "cooley-tukey(2, bluestein(32768, stockham(16,16,16,8)))");
  round_trip("stockham(16,16,4;lanes=8)", "stockham(16,16,4; lanes=8)");
  round_trip("stockham(16; threads=64,fma=on,lanes=0)", "stockham(16; lanes=0, fma=on, threads=64)");
  round_trip("bluestein(128, stockham(16,8; lanes=1); tables=init)",
             "bluestein(128, stockham(16,8; lanes=1); tables=init)");
  round_trip("direct(4611686018427387904)", "direct(4611686018427387904)");
}

static void test_tree(void **state) {
  (void)state;
  const fg_plan *p = parsed("cooley-tukey(3, stockham(4,5; lanes=8); fma=off)");
  assert_int_equal(p->step, FG_COOLEY_TUKEY);
  assert_int_equal(p->arg[0], 3);
  assert_int_equal(p->nchild, 1);
  assert_int_equal(p->child[0]->narg, 2);
  assert_null(p->recipe);
  assert_int_equal(fg_plan_length(p), 60);
  assert_int_equal(fg_plan_param_value(p, FG_PARAM_FMA), 0);
  assert_int_equal(fg_plan_param_value(p, FG_PARAM_LANES), fg_param_table()[FG_PARAM_LANES].preset);
  assert_int_equal(fg_plan_param_value(p->child[0], FG_PARAM_LANES), 8);
  assert_int_equal(fg_plan_length(parsed("bluestein(32, stockham(4,8))")), 0);
  assert_int_equal(fg_plan_length(parsed("cooley-tukey(2, rader(17, direct(16)))")), 34);
  assert_int_equal(fg_plan_convolution(parsed("bluestein(32, stockham(4,8))")), 32);
  assert_int_equal(fg_plan_convolution(parsed("rader(17, stockham(4,8))")), 32);
  assert_int_equal(fg_plan_convolution(parsed("rader(17, bluestein(32, stockham(4,8)))")), 16);
  assert_int_equal(fg_plan_length(parsed("stockham(4611686018427387904,2)")), 0);
}

static void test_tables(void **state) {
  (void)state;
  for (int i = 0; i < FG_PARAM_COUNT; i++) {
    const fg_param_info *info = &fg_param_table()[i];
    assert_int_equal(fg_param_find(info->name), i);
    assert_true(info->lo <= info->preset && info->preset <= info->hi && info->help[0]);
    for (int64_t v = info->lo; info->values && v <= info->hi; v++) {
      size_t length = 0;
      int64_t back = -1;
      const char *name = fg_param_value_name(info, v, &length);
      assert_true(length > 0 && fg_param_value_find(info, name, length, &back));
      assert_int_equal(back, v);
    }
  }
  assert_int_equal(fg_param_find("lane"), -1);
}

/* ---- older spellings ------------------------------------------------------------------ */

static void same_plan(const char *old, const char *now) {
  const char *printed = fg_plan_print(&context, parsed(old));
  if (strcmp(printed, now) != 0) fail_msg("'%s' is printed as '%s', not as '%s'", old, printed, now);
  assert_string_equal(fg_plan_print(&context, parsed(now)), now);
}

static const char *with_param(int id, int64_t value) {
  fg_strbuf s = fg_strbuf_new(context.arena);
  fg_strbuf_addf(&s, "stockham(8,8; %s=", fg_param_table()[id].name);
  fg_param_value_print(&s, &fg_param_table()[id], value);
  fg_strbuf_add(&s, ")");
  return s.text;
}

/* Each row of aliases.def, with each value that it can have. */
static void test_aliases(void **state) {
  (void)state;
  int rows = 0;
  for (const fg_param_alias *a = fg_param_aliases(); a->old; a++, rows++) {
    const fg_param_info *info = &fg_param_table()[a->id];
    if (a->bit) {
      same_plan(fg_arena_printf(context.arena, "stockham(8,8; %s=%d)", a->old, (int)a->bit),
                with_param(a->id, a->value));
      assert_int_equal(fg_param_find(a->old), -1);
      continue;
    }
    assert_int_equal(fg_param_find(a->old), a->id);
    for (int64_t v = info->lo; v <= info->hi && v < info->lo + 8; v++)
      same_plan(fg_arena_printf(context.arena, "stockham(8,8; %s=%d)", a->old, (int)v), with_param(a->id, v));
  }
  assert_true(rows >= 20);
  same_plan("parts(127)", "dense(127)");
  assert_int_equal(parsed("parts(127)")->step, FG_DENSE);
}

/* Plans and lines of wisdom that earlier versions wrote. */
static void test_older_plans(void **state) {
  (void)state;
  same_plan("stockham(16,16; forms=0)", "stockham(16,16)");
  same_plan("stockham(16,16; pairs=1, forms=147, share=1)",
            "stockham(16,16; complex_vectors=split, interleave_stores=other, compiler_schedule=other, "
            "list_schedule=other, software_pipeline=other, fuse_loops=off)");
  same_plan("four-step(stockham(8,4), stockham(8,4); queue=2, swap=2, early=2, lag=5, keep=1)",
            "four-step(stockham(8,4), stockham(8,4); queue=2, swap=discard, prefetch_distance=5, deferred_wait=next, "
            "evict_last=on)");
  same_plan("bluestein(4096, four-step(stockham(8,4), stockham(16,8); cluster=4); apart=1, balance=1, carve=57)",
            "bluestein(4096, four-step(stockham(8,4), stockham(16,8); cluster=4); shared_memory_carveout=57, "
            "separate_buffers=on, cluster_scheduling=load_balancing)");
  same_plan("stockham(4,4; fma=0, reuse=1, stream=2, parts=2)",
            "stockham(4,4; fma=off, parallel_split=on, reuse=output, stream=on)");
}

/* What a plan makes of a rule. */
static void test_options(void **state) {
  (void)state;
  static const struct {
    const char *value;
    bool of_false, of_true;
  } all[] = {{"auto", false, true}, {"off", false, false}, {"on", true, true}, {"other", true, false}};
  for (int i = 0; i < 4; i++) {
    const fg_plan *p = parsed(fg_arena_printf(context.arena, "direct(8; list_schedule=%s)", all[i].value));
    assert_int_equal(fg_plan_option(p, FG_PARAM_LIST_SCHEDULE, false), all[i].of_false);
    assert_int_equal(fg_plan_option(p, FG_PARAM_LIST_SCHEDULE, true), all[i].of_true);
    assert_true(fg_plan_option(p, FG_PARAM_ADDSUB, true) && !fg_plan_option(p, FG_PARAM_ADDSUB, false));
  }
  assert_true(fg_plan_option(NULL, FG_PARAM_ADDSUB, true));
}

static const char *const bad[][3] = {
    {"", "unknown step the end", "direct, stockham, cooley-tukey, bluestein"},
    {"(8)", "unknown step '(8)'", "direct"},
    {"stokham(8)", "unknown step 'stokham' (did you mean 'stockham'?)", "direct"},
    {"radar(7)", "unknown step 'radar' (did you mean 'rader'?)", "bluestein"},
    {"rader(7)", "rader needs more", "rader(N, PLAN)"},
    {"direct", "the end where '(' belongs", "direct(N)"},
    {"direct(", "the end is no number", "1 .. 4611686018427387904"},
    {"direct()", "')' is no number", "1 .."},
    {"direct(0)", "column 8", "'0)' is no number in range"},
    {"direct(-8)", "'-8)' is no number", "1 .."},
    {"direct(8", "the end where ')' belongs", "direct(N)"},
    {"direct(8))", "')' after the plan", "one plan"},
    {"direct(8) x", "'x' after the plan", "one plan"},
    {"direct(8,8)", "direct takes no further number", "direct(N)"},
    {"direct(8, direct(4))", "direct takes no further plan", "direct(N)"},
    {"direct(99999999999999999999)", "no number in range", "4611686018427387904"},
    {"direct(4611686018427387905)", "no number in range", "4611686018427387904"},
    {"stockham(8,)", "')' is no number", "1 .."},
    {"stockham(8 8)", "'8)' where ')' belongs", "stockham(R1,R2,...)"},
    {"cooley-tukey(2)", "cooley-tukey needs more", "cooley-tukey(R, PLAN)"},
    {"cooley-tukey(direct(2), 2)", "no further number", "cooley-tukey(R, PLAN)"},
    {"cooley-tukey(direct(2))", "needs more", "cooley-tukey(R, PLAN)"},
    {"bluestein(8, direct(8), direct(8))", "no further plan", "bluestein(L, PLAN)"},
    {"stockham(8; )", "unknown parameter ')'", "lanes, fma, "},
    {"stockham(8; lane=4)", "did you mean 'lanes'", "lanes, fma"},
    {"stockham(8; lanes)", "')' where '=' belongs", "key=value"},
    {"stockham(8; lanes=)", "')' is no number", "0 .. 64"},
    {"stockham(8; lanes=65)", "no number in range", "0 .. 64"},
    {"stockham(8; lanes=-1)", "'-1)' is no number", "0 .. 64"},
    {"stockham(8; lanes=4, lanes=4)", "'lanes' given twice", "once"},
    {"stockham(8; pairs=1, complex_vectors=split)", "'complex_vectors' given twice", "once"},
    {"stockham(8; pairs=4)", "no number in range", "0 .. 3"},
    {"stockham(8; complex_vectors=parts)", "'parts' is no value of complex_vectors", "auto, split, interleaved, first"},
    {"stockham(8; lanes=on)", "is no number", "0 .. 64"},
    {"stockham(8; list_schedule=1)", "'1)' is no value of list_schedule", "auto, off, on, other"},
    {"stockham(8; list_schedule=onn)", "'onn' is no value of list_schedule", "auto, off, on, other"},
    {"stockham(8; forms=256)", "no number in range", "0 .. 255"},
    {"stockham(8; forms=3, interleave_stores=on)", "'interleave_stores' given twice", "once"},
    {"stockham(8; lanes=4; fma=on)", "';' where ')' belongs", "stockham"},
    {"direct(8\n)", "'?)' where ')' belongs", "direct(N)"},
};

static void test_bad(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    fg_plan *p = NULL;
    fg_diag_clear(&context.diag);
    expect_refusal(bad[i][0], fg_plan_parse(&context, bad[i][0], &p), bad[i][1], bad[i][2]);
    assert_null(p);
  }
}

static void test_many(void **state) {
  (void)state;
  char text[4096] = "stockham(2";
  for (int i = 1; i < FG_PLAN_ARGS; i++) strcat(text, ",2");
  strcat(text, ")");
  assert_int_equal(fg_plan_length(parsed(text)), INT64_C(1) << FG_PLAN_ARGS);
  text[strlen(text) - 1] = 0;
  strcat(text, ",2)");
  fg_plan *p = NULL;
  expect_refusal(text, fg_plan_parse(&context, text, &p), "takes no further number", "stockham(");
  fg_diag_clear(&context.diag);
  text[0] = 0;
  for (int i = 0; i < 100; i++) strcat(text, "cooley-tukey(2,");
  expect_refusal(text, fg_plan_parse(&context, text, &p), "nested too deeply", "16");
}

static void test_check(void **state) {
  (void)state;
  static const struct {
    const char *plan;
    int64_t n;
  } good[] = {
      {"direct(1)", 1},
      {"direct(16)", 16},
      {"stockham(16,8,8)", 1024},
      {"stockham(7)", 7},
      {"cooley-tukey(3, stockham(4,5))", 60},
      {"cooley-tukey(2, cooley-tukey(3, direct(5)))", 30},
      {"bluestein(128, stockham(16,8))", 64},
      {"bluestein(128, stockham(16,8))", 37},
      {"bluestein(128, stockham(16,8))", 65},
      {"bluestein(1, direct(1))", 1},
      {"prime-factor(direct(16), stockham(7,9))", 1008},
      {"prime-factor(direct(1), direct(5))", 5},
      {"prime-factor(direct(4), prime-factor(direct(9), direct(5)))", 180},
      {"cooley-tukey(2, prime-factor(direct(4), direct(3)))", 24},
      {"rader(3, direct(2))", 3},
      {"rader(37, stockham(6,6))", 37},
      {"rader(37, stockham(8,9))", 37},
      {"rader(37, bluestein(80, stockham(8,10)))", 37},
      {"cooley-tukey(2, rader(103, cooley-tukey(6, rader(17, direct(16)))))", 206},
      {"cooley-tukey(2, bluestein(256, stockham(16,16)))", 202},
  };
  static const struct {
    const char *plan;
    int64_t n;
    const char *first, *second;
  } misfits[] = {
      {"direct(8)", 9, "not a plan of 9 points", "the length itself"},
      {"direct(100000)", 100000, "100000 is no size of a codelet", "1 .."},
      {"stockham(16,8,8)", 1023, "not a plan of 1023 points", "product"},
      {"stockham(16,1)", 16, "1 is no size", "2 .."},
      {"stockham(4,100000)", 400000, "100000 is no size", "2 .."},
      {"cooley-tukey(3, direct(5))", 16, "3 does not divide 16", "divisor"},
      {"cooley-tukey(3, direct(5))", 18, "plan direct(5): not a plan of 6 points", "length"},
      {"cooley-tukey(1, direct(5))", 5, "1 is no size", "2 .."},
      {"bluestein(128, stockham(16,8))", 66, "too short for 66 points", "130 and more"},
      {"prime-factor(direct(4), direct(6))", 24, "4 and 6 have a common factor", "lengths without"},
      {"prime-factor(direct(4), direct(5))", 21, "not a plan of 21 points", "product"},
      {"prime-factor(direct(4), rader(5, direct(4)))", 20, "rader inside of prime-factor",
       "direct, stockham and prime-factor"},
      {"rader(37, stockham(6,6))", 39, "not a plan of 39 points", "the length itself"},
      {"rader(39, stockham(19,2))", 39, "39 is no odd prime", "such primes"},
      {"rader(2, direct(1))", 2, "2 is no odd prime", "such primes"},
      {"rader(2147483659, stockham(2))", INT64_C(2147483659), "no odd prime below 2^31", "such primes"},
      {"rader(37, stockham(8,8))", 37, "a convolution of 64 points", "36, or 71 and more"},
      {"rader(37, bluestein(64, stockham(8,8)))", 37, "too short for 36 points", "70 and more"},
      {"bluestein(128, stockham(16,16))", 50, "not a plan of 128 points", "product"},
      {"bluestein(4611686018427387904, direct(2))", INT64_C(1) << 62, "too short", "2^61"},
      {"stockham(4611686018427387904,4)", 1, "no size of a codelet", ".."},
  };
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    if (fg_plan_check(&context, parsed(good[i].plan), good[i].n))
      fail_msg("%s: %s", good[i].plan, context.diag.message);
  for (size_t i = 0; i < sizeof misfits / sizeof *misfits; i++) {
    fg_plan *p = parsed(misfits[i].plan);
    expect_refusal(misfits[i].plan, fg_plan_check(&context, p, misfits[i].n), misfits[i].first, misfits[i].second);
  }
}

static void test_fits(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan, *first, *second; /* first NULL: it fits */
  } tries[] = {
      {"c2c f32 n=16x12", "nd(stockham(4,4), direct(12))", NULL, NULL},
      {"c2c f32 n=4x2x3", "nd(direct(4), direct(2), direct(3))", NULL, NULL},
      {"dct2 f32 n=16", "direct(16)", NULL, NULL},
      {"c2c f32 n=16x12", "stockham(16,12)", "not a plan of 2 dimensions", "nd with 2 plans"},
      {"c2c f32 n=4x2x3", "nd(direct(4), direct(6))", "not a plan of 3 dimensions", "nd with 3 plans"},
      {"c2c f32 n=16x12", "nd(direct(12), direct(16))", "not a plan of 16 points", "the length itself"},
      {"c2c f32 n=16x12", "nd(four-step(direct(4), direct(4)), direct(12))", NULL, NULL},
      {"c2c f32 n=12x16", "nd(direct(12), four-step(direct(4), direct(4); cluster=2))", "four-step by clusters",
       "two kernels"},
      {"c2c f32 n=192", "nd(direct(16), direct(12))", "one dimension", "several dimensions"},
      {"c2c f32 n=4096",
       "four-step(four-step(direct(16), direct(16); cluster=4, resident=2), direct(16); deferred_store=on)", NULL,
       NULL},
      {"c2c f32 n=4096", "four-step(four-step(direct(16), direct(16); cluster=4, deferred_store=on), direct(16))",
       "deferred_store= inside of another", "cluster, resident, tile, uneven, rows, all others behind"},
      {"r2c f32 n=4096", "real(4, four-step(direct(32), direct(32); queue=4))", "queue= inside of another",
       "outermost"},
      {"r2c f32 n=16", "stockham(4,4)", NULL, NULL},
      {"r2c f32 n=16", "cooley-tukey(4, direct(4))", "no plan of r2c", "direct(N), stockham("},
  };
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    fg_problem q;
    assert_int_equal(fg_problem_parse(&context, tries[i].problem, &q), FG_OK);
    fg_plan *p = parsed(tries[i].plan);
    fg_status status = fg_plan_fits(&context, p, &q);
    if (tries[i].first)
      expect_refusal(tries[i].plan, status, tries[i].first, tries[i].second);
    else if (status)
      fail_msg("%s: %s", tries[i].plan, context.diag.message);
  }
}

static int random_plan(char *out, int depth) {
  static const char *const param[] = {"lanes=8", "fma=on", "threads=64", "pairs=1"};
  fg_step step = (fg_step)draw(depth > 4 ? 2 : 4);
  int n = sprintf(out, "%s(%u", fg_step_name(step), 1 + draw(99));
  if (step == FG_STOCKHAM)
    for (unsigned i = draw(6); i > 0; i--) n += sprintf(out + n, draw(4) ? ",%u" : " , %u", 1 + draw(64));
  if (step == FG_COOLEY_TUKEY || step == FG_BLUESTEIN) {
    n += sprintf(out + n, ",");
    n += random_plan(out + n, depth + 1);
  }
  if (draw(3) == 0) n += sprintf(out + n, ";%s", param[draw(4)]);
  return n + sprintf(out + n, ")");
}

static void test_random_round_trips(void **state) {
  (void)state;
  seed = 1;
  for (int i = 0; i < 5000; i++) {
    char text[1024];
    random_plan(text, 0);
    round_trip(text, NULL);
    if (i % 500 == 0) fresh();
  }
}

static void test_fuzz(void **state) {
  (void)state;
  seed = 2;
  for (int i = 0; i < 200000; i++) {
    static const char letters[] = "stockhamdirect(,,;)=lanes 0123456789-bluesteincooley-tukey";
    char text[1024];
    fg_plan *p = NULL;
    if (draw(2)) {
      unsigned length = (unsigned)random_plan(text, 0);
      for (int k = 1 + (int)draw(3); k > 0; k--)
        text[draw(length)] = draw(3) ? letters[draw(sizeof letters - 1)] : (char)(1 + draw(255));
    } else {
      int length = (int)draw(60);
      for (int k = 0; k < length; k++) text[k] = draw(2) ? letters[draw(sizeof letters - 1)] : (char)(1 + draw(255));
      text[length] = 0;
    }
    fg_diag_clear(&context.diag);
    fg_status st = fg_plan_parse(&context, text, &p);
    if (!st) {
      round_trip(text, NULL);
      fg_plan_check(&context, p, 1 + draw(100000));
    } else {
      assert_int_equal(st, FG_EUSER);
      for (const char *c = context.diag.message; *c; c++) assert_true(*c >= ' ' && *c <= '~');
    }
    if (i % 500 == 0) fresh();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_round_trips, setup, teardown),
      cmocka_unit_test_setup_teardown(test_tree, setup, teardown),
      cmocka_unit_test_setup_teardown(test_tables, setup, teardown),
      cmocka_unit_test_setup_teardown(test_aliases, setup, teardown),
      cmocka_unit_test_setup_teardown(test_older_plans, setup, teardown),
      cmocka_unit_test_setup_teardown(test_options, setup, teardown),
      cmocka_unit_test_setup_teardown(test_bad, setup, teardown),
      cmocka_unit_test_setup_teardown(test_many, setup, teardown),
      cmocka_unit_test_setup_teardown(test_check, setup, teardown),
      cmocka_unit_test_setup_teardown(test_fits, setup, teardown),
      cmocka_unit_test_setup_teardown(test_random_round_trips, setup, teardown),
      cmocka_unit_test_setup_teardown(test_fuzz, setup, teardown),
  };
  return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
