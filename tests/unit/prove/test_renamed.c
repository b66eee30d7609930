/* A piece of a bundle is its proved source with other names: any other difference is found. */
#include "generator/prove/renamed.h"
#include "tests/unit/changed_text.h"
#include "tests/unit/fixture.h"

static const char proved[] =
    "#include <stddef.h>\n"
    "static const float tw0[4] __attribute__((aligned(32))) = {\n  1.0f, 0.5f, -0.25f, 2.0f,\n};\n"
    "static const float tw1[2] = {\n  3.0f, 1e-3f,\n};\n\n"
    "/* a stage */\n"
    "static void k_run_0(const float *K_RESTRICT in, float *K_RESTRICT work0) {\n"
    "  const vec8 KP5 = 0.5f - K_OF(vec8){0};\n"
    "  for (ptrdiff_t q = 0; q < 6; ++q) *(vec8_at *)(work0 + 8 * q) = KP5 * tw0[q & 3];\n"
    "  K_FENCE;\n"
    "}\n\n"
    "#ifdef __cplusplus\nextern \"C\"\n#endif\n"
    "void k(const float *in, float *out) {\n  k_run_0(in, out);\n  out[0] = tw0[0] + tw1[1];\n}\n";
static const char piece[] =
    "/* a stage */\n"
    "static D_AVX2 void d_c2c_avx2_run_0(const float *D_RESTRICT in, float *D_RESTRICT work0) {\n"
    "  const vec8_f32 KP5 = 0.5f - D_OF(vec8_f32){0};\n"
    "  for (ptrdiff_t q = 0; q < 6; ++q) *(vec8_f32_at *)(work0 + 8 * q) = KP5 * d_table2[q & 3];\n"
    "  D_FENCE;\n"
    "}\n\n"
    "static D_AVX2 void d_c2c_avx2(const float *in, float *out) {\n"
    "  d_c2c_avx2_run_0(in, out);\n  out[0] = d_table2[0] + d_table1[1];\n}\n";
static const char tables[] = "static const float d_table1[2] = {\n  3.0f, 1e-3f,\n};\n"
                             "static const float d_table2[4] __attribute__((aligned(64))) = {\n"
                             "  1.0f, 0.5f,\n  -0.25f, 2.0f,\n};\n"
                             "static const float d_table3[4] = {\n  1.0f, 0.5f, 0.25f, 2.0f,\n};\n";

static char *changed(const char *text, const char *from, const char *to) {
  return text_with(context.arena, text, from, 1, to);
}

static bool agrees(const char *source, const char *table, const char *body) {
  char failure[256] = "";
  const char *whole = fg_arena_printf(context.arena, "%s%s", table, body);
  const fg_renaming r = {source, "k", body, "d_c2c_avx2", "K", "D", "D_AVX2", whole};
  bool good = fg_prove_renamed(&context, &r, failure);
  assert_true(good == !failure[0]);
  return good;
}

static void names_are_no_difference(void **state) {
  (void)state;
  assert_true(agrees(proved, tables, piece));
  assert_true(agrees(proved, tables, changed(piece, "/* a stage */", "/* another\n * remark */")));
  assert_true(agrees(changed(proved, "void k(const", "void k_init(void *tables);\nvoid k(const"), tables, piece));
}

static void differences_are_found(void **state) {
  (void)state;
  static const char *const of_piece[][2] = {
      {"q < 6", "q < 7"},
      {"q < 6", "q <= 6"},
      {"0.5f -", "0.5f +"},
      {"0.5f -", "0.50000001f -"},
      {"8 * q", "8 * in"},
      {"run_0(in, out)", "run_1(in, out)"},
      {"run_0(in, out)", "run_0(out, in)"},
      {"d_table2[q", "d_table1[q"},
      {"d_table2[q", "d_table3[q"},
      {"d_table2[0]", "d_table1[0]"},
      {"d_table1[1]", "d_table2[1]"},
      {"const vec8_f32 KP5", "const vec4_f32 KP5"},
      {"*(vec8_f32_at", "*(vec8_f32"},
      {"D_FENCE;", ""},
      {"D_FENCE;", "D_FENCE; D_FENCE;"},
      {"out[0] = d_table2[0] + d_table1[1];\n}\n", "}\n"},
      {"out[0] = d_table2[0] + d_table1[1];\n}\n", "out[0] = d_table2[0] + d_table1[1];\n}\nint x;\n"},
      {"d_c2c_avx2(const", "d_c2c_sse2(const"},
      {"const float *in, float *out", "float *in, float *out"},
  };
  for (size_t i = 0; i < sizeof of_piece / sizeof *of_piece; i++)
    if (agrees(proved, tables, changed(piece, of_piece[i][0], of_piece[i][1])))
      fail_msg("'%s' for '%s' is not found", of_piece[i][1], of_piece[i][0]);
  static const char *const of_tables[][2] = {{"-0.25f, 2.0f", "0.25f, 2.0f"},
                                             {"-0.25f, 2.0f", "-0.25f, 1.0f"},
                                             {"float d_table2[4]", "double d_table2[4]"},
                                             {"1e-3f", "1e+3f"},
                                             {"d_table1[2]", "d_table1[3]"},
                                             {"3.0f, ", "3.0f, 3.0f, "}};
  for (size_t i = 0; i < sizeof of_tables / sizeof *of_tables; i++)
    if (agrees(proved, changed(tables, of_tables[i][0], of_tables[i][1]), piece))
      fail_msg("'%s' for '%s' is not found", of_tables[i][1], of_tables[i][0]);
}

/* What is not in the file is nothing that was proved. */
static void pieces_are_in_their_file(void **state) {
  (void)state;
  char failure[256] = "";
  const fg_renaming r = {proved, "k", piece, "d_c2c_avx2", "K", "D", "D_AVX2", tables};
  assert_false(fg_prove_renamed(&context, &r, failure));
  assert_non_null(strstr(failure, "does not have"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(names_are_no_difference, setup, teardown),
      cmocka_unit_test_setup_teardown(differences_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(pieces_are_in_their_file, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
