/* Tiles cut into their stages: faults in large programs of CPUs, whose values are walked by a sample of stages' own
 * blocks, dense and with strides that calls say. */
#include "generator/prove/block_sample.h"
#include "tests/unit/proving.h"

static const fg_mapping avx2 = {.lanes = 8, .registers = 16, .fma = true, .one_source = true};

static const char plan[] = "four-step(stockham(8,8,8), stockham(8,8,8))";

typedef struct fault {
  const char *what;
  void (*plant)(fg_program *p);
} fault;

static bool is_cut(const fg_proof *proof) { return strstr(proof->walked, "addresses of all") != NULL; }

/* The table of factors between both passes. */
static fg_table *factors(fg_program *p) {
  fg_table *largest = &p->table[0];
  for (int i = 1; i < p->ntable; i++)
    if (p->table[i].order > largest->order) largest = &p->table[i];
  return largest;
}

static fg_stage *stage_of(fg_program *p, int kernel, int stage) { return &p->kernel[kernel]->stage[stage]; }

/* The coefficient of a stage's own loop in an address. */
static fg_num *coefficient(fg_stage *s, fg_access *a, int loop) {
  for (int t = 0; t < a->index.at.nterm; t++)
    if (a->index.at.term[t].digit == s->loop[loop]) return &a->index.at.term[t].coef;
  fail_msg("%s: no such loop", s->what);
  return NULL;
}

static fg_num *tile_coefficient(fg_program *p, int kernel, fg_access *a) {
  for (int t = 0; t < a->index.at.nterm; t++)
    if (a->index.at.term[t].digit == p->kernel[kernel]->outer[0]) return &a->index.at.term[t].coef;
  fail_msg("no tiles in %s", p->kernel[kernel]->name);
  return NULL;
}

static void next_factor(fg_program *p) { factors(p)->col0++; }
static void other_half_of_factors(fg_program *p) { factors(p)->fold = factors(p)->cols / 2; }
static void factors_of_another_loop(fg_program *p) {
  fg_stage *s = stage_of(p, 0, 2);
  coefficient(s, &s->factors.twiddle, 1)->n--;
}

static void wrong_address(fg_program *p) {
  fg_stage *s = stage_of(p, 1, 2);
  coefficient(s, &s->store, 0)->n++;
}

static void wrong_scratch_address(fg_program *p) {
  fg_stage *s = stage_of(p, 1, 1);
  s->load.index.at.offset.n++;
}

/* Both stages agree. */
static void beyond_scratch(fg_program *p) {
  int64_t by = p->buffer[stage_of(p, 1, 0)->store.buffer].size;
  stage_of(p, 1, 0)->store.index.at.offset.n += by;
  stage_of(p, 1, 1)->load.index.at.offset.n += by;
}

static void change_extent(fg_program *p, int kernel, int stage) {
  const fg_stage *s = stage_of(p, kernel, stage);
  p->kernel[kernel]->digit[s->loop[0]].extent.n--;
}

/* What is left out is in scratch from the tile before. */
static void iteration_is_missing(fg_program *p) { change_extent(p, 1, 2); }
static void first_iteration_is_missing(fg_program *p) { change_extent(p, 0, 0); }

static void tile_is_missing(fg_program *p) {
  fg_kernel *k = p->kernel[0];
  k->digit[k->outer[0]].extent.n--;
  k->launch.blocks[0].n--;
}

static void scratch_of_the_tile_before(fg_program *p) {
  fg_stage swapped = *stage_of(p, 0, 0);
  *stage_of(p, 0, 0) = *stage_of(p, 0, 1);
  *stage_of(p, 0, 1) = swapped;
  stage_of(p, 0, 0)->vectors.shared = stage_of(p, 0, 1)->vectors.shared = stage_of(p, 0, 2)->vectors.shared = 0;
}

static const fault faults[] = {
    {"factors of the next column", next_factor},
    {"factors of the upper half of columns", other_half_of_factors},
    {"factors of another iteration", factors_of_another_loop},
    {"a wrong address of results", wrong_address},
    {"a wrong address in scratch", wrong_scratch_address},
    {"addresses beyond scratch", beyond_scratch},
    {"no last iteration", iteration_is_missing},
    {"no last iteration of the first stage", first_iteration_is_missing},
    {"no last tile", tile_is_missing},
    {"a stage before the one that it follows", scratch_of_the_tile_before},
};

static void planted_faults_are_caught(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=262144", "c2c f32 n=262144:is[1..3]:1"};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    for (int k = 0; k < 2; k++) {
      fg_program *p = assembled_for(problems[k], plan, &avx2);
      faults[i].plant(p);
      fg_proof proof = proof_of(p);
      if (proof.proved) fail_msg("%s: %s is not caught: %s", problems[k], faults[i].what, proof.walked);
    }
}

static void right_ones_hold(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=262144", "c2c f32 n=262144:is[1..3]:1",
                                         "c2c f32 n=262144 place=in sign=+1"};
  for (int k = 0; k < 3; k++) {
    fg_proof proof = proof_of(assembled_for(problems[k], plan, &avx2));
    if (!proof.proved || !is_cut(&proof)) fail_msg("%s: %s, %s", problems[k], proof.failure, proof.walked);
  }
}

static bool has_sample(const fg_program *p) {
  const int64_t params[FG_MAX_PARAMS] = {0};
  fg_stages_apart *apart = fg_arena_new(context.arena, fg_stages_apart, 1);
  assert_true(fg_prove_stages_cut(&context, p, params, apart));
  fg_block_sample *s = fg_block_sample_create(&context, apart->p, params, 5, apart);
  return s && !s->failure[0];
}

/* Tiles of the second pass load from the array that they store to, each its own columns. Where the last stage stores
 * where other tiles load, all loads before all stores are not what the program does. */
static void tiles_that_meet_are_no_sample(void **state) {
  (void)state;
  fg_program *p = assembled_for("c2c f32 n=256x512", "nd(stockham(16,16), stockham(16,32))", &avx2);
  fg_stage *last = stage_of(p, 1, 1);
  assert_int_equal(fg_buffer_root(p, stage_of(p, 1, 0)->load.buffer), fg_buffer_root(p, last->store.buffer));
  assert_true(has_sample(p));
  fg_num *step = tile_coefficient(p, 1, &last->store);
  const fg_digit *tiles = &p->kernel[1]->digit[p->kernel[1]->outer[0]];
  last->store.index.at.offset.n += step->n * tiles->step * (tiles->extent.n - 1);
  step->n = -step->n;
  assert_false(has_sample(p));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_ones_hold),
      cmocka_unit_test(planted_faults_are_caught),
      cmocka_unit_test(tiles_that_meet_are_no_sample),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
