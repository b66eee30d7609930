/* Lines of the tiles that kernels gather from rows of arrays beyond the second cache: four-step's, and columns of
 * several dimensions. In: a stage. Out: lines that it fetches into that cache.
 *
 * Rows are whole pages apart, or a few lines long: hardware brings none of them ahead. The first pass fetches what lies
 * at each turn's place in the tile's next row: memory has that long. While the last pass is at work nothing is loaded
 * from memory; where there is room for two tiles, it fetches the next one meanwhile. Lines go to the second cache: the
 * first one has few sets for rows of pages. */
#include "generator/emit_parts.h"
#include <stdlib.h>

/* Bytes: of a line of a cache, of a page; between a tile's rows, at least. */
enum { LINE = 64, PAGE = 4096, ROW_LEAST = 1 << 10 };

static bool lies_in_rows(const fg_writer *w, const fg_access *a) {
  const fg_buffer *b = &w->e->p->buffer[a->buffer];
  const fg_index *x = &a->index;
  bool known = b->layout == FG_LAYOUT_INTERLEAVED || b->layout == FG_LAYOUT_BLOCKED;
  if (!known || b->elem != FG_ELEM_COMPLEX || a->npred || a->rest || a->move != FG_MOVE_CONTIG) return false;
  return !x->nwrap && !x->pad_every && !fg_index_is_bent(x) && x->at.offset.form == FG_NUM_CONST;
}

/* Whether a kernel's first stage gathers a tile from rows, of an array that the second cache does not hold. */
static bool gathers_rows(const fg_writer *w) {
  const fg_program *p = w->e->p;
  const fg_access *a = &w->k->stage->load;
  bool far = p->buffer[a->buffer].space != FG_SPACE_LOCAL && fg_buffer_bytes(&p->buffer[a->buffer]) > p->second;
  bool tiles = p->nkernel > 1 && w->k->nouter && w->e->d->fetch && w->lanes > 1;
  return far && tiles && lies_in_rows(w, a);
}

static bool is_outer(const fg_kernel *k, int digit) {
  for (int i = 0; i < k->nouter; i++)
    if (k->outer[i] == digit) return true;
  return false;
}

static bool is_fixed(const fg_digit *d) { return d->extent.form == FG_NUM_CONST && fg_num_is(d->start, 0); }

typedef struct tile { /* rows of neighbouring elements, as far apart from each other */
  int64_t width, rows, pitch;
} tile;

typedef struct way {
  int64_t step, extent;
} way;

static int by_step(const void *a, const void *b) {
  int64_t x = ((const way *)a)->step, y = ((const way *)b)->step;
  return (x > y) - (x < y);
}

/* Digits of an access but the kernel's, by what they step; -1: not known. */
static int ways_of(const fg_writer *w, const fg_access *a, way *out) {
  int n = 0;
  for (int i = 0; i < a->index.at.nterm; i++) {
    const fg_term *t = &a->index.at.term[i];
    const fg_digit *d = &w->k->digit[t->digit];
    if (is_outer(w->k, t->digit)) continue;
    if (!is_fixed(d) || t->coef.form != FG_NUM_CONST || t->coef.n <= 0) return -1;
    if (d->extent.n > 1) out[n++] = (way){t->coef.n * d->step, d->extent.n};
  }
  qsort(out, (size_t)n, sizeof *out, by_step);
  return n;
}

/* What the kernel's first stage loads of its tile; false: not such rows. */
static bool find_tile(const fg_writer *w, tile *t) {
  way x[FG_MAX_TERMS];
  int n = ways_of(w, &w->k->stage->load, x), i = 0;
  *t = (tile){.width = 1, .rows = 1};
  for (; i < n && x[i].step == t->width; i++) t->width *= x[i].extent;
  if (i < n) t->pitch = x[i].step;
  for (; i < n && x[i].step == t->rows * t->pitch; i++) t->rows *= x[i].extent;
  return n > 0 && i == n;
}

/* A part of the next tile for each turn of the last pass: columns by one loop, rows by others. */
static bool share_tile(const fg_writer *w, tile *t, int64_t unit, fg_affine *at) {
  for (int i = w->stage->nloop - 1; i >= 0; i--) {
    const fg_digit *d = &w->k->digit[w->stage->loop[i]];
    if (w->stage->loop[i] == w->stage->lane) continue;
    if (d->role != FG_ROLE_LOOP || !is_fixed(d) || fg_digit_is_clipped(d) || at->nterm == FG_MAX_TERMS) return false;
    bool column = t->width / unit % d->extent.n == 0;
    if (!column && t->rows % d->extent.n) return false;
    if (column) t->width /= d->extent.n;
    if (!column) t->rows /= d->extent.n;
    int64_t step = column ? t->width : t->rows * t->pitch;
    if (step % d->step) return false;
    fg_affine_add(at, w->stage->loop[i], fg_num_const(step / d->step));
  }
  return true;
}

/* The last pass brings the kernel's next tile into the second cache, which has room for two. */
static bool next_tile(fg_writer *w) {
  const fg_program *p = w->e->p;
  const fg_access *model = &w->k->stage->load;
  const fg_buffer *b = &p->buffer[model->buffer];
  int64_t each = 2 * fg_precision_bytes(w->e->precision), unit = LINE / each;
  int16_t outer = w->k->outer[w->k->nouter - 1];
  fg_num next = fg_affine_coef(&model->index.at, outer);
  tile t;
  if (b->layout == FG_LAYOUT_BLOCKED && b->block > unit) unit = b->block;
  if (next.form != FG_NUM_CONST || !find_tile(w, &t) || t.width % unit || t.rows * t.width * each > p->second / 2)
    return false;
  fg_access *a = fg_arena_copy(w->e->cx->arena, model, sizeof *model);
  a->move = FG_MOVE_NONE;
  a->index.at = (fg_affine){.offset = fg_num_const(model->index.at.offset.n + next.n * w->k->digit[outer].step)};
  for (int i = 0; i < w->k->nouter; i++)
    fg_affine_add(&a->index.at, w->k->outer[i], fg_affine_coef(&model->index.at, w->k->outer[i]));
  fg_place *place = fg_arena_new(w->e->cx->arena, fg_place, 1);
  if (!share_tile(w, &t, unit, &a->index.at) || fg_place_init(w, place, a, 'l') != FG_OK || !place->direct)
    return false;
  w->fetch[0] = place;
  w->fetch_how[0] = FG_FETCH_LATER;
  w->fetch_lines[0] = (int)(t.width * each / LINE);
  w->fetch_rows[0] = (int)t.rows;
  w->fetch_pitch[0] = t.pitch;
  return true;
}

/* What lies at this turn's place in the tile's next row, whole pages on. Steps of this size are beyond what hardware
 * fetches ahead, and lines of a turn meet in a set of the first cache: they wait in the second. */
static fg_place *next_row(fg_writer *w) {
  const fg_place *p = &w->load;
  int64_t apart = fg_fetch_step(w, p->a, p->a->reg) * 2 * fg_precision_bytes(w->e->precision);
  if (apart < PAGE) return NULL;
  for (int i = 0; i < w->stage->nloop && p->a->index.at.offset.form == FG_NUM_CONST; i++) {
    int64_t step = fg_fetch_step(w, p->a, w->stage->loop[i]) * 2 * fg_precision_bytes(w->e->precision);
    if (w->stage->loop[i] != w->stage->lane && step >= ROW_LEAST)
      return fg_fetch_place(w, p, fg_fetch_step(w, p->a, w->stage->loop[i]), 'l');
  }
  return NULL;
}

bool fg_fetch_tile(fg_writer *w) {
  if (!gathers_rows(w)) return false;
  if (w->stage != w->k->stage) return fg_fetch_is_last(w) && next_tile(w);
  w->fetch[0] = next_row(w);
  w->fetch_how[0] = FG_FETCH_LATER;
  return w->fetch[0] != NULL;
}
