/* Inside of the problem parser: the line being read, and the axes of it. Only
 * problem.c, axes.c, operations_text.c and hint.c include this. */
#ifndef FG_PROBLEM_TEXT_H
#define FG_PROBLEM_TEXT_H
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include "generator/problem/problem.h"

typedef struct fg_scanner {
  fg_context *cx;
  const char *text;     /* whole line */
  const char *at, *end; /* rest of the word at hand */
  const char *key;      /* of the word at hand; NULL: kind, precision */
  fg_problem *p;
  unsigned seen;                                       /* keys met, by row */
  bool given_n[FG_MAX_RANK], given_batch[FG_MAX_RANK]; /* axes whose strides are in the text */
  bool given_compute;
} fg_scanner;

fg_status fg_scanner_fail(fg_scanner *ps, const char *at, const char *what, const char *allowed);
size_t fg_scanner_rest(const fg_scanner *ps); /* bytes left of the word at hand */
const char *fg_scanner_quote(fg_scanner *ps);
bool fg_scanner_skip(fg_scanner *ps, const char *word); /* true when the rest began with it */

/* Where a word stands. */
typedef enum fg_scanner_slot {
  FG_SCAN_KIND,
  FG_SCAN_PRECISION,
  FG_SCAN_KEY,
  FG_SCAN_SIGN,
  FG_SCAN_WINDOW,
  FG_SCAN_OPERATION,
} fg_scanner_slot;
/* " (did you mean ...?)" for a word that `name` does not have, or "". */
const char *fg_scanner_hint(fg_scanner *ps, fg_scanner_slot place, const char *text, size_t length, fg_words_name name);

/* Axes joined by 'x', each N or N:IS:OS, to the end of the word. */
fg_status fg_axes_parse(fg_scanner *ps, fg_dim *axis, bool *given, int *rank);
/* Gives dense strides to the axes that have none in the text. */
fg_status fg_axes_fill_strides(fg_scanner *ps);
/* Parameters get their numbers in the order in which the canonical text needs them. */
void fg_axes_number_params(fg_problem *p);
/* Axes from .. to-1, batch dimensions first; `declared` has a bit for each
 * parameter whose range has been printed. */
void fg_axes_print(fg_strbuf *s, const fg_problem *p, int from, int to, unsigned *declared);

/* load= and store= (operations_text.c). */
fg_status fg_operations_check(fg_context *cx, const fg_problem *p);
fg_status fg_operations_parse_load(fg_scanner *ps);
fg_status fg_operations_parse_store(fg_scanner *ps);
void fg_operations_print(fg_strbuf *s, const fg_pointwise *op, int count);
#endif
