/* The forms that text takes: what rules decide on, and plans turn around, for each instruction set. */
#include "generator/assemble.h"
#include "generator/emit.h"
#include "generator/emit_lines.h"
#include "generator/emit_parts.h"
#include "generator/pipeline.h"
#include "generator/prove.h"
#include "random_program.h"
#include <cmocka.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fg_context cx;

static void fresh_arena(void) {
  fg_arena_destroy(cx.arena);
  cx = (fg_context){.arena = fg_arena_create()};
  assert_non_null(cx.arena);
}

/* Upper halves go to memory as parts of variables, but not past the caches. */
static void test_halves(void **state) {
  (void)state;
  for (int stream = 0; stream < 2; stream++) {
    fresh_arena();
    rows_wish wish = {16, 16, 8, FG_F32, "interleaved", stream};
    fg_emit_options options = {.dialect = fg_dialect_find("c"), .prefix = "k"};
    fg_emitted e;
    assert_int_equal(fg_emit(&cx, rows_program(&cx, &wish), &options, &e), FG_OK);
    assert_int_equal(strstr(e.artifact.source, "(const float *)&s") != NULL, !stream);
  }
}

static bool swaps_words(const char *isa, int lanes, fg_precision precision) {
  fresh_arena();
  rows_wish wish = {4, 4, lanes, precision, "pairs", false};
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .isa = fg_isa_find(isa), .prefix = "k"};
  fg_emitted e;
  assert_int_equal(fg_emit(&cx, rows_program(&cx, &wish), &options, &e), FG_OK);
  return strstr(e.artifact.source, fg_arena_printf(cx.arena, "(vec%d_words)", lanes)) != NULL;
}

/* The parts of a pair change places as words, where that is not what shuffles do as well. */
static void test_swaps(void **state) {
  (void)state;
  assert_true(swaps_words("avx512", 16, FG_F32));
  assert_true(swaps_words("avx512", 8, FG_F32));
  assert_false(swaps_words("znver4", 16, FG_F32)); /* units for products rotate, and are busy */
  assert_false(swaps_words("avx2", 8, FG_F32));
  assert_true(swaps_words("avx512", 4, FG_F64));
  assert_false(swaps_words("avx512", 8, FG_F64));
}

static const char *text_mapped(const char *isa, const fg_mapping *map, const char *text, const char *plan_text) {
  fresh_arena();
  fg_problem q;
  fg_plan *plan;
  fg_program *p;
  const fg_isa *on = fg_isa_find(isa);
  if (fg_problem_parse(&cx, text, &q) != FG_OK || fg_plan_parse(&cx, plan_text, &plan) != FG_OK ||
      fg_assemble(&cx, &q, plan, map, &p) != FG_OK)
    fail_msg("%s: %s", text, cx.diag.message);
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .isa = on, .prefix = "k"};
  fg_emitted e;
  assert_int_equal(fg_emit(&cx, p, &options, &e), FG_OK);
  return e.artifact.source;
}

static const char *text_for(const char *isa, const char *text, const char *plan_text) {
  const fg_isa *on = fg_isa_find(isa);
  fg_mapping map = {.lanes = on->vector_bytes / (strstr(text, "f64") ? 8 : 4), .registers = on->registers, .fma = true};
  return text_mapped(isa, &map, text, plan_text);
}

static const char *text_of(const char *text, const char *plan_text) { return text_for("avx512", text, plan_text); }

/* Memory stands between stages where the second one's vectors are narrower. */
static void test_fence(void **state) {
  (void)state;
  assert_non_null(strstr(text_of("r2c f64 n=54", "real(6, stockham(3,3))"), "__asm__ volatile(\"\""));
  assert_null(strstr(text_of("c2c f64 n=1024", "stockham(8,8,16)"), "__asm__"));
}

/* Pairs of floats in vectors of four, where no others are about and vectors have 16 bytes at least. */
static void test_padded(void **state) {
  (void)state;
  assert_non_null(strstr(text_for("avx512", "c2c f32 n=31", "direct(31)"), "vec2of4"));
  assert_non_null(strstr(text_for("sse2", "c2c f32 n=5", "direct(5)"), "vec2of4"));
  assert_null(strstr(text_for("neon", "c2c f32 n=5", "direct(5)"), "vec2of4"));
  assert_null(strstr(text_for("avx512", "c2c f64 n=5", "direct(5)"), "vec2of4"));
  assert_null(strstr(text_for("avx512", "c2c f32 n=5 batch=9", "direct(5)"), "vec2of4"));
}

/* By what waits: joined stages on pairs, neither too few operations nor too many vectors. */
static void test_order(void **state) {
  (void)state;
  assert_non_null(strstr(text_of("c2c f32 n=64", "stockham(8,8)"), "sched-pressure"));
  assert_non_null(strstr(text_of("c2c f32 n=128 batch=9", "stockham(16,8)"), "sched-pressure"));
  assert_null(strstr(text_of("c2c f32 n=8", "stockham(4,2)"), "sched-pressure"));
  assert_null(strstr(text_of("c2c f32 n=256", "stockham(16,16; pairs=2)"), "sched-pressure"));
  assert_null(strstr(text_of("c2c f32 n=256", "stockham(16,16; pairs=1)"), "sched-pressure"));
  assert_null(strstr(text_of("c2c f32 n=31", "direct(31)"), "sched-pressure"));
  /* Plans may turn the rule around. */
  assert_null(strstr(text_of("c2c f32 n=64", "stockham(8,8; forms=2)"), "sched-pressure"));
  assert_non_null(strstr(text_of("c2c f32 n=256", "stockham(16,16; pairs=2, forms=2)"), "sched-pressure"));
}

/* Plans may turn around whether rows go to memory by halves. */
static void test_halves_by_plan(void **state) {
  (void)state;
  assert_non_null(strstr(text_of("c2c f64 n=1024", "stockham(8,8,16; pairs=1)"), "(const double *)&s"));
  assert_null(strstr(text_of("c2c f64 n=1024", "stockham(8,8,16; pairs=1, forms=4)"), "(const double *)&s"));
}

static int times_in(const char *source, const char *words) {
  int count = 0;
  for (const char *at = source; (at = strstr(at, words)); at++) count++;
  return count;
}

/* Where there is such an instruction, and products are more than sums, half of the sums of what is turned alternate
 * between - and +. */
static void test_alternating(void **state) {
  (void)state;
  const char *eights = ", 0, 9, 2, 11, 4, 13, 6, 15)", *fours = ", 0, 5, 2, 7)";
  const char *source = text_for("avx2", "c2c f32 n=256", "stockham(16,16; pairs=2)");
  assert_int_equal(times_in(source, eights), 14);
  assert_int_equal(times_in(source, " = J * s") + times_in(source, " - J * s"), 14);
  assert_int_equal(times_in(text_for("avx2", "c2c f64 n=256", "stockham(16,16; pairs=2)"), fours), 14);
  assert_int_equal(times_in(text_for("avx512", "c2c f32 n=128", "stockham(16,8)"), eights), 0);
  assert_int_equal(times_in(text_for("avx2", "c2c f32 n=64", "stockham(8,8)"), eights), 0);
  assert_int_equal(times_in(text_for("avx2", "c2c f32 n=64", "stockham(8,8; forms=8)"), eights), 12);
  /* A pair in four places. Outputs that are less such a sum stay products. */
  assert_int_equal(times_in(text_for("avx2", "c2c f32 n=16", "direct(16; forms=8)"), fours), 7);
  source = text_for("avx2", "c2c f64 n=12", "direct(12; forms=8)");
  assert_int_equal(times_in(source, ", 0, 3)"), 1);
  assert_int_equal(times_in(source, " = -t"), 4);
}

/* Pairs turn once for each pair of outputs where codelets have factors inside, and once for each factor before them;
 * the table has either part of these twice. Rows of vectors that take two turns leave whole from 8 slots on, in the
 * first cache. */
static void test_turns(void **state) {
  (void)state;
  const char *swap = "1, 0, 3, 2, 5, 4,", *half = "(const float *)&s", *twice = "0, 0, 2, 2, 4, 4, 6, 6";
  const char *source = text_for("znver4", "c2c f32 n=2048", "stockham(16,16,8; pairs=2, forms=128)");
  assert_int_equal(times_in(source, swap), 7 + (15 + 7) + (7 + 3));
  assert_int_equal(times_in(source, twice), 7); /* of the last pass, whose table is large */
  source = text_for("znver4", "c2c f32 n=512", "stockham(8,8,8; pairs=2)");
  assert_int_equal(times_in(source, twice), 0);
  assert_null(strstr(source, half));
  assert_non_null(strstr(text_for("avx512", "c2c f32 n=512", "stockham(8,8,8; pairs=2)"), half));
  assert_non_null(strstr(text_for("znver4", "c2c f32 n=512", "stockham(8,8,8; pairs=2, forms=4)"), half));
  assert_non_null(strstr(text_for("znver4", "c2c f32 n=3072", "stockham(16,12,16; pairs=2)"), half));
  /* Long rows that begin within lines. */
  assert_int_equal(times_in(text_for("znver4", "c2c f64 n=729", "stockham(27,27; pairs=2)"), twice), 26);
  assert_int_equal(times_in(text_for("znver4", "c2c f64 n=81", "stockham(9,9; pairs=2)"), twice), 0);
}

/* Vectors of 32 bytes, 16 registers: numbers are loaded once where they are multiplied, rows are stored whole, and an
 * exchange takes no numbers of two vectors across 16-byte parts. */
static void test_avx2(void **state) {
  (void)state;
  fresh_arena();
  fg_problem q;
  fg_plan *plan;
  fg_program *p;
  fg_mapping map = {.lanes = 4, .registers = 16, .fma = true};
  assert_int_equal(fg_problem_parse(&cx, "c2c f64 n=256", &q), FG_OK);
  assert_int_equal(fg_plan_parse(&cx, "stockham(4,8,8; pairs=1)", &plan), FG_OK);
  assert_int_equal(fg_assemble(&cx, &q, plan, &map, &p), FG_OK);
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .isa = fg_isa_find("avx2"), .prefix = "k"};
  fg_emitted e;
  assert_int_equal(fg_emit(&cx, p, &options, &e), FG_OK);
  const char *source = e.artifact.source, *fence = strstr(source, "__asm__ volatile(\"\"");
  assert_true(fence && fence > strstr(source, "_run_1("));
  assert_null(strstr(source, "(const double *)&s"));
  assert_null(strstr(source, "0, 4, 1, 5"));
  assert_non_null(strstr(source, "0, 1, 4, 5"));
}

static fg_program *program_for(const char *isa_name, const char *text, const char *plan_text) {
  fresh_arena();
  fg_problem q;
  fg_plan *plan;
  fg_program *p;
  assert_int_equal(fg_problem_parse(&cx, text, &q), FG_OK);
  assert_int_equal(fg_plan_parse(&cx, plan_text, &plan), FG_OK);
  const fg_isa *isa = fg_isa_find(isa_name);
  fg_mapping map = {.lanes = isa->vector_bytes / fg_precision_bytes(q.compute),
                    .one_source = !isa->two_sources,
                    .registers = isa->registers,
                    .adders = isa->adders,
                    .second = isa->second,
                    .fma = isa->fma};
  assert_int_equal(fg_assemble(&cx, &q, plan, &map, &p), FG_OK);
  return p;
}

static int woven_buffers(const fg_program *p, bool tables) {
  int n = 0;
  for (int i = 0; i < p->nbuffer; i++) n += p->buffer[i].woven && (p->buffer[i].space == FG_SPACE_TABLE) == tables;
  return n;
}

/* Scratch and tables whose vectors have the order that shuffles within 16-byte parts leave; where some
 * vector begins within another one, or one number moves, all is as it was. The text is proved where it is so. */
static void test_woven(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    int scratch, tables;
  } all[] = {
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16)", 1, 2},
      {"avx2", "c2c f32 n=1024 sign=+1", "stockham(8,8,16)", 1, 2},
      {"avx2", "c2c f32 n=1024 place=in", "stockham(8,8,16)", 1, 2},
      {"avx2", "c2c f64 n=720 batch=3", "stockham(8,6,15; pairs=1)", 2, 2},
      {"avx2", "c2c f64 n=480", "stockham(4,10,12; pairs=1)", 1, 2},
      {"avx2", "c2c f32 n=1000", "stockham(8,5,5,5)", 2, 3},
      {"avx2", "c2c f64 n=480", "stockham(12,10,4; pairs=1)", 1, 2},
      {"avx2", "c2c f64 n=480", "stockham(20,24; pairs=1)", 1, 1},
      {"avx2", "c2c f64 n=4096", "four-step(stockham(8,8), stockham(8,8))", 3, 3},
      {"avx2", "c2c f32 n=64x64", "nd(stockham(8,8), stockham(8,8); pairs=1)", 2, 1},
      {"avx2", "c2c f32 n=64x64", "nd(stockham(8,8), stockham(8,8))", 1, 0}, /* rows of pairs */
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; tables=1)", 1, 2},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; forms=32)", 0, 0},
      {"avx2", "c2c f64 n=1024 layout=split", "stockham(8,8,16)", 0, 0},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; lanes=2)", 0, 0},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; pairs=2)", 0, 0},
      {"avx2", "c2c f64 n=450", "stockham(9,5,10; pairs=1)", 0, 0},
      {"avx2", "r2c f64 n=2048", "real(8, stockham(8,32))", 0, 0},
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8; pairs=1)", 1, 2}, /* some rows of the first pass wrap around */
      {"znver4", "c2c f64 n=1024 place=in", "stockham(8,8,16)", 1, 2},
      {"znver4", "c2c f32 n=4096 sign=+1", "four-step(stockham(16,4), stockham(16,4))", 3, 3},
      {"znver4", "c2c f32 n=1024", "stockham(32,32)", 0, 0}, /* rows of more slots than registers are left for */
      {"znver4", "c2c f32 n=480", "stockham(16,30; pairs=1)", 1, 1},
      {"znver4", "c2c f32 n=480", "stockham(12,40; pairs=1)", 0, 0},
      {"znver5", "c2c f32 n=1024", "stockham(16,8,8; pairs=1)", 1, 2},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8)", 0, 0},  /* one permutation is as good as another, */
      {"avx512", "c2c f64 n=2048", "stockham(8,16,16)", 1, 2}, /* but beyond the first cache, where rows leave whole */
      {"avx512", "c2c f64 n=1024 batch=3", "stockham(8,8,16)", 0, 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    int scratch = woven_buffers(p, false), tables = woven_buffers(p, true);
    if (scratch != all[i].scratch || tables != all[i].tables)
      fail_msg("%s: %s, %s: %d buffers, %d tables", all[i].isa, all[i].problem, all[i].plan, scratch, tables);
    fg_text_proof text;
    assert_int_equal(fg_prove_text(&cx, p, fg_isa_find(all[i].isa), 5, &text), FG_OK);
    if (!text.proved) fail_msg("%s: %s, %s: %s", all[i].isa, all[i].problem, all[i].plan, text.failure);
  }
}

static int64_t tiles_of(const fg_kernel *k) {
  for (int d = 0; d < k->ndigit; d++)
    if (k->digit[d].role == FG_ROLE_BLOCK && !strcmp(k->digit[d].name, "t")) return k->digit[d].extent.n;
  return 1;
}

/* Vectors of pairs or of one part, by length and first radix, where plans do not say; longer ones where additions have
 * units of their own, and first passes whose rows are whole vectors. Three passes of pairs work in the output where the
 * first cache has no room for scratch. The text is proved. */
static void test_pairs_by_length(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    bool first, rest, scratch;
  } all[] = {
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8)", true, true, false},
      {"znver4", "c2c f64 n=512", "stockham(16,32)", true, true, true},
      {"znver4", "c2c f32 n=2048", "stockham(16,16,8)", true, false, false},
      {"znver4", "c2c f32 n=2048", "stockham(16,16,8; pairs=1)", false, false, false},
      {"znver4", "c2c f32 n=2048", "stockham(32,8,8)", false, false, false},     /* one more than registers hold */
      {"znver4", "c2c f32 n=16384", "stockham(16,16,8,8)", false, false, false}, /* eight rows of one set */
      {"znver4", "c2c f64 n=16384", "stockham(16,16,8,8)", true, false, false},
      {"znver4", "c2c f64 n=1024 batch=20", "stockham(8,8,16)", true, false, false},
      {"znver4", "c2c f64 n=1024 layout=split", "stockham(8,8,16)", false, false, true},
      {"znver4", "c2c f64 n=1024", "stockham(8,8,16; deterministic=1)", false, false, false},
      {"znver4", "c2c f32 n=1600 sign=+1 place=in", "stockham(16,10,10)", true, false, true},
      {"znver4", "c2c f32 n=4000", "stockham(40,20,5)", true, true, false},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8)", true, false, false},
      {"avx2", "c2c f32 n=1024", "stockham(8,8,16)", true, false, false},
      {"avx2", "c2c f32 n=1024", "stockham(16,8,8)", false, false, false},
      {"sse2", "c2c f32 n=512", "stockham(8,8,8)", false, false, false},
      {"avx512", "c2c f32 n=4000", "stockham(40,20,5)", false, false, true},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8; pairs=2)", true, true, true},
      {"avx2", "c2c f64 n=512", "stockham(8,8,8; pairs=3)", true, false, false},
      {"neon", "c2c f32 n=512", "stockham(8,8,8; pairs=3)", true, false, false},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    const fg_stage *s = p->kernel[0]->stage;
    bool scratch = false;
    for (int b = 0; b < p->nbuffer; b++)
      scratch = scratch || (p->buffer[b].space == FG_SPACE_LOCAL && p->buffer[b].alias < 0);
    if (s[0].packed != all[i].first || s[1].packed != all[i].rest || scratch != all[i].scratch)
      fail_msg("%s: %s, %s: pairs %d, %d, scratch %d", all[i].isa, all[i].problem, all[i].plan, s[0].packed,
               s[1].packed, scratch);
    fg_text_proof text;
    assert_int_equal(fg_prove_text(&cx, p, fg_isa_find(all[i].isa), 5, &text), FG_OK);
    if (!text.proved) fail_msg("%s: %s, %s: %s", all[i].isa, all[i].problem, all[i].plan, text.failure);
  }
}

/* Of several dimensions: rows of pairs, where these are better; the number of tiles of columns; whether rows go past
 * the caches: where columns read them much later, and where every vector is whole lines. */
static void test_dimensions(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    bool pairs;
    int64_t tiles;
    bool stream;
  } all[] = {
      {"znver4", "c2c f32 n=128x128x128", "nd(stockham(16,8), stockham(16,8), stockham(16,8))", true, 1, false},
      {"znver4", "c2c f64 n=128x128x128", "nd(stockham(16,8), stockham(16,8), stockham(16,8))", true, 1, true},
      {"znver4", "c2c f64 n=100x150x150", "nd(stockham(10,10), stockham(10,15), stockham(10,15))", true, 1, false},
      {"znver4", "c2c f64 n=1024x1024", "nd(stockham(8,8,16), stockham(8,8,16))", false, 32, true},
      {"znver4", "c2c f64 n=1024x1024", "nd(stockham(8,8,16), stockham(8,8,16); stream=1)", false, 32, false},
      {"znver4", "c2c f64 n=512x512", "nd(stockham(8,8,8), stockham(8,8,8))", true, 32, false},
      {"znver4", "c2c f32 n=64x64", "nd(direct(64), direct(64))", false, 1, false}, /* several rows at once */
      {"znver4", "c2c f32 n=64x64 layout=split", "nd(stockham(8,8), stockham(8,8))", false, 4, false},
      {"znver4", "r2c f32 n=64x64", "nd(stockham(8,8), real(8, direct(8)))", false, 2, false},
      {"avx512", "c2c f32 n=64x64", "nd(stockham(8,8), stockham(8,8); pairs=1)", false, 4, false},
      {"avx512", "c2c f64 n=1024x1024", "nd(stockham(8,8,16), stockham(8,8,16))", false, 64, false},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    const fg_kernel *rows = p->kernel[0], *columns = p->kernel[1];
    const fg_stage *last = &rows->stage[rows->nstage - 1];
    int64_t tiles = tiles_of(columns);
    if (rows->stage->packed != all[i].pairs || columns->stage->packed || tiles != all[i].tiles ||
        last->store.stream != all[i].stream)
      fail_msg("%s: %s, %s: %d pairs, %d tiles, %d past the caches", all[i].isa, all[i].problem, all[i].plan,
               rows->stage->packed, (int)tiles, last->store.stream);
  }
}

/* What is apart of a program for several threads: its text is the same with and without functions for these. */
static void test_apart_of_parts(void **state) {
  (void)state;
  fg_text_proof text;
  fg_program *p = program_for("avx512", "r2c f64 n=120x144", "nd(stockham(8,15), real(8, direct(18)))");
  assert_true(p->kernel[0]->part && p->nkernel == 3);
  assert_int_equal(fg_prove_text(&cx, p, fg_isa_find("avx512"), 5, &text), FG_OK);
  if (!text.proved) fail_msg("%s", text.failure);
}

static const char *last_pass(const char *text, const char *plan_text, const char *name) {
  fg_emit_options options = {.dialect = fg_dialect_find("c"), .isa = fg_isa_find("avx2"), .prefix = "k"};
  fg_emitted e;
  assert_int_equal(fg_emit(&cx, program_for("avx2", text, plan_text), &options, &e), FG_OK);
  const char *last = strstr(e.artifact.source, name);
  assert_non_null(last);
  return last;
}

/* The last pass has no shuffles across the parts of vectors; before it were two a number. */
static void test_woven_text(void **state) {
  (void)state;
  static const char across[] = "0, 1, 4, 5";
  assert_null(strstr(last_pass("c2c f64 n=1024", "stockham(8,8,16)", "k_run_2("), across));
  assert_non_null(strstr(last_pass("c2c f64 n=1024", "stockham(8,8,16; forms=32)", "k_run_2("), across));
}

/* Sums as fused products by one: where a pass exchanges rows, a quarter of sums and shuffles less three of products;
 * not where products are as many, nor where nothing is fused, nor for CPUs whose units do either. The text is proved.
 */
static void test_balanced(void **state) {
  (void)state;
  static const struct {
    const char *isa, *plan;
    int sums;
  } all[] = {
      {"znver4", "stockham(16,8,8; pairs=1)", 36},
      {"znver4", "stockham(16,8,8; pairs=1, forms=64)", 0},
      {"znver4", "stockham(16,8,8; pairs=1, fma=0)", 0},
      {"znver4", "stockham(16,8,8; lanes=1)", 0},
      {"znver4", "stockham(16,8,8)", 0}, /* begins on pairs */
      {"avx512", "stockham(16,8,8; pairs=1)", 0},
      {"znver5", "stockham(16,8,8; pairs=1)", 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const char *source = text_for(all[i].isa, "c2c f32 n=1024", all[i].plan);
    assert_int_equal(times_in(source, " one * "), all[i].sums);
    assert_int_equal(times_in(source, "volatile float unknown = 1;"), all[i].sums > 0);
  }
  fg_text_proof text;
  fg_program *p = program_for("znver4", "c2c f64 n=256 batch=3", "stockham(16,16)");
  assert_int_equal(fg_prove_text(&cx, p, fg_isa_find("znver4"), 5, &text), FG_OK);
  if (!text.proved) fail_msg("%s", text.failure);
}

/* Rows leave while the next turn computes, where both turns' vectors have registers: 8 turns of the first pass, one of
 * them before the loop, and the last one's rows behind it. Not in place, nor where turns are few or codelets long. The
 * text is proved. */
static void test_skewed(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    bool skewed;
  } all[] = {
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8; pairs=2)", true},
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8; pairs=2, forms=128)", false},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8; pairs=2)", false},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8; pairs=2, forms=128)", true},
      {"znver4", "c2c f32 n=1024", "stockham(32,32; pairs=2)", false},
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8; pairs=1)", false},
      {"znver4", "c2c f64 n=1024", "stockham(8,8,16; pairs=1)", true},
      {"znver4", "c2c f32 n=1000", "stockham(10,10,10; pairs=2)", true},
      {"avx2", "c2c f64 n=1024", "stockham(4,16,16; pairs=1, forms=128)", true},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const char *source = text_for(all[i].isa, all[i].problem, all[i].plan);
    if ((strstr(source, " opy") != NULL) != all[i].skewed) fail_msg("%s: %s", all[i].isa, all[i].plan);
    fg_text_proof text;
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    assert_int_equal(fg_prove_text(&cx, p, fg_isa_find(all[i].isa), 5, &text), FG_OK);
    if (!text.proved) fail_msg("%s: %s: %s", all[i].isa, all[i].plan, text.failure);
  }
  const char *source = strstr(text_for("znver4", "c2c f32 n=1024", all[0].plan), "_run_0(");
  assert_non_null(strstr(source, "for (ptrdiff_t q = 8; q < 64; q += 8) {"));
  assert_int_equal(times_in(source, "*(vec16_at *)(opy"), 32);
}

/* In the first pass, exchanges of 16 rows stand before the last operation. */
static bool exchanges_early(const char *text, const char *plan_text) {
  const char *source = strstr(text_of(text, plan_text), "_0("), *end = strstr(source, "\n}\n");
  const char *exchange = strstr(source, "0, 16, 1, 17, 4, 20"), *last = NULL;
  for (const char *t = source; (t = strstr(t, "vec16 t")) && t < end; t++) last = t;
  assert_true(exchange && exchange < end && last);
  return exchange < last;
}

/* Where operations are more than a CPU looks ahead, and all lies in the first cache. */
static void test_early(void **state) {
  (void)state;
  assert_true(exchanges_early("c2c f32 n=1024", "stockham(32,32)"));
  assert_true(exchanges_early("c2c f32 n=800", "stockham(32,25)"));
  assert_false(exchanges_early("c2c f32 n=2048", "stockham(16,8,16; pairs=1)"));
  assert_false(exchanges_early("c2c f32 n=8192", "stockham(32,32,8)"));
  assert_false(exchanges_early("c2c f32 n=1024", "stockham(32,32; forms=1)"));
  assert_true(exchanges_early("c2c f32 n=8192", "stockham(32,32,8; forms=1)"));
}

/* The source for AVX2, without its comments. */
static const char *avx2_text(const char *text, const char *plan_text) {
  fresh_arena();
  fg_request r = {.problem = text, .target = "c", .isa = "avx2", .plan = plan_text, .prefix = "k"};
  fg_compilation c;
  assert_int_equal(fg_pipeline_parse(&cx, &r, &c), FG_OK);
  assert_int_equal(fg_pipeline_decide(&c), FG_OK);
  assert_int_equal(fg_pipeline_emit(&c), FG_OK);
  return strstr(c.emitted.artifact.source, "*/");
}

static int by_text(const void *a, const void *b) {
  const fg_word *x = a, *y = b;
  size_t least = x->length < y->length ? x->length : y->length;
  int order = memcmp(x->text, y->text, least);
  return order ? order : (x->length > y->length) - (x->length < y->length);
}

static fg_word *sorted_lines(const char *text, int count) {
  fg_lines l = fg_lines_of(cx.arena, text);
  fg_word *line = fg_arena_new(cx.arena, fg_word, count + 1);
  for (int i = 0; i < count; i++) line[i] = (fg_word){l.line[i], (size_t)(l.line[i + 1] - l.line[i])};
  qsort(line, (size_t)count, sizeof *line, by_text);
  return line;
}

/* Another order of the same lines; fences, of which there is one a load then, are left out. */
static void check_same_lines(const char *a, const char *b) {
  int n = 0, m = 0, na = fg_line_count(a), nb = fg_line_count(b);
  fg_word *x = sorted_lines(a, na), *y = sorted_lines(b, nb);
  for (; n < na; n++) {
    if (strstr(x[n].text, "__asm__") && strstr(x[n].text, "__asm__") < x[n].text + x[n].length) continue;
    while (m < nb && strstr(y[m].text, "__asm__") && strstr(y[m].text, "__asm__") < y[m].text + y[m].length) m++;
    assert_true(m < nb && !by_text(&x[n], &y[m]));
    m++;
  }
}

/* Loads from where a turn stores stand before its stores. */
static void check_stores_last(const char *source) {
  for (const char *turn = source; (turn = strstr(turn, "const vec4 x")); turn = strstr(turn, "\n  }")) {
    const char *end = strstr(turn, "\n  }"), *store = strstr(turn, "  *(vec4_at *)"), *last = turn;
    assert_true(end && store);
    for (const char *t = turn; (t = strstr(t, " = *(const vec4_at *)(px")) && t < end; t++) last = t;
    assert_true(store > last);
  }
}

/* With 16 registers, statements in another order than the schedule's: the same ones, and what they compute is proven
 * by tests of whole programs. */
static void test_listed(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan, *as_scheduled;
  } row[] = {
      {"c2c f64 n=1024", "stockham(8,8,16; pairs=1)", "stockham(8,8,16; pairs=1, forms=16)"},
      {"c2c f32 n=256", "stockham(16,16)", "stockham(16,16; forms=16)"},
      {"r2c f64 n=1000", "real(8, stockham(25,5))", "real(8, stockham(25,5); forms=16)"},
      {"c2c f64 n=256 place=in", "stockham(16,16)", "stockham(16,16; forms=16)"},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const char *other = avx2_text(row[i].problem, row[i].plan);
    char *kept = strdup(other);
    const char *scheduled = avx2_text(row[i].problem, row[i].as_scheduled);
    assert_string_not_equal(kept, scheduled);
    check_same_lines(kept, scheduled);
    if (i == 0) check_stores_last(strstr(kept, "_run_1(double"));
    free(kept);
  }
}

/* The names of vectors in the order in which they are defined. */
static const char *names_in_order(const char *source) {
  fg_lines l = fg_lines_of(cx.arena, source);
  fg_strbuf s;
  fg_strbuf_init(&s, cx.arena);
  for (int i = 0; i < l.count; i++)
    if (fg_line_begins(&l, i, "const vec")) {
      fg_word word = fg_line_defines(&l, i);
      fg_strbuf_addf(&s, "%.*s ", (int)word.length, word.text);
    }
  return s.text;
}

/* Vectors t0, t1 .. that stand behind later ones: the schedule has none within a function. */
static int out_of_order(const char *isa, const char *text, const char *plan_text) {
  fg_lines l = fg_lines_of(cx.arena, text_for(isa, text, plan_text));
  int count = 0, last = -1;
  for (int i = 0; i < l.count; i++) {
    fg_word word = fg_line_begins(&l, i, "const vec") ? fg_line_defines(&l, i) : (fg_word){0};
    if (!word.text || word.text[0] != 't') continue;
    int number = atoi(word.text + 1);
    count += number < last;
    last = number;
  }
  return count;
}

/* With 32 registers pairs alone, where vectors take two turns and the first cache is not far. */
static void test_listed_pairs(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan, *other;
    bool listed;
  } row[] = {
      {"znver4", "c2c f64 n=512", "stockham(16,32; pairs=2)", "stockham(16,32; pairs=2, forms=16)", true},
      {"znver4", "c2c f64 n=512", "stockham(16,32; pairs=1)", "stockham(16,32; pairs=1, forms=16)", false},
      {"znver4", "c2c f64 n=9000", "stockham(20,30,15; pairs=2)", "stockham(20,30,15; pairs=2, forms=16)", false},
      {"avx512", "c2c f64 n=512", "stockham(16,32; pairs=2)", "stockham(16,32; pairs=2, forms=16)", false},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    int usual = out_of_order(row[i].isa, row[i].problem, row[i].plan);
    int other = out_of_order(row[i].isa, row[i].problem, row[i].other);
    if (usual == other || (usual > other) != row[i].listed)
      fail_msg("%s: %s, %s: %d out of order, else %d", row[i].isa, row[i].problem, row[i].plan, usual, other);
  }
}

/* Tables of few rows for last passes whose tables are large, of one part, where additions have units of their own. */
static void test_few_rows(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    int64_t rows; /* of the last pass's table */
  } row[] = {
      {"znver4", "c2c f64 n=2048", "stockham(8,8,8,4)", 2},
      {"znver4", "c2c f64 n=1024", "stockham(8,8,4,4)", 3},
      {"znver4", "c2c f64 n=8192", "stockham(8,16,8,8)", 3},
      {"znver4", "c2c f64 n=4096", "stockham(8,8,8,8)", 7},
      {"avx512", "c2c f64 n=8192", "stockham(8,16,8,8)", 7},
      {"avx512", "c2c f64 n=8192", "stockham(8,16,8,8; products=2)", 3},
      {"znver4", "c2c f64 n=8192", "stockham(8,16,8,8; products=1)", 7},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const fg_program *p = program_for(row[i].isa, row[i].problem, row[i].plan);
    const fg_stage *last = &p->kernel[0]->stage[p->kernel[0]->nstage - 1];
    int64_t rows = p->table[p->buffer[last->twiddle.buffer].table].rows;
    if (rows != row[i].rows)
      fail_msg("%s: %s, %s: %lld rows", row[i].isa, row[i].problem, row[i].plan, (long long)rows);
  }
}

/* What is proved over a field is in the order in which it is compiled. */
static void test_listed_as_proved(void **state) {
  (void)state;
  static const char *const row[][2] = {{"c2c f64 n=1024", "stockham(8,8,16)"},
                                       {"c2c f32 n=60", "stockham(4,15)"},
                                       {"c2c f32 n=64 batch=4", "stockham(8,8)"},
                                       {"r2c f64 n=1000", "real(8, stockham(25,5))"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    fresh_arena();
    fg_request r = {.problem = row[i][0], .target = "c", .isa = "avx2", .plan = row[i][1], .prefix = "k"};
    fg_compilation c;
    assert_int_equal(fg_pipeline_parse(&cx, &r, &c), FG_OK);
    assert_int_equal(fg_pipeline_decide(&c), FG_OK);
    const fg_program *p = c.chosen.program;
    fg_field field;
    assert_int_equal(fg_field_create(&cx, fg_program_order(p), 1, &field), FG_OK);
    fg_emit_options numbers = {.dialect = fg_dialect_find("c"), .isa = c.isa, .prefix = "k"}, over = numbers;
    over.dialect = fg_dialect_find("gf"), over.field = &field;
    fg_emitted a, b;
    assert_int_equal(fg_emit(&cx, p, &numbers, &a), FG_OK);
    assert_int_equal(fg_emit(&cx, p, &over, &b), FG_OK);
    assert_string_equal(names_in_order(a.artifact.source), names_in_order(b.artifact.source));
  }
}

static bool fetches(const char *text, const char *plan_text) {
  const char *source = text_of(text, plan_text);
  bool read = strstr(source, ", 0, 3);"), written = strstr(source, ", 1, 3);");
  assert_int_equal(read, written);
  return read;
}

/* Lines of the next transform, where a batch is larger than the caches and a transform is not. */
static void test_fetch(void **state) {
  (void)state;
  assert_true(fetches("c2c f32 n=256 batch=1000", "stockham(16,16)"));
  assert_true(fetches("c2c f32 n=512 batch=1000", "stockham(32,16)"));
  assert_true(fetches("r2c f32 n=512 batch=1000", "real(8, stockham(8,8))"));
  assert_true(fetches("c2c f64 n=512 batch=80", "stockham(8,8,8)"));
  assert_false(fetches("c2c f64 n=1024 batch=64", "stockham(8,8,16)")); /* two of them leave no room */
  assert_true(fetches("c2c f64 n=1024 batch=100", "stockham(8,8,16)"));
  assert_false(fetches("c2c f32 n=256 batch=100", "stockham(16,16)"));
  assert_false(fetches("c2c f32 n=256 batch=1000 place=in", "stockham(16,16)"));
  assert_false(fetches("c2c f32 n=8192 batch=1000", "stockham(32,16,16)"));
  assert_false(fetches("c2c f32 n=16 batch=100000", "direct(16)"));
}

/* Of the input alone, two transforms of 1 KiB, or eight of 256 bytes, ahead. */
static void test_fetch_ahead(void **state) {
  (void)state;
  const char *doubles = text_of("c2c f64 n=64 batch=1000", "stockham(8,8)");
  assert_non_null(strstr(doubles, "in + 128 * b + 256;"));
  assert_null(strstr(doubles, ", 1, 3);"));
  const char *floats = text_of("c2c f32 n=32 batch=8000", "stockham(8,4; lanes=4)");
  assert_non_null(strstr(floats, "in + 64 * b + 512;"));
  assert_null(strstr(text_of("c2c f64 n=64 batch=500", "stockham(8,8)"), "__builtin_prefetch("));
}

/* Where the second cache is small: lines that follow each other, whatever lies where the loop is. */
static void expect_sweep(const char *source, const char *pointer, const char *const *lines, int count, int written) {
  const char *at = strstr(source, pointer);
  assert_non_null(at);
  for (int i = 0; i < count; i++) {
    char fetch[64];
    snprintf(fetch, sizeof fetch, "__builtin_prefetch(%s, %d, 3);", lines[i], written);
    const char *next = strstr(at, "__builtin_prefetch(");
    assert_non_null(next);
    assert_memory_equal(next, fetch, strlen(fetch));
    at = next + 1;
  }
}

static const char *text_near_third(const char *text, const char *plan_text) {
  fg_mapping map = {.lanes = 4, .registers = 16, .fma = true, .second = 512 << 10};
  return text_mapped("avx2", &map, text, plan_text);
}

static void test_fetch_sweeps(void **state) {
  (void)state;
  static const char *const out[] = {"po", "po + 8", "po + 16", "po + 24", "po + 32"};
  static const char *const in[] = {"pn", "pn + 8", "pn + 16"};
  const char *loops = text_near_third("c2c f64 n=128 batch=1000", "stockham(16,8)");
  expect_sweep(loops, "po = out + 256 * b + 32 * q;", out, 5, 1);
  expect_sweep(loops, "pn = in + 256 * b + 16 * k + 256;", in, 3, 0);
  const char *rows = text_near_third("c2c f64 n=512x512", "nd(stockham(8,8,8), stockham(8,8,8))");
  expect_sweep(rows, "po = out + 1024 * t + 16 * q;", out, 5, 1);
  expect_sweep(rows, "pn = in + 1024 * t + 16 * k + 1024;", in, 3, 0);
  const char *one = text_near_third("c2c f64 n=64 batch=1000", "stockham(8,8)");
  expect_sweep(one, "pn = in + 128 * b + 160;", in, 3, 0);
  assert_null(strstr(one, ", 1, 3);"));
  assert_null(strstr(text_near_third("c2c f64 n=16 batch=100000", "stockham(8,2)"), "__builtin_prefetch("));
  assert_null(strstr(text_near_third("c2c f64 n=128 batch=100", "stockham(16,8)"), "__builtin_prefetch("));
}

static bool fetches_stores(const char *text, const char *plan_text) {
  return strstr(text_of(text, plan_text), ", 1, 3);");
}

/* Lines that turns behind the first one fetch of what is loaded. */
static int fetched_loads(const char *text, const char *plan_text) {
  int count = 0;
  const char *at = text_of(text, plan_text), *loop = strstr(at, "  for (ptrdiff_t");
  for (at = loop; (at = strstr(at, "__builtin_prefetch(pl")); at++) count++;
  return count;
}

/* Half of what the next turn loads, where a set of the first cache has no room for all of it. */
static void test_fetch_loads(void **state) {
  (void)state;
  assert_int_equal(fetched_loads("c2c f64 n=8192", "stockham(16,8,8,8)"), 8);
  assert_int_equal(fetched_loads("c2c f32 n=16384", "stockham(16,16,8,8)"), 8);
  assert_int_equal(fetched_loads("c2c f64 n=8192", "stockham(8,8,16,8)"), 0);  /* there is room */
  assert_int_equal(fetched_loads("c2c f64 n=2048", "stockham(16,16,8)"), 0);   /* almost all in the first cache */
  assert_int_equal(fetched_loads("c2c f64 n=10000", "stockham(16,25,25)"), 0); /* no whole pages */
}

/* What the next turn stores, where its lines are whole pages apart and beyond the first cache. */
static void test_fetch_stores(void **state) {
  (void)state;
  assert_true(fetches_stores("c2c f64 n=8192", "stockham(32,32,8)"));
  assert_true(fetches_stores("c2c f32 n=8192 place=in", "stockham(32,32,8)")); /* else in place: they are there */
  assert_false(fetches_stores("c2c f32 n=8192", "stockham(32,32,8)"));
  assert_false(fetches_stores("c2c f64 n=5120", "stockham(32,20,8)"));   /* no whole pages */
  assert_false(fetches_stores("c2c f64 n=8192", "stockham(16,16,4,8)")); /* the next turn's lines are among them */
  assert_false(fetches_stores("c2c f64 n=2048", "stockham(16,16,8)"));   /* almost all in the first cache */
  assert_false(fetches_stores("c2c f64 n=4096", "stockham(8,8,8,8)"));   /* short turns */
  assert_false(fetches_stores("c2c f32 n=16384", "stockham(32,32,16)")); /* 16 lines of a set */
}

static const char *innermost(const char *isa, const char *problem, const char *plan) {
  const fg_kernel *k = program_for(isa, problem, plan)->kernel[0];
  for (int i = k->stage[0].nloop - 1; i >= 0; i--)
    if (k->stage[0].loop[i] != k->stage[0].lane) return k->digit[k->stage[0].loop[i]].name;
  return "";
}

/* First passes whose rows would meet in a few sets of the first cache go from row to row, others along what they load.
 */
static void test_order_of_rows(void **state) {
  (void)state;
  assert_string_equal(innermost("znver4", "c2c f32 n=16384", "stockham(16,16,16,4)"), "q");
  assert_string_equal(innermost("znver4", "c2c f64 n=4096", "stockham(8,16,8,4)"), "q");
  assert_string_equal(innermost("avx2", "c2c f64 n=8192", "stockham(8,16,16,4)"), "q");
  assert_string_not_equal(innermost("znver4", "c2c f64 n=8192", "stockham(16,8,8,8)"), "q");   /* long rows */
  assert_string_not_equal(innermost("znver4", "c2c f64 n=4096", "stockham(8,8,16,4)"), "q");   /* many sets */
  assert_string_not_equal(innermost("znver4", "c2c f32 n=2048", "stockham(16,8,16)"), "q");    /* the first cache */
  assert_string_not_equal(innermost("znver4", "c2c f64 n=10240", "stockham(8,20,16,4)"), "q"); /* no whole pages */
}

static int strips_of(const fg_program *p, int64_t columns) {
  int n = 0;
  for (int i = 0; i < p->ntable; i++) n += p->table[i].strip == columns;
  return n;
}

/* Tables that whole vectors read, and nothing else; the text is proved where it is so. */
static void test_strips(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    int64_t columns;
    int tables;
  } all[] = {
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16)", 4, 2},
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8)", 8, 2}, /* pairs, factors twice */
      {"znver4", "c2c f64 n=4096 sign=+1", "stockham(16,8,8,4)", 8, 3},
      {"avx512", "c2c f32 n=16384", "four-step(stockham(16,8), stockham(8,16))", 16, 2}, /* between, and large */
      {"neon", "c2c f32 n=1024", "stockham(8,8,16)", 4, 2},
      {"avx2", "c2c f64 n=1000", "stockham(8,5,25; pairs=1)", 4, 2},
      {"avx2", "c2c f64 n=125", "stockham(5,25; pairs=1)", 4, 0}, /* vectors that begin within others */
      {"avx2", "c2c f64 n=32", "stockham(8,4)", 2, 1},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; lanes=1)", 4, 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    int tables = strips_of(p, all[i].columns);
    if (tables != all[i].tables) fail_msg("%s: %s, %s: %d tables", all[i].isa, all[i].problem, all[i].plan, tables);
    fg_text_proof text;
    assert_int_equal(fg_prove_text(&cx, p, fg_isa_find(all[i].isa), 5, &text), FG_OK);
    if (!text.proved) fail_msg("%s: %s, %s: %s", all[i].isa, all[i].problem, all[i].plan, text.failure);
  }
}

/* Rows whose distances differ from vector to vector: each lane's has a pointer of its own. */
static void test_rows_apart(void **state) {
  (void)state;
  const char *text = text_of("c2c f64 n=1000", "stockham(8,5,25; pairs=1)");
  assert_non_null(strstr(text, "const ptrdiff_t by7 = q + 7;"));
  assert_non_null(strstr(text, "*const py7 = out + 2 * (40 * by7 + -992 * (ptrdiff_t)((unsigned)by7 / 25));"));
  assert_null(strstr(text, "iy0_1"));
}

static int set_up(void **state) {
  (void)state;
  fresh_arena();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  fg_arena_destroy(cx.arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_halves),
      cmocka_unit_test(test_swaps),
      cmocka_unit_test(test_fence),
      cmocka_unit_test(test_padded),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_halves_by_plan),
      cmocka_unit_test(test_alternating),
      cmocka_unit_test(test_turns),
      cmocka_unit_test(test_avx2),
      cmocka_unit_test(test_woven),
      cmocka_unit_test(test_pairs_by_length),
      cmocka_unit_test(test_dimensions),
      cmocka_unit_test(test_apart_of_parts),
      cmocka_unit_test(test_woven_text),
      cmocka_unit_test(test_balanced),
      cmocka_unit_test(test_skewed),
      cmocka_unit_test(test_early),
      cmocka_unit_test(test_listed),
      cmocka_unit_test(test_listed_as_proved),
      cmocka_unit_test(test_fetch),
      cmocka_unit_test(test_fetch_ahead),
      cmocka_unit_test(test_fetch_sweeps),
      cmocka_unit_test(test_fetch_stores),
      cmocka_unit_test(test_fetch_loads),
      cmocka_unit_test(test_listed_pairs),
      cmocka_unit_test(test_few_rows),
      cmocka_unit_test(test_order_of_rows),
      cmocka_unit_test(test_strips),
      cmocka_unit_test(test_rows_apart),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
