/* Decimation in time (Cooley and Tukey, 1965): a leaf pass from the input to the output, then twiddle passes in place.
 *
 * n = L R1 R2 ... Rk. The leaf transforms L elements each, n / L apart, and writes them one behind the other where the
 * passes want them; pass i makes blocks of L R1 ... Ri points of Ri neighbouring ones. Large arrays are finished block
 * by block, as far as a block fits L2. Where L has no codelet, a line of its own transforms copies of its elements. */
#include "fftw/line/method.h"
#include <math.h>
#include <string.h>

enum {
  NEAR = 1 << 18, /* bytes of a block whose passes follow each other at once */
  STRIP = 32      /* columns */
};

static bool applies(fg_line_type type, int64_t n) {
  return fg_line_type_is_complex(type) && fg_radices_rest(n) < n && n > 1;
}

static bool add_passes(fg_line *l, const fg_radices *r) {
  int64_t columns = r->leaf;
  for (int i = 0; i < r->count; i++) {
    fg_pass *p = &l->pass[l->npass++];
    *p = (fg_pass){.codelets = fg_codelets_find(r->radix[i]), .columns = columns};
    p->factors = fg_twiddles_get(r->radix[i], columns, fg_line_direction(l->type));
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
  l->over = 2 * (size_t)l->n;
  return add_passes(l, &r);
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

/* The last pass, by strips of columns that are copied to the output while they are near. */
static void run_last(const fg_line *l, fg_complex *data, fg_complex *out) {
  const fg_pass *p = &l->pass[l->npass - 1];
  fg_codelet_twiddle codelet = p->codelets->twiddle[fg_line_direction(l->type)];
  for (int64_t b = 0; b < p->columns; b += STRIP) {
    int64_t strip = p->columns - b < STRIP ? p->columns - b : STRIP;
    codelet((fg_real *)(data + b), p->factors->number + 2 * b, p->columns, strip);
    for (int j = 0; j < p->codelets->n; j++)
      memcpy(out + j * p->columns + b, data + j * p->columns + b, sizeof *out * (size_t)strip);
  }
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int last = l->npass - 1;
  bool over = in == out;
  leaf_pass p = {.l = l, .in = (const fg_complex *)in, .out = (fg_complex *)(over ? work + l->work : out)};
  p.work = work;
  p.stride = l->pass[last].codelets->n * l->pass[last].columns / (l->codelets ? l->codelets->n : l->part[0]->n);
  run_digits(&p, last - 1, p.in, p.out, l->pass[last].codelets->n);
  if (!over) {
    run_passes(l, last, p.out);
    return;
  }
  for (int i = 0; i < l->pass[last].codelets->n; i++) run_passes(l, last - 1, p.out + i * l->pass[last].columns);
  run_last(l, p.out, (fg_complex *)out);
}

const fg_line_method fg_line_cooley_tukey = {"ct", applies, create, NULL, run};
