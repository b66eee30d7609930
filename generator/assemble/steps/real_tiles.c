/* Transforms of reals beyond the caches of a CPU, by a matrix with rows in pairs.
 *
 * In: a task of kind r2c or c2r, real(R, four-step(A, B)). Out: three kernels.
 *
 *   columns  neighbouring reals are complex numbers; of their R/2 transforms of M = n/R
 *            points, every R/2-th number each, A's columns of n1 points: tiles of
 *            neighbours, column after column into the workspace (the transposition)
 *   rows     tiles of rows k and n1 - k, k = 1 .. n1/2, vectors along k: times w^(j k), n2
 *            points by B; then real radix R (r2c-pair) takes elements q of the one and
 *            n2-1-q of the other, results k + n1 q and M - k - n1 q of all transforms
 *   row 0    its elements q with n2 - q; 0 and n2/2 are real transforms of R points
 *
 * Real radix R is the rows' last pass: passes and bytes are those of a complex four-step transform of half as many
 * points, and all vectors are full. Row n1/2 is its own partner: its results are computed twice, with equal values.
 * To avoid that two lanes store one of them at once, n2 is even, or n1 odd. c2r is r2c in the opposite order. Bailey
 * (1990); Sorensen, Jones, Heideman and Burrus (1987). */
#include "generator/assemble/memory.h"
#include "generator/assemble/pitch.h"
#include "generator/assemble/steps/real.h"
#include "generator/assemble/steps/stockham.h"
#include "targets/machine/limits.h"

static const fg_limits *const limit = &fg_machine_limits;

typedef struct tiles {
  fg_builder *b;
  const fg_task *t;
  bool backward;                         /* c2r */
  int64_t r, half;                       /* radix of reals; complex transforms side by side */
  int64_t n1, n2, m;                     /* length of columns, of rows; of the complex transforms */
  int64_t fold;                          /* pairs of rows */
  int64_t pairs, cols;                   /* of a tile: pairs, and columns of all transforms together */
  int64_t pitch;                         /* from a column to the next in the workspace */
  fg_view numbers;                       /* the reals, two by two */
  fg_view work;                          /* column c, row k at c pitch + k */
  fg_view scratch;                       /* of rows: element q of transform i in the pair's row h */
  int64_t at_far, at_number, at_element; /* of h, i and q there; pairs are side by side */
} tiles;

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static void set_coef(fg_view *v, int axis, int64_t elements) { v->coef[axis] = fg_num_scaled(v->stride, elements); }

/* ---- columns -------------------------------------------------------------------------- */

static fg_status build_columns(const tiles *x, const fg_plan *plan) {
  fg_builder *b = x->b;
  int axis = b->naxis;
  int64_t all = x->n2 * x->half;
  fg_view numbers = x->numbers, work = x->work;
  set_coef(&numbers, axis, x->cols), set_coef(&numbers, axis + 1, 1);
  set_coef(&work, axis, x->cols * x->pitch), set_coef(&work, axis + 1, x->pitch);
  numbers.stride = fg_num_scaled(numbers.stride, all);
  fg_build_axis(b, "t", all / x->cols, FG_AXIS_TILE);
  fg_build_axis(b, "c", x->cols, FG_AXIS_INNER);
  fg_task task = {.n = x->n1, .sign = x->t->sign, .in = numbers, .out = work};
  if (x->backward) task.in = work, task.out = numbers;
  fg_status status = (x->backward ? fg_build_passes_back : fg_build_plan)(b, plan, &task);
  b->naxis = axis;
  return status;
}

/* ---- rows ----------------------------------------------------------------------------- */

static bool whole_vectors(const fg_builder *b, int64_t n) {
  return b->map->lanes > 1 && n % b->map->lanes == 0 && !fg_plan_param_value(b->program->plan, FG_PARAM_LANES);
}

/* The layout of the scratch just made, transforms along the last axis. */
static void take_scratch(tiles *x) {
  x->at_number = x->scratch.coef[x->b->naxis - 1].n, x->at_element = x->scratch.stride.n;
  for (int i = 0; i < FG_MAX_AXES; i++) x->scratch.coef[i] = fg_num_const(0);
}

static fg_view plain_scratch(const tiles *x, int64_t elements) {
  fg_view v = x->scratch;
  v.stride = fg_num_const(1);
  return fg_build_shifted(&v, elements);
}

/* Rows k of the tile's pairs, or rows n1 - k. */
static fg_status build_rows(const tiles *x, const fg_plan *plan, bool far) {
  fg_builder *b = x->b;
  int axis = b->naxis, sign = far ? -1 : 1;
  int64_t first = far ? x->n1 - 1 : 1;
  fg_view rows = fg_build_shifted(&x->work, first), scratch = plain_scratch(x, far ? x->at_far : 0);
  fg_twiddle_exponents exponents = {.order = x->m, .count = x->n1, .first = first, .step = 1};
  const int64_t step[] = {sign * x->pairs, sign};
  for (int i = 0; i < FG_MAX_AXES; i++) exponents.coef[i] = fg_num_const(0);
  for (int i = 0; i < 2; i++) exponents.coef[axis + i] = fg_num_const(step[i]), set_coef(&rows, axis + i, step[i]);
  set_coef(&rows, axis + 2, x->pitch);
  set_coef(&scratch, axis + 1, 1), set_coef(&scratch, axis + 2, x->at_number);
  rows.stride = fg_num_scaled(rows.stride, x->half * x->pitch), scratch.stride = fg_num_const(x->at_element);
  fg_build_axis(b, "t", x->fold / x->pairs, FG_AXIS_TILE);
  fg_build_axis(b, "p", x->pairs, FG_AXIS_LANES);
  fg_build_axis(b, "i", x->half, FG_AXIS_LANES);
  fg_task task = {.n = x->n2, .sign = x->t->sign, .in = rows, .out = scratch, .exponents = &exponents};
  if (x->backward) task.in = scratch, task.out = rows;
  fg_status status = (x->backward ? fg_build_passes_back : fg_build_plan)(b, plan, &task);
  b->naxis = axis;
  return status;
}

/* ---- pairs ---------------------------------------------------------------------------- */

static fg_real_radix radix_of(const tiles *x) { return (fg_real_radix){x->b, x->t->sign, x->backward, x->r, x->m}; }

/* Elements first + q of a row with elements n2-1-q of its partner `far` behind it, q < count,
 * from `from` on; results from `result` + n1 q on, from `to` on. Axes move results alone. */
typedef struct mates {
  const char *what;
  int64_t far, first, count, result;
  bool alone; /* vectors or none: they are few */
  int axis;   /* 0: none, else 1 + the first of these: upper results are in descending order where lower ones ascend */
  fg_view from, to;
  fg_factors factors;
} mates;

static fg_status build_mates(const tiles *x, mates *p) {
  fg_side load = {.slots = (int)x->half, .slot = x->at_number, .loop = {-x->at_element}};
  fg_side store = {.slots = (int)x->half, .slot = -x->m, .loop = {-x->n1}, .axis = p->axis};
  load.first = p->far + (x->n2 - 1 - p->first) * x->at_element;
  store.first = x->r * x->m / 2 - 2 * p->result;
  fg_view from = fg_build_shifted(&p->from, p->first * x->at_element), to = fg_build_shifted(&p->to, p->result);
  fg_stage_form form = {.what = p->what,
                        .nloop = 1,
                        .loop = {{"q", p->count, x->at_element, x->n1, p->factors.step}},
                        .slots = (int)x->half,
                        .out_slots = (int)x->half,
                        .load = x->at_number,
                        .store = x->m,
                        .load_rest = &load,
                        .store_rest = &store};
  form.alone = p->alone;
  fg_build_set_factors(&form, &p->factors);
  fg_real_radix radix = radix_of(x);
  fg_status status = fg_build_real_radix(&radix, FG_CODELET_R2C_PAIR, &form.codelet);
  if (status == FG_OK) fg_build_real_radix_stage(&radix, &form, &from, &to);
  return status;
}

/* Of results k + n1 q, k = 1 .. fold, products of one factor of q, in the first table, and
 * one of k: two short tables. */
static fg_factors factors_of(const tiles *x) {
  int64_t r = x->r, cols = fg_build_padded(x->b, x->fold);
  fg_table near = {.fill = FG_FILL_TWIDDLE, .sign = x->t->sign, .rows = r - 1, .cols = cols, .row0 = 1, .col0 = 1};
  fg_table far = {.fill = FG_FILL_TWIDDLE, .sign = x->t->sign, .rows = x->n2, .cols = r - 1, .col0 = 1};
  near.order = r * x->m, near.shift = x->backward ? 0 : -1, far.order = r * x->n2;
  fg_factors f = {.slots = (int)r - 1, .coef = 1, .step = r - 1, .more_slots = (int)r - 1, .more_coef = cols};
  fg_product *product = fg_arena_new(x->b->cx->arena, fg_product, r);
  for (int16_t s = 0; s < r - 1; s++) product[s] = (fg_product){.factor = -1, .load = s, .also = (int16_t)(r + s)};
  f.table = fg_build_table(x->b, &far), f.more = fg_build_table(x->b, &near), f.product = product;
  return f;
}

static fg_status usual_pairs(const tiles *x) {
  fg_builder *b = x->b;
  int axis = b->naxis;
  fg_build_axis(b, "t", x->fold / x->pairs, FG_AXIS_TILE);
  fg_build_axis(b, "p", x->pairs, FG_AXIS_LANES);
  mates p = {.what = "pairs of rows", .far = x->at_far, .count = x->n2, .result = 1, .axis = axis + 1};
  p.factors = factors_of(x);
  p.from = plain_scratch(x, 0), p.to = x->backward ? x->t->in : x->t->out;
  set_coef(&p.from, axis + 1, 1);
  fg_view *moved[] = {&p.to, &p.factors.more};
  for (int i = 0; i < 2; i++) set_coef(moved[i], axis, x->pairs), set_coef(moved[i], axis + 1, 1);
  fg_status status = build_mates(x, &p);
  b->naxis = axis;
  return status;
}

static fg_status build_tiles(tiles *x, const fg_plan *plan) {
  fg_builder *b = x->b;
  int axis = b->naxis;
  fg_build_axis(b, "t", x->fold / x->pairs, FG_AXIS_TILE);
  fg_build_axis(b, "h", 2, FG_AXIS_INNER);
  fg_build_axis(b, "p", x->pairs, FG_AXIS_LANES);
  fg_build_axis(b, "i", x->half, FG_AXIS_LANES);
  x->scratch = (whole_vectors(b, x->pairs) ? fg_build_blocks : fg_build_scratch)(b, x->n2);
  x->at_far = x->scratch.coef[axis + 1].n;
  take_scratch(x);
  b->naxis = axis;
  fg_status status = x->backward ? usual_pairs(x) : FG_OK;
  for (int far = 0; far < 2 && status == FG_OK; far++) status = build_rows(x, plan, far);
  return status == FG_OK && !x->backward ? usual_pairs(x) : status;
}

/* ---- row 0 ------------------------------------------------------------------------------ */

/* Results 0 and M/2: real numbers, two by two. */
static fg_status edge(const tiles *x, bool odd, int64_t element, int64_t result) {
  fg_codelet_kind kind = odd ? FG_CODELET_R2C_ODD : FG_CODELET_R2C;
  fg_real_radix radix = radix_of(x);
  fg_view from = plain_scratch(x, element), to = fg_build_shifted(x->backward ? &x->t->in : &x->t->out, result);
  fg_stage_form form = {.what = odd ? "the middle column" : "the first column",
                        .slots = (int)x->half,
                        .out_slots = fg_codelet_output(kind, (int)x->r).elements,
                        .load = x->at_number,
                        .store = x->m,
                        .alone = true};
  fg_status status = fg_build_real_radix(&radix, kind, &form.codelet);
  if (status == FG_OK) fg_build_real_radix_stage(&radix, &form, &from, &to);
  return status;
}

static fg_status few_pairs(const tiles *x) {
  fg_view results = x->backward ? x->t->in : x->t->out;
  fg_column_pairs pairs = {.backward = x->backward, .sign = x->t->sign, .r = x->r, .m = x->n2, .first = 1};
  pairs.count = (x->n2 - 1) / 2;
  mates p = {.what = "row 0", .first = 1, .count = pairs.count, .result = x->n1, .alone = true};
  if (p.count) p.factors = fg_build_pair_factors(x->b, &pairs, false);
  p.from = plain_scratch(x, 0), p.to = results;
  fg_status status = p.count ? build_mates(x, &p) : FG_OK;
  if (status == FG_OK) status = edge(x, false, 0, 0);
  return status == FG_OK && x->n2 % 2 == 0 ? edge(x, true, x->n2 / 2 * x->at_element, x->m / 2) : status;
}

static fg_status few_rows(const tiles *x, const fg_plan *plan) {
  fg_builder *b = x->b;
  fg_view rows = x->work, scratch = plain_scratch(x, 0);
  fg_task task = {.n = x->n2, .sign = x->t->sign};
  set_coef(&rows, b->naxis, x->pitch), set_coef(&scratch, b->naxis, x->at_number);
  rows.stride = fg_num_scaled(rows.stride, x->half * x->pitch), scratch.stride = fg_num_const(x->at_element);
  fg_build_axis(b, "i", x->half, FG_AXIS_LANES);
  task.in = x->backward ? scratch : rows, task.out = x->backward ? rows : scratch;
  fg_status status = (x->backward ? fg_build_passes_back : fg_build_plan)(b, plan, &task);
  b->naxis--;
  return status;
}

static fg_status build_few(tiles *x, const fg_plan *plan) {
  fg_builder *b = x->b;
  fg_build_axis(b, "i", x->half, FG_AXIS_LANES);
  x->scratch = fg_build_scratch(b, x->n2);
  take_scratch(x);
  b->naxis--;
  fg_status status = x->backward ? few_pairs(x) : FG_OK;
  if (status == FG_OK) status = few_rows(x, plan);
  return status == FG_OK && !x->backward ? few_pairs(x) : status;
}

/* ---- the whole ------------------------------------------------------------------------ */

static fg_status build_all(tiles *x, const fg_plan *columns, const fg_plan *rows) {
  fg_status status = x->backward ? FG_OK : build_columns(x, columns);
  if (status == FG_OK && !x->backward) fg_build_kernel(x->b);
  if (status == FG_OK) status = build_tiles(x, rows);
  fg_build_kernel(x->b);
  if (status == FG_OK) status = build_few(x, rows);
  if (status != FG_OK || !x->backward) return status;
  fg_build_kernel(x->b);
  return build_columns(x, columns);
}

static bool may_build(const fg_builder *b, const fg_plan *child, const fg_task *t) {
  bool known = true;
  for (int i = 0; i < 2; i++)
    known = known && (child->child[i]->step == FG_DIRECT || child->child[i]->step == FG_STOCKHAM);
  return known && !t->pairs && fg_build_is_whole_real(b, t);
}

/* Vectors of a tile's pairs, times 1024 over what they hold. */
static int64_t waste_of(int64_t pairs, int64_t lanes) { return (pairs + lanes - 1) / lanes * lanes * 1024 / pairs; }

/* The last vector of a tile may overlap the one before. */
static int64_t pairs_of(int64_t fold, int64_t usual, int64_t most, int64_t lanes) {
  int64_t best = fg_build_divisor(fold, usual, lanes);
  for (int64_t d = lanes; d <= most && best % lanes; d++)
    if (fold % d == 0 && waste_of(d, lanes) <= waste_of(best, lanes)) best = d;
  return best;
}

static void choose_tiles(tiles *x, const fg_plan *child) {
  const fg_builder *b = x->b;
  int64_t number = 2 * fg_precision_bytes(b->program->problem.compute), lanes = b->map->lanes;
  int64_t usual = x->t->n / 2 * number <= limit->real_tile_near ? lanes : limit->real_tile_side, all = x->n2 * x->half;
  int64_t tile = fg_plan_param_value(child, FG_PARAM_TILE), rows = fg_plan_param_value(child, FG_PARAM_ROWS);
  int64_t room = larger(limit->real_tile_bytes / (2 * all * number), lanes), most = x->n1 % 2 ? x->fold : x->fold / 2;
  int64_t cols = smaller(usual, larger(limit->real_tile_bytes / (x->n1 * number), lanes));
  x->cols = fg_build_divisor(all, tile ? tile : cols, lanes);
  x->pairs = rows ? fg_build_divisor(x->fold, smaller(rows, most), lanes)
                  : pairs_of(x->fold, smaller(smaller(usual, room), most), smaller(room, most), lanes);
}

/* Whether no vector has both partners of the row that is its own, nor have two threads: they
 * share tiles. */
static bool meet_alone(const tiles *x) {
  return x->n1 % 2 || (x->n2 % 2 == 0 && x->pairs >= x->b->map->lanes && x->pairs < x->fold);
}

fg_status fg_build_real_tiles(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *child = plan->child[0];
  tiles x = {.b = b, .t = t, .backward = t->kind == FG_C2R, .r = plan->arg[0], .half = plan->arg[0] / 2};
  x.n1 = fg_plan_length(child->child[0]), x.n2 = fg_plan_length(child->child[1]);
  x.m = x.n1 * x.n2, x.fold = x.n1 / 2;
  if (!x.fold || !may_build(b, child, t)) return FG_ENA;
  if (!fg_build_complex_view(b, x.backward ? &t->out : &t->in, &x.numbers)) return FG_ENA;
  choose_tiles(&x, child);
  if (!meet_alone(&x))
    return fg_diag_set(&b->cx->diag, FG_EUSER,
                       "plan: real(R, four-step(A, B)): A of odd length, or B of even and A of several vectors' pairs");
  x.pitch = fg_build_padded(b, x.n1);
  x.work = fg_build_workspace(b, x.n2 * x.half * x.pitch);
  return build_all(&x, child->child[0], child->child[1]);
}
