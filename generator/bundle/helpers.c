/* What the pieces of a bundle call and do not have themselves: conversions of numbers in memory, functions of
 * operations. In: the text before each piece's source. Out: that of the bundle, each function once.
 *
 * Functions of numbers stand before all levels. Those of vectors have the attribute of the first level that calls them,
 * and its condition, which later levels imply; a level that stands apart has its own. */
#include "generator/bundle/helpers.h"
#include "generator/base/strbuf.h"
#include "generator/base/text_match.h"
#include <string.h>

/* Length of the next item: a line, or a function up to the line "}". */
static size_t item_length(const char *at) {
  size_t line = strcspn(at, "\n"), whole = line + (at[line] == '\n');
  if (strncmp(at, "static ", 7) != 0 || at[line - (line > 0)] != '{') return whole;
  const char *end = strstr(at, "\n}\n");
  return end ? (size_t)(end - at) + 3 : strlen(at);
}

static bool is_function(const char *at) { return !strncmp(at, "static ", 7); }

/* "vec8_f32_sqrt(" of a function's first line. */
static const char *name_of(const fg_bundler *b, const char *function) {
  const char *end = function + strcspn(function, "("), *name = end;
  while (name > function && name[-1] != ' ') name--;
  return fg_arena_printf(b->cx->arena, " %.*s(", (int)(end - name), name);
}

static const fg_piece *piece_of(const fg_bundler *b, int problem, int level) {
  return &fg_bundler_variant(b, problem, level)->piece;
}

bool fg_bundler_calls(const fg_bundler *b, const char *what) {
  for (int l = 0; l < b->nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++)
      if (strstr(piece_of(b, p, l)->helpers, what) || strstr(piece_of(b, p, l)->body, what)) return true;
  return false;
}

fg_status fg_bundler_numbers(const fg_bundler *b, const char **out) {
  fg_strbuf s = fg_strbuf_new(b->cx->arena);
  for (int l = 0; l < b->nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++)
      for (const char *at = piece_of(b, p, l)->helpers; *at; at += item_length(at)) {
        const char *text = fg_arena_printf(b->cx->arena, "%.*s", (int)item_length(at), at), *name;
        if (!is_function(at) || strstr(s.text, text)) continue;
        if (strstr(s.text, name = name_of(b, at)))
          return fg_refuse(
              b->cx,
              "bundle: numbers in memory that are computed with as float and as double (%.*s); allowed: one "
              "precision of arithmetic for such numbers of a bundle",
              (int)strlen(name) - 2, name + 1);
        fg_strbuf_add(&s, text);
      }
  *out = s.text;
  return FG_OK;
}

/* Each precision and width once. */
const char *fg_bundler_vector_types(const fg_bundler *b) {
  fg_strbuf s = fg_strbuf_new(b->cx->arena);
  for (int l = 0; l < b->nlevel; l++)
    for (int p = 0; p < b->r->nproblem; p++)
      for (const char *at = piece_of(b, p, l)->vector_types; *at; at += item_length(at)) {
        const char *line = fg_arena_printf(b->cx->arena, "%.*s", (int)item_length(at), at);
        if (!is_function(at) && !strstr(s.text, line)) fg_strbuf_add(&s, line);
      }
  if (s.length) fg_strbuf_cut(&s, s.length - 1);
  return s.text;
}

static bool has(const fg_bundler *b, int level, const char *function) {
  for (int p = 0; p < b->r->nproblem; p++)
    if (strstr(piece_of(b, p, level)->vector_types, function)) return true;
  return false;
}

/* A level before it, compiled wherever this one is. */
static bool has_before(const fg_bundler *b, int level, const char *function) {
  for (int l = 0; l < level && !fg_bundler_stands_apart(b, level); l++)
    if (has(b, l, function)) return true;
  return false;
}

const char *fg_bundler_level_helpers(const fg_bundler *b, int level) {
  fg_strbuf s = fg_strbuf_new(b->cx->arena);
  for (int p = 0; p < b->r->nproblem; p++)
    for (const char *at = piece_of(b, p, level)->vector_types; *at; at += item_length(at)) {
      const char *text = fg_arena_printf(b->cx->arena, "%.*s", (int)item_length(at), at);
      if (!is_function(at) || has_before(b, level, text) || strstr(s.text, text + strlen("static "))) continue;
      fg_strbuf_addf(&s, "static %s %s", fg_bundler_attribute(b, level), text + strlen("static "));
    }
  if (s.length) fg_strbuf_add(&s, "\n");
  return s.text;
}

/* "vec8_f32_sqrt" and "DSP_OF" as the source of its own has them. */
static const char *renamed(const fg_bundler *b, const char *text, size_t length, const char *macro) {
  fg_strbuf s = fg_strbuf_new(b->cx->arena);
  const char *own = fg_words_upper(b->cx->arena, b->r->name);
  for (const char *at = text; at < text + length;) {
    size_t digits = !strncmp(at, "vec", 3) ? strspn(at + 3, "0123456789") : 0;
    bool precise = digits && (!strncmp(at + 3 + digits, "_f32", 4) || !strncmp(at + 3 + digits, "_f64", 4));
    bool is_macro = !strncmp(at, own, strlen(own)) && at[strlen(own)] == '_';
    if (is_macro) fg_strbuf_add(&s, macro);
    size_t kept = is_macro ? 0 : precise ? 3 + digits : 1, gone = is_macro ? strlen(own) : precise ? 4 : 0;
    fg_strbuf_addn(&s, at, kept);
    at += kept + gone;
  }
  return s.text;
}

bool fg_bundler_helpers_hold(const fg_bundler *b, int problem, int level) {
  const fg_variant *v = fg_bundler_variant(b, problem, level);
  const char *const texts[] = {v->piece.helpers, v->piece.vector_types};
  const char *macro = fg_words_upper(b->cx->arena, v->c.emitted.artifact.name);
  for (int i = 0; i < 2; i++)
    for (const char *at = texts[i]; *at; at += item_length(at))
      if (is_function(at) && !strstr(v->c.emitted.artifact.source, renamed(b, at, item_length(at), macro)))
        return false;
  return true;
}
