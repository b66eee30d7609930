/* All steps, from text to sources: the result, and what happens when
 * memory runs out at any allocation on the way. Under a leak sanitizer this also
 * says that nothing outside the arena is lost when a pass is left in the middle. */
#include "generator/cost/moves.h"
#include "generator/pipeline/pipeline.h"
#include "targets/machine/machine.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FAILURES = 60 }; /* points of failure that are tried on each way */

static const fg_request ways[] = {
    {.problem = "c2c f64 n=4", .isa = "scalar"},
    {.problem = "c2c f32 n=64 batch=3", .isa = "avx512"},
    {.problem = "c2c f32 n=3 sign=+1", .isa = "scalar", .plan = "bluestein(8, stockham(4,2))"},
    {.problem = "c2c f32 n=64 place=in", .target = "opencl"},
    {.problem = "c2c f64 n=10 layout=split batch=b[1..9]", .isa = "avx2", .self_test = true},
};
enum { WAYS = sizeof ways / sizeof *ways };

/* Compiles in an arena of its own that fails at allocation fail_at (0: never).
 * *text: a copy of all files, or NULL. */
static fg_status compile(const fg_request *request, long fail_at, char **text) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  char *volatile copy = NULL;
  volatile fg_status status = FG_ENOMEM;
  if (!fg_arena_guard(cx.arena)) {
    fg_arena_fail_at(cx.arena, fail_at);
    status = fg_pipeline_compile(&cx, request, &c);
    fg_arena_fail_at(cx.arena, 0);
    if (status == FG_OK && text) {
      size_t bytes = 1;
      for (int i = 0; i < c.emitted.nfile; i++) bytes += c.emitted.file[i].bytes;
      copy = calloc(1, bytes);
      for (int i = 0; i < c.emitted.nfile; i++) strcat(copy, c.emitted.file[i].text);
    }
  }
  fg_arena_destroy(cx.arena);
  if (text) *text = copy;
  return status;
}

/* The cheapest first; of equally cheap ones, those that recipes named first. */
static void candidates_are_in_order(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  int equal = 0;
  fg_request request = {.problem = "c2c f32 n=240 batch=7", .isa = "avx2"};
  assert_int_equal(fg_pipeline_parse(&cx, &request, &c), FG_OK);
  assert_int_equal(fg_pipeline_decide(&c), FG_OK);
  for (int i = 1; i < c.ncandidate; i++) {
    const fg_built *before = &c.candidate[i - 1], *it = &c.candidate[i];
    assert_true(before->cost.cost <= it->cost.cost);
    if (before->cost.cost < it->cost.cost) continue;
    assert_true(before->order < it->order);
    equal++;
  }
  assert_true(equal > 0);
  fg_arena_destroy(cx.arena);
}

static void same_request_same_bytes(void **state) {
  (void)state;
  for (int w = 0; w < WAYS; w++) {
    char *one, *two;
    assert_int_equal(compile(&ways[w], 0, &one), FG_OK);
    assert_int_equal(compile(&ways[w], 0, &two), FG_OK);
    assert_true(strlen(one) > 500);
    assert_string_equal(one, two);
    free(one);
    free(two);
  }
}

/* The number of allocations of a way: the least fail_at that changes nothing. */
static long count_allocations(const fg_request *request) {
  long low = 0, high = 1;
  while (compile(request, high, NULL) != FG_OK) low = high, high *= 2;
  while (high - low > 1) {
    long middle = low + (high - low) / 2;
    *(compile(request, middle, NULL) == FG_OK ? &high : &low) = middle;
  }
  return low;
}

static void every_failed_allocation_is_survived(void **state) {
  (void)state;
  for (int w = 0; w < WAYS; w++) {
    long total = count_allocations(&ways[w]);
    long step = total / FAILURES + 1;
    assert_true(total > 100);
    for (long n = 1; n <= total; n += step) assert_int_equal(compile(&ways[w], n, NULL), FG_ENOMEM);
  }
}

static void refuses(const fg_request *request, const char *word) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  if (fg_arena_guard(cx.arena)) fail_msg("out of memory");
  assert_int_equal(fg_pipeline_compile(&cx, request, &c), FG_EUSER);
  assert_non_null(strstr(cx.diag.message, word));
  assert_null(strchr(cx.diag.message, '\n'));
  fg_arena_destroy(cx.arena);
}

static void refusals_name_what_is_wrong(void **state) {
  (void)state;
  refuses(&(fg_request){.problem = "c2c f32 n=0"}, "n:");
  refuses(&(fg_request){.problem = "conv f32 n=8 sign=+1"}, "sign");
  refuses(&(fg_request){.problem = "c2c f32 n=8", .target = "cobol"}, "cobol");
  refuses(&(fg_request){.problem = "c2c f32 n=8", .isa = "mmx"}, "mmx");
  refuses(&(fg_request){.problem = "c2c f32 n=8", .plan = "direct(9)"}, "direct(9)");
  refuses(&(fg_request){.problem = "c2c f32 n=8", .plan = "frob(8)"}, "frob");
}

/* Pairs of numbers in shared memory are loaded as one: none begins within another, behind
 * an odd number of reals neither. */
static void pairs_are_aligned(void **state) {
  (void)state;
  static const fg_request odd[] = {
      {.problem = "dst4 f32 n=301", .target = "cuda", .plan = "trig(bluestein(600, stockham(30,20)))"},
      {.problem = "dst4 f64 n=301", .target = "hip", .plan = "trig(bluestein(600, stockham(30,20)))"},
      {.problem = "dct4 f16 n=63", .target = "cuda", .plan = "trig(stockham(9,7))"},
  };
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
    static const char part[] = " = local + ";
    char *text;
    int parts = 0;
    assert_int_equal(compile(&odd[i], 0, &text), FG_OK);
    for (const char *at = text; (at = strstr(at, part)); parts++) {
      at += sizeof part - 1;
      assert_int_equal(strtol(at, NULL, 10) % 2, 0);
    }
    assert_true(parts > 1);
    free(text);
  }
}

/* What a large transform accesses again and again stays near: rows a few at a time,
 * columns in tiles, at most once all numbers between two kernels, and no table as long as
 * the transform. */
static void large_transforms_keep_little(void **state) {
  (void)state;
  static const struct {
    fg_request request;
    int64_t scratch, tables; /* bytes, at most */
  } large[] = {
      {{.problem = "c2c f32 n=1000x1000", .isa = "avx512"}, 1 << 20, 64 << 10},
      {{.problem = "c2c f32 n=1024x1024", .isa = "avx512"}, (8 + 1) << 20, 64 << 10},
      {{.problem = "c2c f64 n=1024x512", .isa = "avx2"}, (8 + 2) << 20, 64 << 10},
      {{.problem = "c2c f64 n=1024x512 place=in", .isa = "avx2"}, 2 << 20, 64 << 10},
      {{.problem = "c2c f32 n=262144", .isa = "avx512"}, 4 << 20, 512 << 10},
      {{.problem = "c2c f64 n=1048576", .isa = "avx2"}, 4 << 20, 3 << 20},
  };
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    fg_context cx = {.arena = fg_arena_create()};
    fg_compilation c;
    if (fg_arena_guard(cx.arena)) fail_msg("out of memory");
    assert_int_equal(fg_pipeline_parse(&cx, &large[i].request, &c), FG_OK);
    assert_int_equal(fg_pipeline_decide(&c), FG_OK);
    assert_in_range(c.chosen.cost.scratch_bytes, 1, large[i].scratch);
    assert_in_range(c.chosen.cost.table_bytes, 1, large[i].tables);
    fg_arena_destroy(cx.arena);
  }
}

/* Three primes with their predecessors are too much for one field: such a plan is
 * refused when it is asked for, and gives way to another where it is but a candidate.
 * One prime of millions is not too much. */
static void check_provable(const fg_request *request, fg_status wanted) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  if (fg_arena_guard(cx.arena)) fail_msg("out of memory");
  assert_int_equal(fg_pipeline_parse(&cx, request, &c), FG_OK);
  assert_int_equal(fg_pipeline_decide(&c), FG_OK);
  assert_int_equal(fg_prove_possible(&cx, c.chosen.program, FG_PROOF_SEED), wanted);
  if (wanted != FG_OK) assert_non_null(strstr(cx.diag.message, "length 1009x2003x4093 cannot be proved"));
  fg_arena_destroy(cx.arena);
}

static void unprovable_plans_give_way(void **state) {
  fg_request three = {.problem = "c2c f32 n=1009x2003x4093", .isa = "avx512"};
  fg_request one = {.problem = "c2c f64 n=4194301", .isa = "avx512"};
  (void)state;
  check_provable(&one, FG_OK);
  check_provable(&three, FG_OK);
  three.plan = "nd(rader(1009, stockham(16,9,7)), rader(2003, stockham(22,13,7)), rader(4093, stockham(12,11,31)))";
  check_provable(&three, FG_EUSER);
}

/* What is chosen costs up to a sixteenth more, and is much less to compile. */
static void brief_choices_are_short(void **state) {
  fg_request way = {.problem = "c2c f32 n=4096 batch=count[1..100000]", .target = "cuda"};
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  int64_t cost[2];
  size_t bytes[2];
  (void)state;
  if (fg_arena_guard(cx.arena)) fail_msg("out of memory");
  for (int i = 0; i < 2; i++) {
    way.shortest_build = i;
    assert_int_equal(fg_pipeline_parse(&cx, &way, &c), FG_OK);
    assert_int_equal(fg_pipeline_decide(&c), FG_OK);
    assert_int_equal(fg_pipeline_emit(&c), FG_OK);
    cost[i] = c.chosen.cost.cost, bytes[i] = strlen(c.emitted.file[0].text);
  }
  assert_true(cost[1] <= cost[0] + cost[0] / 16);
  assert_true(3 * bytes[1] < 2 * bytes[0]);
  fg_arena_destroy(cx.arena);
}

static int64_t cost_of(const char *isa, const char *problem, const char *plan) {
  fg_request way = {.problem = problem, .isa = isa, .plan = plan};
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  if (fg_arena_guard(cx.arena)) fail_msg("out of memory");
  assert_int_equal(fg_pipeline_parse(&cx, &way, &c), FG_OK);
  assert_int_equal(fg_pipeline_decide(&c), FG_OK);
  int64_t cost = c.chosen.cost.cost;
  fg_arena_destroy(cx.arena);
  return cost;
}

/* The same vectors cost otherwise where additions have units of their own: two passes whose codelets spill are faster
 * there than three (docs/lab/cost-model.md). */
static void units_have_prices(void **state) {
  static const struct {
    const char *problem, *intel, *amd;
  } row[] = {{"c2c f32 n=768", "stockham(16,6,8)", "stockham(32,24)"}};
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    assert_true(cost_of("avx512", row[i].problem, row[i].intel) < cost_of("avx512", row[i].problem, row[i].amd));
    assert_true(cost_of("znver4", row[i].problem, row[i].intel) > cost_of("znver4", row[i].problem, row[i].amd));
  }
}

/* How often a word is in the text of a transform. */
static int count_in(const char *isa, const char *problem, const char *plan, const char *word) {
  fg_request way = {.problem = problem, .isa = isa, .plan = plan};
  char *text;
  int count = 0;
  assert_int_equal(compile(&way, 0, &text), FG_OK);
  for (const char *at = text; at && (at = strstr(at, word)); at++) count++;
  free(text);
  return count;
}

/* Rows of ten pairs, vectors of two: an exchange of halves for each vector and nothing else; as a line their odd part
 * is turned, too. Where permutations take two sources, rows whose even part is short are lines. */
static void odd_rows_go_one_by_one(void **state) {
  (void)state;
  fg_move_form form = {FG_MOVE_TRANSPOSE, FG_LAYOUT_INTERLEAVED, 10, 2, true, true, FG_ELEM_COMPLEX, 1, NULL};
  fg_move_count rows = fg_cost_move_counts(&form);
  assert_int_equal(rows.shuffles, rows.shared_by);
  assert_int_equal(rows.moves, rows.shared_by);
  assert_int_equal(rows.selects + rows.narrow + rows.single, 0);
  int64_t price = fg_cost_of_move(&form);
  form.rows_from = INT32_MAX;
  assert_true(fg_cost_move_counts(&form).selects > 0 && fg_cost_of_move(&form) > price);
  /* The text: results of ten pairs by ten exchanges, nothing selected (0, 1 of one vector, 6, 7 of the other). */
  assert_int_equal(count_in("avx2", "c2c f64 n=100", "stockham(10,10)", "0, 1, 6, 7)"), 0);
  assert_true(count_in("avx2", "c2c f64 n=100", "stockham(10,10)", "0, 1, 4, 5)") > 0);
  /* By AVX-512 rows of twelve pairs, which are three vectors, by 59 shuffles; as lines they would be 95. */
  assert_true(count_in("avx512", "c2c f64 n=144", "stockham(12,12)", "__builtin_shufflevector") < 70);
  fg_program one = {.vectors.one_source = true}, two = {.vectors.one_source = false};
  fg_buffer input = {.elem = FG_ELEM_COMPLEX, .layout = FG_LAYOUT_INTERLEAVED, .precision = FG_F64}, local = input;
  fg_buffer single = input;
  input.space = single.space = FG_SPACE_INPUT, local.space = FG_SPACE_LOCAL, single.precision = FG_F32;
  assert_int_equal(fg_program_rows_from(&one, &local, true, 4), 1);
  assert_int_equal(fg_program_rows_from(&two, &input, true, 4), 2);
  assert_int_equal(fg_program_rows_from(&two, &local, true, 4), 4);
  assert_int_equal(fg_program_rows_from(&two, &single, false, 8), 4);
  assert_true(fg_takes_lines(10, 4) && !fg_takes_lines(12, 4) && fg_takes_lines(15, 2) && fg_takes_lines(8, 1));
}

/* A plan that was measured for a problem whose kernels can be assembly: it serves one whose kernels cannot. */
static void advice_asks_for_no_assembly(void **state) {
  (void)state;
  fg_request request = {.problem = "r2c f32 n=1024 batch=count[1..1048576]",
                        .target = "cuda",
                        .machine = fg_machine_find("sm_90"),
                        .assembly = true,
                        .advised = "real(2, stockham(8,8,8); group=4, assembly=on)"};
  assert_int_equal(compile(&request, 0, NULL), FG_OK);
  request.plan = request.advised, request.advised = NULL;
  assert_int_equal(compile(&request, 0, NULL), FG_EUSER);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(odd_rows_go_one_by_one),       cmocka_unit_test(candidates_are_in_order),
      cmocka_unit_test(same_request_same_bytes),      cmocka_unit_test(every_failed_allocation_is_survived),
      cmocka_unit_test(refusals_name_what_is_wrong),  cmocka_unit_test(pairs_are_aligned),
      cmocka_unit_test(large_transforms_keep_little), cmocka_unit_test(unprovable_plans_give_way),
      cmocka_unit_test(brief_choices_are_short),      cmocka_unit_test(units_have_prices),
      cmocka_unit_test(advice_asks_for_no_assembly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
