/* The cells that a sample of a program accesses and stores: each is a real of an array, found by a hash of its
 * position.
 *
 * In: a buffer's elements. Out: their cells. Arrays have no memory here: their initial contents are random functions
 * of the position. */
#include "generator/prove/settings.h"
#include "generator/prove/text_sample_parts.h"
#include <stdio.h>

bool fg_proof_sample_fail(fg_proof_sample *s, const char *what) {
  char text[96];
  if (!s->out->failure[0])
    snprintf(s->out->failure, sizeof s->out->failure, "text: %s%s", what,
             fg_settings_text(&s->text->p->problem, s->params, text));
  return false;
}

/* The contents before the first store. */
fg_gf fg_proof_sample_background(const fg_proof_sample *s, int array, int64_t at) {
  if (s->array[array].given) return s->array[array].at[at];
  uint64_t state =
      s->text->seed + (uint64_t)array * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)at * UINT64_C(0xd1342543de82ef95);
  return fg_gf_random(&state);
}

static uint32_t slot_of(const fg_proof_sample *s, int array, int64_t at) {
  uint64_t key = ((uint64_t)array << 48 ^ (uint64_t)at) * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t i = (uint32_t)(key >> 32) & (s->slots - 1);
  for (; s->slot[i]; i = (i + 1) & (s->slots - 1)) {
    const fg_sampled_cell *x = &s->cell[s->slot[i] - 1];
    if (x->array == array && x->at == at) break;
  }
  return i;
}

const fg_sampled_cell *fg_proof_sample_find(const fg_proof_sample *s, int array, int64_t at) {
  uint32_t i = s->slot[slot_of(s, array, at)];
  return i ? &s->cell[i - 1] : NULL;
}

void fg_proof_sample_grow(fg_proof_sample *s) {
  uint32_t more = s->most_cells ? 2 * s->most_cells : 1 << 12;
  s->cell = fg_arena_more(s->cx.arena, s->cell, s->ncell, more), s->most_cells = more, s->slots = 2 * more;
  s->slot = fg_arena_new(s->cx.arena, uint32_t, s->slots);
  for (uint32_t i = 0; i < s->ncell; i++) s->slot[slot_of(s, s->cell[i].array, s->cell[i].at)] = i + 1;
}

/* NULL: it is out of bounds. */
static fg_sampled_cell *touch(fg_proof_sample *s, const fg_sampled_location *h, int array, int64_t at) {
  if (at < 0 || at >= s->array[array].count) return NULL;
  if (!fg_proof_sample_find(s, array, at)) {
    if (s->ncell == s->most_cells) fg_proof_sample_grow(s);
    fg_gf x = fg_proof_sample_background(s, array, at);
    s->cell[s->ncell] = (fg_sampled_cell){
        .array = array, .block = s->block, .at = at, .part = h->part, .initial = x, .value = x, .local = h->local};
    s->slot[slot_of(s, array, at)] = ++s->ncell;
  }
  fg_sampled_cell *x = &s->cell[s->slot[slot_of(s, array, at)] - 1];
  if (x->local && x->block != s->block) x->block = s->block, x->value = x->initial;
  return x;
}

fg_sampled_cell *fg_proof_sample_cell(fg_proof_sample *s, int array, int64_t at) {
  return touch(s, &(fg_sampled_location){.array = array}, array, at);
}

/* A buffer's element: its parts, of which a real one has one. */
bool fg_proof_sample_touch(fg_proof_sample *s, int buffer, int64_t e, fg_sampled_cell *part[2]) {
  const fg_program *p = s->text->p;
  const fg_buffer *b = &p->buffer[buffer];
  int root = fg_buffer_root(p, buffer);
  const fg_sampled_location *h = &s->location[root];
  int64_t at[2];
  if (h->array < 0) return false;
  bool ends = p->buffer[root].space == FG_SPACE_INPUT || p->buffer[root].space == FG_SPACE_OUTPUT;
  bool two = ends && p->buffer[root].layout == FG_LAYOUT_SPLIT;
  if (two)
    at[0] = at[1] = e;
  else
    fg_buffer_position(b, e, &at[0], &at[1]);
  int parts = fg_buffer_parts(b);
  for (int i = 0; i < parts; i++)
    if (!touch(s, h, h->array + (two ? i : 0), h->offset + at[i])) return false;
  for (int i = 0; i < parts; i++) part[i] = touch(s, h, h->array + (two ? i : 0), h->offset + at[i]);
  if (parts == 1) part[1] = NULL;
  return true;
}

/* The same values once more. */
static bool touch_twins(fg_proof_sample *s, int buffer, int64_t e) {
  const fg_buffer *b = &s->text->p->buffer[buffer];
  const fg_sampled_location *h = &s->location[fg_buffer_root(s->text->p, buffer)];
  int64_t re, im;
  if (b->layout != FG_LAYOUT_DOUBLED) return true;
  fg_buffer_position(b, e, &re, &im);
  const int64_t at[2] = {h->offset + re, h->offset + im};
  for (int i = 0; i < 2; i++) {
    fg_sampled_cell *twin = touch(s, h, h->array, at[i] + 1);
    if (!twin) return false;
    fg_gf x = fg_proof_sample_find(s, h->array, at[i])->initial;
    twin->initial = twin->value = i ? fg_gf_neg(s->text->field, x) : x;
  }
  return true;
}

bool fg_proof_sample_load(fg_proof_sample *s, int buffer, int64_t e, fg_gf *re, fg_gf *im) {
  fg_sampled_cell *part[2];
  if (!fg_proof_sample_touch(s, buffer, e, part)) return fg_proof_sample_fail(s, "the program leaves its arrays");
  *im = part[1] ? part[1]->value : 0;
  *re = part[0]->value;
  return touch_twins(s, buffer, e) || fg_proof_sample_fail(s, "the program leaves its arrays");
}
