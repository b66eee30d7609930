/* The cost model of blocks and threads: of two plans that were measured far apart the better is cheaper; what is bound
 * by memory costs the same bytes on faster memory, what is bound by instructions costs more. */
#include "generator/pipeline/pipeline.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static int64_t cost_of(const char *problem, const char *plan, const char *machine) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_request request = {.problem = problem, .target = "cuda", .plan = plan, .machine = fg_machine_find(machine)};
  fg_compilation c;
  assert_int_equal(fg_arena_guard(cx.arena), 0);
  fg_status status = fg_pipeline_parse(&cx, &request, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  if (status != FG_OK) fail_msg("%s by %s: %s", problem, plan, cx.diag.message);
  int64_t cost = c.chosen.cost.cost;
  fg_arena_destroy(cx.arena);
  return cost;
}

/* Parts of a copy's speed on an H100 (docs/lab/data/h100-drawn-plans.csv.gz), or on an H200 (h200-lines.csv.gz). */
static void test_measured(void **state) {
  static const struct {
    const char *problem, *better, *worse;
    double faster;
    const char *machine;
  } row[] = {
      /* registers: of 32 that three blocks of a cluster leave a thread, hundreds of words are spilled */
      {"c2c f32 n=105840 batch=1268",
       "four-step(stockham(21,16), stockham(15,21); threads=480, resident=2, queue=37, products=on, tile=21, rows=24)",
       "four-step(stockham(18,14), stockham(21,20); cluster=12, resident=3)", 2.08, "sm_90"},
      {"c2c f32 n=27000 batch=4971", "four-step(stockham(15,10), stockham(15,12); cluster=5, resident=3)",
       "stockham(30,15,15,4)", 2.07, "sm_90"},
      /* warps that a stage does not need do not work in it */
      {"r2c f32 n=149 batch=1801580", "as-complex(bluestein(320, stockham(32,10)); resident=4, products=on)",
       "bluestein(320, stockham(20,16))", 1.84, "sm_90"},
      {"c2c f32 n=2341 batch=57333",
       "rader(2341, prime-factor(direct(20), prime-factor(direct(9), direct(13))); threads=117, group=2, resident=4)",
       "rader(2341, stockham(9,13,20); threads=128)", 1.65, "sm_90"},
      /* runs of a block that begin and end within sectors */
      {"c2c f32 n=18x2 batch=3728270", "nd(direct(18), direct(2); inside=2)", "nd(direct(18), direct(2))", 2, "sm_90"},
      /* a block of one thread is a GPU's, too */
      {"r2c f32 n=27 batch=9942053", "direct(27)", "direct(27; group=1)", 8, "sm_90"},
      /* threads far apart in memory: each load of a warp touches 32 lines */
      {"r2c f32 n=150 batch=1789569", "real(2, stockham(5,15))", "real(2, direct(75))", 1.47, "h200"},
      /* columns of 15 neighbours, which a warp sends to three blocks of its cluster, a line or two each */
      {"c2c f32 n=30720 batch=4369",
       "four-step(stockham(16,10), stockham(16,12); cluster=8, resident=5, cluster_scheduling=load_balancing)",
       "four-step(stockham(16,15), stockham(16,8); cluster=16, resident=4)", 1.44, "h200"},
      /* a block that loads ahead, alone or in place of two */
      {"conv f32 n=9000 batch=6000 spectrum=each",
       "convolve(stockham(25,20,18); threads=512, load_ahead=on, products=on)",
       "convolve(stockham(25,20,18); threads=512, products=on)", 2.02, "h200"},
      {"conv f32 n=8192 batch=8192 spectrum=each", "convolve(stockham(32,16,16); products=on)",
       "convolve(stockham(32,16,16); load_ahead=on, products=on)", 1.14, "h200"},
      /* a queue's counters: of 40 registers a thread has, 82 words are spilled */
      {"c2c f32 n=98x98x98 batch=142", "nd(stockham(14,7), stockham(14,7), stockham(14,7); inside=2, tile=128)",
       "nd(stockham(14,7), stockham(14,7), stockham(14,7); threads=686, cluster=1, resident=2, queue=4, "
       "prefetch_distance=245, products=on, tile=98)",
       1.58, "sm_90"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const char *machine = row[i].machine;
    int64_t better = cost_of(row[i].problem, row[i].better, machine),
            worse = cost_of(row[i].problem, row[i].worse, machine);
    if (worse * 10 < better * 11)
      fail_msg("%s: %s, which is %.2f times as fast, costs %lld, %s %lld", row[i].problem, row[i].better, row[i].faster,
               (long long)better, row[i].worse, (long long)worse);
  }
}

static void test_memory(void **state) {
  (void)state;
  int64_t bytes = INT64_C(2) * 8 * 64 * 1000000;
  int64_t copied = cost_of("c2c f32 n=64 batch=1000000", "stockham(8,8)", "sm_90");
  assert_in_range(copied, 16 * bytes, 16 * bytes * 3 / 2);
  int64_t twice = cost_of("c2c f32 n=64 batch=2000000", "stockham(8,8)", "sm_90");
  assert_in_range(twice, copied * 3 / 2, copied * 2);
}

static void test_bandwidth(void **state) {
  static const char bound[] = "c2c f32 n=16 batch=4000000", worked[] = "c2c f32 n=4481 batch=29952",
                    by[] = "bluestein(8960, stockham(32,20,14))";
  (void)state;
  int64_t slow = cost_of(bound, "direct(16)", "sm_90"), fast = cost_of(bound, "direct(16)", "h200");
  assert_in_range(fast, slow, slow * 21 / 20);
  slow = cost_of(worked, by, "sm_90"), fast = cost_of(worked, by, "h200");
  assert_in_range(fast, slow * 13 / 10, slow * 3 / 2);
}

/* Half of a real transform in a thread's registers: .80 of copy for 142, where four codelets of 43 in a block of 172
 * points leave most of its threads idle, .44. */
static void test_half_in_a_thread(void **state) {
  (void)state;
  const char problem[] = "r2c f32 n=172 batch=1560671";
  int64_t chosen = cost_of(problem, NULL, "sm_90");
  assert_int_equal(chosen, cost_of(problem, "real(2, direct(86))", "sm_90"));
  assert_in_range(chosen, 1, cost_of(problem, "real(4, direct(43))", "sm_90") * 7 / 10);
}

/* What the recipes have to offer. The plans below were chosen for want of others; on an H200 the columns, of which a
 * block holds fewer than a sector's worth, took 1030 us and take 448, the last two had .08 and .06 of a copy's speed
 * and have .23 and .10. */
static void test_offered(void **state) {
  static const struct {
    const char *problem, *plan;
  } row[] = {
      {"c2c f32 n=12960:3302:3302 batch=3302:1:1", "cooley-tukey(16, stockham(30,27))"},
      {"c2c f64 n=2401000 batch=27", "four-step(stockham(7,7,7,5), stockham(14,10,10))"},
      {"c2c f64 n=4739574 batch=14", "bluestein(9483264, four-step(stockham(21,9,7), stockham(28,16,16)))"},
      {"c2c f64 n=1111553 batch=60", "bluestein(4194304, four-step(stockham(32,32), stockham(16,16,16)))"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    int64_t before = cost_of(row[i].problem, row[i].plan, "h200"), now = cost_of(row[i].problem, NULL, "h200");
    if (now * 11 > before * 10)
      fail_msg("%s: %lld, %s %lld", row[i].problem, (long long)now, row[i].plan, (long long)before);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_measured),         cmocka_unit_test(test_memory),  cmocka_unit_test(test_bandwidth),
      cmocka_unit_test(test_half_in_a_thread), cmocka_unit_test(test_offered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
