/* Loads and stores of single elements, pairs and vectors. In: addresses, values. Out: how the dialect, or the row of
 * the type that memory has, reads and writes them. */
#include "generator/lower/element_moves.h"
#include "generator/lower/access.h"
#include "generator/lower/cluster.h"
#include "generator/lower/memory.h"
#include "generator/lower/persistent.h"
#include "generator/lower/storage.h"
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/text/spell.h"

static fg_arena *arena(const fg_writer *w) { return w->e->cx->arena; }

/* The same where its functions are called: instructions load and store what their memory holds. */
static const fg_storage_row *spelled_row(const fg_writer *w, const fg_access_plan *p, int lanes) {
  const fg_storage_row *r = fg_storage_row_for(w, p, lanes);
  return w->e->d->is_code ? NULL : r;
}

static const char *space_of(const fg_writer *w, const fg_access_plan *p) {
  const char *space = fg_memory_space(w->e, p->memory);
  return p->is_store ? space : fg_arena_printf(arena(w), "%sconst ", space);
}

/* Loads of the input, which nothing stores to, need no branch where they have a condition. */
static const char *read_where(fg_writer *w, const fg_access_plan *p, const char *word, fg_marks marks) {
  const fg_emitter *e = w->e;
  bool launched = e->launched && w->lanes == 1 && word,
       only_read = p->memory == FG_BUFFER_IN && !e->p->problem.in_place;
  if (!launched || !only_read || fg_storage_of(e, p->b) || w->come_row) return NULL;
  if (fg_storage_reads_ahead(e) || fg_persistent_read(e, w->k, p->memory)) return NULL;
  w->e->guarded = true;
  return fg_spell(e, 1, word, marks);
}

const char *fg_storage_read_pair_where(fg_writer *w, const fg_access_plan *p, const char *pointer, const char *ok) {
  return read_where(w, p, w->e->d->pair_where, (fg_marks){.p = pointer, .a = ok});
}

const char *fg_storage_read(fg_writer *w, fg_access_plan *p, const char *element, const char *condition) {
  const fg_storage_row *r = spelled_row(w, p, 1);
  const char *word = condition && !r ? w->e->d->number_where : NULL;
  const char *where = word ? read_where(w, p, word, (fg_marks){.p = element, .a = condition}) : NULL;
  if (where) return where;
  if (!r) return condition ? fg_value_at_if(w, condition, element) : fg_value_at(w, element);
  const char *value = fg_spell(w->e, 1, r->load, (fg_marks){.v = fg_value_at(w, element), .space = space_of(w, p)});
  return condition ? fg_arena_printf(arena(w), "%s ? %s : 0", condition, value) : value;
}

void fg_storage_write(fg_writer *w, fg_access_plan *p, const char *element, const char *value) {
  const fg_storage_row *r = spelled_row(w, p, 1);
  if (!r)
    fg_value_put(w, element, value);
  else
    fg_lower_line(
        w, "%s",
        fg_spell(w->e, 1, r->store, (fg_marks){.v = fg_value_at(w, element), .a = value, .space = space_of(w, p)}));
}

const char *fg_storage_read_pair(fg_writer *w, fg_access_plan *p, const char *pointer) {
  const fg_storage_row *r = fg_storage_row_for(w, p, 1);
  fg_marks marks = {.p = pointer, .space = space_of(w, p)};
  if (!r && fg_storage_reads_ahead(w->e) && p->memory == FG_BUFFER_IN)
    return fg_spell(w->e, 1, w->e->d->pair_ahead, marks);
  const char *queued = r ? NULL : fg_persistent_read(w->e, w->k, p->memory);
  return fg_spell(w->e, 1, r ? r->pair_load : queued ? queued : w->e->d->pair_at, marks);
}

void fg_storage_write_pair(fg_writer *w, fg_access_plan *p, const char *pointer, const char *value) {
  const fg_storage_row *r = fg_storage_row_for(w, p, 1);
  fg_marks marks = {.p = pointer, .v = value, .space = space_of(w, p)};
  if (r)
    fg_lower_line(w, "%s", fg_spell(w->e, 1, w->hold_row ? r->two_store : r->pair_store, marks));
  else if (fg_persistent_write(w->e, w->k, p->memory))
    fg_lower_line(w, "%s", fg_spell(w->e, 1, fg_persistent_write(w->e, w->k, p->memory), marks));
  else
    fg_value_put(w, fg_spell(w->e, 1, w->e->d->pair_at, marks), value);
}

const char *fg_storage_read_vector(fg_writer *w, fg_access_plan *p, const char *pointer, int lanes) {
  const fg_storage_row *r = spelled_row(w, p, lanes);
  return r ? fg_spell(w->e, lanes, r->vload, (fg_marks){.p = pointer}) : fg_value_load(w, lanes, pointer);
}

void fg_storage_write_vector(fg_writer *w, fg_access_plan *p, const char *pointer, int lanes, const char *value) {
  const fg_storage_row *r = spelled_row(w, p, lanes);
  bool kept = p->b->precision == w->e->precision; /* not converted: what a field takes for its numbers, too */
  bool stream = kept && p->a->stream && lanes == w->width && fg_spell_stream_row(w->e, lanes);
  if (stream) w->e->streams |= (uint64_t)lanes;
  if (r)
    fg_lower_line(w, "%s", fg_spell(w->e, lanes, r->vstore, (fg_marks){.p = pointer, .v = value}));
  else
    fg_value_store(w, lanes, stream, pointer, value);
}

/* Every one of them is stored two by two in words, with nothing done to it before. */
const fg_storage_row *fg_storage_hold_row(const fg_writer *w) {
  const fg_storage_row *row = w->e->d->is_code || w->after.operations ? NULL : fg_storage_of(w->e, w->store.b);
  for (const fg_access_plan *p = &w->store; p && row; p = p->rest)
    if (fg_storage_of(w->e, p->b) != row || !row->two || (!p->pair && !fg_cluster_sends(w, p))) row = NULL;
  return row;
}

/* Numbers from far, two by two in words: those of all iterations can wait in registers. */
const fg_storage_row *fg_storage_come_row(const fg_writer *w) {
  enum { MOST_WORDS = 32 };
  const fg_access_plan *p = &w->load;
  bool plain = p->pair && p->direct && !p->rest && !p->npred && !w->stage->npred && !w->before.operations;
  if (!fg_access_plan_is_global(w) || !plain || w->hold || w->pack || w->e->d->is_code) return NULL;
  if (w->hold_iterations < 2 || p->slots * w->hold_iterations > MOST_WORDS) return NULL;
  const fg_storage_row *row = fg_storage_of(w->e, p->b);
  return row && row->two ? row : NULL;
}
