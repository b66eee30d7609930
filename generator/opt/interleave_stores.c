/* Transposes and stores a codelet's rows among its operations. In: the statements of the operations, then those of the
 * stores. Out: the same, each store as soon as its operands are complete.
 *
 * Shuffles of wide vectors have one port, and codelets of 32 points are longer than a CPU's reorder window: behind
 * the operations they would leave the other ports idle. Stores wait for the last load if both access the same memory.
 */
#include "generator/opt/interleave_stores.h"
#include "generator/opt/region.h"
#include "generator/text/recorder_order.h"

typedef struct merge {
  fg_region of;
  int *after; /* of a later statement: the one of the operations that it follows */
  int operations, loaded;
} merge;

/* The last of all those that this one uses: of later ones, of what these follow. */
static int last_used(const merge *m, const fg_statement *s) {
  int last = -1;
  for (int k = 0; k < s->noperand; k++) {
    int by = s->operand[k] >= m->operations ? m->after[s->operand[k]] : s->operand[k];
    if (by > last) last = by;
  }
  return last;
}

/* Names are moved ahead, and stores; what changes variables stays, as others may read these. */
static void place(merge *m, int i) {
  const fg_statement *s = &m->of.s[i];
  bool store = s->op == FG_CODE_STORE || s->op == FG_CODE_STREAM;
  int after = last_used(m, s);
  if (store && after < m->loaded) after = m->loaded;
  m->after[i] = (s->op == FG_CODE_NAME || store) && after >= 0 ? after : m->operations - 1;
}

static void put_merged(const merge *m) {
  fg_arena *a = fg_coder_arena(m->of.c);
  int *head = fg_arena_new(a, int, m->operations), *next = fg_arena_new(a, int, m->of.count), n = 0;
  int32_t *number = fg_arena_new(a, int32_t, m->of.count);
  for (int i = 0; i < m->operations; i++) head[i] = -1;
  for (int i = m->of.count - 1; i >= m->operations; i--) next[i] = head[m->after[i]], head[m->after[i]] = i;
  for (int i = 0; i < m->operations; i++) {
    number[n++] = m->of.s[i].number;
    for (int k = head[i]; k >= 0; k = next[k]) number[n++] = m->of.s[k].number;
  }
  fg_region_order(&m->of, number, n);
}

static int statements_between(const fg_coder *c, int32_t from, int32_t to) {
  int count = 0;
  for (int32_t at = from; at < to; at++) count += fg_coder_is_statement(c, fg_coder_order(c)[at]);
  return count;
}

void fg_interleave_stores(fg_coder *c, int32_t operations, int32_t loaded, int32_t stores) {
  merge m = {.of = fg_region_of(c, operations), .operations = statements_between(c, operations, stores)};
  m.loaded = statements_between(c, operations, loaded) - 1;
  m.after = fg_arena_new(fg_coder_arena(c), int, m.of.count + 1);
  if (!m.operations) return;
  for (int i = 0; i < m.of.count; i++)
    if (fg_code_is_bracket(m.of.s[i].op)) return;
  for (int i = m.operations; i < m.of.count; i++) place(&m, i);
  put_merged(&m);
}
