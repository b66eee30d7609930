/* The search's arithmetic on samples that are made up: who wins a race, when it is over, what is tried next. */
#include "generator/math/field.h"
#include "tuning/search/expected_gain.h"
#include "tuning/search/search.h"
#include "tuning/search/successive_halving.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

enum { FIELD = 12, ROUNDS = 30 };

static double uniform(uint64_t *seed) { return (double)(int64_t)fg_random(seed) * 0x1p-63; }

/* Times of FIELD entrants, each 1 % behind the one before, with noise of that part of them: who is in front after how
 * many turns. */
static int race(double noise, uint64_t seed, int *turns) {
  static fg_entrant all[FIELD];
  fg_entrant *e[FIELD];
  int n = FIELD, round = 0;
  memset(all, 0, sizeof all);
  for (int i = 0; i < FIELD; i++) e[i] = &all[(i * 5 + 3) % FIELD];
  *turns = 0;
  while (round++ < ROUNDS) {
    for (int i = 0; i < n; i++)
      for (int t = 0; t < 3; t++, ++*turns)
        fg_halving_add(e[i], 100 * (1 + 0.01 * (double)(e[i] - all)) * (1 + noise * uniform(&seed)));
    n = fg_halving_cut(e, n);
    if (fg_halving_is_decided(e, n)) break;
  }
  return (int)(e[0] - all);
}

static void test_the_fastest_wins(void **state) {
  (void)state;
  int turns, quiet = 0, noisy = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    assert_int_equal(race(1e-4, seed, &turns), 0);
    quiet += turns;
    assert_in_range(race(0.02, seed, &turns), 0, 2); /* within 2 % */
    noisy += turns;
  }
  assert_true(quiet <= 20 * 4 * FIELD); /* one round, and little more */
  assert_true(noisy > quiet);           /* noise is met with turns */
}

static void test_nobody_leaves_undecided(void **state) {
  (void)state;
  fg_entrant a = {.count = 0}, b = {.count = 0};
  fg_entrant *e[] = {&b, &a};
  const double noise[] = {0.9, 1.1, 1.0};
  for (int i = 0; i < 3; i++) fg_halving_add(&a, 100 * noise[i]), fg_halving_add(&b, 103 * noise[i]);
  assert_int_equal(fg_halving_cut(e, 2), 2);
  assert_false(fg_halving_is_decided(e, 2));
  for (int i = 0; i < 60; i++) fg_halving_add(&a, 100 + 0.01 * (i % 3)), fg_halving_add(&b, 103 + 0.01 * (i % 3));
  a.from = b.from = 3;
  fg_halving_add(&a, 100), fg_halving_add(&b, 103);
  assert_int_equal(fg_halving_cut(e, 2), 1);
  assert_ptr_equal(e[0], &a);
  assert_true(b.out && !a.out);
}

/* Who is far from the model must be faster by its doubt. */
static void test_doubt(void **state) {
  (void)state;
  fg_entrant a = {.count = 0}, b = {.doubt = 0.03};
  fg_entrant *e[] = {&b, &a};
  for (int i = 0; i < 5; i++) fg_halving_add(&a, 100), fg_halving_add(&b, 98);
  fg_halving_cut(e, 2);
  assert_ptr_equal(e[0], &a);
}

/* And by more than its times stray: what they say is not known so well. */
static void test_doubt_of_noise(void **state) {
  (void)state;
  fg_entrant model = {.count = 0}, move = {.doubt = 0.015};
  fg_entrant *e[] = {&move, &model};
  const double noise[] = {0.9, 1.1, 1.0, 0.86, 1.15};
  for (int i = 0; i < 5; i++) fg_halving_add(&model, 100 * noise[i]), fg_halving_add(&move, 96 * noise[i]);
  assert_int_equal(fg_halving_cut(e, 2), 2);
  assert_ptr_equal(e[0], &model);
  assert_false(fg_halving_is_decided(e, 2)); /* more turns would tell */
  for (int i = 0; i < 40; i++) fg_halving_add(&model, 100 + 0.01 * (i % 3)), fg_halving_add(&move, 96 + 0.01 * (i % 3));
  fg_halving_cut(e, 2);
  assert_ptr_equal(e[0], &move);
}

/* What is measured when the race is over, of the winner alone, may be slower times of the machine. */
static void test_winner_stays(void **state) {
  (void)state;
  fg_entrant a = {.count = 0}, b = {.doubt = 0.015};
  for (int i = 0; i < 5; i++) fg_halving_add(&a, 100), fg_halving_add(&b, 101);
  a.won = true;
  for (int i = 0; i < 20; i++) fg_halving_add(&a, 160);
  assert_true(a.ns > b.ns && fg_halving_doubted(&a) < fg_halving_doubted(&b));
}

/* The model's choice, whose first samples a disturbance has doubled. */
static void test_stays(void **state) {
  (void)state;
  fg_entrant model = {.stays = true}, move = {.doubt = 0.015};
  fg_entrant *e[] = {&model, &move};
  for (int i = 0; i < 3; i++) fg_halving_add(&model, 200 + i), fg_halving_add(&move, 100 + i);
  assert_int_equal(fg_halving_cut(e, 2), 2);
  for (int i = 0; i < 12; i++) fg_halving_add(&model, 100 + 0.1 * (i % 3)), fg_halving_add(&move, 100 + 0.1 * (i % 3));
  fg_halving_cut(e, 2);
  assert_ptr_equal(e[0], &model);
}

static void test_calmest(void **state) {
  (void)state;
  fg_entrant e = {.count = 0};
  const double sample[] = {100, 160, 130, 190, 150, 101, 101, 102, 101, 100, 180};
  for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) fg_halving_add(&e, sample[i]);
  assert_true(e.spread > 0.05);
  fg_halving_calmest(&e, 5);
  assert_true(e.spread < 0.02 && e.ns == 101 && e.count == 5);
}

/* One sample says nothing of a spread. */
static void test_spread_of_few(void **state) {
  (void)state;
  fg_entrant e = {.count = 0};
  fg_halving_add(&e, 100);
  assert_true(e.ns == 100 && e.spread < 0);
  fg_halving_add(&e, 101), fg_halving_add(&e, 102);
  assert_true(e.spread > 0.01 && e.spread < 0.03);
}

static void test_expected_gain(void **state) {
  (void)state;
  fg_guesses g = {.prior_sd = 0.2, .weight = 2};
  double alike = fg_expected_gain(&g, 100, 100);
  assert_true(alike > 0.05 && alike < 0.1);           /* 0.4 standard deviations */
  assert_true(fg_expected_gain(&g, 90, 100) > alike); /* who is guessed to be faster */
  assert_true(fg_expected_gain(&g, 200, 100) < alike / 50);
  for (int i = 0; i < 20; i++) fg_guesses_add(&g, 100, 110 + (i % 3)); /* always 11 % slower than guessed */
  assert_true(fabs(fg_guesses_mean(&g) - 0.095) < 0.01);
  assert_true(fg_guesses_sd(&g) < 0.08);
  assert_true(fg_expected_gain(&g, 100, 100) < alike / 5);
  assert_true(fg_expected_gain(&g, 80, 100) > 0.05);
}

/* Of a long search that was cut short, a slow plan that alone was ready is no result. */
static void slow_plans_are_no_result(void **state) {
  (void)state;
  fg_candidate list[] = {{.plan = "slow", .ns = 25e6, .cost = 900},
                         {.plan = "wrong", .work = {.state = FG_WORK_LOST}, .cost = 100},
                         {.plan = "same", .work = {.state = FG_WORK_LOST, .same = true}, .cost = 100},
                         {.plan = "a move", .base = list, .cost = 100},
                         {.plan = "late", .work = {.state = FG_WORK_LOST, .dropped = true}, .cost = 400}};
  fg_search_result r = {.count = 4, .candidate = list};
  assert_null(fg_search_missed(&r, list));
  r.count = 5;
  assert_ptr_equal(fg_search_missed(&r, list), &list[4]);
  list[4].work = (fg_work){.state = FG_WORK_BUILT};
  assert_ptr_equal(fg_search_missed(&r, list), &list[4]);
  list[0].cost = 500;
  assert_null(fg_search_missed(&r, list));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slow_plans_are_no_result),
      cmocka_unit_test(test_the_fastest_wins),
      cmocka_unit_test(test_nobody_leaves_undecided),
      cmocka_unit_test(test_doubt),
      cmocka_unit_test(test_doubt_of_noise),
      cmocka_unit_test(test_winner_stays),
      cmocka_unit_test(test_stays),
      cmocka_unit_test(test_calmest),
      cmocka_unit_test(test_spread_of_few),
      cmocka_unit_test(test_expected_gain),
  };
  return cmocka_run_group_tests_name("successive_halving", tests, NULL, NULL);
}
