/* One run of a program on the proof's machine.
 *
 * In: a machine with fields, parameters and memory. Out: the memory after the
 * run, counts, and the first failure. The idea: walk.c says which addresses move
 * when; here loads read places, codelets run, stores write places, and every
 * access is checked against bounds, other actors and uninitialised places.
 *
 * When only the ends of the batch are walked, values that depend on what was left
 * out are unknown, not wrong; the caller decides whether enough is known. */
#include "generator/prove_build.h"
#include <stdio.h>

#define MOST_ADDRESSES (INT64_C(1) << 34)

static void note(fg_machine *m, const char *format, va_list args) {
  fg_proof *proof = m->proof;
  if (!proof->failure[0]) vsnprintf(proof->failure, sizeof proof->failure, format, args);
  m->failures++;
}

bool fg_prove_fail(fg_machine *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  note(m, format, args);
  va_end(args);
  return m->failures < FG_FAILURES;
}

bool fg_prove_stop(fg_machine *m, const char *format, ...) {
  va_list args;
  va_start(args, format);
  note(m, format, args);
  va_end(args);
  return false;
}

void fg_prove_where(const fg_machine *m, char text[128]) {
  const fg_kernel *k = m->p->kernel[m->kernel];
  const char *what = k->stage[m->stage].what;
  snprintf(text, 128, "kernel %.24s, stage %d (%.60s): ", k->name ? k->name : "?", m->stage, what ? what : "?");
}

static bool in_bounds(fg_machine *m, int buffer, int64_t e, bool store) {
  const fg_bounds *b = &m->bounds[buffer];
  if (e >= b->low && e - b->low < b->count) return true;
  char where[128];
  fg_prove_where(m, where);
  m->proof->out_of_bounds++;
  fg_prove_fail(m, "%s%s element %lld of %s, which has %lld to %lld", where, store ? "stores" : "loads", (long long)e,
                m->p->buffer[buffer].name, (long long)b->low, (long long)(b->low + b->count - 1));
  return false;
}

/* ---- loads ------------------------------------------------------------------------------ */

typedef struct slot { /* one element of one instance */
  int64_t re, im;     /* where it goes in rows; the same for a real one */
  int instance;
  uint32_t thread;
} slot;

static slot slot_of(const fg_machine *m, const fg_bundle *b, int buffer, int s, int i) {
  int parts = fg_buffer_parts(&m->p->buffer[buffer]);
  int64_t re = (int64_t)(parts * s) * b->width + i;
  return (slot){re, parts == 2 ? re + b->width : re, i, (uint32_t)b->thread[i]};
}

static void put_zero(fg_machine *m, const slot *s, bool twiddle) {
  for (int p = 0; p < m->primes; p++) {
    fg_gf *row = twiddle ? m->tw[p] : m->in[p];
    row[s->re] = row[s->im] = 0;
  }
  if (m->reals) (twiddle ? m->real_tw : m->real_in)[s->re] = (twiddle ? m->real_tw : m->real_in)[s->im] = 0;
}

static bool load_place(fg_machine *m, int buffer, int64_t place, const slot *s, int64_t row, bool twiddle, fg_held *h) {
  fg_ram *memory = &m->memory[m->memory_of[buffer]];
  fg_page *page = fg_ram_page(m, memory, place);
  int64_t i = place % FG_PAGE;
  if (!m->reals && !fg_race_touch(m, memory, page, place, s->thread, false)) return false;
  if (!(page->flag[i] & FG_SPOT_KNOWN)) {
    h->unknown[s->instance] = 1;
    if (m->partial) return true;
    char where[128];
    fg_prove_where(m, where);
    m->proof->uninitialised++;
    if (!fg_prove_fail(m, "%sloads from %s what was never stored there", where, m->p->buffer[buffer].name))
      return false;
  }
  for (int p = 0; p < m->primes; p++) (twiddle ? m->tw[p] : m->in[p])[row] = page->value[p][i];
  if (m->reals) (twiddle ? m->real_tw : m->real_in)[row] = page->real[i];
  return true;
}

static bool load_element(fg_machine *m, int buffer, int64_t e, const slot *s, bool twiddle, fg_held *h) {
  if (m->p->buffer[buffer].space == FG_SPACE_TABLE) {
    for (int p = 0; p < m->primes; p++) {
      fg_gf *row = twiddle ? m->tw[p] : m->in[p];
      row[s->re] = m->table[buffer][p][e].re;
      row[s->im] = m->table[buffer][p][e].im;
    }
    if (m->reals) {
      fg_quad *row = twiddle ? m->real_tw : m->real_in;
      row[s->re] = m->real_table[buffer][e].re;
      row[s->im] = m->real_table[buffer][e].im;
    }
    return true;
  }
  fg_spot at = fg_ram_place(m, buffer, e);
  if (!load_place(m, buffer, at.re, s, s->re, twiddle, h)) return false;
  return s->im == s->re || load_place(m, buffer, at.im, s, s->im, twiddle, h);
}

static bool load_all(fg_machine *m, const fg_bundle *b, const fg_moves *x, bool twiddle, fg_held *h) {
  int buffer = x->access->buffer;
  for (int s = 0; s < x->slots; s++)
    for (int i = 0; i < b->width; i++) {
      slot to = slot_of(m, b, buffer, s, i);
      int64_t e = x->at[s * b->width + i];
      put_zero(m, &to, twiddle);
      if (!x->on[s * b->width + i]) continue;
      m->proof->addresses++;
      if (!in_bounds(m, buffer, e, false)) {
        if (m->failures >= FG_FAILURES) return false;
      } else if (!load_element(m, buffer, e, &to, twiddle, h)) {
        return false;
      }
    }
  return fg_ram_count(m, b, x);
}

static void copy_rows(fg_machine *m, size_t numbers, fg_held *h) {
  for (int p = 0; p < m->primes; p++)
    for (size_t i = 0; i < numbers; i++) h->re[p][i] = m->in[p][i];
  for (size_t i = 0; m->reals && i < numbers; i++) h->real[i] = m->real_in[i];
}

static bool on_load(void *self, const fg_bundle *b, const fg_moves *x, const fg_moves *tw) {
  fg_machine *m = self;
  m->kernel = b->kernel;
  m->stage = b->stage;
  size_t in = (size_t)x->slots * FG_WALK_WIDTH, factors = tw ? (size_t)tw->slots * FG_WALK_WIDTH : 0;
  const fg_codelet *c = b->what->codelet;
  fg_value_rooms(m, in, factors);
  fg_held *h =
      fg_value_held(m, b->hold, c && (size_t)c->nout * FG_WALK_WIDTH > in ? (size_t)c->nout * FG_WALK_WIDTH : in);
  for (int i = 0; i < b->width; i++) h->unknown[i] = 0;
  if (!load_all(m, b, x, false, h) || (tw && !load_all(m, b, tw, true, h))) return false;
  if (c)
    fg_value_run(m, c, b->width, h);
  else
    copy_rows(m, (size_t)(fg_buffer_parts(&m->p->buffer[x->access->buffer]) * x->slots * b->width), h);
  return m->proof->addresses < MOST_ADDRESSES || fg_prove_stop(m, "the walk does not end");
}

/* ---- stores ----------------------------------------------------------------------------- */

/* Whether the element may be written at all. */
static bool may_store(fg_machine *m, const fg_ram *memory, const fg_page *page, int buffer, int64_t i, int64_t e) {
  char where[128];
  bool own = !memory->is_output || (m->nested ? fg_ram_own(m, e) : page->flag[i] & FG_SPOT_OWN);
  if (own && (memory->is_output || !memory->is_input) && page->stored[i] != m->bundle) return true;
  fg_prove_where(m, where);
  if (memory->is_input && !memory->is_output) return fg_prove_stop(m, "%sstores to its input", where);
  if (!own)
    return fg_prove_stop(m, "%sstores to element %lld of %s, which lies between those of the result", where,
                         (long long)e, m->p->buffer[buffer].name);
  m->proof->races++;
  return fg_prove_fail(m, "%stwo slots or lanes store to element %lld of %s at once", where, (long long)e,
                       m->p->buffer[buffer].name);
}

static bool store_place(fg_machine *m, const fg_held *h, int buffer, int64_t e, int64_t place, const slot *s,
                        int64_t row) {
  fg_ram *memory = &m->memory[m->memory_of[buffer]];
  fg_page *page = fg_ram_page(m, memory, place);
  int64_t i = place % FG_PAGE;
  if (!may_store(m, memory, page, buffer, i, e)) return false;
  page->stored[i] = m->bundle;
  if (!m->reals && !fg_race_touch(m, memory, page, place, s->thread, true)) return false;
  for (int p = 0; p < m->primes; p++) page->value[p][i] = h->re[p][row];
  if (m->reals) page->real[i] = h->real[row];
  if (h->unknown[s->instance])
    page->flag[i] &= (unsigned char)~FG_SPOT_KNOWN;
  else
    page->flag[i] |= FG_SPOT_KNOWN;
  return true;
}

static bool on_store(void *self, const fg_bundle *b, const fg_moves *y) {
  fg_machine *m = self;
  m->kernel = b->kernel;
  m->stage = b->stage;
  m->bundle++;
  const fg_held *h = m->held[b->hold];
  int buffer = y->access->buffer;
  if (m->p->buffer[buffer].space == FG_SPACE_TABLE) return fg_prove_stop(m, "a store to a table");
  for (int s = 0; s < y->slots; s++)
    for (int i = 0; i < b->width; i++) {
      if (!y->on[s * b->width + i]) continue;
      int64_t e = y->at[s * b->width + i];
      slot from = slot_of(m, b, buffer, s, i);
      m->proof->addresses++;
      if (!in_bounds(m, buffer, e, true)) {
        if (m->failures >= FG_FAILURES) return false;
        continue;
      }
      fg_spot at = fg_ram_place(m, buffer, e);
      if (!store_place(m, h, buffer, e, at.re, &from, from.re)) return false;
      if (from.im != from.re && !store_place(m, h, buffer, e, at.im, &from, from.im)) return false;
    }
  return fg_ram_count(m, b, y);
}

/* ---- the rest ---------------------------------------------------------------------------- */

static bool on_launch(void *self, int kernel, int64_t blocks) {
  fg_machine *m = self;
  m->kernel = kernel;
  m->stage = 0;
  m->launch++;
  m->blocks = blocks;
  return true;
}

static bool on_block(void *self, int64_t block) {
  fg_machine *m = self;
  m->block = (uint32_t)block;
  m->block_serial++;
  m->epoch++;
  return true;
}

static void on_sync(void *self, fg_scope scope) {
  fg_machine *m = self;
  (void)scope;
  m->epoch++;
}

fg_status fg_machine_run(fg_machine *m, int64_t ends) {
  fg_walk_options options = {m->params, ends};
  fg_walker to = {m, on_launch, on_block, on_load, on_store, on_sync};
  char why[200] = "";
  m->partial = ends > 0;
  if (fg_walk(m->cx, m->p, &options, &to, why) != FG_OK) fg_prove_fail(m, "%s", why);
  return FG_OK;
}
