/* Convolutions of reals beyond the caches of a CPU, by a matrix with rows in pairs.
 *
 * In: a task of kind rconv, real(R, four-step(A, B)), the spectrum. Out: four kernels. The idea: real_matrix.c makes
 * half of a spectrum of pairs of rows, as the last pass of a tile, and c2r begins with it: here both are one stage with
 * the product between, and a tile of rows is loaded and stored once.
 *
 *   columns  from the reals to the matrix
 *   rows     tiles of pairs of rows k and n1 - k, k = 1 .. n1/2: n2 points each; the pairs' pass forward, the product,
 * the pass back; n2 points back. Row n1/2 is its own partner, and is stored twice, with equal values row 0    the same
 * of elements q and n2 - q; 0 and n2/2 are real transforms of R points columns  from the matrix to the reals */
#include "generator/assemble/steps/real_matrix.h"

typedef struct convolution {
  fg_real_matrix forward, back; /* the same but for direction, ends and scratch */
  fg_view spectrum;
} convolution;

static fg_real_product product_of(const convolution *c, const fg_factors *factors) {
  const fg_real_matrix *x = &c->forward;
  return (fg_real_product){x->b,        x->t->sign,       x->r,         x->m,   x->at_element, x->at_number,
                           &x->scratch, &c->back.scratch, &c->spectrum, factors};
}

static fg_status usual_pairs(const convolution *c) {
  const fg_real_matrix *x = &c->forward;
  int axis = x->b->naxis;
  fg_build_axis(x->b, "t", x->fold / x->pairs, FG_AXIS_TILE);
  fg_build_axis(x->b, "p", x->pairs, FG_AXIS_LANES);
  fg_product_pairs p = {.what = "pairs of rows, forward and backward",
                        .loop = "q",
                        .columns = x->n2,
                        .far = x->at_far,
                        .count = x->n2,
                        .result = 1,
                        .step = x->n1,
                        .axis = axis + 1,
                        .pairs = x->pairs,
                        .row = x->at_row};
  fg_factors factors = fg_build_matrix_factors(x);
  fg_real_product product = product_of(c, &factors);
  fg_status status = fg_build_product_pairs(&product, &p);
  x->b->naxis = axis;
  return status;
}

static fg_status few_pairs(const convolution *c) {
  const fg_real_matrix *x = &c->forward;
  fg_product_pairs p = {.what = "row 0, forward and backward",
                        .loop = "q",
                        .columns = x->n2,
                        .first = 1,
                        .count = (x->n2 - 1) / 2,
                        .result = x->n1,
                        .step = x->n1,
                        .alone = true};
  fg_column_pairs all = {.sign = x->t->sign, .r = x->r, .m = x->n2, .first = 1, .count = p.count};
  fg_factors factors = p.count ? fg_build_pair_factors(x->b, &all, false) : (fg_factors){0};
  fg_real_product product = product_of(c, &factors);
  fg_status status = p.count ? fg_build_product_pairs(&product, &p) : FG_OK;
  if (status == FG_OK) status = fg_build_product_edge(&product, 0, 0);
  return status == FG_OK && x->n2 % 2 == 0 ? fg_build_product_edge(&product, x->n2 / 2, x->m / 2) : status;
}

static fg_status convolve_rows(convolution *c, const fg_plan *plan, bool row_0) {
  fg_matrix_rows first = row_0 ? FG_MATRIX_ROW_0 : FG_MATRIX_LOWER, last = row_0 ? first : FG_MATRIX_UPPER;
  fg_build_kernel(c->forward.b);
  fg_build_matrix_scratch(&c->forward, row_0 ? FG_MATRIX_ROW_0 : FG_MATRIX_BOTH);
  fg_build_matrix_scratch(&c->back, row_0 ? FG_MATRIX_ROW_0 : FG_MATRIX_BOTH);
  fg_status status = FG_OK;
  for (fg_matrix_rows i = first; i <= last && status == FG_OK; i++) status = fg_build_matrix_rows(&c->forward, plan, i);
  if (status == FG_OK) status = row_0 ? few_pairs(c) : usual_pairs(c);
  for (fg_matrix_rows i = first; i <= last && status == FG_OK; i++) status = fg_build_matrix_rows(&c->back, plan, i);
  return status;
}

fg_status fg_build_convolved_matrix(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *spectrum) {
  const fg_plan *child = plan->child[0];
  fg_task forward = {.kind = FG_R2C, .n = t->n, .sign = t->sign, .in = t->in};
  fg_task back = {.kind = FG_C2R, .n = t->n, .sign = -t->sign, .out = t->out};
  convolution c = {.spectrum = *spectrum};
  fg_view numbers;
  if (b->map->threads || !fg_build_complex_view(b, &t->out, &numbers)) return FG_ENA;
  fg_status status = fg_build_open_matrix(b, plan, &forward, &c.forward);
  if (status != FG_OK) return status;
  c.back = c.forward;
  c.back.t = &back, c.back.backward = true, c.back.numbers = numbers;
  status = fg_build_matrix_columns(&c.forward, child->child[0]);
  if (status == FG_OK) status = convolve_rows(&c, child->child[1], false);
  if (status == FG_OK) status = convolve_rows(&c, child->child[1], true);
  fg_build_kernel(b);
  return status == FG_OK ? fg_build_matrix_columns(&c.back, child->child[0]) : status;
}
