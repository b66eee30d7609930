/* A growing text in an arena. The text is always terminated. */
#ifndef FG_STRBUF_H
#define FG_STRBUF_H
#include "generator/base/arena.h"
#include <stdarg.h>
#include <stddef.h>

typedef struct fg_strbuf {
  fg_arena *arena;
  char *text; /* never NULL */
  size_t length, capacity;
} fg_strbuf;

fg_strbuf fg_strbuf_new(fg_arena *a); /* an empty text */
void fg_strbuf_add(fg_strbuf *s, const char *text);
void fg_strbuf_addn(fg_strbuf *s, const char *text, size_t length);
void fg_strbuf_addf(fg_strbuf *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fg_strbuf_vaddf(fg_strbuf *s, const char *format, va_list args);
void fg_strbuf_cut(fg_strbuf *s, size_t length); /* shortens the text to `length` */
#endif
