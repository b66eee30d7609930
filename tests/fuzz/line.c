/* One line of JSON: refused with a reason, or read into texts that read the same when
 * they are quoted again. */
#include "runtime/store/line.h"
#include "tests/fuzz/fuzz.h"
#include <math.h>
#include <string.h>

static void quote_again(fg_context *cx, const char *text) {
  fg_line l;
  const char *line = fg_arena_printf(cx->arena, "{\"t\":%s}", fg_line_quote(cx->arena, text));
  fuzz_require(!fg_line_read(cx->arena, line, strlen(line), &l));
  fuzz_require(l.count == 1 && !strcmp(fg_line_text(&l, "t"), text));
}

static void body(fg_context *cx, const char *data, size_t size) {
  fg_line l;
  if (fg_line_read(cx->arena, data, size, &l)) return;
  fuzz_require(l.count > 0 && l.count <= FG_LINE_FIELDS);
  for (int i = 0; i < l.count; i++) {
    const fg_line_field *f = &l.field[i];
    fuzz_require(f->at < size && data[f->at] == '"');
    fuzz_require(fg_line_find(&l, f->name, f->kind) == f);
    quote_again(cx, f->name);
    if (f->kind == FG_LINE_TEXT) quote_again(cx, f->text);
    if (f->kind != FG_LINE_TEXT) fuzz_require(isfinite(f->number));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_run(body, data, size); }
