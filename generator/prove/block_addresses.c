/* The loads and stores of all blocks of a program. In: footprints of block 0, and the digits that shift them. Out:
 * the first fault: bounds, races between blocks, loads of elements that no block stores, outputs that no block
 * stores.
 *
 * The idea: a bit for each element; the spans of all blocks are added one after the other. */
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/block_tiles.h"
#include <stdio.h>
#include <string.h>

enum { AHEAD = 16 /* spans */ };

bool fg_block_sample_is_given(const fg_block_sample_maker *k, int memory) {
  return memory == FG_BUFFER_IN && !k->p->problem.in_place;
}

static bool are_same(const fg_footprint *a, const fg_footprint *b) {
  return a->of == b->of && a->memory == b->memory && a->nspan == b->nspan &&
         !memcmp(a->coef, b->coef, sizeof a->coef) && !memcmp(a->span, b->span, sizeof *a->span * (size_t)a->nspan);
}

bool fg_block_sample_is_exchange(const fg_footprints *x, const fg_footprint *store) {
  for (int i = 0; i < x->npart; i++)
    if (!x->part[i].store && !x->part[i].table && are_same(&x->part[i], store)) return true;
  return false;
}

bool fg_block_sample_touches(const fg_footprints *x, int memory, bool store) {
  for (int i = 0; i < x->npart; i++)
    if (x->part[i].memory == memory && !x->part[i].table && (x->part[i].store || !store)) return true;
  return false;
}

bool fg_block_sample_stores_zeros(const fg_footprints *x, int class) {
  for (int i = 0; i < x->npart; i++)
    if (x->part[i].of == class && !x->part[i].store && !x->part[i].table && x->part[i].nspan) return false;
  return true;
}

static const fg_footprint *part_at(const fg_footprints *x, int memory, bool store) {
  for (int i = 0; i < x->npart; i++)
    if (x->part[i].memory == memory && !x->part[i].table && x->part[i].store == store) return &x->part[i];
  return NULL;
}

/* Kernels of a queue may share memory that the first one loads from and the last one stores to: check_queue. */
static bool is_passed_on(const fg_block_sample_maker *k, int memory) {
  int last = fg_queue_joined(&k->p->queue) - 1;
  for (int i = 1; i < last; i++)
    if (fg_block_sample_touches(&k->s->parts[i], memory, false) ||
        fg_block_sample_touches(&k->s->parts[i], memory, true))
      return false;
  return !fg_block_sample_touches(&k->s->parts[0], memory, true) && !part_at(&k->s->parts[last], memory, false);
}

/* Whether another kernel of the queue loads from it. */
static bool is_loaded_beside(const fg_block_sample_maker *k, int kernel, int memory) {
  for (int i = 0; i < fg_queue_joined(&k->p->queue); i++)
    if (i != kernel && fg_block_sample_touches(&k->s->parts[i], memory, false)) return true;
  return false;
}

/* What is in an order among blocks of one launch is in none here; and what a queue's kernel stores it stores once. */
bool fg_block_sample_kernels_fit(const fg_block_sample_maker *k) {
  const fg_program *p = k->p;
  for (int i = 0; i < p->nkernel; i++) {
    const fg_footprints *x = &k->s->parts[i];
    bool stores[FG_MAX_BUFFERS] = {false};
    if (i < fg_queue_joined(&p->queue) && x->classes.count > 1) return false;
    for (int j = 0; j < x->npart; j++) {
      const fg_footprint *y = &x->part[j];
      if (!y->store) continue;
      if (i >= fg_queue_joined(&p->queue)) continue;
      if (stores[y->memory]) return false;
      stores[y->memory] = true;
      if (is_loaded_beside(k, i, y->memory) && !is_passed_on(k, y->memory)) return false;
    }
  }
  return true;
}

/* ---- all blocks' addresses ------------------------------------------------------------------ */

static bool fail(const fg_block_sample_maker *k, int *count, int kernel, const char *what, int memory) {
  ++*count;
  snprintf(k->s->failure, sizeof k->s->failure, "kernel %.24s: %s %s", k->p->kernel[kernel]->name, what,
           k->p->buffer[memory].name);
  return false;
}

int64_t fg_block_sample_base(const fg_block_sample_maker *k, int kernel, const fg_footprint *x, int64_t block) {
  return fg_footprints_base(k->p, kernel, &k->s->parts[kernel], x, block, k->params);
}

/* Where the block's tile has its place in scratch; 0 where all tiles have one. */
static int64_t place_of(const fg_block_sample_maker *k, int kernel, const fg_footprint *x, int64_t block) {
  const fg_stages_place *place = k->apart && !x->table ? &k->apart->place[x->memory] : NULL;
  if (!place || !place->reals) return 0;
  const fg_footprints *all = &k->s->parts[kernel];
  int64_t at = place->at;
  for (int i = 0, last = all->number.ndigit - 1; i <= last; i++)
    if (place->by[i])
      at += place->by[i] * fg_block_numbers_value(&all->number, k->p->kernel[kernel], last - i, block, k->params);
  return at / k->s->unit[x->memory];
}

/* Elements of memory that a block has. */
static int64_t elements_of(const fg_block_sample_maker *k, const fg_footprint *x) {
  if (x->spectrum && k->p->buffer[x->memory].space == FG_SPACE_GIVEN)
    return fg_problem_spectra_extent(&k->p->problem, k->params);
  if (x->table) return k->p->buffer[x->memory].size;
  int64_t reals = k->apart ? k->apart->place[x->memory].reals : 0;
  return reals ? reals / k->s->unit[x->memory] : k->size[x->memory];
}

/* Bases of all blocks that have the part, from their tiles' places on. */
static void range_of_bases(const fg_block_sample_maker *k, int kernel, const fg_footprint *x, int64_t *low,
                           int64_t *high) {
  const fg_footprints *all = &k->s->parts[kernel];
  *low = INT64_MAX, *high = INT64_MIN;
  for (int64_t b = all->classes.first[x->of]; b <= all->classes.last[x->of]; b++) {
    if (!fg_footprints_has(all, x, b)) continue;
    int64_t base = fg_block_sample_base(k, kernel, x, b) - place_of(k, kernel, x, b);
    if (base < *low) *low = base;
    if (base > *high) *high = base;
  }
}

static bool check_bounds(const fg_block_sample_maker *k, int kernel, const fg_footprint *x) {
  int64_t low, high, end = elements_of(k, x);
  if (x->low > x->high) return true; /* its class moves nothing there */
  range_of_bases(k, kernel, x, &low, &high);
  if (low + x->low >= 0 && high + x->high < end) return true;
  return fail(k, &k->s->out_of_bounds, kernel,
              x->store ? "some block stores to what is no element of" : "some block loads what is no element of",
              x->memory);
}

/* Spans are far apart: a line of the cache each, which is brought while others are looked at. */
static inline void bring(const fg_bits *b, const fg_footprint *x, int64_t base, int64_t i) {
  if (i + AHEAD < x->nspan) __builtin_prefetch(&b->word[(base + x->span[i + AHEAD].first) / 64]);
}

void fg_block_sample_put(fg_bits *b, const fg_footprint *x, int64_t base, bool value) {
  for (int64_t i = 0; i < x->nspan; i++) {
    bring(b, x, base, i);
    fg_bits_put(b, base + x->span[i].first, x->span[i].count, value);
  }
}

bool fg_block_sample_any(const fg_bits *b, const fg_footprint *x, int64_t base) {
  for (int64_t i = 0; i < x->nspan; i++) {
    bring(b, x, base, i);
    if (fg_bits_any(b, base + x->span[i].first, x->span[i].count)) return true;
  }
  return false;
}

static bool all(const fg_bits *b, const fg_footprint *x, int64_t base) {
  for (int64_t i = 0; i < x->nspan; i++) {
    bring(b, x, base, i);
    if (!fg_bits_all(b, base + x->span[i].first, x->span[i].count)) return false;
  }
  return true;
}

static void clear(fg_bits *b) { memset(b->word, 0, sizeof *b->word * (size_t)(b->count / 64 + 1)); }

static void join(fg_bits *to, const fg_bits *from) {
  for (int64_t w = 0; w <= from->count / 64; w++) to->word[w] |= from->word[w];
}

/* The part of a loop that threads share to which the block belongs. */
static int64_t part_of(const fg_block_sample_maker *k, int kernel, int64_t block) {
  const fg_kernel *from = k->p->kernel[kernel];
  const fg_footprints *x = &k->s->parts[kernel];
  for (int i = 0; i < x->number.ndigit; i++)
    if (x->number.digit[i] == from->vectors.part - 1)
      return fg_digit_part(&from->digit[x->number.digit[i]],
                           fg_block_numbers_value(&x->number, from, i, block, k->params));
  return block;
}

/* All that a block stores to some memory. */
static void put_into(const fg_block_sample_maker *k, fg_bits *to, int kernel, int memory, int64_t block, bool value) {
  const fg_footprints *x = &k->s->parts[kernel];
  for (int i = 0; i < x->npart; i++)
    if (x->part[i].store && x->part[i].memory == memory && fg_footprints_has(x, &x->part[i], block))
      fg_block_sample_put(to, &x->part[i], fg_block_sample_base(k, kernel, &x->part[i], block), value);
}

static void put_stores(fg_block_sample_maker *k, int kernel, int memory, int64_t block, bool value) {
  put_into(k, &k->now[memory], kernel, memory, block, value);
}

/* Whether any of it is among what others have stored. */
static bool any_store(const fg_block_sample_maker *k, int kernel, int memory, int64_t block) {
  const fg_footprints *x = &k->s->parts[kernel];
  for (int i = 0; i < x->npart; i++)
    if (x->part[i].store && x->part[i].memory == memory && fg_footprints_has(x, &x->part[i], block) &&
        fg_block_sample_any(&k->now[memory], &x->part[i], fg_block_sample_base(k, kernel, &x->part[i], block)))
      return true;
  return false;
}

typedef struct part_run { /* the blocks before one, of the same part and one after the other, that threads share out */
  bool any;
  int64_t first;
  fg_bits stored; /* by these; none where threads share nothing */
} part_run;

static void begin_part(const fg_block_sample_maker *k, int kernel, int memory, part_run *r) {
  *r = (part_run){.any = k->p->kernel[kernel]->vectors.part};
  if (r->any) r->stored = fg_bits_create(k->cx->arena, k->size[memory]);
}

static void follow_part(const fg_block_sample_maker *k, int kernel, int memory, int64_t block, part_run *r) {
  if (!r->any || !block) return;
  put_into(k, &r->stored, kernel, memory, block - 1, true);
  if (part_of(k, kernel, block) == part_of(k, kernel, block - 1)) return;
  for (; r->first < block; r->first++) put_into(k, &r->stored, kernel, memory, r->first, false);
}

/* Whether what others have stored, and the block stores once more, is that part's alone. */
static bool is_of_part(const fg_block_sample_maker *k, int kernel, int memory, int64_t block, const part_run *r) {
  const fg_footprints *x = &k->s->parts[kernel];
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    if (!y->store || y->memory != memory || !fg_footprints_has(x, y, block)) continue;
    int64_t base = fg_block_sample_base(k, kernel, y, block);
    for (int64_t s = 0; s < y->nspan; s++)
      for (int64_t e = base + y->span[s].first; e < base + y->span[s].first + y->span[s].count; e++)
        if (fg_bits_get(&k->now[memory], e) && !fg_bits_get(&r->stored, e)) return false;
  }
  return true;
}

/* Blocks of one thread run one after the other: they may overwrite what earlier ones stored, if no block
 * loads it; if threads share them, what those just before have, of the same part. */
static bool may_overlap(fg_block_sample_maker *k, int kernel, int memory, int64_t block, const part_run *r) {
  if (fg_walk_has_threads(k->p) || k->p->vectors.side_by_side || memory == FG_BUFFER_IN) return false;
  if (part_at(&k->s->parts[kernel], memory, false)) return false;
  k->s->overlaps[kernel] = true;
  return !r->any || is_of_part(k, kernel, memory, block, r);
}

static bool check_stores(fg_block_sample_maker *k, int kernel, int memory) {
  if (fg_block_sample_is_given(k, memory)) return fail(k, &k->s->races, kernel, "some block stores to", memory);
  clear(&k->now[memory]);
  part_run run;
  begin_part(k, kernel, memory, &run);
  for (int64_t b = 0; b < k->s->parts[kernel].number.blocks; b++) {
    follow_part(k, kernel, memory, b, &run);
    if (any_store(k, kernel, memory, b) && !may_overlap(k, kernel, memory, b, &run))
      return fail(k, &k->s->races, kernel, "two blocks store to one element of", memory);
    put_stores(k, kernel, memory, b, true);
  }
  if (!k->gaps || memory != fg_buffer_root(k->p, FG_BUFFER_OUT)) return true;
  for (int64_t w = 0; w <= k->callers.count / 64; w++)
    if (k->now[memory].word[w] & ~k->callers.word[w])
      return fail(k, &k->s->out_of_bounds, kernel, "some block stores between elements of", memory);
  return true;
}

/* What other blocks of the launch store: its own stores are set aside. */
static bool meets_others(fg_block_sample_maker *k, int kernel, const fg_footprint *load, int64_t block) {
  put_stores(k, kernel, load->memory, block, false);
  bool meets = fg_block_sample_any(&k->now[load->memory], load, fg_block_sample_base(k, kernel, load, block));
  put_stores(k, kernel, load->memory, block, true);
  return meets;
}

enum { ALL_FRESH = 1, SOME_FRESH = 2, NONE_FRESH = 4, KINDS = 5 };

/* Of what is stored. */
static int freshness(const fg_block_sample_maker *k, const fg_footprint *x, int64_t base) {
  if (!k->was_loaded[x->memory]) return ALL_FRESH;
  const fg_bits *fresh = &k->fresh[x->memory];
  return all(fresh, x, base) ? ALL_FRESH : fg_block_sample_any(fresh, x, base) ? SOME_FRESH : NONE_FRESH;
}

/* Blocks of a class load what was stored for them: if a block of an earlier kernel is missing, some of them load what
 * its memory had before. Such blocks are to be walked: the first of each kind. */
static void note_mixed(fg_block_sample_maker *k, int kernel, const int64_t first[KINDS], int kinds) {
  for (int kind = ALL_FRESH; kind < KINDS && (kinds & (kinds - 1)); kind++)
    if (kinds & kind && !(kind & (kind - 1)) && k->nmixed < FG_BLOCK_SAMPLE_MIXED)
      k->mixed[k->nmixed++] = (fg_block_at){kernel, first[kind]};
}

static bool check_loads(fg_block_sample_maker *k, int kernel, const fg_footprint *x) {
  const fg_footprints *parts = &k->s->parts[kernel];
  int stores = 0, others = 0, kinds = 0;
  int64_t first[KINDS] = {0};
  if (x->table || fg_block_sample_is_given(k, x->memory)) return true;
  for (int i = 0; i < parts->npart; i++) {
    bool store = parts->part[i].of == x->of && parts->part[i].store && parts->part[i].memory == x->memory;
    stores += store;
    others += store && !are_same(&parts->part[i], x);
  }
  for (int64_t b = 0; b < parts->number.blocks; b++) {
    if (!fg_footprints_has(parts, x, b)) continue;
    if (!all(&k->stored[x->memory], x, fg_block_sample_base(k, kernel, x, b)))
      return fail(k, &k->s->uninitialised, kernel, "some block loads what was never stored in", x->memory);
    if ((others || stores > 1) && meets_others(k, kernel, x, b))
      return fail(k, &k->s->races, kernel, "a block loads what another one stores in", x->memory);
    int kind = freshness(k, x, fg_block_sample_base(k, kernel, x, b));
    if (!(kinds & kind)) first[kind] = b;
    kinds |= kind;
  }
  note_mixed(k, kernel, first, kinds);
  return true;
}

void fg_block_sample_put_all(const fg_block_sample_maker *k, fg_bits *b, int kernel, const fg_footprint *x,
                             int64_t first, int64_t count) {
  for (int64_t t = first; t < first + count; t++)
    if (fg_footprints_has(&k->s->parts[kernel], x, t))
      fg_block_sample_put(b, x, fg_block_sample_base(k, kernel, x, t), true);
}

/* What one kernel's blocks move, and another's, somewhere. */
static bool meets_kernel(fg_block_sample_maker *k, int kernel, const fg_footprint *x, int other,
                         const fg_footprint *y) {
  fg_bits *moved = &k->carries[x->memory]; /* nothing yet */
  bool meets = false;
  fg_block_sample_put_all(k, moved, other, y, 0, k->s->parts[other].number.blocks);
  for (int64_t b = 0; b < k->s->parts[kernel].number.blocks && !meets; b++)
    meets = fg_footprints_has(&k->s->parts[kernel], x, b) &&
            fg_block_sample_any(moved, x, fg_block_sample_base(k, kernel, x, b));
  clear(moved);
  return meets;
}

static bool is_shared(const fg_block_sample_maker *k, const fg_footprint *x) {
  return !x->table && !fg_block_sample_is_given(k, x->memory);
}

/* Kernels without a barrier between do not access what another one stores. */
static bool check_apart(fg_block_sample_maker *k, int kernel) {
  const fg_footprints *x = &k->s->parts[kernel];
  const fg_stages_apart *apart = k->apart;
  int memory;
  if (apart && !fg_block_sample_tiles_hold(k, kernel, &memory))
    return fail(k, &k->s->races, kernel, "two tiles use what one of them stores to", memory);
  for (int other = kernel; apart && apart->follows[other]; other--) {
    if (apart->thread[other - 1] == apart->thread[kernel]) continue;
    const fg_footprints *y = &k->s->parts[other - 1];
    for (int i = 0; i < x->npart; i++)
      for (int j = 0; j < y->npart; j++) {
        const fg_footprint *a = &x->part[i], *b = &y->part[j];
        if (a->memory != b->memory || !(a->store || b->store) || !is_shared(k, a) || !is_shared(k, b)) continue;
        if (meets_kernel(k, kernel, a, other - 1, b))
          return fail(k, &k->s->races, kernel, "two stages that do not wait for each other use", a->memory);
      }
  }
  return true;
}

/* Whether it is the first part that stores to its memory: what is checked there holds for all of them. */
static bool is_first_store(const fg_footprints *x, int part) {
  return x->part[part].store && part_at(x, x->part[part].memory, true) == &x->part[part];
}

static bool check_kernel(fg_block_sample_maker *k, int kernel) {
  fg_footprints *x = &k->s->parts[kernel];
  for (int i = 0; i < x->npart; i++)
    if (!check_bounds(k, kernel, &x->part[i])) return false;
  for (int i = 0; i < x->npart; i++)
    if (is_first_store(x, i) && !check_stores(k, kernel, x->part[i].memory)) return false;
  for (int i = 0; i < x->npart; i++)
    if (!x->part[i].store && !check_loads(k, kernel, &x->part[i])) return false;
  if (!check_apart(k, kernel)) return false;
  for (int i = 0; i < x->npart; i++)
    if (!x->part[i].store && is_shared(k, &x->part[i]))
      clear(&k->fresh[x->part[i].memory]), k->was_loaded[x->part[i].memory] = true;
  for (int i = 0; i < x->npart; i++) {
    int memory = x->part[i].memory;
    if (!is_first_store(x, i)) continue;
    join(&k->stored[memory], &k->now[memory]);
    join(&k->fresh[memory], &k->now[memory]);
    if (memory == fg_buffer_root(k->p, FG_BUFFER_OUT)) join(&k->written, &k->now[memory]);
  }
  return true;
}

/* Of a queue: what the tiles of one transform store where others load, its own tiles alone have loaded, so that only
 * tiles of one transform meet there. Whether those are in an order is seen in the transforms that are walked. */
static bool check_queue(fg_block_sample_maker *k, const fg_footprint *load, const fg_footprint *store) {
  int last = fg_queue_joined(&k->p->queue) - 1;
  const int64_t *tiles = k->p->queue.tiles;
  fg_bits *now = &k->now[load->memory], all_loads = fg_bits_create(k->cx->arena, now->count);
  for (int64_t b = 0; b < k->s->parts[0].number.blocks; b++) {
    int64_t base = fg_block_sample_base(k, 0, load, b);
    if (fg_block_sample_any(&all_loads, load, base))
      return fail(k, &k->s->races, 0, "two tiles load one element of", load->memory);
    fg_block_sample_put(&all_loads, load, base, true);
  }
  clear(now);
  for (int64_t t = 0; t * tiles[0] < k->s->parts[0].number.blocks; t++) {
    fg_block_sample_put_all(k, now, 0, load, t * tiles[0], tiles[0]);
    for (int64_t b = t * tiles[last]; b < (t + 1) * tiles[last]; b++)
      if (!all(now, store, fg_block_sample_base(k, last, store, b)))
        return fail(k, &k->s->races, last, "a tile stores what another transform's may load in", load->memory);
    for (int64_t b = t * tiles[0]; b < (t + 1) * tiles[0]; b++)
      fg_block_sample_put(now, load, fg_block_sample_base(k, 0, load, b), false);
  }
  return true;
}

static bool check_queues(fg_block_sample_maker *k) {
  int joined = fg_queue_joined(&k->p->queue);
  const fg_footprints *last = joined ? &k->s->parts[joined - 1] : NULL;
  for (int i = 0; last && i < last->npart; i++) {
    const fg_footprint *store = &last->part[i], *load = part_at(&k->s->parts[0], store->memory, false);
    if (store->store && load && !check_queue(k, load, store)) return false;
  }
  return true;
}

/* Elements of one side, from this axis on, behind what the indices of the outer ones make. */
static void mark(fg_block_sample_maker *k, bool output, int axis, int64_t first, fg_bits *to) {
  const fg_problem *q = &k->p->problem;
  const fg_tensor_form *form = &k->s->form;
  int64_t apart = output ? form->out_apart[axis] : form->in_apart[axis];
  int per = output ? k->outputs_per : k->inputs_per;
  bool batch = axis < q->batch_rank, last = axis == q->batch_rank + q->rank - 1;
  int64_t n = batch ? fg_num_value(q->batch[axis].n, k->params) : fg_problem_length(q, axis - q->batch_rank, output);
  for (int64_t i = 0; i < n; i++)
    if (last)
      fg_bits_put(to, (first + i * apart) * per, per, true);
    else
      mark(k, output, axis + 1, first + i * apart, to);
}

static void mark_callers(fg_block_sample_maker *k) {
  bool in_place = k->p->problem.in_place;
  if (in_place && k->gaps) mark(k, false, 0, 0, &k->stored[FG_BUFFER_IN]);
  if (in_place && !k->gaps) fg_bits_put(&k->stored[FG_BUFFER_IN], 0, k->size[FG_BUFFER_IN], true);
  if (!k->gaps) return;
  mark(k, true, 0, 0, &k->results);
  for (int64_t w = 0; w <= k->callers.count / 64; w++)
    k->callers.word[w] = k->results.word[w] | (in_place ? k->stored[FG_BUFFER_IN].word[w] : 0);
}

static bool stores_all(const fg_block_sample_maker *k) {
  int64_t results = fg_problem_batch_count(&k->p->problem, k->params) * fg_problem_elements(&k->p->problem, true);
  if (!k->gaps) return fg_bits_all(&k->written, 0, results * k->outputs_per);
  for (int64_t w = 0; w <= k->written.count / 64; w++)
    if (k->results.word[w] & ~k->written.word[w]) return false;
  return true;
}

bool fg_block_sample_addresses_hold(fg_block_sample_maker *k) {
  mark_callers(k);
  if (k->p->problem.in_place) join(&k->fresh[FG_BUFFER_IN], &k->stored[FG_BUFFER_IN]);
  for (int i = 0; i < k->p->nkernel; i++)
    if (!check_kernel(k, i)) return false;
  if (!check_queues(k)) return false;
  for (int b = 0; b < k->p->nbuffer; b++)
    if (k->now[b].count) clear(&k->now[b]);
  if (stores_all(k)) return true;
  snprintf(k->s->failure, sizeof k->s->failure, "not every output is stored");
  return false;
}
