/* What C and the languages made from it spell alike. */
#ifndef FG_C_FAMILY_H
#define FG_C_FAMILY_H
#include "targets/dialect.h"

/* Fused forms stay one expression: the compiler contracts them. */
#define FG_C_FAMILY_OPS                                                                                                \
  {                                                                                                                    \
    [FG_SPELL_NEG] = "-%a", [FG_SPELL_ADD] = "%a + %b", [FG_SPELL_SUB] = "%a - %b", [FG_SPELL_MUL] = "%a * %b",        \
    [FG_SPELL_FMA] = "%a * %b + %c", [FG_SPELL_FMS] = "%a * %b - %c", [FG_SPELL_FNMA] = "%c - %a * %b",                \
  }

extern const fg_dialect fg_dialect_c, fg_dialect_opencl, fg_dialect_cuda, fg_dialect_hip, fg_dialect_gf,
    fg_dialect_code, fg_dialect_code_gf;
#endif
