/* C: plain C99 for scalars; GCC's vector extensions, as gcc and clang have them,
 * for lanes. No intrinsics. What is spelled is C++ as well: `restrict` and literals of
 * vectors are macros, whose names begin as the file's other macros do. */
#include "targets/c/functions.h"
#include "targets/c_family.h"
#include "targets/storage.h"

/* gcc's names; clang has one for all. */
static const fg_stream_row streams[] = {
    {"float", 4, "__builtin_ia32_movntps(p, v)"},
    {"float", 8, "__builtin_ia32_movntps256(p, v)"},
    {"float", 16, "__builtin_ia32_movntps512(p, v)"},
    {"double", 2, "__builtin_ia32_movntpd(p, v)"},
    {"double", 4, "__builtin_ia32_movntpd256(p, v)"},
    {"double", 8, "__builtin_ia32_movntpd512(p, v)"},
    {NULL, 0, NULL},
};

/* Two floats turn as one word, where shifts are done: one unit does all shuffles of 64 bytes. Doubles are moved as
 * halves by the shuffle of integers, for which there are two units where that of doubles has one. */
#define TURNED "(%V)((%W)%a << 32 | (%W)%a >> 32)"
#define EXCHANGED(list) "(%V)__builtin_shufflevector((%W)%a, (%W)%a, " list ")"
static const fg_swap_row swaps[] = {
    {"float", 4, "unsigned long long", TURNED},
    {"float", 8, "unsigned long long", TURNED},
    {"float", 16, "unsigned long long", TURNED},
    {"double", 2, "int", EXCHANGED("2, 3, 0, 1")},
    {"double", 4, "int", EXCHANGED("2, 3, 0, 1, 6, 7, 4, 5")},
    {NULL, 0, NULL, NULL},
};

/* gcc keeps vectors of two floats in 16 registers and spills to general ones. Loads as doubles clear the upper half;
 * stores as doubles would be joined by shuffles. */
static const fg_padded_form padded = {
    .real = "float",
    .preamble = "typedef %T %V __attribute__((vector_size(2 * %B)));\n"
                "typedef %T %U __attribute__((vector_size(%B), aligned(%R), may_alias));\n"
                "typedef double %V_half __attribute__((aligned(%R), may_alias));\n"
                "typedef double %V_halves __attribute__((vector_size(2 * %B)));\n",
    .load = "(%V)%Q_OF(%V_halves){*(const %V_half *)(%p), 0}",
    .store = "*(%U *)(%p) = __builtin_shufflevector(%v, %v, 0, 1);",
    .swap = "__builtin_shufflevector(%a, %a, 1, 0, 3, 2)",
    .alternate = "__builtin_shufflevector(%a - %b, %a + %b, 0, 5, 2, 7)",
};

#define APART                                                                                                          \
  "no-tree-slp-vectorize" /* gcc would collect numbers of all vectors into others, far from where they are */

const fg_dialect fg_dialect_c = {
    .name = "c",
    .reserved = FG_C_FAMILY_WORDS,
    .extension = ".c",
    .note = "Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on\n"
            "-fno-omit-frame-pointer, with the flags below.\n"
            "gcc without -fno-ivopts spills registers around long straight-line code; clang without a\n"
            "frame pointer spills vectors to unaligned addresses, across cache lines.",
    .real = {NULL, NULL, "float", "double"},
    .literal_suffix = {"", "", "f", ""},
    .index_type = "ptrdiff_t",
    .lookup_type = "int",
    .preamble = "#include <stddef.h>\n",
    .macros = "\n#if defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER)\n"
              "#define %Q_RESTRICT __restrict\n"
              "#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L\n"
              "#define %Q_RESTRICT restrict\n"
              "#else\n"
              "#define %Q_RESTRICT\n"
              "#endif\n",
    .fence = "%Q_FENCE;",
    .fence_macros =
        "\n/* gcc's combiner tries a pointer's sum in every address behind it, and begins again each time. */\n"
        "#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)\n"
        "#define %Q_FENCE __asm__ volatile(\"\")\n"
        "#else\n"
        "#define %Q_FENCE (void)0\n"
        "#endif\n",
    .apart_preamble = "#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)\n"
                      "#pragma GCC optimize(\"" APART "\")\n"
                      "#endif\n",
    .apart_option = APART,
    .linkage = "#ifdef __cplusplus\nextern \"C\"\n#endif",
    .exact_preamble = "#ifdef __clang__\n"
                      "#pragma STDC FP_CONTRACT OFF\n"
                      "#elif defined(__GNUC__) && !defined(__TINYC__)\n"
                      "#pragma GCC optimize(\"fp-contract=off\")\n"
                      "#endif\n",
    .order_preamble = "#if defined(__GNUC__) && !defined(__clang__) && !defined(__TINYC__)\n"
                      "#pragma GCC optimize(\"schedule-insns,sched-pressure\")\n"
                      "#endif\n",
    .function_qualifier = "static void",
    .kernel_qualifier = "static void",
    .restrict_word = "%Q_RESTRICT ",
    .stage_restrict_word = "%Q_RESTRICT ",
    .global_space = "",
    .local_space = "",
    .tables = FG_TABLES_STATIC,
    .aligned = " __attribute__((aligned(%B)))",
    .op = FG_C_FAMILY_OPS,
    .storage = fg_dialect_storage_c,
    .call_preamble = "#include <math.h>\n",
    .call = FG_C_FAMILY_CALLS,
    .vector.call = {[FG_CALL_SQRT] = "%V_sqrt(%a)",
                    [FG_CALL_LOG10] = "%V_log10(%a)",
                    [FG_CALL_LOG] = "%V_log(%a)",
                    [FG_CALL_EXP] = "%V_exp(%a)",
                    [FG_CALL_ABS] = "%V_fabs(%a)",
                    [FG_CALL_MIN] = "%V_fmin(%a, %b)",
                    [FG_CALL_MAX] = "%V_fmax(%a, %b)",
                    [FG_CALL_DIVIDE] = "%a / %b"},
    .vector.call_preamble = {[FG_CALL_SQRT] = FG_C_SQRT,
                             [FG_CALL_LOG10] = FG_C_LOG10,
                             [FG_CALL_LOG] = FG_C_LOG,
                             [FG_CALL_EXP] = FG_C_EXP,
                             [FG_CALL_ABS] = {FG_C_ABS},
                             [FG_CALL_MIN] = {FG_C_CHOICE("fmin", "<")},
                             [FG_CALL_MAX] = {FG_C_CHOICE("fmax", ">")}},
    .vector.possible = true,
    .vector.macros = "#if !defined(__GNUC__) && !defined(__clang__)\n"
                     "#error \"vectors as GCC and Clang have them: for other compilers emit --isa scalar\"\n"
                     "#endif\n"
                     "#ifdef __cplusplus\n"
                     "#define %Q_OF(vector) vector\n"
                     "#else\n"
                     "#define %Q_OF(vector) (vector)\n"
                     "#endif\n",
    .vector.preamble = "typedef %T %V __attribute__((vector_size(%B)));\n"
                       "typedef %T %U __attribute__((vector_size(%B), aligned(%R), may_alias));\n",
    .vector.op = FG_C_FAMILY_OPS,
    .vector.load = "*(const %U *)(%p)",
    .vector.store = "*(%U *)(%p) = %v;",
    .vector.set1 = "%v - %Q_OF(%V){0}",
    .vector.unknown = "static const volatile %T %v = %i;",
    .vector.make = "%Q_OF(%V){%i}",
    .vector.shuffle = "__builtin_shufflevector(%a, %b, %i)",
    .vector.swap = swaps,
    .vector.swap_type = "typedef %a %W __attribute__((vector_size(%B)));\n",
    .vector.padded = &padded,
    .vector.lane = "%v[%i]",
    .vector.stream = streams,
    .vector.stream_preamble = "static void %V_stream(%T *p, %V v) {\n"
                              "  if ((size_t)p % %B)\n"
                              "    *(%U *)p = v;\n"
                              "  else\n"
                              "#ifdef __clang__\n"
                              "    __builtin_nontemporal_store(v, (%V *)(void *)p);\n"
                              "#else\n"
                              "    %a;\n"
                              "#endif\n"
                              "}\n",
    .vector.stream_store = "%V_stream(%p, %v);",
    .vector.stream_fence = "__builtin_ia32_sfence();",
    .stage_fence = "__asm__ volatile(\"\" ::: \"memory\");",
    .vector.join = "__builtin_shufflevector(%a, %b, %i)",
    .vector.part = "__builtin_shufflevector(%a, %a, %i)",
    .fetch = "__builtin_prefetch(%p, %i);",
    .vector.piece = "*(const %U *)((const %T *)&%a + %v)", /* gcc stores no half of a shuffle without a shuffle */
};
