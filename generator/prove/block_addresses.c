/* What all blocks of a program load and store. In: footprints of block 0, and the digits that shift them. Out: the
 * first thing that is wrong: bounds, races between blocks, loads of what nobody stored, outputs that nobody stores.
 *
 * The idea: a bit for each element, and all blocks' spans put into it one after the other. */
#include "generator/problem/shape.h"
#include "generator/prove/block_sample_parts.h"
#include <stdio.h>
#include <string.h>

bool fg_block_is_given(const fg_block_maker *k, int memory) {
  return memory == FG_BUFFER_IN && !k->p->problem.in_place;
}

static bool are_same(const fg_footprint *a, const fg_footprint *b) {
  return a->memory == b->memory && a->nspan == b->nspan && !memcmp(a->coef, b->coef, sizeof a->coef) &&
         !memcmp(a->span, b->span, sizeof *a->span * (size_t)a->nspan);
}

bool fg_block_is_exchange(const fg_footprints *x, const fg_footprint *store) {
  for (int i = 0; i < x->npart; i++)
    if (!x->part[i].store && !x->part[i].table && are_same(&x->part[i], store)) return true;
  return false;
}

bool fg_block_touches(const fg_footprints *x, int memory, bool store) {
  for (int i = 0; i < x->npart; i++)
    if (x->part[i].memory == memory && !x->part[i].table && (x->part[i].store || !store)) return true;
  return false;
}

static const fg_footprint *part_at(const fg_footprints *x, int memory, bool store) {
  for (int i = 0; i < x->npart; i++)
    if (x->part[i].memory == memory && !x->part[i].table && x->part[i].store == store) return &x->part[i];
  return NULL;
}

/* Two kernels of a queue may meet in memory that the first one loads from and the second one stores to: check_queue. */
static bool is_passed_on(const fg_footprints *first, const fg_footprints *second, int memory) {
  return !fg_block_touches(first, memory, true) && !part_at(second, memory, false);
}

/* What is in an order among blocks of one launch is in none here; and what one kernel stores it stores once. */
bool fg_block_kernels_fit(const fg_block_maker *k) {
  const fg_program *p = k->p;
  for (int i = 0; i < p->nkernel; i++) {
    const fg_footprints *x = &k->s->parts[i];
    bool stores[FG_MAX_BUFFERS] = {false};
    for (int j = 0; j < x->npart; j++) {
      const fg_footprint *y = &x->part[j];
      if (!y->store) continue;
      if (stores[y->memory]) return false;
      stores[y->memory] = true;
      bool meets = p->queue.ring && i < 2 && fg_block_touches(&k->s->parts[1 - i], y->memory, false);
      if (meets && !is_passed_on(&k->s->parts[0], &k->s->parts[1], y->memory)) return false;
    }
  }
  return true;
}

/* ---- all blocks' addresses ------------------------------------------------------------------ */

static bool fail(const fg_block_maker *k, int *count, int kernel, const char *what, int memory) {
  ++*count;
  snprintf(k->s->failure, sizeof k->s->failure, "kernel %.24s: %s %s", k->p->kernel[kernel]->name, what,
           k->p->buffer[memory].name);
  return false;
}

int64_t fg_block_base(const fg_block_maker *k, int kernel, const fg_footprint *x, int64_t block) {
  return fg_footprints_base(k->p, kernel, &k->s->parts[kernel], x, block, k->params);
}

static bool check_bounds(const fg_block_maker *k, int kernel, const fg_footprint *x) {
  const fg_footprints *all = &k->s->parts[kernel];
  int64_t low = x->low, high = x->high, end = x->table ? k->p->buffer[x->memory].size : k->size[x->memory];
  for (int i = 0; i < all->ndigit; i++) {
    const fg_digit *d = &k->p->kernel[kernel]->digit[all->digit[i]];
    int64_t a = x->coef[i] * fg_digit_value(d, 0, k->params);
    int64_t b = x->coef[i] * fg_digit_value(d, all->extent[i] - 1, k->params);
    low += a < b ? a : b;
    high += a < b ? b : a;
  }
  if (low >= 0 && high < end) return true;
  return fail(k, &k->s->out_of_bounds, kernel,
              x->store ? "some block stores to what is no element of" : "some block loads what is no element of",
              x->memory);
}

void fg_block_put(fg_bits *b, const fg_footprint *x, int64_t base, bool value) {
  for (int64_t i = 0; i < x->nspan; i++) fg_bits_put(b, base + x->span[i].first, x->span[i].count, value);
}

bool fg_block_any(const fg_bits *b, const fg_footprint *x, int64_t base) {
  for (int64_t i = 0; i < x->nspan; i++)
    if (fg_bits_any(b, base + x->span[i].first, x->span[i].count)) return true;
  return false;
}

static bool all(const fg_bits *b, const fg_footprint *x, int64_t base) {
  for (int64_t i = 0; i < x->nspan; i++)
    if (!fg_bits_all(b, base + x->span[i].first, x->span[i].count)) return false;
  return true;
}

static bool may_store(const fg_block_maker *k, const fg_footprint *x, int64_t base) {
  return !k->gaps || x->memory != fg_buffer_root(k->p, FG_BUFFER_OUT) || all(&k->callers, x, base);
}

static bool check_stores(fg_block_maker *k, int kernel, const fg_footprint *x) {
  if (fg_block_is_given(k, x->memory)) return fail(k, &k->s->races, kernel, "some block stores to", x->memory);
  fg_bits *now = &k->now[x->memory];
  memset(now->word, 0, sizeof *now->word * (size_t)(now->count / 64 + 1));
  for (int64_t b = 0; b < k->s->parts[kernel].blocks; b++) {
    int64_t base = fg_block_base(k, kernel, x, b);
    if (fg_block_any(now, x, base))
      return fail(k, &k->s->races, kernel, "two blocks store to one element of", x->memory);
    if (!may_store(k, x, base))
      return fail(k, &k->s->out_of_bounds, kernel, "some block stores between elements of", x->memory);
    fg_block_put(now, x, base, true);
  }
  return true;
}

/* What other blocks of the launch store: its own stores are set aside. */
static bool meets_others(fg_block_maker *k, int kernel, const fg_footprint *load, const fg_footprint *store,
                         int64_t block) {
  fg_bits *now = &k->now[load->memory];
  int64_t own = fg_block_base(k, kernel, store, block);
  fg_block_put(now, store, own, false);
  bool meets = fg_block_any(now, load, fg_block_base(k, kernel, load, block));
  fg_block_put(now, store, own, true);
  return meets;
}

static bool check_loads(fg_block_maker *k, int kernel, const fg_footprint *x) {
  const fg_footprints *parts = &k->s->parts[kernel];
  const fg_footprint *store = NULL;
  if (x->table || fg_block_is_given(k, x->memory)) return true;
  for (int i = 0; i < parts->npart; i++)
    if (parts->part[i].store && parts->part[i].memory == x->memory) store = &parts->part[i];
  if (store && are_same(store, x)) store = NULL;
  for (int64_t b = 0; b < parts->blocks; b++) {
    if (!all(&k->stored[x->memory], x, fg_block_base(k, kernel, x, b)))
      return fail(k, &k->s->uninitialised, kernel, "some block loads what was never stored in", x->memory);
    if (store && meets_others(k, kernel, x, store, b))
      return fail(k, &k->s->races, kernel, "a block loads what another one stores in", x->memory);
  }
  return true;
}

static bool check_kernel(fg_block_maker *k, int kernel) {
  fg_footprints *x = &k->s->parts[kernel];
  for (int i = 0; i < x->npart; i++)
    if (!check_bounds(k, kernel, &x->part[i])) return false;
  for (int i = 0; i < x->npart; i++)
    if (x->part[i].store && !check_stores(k, kernel, &x->part[i])) return false;
  for (int i = 0; i < x->npart; i++)
    if (!x->part[i].store && !check_loads(k, kernel, &x->part[i])) return false;
  for (int i = 0; i < x->npart; i++) {
    fg_bits *stored = &k->stored[x->part[i].memory], *now = &k->now[x->part[i].memory];
    for (int64_t w = 0; x->part[i].store && w <= stored->count / 64; w++) stored->word[w] |= now->word[w];
  }
  return true;
}

static void put_all(const fg_block_maker *k, fg_bits *b, int kernel, const fg_footprint *x, int64_t first,
                    int64_t count) {
  for (int64_t t = first; t < first + count; t++) fg_block_put(b, x, fg_block_base(k, kernel, x, t), true);
}

/* Of a queue: what the tiles of one transform store where others load, its own tiles alone have loaded, so that only
 * tiles of one transform meet there. Whether those are in an order is seen in the transforms that are walked. */
static bool check_queue(fg_block_maker *k, const fg_footprint *load, const fg_footprint *store) {
  const int64_t *tiles = k->p->queue.tiles;
  fg_bits *now = &k->now[load->memory], all_loads = fg_bits_create(k->cx->arena, now->count);
  for (int64_t b = 0; b < k->s->parts[0].blocks; b++) {
    int64_t base = fg_block_base(k, 0, load, b);
    if (fg_block_any(&all_loads, load, base))
      return fail(k, &k->s->races, 0, "two tiles load one element of", load->memory);
    fg_block_put(&all_loads, load, base, true);
  }
  memset(now->word, 0, sizeof *now->word * (size_t)(now->count / 64 + 1));
  for (int64_t t = 0; t * tiles[0] < k->s->parts[0].blocks; t++) {
    put_all(k, now, 0, load, t * tiles[0], tiles[0]);
    for (int64_t b = t * tiles[1]; b < (t + 1) * tiles[1]; b++)
      if (!all(now, store, fg_block_base(k, 1, store, b)))
        return fail(k, &k->s->races, 1, "a tile stores what another transform's may load in", load->memory);
    for (int64_t b = t * tiles[0]; b < (t + 1) * tiles[0]; b++)
      fg_block_put(now, load, fg_block_base(k, 0, load, b), false);
  }
  return true;
}

static bool check_queues(fg_block_maker *k) {
  const fg_footprints *second = &k->s->parts[1];
  for (int i = 0; k->p->queue.ring && i < second->npart; i++) {
    const fg_footprint *store = &second->part[i], *load = part_at(&k->s->parts[0], store->memory, false);
    if (store->store && load && !check_queue(k, load, store)) return false;
  }
  return true;
}

/* Elements of one side, from this axis on, behind what the indices of the outer ones make. */
static void mark(fg_block_maker *k, bool output, int axis, int64_t first, fg_bits *to) {
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

static void mark_callers(fg_block_maker *k) {
  bool in_place = k->p->problem.in_place;
  if (in_place && k->gaps) mark(k, false, 0, 0, &k->stored[FG_BUFFER_IN]);
  if (in_place && !k->gaps) fg_bits_put(&k->stored[FG_BUFFER_IN], 0, k->size[FG_BUFFER_IN], true);
  if (!k->gaps) return;
  mark(k, true, 0, 0, &k->results);
  for (int64_t w = 0; w <= k->callers.count / 64; w++)
    k->callers.word[w] = k->results.word[w] | (in_place ? k->stored[FG_BUFFER_IN].word[w] : 0);
}

static bool stores_all(const fg_block_maker *k) {
  const fg_bits *stored = &k->stored[fg_buffer_root(k->p, FG_BUFFER_OUT)];
  if (!k->gaps) return fg_bits_all(stored, 0, stored->count);
  for (int64_t w = 0; w <= stored->count / 64; w++)
    if (k->results.word[w] & ~stored->word[w]) return false;
  return true;
}

bool fg_block_addresses_hold(fg_block_maker *k) {
  mark_callers(k);
  for (int i = 0; i < k->p->nkernel; i++)
    if (!check_kernel(k, i)) return false;
  if (!check_queues(k)) return false;
  if (stores_all(k)) return true;
  snprintf(k->s->failure, sizeof k->s->failure, "not every output is stored");
  return false;
}
