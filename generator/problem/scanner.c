/* The parser's words. In: the line being read. Out: what is left of the word at hand, and what is wrong with it: the
 * column, and what is allowed there. */
#include "generator/problem/text.h"
#include <stdlib.h>
#include <string.h>

fg_status fg_scanner_fail(fg_scanner *ps, const char *at, const char *allowed, const char *what, ...) {
  fg_strbuf s = fg_strbuf_new(ps->cx->arena);
  va_list args;
  va_start(args, what);
  fg_strbuf_vaddf(&s, what, args);
  va_end(args);
  return fg_refuse(ps->cx, "problem, column %d: %s%s%s; allowed: %s", (int)(at - ps->text) + 1, ps->key ? ps->key : "",
                   ps->key ? ": " : "", s.text, allowed);
}

const char *fg_scanner_quote(fg_scanner *ps) { return fg_words_quote(ps->cx->arena, ps->at, fg_scanner_rest(ps)); }

bool fg_scanner_skip(fg_scanner *ps, const char *word) {
  size_t n = strlen(word);
  if (fg_scanner_rest(ps) < n || memcmp(ps->at, word, n)) return false;
  ps->at += n;
  return true;
}

/* A number; false: there is none. */
static bool skip_number(const char **at, const char *end, int64_t *out) {
  char *after;
  if (*at >= end || **at < '0' || **at > '9') return false;
  *out = strtoll(*at, &after, 10);
  *at = after;
  return true;
}

fg_status fg_scanner_part(fg_scanner *ps, const char *text, size_t length, const char *word, fg_part *out) {
  const char *at = text, *end = text + length;
  bool begins = !strcmp(word, "crop") || !strcmp(word, "zeropad");
  const char *several = begins ? fg_arena_printf(ps->cx->arena, "LENGTH), %s(FIRST:", word) : "";
  const char *allowed =
      fg_arena_printf(ps->cx->arena, "%s(%sLENGTH) or, with more dimensions, %s(60x80)", word, several, word);
  while (at < end) {
    const char *entry = at;
    int64_t first = 0, value = 0;
    bool known = out->rank < FG_MAX_RANK && skip_number(&at, end, &value);
    if (known && begins && at < end && *at == ':') first = value, at++, known = skip_number(&at, end, &value);
    if (!known || value < 1)
      return fg_scanner_fail(ps, entry, allowed, "%s are no lengths", fg_words_quote(ps->cx->arena, text, length));
    out->first[out->rank] = first, out->length[out->rank++] = value;
    if (at < end && *at++ != 'x') return fg_scanner_fail(ps, at - 1, allowed, "no 'x' between lengths");
  }
  return out->rank ? FG_OK : fg_scanner_fail(ps, text, allowed, "no lengths");
}

void fg_scanner_print_part(fg_strbuf *s, const fg_part *part) {
  for (int d = 0; d < part->rank; d++) {
    fg_strbuf_add(s, d ? "x" : "(");
    if (part->first[d]) fg_strbuf_addf(s, "%lld:", (long long)part->first[d]);
    fg_strbuf_addf(s, "%lld", (long long)part->length[d]);
  }
  if (part->rank) fg_strbuf_add(s, ")");
}
