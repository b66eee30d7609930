/* Several transforms of a batch at a time: as lanes of vectors, whose passes exchange nothing, and row by row. */
#include "tests/unit/proving.h"

static const fg_mapping sixteen_lanes = {.lanes = 16, .registers = 32, .fma = true};

typedef struct group {
  const char *problem, *plan;
  const fg_mapping *map;
} group;

static const group side_by_side[] = {
    {"r2c f32 n=96 batch=40", "real(8, direct(12); side_by_side=16)", &sixteen_lanes}, /* the last group overlaps */
    {"r2c f32 n=60 batch=32 place=in", "real(6, stockham(5,2); side_by_side=16)", &sixteen_lanes},
    {"r2c f64 n=100:1:2 batch=9", "real(10, direct(10); side_by_side=8)", &eight_lanes},
    {"c2r f32 n=96 batch=19", "real(8, direct(12); side_by_side=8)", &eight_lanes},
    {"c2r f64 n=54 batch=3x16 place=in", "real(6, direct(9); side_by_side=8)", &eight_lanes},
    {"c2c f32 n=49 batch=21", "stockham(7,7; side_by_side=8)", &eight_lanes},
    {"c2c f32 n=3 batch=16", "direct(3; side_by_side=8)", &eight_lanes},
    {"c2c f64 n=30 batch=24 layout=split place=in", "stockham(6,5; side_by_side=8)", &eight_lanes},
};

static const group rows[] = {
    {"c2c f32 n=75 batch=40", "stockham(15,5; rows=6)", &sixteen_lanes},
    {"c2c f64 n=64 batch=12 place=in", "stockham(8,8; rows=4)", &eight_lanes},
    {"c2c f64 n=64 batch=13 place=in", "stockham(8,8; rows=4)", &eight_lanes}, /* one by one */
    {"r2c f32 n=128 batch=21", "real(4, stockham(8,4); rows=4)", &sixteen_lanes},
    {"c2r f32 n=45 batch=11", "stockham(9,5; rows=3)", &eight_lanes},
};

/* Lanes next to each other in scratch: copies alone have others. */
static bool exchanges(const fg_program *p, const fg_stage *s) {
  const fg_access *side[] = {&s->load, &s->store};
  for (int i = 0; i < 2; i++)
    for (const fg_access *a = side[i]; a; a = a->rest)
      if (p->buffer[a->buffer].space == FG_SPACE_LOCAL && a->move != FG_MOVE_CONTIG) return true;
  return false;
}

static void lanes_exchange_nothing(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof side_by_side / sizeof *side_by_side; i++) {
    const group *g = &side_by_side[i];
    const fg_program *p = assembled_for(g->problem, g->plan, g->map);
    must_hold(p);
    for (int s = 0; s < p->kernel[0]->nstage; s++)
      if (exchanges(p, &p->kernel[0]->stage[s])) fail_msg("%s: stage %d exchanges numbers between lanes", g->problem, s);
  }
}

static void rows_hold(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    must_hold(assembled_for(rows[i].problem, rows[i].plan, rows[i].map));
}

static void others_are_refused(void **state) {
  (void)state;
  static const group refused[] = {
      {"r2c f32 n=45 batch=40", "stockham(9,5; side_by_side=8)", &eight_lanes},
      {"r2c f32 n=96", "real(8, direct(12); side_by_side=8)", &eight_lanes},
      {"r2c f32 n=96 batch=count[1..40]", "real(8, direct(12); side_by_side=8)", &eight_lanes},
      {"c2c f32 n=64 batch=19 place=in", "stockham(8,8; side_by_side=8)", &eight_lanes},
      {"c2c f32 n=64 batch=16 load=x*2", "stockham(8,8; side_by_side=8)", &eight_lanes},
      {"c2c f32 n=64 batch=16", "stockham(8,8; side_by_side=8)", &threads},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    fg_program *p;
    if (try_assemble(refused[i].problem, refused[i].plan, refused[i].map, &p) != FG_ENA)
      fail_msg("%s was taken", refused[i].problem);
    assert_non_null(strstr(context.diag.message, "side_by_side takes"));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_exchange_nothing), cmocka_unit_test(rows_hold),
                                     cmocka_unit_test(others_are_refused)};
  return cmocka_run_group_tests(tests, setup_guarded, teardown);
}
