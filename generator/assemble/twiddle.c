/* Twiddle factors of a pass: whole tables, or products of few table entries. */
#include "generator/assemble/twiddle.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/pitch.h"
#include "generator/base/integer.h"
#include "generator/codelet/algo/steps.h"
#include "generator/ir/program_machine.h"
#include "targets/machine/limits.h"

const fg_product *fg_build_products(fg_builder *b, int64_t r, bool all) {
  int16_t first = all ? 0 : 1;
  fg_product *p = fg_arena_new(b->cx->arena, fg_product, r);
  if (all) p[0] = (fg_product){.factor = -1};
  for (int16_t m = 1, top = 0; m < r; m++) {
    if (m >> (top + 1)) top++;
    int16_t rest = (int16_t)(m - (1 << top)), load = (int16_t)(top + (all ? 1 : 0));
    p[m - first] = (fg_product){.factor = rest < first ? -1 : (int16_t)(rest - first), .load = load};
  }
  return p;
}

const fg_product *fg_build_products_of_both(fg_builder *b, int64_t r, bool halved) {
  int16_t many = (int16_t)fg_log2(r);
  fg_product *p = fg_arena_new(b->cx->arena, fg_product, r);
  for (int16_t m = 1, top = 0; m < r; m++) {
    if (m >> (top + 1)) top++;
    int16_t rest = (int16_t)(m - (1 << top)), last = (int16_t)((1 << top) - 1);
    p[m - 1] = rest ? (fg_product){.factor = (int16_t)(rest - 1), .load = last, .made = true, .twice = halved}
                    : (fg_product){.factor = -1, .load = top, .also = (int16_t)(many + top + 1)};
  }
  return p;
}

/* a, a v1 .. a v(r-1) of a and v1 .. v(r-1): one product each. */
static const fg_product *single_products(fg_builder *b, int64_t r) {
  fg_product *p = fg_arena_new(b->cx->arena, fg_product, r);
  p[0] = (fg_product){.factor = -1};
  for (int16_t m = 1; m < r; m++) p[m] = (fg_product){.load = m};
  return p;
}

bool fg_build_wants_products(const fg_builder *b, bool between) {
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_PRODUCTS);
  if (wanted == 1) return false;
  return between || (b->map->threads && (wanted == 2 || b->kernel->launch.cluster));
}

/* On GPUs a long block leaves L1 no room for its tables, and passes that are kernels read theirs from L2. A block has
 * all sub-transforms of n points. */
static bool is_long(const fg_builder *b, int64_t n) {
  if (!b->map->threads || fg_plan_param_value(b->program->plan, FG_PARAM_PRODUCTS) == 1) return false;
  for (int i = 0; i < b->naxis; i++)
    if (b->axis[i].kind == FG_AXIS_INNER && b->axis[i].extent.form == FG_NUM_CONST) n *= b->axis[i].extent.n;
  return n * 2 * fg_precision_bytes(b->program->problem.compute) >= limit->few_blocks_from;
}

/* At each step by two: half as many of them, none of which is a product. */
bool fg_build_wants_steps(const fg_builder *b, const fg_task *t, int64_t r) {
  bool wanted = b->map->threads && fg_plan_param_value(b->program->plan, FG_PARAM_STEPS);
  return wanted && !t->frequency && !t->upper && fg_steps_applies((int)r);
}

/* Column k of a table whose rows are `row` elements long; 0: of all rows alike. */
static fg_view by_axes(const fg_builder *b, fg_view table, const fg_twiddle_exponents *exponents, int64_t row) {
  table = fg_build_shifted(&table, exponents->first);
  for (int i = 0; i < b->naxis; i++) {
    table.coef[i] = exponents->coef[i];
    table.coef[i].n += exponents->part[i] * row;
  }
  return table;
}

/* Where turns are powers, element e = m n / (done r) + q of row k1 comes times w^(e k1): that is one factor for q,
 * which the passes behind are left with, and for m a power of one like those of a pass after count done points, column
 * k1 + count k. */
fg_factors fg_build_step_factors(fg_builder *b, const fg_task *t, int64_t r, int64_t done) {
  int64_t count = t->powers ? t->exponents->count : 1;
  fg_table all = {
      .fill = FG_FILL_STEPS, .sign = t->sign, .rows = r / 2, .cols = count * done, .order = count * done * r};
  fg_factors f = {.slots = (int)r / 2, .coef = count * done, .each = count, .table = fg_build_table(b, &all)};
  if (t->powers) f.table = by_axes(b, f.table, t->exponents, 0);
  return f;
}

bool fg_build_exponents_are_powers(const fg_builder *b, const fg_task *t, const fg_plan *plan) {
  const fg_twiddle_exponents *exponents = t->exponents;
  if (!exponents || fg_plan_param_value(b->program->plan, FG_PARAM_STEPS) < 2) return false;
  bool all = exponents->order == exponents->count * t->n && exponents->step == 1 && !exponents->folded;
  for (int i = 0; i < FG_MAX_AXES; i++) all = all && !exponents->part[i];
  for (int i = 0; i < plan->narg; i++) all = all && fg_build_wants_steps(b, t, plan->arg[i]);
  return all;
}

/* Interleaved complex vectors multiply by either part of a factor, twice: three shuffles and three operations, or,
 * where the table has them so, one and two, and a load more. Large tables do not stay near. With few registers long
 * codelets keep those loads in memory; with many, long rows of vectors that begin within lines cost more than the
 * shuffles, and shuffles of few factors, which are made when it is compiled, cost nothing. */
static bool wants_doubled(const fg_builder *b, const fg_table *t) {
  int64_t bytes = 4 * t->rows * t->cols * fg_precision_bytes(b->program->problem.compute);
  if (!b->packed || b->map->threads || bytes > limit->doubled_table_most) return false;
  if (b->map->registers <= limit->few_registers) return t->rows < limit->doubled_rows_few;
  return bytes >= limit->doubled_table_least &&
         (2 * t->cols % b->map->lanes == 0 || t->rows < limit->doubled_rows_clipped);
}

/* A last pass's table is as long as its array but for one row. Products of few of its rows cost operations, and where
 * both leave L1 less than what is not fetched, by radix 4 one product for three factors: on CPUs whose
 * additions have units of their own. Errors grow by a hundredth. */
static bool wants_few_rows(const fg_builder *b, const fg_task *t, int64_t r, int64_t done) {
  bool last = done * r == t->n && done > 1 && !t->upper && !t->frequency;
  if (b->map->threads || b->map->lanes < 2 || b->packed || b->naxis || !last) return false;
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_PRODUCTS);
  int64_t bytes = t->n * 2 * fg_precision_bytes(b->program->problem.compute);
  if (wanted) return wanted == 2;
  return fg_program_machine(b->program)->separate_fadd &&
         ((r == 4 && bytes >= limit->products_radix4) || (r == 8 && bytes >= limit->products_radix8));
}

/* Of a pass after `done` points: w^m, w of order done r to the power k. */
fg_factors fg_build_inner_factors(fg_builder *b, const fg_task *t, int64_t r, int64_t done) {
  fg_table all = {.fill = FG_FILL_TWIDDLE, .sign = t->sign, .rows = r - 1, .cols = done, .row0 = 1, .order = done * r};
  all.doubled = wants_doubled(b, &all);
  fg_factors f = {.slots = (int)r - 1, .coef = done, .each = 1};
  if (r > 3 && (fg_build_wants_products(b, false) || is_long(b, t->n) || wants_few_rows(b, t, r, done))) {
    f.slots = fg_log2(r);
    f.product = fg_build_products(b, r, false);
    all.fill = FG_FILL_DOUBLING, all.rows = f.slots, all.row0 = 0;
  }
  f.table = fg_build_table(b, &all);
  return f;
}

/* Of a first pass, whose element m of iteration q is number m columns + q of the input, in steps: w^(k q) (w^(k
 * columns))^m. One table for all of them; or one of the first factors and one of the second, of which GPUs, where
 * reading a table is expensive, compute powers. */
fg_factors fg_build_exponent_factors(fg_builder *b, const fg_task *t, int64_t r) {
  int64_t step = t->exponents->step, columns = t->n / r, count = fg_build_padded(b, t->exponents->count);
  fg_table all = {.fill = FG_FILL_TWIDDLE, .sign = t->sign, .cols = count, .order = t->exponents->order};
  all.rows = t->n * step;
  if (t->exponents->folded) all.fold = t->exponents->count / 2;
  fg_factors f = {.slots = (int)r, .coef = columns * step * count, .step = step * count};
  bool powers = b->map->threads > 0;
  if (r > 2 && fg_build_wants_products(b, true) && (powers || (columns > 1 && !b->packed))) {
    fg_table steps = all;
    steps.fill = powers ? FG_FILL_DOUBLING : FG_FILL_TWIDDLE;
    steps.rows = powers ? fg_log2(r) : r - 1;
    steps.row0 = powers ? 0 : 1;
    steps.order = t->exponents->order / (columns * step);
    all.rows = columns * step;
    f.slots = 1, f.coef = 0;
    f.more_slots = (int)steps.rows, f.more_coef = count;
    f.more = by_axes(b, fg_build_table(b, &steps), t->exponents, 0);
    f.product = powers ? fg_build_products(b, r, true) : single_products(b, r);
  }
  f.table = by_axes(b, fg_build_table(b, &all), t->exponents, count);
  return f;
}

/* Element e of the input: row e of the table. */
fg_view fg_build_exponent_table(fg_builder *b, const fg_task *t) {
  const fg_twiddle_exponents *exponents = t->exponents;
  fg_table all = {.fill = FG_FILL_TWIDDLE, .sign = t->sign, .cols = exponents->count, .order = exponents->order};
  all.rows = t->n * exponents->step;
  if (exponents->folded) all.fold = exponents->count / 2;
  fg_view v = by_axes(b, fg_build_table(b, &all), exponents, exponents->count);
  v.stride = fg_num_const(exponents->step * exponents->count);
  return v;
}

void fg_build_set_factors(fg_stage_form *form, const fg_factors *f) {
  form->table = &f->table;
  form->table_slots = f->slots;
  form->table_coef = f->coef;
  form->product = f->product;
  if (!f->more_slots) return;
  form->more = &f->more;
  form->more_slots = f->more_slots;
  form->more_coef = f->more_coef;
}

const fg_product *fg_build_and_loaded(fg_builder *b, const fg_factors *f, int twiddles, int loaded) {
  fg_product *p = fg_arena_new(b->cx->arena, fg_product, twiddles + loaded);
  for (int i = 0; i < twiddles; i++) p[i] = f->product ? f->product[i] : (fg_product){.factor = -1, .load = (int16_t)i};
  for (int i = 0; i < loaded; i++) p[twiddles + i] = (fg_product){.factor = -1, .load = (int16_t)(f->slots + i)};
  return p;
}
