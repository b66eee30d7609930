/* Footprints: the elements of global arrays that each block of a kernel accesses. In: a program, values of its
 * parameters. Out: the spans that the first block of each class loads and stores, and how a block's digits shift them.
 *
 * The idea: blocks of one class (block_classes.c) do the same at other bases, with other elements of tables. So one
 * walk of one block of each class gives the footprints of all. */
#include "generator/base/integer.h"
#include "generator/problem/shape.h"
#include "generator/prove/block_sample.h"
#include <stdlib.h>
#include <string.h>

typedef struct mover { /* an access, and the part that it belongs to */
  const fg_access *access;
  int part; /* -1: memory of the block's own, or a queue's ring; -2: blocks are not alike */
} mover;

enum { MOST_PARTS = 256, MOST_MOVERS = 512, MOST_MOVED = 1 << 24 /* elements, of each block and part */ };

typedef struct collector {
  fg_context *cx;
  const fg_program *p;
  const int64_t *params;
  fg_footprints *all, *now; /* now: the present kernel's */
  int kernel, class;
  bool uneven; /* seen on the way */
  int nmover;
  mover mover[MOST_MOVERS];
  int64_t *at[MOST_PARTS]; /* of the present kernel's parts: elements met so far */
  int64_t count[MOST_PARTS], room[MOST_PARTS];
} collector;

/* Bluestein: with w(j) = exp(sign pi i j^2 / n), output k is w(k) times the sum over j of x(j) w(j) conj(w(k - j)), and
 * k - j is from 1 - n to n - 1: modulo 2 n - 2 or more, only these two ends may be one, where w is the same. */
const fg_table *fg_footprints_chirps(const fg_program *p, int buffer) {
  const fg_buffer *b = &p->buffer[buffer];
  const fg_problem *q = &p->problem;
  if (b->space != FG_SPACE_TABLE || b->alias >= 0 || q->rank != 1) return NULL;
  if (q->kind != FG_C2C && q->kind != FG_R2C && q->kind != FG_C2R) return NULL;
  const fg_table *t = &p->table[b->table];
  int64_t n = fg_problem_points(q);
  bool right = t->fill == FG_FILL_BLUESTEIN && t->n == n && t->order == 2 * n && t->sign == q->sign;
  bool plain = t->rows == 1 && !t->shift && !t->panel && b->size == t->cols;
  return right && plain && t->cols >= 2 * n - 2 ? t : NULL;
}

bool fg_footprints_is_spectrum(const fg_program *p, int buffer) {
  const fg_buffer *b = &p->buffer[buffer];
  if (fg_footprints_chirps(p, buffer)) return true;
  return b->space == FG_SPACE_GIVEN && b->given == FG_GIVEN_SPECTRUM && fg_problem_kind_convolves(p->problem.kind);
}

static bool is_own(const fg_program *p, int buffer) {
  return p->buffer[fg_buffer_root(p, buffer)].space == FG_SPACE_LOCAL;
}

int64_t fg_footprints_base(const fg_program *p, int kernel, const fg_footprints *parts, const fg_footprint *part,
                           int64_t block, const int64_t *params) {
  int64_t base = 0;
  for (int i = 0; i < parts->number.ndigit; i++)
    if (part->coef[i])
      base += part->coef[i] * fg_block_numbers_value(&parts->number, p->kernel[kernel], i, block, params);
  return base;
}

/* ---- what the first block of a class moves --------------------------------------------------------------------- */

int fg_footprints_unit(const fg_program *p, int root) {
  bool same = p->buffer[root].elem == FG_ELEM_COMPLEX;
  for (int b = 0; b < p->nbuffer && same; b++)
    same = fg_buffer_root(p, b) != root || fg_buffer_is_like(&p->buffer[b], &p->buffer[root]);
  return same ? 2 : 1;
}

/* Elements of the root by which all that a view has moves on from one of its elements to the next, blocks apart. */
static int unit_of(const fg_program *p, int buffer) {
  const fg_buffer *b = &p->buffer[buffer];
  int unit = fg_footprints_unit(p, fg_buffer_root(p, buffer));
  return b->layout == FG_LAYOUT_SPLIT ? 1 : fg_buffer_parts(b) / unit;
}

/* Elements in blocks, or permuted, are shifted by whole blocks. */
static bool shifts_blocks(const collector *c, const fg_affine *line, int buffer) {
  const fg_buffer *b = &c->p->buffer[buffer];
  int64_t by = b->layout == FG_LAYOUT_BLOCKED && b->block > b->permuted ? b->block : b->permuted;
  for (int i = 0; i < c->now->number.ndigit && by > 1; i++) {
    int digit = c->now->number.digit[i];
    if (!fg_digit_steps_by(&c->p->kernel[c->kernel]->digit[digit], fg_affine_coef(line, digit), by)) return false;
  }
  return true;
}

static int part_number(collector *c, const fg_access *a, bool store) {
  const fg_affine *line = fg_index_is_bent(&a->index) ? &a->index.base : &a->index.at;
  fg_footprints *x = c->now;
  fg_footprint new = {
      .of = c->class, .memory = fg_buffer_root(c->p, a->buffer), .store = store, .low = INT64_MAX, .high = INT64_MIN};
  if (is_own(c->p, a->buffer) || fg_buffer_is_ring(&c->p->buffer[a->buffer])) return -1;
  new.table = fg_program_is_constant(c->p, a->buffer);
  if (!new.table && fg_footprints_unit(c->p, new.memory) == 1 && !shifts_blocks(c, line, a->buffer)) return -2;
  new.spectrum = fg_footprints_is_spectrum(c->p, a->buffer);
  if (new.table) new.memory = a->buffer;
  int unit = new.table ? 1 : unit_of(c->p, a->buffer);
  for (int i = 0; i < x->number.ndigit; i++)
    new.coef[i] = unit *fg_num_value(fg_affine_coef(line, x->number.digit[i]), c->params);
  for (int i = 0; i < x->npart; i++)
    if (x->part[i].of == new.of && x->part[i].memory == new.memory && x->part[i].store == store &&
        x->part[i].table == new.table && !memcmp(x->part[i].coef, new.coef, sizeof new.coef))
      return i;
  x->part[x->npart] = new;
  return x->npart++;
}

static int part_of(collector *c, const fg_access *a, bool store) {
  for (int i = 0; i < c->nmover; i++)
    if (c->mover[i].access == a) return c->mover[i].part;
  if (c->nmover == MOST_MOVERS || c->now->npart == MOST_PARTS) return -2;
  c->mover[c->nmover] = (mover){a, part_number(c, a, store)};
  return c->mover[c->nmover++].part;
}

static void add(collector *c, int part, int64_t e) {
  fg_footprint *x = &c->now->part[part];
  if (e < x->low) x->low = e;
  if (e > x->high) x->high = e;
  if (x->table && !x->spectrum) return;
  if (c->count[part] == c->room[part]) {
    c->room[part] = c->room[part] ? 2 * c->room[part] : 1024;
    c->at[part] = fg_arena_more(c->cx->arena, c->at[part], c->count[part], c->room[part]);
  }
  c->at[part][c->count[part]++] = e;
}

/* Places of an element's parts, where they follow the layouts. */
static void add_parts(collector *c, int part, const fg_buffer *b, int64_t e) {
  int64_t re, im;
  fg_buffer_position(b, e, &re, &im);
  add(c, part, re);
  if (im != re) add(c, part, im);
}

/* What one access moves; at, on: of each slot and instance. */
static bool collect_access(collector *c, const fg_access *a, int count, const int64_t *at, const unsigned char *on,
                           bool store) {
  int part = part_of(c, a, store);
  if (part == -2) return c->uneven = true, false;
  bool whole = part < 0 || c->now->part[part].table || fg_footprints_unit(c->p, c->now->part[part].memory) > 1;
  for (int i = 0; i < count; i++) {
    if (!on[i]) continue;
    c->now->addresses[c->class]++;
    if (part < 0) continue;
    if (c->count[part] >= MOST_MOVED) return c->uneven = true, false;
    if (whole)
      add(c, part, at[i]);
    else
      add_parts(c, part, &c->p->buffer[a->buffer], at[i]);
  }
  return true;
}

/* The operand of a continued access is continued, too. */
static const fg_access *operand_of(const fg_operation *o, int rest) {
  const fg_access *a = &o->operand;
  for (; rest && a->rest; rest--) a = a->rest;
  return a;
}

static bool collect(collector *c, const fg_simd_group *b, const fg_moves *x, bool store) {
  for (int rest = 0; x && x->access; x = x->rest, rest++) {
    int count = x->slots * b->width;
    if (!collect_access(c, x->access, count, x->at, x->on, store)) return false;
    for (int k = 0; x->operations && k < x->operations->count; k++)
      if (x->operand[k] && !collect_access(c, operand_of(&x->operations->operation[k], rest), count, x->operand[k],
                                           x->operand_on[k], false))
        return false;
  }
  return true;
}

static bool on_load(void *self, const fg_simd_group *b, const fg_moves *x, const fg_moves *tw) {
  return collect(self, b, x, false) && (!tw || (collect(self, b, tw, false) && collect(self, b, tw + 1, false)));
}

static bool on_store(void *self, const fg_simd_group *b, const fg_moves *y) { return collect(self, b, y, true); }

static void cut_into_spans(collector *c, int part) {
  fg_footprint *x = &c->now->part[part];
  int64_t *at = c->at[part], n = c->count[part];
  bool sorted = true;
  for (int64_t i = 1; i < n && sorted; i++) sorted = at[i - 1] <= at[i];
  if (n && !sorted) qsort(at, (size_t)n, sizeof *at, fg_rising);
  for (int pass = 0; pass < 2; pass++) {
    int64_t spans = 0;
    for (int64_t i = 0; i < n; i++) {
      if (i && at[i] == at[i - 1]) continue;
      bool goes_on = i && at[i] == at[i - 1] + 1;
      if (!goes_on) spans++;
      if (pass && !goes_on) x->span[spans - 1] = (fg_span){at[i], 0};
      if (pass) x->span[spans - 1].count++;
    }
    if (!pass) x->span = fg_arena_new(c->cx->arena, fg_span, spans + 1);
    x->nspan = spans;
  }
}

/* Of the kernel that was walked last: counted from the block's base. */
static void end_kernel(collector *c) {
  for (int i = 0; c->now && i < c->now->npart; i++) {
    fg_footprint *x = &c->now->part[i];
    if (x->of != c->class) continue;
    int64_t base = fg_footprints_base(c->p, c->kernel, c->now, x, c->now->classes.first[c->class], c->params);
    if (!x->table || x->spectrum) cut_into_spans(c, i);
    for (int64_t s = 0; s < x->nspan; s++) x->span[s].first -= base;
    if (x->low <= x->high) x->low -= base, x->high -= base;
    c->count[i] = 0;
  }
  c->now = NULL;
  c->nmover = 0;
}

static void begin_kernel(collector *c, int kernel) {
  end_kernel(c);
  c->kernel = kernel;
  c->now = &c->all[kernel];
}

static bool on_launch(void *self, int kernel, int64_t blocks) {
  (void)blocks;
  begin_kernel(self, kernel);
  return true;
}

static bool on_item(void *self, int64_t number, const fg_item *item) {
  (void)number;
  begin_kernel(self, item->kernel);
  return true;
}

/* The first of the present class. */
static bool is_first(const void *kept, int kernel, int64_t block) {
  const collector *c = kept;
  const fg_block_classes *x = &c->all[kernel].classes;
  return c->class < x->count && x->first[c->class] == block;
}

static bool any_address(const fg_footprints *x) {
  int64_t all = 0;
  for (int i = 0; i < x->classes.count; i++) all += x->addresses[i];
  return all > 0;
}

fg_footprints *fg_footprints_create(fg_context *cx, const fg_program *p, const int64_t *params) {
  collector *c = fg_arena_new(cx->arena, collector, 1);
  *c = (collector){.cx = cx, .p = p, .params = params, .all = fg_arena_new(cx->arena, fg_footprints, p->nkernel)};
  fg_walk_options options = {.params = params, .keep = is_first, .kept = c};
  fg_walker to = {.self = c, .launch = on_launch, .load = on_load, .store = on_store, .item = on_item};
  char why[200] = "";
  int classes = 0;
  for (int k = 0; k < p->nkernel; k++) {
    fg_footprints *x = &c->all[k];
    x->number = fg_block_numbers_create(p, k, params);
    if (!fg_block_classes_create(cx, p, k, params, &x->classes)) return NULL;
    if (x->classes.count > classes) classes = x->classes.count;
    x->part = fg_arena_new(cx->arena, fg_footprint, MOST_PARTS);
  }
  for (c->class = 0; c->class < classes; c->class ++) {
    if (fg_walk(cx, p, &options, &to, why) != FG_OK || c->uneven) return NULL;
    end_kernel(c);
  }
  for (int k = 0; k < p->nkernel; k++)
    if (!any_address(&c->all[k])) return NULL;
  return c->all;
}
