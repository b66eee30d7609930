/* The parser's words. In: the line being read. Out: what is left of the word at hand, and what is wrong with it: the
 * column, and what is allowed there. */
#include "generator/problem/text.h"
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
