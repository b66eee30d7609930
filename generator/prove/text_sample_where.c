/* The location of a program's buffers in the arrays of its text.
 *
 * In: the artifact's arguments, tables in the text. Out: an array for each, and each buffer's location. */
#include "generator/ir/table_values.h"
#include "generator/prove/literals.h"
#include "generator/prove/text_sample_parts.h"
#include "generator/prove/translate.h"
#include <string.h>

#define LARGEST_ARRAY (INT64_C(1) << 32) /* reals */

static bool add_region(fg_proof_sample *s, int64_t reals) {
  s->array[s->narray++] = (fg_sampled_array){.count = reals};
  return reals <= LARGEST_ARRAY;
}

/* Arrays of the input or the output; in place both are the same. */
static bool add_ends(fg_proof_sample *s, const fg_arg_buffer *b) {
  const fg_problem *q = &s->text->p->problem;
  bool output = b->kind == FG_ARG_OUT, fits = true;
  int64_t in = fg_proof_text_reals(q, s->params, false), out = fg_proof_text_reals(q, s->params, true);
  int64_t reals = q->in_place ? in > out ? in : out : output ? out : in;
  fg_sampled_location *h = &s->location[output ? FG_BUFFER_OUT : FG_BUFFER_IN];
  h->array = s->narray;
  for (int part = 0; part < (b->split ? 2 : 1); part++) {
    fits = add_region(s, b->split ? reals / 2 : reals) && fits;
    s->array[s->narray - 1].shared = output && q->in_place ? 1 + part : 0;
  }
  return fits;
}

static int root_named(const fg_program *p, const char *name) {
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].alias < 0 && fg_program_is_constant(p, i) && !strcmp(p->buffer[i].name, name)) return i;
  return -1;
}

/* A table is in the last array. */
static void add_table(fg_proof_sample *s, int table, int64_t offset) {
  const fg_table *t = &s->text->p->table[table];
  int array = s->narray - 1;
  s->location[t->buffer] = (fg_sampled_location){.array = array, .offset = offset};
  if (!fg_table_is_index(t)) return;
  s->indices[s->nindices++] = (fg_sampled_indices){.array = array,
                                                   .from = offset,
                                                   .to = offset + fg_prove_table_reals(&s->text->p->buffer[t->buffer]),
                                                   .content = fg_table_indices(&s->cx, t),
                                                   .bytes = sizeof(int32_t) * (size_t)t->cols};
}

static bool add_constant(fg_proof_sample *s, const char *name, size_t bytes) {
  const fg_program *p = s->text->p;
  int root = root_named(p, name), table = fg_proof_text_table(p, name);
  if (root < 0) return fg_proof_sample_fail(s, "a table that the program does not have");
  s->location[root].array = s->narray;
  bool fits = add_region(s, (int64_t)((bytes + sizeof(fg_gf) - 1) / sizeof(fg_gf)));
  if (table >= 0) add_table(s, table, 0);
  return fits;
}

/* All tables in one array, of a translated text. */
static bool add_block(fg_proof_sample *s, size_t bytes) {
  int64_t offset[FG_MAX_BUFFERS];
  bool fits = add_region(s, (int64_t)(bytes / sizeof(fg_gf)));
  if (!fg_proof_text_block(s->text, s->array[s->narray - 1].count, offset))
    return fg_proof_sample_fail(s, "a table beyond the memory for tables");
  for (int t = 0; t < s->text->p->ntable; t++)
    if (offset[t] >= 0) add_table(s, t, offset[t]);
  return fits;
}

/* Tables that a translated text has itself. */
static bool add_given(fg_proof_sample *s) {
  const fg_program *p = s->text->p;
  bool fits = true;
  for (int i = 0; s->text->translation && i < s->text->translation->ntable; i++) {
    int table = fg_proof_text_table(p, s->text->translation->table[i]);
    fits = add_region(s, fg_prove_table_reals(&p->buffer[p->table[table].buffer])) && fits;
    s->array[s->narray - 1].at = s->text->table[i];
    s->array[s->narray - 1].given = true;
    add_table(s, table, 0);
  }
  return fits;
}

/* Tables that instructions have beside them. */
static bool add_code_tables(fg_proof_sample *s) {
  const fg_instructions *code = s->text->artifact->instructions;
  bool fits = true;
  for (int i = 0; code && i < code->ntable; i++) {
    int table = fg_proof_text_table(s->text->p, code->table[i].name);
    if (table < 0) return fg_proof_sample_fail(s, "a table that the program does not have");
    s->code_table[i] = fg_table_is_index(&s->text->p->table[table]) ? -1 : s->narray;
    if (s->code_table[i] < 0) continue;
    int64_t reals = (int64_t)(code->table[i].bytes / sizeof(fg_gf));
    fits = add_region(s, reals) && fits;
    if (!fits) return false;
    fg_sampled_array *a = &s->array[s->narray - 1];
    a->at = fg_arena_raw(s->cx.arena, sizeof *a->at * (size_t)(reals + 1));
    for (int64_t k = 0; k < reals; k++) a->at[k] = fg_proof_sample_background(s, s->narray - 1, k);
    a->given = true;
    add_table(s, table, 0);
  }
  return fits;
}

static bool add_scratch(fg_proof_sample *s, size_t bytes) {
  const fg_text_map *map = s->text->map;
  for (int i = 0; i < s->text->p->nbuffer; i++)
    if (map->scratch[i])
      s->location[i] = (fg_sampled_location){.array = s->narray,
                                             .offset = map->offset[i],
                                             .part = map->part_offset[i],
                                             .local = s->text->p->buffer[i].space == FG_SPACE_LOCAL};
  size_t parts = (FG_TEXT_PARTS - 1) * s->text->artifact->part_bytes;
  return add_region(s, (int64_t)((bytes + parts) / sizeof(fg_gf)));
}

/* A workspace of kernels that are launched, each of its own. */
static bool add_work(fg_proof_sample *s, const fg_arg_buffer *b) {
  const fg_program *p = s->text->p;
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].alias < 0 && p->buffer[i].space == FG_SPACE_WORK && !strcmp(p->buffer[i].name, b->name))
      s->location[i] = (fg_sampled_location){.array = s->narray};
  return add_region(s, (int64_t)(b->bytes / sizeof(fg_gf)));
}

/* What threads of a block share. */
static bool add_shared(fg_proof_sample *s) {
  const fg_translation *translation = s->text->translation;
  if (!translation || !translation->shared) return true;
  for (int i = 0; i < s->text->p->nbuffer; i++)
    if (translation->local[i] >= 0)
      s->location[i] = (fg_sampled_location){.array = s->narray, .offset = translation->local[i], .local = true};
  bool fits = add_region(s, translation->shared);
  s->array[s->narray - 1].at = s->text->shared;
  return fits;
}

/* Scratch that the text holds in values has a location, too, which is not compared. */
static bool add_held(fg_proof_sample *s) {
  const fg_program *p = s->text->p;
  bool fits = true;
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    bool scratch = b->space == FG_SPACE_WORK || b->space == FG_SPACE_LOCAL;
    if (b->alias >= 0 || s->location[i].array >= 0 || !scratch) continue;
    s->location[i] = (fg_sampled_location){.array = s->narray, .local = true};
    fits = add_region(s, fg_buffer_bytes(b)) && fits;
  }
  return fits;
}

/* False: an array is too large, or something is wrong. */
bool fg_proof_sample_locate(fg_proof_sample *s) {
  const fg_artifact *f = s->text->artifact;
  bool fits = true;
  for (int i = 0; i < FG_MAX_BUFFERS; i++) s->location[i] = (fg_sampled_location){.array = -1};
  for (int i = 0; i < f->nbuffer; i++) {
    const fg_arg_buffer *b = &f->buffer[i];
    if (b->kind == FG_ARG_IN || b->kind == FG_ARG_OUT)
      fits = add_ends(s, b) && fits;
    else if (b->kind == FG_ARG_WORK)
      fits = (f->nlaunch ? add_work(s, b) : add_scratch(s, b->bytes)) && fits;
    else if (b->kind == FG_ARG_TABLE && s->text->translation && !f->nlaunch)
      fits = add_block(s, b->bytes) && fits;
    else
      fits = add_constant(s, b->name, b->bytes) && fits;
  }
  s->nargument = s->narray;
  fits = add_given(s) && fits;
  fits = add_code_tables(s) && fits;
  fits = add_shared(s) && fits;
  return add_held(s) && fits;
}
