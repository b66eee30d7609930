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
#include "generator/assemble/memory.h"
#include "generator/assemble/steps/real_matrix.h"

typedef struct convolution {
  fg_real_matrix forward, back; /* the same but for direction, ends and scratch */
  fg_view spectrum;
  fg_factors factors; /* of results 1, 2, .. of the pairs */
} convolution;

static void set_coef(fg_view *v, int axis, int64_t elements) { v->coef[axis] = fg_num_scaled(v->stride, elements); }

/* Elements first + q of a row with elements n2-1-q of its partner, q < count, which is `far` behind it; their results
 * are `result` + n1 q and its mirror image. */
typedef struct mates {
  const char *what;
  int64_t far, first, count, result;
  int axis; /* 0: none, else 1 + the first of those that count pairs of rows */
} mates;

static fg_status convolve_mates(const convolution *c, const mates *p) {
  const fg_real_matrix *x = &c->forward;
  int half = (int)x->half;
  int64_t e = x->at_element;
  fg_view from = fg_build_shifted(&x->scratch, p->first * e), to = fg_build_shifted(&c->back.scratch, p->first * e);
  fg_factors factors = c->factors;
  factors.table = fg_build_shifted(&factors.table, p->result - 1);
  factors.more = fg_build_shifted(&c->spectrum, p->result);
  factors.more_slots = half, factors.more_coef = x->m;
  factors.product = fg_build_and_loaded(x->b, &factors, (int)x->r - 1, (int)x->r);
  if (p->axis) {
    fg_view *counted[] = {&factors.table, &factors.more};
    for (int i = 0; i < 2; i++) set_coef(counted[i], p->axis - 1, x->pairs), set_coef(counted[i], p->axis, 1);
    set_coef(&from, p->axis, x->at_row), set_coef(&to, p->axis, x->at_row);
  }
  fg_side far = {.slots = half, .first = p->far + (x->n2 - 1 - p->first) * e, .slot = x->at_number, .loop = {-e}};
  fg_side upper = {.slots = half, .first = x->r * x->m / 2 - 2 * p->result, .slot = -x->m, .loop = {-x->n1}};
  upper.axis = p->axis;
  fg_stage_form form = {.what = p->what,
                        .in = &from,
                        .out = &to,
                        .nloop = 1,
                        .loop = {{"q", p->count, e, e, x->n1}},
                        .slots = half,
                        .out_slots = half,
                        .load = x->at_number,
                        .store = x->at_number,
                        .more_steps = true,
                        .more_rest = &upper,
                        .load_rest = &far,
                        .store_rest = &far,
                        .alone = !p->axis};
  fg_build_set_factors(&form, &factors);
  fg_codelet_key key = {.kind = FG_CODELET_CONVOLVE_PAIR, .sign = x->t->sign, .twiddle = FG_TW_IN};
  fg_status status = fg_build_key(x->b, key, x->r, &form.codelet);
  if (status == FG_OK) fg_build_stage(x->b, &form);
  return status;
}

static fg_status usual_pairs(const convolution *c) {
  const fg_real_matrix *x = &c->forward;
  int axis = x->b->naxis;
  fg_build_axis(x->b, "t", x->fold / x->pairs, FG_AXIS_TILE);
  fg_build_axis(x->b, "p", x->pairs, FG_AXIS_LANES);
  mates p = {
      .what = "pairs of rows, forward and backward", .far = x->at_far, .count = x->n2, .result = 1, .axis = axis + 1};
  fg_status status = convolve_mates(c, &p);
  x->b->naxis = axis;
  return status;
}

/* Results 0 and M/2: real numbers, two by two. */
static fg_status edge(const convolution *c, fg_codelet_kind kind, int64_t element, int64_t result) {
  const fg_real_matrix *x = &c->forward;
  fg_view from = fg_build_shifted(&x->scratch, element * x->at_element),
          to = fg_build_shifted(&c->back.scratch, element * x->at_element), h = fg_build_shifted(&c->spectrum, result);
  fg_stage_form form = {.what = element ? "the middle column, forward and backward"
                                        : "the first column, forward and backward",
                        .in = &from,
                        .out = &to,
                        .slots = (int)x->half,
                        .load = x->at_number,
                        .store = x->at_number,
                        .table = &h,
                        .table_slots = fg_codelet_factors(kind, (int)x->r),
                        .table_coef = x->m,
                        .alone = true};
  fg_status status = fg_build_key(x->b, (fg_codelet_key){.kind = kind, .sign = x->t->sign}, x->r, &form.codelet);
  if (status == FG_OK) fg_build_stage(x->b, &form);
  return status;
}

static fg_status few_pairs(const convolution *c) {
  const fg_real_matrix *x = &c->forward;
  mates p = {.what = "row 0, forward and backward", .first = 1, .count = (x->n2 - 1) / 2, .result = x->n1};
  fg_status status = p.count ? convolve_mates(c, &p) : FG_OK;
  if (status == FG_OK) status = edge(c, FG_CODELET_CONVOLVE_REAL, 0, 0);
  if (status != FG_OK || x->n2 % 2) return status;
  return edge(c, FG_CODELET_CONVOLVE_ODD, x->n2 / 2, x->m / 2);
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
  fg_column_pairs all = {.sign = t->sign, .r = c.forward.r, .m = c.forward.m, .first = 1};
  all.count = c.forward.m - c.forward.n1 + c.forward.fold;
  c.factors = fg_build_pair_factors(b, &all, false);
  status = fg_build_matrix_columns(&c.forward, child->child[0]);
  if (status == FG_OK) status = convolve_rows(&c, child->child[1], false);
  if (status == FG_OK) status = convolve_rows(&c, child->child[1], true);
  fg_build_kernel(b);
  return status == FG_OK ? fg_build_matrix_columns(&c.back, child->child[0]) : status;
}
