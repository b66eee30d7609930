/* A line of a stage's text. In: what it says. Out: the line, indented; of instructions that it was not recorded. */
#include "generator/lower/writer.h"
#include <stdarg.h>

void fg_lower_line(fg_writer *w, const char *format, ...) {
  va_list args;
  if (w->e->coder) {
    w->e->unrecorded = format;
    return;
  }
  fg_strbuf_addf(w->out, "%*s", w->indent, "");
  va_start(args, format);
  fg_strbuf_vaddf(w->out, format, args);
  va_end(args);
  fg_strbuf_add(w->out, "\n");
}
