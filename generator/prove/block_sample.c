/* Samples: which blocks of a large program have to be walked for its values. In: a program, values of its parameters.
 * Out: what is wrong with the addresses of any of its blocks; else blocks to walk, inputs that are not zero, outputs
 * that are to be compared.
 *
 * The idea: what all blocks load and store is known (footprints.c), so that bounds, races between blocks, loads of
 * what nobody stored and outputs that nobody stores are found for all of them, with a bit for each element. Values
 * are walked where they are neither zero nor of no use: inputs are zero but for some indices of some axes, outputs are
 * looked at where some blocks of the kernels that store them last do; going forward it is seen which blocks load
 * anything but zeros, going backward which are wanted. A program is linear: a block that loads zeros stores zeros. A
 * block that is left out stores nothing that those walked load, or zeros.
 *
 * What is not walked differs from what is in the bases of its addresses, which are sums of digits, and in the elements
 * of tables, so that each number on the way from an input to an output has an exponent that is a polynomial of low
 * degree in the digits: samples have each digit at 0, 1, its last and drawn values, all together. */
#include "generator/prove/block_sample.h"
#include "generator/problem/shape.h"
#include "generator/reference/checksum.h"
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 12, INDICES = 12, CUT_INDICES = 16, LONGEST = 1 << 16 /* axis that is transformed in one */ };
#define MOST (INT64_C(1) << 28) /* elements of an array, of which each has its bits */

typedef struct maker {
  fg_context *cx;
  fg_block_sample *s;
  const fg_program *p;
  const int64_t *params;
  uint64_t random;
  int64_t size[FG_MAX_BUFFERS]; /* of arrays that blocks share, at their roots; else 0 */
  fg_bits stored[FG_MAX_BUFFERS], now[FG_MAX_BUFFERS], carries[FG_MAX_BUFFERS];
  fg_bits *full; /* by kernel: blocks that load anything but zeros */
} maker;

/* ---- what programs ------------------------------------------------------------------------ */

static bool is_dense(const fg_problem *q, const int64_t *params, bool output) {
  int64_t apart = 1;
  for (int i = q->batch_rank + q->rank - 1; i >= 0; i--) {
    const fg_dim *d = fg_problem_axis(q, i);
    bool batch = i < q->batch_rank;
    int64_t n = batch ? fg_num_value(d->n, params) : fg_problem_length(q, i - q->batch_rank, output);
    if (n > 1 && fg_num_value(output ? d->os : d->is, params) != apart) return false;
    apart *= n;
  }
  return true;
}

static bool is_problem(const fg_problem *q, const int64_t *params) {
  int64_t count = fg_problem_batch_count(q, params), points = fg_problem_points(q);
  bool kind = q->kind == FG_C2C || (q->kind == FG_R2C && !q->in_place);
  return kind && fg_sums_possible(q) && !q->split_in && !q->split_out && count >= 1 && count * points <= MOST &&
         is_dense(q, params, false) && is_dense(q, params, true);
}

/* One array is seen as elements of one kind alone; real inputs as complex ones, too, two by two. */
static bool are_arrays(maker *k) {
  const fg_program *p = k->p;
  const fg_problem *q = &p->problem;
  int64_t count = fg_problem_batch_count(q, k->params);
  for (int b = 0; b < p->nbuffer; b++) {
    int root = fg_buffer_root(p, b);
    const fg_buffer *x = &p->buffer[b];
    fg_space space = p->buffer[root].space;
    if (fg_program_is_constant(p, b) || space == FG_SPACE_LOCAL) continue;
    fg_elem elem = root == FG_BUFFER_IN && fg_problem_is_real(q, false) ? FG_ELEM_REAL : FG_ELEM_COMPLEX;
    bool pairs = root == FG_BUFFER_IN && b != root && x->elem == FG_ELEM_COMPLEX;
    if ((x->elem != elem && !pairs) || x->layout != FG_LAYOUT_INTERLEAVED || x->permuted || x->spread > 1) return false;
    k->size[root] = root == FG_BUFFER_IN    ? count * fg_problem_elements(q, false)
                    : root == FG_BUFFER_OUT ? count * fg_problem_elements(q, true)
                                            : p->buffer[root].size;
    if (k->size[root] > 2 * MOST) return false;
  }
  return true;
}

static bool is_given(const maker *k, int memory) { return memory == FG_BUFFER_IN && !k->p->problem.in_place; }

static bool are_same(const fg_footprint *a, const fg_footprint *b) {
  return a->memory == b->memory && a->nspan == b->nspan && !memcmp(a->coef, b->coef, sizeof a->coef) &&
         !memcmp(a->span, b->span, sizeof *a->span * (size_t)a->nspan);
}

/* Whether a kernel's blocks load just what they store there. */
static bool is_exchange(const fg_footprints *x, const fg_footprint *store) {
  for (int i = 0; i < x->npart; i++)
    if (!x->part[i].store && !x->part[i].table && are_same(&x->part[i], store)) return true;
  return false;
}

static bool touches(const fg_footprints *x, int memory, bool store) {
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
  return !touches(first, memory, true) && !part_at(second, memory, false);
}

/* What is in an order among blocks of one launch is in none here; and what one kernel stores it stores once. */
static bool are_kernels(const maker *k) {
  const fg_program *p = k->p;
  for (int i = 0; i < p->nkernel; i++) {
    const fg_footprints *x = &k->s->parts[i];
    bool stores[FG_MAX_BUFFERS] = {false};
    for (int j = 0; j < x->npart; j++) {
      const fg_footprint *y = &x->part[j];
      if (!y->store) continue;
      if (stores[y->memory]) return false;
      stores[y->memory] = true;
      bool meets = p->queue.ring && i < 2 && touches(&k->s->parts[1 - i], y->memory, false);
      if (meets && !is_passed_on(&k->s->parts[0], &k->s->parts[1], y->memory)) return false;
    }
  }
  return true;
}

/* ---- all blocks' addresses ------------------------------------------------------------------ */

static bool fail(const maker *k, int *count, int kernel, const char *what, int memory) {
  ++*count;
  snprintf(k->s->failure, sizeof k->s->failure, "kernel %.24s: %s %s", k->p->kernel[kernel]->name, what,
           k->p->buffer[memory].name);
  return false;
}

static int64_t base_of(const maker *k, int kernel, const fg_footprint *x, int64_t block) {
  return fg_footprints_base(k->p, kernel, &k->s->parts[kernel], x, block, k->params);
}

static bool check_bounds(const maker *k, int kernel, const fg_footprint *x) {
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

static void put(fg_bits *b, const fg_footprint *x, int64_t base, bool value) {
  for (int64_t i = 0; i < x->nspan; i++) fg_bits_put(b, base + x->span[i].first, x->span[i].count, value);
}

static bool any(const fg_bits *b, const fg_footprint *x, int64_t base) {
  for (int64_t i = 0; i < x->nspan; i++)
    if (fg_bits_any(b, base + x->span[i].first, x->span[i].count)) return true;
  return false;
}

static bool all(const fg_bits *b, const fg_footprint *x, int64_t base) {
  for (int64_t i = 0; i < x->nspan; i++)
    if (!fg_bits_all(b, base + x->span[i].first, x->span[i].count)) return false;
  return true;
}

static bool check_stores(maker *k, int kernel, const fg_footprint *x) {
  fg_bits *now = &k->now[x->memory];
  memset(now->word, 0, sizeof *now->word * (size_t)(now->count / 64 + 1));
  for (int64_t b = 0; b < k->s->parts[kernel].blocks; b++) {
    int64_t base = base_of(k, kernel, x, b);
    if (any(now, x, base)) return fail(k, &k->s->races, kernel, "two blocks store to one element of", x->memory);
    put(now, x, base, true);
  }
  return true;
}

/* What other blocks of the launch store: its own stores are set aside. */
static bool meets_others(maker *k, int kernel, const fg_footprint *load, const fg_footprint *store, int64_t block) {
  fg_bits *now = &k->now[load->memory];
  int64_t own = base_of(k, kernel, store, block);
  put(now, store, own, false);
  bool meets = any(now, load, base_of(k, kernel, load, block));
  put(now, store, own, true);
  return meets;
}

static bool check_loads(maker *k, int kernel, const fg_footprint *x) {
  const fg_footprints *parts = &k->s->parts[kernel];
  const fg_footprint *store = NULL;
  if (x->table || is_given(k, x->memory)) return true;
  for (int i = 0; i < parts->npart; i++)
    if (parts->part[i].store && parts->part[i].memory == x->memory) store = &parts->part[i];
  if (store && are_same(store, x)) store = NULL;
  for (int64_t b = 0; b < parts->blocks; b++) {
    if (!all(&k->stored[x->memory], x, base_of(k, kernel, x, b)))
      return fail(k, &k->s->uninitialised, kernel, "some block loads what was never stored in", x->memory);
    if (store && meets_others(k, kernel, x, store, b))
      return fail(k, &k->s->races, kernel, "a block loads what another one stores in", x->memory);
  }
  return true;
}

static bool check_kernel(maker *k, int kernel) {
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

static void put_all(const maker *k, fg_bits *b, int kernel, const fg_footprint *x, int64_t first, int64_t count) {
  for (int64_t t = first; t < first + count; t++) put(b, x, base_of(k, kernel, x, t), true);
}

/* Of a queue: what the tiles of one transform store where others load, its own tiles alone have loaded, so that only
 * tiles of one transform meet there. Whether those are in an order is seen in the transforms that are walked. */
static bool check_queue(maker *k, const fg_footprint *load, const fg_footprint *store) {
  const int64_t *tiles = k->p->queue.tiles;
  fg_bits *now = &k->now[load->memory], all_loads = fg_bits_create(k->cx->arena, now->count);
  for (int64_t b = 0; b < k->s->parts[0].blocks; b++) {
    int64_t base = base_of(k, 0, load, b);
    if (any(&all_loads, load, base)) return fail(k, &k->s->races, 0, "two tiles load one element of", load->memory);
    put(&all_loads, load, base, true);
  }
  memset(now->word, 0, sizeof *now->word * (size_t)(now->count / 64 + 1));
  for (int64_t t = 0; t * tiles[0] < k->s->parts[0].blocks; t++) {
    put_all(k, now, 0, load, t * tiles[0], tiles[0]);
    for (int64_t b = t * tiles[1]; b < (t + 1) * tiles[1]; b++)
      if (!all(now, store, base_of(k, 1, store, b)))
        return fail(k, &k->s->races, 1, "a tile stores what another transform's may load in", load->memory);
    for (int64_t b = t * tiles[0]; b < (t + 1) * tiles[0]; b++) put(now, load, base_of(k, 0, load, b), false);
  }
  return true;
}

static bool check_queues(maker *k) {
  const fg_footprints *second = &k->s->parts[1];
  for (int i = 0; k->p->queue.ring && i < second->npart; i++) {
    const fg_footprint *store = &second->part[i], *load = part_at(&k->s->parts[0], store->memory, false);
    if (store->store && load && !check_queue(k, load, store)) return false;
  }
  return true;
}

/* False: something is wrong, and the sample says what. */
static bool check_addresses(maker *k) {
  int out = k->p->problem.in_place ? FG_BUFFER_IN : FG_BUFFER_OUT;
  if (k->p->problem.in_place) fg_bits_put(&k->stored[FG_BUFFER_IN], 0, k->size[FG_BUFFER_IN], true);
  for (int i = 0; i < k->p->nkernel; i++)
    if (!check_kernel(k, i)) return false;
  if (!check_queues(k)) return false;
  if (fg_bits_all(&k->stored[out], 0, k->size[out])) return true;
  snprintf(k->s->failure, sizeof k->s->failure, "not every output is stored");
  return false;
}

/* ---- inputs that are not zero ------------------------------------------------------------------ */

static void choose(maker *k, int axis, int most) {
  fg_tensor_form *form = &k->s->form;
  int64_t n = form->length[axis];
  if (n <= most) return;
  int64_t usual[] = {0, 1, n / 2, n - 1};
  for (int i = 0; i < most;) {
    int64_t x = i < 4 ? usual[i] : (int64_t)fg_random_below((uint64_t)n, &k->random);
    bool fresh = true;
    for (int j = 0; j < i; j++) fresh &= form->index[axis][j] != x;
    if (fresh) form->index[axis][i++] = x;
  }
  form->few[axis] = most;
}

/* Different indices of an axis of `length`, each `apart` elements long, among what block 0 loads. */
static int64_t indices_of(maker *k, const fg_footprint *x, int64_t base, int64_t apart, int64_t length) {
  fg_bits met = fg_bits_create(k->cx->arena, length);
  int64_t count = 0;
  for (int64_t i = 0; i < x->nspan; i++)
    for (int64_t e = 0; e < x->span[i].count; e++) {
      int64_t index = (base + x->span[i].first + e) / apart % length;
      count += !fg_bits_get(&met, index);
      fg_bits_put(&met, index, 1, true);
    }
  return count;
}

static int64_t elements_of(const fg_footprint *x) {
  int64_t count = 0;
  for (int64_t i = 0; i < x->nspan; i++) count += x->span[i].count;
  return count;
}

/* One dimension of which each block has all elements of some classes modulo `split`. */
static bool cut(maker *k, const fg_footprint *x, int64_t base) {
  fg_tensor_form *form = &k->s->form;
  int axis = form->batch_axes;
  int64_t n = form->length[axis], elements = elements_of(x);
  for (int64_t split = 2; split < n / 2; split++) {
    if (n % split || elements % (n / split) || elements / (n / split) >= split) continue;
    if (indices_of(k, x, base, 1, split) != elements / (n / split)) continue;
    form->axes++;
    form->split = split;
    form->length[axis] = n / split;
    form->length[axis + 1] = split;
    choose(k, axis + 1, CUT_INDICES);
    return form->few[axis + 1] > 0;
  }
  return false;
}

/* Axes along which blocks of the first kernel do not have all of the input. */
static bool choose_inputs(maker *k) {
  const fg_problem *q = &k->p->problem;
  fg_tensor_form *form = &k->s->form;
  const fg_footprint *x = NULL;
  int64_t apart = 1, base = 0;
  bool some = false;
  for (int i = 0; i < k->p->nkernel && !x; i++)
    for (int j = 0; j < k->s->parts[i].npart && !x; j++) {
      const fg_footprint *y = &k->s->parts[i].part[j];
      if (!y->store && !y->table && y->memory == FG_BUFFER_IN) x = y, base = base_of(k, i, y, 0);
    }
  if (!x) return false;
  form->batch_axes = q->batch_rank;
  form->axes = q->batch_rank + q->rank;
  for (int i = form->axes - 1; i >= 0; i--) {
    bool batch = i < q->batch_rank;
    form->length[i] = batch ? fg_num_value(q->batch[i].n, k->params) : fg_problem_length(q, i - q->batch_rank, false);
    form->results[i] = batch ? form->length[i] : fg_problem_length(q, i - q->batch_rank, true);
    bool is_part = batch || (q->rank > 1 && indices_of(k, x, base, apart, form->length[i]) < form->length[i]);
    if (is_part) choose(k, i, INDICES);
    if (!batch && q->rank > 1 && form->length[i] > LONGEST) return false;
    some |= !batch && form->few[i] > 0;
    apart *= form->length[i];
  }
  return q->rank == 1 ? cut(k, x, base) : some;
}

/* From this axis on, behind the indices of the outer ones. */
static void mark_inputs(maker *k, int axis, int64_t first) {
  fg_tensor_form *form = &k->s->form;
  if (axis == form->axes) {
    fg_bits_put(&k->carries[FG_BUFFER_IN], first, 1, true);
    k->s->inputs++;
    return;
  }
  int64_t count = form->few[axis] ? form->few[axis] : form->length[axis];
  for (int64_t i = 0; i < count; i++)
    mark_inputs(k, axis + 1, first * form->length[axis] + (form->few[axis] ? form->index[axis][i] : i));
}

/* ---- forward -------------------------------------------------------------------------------- */

static bool is_queued(const maker *k, int kernel) { return k->p->queue.ring && kernel < 2; }

static bool loads_any(const maker *k, int kernel, int64_t block) {
  const fg_footprints *x = &k->s->parts[kernel];
  for (int i = 0; i < x->npart; i++)
    if (!x->part[i].store && !x->part[i].table &&
        any(&k->carries[x->part[i].memory], &x->part[i], base_of(k, kernel, &x->part[i], block)))
      return true;
  return false;
}

/* All tiles of a queue's transform have to do with each other. */
static void spread(const maker *k, int from, const fg_bits *of, int to, fg_bits *out) {
  int64_t tiles = k->p->queue.tiles[from], others = k->p->queue.tiles[to];
  for (int64_t t = 0; t < of->count / tiles; t++)
    if (fg_bits_any(of, t * tiles, tiles)) fg_bits_put(out, t * others, others, true);
}

static void go_forward(maker *k) {
  for (int i = 0; i < k->p->nkernel; i++) {
    const fg_footprints *x = &k->s->parts[i];
    for (int64_t b = 0; b < x->blocks; b++)
      if (loads_any(k, i, b)) fg_bits_put(&k->full[i], b, 1, true);
    if (is_queued(k, i)) spread(k, 0, &k->full[0], i, &k->full[i]);
    for (int64_t b = 0; b < x->blocks; b++)
      for (int j = 0; j < x->npart; j++)
        if (x->part[j].store)
          put(&k->carries[x->part[j].memory], &x->part[j], base_of(k, i, &x->part[j], b), fg_bits_get(&k->full[i], b));
  }
}

/* ---- backward -------------------------------------------------------------------------------- */

/* The first, the second and the last one; others have digits at their ends and between. */
static int64_t drawn_block(maker *k, const fg_footprints *x, int number) {
  int64_t block = number;
  if (number < 2 || number >= x->blocks) return number < 2 ? number : 0;
  if (number == 2) return x->blocks - 1;
  block = 0;
  for (int i = 0; i < x->ndigit; i++) {
    int64_t n = x->extent[i], usual[] = {0, 1 % n, n - 1};
    uint64_t which = fg_random_below(8, &k->random);
    block += x->div[i] * (which < 3 ? usual[which] : (int64_t)fg_random_below((uint64_t)n, &k->random));
  }
  return block % x->blocks;
}

static void want(fg_bits *wanted, const fg_bits *later, const fg_footprint *x, int64_t base) {
  for (int64_t i = 0; i < x->nspan; i++)
    for (int64_t e = base + x->span[i].first; e < base + x->span[i].first + x->span[i].count; e++)
      if (!fg_bits_get(later, e)) fg_bits_put(wanted, e, 1, true);
}

/* Of each kernel that stores some outputs last, those of some blocks. */
static void choose_outputs(maker *k) {
  int out = k->p->problem.in_place ? FG_BUFFER_IN : FG_BUFFER_OUT;
  fg_bits *later = &k->now[out];
  memset(later->word, 0, sizeof *later->word * (size_t)(later->count / 64 + 1));
  for (int i = k->p->nkernel - 1; i >= 0; i--) {
    const fg_footprints *x = &k->s->parts[i];
    for (int j = 0; j < x->npart; j++) {
      const fg_footprint *y = &x->part[j];
      if (!y->store || y->memory != out) continue;
      for (int n = 0; n < BLOCKS && n < x->blocks; n++)
        want(&k->s->wanted, later, y, base_of(k, i, y, drawn_block(k, x, n)));
      for (int64_t b = 0; b < x->blocks; b++) put(later, y, base_of(k, i, y, b), true);
    }
  }
  for (int64_t e = 0; e < k->s->wanted.count; e++) k->s->outputs += fg_bits_get(&k->s->wanted, e);
}

/* Whether it stores what is wanted, which then is what it loads. */
static void go_back(maker *k, int kernel, int64_t block, fg_bits *wanted) {
  const fg_footprints *x = &k->s->parts[kernel];
  bool is_wanted = fg_bits_get(&k->s->kept[kernel], block);
  for (int i = 0; i < x->npart && !is_wanted; i++)
    is_wanted =
        x->part[i].store && any(&wanted[x->part[i].memory], &x->part[i], base_of(k, kernel, &x->part[i], block));
  if (!is_wanted) return;
  fg_bits_put(&k->s->kept[kernel], block, 1, true);
  for (int store = 1; store >= 0; store--)
    for (int i = 0; i < x->npart; i++) {
      const fg_footprint *y = &x->part[i];
      if (y->table || y->store != store || is_given(k, y->memory)) continue;
      put(&wanted[y->memory], y, base_of(k, kernel, y, block), !store);
    }
}

/* Where tiles of a queue change places in its ring, those of so many transforms meet: the first rounds are walked
 * whole, of zeros, too. */
static void keep_rounds(maker *k) {
  const fg_queue *q = &k->p->queue;
  for (int i = 0; q->swap && i < 2; i++) {
    int64_t count = (2 * q->ring + 2) * q->tiles[i], blocks = k->s->parts[i].blocks;
    if (count > blocks) count = blocks;
    fg_bits_put(&k->s->kept[i], 0, count, true);
    k->s->dense += count * k->s->parts[i].addresses;
  }
}

static void keep(maker *k) {
  int out = k->p->problem.in_place ? FG_BUFFER_IN : FG_BUFFER_OUT;
  fg_bits *wanted = k->carries; /* of no more use */
  for (int m = 0; m < k->p->nbuffer; m++)
    if (k->size[m]) memset(wanted[m].word, 0, sizeof *wanted[m].word * (size_t)(wanted[m].count / 64 + 1));
  memcpy(wanted[out].word, k->s->wanted.word, sizeof *wanted[out].word * (size_t)(wanted[out].count / 64 + 1));
  for (int i = k->p->nkernel - 1; i >= 0; i--) {
    if (is_queued(k, i) && i == 0) spread(k, 1, &k->s->kept[1], 0, &k->s->kept[0]);
    for (int64_t b = 0; b < k->s->parts[i].blocks; b++) go_back(k, i, b, wanted);
  }
  for (int i = 0; i < k->p->nkernel; i++)
    for (int64_t w = 0; w <= k->full[i].count / 64; w++) k->s->kept[i].word[w] &= k->full[i].word[w];
  keep_rounds(k);
}

/* ---- the whole --------------------------------------------------------------------------------- */

/* False: walking all of it takes not much more. */
static bool count_kept(maker *k) {
  fg_block_sample *s = k->s;
  int64_t all = 0;
  for (int i = 0; i < k->p->nkernel; i++) {
    int64_t kept = 0;
    for (int64_t b = 0; b < s->parts[i].blocks; b++) kept += fg_bits_get(&s->kept[i], b);
    s->blocks += s->parts[i].blocks;
    s->walked += kept;
    s->addresses += kept * s->parts[i].addresses;
    all += s->parts[i].blocks * s->parts[i].addresses;
  }
  return s->addresses > 0 && s->addresses < all / 2;
}

static void create_bits(maker *k) {
  fg_arena *a = k->cx->arena;
  int out = k->p->problem.in_place ? FG_BUFFER_IN : FG_BUFFER_OUT;
  for (int b = 0; b < k->p->nbuffer; b++) {
    if (!k->size[b]) continue;
    k->carries[b] = fg_bits_create(a, k->size[b]);
    if (is_given(k, b)) continue;
    k->stored[b] = fg_bits_create(a, k->size[b]);
    k->now[b] = fg_bits_create(a, k->size[b]);
  }
  k->s->wanted = fg_bits_create(a, k->size[out]);
  k->full = fg_arena_new(a, fg_bits, k->p->nkernel);
  k->s->kept = fg_arena_new(a, fg_bits, k->p->nkernel);
  for (int i = 0; i < k->p->nkernel; i++) {
    k->full[i] = fg_bits_create(a, k->s->parts[i].blocks);
    k->s->kept[i] = fg_bits_create(a, k->s->parts[i].blocks);
  }
}

fg_block_sample *fg_block_sample_create(fg_context *cx, const fg_program *p, const int64_t *params, uint64_t seed) {
  if (!is_problem(&p->problem, params)) return NULL;
  maker *k = fg_arena_new(cx->arena, maker, 1);
  *k = (maker){.cx = cx, .p = p, .params = params, .random = seed ^ 0x73616d706c65};
  k->s = fg_arena_new(cx->arena, fg_block_sample, 1);
  *k->s = (fg_block_sample){.p = p, .params = params};
  if (!are_arrays(k)) return NULL;
  k->s->parts = fg_footprints_create(cx, p, params);
  if (!k->s->parts || !are_kernels(k)) return NULL;
  create_bits(k);
  if (!check_addresses(k)) return k->s;
  if (!choose_inputs(k)) return NULL;
  mark_inputs(k, 0, 0);
  go_forward(k);
  choose_outputs(k);
  keep(k);
  return count_kept(k) ? k->s : NULL;
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

static void forget(const fg_ram *memory, int64_t first, int64_t count) {
  for (int64_t place = 2 * first; place < 2 * (first + count); place++) {
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
    if (touches(&s->parts[i], memory, true)) return true;
  return memory == FG_BUFFER_IN;
}

void fg_block_sample_forget(fg_vm *m, int kernel) {
  const fg_block_sample *s = m->sample;
  const fg_footprints *x = &s->parts[kernel];
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    if (!y->store || is_exchange(x, y) || !is_filled(s, kernel, y->memory)) continue;
    for (int64_t b = 0; b < x->blocks; b++) {
      int64_t base = fg_footprints_base(s->p, kernel, x, y, b, s->params);
      if (y->memory == FG_BUFFER_IN) put(m->replaced, y, base, true);
      for (int64_t j = 0; j < y->nspan && !fg_bits_get(&s->kept[kernel], b); j++)
        forget(&m->memory[y->memory], base + y->span[j].first, y->span[j].count);
    }
  }
}

static fg_gf value_at(const fg_ram *memory, int prime, int64_t place) {
  const fg_page *page = memory->page[place / FG_PAGE];
  return page && page->flag[place % FG_PAGE] & FG_CELL_KNOWN ? page->value[prime][place % FG_PAGE] : 0;
}

void fg_block_sample_compare(fg_vm *m) {
  const fg_bits *wanted = &m->sample->wanted;
  const fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_OUT]];
  for (int64_t e = 0; e < wanted->count; e++) {
    if (!wanted->word[e / 64]) e += 63 - e % 64;
    if (!fg_bits_get(wanted, e)) continue;
    for (int p = 0; p < m->primes; p++) {
      fg_gfc right = fg_tensor_result(m->tensor[p], e);
      if (value_at(memory, p, 2 * e) == right.re && value_at(memory, p, 2 * e + 1) == right.im) continue;
      int64_t n = fg_problem_elements(&m->p->problem, true);
      fg_prove_fail(m, "output %lld of transform %lld is not that of the DFT", (long long)(e % n), (long long)(e / n));
      return;
    }
  }
}
