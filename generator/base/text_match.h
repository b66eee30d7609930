/* Words for messages: names out of tables, quoted user text, similar names. */
#ifndef FG_WORDS_H
#define FG_WORDS_H
#include "generator/base/arena.h"
#include <stdbool.h>
#include <stddef.h>

typedef const char *(*fg_words_name)(int index); /* the table's index-th name; NULL at its end */

/* 'text' in quotes, cut after 40 bytes, anything but printable ASCII as '?'. */
const char *fg_words_quote(fg_arena *a, const char *text, size_t length);
/* "c2c, r2c, c2r": all names of a table. */
const char *fg_words_join(fg_arena *a, fg_words_name name);
/* " (did you mean 'batch'?)" when a name is at most two edits away, else "". */
const char *fg_words_near(fg_arena *a, const char *text, size_t length, fg_words_name name);
/* Index of the name that equals text[0..length), or -1. */
int fg_words_find(const char *text, size_t length, fg_words_name name);
/* In capitals, whatever the locale says of letters. */
char *fg_words_upper(fg_arena *a, const char *text);
/* Whether a list of words with spaces between them has text[0..length). */
bool fg_words_has(const char *list, const char *text, size_t length);
#endif
