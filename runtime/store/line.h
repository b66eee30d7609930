/* One line of JSON: a flat object of texts, numbers and booleans. The runtime may link libc alone, so it reads its
 * own lines; it writes them, too, so that reading and writing are in one file.
 *
 * Strict: any other text is refused. */
#ifndef FG_LINE_H
#define FG_LINE_H
#include "generator/problem/problem.h"

typedef enum fg_line_kind { FG_LINE_TEXT, FG_LINE_NUMBER, FG_LINE_TRUTH } fg_line_kind;

typedef struct fg_line_field {
  const char *name;
  fg_line_kind kind;
  const char *text; /* TEXT: unescaped, terminated */
  double number;    /* NUMBER; TRUTH: 0 or 1 */
  size_t at;        /* the offset of the name's quote in the line */
} fg_line_field;

enum { FG_LINE_FIELDS = 48 };

typedef struct fg_line {
  int count;
  fg_line_field field[FG_LINE_FIELDS];
} fg_line;

/* NULL, or what is wrong with text[0..length). A name that occurs twice is wrong. */
const char *fg_line_read(fg_arena *a, const char *text, size_t length, fg_line *out);
/* NULL when there is none of that name and kind. */
const fg_line_field *fg_line_find(const fg_line *l, const char *name, fg_line_kind kind);
const char *fg_line_text(const fg_line *l, const char *name); /* NULL: not there */
double fg_line_number(const fg_line *l, const char *name, double otherwise);
/* text between quotes, escaped. */
const char *fg_line_quote(fg_arena *a, const char *text);
#endif
