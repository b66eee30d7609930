/* Lines of emitted text: what they define. */
#ifndef FG_TESTS_TEXT_LINES_H
#define FG_TESTS_TEXT_LINES_H
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct text_word {
  const char *text; /* NULL: none */
  size_t length;
} text_word;

/* Text whose lines all end in one: behind the first, and how many there are. */
static inline const char *text_line_end(const char *text) { return strchr(text, '\n') + 1; }

static inline int text_line_count(const char *text) {
  int lines = 0;
  for (; *text; text = text_line_end(text)) lines++;
  return lines;
}

static inline text_word text_line(const char *line) {
  return (text_word){line, (size_t)(text_line_end(line) - line)};
}

static inline bool text_begins(const char *line, const char *words) {
  return !strncmp(line + strspn(line, " "), words, strlen(words));
}

/* The variable in front of " = ". */
static inline text_word text_defined(const char *line) {
  const char *equals = strstr(line, " = "), *start = equals;
  if (!equals || equals >= text_line_end(line)) return (text_word){NULL, 0};
  while (start > line && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
  return (text_word){start < equals ? start : NULL, (size_t)(equals - start)};
}
#endif
