/* See parts.h. Decimation in time, as in cooley_tukey.c, of powers of two that L1 nearly holds: a leaf pass, then
 * twiddle passes in place. Nothing is interleaved. */
#include "fftw/line/parts.h"
#include "fftw/line/method.h"
#include <string.h>

enum { LEAST = 128, LONGEST = 1 << 11 }; /* shorter ones are sooner copied */

bool fg_parts_has(int64_t n) { return n >= LEAST && n <= LONGEST && (n & (n - 1)) == 0; }

static bool applies(fg_line_type type, int64_t n) { return type == FG_LINE_PARTS && fg_parts_has(n); }

/* n = 16 R 16, or 16 R: the leaf does the last pass's digits side by side, which 16 fill vectors with; R is what is
 * left. */
static bool create(fg_line *l) {
  enum { LEAF = 4 /* its logarithm */ };
  int bits = 0;
  while (l->n >> bits > 1) bits++;
  int64_t columns = 1 << LEAF;
  l->codelets = fg_codelets_find(columns);
  l->over = 2 * (size_t)l->n;
  bits -= LEAF;
  for (int now; bits > 0; bits -= now, columns <<= now) {
    now = bits > LEAF ? bits - LEAF : bits;
    int radix = 1 << now;
    fg_pass *p = &l->pass[l->npass++];
    *p = (fg_pass){.codelets = fg_codelets_find(radix), .columns = columns};
    p->factors = fg_twiddles_get(radix, columns, columns, FG_FORWARD);
    if (!p->factors) return false;
  }
  return true;
}

/* The digits of the passes from number `pass` down to 1; those of the last pass are neighbours. */
static void run_leaves(const fg_line *l, int pass, const fg_parts *p, int64_t step) {
  if (pass < 0) {
    const fg_pass *last = &l->pass[l->npass - 1];
    l->codelets->parts_leaf(p->in_re, p->in_im, p->out_re, p->out_im, l->n / l->codelets->n, last->codelets->n,
                            last->columns);
    return;
  }
  const fg_pass *of = &l->pass[pass];
  for (int i = 0; i < of->codelets->n; i++) {
    int64_t in = i * step, out = i * of->columns;
    fg_parts inside = {p->in_re + in, p->in_im + in, p->out_re + out, p->out_im + out};
    run_leaves(l, pass - 1, &inside, step * of->codelets->n);
  }
}

void fg_parts_run(const fg_line *l, const fg_parts *p, fg_real *work) {
  fg_parts to;
  bool over = p->in_re == p->out_re;
  to.in_re = p->in_re, to.in_im = p->in_im;
  to.out_re = over ? work : p->out_re, to.out_im = over ? work + l->n : p->out_im;
  run_leaves(l, l->npass - 2, &to, l->pass[l->npass - 1].codelets->n);
  for (int i = 0; i < l->npass; i++) {
    const fg_pass *pass = &l->pass[i];
    int64_t block = pass->codelets->n * pass->columns;
    for (int64_t at = 0; at < l->n; at += block)
      pass->codelets->parts_twiddle(to.out_re + at, to.out_im + at, pass->factors->number, pass->columns,
                                    pass->columns);
  }
  if (!over) return;
  memcpy(p->out_re, to.out_re, sizeof(fg_real) * (size_t)l->n);
  memcpy(p->out_im, to.out_im, sizeof(fg_real) * (size_t)l->n);
}

const fg_line_method fg_line_parts = {"parts", applies, create, NULL, NULL};
