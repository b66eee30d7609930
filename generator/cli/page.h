/* A page of help: usage, headings, text, rows of a term and its meaning, and example lines, in any order. It is
 * written for a terminal or as a man page. Texts are not copied. */
#ifndef FG_CLI_PAGE_H
#define FG_CLI_PAGE_H
#include "generator/base/context.h"

typedef struct fg_cli_page fg_cli_page;

fg_cli_page *fg_cli_page_create(fg_context *cx);
void fg_cli_page_usage(fg_cli_page *p, const char *line);
void fg_cli_page_head(fg_cli_page *p, const char *title);
void fg_cli_page_text(fg_cli_page *p, const char *text); /* a paragraph; lines are filled */
void fg_cli_page_row(fg_cli_page *p, const char *term, const char *text);
void fg_cli_page_code(fg_cli_page *p, const char *line); /* as it is */

/* At most 79 columns, unless a line of code or a term is wider. */
const char *fg_cli_page_print(const fg_cli_page *p);

typedef struct fg_cli_page_title {
  const char *name; /* "fftgen-emit" */
  int section;      /* of the manual: 1, 7 */
  const char *what; /* one line, without a full stop */
  const char *see;  /* other pages: "fftgen(1)" */
} fg_cli_page_title;

/* The page in troff's macros man(7). */
const char *fg_cli_page_man(const fg_cli_page *p, const fg_cli_page_title *title);
#endif
