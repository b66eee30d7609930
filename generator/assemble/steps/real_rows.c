/* Transforms of reals that exceed a block of a GPU, by a matrix with rows in pairs.
 *
 * In: a task of kind r2c or c2r, real(R, four-step(A, B)). Out: one kernel by clusters, or two.
 *
 *   columns  neighbouring reals are complex numbers; of their R/2 transforms of M = n/R
 *            points, every R/2-th number each, A's columns of n1 points
 *   rows     times w^(j k), then n2 points by B: element q of row k is result k + n1 q of
 *            those transforms
 *   pairs    real radix R (r2c-pair) takes results k and M - k of all of them, as in
 *            real.c: elements q of row k and n2-1-q of row n1 - k
 *
 * The idea: a block has both rows of a pair, so that the pass which makes a real transform of complex ones is the
 * last pass of the rows. All else is a complex four-step transform of half as many points. Rows 0 and n1/2, each its
 * own partner, use the space of one pair; a few threads of one block do their additional work. c2r is r2c in the
 * opposite order.
 *
 * Between columns and rows, rows up to n1/2 - 1 are in order, and their partners are at the distance `far` behind
 * them. Between two kernels, elements that one thread of the pairs needs together are neighbours, then rows are: so
 * the data of a tile of rows is contiguous. Bailey (1990); Sorensen, Jones, Heideman and Burrus (1987). */
#include "generator/assemble/memory.h"
#include "generator/assemble/pitch.h"
#include "generator/assemble/steps/real.h"
#include "generator/assemble/steps/stockham.h"
#include "generator/base/invariant.h"
#include "generator/ir/program_machine.h"
#include <stdio.h>

typedef struct rows {
  fg_builder *b;
  const fg_task *t;
  bool backward;       /* c2r */
  int64_t r, half;     /* radix of reals; complex transforms side by side */
  int64_t n1, n2, m;   /* length of columns, of rows; of the complex transforms */
  int64_t fold;        /* pairs of rows */
  int64_t pairs, cols; /* of a block: pairs, and columns of each of the transforms */
  fg_axis_kind tiles;
  bool whole;      /* tiles of pairs begin where results do that begin sectors; see begin_earlier */
  fg_view numbers; /* the reals, two by two */
  fg_view between; /* pair k, row h of it, column j, transform i at k row + h far + j column + i number */
  int64_t row, far, column, number;
  fg_view scratch; /* rows before or after the pairs: likewise, k in the block, with element q for column j */
  int64_t at_row, at_far, at_element, at_number;
} rows;

static void push_tiles(const rows *x, int64_t count) {
  fg_build_axis(x->b, x->tiles == FG_AXIS_RANK ? "r" : "t", count, x->tiles);
}

static void set_coef(fg_view *v, int axis, int64_t elements) { v->coef[axis] = fg_num_scaled(v->stride, elements); }

/* ---- columns -------------------------------------------------------------------------- */

/* The factors between columns and rows are applied after the columns, as in decimation in frequency; those of c2r are
 * anyhow, where rows are first. */
static bool in_frequency(const rows *x) {
  return !x->backward && x->tiles != FG_AXIS_RANK && fg_plan_param_value(x->b->program->plan, FG_PARAM_FREQUENCY);
}

/* Column j's element k is turned j k times; of two kernels. */
static fg_twiddle_exponents exponents_of_columns(const rows *x, int axis, bool several) {
  fg_twiddle_exponents exponents = {.order = x->m, .count = x->n2, .step = 1};
  for (int i = 0; i < FG_MAX_AXES; i++) exponents.coef[i] = fg_num_const(0);
  exponents.coef[axis] = fg_num_const(x->cols);
  if (several) exponents.coef[axis + 1] = fg_num_const(1);
  return exponents;
}

static fg_status build_columns(const rows *x, const fg_plan *plan) {
  fg_builder *b = x->b;
  int axis = b->naxis, naxis = axis;
  bool even = x->column == x->half * x->number; /* all columns of a tile as one row of neighbours */
  if (in_frequency(x) && x->cols > 1) even = false;
  fg_view numbers = x->numbers, matrix = x->between;
  push_tiles(x, x->n2 / x->cols);
  set_coef(&numbers, axis, x->cols * x->half), set_coef(&matrix, axis, x->cols * x->column);
  if (!even) {
    set_coef(&numbers, ++axis, x->half), set_coef(&matrix, axis, x->column);
    fg_build_axis(b, "c", x->cols, FG_AXIS_LANES);
  }
  set_coef(&numbers, ++axis, 1), set_coef(&matrix, axis, x->number);
  fg_build_axis(b, even ? "c" : "i", even ? x->cols * x->half : x->half, FG_AXIS_LANES);
  numbers.stride = fg_num_scaled(numbers.stride, x->n2 * x->half);
  matrix.stride = fg_num_scaled(matrix.stride, x->row);
  matrix.fold = x->fold, matrix.far = x->far, matrix.begins = x->whole;
  fg_task task = {.n = x->n1, .sign = x->t->sign, .in = numbers, .out = matrix};
  if (x->backward) task.in = matrix, task.out = numbers;
  fg_twiddle_exponents exponents = exponents_of_columns(x, naxis, !even);
  if (in_frequency(x)) task.exponents = &exponents, task.skewed = true;
  fg_status status = (in_frequency(x) ? fg_build_passes_back : fg_build_plan)(b, plan, &task);
  b->naxis = naxis;
  return status;
}

/* ---- rows ----------------------------------------------------------------------------- */

/* Axes of the rows: tile, row of the pair, pair, transform. What is contiguous in the
 * block's memory: in a cluster the pairs, else the transforms, as in the workspace. */
static void push_rows(const rows *x) {
  bool cluster = x->tiles == FG_AXIS_RANK;
  push_tiles(x, x->fold / x->pairs);
  fg_build_axis(x->b, "h", 2, FG_AXIS_INNER);
  fg_build_axis(x->b, "p", x->pairs, cluster ? FG_AXIS_LANES : FG_AXIS_INNER);
  fg_build_axis(x->b, "i", x->half, FG_AXIS_LANES);
}

/* With the rows' axes in scope. */
static void make_scratch(rows *x) {
  fg_builder *b = x->b;
  int axis = b->naxis - 4;
  int64_t length = x->n2;
  if (x->tiles != FG_AXIS_RANK) length = fg_build_bank_pitch(b, x->n2 * x->half) / x->half;
  x->scratch = fg_build_scratch(b, length);
  x->at_far = x->scratch.coef[axis + 1].n, x->at_row = x->scratch.coef[axis + 2].n;
  x->at_number = x->scratch.coef[axis + 3].n, x->at_element = x->scratch.stride.n;
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
static void begin_earlier(const rows *x, const fg_stage *s, fg_access *a, int tile, int pair) {
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

static fg_status build_rows(rows *x, const fg_plan *plan) {
  fg_builder *b = x->b;
  int axis = b->naxis, first = b->kernel->nstage;
  fg_view matrix = x->between;
  const int64_t step[] = {x->pairs * x->row, x->far, x->row, x->number};
  fg_twiddle_exponents exponents = {.order = x->m, .count = x->n1, .step = 1, .folded = true};
  const int64_t exponent[] = {x->pairs, x->fold, 1, 0};
  for (int i = 0; i < FG_MAX_AXES; i++) exponents.coef[i] = fg_num_const(0);
  for (int i = 0; i < 4; i++)
    set_coef(&matrix, axis + i, step[i]), exponents.coef[axis + i] = fg_num_const(exponent[i]);
  matrix.stride = fg_num_scaled(matrix.stride, x->column);
  push_rows(x);
  if (!x->backward) make_scratch(x);
  fg_task task = {.n = x->n2, .sign = x->t->sign, .in = matrix, .out = x->scratch};
  if (!in_frequency(x)) task.exponents = &exponents;
  if (x->backward) task.in = x->scratch, task.out = matrix;
  fg_status status = (x->backward ? fg_build_passes_back : fg_build_plan)(b, plan, &task);
  for (int i = first; i < b->kernel->nstage; i++) {
    fg_stage *s = &b->kernel->stage[i];
    if (s->factors.has_twiddle) begin_earlier(x, s, &s->factors.twiddle, axis, axis + 2);
    if (s->factors.has_more) begin_earlier(x, s, &s->factors.more, axis, axis + 2);
  }
  b->naxis -= 4;
  return status;
}

/* ---- pairs ---------------------------------------------------------------------------- */

static fg_status codelet_for(const rows *x, fg_codelet_kind forward, const fg_codelet **out) {
  fg_real_radix radix = {x->b, x->t->sign, x->backward, x->r, x->m};
  return fg_build_real_radix(&radix, forward, out);
}

/* The rows' elements from `elements` of the scratch on, the result's from `results` on. */
static fg_stage *add_stage(const rows *x, fg_stage_form *form, int64_t elements, int64_t results) {
  fg_view from = x->scratch, to = x->backward ? x->t->in : x->t->out;
  int axis = x->b->naxis - 1;
  bool several = form->nloop == 1; /* the pairs of a tile */
  if (several) axis--;
  from.stride = fg_num_const(1);
  from.coef[axis] = fg_num_const(0);
  set_coef(&to, axis, several ? x->pairs : 0);
  from.coef[axis + 1] = fg_num_const(x->at_row);
  set_coef(&to, axis + 1, 1);
  from = fg_build_shifted(&from, elements), to = fg_build_shifted(&to, results);
  fg_real_radix radix = {x->b, x->t->sign, x->backward, x->r, x->m};
  fg_stage *s = fg_build_real_radix_stage(&radix, form, &from, &to);
  for (fg_access *a = &s->load; a && x->whole && !several; a = a->rest)
    fg_affine_add(&a->index.at, fg_build_shift_digit(x->b->kernel), fg_num_const(x->at_row));
  return s;
}

static void keep_below(fg_access *a, const fg_affine *value, int64_t bound) {
  for (; a; a = a->rest) {
    fg_invariant(a->npred < FG_MAX_PREDS);
    a->pred[a->npred++] = (fg_pred){.value = *value, .bound = fg_num_const(bound)};
  }
}

static void add_digit(fg_affine *value, int16_t digit, int64_t coef) {
  if (digit >= 0) fg_affine_add(value, digit, fg_num_const(coef));
}

/* Pair 0 is no pair. */
static void leave_first(const rows *x, fg_stage *s) {
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
static bool has_short_tables(const rows *x) {
  return x->tiles != FG_AXIS_RANK && x->r > 4 && fg_build_wants_products(x->b, true);
}

/* Of results k, with M - k, of the complex transforms: those whose k is a multiple of `unit`. */
static fg_factors factors_of(const rows *x, int64_t unit) {
  fg_column_pairs all = {
      .backward = x->backward, .sign = x->t->sign, .r = x->r, .m = x->m / unit, .count = x->m / unit};
  return fg_build_pair_factors(x->b, &all, true);
}

/* Of results k + n1 q: those of q in the first table, of k in the second. */
static fg_factors short_factors(const rows *x) {
  fg_table far = {.fill = FG_FILL_DOUBLING, .sign = x->t->sign, .rows = fg_build_doublings(x->r), .cols = x->n2};
  fg_table near = far;
  far.order = x->r * x->n2, far.shift = x->backward ? 0 : -1;
  near.order = x->r * x->m, near.cols = x->fold;
  fg_factors f = {.slots = (int)far.rows, .coef = far.cols, .more_slots = (int)near.rows, .more_coef = near.cols};
  f.table = fg_build_table(x->b, &far), f.more = fg_build_table(x->b, &near);
  f.product = fg_build_products_of_both(x->b, x->r, !x->backward);
  return f;
}

static fg_status usual_pairs(const rows *x) {
  fg_builder *b = x->b;
  push_tiles(x, x->fold / x->pairs);
  fg_build_axis(b, "p", x->pairs, FG_AXIS_LANES);
  bool few = has_short_tables(x);
  fg_factors factors = few ? short_factors(x) : factors_of(x, 1);
  fg_view *tables[] = {&factors.more, &factors.table};
  for (int i = 0; i < (few ? 1 : 2); i++) {
    tables[i]->coef[b->naxis - 2] = fg_num_const(x->pairs);
    tables[i]->coef[b->naxis - 1] = fg_num_const(1);
  }
  int64_t last = (x->n2 - 1) * x->at_element;
  fg_side load = {.slots = (int)x->half, .first = x->at_far + last, .slot = x->at_number, .loop = {-x->at_element}};
  fg_side store = {.slots = (int)x->half, .first = x->r * x->m / 2, .slot = -x->m, .loop = {-x->n1}};
  store.axis = b->naxis - 1; /* upper results are in descending order where lower ones ascend */
  fg_stage_form form = {.what = "pairs of rows",
                        .nloop = 1,
                        .loop = {{"k", x->n2, x->at_element, x->n1, few ? 1 : x->n1}},
                        .slots = (int)x->half,
                        .out_slots = (int)x->half,
                        .load = x->at_number,
                        .store = x->m,
                        .more_steps = !few,
                        .load_rest = &load,
                        .store_rest = &store};
  fg_build_set_factors(&form, &factors);
  fg_status status = codelet_for(x, FG_CODELET_R2C_PAIR, &form.codelet);
  if (status == FG_OK) {
    fg_stage *s = add_stage(x, &form, 0, 0);
    leave_first(x, s);
    begin_earlier(x, s, &s->store, b->naxis - 2, b->naxis - 1);
    begin_earlier(x, s, &s->factors.twiddle, b->naxis - 2, b->naxis - 1);
    if (s->factors.has_more) begin_earlier(x, s, &s->factors.more, b->naxis - 2, b->naxis - 1);
  }
  b->naxis -= 2;
  return status;
}

/* Only the first block of all has it. */
static void first_alone(const rows *x, fg_stage *s) {
  int16_t tile = fg_build_axis_digit(x->b, s, x->b->naxis - 1);
  if (tile < 0) return;
  fg_affine number = {.offset = fg_num_const(0)};
  fg_affine_add(&number, tile, fg_num_const(1));
  s->pred[s->npred++] = (fg_pred){.value = number, .bound = fg_num_const(1)};
}

/* Rows 0 and n1/2 with themselves: elements 1 + q and n2-1-q of the one, q and n2-1-q of
 * the other. */
static fg_status middle_rows(const rows *x) {
  int64_t e = x->at_element, pairs = x->n2 / 2, unit = has_short_tables(x) ? x->fold : 1, row = x->n1 / unit;
  fg_factors factors = factors_of(x, unit);
  factors.table = fg_build_shifted(&factors.table, row);
  if (factors.more_slots) factors.more = fg_build_shifted(&factors.more, row);
  fg_side load = {.slots = (int)x->half, .first = (x->n2 - 2) * e, .slot = x->at_number, .loop = {x->at_far, -e}};
  fg_side store = {
      .slots = (int)x->half, .first = x->r * x->m / 2 - 2 * x->n1, .slot = -x->m, .loop = {x->fold, -x->n1}};
  fg_stage_form form = {.what = "rows 0 and in the middle",
                        .nloop = 2,
                        .loop = {{"h", 2, x->at_far - e, -x->fold, -x->fold / unit}, {"q", pairs, e, x->n1, row}},
                        .slots = (int)x->half,
                        .out_slots = (int)x->half,
                        .load = x->at_number,
                        .store = x->m,
                        .more_steps = true,
                        .load_rest = &load,
                        .store_rest = &store};
  fg_build_set_factors(&form, &factors);
  fg_status status = codelet_for(x, FG_CODELET_R2C_PAIR, &form.codelet);
  if (status != FG_OK) return status;
  fg_stage *s = add_stage(x, &form, e, x->n1);
  fg_affine number = {.offset = fg_num_const(0)};
  if (pairs > 1) fg_affine_add(&number, s->loop[s->nloop - 1], fg_num_const(1));
  fg_affine_add(&number, s->loop[s->nloop - (pairs > 1 ? 2 : 1)], fg_num_const(-1));
  keep_below(&s->store, &number, pairs - 1);
  first_alone(x, s);
  s->warp_role = 1;
  return FG_OK;
}

/* Results 0 and M/2: real numbers, two by two. */
static fg_status edge(const rows *x, fg_codelet_kind kind, int64_t element, int64_t result, int warp_role) {
  fg_stage_form form = {.what = result ? "the middle column" : "the first column",
                        .slots = (int)x->half,
                        .out_slots = fg_codelet_output(kind, (int)x->r).elements,
                        .load = x->at_number,
                        .store = x->m,
                        .alone = true};
  fg_status status = codelet_for(x, kind, &form.codelet);
  if (status != FG_OK) return status;
  fg_stage *s = add_stage(x, &form, element, result);
  first_alone(x, s);
  s->warp_role = warp_role;
  return FG_OK;
}

static fg_status build_pairs(const rows *x) {
  fg_builder *b = x->b;
  int first = b->kernel->nstage;
  fg_status status = usual_pairs(x);
  push_tiles(x, x->fold / x->pairs);
  if (status == FG_OK) status = middle_rows(x);
  if (status == FG_OK) status = edge(x, FG_CODELET_R2C, 0, 0, 2);
  if (status == FG_OK) status = edge(x, FG_CODELET_R2C_ODD, x->n2 / 2 * x->at_element, x->m / 2, 3);
  b->naxis--;
  fg_build_wait_once(b, first);
  return status;
}

/* ---- the whole ------------------------------------------------------------------------ */

static int64_t odd(int64_t n) { return n % 2 ? n : n + 1; }

static fg_status build_all(rows *x, const fg_plan *child) {
  fg_builder *b = x->b;
  bool apart = x->tiles != FG_AXIS_RANK;
  if (!x->backward) {
    fg_status status = build_columns(x, child->child[0]);
    if (status == FG_OK && apart) fg_build_kernel(b);
    if (status == FG_OK) status = build_rows(x, child->child[1]);
    return status == FG_OK ? build_pairs(x) : status;
  }
  push_rows(x);
  make_scratch(x);
  b->naxis -= 4;
  fg_status status = build_pairs(x);
  if (status == FG_OK) status = build_rows(x, child->child[1]);
  if (status == FG_OK && apart) fg_build_kernel(b);
  return status == FG_OK ? build_columns(x, child->child[0]) : status;
}

static fg_status by_clusters(rows *x, const fg_plan *child, int blocks) {
  fg_builder *b = x->b;
  if (blocks < 2 || b->map->cluster < blocks)
    return fg_diag_set(&b->cx->diag, FG_EUSER, "plan: cluster=%d: this target has clusters of up to %d blocks", blocks,
                       b->map->cluster > 1 ? b->map->cluster : 1);
  if (x->fold % blocks || x->n2 % blocks)
    return fg_diag_set(&b->cx->diag, FG_EUSER, "plan: cluster=%d: must divide %lld and %lld", blocks,
                       (long long)x->fold, (long long)x->n2);
  x->pairs = x->fold / blocks, x->cols = x->n2 / blocks;
  b->kernel->launch.resident = (int)fg_plan_param_value(child, FG_PARAM_RESIDENT);
  int64_t pitch = x->backward ? odd(x->n1) : odd(2 * x->n2 * x->half);
  if (x->backward)
    x->row = 1, x->far = x->fold, x->number = pitch, x->column = x->half * pitch;
  else
    x->row = pitch, x->far = x->n2 * x->half, x->number = 1, x->column = x->half;
  x->between = fg_build_exchange(b, x->backward ? x->cols * x->column : x->pairs * x->row, blocks);
  return build_all(x, child);
}

static fg_status in_two_kernels(rows *x, const fg_plan *child) {
  fg_builder *b = x->b;
  int64_t element = 2 * fg_precision_bytes(b->program->problem.compute),
          usual = fg_program_machine(b->program)->segment_bytes / element;
  int64_t tile = fg_plan_param_value(child, FG_PARAM_TILE), pairs = fg_plan_param_value(child, FG_PARAM_ROWS);
  tile = (tile ? tile : usual) / x->half;
  x->cols = fg_build_divisor(x->n2, tile ? tile : 1, 1);
  while (!pairs && usual > 1 && 2 * usual * x->n2 * x->half * element > (int64_t)b->map->local_bytes) usual /= 2;
  x->pairs = fg_build_divisor(x->fold, pairs ? pairs : usual, 1);
  if (x->whole && (b->sector = fg_program_machine(b->program)->sector_bytes /
                               (2 * fg_precision_bytes(b->program->problem.storage))) > x->pairs)
    return fg_diag_set(&b->cx->diag, FG_EUSER, "plan: whole=on: rows=%lld are no whole sectors", (long long)x->pairs);
  x->row = x->half, x->far = x->n2 * x->fold * x->half, x->column = x->fold * x->half, x->number = 1;
  x->between = fg_build_workspace(b, x->n1 * x->n2 * x->half);
  return build_all(x, child);
}

/* The radix of the pass next to the rows: half of what it makes or takes is mirrored. */
static int64_t next_radix(const fg_plan *columns, bool first) {
  if (columns->step == FG_FOUR_STEP) return next_radix(columns->child[first ? 0 : 1], first);
  return columns->arg[first ? 0 : columns->narg - 1];
}

static bool can_build(const fg_plan *child, const rows *x) {
  const fg_plan *columns = child->child[0], *rows = child->child[1];
  bool known = columns->step == FG_DIRECT || columns->step == FG_STOCKHAM ||
               (columns->step == FG_FOUR_STEP && !fg_plan_param_value(child, FG_PARAM_CLUSTER));
  known = known && (rows->step == FG_DIRECT || rows->step == FG_STOCKHAM);
  if (in_frequency(x)) known = known && columns->step != FG_FOUR_STEP;
  return known && x->n2 % 2 == 0 && next_radix(columns, x->backward || in_frequency(x)) % 2 == 0;
}

fg_status fg_build_real_rows(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *child = plan->child[0];
  rows x = {.b = b, .t = t, .backward = t->kind == FG_C2R, .r = plan->arg[0], .half = plan->arg[0] / 2};
  x.n1 = fg_plan_length(child->child[0]), x.n2 = fg_plan_length(child->child[1]);
  x.m = x.n1 * x.n2, x.fold = x.n1 / 2;
  int blocks = (int)fg_plan_param_value(child, FG_PARAM_CLUSTER);
  x.tiles = blocks ? FG_AXIS_RANK : FG_AXIS_TILE;
  x.whole = fg_plan_param_value(plan, FG_PARAM_WHOLE);
  if (x.whole && (x.backward || !fg_plan_param_value(plan, FG_PARAM_QUEUE)))
    return fg_diag_set(&b->cx->diag, FG_EUSER, "plan: whole=on: r2c by a queue alone");
  if (t->pairs || !fg_build_is_whole_real(b, t)) return FG_ENA;
  if (!fg_build_complex_view(b, x.backward ? &t->out : &t->in, &x.numbers)) return FG_ENA;
  if (!can_build(child, &x))
    return fg_diag_set(&b->cx->diag, FG_EUSER,
                       "plan: real(R, four-step(A, B)): A and B of stockham or direct, even ones where they meet");
  return blocks ? by_clusters(&x, child, blocks) : in_two_kernels(&x, child);
}
