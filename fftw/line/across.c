/* See across.h. Decimation in time over columns: a pass reads rows of neighbouring numbers and writes such rows, and
 * all columns share its factors. Nothing is transposed.
 *
 * n = L R1 ... Rk. The leaf goes from the input to memory, each pass from there to other memory, the last one to the
 * output; so results may lie where the inputs did. */
#include "fftw/line/across.h"
#include "fftw/line/method.h"
#include <math.h>

enum { LONGEST = 1 << 10 /* beyond, columns are far from each other */ };

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
  l->work = 2 * (size_t)l->n * (r.count > 1 ? 2 : 1);
  for (int i = 0; i < r.count; i++) {
    fg_pass *p = &l->pass[l->npass++];
    *p = (fg_pass){.codelets = fg_codelets_find(r.radix[i]), .columns = columns};
    p->factors = fg_twiddles_get(columns, r.radix[i], r.radix[i], fg_line_direction(l->type));
    if (!p->factors) return false;
    columns *= r.radix[i];
  }
  return true;
}

typedef struct leaves {
  const fg_line *l;
  fg_codelet_columns codelet;
  int64_t is, count; /* of the columns */
} leaves;

/* The digits of the passes from number `pass` down; `step` rows of the input from a digit's element to the next. */
static void run_leaves(const leaves *a, int pass, const fg_complex *in, fg_complex *out, int64_t step) {
  if (pass < 0) {
    a->codelet((const fg_real *)in, (fg_real *)out, step * a->is, a->count, a->count);
    return;
  }
  const fg_pass *p = &a->l->pass[pass];
  for (int i = 0; i < p->codelets->n; i++)
    run_leaves(a, pass - 1, in + i * step * a->is, out + i * p->columns * a->count, step * p->codelets->n);
}

/* From rows that are `count` apart to rows that are `os` apart. */
static void run_pass(const fg_line *l, const fg_pass *p, const fg_complex *from, fg_complex *to, int64_t count,
                     int64_t os) {
  fg_codelet_across codelet = p->codelets->across[l->type == FG_LINE_ACROSS_BACKWARD];
  int64_t radix = p->codelets->n, block = radix * p->columns;
  for (int64_t at = 0; at < l->n; at += block)
    for (int64_t b = 0; b < p->columns; b++)
      codelet((const fg_real *)(from + (at + b) * count), (fg_real *)(to + (at + b) * os),
              p->factors->number + 2 * b * radix, p->columns * count, p->columns * os, count);
}

void fg_across_run(const fg_line *l, const fg_columns *c, fg_real *work) {
  fg_complex *from = (fg_complex *)work, *to = from + l->n * c->count;
  leaves a = {l, l->codelets->columns[l->type == FG_LINE_ACROSS_BACKWARD], c->is, c->count};
  run_leaves(&a, l->npass - 1, c->in, from, 1);
  for (int i = 0; i < l->npass - 1; i++) {
    run_pass(l, &l->pass[i], from, to, c->count, c->count);
    fg_complex *other = from;
    from = to, to = other;
  }
  if (c->scale != 1)
    for (int64_t i = 0; i < 2 * l->n * c->count; i++) ((fg_real *)from)[i] *= c->scale;
  run_pass(l, &l->pass[l->npass - 1], from, c->out, c->count, c->os);
}

const fg_line_method fg_line_across = {"across", applies, create, NULL, NULL};
