/* See gpu_parts.h. In: a stage. Out: the bytes that its accesses move, and the lines that they touch.
 *
 * Memory moves whole sectors. Two things add to the bytes that are used: threads of a warp that store to parts of
 * sectors, which L2 combines later if it can; and contiguous runs of a block that begin or end within a sector,
 * whose rest belongs to other blocks. A warp's access is served line by line, whether these come from caches or from
 * the shared memory of another block of its cluster. */
#include "generator/base/integer.h"
#include "generator/cost/gpu_parts.h"
#include "generator/problem/shape.h"
#include "targets/machine/simt.h"
#include <stdlib.h>
#include <string.h>

enum {
  SAMPLE = 256,    /* threads looked at */
  FEW_APART = 300, /* percent of bytes: four segments for one, which L2 takes as fast as memory does */
};

static bool is_thread(const fg_digit *d) { return d->role == FG_ROLE_THREAD && d->name[0] != FG_GUARD_DIGIT[0]; }

/* ---- sectors of a warp ------------------------------------------------------------ */

typedef struct places { /* of the threads that are looked at: what they do not share of an address */
  int64_t at[SAMPLE];
  int count;
} places;

/* What each thread adds to an address. */
static void add_parts(const fg_gpu_view *x, const fg_affine *at, places *out) {
  for (int i = 0; i < at->nterm; i++) {
    const fg_digit *d = &x->k->digit[at->term[i].digit];
    if (!is_thread(d)) continue;
    int64_t by = d->step * fg_num_value(at->term[i].coef, x->params), value = 0, rest = 0;
    for (int t = 0; t < out->count; t++) {
      out->at[t] += value * by;
      if (++rest < d->div) continue;
      rest = 0;
      if (++value == d->extent.n) value = 0;
    }
  }
}

static int64_t scale_of(const fg_gpu_view *x, const fg_index *index) {
  int64_t scale = fg_num_value(index->scale, x->params);
  return scale ? scale : 1;
}

static void find_places(const fg_gpu_view *x, const fg_index *index, places *out) {
  out->count = (int)fg_smaller(x->k->launch.threads, SAMPLE);
  memset(out->at, 0, sizeof out->at);
  add_parts(x, &index->at, out);
  if (!index->mod) return;
  int64_t scale = scale_of(x, index);
  for (int t = 0; t < out->count; t++) out->at[t] = (out->at[t] % index->mod + index->mod) % index->mod * scale;
  add_parts(x, &index->base, out);
}

static int add_once(int64_t *list, int count, int64_t value) {
  for (int i = count - 1; i >= 0; i--) /* neighbours share pieces */
    if (list[i] == value) return count;
  list[count] = value;
  return count + 1;
}

/* Whole pieces of memory that warps touch, each counted once a warp. */
static int64_t pieces_of(const places *p, int64_t size, int64_t piece) {
  int64_t pieces = 0;
  for (int w = 0; w < p->count; w += FG_WARP) {
    int64_t list[2 * FG_WARP];
    int count = 0;
    for (int t = w; t < p->count && t < w + FG_WARP; t++) {
      int64_t first = p->at[t] * size;
      count = add_once(list, count, first / piece);
      count = add_once(list, count, (first + size - 1) / piece);
    }
    pieces += count;
  }
  return pieces;
}

/* Bytes that warps touch in whole pieces of memory beyond those they use, in percent of these. */
static int64_t touched(const places *p, int64_t size, int64_t piece) {
  return fg_larger(0, 100 * pieces_of(p, size, piece) * piece / (p->count * size) - 100);
}

/* ---- sectors of a block's runs ---------------------------------------------------- */

typedef struct step { /* of a digit, in bytes, and how often */
  int64_t by, count;
} step;

typedef struct steps {
  step inner[2 * FG_MAX_TERMS + 1]; /* within a block */
  int ninner;
  int64_t outer; /* greatest common divisor of those between blocks; 0: none */
} steps;

static void add_steps(const fg_gpu_view *x, const fg_affine *at, int64_t size, steps *out) {
  for (int i = 0; i < at->nterm; i++) {
    const fg_digit *d = &x->k->digit[at->term[i].digit];
    int64_t by = llabs(d->step * fg_num_value(at->term[i].coef, x->params)) * size;
    int64_t count = fg_num_value(d->extent, x->params);
    if (!by || count < 2) continue;
    if (fg_digit_is_of_blocks(d) || d->role == FG_ROLE_HOST)
      out->outer = fg_gcd(out->outer, by);
    else
      out->inner[out->ninner++] = (step){by, count};
  }
}

static int compare(const void *a, const void *b) {
  const step *s = a, *t = b;
  return (s->by > t->by) - (s->by < t->by);
}

/* Bytes that sectors hold of neither end of a block's runs, in percent of the runs: runs of `length` bytes begin at
 * multiples of `at`. Of an address from a table nothing is known: its elements are taken for neighbours. */
static int64_t cut(const fg_gpu_view *x, const fg_access *a, int64_t size) {
  if (a->index.lookup >= 0) return 0;
  steps s = {.ninner = 0};
  if (a->index.mod) s.inner[s.ninner++] = (step){scale_of(x, &a->index) * size, a->index.mod};
  add_steps(x, a->index.mod ? &a->index.base : &a->index.at, size, &s);
  qsort(s.inner, (size_t)s.ninner, sizeof *s.inner, compare);
  int64_t length = size, at = s.outer, sector = x->m->sector_bytes;
  for (int i = 0; i < s.ninner; i++) {
    if (s.inner[i].by <= length)
      length += s.inner[i].by * (s.inner[i].count - 1);
    else
      at = fg_gcd(at, s.inner[i].by);
  }
  at = fg_gcd(at ? at : length, sector);
  int64_t whole = (length + at - 1) / at * at;
  return 100 * fg_larger(sector, sector + whole - at) / length - 100;
}

/* ---- an access -------------------------------------------------------------------- */

/* Elements of an array, at these parameters: each is loaded or stored once, whatever conditions say. */
static int64_t elements_of(const fg_gpu_view *x, bool output) {
  const fg_problem *q = &x->p->problem;
  return fg_problem_elements(q, output) * fg_larger(1, fg_problem_batch_count(q, x->params));
}

/* Sixteenths of a byte that one takes, with what it brings besides: percent of percent, which are 10000. */
static int64_t weight_of(const fg_gpu_view *x, const fg_access *a, bool store, int64_t size) {
  const int64_t whole = 10000;
  int64_t runs = cut(x, a, size);
  bool round = fg_buffer_is_ring(&x->p->buffer[a->buffer]);
  if (!store && !round) return x->costs->byte * (whole + runs * x->costs->load_cut) / whole;
  places p;
  find_places(x, &a->index, &p);
  int64_t apart = touched(&p, size, x->m->segment_bytes);
  if (round)
    return x->costs->round + x->costs->byte * (runs * x->costs->round_cut + apart * x->costs->round_apart) / whole;
  int64_t more = runs * x->costs->store_cut + touched(&p, size, x->m->sector_bytes) * x->costs->store_parts +
                 apart * x->costs->store_apart + fg_larger(0, apart - FEW_APART) * x->costs->store_far;
  return x->costs->byte * (whole + more) / whole;
}

static void add_access(const fg_gpu_view *x, const fg_stage *s, const fg_access *a, int64_t slots, int64_t *memory,
                       int64_t *local) {
  const fg_buffer *b = &x->p->buffer[a->buffer];
  int64_t size = fg_buffer_parts(b) * fg_precision_bytes(b->precision);
  if (fg_buffer_is_of_lanes(b)) return;
  int64_t elements = fg_stage_instances(x->k, s, x->params) * slots;
  if (b->space == FG_SPACE_INPUT || b->space == FG_SPACE_OUTPUT)
    elements = fg_smaller(elements, elements_of(x, b->space == FG_SPACE_OUTPUT));
  if (b->space == FG_SPACE_LOCAL || b->space == FG_SPACE_TABLE) *local += elements * size;
  if (b->space == FG_SPACE_TABLE)
    *memory += fg_buffer_bytes(b) > x->costs->cached ? elements * size * x->costs->large_table : 0;
  else if (fg_stage_is_bulk(s) && b->space != FG_SPACE_LOCAL)
    *memory += elements * size * x->costs->byte;
  else if (b->space != FG_SPACE_LOCAL)
    *memory += elements * size * weight_of(x, a, a == &s->store, size);
}

/* What goes on in shared memory is of that. */
static void add_accesses(const fg_gpu_view *x, const fg_stage *s, const fg_access *a, int64_t *memory, int64_t *local) {
  for (const fg_access *next; a; a = next) {
    int64_t slots = x->k->digit[a->reg].extent.n;
    for (next = a->rest; next && next->buffer == a->buffer; next = next->rest) slots += x->k->digit[next->reg].extent.n;
    add_access(x, s, a, slots, memory, local);
  }
}

void fg_cost_gpu_moves(const fg_gpu_view *x, const fg_stage *s, int64_t *memory, int64_t *local) {
  add_accesses(x, s, &s->load, memory, local);
  add_access(x, s, &s->store, fg_access_slots(x->k, &s->store), memory, local);
  if (s->factors.has_twiddle)
    add_access(x, s, &s->factors.twiddle, x->k->digit[s->factors.twiddle.reg].extent.n, memory, local);
  if (s->factors.has_more) add_access(x, s, &s->factors.more, x->k->digit[s->factors.more.reg].extent.n, memory, local);
  const fg_access *rest = s->factors.has_more ? s->factors.more.rest : NULL;
  if (rest && rest->buffer != s->factors.more.buffer) add_accesses(x, s, rest, memory, local);
}

/* ---- lines ------------------------------------------------------------------------ */

/* Lines that a block's warps touch by an access: of a place from a table nothing is known. */
static int64_t lines_of(const fg_gpu_view *x, const fg_stage *s, const fg_access *a) {
  const fg_buffer *b = &x->p->buffer[a->buffer];
  places p;
  if (a->index.lookup >= 0 || fg_stage_is_bulk(s)) return 0;
  find_places(x, &a->index, &p);
  int64_t warps = (p.count + FG_WARP - 1) / FG_WARP;
  int64_t lines = pieces_of(&p, fg_buffer_parts(b) * fg_precision_bytes(b->precision), x->m->segment_bytes);
  int64_t moves = fg_cost_gpu_warps(x, s) * fg_cost_gpu_iterations(x, s, false) * fg_access_slots(x->k, a);
  return moves * lines / fg_larger(1, warps);
}

static bool is_remote(const fg_gpu_view *x, const fg_stage *s) {
  return x->k->launch.cluster > 1 &&
         (fg_exchange_crosses(&s->exchange.between) || fg_exchange_crosses(&s->exchange.after));
}

static bool is_memory(const fg_buffer *b) {
  return b->space != FG_SPACE_LOCAL && !fg_buffer_is_shared(b) && !fg_buffer_is_of_lanes(b);
}

/* Of factors. */
static int64_t table_lines(const fg_gpu_view *x, const fg_stage *s) {
  int64_t lines = s->factors.has_twiddle ? lines_of(x, s, &s->factors.twiddle) : 0;
  for (const fg_access *a = s->factors.has_more ? &s->factors.more : NULL; a; a = a->rest) lines += lines_of(x, s, a);
  return lines;
}

fg_gpu_lines fg_cost_gpu_lines(const fg_gpu_view *x, const fg_stage *s) {
  const fg_buffer *from = &x->p->buffer[s->load.buffer], *to = &x->p->buffer[s->store.buffer];
  fg_gpu_lines lines = {.memory = s->factors.matrix ? fg_cost_gpu_matrix(x, s).lines : 0};
  if (is_memory(from)) lines.memory += lines_of(x, s, &s->load);
  if (is_memory(to)) lines.memory += lines_of(x, s, &s->store);
  lines.memory += table_lines(x, s);
  if (is_remote(x, s) && fg_buffer_is_shared(to)) { /* but for what a block stores to itself */
    int64_t blocks = x->k->launch.cluster;
    lines.remote += lines_of(x, s, &s->store) * (blocks - 1) / blocks;
  }
  return lines;
}
