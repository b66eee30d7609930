/* Small pieces of text: a dialect's spellings with their placeholders filled in, numbers, literals, calls. */
#ifndef FG_TEXT_SPELL_H
#define FG_TEXT_SPELL_H
#include "generator/text/emitter.h"

typedef struct fg_marks {
  const char *a, *b, *c, *p, *v, *i, *space;
} fg_marks;

/* A spelling with its marks filled in; lanes for the vector's types, or %N. */
const char *fg_spell(const fg_emitter *e, int lanes, const char *format, fg_marks marks);

/* Lines before the declaration of a function that is not static; "": none. */
const char *fg_spell_linkage(const fg_emitter *e);

const char *fg_spell_vector_type(const fg_emitter *e, int lanes); /* real type when lanes == 1 */
const char *fg_spell_num(const fg_emitter *e, fg_uses *uses, fg_num x);
const char *fg_spell_param(const fg_emitter *e, int param);

/* A literal of the dialect's real type. */
const char *fg_spell_literal(const fg_emitter *e, double value);

/* "name(a, b, c)" over several lines where it is long. */
const char *fg_spell_call(const fg_emitter *e, const char *head, const char *const *item, int nitem, int indent);

/* How vectors of so many numbers are stored past the caches; NULL: not at all. */
const fg_stream_row *fg_spell_stream_row(const fg_emitter *e, int lanes); /* text/spell.c */

/* How their neighbours change places; NULL: by a shuffle. */
const fg_swap_row *fg_spell_swap_row(const fg_emitter *e, int lanes);
#endif
