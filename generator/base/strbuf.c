/* A growing text in an arena: see strbuf.h. */
#include "generator/base/strbuf.h"
#include "targets/number.h"
#include <string.h>

static void reserve(fg_strbuf *s, size_t more) {
  if (s->length + more + 1 <= s->capacity) return;
  size_t capacity = s->capacity * 2;
  while (capacity < s->length + more + 1) capacity *= 2;
  s->text = fg_arena_more(s->arena, s->text, s->length + 1, capacity);
  s->capacity = capacity;
}

fg_strbuf fg_strbuf_new(fg_arena *a) {
  enum { FIRST = 256 };
  return (fg_strbuf){.arena = a, .text = fg_arena_alloc(a, FIRST), .capacity = FIRST};
}

void fg_strbuf_addn(fg_strbuf *s, const char *text, size_t length) {
  reserve(s, length);
  memcpy(s->text + s->length, text, length);
  s->length += length;
  s->text[s->length] = 0;
}

void fg_strbuf_add(fg_strbuf *s, const char *text) { fg_strbuf_addn(s, text, strlen(text)); }

void fg_strbuf_vaddf(fg_strbuf *s, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  size_t room = s->capacity - s->length;
  int length = fg_number_vprint(s->text + s->length, room, format, args);
  if ((size_t)length >= room) {
    s->text[s->length] = 0;
    reserve(s, (size_t)length);
    fg_number_vprint(s->text + s->length, (size_t)length + 1, format, again);
  }
  va_end(again);
  s->length += (size_t)length;
}

void fg_strbuf_addf(fg_strbuf *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fg_strbuf_vaddf(s, format, args);
  va_end(args);
}

void fg_strbuf_cut(fg_strbuf *s, size_t length) {
  s->length = length;
  s->text[length] = 0;
}
