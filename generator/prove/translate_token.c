/* The tokens and types of emitted C. In: the text. Out: its next token. */
#include "generator/prove/translate_token.h"
#include "generator/base/text_match.h"
#include "targets/ascii.h"
#include <string.h>

bool fg_translate_fail(fg_translator *t, const char *what) {
  if (!t->failure) {
    size_t line = strcspn(t->at, "\n");
    t->failure = fg_arena_printf(t->cx->arena, "%s: %.*s", what, (int)(line < 100 ? line : 100), t->at);
  }
  t->at = t->end;
  return false;
}

/* A line of the preprocessor continues where it ends in a backslash. */
void fg_translate_skip_space(fg_translator *t) {
  for (;;) {
    while (*t->at == ' ' || *t->at == '\n' || *t->at == '\t') t->at++;
    if (t->at >= t->end) {
      t->spaced = t->at = t->end;
      return;
    }
    if (t->at[0] == '/' && t->at[1] == '*') {
      const char *close = strstr(t->at + 2, "*/");
      t->at = close ? close + 2 : t->end;
    } else if (t->at[0] == '#') {
      t->at += strcspn(t->at, "\n");
    } else {
      t->spaced = t->at;
      return;
    }
  }
}

bool fg_translate_matches(const fg_translator *t, const char *sign) {
  size_t length = strlen(sign);
  if (t->at + length > t->end || strncmp(t->at, sign, length) != 0) return false;
  return !fg_is_word(sign[0]) || !fg_is_word(t->at[length]);
}

bool fg_translate_accept(fg_translator *t, const char *sign) {
  if (!fg_translate_peek(t, sign)) return false;
  t->at += strlen(sign);
  return true;
}

void fg_translate_expect(fg_translator *t, const char *sign) {
  if (!fg_translate_accept(t, sign)) fg_translate_fail(t, fg_arena_printf(t->cx->arena, "no '%s'", sign));
}

size_t fg_translate_word(fg_translator *t) {
  size_t length = 0;
  if (t->spaced != t->at) fg_translate_skip_space(t);
  if (t->at == t->end || fg_is_digit(*t->at)) return 0;
  while (t->at + length < t->end && fg_is_word(t->at[length])) length++;
  return length;
}

void fg_translate_skip_brackets(fg_translator *t, char open, char close) {
  for (int depth = 1; depth && t->at < t->end; t->at++) {
    fg_translate_skip_space(t);
    if (t->at == t->end) return;
    depth += (*t->at == open) - (*t->at == close);
  }
}

/* ---- names ------------------------------------------------------------------------------- */

static fg_translate_name *place_of(fg_translator *t, const char *word, size_t length) {
  size_t at = 5381;
  for (size_t i = 0; i < length; i++) at = at * 33 + (unsigned char)word[i];
  for (;; at++) {
    fg_translate_name *n = &t->name[at & t->mask];
    if (!n->text || (n->length == length && !memcmp(n->text, word, length))) return n;
  }
}

fg_translate_name *fg_translate_lookup(fg_translator *t, const char *word, size_t length) {
  fg_translate_name *n = place_of(t, word, length);
  return n->text ? n : NULL;
}

static void grow(fg_translator *t) {
  fg_translate_name *old = t->name;
  size_t count = old ? t->mask + 1 : 0;
  t->mask = 2 * count + 255 - count % 2;
  while ((t->mask + 1) & t->mask) t->mask |= t->mask >> 1;
  t->name = fg_arena_new(t->cx->arena, fg_translate_name, t->mask + 1);
  for (size_t i = 0; i < count; i++)
    if (old[i].text) *place_of(t, old[i].text, old[i].length) = old[i];
}

void fg_translate_declare(fg_translator *t, const char *word, size_t length, fg_translate_type type, bool is_type) {
  if (!t->name || 2 * t->names > t->mask) grow(t);
  fg_translate_name *n = place_of(t, word, length);
  t->names += !n->text;
  *n = (fg_translate_name){.text = word, .length = length, .type = type, .is_type = is_type};
}

/* ---- types --------------------------------------------------------------------------------- */

static bool takes_any(fg_translator *t, const char *const *word) {
  for (; *word; word++)
    if (fg_translate_accept(t, *word)) return true;
  return false;
}

bool fg_translate_accept_macro(fg_translator *t, const char *tail) {
  size_t length = fg_translate_word(t), n = strlen(tail);
  if (length <= n || strncmp(t->at + length - n, tail, n) != 0) return false;
  t->at += length;
  return true;
}

static bool reads_real(fg_translator *t, fg_translate_type *out) {
  static const struct {
    const char *name;
    int bytes;
  } reals[] = {{"float", 4}, {"double", 8}, {"short", 2}, {"char", 1}};
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
    if (fg_translate_accept(t, reals[i].name))
      return *out = (fg_translate_type){.kind = FG_C_REAL, .lanes = reals[i].bytes}, true;
  return false;
}

static bool reads_base(fg_translator *t, fg_translate_type *out) {
  bool is_unsigned = fg_translate_accept(t, "unsigned"), is_long = false;
  while (fg_translate_accept(t, "long")) is_long = true;
  if (!is_long && reads_real(t, out)) return true;
  fg_translate_kind unsign = is_unsigned ? FG_C_INDEX : FG_C_VOID;
  if (is_long || fg_translate_accept(t, "ptrdiff_t") || fg_translate_accept(t, "size_t"))
    return *out = (fg_translate_type){.kind = FG_C_INDEX, .to = unsign, .lanes = 8}, true;
  if (fg_translate_accept(t, "int") || is_unsigned || (t->contexts && fg_translate_accept(t, "bool")))
    return *out = (fg_translate_type){.kind = FG_C_INDEX, .to = unsign, .lanes = 4}, true;
  if (fg_translate_accept(t, "void")) return *out = (fg_translate_type){.kind = FG_C_VOID}, true;
  size_t length = fg_translate_word(t);
  const fg_translate_name *n = length && t->name ? fg_translate_lookup(t, t->at, length) : NULL;
  if (!n || !n->is_type) return false;
  t->at += length;
  *out = n->type;
  return true;
}

/* [[...]] */
static bool takes_attribute(fg_translator *t) {
  if (!fg_translate_accept(t, "[[")) return false;
  fg_translate_skip_brackets(t, '[', ']');
  fg_translate_expect(t, "]");
  return true;
}

/* Words of kernels that say where something is, or how it is called. */
static bool takes_place(fg_translator *t) {
  if (!t->c->nlaunch) return false;
  if (takes_attribute(t)) return true;
  size_t length = fg_translate_word(t);
  if (!length || !fg_words_has(t->dialect->qualifiers, t->at, length)) return false;
  t->at += length;
  if (fg_translate_accept(t, "(")) fg_translate_skip_brackets(t, '(', ')');
  return true;
}

bool fg_translate_accept_type(fg_translator *t, fg_translate_type *out) {
  static const char *const also[] = {"const", "static", "volatile", NULL};
  bool some = false;
  while (takes_any(t, also) || takes_place(t)) some = true;
  if (!reads_base(t, out)) return some && fg_translate_fail(t, "no type");
  for (;;) {
    if (takes_any(t, also) || takes_place(t) || fg_translate_accept_macro(t, "_RESTRICT")) continue;
    if (t->c->nlaunch && fg_translate_accept(t, "&")) continue; /* a parameter that is passed by its place */
    if (!fg_translate_accept(t, "*")) return true;
    if (out->kind == FG_C_POINTER && out->to != FG_C_VOID) return fg_translate_fail(t, "a pointer to pointers");
    *out = (fg_translate_type){FG_C_POINTER, out->kind, out->lanes};
  }
}

const char *fg_translate_type_text(fg_translator *t, fg_translate_type type) {
  switch (type.kind) {
  case FG_C_VOID: return "void";
  case FG_C_INDEX:
    if (type.to == FG_C_INDEX) return type.lanes == 4 ? "unsigned" : "unsigned long long";
    return type.lanes == 4 ? "int" : "long long";
  case FG_C_REAL: return "fg_real";
  case FG_C_PAIR:
  case FG_C_VECTOR:
  case FG_C_WORDS:
  case FG_C_HALVES: t->lanes |= (uint64_t)type.lanes; return fg_arena_printf(t->cx->arena, "fg_v%d", type.lanes);
  case FG_C_POINTER: break;
  }
  if (type.to == FG_C_POINTER) return "void *const *";
  fg_translate_type to = {.kind = type.to, .lanes = type.lanes};
  return fg_arena_printf(t->cx->arena, "%s *", fg_translate_type_text(t, to));
}
