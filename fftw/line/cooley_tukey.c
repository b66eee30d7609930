/* Decimation in time (Cooley and Tukey, 1965): a leaf pass from the input to the output, then twiddle passes in place.
 *
 * n = L R1 R2 ... Rk. The leaf transforms L elements each, n / L apart, and writes them one behind the other where the
 * passes want them; pass i makes blocks of L R1 ... Ri points of Ri neighbouring ones. Large arrays are finished block
 * by block, as far as a block fits L2. Where L has no codelet, a line of its own transforms copies of its elements. */
#include "fftw/line/method.h"
#include <math.h>
#include <string.h>

enum { NEAR = 1 << 18 /* bytes of a block whose passes follow each other at once */ };

static bool applies(fg_line_type type, int64_t n) {
  return fg_line_type_is_complex(type) && fg_radices_rest(n) < n && n > 1;
}

/* `times`: columns that lie side by side in each number's place. */
static bool add_passes(fg_line *l, const fg_radices *r, int64_t times) {
  int64_t columns = r->leaf;
  for (int i = 0; i < r->count; i++) {
    fg_pass *p = &l->pass[l->npass++];
    *p = (fg_pass){.codelets = fg_codelets_find(r->radix[i]), .columns = columns};
    p->factors = fg_twiddles_get(r->radix[i], columns, times, fg_line_direction(l->type));
    if (!p->factors) return false;
    int64_t codelets = l->n / r->radix[i];
    double times = (double)codelets, products = (double)(r->radix[i] - 1);
    l->flops.add += times * p->codelets->add, l->flops.fma += times * (p->codelets->fma + 2 * products);
    l->flops.mul += times * 2 * products;
    columns *= r->radix[i];
  }
  return true;
}

static bool create(fg_line *l) {
  fg_radices r = fg_radices_choose(l->n);
  int64_t count = l->n / r.leaf;
  double leaves = (double)count;
  const fg_codelets *leaf = fg_codelets_find(r.leaf);
  l->codelets = leaf && leaf->leaf[0] ? leaf : NULL;
  if (l->codelets)
    fg_flops_add(&l->flops, &(fg_flops){.add = l->codelets->add, .fma = l->codelets->fma}, leaves);
  else if (!fg_line_stand_on(l, 0, l->type, r.leaf, leaves))
    return false;
  if (l->part[0]) l->work = 2 * (size_t)r.leaf + l->part[0]->work;
  return add_passes(l, &r, 1);
}

/* ---- the leaf pass ------------------------------------------------------------ */

typedef struct leaf_pass {
  const fg_line *l;
  const fg_complex *in;
  fg_complex *out;
  fg_real *work;
  int64_t stride; /* of a leaf's elements */
} leaf_pass;

static void run_line_leaf(const leaf_pass *p, const fg_complex *in, fg_complex *out) {
  const fg_line *part = p->l->part[0];
  fg_complex *copy = (fg_complex *)p->work;
  for (int64_t j = 0; j < part->n; j++) copy[j] = in[j * p->stride];
  fg_line_run(part, p->work, (fg_real *)out, p->work + 2 * part->n);
}

/* `count` leaves: elements of the next one lie 1 further, its results `far`. */
static void run_leaves(const leaf_pass *p, const fg_complex *in, fg_complex *out, int64_t count, int64_t far) {
  const fg_line *l = p->l;
  if (l->codelets)
    l->codelets->leaf[fg_line_direction(l->type)]((const fg_real *)in, (fg_real *)out, p->stride, count, far);
  else
    for (int64_t i = 0; i < count; i++) run_line_leaf(p, in + i, out + i * far);
}

/* The digits of the passes from number `pass` down to 1; those of the last pass are neighbours. */
static void run_digits(const leaf_pass *p, int pass, const fg_complex *in, fg_complex *out, int64_t step) {
  const fg_line *l = p->l;
  if (pass < 0) {
    int64_t last = l->npass - 1;
    run_leaves(p, in, out, l->pass[last].codelets->n, l->pass[last].columns);
    return;
  }
  const fg_pass *of = &l->pass[pass];
  for (int i = 0; i < of->codelets->n; i++)
    run_digits(p, pass - 1, in + i * step, out + i * of->columns, step * of->codelets->n);
}

/* ---- the passes ---------------------------------------------------------------- */

static void run_pass(const fg_line *l, int pass, fg_complex *data, int64_t points) {
  const fg_pass *p = &l->pass[pass];
  int64_t block = p->codelets->n * p->columns;
  fg_codelet_twiddle codelet = p->codelets->twiddle[fg_line_direction(l->type)];
  for (int64_t at = 0; at < points; at += block)
    codelet((fg_real *)(data + at), p->factors->number, p->columns, p->columns);
}

/* The passes up to number `last` on a block of as many points as it makes. */
static void run_passes(const fg_line *l, int last, fg_complex *data) {
  if (last < 0) return;
  const fg_pass *p = &l->pass[last];
  int64_t points = p->codelets->n * p->columns;
  if (points * (int64_t)sizeof *data <= NEAR) {
    for (int i = 0; i <= last; i++) run_pass(l, i, data, points);
    return;
  }
  for (int i = 0; i < p->codelets->n; i++) run_passes(l, last - 1, data + i * p->columns);
  run_pass(l, last, data, points);
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int last = l->npass - 1;
  leaf_pass p = {.l = l, .in = (const fg_complex *)in, .out = (fg_complex *)out, .work = work};
  p.stride = l->pass[last].codelets->n * l->pass[last].columns / (l->codelets ? l->codelets->n : l->part[0]->n);
  run_digits(&p, last - 1, p.in, p.out, l->pass[last].codelets->n);
  run_passes(l, last, p.out);
}

const fg_line_method fg_line_cooley_tukey = {"ct", applies, create, NULL, run};

/* ---- columns side by side -------------------------------------------------------- */

/* The same with FG_LINE_COLUMNS numbers in each number's place: a leaf is so many columns, and a pass has so many times
 * its columns, whose factors are as many times in its table. Nothing is transposed. */
static bool columns_applies(fg_line_type type, int64_t n) {
  return (type == FG_LINE_COLUMNS_FORWARD || type == FG_LINE_COLUMNS_BACKWARD) && fg_line_has_columns(n);
}

bool fg_line_has_columns(int64_t n) {
  enum { LONGEST = 1 << 9 }; /* tables stay in L2 */
  const fg_codelets *own = fg_codelets_find(n);
  return n <= LONGEST && n > 1 && fg_radices_rest(n) == 1 && !(own && own->columns[0]);
}

static bool columns_create(fg_line *l) {
  fg_radices r = fg_radices_choose(l->n);
  l->codelets = fg_codelets_find(r.leaf);
  return add_passes(l, &r, FG_LINE_COLUMNS);
}

static void columns_digits(const leaf_pass *p, int64_t row, int pass, const fg_complex *in, fg_complex *out,
                           int64_t step) {
  const fg_line *l = p->l;
  if (pass < 0) {
    l->codelets->columns[fg_line_direction(l->type)]((const fg_real *)in, (fg_real *)out, p->stride * row,
                                                     FG_LINE_COLUMNS, FG_LINE_COLUMNS);
    return;
  }
  const fg_pass *of = &l->pass[pass];
  for (int i = 0; i < of->codelets->n; i++)
    columns_digits(p, row, pass - 1, in + i * step * row, out + i * of->columns * FG_LINE_COLUMNS,
                   step * of->codelets->n);
}

void fg_line_run_columns(const fg_line *l, const fg_complex *in, int64_t stride, fg_complex *out) {
  leaf_pass p = {.l = l, .stride = l->n / l->codelets->n};
  columns_digits(&p, stride, l->npass - 1, in, out, 1);
  for (int i = 0; i < l->npass; i++) {
    const fg_pass *pass = &l->pass[i];
    int64_t columns = pass->columns * FG_LINE_COLUMNS, block = pass->codelets->n * columns;
    for (int64_t at = 0; at < l->n * FG_LINE_COLUMNS; at += block)
      pass->codelets->twiddle[fg_line_direction(l->type)]((fg_real *)(out + at), pass->factors->number, columns,
                                                          columns);
  }
}

static void columns_run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  (void)work;
  fg_line_run_columns(l, (const fg_complex *)in, FG_LINE_COLUMNS, (fg_complex *)out);
}

const fg_line_method fg_line_columns = {"ct-columns", columns_applies, columns_create, NULL, columns_run};
