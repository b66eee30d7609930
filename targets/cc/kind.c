/* See kind.h. gcc's line ends with its version ("gcc (Debian 12.2.0-14) 12.2.0"), clang's has it behind a word
 * ("Debian clang version 14.0.6"). */
#include "targets/cc/kind.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const fg_cc_names[] = {"gcc", "clang", "clang-19", "cc", NULL};

bool fg_cc_is_name(const char *text) {
  int i = 0;
  while (fg_cc_names[i] && strcmp(fg_cc_names[i], text)) i++;
  return fg_cc_names[i] != NULL;
}

static const char *const kinds[] = {"gcc", "clang"};

/* Length of the name that the text begins with; 0: of none. */
static size_t name_of(const char *text) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t length = strlen(kinds[i]);
    if (!strncmp(text, kinds[i], length) && (!text[length] || text[length] == ' ')) return length;
  }
  return 0;
}

/* "12.2" of "12.2.0 (something)": at most two numbers. */
static size_t two_numbers(const char *text) {
  static const char digits[] = "0123456789";
  size_t first = strspn(text, digits);
  size_t second = first && text[first] == '.' ? strspn(text + first + 1, digits) : 0;
  return second ? first + 1 + second : first;
}

void fg_cc_kind(const char *version, char kind[FG_CC_KIND]) {
  const char *clang = strstr(version, "clang version "), *last = strrchr(version, ' ');
  const char *number = clang ? clang + sizeof "clang version" : last ? last + 1 : "";
  size_t length = two_numbers(number);
  *kind = 0;
  if (!length || length > 16 || (!clang && strstr(version, "clang"))) return;
  snprintf(kind, FG_CC_KIND, "%s %.*s", clang ? "clang" : "gcc", (int)length, number);
}

bool fg_cc_is_kind(const char *text) {
  size_t name = text && strlen(text) < FG_CC_KIND ? name_of(text) : 0;
  if (!name || !text[name]) return name != 0;
  size_t length = two_numbers(text + name + 1);
  return length && !text[name + 1 + length];
}

fg_cc_likeness fg_cc_alike(const char *a, const char *b) {
  size_t name = name_of(a);
  if (!name || name != name_of(b) || strncmp(a, b, name)) return FG_CC_OTHER;
  return a[name] && b[name] && atoi(a + name) == atoi(b + name) ? FG_CC_SAME_VERSION : FG_CC_SAME_KIND;
}
