/* Prefetches. In: a vector that is loaded or stored. Out: a line that prefetches another cache line.
 *
 * For batches larger than the caches: while one transform is computed, its lines of the output and the next
 * transform's lines of the input are prefetched, at the same offset of the other array.
 *
 * Stages that read the input do not write the output, so prefetches are spread evenly, and lines that one stage
 * prefetches are used in another. In fused stages the next transform is prefetched on both sides; for short
 * transforms only the input, some transforms ahead. Loads are at the beginning of long codelets and stores at their
 * end; the prefetches are spread evenly among all statements of an iteration, so that memory is always busy.
 *
 * If L2 is small and L3 fast, prefetches take the array line after line, a fixed number in each iteration,
 * whatever the elements are: the hardware prefetcher continues from them, and no line is left out where several
 * vectors share one. The rows of several dimensions, a few at a time, do the same there.
 *
 * For single transforms beyond L1, the lines that the next iteration will store are prefetched if they are whole
 * pages apart: stores retire in order and each would wait for its line, and the hardware prefetcher does not follow
 * such strides. Some of the next loads are prefetched, too, if all of them share a set of L1, which has room for
 * fewer. */
#include "generator/lower/prefetch.h"
#include "generator/base/integer.h"
#include "generator/ir/program_machine.h"
#include "generator/lower/access.h"
#include "generator/lower/address.h"
#include "generator/lower/forward_state.h"
#include "generator/lower/vector_value.h"
#include "generator/lower/writer.h"
#include "generator/text/recorder_order.h"
#include "targets/machine/limits.h"
#include <string.h>

/* The first access of a section to one of the two arrays; NULL: none. */
static const fg_access *access_to(const fg_writer *w, int array) {
  for (const fg_stage *s = w->section.first; s < w->section.end; s++) {
    const fg_access *a = array == FG_BUFFER_IN ? &s->load : &s->store;
    if (fg_buffer_root(w->e->p, a->buffer) == array) return a;
  }
  return NULL;
}

/* The term of the batch in an address; NULL: there is none. */
static fg_term *batch_term(const fg_writer *w, const fg_access *a) {
  for (int t = 0; t < a->index.at.nterm; t++)
    if (a->index.at.term[t].digit == w->k->outer[0]) return (fg_term *)&a->index.at.term[t];
  return NULL;
}

/* Elements from one transform to the next; 0: not known. */
static int64_t distance(const fg_writer *w, int array) {
  const fg_access *a = access_to(w, array);
  const fg_term *t = a ? batch_term(w, a) : NULL;
  return t && t->coef.form == FG_NUM_CONST ? t->coef.n : 0;
}

static bool lies_plain(const fg_writer *w, const fg_access *a) {
  const fg_buffer *b = &w->e->p->buffer[a->buffer];
  if (b->layout != FG_LAYOUT_INTERLEAVED || b->elem != FG_ELEM_COMPLEX || a->npred || a->stream) return false;
  return !a->index.nwrap && !a->index.pad_every && !fg_index_is_bent(&a->index) &&
         a->index.at.offset.form == FG_NUM_CONST;
}

static bool is_plain(const fg_writer *w, const fg_access *a) { return lies_plain(w, a) && batch_term(w, a); }

static bool is_wanted(const fg_writer *w) {
  const fg_program *p = w->e->p;
  if (!w->e->d->fetch || p->problem.in_place || fg_program_sections(p) != 1) return false;
  if (w->lanes == 1 || w->k->nstage < 2 || w->k->nouter != 1) return false;
  int64_t all = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  int64_t one = distance(w, FG_BUFFER_IN) + distance(w, FG_BUFFER_OUT);
  one *= 2 * fg_precision_bytes(w->e->precision);
  return all >= (one < limit->prefetch_one_small ? limit->prefetch_batch : limit->prefetch_batch_large) && one > 0 &&
         one <= limit->prefetch_one_most;
}

/* The same place of one of the two arrays, in the transform `after` this one. */
static fg_access_plan *make_place(fg_writer *w, const fg_access_plan *p, int array, char tag, int64_t after) {
  const fg_access *model = access_to(w, array);
  if (!model || !is_plain(w, p->a) || !is_plain(w, model)) return NULL;
  fg_access_plan *other = fg_arena_new(w->arena, fg_access_plan, 1);
  fg_access *a = fg_arena_new(w->arena, fg_access, 1);
  *a = *p->a;
  a->buffer = model->buffer;
  a->rest = NULL;
  fg_num step = batch_term(w, model)->coef;
  batch_term(w, a)->coef = step;
  a->index.at.offset.n += after * step.n;
  return fg_access_plan_init(w, other, a, tag) == FG_OK && other->direct ? other : NULL;
}

/* The loop whose iterations follow each other; -1: none that is known. */
static int inner_loop(const fg_writer *w) {
  for (int i = w->stage->nloop - 1; i >= w->stage->vectors.tiles; i--) {
    const fg_digit *d = &w->k->digit[w->stage->loop[i]];
    if (w->stage->loop[i] == w->stage->vectors.lane) continue;
    if (d->role != FG_ROLE_LOOP || d->extent.form != FG_NUM_CONST || fg_digit_is_clipped(d)) return -1;
    if (d->extent.n > 1) return w->stage->loop[i];
  }
  return -1;
}

/* Elements from one value of a digit to the next. */
int64_t fg_prefetch_step(const fg_writer *w, const fg_access *a, int digit) {
  fg_num coef = fg_affine_coef(&a->index.at, digit);
  return coef.form == FG_NUM_CONST ? coef.n * w->k->digit[digit].step : 0;
}

/* What an iteration stores are a few lines, or rows of lanes, whole pages apart. */
static bool is_apart(const fg_writer *w, const fg_access_plan *p) {
  bool rows = p->move == FG_MOVE_TRANSPOSE, columns = p->move == FG_MOVE_CONTIG && p->memory != w->load.memory;
  if (rows ? p->slots < limit->apart_results || w->lanes > limit->apart_lines
           : !columns || p->slots > limit->apart_lines)
    return false;
  int64_t bytes =
      fg_prefetch_step(w, p->a, rows ? w->stage->vectors.lane : p->a->reg) * 2 * fg_precision_bytes(w->e->precision);
  return bytes != 0 && bytes % fg_program_page(w->e->p) == 0;
}

/* The access of the next iteration; NULL: its address is not known. */
fg_access_plan *fg_prefetch_plan(fg_writer *w, const fg_access_plan *p, int64_t step, char tag) {
  fg_access_plan *next = fg_arena_new(w->arena, fg_access_plan, 1);
  fg_access *a = fg_arena_new(w->arena, fg_access, 1);
  *a = *p->a;
  a->index.at.offset.n += step;
  if (fg_access_plan_init(w, next, a, tag) != FG_OK || !next->direct) return NULL;
  next->needed = p->needed; /* of either part */
  return next;
}

/* Lines of a stage beyond L1, which the next iteration finds elsewhere, within pages. */
static bool moves_on(const fg_writer *w, const fg_access_plan *p) {
  int digit = inner_loop(w);
  if (!w->e->d->fetch || w->lanes == 1 || digit < 0 || p->rest || p->npred) return false;
  if (fg_forward_is_tracked(w, p) || p->a->index.at.offset.form != FG_NUM_CONST) return false;
  int64_t all = fg_lower_stage_bytes(w),
          step = fg_prefetch_step(w, p->a, digit) * 2 * fg_precision_bytes(w->e->precision);
  return all >= limit->apart_least && all <= limit->apart_most && step % fg_program_page(w->e->p) != 0;
}

/* What the next iteration stores; NULL: hardware fetches it, or it would evict what this one does, and what is still to
 * leave of the iteration before (software_pipeline.c). */
static fg_access_plan *next_stores(fg_writer *w) {
  const fg_access_plan *p = &w->store;
  bool lines =
      p->b->layout == FG_LAYOUT_INTERLEAVED || (p->b->layout == FG_LAYOUT_BLOCKED && !w->stage->vectors.packed);
  if (!lines || p->a->stream || !moves_on(w, p) || !is_apart(w, p)) return NULL;
  return fg_prefetch_plan(w, p, fg_prefetch_step(w, p->a, inner_loop(w)), 'n');
}

/* What the next iteration loads, where the lines of an iteration are more than their set of L1 holds at once. */
static fg_access_plan *next_loads(fg_writer *w) {
  const fg_access_plan *p = &w->load;
  int64_t apart = fg_prefetch_step(w, p->a, p->a->reg) * 2 * fg_precision_bytes(w->e->precision);
  bool meet =
      p->move == FG_MOVE_CONTIG && p->slots > limit->apart_lines && apart && apart % fg_program_page(w->e->p) == 0;
  if (p->b->layout != FG_LAYOUT_INTERLEAVED || !meet || !moves_on(w, p)) return NULL;
  return fg_prefetch_plan(w, p, fg_prefetch_step(w, p->a, inner_loop(w)), 'l');
}

/* ---- from end to end ---------------------------------------------------------------- */

/* The outer digits of an address, which count what follows each other end to end, as terms; elements of one of these.
 * 0: they do not, or it is not known. */
static int64_t end_to_end(const fg_writer *w, const fg_access *a, fg_affine *at) {
  int64_t one = 0, run = 0;
  at->nterm = 0;
  for (int i = w->section.nouter - 1; i >= 0; i--) {
    const fg_digit *d = &w->k->digit[w->section.outer[i]];
    fg_num coef = fg_affine_coef(&a->index.at, w->section.outer[i]);
    if (coef.form != FG_NUM_CONST || coef.n <= 0 || d->step != 1 || d->extent.form != FG_NUM_CONST) return 0;
    if (run && coef.n != run) return 0;
    if (!run) one = coef.n;
    run = coef.n * d->extent.n;
    at->term[at->nterm++] = (fg_term){.digit = w->section.outer[i], .coef = coef};
  }
  return one;
}

static bool is_fixed(const fg_digit *d) { return d->extent.form == FG_NUM_CONST && d->start.form == FG_NUM_CONST; }

/* Numbers of one array, which a kernel accesses from end to end, tile after tile; 0: it does not. */
static int64_t tile_of(const fg_writer *w, int array) {
  const fg_access *a = access_to(w, array);
  fg_affine outer;
  int64_t one = a ? end_to_end(w, a, &outer) : 0, reach = 0;
  if (!one || !lies_plain(w, a)) return 0;
  for (int t = 0; t < a->index.at.nterm; t++) {
    const fg_term *term = &a->index.at.term[t];
    const fg_digit *d = &w->k->digit[term->digit];
    if (fg_affine_mentions(&outer, term->digit)) continue;
    if (term->coef.form != FG_NUM_CONST || term->coef.n < 0 || !is_fixed(d)) return 0;
    reach += term->coef.n * fg_digit_value(d, d->extent.n - 1, NULL);
  }
  return reach < one ? one : 0;
}

/* A stage's iterations share `all` numbers out among them: where each begins, as terms, and how many it has. */
static bool share_out(const fg_writer *w, int64_t all, fg_affine *at, int64_t *each) {
  int64_t iterations = 1;
  int first = at->nterm;
  for (int i = w->stage->nloop - 1; i >= w->stage->vectors.tiles; i--) {
    const fg_digit *d = &w->k->digit[w->stage->loop[i]];
    if (w->stage->loop[i] == w->stage->vectors.lane) continue;
    if (d->role != FG_ROLE_LOOP || d->extent.form != FG_NUM_CONST) return false;
    if (at->nterm == FG_MAX_TERMS) return false;
    at->term[at->nterm++] = (fg_term){.digit = w->stage->loop[i], .coef = fg_num_const(iterations)};
    iterations *= d->extent.n;
  }
  *each = ((all + iterations - 1) / iterations + w->lanes - 1) / w->lanes * w->lanes;
  for (int t = first; t < at->nterm; t++) {
    int64_t run = at->term[t].coef.n * *each, step = w->k->digit[at->term[t].digit].step;
    if (run % step) return false;
    at->term[t].coef.n = run / step;
  }
  return true;
}

/* One of the two arrays from end to end, in the tile `after` this one, an iteration's share after the other. */
static void sweep(fg_writer *w, int number, int array, int64_t after) {
  const fg_access *model = access_to(w, array);
  const fg_buffer *b = &w->e->p->buffer[model->buffer];
  fg_access_plan *place = fg_arena_new(w->arena, fg_access_plan, 1);
  fg_access *a = fg_arena_new(w->arena, fg_access, 1);
  int64_t each, one = tile_of(w, array);
  *a = *model;
  a->rest = NULL;
  a->move = FG_MOVE_NONE;
  a->index.at.offset = fg_num_const(after * one);
  end_to_end(w, model, &a->index.at);
  if (!share_out(w, one, &a->index.at, &each)) return;
  if (fg_access_plan_init(w, place, a, array == FG_BUFFER_OUT ? 'o' : 'n') != FG_OK || !place->direct) return;
  w->fetch[number] = place;
  w->fetch_how[number] = array == FG_BUFFER_OUT ? FG_FETCH_STORE : FG_FETCH_LOAD;
  w->fetch_lines[number] =
      (int)((each * fg_buffer_bytes(b) / b->size + fg_program_line(w->e->p) - 1) / fg_program_line(w->e->p));
}

/* The last of a section's stages of vectors, but for what fills none of its vectors. */
bool fg_prefetch_is_last(const fg_writer *w) {
  for (const fg_stage *s = w->stage + 1; s < w->section.end; s++)
    if (fg_stage_lanes(w->k, s) > 1 && !fg_stage_is_rest(w->k, s)) return false;
  return true;
}

static bool is_in_first(const fg_writer *w) { return w->k == w->e->p->kernel[0] && w->section.first == w->k->stage; }

static bool is_in_last(const fg_writer *w) {
  return w->k == w->e->p->kernel[w->e->p->nkernel - 1] && w->section.end == w->k->stage + w->k->nstage;
}

/* The last kernel of a convolution, whose rows are where they came to. */
static bool returns_rows(const fg_writer *w) {
  const fg_program *p = w->e->p;
  bool last = fg_program_sections(p) > 1 && is_in_last(w);
  return last && fg_problem_kind_convolves(p->problem.kind) &&
         fg_buffer_root(p, w->section.first->load.buffer) == FG_BUFFER_OUT;
}

/* Transforms, or a few rows at a time, of arrays that leave L2, which is small. */
static bool is_swept(const fg_writer *w) {
  const fg_program *p = w->e->p;
  bool returns = returns_rows(w);
  if (!w->e->d->fetch || p->problem.in_place || !fg_small_l2(p) || (!is_in_first(w) && !returns)) return false;
  if (w->lanes == 1 || w->section.end - w->section.first < 2 || !w->section.nouter) return false;
  int64_t all = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  int64_t out = tile_of(w, FG_BUFFER_OUT), in = returns ? out : tile_of(w, FG_BUFFER_IN);
  int64_t bytes = (in + out) * 2 * fg_precision_bytes(w->e->precision);
  if (fg_program_sections(p) > 1) return fg_program_fetches_rows(p) && in && bytes <= limit->swept_rows;
  return all >= fg_l2_bytes(p) && in && bytes <= limit->swept_most;
}

/* The output of this transform where the input is read, the next one's input where this one's output is written. Of
 * those in one function the next one's input alone, and nothing of short ones: hardware knows what follows them. */
static void prepare_sweeps(fg_writer *w) {
  bool joined = fg_kernel_is_joined(w->k);
  if (returns_rows(w)) {
    if (fg_prefetch_is_last(w)) sweep(w, 1, FG_BUFFER_OUT, 1);
    return;
  }
  if (joined && tile_of(w, FG_BUFFER_IN) * 2 * fg_precision_bytes(w->e->precision) < limit->swept_least) return;
  bool reads = fg_buffer_root(w->e->p, w->load.a->buffer) == FG_BUFFER_IN;
  bool past = w->section.end[-1].store.stream; /* its lines are not wanted in caches */
  if (!joined && !past && reads && tile_of(w, FG_BUFFER_OUT)) sweep(w, 0, FG_BUFFER_OUT, 0);
  if (fg_prefetch_is_last(w)) sweep(w, 1, FG_BUFFER_IN, 1);
}

/* ---- spectra of the caller's ---------------------------------------------------------- */

/* The outermost loop of a stage; -1: there is none. */
static int outer_loop(const fg_writer *w) {
  int first = w->stage->vectors.tiles, digit = w->stage->nloop > first ? w->stage->loop[first] : -1;
  if (digit < 0 || digit == w->stage->vectors.lane) return -1;
  const fg_digit *d = &w->k->digit[digit];
  return d->role == FG_ROLE_LOOP && d->extent.form == FG_NUM_CONST && !fg_digit_is_clipped(d) ? digit : -1;
}

/* Iterations by which a row is fetched before its use: of short codelets several, since one takes less time than
 * memory.
 */
static int64_t ahead(const fg_writer *w) {
  int64_t n = w->k->digit[outer_loop(w)].extent.n, most = n / 4;
  int64_t iterations = (limit->spectrum_ahead + w->codelet->nnode - 1) / w->codelet->nnode;
  return fg_larger(1, fg_smaller(iterations, most));
}

/* Rows of a spectrum that L2 does not hold: a product waits for each, as one codelet is all that a CPU sees ahead. The
 * next iterations', as long as they do not push each other out of L2. */
static bool fetches_spectrum(fg_writer *w) {
  const fg_program *p = w->e->p;
  if (!w->e->d->fetch || w->lanes == 1 || !w->stage->factors.has_more || outer_loop(w) < 0) return false;
  const fg_buffer *b = &p->buffer[w->more.a->buffer];
  bool whose = b->space == FG_SPACE_GIVEN || b->space == FG_SPACE_TABLE;
  if (!whose || fg_buffer_bytes(b) <= fg_l2_bytes(p)) return false;
  int number = 1;
  for (fg_access_plan *x = &w->more; x && number < 3; x = x->rest, number++) {
    int64_t element = fg_buffer_bytes(b) / b->size, apart = fg_prefetch_step(w, x->a, x->a->reg) * element;
    int64_t met = x->slots * fg_gcd(apart < 0 ? -apart : apart, limit->l2_way_bytes);
    bool rows = x->move == FG_MOVE_CONTIG || x->move == FG_MOVE_REVERSE;
    if (!rows || !apart || x->npred || met > limit->l2_ways * limit->l2_way_bytes) return false;
    w->fetch[number] =
        fg_prefetch_plan(w, x, ahead(w) * fg_prefetch_step(w, x->a, outer_loop(w)), number == 1 ? 'n' : 'o');
    w->fetch_how[number] = FG_FETCH_LATER;
  }
  w->fetches_spectrum = true;
  return true;
}

/* ---- what a stage brings near --------------------------------------------------------- */

void fg_prefetch_prepare(fg_writer *w) {
  if (fetches_spectrum(w) || fg_stage_is_rest(w->k, w->stage)) return;
  if (is_swept(w)) {
    prepare_sweeps(w);
    return;
  }
  if (fg_prefetch_tile(w)) return;
  if (fg_small_l2(w->e->p) || !is_wanted(w)) {
    w->fetch[0] = next_loads(w);
    w->fetch_most[0] = limit->apart_lines; /* which find room beside those of this iteration */
    w->fetch[1] = next_stores(w);
    w->fetch_how[1] = FG_FETCH_STORE;
    return;
  }
  bool in = fg_buffer_root(w->e->p, w->load.a->buffer) == FG_BUFFER_IN;
  bool out = fg_buffer_root(w->e->p, w->store.a->buffer) == FG_BUFFER_OUT;
  int64_t one = distance(w, FG_BUFFER_IN) * 2 * fg_precision_bytes(w->e->precision);
  bool joined = fg_kernel_is_joined(w->k);
  if (joined && one > 0 && 2 * one <= limit->prefetch_ahead) {
    if (in) w->fetch[0] = make_place(w, &w->load, FG_BUFFER_IN, 'o', (limit->prefetch_ahead + one - 1) / one);
    return;
  }
  if (in) w->fetch[0] = make_place(w, &w->load, FG_BUFFER_OUT, 'o', joined);
  w->fetch_how[0] = FG_FETCH_STORE;
  if (!out) return;
  w->fetch[1] = make_place(w, &w->store, FG_BUFFER_IN, 'n', 1);
  if (w->store.rest) w->fetch[2] = make_place(w, w->store.rest, FG_BUFFER_IN, 'm', 1);
}

/* Put aside. */
static void write_fetch(fg_writer *w, int number, const fg_component *spot) {
  fg_coder *c = w->e->coder;
  int32_t from = fg_coder_position(c), count;
  fg_value_fetch(w, fg_access_plan_pointer(w, w->fetch[number], spot), w->fetch_how[number]);
  const int32_t *taken = fg_coder_take(c, from, &count);
  if (w->nfetch + count > w->most_fetch) {
    w->most_fetch = 2 * w->most_fetch + count + 64;
    w->fetches = fg_arena_more(w->arena, w->fetches, w->nfetch, w->most_fetch);
  }
  memcpy(w->fetches + w->nfetch, taken, sizeof *taken * (size_t)count);
  w->nfetch += count;
}

/* The j-th line from a place on. */
static fg_component line_spot(const fg_writer *w, int number, int j) {
  const fg_access_plan *p = w->fetch[number];
  int64_t line = fg_program_line(w->e->p) / (p->scale * fg_precision_bytes(w->e->precision));
  bool halves = p->b->layout == FG_LAYOUT_BLOCKED &&
                p->b->block * fg_precision_bytes(w->e->precision) == fg_program_line(w->e->p);
  if (p->b->layout == FG_LAYOUT_SPLIT) return (fg_component){.elements = j / 2 * line, .part = j % 2};
  if (!halves) return (fg_component){.elements = j * line};
  return (fg_component){.elements = j / 2 * (int64_t)p->b->block, .part = j % 2};
}

void fg_prefetch_open(fg_writer *w) {
  for (int i = 0; i < 3; i++)
    if (w->fetch[i]) fg_access_plan_open(w, w->fetch[i]);
  w->nfetch = 0;
  w->fetch_from = fg_coder_position(w->e->coder);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < w->fetch_lines[i] * (w->fetch_rows[i] ? w->fetch_rows[i] : 1); j++) {
      fg_component spot = line_spot(w, i, j % w->fetch_lines[i]);
      spot.elements += j / w->fetch_lines[i] * w->fetch_pitch[i];
      write_fetch(w, i, &spot);
    }
}

/* Vectors of a line follow each other: one of them fetches it. */
static bool begins_line(fg_writer *w, int place, int lanes) {
  int together = fg_program_line(w->e->p) / (lanes * fg_precision_bytes(w->e->precision));
  return together < 2 || w->fetch_count[place]++ % together == 0;
}

void fg_prefetch(fg_writer *w, const fg_access_plan *p, const fg_component *spot, int lanes) {
  const fg_access_plan *const usual[] = {&w->load, &w->store, w->store.rest};
  const fg_access_plan *const spectrum[] = {&w->load, &w->more, w->more.rest};
  const fg_access_plan *const *from = w->fetches_spectrum ? spectrum : usual;
  for (int i = 0; i < 3; i++) {
    if (p != from[i] || !w->fetch[i] || w->fetch_lines[i] || !begins_line(w, i, lanes)) continue;
    if (w->fetch_most[i] && w->fetched[i]++ >= w->fetch_most[i]) continue;
    write_fetch(w, i, spot);
  }
}

static int64_t statements_of(const fg_coder *c, const int32_t *number, int32_t count) {
  int64_t statements = 0;
  for (int32_t i = 0; i < count; i++) statements += fg_coder_is_statement(c, number[i]);
  return statements;
}

void fg_prefetch_spread(fg_writer *w) {
  fg_coder *c = w->e->coder;
  int32_t count, next = 0;
  if (!w->nfetch) return;
  const int32_t *order = fg_coder_take(c, w->fetch_from, &count);
  int64_t fetches = statements_of(c, w->fetches, w->nfetch), lines = statements_of(c, order, count), written = 0,
          line = 0;
  for (int32_t i = 0; i < count; i++) {
    fg_coder_put(c, order[i]);
    if (!fg_coder_is_statement(c, order[i])) continue;
    for (line++; written * lines < line * fetches; written++) {
      while (!fg_coder_is_statement(c, w->fetches[next])) fg_coder_put(c, w->fetches[next++]);
      fg_coder_put(c, w->fetches[next++]);
    }
  }
  for (; next < w->nfetch; next++) fg_coder_put(c, w->fetches[next]);
}
