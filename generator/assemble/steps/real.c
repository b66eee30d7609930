/* Transforms from reals to half of the complex numbers, and back.
 *
 * In: a task of kind r2c or c2r. Out: its stages. c2r has the stages of r2c in the opposite order, each with its
 * loads and stores exchanged.
 *
 *   even n   real(R, PLAN), r = R/2, m = n/R: neighbouring reals are complex numbers;
 *            r complex transforms of m of them, every r-th, by PLAN; then real radix R
 *            (r2c-pair) separates and combines columns k and m - k of these at once,
 *            without a further pass. Columns 0 and m/2 are real transforms of R points
 *   any n    stockham(r1, r2, ...): half of a complex transform of n points, in
 *            Stockham's form; done/2 + 1 of each group of `done` points are kept
 *
 * The first form needs hardly more operations than the second, and all of its passes but one are complex, with
 * contiguous neighbours. Sorensen, Jones, Heideman and Burrus, "Real-valued fast Fourier transform algorithms", IEEE
 * Trans. ASSP-35 (1987). */
#include "generator/assemble/steps/real.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/neighbours.h"
#include "generator/assemble/pitch.h"
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/steps/stockham.h"
#include "generator/base/integer.h"

typedef struct real_pass { /* the pass that has real numbers on one side, or conjugate partners */
  fg_builder *b;
  const fg_task *t;
  bool backward;    /* c2r */
  fg_view from, to; /* in r2c's direction */
  int64_t r, m;     /* radix; columns: `done` of the passes before */
} real_pass;

static fg_real_radix radix_of(const real_pass *p) { return (fg_real_radix){p->b, p->t->sign, p->backward, p->r, p->m}; }

static fg_status codelet_for(const real_pass *p, fg_codelet_kind forward, const fg_codelet **out) {
  fg_real_radix x = radix_of(p);
  return fg_build_real_radix(&x, forward, out);
}

fg_status fg_build_real_radix(const fg_real_radix *x, fg_codelet_kind forward, const fg_codelet **out) {
  static const fg_codelet_kind back[FG_CODELET_KINDS] = {[FG_CODELET_R2C] = FG_CODELET_C2R,
                                                         [FG_CODELET_R2C_ODD] = FG_CODELET_C2R_ODD,
                                                         [FG_CODELET_R2C_COLUMN] = FG_CODELET_C2R_COLUMN,
                                                         [FG_CODELET_R2C_PAIR] = FG_CODELET_C2R_PAIR};
  fg_codelet_key key = {.kind = x->backward ? back[forward] : forward, .sign = x->sign};
  if (forward == FG_CODELET_R2C_PAIR || forward == FG_CODELET_R2C_COLUMN)
    key.twiddle = x->backward ? FG_TW_OUT : FG_TW_IN;
  return fg_build_key(x->b, key, x->r, out);
}

fg_stage *fg_build_real_radix_stage(const fg_real_radix *x, fg_stage_form *form, const fg_view *from,
                                    const fg_view *to) {
  form->what =
      fg_arena_printf(x->b->cx->arena, "real radix %lld, %s of %lld", (long long)x->r, form->what, (long long)x->m);
  form->in = from, form->out = to;
  if (x->backward) fg_build_transposed_stage(form);
  return fg_build_stage(x->b, form);
}

static fg_stage *add_stage(const real_pass *p, fg_stage_form *form) {
  fg_real_radix x = radix_of(p);
  return fg_build_real_radix_stage(&x, form, &p->from, &p->to);
}

/* The same for columns, the first of which is behind the one of real numbers. */
static void add_columns(const real_pass *p, fg_stage_form *form) {
  real_pass behind = *p;
  behind.from = fg_build_shifted(&p->from, 1);
  behind.to = fg_build_shifted(&p->to, 1);
  add_stage(&behind, form);
}

/* ---- even n: pairs of columns ------------------------------------------------------ */

/* Rows of tables that begin at vectors, where those are many. */
static int64_t whole_vectors(const fg_builder *b, int64_t n) {
  int64_t lanes = b->map->threads ? 1 : b->map->lanes;
  return n < lanes ? n : fg_build_padded(b, (n + lanes - 1) / lanes * lanes);
}

/* All from a table; or as products of few: r2c's, which are halved, of a half and w,
 * w^2, w^4 .., c2r's of those alone. */
fg_factors fg_build_pair_factors(fg_builder *b, const fg_column_pairs *p, bool between) {
  int64_t r = p->r, doublings = p->first + p->count;
  bool halved = !p->backward;
  fg_table all = {
      .fill = FG_FILL_TWIDDLE, .sign = p->sign, .rows = r - 1, .cols = whole_vectors(b, p->count), .row0 = 1};
  all.order = r * p->m, all.shift = halved ? -1 : 0, all.col0 = p->first;
  fg_factors f = {.slots = (int)r - 1, .coef = all.cols, .step = 1};
  if (r > 4 && fg_build_wants_products(b, between)) {
    fg_table doubled = {.fill = FG_FILL_DOUBLING, .sign = all.sign, .cols = doublings, .order = all.order};
    doubled.rows = fg_log2(halved ? r - 1 : r);
    fg_view powers = fg_build_table(b, &doubled);
    f.product = fg_build_products(b, halved ? r - 1 : r, halved);
    f.table = f.more = fg_build_shifted(&powers, p->first);
    f.slots = (int)doubled.rows, f.more_coef = doublings;
    if (!halved) f.coef = doublings;
    if (!halved) return f;
    f.more_slots = f.slots, f.slots = 1;
    all.rows = 1;
  }
  f.table = fg_build_table(b, &all);
  return f;
}

static fg_status pair_columns(const real_pass *p) {
  int64_t r = p->r, half = r / 2, m = p->m, count = (m - 1) / 2, n = r * m;
  const fg_codelet *codelet;
  if (count < 1) return FG_OK;
  fg_status status = codelet_for(p, FG_CODELET_R2C_PAIR, &codelet);
  if (status != FG_OK) return status;
  fg_column_pairs columns = {.backward = p->backward, .sign = p->t->sign, .r = r, .m = m, .first = 1, .count = count};
  fg_factors factors = fg_build_pair_factors(p->b, &columns, false);
  fg_side load = {.slots = (int)half, .first = m - 2, .slot = m, .loop = {-1}};
  fg_side store = {.slots = (int)half, .first = n / 2 - 2, .slot = -m, .loop = {-1}};
  fg_stage_form form = {.what = "pairs of columns",
                        .codelet = codelet,
                        .loop = {{"k", count, 1, 1, 1}},
                        .slots = (int)half,
                        .out_slots = (int)half,
                        .load = m,
                        .store = m,
                        .more_steps = true,
                        .load_rest = &load,
                        .store_rest = &store};
  fg_build_set_factors(&form, &factors);
  add_columns(p, &form);
  return FG_OK;
}

/* Column 0, or the one in the middle: real numbers, two by two. */
static fg_status pair_edge(const real_pass *p, fg_codelet_kind kind, int64_t column) {
  const fg_codelet *codelet;
  fg_status status = codelet_for(p, kind, &codelet);
  if (status != FG_OK) return status;
  fg_stage_form form = {.what = column ? "the middle column" : "the first column",
                        .codelet = codelet,
                        .slots = (int)p->r / 2,
                        .out_slots = fg_codelet_output(kind, (int)p->r).elements,
                        .load = p->m,
                        .store = p->m,
                        .alone = true};
  real_pass at = *p;
  at.from = fg_build_shifted(&p->from, column);
  at.to = fg_build_shifted(&p->to, column);
  add_stage(&at, &form)->warp_role = column ? 2 : 1;
  return FG_OK;
}

static fg_status pair_pass(const real_pass *p) {
  int first = p->b->kernel->nstage;
  fg_status status = pair_columns(p);
  if (status == FG_OK) status = pair_edge(p, FG_CODELET_R2C, 0);
  if (status == FG_OK && p->m % 2 == 0) status = pair_edge(p, FG_CODELET_R2C_ODD, p->m / 2);
  fg_build_wait_once(p->b, first);
  return status;
}

/* ---- even n: the complex transforms -------------------------------------------------- */

/* r transforms of m points by Stockham's passes over all r m of them at once. One end is scratch, which alternates with
 * another. */
static fg_status columns_at_once(fg_builder *b, const fg_plan *plan, const fg_task *t, int64_t r) {
  fg_view work[2] = {t->frequency ? t->in : t->out};
  bool to_output = !t->frequency && b->program->problem.kind == FG_R2C; /* the last pass of all writes it */
  if (plan->narg > 1 && !(to_output && fg_build_output_scratch(b, t->n, &work[1]))) work[1] = fg_build_scratch(b, t->n);
  fg_task pass = *t;
  int64_t done = t->frequency ? t->n / r : 1;
  for (int i = 0; i < plan->narg; i++) {
    int64_t radix = plan->arg[t->frequency ? plan->narg - 1 - i : i];
    if (t->frequency) done /= radix;
    pass.out = i == plan->narg - 1 ? t->out : work[(t->frequency ? i + 1 : plan->narg - 1 - i) % 2];
    fg_status status = done == 1 ? fg_build_first_pass(b, &pass, radix) : fg_build_pass(b, &pass, radix, done);
    if (status != FG_OK) return status;
    if (!t->frequency) done *= radix;
    pass.in = pass.out;
  }
  return FG_OK;
}

/* The same by any plan: transform j reads every r-th element from j on. Of several kernels, one after the other. */
static fg_status columns_in_turn(fg_builder *b, const fg_plan *plan, const fg_task *t, int64_t r) {
  int64_t m = t->n / r;
  fg_task sub = {.n = m, .sign = t->sign, .in = t->in, .out = t->out};
  fg_view *apart = t->frequency ? &sub.out : &sub.in, *rows = t->frequency ? &sub.in : &sub.out;
  rows->coef[b->naxis] = fg_num_scaled(rows->stride, m);
  apart->coef[b->naxis] = apart->stride;
  apart->stride = fg_num_scaled(apart->stride, r);
  if (b->program->buffer[rows->buffer].space == FG_SPACE_WORK)
    fg_build_axis(b, "c", r, FG_AXIS_TILE);
  else
    fg_build_inner_axis(b, r);
  fg_status status = fg_build_plan(b, plan, &sub);
  b->naxis--;
  return status;
}

/* ---- even n: the whole ------------------------------------------------------------- */

/* Reals that are not pairs of neighbours: copied to where they are, or from there. */
static void copy_pairs(fg_builder *b, const fg_view *reals, const fg_view *pairs, int64_t n, bool backward) {
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "copy of %lld reals", (long long)n),
                        .in = reals,
                        .out = pairs,
                        .loop = {{"k", n / 2, 2, 1, 0}},
                        .slots = 2,
                        .out_slots = 1,
                        .load = 1,
                        .store = 1};
  if (backward) fg_build_transposed_stage(&form);
  fg_build_stage(b, &form);
}

bool fg_build_is_whole_real(const fg_builder *b, const fg_task *t) {
  const fg_problem *q = &b->program->problem;
  bool whole = q->rank == 1 && !b->kernel->nstage && fg_problem_kind_inside(q->kind, t->kind == FG_C2R) == t->kind;
  for (int i = 0; i < b->naxis; i++) whole = whole && fg_build_counts_batch(b, &b->axis[i]);
  return whole;
}

fg_status fg_build_real(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  if (plan->child[0]->step == FG_FOUR_STEP) return fg_build_real_matrix(b, plan, t);
  int64_t radix = plan->arg[0], m = t->n / radix, half = t->n / 2;
  bool backward = t->kind == FG_C2R;
  fg_view reals = backward ? t->out : t->in, pairs;
  bool copied = !t->pairs && !fg_build_complex_view(b, &reals, &pairs);
  if (t->pairs) pairs = reals;
  if (copied) pairs = fg_build_scratch(b, half);
  if (copied && !backward) copy_pairs(b, &reals, &pairs, t->n, false);
  fg_view work = m == 1 ? pairs : t->at ? *t->at : fg_build_scratch(b, half);
  real_pass pass = {
      .b = b, .t = t, .backward = backward, .from = work, .to = backward ? t->in : t->out, .r = radix, .m = m};
  fg_task columns = {.n = half, .sign = t->sign, .in = pairs, .out = work, .frequency = backward};
  if (backward) columns.in = work, columns.out = pairs;
  const fg_plan *child = plan->child[0];
  fg_status status = backward ? pair_pass(&pass) : FG_OK;
  if (status == FG_OK && m > 1)
    status = (child->step == FG_STOCKHAM ? columns_at_once : columns_in_turn)(b, child, &columns, radix / 2);
  if (status == FG_OK && !backward) status = pair_pass(&pass);
  if (copied && backward && status == FG_OK) copy_pairs(b, &reals, &pairs, t->n, true);
  return status;
}

/* ---- even n: convolutions ------------------------------------------------------------ */

static void set_coef(fg_view *v, int axis, int64_t elements) { v->coef[axis] = fg_num_scaled(v->stride, elements); }

/* Factors that are products take one of two loaded elements from behind the spectrum's. */
static const fg_product *behind_spectrum(fg_builder *b, const fg_factors *f, int r) {
  fg_product *all = fg_arena_copy(b->cx->arena, fg_build_and_loaded(b, f, r - 1, r), sizeof *all * (size_t)(2 * r - 1));
  for (int i = 0; i < r - 1; i++)
    if (all[i].also) all[i].also = (int16_t)(all[i].also + r);
  return all;
}

/* The pairs' pass and the one back are one stage, with the product between: columns go on where they came to. */
fg_status fg_build_product_pairs(const fg_real_product *x, const fg_product_pairs *p) {
  int half = (int)x->r / 2;
  int64_t e = x->element;
  fg_view from = fg_build_shifted(x->from, p->first * e), to = fg_build_shifted(x->to, p->first * e);
  fg_factors factors = *x->factors;
  fg_view spectrum = fg_build_shifted(x->spectrum, p->result), near = factors.more;
  if (p->axis) {
    set_coef(&spectrum, p->axis - 1, p->pairs), set_coef(&spectrum, p->axis, 1);
    set_coef(&near, p->axis - 1, p->pairs), set_coef(&near, p->axis, 1);
    set_coef(&from, p->axis, p->row), set_coef(&to, p->axis, p->row);
  }
  fg_side far = {.slots = half, .first = p->far + (p->columns - 1 - p->first) * e, .slot = x->number, .loop = {-e}};
  fg_side upper = {.slots = half, .first = x->r * x->m / 2 - 2 * p->result, .slot = -x->m, .loop = {-p->step}};
  upper.axis = p->axis;
  fg_stage_form form = {.what = p->what,
                        .in = &from,
                        .out = &to,
                        .loop = {{p->loop, p->count, e, e, factors.step}},
                        .slots = half,
                        .out_slots = half,
                        .load = x->number,
                        .store = x->number,
                        .table = &factors.table,
                        .table_slots = factors.slots,
                        .table_coef = factors.coef,
                        .more = &spectrum,
                        .more_slots = half,
                        .more_coef = x->m,
                        .more_steps = true,
                        .more_step = p->step,
                        .more_rest = &upper,
                        .also = factors.more_slots ? &near : NULL,
                        .also_slots = factors.more_slots,
                        .also_coef = factors.more_coef,
                        .product = behind_spectrum(x->b, &factors, (int)x->r),
                        .load_rest = &far,
                        .store_rest = &far,
                        .alone = p->alone};
  fg_codelet_key key = {.kind = FG_CODELET_CONVOLVE_PAIR, .sign = x->sign, .twiddle = FG_TW_IN};
  fg_status status = fg_build_key(x->b, key, x->r, &form.codelet);
  if (status == FG_OK) fg_build_stage(x->b, &form);
  return status;
}

fg_status fg_build_product_edge(const fg_real_product *x, int64_t column, int64_t result) {
  fg_codelet_kind kind = column ? FG_CODELET_CONVOLVE_ODD : FG_CODELET_CONVOLVE_REAL;
  fg_view from = fg_build_shifted(x->from, column * x->element), to = fg_build_shifted(x->to, column * x->element),
          h = fg_build_shifted(x->spectrum, result);
  fg_stage_form form = {.what = column ? "the middle column, forward and backward"
                                       : "the first column, forward and backward",
                        .in = &from,
                        .out = &to,
                        .slots = (int)x->r / 2,
                        .load = x->number,
                        .store = x->number,
                        .table = &h,
                        .table_slots = fg_codelet_factors(kind, (int)x->r),
                        .table_coef = x->m,
                        .alone = true};
  fg_status status = fg_build_key(x->b, (fg_codelet_key){.kind = kind, .sign = x->sign}, x->r, &form.codelet);
  if (status == FG_OK) fg_build_stage(x->b, &form);
  return status;
}

/* r columns of m numbers, from view to view. */
static fg_status convolve_columns(const fg_real_product *x) {
  fg_product_pairs p = {.loop = "k", .columns = x->m, .first = 1, .count = (x->m - 1) / 2, .result = 1, .step = 1};
  p.what = fg_arena_printf(x->b->cx->arena, "real radix %lld, pairs of columns of %lld, forward and backward",
                           (long long)x->r, (long long)x->m);
  fg_status status = p.count ? fg_build_product_pairs(x, &p) : FG_OK;
  if (status == FG_OK) status = fg_build_product_edge(x, 0, 0);
  return status == FG_OK && x->m % 2 == 0 ? fg_build_product_edge(x, x->m / 2, x->m / 2) : status;
}

/* What is stored from buffer z on has the memory of a, which is not needed any more. */
static void take_memory(fg_program *p, int z, int a) {
  fg_buffer *later = &p->buffer[z];
  const fg_buffer *before = &p->buffer[a];
  bool both = z < p->nbuffer && later->space == FG_SPACE_LOCAL && before->space == FG_SPACE_LOCAL;
  if (both && later->alias < 0 && before->alias < 0 && later->size == before->size && later->layout == before->layout)
    later->alias = (int16_t)a;
}

bool fg_build_can_convolve_real(const fg_builder *b, const fg_plan *plan, const fg_task *t) {
  return !b->map->threads && plan->step == FG_REAL && plan->child[0]->step != FG_FOUR_STEP && t->n > plan->arg[0];
}

/* The two transforms, from `work` to `product` there is the stage of both. */
typedef struct convolved {
  fg_task forward, back;
  fg_view work, product;
  bool turns; /* transforms of columns are kernels of their own */
} convolved;

static fg_status convolve_halves(fg_builder *b, const fg_plan *plan, convolved *c, const fg_view *spectrum) {
  int64_t radix = plan->arg[0], half = c->forward.n;
  const fg_plan *child = plan->child[0];
  fg_status (*columns)(fg_builder *, const fg_plan *, const fg_task *, int64_t) =
      child->step == FG_STOCKHAM ? columns_at_once : columns_in_turn;
  int between = b->program->nbuffer;
  fg_status status = columns(b, child, &c->forward, radix / 2);
  if (status != FG_OK) return status;
  if (c->turns) fg_build_kernel(b);
  c->product = c->turns ? fg_build_workspace(b, half) : fg_build_scratch(b, half);
  if (between < c->product.buffer) take_memory(b->program, c->product.buffer, between);
  fg_column_pairs pairs = {.sign = c->forward.sign, .r = radix, .m = 2 * half / radix, .first = 1};
  pairs.count = (pairs.m - 1) / 2;
  fg_factors factors = pairs.count ? fg_build_pair_factors(b, &pairs, false) : (fg_factors){0};
  status = convolve_columns(
      &(fg_real_product){b, pairs.sign, radix, pairs.m, 1, pairs.m, &c->work, &c->product, spectrum, &factors});
  c->back.in = c->product;
  if (c->turns) fg_build_kernel(b);
  int next = b->program->nbuffer;
  if (status == FG_OK) status = columns(b, child, &c->back, radix / 2);
  if (status == FG_OK && next < b->program->nbuffer) take_memory(b->program, next, c->work.buffer);
  return status;
}

fg_status fg_build_convolved_real(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *spectrum) {
  int64_t half = t->n / 2;
  fg_view from, to;
  bool gathered = !fg_build_complex_view(b, &t->in, &from), scattered = !fg_build_complex_view(b, &t->out, &to);
  convolved c = {.turns = !gathered && !scattered && fg_build_has_turns(b, plan->child[0], half)};
  if (gathered) from = fg_build_scratch(b, half), copy_pairs(b, &t->in, &from, t->n, false);
  if (scattered) to = fg_build_scratch(b, half);
  c.work = c.turns ? fg_build_workspace(b, half) : fg_build_scratch(b, half);
  c.forward = (fg_task){.n = half, .sign = t->sign, .in = from, .out = c.work};
  c.back = (fg_task){.n = half, .sign = -t->sign, .out = to, .frequency = true};
  fg_status status = convolve_halves(b, plan, &c, spectrum);
  if (status == FG_OK && scattered) copy_pairs(b, &t->out, &to, t->n, true);
  return status;
}

/* ---- any n -------------------------------------------------------------------------- */

static int64_t kept(int64_t done) { return done / 2 + 1; }

/* Columns k = 1 .. (m-1)/2 of every group. `from` has groups of kept(m) elements, r of
 * them for each group of `to`. */
static fg_status half_columns(const real_pass *p, int64_t groups) {
  int64_t r = p->r, m = p->m, count = (m - 1) / 2, upper = r / 2;
  const fg_codelet *codelet;
  if (count < 1) return FG_OK;
  fg_status status = codelet_for(p, FG_CODELET_R2C_COLUMN, &codelet);
  if (status != FG_OK) return status;
  fg_table table = {
      .fill = FG_FILL_TWIDDLE, .sign = p->t->sign, .rows = r - 1, .cols = count, .row0 = 1, .col0 = 1, .order = r * m};
  fg_view roots = fg_build_table(p->b, &table);
  fg_side store = {.slots = (int)upper, .first = r * m - 2 - m * (r - upper), .slot = -m, .loop = {kept(r * m), -1}};
  fg_stage_form form = {.what = "columns",
                        .codelet = codelet,
                        .loop = {{"q", groups, kept(m), kept(r * m), 0}, {"k", count, 1, 1, 1}},
                        .slots = (int)r,
                        .out_slots = (int)(r - upper),
                        .load = groups * kept(m),
                        .store = m,
                        .table = &roots,
                        .table_slots = (int)r - 1,
                        .table_coef = count,
                        .store_rest = &store};
  add_columns(p, &form);
  return FG_OK;
}

/* A column of real numbers, of every group; `from` are reals `step` apart where
 * columns are 1 apart. */
static fg_status half_edge(const real_pass *p, int64_t groups, int64_t column) {
  fg_codelet_kind kind = column ? FG_CODELET_R2C_ODD : FG_CODELET_R2C;
  const fg_codelet *codelet;
  fg_status status = codelet_for(p, kind, &codelet);
  if (status != FG_OK) return status;
  fg_stage_form form = {.what = column ? "the middle column" : "the first column",
                        .codelet = codelet,
                        .loop = {{"q", groups, kept(p->m), kept(p->r * p->m), 0}},
                        .slots = (int)p->r,
                        .out_slots = fg_codelet_output(kind, (int)p->r).elements,
                        .load = groups * kept(p->m),
                        .store = p->m,
                        .alone = groups == 1};
  real_pass at = *p;
  fg_view parts = fg_build_parts_view(p->b, &p->from, 0);
  at.from = fg_build_shifted(&parts, column);
  at.to = fg_build_shifted(&p->to, column);
  add_stage(&at, &form)->warp_role = column ? 2 : 1;
  return FG_OK;
}

/* The pass between reals, every n/r-th, and groups of kept(r). */
static fg_status outermost_pass(const real_pass *p, int64_t columns) {
  const fg_codelet *codelet;
  fg_status status = codelet_for(p, FG_CODELET_R2C, &codelet);
  if (status != FG_OK) return status;
  fg_stage_form form = {
      .what = fg_arena_printf(p->b->cx->arena, "real radix %lld, %lld columns", (long long)p->r, (long long)columns),
      .codelet = codelet,
      .loop = {{"q", columns, 1, kept(p->r), 0}},
      .slots = (int)p->r,
      .out_slots = (int)kept(p->r),
      .load = columns,
      .store = 1,
      .alone = columns == 1};
  form.in = &p->from, form.out = &p->to;
  if (p->backward) fg_build_transposed_stage(&form);
  fg_build_stage(p->b, &form);
  return FG_OK;
}

static fg_status half_pass(const real_pass *p, int64_t n) {
  int64_t groups = n / (p->r * p->m);
  int first = p->b->kernel->nstage;
  if (p->m == 1) return outermost_pass(p, groups);
  fg_status status = half_columns(p, groups);
  if (status == FG_OK) status = half_edge(p, groups, 0);
  if (status == FG_OK && p->m % 2 == 0) status = half_edge(p, groups, p->m / 2);
  fg_build_wait_once(p->b, first);
  return status;
}

/* The elements between the passes after `done` points: n/done groups. The first is the longest. */
static fg_view half_scratch(fg_builder *b, int64_t n, int64_t done) {
  return fg_build_scratch(b, n / done * kept(done));
}

fg_status fg_build_real_stockham(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  bool backward = t->kind == FG_C2R;
  int passes = plan->narg;
  if (t->pairs || t->multiply) return FG_ENA;
  fg_view work[2], end[2] = {backward ? t->out : t->in, backward ? t->in : t->out};
  int64_t done = 1;
  for (int i = 0; i < 2 && i < passes - 1; i++) work[i] = half_scratch(b, t->n, done *= plan->arg[i]);
  done = 1;
  real_pass pass[FG_PLAN_ARGS];
  for (int i = 0; i < passes; i++) {
    pass[i] = (real_pass){.b = b, .t = t, .backward = backward, .r = plan->arg[i], .m = done};
    pass[i].from = i ? work[(i - 1) % 2] : end[0];
    pass[i].to = i < passes - 1 ? work[i % 2] : end[1];
    done *= plan->arg[i];
  }
  for (int i = 0; i < passes; i++) {
    fg_status status = half_pass(&pass[backward ? passes - 1 - i : i], t->n);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}
