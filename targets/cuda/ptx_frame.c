/* The state of the translation: refusals, output lines, and names with their bindings and blocks. */
#include "targets/cuda/ptx_frame.h"
#include "targets/cuda/ptx_names.h"
#include "targets/cuda/ptx_value.h"
#include "targets/number.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- refusals and lines ------------------------------------------------------------------ */

_Noreturn void fg_ptx_refuse(fg_ptx *g, const char *what) {
  const fg_ptx_token *t = g->token && g->at < g->ntoken ? &g->token[g->at] : NULL;
  snprintf(g->why, FG_WHY_SIZE, "no PTX for this text: %s, before \"%.*s\"", what, t ? (int)strcspn(t->text, "\n") : 0,
           t ? t->text : "");
  longjmp(g->refuse, 1);
}

void *fg_ptx_grow(fg_ptx *g, void *array, int count, int *room, size_t size) {
  if (count < *room) return array;
  int more = *room ? 2 * *room : 256;
  void *larger = realloc(array, (size_t)more * size);
  if (!larger) {
    snprintf(g->why, FG_WHY_SIZE, "out of memory");
    longjmp(g->refuse, 1);
  }
  *room = more;
  return larger;
}

void fg_ptx_put_text(fg_ptx *g, const char *text, size_t length) {
  while (g->length + length + 1 > g->room) {
    size_t more = g->room ? 2 * g->room : 1 << 16;
    char *larger = realloc(g->out, more);
    if (!larger) fg_ptx_refuse(g, "out of memory");
    g->out = larger, g->room = more;
  }
  memcpy(g->out + g->length, text, length);
  g->length += length;
  g->out[g->length] = 0;
}

static void write_raw(fg_ptx *g, const char *format, va_list args) {
  char line[512];
  int n = fg_number_vprint(line, sizeof line, format, args);
  if (n < 0 || (size_t)n >= sizeof line) fg_ptx_refuse(g, "a long line");
  fg_ptx_put_text(g, line, (size_t)n);
}

void fg_ptx_put(fg_ptx *g, const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_raw(g, format, args);
  va_end(args);
}

void fg_ptx_write(fg_ptx *g, const char *format, ...) {
  va_list args;
  fg_ptx_put(g, "      \"");
  va_start(args, format);
  write_raw(g, format, args);
  va_end(args);
  fg_ptx_put(g, "\\n\"\n");
}

void fg_ptx_put_label(fg_ptx *g, int label) { fg_ptx_put(g, "      \"L%d:\\n\"\n", label); }

/* ---- names and blocks ------------------------------------------------------------- */

fg_ptx_scope fg_ptx_open_scope(const fg_ptx *g) { return (fg_ptx_scope){g->nundo, g->nmemo, g->nparked}; }

void fg_ptx_bind(fg_ptx *g, int name, fg_ptx_value x) {
  g->undo = fg_ptx_grow(g, g->undo, g->nundo, &g->room_undo, sizeof *g->undo);
  g->undo[g->nundo++] = (fg_ptx_undo){name, g->bound[name], g->since[name]};
  g->bound[name] = x;
  g->since[name] = (fg_ptx_since){g->around, g->around, g->block[g->around]};
}

void fg_ptx_close_scope(fg_ptx *g, fg_ptx_scope s) {
  while (g->nundo > s.undo) {
    fg_ptx_undo u = g->undo[--g->nundo];
    g->bound[u.name] = u.old;
    g->since[u.name] = u.since;
  }
}

void fg_ptx_enter(fg_ptx *g) {
  if (++g->around == PTX_MOST_BLOCKS) fg_ptx_refuse(g, "blocks in blocks");
  g->block[g->around] = ++g->labels;
}

/* Behind a block that not all threads execute, what was computed there is not known. */
void fg_ptx_close_conditional(fg_ptx *g, fg_ptx_scope s) {
  g->around--;
  g->nparked = s.parked;
  fg_ptx_close_scope(g, s);
  g->nmemo = s.memo;
}

/* What is assigned in a block that not all threads execute is a value in that block alone (fg_ptx_value_of). */
void fg_ptx_assign(fg_ptx *g, int name, fg_ptx_value x) {
  fg_ptx_value *b = &g->bound[name];
  fg_ptx_since *since = &g->since[name];
  if (b->type == PTX_VOID || b->type == PTX_ARRAY || since->declared < g->loop) fg_ptx_refuse(g, "an assignment");
  *b = fg_ptx_convert(g, x, b->type);
  since->given = g->around, since->block = g->block[g->around];
}

fg_ptx_value fg_ptx_value_of(fg_ptx *g, int name) {
  const fg_ptx_since *since = &g->since[name];
  fg_ptx_value x = g->bound[name];
  bool here = since->given <= g->around && g->block[since->given] == since->block;
  if (x.unset || x.type == PTX_VOID || !here) fg_ptx_refuse(g, "a name without a value");
  return x;
}

/* Elements are read where they were given values, or behind a barrier under the same condition. */
void fg_ptx_assign_element(fg_ptx *g, fg_ptx_value array, fg_ptx_value i, fg_ptx_value x) {
  if (!fg_ptx_known(&i) || i.add < 0 || i.add >= array.add) fg_ptx_refuse(g, "an array's element");
  x = fg_ptx_convert(g, x, array.target);
  if (x.product) x = fg_ptx_settle(g, x);
  g->element[array.index + i.add] = x;
}

/* Names are bound to what is in a register: it is computed here, once. */
fg_ptx_value fg_ptx_kept(fg_ptx *g, fg_ptx_value x) {
  if (x.product || x.type == PTX_POINTER) return fg_ptx_settle(g, x);
  return x;
}
