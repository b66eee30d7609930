/* Decimation in time (Cooley and Tukey, 1965): a leaf pass from the input to the output, then twiddle passes in place.
 *
 * n = L R1 R2 ... Rk. The leaf transforms L elements each, n / L apart, and writes them one behind the other where the
 * passes want them; pass i makes blocks of L R1 ... Ri points of Ri neighbouring ones. Large arrays are finished block
 * by block, as far as a block fits L2. Where L has no codelet, a line of its own transforms copies of its elements.
 *
 * Rows that are a multiple of 4096 bytes apart cause conflict misses: panels of them are copied to a buffer, and
 * transformed there. */
#include "fftw/line/method.h"
#include "fftw/line/transpose.h"

enum {
  NEAR = 1 << 18, /* bytes of a block whose passes follow each other at once */
  PANEL = 32,     /* columns */
  WIDEST = 32     /* radix of a pass */
};

static bool applies(fg_line_type type, int64_t n) {
  return fg_line_type_is_complex(type) && fg_radices_rest(n) < n && n > 1;
}

static bool add_passes(fg_line *l, const fg_radices *r) {
  int64_t columns = r->leaf;
  for (int i = 0; i < r->count; i++) {
    fg_pass *p = &l->pass[l->npass++];
    *p = (fg_pass){.codelets = fg_codelets_find(r->radix[i]), .columns = columns};
    p->buffered = fg_radices_meet(r->radix[i], columns);
    p->factors = fg_twiddles_get(r->radix[i], columns, p->buffered ? PANEL : columns, fg_line_direction(l->type));
    if (!p->factors) return false;
    int64_t codelets = l->n / r->radix[i];
    double times = (double)codelets, products = (double)(r->radix[i] - 1);
    l->flops.add += times * p->codelets->add, l->flops.fma += times * (p->codelets->fma + 2 * products);
    l->flops.mul += times * 2 * products;
    columns *= r->radix[i];
  }
  return true;
}

/* A line's, or a panel of rows. */
static size_t more_work(const fg_line *l) {
  bool panel = false;
  for (int i = 0; i < l->npass; i++) panel = panel || l->pass[i].buffered;
  size_t line = l->part[0] ? l->part[0]->work : 0, rows = panel ? 2 * PANEL * WIDEST : 0;
  return line > rows ? line : rows;
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
  l->work = 2 * (size_t)(r.leaf * r.radix[r.count - 1]); /* leaves of neighbours */
  l->over = 2 * (size_t)l->n;
  return add_passes(l, &r) && (l->work += more_work(l), true);
}

/* ---- the leaf pass ------------------------------------------------------------ */

typedef struct leaf_pass {
  const fg_line *l;
  const fg_complex *in;
  fg_complex *out;
  fg_real *work;
  int64_t stride; /* of a leaf's elements */
} leaf_pass;

static fg_matrix matrix(const fg_complex *at, int64_t stride) {
  return (fg_matrix){(fg_real *)(uintptr_t)at, 2 * stride};
}

static void run_line_leaves(const leaf_pass *p, const fg_complex *in, fg_complex *out, int64_t count, int64_t far) {
  const fg_line *part = p->l->part[0];
  int64_t n = part->n;
  fg_transpose(matrix((fg_complex *)p->work, n), matrix(in, p->stride), n, count, true);
  for (int64_t i = 0; i < count; i++)
    fg_line_run(part, p->work + 2 * i * n, (fg_real *)(out + i * far), p->work + 2 * count * n);
}

/* `count` leaves: elements of the next one are 1 further, its results `far`. */
static void run_leaves(const leaf_pass *p, const fg_complex *in, fg_complex *out, int64_t count, int64_t far) {
  const fg_line *l = p->l;
  if (!l->codelets) {
    run_line_leaves(p, in, out, count, far);
    return;
  }
  fg_codelet_leaf codelet = l->codelets->leaf[fg_line_direction(l->type)];
  if (!fg_radices_meet(l->codelets->n, p->stride)) {
    codelet((const fg_real *)in, (fg_real *)out, p->stride, count, far);
    return;
  }
  fg_copy_rows(matrix((fg_complex *)p->work, count), matrix(in, p->stride), l->codelets->n, 2 * count);
  codelet(p->work, (fg_real *)out, count, count, far);
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

/* A block in panels, by a buffer if rows cause conflict misses; the output may be another array. */
static void run_panels(const fg_line *l, const fg_pass *p, fg_complex *data, fg_complex *out, fg_real *work) {
  fg_codelet_twiddle codelet = p->codelets->twiddle[fg_line_direction(l->type)];
  int64_t radix = p->codelets->n;
  for (int64_t b = 0; b < p->columns; b += PANEL) {
    int64_t panel = p->columns - b < PANEL ? p->columns - b : PANEL;
    fg_matrix rows = matrix(data + b, p->columns), buffer = matrix((fg_complex *)work, PANEL);
    if (p->buffered) {
      fg_copy_rows(buffer, rows, radix, 2 * panel);
      codelet(work, p->factors->number + 2 * b * radix, PANEL, panel);
    } else {
      codelet(rows.at, p->factors->number + 2 * b, p->columns, panel);
    }
    if (p->buffered || data != out)
      fg_copy_rows(matrix(out + b, p->columns), p->buffered ? buffer : rows, radix, 2 * panel);
  }
}

static void run_pass(const fg_line *l, int pass, fg_complex *data, int64_t points, fg_real *work) {
  const fg_pass *p = &l->pass[pass];
  int64_t block = p->codelets->n * p->columns;
  fg_codelet_twiddle codelet = p->codelets->twiddle[fg_line_direction(l->type)];
  for (int64_t at = 0; at < points; at += block) {
    if (p->buffered)
      run_panels(l, p, data + at, data + at, work);
    else
      codelet((fg_real *)(data + at), p->factors->number, p->columns, p->columns);
  }
}

/* The passes up to number `last` on a block of as many points as it makes. */
static void run_passes(const fg_line *l, int last, fg_complex *data, fg_real *work) {
  if (last < 0) return;
  const fg_pass *p = &l->pass[last];
  int64_t points = p->codelets->n * p->columns;
  if (points * (int64_t)sizeof *data <= NEAR) {
    for (int i = 0; i <= last; i++) run_pass(l, i, data, points, work);
    return;
  }
  for (int i = 0; i < p->codelets->n; i++) run_passes(l, last - 1, data + i * p->columns, work);
  run_pass(l, last, data, points, work);
}

/* A leaf pass and another one, neither with a copy. */
static bool are_two(const fg_line *l) {
  return l->npass == 1 && l->codelets && !l->pass[0].buffered &&
         !fg_radices_meet(l->codelets->n, l->pass[0].codelets->n);
}

static void run_two(const fg_line *l, const fg_real *in, fg_real *out) {
  const fg_pass *p = &l->pass[0];
  fg_direction direction = fg_line_direction(l->type);
  l->codelets->leaf[direction](in, out, p->codelets->n, p->codelets->n, p->columns);
  p->codelets->twiddle[direction](out, p->factors->number, p->columns, p->columns);
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int last = l->npass - 1;
  bool over = in == out;
  if (!over && are_two(l)) {
    run_two(l, in, out);
    return;
  }
  leaf_pass p = {.l = l, .in = (const fg_complex *)in, .out = (fg_complex *)(over ? work + l->work : out)};
  p.work = work;
  p.stride = l->pass[last].codelets->n * l->pass[last].columns / (l->codelets ? l->codelets->n : l->part[0]->n);
  run_digits(&p, last - 1, p.in, p.out, l->pass[last].codelets->n);
  if (!over) {
    run_passes(l, last, p.out, work);
    return;
  }
  const fg_pass *pass = &l->pass[last]; /* whose panels are copied to the output while they are in L1 */
  for (int i = 0; i < pass->codelets->n; i++) run_passes(l, last - 1, p.out + i * pass->columns, work);
  run_panels(l, pass, p.out, (fg_complex *)out, work);
}

const fg_line_method fg_line_cooley_tukey = {"ct", applies, create, NULL, run};
