/* A bundle's code that chooses between pieces: a planted mistake is refused. */
#include "generator/prove/dispatch.h"
#include "tests/unit/changed_text.h"
#include "tests/unit/fixture.h"

#define ARRAYS "const float *D_RESTRICT in, float *D_RESTRICT out"

/* Two problems for scalar, avx2 and neon; the second has scratch, tables and a parameter. */
static fg_piece pieces[] = {
    {.name = "d_a_scalar", .body = "static void d_a_scalar(" ARRAYS ") {\n  out[0] = in[0];\n}\n"},
    {.name = "d_a_avx2", .body = "static D_AVX2 void d_a_avx2(" ARRAYS ") {\n  out[0] = in[1];\n}\n"},
    {.name = "d_a_neon", .body = "static void d_a_neon(" ARRAYS ") {\n  out[0] = in[2];\n}\n"},
    {.name = "d_b_scalar", .body = "static void d_b_scalar(" ARRAYS ", ptrdiff_t count) {\n  out[count] = in[3];\n}\n"},
    {.name = "d_b_avx2",
     .body = "static void d_b_avx2_init(void *tables) {\n  (void)tables;\n}\n"
             "static D_AVX2 void d_b_avx2(" ARRAYS ", float *D_RESTRICT scratch, const void *D_RESTRICT tables, "
             "ptrdiff_t count) {\n  (void)scratch, (void)tables, out[count] = in[4];\n}\n",
     .scratch_bytes = 512,
     .table_bytes = 96},
    {.name = "d_b_neon", .body = "static void d_b_neon(" ARRAYS ", ptrdiff_t count) {\n  out[count] = in[5];\n}\n"}};

static const char head[] = "#include <stddef.h>\n#define D_RESTRICT restrict\n"
                           "#if defined(__GNUC__) && defined(__aarch64__)\n#define D_HAS_NEON 1\n#else\n"
                           "#define D_HAS_NEON 0\n#endif\n"
                           "#ifndef D_WIDEST\n#if defined(__GNUC__) && defined(__x86_64__)\n#define D_WIDEST 2\n#else\n"
                           "#define D_WIDEST 1\n#endif\n#endif\n"
                           "#define D_AVX2 __attribute__((target(\"avx2,fma\")))\n"
                           "static const float d_table[2] = {\n  1.0f, 0.5f,\n};\n";
static const char tail[] =
    "static int d_level(void) {\n#if D_HAS_NEON\n  return 3;\n#elif D_WIDEST >= 2\n  static int known;\n"
    "  int level = __atomic_load_n(&known, __ATOMIC_RELAXED);\n  if (level) return level;\n  __builtin_cpu_init();\n"
    "  level = 1;\n#if D_WIDEST >= 2\n"
    "  if (__builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\")) level = 2;\n#endif\n"
    "  __atomic_store_n(&known, level, __ATOMIC_RELAXED);\n  return level;\n#else\n  return 1;\n#endif\n}\n"
    "const char *d_isa(void);\nconst char *d_isa(void) {\n"
    "  static const char *const names[] = {\"scalar\", \"avx2\", \"neon\"};\n  return names[d_level() - 1];\n}\n"
    "void d_a(" ARRAYS
    ") {\n#if D_HAS_NEON\n  if (d_level() >= 3) {\n    d_a_neon(in, out);\n    return;\n  }\n#endif\n"
    "#if D_WIDEST >= 2\n  if (d_level() >= 2) {\n    d_a_avx2(in, out);\n    return;\n  }\n#endif\n"
    "  d_a_scalar(in, out);\n}\n"
    "void d_b(" ARRAYS ", float *D_RESTRICT scratch, const void *D_RESTRICT tables, ptrdiff_t count) {\n"
    "#if D_HAS_NEON\n  if (d_level() >= 3) {\n    d_b_neon(in, out, count);\n    return;\n  }\n#endif\n"
    "#if D_WIDEST >= 2\n  if (d_level() >= 2) {\n    d_b_avx2(in, out, scratch, tables, count);\n    return;\n  "
    "}\n#endif\n"
    "  (void)scratch;\n  (void)tables;\n  d_b_scalar(in, out, count);\n}\n"
    "void d_b_init(void *tables) {\n#if D_WIDEST >= 2\n  if (d_level() == 2) {\n    d_b_avx2_init(tables);\n    "
    "return;\n"
    "  }\n#endif\n  (void)tables;\n}\n";
static const char header[] =
    "#ifndef D_H\n#define D_H\n#include <stddef.h>\n#define D_A_POINTS 8\n"
    "#define D_A_SCRATCH_BYTES 0\n#define D_A_TABLE_BYTES 0\n#define D_B_POINTS 60\n"
    "#define D_B_SCRATCH_BYTES 512\n#define D_B_TABLE_BYTES 96\n"
    "const char *d_isa(void);\nvoid d_a(const float *in, float *out);\n"
    "void d_b(const float *in, float *out, float *scratch, const void *tables, ptrdiff_t count);\n"
    "void d_b_init(void *tables);\n#endif\n";

/* from NULL: as it is. */
static const char *replaced(const char *text, const char *from, const char *to) {
  return from ? text_with(context.arena, text, from, 1, to) : text;
}

/* What is said of the bundle. */
static const char *said(const char *code, const char *declared) {
  static const char *const symbol[] = {"d_a", "d_b"};
  static const int64_t points[] = {8, 60};
  const fg_isa *isa[] = {fg_isa_find("scalar"), fg_isa_find("avx2"), fg_isa_find("neon")};
  const fg_piece *piece[6];
  const char *source = head;
  char failure[256];
  for (int level = 0; level < 3; level++) {
    const char *guard = level == 0 ? "1" : level == 1 ? "D_WIDEST >= 2" : "D_HAS_NEON";
    source = fg_arena_printf(context.arena, "%s#if %s\n%s%s#endif\n", source, guard, pieces[level].body,
                             pieces[3 + level].body);
  }
  for (int i = 0; i < 6; i++) piece[i] = &pieces[i];
  const fg_dispatch d = {.name = "d",
                         .source = fg_arena_printf(context.arena, "%s%s", source, code),
                         .header = declared,
                         .nproblem = 2,
                         .nlevel = 3,
                         .symbol = symbol,
                         .points = points,
                         .isa = isa,
                         .piece = piece,
                         .nhere = 2};
  assert_int_equal(fg_prove_dispatch(&context, &d, failure), FG_OK);
  return fg_arena_strdup(context.arena, failure);
}

typedef struct mistake {
  const char *from, *to, *says;
} mistake;

static void mistakes_are_found(void **state) {
  (void)state;
  static const mistake mistakes[] = {
      {"d_a_avx2(in, out)", "d_a_scalar(in, out)", "another piece is called by d_a"},
      {"d_b_scalar(in, out, count)", "d_a_scalar(in, out)", "another piece is called by d_b"},
      {"d_a_neon(in, out)", "d_b_neon(in, out, 1)", "another piece is called by d_a"},
      {"d_level() >= 2", "d_level() >= 3", "another piece is called by d_a"},
      {"d_level() >= 2", "d_level() >= 1", "another piece is called by d_a"},
      {"    d_a_avx2(in, out);\n    return;\n", "    d_a_avx2(in, out);\n", "not one call"},
      {"    d_a_avx2(in, out);\n", "", "not one call"},
      {"d_b_avx2(in, out, scratch", "d_b_avx2(in, (float *)in, scratch", "in place of out"},
      {"d_b_avx2(in, out, scratch, tables, count)", "d_b_avx2(in, out, scratch + 1, tables, count)", "scratch"},
      {"d_b_neon(in, out, count)", "d_b_neon(in, out, count + 1)", "count"},
      {" && __builtin_cpu_supports(\"fma\")", "", "another piece"},
      {"__builtin_cpu_supports(\"avx2\") && ", "", "another piece"},
      {"supports(\"fma\")", "supports(\"fma4\")", "another piece"},
      {"level = 2;", "level = 1;", "another piece"},
      {"  return 3;", "  return 2;", "another piece"},
      {"#if D_WIDEST >= 2\n  if (d_level() >= 2) {\n    d_a", "#if D_WIDEST >= 3\n  if (d_level() >= 2) {\n    d_a",
       "another piece"},
      {"\"scalar\", \"avx2\"", "\"avx2\", \"scalar\"", "another instruction set"},
      {"    d_b_avx2_init(tables);\n", "    (void)tables;\n", "other tables"},
      {"d_level() == 2", "d_level() == 1", "other tables"},
      {"d_b_avx2_init(tables)", "d_b_avx2_init((char *)tables + 64)", "other tables"},
      {"void d_b(", "void d_c(", "does not compile"},
      {"void d_a(const float *D_RESTRICT in, float", "void d_a(const float *D_RESTRICT in, double", "does not compile"},
  };
  assert_string_equal(said(tail, header), "");
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    const char *failure = said(replaced(tail, mistakes[i].from, mistakes[i].to), header);
    if (!strstr(failure, mistakes[i].says))
      fail_msg("'%s' for '%s': \"%s\" does not say \"%s\"", mistakes[i].to, mistakes[i].from, failure,
               mistakes[i].says);
  }
}

static void headers_suffice(void **state) {
  (void)state;
  static const mistake mistakes[] = {
      {"D_B_SCRATCH_BYTES 512", "D_B_SCRATCH_BYTES 448", "too little scratch"},
      {"D_B_TABLE_BYTES 96", "D_B_TABLE_BYTES 64", "too little room for tables"},
      {"D_A_POINTS 8", "D_A_POINTS 60", "number of points"},
      {"void d_b_init(void *tables);\n", "", "nothing fills"},
      {"void d_a(const float *in, float *out);\n", "", "does not declare"},
      {"float *scratch, const void *tables,", "const void *tables, float *scratch,", "bundle:"},
  };
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    const char *failure = said(tail, replaced(header, mistakes[i].from, mistakes[i].to));
    if (!strstr(failure, mistakes[i].says))
      fail_msg("'%s' for '%s': \"%s\" does not say \"%s\"", mistakes[i].to, mistakes[i].from, failure,
               mistakes[i].says);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(mistakes_are_found, setup, teardown),
                                     cmocka_unit_test_setup_teardown(headers_suffice, setup, teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
