/* Memory of the arrays on which a text's sample runs.
 *
 * In: arrays and the cells that the program's sample accesses. Out: mapped memory, filled where it is compared;
 * after the run, whether the text has left all other memory unchanged. */
#include "generator/prove/guard.h"
#include "generator/prove/text_sample_parts.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

/* ---- all other memory ---------------------------------------------------------------------- */

typedef struct pages { /* of an array: its lines in which cells are, and the pages that exist */
  uint64_t *line;
  unsigned char *exists;
  size_t line_bytes, count, bytes; /* bytes: of a page */
} pages;

static void *zeros(size_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

static bool has_index(const fg_proof_sample *s, int array) {
  for (int i = 0; i < s->nindices; i++)
    if (s->indices[i].array == array) return true;
  return false;
}

static bool open_pages(const fg_proof_sample *s, int array, pages *p) {
  const fg_sampled_array *r = &s->array[array];
  p->line_bytes = ((size_t)r->count / LINE / 64 + 1) * sizeof(uint64_t);
  p->bytes = (size_t)sysconf(_SC_PAGESIZE);
  p->count = (r->bytes + p->bytes - 1) / p->bytes;
  p->line = zeros(p->line_bytes), p->exists = zeros(p->count);
  if (!p->line || !p->exists || mincore(r->map, r->bytes, p->exists)) return false;
  for (uint32_t i = 0; i < s->ncell; i++) {
    uint64_t line = (uint64_t)s->cell[i].at / LINE;
    if (s->cell[i].array == array) p->line[line / 64] |= UINT64_C(1) << line % 64;
  }
  return true;
}

static void close_pages(pages *p) {
  if (p->line) munmap(p->line, p->line_bytes);
  if (p->exists) munmap(p->exists, p->count);
}

/* Numbers of one page, of which those beside cells are compared elsewhere. */
static bool is_page_empty(const fg_proof_sample *s, const fg_sampled_array *r, const pages *p, size_t page) {
  int64_t from = (int64_t)(page * p->bytes / sizeof(fg_gf)) - s->guard;
  int64_t to = from + (int64_t)(p->bytes / sizeof(fg_gf));
  if (from < 0) from = 0;
  for (int64_t k = from; k < to && k < r->count; k++)
    if (r->at[k] != r->rest && !(p->line[k / LINE / 64] >> k / LINE % 64 & 1)) return false;
  return true;
}

bool fg_proof_sample_hide(fg_proof_sample *s, int array, fg_gf rest) {
  fg_sampled_array *r = &s->array[array];
  pages p = {0};
  bool seen = open_pages(s, array, &p);
  for (size_t page = 0; seen && page < p.count; page++) {
    int64_t from = (int64_t)(page * p.bytes / sizeof(fg_gf)) - s->guard, to = from + (int64_t)(p.bytes / sizeof(fg_gf));
    for (int64_t k = from < 0 ? 0 : from; p.exists[page] & 1 && k < to && k < r->count; k++) r->at[k] = rest;
  }
  close_pages(&p);
  r->rest = rest;
  return seen;
}

bool fg_proof_sample_compare_pages(fg_proof_sample *s) {
  for (int i = 0; i < s->nargument && !s->out->failure[0]; i++) {
    const fg_sampled_array *r = &s->array[i];
    pages p = {0};
    if (r->shared || is_whole(r) || has_index(s, i)) continue;
    bool seen = open_pages(s, i, &p);
    for (size_t page = 0; seen && page < p.count; page++)
      if (p.exists[page] & 1 && !is_page_empty(s, r, &p, page))
        fg_proof_sample_fail(s, "a store to what is not its own");
    close_pages(&p);
    if (!seen) return fg_proof_sample_fail(s, "no memory to compare all pages");
  }
  return !s->out->failure[0];
}
