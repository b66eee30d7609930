/* Plans as text: a line a step, as fftw_print_plan shows them. */
#include "fftw/sweep/print.h"
#include "fftw/codelet/codelet.h"
#include "fftw/line/across.h"
#include <stdio.h>

static void put_text(void (*put)(void *to, char c), void *to, const char *text) {
  while (*text) put(to, *text++);
}

static void put_line(const fg_line *l, void (*put)(void *to, char c), void *to) {
  char text[96];
  bool few = l->type == FG_LINE_FEW_FORWARD || l->type == FG_LINE_FEW_BACKWARD;
  snprintf(text, sizeof text, "%s-%lld", l->method->name, (long long)(few ? l->n / FG_FEW : l->n));
  put_text(put, to, text);
  for (int i = l->npass - 1; i >= 0; i--) {
    snprintf(text, sizeof text, "/%d", l->pass[i].codelets->n);
    put_text(put, to, text);
  }
  for (int i = 0; i < FG_LINE_SUBLINES; i++) {
    if (!l->part[i]) continue;
    put_text(put, to, " (");
    put_line(l->part[i], put, to);
    put_text(put, to, ")");
  }
}

static const char *const forms[] = {
    [FG_STEP_COPY] = NULL, /* which is no line's */
    [FG_STEP_ONE] = "one",
    [FG_STEP_LINES] = "lines",
    [FG_STEP_COLUMNS] = "columns",
    [FG_STEP_COLUMNS_IN_PLACE] = "columns-copied",
    [FG_STEP_ACROSS] = "across",
    [FG_STEP_COLUMNS_INSIDE] = "columns-inside",
    [FG_STEP_ROWS_INSIDE] = "rows-inside",
    [FG_STEP_PARTS] = "parts",
    [FG_STEP_PAIRS] = "pairs",
    [FG_STEP_EACH] = "each",
    [FG_STEP_GATHERED] = "gathered",
};

void fg_step_print(const fg_step *s, void (*put)(void *to, char c), void *to) {
  put_text(put, to, s->line ? "(" : "(copy");
  if (s->line) put_line(s->uncopied ? s->uncopied : s->line, put, to);
  for (int i = 0; i < s->vectors; i++) {
    char text[32];
    snprintf(text, sizeof text, " x%lld", (long long)s->vector[i].n);
    put_text(put, to, text);
  }
  if (forms[s->form]) put_text(put, to, " "), put_text(put, to, forms[s->form]);
  put_text(put, to, ")");
}
