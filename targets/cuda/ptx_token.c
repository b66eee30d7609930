/* Words of CUDA text. In: text. Out: tokens, and where its functions are. */
#include "targets/cuda/ptx_token.h"
#include "targets/ascii.h"
#include "targets/cuda/ptx_frame.h"
#include <stdlib.h>
#include <string.h>

/* ---- words --------------------------------------------------------------------- */

static const char *behind_space(const char *s) {
  for (;;) {
    if (fg_is_space(*s)) {
      s++;
    } else if (s[0] == '/' && s[1] == '*') {
      const char *end = strstr(s + 2, "*/");
      s = end ? end + 2 : s + strlen(s);
    } else if (s[0] == '/' && s[1] == '/') {
      s += strcspn(s, "\n");
    } else {
      return s;
    }
  }
}

static int word_length(const char *s) {
  int n = 0;
  while (fg_is_alnum(s[n]) || s[n] == '_') n++;
  return n;
}

/* 12, 0x1p3 is not used; 0.5f, 1e-05 */
static int number_length(const char *s, bool *real) {
  int n = 0;
  bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  *real = false;
  for (;; n++) {
    bool sign = (s[n] == '+' || s[n] == '-') && n && !hex && (s[n - 1] == 'e' || s[n - 1] == 'E');
    if (!fg_is_alnum(s[n]) && s[n] != '.' && !sign) return n;
    if (s[n] == '.' || (!hex && (s[n] == 'e' || s[n] == 'E'))) *real = true;
  }
}

static int string_length(const char *s) {
  int n = 1;
  while (s[n] && s[n] != '"') n += s[n] == '\\' && s[n + 1] ? 2 : 1;
  return s[n] ? n + 1 : n;
}

static int mark_length(const char *s) {
  static const char *const two[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++", "--",
                                    "+=", "-=", "*=", "/=", "%=", "^=", "|=", "&=", "->", "::"};
  for (size_t i = 0; i < sizeof two / sizeof *two; i++)
    if (!strncmp(s, two[i], 2)) return 2;
  return 1;
}

static fg_ptx_token next_token(const char *s) {
  fg_ptx_token t = {.text = s, .name = -1};
  bool real;
  if (*s == '#') {
    t.length = (int)strcspn(s, "\n");
    t.kind = !strncmp(s, "#pragma unroll", (size_t)t.length) ? PTX_UNROLL : PTX_MARK;
  } else if (fg_is_digit(*s)) {
    t.length = number_length(s, &real);
    t.kind = real ? PTX_REAL : PTX_INTEGER;
  } else if (*s == '"') {
    t.kind = PTX_STRING;
    t.length = string_length(s);
  } else if (word_length(s)) {
    t.kind = PTX_NAME;
    t.length = word_length(s);
  } else if (*s) {
    t.kind = PTX_MARK;
    t.length = mark_length(s);
  }
  return t;
}

/* Equal words have equal numbers. */
static void number_names(fg_ptx *g) {
  int size = 64, *slot;
  while (size < 2 * g->ntoken) size *= 2;
  slot = malloc((size_t)size * sizeof *slot);
  if (!slot) fg_ptx_refuse(g, "out of memory");
  for (int i = 0; i < size; i++) slot[i] = -1;
  for (int i = 0; i < g->ntoken; i++) {
    fg_ptx_token *t = &g->token[i];
    unsigned h = 5381;
    if (t->kind != PTX_NAME) continue;
    for (int k = 0; k < t->length; k++) h = 33 * h + (unsigned char)t->text[k];
    for (;; h++) {
      int *at = &slot[h & (unsigned)(size - 1)];
      if (*at < 0) *at = i, t->name = g->nname++;
      const fg_ptx_token *other = &g->token[*at];
      if (other->length != t->length || strncmp(other->text, t->text, (size_t)t->length) != 0) continue;
      t->name = other->name;
      break;
    }
  }
  free(slot);
}

/* ---- at the words ---------------------------------------------------------------- */

bool fg_ptx_is(const fg_ptx *g, int at, const char *word) {
  const fg_ptx_token *t = &g->token[at < g->ntoken ? at : g->ntoken - 1];
  return t->kind != PTX_STRING && t->length == (int)strlen(word) && !strncmp(t->text, word, (size_t)t->length);
}

bool fg_ptx_take(fg_ptx *g, const char *word) {
  if (!fg_ptx_is(g, g->at, word)) return false;
  g->at++;
  return true;
}

bool fg_ptx_take_stars(fg_ptx *g) {
  bool any = false;
  while (fg_ptx_is(g, g->at, "*") || fg_ptx_is(g, g->at, "const") || fg_ptx_is(g, g->at, "__restrict__"))
    any |= fg_ptx_is(g, g->at++, "*");
  return any;
}

void fg_ptx_need(fg_ptx *g, const char *word) {
  if (!fg_ptx_take(g, word)) fg_ptx_refuse(g, word);
}

int fg_ptx_behind(fg_ptx *g, int open) {
  int depth = 0;
  for (int i = open; i < g->ntoken - 1; i++) {
    const fg_ptx_token *t = &g->token[i];
    if (t->kind != PTX_MARK) continue;
    if (strchr("({[", *t->text)) depth++;
    if (strchr(")}]", *t->text) && --depth == 0) return i + 1;
  }
  fg_ptx_refuse(g, "brackets");
}

/* ---- functions ------------------------------------------------------------------- */

static long number_at(const fg_ptx *g, int at) {
  return g->token[at].kind == PTX_INTEGER ? strtol(g->token[at].text, NULL, 0) : 0;
}

/* The text before a function's parameters. Returns the token of its '(', 0: this is no function. */
static int read_head(fg_ptx *g, int at, fg_ptx_function *f) {
  for (; at < g->ntoken - 1 && !fg_ptx_is(g, at, ";") && !fg_ptx_is(g, at, "{"); at++) {
    if (fg_ptx_is(g, at, "__global__")) f->kernel = true;
    if (!fg_ptx_is(g, at + 1, "(")) continue;
    if (fg_ptx_is(g, at, "__launch_bounds__")) {
      f->threads = number_at(g, at + 2);
      if (fg_ptx_is(g, at + 3, ",")) f->resident = number_at(g, at + 4);
    } else if (fg_ptx_is(g, at, "__cluster_dims__")) {
      f->cluster = number_at(g, at + 2);
    } else if (!fg_ptx_is(g, at, "__attribute__")) {
      f->name = g->token[at].name;
      return g->token[at].kind == PTX_NAME ? at + 1 : 0;
    }
    at = fg_ptx_behind(g, at + 1) - 1;
  }
  return 0;
}

static void read_functions(fg_ptx *g) {
  int room = 0;
  for (int at = 0; at < g->ntoken - 1;) {
    fg_ptx_function f = {.name = -1, .head = at};
    bool generic = fg_ptx_is(g, at, "template");
    int open = generic ? 0 : read_head(g, at, &f);
    if (open) {
      f.params = open + 1;
      f.body = fg_ptx_behind(g, open) + 1;
      f.end = fg_ptx_behind(g, f.body - 1) - 1;
      g->function = fg_ptx_grow(g, g->function, g->nfunction, &room, sizeof *g->function);
      g->function[g->nfunction++] = f;
      at = f.end + 1;
    } else { /* not needed here; a call of it is refused */
      while (at < g->ntoken - 1 && !fg_ptx_is(g, at, ";") && !fg_ptx_is(g, at, "{")) at++;
      at = fg_ptx_is(g, at, "{") ? fg_ptx_behind(g, at) : at + 1;
    }
  }
}

void fg_ptx_read(fg_ptx *g, const char *source) {
  int room = 0;
  for (const char *s = behind_space(source);; s = behind_space(s)) {
    fg_ptx_token t = next_token(s);
    g->token = fg_ptx_grow(g, g->token, g->ntoken, &room, sizeof *g->token);
    g->token[g->ntoken++] = t;
    if (t.kind == PTX_END) break;
    s += t.length;
  }
  number_names(g);
  read_functions(g);
}
