/* Inside retell: tokens, names and types of the text (retell_token.c). */
#ifndef FG_PROVE_RETELL_TOKEN_H
#define FG_PROVE_RETELL_TOKEN_H
#include "generator/prove/retell_parts.h"

void fg_retell_space(fg_teller *t); /* comments and lines of the preprocessor, too */

static inline bool fg_retell_sees(fg_teller *t, const char *sign) { /* comes next */
  if (t->spaced != t->at) fg_retell_space(t);
  return *t->at == *sign && fg_retell_reads(t, sign);
}

bool fg_retell_takes(fg_teller *t, const char *sign);       /* words: whole ones */
bool fg_retell_takes_macro(fg_teller *t, const char *tail); /* of the file, whose name ends so */
void fg_retell_wants(fg_teller *t, const char *sign);
size_t fg_retell_word(fg_teller *t);                      /* length of the word that comes; 0: none */
void fg_retell_skip(fg_teller *t, char open, char close); /* to behind the bracket that closes the one that is open */
bool fg_retell_fails(fg_teller *t, const char *what);
fg_retell_name *fg_retell_find(fg_teller *t, const char *word, size_t length); /* NULL: unknown */
void fg_retell_note(fg_teller *t, const char *word, size_t length, fg_retell_type type, bool is_type);
bool fg_retell_reads_type(fg_teller *t, fg_retell_type *out); /* false: none comes */
const char *fg_retell_type_text(fg_teller *t, fg_retell_type type);
#endif
