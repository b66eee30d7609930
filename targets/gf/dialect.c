/* The prime-field dialect: the same C text, with operations of a prime field (fg_add and others, which the caller of
 * the compiler defines) in place of floating point, and plain structs with functions in place of vectors. Running it
 * checks the emitter: every loop, address, shuffle and lane runs as written. */
#include "targets/c_family.h"

#define REAL "unsigned long long"
#define LANES "  for (int i = 0; i < %N; ++i) "
#define BINARY(name, expression)                                                                                       \
  "static %V %V_" name "(%V a, %V b) {\n  %V r;\n" LANES "r.v[i] = " expression ";\n  return r;\n}\n"
#define UNARY(name, expression)                                                                                        \
  "static %V %V_" name "(%V a) {\n  %V r;\n" LANES "r.v[i] = " expression ";\n  return r;\n}\n"
#define TERNARY(name, expression)                                                                                      \
  "static %V %V_" name "(%V a, %V b, %V c) {\n  %V r;\n" LANES "r.v[i] = " expression ";\n  return r;\n}\n"

/* Of functions that operations call, with one operand and two. */
#define LANES_1(name) UNARY(name, "fg_" name "(a.v[i])")
#define LANES_2(name) BINARY(name, "fg_" name "(a.v[i], b.v[i])")
#define DECLARED_1 "(" REAL " a);\n"
#define DECLARED_2 "(" REAL " a, " REAL " b);\n"

const fg_dialect fg_dialect_gf = {
    .name = "gf",
    .reserved = FG_C_FAMILY_WORDS,
    .extension = ".gf.c",
    .note = "Arithmetic of a prime field in place of floating point: for the proof of the text, not for use.",
    .real = {NULL, NULL, REAL, REAL},
    .literal_suffix = {"", "", "", ""},
    .field_literals = true,
    .index_type = "long long",
    .lookup_type = "int",
    .preamble = "extern " REAL " fg_add(" REAL " a, " REAL " b);\n"
                "extern " REAL " fg_sub(" REAL " a, " REAL " b);\n"
                "extern " REAL " fg_mul(" REAL " a, " REAL " b);\n"
                "extern " REAL " fg_neg(" REAL " a);\n"
#define CALL(NAME, name, operands, meaning) "extern " REAL " fg_" name DECLARED_##operands
#include "targets/forms/calls.def"
#undef CALL
                "extern void fg_begins(int stage);\n"
                "extern int fg_leaves_out(int loop, long long at);\n",
    .stage = "fg_begins(%i);",
    .iteration = "if (fg_leaves_out(%i, %v)) continue;",
    .exact_preamble = "",
    .function_qualifier = "static void",
    .kernel_qualifier = "static void",
    .restrict_word = "restrict ",
    .stage_restrict_word = "restrict ",
    .global_space = "",
    .local_space = "",
    .tables = FG_TABLES_EACH,
    .op = {[FG_SPELL_NEG] = "fg_neg(%a)",
           [FG_SPELL_ADD] = "fg_add(%a, %b)",
           [FG_SPELL_SUB] = "fg_sub(%a, %b)",
           [FG_SPELL_MUL] = "fg_mul(%a, %b)",
           [FG_SPELL_FMA] = "fg_add(fg_mul(%a, %b), %c)",
           [FG_SPELL_FMS] = "fg_sub(fg_mul(%a, %b), %c)",
           [FG_SPELL_FNMA] = "fg_sub(%c, fg_mul(%a, %b))"},
    .call = {[FG_CALL_SQRT] = "fg_sqrt(%a)",
             [FG_CALL_LOG10] = "fg_log10(%a)",
             [FG_CALL_LOG] = "fg_log(%a)",
             [FG_CALL_EXP] = "fg_exp(%a)",
             [FG_CALL_ABS] = "fg_abs(%a)",
             [FG_CALL_MIN] = "fg_min(%a, %b)",
             [FG_CALL_MAX] = "fg_max(%a, %b)",
             [FG_CALL_DIVIDE] = "fg_div(%a, %b)"},
    .vector.call = {[FG_CALL_SQRT] = "%V_sqrt(%a)",
                    [FG_CALL_LOG10] = "%V_log10(%a)",
                    [FG_CALL_LOG] = "%V_log(%a)",
                    [FG_CALL_EXP] = "%V_exp(%a)",
                    [FG_CALL_ABS] = "%V_abs(%a)",
                    [FG_CALL_MIN] = "%V_min(%a, %b)",
                    [FG_CALL_MAX] = "%V_max(%a, %b)",
                    [FG_CALL_DIVIDE] = "%V_div(%a, %b)"},
    .vector.call_preamble = {[FG_CALL_SQRT] = {LANES_1("sqrt")},
                             [FG_CALL_LOG10] = {LANES_1("log10")},
                             [FG_CALL_LOG] = {LANES_1("log")},
                             [FG_CALL_EXP] = {LANES_1("exp")},
                             [FG_CALL_ABS] = {LANES_1("abs")},
                             [FG_CALL_MIN] = {LANES_2("min")},
                             [FG_CALL_MAX] = {LANES_2("max")},
                             [FG_CALL_DIVIDE] = {LANES_2("div")}},
    .vector.possible = true,
    .vector.preamble = "typedef struct { " REAL " v[%N]; } %V;\n"                            //
    BINARY("add", "fg_add(a.v[i], b.v[i])")                                                  //
    BINARY("sub", "fg_sub(a.v[i], b.v[i])")                                                  //
    BINARY("mul", "fg_mul(a.v[i], b.v[i])")                                                  //
    TERNARY("fma", "fg_add(fg_mul(a.v[i], b.v[i]), c.v[i])")                                 //
    TERNARY("fms", "fg_sub(fg_mul(a.v[i], b.v[i]), c.v[i])")                                 //
    TERNARY("fnma", "fg_sub(c.v[i], fg_mul(a.v[i], b.v[i]))")                                //
    "static %V %V_neg(%V a) {\n  %V r;\n" LANES "r.v[i] = fg_neg(a.v[i]);\n  return r;\n}\n" //
    "static %V %V_load(const " REAL " *p) {\n  %V r;\n" LANES "r.v[i] = p[i];\n  return r;\n}\n"
    "static void %V_store(" REAL " *p, %V a) {\n" LANES "p[i] = a.v[i];\n}\n"
    "static %V %V_set1(" REAL " a) {\n  %V r;\n" LANES "r.v[i] = a;\n  return r;\n}\n"
    "static %V %V_shuffle(%V a, %V b, const int *index) {\n  %V r;\n" LANES
    "r.v[i] = index[i] < %N ? a.v[index[i]] : b.v[index[i] - %N];\n  return r;\n}\n"
    "static %V %V_join(const " REAL " *a, const " REAL " *b) {\n  %V r;\n" LANES
    "r.v[i] = i < %N / 2 ? a[i] : b[i - %N / 2];\n  return r;\n}\n"
    "static %V %V_part(const " REAL " *a, const int *index) {\n  %V r;\n" LANES
    "r.v[i] = a[index[i]];\n  return r;\n}\n",
    .vector.op = {[FG_SPELL_NEG] = "%V_neg(%a)",
                  [FG_SPELL_ADD] = "%V_add(%a, %b)",
                  [FG_SPELL_SUB] = "%V_sub(%a, %b)",
                  [FG_SPELL_MUL] = "%V_mul(%a, %b)",
                  [FG_SPELL_FMA] = "%V_fma(%a, %b, %c)",
                  [FG_SPELL_FMS] = "%V_fms(%a, %b, %c)",
                  [FG_SPELL_FNMA] = "%V_fnma(%a, %b, %c)"},
    .vector.load = "%V_load(%p)",
    .vector.store = "%V_store(%p, %v);",
    .vector.set1 = "%V_set1(%v)",
    .vector.make = "(%V){{%i}}",
    .vector.shuffle = "%V_shuffle(%a, %b, (const int[]){%i})",
    .vector.lane = "%v.v[%i]",
    .vector.join = "%V_join(%a.v, %b.v)",
    .vector.part = "%V_part(%a.v, (const int[]){%i})",
    .vector.piece = "%V_part(%a.v, (const int[]){%i})",
};
