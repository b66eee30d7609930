/* Real, cosine and sine transforms longer than a codelet: every way of laying them
 * down, for scalars, vectors and threads, proved as programs and as text; what does
 * not fit is refused; a wrong partner, factor or sign is found. */
#include "tests/unit/pace.h"
#include "tests/unit/text_proof.h"
#include <stdio.h>
#include <stdlib.h>

static const fg_mapping few_threads = {/* too little memory for a block: a kernel a pass */
                                       .threads = true,   .lanes = 1,         .registers = 64,
                                       .max_threads = 64, .local_bytes = 512, .fma = true};
static const fg_mapping *const maps[] = {&scalar, &eight_lanes, &threads, &few_threads};

static const struct {
  int n;
  const char *plan;
} real_plans[] = {
    {2, "real(2, direct(1))"},
    {4, "real(2, direct(2))"},
    {16, "real(16, direct(1))"},
    {36, "real(4, direct(9))"},
    {64, "real(8, stockham(8))"},
    {96, "real(6, stockham(4,4))"},
    {200, "real(10, cooley-tukey(4, direct(5)))"},
    {272, "real(8, direct(34))"},
    {512, "real(16, stockham(8,4))"},
    {540, "real(12, stockham(3,5,3))"},
    {74, "real(2, bluestein(75, stockham(5,15)))"},
    {9, "stockham(3,3)"},
    {45, "stockham(5,9)"},
    {231, "stockham(11,3,7)"},
    {96, "stockham(4,3,8)"},
    {64, "stockham(8,8)"},
    {37, "bluestein(75, stockham(5,15))"},
    {21, "bluestein(48, stockham(8,6))"},
};

/* Each plan with each kind, mapping and layout now and then, all of
 * the short ones. */
static void real_plans_are_proved(void **state) {
  (void)state;
  static const char *const ways[] = {"f32 n=%d",
                                     "f64 n=%d batch=3",
                                     "f32 n=%d place=in batch=count[1..3]",
                                     "f64 n=%d:3:2 batch=2:2000:2000",
                                     "f32 n=%d batch=2 layout=split",
                                     "f32 n=%d sign=+1",
                                     ""};
  int number = 0;
  for (size_t i = 0; i < sizeof real_plans / sizeof *real_plans; i++)
    for (int kind = FG_R2C; kind <= FG_C2R; kind++)
      for (int way = 0; way < 7; way++) {
        char rest[80];
        snprintf(rest, sizeof rest, ways[way], real_plans[i].n);
        if (way == 6) snprintf(rest, sizeof rest, "f64 n=%d:9:9 batch=9:1:1 sign=-1", real_plans[i].n);
        number++;
        for (int m = 0; m < 4 && !is_left_out(number, 5); m++)
          if (m == number % 4 || m == 1)
            both_must_hold(fg_arena_printf(context.arena, "%s %s", fg_problem_kind_name((fg_kind)kind), rest),
                           real_plans[i].plan, maps[m]);
      }
}

/* As a matrix, on threads: rows in tiles of which the last is not full, two passes and
 * three, and by clusters. */
static const fg_mapping clusters = OF_THREADS(.local_bytes = 32 << 10, .cluster = 8);

static void matrices_of_reals_are_proved(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan;
  } right[] = {
      {"f32 n=64 batch=3", "four-step(direct(8), stockham(4,2))"},
      {"f64 n=768 batch=count[1..3]", "four-step(stockham(4,6), stockham(8,4))"},
      {"f32 n=1024 place=in", "four-step(stockham(8,4), stockham(4,2,4))"},
      {"f32 n=2048 sign=+1", "four-step(stockham(4,2,4), stockham(8,8); tile=8, rows=3)"},
      {"f32 n=256:3:2 batch=2:1000:1000", "four-step(direct(16), stockham(4,4))"},
      {"f64 n=90 batch=3", "four-step(direct(3), stockham(5,6))"},
      {"f32 n=450", "four-step(stockham(5,3), stockham(5,6); tile=6, rows=3)"},
      {"f32 n=512 batch=3", "real(2, four-step(direct(16), stockham(2,8); rows=2))"},
      {"f64 n=960 batch=count[1..3]", "real(10, four-step(direct(12), stockham(4,2)))"},
      {"f32 n=1024 batch=2", "real(4, four-step(stockham(8,4), direct(8); cluster=4))"},
      {"f64 n=1536 sign=+1", "real(8, four-step(stockham(4,8), direct(6); cluster=2))"},
      {"f32 n=2048", "real(4, four-step(four-step(direct(8), direct(4); cluster=2), stockham(4,4); tile=4, rows=4))"},
      {"f32 n=4096", "real(16, four-step(stockham(4,8), direct(8); cluster=8); deferred_store=on)"},
      {"f32 n=2048 batch=2", "real(4, four-step(stockham(4,2,4), direct(16); tile=8, rows=8); frequency=on)"},
      {"f64 n=960", "real(10, four-step(stockham(4,3), stockham(4,2)); frequency=on)"},
  };
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    for (int kind = FG_R2C; kind <= FG_C2R; kind++)
      both_must_hold(fg_arena_printf(context.arena, "%s %s", fg_problem_kind_name((fg_kind)kind), right[i].problem),
                     right[i].plan, &clusters);
}

/* Of an odd length the middle results of the last pass are of either half of the transform. */
static void odd_matrices_of_reals_are_proved(void **state) {
  (void)state;
  both_must_hold("r2c f64 n=225 batch=3", "four-step(direct(15), stockham(5,3))", &clusters);
  both_must_hold("r2c f32 n=525 sign=+1 place=in", "four-step(stockham(7,5), stockham(3,5); tile=5, rows=4)",
                 &clusters);
  both_must_hold("r2c f32 n=945:2:3 batch=2:5000:4000", "four-step(stockham(3,5), stockham(3,3,7); rows=3)", &clusters);
}

/* The same in tiles, for loops and lanes. */
static void tiles_of_reals_are_proved(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan;
  } right[] = {
      {"f32 n=512", "real(2, four-step(stockham(4,8), direct(8)))"},
      {"f64 n=1024 batch=3", "real(4, four-step(stockham(8,4), stockham(4,2)))"},
      {"f32 n=4096 place=in", "real(16, four-step(stockham(8,4), direct(8); tile=16, rows=8))"},
      {"f64 n=1050 sign=+1", "real(6, four-step(stockham(7,5), direct(5)))"},
      {"f32 n=1152 batch=count[1..3]", "real(6, four-step(stockham(8,4), direct(6)))"},
      {"f32 n=2560", "real(32, four-step(direct(40), direct(2)))"},
  };
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    for (int kind = FG_R2C; kind <= FG_C2R; kind++)
      for (int m = 0; m < 2; m++)
        both_must_hold(fg_arena_printf(context.arena, "%s %s", fg_problem_kind_name((fg_kind)kind), right[i].problem),
                       right[i].plan, maps[m]);
}

static void cosines_and_sines_are_proved(void **state) {
  (void)state;
  static const struct {
    int n;
    const char *r2c, *half; /* plans of a real transform of n, of a complex one of n/2 */
  } sizes[] = {{12, "real(4, direct(3))", "direct(6)"},
               {18, "real(6, direct(3))", "stockham(3,3)"},
               {15, "stockham(5,3)", NULL},
               {21, "bluestein(48, stockham(8,6))", NULL},
               {80, "real(8, stockham(5,2))", "stockham(8,5)"}};
  for (int kind = FG_DCT1; kind <= FG_DST4; kind++)
    for (int i = 0; i < 5; i++)
      for (int way = 0; way < 3; way++) {
        static const char *const ways[] = {"batch=3", "place=in", "batch=count[1..4]"};
        bool fourth = kind == FG_DCT4 || kind == FG_DST4;
        const char *inside = fourth && sizes[i].half ? sizes[i].half : sizes[i].r2c;
        int n = sizes[i].n;
        if (kind == FG_DCT1 || kind == FG_DST1) { /* their period is the length of a real transform */
          if (n % 2) continue;
          n = n / 2 + (kind == FG_DCT1 ? 1 : -1);
        }
        const char *problem =
            fg_arena_printf(context.arena, "%s f32 n=%d %s", fg_problem_kind_name((fg_kind)kind), n, ways[way]);
        const char *plan = fg_arena_printf(context.arena, "trig(%s)", inside);
        both_must_hold(problem, plan, maps[(kind + i + way) % 4]);
        if ((kind + i + way) % 4 != 1) both_must_hold(problem, plan, &eight_lanes);
      }
  both_must_hold("dct2 f64 n=30:3:2 batch=2:100:100", "trig(real(6, direct(5)))", &eight_lanes);
  both_must_hold("dst3 f64 n=30:2:3 batch=2:100:100", "trig(real(6, direct(5)))", &eight_lanes);
}

static void several_dimensions_are_proved(void **state) {
  (void)state;
  static const char *const tries[][2] = {
      {"n=12x16", "nd(direct(12), direct(16))"},
      {"n=12x9", "nd(direct(12), direct(9))"},
      {"n=8x64 batch=2", "nd(direct(8), real(8, stockham(8)))"},
      {"n=16x12 place=in", "nd(stockham(4,4), direct(12))"},
      {"n=1x16", "nd(direct(1), direct(16))"},
      {"n=16x1", "nd(direct(16), direct(1))"},
      {"n=4x2", "nd(direct(4), direct(2))"},
      {"n=3x4x10 batch=2", "nd(direct(3), direct(4), direct(10))"},
      {"n=6x5x15 place=in batch=count[1..3]", "nd(direct(6), direct(5), stockham(3,5))"},
  };
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
    for (int kind = FG_R2C; kind <= FG_C2R; kind++)
      for (int m = 0; m < 3; m++)
        both_must_hold(fg_arena_printf(context.arena, "%s f32 %s", fg_problem_kind_name((fg_kind)kind), tries[i][0]),
                       tries[i][1], maps[m]);
  for (int m = 0; m < 3; m++) {
    both_must_hold("r2c f32 n=6:17:9x16:1:1 batch=2:200:100", "nd(direct(6), direct(16))", maps[m]);
    both_must_hold("dct2 f32 n=12x30", "nd(direct(12), trig(real(6, direct(5))))", maps[m]);
    both_must_hold("dst4 f64 n=4x5x6 place=in", "nd(direct(4), direct(5), direct(6))", maps[m]);
    both_must_hold("dct2 f32 n=1x4 batch=3", "nd(direct(1), direct(4))", maps[m]);
  }
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  static const char *const refused[][3] = {
      {"r2c f32 n=256", "real(8, stockham(8,8))", "not a plan of 32 points"},
      {"r2c f32 n=255", "real(5, stockham(3,17))", "odd real radix"},
      {"r2c f32 n=256", "real(12, stockham(8,8))", "does not divide"},
      {"r2c f32 n=250", "bluestein(512, stockham(16,32))", "even number of reals"},
      {"c2r f32 n=251", "bluestein(480, stockham(16,30))", "too short"},
      {"c2r f32 n=256", "four-step(direct(16), direct(16))", "rows that are not stockham's passes"},
      {"r2c f32 n=256", "four-step(direct(16), stockham(4,4))", "for blocks and threads"},
      {"c2r f32 n=225", "four-step(direct(15), stockham(5,3))", "an even one last"},
      {"r2c f32 n=270", "four-step(direct(18), stockham(5,3))", "an even one last"},
      {"r2c f32 n=256", "four-step(real(4, direct(4)), stockham(4,4))", "real for columns of reals"},
      {"c2c f32 n=256", "real(8, stockham(8,4))", "no plan of c2c; allowed: direct(N), stockham("},
      {"dct2 f32 n=256", "stockham(16,16)", "no plan of dct2"},
      {"dct4 f32 n=256", "trig(real(8, stockham(8,4)))", "no plan of c2c"},
      {"dst1 f32 n=256", "trig(real(8, stockham(8,4)))", "does not"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    fg_program *p;
    if (try_assemble(refused[i][0], refused[i][1], &scalar, &p) != FG_EUSER)
      fail_msg("%s by %s is not refused", refused[i][0], refused[i][1]);
    if (!strstr(context.diag.message, refused[i][2])) fail_msg("%s: %s", refused[i][1], context.diag.message);
  }
}

/* The stage of p with a second law of addresses. */
static fg_stage *stage_with_rest(fg_program *p) {
  for (int i = 0; i < p->kernel[0]->nstage; i++)
    if (p->kernel[0]->stage[i].load.rest || p->kernel[0]->stage[i].store.rest) return &p->kernel[0]->stage[i];
  fail_msg("no stage has a second law");
  return NULL;
}

static void faults_in_the_second_law_are_found(void **state) {
  (void)state;
  for (int way = 0; way < 7; way++) {
    fg_program *p = assembled_for("r2c f32 n=512", "real(16, stockham(8,4))", way % 2 ? &scalar : &eight_lanes);
    fg_stage *s = stage_with_rest(p);
    fg_access *load = s->load.rest, *store = s->store.rest;
    assert_true(proof_of(p).proved);
    switch (way) {
    case 0: load->index.at.offset.n++; break;
    case 1: store->index.at.offset.n--; break;
    case 2: store->index.at.term[0].coef.n = -store->index.at.term[0].coef.n; break;
    case 3: load->index.at.term[1].coef.n = 1; break;
    case 4: p->table[s->factors.twiddle.buffer >= 0 ? p->buffer[s->factors.twiddle.buffer].table : 0].shift = 0; break;
    case 5: p->table[p->buffer[s->factors.twiddle.buffer].table].col0 = 0; break;
    default: store->move = FG_MOVE_CONTIG; break; /* it is backwards */
    }
    must_fail(p, "");
  }
}

/* Rows in pairs: the fold, where it turns, the pair that is none, the block that has the
 * middle rows. */
static void faults_in_folded_rows_are_found(void **state) {
  (void)state;
  for (int way = 0; way < 8; way++) {
    fg_program *p =
        assembled_for("r2c f32 n=1024 batch=2", "real(4, four-step(stockham(8,4), direct(8); cluster=4))", &clusters);
    fg_stage *send = stage_with_rest(p), *last = &p->kernel[0]->stage[p->kernel[0]->nstage - 1];
    fg_index *upper = &send->store.rest->index;
    assert_true(upper->mod && proof_of(p).proved);
    switch (way) {
    case 0: upper->mod *= 2; break;
    case 1: upper->at.offset.n--; break;
    case 2: upper->base.offset.n++; break;
    case 3: upper->scale.n--; break;
    case 4:
      for (int t = 0; t < p->ntable; t++) p->table[t].fold = 0;
      break;
    case 5: last[-3].store.npred--; break;
    case 6: last[-2].store.rest->npred--; break;
    default: last->npred = 0; break;
    }
    must_fail(p, "");
  }
  fg_program *p;
  const char *odd = "real(4, four-step(stockham(4,4), direct(3); cluster=4))";
  assert_int_equal(try_assemble("r2c f32 n=192", odd, &clusters, &p), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "even ones where they meet"));
  odd = "real(4, four-step(stockham(4,4), direct(8); cluster=3))";
  assert_int_equal(try_assemble("r2c f32 n=512", odd, &clusters, &p), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "must divide 8 and 8"));
}

/* Rows in descending order, factors of two tables. */
static void faults_in_tiles_are_found(void **state) {
  (void)state;
  for (int way = 0; way < 7; way++) {
    fg_program *p = assembled_for("r2c f32 n=1024", "real(4, four-step(stockham(8,4), direct(8)))", &eight_lanes);
    fg_kernel *rows = p->kernel[1];
    fg_stage *near = &rows->stage[0], *far = &rows->stage[1], *pairs = &rows->stage[2];
    fg_product *product = (fg_product *)pairs->factors.product;
    assert_true(p->nkernel == 3 && proof_of(p).proved);
    switch (way) {
    case 0: far->load.index.at.offset.n--; break;
    case 1: far->factors.twiddle.index.at.offset.n--; break;
    case 2: product[2].also--; break;
    case 3: product[2].load--; break;
    case 4: near->store.index.at.offset.n++; break;
    case 5: pairs->store.rest->index.at.offset.n--; break;
    default: p->nkernel--; break; /* without row 0 */
    }
    must_fail(p, "");
  }
  fg_program *p;
  assert_int_equal(try_assemble("r2c f32 n=480", "real(6, four-step(direct(16), direct(5)))", &eight_lanes, &p),
                   FG_EUSER);
  assert_non_null(strstr(context.diag.message, "A of odd length"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(real_plans_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(matrices_of_reals_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(odd_matrices_of_reals_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(tiles_of_reals_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(cosines_and_sines_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(several_dimensions_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(what_does_not_fit_is_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_in_the_second_law_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_in_folded_rows_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_in_tiles_are_found, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
