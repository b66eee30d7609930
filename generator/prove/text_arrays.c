/* Arrays of a call of the text over a field. In: a call. Out: its slots, filled with random elements between guards,
 * and tables with their entries.
 *
 * Of a long batch whose ends alone are run the ends alone are filled; the memory between is mapped, and exists once it
 * is touched (sparse.c). */
#include "generator/base/integer.h"
#include "generator/ir/table_values.h"
#include "generator/problem/shape.h"
#include "generator/prove/guard.h"
#include "generator/prove/literals.h"
#include "generator/prove/settings.h"
#include "generator/prove/text_call_parts.h"
#include "generator/prove/translate.h"
#include "generator/reference/operation_values.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = FG_TEXT_PARTS };

bool fg_proof_text_fail(fg_proof_text_call *c, const char *what) {
  char text[96];
  if (!c->out->failure[0])
    snprintf(c->out->failure, sizeof c->out->failure, "text: %s%s", what,
             fg_settings_text(&c->text->p->problem, c->params, text));
  return false;
}

/* Random elements. */
fg_proof_text_array fg_proof_text_new_array(fg_proof_text_call *c, int64_t count, uint64_t *random) {
  fg_gf *x = fg_arena_raw(c->cx->arena, (size_t)(count + 2 * c->guard) * sizeof *x);
  fg_proof_text_array a = {.at = x + c->guard, .count = count};
  fg_guard_fill(a.at, count, c->guard);
  for (int64_t i = 0; i < count; i++) a.at[i] = fg_gf_random(random);
  return a;
}

/* The same of so many at the ends, kept at once; between, zeros that nothing may touch. */
static fg_proof_text_array new_edges(fg_proof_text_call *c, int64_t count, const int64_t edge[2], uint64_t *random) {
  fg_gf *x = fg_sparse_zeros(c->sparse, (size_t)(count + 2 * c->guard) * sizeof *x);
  fg_proof_text_array a = {.at = x ? x + c->guard : NULL, .count = count, .first = edge[0], .last = edge[1]};
  a.before = x ? fg_sparse_zeros(c->sparse, (size_t)count * sizeof *x) : NULL;
  if (!a.before) return a;
  fg_guard_fill(a.at, count, c->guard);
  for (int64_t i = 0; i < a.first; i++) a.before[i] = a.at[i] = fg_gf_random(random);
  for (int64_t i = count - a.last; i < count; i++) a.before[i] = a.at[i] = fg_gf_random(random);
  return a;
}

/* Of scratch nothing. */
static void keep(fg_proof_text_call *c, fg_proof_text_array *a, bool scratch) {
  if (!scratch && !a->first) a->before = fg_arena_copy(c->cx->arena, a->at, sizeof *a->at * (size_t)a->count);
}

int64_t fg_proof_text_reals(const fg_problem *q, const int64_t *params, bool output) {
  return (fg_problem_is_real(q, output) ? 1 : 2) * fg_problem_extent(q, output, params);
}

/* Reals of a buffer's element: one array when interleaved, two when split. */
fg_gf *fg_proof_text_part(const fg_buffer *b, const fg_proof_text_array *a, int64_t e, int part) {
  if (b->elem == FG_ELEM_REAL) return &a[0].at[e];
  return b->layout == FG_LAYOUT_SPLIT ? &a[part].at[e] : &a[0].at[2 * e + part];
}

fg_status fg_proof_text_fill_table(fg_proof_text_call *c, int table, fg_proof_text_array *a) {
  const fg_table *t = &c->text->p->table[table];
  const fg_buffer *b = &c->text->p->buffer[t->buffer];
  if (fg_table_is_index(t)) {
    memcpy(a->at, fg_table_indices(c->cx, t), sizeof(int32_t) * (size_t)t->cols);
    return FG_OK;
  }
  fg_gfc *content = fg_arena_new(c->cx->arena, fg_gfc, t->rows * t->cols);
  fg_status status = fg_table_fill_gf(c->cx, c->text->p, table, c->text->field, content);
  for (int64_t i = 0; status == FG_OK && i < t->rows * t->cols; i++) {
    int64_t re, im;
    fg_buffer_position(b, i, &re, &im);
    if (b->layout == FG_LAYOUT_DOUBLED) {
      a->at[re + 1] = content[i].re;
      a->at[im + 1] = fg_gf_neg(c->text->field, content[i].im);
    }
    a->at[im] = content[i].im;
    a->at[re] = content[i].re;
  }
  return status;
}

int fg_proof_text_table(const fg_program *p, const char *name) {
  for (int t = 0; t < p->ntable; t++)
    if (!strcmp(p->buffer[p->table[t].buffer].name, name)) return t;
  return -1;
}

bool fg_proof_text_block(const fg_proof_text *text, int64_t reals, int64_t offset[FG_MAX_BUFFERS]) {
  const fg_program *p = text->p;
  const char *at = text->translation->filling;
  for (int t = 0; t < p->ntable; t++) {
    offset[t] = -1;
    if (!fg_prove_table_is_used(p, p->table[t].buffer)) continue;
    at = strstr(at, "table = (");
    const char *sum = at ? strstr(at, "tables + ") : NULL;
    if (!sum) return false;
    at = sum;
    offset[t] = strtoll(sum + 9, NULL, 10);
    if (offset[t] < 0 || offset[t] + fg_prove_table_reals(&p->buffer[p->table[t].buffer]) > reals) return false;
  }
  return true;
}

static fg_status fill_block(fg_proof_text_call *c, fg_proof_text_array *a) {
  const fg_program *p = c->text->p;
  int64_t offset[FG_MAX_BUFFERS];
  fg_status status = FG_OK;
  if (!fg_proof_text_block(c->text, a->count, offset))
    return fg_proof_text_fail(c, "a table beyond the memory for tables"), FG_OK;
  for (int t = 0; t < p->ntable && status == FG_OK; t++) {
    if (offset[t] < 0) continue;
    fg_proof_text_array part = {.at = a->at + offset[t], .count = fg_prove_table_reals(&p->buffer[p->table[t].buffer])};
    status = fg_proof_text_fill_table(c, t, &part);
  }
  return status;
}

static void fill_given(fg_proof_text_call *c, const char *name, fg_proof_text_array *a) {
  const fg_program *p = c->text->p;
  fg_system system = {.field = c->text->field};
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    if (b->space != FG_SPACE_GIVEN || b->alias >= 0 || strcmp(b->name, name) != 0) continue;
    int parts = fg_buffer_parts(b);
    for (int64_t e = 0; e < b->size; e++) {
      fg_gfc x = fg_operation_values_given(&system, b->given, e, parts == 2).gf;
      a->at[parts * e + parts - 1] = x.im;
      a->at[parts * e] = x.re;
    }
  }
}

int64_t fg_proof_text_call_reals(const fg_proof_text_call *c, bool output) {
  return fg_proof_text_reals(&c->text->p->problem, c->params, output);
}

/* Of so many transforms of the batch. */
static int64_t reals_at(const fg_proof_text_call *c, bool output, int64_t transforms) {
  const fg_problem *q = &c->text->p->problem;
  return (fg_problem_is_real(q, output) ? 1 : 2) * fg_problem_batch_at(q, output, transforms, c->params);
}

/* Arrays of the input or the output; in place both are the same. */
static void make_ends(fg_proof_text_call *c, const fg_arg_buffer *b, uint64_t *random) {
  bool output = b->kind == FG_ARG_OUT, in_place = c->text->p->problem.in_place;
  fg_proof_text_array *ends = output ? c->result : c->in;
  int64_t reals = in_place ? fg_larger(fg_proof_text_call_reals(c, false), fg_proof_text_call_reals(c, true))
                           : fg_proof_text_call_reals(c, output);
  for (int part = 0; part < (b->split ? 2 : 1); part++) {
    int64_t edge[2] = {reals_at(c, output, c->edge[0]), reals_at(c, output, c->edge[1])};
    ends[part] = output && in_place ? c->in[part]
                 : c->edge[0]       ? new_edges(c, reals, edge, random)
                                    : fg_proof_text_new_array(c, b->split ? reals / 2 : reals, random);
    c->array[c->nslot] = ends[part];
    c->slot[c->nslot++] = ends[part].at;
  }
}

fg_status fg_proof_text_make_arrays(fg_proof_text_call *c) {
  const fg_artifact *f = c->text->artifact;
  uint64_t random = c->text->seed;
  for (int i = 0; i < f->nbuffer; i++) {
    const fg_arg_buffer *b = &f->buffer[i];
    if (b->kind == FG_ARG_IN || b->kind == FG_ARG_OUT) {
      make_ends(c, b, &random);
      continue;
    }
    size_t bytes = b->bytes + (b->kind == FG_ARG_WORK && c->in_parts ? (PARTS - 1) * f->part_bytes : 0);
    fg_proof_text_array a = fg_proof_text_new_array(c, (int64_t)((bytes + sizeof(fg_gf) - 1) / sizeof(fg_gf)), &random);
    if (b->kind == FG_ARG_GIVEN) fill_given(c, b->name, &a);
    bool block = b->kind == FG_ARG_TABLE && c->text->translation && !f->nlaunch;
    int table = b->kind == FG_ARG_TABLE ? fg_proof_text_table(c->text->p, b->name) : -1;
    fg_status status = block ? fill_block(c, &a) : table >= 0 ? fg_proof_text_fill_table(c, table, &a) : FG_OK;
    if (status != FG_OK) return status;
    if (b->kind == FG_ARG_TABLE && table < 0 && !block) fg_proof_text_fail(c, "a table that the program does not have");
    c->array[c->nslot] = a;
    c->slot[c->nslot++] = a.at;
  }
  for (int i = 0, slot = 0; i < f->nbuffer; i++)
    for (int part = 0; part < (f->buffer[i].split ? 2 : 1); part++)
      keep(c, &c->array[slot++], f->buffer[i].kind == FG_ARG_WORK);
  return FG_OK;
}

static fg_status fill_translated_tables(fg_proof_text_call *c) {
  const fg_program *p = c->text->p;
  fg_status status = FG_OK;
  for (int i = 0; c->text->translation && i < c->text->translation->ntable && status == FG_OK; i++) {
    int table = fg_proof_text_table(p, c->text->translation->table[i]);
    fg_proof_text_array a = {.at = c->text->table[i],
                             .count = fg_prove_table_reals(&p->buffer[p->table[table].buffer])};
    status = fg_proof_text_fill_table(c, table, &a);
  }
  return status;
}

fg_status fg_proof_text_make_tables(fg_proof_text_call *c) {
  const fg_instructions *code = c->text->artifact->instructions;
  uint64_t random = c->text->seed;
  fg_status made = fill_translated_tables(c);
  if (made != FG_OK) return made;
  for (int i = 0; code && i < code->ntable; i++) {
    if (code->table[i].content) continue; /* of integers */
    c->table[i] = fg_proof_text_new_array(c, (int64_t)(code->table[i].bytes / sizeof(fg_gf)), &random);
    int table = fg_proof_text_table(c->text->p, code->table[i].name);
    if (table < 0) return fg_proof_text_fail(c, "a table that the program does not have"), FG_OK;
    fg_status status = fg_proof_text_fill_table(c, table, &c->table[i]);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}
