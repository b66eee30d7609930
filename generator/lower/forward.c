/* Vectors that one stage stores and the next one loads, as values. In: stores to a buffer that may be held, loads of
 * it. Out: the values that are these numbers, or moves to and from memory. See scalar_replacement.c. */
#include "generator/lower/forward.h"
#include "generator/lower/element_moves.h"
#include "generator/lower/prefetch.h"
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/spell.h"

/* ---- stores ------------------------------------------------------------------------ */

static void add_piece(fg_writer *w, const fg_piece *new) {
  fg_forward *f = w->e->forward;
  if (f->npiece == f->room) {
    f->room = 2 * f->room + 64;
    f->piece = fg_arena_more(w->arena, f->piece, f->npiece, f->room);
    f->loaded = fg_arena_more(w->arena, f->loaded, f->npiece, f->room);
  }
  f->piece[f->npiece++] = *new;
}

static int note_store(fg_writer *w, const fg_access_plan *p, const fg_component *spot, int lanes) {
  fg_forward *f = w->e->forward;
  fg_piece new = {.buffer = p->a->buffer, .lanes = lanes};
  if (!fg_access_plan_number(w, p, spot, &new.at)) f->spoilt[new.buffer] = true;
  for (int i = 0; i < f->npiece; i++) {
    fg_piece *old = &f->piece[i];
    if (old->over || old->buffer != new.buffer || old->at >= new.at + lanes || old->at + old->lanes <= new.at) continue;
    old->over = true;
    if (old->at < new.at || old->at + old->lanes > new.at + lanes) f->spoilt[new.buffer] = true;
  }
  add_piece(w, &new);
  return f->npiece - 1;
}

static const char *piece_name(const fg_writer *w, int i) { return fg_arena_printf(w->arena, "f%d", i); }

void fg_forward_store(fg_writer *w, fg_access_plan *p, const fg_component *spot, int lanes, const char *value) {
  int number = fg_forward_is_tracked(w, p) ? note_store(w, p, spot, lanes) : -1;
  if (!fg_forward_is_held(w, p)) {
    fg_prefetch(w, p, spot, lanes);
    fg_storage_write_vector(w, p, fg_access_plan_pointer(w, p, spot), lanes, value);
  } else if (w->e->forward->loaded[number]) {
    fg_coder_set(w->e->coder, piece_name(w, number), value);
  } else {
    fg_coder_open(w->e->coder, FG_CODE_DROP, value);
  }
}

/* ---- loads ------------------------------------------------------------------------- */

static const char *name_value(fg_writer *w, int lanes, const char *name, const char *value) {
  if (!*name) name = fg_arena_printf(w->arena, "s%d", w->nshuffle++);
  w->e->lanes |= (uint64_t)lanes;
  fg_value_name(w, fg_spell_vector_type(w->e, lanes), name, value);
  return name;
}

const char *fg_forward_join(fg_writer *w, int lanes, const char *low, const char *high, const char *called) {
  return name_value(w, lanes, called, fg_value_join(w, lanes, low, high));
}

/* A name for numbers at .. at + lanes - 1 of a buffer; NULL: they were not stored so. */
static const char *find(fg_writer *w, int buffer, int64_t at, int lanes) {
  fg_forward *f = w->e->forward;
  for (int i = 0; i < f->npiece; i++) {
    const fg_piece *x = &f->piece[i];
    if (x->over || x->buffer != buffer || x->at > at || x->at + x->lanes < at + lanes) continue;
    f->loaded[i] = true;
    if (x->lanes == lanes) return piece_name(w, i);
    return name_value(w, lanes, "", fg_value_part(w, lanes, piece_name(w, i), (int)(at - x->at)));
  }
  if (lanes < 4) return NULL;
  const char *low = find(w, buffer, at, lanes / 2), *high = find(w, buffer, at + lanes / 2, lanes / 2);
  return low && high ? fg_forward_join(w, lanes, low, high, "") : NULL;
}

const char *fg_forward_load(fg_writer *w, fg_access_plan *p, const fg_component *spot, int lanes) {
  bool held = fg_forward_is_held(w, p);
  if (held || (fg_forward_is_tracked(w, p) && !w->e->forward->decided)) {
    int64_t at;
    const char *found = fg_access_plan_number(w, p, spot, &at) ? find(w, p->a->buffer, at, lanes) : NULL;
    if (!found) fg_forward_spoil(w, p);
    if (held) return found;
  }
  fg_prefetch(w, p, spot, lanes);
  return fg_storage_read_vector(w, p, fg_access_plan_pointer(w, p, spot), lanes);
}
