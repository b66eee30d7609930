/* Recorded instructions: handles, orders, the verifier, statements of a language. */
#include "generator/opt/region.h"
#include "generator/pipeline/pipeline.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_order.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/statements.h"
#include "tests/unit/isa_program.h"

static const char *real(fg_coder *c, int lanes) {
  return fg_coder_add(
      c, (fg_instr){.op = FG_CODE_NUMBER, .type = FG_CODE_REAL, .lanes = (uint8_t)lanes, .a = -1, .b = -1, .c = -1});
}

static const char *sum(fg_coder *c, const char *a, const char *b) {
  return fg_coder_real(c, FG_CODE_SUM, 4, (const char *const[]){a, b, NULL});
}

/* x, y = x + x, then a store of y. */
static fg_coder *recorded(void) {
  fg_coder *c = fg_coder_create(&context, 4, false);
  fg_coder_name(c, "const vec4", "x", real(c, 4));
  fg_coder_name(c, "const vec4", "y", sum(c, "x", "x"));
  const char *out = fg_coder_argument(c, FG_CODE_POINTER, "out");
  int32_t at = fg_coder_value(c, fg_coder_at(c, out, NULL, 0)), y = fg_coder_value(c, "y");
  fg_coder_add(c, (fg_instr){.op = FG_CODE_STORE, .lanes = 4, .a = at, .b = y, .c = -1});
  return c;
}

static void the_verifier_finds_orders(void **state) {
  (void)state;
  fg_coder *c = recorded();
  assert_true(fg_coder_holds(c));
  fg_coder_move_end(c, 2, 0); /* the sum before what it adds */
  assert_false(fg_coder_holds(c));
  c = recorded();
  int32_t count;
  fg_coder_take(c, 1, &count); /* a name that is gone */
  assert_true(fg_coder_holds(c) && count > 1);
  fg_coder_name(c, "const vec4", "z", "y");
  assert_false(fg_coder_holds(c));
}

static void the_verifier_finds_kinds(void **state) {
  (void)state;
  fg_coder *c = recorded();
  sum(c, "x", real(c, 8));
  assert_false(fg_coder_holds(c));
  c = recorded();
  fg_coder_index(c, FG_CODE_ADD, "x", "3");
  assert_false(fg_coder_holds(c));
  c = recorded();
  fg_coder_close(c);
  assert_false(fg_coder_holds(c));
}

/* What was made in a bracket is not used behind its end. */
static void the_verifier_finds_brackets(void **state) {
  (void)state;
  fg_coder *c = recorded();
  fg_coder_block(c, "{");
  const char *inside = sum(c, "x", "y");
  fg_coder_name(c, "const vec4", "z", inside);
  assert_true(fg_coder_holds(c));
  fg_coder_close(c);
  assert_true(fg_coder_holds(c));
  fg_coder_name(c, "const vec4", "a", inside);
  assert_false(fg_coder_holds(c));
}

static void statements_know_what_they_use(void **state) {
  (void)state;
  fg_coder *c = recorded();
  fg_region r = fg_region_of(c, 0);
  assert_int_equal(r.count, 3);
  assert_true(r.s[0].vector && r.s[1].vector && !r.s[2].vector);
  assert_int_equal(r.s[1].unit, FG_UNIT_SUM);
  assert_int_equal(r.s[1].noperand, 1);
  assert_int_equal(r.s[2].operand[0], 1);
  int32_t number[] = {r.s[0].number, r.s[2].number, r.s[1].number};
  fg_region_order(&r, number, 3);
  assert_false(fg_coder_holds(c));
}

/* Brackets by precedence; signs of sums; constants first in products. */
static void expressions_have_few_brackets(void **state) {
  (void)state;
  fg_coder *c = fg_coder_create(&context, 4, false);
  static const char *const argument[] = {"a", "b", "j", "k"};
  for (int i = 0; i < 4; i++) fg_coder_argument(c, FG_CODE_INDEX, argument[i]);
  const char *k8 = fg_coder_index(c, FG_CODE_MUL, "k", "8"), *less = fg_coder_index(c, FG_CODE_MUL, "k", "-3");
  const char *value[] = {fg_coder_index(c, FG_CODE_ADD, fg_coder_index(c, FG_CODE_ADD, k8, less), "-5"),
                         fg_coder_index(c, FG_CODE_MUL, fg_coder_index(c, FG_CODE_DIV, "k", "4"), "2"),
                         fg_coder_index(c, FG_CODE_MOD, fg_coder_index(c, FG_CODE_ADD, "k", "1"), "4"),
                         fg_coder_index(c, FG_CODE_SUB, "k", fg_coder_index(c, FG_CODE_SUB, "j", "1")),
                         fg_coder_index(c, FG_CODE_MUL, fg_coder_index(c, FG_CODE_ADD, "a", "b"), "2"),
                         fg_coder_choice(c, fg_coder_index(c, FG_CODE_LESS, k8, "9"), "1", "2")};
  const char *text[] = {"8 * k - 3 * k - 5", "2 * (k / 4)", "(k + 1) % 4",
                        "k - (j - 1)",       "2 * (a + b)", "8 * k < 9 ? 1 : 2"};
  fg_emitter e = {.cx = &context, .coder = c, .d = fg_dialect_find("c")};
  for (int i = 0; i < 6; i++) {
    fg_strbuf out = fg_strbuf_new(context.arena);
    int32_t from = fg_coder_position(c);
    fg_coder_name(c, "int", fg_arena_printf(context.arena, "x%d", i), value[i]);
    fg_statements_write(&e, from, fg_coder_position(c), 0, &out);
    assert_string_equal(out.text, fg_arena_printf(context.arena, "int x%d = %s;\n", i, text[i]));
  }
}

/* A pair of halves: ways and types that do not belong together are refused. */
static void the_verifier_finds_ways(void **state) {
  (void)state;
  static const struct {
    fg_code_type type;
    int stored;
    fg_access_way way;
    bool holds;
  } load[] = {
      {FG_CODE_PAIR, 0, FG_WAY_PLAIN, true},    {FG_CODE_PAIR, 0, FG_WAY_FRESH, true},
      {FG_CODE_PAIR, 0, FG_WAY_GUARDED, false}, {FG_CODE_PAIR, 0, FG_WAY_EVICT_LAST, false},
      {FG_CODE_PAIR, 1, FG_WAY_PLAIN, true},    {FG_CODE_PAIR, 1, FG_WAY_ONCE, false},
      {FG_CODE_REAL, 0, FG_WAY_ONCE, false},    {FG_CODE_WORD, 1, FG_WAY_PLAIN, true},
      {FG_CODE_WORD, 0, FG_WAY_PLAIN, false},   {FG_CODE_INDEX, 0, FG_WAY_PLAIN, false},
  };
  for (size_t l = 0; l < sizeof load / sizeof *load; l++) {
    fg_coder *c = recorded();
    fg_instr i = {.op = FG_CODE_LOAD, .type = (uint8_t)load[l].type, .lanes = 2, .b = -1, .c = -1};
    i.a = fg_coder_value(c, "out"), i.stored = (uint8_t)load[l].stored, i.imm.i = load[l].way;
    fg_coder_name(c, "float2", "p", fg_coder_add(c, i));
    assert_int_equal(fg_coder_holds(c), load[l].holds);
    if (!load[l].holds || load[l].type != FG_CODE_PAIR) continue;
    fg_coder_part(c, "p", 1);
    assert_true(fg_coder_holds(c));
    fg_coder_part(c, "p", 2);
    assert_false(fg_coder_holds(c));
  }
}

/* A word goes to memory of its type alone. */
static void the_verifier_finds_words(void **state) {
  (void)state;
  for (int stored = 0; stored < 4; stored++) {
    fg_coder *c = recorded();
    const char *a = real(c, 1);
    const char *word = fg_coder_pair(c, a, a, &(fg_storage_row){.stored = 1});
    fg_instr i = {.op = FG_CODE_STORE, .lanes = 1, .c = -1, .stored = (uint8_t)stored};
    i.a = fg_coder_value(c, "out"), i.b = fg_coder_value(c, word);
    fg_coder_add(c, i);
    assert_int_equal(fg_coder_holds(c), stored == 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_verifier_finds_orders, setup, teardown),
      cmocka_unit_test_setup_teardown(the_verifier_finds_ways, setup, teardown),
      cmocka_unit_test_setup_teardown(the_verifier_finds_words, setup, teardown),
      cmocka_unit_test_setup_teardown(the_verifier_finds_kinds, setup, teardown),
      cmocka_unit_test_setup_teardown(the_verifier_finds_brackets, setup, teardown),
      cmocka_unit_test_setup_teardown(statements_know_what_they_use, setup, teardown),
      cmocka_unit_test_setup_teardown(expressions_have_few_brackets, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
