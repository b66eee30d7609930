/* Spellings of the operations of codelets, and of functions that load and store operations call. */
#ifndef FG_TARGETS_FORMS_SPELL_H
#define FG_TARGETS_FORMS_SPELL_H

#define OP(NAME, operands, meaning) FG_SPELL_##NAME,

enum fg_spell {
#include "targets/forms/ops.def"
  FG_SPELL_COUNT
};

#undef OP

/* Functions of load and store operations. */
enum fg_called { FG_CALL_SQRT, FG_CALL_LOG10, FG_CALL_COUNT };
#endif
