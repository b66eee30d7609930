/* The order of statements: what is listed otherwise than the schedule says, and why. */
#include "generator/pipeline/pipeline.h"
#include "generator/text/spell.h"
#include "tests/unit/isa_program.h"
#include "tests/unit/text_lines.h"
#include <stdlib.h>

/* In the first pass, exchanges of 16 rows precede the last operation. */
static bool exchanges_early(const char *text, const char *plan_text) {
  const char *source = strstr(avx512_text(text, plan_text), "_0("), *end = strstr(source, "\n}\n");
  const char *exchange = strstr(source, "0, 16, 1, 17, 4, 20"), *last = NULL;
  for (const char *t = source; (t = strstr(t, "vec16 t")) && t < end; t++) last = t;
  assert_true(exchange && exchange < end && last);
  return exchange < last;
}

/* Where operations are more than a CPU looks ahead, and all arrays fit in L1. */
static void early(void **state) {
  (void)state;
  assert_true(exchanges_early("c2c f32 n=1024", "stockham(32,32)"));
  assert_true(exchanges_early("c2c f32 n=800", "stockham(32,25)"));
  assert_false(exchanges_early("c2c f32 n=2048", "stockham(16,8,16; complex_vectors=split)"));
  assert_false(exchanges_early("c2c f32 n=8192", "stockham(32,32,8)"));
  assert_false(exchanges_early("c2c f32 n=1024", "stockham(32,32; interleave_stores=other)"));
  assert_true(exchanges_early("c2c f32 n=8192", "stockham(32,32,8; interleave_stores=other)"));
}

/* The source for AVX2, without its comments. */
static const char *avx2_text(const char *text, const char *plan_text) {
  fg_request r = {.problem = text, .target = "c", .isa = "avx2", .plan = plan_text, .prefix = "k"};
  fg_compilation c;
  assert_int_equal(fg_pipeline_parse(&context, &r, &c), FG_OK);
  assert_int_equal(fg_pipeline_decide(&c), FG_OK);
  assert_int_equal(fg_pipeline_emit(&c), FG_OK);
  return strstr(c.emitted.artifact.source, "*/");
}

static int by_text(const void *a, const void *b) {
  const text_word *x = a, *y = b;
  size_t least = x->length < y->length ? x->length : y->length;
  int order = memcmp(x->text, y->text, least);
  return order ? order : (x->length > y->length) - (x->length < y->length);
}

static text_word *sorted_lines(const char *text, int count) {
  text_word *line = fg_arena_new(context.arena, text_word, count + 1);
  for (int i = 0; i < count; i++, text = text_line_end(text)) line[i] = text_line(text);
  qsort(line, (size_t)count, sizeof *line, by_text);
  return line;
}

/* Another order of the same lines; fences, of which there is one a load then, are left out. */
static void check_same_lines(const char *a, const char *b) {
  int n = 0, m = 0, na = text_line_count(a), nb = text_line_count(b);
  text_word *x = sorted_lines(a, na), *y = sorted_lines(b, nb);
  for (; n < na; n++) {
    if (strstr(x[n].text, "__asm__") && strstr(x[n].text, "__asm__") < x[n].text + x[n].length) continue;
    while (m < nb && strstr(y[m].text, "__asm__") && strstr(y[m].text, "__asm__") < y[m].text + y[m].length) m++;
    assert_true(m < nb && !by_text(&x[n], &y[m]));
    m++;
  }
}

/* Loads from where an iteration stores precede its stores. */
static void check_stores_last(const char *source) {
  for (const char *turn = source; (turn = strstr(turn, "const vec4 x")); turn = strstr(turn, "\n  }")) {
    const char *end = strstr(turn, "\n  }"), *store = strstr(turn, "  *(vec4_at *)"), *last = turn;
    assert_true(end && store);
    for (const char *t = turn; (t = strstr(t, " = *(const vec4_at *)(px")) && t < end; t++) last = t;
    assert_true(store > last);
  }
}

/* With 16 registers, statements in another order than the schedule's: the same ones, and what they compute is proven
 * by tests of whole programs. */
static void listed(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan, *as_scheduled;
  } row[] = {
      {"c2c f64 n=1024", "stockham(8,8,16; complex_vectors=split)",
       "stockham(8,8,16; complex_vectors=split, list_schedule=other)"},
      {"c2c f32 n=256", "stockham(16,16)", "stockham(16,16; list_schedule=other)"},
      {"r2c f64 n=1000", "real(8, stockham(25,5))", "real(8, stockham(25,5); list_schedule=other)"},
      {"c2c f64 n=256 place=in", "stockham(16,16)", "stockham(16,16; list_schedule=other)"},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const char *other = avx2_text(row[i].problem, row[i].plan);
    char *kept = strdup(other);
    const char *scheduled = avx2_text(row[i].problem, row[i].as_scheduled);
    assert_string_not_equal(kept, scheduled);
    check_same_lines(kept, scheduled);
    if (i == 0) check_stores_last(strstr(kept, "_run_1(double"));
    free(kept);
  }
}

/* The names of vectors in the order in which they are defined. */
static const char *names_in_order(const char *source) {
  fg_strbuf s = fg_strbuf_new(context.arena);
  for (const char *line = source; *line; line = text_line_end(line))
    if (text_begins(line, "const vec")) {
      text_word word = text_defined(line);
      fg_strbuf_addf(&s, "%.*s ", (int)word.length, word.text);
    }
  return s.text;
}

/* Vectors t0, t1 .. that follow later ones: the schedule has none within a function. */
static int out_of_order(const char *isa, const char *text, const char *plan_text) {
  int count = 0, last = -1;
  for (const char *line = text_for(isa, text, plan_text); *line; line = text_line_end(line)) {
    text_word word = text_begins(line, "const vec") ? text_defined(line) : (text_word){0};
    if (!word.text || word.text[0] != 't') continue;
    int number = atoi(word.text + 1);
    count += number < last;
    last = number;
  }
  return count;
}

/* With 32 registers pairs alone, where vectors are double-pumped and L1 is not far. */
static void listed_pairs(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan, *other;
    bool listed;
  } row[] = {
      {"znver4", "c2c f64 n=512", "stockham(16,32; complex_vectors=interleaved)",
       "stockham(16,32; complex_vectors=interleaved, list_schedule=other)", true},
      {"znver4", "c2c f64 n=512", "stockham(16,32; complex_vectors=split)",
       "stockham(16,32; complex_vectors=split, list_schedule=other)", false},
      {"znver4", "c2c f64 n=9000", "stockham(20,30,15; complex_vectors=interleaved)",
       "stockham(20,30,15; complex_vectors=interleaved, list_schedule=other)", false},
      {"avx512", "c2c f64 n=512", "stockham(16,32; complex_vectors=interleaved)",
       "stockham(16,32; complex_vectors=interleaved, list_schedule=other)", false},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    int usual = out_of_order(row[i].isa, row[i].problem, row[i].plan);
    int other = out_of_order(row[i].isa, row[i].problem, row[i].other);
    if (usual == other || (usual > other) != row[i].listed)
      fail_msg("%s: %s, %s: %d out of order, else %d", row[i].isa, row[i].problem, row[i].plan, usual, other);
  }
}

/* What is proved over a field is in the order in which it is compiled. */
static void listed_as_proved(void **state) {
  (void)state;
  static const char *const row[][2] = {{"c2c f64 n=1024", "stockham(8,8,16)"},
                                       {"c2c f32 n=60", "stockham(4,15)"},
                                       {"c2c f32 n=64 batch=4", "stockham(8,8)"},
                                       {"r2c f64 n=1000", "real(8, stockham(25,5))"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    fg_request r = {.problem = row[i][0], .target = "c", .isa = "avx2", .plan = row[i][1], .prefix = "k"};
    fg_compilation c;
    assert_int_equal(fg_pipeline_parse(&context, &r, &c), FG_OK);
    assert_int_equal(fg_pipeline_decide(&c), FG_OK);
    const fg_program *p = c.chosen.program;
    fg_field field;
    assert_int_equal(fg_field_create(&context, fg_program_order(p), 1, &field), FG_OK);
    fg_emit_options numbers = {.dialect = fg_dialect_find("c"), .isa = c.isa, .prefix = "k"}, over = numbers;
    over.dialect = fg_dialect_find("gf"), over.field = &field;
    fg_emitted a, b;
    assert_int_equal(fg_emit(&context, p, &numbers, &a), FG_OK);
    assert_int_equal(fg_emit(&context, p, &over, &b), FG_OK);
    assert_string_equal(names_in_order(a.artifact.source), names_in_order(b.artifact.source));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(early, setup, teardown),
      cmocka_unit_test_setup_teardown(listed, setup, teardown),
      cmocka_unit_test_setup_teardown(listed_pairs, setup, teardown),
      cmocka_unit_test_setup_teardown(listed_as_proved, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
