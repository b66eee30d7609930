/* Numbers in memory of another type than the arithmetic (fg_storage_row). In: a buffer. Out: its row, and what moves at
 * once in it. */
#include "generator/lower/storage.h"

const fg_storage_row *fg_storage_of(const fg_emitter *e, const fg_buffer *b) {
  if (b->precision == e->precision || e->d->field_literals) return NULL;
  for (const fg_storage_row *r = e->d->storage; r && r->type; r++)
    if (r->stored == (int)b->precision) return r;
  return NULL;
}

const char *fg_storage_type(const fg_emitter *e, const fg_buffer *b) {
  const fg_storage_row *r = fg_storage_of(e, b);
  return b->elem == FG_ELEM_INDEX ? e->d->lookup_type : r ? r->type : e->real;
}

int fg_storage_bytes(const fg_emitter *e, const fg_buffer *b) {
  return e->d->field_literals ? e->real_bytes : fg_precision_bytes(b->precision);
}

const fg_storage_row *fg_storage_row_for(const fg_writer *w, const fg_access_plan *p, int lanes) {
  const fg_storage_row *r = fg_storage_of(w->e, p->b);
  if (r) w->e->stored[p->is_store][r - w->e->d->storage] |= (uint64_t)lanes;
  return r;
}

bool fg_storage_moves_pairs(const fg_emitter *e, const fg_buffer *b) {
  const fg_storage_row *r = fg_storage_of(e, b);
  return e->d->pair[e->precision] && (!r || r->pair_load) && !fg_buffer_is_of_lanes(b);
}

bool fg_storage_reads_ahead(const fg_emitter *e) {
  return e->d->pair_ahead && !e->p->problem.in_place && e->p->plan &&
         fg_plan_param_value(e->p->plan, FG_PARAM_L2_PREFETCH);
}

bool fg_storage_moves_vectors(const fg_emitter *e, const fg_buffer *b) {
  const fg_storage_row *r = fg_storage_of(e, b);
  return !r || r->vload;
}
