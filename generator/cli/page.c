/* See page.h. In: blocks. Out: text. The one idea: a page is a list of blocks, and each output format is one
 * function over them. */
#include "generator/cli/page.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include <string.h>

enum { WIDTH = 79, INDENT = 2, WIDEST_TERM = 24 };

typedef enum form { USAGE, HEAD, TEXT, ROW, CODE } form;

typedef struct block {
  form form;
  const char *term, *text;
  struct block *next;
} block;

struct fg_cli_page {
  fg_context *cx;
  block *first, *last;
};

fg_cli_page *fg_cli_page_create(fg_context *cx) {
  fg_cli_page *p = fg_arena_new(cx->arena, fg_cli_page, 1);
  p->cx = cx;
  return p;
}

static void add(fg_cli_page *p, form form, const char *term, const char *text) {
  block *b = fg_arena_new(p->cx->arena, block, 1);
  *b = (block){form, term, text, NULL};
  *(p->last ? &p->last->next : &p->first) = b;
  p->last = b;
}

void fg_cli_page_usage(fg_cli_page *p, const char *line) { add(p, USAGE, NULL, line); }
void fg_cli_page_head(fg_cli_page *p, const char *title) { add(p, HEAD, NULL, title); }
void fg_cli_page_text(fg_cli_page *p, const char *text) { add(p, TEXT, NULL, text); }
void fg_cli_page_row(fg_cli_page *p, const char *term, const char *text) { add(p, ROW, term, text); }
void fg_cli_page_code(fg_cli_page *p, const char *line) { add(p, CODE, NULL, line); }

/* ---- for a terminal ------------------------------------------------------------- */

/* Words of text from column `at` on, the lines after the first from `left` on. */
static void fill(fg_strbuf *s, const char *text, int at, int left) {
  const char *between = "";
  while (*(text += strspn(text, " "))) {
    int length = (int)strcspn(text, " ");
    if (*between && at + 1 + length > WIDTH) {
      fg_strbuf_addf(s, "\n%*s", left, "");
      at = left;
      between = "";
    }
    fg_strbuf_addf(s, "%s%.*s", between, length, text);
    at += (int)strlen(between) + length;
    between = " ";
    text += length;
  }
  fg_strbuf_add(s, "\n");
}

static int widest_term(const fg_cli_page *p) {
  int widest = 0;
  for (const block *b = p->first; b; b = b->next) {
    int width = b->form == ROW ? (int)strlen(b->term) : 0;
    if (width > widest && width <= WIDEST_TERM) widest = width;
  }
  return widest;
}

/* A term wider than its column is written on a line of its own. */
static void print_row(fg_strbuf *s, const block *b, int widest) {
  int left = INDENT + widest + 2, width = (int)strlen(b->term);
  fg_strbuf_addf(s, "%*s%-*s  ", INDENT, "", widest, b->term);
  if (width > widest) fg_strbuf_cut(s, s->length - 2), fg_strbuf_addf(s, "\n%*s", left, "");
  fill(s, b->text, left, left);
}

/* A blank line separates blocks of unlike forms, but for a heading and what follows it. */
static bool stands_apart(const block *before, const block *b) {
  if (!before || before->form == HEAD || before->form == USAGE) return false;
  return b->form == HEAD || b->form == TEXT || b->form != before->form;
}

const char *fg_cli_page_print(const fg_cli_page *p) {
  fg_strbuf s = fg_strbuf_new(p->cx->arena);
  int widest = widest_term(p);
  const block *before = NULL;
  for (const block *b = p->first; b; before = b, b = b->next) {
    if (stands_apart(before, b)) fg_strbuf_add(&s, "\n");
    switch (b->form) {
    case USAGE: fg_strbuf_addf(&s, "Usage: %s\n", b->text); break;
    case HEAD: fg_strbuf_addf(&s, "%s:\n", b->text); break;
    case TEXT: fill(&s, b->text, 0, 0); break;
    case ROW: print_row(&s, b, widest); break;
    case CODE: fg_strbuf_addf(&s, "%*s%s\n", INDENT, "", b->text); break;
    }
  }
  return s.text;
}

/* ---- as a man page ---------------------------------------------------------------- */

/* Lines: troff's own characters become letters, and none begins a request. */
static void add_escaped(fg_strbuf *s, const char *text) {
  for (const char *start = text; *text; text++) {
    if ((text == start || text[-1] == '\n') && (*text == '.' || *text == '\'')) fg_strbuf_add(s, "\\&");
    if (*text == '\\')
      fg_strbuf_add(s, "\\e");
    else if (*text == '-')
      fg_strbuf_add(s, "\\-");
    else
      fg_strbuf_addn(s, text, 1);
  }
}

static void add_line(fg_strbuf *s, const char *text) {
  add_escaped(s, text);
  fg_strbuf_add(s, "\n");
}

static void add_filled(fg_strbuf *s, fg_arena *a, const char *text) {
  fg_strbuf lines = fg_strbuf_new(a);
  fill(&lines, text, WIDTH / 8, 0); /* room for what is escaped */
  add_escaped(s, lines.text);
}

static void man_head(fg_strbuf *s, fg_arena *a, const char *title) {
  fg_strbuf_add(s, ".SH ");
  add_line(s, fg_words_upper(a, title));
}

static void man_block(fg_strbuf *s, fg_arena *a, const block *b, const block *before) {
  form last = before ? before->form : HEAD;
  if (last == CODE && b->form != CODE) fg_strbuf_add(s, ".fi\n.RE\n");
  switch (b->form) {
  case USAGE:
    if (last != USAGE) fg_strbuf_add(s, ".SH SYNOPSIS\n");
    if (last == USAGE) fg_strbuf_add(s, ".br\n");
    break;
  case HEAD: man_head(s, a, b->text); return;
  case TEXT:
    if (last == USAGE) man_head(s, a, "description");
    if (last != USAGE && last != HEAD) fg_strbuf_add(s, ".PP\n");
    break;
  case ROW:
    fg_strbuf_add(s, ".TP\n.B ");
    add_line(s, b->term + strspn(b->term, " "));
    break;
  case CODE:
    if (last != CODE) fg_strbuf_add(s, last == HEAD ? ".RS 2\n.nf\n" : ".PP\n.RS 2\n.nf\n");
    break;
  }
  if (b->form == TEXT || b->form == ROW)
    add_filled(s, a, b->text);
  else
    add_line(s, b->text);
}

const char *fg_cli_page_man(const fg_cli_page *p, const fg_cli_page_title *title) {
  fg_arena *a = p->cx->arena;
  fg_strbuf s = fg_strbuf_new(a);
  fg_strbuf_addf(&s, ".TH %s %d %s \"fftgen %s\" \"fftgen manual\"\n", fg_words_upper(a, title->name), title->section,
                 FG_RELEASE_DATE, FG_RELEASE);
  man_head(&s, a, "name");
  add_line(&s, fg_arena_printf(a, "%s - %s", title->name, title->what));
  const block *before = NULL;
  if (p->first && p->first->form != USAGE && p->first->form != HEAD) man_head(&s, a, "description");
  for (const block *b = p->first; b; before = b, b = b->next) man_block(&s, a, b, before);
  if (before && before->form == CODE) fg_strbuf_add(&s, ".fi\n.RE\n");
  man_head(&s, a, "see also");
  add_filled(&s, a, title->see);
  return s.text;
}
