/* Runs of elements: the elements of one slot for all lanes, or of one lane for all slots.
 *
 * In: addresses, of complex elements. Out: the elements from the front that are on one page and without a fault are
 * moved together; the others are left to be moved one by one. The idea: what is the same for neighbours is computed
 * once. */
#include "generator/prove/runs.h"
#include "generator/prove/duplicates.h"
#include "generator/prove/memory.h"
#include "generator/prove/pages.h"
#include "generator/prove/races.h"
#include "generator/prove/values.h"

enum { MOST = 64 }; /* elements at once */

/* Whether there is no race on either part of an element. */
static bool passes(const fg_vm *m, const fg_ram *memory, int64_t i, uint32_t actor, bool store) {
  int64_t at = fg_touch_number(memory, i);
  fg_notes *of_thread = memory->near_thread;
  fg_touch *of_block = memory->near_others;
  if (of_thread && fg_touch_conflicts(fg_touch_by_thread(m, of_thread, at), actor, store)) return false;
  return !of_block || !fg_block_conflicts(m, &of_block[at], store);
}

/* How many from the front are moved at all, and in bounds. */
static int usable(const fg_vm *m, int buffer, const fg_strided *r) {
  const fg_bounds *b = &m->bounds[buffer];
  int n = 0, most = r->count < MOST ? r->count : MOST;
  for (; n < most && r->on[n * r->step]; n++) {
    int64_t e = r->at[n * r->step];
    if (e < b->low || e - b->low >= b->count) break;
  }
  return n;
}

/* Places on the page of the first of n elements: how many of them are there. */
static int places(const fg_ram *memory, const fg_strided *r, int n, int64_t *place) {
  int64_t first = 2 * (r->at[0] - memory->low) / FG_PAGE * FG_PAGE;
  for (int k = 0; k < n; k++) {
    place[k] = 2 * (r->at[k * r->step] - memory->low) - first;
    if (place[k] < 0 || place[k] >= FG_PAGE) return k;
  }
  return n;
}

static int load_constants(fg_vm *m, int buffer, const fg_strided *r, bool twiddle) {
  int n = usable(m, buffer, r);
  for (int p = 0; p < m->primes; p++) {
    fg_gf *row = (twiddle ? m->tw[p] : m->in[p]) + r->re;
    for (int k = 0; k < n; k++) {
      fg_gfc x = fg_value_constant(m, buffer, p, r->at[k * r->step]);
      row[k * r->row_step] = x.re;
      row[k * r->row_step + r->im] = x.im;
    }
  }
  fg_quad *row = (twiddle ? m->real_tw : m->real_in) + (m->reals ? r->re : 0);
  for (int k = 0; m->reals && k < n; k++) {
    row[k * r->row_step] = m->real_table[buffer][r->at[k * r->step]].re;
    row[k * r->row_step + r->im] = m->real_table[buffer][r->at[k * r->step]].im;
  }
  return n;
}

/* The input's, if nothing stores to it: there is no race. */
static int load_given(fg_vm *m, int buffer, const fg_strided *r, bool twiddle) {
  const fg_ram *memory = &m->memory[m->memory_of[buffer]];
  int n = memory->plain ? usable(m, buffer, r) : 0;
  for (int p = 0; p < m->primes; p++) {
    fg_gf *row = (twiddle ? m->tw[p] : m->in[p]) + r->re;
    for (int k = 0; k < n; k++) {
      int64_t place = 2 * (r->at[k * r->step] - memory->low);
      row[k * r->row_step] = fg_ram_input_cell_gf(m, p, place);
      row[k * r->row_step + r->im] = fg_ram_input_cell_gf(m, p, place + 1);
    }
  }
  fg_quad *row = (twiddle ? m->real_tw : m->real_in) + (m->reals ? r->re : 0);
  for (int k = 0; m->reals && k < n; k++) {
    int64_t place = 2 * (r->at[k * r->step] - memory->low);
    row[k * r->row_step] = fg_ram_input_cell_real(m, place);
    row[k * r->row_step + r->im] = fg_ram_input_cell_real(m, place + 1);
  }
  return n;
}

static void load_zeros(fg_vm *m, const fg_strided *r, int n, bool twiddle) {
  for (int p = 0; p < m->primes; p++) {
    fg_gf *row = (twiddle ? m->tw[p] : m->in[p]) + r->re;
    for (int k = 0; k < n; k++) row[k * r->row_step] = row[k * r->row_step + r->im] = 0;
  }
}

static int load_places(fg_vm *m, int buffer, const fg_strided *r, bool twiddle) {
  fg_ram *memory = &m->memory[m->memory_of[buffer]];
  int64_t place[MOST];
  bool simple = memory->plain && !memory->each && !memory->flight && r->actor[0] != FG_ENGINE;
  int n = simple ? usable(m, buffer, r) : 0;
  if (!n) return 0;
  int64_t first = 2 * (r->at[0] - memory->low);
  if (fg_ram_is_zero(m, memory, first)) {
    n = places(memory, r, n, place);
    load_zeros(m, r, n, twiddle);
    return n;
  }
  fg_page *page = fg_ram_page(m, memory, first);
  n = places(memory, r, n, place);
  for (int k = 0; k < n; k++)
    if (!(page->flag[place[k]] & page->flag[place[k] + 1] & FG_CELL_KNOWN)) n = k;
  for (int k = 0; k < n && !m->reals; k++)
    if (!passes(m, memory, place[k], r->actor[k * r->actor_step], false)) n = k;
  for (int p = 0; p < m->primes; p++) {
    fg_gf *row = (twiddle ? m->tw[p] : m->in[p]) + r->re;
    for (int k = 0; k < n; k++) {
      row[k * r->row_step] = page->value[p][place[k]];
      row[k * r->row_step + r->im] = page->value[p][place[k] + 1];
    }
  }
  for (int k = 0; m->reals && k < n; k++) {
    fg_quad *row = (twiddle ? m->real_tw : m->real_in) + r->re + k * r->row_step;
    row[0] = page->real[place[k]];
    row[r->im] = page->real[place[k] + 1];
  }
  return n;
}

int fg_strided_load(fg_vm *m, int buffer, const fg_strided *r, bool twiddle) {
  if (fg_buffer_parts(&m->p->buffer[buffer]) != 2) return 0;
  int n = fg_program_is_constant(m->p, buffer)    ? load_constants(m, buffer, r, twiddle)
          : m->memory[m->memory_of[buffer]].given ? load_given(m, buffer, r, twiddle)
                                                  : load_places(m, buffer, r, twiddle);
  m->proof->addresses += n;
  return n;
}

/* Takes places for the results of this step. */
static int take_places(fg_vm *m, const fg_ram *memory, fg_page *page, const fg_strided *r, int n,
                       const int64_t *place) {
  unsigned char own = memory->is_output && !memory->dense ? FG_CELL_OWN : 0;
  for (int k = 0; k < n; k++) {
    int64_t i = place[k];
    if ((page->flag[i] & page->flag[i + 1] & own) != own) return k;
    if (!m->reals && !passes(m, memory, i, r->actor[k * r->actor_step], true)) return k;
    if (!fg_once(m, r->at[k * r->step])) return k;
    page->flag[i] |= FG_CELL_KNOWN | FG_CELL_TAKEN;
    page->flag[i + 1] |= FG_CELL_KNOWN | FG_CELL_TAKEN;
  }
  return n;
}

int fg_strided_store(fg_vm *m, int buffer, const fg_strided *r, const fg_held *h) {
  fg_ram *memory = &m->memory[m->memory_of[buffer]];
  int64_t place[MOST];
  bool simple = memory->plain && !memory->each && !memory->given &&
                (memory->dense || !(memory->is_output && m->nested)) && !memory->flight && r->actor[0] != FG_ENGINE;
  int n = simple && fg_buffer_parts(&m->p->buffer[buffer]) == 2 ? usable(m, buffer, r) : 0;
  if (!n) return 0;
  fg_page *page = fg_ram_page(m, memory, 2 * (r->at[0] - memory->low));
  n = take_places(m, memory, page, r, places(memory, r, n, place), place);
  for (int p = 0; p < m->primes; p++)
    for (int k = 0; k < n; k++) {
      const fg_gf *row = h->re[p] + r->re + k * r->row_step;
      page->value[p][place[k]] = row[0];
      page->value[p][place[k] + 1] = row[r->im];
    }
  for (int k = 0; m->reals && k < n; k++) {
    page->real[place[k]] = h->real[r->re + k * r->row_step];
    page->real[place[k] + 1] = h->real[r->re + k * r->row_step + r->im];
  }
  m->proof->addresses += n;
  return n;
}
