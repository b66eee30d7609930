/* Rows that leave a codelet of vectors are exchanged between lanes and stored. In: the
 * lines of its operations, then those of its stores. Out: the same lines, each of the
 * latter as soon as all that it mentions is there.
 *
 * One unit does all shuffles of wide vectors, and codelets of 32 points are longer than
 * the window in which a CPU looks for work: exchanges behind them find its other units
 * idle. Stores wait for the last load where both are of the same memory. */
#include "generator/emit_parts.h"
#include <ctype.h>
#include <string.h>

/* WINDOW: statements that a CPU sees at once; fewer are mixed by it. EARLY_MOST: beyond the first cache stores wait in
 * a queue, and the sooner they come the more of them do. */
enum { WINDOW = 512, EARLY_MOST = 48 << 10 };

typedef struct name {
  const char *text;
  size_t length;
  int line; /* that defines it, last */
} name;

typedef struct merge {
  const char **line; /* line[i] .. line[i + 1] */
  int *after;        /* of a later line: the one of the operations that it follows */
  int operations, count;
  name *table;
  size_t mask;
} merge;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static name *find(const merge *m, const char *text, size_t length) {
  size_t at = 5381;
  for (size_t i = 0; i < length; i++) at = at * 33 + (unsigned char)text[i];
  for (;; at++) {
    name *n = &m->table[at & m->mask];
    if (!n->text || (n->length == length && !memcmp(n->text, text, length))) return n;
  }
}

/* The name in front of " = ", where it is that of a variable. */
static size_t defined(const char *from, const char *to, const char **out) {
  const char *equals = from;
  while (equals < to && strncmp(equals, " = ", 3) != 0) equals++;
  if (equals == to) return 0;
  const char *start = equals;
  while (start > from && is_word(start[-1])) start--;
  *out = start;
  return isdigit((unsigned char)*start) ? 0 : (size_t)(equals - start);
}

/* The last line of all those that this one mentions: of later ones, of what these follow. */
static int last_mentioned(const merge *m, int line) {
  int last = -1;
  for (const char *c = m->line[line]; c < m->line[line + 1];) {
    const char *start = c;
    while (is_word(*c)) c++;
    if (c == start) {
      c++;
      continue;
    }
    const name *n = find(m, start, (size_t)(c - start));
    if (!n->text) continue;
    int at = n->line < m->operations ? n->line : m->after[n->line];
    if (at > last) last = at;
  }
  return last;
}

static void define(merge *m, int line) {
  const char *text;
  size_t length = defined(m->line[line], m->line[line + 1], &text);
  if (length) *find(m, text, length) = (name){text, length, line};
}

/* Definitions go ahead, and stores; assignments stay, as others may read what they change. */
static void place(merge *m, int line, int loaded) {
  const char *text = m->line[line] + strspn(m->line[line], " ");
  const char *ignored;
  bool constant = !strncmp(text, "const ", 6), store = !defined(m->line[line], m->line[line + 1], &ignored);
  int after = last_mentioned(m, line);
  if (store && after < loaded) after = loaded;
  m->after[line] = (constant || store) && after >= 0 ? after : m->operations - 1;
}

static void write_merged(fg_writer *w, const merge *m) {
  int *head = fg_arena_new(w->e->cx->arena, int, m->operations), *next = fg_arena_new(w->e->cx->arena, int, m->count);
  for (int i = 0; i < m->operations; i++) head[i] = -1;
  for (int i = m->count - 1; i >= m->operations; i--) next[i] = head[m->after[i]], head[m->after[i]] = i;
  for (int i = 0; i < m->operations; i++) {
    fg_strbuf_addn(w->out, m->line[i], (size_t)(m->line[i + 1] - m->line[i]));
    for (int k = head[i]; k >= 0; k = next[k])
      fg_strbuf_addn(w->out, m->line[k], (size_t)(m->line[k + 1] - m->line[k]));
  }
}

bool fg_early_is_wanted(const fg_writer *w) {
  bool vectors = !w->e->coder && !w->e->launched && w->lanes > 1 && !w->hold;
  return vectors && fg_place_has_rows(&w->store);
}

void fg_early_merge(fg_writer *w, size_t operations, size_t loaded, size_t stores) {
  fg_arena *arena = w->e->cx->arena;
  const char *text = fg_arena_printf(arena, "%s", w->out->text + operations);
  merge m = {.count = fg_line_count(text), .mask = 1};
  if (!fg_form_is(w->e, FG_EARLY, m.count >= WINDOW && fg_stage_bytes(w) < EARLY_MOST)) return;
  m.line = fg_arena_new(arena, const char *, m.count + 1);
  m.after = fg_arena_new(arena, int, m.count + 1);
  while (m.mask < 2 * (size_t)m.count) m.mask *= 2;
  m.table = fg_arena_new(arena, name, m.mask--);
  m.line[0] = text;
  int last_load = -1;
  for (int i = 0; i < m.count; i++) {
    size_t at = operations + (size_t)(m.line[i] - text);
    m.line[i + 1] = fg_line_end(m.line[i]);
    if (at < stores) m.operations = i + 1;
    if (at < loaded) last_load = i;
  }
  if (!m.operations) return;
  for (int i = 0; i < m.count; i++) {
    if (i >= m.operations) place(&m, i, last_load);
    define(&m, i);
  }
  fg_strbuf_cut(w->out, operations);
  write_merged(w, &m);
}
