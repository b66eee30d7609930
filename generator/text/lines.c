/* Lines of emitted text. In: statements, one a line. Out: which line defines the names that another one uses. */
#include "generator/text/lines.h"
#include "generator/text/spell.h"
#include "targets/ascii.h"
#include <string.h>

struct fg_name {
  fg_word word;
  int line; /* that defines it, last */
};

static bool is_word(char c) { return fg_is_alnum(c) || c == '_'; }

fg_lines fg_lines_of(fg_arena *a, const char *text) {
  fg_lines l = {.count = fg_spell_line_count(text), .mask = 1};
  l.line = fg_arena_new(a, const char *, l.count + 1);
  while (l.mask < 2 * (size_t)l.count + 2) l.mask *= 2;
  l.defined = fg_arena_new(a, struct fg_name, l.mask--);
  l.line[0] = text;
  for (int i = 0; i < l.count; i++) l.line[i + 1] = fg_spell_line_end(l.line[i]);
  return l;
}

static struct fg_name *find(const fg_lines *l, fg_word word) {
  size_t at = 5381;
  for (size_t i = 0; i < word.length; i++) at = at * 33 + (unsigned char)word.text[i];
  for (;; at++) {
    struct fg_name *n = &l->defined[at & l->mask];
    if (!n->word.text || (n->word.length == word.length && !memcmp(n->word.text, word.text, word.length))) return n;
  }
}

fg_word fg_lines_defines(const fg_lines *l, int line) {
  const char *from = l->line[line], *to = l->line[line + 1], *equals = from;
  while (equals < to && strncmp(equals, " = ", 3) != 0) equals++;
  if (equals == to) return (fg_word){NULL, 0};
  const char *start = equals;
  while (start > from && is_word(start[-1])) start--;
  bool name = start < equals && !fg_is_digit(*start);
  return name ? (fg_word){start, (size_t)(equals - start)} : (fg_word){NULL, 0};
}

fg_word fg_lines_word(const fg_lines *l, int line, const char **at) {
  const char *c = *at, *end = l->line[line + 1];
  while (c < end && !is_word(*c)) c++;
  fg_word word = {c < end ? c : NULL, 0};
  while (c < end && is_word(*c)) c++, word.length++;
  *at = c;
  return word;
}

void fg_lines_define(fg_lines *l, int line) {
  fg_word word = fg_lines_defines(l, line);
  if (word.text) *find(l, word) = (struct fg_name){word, line};
}

int fg_lines_definer(const fg_lines *l, fg_word word) {
  const struct fg_name *n = find(l, word);
  return n->word.text ? n->line : -1;
}

int fg_lines_operands(fg_arena *a, const fg_lines *l, int line, int **out) {
  const char *at = l->line[line];
  int count = 0, words = 0;
  while (fg_lines_word(l, line, &at).text) words++;
  int *list = *out = fg_arena_new(a, int, words + 1);
  at = l->line[line];
  for (fg_word word; (word = fg_lines_word(l, line, &at)).text;) {
    int by = fg_lines_definer(l, word), i = count;
    while (i > 0 && list[i - 1] > by) i--;
    if (by < 0 || (i > 0 && list[i - 1] == by)) continue;
    memmove(&list[i + 1], &list[i], sizeof *list * (size_t)(count++ - i));
    list[i] = by;
  }
  return count;
}

bool fg_lines_begins(const fg_lines *l, int line, const char *words) {
  const char *text = l->line[line];
  return !strncmp(text + strspn(text, " "), words, strlen(words));
}

bool fg_lines_has(const fg_lines *l, int line, const char *words) {
  size_t length = strlen(words);
  for (const char *c = l->line[line]; c + length <= l->line[line + 1]; c++)
    if (!memcmp(c, words, length)) return true;
  return false;
}
