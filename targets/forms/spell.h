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
#define CALL(NAME, name, operands, meaning) FG_CALL_##NAME,
typedef enum fg_called {
#include "targets/forms/calls.def"
  FG_CALL_COUNT
} fg_called;
#undef CALL
#endif
