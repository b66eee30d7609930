/* Inputs of a sample that are not zero. In: a program's footprints. Out: for each axis few indices, or all of them;
 * of one dimension, classes of indices, or a list of them.
 *
 * The idea: an axis that blocks of the first kernel hold as a whole has all of its indices, so that codelets have
 * inputs that are not zero; of others few indices are enough, at their ends and random ones. */
#include "generator/prove/block_inputs.h"
#include "generator/base/integer.h"
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/block_paths.h"
#include "generator/prove/block_tiles.h"
#include "generator/prove/codelets_alone.h"
#include <stdlib.h>
#include <string.h>

enum {
  INDICES = 12,
  CUT_INDICES = 16,
  SPARSE_INDICES = 8, /* of a cut dimension: some beside each other */
  NEAR_PLACES = 6,    /* the same, of single stages */
  LONGEST = 1 << 16,  /* axis that is transformed in one */
  TRIES = 64,         /* to draw a block of a class */
  SMALL = 512,        /* inputs of a block that a list may have all of */
  LISTED = 64,        /* of each, about */
  FACTORS = 48,       /* the same of a spectrum */
  RUN = 32,           /* indices side by side: of all columns that a block, or its vectors, may have of a tile */
  ON_A_WAY = 8,       /* the same of a block that others depend on */
  AROUND = 48,        /* elements of a block whose neighbours are small */
  OF_SMALL = 2,       /* inputs of each of these */
  ARE_AROUND = 2,     /* kernels with such blocks */
  MOST_LISTED = 2048
};

/* Digits at their ends or between. */
static int64_t any_block(fg_block_sample_maker *k, const fg_footprints *x) {
  int64_t block = 0;
  for (int i = 0; i < x->number.ndigit; i++) {
    int64_t n = x->number.extent[i], usual[] = {0, 1 % n, n - 1};
    uint64_t which = fg_random_below(8, &k->random);
    block += x->number.div[i] * (which < 3 ? usual[which] : (int64_t)fg_random_below((uint64_t)n, &k->random));
  }
  return block % x->number.blocks;
}

/* Of a class the first, the second and the last block, and others. */
int64_t fg_block_sample_drawn(fg_block_sample_maker *k, const fg_footprints *x, int class, int number) {
  const fg_block_classes *c = &x->classes;
  if (number >= c->blocks[class] || !number) return c->first[class];
  if (number == 1) return fg_block_classes_next(&x->classes, x->number.blocks, class, c->first[class]);
  if (number == 2) return c->last[class];
  for (int tries = 0; tries < TRIES; tries++) {
    int64_t block = any_block(k, x);
    if (fg_block_classes_of(c, block) == class) return block;
  }
  return fg_block_classes_next(&x->classes, x->number.blocks, class, c->first[class]);
}

/* The codelets of a pass over reals whose columns are the first and the middle one. */
static bool has_own_columns(fg_codelet_kind kind) {
  static const fg_codelet_kind some[] = {FG_CODELET_R2C,     FG_CODELET_R2C_ODD,       FG_CODELET_C2R,
                                         FG_CODELET_C2R_ODD, FG_CODELET_CONVOLVE_REAL, FG_CODELET_CONVOLVE_ODD};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    if (some[i] == kind) return true;
  return false;
}

/* By radix r of n reals, these have the multiples of n / 2r; loops over the other columns end beside them. */
static int columns_of(int64_t n, int64_t r, int64_t to[FG_BLOCK_SAMPLE_COLUMNS], int count) {
  int64_t some[] = {1, 2, 3, r - 1};
  for (int i = 0; i < 12; i++) {
    int64_t times = some[i / 3], column = times * (n / (2 * r)) + i % 3 - 1;
    bool fresh = n % (2 * r) == 0 && times > 0 && times < r && count < FG_BLOCK_SAMPLE_COLUMNS;
    for (int j = 0; j < count; j++) fresh = fresh && to[j] != column;
    if (fresh) to[count++] = column;
  }
  return count;
}

int fg_block_sample_columns(const fg_block_sample_maker *k, int64_t to[FG_BLOCK_SAMPLE_COLUMNS]) {
  const fg_problem *q = &k->p->problem;
  int64_t n = q->dim[q->rank - 1].n.n;
  int count = 0;
  for (int i = 0; i < k->p->nkernel && q->kind != FG_C2C && q->kind != FG_CONV; i++)
    for (int s = 0; s < k->p->kernel[i]->nstage; s++) {
      const fg_codelet *c = k->p->kernel[i]->stage[s].codelet;
      if (c && has_own_columns(c->key.kind)) count = columns_of(n, c->key.n, to, count);
    }
  return count;
}

/* Columns of the transform as elements of an array; what is not in the array is left out. Returns how many stay. */
static int place_columns(const fg_tensor_side *side, int64_t *column, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    int64_t at = column[i] < side->span ? fg_tensor_place(side, column[i]) : -1;
    if (at >= 0) column[kept++] = at;
  }
  return kept;
}

/* Unless it is there. */
static void put_index(fg_tensor_form *form, int axis, int64_t index) {
  for (int i = 0; i < form->few[axis]; i++)
    if (form->index[axis][i] == index) return;
  if (form->few[axis] < FG_TENSOR_FEW) form->index[axis][form->few[axis]++] = index;
}

static void choose(fg_block_sample_maker *k, fg_tensor_form *form, int axis, int most) {
  int64_t n = form->length[axis], usual[] = {0, 1, n / 2, n - 1};
  if (n <= most) return;
  for (int i = 0; i < 4; i++) put_index(form, axis, usual[i]);
  while (form->few[axis] < most) put_index(form, axis, (int64_t)fg_random_below((uint64_t)n, &k->random));
}

/* The same where blocks are of few vectors: at six places, or as many as those have vectors, their neighbours in these.
 */
static void choose_near(fg_block_sample_maker *k, fg_tensor_form *form, int axis, int most) {
  int64_t n = form->length[axis];
  choose(k, form, axis, NEAR_PLACES);
  for (int64_t by = 1; by < n && form->few[axis] && form->few[axis] < most; by++)
    for (int i = 0; i < NEAR_PLACES && form->few[axis] < most; i++)
      if ((form->index[axis][i] ^ by) < n) put_index(form, axis, form->index[axis][i] ^ by);
}

/* The same with some side by side. */
static void choose_run(fg_block_sample_maker *k, fg_tensor_form *form, int axis) {
  int64_t n = form->length[axis], run = n / 2 < RUN ? n / 2 : RUN;
  choose(k, form, axis, INDICES);
  int64_t first = (int64_t)fg_random_below((uint64_t)(n - run), &k->random);
  for (int i = 0; i < run && form->few[axis]; i++) put_index(form, axis, first + i);
}

/* Of half of the numbers those, too, that some stage alone makes or takes. */
static void choose_columns(const fg_block_sample_maker *k, fg_tensor_form *form, int axis) {
  int64_t column[FG_BLOCK_SAMPLE_COLUMNS];
  int count = place_columns(&form->in[axis], column, fg_block_sample_columns(k, column));
  for (int i = 0; i < count && form->few[axis]; i++) put_index(form, axis, column[i]);
}

/* Elements of a block that one of the form's has. */
static int elements_per(const fg_block_sample_maker *k, const fg_footprint *x) {
  return x->spectrum ? 1 : k->inputs_per;
}

typedef struct held { /* what a block loads of the input, or of the spectrum; of a tile's first stage, all of its blocks
                       */
  const fg_footprint *part; /* that the block has first */
  int kernel;
  int64_t block, count; /* blocks from that one on */
} held;

static bool is_listed(const fg_footprint *x, bool spectrum) {
  return spectrum ? x->spectrum : !x->store && !x->table && x->memory == FG_BUFFER_IN;
}

static int64_t add_indices(const fg_block_sample_maker *k, const fg_tensor_form *form, const fg_footprint *x,
                           int64_t base, int axis, int64_t length, fg_bits *met) {
  int64_t count = 0;
  for (int64_t i = 0; i < x->nspan; i++)
    for (int64_t e = 0; e < x->span[i].count; e++) {
      int64_t element = (base + x->span[i].first + e) / elements_per(k, x);
      int64_t index = fg_tensor_index(form, axis, element) % length;
      count += !fg_bits_get(met, index);
      fg_bits_put(met, index, 1, true);
    }
  return count;
}

/* How many different indices of an axis, taken modulo `length`, are among it. */
static int64_t indices_of(fg_block_sample_maker *k, const fg_tensor_form *form, const held *h, int axis,
                          int64_t length) {
  const fg_footprints *x = &k->s->parts[h->kernel];
  fg_bits met = fg_bits_create(k->cx->arena, length);
  int64_t count = 0;
  for (int64_t b = h->block; b < h->block + h->count; b++)
    for (int i = 0; i < x->npart; i++) {
      const fg_footprint *y = &x->part[i];
      bool among = h->count > 1 ? is_listed(y, h->part->spectrum) : y == h->part;
      if (among && fg_footprints_has(x, y, b))
        count += add_indices(k, form, y, fg_block_sample_base(k, h->kernel, y, b), axis, length, &met);
    }
  return count;
}

int64_t fg_block_sample_elements(const fg_footprint *x) {
  int64_t count = 0;
  for (int64_t i = 0; i < x->nspan; i++) count += x->span[i].count;
  return count;
}

/* One dimension of which each block has all elements of some classes modulo `split`. */
static bool cut(fg_block_sample_maker *k, const held *h) {
  fg_tensor_form *form = &k->s->form;
  int axis = form->batch_axes;
  int64_t n = form->length[axis], elements = fg_block_sample_elements(h->part) / k->inputs_per;
  if (h->count > 1) elements = indices_of(k, form, h, axis, n);
  bool moved = form->in[axis].first || form->in[axis].span > n;
  if (form->in_apart[axis] > 1 || elements < SMALL || moved) return false;
  for (int64_t split = 2; split < n / 2; split++) {
    if (n % split || elements % (n / split) || elements / (n / split) >= split) continue;
    if (indices_of(k, form, h, axis, split) != elements / (n / split)) continue;
    form->axes++;
    form->split = split;
    form->length[axis] = n / split;
    form->in_apart[axis] = split;
    form->length[axis + 1] = split;
    form->in_apart[axis + 1] = 1;
    if (k->cut && !k->sparse)
      choose_near(k, form, axis + 1, CUT_INDICES);
    else
      choose(k, form, axis + 1, k->sparse ? SPARSE_INDICES / 2 + 2 : CUT_INDICES);
    int64_t last = form->few[axis + 1] ? form->index[axis + 1][form->few[axis + 1] - 1] : 0;
    for (int64_t i = 1; k->sparse && form->few[axis + 1] < SPARSE_INDICES && i < split; i++)
      put_index(form, axis + 1, (last + i) % split);
    return form->few[axis + 1] > 0;
  }
  return false;
}

/* Of what a block loads of the input or the spectrum, indices of the last axis: all, or so many random ones. stored:
 * what is no input any more. */
static void list_part(fg_block_sample_maker *k, fg_tensor_form *form, const fg_footprint *x, int64_t base,
                      uint64_t some, const fg_bits *stored) {
  int axis = form->axes - 1, per = elements_per(k, x);
  uint64_t all = (uint64_t)(fg_block_sample_elements(x) / per);
  for (int64_t i = 0; i < x->nspan; i++)
    for (int64_t e = 0; e < x->span[i].count; e += per) {
      int64_t index = fg_tensor_index(form, axis, (base + x->span[i].first + e) / per);
      bool taken = fg_random_below(all, &k->random) < some && form->listed < MOST_LISTED;
      if (stored && fg_bits_any(stored, base + x->span[i].first + e, 1)) continue;
      if (taken && index < form->length[axis]) form->list[form->listed++] = index;
    }
}

/* Whether Bluestein's algorithm makes the transform a convolution. */
static bool has_chirps(const fg_block_sample_maker *k) {
  return k->spectrum >= 0 && fg_footprints_chirps(k->p, k->spectrum);
}

/* What leads to a block. */
static void list_way(fg_block_sample_maker *k, fg_tensor_form *form, bool spectrum, fg_block_at at) {
  do {
    const fg_footprints *x = &k->s->parts[at.kernel];
    for (int i = 0; i < x->npart; i++)
      if (is_listed(&x->part[i], spectrum) && fg_footprints_has(x, &x->part[i], at.block) &&
          (spectrum || !at.kernel || !k->p->problem.in_place))
        list_part(k, form, &x->part[i], fg_block_sample_base(k, at.kernel, &x->part[i], at.block), ON_A_WAY, NULL);
  } while (fg_block_paths_step(k, &at, false));
}

/* Of a kernel with several classes, to a block of each of these. */
static void list_ways(fg_block_sample_maker *k, fg_tensor_form *form, bool spectrum, int kernel) {
  const fg_block_classes *classes = &k->s->parts[kernel].classes;
  for (int c = 0; c < classes->count && classes->count > 1; c++)
    list_way(k, form, spectrum, (fg_block_at){kernel, classes->first[c]});
}

static void sort_list(fg_tensor_form *form) {
  int64_t count = 0;
  qsort(form->list, (size_t)form->listed, sizeof *form->list, fg_rising);
  for (int64_t i = 0; i < form->listed; i++)
    if (!i || form->list[i] != form->list[i - 1]) form->list[count++] = form->list[i];
  form->listed = count;
}

/* All that a kernel's blocks store where the input was. */
static void put_stores(const fg_block_sample_maker *k, int kernel, fg_bits *stored) {
  const fg_footprints *x = &k->s->parts[kernel];
  for (int j = 0; j < x->npart; j++)
    if (x->part[j].store && x->part[j].memory == FG_BUFFER_IN)
      fg_block_sample_put_all(k, stored, kernel, &x->part[j], 0, x->number.blocks);
}

/* A small block that leads to another one. */
static bool list_small(fg_block_sample_maker *k, void *self, const fg_block_at *at) {
  const fg_footprints *x = &k->s->parts[at->kernel];
  bool any = false;
  for (int i = 0; i < x->npart; i++) {
    const fg_footprint *y = &x->part[i];
    bool small = fg_block_sample_elements(y) < SMALL && (!at->kernel || !k->p->problem.in_place);
    if (!small || !is_listed(y, false) || !fg_footprints_has(x, y, at->block)) continue;
    list_part(k, self, y, fg_block_sample_base(k, at->kernel, y, at->block), OF_SMALL, NULL);
    any = true;
  }
  return any;
}

/* Where blocks that load inputs are small, some of each leave most of what a later kernel's block loads zero: so of
 * all those that lead to one. */
static void list_around(fg_block_sample_maker *k, fg_tensor_form *form) {
  for (int i = 1, met = 0; i < k->p->nkernel && met < ARE_AROUND; i++) {
    fg_block_at at = {i, fg_block_sample_drawn(k, &k->s->parts[i], 0, 3)};
    met += fg_block_paths_around(k, &at, false, AROUND, list_small, form) > 0;
  }
}

/* One dimension: a few inputs, or numbers of the spectrum, that blocks of each kernel load which loads any. */
static bool list(fg_block_sample_maker *k, fg_tensor_form *form, bool spectrum) {
  form->list = fg_arena_new(k->cx->arena, int64_t, MOST_LISTED);
  if (spectrum || k->p->problem.kind == FG_C2R)
    form->listed = place_columns(&form->in[form->axes - 1], form->list, fg_block_sample_columns(k, form->list));
  for (int i = 0; i < k->p->nkernel; i++) list_ways(k, form, spectrum, i);
  for (int i = 0; i < k->nmixed; i++) list_way(k, form, spectrum, k->mixed[i]);
  if (!spectrum && (has_chirps(k) || k->cut)) list_around(k, form);
  bool in_place = k->p->problem.in_place && !spectrum;
  fg_bits stored = fg_bits_create(k->cx->arena, in_place ? k->size[FG_BUFFER_IN] : 1);
  for (int i = 0; i < k->p->nkernel; i++) {
    for (int j = 0; j < k->s->parts[i].npart; j++) {
      const fg_footprint *x = &k->s->parts[i].part[j];
      if (!is_listed(x, spectrum)) continue;
      for (int n = 1; n < 5; n++) { /* the second, the last, two random ones */
        int64_t block = fg_block_sample_drawn(k, &k->s->parts[i], x->of, n);
        list_part(k, form, x, fg_block_sample_base(k, i, x, block), spectrum ? FACTORS : LISTED,
                  in_place ? &stored : NULL);
      }
    }
    if (in_place) put_stores(k, i, &stored);
  }
  sort_list(form);
  return form->listed > 0;
}

/* What some block loads first. False: none loads any. */
static bool first_load(const fg_block_sample_maker *k, bool spectrum, held *h) {
  for (int i = 0; i < k->p->nkernel; i++)
    for (int j = 0; j < k->s->parts[i].npart; j++) {
      const fg_footprint *x = &k->s->parts[i].part[j];
      if (!is_listed(x, spectrum)) continue;
      *h = (held){.part = x, .kernel = i};
      h->count = fg_block_sample_tile(k, i, FG_STAGES_BLOCK);
      if (h->count == 1) h->count = fg_block_sample_tile(k, i, FG_STAGES_GROUP);
      h->block = k->s->parts[i].classes.first[x->of] / h->count * h->count;
      return true;
    }
  return false;
}

/* Along the last dimension of c2r there are no zeros: no walk with them tells the inputs of such codelets apart that
 * are not checked by themselves. */
static bool may_be_few(const fg_block_sample_maker *k, int dimension) {
  const fg_problem *q = &k->p->problem;
  return q->rank > 1 && (q->kind != FG_C2R || dimension < q->rank - 1 || fg_prove_codelets_known(k->p));
}

/* A convolution's spectra: axes of the batch, where each transform or channel has its own, along which they are few
 * where inputs are; dimensions that blocks which multiply do not have all of. */
static bool choose_spectrum(fg_block_sample_maker *k) {
  const fg_problem *q = &k->p->problem;
  fg_tensor_form *form = &k->s->spectrum;
  const fg_tensor_form *in = &k->s->form;
  int64_t apart = 1;
  held h;
  if (!first_load(k, true, &h)) return false;
  form->chirps = fg_footprints_chirps(k->p, k->spectrum);
  if (form->chirps) {
    form->axes = 1;
    form->length[0] = form->chirps->cols;
    form->in_apart[0] = 1;
    form->in[0] = (fg_tensor_side){form->length[0], 0, form->length[0]};
    return list(k, form, true);
  }
  form->batch_axes = q->spectra == FG_SPECTRA_EACH ? q->batch_rank : q->spectra == FG_SPECTRA_CHANNEL && q->batch_rank;
  form->axes = form->batch_axes + q->rank;
  for (int i = form->axes - 1; i >= 0; i--) {
    int dimension = i - form->batch_axes, of = q->batch_rank - form->batch_axes + i; /* of the inputs' axes */
    form->length[i] = dimension < 0 ? in->length[of] : fg_problem_spectrum_length(q, dimension);
    form->in_apart[i] = apart;
    apart *= form->length[i];
    form->in[i] = (fg_tensor_side){form->length[i], 0, form->length[i]};
    if (dimension >= 0) continue;
    form->few[i] = in->few[of];
    memcpy(form->index[i], in->index[of], sizeof form->index[i]);
  }
  bool inner = true;
  for (int i = form->axes - 1; i >= form->batch_axes && q->rank > 1; i--) {
    if (indices_of(k, form, &h, i, form->length[i]) == form->length[i]) continue;
    if (inner)
      choose_run(k, form, i);
    else
      choose(k, form, i, INDICES);
    inner = false;
  }
  if (q->kind == FG_RCONV) choose_columns(k, form, form->axes - 1);
  return q->rank > 1 || list(k, form, true);
}

/* Of a dimension: what zeropad and crop leave. */
static fg_tensor_side side_of(const fg_problem *q, int dimension, bool output) {
  const fg_part *kept = fg_problem_part(q, output);
  int64_t n = fg_problem_span(q, dimension, output);
  fg_tensor_side side = {.length = fg_problem_length(q, dimension, output), .span = n};
  if (kept) side.first = kept->first[dimension];
  return side;
}

static bool choose_axes(fg_block_sample_maker *k) {
  const fg_problem *q = &k->p->problem;
  fg_tensor_form *form = &k->s->form;
  bool some = false;
  held h;
  if (!first_load(k, false, &h)) return false;
  form->batch_axes = q->batch_rank;
  form->axes = q->batch_rank + q->rank;
  for (int i = form->axes - 1; i >= 0; i--) {
    bool batch = i < q->batch_rank;
    int64_t n = batch ? fg_num_value(q->batch[i].n, k->params) : fg_problem_length(q, i - q->batch_rank, false);
    form->length[i] = n;
    form->results[i] = batch ? n : fg_problem_span(q, i - q->batch_rank, true);
    form->in[i] = form->out[i] = (fg_tensor_side){n, 0, n};
    if (!batch) form->in[i] = side_of(q, i - q->batch_rank, false), form->out[i] = side_of(q, i - q->batch_rank, true);
    if (batch || (may_be_few(k, i - q->batch_rank) && indices_of(k, form, &h, i, n) < n)) choose(k, form, i, INDICES);
    if (!batch && q->kind == FG_C2R && i == form->axes - 1) choose_columns(k, form, i);
    if (!batch && q->rank > 1 && form->length[i] > LONGEST) return false;
    some |= !batch && form->few[i] > 0;
  }
  if (q->rank > 1) return some;
  return (q->kind != FG_C2R && !has_chirps(k) && cut(k, &h)) || list(k, form, false);
}

/* What some kernel loads of the input before another one stores there, or of the spectrum. */
static fg_bits loaded_of(const fg_block_sample_maker *k, bool spectrum) {
  int64_t size = k->carries[spectrum ? k->spectrum : FG_BUFFER_IN].count;
  fg_bits loaded = fg_bits_create(k->cx->arena, size), stored = fg_bits_create(k->cx->arena, size);
  for (int i = 0; i < k->p->nkernel; i++) {
    const fg_footprints *x = &k->s->parts[i];
    fg_bits now = k->p->problem.in_place && !spectrum ? fg_bits_create(k->cx->arena, size) : loaded;
    for (int j = 0; j < x->npart; j++) {
      const fg_footprint *y = &x->part[j];
      bool input = !y->table && y->memory == FG_BUFFER_IN;
      if (spectrum ? y->spectrum : input && !y->store) fg_block_sample_put_all(k, &now, i, y, 0, x->number.blocks);
    }
    for (int64_t w = 0; now.word != loaded.word && w <= size / 64; w++) loaded.word[w] |= now.word[w] & ~stored.word[w];
    if (now.word != loaded.word) put_stores(k, i, &stored);
  }
  return loaded;
}

/* From this axis on, behind what the indices of the outer ones make. */
static bool has_all(const fg_tensor_form *form, int axis, int64_t first, int per, const fg_bits *loaded) {
  if (axis == form->axes) return fg_bits_any(loaded, first * per, per);
  int64_t apart = form->in_apart[axis], n = form->length[axis];
  if (axis == form->axes - 1 && apart == 1 && fg_bits_all(loaded, first * per, n * per)) return true;
  for (int64_t i = 0; i < n; i++)
    if (!has_all(form, axis + 1, first + apart * i, per, loaded)) return false;
  return true;
}

/* Axes along which blocks of the first kernel do not have all of the input. What no block loads would be zero, and
 * not be missed: then there are none. */
bool fg_block_sample_choose_inputs(fg_block_sample_maker *k) {
  if (!choose_axes(k) || (k->spectrum >= 0 && !choose_spectrum(k))) return false;
  fg_bits loaded = loaded_of(k, false);
  if (!has_all(&k->s->form, 0, 0, k->inputs_per, &loaded)) return false;
  if (k->spectrum >= 0) loaded = loaded_of(k, true);
  return k->spectrum < 0 || has_all(&k->s->spectrum, 0, 0, 1, &loaded);
}

/* From this axis on, behind what the indices of the outer ones make. Returns how many. */
static int64_t mark(const fg_tensor_form *form, int axis, int64_t first, int per, fg_bits *to) {
  if (axis == form->axes) {
    fg_bits_put(to, first * per, per, true);
    return 1;
  }
  bool listed = form->listed && axis == form->axes - 1;
  const int64_t *some = listed ? form->list : form->few[axis] ? form->index[axis] : NULL;
  int64_t count = listed ? form->listed : form->few[axis] ? form->few[axis] : form->length[axis], marked = 0;
  for (int64_t i = 0; i < count; i++)
    marked += mark(form, axis + 1, first + form->in_apart[axis] * (some ? some[i] : i), per, to);
  return marked;
}

void fg_block_sample_mark_inputs(fg_block_sample_maker *k) {
  k->s->inputs = mark(&k->s->form, 0, 0, k->inputs_per, &k->carries[FG_BUFFER_IN]);
  if (k->spectrum >= 0) k->s->factors = mark(&k->s->spectrum, 0, 0, 1, &k->carries[k->spectrum]);
}
