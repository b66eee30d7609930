/* A statement of a stage in its language's words. In: what it says. Out: the statement recorded; of programs that
 * become instructions, that it was not. */
#include "generator/lower/writer.h"
#include "generator/text/recorder_statements.h"
#include <stdarg.h>

void fg_lower_line(fg_writer *w, const char *format, ...) {
  va_list args;
  if (!fg_coder_speaks(w->e->coder)) {
    w->e->unrecorded = format;
    return;
  }
  fg_strbuf words;
  fg_strbuf_init(&words, w->e->cx->arena);
  va_start(args, format);
  fg_strbuf_vaddf(&words, format, args);
  va_end(args);
  fg_coder_line(w->e->coder, FG_CODE_LINE, words.text);
}
