/* Assemble: a checked plan becomes stages over plain loops.
 *
 * In: problem, plan, what the target offers. Out: fg_program. Each step of a
 * plan is one function here that lays down stages between two views; the table
 * at the end names them. The digits' roles are map.c's business.
 *
 * Stockham's autosort form: Van Loan, Computational Frameworks for the FFT
 * (1992), section 1.7. Bluestein: IEEE Trans. AU-18 (1970). */
#include "generator/assemble_build.h"
#include "generator/library.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- buffers, tables, stages ---------------------------------------------- */

static int16_t add_buffer(fg_program *p, const fg_buffer *wanted) {
  assert(p->nbuffer < FG_MAX_BUFFERS);
  p->buffer[p->nbuffer] = *wanted;
  return (int16_t)p->nbuffer++;
}

static bool is_outer(const fg_axis *a) { return a->kind == FG_AXIS_BATCH || a->kind == FG_AXIS_TILE; }

static fg_layout layout_of_ours(const fg_builder *b) {
  return b->map->lanes > 1 && !b->packed ? FG_LAYOUT_SPLIT : FG_LAYOUT_INTERLEAVED;
}

static int16_t add_work(fg_builder *b, fg_space space, int64_t size) {
  fg_buffer buffer = {.space = space,
                      .elem = FG_ELEM_COMPLEX,
                      .layout = layout_of_ours(b),
                      .precision = b->program->problem.compute,
                      .size = size,
                      .alias = -1,
                      .table = -1};
  snprintf(buffer.name, sizeof buffer.name, "work%d", b->work_count++);
  return add_buffer(b->program, &buffer);
}

/* Rows whose distance is a multiple of a large power of two would share a few
 * sets of the cache: such rows get a cache line more. */
static int64_t padded(int64_t n) { return n % 256 ? n : n + 16; }

fg_view fg_build_scratch(fg_builder *b, int64_t n) {
  fg_view v = {.stride = fg_num_const(1), .offset = fg_num_const(0)};
  int64_t side = 1; /* elements side by side before the transform's next one */
  for (int i = 0; i < b->naxis; i++) {
    v.coef[i] = fg_num_const(0);
    if (b->axis[i].kind != FG_AXIS_LANES) continue;
    v.coef[i] = fg_num_const(side);
    side *= b->axis[i].extent.n;
  }
  v.stride = fg_num_const(side);
  int64_t size = n * side;
  for (int i = b->naxis - 1; i >= 0; i--) {
    if (b->axis[i].kind != FG_AXIS_INNER) continue;
    size = b->map->lanes > 1 ? padded(size) : size;
    v.coef[i] = fg_num_const(size);
    size *= b->axis[i].extent.n;
  }
  v.buffer = add_work(b, FG_SPACE_LOCAL, size);
  return v;
}

fg_view fg_build_workspace(fg_builder *b, int64_t n) {
  fg_view v = {.stride = fg_num_const(1), .offset = fg_num_const(0)};
  int64_t size = n;
  for (int i = b->naxis - 1; i >= 0; i--) {
    fg_num e = b->axis[i].extent;
    v.coef[i] = fg_num_const(size);
    size *= e.form == FG_NUM_CONST ? e.n : e.n * b->program->problem.param[e.param].hi;
  }
  v.buffer = add_work(b, FG_SPACE_WORK, size);
  return v;
}

/* Memory of the output, for passes that are over before anything final is
 * written there: less to keep in cache. *v untouched where that cannot be. */
static bool output_as_scratch(fg_builder *b, int64_t n, fg_view *v) {
  fg_program *p = b->program;
  const fg_problem *q = &p->problem;
  bool dense = b->naxis == 0 && q->dim[0].n.n == n && fg_num_is(q->dim[0].os, 1);
  bool wanted = fg_plan_param_value(p->plan, FG_PARAM_REUSE) == 1;
  if (!dense || !wanted || q->in_place || q->split_out || q->storage != q->compute || b->map->threads) return false;
  fg_view scratch = fg_build_scratch(b, n);
  p->buffer[scratch.buffer].alias = FG_BUFFER_OUT;
  *v = scratch;
  return true;
}

static bool same_table(const fg_table *a, const fg_table *b) {
  return a->fill == b->fill && a->sign == b->sign && a->rows == b->rows && a->cols == b->cols && a->row0 == b->row0 &&
         a->order == b->order && a->n == b->n;
}

static fg_view table_view(int16_t buffer) {
  fg_view v = {.buffer = buffer, .stride = fg_num_const(1), .offset = fg_num_const(0)};
  for (int i = 0; i < FG_MAX_AXES; i++) v.coef[i] = fg_num_const(0);
  return v;
}

fg_view fg_build_table(fg_builder *b, const fg_table *wanted) {
  fg_program *p = b->program;
  for (int t = 0; t < p->ntable; t++)
    if (same_table(&p->table[t], wanted)) return table_view(p->table[t].buffer);
  fg_buffer buffer = {.space = FG_SPACE_TABLE,
                      .elem = FG_ELEM_COMPLEX,
                      .layout = layout_of_ours(b),
                      .precision = p->problem.compute,
                      .size = wanted->rows * wanted->cols,
                      .alias = -1,
                      .table = (int16_t)p->ntable};
  snprintf(buffer.name, sizeof buffer.name, "%s%d", wanted->fill == FG_FILL_TWIDDLE ? "tw" : "chirp", p->ntable);
  p->table[p->ntable] = *wanted;
  p->table[p->ntable].buffer = add_buffer(p, &buffer);
  return table_view(p->table[p->ntable++].buffer);
}

void fg_build_kernel(fg_builder *b) {
  assert(b->nkernel < FG_MAX_LOGICAL);
  b->first_buffer[b->nkernel] = (int16_t)b->program->nbuffer;
  b->kernel = b->kernels[b->nkernel++] = fg_arena_new(b->cx->arena, fg_kernel, 1);
  b->stage_capacity = 0;
}

static int16_t add_digit(fg_kernel *k, const char *name, fg_role role, fg_num extent) {
  assert(k->ndigit < FG_MAX_DIGITS);
  fg_digit d = {.role = role, .extent = extent, .start = fg_num_const(0), .step = 1, .last = INT64_MAX, .div = 1};
  snprintf(d.name, sizeof d.name, "%s", name);
  k->digit[k->ndigit] = d;
  return (int16_t)k->ndigit++;
}

static fg_stage *push_stage(fg_builder *b) {
  fg_kernel *k = b->kernel;
  if (k->nstage == b->stage_capacity) {
    int capacity = b->stage_capacity ? 2 * b->stage_capacity : 8;
    fg_stage *grown = fg_arena_new(b->cx->arena, fg_stage, capacity);
    if (k->nstage) memcpy(grown, k->stage, sizeof *grown * (size_t)k->nstage);
    k->stage = grown;
    b->stage_capacity = capacity;
  }
  fg_stage *s = &k->stage[k->nstage++];
  s->lane = -1;
  return s;
}

static fg_access view_access(fg_kernel *k, const fg_view *v, const char *slot_name, int slots, int64_t slot_coef) {
  fg_access a = {.buffer = v->buffer, .index = {.lookup = -1}};
  a.reg = add_digit(k, slot_name, FG_ROLE_REG, fg_num_const(slots));
  a.index.at.offset = v->offset;
  fg_affine_add(&a.index.at, a.reg, fg_num_scaled(v->stride, slot_coef));
  return a;
}

static void add_loop(fg_stage *s, const fg_loop *loop, int16_t digit, const fg_stage_form *form) {
  s->loop[s->nloop++] = digit;
  fg_affine_add(&s->load.index.at, digit, fg_num_scaled(form->in->stride, loop->load));
  fg_affine_add(&s->store.index.at, digit, fg_num_scaled(form->out->stride, loop->store));
  if (s->has_twiddle) fg_affine_add(&s->twiddle.index.at, digit, fg_num_scaled(form->table->stride, loop->twiddle));
}

fg_stage *fg_build_stage(fg_builder *b, const fg_stage_form *form) {
  fg_kernel *k = b->kernel;
  fg_stage *s = push_stage(b);
  s->what = form->what;
  s->codelet = form->codelet;
  s->load = view_access(k, form->in, "m", form->slots, form->load);
  s->store = view_access(k, form->out, "m", form->out_slots ? form->out_slots : form->slots, form->store);
  if (form->table) {
    s->has_twiddle = true;
    s->twiddle = view_access(k, form->table, "t", form->table_slots, form->table_coef);
  }
  for (int i = 0; i < b->naxis; i++) {
    if (fg_num_is(b->axis[i].extent, 1)) continue;
    int16_t d = add_digit(k, b->axis[i].name, FG_ROLE_LOOP, b->axis[i].extent);
    s->loop[s->nloop++] = d;
    k->digit[d].div = is_outer(&b->axis[i]) ? -(i + 1) : 1; /* marks the axis for map.c */
    fg_affine_add(&s->load.index.at, d, form->in->coef[i]);
    fg_affine_add(&s->store.index.at, d, form->out->coef[i]);
    if (s->has_twiddle) fg_affine_add(&s->twiddle.index.at, d, form->table->coef[i]);
  }
  for (int i = 0; i < form->nloop; i++)
    if (form->loop[i].extent > 1)
      add_loop(s, &form->loop[i], add_digit(k, form->loop[i].name, FG_ROLE_LOOP, fg_num_const(form->loop[i].extent)),
               form);
  s->sync_end = FG_SCOPE_BLOCK;
  return s;
}

static fg_status build_codelet(fg_builder *b, fg_codelet_key key, int64_t n, const fg_codelet **out) {
  int64_t form = fg_plan_param_value(b->program->plan, FG_PARAM_FMA);
  key.n = (int)n;
  key.form = (form == 2 ? b->map->fma : form == 1) ? FG_FORM_FMA : FG_FORM_ADD_MUL;
  int64_t accurate = fg_plan_param_value(b->program->plan, FG_PARAM_ACCURATE);
  key.accurate = accurate == 2 ? key.form == FG_FORM_ADD_MUL : accurate == 1;
  if (n > fg_codelet_limit())
    return fg_diag_set(&b->cx->diag, FG_EUSER, "plan: a codelet of %lld points: at most %d", (long long)n,
                       fg_codelet_limit());
  return fg_library_codelet(b->cx, &key, out);
}

fg_status fg_build_codelet(fg_builder *b, int64_t n, int sign, fg_twiddle twiddle, const fg_codelet **out) {
  return build_codelet(b, (fg_codelet_key){.sign = sign, .twiddle = twiddle}, n, out);
}

static fg_codelet_kind codelet_kind(fg_kind kind) {
  static const fg_codelet_kind of[FG_KIND_COUNT] = {
      [FG_C2C] = FG_CODELET_C2C,   [FG_R2C] = FG_CODELET_R2C,   [FG_C2R] = FG_CODELET_C2R,
      [FG_DCT1] = FG_CODELET_DCT1, [FG_DCT2] = FG_CODELET_DCT2, [FG_DCT3] = FG_CODELET_DCT3,
      [FG_DCT4] = FG_CODELET_DCT4, [FG_DST1] = FG_CODELET_DST1, [FG_DST2] = FG_CODELET_DST2,
      [FG_DST3] = FG_CODELET_DST3, [FG_DST4] = FG_CODELET_DST4};
  return of[kind];
}

fg_status fg_build_real_codelet(fg_builder *b, fg_kind kind, int64_t n, int sign, const fg_codelet **out) {
  return build_codelet(b, (fg_codelet_key){.kind = codelet_kind(kind), .sign = sign}, n, out);
}

/* ---- the steps -------------------------------------------------------------- */

static fg_status build_real(fg_builder *b, const fg_task *t) {
  const fg_codelet *codelet;
  fg_status status = fg_build_real_codelet(b, t->kind, t->n, t->sign, &codelet);
  if (status != FG_OK) return status;
  fg_codelet_kind kind = codelet_kind(t->kind);
  fg_stage_form form = {
      .what = fg_arena_printf(b->cx->arena, "codelet of %lld points, %s", (long long)t->n, fg_kind_name(t->kind)),
      .codelet = codelet,
      .in = &t->in,
      .out = &t->out,
      .slots = fg_codelet_input(kind, (int)t->n).elements,
      .out_slots = fg_codelet_output(kind, (int)t->n).elements,
      .load = 1,
      .store = 1};
  fg_build_stage(b, &form);
  return FG_OK;
}

static fg_status build_direct(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  (void)plan;
  const fg_codelet *codelet;
  if (t->kind != FG_C2C) return build_real(b, t);
  fg_status status = fg_build_codelet(b, t->n, t->sign, t->multiply ? FG_TW_IN_ALL : FG_TW_NONE, &codelet);
  if (status != FG_OK) return status;
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "codelet of %lld points", (long long)t->n),
                        .codelet = codelet,
                        .in = &t->in,
                        .out = &t->out,
                        .slots = (int)t->n,
                        .load = 1,
                        .store = 1,
                        .table = t->multiply,
                        .table_slots = (int)t->n,
                        .table_coef = 1};
  fg_build_stage(b, &form);
  return FG_OK;
}

/* One Stockham pass of radix r; `done` = product of the radices before it. With
 * j = q done + k: reads elements j + m n/r, writes q done r + k + m done. */
static fg_status stockham_pass(fg_builder *b, const fg_task *t, int64_t r, int64_t done) {
  int64_t columns = t->n / r, groups = columns / done;
  bool multiply = done == 1 && t->multiply;
  const fg_codelet *codelet;
  fg_twiddle twiddle = multiply ? FG_TW_IN_ALL : done > 1 ? FG_TW_IN : FG_TW_NONE;
  fg_status status = fg_build_codelet(b, r, t->sign, twiddle, &codelet);
  if (status != FG_OK) return status;
  fg_table table = {
      .fill = FG_FILL_TWIDDLE, .sign = t->sign, .rows = r - 1, .cols = done, .row0 = 1, .order = done * r};
  fg_view roots;
  if (done > 1) roots = fg_build_table(b, &table);
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "radix %lld, %lld columns after %lld", (long long)r,
                                                (long long)columns, (long long)done),
                        .codelet = codelet,
                        .in = &t->in,
                        .out = &t->out,
                        .nloop = 2,
                        .loop = {{"q", groups, done, done * r, multiply ? 1 : 0}, {"k", done, 1, 1, 1}},
                        .slots = (int)r,
                        .load = columns,
                        .store = done,
                        .table = multiply   ? t->multiply
                                 : done > 1 ? &roots
                                            : NULL,
                        .table_slots = (int)(multiply ? r : r - 1),
                        .table_coef = multiply ? columns : done};
  fg_build_stage(b, &form);
  return FG_OK;
}

/* Passes alternate between two scratch buffers; the last pass reads the first. */
static fg_status build_stockham(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  fg_view work[2];
  int passes = plan->narg;
  if (passes > 1) work[0] = fg_build_scratch(b, t->n);
  if (passes > 2 && !(t->out.buffer == FG_BUFFER_OUT && output_as_scratch(b, t->n, &work[1])))
    work[1] = fg_build_scratch(b, t->n);
  int64_t done = 1;
  fg_task pass = *t;
  for (int i = 0; i < passes; i++) {
    pass.out = i == passes - 1 ? t->out : work[(passes - i) % 2];
    fg_status status = stockham_pass(b, &pass, plan->arg[i], done);
    if (status != FG_OK) return status;
    done *= plan->arg[i];
    pass.in = pass.out;
  }
  return FG_OK;
}

/* Decimation in time: r transforms of every r-th element, then one twiddled pass
 * of radix r over their results. */
static fg_status build_cooley_tukey(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int64_t r = plan->arg[0], m = t->n / r;
  if (t->multiply) return FG_ENA; /* a table under a strided sub-transform has no form yet */
  fg_view work = fg_build_scratch(b, t->n);
  assert(b->naxis < FG_MAX_AXES);
  fg_axis *axis = &b->axis[b->naxis];
  *axis = (fg_axis){.extent = fg_num_const(r), .kind = FG_AXIS_INNER};
  snprintf(axis->name, sizeof axis->name, "c%d", b->naxis);
  fg_task sub = {.n = m, .sign = t->sign, .in = t->in, .out = work};
  sub.in.stride = fg_num_scaled(t->in.stride, r);
  sub.in.coef[b->naxis] = t->in.stride;
  sub.out.coef[b->naxis] = fg_num_const(m);
  b->naxis++;
  fg_status status = fg_build_plan(b, plan->child[0], &sub);
  b->naxis--;
  if (status != FG_OK) return status;
  fg_task pass = {.n = t->n, .sign = t->sign, .in = work, .out = t->out};
  return stockham_pass(b, &pass, r, m);
}

static fg_status pointwise(fg_builder *b, const fg_view *in, const fg_view *out, const fg_view *table, int64_t n) {
  const fg_codelet *codelet;
  fg_status status = fg_build_codelet(b, 1, -1, FG_TW_IN_ALL, &codelet);
  if (status != FG_OK) return status;
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "multiply %lld points by a table", (long long)n),
                        .codelet = codelet,
                        .in = in,
                        .out = out,
                        .nloop = 1,
                        .loop = {{"k", n, 1, 1, 1}},
                        .slots = 1,
                        .table = table,
                        .table_slots = 1};
  fg_build_stage(b, &form);
  return FG_OK;
}

/* Elements from..to-1 of a view become 0: a copy whose loads never happen. */
static void zero_fill(fg_builder *b, const fg_view *view, int64_t from, int64_t to) {
  fg_view v = *view;
  v.offset = fg_num_scaled(view->stride, from); /* of scratch: it begins at 0 */
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "zero %lld points", (long long)(to - from)),
                        .in = &v,
                        .out = &v,
                        .nloop = 1,
                        .loop = {{"k", to - from, 1, 1, 0}},
                        .slots = 1};
  fg_stage *s = fg_build_stage(b, &form);
  s->load.npred = 1;
  s->load.pred[0] = (fg_pred){.value = {.offset = fg_num_const(0)}, .bound = fg_num_const(0)};
}

/* x chirp, convolved with the conjugated chirp by transforms of L points, times
 * chirp again. The table of the middle holds the spectrum, divided by L. */
static fg_status build_bluestein(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int64_t n = t->n, length = plan->arg[0];
  if (t->multiply) return FG_ENA;
  fg_table chirp = {.fill = FG_FILL_CHIRP, .sign = t->sign, .rows = 1, .cols = n, .order = 2 * n, .n = n};
  fg_table spectrum = {.fill = FG_FILL_BLUESTEIN, .sign = t->sign, .rows = 1, .cols = length, .order = 2 * n, .n = n};
  fg_view chirp_table = fg_build_table(b, &chirp), spectrum_table = fg_build_table(b, &spectrum);
  fg_view padded = fg_build_scratch(b, length), convolved = fg_build_scratch(b, length);
  fg_status status = pointwise(b, &t->in, &padded, &chirp_table, n);
  if (status != FG_OK) return status;
  zero_fill(b, &padded, n, length);
  fg_task forward = {.n = length, .sign = -1, .in = padded, .out = convolved};
  if ((status = fg_build_plan(b, plan->child[0], &forward)) != FG_OK) return status;
  fg_task backward = {.n = length, .sign = +1, .in = convolved, .out = padded, .multiply = &spectrum_table};
  if ((status = fg_build_plan(b, plan->child[0], &backward)) != FG_OK) return status;
  return pointwise(b, &padded, &t->out, &chirp_table, n);
}

typedef fg_status (*build_step)(fg_builder *, const fg_plan *, const fg_task *);
static const build_step build_table[FG_STEP_COUNT] = {
    [FG_DIRECT] = build_direct,       [FG_STOCKHAM] = build_stockham,      [FG_COOLEY_TUKEY] = build_cooley_tukey,
    [FG_BLUESTEIN] = build_bluestein, [FG_FOUR_STEP] = fg_build_four_step, [FG_ND] = fg_build_nd,
};

fg_status fg_build_plan(fg_builder *b, const fg_plan *plan, const fg_task *task) {
  return build_table[plan->step](b, plan, task);
}

/* ---- the whole ----------------------------------------------------------------- */

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static fg_elem elem_of(const fg_problem *q, bool output) {
  return fg_problem_is_real(q, output) ? FG_ELEM_REAL : FG_ELEM_COMPLEX;
}

/* In place, the input's array holds the results: of r2c they are longer. */
static int64_t input_size(const fg_problem *q) {
  int64_t size = fg_problem_input_extent(q);
  return q->in_place && q->kind == FG_R2C ? larger(size, 2 * fg_problem_output_extent(q)) : size;
}

static void add_problem_buffers(fg_program *p) {
  const fg_problem *q = &p->problem;
  fg_buffer in = {.name = "in",
                  .space = FG_SPACE_INPUT,
                  .elem = elem_of(q, false),
                  .layout = q->split_in ? FG_LAYOUT_SPLIT : FG_LAYOUT_INTERLEAVED,
                  .precision = q->storage,
                  .size = input_size(q),
                  .alias = -1,
                  .table = -1};
  fg_buffer out = in;
  snprintf(out.name, sizeof out.name, "out");
  out.space = FG_SPACE_OUTPUT;
  out.elem = elem_of(q, true);
  out.layout = q->split_out ? FG_LAYOUT_SPLIT : FG_LAYOUT_INTERLEAVED;
  out.size = fg_problem_output_extent(q);
  out.alias = q->in_place ? FG_BUFFER_IN : -1;
  add_buffer(p, &in);
  add_buffer(p, &out);
}

static fg_task problem_task(fg_builder *b) {
  const fg_problem *q = &b->program->problem;
  fg_task t = {.kind = q->kind, .n = q->dim[0].n.n, .sign = q->sign};
  t.in = (fg_view){.buffer = FG_BUFFER_IN, .stride = q->dim[0].is, .offset = fg_num_const(0)};
  t.out = (fg_view){.buffer = FG_BUFFER_OUT, .stride = q->dim[0].os, .offset = fg_num_const(0)};
  for (int i = 0; i < q->batch_rank; i++) {
    fg_axis *axis = &b->axis[b->naxis];
    *axis = (fg_axis){.extent = q->batch[i].n, .kind = FG_AXIS_BATCH};
    snprintf(axis->name, sizeof axis->name, q->batch_rank > 1 ? "b%d" : "b", i);
    t.in.coef[b->naxis] = q->batch[i].is;
    t.out.coef[b->naxis++] = q->batch[i].os;
  }
  return t;
}

/* Short transforms do not fill vectors of one part, and shuffle more than they
 * add. Batches of them fill vectors: there pairs are dearer where a row's odd part
 * wants turning. Lengths from measurements with AVX2 and AVX-512. */
enum { LONGEST_PACKED = 128, LONGEST_ODD_ROW = 8 };

static bool prefers_pairs(const fg_plan *plan, int64_t n) {
  if (plan->step == FG_DIRECT) return n <= LONGEST_ODD_ROW || (n & (n - 1)) == 0;
  return n <= LONGEST_PACKED;
}

static bool wants_pairs(const fg_problem *q, const fg_plan *plan, const fg_mapping *map) {
  int64_t lanes = fg_plan_param_value(plan, FG_PARAM_LANES), pairs = fg_plan_param_value(plan, FG_PARAM_PAIRS);
  if (q->kind != FG_C2C || q->rank > 1) return false;
  if (map->threads || map->lanes < 4 || (lanes && lanes < 4) || q->split_in || q->split_out) return false;
  return pairs == 2 || (pairs == 0 && prefers_pairs(plan, q->dim[0].n.n));
}

fg_status fg_assemble(fg_context *cx, const fg_problem *problem, const fg_plan *plan, const fg_mapping *map,
                      fg_program **out) {
  fg_status status = fg_plan_fits(cx, plan, problem);
  if (status != FG_OK) return status;
  fg_program *p = fg_arena_new(cx->arena, fg_program, 1);
  p->problem = *problem;
  p->plan = plan;
  p->lanes = 1;
  fg_builder b = {.cx = cx, .map = map, .program = p, .packed = wants_pairs(problem, plan, map)};
  fg_build_kernel(&b);
  add_problem_buffers(p);
  fg_task task = problem_task(&b);
  if ((status = fg_build_plan(&b, plan, &task)) != FG_OK) return status;
  if ((status = fg_map_program(&b)) != FG_OK) return status;
  const char *why;
  (void)why;
  assert(fg_program_valid(p, &why));
  *out = p;
  return FG_OK;
}
