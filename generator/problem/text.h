/* Inside of the problem parser: the line being read, and the axes of it. Only
 * problem.c, axes.c, operations_text.c and hint.c include this. */
#ifndef FG_PROBLEM_TEXT_H
#define FG_PROBLEM_TEXT_H
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "generator/problem/problem.h"

typedef struct fg_text {
  fg_context *cx;
  const char *text;     /* whole line */
  const char *at, *end; /* rest of the word at hand */
  const char *key;      /* of the word at hand; NULL: kind, precision */
  fg_problem *p;
  unsigned seen;                                       /* keys met, by row */
  bool given_n[FG_MAX_RANK], given_batch[FG_MAX_RANK]; /* axes whose strides are in the text */
  bool given_compute;
} fg_text;

fg_status fg_text_fail(fg_text *ps, const char *at, const char *what, const char *allowed);
size_t fg_text_rest(const fg_text *ps); /* bytes left of the word at hand */
const char *fg_text_quote(fg_text *ps);
bool fg_text_skip(fg_text *ps, const char *word); /* true when the rest began with it */

/* Where a word stands. */
typedef enum fg_text_place {
  FG_TEXT_KIND,
  FG_TEXT_PRECISION,
  FG_TEXT_KEY,
  FG_TEXT_SIGN,
  FG_TEXT_WINDOW,
  FG_TEXT_POINT,
} fg_text_place;
/* " (did you mean ...?)" for a word that `name` does not have, or "". */
const char *fg_text_hint(fg_text *ps, fg_text_place place, const char *text, size_t length, fg_words_name name);

/* Axes joined by 'x', each N or N:IS:OS, to the end of the word. */
fg_status fg_axes_parse(fg_text *ps, fg_dim *axis, bool *given, int *rank);
/* Gives dense strides to the axes that have none in the text. */
fg_status fg_axes_fill_strides(fg_text *ps);
/* Parameters get their numbers in the order in which the canonical text needs them. */
void fg_axes_number_params(fg_problem *p);
/* Axes from .. to-1, batch dimensions first; `declared` has a bit for each
 * parameter whose range has been printed. */
void fg_axes_print(fg_strbuf *s, const fg_problem *p, int from, int to, unsigned *declared);

/* load= and store= (operations_text.c). */
fg_status fg_points_check(fg_context *cx, const fg_problem *p);
fg_status fg_points_parse_load(fg_text *ps);
fg_status fg_points_parse_store(fg_text *ps);
void fg_points_print(fg_strbuf *s, const fg_pointwise *op, int count);
#endif
