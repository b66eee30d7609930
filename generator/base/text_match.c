/* Words for messages: see text_match.h. A user's text is put into a message only by fg_words_quote, so that a
 * message is one printable line. */
#include "generator/base/text_match.h"
#include "generator/base/strbuf.h"
#include <string.h>

enum { QUOTE_MAX = 40, NAME_MAX_LENGTH = 24, NEAR_EDITS = 2 };

const char *fg_words_quote(fg_arena *a, const char *text, size_t length) {
  fg_strbuf s = fg_strbuf_new(a);
  fg_strbuf_add(&s, "'");
  for (size_t i = 0; i < length && i < QUOTE_MAX; i++) {
    char c = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    fg_strbuf_addn(&s, &c, 1);
  }
  fg_strbuf_add(&s, length > QUOTE_MAX ? "...'" : "'");
  return s.text;
}

const char *fg_words_join(fg_arena *a, fg_words_name name) {
  fg_strbuf s = fg_strbuf_new(a);
  for (int i = 0; name(i); i++) {
    if (i) fg_strbuf_add(&s, ", ");
    fg_strbuf_add(&s, name(i));
  }
  return s.text;
}

static int least(int a, int b) { return a < b ? a : b; }

static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Insertions, deletions and replacements between two short words, in any case of letters (Wagner, Fischer 1974). */
static int edits(const char *a, size_t na, const char *b, size_t nb) {
  int row[NAME_MAX_LENGTH + 1];
  for (size_t j = 0; j <= nb; j++) row[j] = (int)j;
  for (size_t i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= nb; j++) {
      int replaced = diagonal + (small(a[i - 1]) != small(b[j - 1]));
      diagonal = row[j];
      row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
    }
  }
  return row[nb];
}

const char *fg_words_near(fg_arena *a, const char *text, size_t length, fg_words_name name) {
  const char *best = NULL;
  int distance = NEAR_EDITS + 1;
  if (length > NAME_MAX_LENGTH) return "";
  for (int i = 0; name(i); i++) {
    size_t n = strlen(name(i));
    if (n > NAME_MAX_LENGTH) continue;
    int d = edits(text, length, name(i), n);
    if (d >= distance || d >= (int)n) continue; /* d == n: nothing in common */
    distance = d;
    best = name(i);
  }
  return best ? fg_arena_printf(a, " (did you mean '%s'?)", best) : "";
}

int fg_words_find(const char *text, size_t length, fg_words_name name) {
  for (int i = 0; name(i); i++)
    if (strlen(name(i)) == length && !memcmp(name(i), text, length)) return i;
  return -1;
}

bool fg_words_has(const char *list, const char *text, size_t length) {
  while (*list) {
    size_t word = strcspn(list, " ");
    if (word == length && !memcmp(list, text, length)) return true;
    list += word + strspn(list + word, " ");
  }
  return false;
}

char *fg_words_upper(fg_arena *a, const char *text) {
  char *copy = fg_arena_strdup(a, text);
  for (char *c = copy; *c; c++)
    if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
  return copy;
}
