/* Plans as text: a line a step, as fftw_print_plan shows them. */
#include "fftw/sweep/print.h"
#include "fftw/codelet/codelet.h"
#include <stdio.h>

static void put_text(void (*put)(void *to, char c), void *to, const char *text) {
  while (*text) put(to, *text++);
}

static void put_line(const fg_line *l, void (*put)(void *to, char c), void *to) {
  char text[96];
  snprintf(text, sizeof text, "%s-%lld", l->method->name, (long long)l->n);
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

void fg_step_print(const fg_step *s, void (*put)(void *to, char c), void *to) {
  put_text(put, to, s->line ? "(" : "(copy");
  if (s->line) put_line(s->line, put, to);
  for (int i = 0; i < s->vectors; i++) {
    char text[32];
    snprintf(text, sizeof text, " x%lld", (long long)s->vector[i].n);
    put_text(put, to, text);
  }
  put_text(put, to, ")");
}
