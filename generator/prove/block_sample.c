/* Samples: the blocks of a large program that are walked for its values. In: a program, values of its parameters.
 * Out: faults in the addresses of any of its blocks; else blocks to walk, inputs that are not zero, outputs that are
 * compared.
 *
 * The idea: the loads and stores of all blocks are known (footprints.c), so bounds, races between blocks, loads of
 * elements that no block stores and outputs that no block stores are checked for all of them, with a bit for each
 * element. Values are walked only where they are nonzero and needed. Inputs are zero but for some indices of some
 * axes; outputs are compared in some blocks of the kernels that store them last. A forward pass finds the blocks
 * that load nonzero values, a backward pass those that are needed. A program is linear: a block that loads zeros
 * stores zeros. So a block that is left out stores zeros, or nothing that walked blocks load.
 *
 * Skipped blocks differ from walked ones in the bases of their addresses, which are sums of digits, and in the
 * elements of tables. The exponent of each number on the way from an input to an output is a polynomial of low
 * degree in the digits: samples have each digit at 0, 1, its last and random values, all together. */
#include "generator/problem/shape.h"
#include "generator/prove/block_inputs.h"
#include "generator/prove/block_operations.h"
#include "generator/prove/block_paths.h"
#include "generator/prove/codelets_alone.h"
#include <string.h>

enum {
  BLOCKS = 12,
  FEW_BLOCKS = 5,
  MOST_BLOCKS = 64, /* where a tile has many blocks, */
  OF_STAGES = 2048, /* which store so many outputs together */
  FEW_CLASSES = 2,
  SUMMED = 4096,  /* outputs of a block, about */
  AROUND = 48,    /* elements of a block whose neighbours are small, */
  OF_STAGE = 16,  /* the same of single stages, */
  SMALL = 512,    /* of which each stores so many outputs at most, */
  ARE_AROUND = 2, /* and kernels with such blocks */
};
#define MOST (INT64_C(1) << 28)        /* elements of an array, of which each has its bits */
#define MOST_WALKED (INT64_C(1) << 26) /* addresses: a sample of more is made sparser */
#define LOOKED_AT (INT64_C(1) << 22)   /* elements that blocks store, from which on fewer of them are looked at */

/* ---- what programs ------------------------------------------------------------------------ */

/* Axes' strides of one side, the outer ones over all that the inner ones span. Returns that of all; 0: they are not so.
 */
static int64_t nest(const fg_problem *q, const int64_t *params, bool output, int64_t apart[FG_TENSOR_AXES]) {
  int64_t span = 1;
  for (int i = q->batch_rank + q->rank - 1; i >= 0; i--) {
    const fg_dim *d = fg_problem_axis(q, i);
    int64_t n = fg_problem_axis_length(q, i, output, params);
    apart[i] = n > 1 ? fg_num_value(output ? d->os : d->is, params) : span;
    if (apart[i] < span || apart[i] > MOST) return 0;
    span += (n - 1) * apart[i];
    if (span > 2 * MOST) return 0;
  }
  return span;
}

static bool is_problem(const fg_problem *q, const int64_t *params) {
  int64_t count = fg_problem_batch_count(q, params), points = fg_problem_points(q);
  bool kind = q->kind == FG_C2C || q->kind == FG_R2C || q->kind == FG_C2R || fg_problem_kind_convolves(q->kind);
  bool plain = fg_block_operations_fit(q) && !q->summed && !q->split_in && !q->split_out;
  return kind && plain && count >= 1 && count * points <= MOST;
}

/* All views of a root that has parts apart have them as far apart. */
static bool are_as_far_apart(const fg_program *p, int root, int64_t size) {
  for (int b = 0; b < p->nbuffer; b++)
    if (fg_buffer_root(p, b) == root && p->buffer[b].layout == FG_LAYOUT_SPLIT &&
        p->buffer[b].elem == FG_ELEM_COMPLEX && p->buffer[b].size != size)
      return false;
  return true;
}

/* Numbers of the caller's array are side by side; other memory is in any order that all who use it agree on, or else in
 * one that counts in parts of its own. */
static bool is_usual(const fg_program *p, int b) {
  const fg_buffer *x = &p->buffer[b];
  int root = fg_buffer_root(p, b);
  if (fg_buffer_is_distributed(x) || x->elem == FG_ELEM_INDEX) return false;
  if (b == FG_BUFFER_IN || b == FG_BUFFER_OUT) return x->layout == FG_LAYOUT_INTERLEAVED && !x->permuted;
  if (fg_footprints_unit(p, root) > 1 || x->layout == FG_LAYOUT_INTERLEAVED || x->layout == FG_LAYOUT_BLOCKED)
    return true;
  bool apart = x->elem == FG_ELEM_REAL || are_as_far_apart(p, root, x->size);
  return x->layout == FG_LAYOUT_SPLIT && apart;
}

static bool are_arrays(fg_block_sample_maker *k) {
  const fg_program *p = k->p;
  const fg_problem *q = &p->problem;
  fg_tensor_form *form = &k->s->form;
  int in = fg_footprints_unit(p, FG_BUFFER_IN), out = fg_footprints_unit(p, fg_buffer_root(p, FG_BUFFER_OUT));
  int64_t inputs = nest(q, k->params, false, form->in_apart), results = nest(q, k->params, true, form->out_apart);
  int64_t count = fg_problem_batch_count(q, k->params);
  k->inputs_per = fg_buffer_parts(&p->buffer[FG_BUFFER_IN]) / in;
  k->outputs_per = fg_buffer_parts(&p->buffer[FG_BUFFER_OUT]) / out;
  k->gaps = inputs > count * fg_problem_elements(q, false) || results > count * fg_problem_elements(q, true);
  bool operated = q->nload || q->nstore;
  if (operated && (count > 1 || k->gaps || q->in_place)) return false;
  if (!inputs || !results || !k->inputs_per || !k->outputs_per) return false;
  for (int b = 0; b < p->nbuffer; b++) {
    int root = fg_buffer_root(p, b);
    bool spectrum = fg_footprints_is_spectrum(p, b);
    if ((spectrum && k->spectrum >= 0) || (!spectrum && !operated && p->buffer[b].space == FG_SPACE_GIVEN))
      return false;
    if (spectrum) k->spectrum = b;
    if (fg_program_is_constant(p, b) || p->buffer[root].space == FG_SPACE_LOCAL) continue;
    if (!is_usual(p, b)) return false;
    int64_t size = b == FG_BUFFER_IN    ? inputs * k->inputs_per
                   : b == FG_BUFFER_OUT ? results * k->outputs_per
                   : b == root          ? p->buffer[b].size * fg_buffer_parts(&p->buffer[b]) / fg_footprints_unit(p, b)
                                        : 0;
    k->s->unit[root] = fg_footprints_unit(p, root);
    if (size > k->size[root]) k->size[root] = size;
    if (k->size[root] > 2 * MOST) return false;
  }
  return true;
}

/* ---- forward -------------------------------------------------------------------------------- */

static bool is_queued(const fg_block_sample_maker *k, int kernel) { return kernel < fg_queue_joined(&k->p->queue); }

static bool loads_any(const fg_block_sample_maker *k, int kernel, int64_t block) {
  const fg_footprints *x = &k->s->parts[kernel];
  for (int i = 0; i < x->npart; i++)
    if (!x->part[i].store && !x->part[i].table && fg_footprints_has(x, &x->part[i], block) &&
        fg_block_sample_any(&k->carries[x->part[i].memory], &x->part[i],
                            fg_block_sample_base(k, kernel, &x->part[i], block)))
      return true;
  return false;
}

/* Whether it multiplies by anything but zeros of the spectrum, where it does by any. */
static bool multiplies_any(const fg_block_sample_maker *k, int kernel, int64_t block) {
  const fg_footprints *x = &k->s->parts[kernel];
  bool none = true;
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    if (!y->spectrum || !fg_footprints_has(x, y, block)) continue;
    if (fg_block_sample_any(&k->carries[y->memory], y, fg_block_sample_base(k, kernel, y, block))) return true;
    none = false;
  }
  return none;
}

/* All tiles of a queue's transform have to do with each other. */
static void spread(const fg_block_sample_maker *k, int from, const fg_bits *of, int to, fg_bits *out) {
  int64_t tiles = k->p->queue.tiles[from], others = k->p->queue.tiles[to];
  for (int64_t t = 0; t < of->count / tiles; t++)
    if (fg_bits_any(of, t * tiles, tiles)) fg_bits_put(out, t * others, others, true);
}

/* What a block stores, or that it stores zeros where there are others. */
static void carry(fg_block_sample_maker *k, int kernel, int64_t block, const bool *filled) {
  const fg_footprints *x = &k->s->parts[kernel];
  bool full = fg_bits_get(&k->full[kernel], block);
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    if (y->store && (full || filled[y->memory]) && fg_footprints_has(x, y, block))
      fg_block_sample_put(&k->carries[y->memory], y, fg_block_sample_base(k, kernel, y, block), full);
  }
}

static void go_forward(fg_block_sample_maker *k) {
  bool filled[FG_MAX_BUFFERS] = {[FG_BUFFER_IN] = true};
  for (int i = 0; i < k->p->nkernel; i++) {
    const fg_footprints *x = &k->s->parts[i];
    for (int64_t b = 0; b < x->number.blocks; b++)
      if (loads_any(k, i, b) && multiplies_any(k, i, b)) fg_bits_put(&k->full[i], b, 1, true);
    if (is_queued(k, i)) spread(k, i ? i - 1 : 0, &k->full[i ? i - 1 : 0], i, &k->full[i]);
    for (int j = 0; j < x->npart; j++)
      if (x->part[j].store && k->s->overlaps[i]) filled[x->part[j].memory] = true;
    for (int64_t b = 0; b < x->number.blocks; b++) carry(k, i, b, filled);
    for (int j = 0; j < x->npart; j++)
      if (x->part[j].store) filled[x->part[j].memory] = true;
  }
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Not what a later kernel stores, nor the gaps between results. Each is a sum of a list's inputs, or of a spectrum's:
 * then of large blocks some by chance, of kernels with many classes fewer of each. */
static void want(fg_block_sample_maker *k, const fg_bits *later, int kernel, const fg_footprint *x, int64_t base) {
  uint64_t each = (uint64_t)fg_block_sample_elements(x);
  uint64_t most = SUMMED / (uint64_t)(1 + k->s->parts[kernel].classes.count / FEW_CLASSES);
  bool some = (k->s->form.listed || k->s->spectrum.listed) && each > most;
  for (int64_t i = 0; i < x->nspan; i++)
    for (int64_t e = base + x->span[i].first; e < base + x->span[i].first + x->span[i].count; e++) {
      if ((later && fg_bits_get(later, e)) || (k->gaps && !fg_bits_get(&k->results, e))) continue;
      if (!some || fg_random_below(each, &k->random) < most) fg_bits_put(&k->s->wanted, e, 1, true);
    }
}

/* Of large ones fewer are looked at, of stages' more. */
static int blocks_of(const fg_block_sample_maker *k, const fg_footprints *x, const fg_footprint *y) {
  int64_t each = fg_block_sample_elements(y), count = k->sparse ? FEW_BLOCKS : BLOCKS;
  while (k->cut && count < MOST_BLOCKS && count * each < OF_STAGES) count++;
  while (count > FEW_BLOCKS && count * each > LOOKED_AT) count--;
  return (int)(count < x->classes.blocks[y->of] ? count : x->classes.blocks[y->of]);
}

static void clear(fg_bits *b) { memset(b->word, 0, sizeof *b->word * (size_t)(b->count / 64 + 1)); }

/* Of r2c, outputs that stages of their own compute. */
static void want_columns(fg_block_sample_maker *k) {
  const fg_problem *q = &k->p->problem;
  const int64_t *apart = k->s->form.out_apart;
  int64_t column[FG_BLOCK_SAMPLE_COLUMNS];
  int count = q->kind == FG_R2C ? fg_block_sample_columns(k, column) : 0, axes = q->batch_rank + q->rank;
  for (int i = 0; i < count; i++) {
    int64_t at = fg_tensor_place(&k->s->form.out[axes - 1], column[i]);
    int64_t e = at * apart[axes - 1];
    if (at < 0) continue;
    for (int a = 0; a < axes - 1; a++) {
      int64_t n = fg_problem_axis_length(q, a, true, k->params);
      e += apart[a] * (int64_t)fg_random_below((uint64_t)n, &k->random);
    }
    fg_bits_put(&k->s->wanted, k->outputs_per * e, k->outputs_per, true);
  }
}

static bool is_stored_before(const fg_block_sample_maker *k, int kernel, int memory) {
  for (int i = 0; i < kernel; i++)
    if (fg_block_sample_touches(&k->s->parts[i], memory, true)) return true;
  return false;
}

/* Of each kernel that stores some outputs last, those of some blocks. */
static void choose_outputs(fg_block_sample_maker *k) {
  int out = k->p->problem.in_place ? FG_BUFFER_IN : FG_BUFFER_OUT;
  fg_bits *later = &k->now[out];
  clear(later);
  for (int i = k->p->nkernel - 1; i >= 0; i--) {
    const fg_footprints *x = &k->s->parts[i];
    for (int j = 0; j < x->npart; j++) {
      const fg_footprint *y = &x->part[j];
      if (!y->store || y->memory != out) continue;
      for (int n = 0; n < blocks_of(k, x, y); n++)
        want(k, later, i, y, fg_block_sample_base(k, i, y, fg_block_sample_drawn(k, x, y->of, n)));
    }
    for (int j = 0; j < x->npart && is_stored_before(k, i, out); j++)
      if (x->part[j].store && x->part[j].memory == out)
        fg_block_sample_put_all(k, later, i, &x->part[j], 0, x->number.blocks);
  }
  clear(later);
  want_columns(k);
}

/* Outputs that a block leads to. False: there are none. */
static bool want_from(fg_block_sample_maker *k, fg_block_at at) {
  int out = k->p->problem.in_place ? FG_BUFFER_IN : FG_BUFFER_OUT;
  bool any = false;
  while (fg_block_paths_step(k, &at, true)) {}
  const fg_footprints *x = &k->s->parts[at.kernel];
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    if (!y->store || y->memory != out || !fg_footprints_has(x, y, at.block)) continue;
    want(k, NULL, at.kernel, y, fg_block_sample_base(k, at.kernel, y, at.block));
    any = true;
  }
  return any;
}

/* The same of some block of a class that loads more than zeros. */
static bool want_class(fg_block_sample_maker *k, int kernel, int class) {
  const fg_footprints *x = &k->s->parts[kernel];
  int64_t block = x->classes.first[class];
  bool none = !x->addresses[class] || fg_block_sample_stores_zeros(x, class);
  while (block < x->number.blocks && !fg_bits_get(&k->full[kernel], block))
    block = fg_block_classes_next(&x->classes, x->number.blocks, class, block);
  if (none || block >= x->number.blocks) return none;
  return want_from(k, (fg_block_at){kernel, block});
}

static bool want_classes(fg_block_sample_maker *k) {
  bool all = true;
  for (int i = 0; i < k->p->nkernel; i++)
    for (int c = 0; c < k->s->parts[i].classes.count && k->s->parts[i].classes.count > 1; c++)
      all = all && want_class(k, i, c);
  for (int i = 0; i < k->nmixed; i++) want_from(k, k->mixed[i]);
  return all;
}

static bool want_small(fg_block_sample_maker *k, void *self, const fg_block_at *at) {
  const fg_footprints *x = &k->s->parts[at->kernel];
  int out = k->p->problem.in_place ? FG_BUFFER_IN : FG_BUFFER_OUT;
  bool any = false;
  (void)self;
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    bool small = y->store && y->memory == out && fg_block_sample_elements(y) < SMALL;
    if (!small || !fg_footprints_has(x, y, at->block)) continue;
    want(k, NULL, at->kernel, y, fg_block_sample_base(k, at->kernel, y, at->block));
    any = true;
  }
  return any;
}

/* Where blocks that store outputs are small, those of some show little of what an earlier kernel's block stores: so
 * those of many that one leads to. */
static void want_around(fg_block_sample_maker *k) {
  for (int i = k->p->nkernel - 2, met = 0; i >= 0 && met < ARE_AROUND; i--) {
    fg_block_at at = {i, fg_block_sample_drawn(k, &k->s->parts[i], 0, 3)};
    met += fg_block_paths_around(k, &at, true, k->cut ? OF_STAGE : AROUND, want_small, NULL) > 0;
  }
}

/* Whether it stores what is wanted, which then is what it loads. */
static void go_back(fg_block_sample_maker *k, int kernel, int64_t block, fg_bits *wanted) {
  const fg_footprints *x = &k->s->parts[kernel];
  bool is_wanted = fg_bits_get(&k->s->kept[kernel], block);
  for (int i = 0; i < x->npart && !is_wanted; i++)
    is_wanted = x->part[i].store && fg_footprints_has(x, &x->part[i], block) &&
                fg_block_sample_any(&wanted[x->part[i].memory], &x->part[i],
                                    fg_block_sample_base(k, kernel, &x->part[i], block));
  if (!is_wanted) return;
  fg_bits_put(&k->s->kept[kernel], block, 1, true);
  for (int store = 1; store >= 0; store--)
    for (int i = 0; i < x->npart; i++) {
      const fg_footprint *y = &x->part[i];
      if (y->table || y->store != store || fg_block_sample_is_given(k, y->memory)) continue;
      if (!store && !fg_bits_get(&k->full[kernel], block)) continue; /* what it stores is zero */
      if (!fg_footprints_has(x, y, block)) continue;
      fg_block_sample_put(&wanted[y->memory], y, fg_block_sample_base(k, kernel, y, block), !store);
    }
}

/* Where tiles of a queue change places in its ring, those of so many transforms meet: the first rounds are walked
 * whole, of zeros, too. */
static void keep_rounds(fg_block_sample_maker *k) {
  const fg_queue *q = &k->p->queue;
  for (int i = 0; q->swap && i < 2; i++) {
    int64_t count = (2 * q->ring + 2) * q->tiles[i], blocks = k->s->parts[i].number.blocks;
    if (count > blocks) count = blocks;
    fg_bits_put(&k->s->kept[i], 0, count, true);
    k->s->dense += count * k->s->parts[i].addresses[0]; /* a queue's blocks are of one class */
  }
}

/* Of blocks that store zeros one of each class. */
static void keep_zeros(fg_block_sample_maker *k) {
  for (int i = 0; i < k->p->nkernel; i++)
    for (int c = 0; c < k->s->parts[i].classes.count; c++)
      if (fg_block_sample_stores_zeros(&k->s->parts[i], c))
        fg_bits_put(&k->s->kept[i], k->s->parts[i].classes.first[c], 1, true);
}

static void keep(fg_block_sample_maker *k) {
  int out = k->p->problem.in_place ? FG_BUFFER_IN : FG_BUFFER_OUT;
  fg_bits *wanted = k->carries; /* of no more use */
  for (int m = 0; m < k->p->nbuffer; m++)
    if (k->size[m]) clear(&wanted[m]);
  memcpy(wanted[out].word, k->s->wanted.word, sizeof *wanted[out].word * (size_t)(wanted[out].count / 64 + 1));
  for (int i = k->p->nkernel - 1; i >= 0; i--) {
    if (is_queued(k, i + 1)) spread(k, i + 1, &k->s->kept[i + 1], i, &k->s->kept[i]);
    for (int64_t b = k->s->parts[i].number.blocks - 1; b >= 0; b--) go_back(k, i, b, wanted); /* who stored last */
  }
  for (int i = 0; i < k->p->nkernel; i++)
    for (int64_t w = 0; w <= k->full[i].count / 64; w++) k->s->kept[i].word[w] &= k->full[i].word[w];
  keep_rounds(k);
  keep_zeros(k);
}

/* ---- the whole --------------------------------------------------------------------------------- */

/* False: walking all of it takes not much more, or nothing of some kernel leads to outputs. */
static bool count_kept(fg_block_sample_maker *k) {
  fg_block_sample *s = k->s;
  int64_t all = 0;
  for (int i = 0; i < k->p->nkernel; i++) {
    const fg_footprints *x = &s->parts[i];
    if (!fg_bits_number(&s->kept[i])) return false;
    for (int64_t b = 0; b < x->number.blocks; b++) {
      int64_t each = x->addresses[fg_block_classes_of(&x->classes, b)];
      bool kept = fg_bits_get(&s->kept[i], b);
      s->walked += kept;
      s->addresses += kept * each;
      all += each;
    }
    s->blocks += x->number.blocks;
    s->classes += x->classes.count;
  }
  return s->addresses > 0 && s->addresses < all / 2;
}

static void create_bits(fg_block_sample_maker *k) {
  fg_arena *a = k->cx->arena;
  int out = k->p->problem.in_place ? FG_BUFFER_IN : FG_BUFFER_OUT;
  if (k->spectrum >= 0) k->carries[k->spectrum] = fg_bits_create(a, k->p->buffer[k->spectrum].size);
  for (int b = 0; b < k->p->nbuffer; b++) {
    if (!k->size[b]) continue;
    k->carries[b] = fg_bits_create(a, k->size[b]);
    if (fg_block_sample_is_given(k, b)) continue;
    k->stored[b] = fg_bits_create(a, k->size[b]);
    k->now[b] = fg_bits_create(a, k->size[b]);
    k->fresh[b] = fg_bits_create(a, k->size[b]);
  }
  k->s->wanted = fg_bits_create(a, k->size[out]);
  k->written = fg_bits_create(a, k->size[out]);
  if (k->gaps) {
    k->results = fg_bits_create(a, k->size[out]);
    k->callers = fg_bits_create(a, k->size[out]);
  }
  k->full = fg_arena_new(a, fg_bits, k->p->nkernel);
  k->s->overlaps = fg_arena_new(a, bool, k->p->nkernel);
  k->s->kept = fg_arena_new(a, fg_bits, k->p->nkernel);
  for (int i = 0; i < k->p->nkernel; i++) {
    k->full[i] = fg_bits_create(a, k->s->parts[i].number.blocks);
    k->s->kept[i] = fg_bits_create(a, k->s->parts[i].number.blocks);
  }
}

/* Blocks of one thread, or whose arrays have gaps, may do what is told apart here by walking all of it alone. */
static bool is_decided(const fg_block_sample_maker *k) { return fg_walk_has_threads(k->p) && !k->gaps; }

/* Nothing is chosen any more. */
static void reset(fg_block_sample_maker *k) {
  fg_block_sample *s = k->s;
  s->blocks = s->walked = s->classes = s->addresses = s->dense = 0;
  for (int b = 0; b < k->p->nbuffer; b++)
    if (k->carries[b].count) clear(&k->carries[b]);
  clear(&s->wanted);
  for (int i = 0; i < k->p->nkernel; i++) clear(&k->full[i]), clear(&s->kept[i]);
  s->form = k->form;
  s->spectrum = (fg_tensor_form){0};
  k->random = k->seed;
}

/* False: there is none, or walking all takes not much more. */
static bool choose(fg_block_sample_maker *k) {
  if (!fg_block_sample_choose_inputs(k)) return false;
  fg_block_sample_mark_inputs(k);
  go_forward(k);
  choose_outputs(k);
  if (!want_classes(k)) return false;
  if (k->s->spectrum.chirps || k->cut) want_around(k);
  k->s->outputs = fg_bits_number(&k->s->wanted) / k->outputs_per;
  keep(k);
  return count_kept(k);
}

fg_block_sample *fg_block_sample_create(fg_context *cx, const fg_program *p, const int64_t *params, uint64_t seed,
                                        const fg_stages_apart *apart) {
  if (!is_problem(&p->problem, params)) return NULL;
  fg_block_sample_maker *k = fg_arena_new(cx->arena, fg_block_sample_maker, 1);
  *k = (fg_block_sample_maker){.cx = cx,
                               .p = p,
                               .params = params,
                               .apart = apart,
                               .cut = apart && apart->cut,
                               .seed = seed ^ 0x73616d706c65,
                               .spectrum = -1};
  k->random = k->seed;
  k->s = fg_arena_new(cx->arena, fg_block_sample, 1);
  *k->s = (fg_block_sample){.p = p, .params = params};
  if (!are_arrays(k)) return NULL;
  k->form = k->s->form;
  k->s->parts = fg_footprints_create(cx, p, params);
  /* Of a convolution few frequencies are seen: no walk of them tells all outputs of codelets apart. */
  if (k->spectrum >= 0 && !fg_prove_codelets_known(p)) return NULL;
  if (!k->s->parts || !fg_block_sample_kernels_fit(k)) return NULL;
  create_bits(k);
  if (!fg_block_sample_addresses_hold(k)) return is_decided(k) ? k->s : NULL;
  bool chosen = choose(k);
  if (!chosen || k->s->addresses <= MOST_WALKED) return chosen ? k->s : NULL;
  reset(k);
  k->sparse = true;
  return choose(k) ? k->s : NULL;
}

bool fg_block_sample_keeps(const void *sample, int kernel, int64_t block) {
  const fg_block_sample *s = sample;
  return fg_bits_get(&s->kept[kernel], block);
}

/* Elements of whole transforms fill their pages; of others, a page holds few. */
double fg_block_sample_room(const fg_block_sample *s) {
  return (double)(s->addresses - s->dense) * 64 + (double)s->dense * 16 + (double)s->wanted.count;
}

/* ---- its walk ------------------------------------------------------------------------------------ */

static void forget(const fg_ram *memory, int unit, int64_t first, int64_t count) {
  for (int64_t place = unit * first; place < unit * (first + count); place++) {
    fg_page *page = memory->page[place / FG_PAGE];
    if (!page)
      place = (place / FG_PAGE + 1) * FG_PAGE - 1;
    else
      page->flag[place % FG_PAGE] &= (unsigned char)~FG_CELL_KNOWN;
  }
}

/* Whether there is anything in it before a kernel. */
static bool is_filled(const fg_block_sample *s, int kernel, int memory) {
  for (int i = 0; i < kernel; i++)
    if (fg_block_sample_touches(&s->parts[i], memory, true)) return true;
  return memory == FG_BUFFER_IN;
}

/* The same where blocks store to one element: what matters is who did so last. */
static void forget_overlaps(fg_vm *m, int kernel, int memory) {
  const fg_block_sample *s = m->sample;
  const fg_footprints *x = &s->parts[kernel];
  int unit = s->unit[memory];
  fg_bits later = fg_bits_create(m->cx->arena, 2 * m->memory[memory].elements / unit);
  for (int64_t b = x->number.blocks - 1; b >= 0; b--)
    for (int i = 0; i < x->npart; i++) {
      const fg_footprint *y = &x->part[i];
      if (!fg_footprints_has(x, y, b)) continue;
      int64_t base = fg_footprints_base(s->p, kernel, x, y, b, s->params);
      for (int64_t j = 0; y->store && y->memory == memory && j < y->nspan; j++)
        for (int64_t e = base + y->span[j].first; e < base + y->span[j].first + y->span[j].count; e++) {
          if (!fg_bits_get(&later, e) && !fg_bits_get(&s->kept[kernel], b)) forget(&m->memory[memory], unit, e, 1);
          fg_bits_put(&later, e, 1, true);
        }
    }
}

static void forget_left_out(fg_vm *m, int kernel, const fg_footprint *x) {
  const fg_block_sample *s = m->sample;
  for (int64_t b = 0; b < s->parts[kernel].number.blocks; b++) {
    if (!fg_footprints_has(&s->parts[kernel], x, b)) continue;
    int64_t base = fg_footprints_base(s->p, kernel, &s->parts[kernel], x, b, s->params);
    if (x->memory == FG_BUFFER_IN) fg_block_sample_put(m->replaced, x, base, true);
    for (int64_t j = 0; j < x->nspan && !fg_bits_get(&s->kept[kernel], b); j++)
      forget(&m->memory[x->memory], s->unit[x->memory], base + x->span[j].first, x->span[j].count);
  }
}

/* By a spectrum: then blocks may store zeros where they load other numbers. */
static bool multiplies(const fg_footprints *x) {
  for (int i = 0; i < x->npart; i++)
    if (x->part[i].spectrum) return true;
  return false;
}

void fg_block_sample_forget(fg_vm *m, int kernel) {
  const fg_block_sample *s = m->sample;
  const fg_footprints *x = &s->parts[kernel];
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    if (!y->store || (!multiplies(x) && fg_block_sample_is_exchange(x, y))) continue;
    if (s->overlaps[kernel])
      forget_overlaps(m, kernel, y->memory);
    else if (is_filled(s, kernel, y->memory))
      forget_left_out(m, kernel, y);
  }
}

static fg_gf value_at(const fg_ram *memory, int prime, int64_t place) {
  const fg_page *page = memory->page[place / FG_PAGE];
  return page && page->flag[place % FG_PAGE] & FG_CELL_KNOWN ? page->value[prime][place % FG_PAGE] : 0;
}

/* Of an output those places that are wanted. */
static bool is_right(const fg_vm *m, int64_t element, int64_t first, int64_t end) {
  bool real = fg_problem_is_real(&m->p->problem, true), zero = fg_tensor_may_be_real(m->tensor[0], element);
  const fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_OUT]];
  for (int p = 0; p < m->primes; p++) {
    fg_gfc right;
    if (!fg_tensor_result(m->tensor[p], element, &right)) return false;
    right = fg_block_operations_result(m, p, element, right);
    for (int64_t place = first; place < end; place++) {
      fg_gf x = value_at(memory, p, place);
      if (zero && place % 2 && !x) continue;
      if (x != (real || place % 2 == 0 ? right.re : right.im)) return false;
    }
  }
  return true;
}

void fg_block_sample_compare(fg_vm *m) {
  const fg_bits *wanted = &m->sample->wanted;
  int unit = m->sample->unit[m->memory_of[FG_BUFFER_OUT]], parts = fg_buffer_parts(&m->p->buffer[FG_BUFFER_OUT]);
  int64_t n = fg_problem_elements(&m->p->problem, true);
  for (int64_t e = 0, end; e < wanted->count; e = end) {
    end = e + 1;
    if (!wanted->word[e / 64]) end = (e / 64 + 1) * 64;
    if (!fg_bits_get(wanted, e)) continue;
    while (end < wanted->count && end * unit % parts && fg_bits_get(wanted, end)) end++;
    int64_t element = e * unit / parts;
    if (is_right(m, element, e * unit, end * unit)) continue;
    fg_prove_fail(m, "output %lld of transform %lld is not that of the DFT", (long long)(element % n),
                  (long long)(element / n));
    return;
  }
}
