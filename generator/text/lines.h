/* Lines of emitted text, each a statement: the names that they define and use. */
#ifndef FG_EMIT_LINES_H
#define FG_EMIT_LINES_H
#include "generator/base/arena.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct fg_lines {
  int count;
  const char **line;       /* line[i] .. line[i + 1] */
  struct fg_name *defined; /* by a hash of the name */
  size_t mask;
} fg_lines;

typedef struct fg_word {
  const char *text; /* NULL: none */
  size_t length;
} fg_word;

/* Whole lines; the text stays where it is. Nothing is defined yet. */
fg_lines fg_lines_of(fg_arena *a, const char *text);
/* The variable in front of " = "; none: the line stores, or it is no definition. */
fg_word fg_lines_defines(const fg_lines *l, int line);
/* The next name or number at *at, which moves behind it; none: the line ends. */
fg_word fg_lines_word(const fg_lines *l, int line, const char **at);
void fg_lines_define(fg_lines *l, int line);           /* what it defines is known by that line from now on */
int fg_lines_definer(const fg_lines *l, fg_word word); /* -1: no line that was named so far */
/* Lines, from first to last, that define what this one mentions, each once; how many. */
int fg_lines_operands(fg_arena *a, const fg_lines *l, int line, int **out);
/* Begins so, behind its indent. */
bool fg_lines_begins(const fg_lines *l, int line, const char *words);
bool fg_lines_has(const fg_lines *l, int line, const char *words);
#endif
