/* The parser's words. In: the line being read. Out: what is left of the word at hand, and what is wrong with it: the
 * column, and what is allowed there. */
#include "generator/problem/text.h"
#include <stdlib.h>
#include <string.h>

fg_status fg_scanner_fail(fg_scanner *ps, const char *at, const char *what, const char *allowed) {
  return fg_diag_set(&ps->cx->diag, FG_EUSER, "problem, column %d: %s%s%s; allowed: %s", (int)(at - ps->text) + 1,
                     ps->key ? ps->key : "", ps->key ? ": " : "", what, allowed);
}

const char *fg_scanner_quote(fg_scanner *ps) { return fg_words_quote(ps->cx->arena, ps->at, fg_scanner_rest(ps)); }

bool fg_scanner_skip(fg_scanner *ps, const char *word) {
  size_t n = strlen(word);
  if (fg_scanner_rest(ps) < n || memcmp(ps->at, word, n)) return false;
  ps->at += n;
  return true;
}

fg_status fg_scanner_part(fg_scanner *ps, const char *text, size_t length, const char *word, fg_part *out) {
  const char *at = text, *end = text + length;
  const char *allowed = fg_arena_printf(ps->cx->arena, "%s(LENGTH) or, with more dimensions, %s(60x80)", word, word);
  while (at < end) {
    char *after;
    long long value = *at >= '0' && *at <= '9' ? strtoll(at, &after, 10) : 0;
    if (value < 1 || out->rank == FG_MAX_RANK)
      return fg_scanner_fail(
          ps, at, fg_arena_printf(ps->cx->arena, "%s are no lengths", fg_words_quote(ps->cx->arena, text, length)),
          allowed);
    out->length[out->rank++] = value;
    at = after;
    if (at < end && *at++ != 'x') return fg_scanner_fail(ps, at - 1, "no 'x' between lengths", allowed);
  }
  return out->rank ? FG_OK : fg_scanner_fail(ps, text, "no lengths", allowed);
}

void fg_scanner_print_part(fg_strbuf *s, const fg_part *part) {
  for (int d = 0; d < part->rank; d++) fg_strbuf_addf(s, "%s%lld", d ? "x" : "(", (long long)part->length[d]);
  if (part->rank) fg_strbuf_add(s, ")");
}
