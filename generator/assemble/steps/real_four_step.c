/* The four-step transform of reals: n = n1 n2 as a matrix of n1 rows and n2 columns.
 *
 * In: a task of kind r2c or c2r, two plans. Out: two kernels.
 *
 *   columns  n1 reals each, by the first plan: rows 0 .. n1/2, rounded down, are kept,
 *            the others would be their conjugates
 *   rows     each of those: times w^(j k), then n2 points by the second plan. Of row
 *            k, element q is element e = k + n1 q of the result; if that is beyond
 *            n/2, its conjugate is element n - e, which no other row has
 *
 * No separate pass packs or unpacks: half of the columns' numbers and half of the rows are never computed. Row
 * 0 is its own conjugate, as is row n1/2 of an even n1; their duplicate results are stored once. c2r is r2c in the
 * opposite order. n2 is even, but of r2c of an odd length.
 *
 * Between two kernels the rows are contiguous: a block of the first stores as many neighbours as its tile has
 * columns, a block of the second reads whole rows. It transposes them in shared memory, where padding makes the row
 * length odd. Bailey, FFTs in external or hierarchical memory (1990); Sorensen, Jones, Heideman and Burrus,
 * "Real-valued fast Fourier transform algorithms" (1987). */
#include "generator/assemble/memory.h"
#include "generator/assemble/neighbours.h"
#include "generator/assemble/pitch.h"
#include "generator/assemble/steps/real.h"
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/steps/stockham.h"
#include "generator/base/integer.h"
#include "generator/ir/program_machine.h"

typedef struct matrix {
  const fg_task *t;
  bool backward;     /* c2r */
  int64_t n1, n2;    /* rows, columns */
  int64_t kept;      /* rows that are */
  int64_t tile;      /* columns of a tile */
  int64_t rows;      /* rows likewise */
  int64_t row_tiles; /* the last one has fewer rows */
  fg_view between;   /* row k from k n2 on */
} matrix;

/* A segment's worth of elements, or the part of it that shared memory has room for. */
static int64_t usual_tile(const fg_builder *b, int64_t n, int64_t element) {
  int64_t tile = fg_program_machine(b->program)->segment_bytes / element;
  while (tile > 1 && tile * n * element > (int64_t)b->map->local_bytes) tile /= 2;
  return tile;
}

/* Of so many side by side, those of one transform: its neighbours are among them. */
static int64_t own_of(const fg_builder *b, int64_t side) { return fg_larger(1, side / fg_build_neighbouring(b)); }

static fg_status build_columns(fg_builder *b, const fg_plan *plan, const matrix *x) {
  fg_task task = {.kind = x->t->kind, .n = x->n1, .sign = x->t->sign};
  fg_view reals = fg_build_stepping(b, x->backward ? &x->t->out : &x->t->in, x->n2, x->tile, 1);
  fg_view rows = fg_build_stepping(b, &x->between, x->n2, x->tile, 1);
  task.in = x->backward ? rows : reals, task.out = x->backward ? reals : rows;
  fg_build_axis(b, "t", x->n2 / x->tile, FG_AXIS_TILE);
  fg_build_axis(b, "c", x->tile, FG_AXIS_LANES);
  fg_status status = fg_build_plan(b, plan, &task);
  b->naxis -= 2;
  return status;
}

/* ---- rows ----------------------------------------------------------------------------- */

/* The row's number times `by`. */
static fg_affine row_number(const fg_builder *b, const fg_stage *s, const matrix *x, int64_t by) {
  fg_affine row = {.offset = fg_num_const(0)};
  int16_t tile = fg_build_axis_digit(b, s, b->naxis - 2), member = fg_build_axis_digit(b, s, b->naxis - 1);
  if (tile >= 0) fg_affine_add(&row, tile, fg_num_const(by * x->rows));
  if (member >= 0) fg_affine_add(&row, member, fg_num_const(by));
  return row;
}

/* The last tile's rows beyond the kept ones are loaded as zeros and are not stored. */
static void guard_rows(const fg_builder *b, const fg_stage *s, fg_access *a, const matrix *x) {
  fg_affine row = row_number(b, s, x, 1);
  for (; a && x->row_tiles * x->rows > x->kept; a = a->rest) fg_access_keep(a, &row, fg_num_const(x->kept));
}

/* Of rows 0 and n1/2, of which an odd n1 has none, the upper elements are the lower ones' conjugates, but for
 * element n2/2 of row 0, the first of the upper ones. */
static void store_once(const fg_builder *b, const fg_stage *s, const matrix *x, int64_t r, fg_access *upper) {
  fg_affine beyond = row_number(b, s, x, -x->n2), row = row_number(b, s, x, 1);
  int16_t column = s->loop[s->nloop - 1];
  fg_affine_add(&beyond, upper->reg, fg_num_const(x->n2 / r));
  if (x->n2 > r) fg_affine_add(&beyond, column, fg_num_const(1));
  fg_access_keep(upper, &beyond, fg_num_const(1));
  if (x->n1 % 2 == 0) fg_access_keep(upper, &row, fg_num_const(x->n1 / 2));
}

/* Of an odd n2 results of one number, the middle one of each codelet, are of either half: elements up to (n2-1)/2 are
 * stored as they are, the others conjugated, of row 0 none. */
static void store_either(const fg_builder *b, const fg_stage *s, const matrix *x, int64_t r, fg_access *lower) {
  int64_t m = x->n2 / r;
  int16_t column = s->loop[s->nloop - 1];
  fg_affine element = {.offset = fg_num_const(0)}, before = {.offset = fg_num_const((m + 1) / 2)};
  fg_affine first = row_number(b, s, x, -1);
  fg_affine_add(&element, lower->reg, fg_num_const(m));
  fg_affine_add(&element, column, fg_num_const(1));
  fg_access_keep(lower, &element, fg_num_const((x->n2 + 1) / 2));
  fg_affine_add(&before, lower->rest->reg, fg_num_const(-m));
  fg_affine_add(&before, column, fg_num_const(-1));
  fg_access_keep(lower->rest, &before, fg_num_const(1));
  first.offset = fg_num_const(1);
  fg_access_keep(lower->rest, &first, fg_num_const(1));
}

/* The pass between the rows' numbers and half of the result. */
static fg_status half_rows(fg_builder *b, const matrix *x, fg_task *pass, int64_t r) {
  int64_t m = x->n2 / r, slots = (r + 1) / 2;
  fg_side upper = {.slots = (int)slots, .first = x->n2 - m * (r / 2), .slot = -m, .loop = {0, -1}};
  upper.axis = b->naxis - 1; /* upper elements of rows are in descending order where lower ones ascend */
  pass->upper = &upper;
  fg_status status = fg_build_pass(b, pass, r, m);
  pass->upper = NULL;
  if (status != FG_OK) return status;
  fg_stage *s = &b->kernel->stage[b->kernel->nstage - 1];
  fg_access *a = x->backward ? &s->load : &s->store;
  guard_rows(b, s, a, x);
  if (!x->backward && r % 2)
    store_either(b, s, x, r, a);
  else if (!x->backward)
    store_once(b, s, x, r, a->rest);
  return FG_OK;
}

/* Passes over the rows, from what the columns left or to it. */
static fg_status row_passes(fg_builder *b, const fg_plan *plan, const matrix *x, const fg_task *t) {
  int passes = plan->narg;
  int64_t length = fg_build_bank_pitch(b, x->n2);
  fg_view work[2];
  for (int i = 0; i < 2 && i < passes - 1; i++) work[i] = fg_build_scratch(b, length);
  fg_task pass = *t;
  int64_t done = x->backward ? x->n2 : 1;
  for (int i = 0; i < passes; i++) {
    int64_t r = plan->arg[x->backward ? passes - 1 - i : i];
    if (x->backward) done /= r;
    pass.out = i == passes - 1 ? t->out : work[i % 2];
    fg_status status = done == x->n2 / r ? half_rows(b, x, &pass, r) : fg_build_pass(b, &pass, r, done);
    if (status != FG_OK) return status;
    if (!x->backward) done *= r;
    pass.in = pass.out;
  }
  return FG_OK;
}

static fg_status build_rows(fg_builder *b, const fg_plan *plan, const matrix *x) {
  fg_view ends = fg_build_stepping(b, x->backward ? &x->t->in : &x->t->out, x->n1, x->rows, 1);
  fg_view rows = fg_build_stepping(b, &x->between, 1, x->rows * x->n2, x->n2);
  fg_twiddle_exponents exponents = {.order = x->t->n, .count = x->row_tiles * x->rows, .step = 1};
  for (int i = 0; i < FG_MAX_AXES; i++) exponents.coef[i] = fg_num_const(0);
  exponents.coef[b->naxis] = fg_num_const(x->rows);
  exponents.coef[b->naxis + 1] = fg_num_const(1);
  fg_task task = {.kind = FG_C2C, .n = x->n2, .sign = x->t->sign, .frequency = x->backward, .exponents = &exponents};
  task.in = x->backward ? ends : rows, task.out = x->backward ? rows : ends;
  fg_build_axis(b, "t", x->row_tiles, FG_AXIS_TILE);
  fg_build_axis(b, "c", x->rows, FG_AXIS_INNER);
  int first = b->kernel->nstage;
  fg_status status = row_passes(b, plan, x, &task);
  fg_stage *inner = &b->kernel->stage[x->backward ? b->kernel->nstage - 1 : first];
  if (status == FG_OK) guard_rows(b, inner, x->backward ? &inner->store : &inner->load, x);
  b->naxis -= 2;
  return status;
}

/* ---- the whole ------------------------------------------------------------------------ */

static fg_status in_two_kernels(fg_builder *b, const fg_plan *plan, matrix *x) {
  int64_t real = fg_precision_bytes(b->program->problem.compute);
  int64_t tile = fg_plan_param_value(plan, FG_PARAM_TILE), rows = fg_plan_param_value(plan, FG_PARAM_ROWS);
  x->tile = fg_build_divisor(x->n2, own_of(b, tile ? tile : usual_tile(b, x->n1, real)), 1);
  x->rows = fg_smaller(x->kept, own_of(b, rows ? rows : usual_tile(b, x->n2, 2 * real)));
  x->row_tiles = (x->kept + x->rows - 1) / x->rows;
  x->between = fg_build_workspace_of_lines(b, x->kept * x->n2);
  fg_status status = x->backward ? build_rows(b, plan->child[1], x) : build_columns(b, plan->child[0], x);
  if (status != FG_OK) return status;
  fg_build_kernel(b);
  return x->backward ? build_columns(b, plan->child[0], x) : build_rows(b, plan->child[1], x);
}

/* The problem's transform, or one along a dimension of it. */
static bool may_build(const fg_builder *b, const fg_task *t) {
  bool may = !t->pairs && fg_build_may_be_parted(b);
  if (b->program->problem.rank == 1) return may && fg_build_is_whole_real(b, t);
  for (int i = 0; i < b->naxis; i++)
    may = may && (fg_build_counts_batch(b, &b->axis[i]) || fg_build_counts_lines(b, &b->axis[i]));
  return may;
}

fg_status fg_build_real_four_step(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  matrix x = {.t = t, .backward = t->kind == FG_C2R};
  x.n1 = fg_plan_length(plan->child[0]), x.n2 = fg_plan_length(plan->child[1]);
  x.kept = x.n1 / 2 + 1;
  if (!may_build(b, t)) return FG_ENA;
  if (!b->map->threads)
    return fg_refuse(b->cx, "plan: four-step of reals is for blocks and threads: real(R, PLAN) here");
  if (fg_plan_param_value(plan, FG_PARAM_CLUSTER))
    return fg_refuse(b->cx, "plan: four-step of reals has no clusters: real(R, four-step(A, B; cluster=C)) has them");
  return in_two_kernels(b, plan, &x);
}
