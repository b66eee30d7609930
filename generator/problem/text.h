/* Inside of the problem parser: the line being read, and the axes of it. Only
 * problem.c, scanner.c, axes.c, operations_text.c, expression_text.c,
 * spectrum_text.c, linear.c and hint.c include this. */
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
  bool zeros;                                          /* a batch may have no transforms */
  unsigned empty;                                      /* batch dimensions that have none */
  bool given_compute, given_spectrum, given_filter;
  const char *sum_at;    /* sum=; NULL: none */
  fg_spectra sum;        /* which transforms have a sum of their own: all together, or all of a channel */
  const char *linear_at; /* linear=; NULL: none */
  int linear;            /* its part */
  fg_part signal, samples;
  const char *expression[2][FG_MAX_POINTWISE]; /* load=, store=: where an expression is in the text */
  size_t expression_length[2][FG_MAX_POINTWISE];
} fg_scanner;

/* Bytes left of the word at hand. */
static inline size_t fg_scanner_rest(const fg_scanner *ps) { return (size_t)(ps->end - ps->at); }
fg_status fg_scanner_fail(fg_scanner *ps, const char *at, const char *allowed, const char *what, ...)
    __attribute__((format(printf, 4, 5)));
const char *fg_scanner_quote(fg_scanner *ps);
bool fg_scanner_skip(fg_scanner *ps, const char *word); /* true when the rest began with it */

/* The lengths in brackets behind a word: "60x80"; and printed, with the brackets, or nothing. */
fg_status fg_scanner_part(fg_scanner *ps, const char *text, size_t length, const char *word, fg_part *out);
void fg_scanner_print_part(fg_strbuf *s, const fg_part *part);

/* Where a word is in the text. */
typedef enum fg_scanner_slot {
  FG_SCAN_KIND,
  FG_SCAN_PRECISION,
  FG_SCAN_KEY,
  FG_SCAN_SIGN,
  FG_SCAN_PLACE,
  FG_SCAN_WINDOW,
  FG_SCAN_OPERATION,
} fg_scanner_slot;

/* " (did you mean ...?)" for a word that `name` does not have, or "". */
const char *fg_scanner_hint(fg_scanner *ps, fg_scanner_slot place, const char *text, size_t length, fg_words_name name);
#endif
