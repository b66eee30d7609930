/* Fused convolutions: the last pass of a transform and the first pass of the one back are one stage.
 *
 * In: a task, a plan of Rader's or Bluestein's with passes inside. Out: stages. The idea: the last pass forward
 * stores each column in place, and the first pass back, its mirror image, would load it again: one codelet does both,
 * with the product between. In a block all passes share one buffer, in place. Rader's rows are permuted when they
 * enter and leave it; the first point is stored behind the convolution's, until the stage in the middle needs it. On
 * CPUs, where Bluestein's convolution has this form, passes alternate between two buffers, and the passes at the ends
 * have only the rows with inputs and results.
 *
 * Rader's convolution in a block may have a length that is a product of coprime codelet lengths: an array of several
 * dimensions. Its elements are permuted anyway when they enter and leave shared memory, so passes along its dimensions
 * need no twiddle factors, and each leaves its columns in place. No thread holds values across a barrier. Good, J.
 * Royal Statistical Society B 20 (1958); Agarwal and Cooley, IEEE Trans. ASSP-25 (1977). */
#include "generator/assemble/memory.h"
#include "generator/assemble/pitch.h"
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/steps/paired.h"
#include "generator/assemble/steps/stockham.h"
#include "generator/assemble/twiddle.h"
#include "targets/machine/simt.h"
#include <string.h>

typedef struct fused {
  const fg_plan *passes; /* of the convolution's length */
  int64_t length;
  int sign;                      /* of the transform forward */
  fg_view at[2];                 /* the convolution between passes, alternating: in shared memory both are the same */
  fg_view after;                 /* what the middle stores; where it cannot work in place */
  bool moves;                    /* it cannot */
  int64_t pitch;                 /* from an element of a column of the middle to the next; 0: as many as columns */
  fg_view spectrum;              /* table */
  const fg_pairing *pairs;       /* NULL, or which reals are the parts of its numbers; of the spectrum there is half */
  bool alone;                    /* Rader's: the element behind it is the first point */
  const fg_convolved_rows *rows; /* NULL, or whose row this is: the first one alone meets that point */
} fused;

/* The lengths of codelets, one behind the other; 0: not only those, or too many. */
static int collect(const fg_plan *p, int *axis, int count) {
  if (p->step == FG_DIRECT && count < FG_MAX_COPRIME) {
    axis[count] = (int)p->arg[0];
    return count + 1;
  }
  if (p->step != FG_PRIME_FACTOR) return 0;
  count = collect(p->child[0], axis, count);
  return count ? collect(p->child[1], axis, count) : 0;
}

static bool is_coprime(const fg_plan *plan) {
  int axis[FG_MAX_COPRIME];
  return plan->step == FG_RADER && plan->child[0]->step == FG_PRIME_FACTOR && collect(plan->child[0], axis, 0);
}

bool fg_build_can_fuse(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *passes = plan->child[0];
  int64_t bytes = 2 * fg_precision_bytes(fg_build_kept(b)) * (fg_plan_convolution(plan) + 1);
  if (!b->map->threads || t->kind != FG_C2C || t->pairs || bytes > (int64_t)b->map->local_bytes) return false;
  bool radices = passes->step == FG_STOCKHAM && passes->narg > 1, plain = !t->in.lookup && !t->out.lookup;
  bool fits = (radices || is_coprime(plan)) && plain && !t->in.mod && !t->out.mod && !b->apart;
  b->fused = b->fused || fits;
  return fits;
}

static fg_stage *last_stage(const fg_builder *b) { return &b->kernel->stage[b->kernel->nstage - 1]; }

/* Where rows are interleaved, threads are numbered along them. */
static void stand_along_rows(const fg_builder *b, const fused *c) {
  fg_stage *s = last_stage(b);
  bool beside = c->rows && b->map->threads && b->axis[c->rows->axis + 1].kind == FG_AXIS_LANES;
  int16_t digit = beside ? fg_build_axis_digit(b, s, c->rows->axis + 1) : -1;
  int others = 0;
  for (int l = 0; l < s->nloop && digit >= 0; l++)
    if (s->loop[l] != digit) s->loop[others++] = s->loop[l];
  if (digit >= 0) s->loop[others] = digit;
}

/* What a stage's last digit and its slots number together, below `bound`. */
static void keep_below(fg_access *a, const fg_stage *s, int64_t columns, int64_t bound) {
  fg_affine value = {.offset = fg_num_const(0)};
  fg_affine_add(&value, a->reg, fg_num_const(columns));
  if (columns > 1) fg_affine_add(&value, s->loop[s->nloop - 1], fg_num_const(1));
  fg_access_keep(a, &value, fg_num_const(bound));
}

/* What the axes say of a row's number. */
static void add_row(const fg_builder *b, const fg_stage *s, const fg_convolved_rows *rows, fg_affine *value) {
  for (int i = 0; i < 2; i++) {
    int16_t digit = fg_build_axis_digit(b, s, rows->axis + i);
    if (digit >= 0) fg_affine_add(value, digit, fg_num_const(i ? 1 : rows->together));
  }
}

/* Only the column of element 0 meets the first point. */
static void first_column_alone(const fg_builder *b, const fg_convolved_rows *rows, fg_stage *s) {
  fg_access *both[] = {s->load.rest, s->store.rest};
  fg_affine value = {.offset = fg_num_const(0)};
  fg_affine_add(&value, s->loop[s->nloop - 1], fg_num_const(1));
  if (rows) add_row(b, s, rows, &value);
  for (int i = 0; i < 2; i++) fg_access_keep(both[i], &value, fg_num_const(1));
}

/* The first point, behind the numbers of the row that meets it. */
static void move_point(fg_builder *b, const fused *c, bool back) {
  if (!c->rows || !c->rows->point_in) return;
  fg_view point = fg_build_shifted(&c->at[0], c->length);
  fg_build_copy(b, back ? "take" : "bring", back ? &point : c->rows->point_in, back ? c->rows->point_out : &point, 1);
  if (!back) return;
  fg_access *store = &last_stage(b)->store;
  store->pred[store->npred] = (fg_pred){.value = {.offset = fg_num_const(0)}, .bound = fg_num_const(1)};
  add_row(b, last_stage(b), c->rows, &store->pred[store->npred++].value);
}

static fg_status middle(fg_builder *b, const fused *c, int64_t r, const fg_view *at) {
  int64_t columns = c->length / r, apart = c->pitch ? c->pitch : columns;
  fg_codelet_key key = {
      .kind = c->alone ? FG_CODELET_RADER : FG_CODELET_CONVOLVE, .sign = c->sign, .twiddle = FG_TW_IN};
  fg_task pass = {.sign = c->sign};
  fg_factors exponents = fg_build_inner_factors(b, &pass, r, columns);
  fg_side first = {.slots = 1, .first = c->length};
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "radix %lld forward and backward, %lld columns",
                                                (long long)r, (long long)columns),
                        .in = at,
                        .out = c->moves ? &c->after : at,
                        .loop = {{"k", columns, 1, 1, 1}},
                        .slots = (int)r,
                        .load = apart,
                        .store = apart,
                        .table = &exponents.table,
                        .table_slots = exponents.slots,
                        .table_coef = exponents.coef,
                        .more = &c->spectrum,
                        .more_slots = (int)r,
                        .more_coef = columns,
                        .more_steps = true,
                        .product = fg_build_and_loaded(b, &exponents, (int)r - 1, (int)r),
                        .load_rest = c->alone ? &first : NULL,
                        .store_rest = c->alone ? &first : NULL};
  fg_status status = fg_build_key(b, key, r, &form.codelet);
  if (status != FG_OK) return status;
  move_point(b, c, false);
  fg_stage *s = fg_build_stage(b, &form);
  if (c->alone) first_column_alone(b, c->rows, s);
  stand_along_rows(b, c);
  move_point(b, c, true);
  return FG_OK;
}

/* The middle of pairs of reals, whose spectrum has conjugates in the upper half: all columns but the first. */
static fg_status middle_of_pairs(fg_builder *b, const fused *c, int64_t r, const fg_view *at) {
  int64_t columns = c->length / r;
  fg_codelet_key key = {.kind = FG_CODELET_CONVOLVE_TWO, .sign = c->sign, .twiddle = FG_TW_IN};
  fg_task pass = {.sign = c->sign};
  fg_factors exponents = fg_build_inner_factors(b, &pass, r, columns);
  fg_view second = fg_build_shifted(at, 1), factors = fg_build_shifted(&exponents.table, 1);
  fg_view lower = fg_build_shifted(&c->spectrum, 1);
  fg_side upper = {.slots = (int)r / 2, .first = c->length / 2 - 2, .slot = -columns, .loop = {-1}};
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "radix %lld forward and backward, %lld columns",
                                                (long long)r, (long long)columns - 1),
                        .in = &second,
                        .out = &second,
                        .loop = {{"k", columns - 1, 1, 1, 1}},
                        .slots = (int)r,
                        .load = columns,
                        .store = columns,
                        .table = &factors,
                        .table_slots = exponents.slots,
                        .table_coef = exponents.coef,
                        .more = &lower,
                        .more_slots = (int)r / 2,
                        .more_coef = columns,
                        .more_rest = &upper,
                        .more_steps = true,
                        .product = fg_build_and_loaded(b, &exponents, (int)r - 1, (int)r)};
  fg_status status = fg_build_key(b, key, r, &form.codelet);
  if (status == FG_OK) fg_build_stage(b, &form);
  return status;
}

/* The first column is another thread's. */
static fg_status first_of_pairs(fg_builder *b, const fused *c, int64_t r, const fg_view *at) {
  int64_t columns = c->length / r;
  fg_stage_form form = {
      .what = fg_arena_printf(b->cx->arena, "radix %lld forward and backward, the first column", (long long)r),
      .in = at,
      .out = at,
      .slots = (int)r,
      .load = columns,
      .store = columns,
      .table = &c->spectrum,
      .table_slots = fg_codelet_factors(FG_CODELET_CONVOLVE_FIRST, (int)r),
      .table_coef = columns,
      .few = true};
  fg_codelet_key key = {.kind = FG_CODELET_CONVOLVE_FIRST, .sign = c->sign};
  fg_status status = fg_build_key(b, key, r, &form.codelet);
  if (status != FG_OK) return status;
  int first = b->kernel->nstage - 1;
  fg_build_stage(b, &form)->warp_role = 1;
  fg_build_wait_once(b, first);
  return FG_OK;
}

/* The first pass of pairs of reals, or the last one: parts of elements are in two rows. */
static fg_status pass_of_pairs(fg_builder *b, const fused *c, const fg_task *ends, bool back) {
  int64_t r = c->passes->arg[0], columns = c->length / r;
  fg_side partner = {.slots = (int)r,
                     .first = back ? c->pairs->values : c->pairs->reals,
                     .slot = columns,
                     .loop = {1},
                     .pair = c->pairs->axis + 1};
  fg_codelet_key key = {.kind = back ? FG_CODELET_C2R_TWO : FG_CODELET_R2C_TWO, .sign = back ? -c->sign : c->sign};
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "radix %lld, %lld columns of two times reals",
                                                (long long)r, (long long)columns),
                        .in = back ? &ends->out : &ends->in,
                        .out = &c->at[0],
                        .loop = {{"q", columns, 1, r, 0}},
                        .slots = (int)r,
                        .load = columns,
                        .store = 1,
                        .load_rest = &partner};
  fg_status status = fg_build_key(b, key, r, &form.codelet);
  if (status != FG_OK) return status;
  if (back) fg_build_transposed_stage(&form);
  fg_stage *s = fg_build_stage(b, &form);
  fg_build_leave_last(b, s, c->pairs, back ? s->store.rest : s->load.rest);
  return FG_OK;
}

/* Passes forward, the middle, passes back; `ends` is the task as the first and the
 * last pass see it. */
static fg_status convolve(fg_builder *b, const fused *c, const fg_task *ends, int64_t inputs, int64_t outputs) {
  const fg_plan *plan = c->passes;
  int last = plan->narg - 1;
  int64_t done = 1;
  fg_status status = FG_OK;
  for (int i = 0; i < last && status == FG_OK; done *= plan->arg[i++]) {
    fg_task pass = {.n = c->length, .sign = c->sign, .in = i ? c->at[(i - 1) % 2] : ends->in, .out = c->at[i % 2]};
    if (!i) pass.multiply = ends->multiply, pass.exponents = ends->exponents, pass.inputs = inputs;
    status = i          ? fg_build_pass(b, &pass, plan->arg[i], done)
             : c->pairs ? pass_of_pairs(b, c, ends, false)
                        : fg_build_first_pass(b, &pass, plan->arg[0]);
    if (status != FG_OK) break;
    if (!i && inputs < c->length && b->map->threads)
      keep_below(&last_stage(b)->load, last_stage(b), c->length / plan->arg[0], inputs);
    fg_build_wait_inside(last_stage(b));
    stand_along_rows(b, c);
  }
  const fg_view *between = &c->at[(last - 1) % 2];
  if (status == FG_OK) status = (c->pairs ? middle_of_pairs : middle)(b, c, plan->arg[last], between);
  if (status == FG_OK && c->pairs) status = first_of_pairs(b, c, plan->arg[last], between);
  for (int i = last - 1; i >= 0 && status == FG_OK; i--) {
    done /= plan->arg[i];
    fg_task pass = {.n = c->length, .sign = -c->sign, .frequency = true};
    pass.in = c->moves && i == last - 1 ? c->after : c->at[i % 2], pass.out = i ? c->at[(i - 1) % 2] : ends->out;
    if (!i) pass.multiply = ends->multiply, pass.exponents = ends->exponents, pass.outputs = ends->outputs;
    status = i          ? fg_build_pass(b, &pass, plan->arg[i], done)
             : c->pairs ? pass_of_pairs(b, c, ends, true)
                        : fg_build_first_pass(b, &pass, plan->arg[0]);
    if (status != FG_OK) break;
    if (!i && outputs < c->length && b->map->threads)
      keep_below(&last_stage(b)->store, last_stage(b), c->length / plan->arg[0], outputs);
    fg_build_wait_inside(last_stage(b));
    stand_along_rows(b, c);
  }
  return status;
}

/* ---- along the dimensions of an array ---------------------------------------------------- */

typedef struct array {
  int axes;
  int axis[FG_MAX_COPRIME];
  int64_t length, banks;
  fg_view memory, spectrum;
} array;

static int64_t step_of(const array *x, int axis) {
  int64_t step = 1;
  for (int i = axis + 1; i < x->axes; i++) step *= x->axis[i];
  return step;
}

/* Bank conflicts of threads that take the columns of these loops. */
static int64_t conflicts(const array *x, const fg_loop *outer, const fg_loop *inner) {
  int64_t lost = 0, count = outer->extent * inner->extent;
  for (int64_t first = 0; first < count; first += x->banks) {
    int met[FG_BANK_ROW / FG_BANK_BYTES] = {0}, most = 1;
    for (int64_t c = first; c < count && c < first + x->banks; c++) {
      int *bank = &met[(c / inner->extent * outer->load + c % inner->extent * inner->load) % x->banks];
      if (++*bank > most) most = *bank;
    }
    lost += most - 1;
  }
  return lost;
}

/* All columns along an axis, each in its place; threads are numbered along the loop that has fewer bank conflicts. */
static fg_stage_form form_along(fg_builder *b, const array *x, int axis) {
  int64_t r = x->axis[axis], step = step_of(x, axis), outer = x->length / r / step;
  fg_loop q = {"q", outer, r * step, r * step, step}, k = {"k", step, 1, 1, 1};
  bool turned = conflicts(x, &k, &q) < conflicts(x, &q, &k);
  return (fg_stage_form){.what = fg_arena_printf(b->cx->arena, "radix %lld, %lld apart", (long long)r, (long long)step),
                         .in = &x->memory,
                         .out = &x->memory,
                         .loop = {turned ? k : q, turned ? q : k},
                         .slots = (int)r,
                         .load = step,
                         .store = step};
}

static fg_status pass_along(fg_builder *b, const array *x, int axis, int sign) {
  fg_stage_form form = form_along(b, x, axis);
  fg_status status = fg_build_codelet(b, x->axis[axis], sign, FG_TW_NONE, &form.codelet);
  if (status == FG_OK) fg_build_stage(b, &form);
  return status;
}

/* The spectrum is stored transposed, so that neighbouring threads read neighbours. */
static fg_status middle_along(fg_builder *b, const array *x) {
  fg_stage_form form = form_along(b, x, x->axes - 1);
  fg_side first = {.slots = 1, .first = x->length};
  form.what = fg_arena_printf(b->cx->arena, "%s, forward and backward", form.what);
  form.table = &x->spectrum, form.table_slots = form.slots, form.table_coef = x->length / form.slots;
  form.load_rest = form.store_rest = &first;
  fg_codelet_key key = {.kind = FG_CODELET_RADER, .sign = -1};
  fg_status status = fg_build_key(b, key, form.slots, &form.codelet);
  if (status == FG_OK) first_column_alone(b, NULL, fg_build_stage(b, &form));
  return status;
}

static fg_status convolve_array(fg_builder *b, const array *x) {
  fg_status status = FG_OK;
  for (int i = 0; i < x->axes - 1 && status == FG_OK; i++) status = pass_along(b, x, i, -1);
  if (status == FG_OK) status = middle_along(b, x);
  for (int i = x->axes - 2; i >= 0 && status == FG_OK; i--) status = pass_along(b, x, i, 1);
  return status;
}

/* ---- with what is around them ------------------------------------------------------------ */

/* Inputs x at g^q, outputs X at g^-p; see rader.c. The elements of an array have an order of their own, its spectrum is
 * transposed. */
fg_status fg_build_fused_rader(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *given) {
  int64_t n = t->n, length = fg_plan_convolution(plan), bytes = 2 * fg_precision_bytes(b->program->problem.compute);
  fg_table spectrum = {.fill = FG_FILL_POWERS, .sign = t->sign, .rows = 1, .cols = length, .order = n, .n = n};
  fg_table inputs = {.fill = FG_FILL_LOGARITHM, .sign = 1, .rows = 1, .cols = n, .order = length, .n = n}, outputs;
  fused c = {.passes = plan->child[0], .length = length, .sign = -1, .alone = true};
  array x = {.length = length, .banks = FG_BANK_ROW / bytes};
  (void)given;
  if (is_coprime(plan)) {
    x.axes = collect(plan->child[0], x.axis, 0);
    memcpy(inputs.coprime, x.axis, sizeof x.axis);
    spectrum.coprime[0] = x.axis[x.axes - 1];
    memcpy(spectrum.coprime + 1, x.axis, sizeof *x.axis * (size_t)(x.axes - 1));
  }
  outputs = inputs, outputs.sign = -1;
  c.at[0] = c.at[1] = x.memory = fg_build_interleaved(b, length + 1);
  c.spectrum = x.spectrum = fg_build_table(b, &spectrum);
  fg_view in = x.memory, out = x.memory;
  in.lookup = fg_build_table(b, &inputs).buffer, out.lookup = fg_build_table(b, &outputs).buffer;
  fg_build_copy(b, "bring", &t->in, &in, n);
  fg_task ends = {.in = x.memory, .out = x.memory};
  fg_status status = x.axes ? convolve_array(b, &x) : convolve(b, &c, &ends, n - 1, n - 1);
  if (status == FG_OK) fg_build_copy(b, "take", &out, &t->out, n);
  return status;
}

/* Times the chirp, which is as long as the convolution; zeros behind the inputs. */
fg_status fg_build_fused_bluestein(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *given) {
  (void)given;
  int64_t n = t->n, length = fg_plan_convolution(plan);
  fg_table chirp = {.fill = FG_FILL_CHIRP, .sign = t->sign, .rows = 1, .cols = length, .order = 2 * n, .n = n};
  fg_table spectrum = {.fill = FG_FILL_BLUESTEIN, .sign = t->sign, .rows = 1, .cols = length, .order = 2 * n, .n = n};
  fg_view with = fg_build_table(b, &chirp);
  fused c = {.passes = plan->child[0], .length = length, .sign = -1};
  c.at[0] = c.at[1] = fg_build_interleaved(b, length);
  c.spectrum = fg_build_table(b, &spectrum);
  fg_task ends = {.in = t->in, .out = t->out, .multiply = &with};
  return convolve(b, &c, &ends, n, n);
}

fg_status fg_build_fused_convolution(fg_builder *b, const fg_plan *plan, const fg_task *ends, const fg_view *spectrum) {
  int64_t length = fg_plan_convolution(plan);
  fused c = {.passes = plan->child[0], .length = length, .sign = ends->sign, .spectrum = *spectrum};
  c.at[0] = c.at[1] = fg_build_interleaved(b, length);
  return convolve(b, &c, ends, length, length);
}

/* In a block, by passes whose last one has as many results in the lower half of the spectrum as in the upper one. */
fg_status fg_build_convolved_pairs(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *spectrum) {
  const fg_plan *passes = plan->child[0];
  fg_task ends = {.n = t->n, .sign = t->sign, .in = t->in, .out = t->out};
  fg_pairing pair;
  if (!fg_build_can_fuse(b, plan, &ends) || passes->step != FG_STOCKHAM || passes->arg[passes->narg - 1] % 2)
    return FG_ENA;
  if (!fg_build_find_pairs(b, t, spectrum, &pair))
    return fg_diag_set(
        &b->cx->diag, FG_ENA,
        "plan: convolve(paired(PLAN)) takes sequences of one filter two by two: along a dimension of the "
        "batch whose number is no parameter");
  fg_build_take_pairs(b, &pair, &ends.in, &ends.out);
  fused c = {.passes = passes, .length = t->n, .sign = t->sign, .spectrum = *spectrum, .pairs = &pair};
  c.at[0] = c.at[1] = fg_build_interleaved(b, t->n);
  return convolve(b, &c, &ends, t->n, t->n);
}

/* ---- on CPUs ------------------------------------------------------------------------ */

bool fg_build_has_fused_rows(const fg_plan *plan) {
  return (plan->step == FG_BLUESTEIN || plan->step == FG_CONVOLVE) && plan->child[0]->step == FG_STOCKHAM &&
         plan->child[0]->narg > 1;
}

bool fg_build_can_fuse_rows(fg_builder *b, const fg_plan *plan, const fg_task *task) {
  (void)task;
  return fg_build_has_fused_rows(plan) && !b->map->threads && !b->packed && !b->apart;
}

/* The first pass's; a matrix's columns have it, if they are passes. */
int64_t fg_build_rows_for(const fg_plan *plan, int64_t n) {
  const fg_plan *passes = plan->child[0]->step == FG_FOUR_STEP ? plan->child[0]->child[0] : plan->child[0];
  int64_t length = fg_plan_convolution(plan), columns = length / passes->arg[0];
  return passes->step == FG_STOCKHAM && n <= length - columns ? (n + columns - 1) / columns * columns : length;
}

/* Where those are whole vectors, or rows of the first pass, and so all that follows. */
static fg_view between_passes(fg_builder *b, const fg_plan *passes, int64_t length) {
  int64_t lanes = b->map->lanes, side = fg_build_neighbouring(b);
  bool vectors = lanes > 1 && !fg_plan_param_value(b->program->plan, FG_PARAM_LANES);
  bool blocks = side > 1 ? side % lanes == 0 : passes->arg[0] % lanes == 0 && length % lanes == 0;
  return (vectors && blocks ? fg_build_blocks : fg_build_scratch)(b, length);
}

/* Memory on CPUs. The last vector of a row overlaps the one before, which may not be done twice in place. */
static void make_room(fg_builder *b, fused *c) {
  int64_t side = fg_build_neighbouring(b), columns = c->length / c->passes->arg[c->passes->narg - 1];
  for (int i = 0; i < 2 && i + 1 < c->passes->narg; i++) c->at[i] = between_passes(b, c->passes, c->length);
  c->moves = (side > 1 ? side : columns) % b->map->lanes != 0;
  if (c->moves) c->after = between_passes(b, c->passes, c->length);
}

fg_status fg_build_fused_rows(fg_builder *b, const fg_plan *plan, const fg_task *ends, const fg_view *spectrum) {
  int64_t elements = ends->n;
  fused c = {.passes = plan->child[0], .length = fg_plan_convolution(plan), .sign = ends->sign, .spectrum = *spectrum};
  make_room(b, &c);
  fg_task both = {.in = ends->in, .out = ends->out, .outputs = elements};
  return convolve(b, &c, &both, elements, elements);
}

/* ---- rows of a longer one's matrix ------------------------------------------------- */

/* The first of them has the sum of all inputs, which the first point joins and leaves with. */
fg_status fg_build_convolved(fg_builder *b, const fg_convolved_rows *r) {
  int64_t length = fg_plan_length(r->passes);
  fused c = {.passes = r->passes,
             .length = length,
             .sign = r->sign,
             .spectrum = r->spectrum,
             .rows = r,
             .alone = r->point_in != NULL};
  fg_task ends = {.in = r->row, .out = r->back, .exponents = r->exponents};
  if (b->map->threads)
    c.at[0] = c.at[1] = fg_build_interleaved(b, length + (c.alone ? 1 : 0));
  else
    make_room(b, &c);
  return convolve(b, &c, &ends, length, length);
}

fg_status fg_build_convolved_columns(fg_builder *b, int64_t n, int64_t r, int sign, const fg_view *at, int64_t pitch,
                                     const fg_view *spectrum) {
  fused c = {.length = n, .sign = sign, .spectrum = *spectrum, .pitch = pitch};
  return middle(b, &c, r, at);
}
