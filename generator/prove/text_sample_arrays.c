/* Memory of the arrays on which a text's sample runs.
 *
 * In: arrays and the cells that the program's sample accesses. Out: mapped memory, filled where it is compared;
 * after the run, whether the text has left all other memory unchanged. */
#include "generator/prove/guard.h"
#include "generator/prove/text_sample_parts.h"
#include <string.h>
#include <sys/mman.h>

enum {
  WHOLE_ARRAY = 1 << 13, /* reals of an array that is filled and compared from end to end */
  LINE = 8               /* elsewhere: reals beside a cell that are filled and compared, too */
};

bool fg_proof_sample_map(fg_proof_sample *s) {
  for (int i = 0; i < s->nargument; i++) {
    fg_sampled_array *r = &s->array[i];
    if (r->shared) {
      r->at = s->array[r->shared - 1].at;
      continue;
    }
    r->bytes = sizeof(fg_gf) * (size_t)(r->count + 2 * s->guard);
    r->map = mmap(NULL, r->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (r->map == MAP_FAILED) return r->map = NULL, false;
    r->at = (fg_gf *)r->map + s->guard;
  }
  return true;
}

void fg_proof_sample_unmap(fg_proof_sample *s) {
  for (int i = 0; i < s->nargument; i++) {
    if (s->array[i].map) munmap(s->array[i].map, s->array[i].bytes);
    s->array[i].map = s->array[i].at = NULL;
  }
}

static bool is_whole(const fg_sampled_array *r) { return r->count <= WHOLE_ARRAY; }

/* The neighbours of what is touched, all of an array that has few. */
static void line_of(const fg_sampled_array *r, int64_t at, int64_t *from, int64_t *to) {
  *from = at / LINE * LINE;
  *to = *from + LINE < r->count ? *from + LINE : r->count;
}

void fg_proof_sample_fill(const fg_proof_sample *s) {
  for (int i = 0; i < s->nargument; i++) {
    fg_sampled_array *r = (fg_sampled_array *)&s->array[i];
    if (r->shared) continue;
    fg_guard_fill(r->at, r->count, s->guard);
    for (int64_t k = 0; k < r->count && is_whole(r); k++) r->at[k] = fg_proof_sample_background(s, i, k);
  }
  for (uint32_t i = 0; i < s->ncell; i++) {
    const fg_sampled_cell *x = &s->cell[i];
    const fg_sampled_array *r = &s->array[x->array];
    int64_t from, to;
    if (!r->at || r->given || is_whole(r)) continue;
    line_of(r, x->at, &from, &to);
    for (int64_t k = from; k < to; k++) r->at[k] = fg_proof_sample_background(s, x->array, k);
    for (int64_t p = 1; x->part && p < FG_TEXT_PARTS; p++)
      if (x->at + p * x->part < r->count) r->at[x->at + p * x->part] = fg_proof_sample_background(s, x->array, x->at);
  }
  for (uint32_t i = 0; i < s->ncell; i++) {
    const fg_sampled_cell *x = &s->cell[i];
    if (s->array[x->array].at) s->array[x->array].at[x->at] = x->initial;
  }
  for (int i = 0; i < s->nindices; i++) {
    const fg_sampled_indices *x = &s->indices[i];
    if (!s->array[x->array].given) memcpy(s->array[x->array].at + x->from, x->content, x->bytes);
  }
}

void fg_proof_sample_renew(const fg_proof_sample *s, uint32_t number) {
  const fg_sampled_cell *x = &s->cell[number];
  const fg_sampled_array *r = &s->array[x->array];
  if (!x->local || !r->at) return;
  for (int64_t p = 0; p < (x->part ? FG_TEXT_PARTS : 1); p++)
    if (x->at + p * x->part < r->count) r->at[x->at + p * x->part] = x->initial;
}

static bool is_index(const fg_proof_sample *s, int array, int64_t at) {
  for (int i = 0; i < s->nindices; i++)
    if (s->indices[i].array == array && at >= s->indices[i].from && at < s->indices[i].to) return true;
  return false;
}

/* Where the program's sample touches nothing, the text's has stored nothing. */
static bool untouched_hold(const fg_proof_sample *s, int array, int64_t from, int64_t to) {
  for (int64_t k = from; k < to; k++)
    if (s->array[array].at[k] != fg_proof_sample_background(s, array, k) && !fg_proof_sample_find(s, array, k) &&
        !is_index(s, array, k))
      return false;
  return true;
}

static bool is_scratch(const fg_proof_sample *s, int array) {
  for (int i = 0; i < s->text->p->nbuffer; i++)
    if (s->location[i].array == array && (s->text->map->scratch[i] || s->text->p->buffer[i].space == FG_SPACE_WORK))
      return true;
  return false;
}

static bool compare_around(fg_proof_sample *s) {
  for (int i = 0; i < s->nargument; i++) {
    const fg_sampled_array *r = &s->array[i];
    if (r->shared) continue;
    if (!fg_guard_holds(r->at, r->count, s->guard)) return fg_proof_sample_fail(s, "a store beyond an array");
    if (is_whole(r) && !is_scratch(s, i) && !untouched_hold(s, i, 0, r->count))
      return fg_proof_sample_fail(s, "a store to what is not its own");
  }
  for (uint32_t i = 0; i < s->ncell; i++) {
    const fg_sampled_cell *x = &s->cell[i];
    const fg_sampled_array *r = &s->array[x->array];
    int64_t from, to;
    if (!r->at || r->given || x->local || is_whole(r)) continue;
    line_of(r, x->at, &from, &to);
    if (i && s->cell[i - 1].array == x->array && s->cell[i - 1].at / LINE == x->at / LINE) continue;
    if (!is_scratch(s, x->array) && !untouched_hold(s, x->array, from, to))
      return fg_proof_sample_fail(s, "a store to what is not its own");
  }
  return true;
}

bool fg_proof_sample_compare(fg_proof_sample *s) {
  for (uint32_t i = 0; i < s->ncell; i++) {
    const fg_sampled_cell *x = &s->cell[i];
    const fg_sampled_array *r = &s->array[x->array];
    if (!r->at || x->local) continue;
    if (r->at[x->at] != x->value) return fg_proof_sample_fail(s, "it does not do what its program does");
  }
  return compare_around(s);
}
