/* See renamed.h. In: two texts. Out: whether they are the same but for names, one for one.
 *
 * The idea: a name of the source has one that follows from it. Tables with corresponding names hold the same
 * numbers. Names of vector types state the precision of their numbers. All other words, numbers and signs are equal.
 * Linkage (static, extern, forward declarations) and lines of the preprocessor are not compared. */
#include "generator/prove/renamed.h"
#include "targets/ascii.h"
#include <stdio.h>
#include <string.h>

enum { MOST_TABLES = 256 };

typedef struct token {
  const char *at;
  size_t length;
} token;

typedef struct reader {
  const char *at;
  const char *attribute;
  int depth; /* of brackets of any kind */
} reader;

typedef struct renamer {
  const fg_renaming *r;
  fg_context *cx;
  token table[MOST_TABLES][2]; /* what one is called in either text */
  int ntable;
  char *failure;
} renamer;

static bool is(token t, const char *text) { return t.length == strlen(text) && !memcmp(t.at, text, t.length); }
static bool same(token a, token b) { return a.length == b.length && !memcmp(a.at, b.at, a.length); }

static const char *behind(const char *at, const char *end) {
  const char *found = strstr(at, end);
  return found ? found + strlen(end) : at + strlen(at);
}

/* Spaces, comments, lines of the preprocessor, each a line of its own. */
static const char *skip_space(const char *at) {
  for (;;)
    if (fg_is_space(*at))
      at++;
    else if (at[0] == '/' && at[1] == '*')
      at = behind(at, "*/");
    else if (*at == '#')
      at = behind(at, "\n");
    else
      return at;
}

static token raw_token(const char **at) {
  const char *from = *at = skip_space(*at);
  const char *end = from + (*from != 0);
  if (fg_is_word(*from) || (*from == '.' && fg_is_digit(from[1])))
    while (fg_is_word(*end) || *end == '.' ||
           (fg_is_digit(*from) && strchr("+-", *end) && *end && strchr("eE", end[-1]) &&
            !(from[0] == '0' && from[1] == 'x')))
      end++;
  if (*from == '"') end = behind(from + 1, "\"");
  *at = end;
  return (token){from, (size_t)(end - from)};
}

/* "void NAME(...);" */
static bool skip_declaration(reader *r) {
  const char *at = r->at;
  if (r->depth || !is(raw_token(&at), "void")) return false;
  token t = raw_token(&at);
  if (!fg_is_word(*t.at) || !is(raw_token(&at), "(")) return false;
  do t = raw_token(&at);
  while (t.length && !is(t, ")") && !is(t, "{"));
  if (!is(t, ")") || !is(raw_token(&at), ";")) return false;
  r->at = at;
  return true;
}

static token next(reader *r) {
  while (skip_declaration(r)) {}
  token t = raw_token(&r->at);
  bool known = r->attribute && is(t, r->attribute);
  if (is(t, "static") || is(t, "extern") || is(t, "\"C\"") || known) return next(r);
  if (t.length == 1 && strchr("({[", *t.at)) r->depth++;
  if (t.length == 1 && strchr(")}]", *t.at)) r->depth--;
  return t;
}

/* ---- names ------------------------------------------------------------------------------------- */

/* b is `to` where a is `from`, and what follows is the same; `follows`: it begins with "_". */
static bool follows_from(token a, token b, const char *from, const char *to) {
  size_t had = strlen(from), has = strlen(to);
  if (a.length < had || b.length < has || memcmp(a.at, from, had) != 0 || memcmp(b.at, to, has) != 0) return false;
  token rest = {a.at + had, a.length - had}, other = {b.at + has, b.length - has};
  return same(rest, other) && (!rest.length || *rest.at == '_');
}

static bool is_own(token t, const char *name) {
  size_t length = strlen(name);
  return t.length >= length && !memcmp(t.at, name, length) && (t.length == length || t.at[length] == '_');
}

/* vec8 and vec8_f32, vec8_at and vec8_f32_at */
static bool is_same_vector(token a, token b) {
  size_t added = 4, head = 0;
  if (b.length != a.length + added || a.length < 4 || memcmp(a.at, "vec", 3) != 0) return false;
  while (head < a.length && a.at[head] != '_') head++;
  bool precise = !memcmp(b.at + head, "_f32", added) || !memcmp(b.at + head, "_f64", added);
  return precise && !memcmp(a.at, b.at, head) && !memcmp(a.at + head, b.at + head + added, a.length - head);
}

/* "const float NAME[100]", and behind it the first number. NULL: there is no such array. */
static const char *array_of(const renamer *n, const char *text, token name, token *type, token *count) {
  const char *head = fg_arena_printf(n->cx->arena, " %.*s[", (int)name.length, name.at), *at = text;
  while ((at = strstr(at, head))) {
    const char *word = at, *list = at + strlen(head);
    while (word > text && fg_is_word(word[-1])) word--;
    *type = (token){word, (size_t)(at - word)};
    *count = raw_token(&list);
    list += strcspn(list, "{;");
    if (*list == '{' && type->length) return list + 1;
    at++;
  }
  return NULL;
}

static bool holds_the_same(const renamer *n, token a, token b) {
  token type[2], count[2], x, y;
  const char *had = array_of(n, n->r->proved, a, &type[0], &count[0]);
  const char *has = array_of(n, n->r->whole, b, &type[1], &count[1]);
  if (!had || !has || !same(type[0], type[1]) || !same(count[0], count[1])) return false;
  do {
    x = raw_token(&had), y = raw_token(&has);
    if (!same(x, y)) return false;
  } while (x.length && !is(x, "}"));
  return true;
}

static bool is_same_table(renamer *n, token a, token b) {
  for (int i = 0; i < n->ntable; i++)
    if (same(n->table[i][0], a)) return same(n->table[i][1], b);
  if (n->ntable == MOST_TABLES || !holds_the_same(n, a, b)) return false;
  n->table[n->ntable][0] = a, n->table[n->ntable][1] = b;
  n->ntable++;
  return true;
}

static bool agree(renamer *n, token a, token b) {
  const fg_renaming *r = n->r;
  if (is_own(a, r->from)) return follows_from(a, b, r->from, r->to);
  if (is_own(a, r->macro_from)) return follows_from(a, b, r->macro_from, r->macro_to);
  if (is_same_vector(a, b)) return true;
  bool words = a.length && b.length && fg_is_word(*a.at) && !fg_is_digit(*a.at);
  for (int i = 0; i < n->ntable && words; i++)
    if (same(n->table[i][0], a)) return is_same_table(n, a, b);
  return same(a, b) || (words && is_same_table(n, a, b));
}

/* Of the proved source, from its first function on. */
static const char *first_function(const renamer *n, const char *text) {
  const char *stage = strstr(text, fg_arena_printf(n->cx->arena, "\nstatic void %s_", n->r->from));
  const char *own = strstr(text, fg_arena_printf(n->cx->arena, "\nvoid %s(", n->r->from));
  return stage && (!own || stage < own) ? stage : own;
}

static bool fail(renamer *n, const char *what, token t) {
  snprintf(n->failure, 256, "bundle: %s: %s %.*s", n->r->to, what, (int)(t.length < 100 ? t.length : 100), t.at);
  return false;
}

bool fg_prove_renamed(fg_context *cx, const fg_renaming *r, char failure[256]) {
  renamer *n = fg_arena_new(cx->arena, renamer, 1);
  *n = (renamer){.r = r, .cx = cx, .failure = failure};
  const char *from = first_function(n, r->proved);
  token a = {"", 0}, b;
  if (!from) return fail(n, "no function in the proved source", a);
  if (!strstr(r->whole, r->piece)) return fail(n, "a piece that the bundle does not have", a);
  reader had = {from, NULL, 0}, has = {r->piece, r->attribute, 0};
  do {
    a = next(&had), b = next(&has);
    if (!agree(n, a, b)) return fail(n, "other than what was proved:", b);
  } while (a.length || b.length);
  return true;
}
