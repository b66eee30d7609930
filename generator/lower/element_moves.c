/* Loads and stores of single elements, pairs and vectors. In: addresses, values. Out: how the dialect, or the row of
 * the type that memory has, reads and writes them. */
#include "generator/lower/element_moves.h"
#include "generator/lower/access.h"
#include "generator/lower/memory.h"
#include "generator/lower/persistent.h"
#include "generator/lower/storage.h"
#include "generator/lower/value.h"
#include "generator/lower/vector_value.h"
#include "generator/text/spell.h"

static const char *space_of(const fg_writer *w, const fg_access_plan *p) {
  const char *space = fg_memory_space(w->e, p->memory);
  return p->is_store ? space : fg_arena_printf(w->arena, "%sconst ", space);
}

/* Of the load or store that was just recorded: where it is, what memory has, how it is done. */
static void say_how(fg_writer *w, const fg_access_plan *p, const fg_storage_row *r, fg_access_way way) {
  const fg_instructions *code = fg_coder_code(w->e->coder);
  fg_instr *i = &code->instr[code->count - 1];
  while (i > code->instr && i->op != FG_CODE_LOAD && i->op != FG_CODE_STORE && i->op != FG_CODE_STREAM) i--;
  i->type_words = space_of(w, p), i->stored = r ? (uint8_t)(r->stored + 1) : 0, i->imm.i = way;
}

/* Loads of the input, which nothing stores to, need no branch where they have a condition. */
static fg_access_way way_where(fg_writer *w, const fg_access_plan *p, const char *word) {
  const fg_emitter *e = w->e;
  bool launched = e->launched && w->lanes == 1 && word,
       only_read = p->memory == FG_BUFFER_IN && !e->p->problem.in_place;
  if (!launched || !only_read || fg_storage_of(e, p->b) || w->come_row) return FG_WAY_PLAIN;
  if (fg_storage_reads_ahead(e) || fg_persistent_read(e, w->k, p->memory)) return FG_WAY_PLAIN;
  w->e->guarded = true;
  return FG_WAY_GUARDED;
}

const char *fg_storage_read(fg_writer *w, fg_access_plan *p, const char *element, const char *condition) {
  const fg_storage_row *r = fg_storage_row_for(w, p, 1);
  const char *value = condition ? fg_value_at_if(w, condition, element) : fg_value_at(w, element);
  say_how(w, p, r, condition ? way_where(w, p, w->e->d->number_where) : FG_WAY_PLAIN);
  return value;
}

void fg_storage_write(fg_writer *w, fg_access_plan *p, const char *element, const char *value) {
  const fg_storage_row *r = fg_storage_row_for(w, p, 1);
  fg_value_put(w, element, value);
  say_how(w, p, r, FG_WAY_PLAIN);
}

static fg_access_way way_of_pair(const fg_writer *w, const fg_access_plan *p) {
  if (fg_storage_reads_ahead(w->e) && p->memory == FG_BUFFER_IN) return FG_WAY_AHEAD;
  return fg_persistent_read(w->e, w->k, p->memory);
}

const char *fg_storage_read_pair(fg_writer *w, fg_access_plan *p, const char *pointer, const char *condition) {
  const fg_storage_row *r = fg_storage_row_for(w, p, 1);
  fg_access_way way = condition ? way_where(w, p, w->e->d->pair_where) : FG_WAY_PLAIN;
  fg_instr i = fg_coder_instr(FG_CODE_LOAD, FG_CODE_PAIR, 2);
  const char *value = fg_coder_add_of(w->e->coder, i, pointer, condition, NULL);
  say_how(w, p, r, r || way == FG_WAY_GUARDED ? way : way_of_pair(w, p));
  return value;
}

const char *fg_storage_read_word(fg_writer *w, fg_access_plan *p, const char *pointer, const char *condition) {
  fg_instr i = fg_coder_instr(FG_CODE_LOAD, FG_CODE_WORD, 2);
  const char *value = fg_coder_add_of(w->e->coder, i, pointer, condition, NULL);
  say_how(w, p, fg_storage_of(w->e, p->b), FG_WAY_PLAIN);
  return value;
}

const char *fg_storage_unpack(fg_writer *w, fg_access_plan *p, const char *word) {
  fg_instr i = fg_coder_instr(FG_CODE_UNPACK, FG_CODE_PAIR, 2);
  i.type_words = space_of(w, p);
  fg_storage_row_for(w, p, 1);
  return fg_coder_add_of(w->e->coder, i, word, NULL, NULL);
}

void fg_storage_write_pair(fg_writer *w, fg_access_plan *p, const char *pointer, const char *value) {
  const fg_storage_row *r = fg_storage_row_for(w, p, 1);
  fg_value_put(w, pointer, value);
  say_how(w, p, r, r ? FG_WAY_PLAIN : fg_persistent_write(w->e, w->k, p->memory));
}

const char *fg_storage_read_vector(fg_writer *w, fg_access_plan *p, const char *pointer, int lanes) {
  const fg_storage_row *r = fg_storage_row_for(w, p, lanes);
  const char *value = fg_value_load(w, lanes, pointer);
  say_how(w, p, r, FG_WAY_PLAIN);
  return value;
}

void fg_storage_write_vector(fg_writer *w, fg_access_plan *p, const char *pointer, int lanes, const char *value) {
  const fg_storage_row *r = fg_storage_row_for(w, p, lanes);
  bool kept = p->b->precision == w->e->precision; /* not converted: what a field takes for its numbers, too */
  bool stream = kept && p->a->stream && lanes == w->width && fg_spell_stream_row(w->e, lanes);
  if (stream) w->e->streams |= (uint64_t)lanes;
  fg_value_store(w, lanes, stream, pointer, value);
  say_how(w, p, r, FG_WAY_PLAIN);
}

/* Every one of them is stored two by two in words, with nothing done to it before. */
const fg_storage_row *fg_storage_hold_row(const fg_writer *w) {
  const fg_storage_row *row = w->after.operations ? NULL : fg_storage_of(w->e, w->store.b);
  for (const fg_access_plan *p = &w->store; p && row; p = p->rest)
    if (fg_storage_of(w->e, p->b) != row || !row->two || (!p->pair && !fg_access_plan_sends(w, p))) row = NULL;
  return row;
}

/* Copies beside products of matrices: the same numbers at both ends, which nothing computes with. */
const fg_storage_row *fg_storage_word_row(const fg_writer *w) {
  const fg_access_plan *from = &w->load, *to = &w->store;
  const fg_storage_row *row = fg_storage_of(w->e, from->b);
  bool plain = !w->codelet && !w->hold && !w->pack && from->pair && to->pair && !from->rest && !to->rest;
  if (!plain || !fg_kernel_has_matrix(w->k) || w->before.operations || w->after.operations) return NULL;
  return row && row->two && fg_storage_of(w->e, to->b) == row ? row : NULL;
}

/* Numbers from far, two by two in words: those of all iterations can wait in registers. */
const fg_storage_row *fg_storage_come_row(const fg_writer *w) {
  enum { MOST_WORDS = 32 };
  const fg_access_plan *p = &w->load;
  bool plain = p->pair && p->direct && !p->rest && !p->npred && !w->stage->npred && !w->before.operations;
  if (!fg_access_plan_is_global(w) || !plain || w->hold || w->pack) return NULL;
  if (w->hold_iterations < 2 || p->slots * w->hold_iterations > MOST_WORDS) return NULL;
  const fg_storage_row *row = fg_storage_of(w->e, p->b);
  return row && row->two ? row : NULL;
}
