/* Inside translate: tokens, names and types of the text (translate_token.c). */
#ifndef FG_PROVE_TRANSLATE_TOKEN_H
#define FG_PROVE_TRANSLATE_TOKEN_H
#include "generator/prove/translate_parts.h"

void fg_translate_skip_space(fg_translator *t); /* comments and lines of the preprocessor, too */

static inline bool fg_translate_peek(fg_translator *t, const char *sign) { /* whether it is the next token */
  if (t->spaced != t->at) fg_translate_skip_space(t);
  return *t->at == *sign && fg_translate_matches(t, sign);
}

bool fg_translate_accept(fg_translator *t, const char *sign);       /* words: whole ones */
bool fg_translate_accept_macro(fg_translator *t, const char *tail); /* of the file, whose name ends so */
void fg_translate_expect(fg_translator *t, const char *sign);
size_t fg_translate_word(fg_translator *t); /* length of the next word; 0: none */
void fg_translate_skip_brackets(fg_translator *t, char open,
                                char close); /* to behind the bracket that closes the one that is open */
bool fg_translate_fail(fg_translator *t, const char *what);
fg_translate_name *fg_translate_lookup(fg_translator *t, const char *word, size_t length); /* NULL: unknown */
void fg_translate_declare(fg_translator *t, const char *word, size_t length, fg_translate_type type, bool is_type);
bool fg_translate_accept_type(fg_translator *t, fg_translate_type *out); /* false: the next word is none */
const char *fg_translate_type_text(fg_translator *t, fg_translate_type type);
#endif
