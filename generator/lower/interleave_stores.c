/* Transposes and stores a codelet's rows among its operations. In: the lines of the operations, then those of the
 * stores. Out: the same lines, each store as soon as its operands are complete.
 *
 * Shuffles of wide vectors have one port, and codelets of 32 points are longer than a CPU's reorder window: behind
 * the operations they would leave the other ports idle. Stores wait for the last load if both access the same memory.
 */
#include "generator/lower/interleave_stores.h"
#include "generator/lower/access.h"
#include "generator/lower/transpose.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"
#include "generator/text/lines.h"
#include "targets/machine/limits.h"

static const fg_limits *const limit = &fg_machine_limits;

/* A CPU mixes as many statements as it sees at once by itself. Beyond L1 stores wait in a queue, and the sooner they
 * come the more of them do. */
typedef struct merge {
  fg_lines of;
  int *after; /* of a later line: the one of the operations that it follows */
  int operations;
} merge;

/* The last line of all those that this one mentions: of later ones, of what these follow. */
static int last_mentioned(const merge *m, int line) {
  int last = -1;
  const char *at = m->of.line[line];
  for (fg_word word; (word = fg_lines_word(&m->of, line, &at)).text;) {
    int by = fg_lines_definer(&m->of, word);
    if (by >= m->operations) by = m->after[by];
    if (by > last) last = by;
  }
  return last;
}

/* Definitions are moved ahead, and stores; assignments stay, as others may read what they change. */
static void place(merge *m, int line, int loaded) {
  bool constant = fg_lines_begins(&m->of, line, "const "), store = !fg_lines_defines(&m->of, line).text;
  int after = last_mentioned(m, line);
  if (store && after < loaded) after = loaded;
  m->after[line] = (constant || store) && after >= 0 ? after : m->operations - 1;
}

static void write_line(fg_writer *w, const merge *m, int line) {
  fg_strbuf_addn(w->out, m->of.line[line], (size_t)(m->of.line[line + 1] - m->of.line[line]));
}

static void write_merged(fg_writer *w, const merge *m) {
  int *head = fg_arena_new(w->e->cx->arena, int, m->operations),
      *next = fg_arena_new(w->e->cx->arena, int, m->of.count);
  for (int i = 0; i < m->operations; i++) head[i] = -1;
  for (int i = m->of.count - 1; i >= m->operations; i--) next[i] = head[m->after[i]], head[m->after[i]] = i;
  for (int i = 0; i < m->operations; i++) {
    write_line(w, m, i);
    for (int k = head[i]; k >= 0; k = next[k]) write_line(w, m, k);
  }
}

bool fg_interleave_stores_is_wanted(const fg_writer *w) {
  bool vectors = !w->e->coder && !w->e->launched && w->lanes > 1 && !w->hold;
  return vectors && fg_access_plan_has_rows(&w->store);
}

void fg_interleave_stores_merge(fg_writer *w, size_t operations, size_t loaded, size_t stores) {
  fg_arena *arena = w->e->cx->arena;
  const char *text = fg_arena_printf(arena, "%s", w->out->text + operations);
  merge m = {.of = fg_lines_of(arena, text)};
  int count = m.of.count, last_load = -1;
  if (!fg_plan_option(w->e->p->plan, FG_PARAM_INTERLEAVE_STORES,
                      count >= limit->window && fg_lower_stage_bytes(w) < limit->early_most))
    return;
  m.after = fg_arena_new(arena, int, count + 1);
  for (int i = 0; i < count; i++) {
    size_t at = operations + (size_t)(m.of.line[i] - text);
    if (at < stores) m.operations = i + 1;
    if (at < loaded) last_load = i;
  }
  if (!m.operations) return;
  for (int i = 0; i < count; i++) {
    if (i >= m.operations) place(&m, i, last_load);
    fg_lines_define(&m.of, i);
  }
  fg_strbuf_cut(w->out, operations);
  write_merged(w, &m);
}
