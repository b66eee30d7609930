/* One run of a program on the proof's virtual machine.
 *
 * In: a machine with fields, parameters and memory. Out: the memory after the run, counts, and the first failure.
 * The idea: walk.c enumerates the addresses in order; here loads read cells, codelets run, stores write cells, and
 * every access is checked against bounds, other actors and undefined cells.
 *
 * If only the ends of the batch are walked, values that depend on skipped transforms are unknown, not wrong; the
 * caller decides whether enough is known. */
#include "generator/ir/count.h"
#include "generator/prove/block_sample.h"
#include "generator/prove/duplicates.h"
#include "generator/prove/memory.h"
#include "generator/prove/operate.h"
#include "generator/prove/pages.h"
#include "generator/prove/races.h"
#include "generator/prove/runs.h"
#include "generator/prove/values.h"
#include <stdlib.h>

#define MOST_ADDRESSES (INT64_C(1) << 34)

#define REPORT_EVERY 4096 /* SIMD groups */

typedef struct slot {    /* one element of one instance */
  bool re_read, im_read; /* the codelet wants these parts */
  int64_t re, im;        /* rows of its destination; the same for a real one */
  int instance;
  uint32_t thread;
} slot;

/* Who runs an instance: its thread, or the least part of the stage that it is in. */
static uint32_t actor_of(const fg_vm *m, const fg_simd_group *b, int i) {
  if (fg_stage_is_bulk(b->what) && fg_kernel_fetches(m->p->kernel[b->kernel])) return FG_ENGINE;
  if (!m->parts || !b->what->vectors.part) return (uint32_t)b->thread[i];
  return (uint32_t)b->value[b->what->vectors.part - 1];
}

static slot slot_of(const fg_vm *m, const fg_simd_group *b, const fg_moves *x, int s, int i) {
  int parts = fg_buffer_parts(&m->p->buffer[x->access->buffer]);
  int64_t re = (int64_t)(x->first + parts * s) * b->width + i;
  return (slot){.re_read = true,
                .im_read = true,
                .re = re,
                .im = parts == 2 ? re + b->width : re,
                .instance = i,
                .thread = actor_of(m, b, i)};
}

/* Where loops are cut, their least parts are the actors in place of blocks. */
static void take_part(fg_vm *m, const fg_simd_group *b) {
  const fg_kernel *k = m->p->kernel[b->kernel];
  if (k->vectors.part)
    m->block = (uint32_t)fg_digit_part(&k->digit[k->vectors.part - 1], b->value[k->vectors.part - 1]);
}

static void put_zero(fg_vm *m, const slot *s, bool twiddle) {
  for (int p = 0; p < m->primes; p++) {
    fg_gf *row = twiddle ? m->tw[p] : m->in[p];
    row[s->re] = row[s->im] = 0;
  }
  if (m->reals) (twiddle ? m->real_tw : m->real_in)[s->re] = (twiddle ? m->real_tw : m->real_in)[s->im] = 0;
}

/* Nothing stores to it, and its contents are defined everywhere. */
static bool load_given(fg_vm *m, int64_t place, int64_t row, bool twiddle) {
  for (int p = 0; p < m->primes; p++) (twiddle ? m->tw[p] : m->in[p])[row] = fg_ram_input_cell_gf(m, p, place);
  if (m->reals) (twiddle ? m->real_tw : m->real_in)[row] = fg_ram_input_cell_real(m, place);
  return true;
}

static bool load_place(fg_vm *m, int buffer, int64_t place, const slot *s, int64_t row, bool twiddle, fg_held *h) {
  fg_ram *memory = &m->memory[m->memory_of[buffer]];
  if (memory->given) return load_given(m, place, row, twiddle);
  if (fg_ram_is_zero(m, memory, place)) return true;
  fg_page *page = fg_ram_page(m, memory, place);
  int64_t i = place % FG_PAGE;
  if (!m->reals && !fg_race_touch(m, memory, place, s->thread, false)) return false;
  if (!m->reals && page->cluster && !fg_race_join(m, memory, page, place, false, false)) return false;
  if (!(page->flag[i] & FG_CELL_KNOWN)) {
    if (m->sample && !memory->local && !fg_buffer_is_ring(&m->p->buffer[buffer]))
      return true; /* blocks left out leave zeros */
    h->unknown[s->instance] = 1;
    if (m->partial) return true;
    char where[128];
    fg_prove_where(m, where);
    m->proof->uninitialised++;
    return fg_prove_fail(m, "%sloads from %s what was never stored there", where, m->p->buffer[buffer].name);
  }
  for (int p = 0; p < m->primes; p++) (twiddle ? m->tw[p] : m->in[p])[row] = page->value[p][i];
  if (m->reals) (twiddle ? m->real_tw : m->real_in)[row] = page->real[i];
  return true;
}

/* Memory between elements of the caller's array is never stored to: in place it is unchanged, else undefined. */
static bool load_between(fg_vm *m, int buffer, int64_t e, const slot *s, bool twiddle, fg_held *h) {
  char where[128];
  if (m->memory[m->memory_of[buffer]].is_input)
    return load_given(m, ~(2 * e), s->re, twiddle) && load_given(m, ~(2 * e + 1), s->im, twiddle);
  h->unknown[s->instance] = 1;
  if (m->partial) return true;
  fg_prove_where(m, where);
  m->proof->uninitialised++;
  return fg_prove_fail(m, "%sloads from %s what was never stored there", where, m->p->buffer[buffer].name);
}

static bool load_element(fg_vm *m, int buffer, int64_t e, const slot *s, bool twiddle, fg_held *h) {
  if (fg_program_is_constant(m->p, buffer)) {
    for (int p = 0; p < m->primes; p++) {
      fg_gf *row = twiddle ? m->tw[p] : m->in[p];
      fg_gfc x = fg_value_constant(m, buffer, p, e);
      row[s->re] = x.re;
      row[s->im] = x.im;
    }
    if (m->reals) {
      fg_quad *row = twiddle ? m->real_tw : m->real_in;
      row[s->re] = m->real_table[buffer][e].re;
      row[s->im] = m->real_table[buffer][e].im;
    }
    return true;
  }
  fg_cell at = fg_ram_cell(m, buffer, e);
  if (at.re < 0) return load_between(m, buffer, e, s, twiddle, h);
  if (s->re_read && !load_place(m, buffer, at.re, s, s->re, twiddle, h)) return false;
  return s->im == s->re || !s->im_read || load_place(m, buffer, at.im, s, s->im, twiddle, h);
}

/* One element of one instance; reads: NULL, or per input slot of the codelet. */
static bool load_one(fg_vm *m, const fg_simd_group *b, const fg_moves *x, bool twiddle, const bool *reads, int64_t at,
                     fg_held *h) {
  int buffer = x->access->buffer, parts = fg_buffer_parts(&m->p->buffer[buffer]), s = (int)at / b->width;
  slot to = slot_of(m, b, x, s, (int)at % b->width);
  if (reads) to.re_read = reads[x->first + parts * s], to.im_read = reads[x->first + parts * s + parts - 1];
  put_zero(m, &to, twiddle);
  if (!x->on[at]) return true;
  m->proof->addresses++;
  if (!fg_prove_in_bounds(m, buffer, x->at[at], false)) return m->failures < FG_FAILURES;
  return load_element(m, buffer, x->at[at], &to, twiddle, h);
}

/* Elements of a SIMD group in panels, along the smaller stride: that of lanes, or of slots. */
typedef struct strided {
  uint32_t actor[FG_WALK_WIDTH];
  int count, apart; /* of the panels; between their first elements, in `at` */
  fg_strided first;
  int64_t row_apart;
  int actor_apart;
} strided;

static void cut_into_strided(const fg_vm *m, const fg_simd_group *b, const fg_moves *x, strided *out) {
  const int64_t *at = x->at;
  int parts = fg_buffer_parts(&m->p->buffer[x->access->buffer]), width = b->width;
  bool along_slots = width == 1 || (x->slots > 1 && llabs(at[width] - at[0]) < llabs(at[1] - at[0]));
  for (int i = 0; i < width; i++) out->actor[i] = actor_of(m, b, i);
  out->count = along_slots ? width : x->slots;
  out->apart = along_slots ? 1 : width;
  out->row_apart = along_slots ? 1 : (int64_t)parts * width;
  out->actor_apart = along_slots;
  out->first = (fg_strided){.count = along_slots ? x->slots : width,
                            .at = at,
                            .on = x->on,
                            .step = along_slots ? width : 1,
                            .re = (int64_t)x->first * width,
                            .row_step = along_slots ? (int64_t)parts * width : 1,
                            .im = parts == 2 ? width : 0,
                            .actor = out->actor,
                            .actor_step = !along_slots};
}

static fg_strided strided_number(const strided *all, int number) {
  fg_strided r = all->first;
  r.at += number * all->apart;
  r.on += number * all->apart;
  r.re += number * all->row_apart;
  r.actor += number * all->actor_apart;
  return r;
}

static void go_on(fg_strided *r, int count) {
  r->count -= count;
  r->at += count * r->step;
  r->on += count * r->step;
  r->re += count * r->row_step;
  r->actor += count * r->actor_step;
}

static bool reads_all(const bool *reads, const fg_moves *x, int parts) {
  for (int s = 0; reads && s < parts * x->slots; s++)
    if (!reads[x->first + s]) return false;
  return true;
}

static bool load_moves(fg_vm *m, const fg_simd_group *b, const fg_moves *x, bool twiddle, fg_held *h) {
  int buffer = x->access->buffer, parts = fg_buffer_parts(&m->p->buffer[buffer]);
  const bool *reads = b->what->codelet && !twiddle && !x->operations ? fg_prove_value_reads(m, b->what->codelet) : NULL;
  bool whole = reads_all(reads, x, parts);
  strided all;
  cut_into_strided(m, b, x, &all);
  for (int i = 0; i < all.count; i++)
    for (fg_strided r = strided_number(&all, i); r.count > 0;) {
      int done = whole ? fg_strided_load(m, buffer, &r, twiddle) : 0;
      if (!done && !load_one(m, b, x, twiddle, reads, r.at - x->at, h)) return false;
      go_on(&r, done ? done : 1);
    }
  return fg_ram_count(m, b, x);
}

static bool load_all(fg_vm *m, const fg_simd_group *b, const fg_moves *x, bool twiddle, fg_held *h) {
  for (; x; x = x->rest)
    if (!load_moves(m, b, x, twiddle, h)) return false;
  return true;
}

/* Numbers of one instance. */
static int numbers_of(const fg_vm *m, const fg_moves *x) {
  int numbers = 0;
  for (; x; x = x->rest) numbers += fg_buffer_parts(&m->p->buffer[x->access->buffer]) * x->slots;
  return numbers;
}

/* Twiddle factors that are products of what was loaded: into its place. */
static void multiply_roots(fg_vm *m, const fg_stage *s, int width, int roots) {
  size_t row = (size_t)width, count = (size_t)s->codelet->ntw / 2;
  for (int p = 0; p < m->primes; p++) {
    fg_gf *from = m->root[p], *to = m->tw[p];
    memcpy(from, to, sizeof *from * 2 * row * (size_t)roots);
    const fg_field *f = &m->field[p];
    for (size_t k = 0; k < count; k++)
      for (size_t i = 0; i < row; i++) {
        const fg_product *x = &s->factors.product[k];
        const fg_gf *one = (x->made ? to : from) + 2 * row * (size_t)x->load;
        fg_gf re = x->twice ? fg_gf_add(f, one[i], one[i]) : one[i];
        fg_gf im = x->twice ? fg_gf_add(f, one[row + i], one[row + i]) : one[row + i];
        const fg_gf *other = x->also         ? from + 2 * row * (size_t)(x->also - 1)
                             : x->factor < 0 ? NULL
                                             : to + 2 * row * (size_t)x->factor;
        fg_gf a = other ? other[i] : fg_gf_from(f, 1), b = other ? other[row + i] : 0;
        to[2 * row * k + i] = fg_gf_sub(f, fg_gf_mul(f, a, re), fg_gf_mul(f, b, im));
        to[2 * row * k + row + i] = fg_gf_add(f, fg_gf_mul(f, a, im), fg_gf_mul(f, b, re));
      }
  }
}

static void multiply_real_roots(fg_vm *m, const fg_stage *s, int width, int roots) {
  size_t row = (size_t)width, count = (size_t)s->codelet->ntw / 2;
  fg_quad *from = m->real_root, *to = m->real_tw;
  memcpy(from, to, sizeof *from * 2 * row * (size_t)roots);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < row; i++) {
      const fg_product *x = &s->factors.product[k];
      const fg_quad *one = (x->made ? to : from) + 2 * row * (size_t)x->load;
      fg_quad re = x->twice ? 2 * one[i] : one[i], im = x->twice ? 2 * one[row + i] : one[row + i];
      const fg_quad *other = x->also         ? from + 2 * row * (size_t)(x->also - 1)
                             : x->factor < 0 ? NULL
                                             : to + 2 * row * (size_t)x->factor;
      fg_quad a = other ? other[i] : 1, b = other ? other[row + i] : 0;
      to[2 * row * k + i] = a * re - b * im;
      to[2 * row * k + row + i] = a * im + b * re;
    }
}

static int roots_of(const fg_stage *s, const fg_moves *tw) {
  int roots = tw->slots;
  for (const fg_moves *x = s->factors.has_more ? &tw[1] : NULL; x; x = x->rest) roots += x->slots;
  return roots;
}

static bool load_twiddles(fg_vm *m, const fg_simd_group *b, const fg_moves *tw, fg_held *h) {
  if (!load_all(m, b, tw, true, h)) return false;
  for (const fg_moves *x = b->what->factors.has_more ? &tw[1] : NULL; x; x = x->rest) {
    fg_moves further = *x;
    further.first += 2 * tw->slots, further.rest = NULL;
    if (!load_all(m, b, &further, true, h)) return false;
  }
  if (!b->what->factors.product) return true;
  int roots = roots_of(b->what, tw);
  if (m->reals)
    multiply_real_roots(m, b->what, b->width, roots);
  else
    multiply_roots(m, b->what, b->width, roots);
  return true;
}

static void copy_rows(fg_vm *m, size_t numbers, fg_held *h) {
  for (int p = 0; p < m->primes; p++)
    for (size_t i = 0; i < numbers; i++) h->re[p][i] = m->in[p][i];
  for (size_t i = 0; m->reals && i < numbers; i++) h->real[i] = m->real_in[i];
}

static bool on_load(void *self, const fg_simd_group *b, const fg_moves *x, const fg_moves *tw) {
  fg_vm *m = self;
  take_part(m, b);
  m->kernel = b->kernel;
  m->stage = b->stage;
  size_t in = (size_t)numbers_of(m, x) * FG_WALK_WIDTH, factors = 0;
  const fg_codelet *c = b->what->codelet;
  if (tw) factors = (size_t)(c->ntw / 2 + roots_of(b->what, tw)) * FG_WALK_WIDTH;
  fg_prove_value_rooms(m, in, factors);
  fg_held *h =
      fg_prove_value_held(m, b->hold, c && (size_t)c->nout * FG_WALK_WIDTH > in ? (size_t)c->nout * FG_WALK_WIDTH : in);
  for (int i = 0; i < b->width; i++) h->unknown[i] = 0;
  if (!fg_prove_queue_round(m, b, x)) return false;
  if (!load_all(m, b, x, false, h) || (tw && !load_twiddles(m, b, tw, h))) return false;
  int parts = fg_buffer_parts(&m->p->buffer[x->access->buffer]);
  for (const fg_moves *y = x; y; y = y->rest) {
    fg_prove_rows loaded = {
        parts, y->first / parts, {m->in[0], m->in[1]}, m->real_in, c ? fg_prove_value_reads(m, c) : NULL};
    if (!fg_prove_operate(m, b, y, &loaded)) return false;
  }
  if (c)
    fg_prove_value_run(m, c, b->width, h);
  else
    copy_rows(m, (size_t)(numbers_of(m, x) * b->width), h);
  return m->proof->addresses < MOST_ADDRESSES || fg_prove_stop(m, "the walk does not end");
}

/* Whether an element of a buffer in the result's memory belongs to the output, or
 * input, whose elements may be other than the buffer's. */
static bool is_own(const fg_vm *m, bool output, int buffer, int64_t e) {
  int parts = fg_buffer_parts(&m->p->buffer[buffer]);
  int whole = fg_buffer_parts(&m->p->buffer[output ? FG_BUFFER_OUT : FG_BUFFER_IN]);
  if (parts < whole) return fg_ram_own(m, output, e / whole);
  return fg_ram_own(m, output, parts / whole * e) && fg_ram_own(m, output, parts / whole * e + parts / whole - 1);
}

/* Whether it may be written: in place, the input may be, too. */
static bool owns(const fg_vm *m, int buffer, int64_t e) {
  return is_own(m, true, buffer, e) || (m->p->problem.in_place && is_own(m, false, buffer, e));
}

static bool store_between(fg_vm *m, int buffer, int64_t e) {
  char where[128];
  fg_prove_where(m, where);
  return fg_prove_stop(m, "%sstores to element %lld of %s, which lies between those of the result", where, (long long)e,
                       m->p->buffer[buffer].name);
}

/* Whether the element may be written at all. */
static bool may_store(fg_vm *m, const fg_ram *memory, const fg_page *page, int buffer, int64_t i, int64_t e) {
  if (!memory->is_output || memory->dense || memory->packed) return true;
  return (m->nested ? owns(m, buffer, e) : page->flag[i] & FG_CELL_OWN) || store_between(m, buffer, e);
}

static bool store_once(fg_vm *m, int buffer, int64_t e) {
  char where[128];
  if (fg_once(m, e)) return true;
  fg_prove_where(m, where);
  m->proof->races++;
  return fg_prove_fail(m, "%stwo slots or lanes store to element %lld of %s at once", where, (long long)e,
                       m->p->buffer[buffer].name);
}

static bool store_place(fg_vm *m, const fg_held *h, int buffer, int64_t e, int64_t place, const slot *s, int64_t row) {
  fg_ram *memory = &m->memory[m->memory_of[buffer]];
  fg_page *page = fg_ram_page(m, memory, place);
  int64_t i = place % FG_PAGE;
  if (!may_store(m, memory, page, buffer, i, e)) return false;
  page->flag[i] |= FG_CELL_TAKEN;
  bool by_cluster = fg_buffer_is_distributed(&m->p->buffer[buffer]);
  if (!m->reals && page->cluster && !fg_race_join(m, memory, page, place, true, by_cluster)) return false;
  if (!m->reals && !by_cluster && !fg_race_touch(m, memory, place, s->thread, true)) return false;
  for (int p = 0; p < m->primes; p++) page->value[p][i] = h->re[p][row];
  if (m->reals) page->real[i] = h->real[row];
  if (h->unknown[s->instance])
    page->flag[i] &= (unsigned char)~FG_CELL_KNOWN;
  else
    page->flag[i] |= FG_CELL_KNOWN;
  return true;
}

static void report(const fg_vm *m) {
  if (!m->progress.report || m->simd_group % REPORT_EVERY || !m->expected) return;
  double part = (double)m->proof->addresses / (double)m->expected;
  m->progress.report(m->progress.self, "proof", (m->iteration + (part < 0.99 ? part : 0.99)) / m->iterations);
}

static bool store_to_input(fg_vm *m) {
  char where[128];
  fg_prove_where(m, where);
  return fg_prove_stop(m, "%sstores to its input", where);
}

static bool store_one(fg_vm *m, const fg_simd_group *b, const fg_moves *y, int64_t at) {
  const fg_held *h = m->held[b->hold];
  int buffer = y->access->buffer;
  if (!y->on[at]) return true;
  slot from = slot_of(m, b, y, (int)at / b->width, (int)at % b->width);
  m->proof->addresses++;
  if (!fg_prove_in_bounds(m, buffer, y->at[at], true)) return m->failures < FG_FAILURES;
  if (m->memory[m->memory_of[buffer]].given) return store_to_input(m);
  if (!store_once(m, buffer, y->at[at])) return false;
  fg_cell to = fg_ram_cell(m, buffer, y->at[at]);
  if (to.re < 0) return store_between(m, buffer, y->at[at]);
  return store_place(m, h, buffer, y->at[at], to.re, &from, from.re) &&
         (from.im == from.re || store_place(m, h, buffer, y->at[at], to.im, &from, from.im));
}

static bool all_known(const fg_simd_group *b, const fg_held *h) {
  for (int i = 0; i < b->width; i++)
    if (h->unknown[i]) return false;
  return true;
}

static bool store_moves(fg_vm *m, const fg_simd_group *b, const fg_moves *y) {
  const fg_held *h = m->held[b->hold];
  int buffer = y->access->buffer, parts = fg_stage_result_parts(m->p, b->what);
  int first = y->first / fg_buffer_parts(&m->p->buffer[buffer]);
  fg_prove_rows results = {parts, first, {h->re[0], h->re[1]}, h->real, NULL};
  if (fg_program_is_constant(m->p, buffer)) return fg_prove_stop(m, "a store to a table");
  if (!fg_prove_operate(m, b, y, &results)) return false;
  bool known = all_known(b, h);
  strided all;
  cut_into_strided(m, b, y, &all);
  for (int i = 0; i < all.count; i++)
    for (fg_strided r = strided_number(&all, i); r.count > 0;) {
      int done = known ? fg_strided_store(m, buffer, &r, h) : 0;
      if (!done && !store_one(m, b, y, r.at - y->at)) return false;
      go_on(&r, done ? done : 1);
    }
  return fg_ram_count(m, b, y);
}

static bool on_store(void *self, const fg_simd_group *b, const fg_moves *y) {
  fg_vm *m = self;
  take_part(m, b);
  m->kernel = b->kernel;
  m->stage = b->stage;
  m->simd_group += m->share ? (uint32_t)m->share->shares : 1;
  report(m);
  fg_prove_once_room(m, (int64_t)numbers_of(m, y) * b->width);
  if (!fg_prove_queue_round(m, b, y)) return false;
  for (; y; y = y->rest)
    if (!store_moves(m, b, y)) return false;
  return true;
}

/* What a kernel's clusters store to is spread over all of their blocks. */
static bool check_spread(fg_vm *m, const fg_kernel *k) {
  for (int i = 0; i < k->nstage; i++) {
    const fg_buffer *b = &m->p->buffer[k->stage[i].store.buffer];
    if (fg_buffer_is_distributed(b) && b->local.blocks != m->ranks)
      return fg_prove_stop(m, "buffer %s is spread over %d blocks, clusters have %d", b->name, b->local.blocks,
                           m->ranks);
  }
  return true;
}

static bool on_launch(void *self, int kernel, int64_t blocks) {
  fg_vm *m = self;
  m->kernel = kernel;
  m->ranks = m->p->kernel[kernel]->launch.cluster > 1 ? m->p->kernel[kernel]->launch.cluster : 1;
  m->stage = 0;
  m->launch++;
  m->blocks = blocks;
  m->transforms = 0;
  bool queue = m->p->queue.ring && kernel == 0;
  fg_ram_launch(m, kernel, queue ? fg_queue_joined(&m->p->queue) : 1);
  if (queue && !fg_prove_queue_begin(m)) return false;
  return check_spread(m, m->p->kernel[kernel]);
}

/* A block must not end while others store to its memory. */
static bool check_end(fg_vm *m) {
  char where[128];
  if (!m->sent) return true;
  m->proof->races++;
  m->sent = 0;
  fg_prove_where(m, where);
  return fg_prove_fail(m, "%sblocks of a cluster may end before what is stored to them has come", where);
}

static bool on_block(void *self, int64_t block) {
  fg_vm *m = self;
  m->block = m->first_block = (uint32_t)block;
  if (block && fg_kernel_fetches(m->p->kernel[m->kernel])) return true; /* the same, at its next number */
  m->rank = 0;
  m->block_serial++;
  m->epoch++;
  fg_ram_forget(&m->notes);
  m->begun = m->waits = ++m->arrivals;
  m->data++;
  return check_end(m);
}

/* A block takes it: the block's threads are through with what they did before. */
static bool on_item(void *self, int64_t number, const fg_item *item) {
  fg_vm *m = self;
  m->kernel = item->kernel;
  m->group = fg_queue_group(&m->p->queue, item);
  return on_block(self, number);
}

static void on_rank(void *self, int rank) {
  fg_vm *m = self;
  m->rank = rank;
  m->block = m->first_block + (uint32_t)rank;
}

static bool on_cross(void *self, fg_crossing c) { return fg_race_cross(self, c); }

static void on_sync(void *self, fg_scope scope) {
  (void)scope;
  fg_race_sync(self);
}

static bool on_bulk(void *self, fg_bulk b, int64_t block) { return fg_race_bulk(self, b, block); }

/* Addresses of a walk: what every stage loads and stores. */
static int64_t expected_addresses(const fg_vm *m, int64_t ends) {
  int64_t sum = 0;
  for (int k = 0; k < m->p->nkernel && !ends; k++)
    for (int s = 0; s < m->p->kernel[k]->nstage; s++) {
      const fg_kernel *kernel = m->p->kernel[k];
      const fg_stage *stage = &kernel->stage[s];
      int64_t each = kernel->digit[stage->load.reg].extent.n + kernel->digit[stage->store.reg].extent.n;
      if (stage->factors.has_twiddle) each += kernel->digit[stage->factors.twiddle.reg].extent.n;
      sum += each * fg_stage_instances(kernel, stage, m->params);
    }
  return sum;
}

/* A block must not end while a copy engine uses its memory. */
static bool check_flights(fg_vm *m) {
  for (int b = 0; b < m->p->nbuffer; b++)
    if (m->memory[b].flight) return fg_prove_fail(m, "a block ends while a bulk copy uses %s", m->p->buffer[b].name);
  return true;
}

static bool on_end(void *self) {
  fg_vm *m = self;
  int joined = fg_queue_joined(&m->p->queue), over = m->kernel < joined ? joined - 1 : m->kernel;
  if (!check_flights(m)) return false;
  if (m->share) return m->share->meet(m->share->context, m);
  if (m->sample)
    for (int k = m->kernel; k <= over; k++) fg_block_sample_forget(m, k);
  fg_ram_release(m, over);
  return true;
}

fg_status fg_vm_run(fg_vm *m, int64_t ends) {
  int shares = m->share ? m->share->shares : 1;
  m->expected = expected_addresses(m, ends) / shares;
  fg_walk_options options = {
      .params = m->params, .ends = ends, .share = m->share ? m->share->share : 0, .shares = shares};
  if (m->sample) options.keep = fg_block_sample_keeps, options.kept = m->sample, m->expected = m->sample->addresses;
  fg_walker to = {m,       on_launch, on_block, on_load, on_store, on_sync,
                  on_rank, on_cross,  on_item,  on_end,  on_bulk,  NULL};
  char why[200] = "";
  m->partial = ends > 0;
  if (fg_walk(m->cx, m->p, &options, &to, why) != FG_OK) fg_prove_fail(m, "%s", why);
  check_end(m);
  if (m->progress.report && m->iteration + 1 == m->iterations) m->progress.report(m->progress.self, "proof", 1);
  return FG_OK;
}
