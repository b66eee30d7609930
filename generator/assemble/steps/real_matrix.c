/* Transforms of reals beyond a block of a GPU or the caches of a CPU, by a matrix with rows in pairs.
 *
 * In: a task of kind r2c or c2r, real(R, four-step(A, B)). Out: GPUs: one kernel by clusters, or two; CPUs: three.
 *
 *   columns  neighbouring reals are complex numbers; of their R/2 transforms of M = n/R
 *            points, every R/2-th number each, A's columns of n1 points
 *   rows     times w^(j k), then n2 points by B: element q of row k is result k + n1 q of
 *            those transforms
 *   pairs    real radix R (r2c-pair) takes results k and M - k of all of them, as in
 *            real.c: elements q of row k and n2-1-q of row n1 - k
 *
 * The idea: a tile has both rows of a pair, so that the pass which makes a real transform of complex ones is the
 * last pass of the rows. All else is a complex four-step transform of half as many points. c2r is r2c in the opposite
 * order. Rows 0 and n1/2 are their own partners.
 *
 *   GPUs     pairs k = 0 .. n1/2 - 1; rows 0 and n1/2 use the space of pair 0, a few threads of one block do their
 *            additional work. Between columns and rows, rows up to n1/2 - 1 are in order, their partners at the
 * distance `far` behind them. Between two kernels, elements that one thread of the pairs needs together are neighbours,
 * then rows are: so the data of a tile of rows is contiguous. CPUs     pairs k = 1 .. n1/2, vectors along k, columns
 * one behind the other in the workspace; row 0 has a kernel of its own. Results of row n1/2 are computed twice, with
 * equal values; to avoid that two lanes store one of them at once, n2 is even, or n1 odd.
 *
 * Bailey (1990); Sorensen, Jones, Heideman and Burrus (1987). */
#include "generator/assemble/steps/real_matrix.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/pitch.h"
#include "generator/assemble/steps/stockham.h"
#include "generator/base/integer.h"
#include "generator/ir/program_machine.h"
#include "targets/machine/limits.h"

typedef fg_real_matrix matrix;
typedef fg_matrix_rows choice;
static void push_tiles(const matrix *x, int64_t count) {
  fg_build_axis(x->b, x->tiles == FG_AXIS_RANK ? "r" : "t", count, x->tiles);
}

static void set_coef(fg_view *v, int axis, int64_t elements) { v->coef[axis] = fg_num_scaled(v->stride, elements); }

/* ---- columns -------------------------------------------------------------------------- */

/* The factors between columns and rows are applied after the columns, as in decimation in frequency; those of c2r are
 * anyhow, where rows are first. */
static bool in_frequency(const matrix *x) {
  return !x->apart && !x->backward && x->tiles != FG_AXIS_RANK &&
         fg_plan_param_value(x->b->program->plan, FG_PARAM_FREQUENCY);
}

/* Column j's element k is turned j k times; of two kernels. */
static fg_twiddle_exponents exponents_of_columns(const matrix *x, int axis, bool several) {
  fg_twiddle_exponents exponents = {.order = x->m, .count = x->n2, .step = 1};
  for (int i = 0; i < FG_MAX_AXES; i++) exponents.coef[i] = fg_num_const(0);
  exponents.coef[axis] = fg_num_const(x->cols / x->half);
  if (several) exponents.coef[axis + 1] = fg_num_const(1);
  return exponents;
}

fg_status fg_build_matrix_columns(const matrix *x, const fg_plan *plan) {
  fg_builder *b = x->b;
  int axis = b->naxis, naxis = axis;
  bool even = x->column == x->half * x->number; /* all columns of a tile as one row of neighbours */
  if (in_frequency(x) && x->cols > x->half) even = false;
  fg_view numbers = x->numbers, matrix = x->between;
  push_tiles(x, x->n2 * x->half / x->cols);
  set_coef(&numbers, axis, x->cols), set_coef(&matrix, axis, x->cols * x->column / x->half);
  if (!even) {
    set_coef(&numbers, ++axis, x->half), set_coef(&matrix, axis, x->column);
    fg_build_axis(b, "c", x->cols / x->half, FG_AXIS_LANES);
  }
  set_coef(&numbers, ++axis, 1), set_coef(&matrix, axis, x->number);
  fg_build_axis(b, even ? "c" : "i", even ? x->cols : x->half, x->apart ? FG_AXIS_INNER : FG_AXIS_LANES);
  numbers.stride = fg_num_scaled(numbers.stride, x->n2 * x->half);
  matrix.stride = fg_num_scaled(matrix.stride, x->row);
  if (!x->apart) matrix.fold = x->fold, matrix.far = x->far, matrix.begins = x->whole;
  fg_task task = {.n = x->n1, .sign = x->t->sign, .in = numbers, .out = matrix};
  if (x->backward) task.in = matrix, task.out = numbers;
  fg_twiddle_exponents exponents = exponents_of_columns(x, naxis, !even);
  if (in_frequency(x)) task.exponents = &exponents, task.skewed = true;
  bool back = x->apart ? x->backward : in_frequency(x);
  fg_status status = (back ? fg_build_passes_back : fg_build_plan)(b, plan, &task);
  b->naxis = naxis;
  return status;
}

/* ---- rows ----------------------------------------------------------------------------- */

typedef struct row_axis {
  const char *name;
  int64_t extent;
  fg_axis_kind kind;
  int64_t between, scratch, exponent; /* coefs */
} row_axis;

/* Axes of rows: tile, row of the pair, pair, transform. What is contiguous in a tile's memory: in a cluster and on CPUs
 * the pairs, else the transforms, as in the workspace. */
static int row_axes(const matrix *x, choice c, row_axis *axis) {
  bool near = x->tiles == FG_AXIS_RANK || x->apart;
  int64_t sign = c == FG_MATRIX_UPPER ? -1 : 1, pairs = sign * x->pairs;
  int n = 0;
  if (c != FG_MATRIX_ROW_0)
    axis[n++] =
        (row_axis){x->tiles == FG_AXIS_RANK ? "r" : "t", x->fold / x->pairs, x->tiles, pairs * x->row, 0, pairs};
  if (c == FG_MATRIX_BOTH) axis[n++] = (row_axis){"h", 2, FG_AXIS_INNER, x->far, x->at_far, x->fold};
  if (c != FG_MATRIX_ROW_0)
    axis[n++] = (row_axis){"p", x->pairs, near ? FG_AXIS_LANES : FG_AXIS_INNER, sign * x->row, x->at_row, sign};
  axis[n++] = (row_axis){"i", x->half, FG_AXIS_LANES, x->number, x->at_number, 0};
  return n;
}

static int push_rows(const matrix *x, choice c, row_axis *axis) {
  int n = row_axes(x, c, axis);
  for (int i = 0; i < n; i++) fg_build_axis(x->b, axis[i].name, axis[i].extent, axis[i].kind);
  return n;
}

static bool whole_vectors(const fg_builder *b, int64_t n) {
  return b->map->lanes > 1 && n % b->map->lanes == 0 && !fg_plan_param_value(b->program->plan, FG_PARAM_LANES);
}

/* For both rows of the pairs, or for row 0. */
void fg_build_matrix_scratch(matrix *x, choice rows) {
  fg_builder *b = x->b;
  int axis = b->naxis;
  int64_t length = x->n2;
  row_axis axes[4];
  push_rows(x, rows, axes);
  bool blocks = x->apart && rows == FG_MATRIX_BOTH && whole_vectors(b, x->pairs);
  if (!x->apart && x->tiles != FG_AXIS_RANK) length = fg_build_bank_pitch(b, x->n2 * x->half) / x->half;
  x->scratch = (blocks ? fg_build_blocks : fg_build_scratch)(b, length);
  if (rows == FG_MATRIX_BOTH) x->at_far = x->scratch.coef[axis + 1].n, x->at_row = x->scratch.coef[axis + 2].n;
  x->at_number = x->scratch.coef[b->naxis - 1].n, x->at_element = x->scratch.stride.n;
  for (int i = 0; i < FG_MAX_AXES; i++) x->scratch.coef[i] = fg_num_const(0);
  x->scratch.stride = fg_num_const(1);
  b->naxis = axis;
}

static fg_num take_term(fg_affine *from, int16_t digit) {
  fg_num coef = fg_num_const(0);
  int kept = 0;
  for (int t = 0; t < from->nterm; t++)
    if (from->term[t].digit == digit)
      coef = from->term[t].coef;
    else
      from->term[kept++] = from->term[t];
  from->nterm = kept;
  return coef;
}

/* Where tiles of pairs begin earlier, by as many places as the queue finds out for each transform, place u of all has
 * pair u less so many, modulo all pairs. In: an address that counts pairs along the axis `tile` and along `pair`. */
static void begin_earlier(const matrix *x, const fg_stage *s, fg_access *a, int tile, int pair) {
  int16_t t = fg_build_axis_digit(x->b, s, tile), p = fg_build_axis_digit(x->b, s, pair);
  for (; a && x->whole; a = a->rest) {
    fg_affine rest = a->index.at;
    fg_num unit = take_term(&rest, p);
    if (fg_num_is(unit, 0)) continue;
    take_term(&rest, t);
    a->index.base = rest, a->index.scale = unit;
    a->index.mod = x->fold;
    a->index.at = (fg_affine){.offset = fg_num_const(0)};
    if (t >= 0) fg_affine_add(&a->index.at, t, fg_num_const(x->pairs));
    fg_affine_add(&a->index.at, p, fg_num_const(1));
    fg_affine_add(&a->index.at, fg_build_shift_digit(x->b->kernel), fg_num_const(x->fold - 1));
  }
}

fg_status fg_build_matrix_rows(const matrix *x, const fg_plan *plan, choice rows) {
  fg_builder *b = x->b;
  int naxis = b->naxis, first = b->kernel->nstage;
  int64_t row = rows == FG_MATRIX_UPPER ? x->n1 - 1 : rows == FG_MATRIX_LOWER ? 1 : 0;
  row_axis axis[4];
  int n = push_rows(x, rows, axis);
  fg_view matrix = fg_build_shifted(&x->between, row),
          scratch = fg_build_shifted(&x->scratch, rows == FG_MATRIX_UPPER ? x->at_far : 0);
  fg_twiddle_exponents exponents = {.order = x->m, .count = x->n1, .first = row, .step = 1, .folded = !x->apart};
  for (int i = 0; i < FG_MAX_AXES; i++) exponents.coef[i] = fg_num_const(0);
  for (int i = 0; i < n; i++) {
    set_coef(&matrix, naxis + i, axis[i].between), set_coef(&scratch, naxis + i, axis[i].scratch);
    exponents.coef[naxis + i] = fg_num_const(axis[i].exponent);
  }
  matrix.stride = fg_num_scaled(matrix.stride, x->column), scratch.stride = fg_num_const(x->at_element);
  fg_task task = {.n = x->n2, .sign = x->t->sign, .in = matrix, .out = scratch};
  if (!in_frequency(x) && rows != FG_MATRIX_ROW_0) task.exponents = &exponents;
  if (x->backward) task.in = scratch, task.out = matrix;
  fg_status status = (x->backward ? fg_build_passes_back : fg_build_plan)(b, plan, &task);
  for (int i = first; i < b->kernel->nstage; i++) {
    fg_stage *s = &b->kernel->stage[i];
    if (s->factors.has_twiddle) begin_earlier(x, s, &s->factors.twiddle, naxis, naxis + 2);
    if (s->factors.has_more) begin_earlier(x, s, &s->factors.more, naxis, naxis + 2);
  }
  b->naxis = naxis;
  return status;
}

/* ---- pairs ---------------------------------------------------------------------------- */

/* Elements first + q of a row with elements n2-1-q of its partner, q < count, which is `far` behind it; results from
 * `result` + n1 q on. Axes around move results alone. */
typedef struct mates {
  const char *what;
  bool both; /* rows 0 and n1/2, each its own partner */
  int64_t far, first, count, result;
  int axis; /* 0: none, else 1 + the first of these: upper results are in descending order where lower ones ascend */
  fg_view from, to;
  fg_factors factors;
  bool more_steps;
} mates;

static fg_view results_of(const matrix *x) { return x->backward ? x->t->in : x->t->out; }

static fg_status add_stage(const matrix *x, fg_stage_form *form, fg_codelet_kind kind, const fg_view *from,
                           const fg_view *to) {
  fg_real_radix radix = {x->b, x->t->sign, x->backward, x->r, x->m};
  fg_status status = fg_build_real_radix(&radix, kind, &form->codelet);
  if (status == FG_OK) fg_build_real_radix_stage(&radix, form, from, to);
  return status;
}

static fg_status build_mates(const matrix *x, const mates *p) {
  int q = p->both, half = (int)x->half;
  int64_t e = x->at_element, step = p->factors.step;
  fg_side load = {.slots = half, .first = p->far + (x->n2 - 1 - p->first) * e, .slot = x->at_number};
  fg_side store = {.slots = half, .first = x->r * x->m / 2 - 2 * p->result, .slot = -x->m, .axis = p->axis};
  fg_view from = fg_build_shifted(&p->from, p->first * e), to = fg_build_shifted(&p->to, p->result);
  fg_stage_form form = {.what = p->what,
                        .loop = {{"h", 2, x->at_far - e, -x->fold, -x->fold * step / x->n1}},
                        .slots = half,
                        .out_slots = half,
                        .load = x->at_number,
                        .store = x->m,
                        .more_steps = p->more_steps,
                        .load_rest = &load,
                        .store_rest = &store,
                        .alone = x->apart && p->first};
  load.loop[0] = x->at_far, store.loop[0] = x->fold;
  load.loop[q] = -e, store.loop[q] = -x->n1;
  form.loop[q] = (fg_loop){"q", p->count, e, x->n1, step};
  fg_build_set_factors(&form, &p->factors);
  return add_stage(x, &form, FG_CODELET_R2C_PAIR, &from, &to);
}

static fg_stage *last_stage(const matrix *x) { return &x->b->kernel->stage[x->b->kernel->nstage - 1]; }

static void keep_below(fg_access *a, const fg_affine *value, int64_t bound) {
  for (; a; a = a->rest) fg_access_keep(a, value, fg_num_const(bound));
}

static void add_digit(fg_affine *value, int16_t digit, int64_t coef) {
  if (digit >= 0) fg_affine_add(value, digit, fg_num_const(coef));
}

/* Pair 0 is no pair. */
static void leave_first(const matrix *x, fg_stage *s) {
  const fg_builder *b = x->b;
  fg_affine number = {.offset = fg_num_const(0)};
  add_digit(&number, fg_build_axis_digit(b, s, b->naxis - 2), -x->pairs);
  add_digit(&number, fg_build_axis_digit(b, s, b->naxis - 1), -1);
  if (x->whole) number.offset = fg_num_const(x->fold - 1), add_digit(&number, fg_build_shift_digit(b->kernel), 1);
  keep_below(&s->store, &number, x->whole ? x->fold - 1 : 0);
  for (fg_access *a = &s->store; a && x->whole; a = a->rest) a->pred[a->npred - 1].mod = x->fold;
}

/* Between two kernels all factors of the pairs would be as many as half of the transform's numbers, and take the
 * L2's room: they are products of one for the element and one for the row. */
static bool has_short_tables(const matrix *x) {
  return x->tiles != FG_AXIS_RANK && x->r > 4 && fg_build_wants_products(x->b, true);
}

/* Of results k, with M - k, of the complex transforms: those whose k is a multiple of `unit`. */
static fg_factors factors_of(const matrix *x, int64_t unit) {
  fg_column_pairs all = {
      .backward = x->backward, .sign = x->t->sign, .r = x->r, .m = x->m / unit, .count = x->m / unit};
  return fg_build_pair_factors(x->b, &all, true);
}

/* Of results k + n1 q: those of q in the first table, of k in the second. */
static fg_factors short_factors(const matrix *x) {
  fg_table far = {.fill = FG_FILL_DOUBLING, .sign = x->t->sign, .rows = fg_log2(x->r), .cols = x->n2};
  fg_table near = far;
  far.order = x->r * x->n2, far.shift = x->backward ? 0 : -1;
  near.order = x->r * x->m, near.cols = x->fold;
  fg_factors f = {
      .slots = (int)far.rows, .coef = far.cols, .more_slots = (int)near.rows, .more_coef = near.cols, .step = 1};
  f.table = fg_build_table(x->b, &far), f.more = fg_build_table(x->b, &near);
  f.product = fg_build_products_of_both(x->b, x->r, !x->backward);
  return f;
}

/* Of results k + n1 q, k = 1 .. fold, likewise: products of one factor of q, in the first table, and one of k. */
fg_factors fg_build_matrix_factors(const matrix *x) {
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

static fg_status usual_pairs(const matrix *x) {
  fg_builder *b = x->b;
  int axis = b->naxis;
  bool few = x->apart || has_short_tables(x);
  push_tiles(x, x->fold / x->pairs);
  fg_build_axis(b, "p", x->pairs, FG_AXIS_LANES);
  mates p = {.what = "pairs of rows", .far = x->at_far, .count = x->n2, .axis = axis + 1, .more_steps = !few};
  p.factors = x->apart ? fg_build_matrix_factors(x) : few ? short_factors(x) : factors_of(x, 1);
  if (!few) p.factors.step = x->n1;
  p.from = x->scratch, p.to = results_of(x), p.result = x->apart;
  set_coef(&p.from, axis + 1, x->at_row);
  fg_view *moved[] = {&p.to, &p.factors.more, &p.factors.table};
  for (int i = 0; i < (few ? 2 : 3); i++) set_coef(moved[i], axis, x->pairs), set_coef(moved[i], axis + 1, 1);
  fg_status status = build_mates(x, &p);
  if (status == FG_OK && !x->apart) {
    fg_stage *s = last_stage(x);
    leave_first(x, s);
    begin_earlier(x, s, &s->store, axis, axis + 1);
    begin_earlier(x, s, &s->factors.twiddle, axis, axis + 1);
    if (s->factors.has_more) begin_earlier(x, s, &s->factors.more, axis, axis + 1);
  }
  b->naxis = axis;
  return status;
}

/* Only the first block of all has it. */
static void first_alone(const matrix *x, int warp_role) {
  if (x->apart) return;
  fg_stage *s = last_stage(x);
  int16_t tile = fg_build_axis_digit(x->b, s, x->b->naxis - 1);
  for (fg_access *a = &s->load; a && x->whole; a = a->rest)
    fg_affine_add(&a->index.at, fg_build_shift_digit(x->b->kernel), fg_num_const(x->at_row));
  s->warp_role = warp_role;
  if (tile < 0) return;
  fg_affine number = {.offset = fg_num_const(0)};
  fg_affine_add(&number, tile, fg_num_const(1));
  s->pred[s->npred++] = (fg_pred){.value = number, .bound = fg_num_const(1)};
}

/* Row 0 with itself: elements 1 + q and n2-1-q. */
static fg_status row_0(const matrix *x) {
  fg_column_pairs all = {.backward = x->backward, .sign = x->t->sign, .r = x->r, .m = x->n2, .first = 1};
  all.count = (x->n2 - 1) / 2;
  if (!all.count) return FG_OK;
  mates p = {.what = "row 0", .first = 1, .count = all.count, .result = x->n1};
  p.factors = fg_build_pair_factors(x->b, &all, false);
  p.from = x->scratch, p.to = results_of(x);
  return build_mates(x, &p);
}

/* Rows 0 and n1/2 with themselves: elements 1 + q and n2-1-q of the one, q and n2-1-q of
 * the other. */
static fg_status middle_rows(const matrix *x) {
  int64_t unit = has_short_tables(x) ? x->fold : 1, pairs = x->n2 / 2;
  mates p = {.what = "rows 0 and in the middle", .both = true, .first = 1, .count = pairs, .result = x->n1};
  p.more_steps = true, p.from = x->scratch, p.to = results_of(x);
  p.factors = factors_of(x, unit), p.factors.step = x->n1 / unit;
  p.factors.table = fg_build_shifted(&p.factors.table, p.factors.step);
  if (p.factors.more_slots) p.factors.more = fg_build_shifted(&p.factors.more, p.factors.step);
  fg_status status = build_mates(x, &p);
  if (status != FG_OK) return status;
  fg_stage *s = last_stage(x);
  fg_affine number = {.offset = fg_num_const(0)};
  if (pairs > 1) fg_affine_add(&number, s->loop[s->nloop - 1], fg_num_const(1));
  fg_affine_add(&number, s->loop[s->nloop - (pairs > 1 ? 2 : 1)], fg_num_const(-1));
  keep_below(&s->store, &number, pairs - 1);
  first_alone(x, 1);
  return FG_OK;
}

/* Results 0 and M/2: real numbers, two by two. */
static fg_status edge(const matrix *x, fg_codelet_kind kind, int64_t element, int64_t result, int warp_role) {
  fg_view results = results_of(x), from = fg_build_shifted(&x->scratch, element),
          to = fg_build_shifted(&results, result);
  fg_stage_form form = {.what = result ? "the middle column" : "the first column",
                        .slots = (int)x->half,
                        .out_slots = fg_codelet_output(kind, (int)x->r).elements,
                        .load = x->at_number,
                        .store = x->m,
                        .alone = true};
  fg_status status = add_stage(x, &form, kind, &from, &to);
  if (status == FG_OK) first_alone(x, warp_role);
  return status;
}

/* What is its own partner. */
static fg_status few_pairs(const matrix *x) {
  fg_status status = (x->apart ? row_0 : middle_rows)(x);
  if (status == FG_OK) status = edge(x, FG_CODELET_R2C, 0, 0, 2);
  if (status != FG_OK || x->n2 % 2) return status;
  return edge(x, FG_CODELET_R2C_ODD, x->n2 / 2 * x->at_element, x->m / 2, 3);
}

static fg_status build_pairs(const matrix *x, choice c) {
  fg_builder *b = x->b;
  int first = b->kernel->nstage;
  if (x->apart) return (c == FG_MATRIX_ROW_0 ? few_pairs : usual_pairs)(x);
  fg_status status = usual_pairs(x);
  push_tiles(x, x->fold / x->pairs);
  if (status == FG_OK) status = few_pairs(x);
  b->naxis--;
  fg_build_wait_once(b, first);
  return status;
}

/* ---- the whole ------------------------------------------------------------------------ */

/* Rows and what becomes of them: of both rows of the pairs, on CPUs one by one, or of row 0. */
static fg_status build_side(matrix *x, const fg_plan *plan, choice c) {
  choice part = x->apart && c == FG_MATRIX_BOTH ? FG_MATRIX_LOWER : c,
         last = part == FG_MATRIX_LOWER ? FG_MATRIX_UPPER : part;
  fg_build_matrix_scratch(x, c);
  fg_status status = x->backward ? build_pairs(x, c) : FG_OK;
  for (; part <= last && status == FG_OK; part++) status = fg_build_matrix_rows(x, plan, part);
  return status == FG_OK && !x->backward ? build_pairs(x, c) : status;
}

static fg_status build_all(matrix *x, const fg_plan *child) {
  bool several = x->tiles != FG_AXIS_RANK;
  fg_status status = x->backward ? FG_OK : fg_build_matrix_columns(x, child->child[0]);
  if (!x->backward && several) fg_build_kernel(x->b);
  if (status == FG_OK) status = build_side(x, child->child[1], FG_MATRIX_BOTH);
  if (x->apart) fg_build_kernel(x->b);
  if (x->apart && status == FG_OK) status = build_side(x, child->child[1], FG_MATRIX_ROW_0);
  if (!x->backward || status != FG_OK) return status;
  if (several) fg_build_kernel(x->b);
  return fg_build_matrix_columns(x, child->child[0]);
}

/* ---- tiles, and what is between columns and rows -------------------------------------- */

static int64_t odd(int64_t n) { return n % 2 ? n : n + 1; }

static fg_status by_clusters(matrix *x, const fg_plan *child, int blocks) {
  fg_builder *b = x->b;
  if (blocks < 2 || b->map->cluster < blocks)
    return fg_refuse(b->cx, "plan: cluster=%d: this target has clusters of up to %d blocks", blocks,
                     b->map->cluster > 1 ? b->map->cluster : 1);
  if (x->fold % blocks || x->n2 % blocks)
    return fg_refuse(b->cx, "plan: cluster=%d: must divide %lld and %lld", blocks, (long long)x->fold,
                     (long long)x->n2);
  x->pairs = x->fold / blocks, x->cols = x->n2 / blocks * x->half;
  b->kernel->launch.resident = (int)fg_plan_param_value(child, FG_PARAM_RESIDENT);
  int64_t pitch = x->backward ? odd(x->n1) : odd(2 * x->n2 * x->half);
  if (x->backward)
    x->row = 1, x->far = x->fold, x->number = pitch, x->column = x->half * pitch;
  else
    x->row = pitch, x->far = x->n2 * x->half, x->number = 1, x->column = x->half;
  x->between = fg_build_exchange(b, x->backward ? x->n2 / blocks * x->column : x->pairs * x->row, blocks);
  return build_all(x, child);
}

static fg_status in_two_kernels(matrix *x, const fg_plan *child) {
  fg_builder *b = x->b;
  int64_t element = 2 * fg_precision_bytes(b->program->problem.compute),
          usual = fg_program_machine(b->program)->segment_bytes / element;
  int64_t tile = fg_plan_param_value(child, FG_PARAM_TILE), pairs = fg_plan_param_value(child, FG_PARAM_ROWS);
  tile = (tile ? tile : usual) / x->half;
  x->cols = fg_build_divisor(x->n2, tile ? tile : 1, 1) * x->half;
  while (!pairs && usual > 1 && 2 * usual * x->n2 * x->half * element > (int64_t)b->map->local_bytes) usual /= 2;
  x->pairs = fg_build_divisor(x->fold, pairs ? pairs : usual, 1);
  if (x->whole && (b->sector = fg_program_machine(b->program)->sector_bytes /
                               (2 * fg_precision_bytes(b->program->problem.storage))) > x->pairs)
    return fg_refuse(b->cx, "plan: whole=on: rows=%lld are no whole sectors", (long long)x->pairs);
  x->row = x->half, x->far = x->n2 * x->fold * x->half, x->column = x->fold * x->half, x->number = 1;
  x->between = fg_build_workspace(b, x->n1 * x->n2 * x->half);
  return build_all(x, child);
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

/* Bytes of a tile of columns, which the next tile is fetched beside where L2 is small. */
static int64_t columns_bytes(const fg_builder *b) {
  return fg_l2_bytes(b->program) / (fg_small_l2(b->program) ? 4 : 2);
}

static void choose_tiles(matrix *x, const fg_plan *child) {
  const fg_builder *b = x->b;
  int64_t number = 2 * fg_precision_bytes(b->program->problem.compute), lanes = b->map->lanes;
  int64_t usual = x->t->n / 2 * number <= limit->real_tile_near ? lanes : limit->real_tile_side, all = x->n2 * x->half;
  int64_t tile = fg_plan_param_value(child, FG_PARAM_TILE), rows = fg_plan_param_value(child, FG_PARAM_ROWS);
  int64_t room = fg_larger(limit->real_tile_bytes / (2 * all * number), lanes),
          most = x->n1 % 2 ? x->fold : x->fold / 2;
  int64_t cols = fg_smaller(usual, fg_larger(columns_bytes(b) / (x->n1 * number), lanes));
  x->cols = fg_build_divisor(all, tile ? tile : cols, lanes);
  x->pairs = rows ? fg_build_divisor(x->fold, fg_smaller(rows, most), lanes)
                  : pairs_of(x->fold, fg_smaller(fg_smaller(usual, room), most), fg_smaller(room, most), lanes);
}

/* Whether no vector has both partners of the row that is its own, nor have two threads: they
 * share tiles. */
static bool meet_alone(const matrix *x) {
  return x->n1 % 2 || (x->n2 % 2 == 0 && x->pairs >= x->b->map->lanes && x->pairs < x->fold);
}

static fg_status open_three_kernels(matrix *x, const fg_plan *child) {
  choose_tiles(x, child);
  if (!meet_alone(x))
    return fg_refuse(x->b->cx,
                     "plan: real(R, four-step(A, B)): A of odd length, or B of even and A of several vectors' pairs");
  x->number = fg_build_padded(x->b, x->n1), x->column = x->half * x->number, x->row = 1;
  x->between = fg_build_workspace(x->b, x->n2 * x->column);
  return FG_OK;
}

static fg_status in_three_kernels(matrix *x, const fg_plan *child) {
  fg_status status = open_three_kernels(x, child);
  return status == FG_OK ? build_all(x, child) : status;
}

/* The radix of the pass next to the rows: half of what it makes or takes is mirrored. */
static int64_t next_radix(const fg_plan *columns, bool first) {
  if (columns->step == FG_FOUR_STEP) return next_radix(columns->child[first ? 0 : 1], first);
  return columns->arg[first ? 0 : columns->narg - 1];
}

static bool can_build(const fg_plan *child, const matrix *x) {
  const fg_plan *columns = child->child[0], *rows = child->child[1];
  bool known = columns->step == FG_DIRECT || columns->step == FG_STOCKHAM;
  if (!x->apart && !in_frequency(x) && !fg_plan_param_value(child, FG_PARAM_CLUSTER))
    known = known || columns->step == FG_FOUR_STEP;
  known = known && (rows->step == FG_DIRECT || rows->step == FG_STOCKHAM);
  return known && (x->apart || (x->n2 % 2 == 0 && next_radix(columns, x->backward || in_frequency(x)) % 2 == 0));
}

fg_status fg_build_real_matrix(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *child = plan->child[0];
  matrix x = {.b = b, .t = t, .backward = t->kind == FG_C2R, .r = plan->arg[0], .half = plan->arg[0] / 2};
  x.n1 = fg_plan_length(child->child[0]), x.n2 = fg_plan_length(child->child[1]);
  x.m = x.n1 * x.n2, x.fold = x.n1 / 2;
  x.apart = !b->map->threads;
  int blocks = x.apart ? 0 : (int)fg_plan_param_value(child, FG_PARAM_CLUSTER);
  x.tiles = blocks ? FG_AXIS_RANK : FG_AXIS_TILE;
  x.whole = !x.apart && fg_plan_param_value(plan, FG_PARAM_WHOLE);
  if (x.whole && (x.backward || !fg_plan_param_value(plan, FG_PARAM_QUEUE)))
    return fg_refuse(b->cx, "plan: whole=on: r2c by a queue alone");
  if (!x.fold || t->pairs || !fg_build_is_whole_real(b, t)) return FG_ENA;
  if (!fg_build_complex_view(b, x.backward ? &t->out : &t->in, &x.numbers)) return FG_ENA;
  if (!can_build(child, &x))
    return fg_refuse(b->cx, "plan: real(R, four-step(A, B)): A and B of stockham or direct%s",
                     x.apart ? "" : ", even ones where they meet");
  return x.apart ? in_three_kernels(&x, child) : blocks ? by_clusters(&x, child, blocks) : in_two_kernels(&x, child);
}

fg_status fg_build_open_matrix(fg_builder *b, const fg_plan *plan, const fg_task *t, fg_real_matrix *x) {
  const fg_plan *child = plan->child[0];
  *x = (matrix){.b = b, .t = t, .r = plan->arg[0], .half = plan->arg[0] / 2, .apart = true, .tiles = FG_AXIS_TILE};
  x->n1 = fg_plan_length(child->child[0]), x->n2 = fg_plan_length(child->child[1]);
  x->m = x->n1 * x->n2, x->fold = x->n1 / 2;
  if (!x->fold || !fg_build_is_whole_real(b, t) || !can_build(child, x)) return FG_ENA;
  return fg_build_complex_view(b, &t->in, &x->numbers) ? open_three_kernels(x, child) : FG_ENA;
}
