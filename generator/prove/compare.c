/* Results. In: a virtual machine, before and after a walk. Out: which elements belong to the result; whether they
 * are the transform of the inputs by its definition. */
#include "generator/prove/compare.h"
#include "generator/base/invariant.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/memory.h"
#include "generator/prove/pages.h"
#include "generator/reference/checksum.h"
#include "generator/reference/definition.h"
#include "generator/reference/operation_values.h"
#include "targets/thread.h"
#include <math.h>
#include <pthread.h>

enum {
  COMPARE_ENDS = 512 * FG_BATCH_ENDS + 64,
  SUMS_APART = 1 << 17 /* elements, from which fields have a thread each */
};

/* ---- the result's elements ------------------------------------------------------------ */

/* The batch as one list of numbers, slowest dimension first: of transforms that have results of their own. */
static int64_t batch_count(const fg_vm *m) { return fg_problem_result_count(&m->p->problem, m->params); }

/* Of an element of the output, whose memory this is. */
static inline fg_cell place_of(const fg_vm *m, const fg_ram *memory, int64_t e) {
  int64_t i = 2 * (e - memory->low);
  return memory->plain ? (fg_cell){i, i + 1} : fg_ram_cell(m, FG_BUFFER_OUT, e);
}

/* Where a row of one transform's elements begins, and how far they are from each other. */
typedef struct row {
  int64_t first, step, count;
} row;

static row row_of(const fg_vm *m, bool output, int64_t batch, int64_t number) {
  const fg_problem *q = &m->p->problem;
  const fg_dim *last = &q->dim[q->rank - 1];
  int64_t count = fg_problem_length(q, q->rank - 1, output), at = fg_problem_batch_at(q, output, batch, m->params);
  at += fg_problem_element_at(q, output, number * count, m->params);
  return (row){at, fg_num_value(output ? last->os : last->is, m->params), count};
}

static int64_t rows_of(const fg_problem *q, bool output) {
  return fg_problem_elements(q, output) / fg_problem_length(q, q->rank - 1, output);
}

/* In a walk of ends: whether this transform is near the ends of all dimensions. */
static bool near_ends(const fg_vm *m, int64_t number) {
  const fg_problem *q = &m->p->problem;
  if (!m->partial) return true;
  for (int i = q->batch_rank - 1; i >= 0; i--) {
    int64_t n = fg_num_value(q->batch[i].n, m->params), at = number % n;
    if (at >= COMPARE_ENDS && at < n - COMPARE_ENDS) return false;
    number /= n;
  }
  return true;
}

/* The next transform that is near the ends. */
static int64_t next_batch(const fg_vm *m, int64_t number) {
  const fg_problem *q = &m->p->problem;
  number++;
  if (m->partial && q->batch_rank > 0) {
    int64_t n = fg_num_value(q->batch[q->batch_rank - 1].n, m->params), at = number % n;
    if (at >= COMPARE_ENDS && at < n - COMPARE_ENDS) number += n - COMPARE_ENDS - at;
  }
  while (number < batch_count(m) && !near_ends(m, number)) number++;
  return number;
}

/* In place, the input's elements may be written too, though they are no results. */
static void own_input(fg_vm *m) {
  const fg_problem *q = &m->p->problem;
  fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_IN]];
  int64_t n = fg_problem_elements(q, false), count = batch_count(m);
  for (int64_t b = 0; b < count; b++) {
    int64_t at = fg_problem_batch_at(q, false, b, m->params);
    for (int64_t k = 0; k < n; k++) {
      fg_cell place = fg_ram_cell(m, FG_BUFFER_IN, at + fg_problem_element_at(q, false, k, m->params));
      fg_ram_page(m, memory, place.re)->flag[place.re % FG_PAGE] |= FG_CELL_OWN;
      fg_ram_page(m, memory, place.im)->flag[place.im % FG_PAGE] |= FG_CELL_OWN;
    }
  }
}

static bool own_row(fg_vm *m, fg_ram *memory, row r) {
  for (int64_t k = 0; k < r.count; k++) {
    fg_cell place = place_of(m, memory, r.first + k * r.step);
    unsigned char *re = &fg_ram_page(m, memory, place.re)->flag[place.re % FG_PAGE];
    if (*re & FG_CELL_OWN) return false;
    *re |= FG_CELL_OWN;
    fg_ram_page(m, memory, place.im)->flag[place.im % FG_PAGE] |= FG_CELL_OWN;
  }
  return true;
}

/* Marks the elements of the result as such. False: two of them are one, so that
 * this setting is no valid call. A walk of ends marks nothing:
 * fg_ram_own knows nested strides; nor is there need for it where elements are dense. */
bool fg_compare_own(fg_vm *m) {
  const fg_problem *q = &m->p->problem;
  fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_OUT]];
  if (m->nested || memory->dense) return true;
  for (int64_t b = 0; b < batch_count(m); b++)
    for (int64_t r = 0; r < rows_of(q, true); r++)
      if (!own_row(m, memory, row_of(m, true, b, r))) return false;
  if (q->in_place && !m->memory[m->memory_of[FG_BUFFER_IN]].given) own_input(m);
  return true;
}

/* ---- comparison ---------------------------------------------------------------------- */

static bool place_known(const fg_ram *memory, int64_t place) {
  const fg_page *page = memory->page[place / FG_PAGE];
  const unsigned char both = FG_CELL_KNOWN | FG_CELL_TAKEN;
  return page && (page->flag[place % FG_PAGE] & both) == both;
}

bool fg_compare_known(const fg_vm *m, int64_t batch) {
  const fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_OUT]];
  for (int64_t i = 0; i < rows_of(&m->p->problem, true); i++) {
    row r = row_of(m, true, batch, i);
    for (int64_t k = 0; k < r.count; k++) {
      fg_cell place = place_of(m, memory, r.first + k * r.step);
      if (!place_known(memory, place.re) || !place_known(memory, place.im)) return false;
    }
  }
  return true;
}

/* `count` elements of a row from number `from` on, in one field: the program's results, or its inputs. */
static void read_part(fg_vm *m, int prime, bool output, row r, int64_t from, int64_t count, fg_gfc *out) {
  fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_OUT]];
  bool real = fg_problem_is_real(&m->p->problem, output);
  int64_t at = r.first + from * r.step;
  for (int64_t k = 0; k < count; k++, at += r.step) {
    if (!output) {
      out[k] = fg_ram_input_gf(m, prime, at);
      continue;
    }
    fg_cell place = place_of(m, memory, at);
    out[k].re = fg_ram_page(m, memory, place.re)->value[prime][place.re % FG_PAGE];
    out[k].im = real ? 0 : fg_ram_page(m, memory, place.im)->value[prime][place.im % FG_PAGE];
  }
}

static void read_row(fg_vm *m, int prime, bool output, int64_t batch, int64_t number, fg_gfc *out) {
  row r = row_of(m, output, batch, number);
  read_part(m, prime, output, r, 0, r.count, out);
}

/* The elements that a result is made of, of all transforms that are added. */
static fg_gfc *read_inputs(fg_vm *m, fg_context *cx, int64_t batch, int prime) {
  const fg_problem *q = &m->p->problem;
  int64_t count = fg_problem_length(q, q->rank - 1, false), elements = fg_problem_elements(q, false);
  fg_gfc *x = fg_arena_new(cx->arena, fg_gfc, elements * fg_problem_summands(q, m->params));
  for (int64_t i = 0; i < fg_problem_summands(q, m->params); i++)
    for (int64_t r = 0; r < rows_of(q, false); r++)
      read_row(m, prime, false, batch + i * batch_count(m), r, x + i * elements + r * count);
  return x;
}

static void sum_row(fg_vm *m, int prime, bool output, int64_t number, row r) {
  for (int64_t from = 0; from < r.count; from += FG_SUMS_PART) {
    int64_t count = r.count - from < FG_SUMS_PART ? r.count - from : FG_SUMS_PART;
    read_part(m, prime, output, r, from, count, m->line);
    (output ? fg_sums_result : fg_sums_input)(m->sums[prime], number, from, count, m->line);
  }
}

/* Where the weighted sum of the results is right, all of them are. */
static bool sums_agree(fg_vm *m, int64_t batch, int prime) {
  fg_sums *s = m->sums[prime];
  fg_sums_begin(s);
  for (int output = 0; output < 2; output++)
    for (int64_t i = 0; i < rows_of(&m->p->problem, output); i++)
      sum_row(m, prime, output, i, row_of(m, output, batch, i));
  return fg_sums_agree(s);
}

/* Every result by itself: which one is wrong. */
static fg_status compare_each(fg_vm *m, fg_context *cx, int64_t batch, int prime) {
  const fg_problem *q = &m->p->problem;
  int64_t n = fg_problem_length(q, q->rank - 1, true);
  fg_gfc *x = read_inputs(m, cx, batch, prime), *y = fg_arena_new(cx->arena, fg_gfc, fg_problem_elements(q, true));
  bool real = fg_problem_is_real(q, true);
  fg_operation_values_factors(&(fg_system){.field = &m->field[prime]}, q, batch, m->params, x);
  fg_status status = fg_definition_gf(cx, q, &m->field[prime], (fg_which){batch, m->params}, x, y);
  for (int64_t r = 0; r < rows_of(q, true) && status == FG_OK; r++) {
    read_row(m, prime, true, batch, r, m->line);
    for (int64_t k = 0; k < n; k++) {
      if (m->line[k].re == y[r * n + k].re && (real || m->line[k].im == y[r * n + k].im)) continue;
      fg_prove_fail(m, "output %lld of transform %lld is not that of the DFT", (long long)(r * n + k),
                    (long long)batch);
      return FG_OK;
    }
  }
  return status;
}

/* ---- by sums ------------------------------------------------------------------------- */

/* Some transforms over one field, by a machine of its own that only reads. */
typedef struct summing {
  fg_vm m;
  fg_context cx;
  int prime;
  int64_t first, end; /* of the batch */
  int64_t wrong;      /* the first transform whose sums do not agree; -1: there is none */
  bool unknown;       /* a transform was met that is not known as a whole */
  fg_status status;
  bool has_thread;
  pthread_t thread;
} summing;

static void sum_each(summing *s) {
  fg_vm *m = &s->m;
  for (int64_t b = s->first; b < s->end && s->wrong < 0; b = next_batch(m, b)) {
    if (!fg_compare_known(m, b))
      s->unknown = true;
    else if (!sums_agree(m, b, s->prime))
      s->wrong = b;
  }
}

static fg_status sum_all(fg_context *cx, void *data) {
  summing *s = data;
  fg_vm *m = &s->m;
  const fg_problem *q = &m->p->problem;
  int64_t in = fg_problem_length(q, q->rank - 1, false), out = fg_problem_length(q, q->rank - 1, true);
  uint64_t random = m->seed ^ (0x73756d73 + (uint64_t)(m->first_prime + s->prime));
  int64_t most = in > out ? in : out;
  m->line = fg_arena_new(cx->arena, fg_gfc, most < FG_SUMS_PART ? most : FG_SUMS_PART);
  m->sums[s->prime] = fg_sums_create(cx, q, &m->field[s->prime], &random);
  sum_each(s);
  return FG_OK;
}

static void *sum_in_thread(void *data) {
  summing *s = data;
  if (s->cx.arena && !fg_arena_guard(s->cx.arena)) s->status = fg_invariant_run(&s->cx, sum_all, s);
  return NULL;
}

/* Part `part` of `parts` of the batch. */
static void begin_sums(const fg_vm *m, int prime, int part, int parts, summing *s) {
  int64_t count = batch_count(m);
  *s = (summing){.m = *m, .prime = prime, .cx = {.arena = fg_arena_create()}, .wrong = -1, .status = FG_ENOMEM};
  s->first = count * part / parts, s->end = count * (part + 1) / parts;
  s->m.blocks = 0; /* reads belong to no block any more */
  s->m.threads = s->m.parts = false;
}

/* Several for each field where there is much to sum, and all of it: one each of its ends. */
static int parts_of_sums(const fg_vm *m) {
  int64_t count = batch_count(m);
  int parts = m->partial ? 1 : m->team / m->primes;
  return parts < 1 ? 1 : parts < count ? parts : (int)count;
}

/* The first transform that the sums of some field find wrong; -1: none. */
static fg_status wrong_by_sums(fg_vm *m, bool *unknown, int64_t *wrong) {
  bool apart = batch_count(m) * fg_problem_elements(&m->p->problem, true) >= SUMS_APART;
  int parts = apart ? parts_of_sums(m) : 1, all = m->primes * parts;
  summing *s = fg_arena_new(m->cx->arena, summing, all);
  fg_status status = FG_OK;
  *wrong = -1, *unknown = false;
  for (int i = 0; i < all; i++) {
    begin_sums(m, i % m->primes, i / m->primes, parts, &s[i]);
    s[i].has_thread = apart && i + 1 < all && fg_thread_create(&s[i].thread, sum_in_thread, &s[i]) == 0;
    if (!s[i].has_thread) sum_in_thread(&s[i]);
  }
  for (int i = 0; i < all; i++) {
    if (s[i].has_thread) pthread_join(s[i].thread, NULL);
    fg_arena_destroy(s[i].cx.arena);
    if (s[i].status != FG_OK) status = s[i].status;
    *unknown |= s[i].unknown;
    if (s[i].wrong >= 0 && (*wrong < 0 || s[i].wrong < *wrong)) *wrong = s[i].wrong;
  }
  return status;
}

/* ---- all ------------------------------------------------------------------------------- */

/* One transform over all primes; the reference's memory is freed at once. */
static fg_status compare_batch(fg_vm *m, int64_t batch) {
  fg_context cx = {.arena = fg_arena_create()};
  const fg_problem *q = &m->p->problem;
  if (!cx.arena) return FG_ENOMEM;
  if (fg_arena_guard(cx.arena)) {
    fg_arena_destroy(cx.arena);
    return FG_ENOMEM;
  }
  int64_t in = fg_problem_length(q, q->rank - 1, false), out = fg_problem_length(q, q->rank - 1, true);
  m->line = fg_arena_new(cx.arena, fg_gfc, in > out ? in : out);
  fg_status status = FG_OK;
  for (int prime = 0; prime < m->primes && status == FG_OK && !m->failures; prime++)
    status = compare_each(m, &cx, batch, prime);
  fg_arena_destroy(cx.arena);
  return status;
}

/* Sums say whether, not where: the DFT says which output it is, where the field has
 * room for it. */
static fg_status name_wrong(fg_vm *m, int64_t batch) {
  uint64_t order = fg_definition_order(&m->p->problem);
  bool possible = order && m->field[0].order % order == 0;
  fg_status status = possible ? compare_batch(m, batch) : FG_OK;
  if (status == FG_OK && !m->failures)
    fg_prove_fail(m, "the outputs of transform %lld are not those of the DFT", (long long)batch);
  return status;
}

/* Transforms one after the other: how many are known as a whole, and by `each` whether they are right. */
static fg_status compare_known(fg_vm *m, bool each, int64_t *compared) {
  int64_t count = batch_count(m);
  fg_status status = FG_OK;
  for (int64_t b = 0; b < count && status == FG_OK && !m->failures; b = next_batch(m, b)) {
    bool known = fg_compare_known(m, b);
    if (!known && (!m->partial || b == 0 || b == count - 1)) {
      m->incomplete = m->partial;
      fg_prove_fail(m, "transform %lld: not every output was stored", (long long)b);
    }
    if (!known) continue;
    if (each) status = compare_batch(m, b);
    ++*compared;
  }
  return status;
}

/* Compares what is known; a transform known in part is wrong when the walk was whole. */
fg_status fg_compare_all(fg_vm *m, int64_t *compared) {
  int64_t wrong;
  bool unknown;
  if (!fg_sums_possible(&m->p->problem)) return compare_known(m, true, compared);
  fg_status status = wrong_by_sums(m, &unknown, &wrong);
  if (status == FG_OK && (unknown || m->partial))
    status = compare_known(m, false, compared);
  else if (status == FG_OK)
    *compared = batch_count(m);
  return status == FG_OK && !m->failures && wrong >= 0 ? name_wrong(m, wrong) : status;
}

static void add_square(fg_quad *sum, fg_quadc a, fg_quadc b) {
  *sum += (a.re - b.re) * (a.re - b.re) + (a.im - b.im) * (a.im - b.im);
}

/* The square of what results move by, as if inputs moved by as much as they are: of results that cancel, the size of
 * what cancels. Inputs move by 2^-106, which leaves 113 bits some of the change. */
static fg_quad spread_of(fg_vm *m, const fg_quadc *x, const fg_quadc *right) {
  const fg_problem *q = &m->p->problem;
  const fg_quad step = 0x1p-106;
  int64_t count = fg_problem_elements(q, false) * fg_problem_summands(q, m->params), n = fg_problem_elements(q, true);
  fg_quadc *moved = fg_arena_new(m->cx->arena, fg_quadc, count), *other = fg_arena_new(m->cx->arena, fg_quadc, n);
  uint64_t state = m->seed;
  for (int64_t j = 0; j < count; j++) {
    fg_quad by = fg_random(&state) >> 63 ? 1 + step : 1 - step;
    moved[j] = (fg_quadc){x[j].re * by, x[j].im * by};
  }
  fg_definition_quad(m->cx, q, (fg_which){0, m->params}, moved, other);
  fg_quad sum = 0;
  for (int64_t k = 0; k < n; k++)
    if (!isinf((double)right[k].re)) add_square(&sum, other[k], right[k]);
  return sum / (step * step);
}

static double distance_of_each(fg_vm *m, const fg_quadc *x, const fg_quadc *y) {
  int64_t n = fg_problem_elements(&m->p->problem, true);
  fg_quadc *right = fg_arena_new(m->cx->arena, fg_quadc, n), zero = {0, 0};
  fg_quad distance = 0, size = 0;
  fg_definition_quad(m->cx, &m->p->problem, (fg_which){0, m->params}, x, right);
  for (int64_t k = 0; k < n; k++) {
    if (isinf((double)right[k].re) && y[k].re == right[k].re) continue; /* decibels of what a window made zero */
    add_square(&distance, y[k], right[k]);
    add_square(&size, right[k], zero);
  }
  if (distance > size * FG_COMPARE_LOSS * FG_COMPARE_LOSS) size += spread_of(m, x, right);
  return size > 0 ? sqrt((double)(distance / size)) : 0;
}

double fg_compare_real(fg_vm *m) {
  const fg_problem *q = &m->p->problem;
  int64_t count = fg_problem_elements(q, false), n = fg_problem_elements(q, true);
  int64_t summands = fg_problem_summands(q, m->params);
  fg_quadc *x = fg_arena_new(m->cx->arena, fg_quadc, count * summands), *y = fg_arena_new(m->cx->arena, fg_quadc, n);
  fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_OUT]];
  bool real = fg_problem_is_real(q, true);
  for (int64_t i = 0; i < summands; i++) {
    int64_t at = fg_problem_batch_at(q, false, i * batch_count(m), m->params);
    for (int64_t j = 0; j < count; j++)
      x[i * count + j] = fg_ram_input_real(m, at + fg_problem_element_at(q, false, j, m->params));
  }
  fg_operation_values_factors(&(fg_system){.field = NULL}, q, 0, m->params, x);
  for (int64_t k = 0; k < n; k++) {
    fg_cell at = fg_ram_cell(m, FG_BUFFER_OUT, fg_problem_element_at(q, true, k, m->params));
    y[k].re = fg_ram_page(m, memory, at.re)->real[at.re % FG_PAGE];
    y[k].im = real ? 0 : fg_ram_page(m, memory, at.im)->real[at.im % FG_PAGE];
  }
  return fg_sums_possible(q) ? fg_sums_distance(m->cx, q, m->seed, x, y) : distance_of_each(m, x, y);
}
