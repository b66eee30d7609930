/* See across.h. Decimation in time over columns: a pass reads rows of neighbouring numbers and writes such rows, and
 * all columns share its factors. Nothing is transposed.
 *
 * n = L R1 ... Rk. The leaf stores from the input to memory, each pass from there to other memory, the last one to the
 * output; so results may overwrite the inputs. */
#include "fftw/line/across.h"
#include "fftw/line/method.h"
#include "fftw/line/transpose.h"
#include <math.h>

enum { LONGEST = 1 << 10 /* beyond, columns are far from each other */ };
enum { PAD = 64 / sizeof(fg_complex) /* numbers behind each leaf, where rows would share sets of the cache */ };

bool fg_across_has(int64_t n) {
  const fg_codelets *own = fg_codelets_find(n);
  return n > 1 && n <= LONGEST && !(own && own->columns[0]) && isfinite(fg_radices_choose_across(n).cost);
}

static bool applies(fg_line_type type, int64_t n) {
  return (type == FG_LINE_ACROSS_FORWARD || type == FG_LINE_ACROSS_BACKWARD) && fg_across_has(n);
}

static bool create(fg_line *l) {
  fg_radices r = fg_radices_choose_across(l->n);
  int64_t columns = r.leaf;
  l->codelets = fg_codelets_find(r.leaf);
  l->work = 2 * (size_t)(l->n + l->n / r.leaf * PAD) * (r.count > 1 ? 2 : 1);
  for (int i = 0; i < r.count; i++) {
    fg_pass *p = &l->pass[l->npass++];
    *p = (fg_pass){.codelets = fg_codelets_find(r.radix[i]), .columns = columns};
    p->factors = fg_twiddles_get(columns, r.radix[i], r.radix[i], fg_line_direction(l->type));
    if (!p->factors) return false;
    columns *= r.radix[i];
  }
  return true;
}

/* Rows of all columns: of memory with a pad behind each leaf, or none; or of the output. */
typedef struct rows {
  fg_complex *at;
  int64_t stride, leaf, pad;
} rows;

static fg_complex *row(const rows *r, int64_t i) { return r->at + i * r->stride + (r->pad ? i / r->leaf * r->pad : 0); }

static int64_t distance(const rows *r, int64_t count) { return count * r->stride + count / r->leaf * r->pad; }

typedef struct leaves {
  const fg_line *l;
  fg_codelet_columns codelet;
  int64_t is, count; /* of the columns */
  rows to;
} leaves;

/* The digits of the passes from number `pass` down; `step` rows of the input from a digit's element to the next. */
static void run_leaves(const leaves *a, int pass, const fg_complex *in, fg_complex *out, int64_t step) {
  if (pass < 0) {
    a->codelet((const fg_real *)in, (fg_real *)out, step * a->is, a->to.stride, a->count);
    return;
  }
  const fg_pass *p = &a->l->pass[pass];
  for (int i = 0; i < p->codelets->n; i++)
    run_leaves(a, pass - 1, in + i * step * a->is, out + i * distance(&a->to, p->columns), step * p->codelets->n);
}

static void run_pass(const fg_line *l, const fg_pass *p, const rows *from, const rows *to, int64_t count) {
  fg_codelet_across codelet = p->codelets->across[l->type == FG_LINE_ACROSS_BACKWARD];
  int64_t radix = p->codelets->n, block = radix * p->columns;
  int64_t is = distance(from, p->columns), os = distance(to, p->columns);
  for (int64_t at = 0; at < l->n; at += block)
    for (int64_t b = 0; b < p->columns; b++)
      codelet((const fg_real *)row(from, at + b), (fg_real *)row(to, at + b), p->factors->number + 2 * b * radix, is,
              os, count);
}

/* A pass whose rows share sets of the cache. */
static bool meets(const fg_line *l, int64_t count) {
  for (int i = 0; i < l->npass; i++)
    if (fg_radices_meet(l->pass[i].codelets->n, l->pass[i].columns * count)) return true;
  return false;
}

/* ---- few columns ------------------------------------------------------------------- */

enum { FEWEST = 2, MOST = FG_FEW - 1, BYTES = 1 << 17 /* of all columns together */ };

bool fg_across_has_few(int64_t n, int64_t count) {
  return count >= FEWEST && count <= MOST && n * count * (int64_t)sizeof(fg_complex) <= BYTES && fg_across_has(n) &&
         fg_radices_rest(n) == 1;
}

static bool is_few(fg_line_type type) { return type == FG_LINE_FEW_FORWARD || type == FG_LINE_FEW_BACKWARD; }

static bool few_applies(fg_line_type type, int64_t n) {
  return is_few(type) && fg_across_has_few(n / FG_FEW, n % FG_FEW);
}

/* Columns that fill vectors of 32 bytes take the longest leaf, which has no factors. */
static fg_radices choose_few(int64_t n, int64_t count) {
  enum { LEAF = 64, NARROW = 32 / sizeof(fg_complex), RADIX = 8 };
  const fg_codelets *last = n % LEAF || n > RADIX * LEAF ? NULL : fg_codelets_find(n / LEAF);
  if (count % NARROW || !last || !last->twiddle[0]) return fg_radices_choose(n);
  return (fg_radices){.leaf = LEAF, .count = 1, .radix = {last->n}};
}

static bool few_create(fg_line *l) {
  int64_t n = l->n / FG_FEW, count = l->n % FG_FEW;
  fg_radices r = choose_few(n, count);
  int64_t columns = r.leaf;
  l->codelets = fg_codelets_find(r.leaf);
  l->work = 2 * (size_t)(n * count);
  for (int i = 0; i < r.count; i++) {
    fg_pass *p = &l->pass[l->npass++];
    *p = (fg_pass){.codelets = fg_codelets_find(r.radix[i]), .columns = columns};
    p->factors = fg_twiddles_get_for(count, r.radix[i], columns, fg_line_direction(l->type));
    if (!p->factors) return false;
    columns *= r.radix[i];
  }
  return true;
}

static void scale_all(fg_complex *x, int64_t n, fg_real scale) {
  fg_real *numbers = (fg_real *)x;
  if (scale == 1) return;
  for (int64_t i = 0; i < 2 * n; i++) numbers[i] *= scale;
}

/* Passes in place, in the output where rows are dense there and not the input's. */
static void run_few(const fg_line *l, const fg_columns *c, fg_real *work) {
  int64_t n = l->n / FG_FEW, count = c->count;
  bool there = c->in != c->out && c->os == count;
  fg_complex *to = there ? c->out : (fg_complex *)work;
  leaves a = {l, l->codelets->columns[fg_line_direction(l->type)], c->is, count, {to, count, l->codelets->n, 0}};
  run_leaves(&a, l->npass - 1, c->in, to, 1);
  scale_all(to, n * count, c->scale);
  for (int i = 0; i < l->npass; i++) {
    const fg_pass *p = &l->pass[i];
    fg_codelet_twiddle codelet = p->codelets->twiddle[fg_line_direction(l->type)];
    int64_t block = p->codelets->n * p->columns;
    for (int64_t at = 0; at < n; at += block)
      codelet((fg_real *)(to + at * count), p->factors->number, p->columns * count, p->columns * count);
  }
  if (!there) fg_copy_rows((fg_matrix){(fg_real *)c->out, 2 * c->os}, (fg_matrix){work, 2 * count}, n, 2 * count);
}

/* Complex numbers from a row in memory to the next: rows begin where vectors do, but for few columns. */
static int64_t row_of(int64_t count) { return count < PAD ? count : (count + PAD - 1) / PAD * PAD; }

size_t fg_across_work(const fg_line *l, int64_t count) {
  return is_few(l->type) ? l->work : (size_t)row_of(count) * l->work + FG_LINE_ALIGN / sizeof(fg_real);
}

void fg_across_run(const fg_line *l, const fg_columns *c, fg_real *work) {
  if (is_few(l->type)) {
    run_few(l, c, work);
    return;
  }
  int64_t leaf = l->codelets->n, row = row_of(c->count), pad = meets(l, row) ? PAD : 0;
  int64_t whole = l->n * row + l->n / leaf * pad;
  rows from = {(fg_complex *)fg_line_aligned(work), row, leaf, pad}, to = from, out = {c->out, c->os, leaf, 0};
  to.at += whole;
  leaves a = {l, l->codelets->columns[l->type == FG_LINE_ACROSS_BACKWARD], c->is, c->count, from};
  run_leaves(&a, l->npass - 1, c->in, from.at, 1);
  for (int i = 0; i < l->npass - 1; i++) {
    run_pass(l, &l->pass[i], &from, &to, c->count);
    rows other = from;
    from = to, to = other;
  }
  scale_all(from.at, whole, c->scale);
  run_pass(l, &l->pass[l->npass - 1], &from, &out, c->count);
}

const fg_line_method fg_line_few = {"few", few_applies, few_create, NULL, NULL};
const fg_line_method fg_line_across = {"across", applies, create, NULL, NULL};
