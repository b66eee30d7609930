/* C: plain C99 for scalars; GCC's vector extensions, as gcc and clang have them,
 * for lanes. No intrinsics. */
#include "targets/c_family.h"

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

const fg_dialect fg_dialect_c = {
    .name = "c",
    .extension = ".c",
    .note = "Build: gcc -O3 -fno-ivopts -ffp-contract=fast, or clang -O3 -ffp-contract=on, with the flags below.\n"
            "Without -fno-ivopts gcc spills registers around long straight-line code.",
    .real = {NULL, NULL, "float", "double"},
    .literal_suffix = {"", "", "f", ""},
    .index_type = "ptrdiff_t",
    .lookup_type = "int",
    .preamble = "#include <stddef.h>\n",
    .function_qualifier = "static void",
    .kernel_qualifier = "static void",
    .restrict_word = "restrict ",
    .stage_restrict_word = "restrict ",
    .global_space = "",
    .local_space = "",
    .tables = FG_TABLES_STATIC,
    .aligned = " __attribute__((aligned(%B)))",
    .op = FG_C_FAMILY_OPS,
    .has_vectors = true,
    .vector_preamble = "typedef %T %V __attribute__((vector_size(%B)));\n"
                       "typedef %T %U __attribute__((vector_size(%B), aligned(%R), may_alias));\n",
    .vop = FG_C_FAMILY_OPS,
    .vload = "*(const %U *)(%p)",
    .vstore = "*(%U *)(%p) = %v;",
    .vset1 = "%v - (%V){0}",
    .vmake = "(%V){%i}",
    .vshuffle = "__builtin_shufflevector(%a, %b, %i)",
    .vlane = "%v[%i]",
    .stream = streams,
    .stream_preamble = "static void %V_stream(%T *p, %V v) {\n"
                       "  if ((size_t)p % %B)\n"
                       "    *(%U *)p = v;\n"
                       "  else\n"
                       "#ifdef __clang__\n"
                       "    __builtin_nontemporal_store(v, (%V *)(void *)p);\n"
                       "#else\n"
                       "    %a;\n"
                       "#endif\n"
                       "}\n",
    .vstream = "%V_stream(%p, %v);",
    .stream_fence = "__builtin_ia32_sfence();",
    .vjoin = "__builtin_shufflevector(%a, %b, %i)",
    .vpart = "__builtin_shufflevector(%a, %a, %i)",
};
