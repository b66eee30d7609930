/* Prefetches of tiles that kernels gather from rows of arrays beyond L2: four-step's, and columns of several
 * dimensions. In: a stage. Out: lines that it prefetches into L2.
 *
 * Rows are whole pages apart, or a few lines long, so the hardware prefetcher follows none of them. The first pass
 * prefetches the lines of its iteration in the tile's next row, long before their use. The last pass loads nothing
 * from memory; if two tiles fit L2, it prefetches the next tile meanwhile. Lines are fetched to L2, because L1 has few
 * sets for rows a page apart. */
#include "generator/ir/program_machine.h"
#include "generator/ir/radix_digits.h"
#include "generator/lower/access.h"
#include "generator/lower/prefetch.h"
#include "generator/lower/writer.h"
#include "targets/machine/limits.h"

static bool lies_in_rows(const fg_writer *w, const fg_access *a) {
  const fg_buffer *b = &w->e->p->buffer[a->buffer];
  const fg_index *x = &a->index;
  bool ours = b->space == FG_SPACE_WORK; /* parts of the caller's are two arrays */
  bool known =
      b->layout == FG_LAYOUT_INTERLEAVED || b->layout == FG_LAYOUT_BLOCKED || (ours && b->layout == FG_LAYOUT_SPLIT);
  if (!known || b->elem != FG_ELEM_COMPLEX || a->npred || a->rest || a->move != FG_MOVE_CONTIG) return false;
  return !x->nwrap && !x->pad_every && !fg_index_is_bent(x) && x->at.offset.form == FG_NUM_CONST;
}

/* Bytes from one slot's elements of an access to the next's. */
static int64_t apart(const fg_writer *w, const fg_access *a) {
  return fg_prefetch_step(w, a, a->reg) * 2 * fg_precision_bytes(w->e->precision);
}

/* An array that L2 does not hold. With 2 MiB of it on a Xeon, rows of whole pages are loaded as fast by
 * themselves from an L3. */
static bool is_far(const fg_writer *w, const fg_access *a) {
  const fg_program *p = w->e->p;
  int64_t bytes = fg_buffer_bytes(&p->buffer[a->buffer]);
  bool near = !fg_small_l2(p) && bytes < limit->l3_array_most && apart(w, a) % fg_program_page(w->e->p) == 0;
  return p->buffer[a->buffer].space != FG_SPACE_LOCAL && bytes > fg_l2_bytes(p) && !near;
}

/* Whether a kernel's first stage gathers a tile from rows far away. */
static bool gathers_rows(const fg_writer *w) {
  const fg_access *a = &w->section.first->load;
  bool tiles = fg_program_sections(w->e->p) > 1 && w->section.nouter && w->e->d->fetch && w->lanes > 1;
  return tiles && lies_in_rows(w, a) && is_far(w, a);
}

typedef struct tile { /* rows of neighbouring elements, as far apart from each other */
  int64_t width, rows, pitch;
} tile;

/* What the kernel's first stage loads of its tile; false: not such rows. */
static bool find_tile(const fg_writer *w, tile *t) {
  fg_radix_digit x[FG_MAX_TERMS];
  fg_affine at = w->section.first->load.index.at;
  for (int d = 0; d < w->section.nouter; d++) fg_affine_drop(&at, w->section.outer[d]);
  int n = fg_radix_digits(w->k, &at, x), i = 0;
  *t = (tile){.width = 1, .rows = 1};
  for (; i < n && x[i].step == t->width; i++) t->width *= x[i].extent;
  if (i < n) t->pitch = x[i].step;
  for (; i < n && x[i].step == t->rows * t->pitch; i++) t->rows *= x[i].extent;
  return n > 0 && i == n;
}

/* A part of the next tile for each iteration of the last pass: columns by one loop, rows by others. */
static bool share_tile(const fg_writer *w, tile *t, int64_t unit, fg_affine *at) {
  for (int i = w->stage->nloop - 1; i >= w->stage->vectors.tiles; i--) {
    const fg_digit *d = &w->k->digit[w->stage->loop[i]];
    if (w->stage->loop[i] == w->stage->vectors.lane) continue;
    bool counts = d->extent.form == FG_NUM_CONST && fg_num_is(d->start, 0) && !fg_digit_is_clipped(d);
    if (d->role != FG_ROLE_LOOP || !counts || at->nterm == FG_MAX_TERMS) return false;
    int64_t n = d->extent.n, column = t->width / n, row = t->rows / n * t->pitch;
    if (t->width / unit % n == 0 && column % d->step == 0)
      t->width /= n;
    else if (t->rows % n == 0 && row % d->step == 0)
      t->rows /= n, column = row;
    else
      return false;
    fg_affine_add(at, w->stage->loop[i], fg_num_const(column / d->step));
  }
  return true;
}

/* The last pass brings the kernel's next tile into L2, which has room for two. */
static bool next_tile(fg_writer *w) {
  const fg_program *p = w->e->p;
  const fg_access *model = &w->section.first->load;
  const fg_buffer *b = &p->buffer[model->buffer];
  int64_t each = 2 * fg_precision_bytes(w->e->precision), unit = fg_program_line(w->e->p) / each;
  int16_t outer = w->section.outer[w->section.nouter - 1];
  fg_num next = fg_affine_coef(&model->index.at, outer);
  tile t;
  if (b->layout == FG_LAYOUT_BLOCKED && b->block > unit) unit = b->block;
  if (b->layout == FG_LAYOUT_SPLIT) unit *= 2;
  if (b->permuted && b->permuted != w->lanes) return false;
  if (next.form != FG_NUM_CONST || !find_tile(w, &t) || t.width % unit || t.rows * t.width * each > fg_l2_bytes(p) / 2)
    return false;
  fg_access *a = fg_arena_copy(w->arena, model, sizeof *model);
  a->index.at = (fg_affine){.offset = fg_num_const(model->index.at.offset.n + next.n * w->k->digit[outer].step)};
  for (int i = 0; i < w->section.nouter; i++)
    fg_affine_add(&a->index.at, w->section.outer[i], fg_affine_coef(&model->index.at, w->section.outer[i]));
  fg_access_plan *place = fg_arena_new(w->arena, fg_access_plan, 1);
  if (!share_tile(w, &t, unit, &a->index.at)) return false;
  fg_affine_add(&a->index.at, w->stage->vectors.lane,
                fg_num_const(1)); /* a vector, whose first number determines the line */
  if (fg_access_plan_init(w, place, a, 'l') != FG_OK || !place->direct) return false;
  for (int part = 0; part < place->parts; part++) place->needed[part] = true;
  if (t.rows * t.width * each > limit->tile_lines_most * fg_program_line(w->e->p)) return false;
  w->fetch[0] = place;
  w->fetch_how[0] = FG_FETCH_LATER;
  w->fetch_lines[0] = (int)(t.width * each / fg_program_line(w->e->p));
  w->fetch_rows[0] = (int)t.rows;
  w->fetch_pitch[0] = t.pitch;
  return true;
}

/* This iteration's elements of the tile's next row, whole pages on. Steps of this size are beyond what
 * hardware fetches ahead, and lines of an iteration share a set of L1: they are fetched to L2. */
static fg_access_plan *next_row(fg_writer *w) {
  const fg_access_plan *p = &w->load;
  if (apart(w, p->a) < fg_program_page(w->e->p)) return NULL;
  for (int i = w->stage->vectors.tiles; i < w->stage->nloop && p->a->index.at.offset.form == FG_NUM_CONST; i++) {
    int64_t step = fg_prefetch_step(w, p->a, w->stage->loop[i]) * 2 * fg_precision_bytes(w->e->precision);
    if (w->stage->loop[i] != w->stage->vectors.lane && step >= limit->tile_pitch_least)
      return fg_prefetch_plan(w, p, fg_prefetch_step(w, p->a, w->stage->loop[i]), 'l');
  }
  return NULL;
}

bool fg_prefetch_tile(fg_writer *w) {
  if (!gathers_rows(w)) return false;
  if (w->stage != w->section.first) return fg_prefetch_is_last(w) && next_tile(w);
  w->fetch[0] = next_row(w);
  if (w->fetch[0]) w->fetch_how[0] = FG_FETCH_LATER;
  return w->fetch[0] != NULL;
}
