/* Map, vectors in blocks: launched kernels of loops and vectors, in blocks of one thread (OpenCL on CPUs).
 *
 * In: a kernel with its loops and vectors. Out: the kernel with one of its loops, or its innermost batch digit,
 * divided into blocks of enough work. Memory that is too large for a block becomes a workspace for each block. */
#include "generator/map/digits.h"
#include "generator/map/map.h"
#include "targets/machine/limits.h"
#include <string.h>

/* How many of n values a block takes: `wanted`, or somewhat fewer that divide n. */
static int64_t part_of(int64_t n, int64_t wanted) {
  if (wanted >= n) return n;
  for (int64_t part = wanted; 2 * part > wanted; part--)
    if (n % part == 0) return part;
  return wanted;
}

static int64_t iterations_of(const fg_builder *b, const fg_digit *d) {
  if (d->extent.form == FG_NUM_CONST) return d->extent.n;
  int64_t params[FG_MAX_PARAMS];
  for (int i = 0; i < b->program->problem.nparam; i++) params[i] = b->program->problem.param[i].hi;
  return fg_num_value(d->extent, params);
}

/* The digit that stays inside a block, of `part` values; d takes steps of so many.
 * *whole: there are no values beyond the last. */
static int16_t cut(fg_kernel *k, int16_t digit, int64_t part, bool *whole) {
  fg_digit *d = &k->digit[digit], inner = *d;
  size_t length = strlen(d->name);
  if (length + 1 < sizeof inner.name) memcpy(inner.name + length, "i", 2);
  inner.role = FG_ROLE_LOOP;
  inner.extent = fg_num_const(part);
  inner.start = fg_num_const(0);
  d->role = FG_ROLE_BLOCK;
  d->step *= part;
  *whole = d->extent.form == FG_NUM_CONST && d->extent.n % part == 0;
  if (d->extent.form == FG_NUM_CONST)
    d->extent.n = (d->extent.n + part - 1) / part;
  else /* n = 1; of as many as one step of `inner` counts */
    d->extent = (fg_num){.n = 1, .form = FG_NUM_CEIL, .param = d->extent.param, .div = d->step};
  return fg_kernel_add_digit(k, &inner);
}

/* digit + inner < bound */
static fg_pred within(int16_t digit, int16_t inner, fg_num bound) {
  fg_pred p = {.value = {.offset = fg_num_const(0)}, .bound = bound};
  fg_affine_add(&p.value, digit, fg_num_const(1));
  fg_affine_add(&p.value, inner, fg_num_const(1));
  return p;
}

static bool is_plain(const fg_digit *d) {
  bool counted = d->extent.form == FG_NUM_CONST || (d->extent.form == FG_NUM_PARAM && d->extent.n == 1) ||
                 (d->extent.form == FG_NUM_QUOT && d->extent.n == 1);
  return counted && fg_num_is(d->start, 0) && d->last == INT64_MAX;
}

/* Values of a digit, by what its extent counts. */
static fg_num values_of(const fg_digit *d) {
  if (d->extent.form == FG_NUM_CONST) return fg_num_const(d->extent.n * d->step);
  if (d->extent.form == FG_NUM_PARAM) return d->extent;
  return (fg_num){.n = 1, .form = FG_NUM_FLOOR, .param = d->extent.param, .div = d->extent.div};
}

/* ---- several stages: the innermost of the outer digits -------------------------------- */

static int64_t points_of(const fg_builder *b, const fg_kernel *k) {
  const fg_stage *s = &k->stage[0];
  int64_t points = k->digit[s->load.reg].extent.n;
  for (int l = 0; l < s->nloop; l++) points *= iterations_of(b, &k->digit[s->loop[l]]);
  return points > 0 ? points : 1;
}

static void chunk_outer(const fg_builder *b, fg_kernel *k) {
  int16_t d = k->outer[k->nouter - 1];
  int64_t part = part_of(iterations_of(b, &k->digit[d]), limit->chunk_points / points_of(b, k));
  bool whole;
  if (part < 2 || !is_plain(&k->digit[d]) || k->nouter == FG_MAX_LOOPS) return;
  fg_num bound = values_of(&k->digit[d]);
  int16_t inner = cut(k, d, part, &whole);
  for (int i = 0; i < k->nstage; i++) fg_map_split_terms(&k->stage[i], d, inner);
  k->outer[k->nouter++] = inner;
  if (!whole) k->pred[k->npred++] = within(d, inner, bound);
}

/* ---- one stage, and what its vectors leave: the longest loop ------------------------------ */

static int longest_loop(const fg_builder *b, const fg_kernel *k, const fg_stage *s) {
  int at = -1;
  for (int l = 0; l < s->nloop; l++) {
    const fg_digit *d = &k->digit[s->loop[l]];
    if (s->loop[l] == s->vectors.lane || !is_plain(d)) continue;
    if (at < 0 || iterations_of(b, d) > iterations_of(b, &k->digit[s->loop[at]])) at = l;
  }
  return at;
}

static void chunk_loop(const fg_builder *b, fg_kernel *k) {
  fg_stage *s = &k->stage[0];
  int at = longest_loop(b, k, s);
  if (at < 0) return;
  int16_t d = s->loop[at];
  int64_t iterations = iterations_of(b, &k->digit[d]), one = points_of(b, k) / (iterations > 0 ? iterations : 1);
  int64_t part = part_of(iterations, limit->chunk_points / one > 1 ? limit->chunk_points / one : 1);
  bool whole;
  if (part >= iterations) return;
  fg_num bound = values_of(&k->digit[d]);
  int16_t inner = cut(k, d, part, &whole);
  fg_map_split_terms(s, d, inner);
  s->loop[at] = inner;
  if (!whole) s->pred[s->npred++] = within(d, inner, bound);
  k->outer[k->nouter++] = d;
  for (int i = 1; i < k->nstage; i++) { /* by the first block */
    fg_stage *rest = &k->stage[i];
    fg_pred first = {.value = {.offset = fg_num_const(0)}, .bound = fg_num_const(1)};
    fg_affine_add(&first.value, d, fg_num_const(1));
    rest->pred[rest->npred++] = first;
  }
}

/* ---- memory ------------------------------------------------------------------------------- */

/* How a buffer's addresses change where the memory that it is in becomes larger. */
typedef struct growth {
  int16_t buffer;
  const fg_affine *blocks; /* elements of the memory, by the outer digits */
  int64_t unit;            /* the buffer's elements in one of the memory's */
  int64_t behind, by;      /* addresses from there on move on */
} growth;

static void move_access(fg_access *a, const growth *g) {
  for (; a && a->buffer == g->buffer; a = a->rest) {
    fg_affine *base = fg_index_base(&a->index);
    if (base->offset.n >= g->behind) base->offset.n += g->by;
    for (int t = 0; t < g->blocks->nterm; t++)
      fg_affine_add(base, g->blocks->term[t].digit, fg_num_scaled(g->blocks->term[t].coef, g->unit));
  }
}

/* A memory becomes workspace: a part for every value of the outer digits, for all
 * buffers that use it. */
static void spill(fg_builder *b, fg_kernel *k, int16_t root) {
  fg_program *p = b->program;
  fg_affine blocks = {.offset = fg_num_const(0)};
  int64_t size = p->buffer[root].size;
  for (int i = k->nouter - 1; i >= 0; i--) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->role == FG_ROLE_HOST) continue; /* one value at a time */
    fg_affine_add(&blocks, k->outer[i], fg_num_const(size));
    size *= iterations_of(b, d) * d->step;
  }
  int64_t before = p->buffer[root].size;
  for (int16_t i = 0; i < p->nbuffer; i++) {
    if (fg_buffer_root(p, i) != root) continue;
    fg_buffer *x = &p->buffer[i];
    bool parts = x->elem == FG_ELEM_REAL && p->buffer[root].elem == FG_ELEM_COMPLEX,
         split = x->layout == FG_LAYOUT_SPLIT;
    growth g = {i, &blocks, parts && !split ? 2 : 1, INT64_MAX, size - before};
    if (parts && split) g.behind = before; /* imaginary parts */
    for (int s = 0; s < k->nstage; s++) {
      move_access(&k->stage[s].load, &g);
      move_access(&k->stage[s].store, &g);
    }
    x->space = FG_SPACE_WORK;
    if (i != root) x->size = parts ? 2 * size : size;
  }
  p->buffer[root].size = size;
}

static fg_status fit_memory(fg_builder *b, fg_kernel *k) {
  int64_t bytes = 0;
  for (int i = 0; i < b->program->nbuffer; i++)
    if (fg_map_is_local(b, i) && b->program->buffer[i].alias < 0) bytes += fg_buffer_bytes(&b->program->buffer[i]);
  if (bytes <= (int64_t)b->map->local_bytes) return FG_OK;
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (!fg_num_is(d->start, 0) || d->last != INT64_MAX || d->step != 1) return FG_ENA;
  }
  for (int16_t i = 0; i < b->program->nbuffer; i++)
    if (fg_map_is_local(b, i) && b->program->buffer[i].alias < 0) spill(b, k, i);
  return FG_OK;
}

fg_status fg_map_chunk(fg_builder *b) {
  for (int i = 0; i < b->nkernel; i++) {
    fg_kernel *k = b->kernel = b->kernels[i];
    fg_status status = fit_memory(b, k);
    if (status != FG_OK) return status;
    if (b->alone)
      chunk_loop(b, k);
    else if (k->nouter)
      chunk_outer(b, k);
  }
  b->program->vectors.side_by_side = true;
  return FG_OK;
}
