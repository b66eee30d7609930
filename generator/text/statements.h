/* Statements of a language from instructions. */
#ifndef FG_TEXT_STATEMENTS_H
#define FG_TEXT_STATEMENTS_H
#include "generator/text/emitter.h"

/* A text of its own: e's recorder is new; behind it, all that was recorded is written. Neither does anything to a
 * program that becomes instructions. */
void fg_statements_begin(fg_emitter *e);
void fg_statements_end(fg_emitter *e, const char *function, int indent, fg_strbuf *out);

/* What is in order from one position to another; brackets that stay open indent what follows. Returns the indent behind
 * it. */
int fg_statements_write(const fg_emitter *e, int32_t from, int32_t to, int indent, fg_strbuf *out);

/* A number that the caller may choose, where nothing is being recorded. */
const char *fg_statements_number(const fg_emitter *e, fg_uses *uses, fg_num x);
#endif
