/* Spellings common to C and the languages derived from it. */
#ifndef FG_C_FAMILY_H
#define FG_C_FAMILY_H
#include "targets/dialect.h"

/* Fused forms stay one expression: the compiler contracts them. */
#define FG_C_FAMILY_OPS                                                                                                \
  {                                                                                                                    \
    [FG_SPELL_NEG] = "-%a", [FG_SPELL_ADD] = "%a + %b", [FG_SPELL_SUB] = "%a - %b", [FG_SPELL_MUL] = "%a * %b",        \
    [FG_SPELL_FMA] = "%a * %b + %c", [FG_SPELL_FMS] = "%a * %b - %c", [FG_SPELL_FNMA] = "%c - %a * %b",                \
  }

/* Functions of operations, with the suffix of literals. CUDA has its own roots and logarithms. */
#define FG_C_FAMILY_OTHER_CALLS                                                                                        \
  [FG_CALL_EXP] = "exp%F(%a)", [FG_CALL_ABS] = "fabs%F(%a)", [FG_CALL_MIN] = "fmin%F(%a, %b)",                         \
  [FG_CALL_MAX] = "fmax%F(%a, %b)", [FG_CALL_DIVIDE] = "%a / %b"
#define FG_C_FAMILY_CALLS                                                                                              \
  {                                                                                                                    \
    [FG_CALL_SQRT] = "sqrt%F(%a)", [FG_CALL_LOG10] = "log10%F(%a)", [FG_CALL_LOG] = "log%F(%a)",                       \
    FG_C_FAMILY_OTHER_CALLS,                                                                                           \
  }

/* Words that they keep for themselves, C++ as well: emitted headers serve it, too. */
#define FG_C_FAMILY_WORDS                                                                                              \
  "auto break case char const continue default do double else enum extern float for goto if inline int long register " \
  "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while main "          \
  "alignas alignof and and_eq asm bitand bitor bool catch class compl constexpr const_cast decltype delete "           \
  "dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq "     \
  "private protected public reinterpret_cast static_assert static_cast template this thread_local throw true try "     \
  "typeid typename using virtual wchar_t xor xor_eq in out char8_t char16_t char32_t concept consteval constinit "     \
  "co_await co_return co_yield requires typeof typeof_unqual"

#define DIALECT(name) extern const fg_dialect fg_dialect_##name;
#include "targets/dialects.def"
#undef DIALECT
#endif
