/* Elements far apart: what strides say of them is what going through all of them says; programs
 * over them are proved in the room of their elements, up to the ends of their ranges, and what
 * is wrong with them is found there, too. */
#include "generator/math/field.h"
#include "generator/problem/shape.h"
#include "generator/prove/element_numbers.h"
#include "tests/unit/proving.h"
#include <stdio.h>

enum { TRIES = 4000, MOST_LENGTH = 7, MOST_STRIDE = 40, MOST_ADDRESS = 3 * MOST_LENGTH * MOST_STRIDE, ROOM = 256 };

/* ---- strides -------------------------------------------------------------------------- */

static fg_problem drawn_problem(uint64_t *random, char text[128]) {
  int64_t x[6];
  for (int i = 0; i < 6; i++) x[i] = 1 + (int64_t)fg_random_below(i % 2 ? MOST_STRIDE : MOST_LENGTH, random);
  snprintf(text, 128, "c2c f32 n=%lld:%lld:%lld batch=%lld:%lld:%lldx%lld:%lld:%lld place=in", (long long)x[0],
           (long long)x[1], (long long)x[1], (long long)x[2], (long long)x[3], (long long)x[3], (long long)x[4],
           (long long)x[5], (long long)x[5]);
  fg_problem q;
  if (fg_problem_parse(&context, text, &q) != FG_OK) q.rank = 0; /* refused: two results are one */
  fg_diag_clear(&context.diag);
  return q;
}

/* Elements at each address, one by one. Returns whether two of them are one. */
static bool visit(const fg_problem *q, int *visits) {
  bool meets = false;
  memset(visits, 0, sizeof *visits * MOST_ADDRESS);
  for (int64_t b = 0; b < fg_problem_batch_count(q, NULL); b++)
    for (int64_t k = 0; k < fg_problem_elements(q, true); k++)
      meets |= visits[fg_problem_batch_at(q, true, b, NULL) + fg_problem_element_at(q, true, k, NULL)]++ > 0;
  return meets;
}

static void strides_decide_what_visits_find(void **state) {
  (void)state;
  static int visits[MOST_ADDRESS];
  uint64_t random = 30;
  int found[3] = {0}, sparse = 0;
  for (int i = 0; i < TRIES; i++) {
    char text[128];
    fg_problem q = drawn_problem(&random, text);
    if (!q.rank) continue;
    bool meets = visit(&q, visits), taken[MOST_LENGTH * MOST_LENGTH * MOST_LENGTH] = {false};
    fg_strides nest = fg_strides_create(&q, NULL, true);
    fg_apart apart = fg_strides_apart(&nest);
    if (apart != FG_APART_UNKNOWN && meets != (apart == FG_APART_NOT)) fail_msg("%s: meets: %d", text, meets);
    found[apart]++;
    for (int64_t e = -3; e < MOST_ADDRESS; e++) {
      int64_t number = fg_strides_number(&nest, e);
      if ((number >= 0) != (e >= 0 && visits[e]))
        fail_msg("%s: address %lld is %lld", text, (long long)e, (long long)number);
      if (number < 0) continue;
      assert_true(number < nest.elements);
      assert_false(taken[number]);
      taken[number] = true;
    }
    sparse += nest.span[0] > 2 * nest.elements;
  }
  assert_true(found[FG_APART] > TRIES / 20 && found[FG_APART_UNKNOWN] > 0 && sparse > TRIES / 50);
}

/* Parameters may make results meet, which the grammar does not refuse. */
static void results_that_meet_are_no_call(void **state) {
  (void)state;
  static const struct row {
    int64_t stride, distance;
    fg_apart wanted;
  } rows[] = {{1, 64, FG_APART},
              {1, 63, FG_APART_NOT},
              {1 << 20, 1 << 20, FG_APART_NOT},
              {100, 3, FG_APART},
              {1 << 20, (1 << 20) - 1, FG_APART},
              {6, 4, FG_APART_NOT},
              {1 << 20, 3 << 14, FG_APART},
              {1 << 20, 5 << 15, FG_APART_NOT}};
  fg_problem q;
  assert_int_equal(fg_problem_parse(&context, "c2c f32 n=64:s[1..1048576]:s batch=33:d[1..1048576]:d", &q), FG_OK);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    int64_t params[FG_MAX_PARAMS] = {rows[i].stride, rows[i].distance};
    fg_strides nest = fg_strides_create(&q, params, true);
    if (fg_strides_apart(&nest) != rows[i].wanted)
      fail_msg("strides %lld and %lld", (long long)rows[i].stride, (long long)rows[i].distance);
  }
}

/* ---- programs -------------------------------------------------------------------------- */

static const char *const far_apart[] = {
    "c2c f32 n=64:is[1..1048576]:os[1..1048576] batch=count[1..1048576]:id[1..1048576]:od[1..1048576]",
    "c2c f32 n=64:s[1..1048576]:s batch=count[1..1048576]:d[1..1048576]:d place=in",
    "c2c f64 n=64:is[1..1048576]:os[1..1048576] layout=split",
    "c2r f32 n=64:is[1..1048576]:os[1..1048576] batch=9:id[1..1048576]:od[1..1048576]",
    "c2c f32 n=64:is[1..1048576]:os[1..1048576]x16:ia[1..1048576]:oa[1..1048576] batch=3:id[1..1048576]:od[1..1048576]",
    "c2c f32 n=64:1048576:1048576 batch=1000:1:1",
    "c2c f32 n=64:1048576:1048573 batch=1000:1048575:1048575",
};

static const char *plan_of(const char *problem) {
  if (strstr(problem, "]x16")) return "nd(stockham(8,8),direct(16))";
  return strncmp(problem, "c2r", 3) ? "stockham(8,8)" : "real(64,stockham(8,4))";
}

static void far_apart_takes_the_room_of_elements(void **state) {
  (void)state;
  const fg_mapping *maps[] = {&scalar, &eight_lanes, &threads};
  context.memory = (size_t)ROOM << 20;
  for (size_t i = 0; i < sizeof far_apart / sizeof *far_apart; i++)
    for (int m = 0; m < 3; m++) {
      fg_program *p = NULL;
      if (try_assemble(far_apart[i], plan_of(far_apart[i]), maps[m], &p) != FG_OK) continue;
      must_hold(p);
      assert_null(strstr(proof_of(p).walked, "upper ends"));
    }
  context.memory = 0;
}

static fg_access *last_store(fg_program *p) { return &p->kernel[0]->stage[p->kernel[0]->nstage - 1].store; }

static void faults_far_apart_are_found(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    fg_program *p = assembled_for(far_apart[i], "stockham(8,8)", &threads);
    last_store(p)->index.at.offset = fg_num_const(1);
    must_fail(p, "stores");
    p = assembled_for(far_apart[i], "stockham(8,8)", &threads);
    p->table[0].row0++;
    must_fail(p, "not that of the DFT");
    p = assembled_for(far_apart[i], "stockham(8,8)", &threads);
    p->kernel[0]->stage[0].load.index.at.offset = fg_num_const(1);
    must_fail(p, "");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(strides_decide_what_visits_find, setup, teardown),
      cmocka_unit_test_setup_teardown(results_that_meet_are_no_call, setup, teardown),
      cmocka_unit_test_setup_teardown(far_apart_takes_the_room_of_elements, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_far_apart_are_found, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
