/* Programs as instructions: every kind, move and layout is proved by running the
 * instructions over prime fields; and instructions that were changed are not. */
#include "generator/assemble/assemble.h"
#include "generator/pipeline/pipeline.h"
#include "generator/print/emit.h"
#include "generator/prove/text.h"
#include "generator/text/recorder.h"
#include "tests/unit/fixture.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static void compile(const char *problem, const char *plan, const char *isa, fg_compilation *c) {
  fg_request r = {.problem = problem, .plan = plan, .target = "code", .isa = isa, .entry = true};
  context.diag.message[0] = 0;
  fg_status status = fg_pipeline_parse(&context, &r, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  if (status == FG_OK) status = fg_pipeline_emit(c);
  if (status != FG_OK) fail_msg("%s, %s, %s: %s", problem, plan ? plan : "", isa, context.diag.message);
}

typedef struct row {
  const char *problem, *plan;
} row;

static const row rows[] = {
    {"c2c f64 n=1", NULL},
    {"c2c f64 n=8", NULL},
    {"c2c f32 n=5 sign=+1", NULL},
    {"c2c f32 n=64", "stockham(8,8)"},
    {"c2c f32 n=256", "stockham(16,16)"},
    {"c2c f64 n=105 batch=3", "stockham(3,5,7)"},
    {"c2c f64 n=1000", "stockham(8,25,5)"},
    {"c2c f32 n=15 batch=33 place=in", NULL},
    {"c2c f32 n=16 batch=count[1..300]", NULL},
    {"c2c f64 n=64 layout=split", NULL},
    {"c2c f32 n=7 batch=24", NULL},
    {"c2c f32 n=23", "bluestein(48,stockham(6,8))"},
    {"c2c f64 n=23 sign=+1", "bluestein(64,stockham(8,8); tables=init)"},
    {"c2c f32 n=4096", "four-step(stockham(8,8),stockham(8,8))"},
    {"c2c f32 n=12x16", NULL},
    {"c2c f64 n=4x6x10 place=in", NULL},
    {"r2c f32 n=30 batch=9", NULL},
    {"c2r f64 n=16 batch=5", NULL},
    {"dct2 f32 n=12 batch=4", NULL},
    {"dst4 f64 n=9", NULL},
    {"c2c f32 n=20 load=u8 store=mag", NULL},
    {"c2c f32 n=64", "stockham(8,8; stream=on)"},
    {"c2c f32 n=64 compute=f64", "stockham(8,8; stream=on)"}, /* what is converted is not stored past the caches */
    {"r2c f32 n=48 store=i16", "real(6, stockham(8); stream=on)"},
    {"c2c f64 n=64", "stockham(8,8; parallel_split=on)"},
    {"c2c f32 n=60 batch=7 place=in", "stockham(3,4,5; parallel_split=on)"},
    {"c2c f64 n=16 batch=count[1..20]", "stockham(4,4; parallel_split=on)"},
    {"c2c f32 n=1024", "four-step(stockham(8,4),stockham(8,4); tile=8, rows=8, parallel_split=on)"},
    {"c2c f64 n=37 batch=2", "rader(37,stockham(6,6); parallel_split=on)"},
    {"c2c f32 n=16 batch=1100", "direct(16)"}, /* parts because it is large */
};

static const char *const isas[] = {"scalar", "sse2", "avx2", "avx512"};

static void all_forms_are_proved(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t k = 0; k < sizeof isas / sizeof *isas; k++) {
      fg_compilation c;
      compile(rows[i].problem, rows[i].plan, isas[k], &c);
      assert_non_null(c.emitted.artifact.instructions);
      if (fg_pipeline_prove_text(&c) != FG_OK) fail_msg("%s: %s", isas[k], context.diag.message);
      if (!c.text.proved) fail_msg("%s, %s: %s", rows[i].problem, isas[k], c.text.walked);
      assert_true(c.text.runs > 0 && c.text.outputs > 0 && c.text.literal_ulp <= 0.51);
    }
}

/* ---- changed instructions ------------------------------------------------------------------ */

static fg_instructions *copy_of(const fg_instructions *code) {
  fg_instructions *copy = fg_arena_copy(context.arena, code, sizeof *code);
  copy->instr = fg_arena_copy(context.arena, code->instr, sizeof *code->instr * (size_t)code->count);
  if (code->nlist) copy->list = fg_arena_copy(context.arena, code->list, sizeof *code->list * (size_t)code->nlist);
  return copy;
}

/* Another operation, operand, address or lane; false: this instruction has none. */
static bool change(fg_instructions *code, int32_t number) {
  fg_instr *i = &code->instr[number];
  switch (i->op) {
  case FG_CODE_SUM: i->op = FG_CODE_DIFFERENCE; return true;
  case FG_CODE_DIFFERENCE: i->op = FG_CODE_SUM; return true;
  case FG_CODE_FUSED_ADD: i->op = FG_CODE_FUSED_NEGADD; return true;
  case FG_CODE_NUMBER: i->imm.image++; return true;
  case FG_CODE_AT: i->imm.i++; return true;
  case FG_CODE_LOOP: i->imm.i *= 2; return true;
  case FG_CODE_STORE: i->op = FG_CODE_FENCE; return true;
  case FG_CODE_SHUFFLE: code->list[i->list + i->lanes - 1] ^= 1; return true;
  default: return false;
  }
}

/* Whether anything but dead code depends on the instruction. */
static bool *live_of(const fg_instructions *code) {
  bool *live = fg_arena_new(context.arena, bool, code->count + 1);
  for (int32_t n = code->count - 1; n >= 0; n--) {
    const fg_instr *i = &code->instr[n];
    if (i->type != FG_CODE_NONE && i->op != FG_CODE_LOOP && !live[n]) continue;
    live[n] = true;
    if (i->op == FG_CODE_MEMORY || i->op == FG_CODE_TABLE) continue;
    const int32_t operand[] = {i->a, i->b, i->c};
    for (int k = 0; k < 3; k++)
      if (operand[k] >= 0) live[operand[k]] = true;
    for (int l = 0; i->op == FG_CODE_MAKE && l < i->lanes; l++) live[code->list[i->list + l]] = true;
  }
  return live;
}

static void changed_instructions_are_found(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan, *isa;
  } some[] = {{"c2c f32 n=64", "stockham(8,8)", "avx2"},
              {"c2c f64 n=60 batch=9", "stockham(6,10)", "avx2"}, /* rows one by one, none stored twice */
              {"c2c f64 n=15 batch=9", "stockham(3,5)", "avx512"}};
  for (size_t r = 0; r < sizeof some / sizeof *some; r++) {
    fg_compilation c;
    fg_field field;
    fg_emitted gf;
    compile(some[r].problem, some[r].plan, some[r].isa, &c);
    assert_int_equal(fg_field_create(&context, fg_program_order(c.chosen.program), 7, &field), FG_OK);
    fg_emit_options o = {.dialect = fg_dialect_find("code-gf"), .isa = c.isa, .field = &field};
    assert_int_equal(fg_emit(&context, c.chosen.program, &o, &gf), FG_OK);
    const fg_instructions *right = gf.artifact.instructions;
    const bool *live = live_of(right);
    int changes = 0, missed = 0;
    for (int32_t n = 0; n < right->count; n++) {
      fg_instructions *wrong = copy_of(right);
      if (!live[n] || !change(wrong, n)) continue;
      fg_artifact a = gf.artifact;
      a.instructions = wrong;
      fg_proof_text text = {.p = c.chosen.program, .artifact = &a, .field = &field, .seed = 3};
      fg_text_proof proof = {0};
      assert_int_equal(fg_proof_text_run(&context, &text, &proof), FG_OK);
      changes++;
      missed += !proof.failure[0];
    }
    assert_true(changes > 20);
    assert_int_equal(missed, 0);
  }
}

static void equal_programs_give_equal_listings(void **state) {
  (void)state;
  fg_compilation a, b;
  compile("c2c f32 n=1009", NULL, "avx2", &a);
  compile("c2c f32 n=1009", NULL, "avx2", &b);
  assert_string_equal(a.emitted.artifact.source, b.emitted.artifact.source);
}

/* `emit --target code` asks for no entries: parts of steps, which entries have, are none of its instructions then. */
static void handed_out_without_entries(void **state) {
  (void)state;
  fg_compilation c;
  fg_request r = {.problem = "c2c f64 n=16384", .target = "code", .isa = "avx2"};
  context.diag.message[0] = 0;
  if (fg_pipeline_compile(&context, &r, &c) != FG_OK) fail_msg("%s", context.diag.message);
  assert_true(c.text.proved);
  assert_int_equal(c.emitted.artifact.nstep, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(all_forms_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(changed_instructions_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(equal_programs_give_equal_listings, setup, teardown),
      cmocka_unit_test_setup_teardown(handed_out_without_entries, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
