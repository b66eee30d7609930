/* The forms that text takes: what rules decide on, and plans turn around, for each instruction set. */
#include "tests/unit/isa_program.h"
#include "tests/unit/random_program.h"

/* Upper halves are stored as parts of variables, but not past the caches. */
static void halves(void **state) {
  (void)state;
  for (int stream = 0; stream < 2; stream++) {
    rows_wish wish = {16, 16, 8, FG_F32, "interleaved", stream};
    const char *source = text_of_program(rows_program(&context, &wish), NULL);
    assert_int_equal(strstr(source, "(const float *)&s") != NULL, !stream);
  }
}

static bool swaps_words(const char *isa, int lanes, fg_precision precision) {
  rows_wish wish = {4, 4, lanes, precision, "pairs", false};
  const char *source = text_of_program(rows_program(&context, &wish), isa);
  return strstr(source, fg_arena_printf(context.arena, "(vec%d_words)", lanes)) != NULL;
}

/* The parts of a pair change places as words, where that is not what shuffles do as well. */
static void swaps(void **state) {
  (void)state;
  assert_true(swaps_words("avx512", 16, FG_F32));
  assert_true(swaps_words("avx512", 8, FG_F32));
  assert_false(swaps_words("znver4", 16, FG_F32)); /* units for products rotate, and are busy */
  assert_false(swaps_words("avx2", 8, FG_F32));
  assert_true(swaps_words("avx512", 4, FG_F64));
  assert_false(swaps_words("avx512", 8, FG_F64));
}

/* Stages exchange by memory where the second one's vectors are narrower. */
static void fence(void **state) {
  (void)state;
  assert_non_null(strstr(avx512_text("r2c f64 n=54", "real(6, stockham(3,3))"), "__asm__ volatile(\"\""));
  assert_null(strstr(avx512_text("c2c f64 n=1024", "stockham(8,8,16)"), "__asm__"));
}

/* Pairs of floats in vectors of four, where no others are about and vectors have 16 bytes at least. */
static void padded(void **state) {
  (void)state;
  assert_non_null(strstr(text_for("avx512", "c2c f32 n=31", "direct(31)"), "vec2of4"));
  assert_non_null(strstr(text_for("sse2", "c2c f32 n=5", "direct(5)"), "vec2of4"));
  assert_null(strstr(text_for("neon", "c2c f32 n=5", "direct(5)"), "vec2of4"));
  assert_null(strstr(text_for("avx512", "c2c f64 n=5", "direct(5)"), "vec2of4"));
  assert_null(strstr(text_for("avx512", "c2c f32 n=5 batch=9", "direct(5)"), "vec2of4"));
}

/* By what waits: joined stages on pairs, neither too few operations nor too many vectors. */
static void order(void **state) {
  (void)state;
  assert_non_null(strstr(avx512_text("c2c f32 n=64", "stockham(8,8)"), "sched-pressure"));
  assert_non_null(strstr(avx512_text("c2c f32 n=128 batch=9", "stockham(16,8)"), "sched-pressure"));
  assert_null(strstr(avx512_text("c2c f32 n=8", "stockham(4,2)"), "sched-pressure"));
  assert_null(strstr(avx512_text("c2c f32 n=256", "stockham(16,16; complex_vectors=interleaved)"), "sched-pressure"));
  assert_null(strstr(avx512_text("c2c f32 n=256", "stockham(16,16; complex_vectors=split)"), "sched-pressure"));
  assert_null(strstr(avx512_text("c2c f32 n=31", "direct(31)"), "sched-pressure"));
  /* Plans may turn the rule around. */
  assert_null(strstr(avx512_text("c2c f32 n=64", "stockham(8,8; compiler_schedule=other)"), "sched-pressure"));
  assert_non_null(
      strstr(avx512_text("c2c f32 n=256", "stockham(16,16; complex_vectors=interleaved, compiler_schedule=other)"),
             "sched-pressure"));
}

/* Plans may decide whether rows are stored by halves. */
static void halves_by_plan(void **state) {
  (void)state;
  assert_non_null(
      strstr(avx512_text("c2c f64 n=1024", "stockham(8,8,16; complex_vectors=split)"), "(const double *)&s"));
  assert_null(strstr(avx512_text("c2c f64 n=1024", "stockham(8,8,16; complex_vectors=split, split_stores=other)"),
                     "(const double *)&s"));
}

/* Where there is such an instruction, and products are more than sums, half of the sums of what is turned alternate
 * between - and +. */
static void alternating(void **state) {
  (void)state;
  const char *eights = ", 0, 9, 2, 11, 4, 13, 6, 15)", *fours = ", 0, 5, 2, 7)";
  const char *source = text_for("avx2", "c2c f32 n=256", "stockham(16,16; complex_vectors=interleaved)");
  assert_int_equal(occurrences(source, eights), 14);
  assert_int_equal(occurrences(source, " = J * s") + occurrences(source, " - J * s"), 14);
  assert_int_equal(
      occurrences(text_for("avx2", "c2c f64 n=256", "stockham(16,16; complex_vectors=interleaved)"), fours), 14);
  assert_int_equal(occurrences(text_for("avx512", "c2c f32 n=128", "stockham(16,8)"), eights), 0);
  assert_int_equal(occurrences(text_for("avx2", "c2c f32 n=64", "stockham(8,8)"), eights), 0);
  assert_int_equal(occurrences(text_for("avx2", "c2c f32 n=64", "stockham(8,8; addsub=other)"), eights), 12);
  /* A pair in four places. Outputs that are less such a sum stay products. */
  assert_int_equal(occurrences(text_for("avx2", "c2c f32 n=16", "direct(16; addsub=other)"), fours), 7);
  source = text_for("avx2", "c2c f64 n=12", "direct(12; addsub=other)");
  assert_int_equal(occurrences(source, ", 0, 3)"), 1);
  assert_int_equal(occurrences(source, " = -t"), 4);
}

/* Pairs turn once for each pair of outputs where codelets have factors inside, and once for each factor before them;
 * the table has either part of these twice. Rows of double-pumped vectors leave whole from 8 slots on, in the
 * L1. */
static void turns(void **state) {
  (void)state;
  const char *swap = "1, 0, 3, 2, 5, 4,", *half = "(const float *)&s", *twice = "0, 0, 2, 2, 4, 4, 6, 6";
  const char *source =
      text_for("znver4", "c2c f32 n=2048", "stockham(16,16,8; complex_vectors=interleaved, software_pipeline=other)");
  assert_int_equal(occurrences(source, swap), 7 + (15 + 7) + (7 + 3));
  assert_int_equal(occurrences(source, twice), 7); /* of the last pass, whose table is large */
  source = text_for("znver4", "c2c f32 n=512", "stockham(8,8,8; complex_vectors=interleaved)");
  assert_int_equal(occurrences(source, twice), 0);
  assert_null(strstr(source, half));
  assert_non_null(strstr(text_for("avx512", "c2c f32 n=512", "stockham(8,8,8; complex_vectors=interleaved)"), half));
  assert_non_null(strstr(
      text_for("znver4", "c2c f32 n=512", "stockham(8,8,8; complex_vectors=interleaved, split_stores=other)"), half));
  assert_non_null(
      strstr(text_for("znver4", "c2c f32 n=3072", "stockham(16,12,16; complex_vectors=interleaved)"), half));
  /* Long rows that begin within lines. */
  assert_int_equal(
      occurrences(text_for("znver4", "c2c f64 n=729", "stockham(27,27; complex_vectors=interleaved)"), twice), 26);
  assert_int_equal(occurrences(text_for("znver4", "c2c f64 n=81", "stockham(9,9; complex_vectors=interleaved)"), twice),
                   0);
}

/* Vectors of 32 bytes, 16 registers: numbers are loaded once where they are multiplied, rows are stored whole, and an
 * exchange takes no numbers of two vectors across 16-byte parts. */
static void avx2(void **state) {
  (void)state;
  fg_mapping map = {.lanes = 4, .registers = 16, .fma = true};
  const char *source =
      text_of_program(assembled_for("c2c f64 n=256", "stockham(4,8,8; complex_vectors=split)", &map), "avx2");
  const char *fence = strstr(source, "__asm__ volatile(\"\"");
  assert_true(fence && fence > strstr(source, "_run_1("));
  assert_null(strstr(source, "(const double *)&s"));
  assert_null(strstr(source, "0, 4, 1, 5"));
  assert_non_null(strstr(source, "0, 1, 4, 5"));
}

static int permuted_buffers(const fg_program *p, bool tables) {
  int n = 0;
  for (int i = 0; i < p->nbuffer; i++) n += p->buffer[i].permuted && (p->buffer[i].space == FG_SPACE_TABLE) == tables;
  return n;
}

/* Scratch and tables whose vectors have the order that shuffles within 16-byte parts leave; where some
 * vector begins within another one, or one number moves, all is as it was. The text is proved where it is so. */
static void permuted(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    int scratch, tables;
  } all[] = {
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16)", 1, 2},
      {"avx2", "c2c f32 n=1024 sign=+1", "stockham(8,8,16)", 1, 2},
      {"avx2", "c2c f32 n=1024 place=in", "stockham(8,8,16)", 1, 2},
      {"avx2", "c2c f64 n=720 batch=3", "stockham(8,6,15; complex_vectors=split)", 2, 2},
      {"avx2", "c2c f64 n=480", "stockham(4,10,12; complex_vectors=split)", 1, 2},
      {"avx2", "c2c f32 n=1000", "stockham(8,5,5,5)", 2, 3},
      {"avx2", "c2c f64 n=480", "stockham(12,10,4; complex_vectors=split)", 1, 2},
      {"avx2", "c2c f64 n=480", "stockham(20,24; complex_vectors=split)", 1, 1},
      {"avx2", "c2c f64 n=4096", "four-step(stockham(8,8), stockham(8,8))", 3, 3},
      {"avx2", "c2c f32 n=64x64", "nd(stockham(8,8), stockham(8,8); complex_vectors=split)", 2, 1},
      {"avx2", "c2c f32 n=64x64", "nd(stockham(8,8), stockham(8,8))", 1, 0}, /* rows of pairs */
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; tables=init)", 1, 2},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; lane_order=off)", 0, 0},
      {"avx2", "c2c f64 n=1024 layout=split", "stockham(8,8,16)", 0, 0},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; lanes=2)", 0, 0},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; complex_vectors=interleaved)", 0, 0},
      {"avx2", "c2c f64 n=450", "stockham(9,5,10; complex_vectors=split)", 0, 0},
      {"avx2", "r2c f64 n=2048", "real(8, stockham(8,32))", 0, 0},
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8; complex_vectors=split)", 1,
       2}, /* some rows of the first pass wrap around */
      {"znver4", "c2c f64 n=1024 place=in", "stockham(8,8,16)", 1, 2},
      {"znver4", "c2c f32 n=4096 sign=+1", "four-step(stockham(16,4), stockham(16,4))", 3, 3},
      {"znver4", "c2c f32 n=1024", "stockham(32,32)", 0, 0}, /* rows of more slots than registers are left for */
      {"znver4", "c2c f32 n=480", "stockham(16,30; complex_vectors=split)", 1, 1},
      {"znver4", "c2c f32 n=480", "stockham(12,40; complex_vectors=split)", 0, 0},
      {"znver5", "c2c f32 n=1024", "stockham(16,8,8; complex_vectors=split)", 1, 2},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8)", 0, 0},  /* one permutation is as good as another, */
      {"avx512", "c2c f64 n=2048", "stockham(8,16,16)", 1, 2}, /* but beyond L1, where rows leave whole */
      {"avx512", "c2c f64 n=1024 batch=3", "stockham(8,8,16)", 0, 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    int scratch = permuted_buffers(p, false), tables = permuted_buffers(p, true);
    if (scratch != all[i].scratch || tables != all[i].tables)
      fail_msg("%s: %s, %s: %d buffers, %d tables", all[i].isa, all[i].problem, all[i].plan, scratch, tables);
    text_must_hold(p, all[i].isa);
  }
}

static int64_t tiles_of(const fg_kernel *k) {
  for (int d = 0; d < k->ndigit; d++)
    if (k->digit[d].role == FG_ROLE_BLOCK && !strcmp(k->digit[d].name, "t")) return k->digit[d].extent.n;
  return 1;
}

/* Interleaved complex vectors or of one part, by length and first radix, where plans do not say; longer ones where
 * additions have units of their own, and first passes whose rows are whole vectors. Three passes of pairs work in the
 * output where L1 has no room for scratch. The text is proved. */
static void pairs_by_length(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    bool first, rest, scratch;
  } all[] = {
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8)", true, true, false},
      {"znver4", "c2c f64 n=512", "stockham(16,32)", true, true, true},
      {"znver4", "c2c f32 n=2048", "stockham(16,16,8)", true, false, false},
      {"znver4", "c2c f32 n=2048", "stockham(16,16,8; complex_vectors=split)", false, false, false},
      {"znver4", "c2c f32 n=2048", "stockham(32,8,8)", false, false, false},     /* one more than registers hold */
      {"znver4", "c2c f32 n=16384", "stockham(16,16,8,8)", false, false, false}, /* eight rows of one set */
      {"znver4", "c2c f64 n=16384", "stockham(16,16,8,8)", true, false, false},
      {"znver4", "c2c f64 n=1024 batch=20", "stockham(8,8,16)", true, false, false},
      {"znver4", "c2c f64 n=1024 layout=split", "stockham(8,8,16)", false, false, true},
      {"znver4", "c2c f64 n=1024", "stockham(8,8,16; deterministic=on)", false, false, false},
      {"znver4", "c2c f32 n=1600 sign=+1 place=in", "stockham(16,10,10)", true, true, true},
      {"znver4", "c2c f32 n=4000", "stockham(40,20,5)", true, true, false},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8)", true, false, false},
      {"avx2", "c2c f32 n=1024", "stockham(8,8,16)", true, false, false},
      {"avx2", "c2c f32 n=1024", "stockham(16,8,8)", false, false, false},
      {"sse2", "c2c f32 n=512", "stockham(8,8,8)", false, false, false},
      {"avx512", "c2c f32 n=4000", "stockham(40,20,5)", false, false, true},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8; complex_vectors=interleaved)", true, true, true},
      {"avx2", "c2c f64 n=512", "stockham(8,8,8; complex_vectors=first)", true, false, false},
      {"neon", "c2c f32 n=512", "stockham(8,8,8; complex_vectors=first)", true, false, false},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    const fg_stage *s = p->kernel[0]->stage;
    bool scratch = false;
    for (int b = 0; b < p->nbuffer; b++)
      scratch = scratch || (p->buffer[b].space == FG_SPACE_LOCAL && p->buffer[b].alias < 0);
    if (s[0].vectors.packed != all[i].first || s[1].vectors.packed != all[i].rest || scratch != all[i].scratch)
      fail_msg("%s: %s, %s: pairs %d, %d, scratch %d", all[i].isa, all[i].problem, all[i].plan, s[0].vectors.packed,
               s[1].vectors.packed, scratch);
    text_must_hold(p, all[i].isa);
  }
}

/* Of several dimensions: rows of pairs, where these are better; the number of tiles of columns; whether rows are stored
 * past the caches: where columns read them much later, and where every vector is whole lines. */
static void dimensions(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    bool pairs;
    int64_t tiles;
    bool stream;
  } all[] = {
      {"znver4", "c2c f32 n=128x128x128", "nd(stockham(16,8), stockham(16,8), stockham(16,8))", true, 1, false},
      {"znver4", "c2c f64 n=128x128x128", "nd(stockham(16,8), stockham(16,8), stockham(16,8))", true, 1, true},
      {"znver4", "c2c f64 n=100x150x150", "nd(stockham(10,10), stockham(10,15), stockham(10,15))", true, 17, false},
      {"znver4", "c2c f64 n=1024x1024", "nd(stockham(8,8,16), stockham(8,8,16))", true, 32, true},
      {"znver4", "c2c f64 n=1024x1024", "nd(stockham(8,8,16), stockham(8,8,16); stream=off)", true, 32, false},
      {"znver4", "c2c f64 n=512x512", "nd(stockham(8,8,8), stockham(8,8,8))", true, 32, false},
      {"znver4", "c2c f32 n=64x64", "nd(direct(64), direct(64))", false, 1, false}, /* several rows at once */
      {"znver4", "c2c f32 n=64x64 layout=split", "nd(stockham(8,8), stockham(8,8))", false, 4, false},
      {"znver4", "r2c f32 n=64x64", "nd(stockham(8,8), real(8, direct(8)))", false, 2, false},
      {"avx512", "c2c f32 n=64x64", "nd(stockham(8,8), stockham(8,8); complex_vectors=split)", false, 4, false},
      {"avx512", "c2c f64 n=1024x1024", "nd(stockham(8,8,16), stockham(8,8,16))", true, 64, false},
      {"avx512", "c2c f32 n=128x105", "nd(stockham(16,8), stockham(15,7))", true, 5, false}, /* and 25 columns */
      {"avx512", "r2c f32 n=100x210", "nd(stockham(10,10), real(6, stockham(7,5)))", false, 5, false}, /* and 26 */
      {"avx512", "r2c f32 n=64x256", "nd(stockham(8,8), real(8, stockham(8,4)))", false, 8, false},    /* and one */
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    const fg_kernel *rows = p->kernel[0], *columns = p->kernel[1];
    const fg_stage *last = &rows->stage[rows->nstage - 1];
    int64_t tiles = tiles_of(columns);
    if (rows->stage->vectors.packed != all[i].pairs || columns->stage->vectors.packed || tiles != all[i].tiles ||
        last->store.stream != all[i].stream)
      fail_msg("%s: %s, %s: %d pairs, %d tiles, %d past the caches", all[i].isa, all[i].problem, all[i].plan,
               rows->stage->vectors.packed, (int)tiles, last->store.stream);
  }
}

/* In place, where vectors cannot overlap, narrower ones take what is left, down to 16 bytes; then single numbers. */
static void narrower_vectors(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan;
    int kernel, lanes[5]; /* of its stages, ended by 0 */
  } all[] = {
      {"c2c f64 n=15x15x15", "nd(direct(15), direct(15), direct(15))", 1, {8, 4, 2, 1}},
      {"c2c f64 n=50x50x50", "nd(direct(50), direct(50), stockham(5,10))", 1, {8, 2}},
      {"c2c f32 n=20x20x20", "nd(direct(20), direct(20), stockham(10,2))", 1, {16, 4}},
      {"c2c f32 n=27x27", "nd(direct(27), direct(27))", 1, {16, 8, 1}},
      {"c2c f32 n=12 batch=31 place=in", "direct(12; complex_vectors=split)", 0, {16, 8, 4, 1}},
      {"c2c f32 n=12 batch=31", "direct(12; complex_vectors=split)", 0, {16}}, /* the last one overlaps */
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for("avx512", all[i].problem, all[i].plan);
    const fg_kernel *k = p->kernel[all[i].kernel];
    int n = 0;
    while (all[i].lanes[n] && n < 4) n++;
    assert_int_equal(k->nstage, n);
    for (int s = 0; s < n; s++) assert_int_equal(fg_stage_lanes(k, &k->stage[s]), all[i].lanes[s]);
    text_must_hold(p, "avx512");
  }
}

/* What is apart of a program for several threads: its text is the same with and without functions for these. */
static void apart_of_parts(void **state) {
  (void)state;
  fg_program *p = program_for("avx512", "r2c f64 n=120x144", "nd(stockham(8,15), real(8, direct(18)))");
  assert_true(p->kernel[0]->vectors.part && p->nkernel == 3);
  text_must_hold(p, "avx512");
}

static const char *last_pass(const char *text, const char *plan_text, const char *name) {
  const char *last = strstr(text_for("avx2", text, plan_text), name);
  assert_non_null(last);
  return last;
}

/* The last pass has no shuffles across the parts of vectors; before it were two a number. */
static void permuted_text(void **state) {
  (void)state;
  static const char across[] = "0, 1, 4, 5";
  assert_null(strstr(last_pass("c2c f64 n=1024", "stockham(8,8,16)", "k_run_2("), across));
  assert_non_null(strstr(last_pass("c2c f64 n=1024", "stockham(8,8,16; lane_order=off)", "k_run_2("), across));
}

/* Sums as fused products by one: where a pass exchanges rows, a quarter of sums and shuffles less three of products;
 * not where products are as many, nor where nothing is fused, nor for CPUs whose units do either. The text is proved.
 */
static void balanced(void **state) {
  (void)state;
  static const struct {
    const char *isa, *plan;
    int sums;
  } all[] = {
      {"znver4", "stockham(16,8,8; complex_vectors=split)", 36},
      {"znver4", "stockham(16,8,8; complex_vectors=split, port_balance=off)", 0},
      {"znver4", "stockham(16,8,8; complex_vectors=split, fma=off)", 0},
      {"znver4", "stockham(16,8,8; lanes=1)", 0},
      {"znver4", "stockham(16,8,8)", 0}, /* begins on pairs */
      {"avx512", "stockham(16,8,8; complex_vectors=split)", 0},
      {"znver5", "stockham(16,8,8; complex_vectors=split)", 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const char *source = text_for(all[i].isa, "c2c f32 n=1024", all[i].plan);
    assert_int_equal(occurrences(source, " one * "), all[i].sums);
    assert_int_equal(occurrences(source, "volatile float unknown = 1;"), all[i].sums > 0);
  }
  fg_program *p = program_for("znver4", "c2c f64 n=256 batch=3", "stockham(16,16)");
  text_must_hold(p, "znver4");
}

/* Rows are stored while the next iteration computes, where both iterations' vectors have registers: 8 of the first
 * pass, one of them before the loop, and the last one's rows behind it. Not in place, nor where turns are few or
 * codelets long. The text is proved. */
static void skewed(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    bool skewed;
  } all[] = {
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8; complex_vectors=interleaved)", true},
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8; complex_vectors=interleaved, software_pipeline=other)", false},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8; complex_vectors=interleaved)", false},
      {"avx512", "c2c f32 n=1024", "stockham(16,8,8; complex_vectors=interleaved, software_pipeline=other)", true},
      {"znver4", "c2c f32 n=1024", "stockham(32,32; complex_vectors=interleaved)", false},
      {"znver4", "c2c f32 n=1024", "stockham(16,8,8; complex_vectors=split)", false},
      {"znver4", "c2c f64 n=1024", "stockham(8,8,16; complex_vectors=split)", true},
      {"znver4", "c2c f32 n=1000", "stockham(10,10,10; complex_vectors=interleaved)", true},
      {"avx2", "c2c f64 n=1024", "stockham(4,16,16; complex_vectors=split, software_pipeline=other)", true},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const char *source = text_for(all[i].isa, all[i].problem, all[i].plan);
    if ((strstr(source, " opy") != NULL) != all[i].skewed) fail_msg("%s: %s", all[i].isa, all[i].plan);
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    text_must_hold(p, all[i].isa);
  }
  const char *source = strstr(text_for("znver4", "c2c f32 n=1024", all[0].plan), "_run_0(");
  assert_non_null(strstr(source, "for (ptrdiff_t q = 1; q < 8; ++q) {"));
  assert_int_equal(occurrences(source, "*(vec16_at *)(opy"), 32);
}

/* Tables of few rows for last passes whose tables are large, of one part, where additions have units of their own. */
static void few_rows(void **state) {
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
      {"avx512", "c2c f64 n=8192", "stockham(8,16,8,8; products=on)", 3},
      {"znver4", "c2c f64 n=8192", "stockham(8,16,8,8; products=off)", 7},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const fg_program *p = program_for(row[i].isa, row[i].problem, row[i].plan);
    const fg_stage *last = &p->kernel[0]->stage[p->kernel[0]->nstage - 1];
    int64_t rows = p->table[p->buffer[last->factors.twiddle.buffer].table].rows;
    if (rows != row[i].rows)
      fail_msg("%s: %s, %s: %lld rows", row[i].isa, row[i].problem, row[i].plan, (long long)rows);
  }
}

static const char *innermost(const char *isa, const char *problem, const char *plan) {
  const fg_kernel *k = program_for(isa, problem, plan)->kernel[0];
  for (int i = k->stage[0].nloop - 1; i >= 0; i--)
    if (k->stage[0].loop[i] != k->stage[0].vectors.lane) return k->digit[k->stage[0].loop[i]].name;
  return "";
}

/* First passes whose rows would share a few sets of L1 work row after row, others along what they load.
 */
static void order_of_rows(void **state) {
  (void)state;
  assert_string_equal(innermost("znver4", "c2c f32 n=16384", "stockham(16,16,16,4)"), "q");
  assert_string_equal(innermost("znver4", "c2c f64 n=4096", "stockham(8,16,8,4)"), "q");
  assert_string_equal(innermost("avx2", "c2c f64 n=8192", "stockham(8,16,16,4)"), "q");
  assert_string_not_equal(innermost("znver4", "c2c f64 n=8192", "stockham(16,8,8,8)"), "q");   /* long rows */
  assert_string_not_equal(innermost("znver4", "c2c f64 n=4096", "stockham(8,8,16,4)"), "q");   /* many sets */
  assert_string_not_equal(innermost("znver4", "c2c f32 n=2048", "stockham(16,8,16)"), "q");    /* L1 */
  assert_string_not_equal(innermost("znver4", "c2c f64 n=10240", "stockham(8,20,16,4)"), "q"); /* no whole pages */
}

static int panels_of(const fg_program *p, int64_t columns) {
  int n = 0;
  for (int i = 0; i < p->ntable; i++) n += p->table[i].panel == columns;
  return n;
}

/* Tables that whole vectors read, and nothing else; the text is proved where it is so. */
static void panels(void **state) {
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
      {"avx2", "c2c f64 n=1000", "stockham(8,5,25; complex_vectors=split)", 4, 2},
      {"avx2", "c2c f64 n=125", "stockham(5,25; complex_vectors=split)", 4, 0}, /* vectors that begin within others */
      {"avx2", "c2c f64 n=32", "stockham(8,4)", 2, 1},
      {"avx2", "c2c f64 n=1024", "stockham(8,8,16; lanes=1)", 4, 0},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    int tables = panels_of(p, all[i].columns);
    if (tables != all[i].tables) fail_msg("%s: %s, %s: %d tables", all[i].isa, all[i].problem, all[i].plan, tables);
    text_must_hold(p, all[i].isa);
  }
}

/* Rows whose distances differ from vector to vector: each lane's has a pointer of its own. */
static void rows_apart(void **state) {
  (void)state;
  const char *text = avx512_text("c2c f64 n=1000", "stockham(8,5,25; complex_vectors=split)");
  assert_non_null(strstr(text, "const ptrdiff_t by7 = q + 7;"));
  assert_non_null(strstr(text, "*const py7 = out + 2 * (40 * by7 - 992 * (ptrdiff_t)((unsigned)by7 / 25));"));
  assert_null(strstr(text, "iy0_1"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(halves, setup, teardown),
      cmocka_unit_test_setup_teardown(swaps, setup, teardown),
      cmocka_unit_test_setup_teardown(fence, setup, teardown),
      cmocka_unit_test_setup_teardown(padded, setup, teardown),
      cmocka_unit_test_setup_teardown(order, setup, teardown),
      cmocka_unit_test_setup_teardown(halves_by_plan, setup, teardown),
      cmocka_unit_test_setup_teardown(alternating, setup, teardown),
      cmocka_unit_test_setup_teardown(turns, setup, teardown),
      cmocka_unit_test_setup_teardown(avx2, setup, teardown),
      cmocka_unit_test_setup_teardown(permuted, setup, teardown),
      cmocka_unit_test_setup_teardown(pairs_by_length, setup, teardown),
      cmocka_unit_test_setup_teardown(dimensions, setup, teardown),
      cmocka_unit_test_setup_teardown(narrower_vectors, setup, teardown),
      cmocka_unit_test_setup_teardown(apart_of_parts, setup, teardown),
      cmocka_unit_test_setup_teardown(permuted_text, setup, teardown),
      cmocka_unit_test_setup_teardown(balanced, setup, teardown),
      cmocka_unit_test_setup_teardown(skewed, setup, teardown),
      cmocka_unit_test_setup_teardown(few_rows, setup, teardown),
      cmocka_unit_test_setup_teardown(order_of_rows, setup, teardown),
      cmocka_unit_test_setup_teardown(panels, setup, teardown),
      cmocka_unit_test_setup_teardown(rows_apart, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
