/* See line.h. The grammar is JSON's (RFC 8259) for objects without inner objects or arrays; texts are UTF-8,
 * unchanged, with \uXXXX for control characters. */
#include "runtime/store/line.h"
#include "targets/number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  fg_arena *arena;
  const char *start, *at, *end;
  const char *wrong; /* the first thing that is */
} reader;

static int peek(const reader *r) { return r->at < r->end ? (unsigned char)*r->at : -1; }

static void refuse(reader *r, const char *what) {
  if (!r->wrong) r->wrong = what;
  r->at = r->end;
}

static void blanks(reader *r) {
  while (peek(r) == ' ' || peek(r) == '\t') r->at++;
}

static bool takes(reader *r, char c) {
  blanks(r);
  if (peek(r) != c) return false;
  r->at++;
  return true;
}

static int hex_digit(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* After "\u": one code unit below the surrogates, as UTF-8. */
static char *read_unicode(reader *r, char *to) {
  unsigned code = 0;
  for (int i = 0; i < 4; i++) {
    int digit = hex_digit(peek(r));
    if (digit < 0) return refuse(r, "an unknown escape"), to;
    code = code * 16 + (unsigned)digit;
    r->at++;
  }
  if (code == 0 || (code >= 0xd800 && code < 0xe000)) return refuse(r, "an escape that is not allowed"), to;
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xc0 | code >> 6);
    *to++ = (char)(0x80 | (code & 0x3f));
  } else {
    *to++ = (char)(0xe0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 0x3f));
    *to++ = (char)(0x80 | (code & 0x3f));
  }
  return to;
}

static char *read_escape(reader *r, char *to) {
  static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
  int c = peek(r);
  if (c < 0) return refuse(r, "a text without its end"), to;
  r->at++;
  if (c == 'u') return read_unicode(r, to);
  const char *which = strchr(from, c);
  if (!which) return refuse(r, "an unknown escape"), to;
  *to++ = into[which - from];
  return to;
}

/* Bytes that are read up to the quote that ends the text, or to what does not belong in one. */
static size_t text_bytes(const reader *r) {
  const char *at = r->at;
  while (at < r->end && *at != '"' && (unsigned char)*at >= 0x20) at += *at == '\\' && r->end - at > 1 ? 2 : 1;
  return (size_t)(at - r->at);
}

static const char *read_text(reader *r) {
  if (!takes(r, '"')) return refuse(r, "a text is missing"), "";
  /* Never longer than the text: what an escape means is shorter than the escape. */
  char *text = fg_arena_alloc(r->arena, text_bytes(r) + 1), *to = text;
  for (;;) {
    int c = peek(r);
    if (c < 0x20) return refuse(r, c < 0 ? "a text without its end" : "a control character inside a text"), "";
    r->at++;
    if (c == '"') break;
    if (c == '\\')
      to = read_escape(r, to);
    else
      *to++ = (char)c;
  }
  *to = 0;
  return text;
}

static int skip_digits(reader *r) {
  int count = 0;
  for (; peek(r) >= '0' && peek(r) <= '9'; count++) r->at++;
  return count;
}

static double read_number(reader *r) {
  const char *start = r->at;
  char text[64];
  if (peek(r) == '-') r->at++;
  bool zero = peek(r) == '0';
  int digits = skip_digits(r);
  if (!digits || (zero && digits > 1)) return refuse(r, "not a number"), 0;
  if (peek(r) == '.') {
    r->at++;
    if (!skip_digits(r)) return refuse(r, "not a number"), 0;
  }
  if (peek(r) == 'e' || peek(r) == 'E') {
    r->at++;
    if (peek(r) == '+' || peek(r) == '-') r->at++;
    if (!skip_digits(r)) return refuse(r, "not a number"), 0;
  }
  size_t length = (size_t)(r->at - start);
  if (length >= sizeof text) return refuse(r, "a number with too many digits"), 0;
  memcpy(text, start, length);
  text[length] = 0;
  double value = fg_number_read(text, NULL);
  return isfinite(value) ? value : (refuse(r, "a number that is too large"), 0);
}

static bool takes_word(reader *r, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length)) return false;
  r->at += length;
  return true;
}

static void read_value(reader *r, fg_line_field *f) {
  blanks(r);
  if (peek(r) == '"') {
    f->kind = FG_LINE_TEXT;
    f->text = read_text(r);
  } else if (takes_word(r, "true") || takes_word(r, "false")) {
    f->kind = FG_LINE_TRUTH;
    f->number = r->at[-2] == 'u';
  } else {
    f->kind = FG_LINE_NUMBER;
    f->number = read_number(r);
  }
}

static void read_field(reader *r, fg_line *l) {
  if (l->count == FG_LINE_FIELDS) {
    refuse(r, "too many fields");
    return;
  }
  fg_line_field *f = &l->field[l->count];
  blanks(r);
  f->at = (size_t)(r->at - r->start);
  f->name = read_text(r);
  for (int i = 0; i < l->count; i++)
    if (!strcmp(l->field[i].name, f->name)) refuse(r, "a name occurs twice");
  if (!r->wrong && !takes(r, ':')) refuse(r, "no colon after a name");
  if (r->wrong) return;
  read_value(r, f);
  if (!r->wrong) l->count++;
}

const char *fg_line_read(fg_arena *a, const char *text, size_t length, fg_line *out) {
  reader r = {.arena = a, .start = text, .at = text, .end = text + length};
  *out = (fg_line){0};
  if (!takes(&r, '{')) return "not a JSON object";
  do {
    read_field(&r, out);
  } while (!r.wrong && takes(&r, ','));
  if (!r.wrong && !takes(&r, '}')) refuse(&r, "the object does not end");
  blanks(&r);
  if (!r.wrong && r.at != r.end) refuse(&r, "text after the object");
  return r.wrong;
}

const fg_line_field *fg_line_find(const fg_line *l, const char *name, fg_line_kind kind) {
  for (int i = 0; i < l->count; i++)
    if (l->field[i].kind == kind && !strcmp(l->field[i].name, name)) return &l->field[i];
  return NULL;
}

const char *fg_line_text(const fg_line *l, const char *name) {
  const fg_line_field *f = fg_line_find(l, name, FG_LINE_TEXT);
  return f ? f->text : NULL;
}

double fg_line_number(const fg_line *l, const char *name, double otherwise) {
  const fg_line_field *f = fg_line_find(l, name, FG_LINE_NUMBER);
  return f ? f->number : otherwise;
}

const char *fg_line_quote(fg_arena *a, const char *text) {
  char *quoted = fg_arena_alloc(a, 6 * strlen(text) + 3), *to = quoted;
  *to++ = '"';
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') *to++ = '\\';
    if (c < 0x20)
      to += sprintf(to, "\\u%04x", c);
    else
      *to++ = (char)c;
  }
  *to++ = '"';
  *to = 0;
  return quoted;
}
