/* Assemble: a checked plan becomes stages over plain loops.
 *
 * In: problem, plan, what the target offers. Out: fg_program. Each step of a
 * plan is one function here that lays down stages between two views; the table
 * at the end names them. The digits' roles are map.c's business.
 *
 * Stockham's autosort form: Van Loan, Computational Frameworks for the FFT
 * (1992), section 1.7. */
#include "generator/assemble_build.h"
#include "generator/banks.h"
#include "generator/library.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
  IN_REGISTERS = 32,           /* vectors of numbers: shorter transforms keep scratch in registers (emit_forward.c) */
  MOST_IN_PLACE = 4,           /* passes, as far as a stage's loops go */
  APART = 1024,                /* bytes: few such distances meet in a set */
  LINE = 64,                   /* bytes of a cache line */
  PAGE = 4096,                 /* bytes: addresses so far apart share a set of the first cache, */
  WAYS = 8,                    /* which holds so many of them */
  BATCH_IN_OUTPUT = 512 << 10, /* bytes */
};

/* ---- buffers, tables, stages ---------------------------------------------- */

static int16_t add_buffer(fg_program *p, const fg_buffer *wanted) {
  assert(p->nbuffer < FG_MAX_BUFFERS);
  p->buffer[p->nbuffer] = *wanted;
  return (int16_t)p->nbuffer++;
}

static bool is_outer(const fg_axis *a) {
  return a->kind == FG_AXIS_BATCH || a->kind == FG_AXIS_TILE || a->kind == FG_AXIS_RANK;
}

static fg_layout layout_of_ours(const fg_builder *b) {
  return b->map->lanes > 1 && !b->packed ? FG_LAYOUT_SPLIT : FG_LAYOUT_INTERLEAVED;
}

int64_t fg_build_padded(const fg_builder *b, int64_t n) {
  int64_t bytes = fg_precision_bytes(b->program->problem.compute);
  bool pads = b->map->lanes > 1 && !b->map->threads && n * bytes % APART == 0;
  return pads ? n + LINE / bytes : n;
}

/* Parts of one number are not to meet in a set of the cache either. */
static int16_t add_work(fg_builder *b, fg_space space, const fg_buffer *like, int64_t size) {
  fg_buffer buffer = {.space = space,
                      .elem = like->elem,
                      .layout = like->layout,
                      .block = like->block,
                      .precision = b->program->problem.compute,
                      .size = like->layout == FG_LAYOUT_SPLIT ? fg_build_padded(b, size) : size,
                      .alias = -1,
                      .table = -1};
  snprintf(buffer.name, sizeof buffer.name, "work%d", b->work_count++);
  return add_buffer(b->program, &buffer);
}

/* An odd number of rows of banks, each of which gets one element more (map_pad.c). */
int64_t fg_build_turned(const fg_builder *b, int64_t n) {
  int64_t row = FG_BANK_ROW / (2 * fg_precision_bytes(b->program->problem.compute)), rows = (n + row - 1) / row;
  return (rows % 2 ? rows : rows + 1) * row;
}

/* The elements of lanes lie side by side, before the transform's next one. */
static fg_view side_by_side(const fg_builder *b) {
  fg_view v = {.offset = fg_num_const(0)};
  int64_t side = 1;
  for (int i = 0; i < FG_MAX_AXES; i++) {
    v.coef[i] = fg_num_const(0);
    if (i >= b->naxis || b->axis[i].kind != FG_AXIS_LANES) continue;
    v.coef[i] = fg_num_const(side);
    side *= b->axis[i].extent.n;
  }
  v.stride = fg_num_const(side);
  return v;
}

static fg_view scratch_of(fg_builder *b, const fg_buffer *like, int64_t n) {
  fg_view v = side_by_side(b);
  int64_t size = n * v.stride.n;
  for (int i = b->naxis - 1; i >= 0; i--) {
    if (b->axis[i].kind != FG_AXIS_INNER) continue;
    size = fg_build_padded(b, size);
    v.coef[i] = fg_num_const(size);
    size *= b->axis[i].extent.n;
  }
  v.buffer = add_work(b, FG_SPACE_LOCAL, like, size);
  return v;
}

static fg_buffer ours(const fg_builder *b, fg_elem elem) {
  return (fg_buffer){.elem = elem, .layout = layout_of_ours(b)};
}

fg_view fg_build_scratch(fg_builder *b, int64_t n) {
  fg_buffer like = ours(b, FG_ELEM_COMPLEX);
  return scratch_of(b, &like, n);
}

fg_view fg_build_real_scratch(fg_builder *b, int64_t n) {
  fg_buffer like = ours(b, FG_ELEM_REAL);
  return scratch_of(b, &like, n);
}

static const fg_buffer pairs = {.elem = FG_ELEM_COMPLEX, .layout = FG_LAYOUT_INTERLEAVED};

fg_view fg_build_pairs(fg_builder *b, int64_t n) { return scratch_of(b, &pairs, n); }

fg_view fg_build_exchange(fg_builder *b, int64_t n, int blocks) {
  fg_view v = side_by_side(b);
  v.buffer = add_work(b, FG_SPACE_LOCAL, &pairs, n);
  b->program->buffer[v.buffer].spread = blocks;
  b->kernel->cluster = blocks;
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
  fg_buffer like = ours(b, FG_ELEM_COMPLEX);
  v.buffer = add_work(b, FG_SPACE_WORK, &like, size);
  return v;
}

bool fg_build_output_scratch(fg_builder *b, int64_t n, fg_view *v) {
  fg_program *p = b->program;
  const fg_problem *q = &p->problem;
  bool dense = b->naxis == 0 && q->rank == 1 && fg_num_is(q->dim[0].os, 1) && n <= fg_problem_length(q, 0, true);
  bool wanted = fg_plan_param_value(p->plan, FG_PARAM_REUSE) >= 1;
  if (!dense || !wanted || q->in_place || q->split_out || b->map->threads) return false;
  if (fg_problem_stored(q, true) != q->compute || fg_problem_is_real(q, true)) return false;
  fg_view scratch = fg_build_scratch(b, n);
  p->buffer[scratch.buffer].alias = FG_BUFFER_OUT;
  p->buffer[scratch.buffer].size = n;
  *v = scratch;
  return true;
}

/* Where passes work on whole blocks of a vector of real and one of imaginary parts: their
 * first results are whole vectors, or neighbouring transforms are. */
static bool has_blocks(const fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int lanes = b->map->lanes;
  bool vectors = lanes > 1 && !b->map->threads && !b->packed && !fg_plan_param_value(b->program->plan, FG_PARAM_LANES);
  if (!vectors || t->in.mod || t->in.lookup || t->upper) return false;
  int64_t side = 1;
  bool unit = fg_num_is(t->in.stride, 1), inner = false;
  for (int i = 0; i < b->naxis; i++) {
    if (b->axis[i].kind == FG_AXIS_LANES) side *= b->axis[i].extent.n;
    if (b->axis[i].kind != FG_AXIS_INNER) continue;
    inner = true;
    unit = unit || (fg_num_is(t->in.coef[i], 1) && b->axis[i].extent.n % lanes == 0);
  }
  if (side > 1) return !inner && side % lanes == 0;
  bool many = inner || t->n > (int64_t)IN_REGISTERS * lanes;
  return unit && many && !t->turns && !t->multiply && plan->arg[0] % lanes == 0;
}

/* Elements that the last pass takes together must not push each other out of the
 * first cache before they are written. */
static bool may_work_in_place(const fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int64_t last = plan->arg[plan->narg - 1], pages = t->n * 2 * fg_precision_bytes(b->program->problem.compute) / PAGE;
  bool near = pages <= WAYS || last <= WAYS;
  for (int i = 0; i < b->naxis; i++) near = near && is_outer(&b->axis[i]);
  return fg_plan_param_value(b->program->plan, FG_PARAM_REUSE) == 2 && near && last >= b->map->lanes &&
         plan->narg <= MOST_IN_PLACE;
}

/* Whole blocks of the output belong to each transform, and a cache holds all of them:
 * else scratch of its own stays nearer than what is written once. */
static bool blocks_in_output(const fg_builder *b, const fg_view *out) {
  const fg_program *p = b->program;
  const fg_problem *q = &p->problem;
  if (out->buffer != FG_BUFFER_OUT || q->in_place || q->split_out || q->rank > 1) return false;
  if (fg_problem_stored(q, true) != q->compute || fg_problem_is_real(q, true)) return false;
  int lanes = b->map->lanes;
  bool whole = fg_num_is(out->stride, 1) && fg_num_is(out->offset, 0) && p->buffer[FG_BUFFER_OUT].size % lanes == 0;
  for (int i = 0; i < b->naxis; i++)
    whole = whole && out->coef[i].form == FG_NUM_CONST && out->coef[i].n >= 0 && out->coef[i].n % lanes == 0;
  for (int i = 0; i < b->naxis; i++) whole = whole && is_outer(&b->axis[i]);
  bool near = b->naxis == 0 || (!b->map->blocks && fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]) <= BATCH_IN_OUTPUT);
  return whole && near && fg_plan_param_value(p->plan, FG_PARAM_REUSE);
}

static fg_view block_scratch(fg_builder *b, const fg_task *t, bool in_output) {
  fg_buffer blocks = {.elem = FG_ELEM_COMPLEX, .layout = FG_LAYOUT_BLOCKED, .block = b->map->lanes};
  fg_view v = scratch_of(b, &blocks, t->n);
  if (!in_output) return v;
  fg_buffer *scratch = &b->program->buffer[v.buffer];
  scratch->alias = FG_BUFFER_OUT;
  scratch->size = b->program->buffer[FG_BUFFER_OUT].size;
  memcpy(v.coef, t->out.coef, sizeof v.coef);
  return v;
}

static bool same_table(const fg_table *a, const fg_table *b) {
  return a->fill == b->fill && a->sign == b->sign && a->rows == b->rows && a->cols == b->cols && a->row0 == b->row0 &&
         fg_table_column(a, 0) == fg_table_column(b, 0) && fg_table_column(a, 1) == fg_table_column(b, 1) &&
         a->shift == b->shift && a->order == b->order && a->n == b->n && a->window == b->window;
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
  static const char *const names[] = {
      [FG_FILL_TWIDDLE] = "tw",      [FG_FILL_CHIRP] = "chirp",   [FG_FILL_BLUESTEIN] = "chirp",
      [FG_FILL_RADER] = "spectrum",  [FG_FILL_RADER_SUM] = "sum", [FG_FILL_POWER] = "power",
      [FG_FILL_POWERS] = "spectrum", [FG_FILL_LOGARITHM] = "log", [FG_FILL_WINDOW] = "window",
      [FG_FILL_DOUBLING] = "tw"};
  bool index = fg_table_is_index(wanted);
  fg_buffer buffer = {.space = FG_SPACE_TABLE,
                      .elem = index                            ? FG_ELEM_INDEX
                              : wanted->fill == FG_FILL_WINDOW ? FG_ELEM_REAL
                                                               : FG_ELEM_COMPLEX,
                      .layout = index || wanted->fill == FG_FILL_WINDOW ? FG_LAYOUT_INTERLEAVED : layout_of_ours(b),
                      .precision = p->problem.compute,
                      .size = wanted->rows * wanted->cols,
                      .alias = -1,
                      .table = (int16_t)p->ntable};
  assert(p->ntable < FG_MAX_BUFFERS);
  snprintf(buffer.name, sizeof buffer.name, "%.8s%u", names[wanted->fill], (unsigned)p->ntable % FG_MAX_BUFFERS);
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

/* From an element to the next, before the modulus. */
static int64_t step_of(const fg_view *v) { return v->step ? v->step : 1; }

fg_view fg_build_shifted(const fg_view *v, int64_t elements) {
  fg_view moved = *v;
  fg_num by = fg_num_scaled(v->stride, elements);
  if (fg_num_is(v->offset, 0)) {
    moved.offset = by;
  } else if (elements) {
    assert(by.form == v->offset.form && by.param == v->offset.param);
    moved.offset.n += by.n;
  }
  return moved;
}

/* Other elements in the memory of a view: `numerator` over `denominator` times as many. */
static int16_t add_alias(fg_builder *b, int16_t of, fg_elem elem, int64_t size) {
  fg_buffer buffer = b->program->buffer[of];
  for (int16_t i = 0; i < b->program->nbuffer; i++) {
    const fg_buffer *other = &b->program->buffer[i];
    if (other->alias == of && other->elem == elem && other->size == size && i != FG_BUFFER_OUT) return i;
  }
  snprintf(buffer.name, sizeof buffer.name, "%.8s_%s", b->program->buffer[of].name, elem == FG_ELEM_REAL ? "re" : "c");
  buffer.elem = elem;
  buffer.size = size;
  buffer.alias = of;
  return add_buffer(b->program, &buffer);
}

static bool is_even(fg_num x) { return (x.form == FG_NUM_CONST || x.form == FG_NUM_PARAM) && x.n >= 0 && x.n % 2 == 0; }

bool fg_build_complex_view(fg_builder *b, const fg_view *reals, fg_view *out) {
  bool possible = fg_num_is(reals->stride, 1) && fg_num_is(reals->offset, 0);
  for (int i = 0; i < b->naxis; i++) possible = possible && is_even(reals->coef[i]);
  if (!possible) return false;
  *out = *reals;
  out->buffer = add_alias(b, reals->buffer, FG_ELEM_COMPLEX, b->program->buffer[reals->buffer].size / 2);
  for (int i = 0; i < b->naxis; i++) out->coef[i].n /= 2;
  return true;
}

fg_view fg_build_parts_view(fg_builder *b, const fg_view *v, int part) {
  const fg_buffer *buffer = &b->program->buffer[v->buffer];
  int64_t step = buffer->layout == FG_LAYOUT_SPLIT ? 1 : 2;
  fg_view parts = *v;
  parts.buffer = add_alias(b, v->buffer, FG_ELEM_REAL, 2 * buffer->size);
  parts.stride = fg_num_scaled(v->stride, step);
  parts.offset = fg_num_scaled(v->offset, step);
  assert(!part || parts.offset.form == FG_NUM_CONST);
  if (part) parts.offset.n += step == 1 ? buffer->size : 1;
  for (int i = 0; i < b->naxis; i++) parts.coef[i] = fg_num_scaled(v->coef[i], step);
  return parts;
}

/* So many elements on, in strides. */
static int64_t reach(const fg_view *v, int64_t elements) {
  return v->run && elements % v->run == 0 ? elements / v->run * v->apart : elements;
}

static fg_access view_access(fg_kernel *k, const fg_view *v, const char *slot_name, int slots, int64_t slot_coef) {
  fg_access a = {.buffer = v->buffer, .index = {.lookup = v->lookup ? v->lookup : -1, .mod = v->mod}};
  a.reg = add_digit(k, slot_name, FG_ROLE_REG, fg_num_const(slots));
  a.index.at.offset = a.index.base.offset = fg_num_const(0);
  fg_index_base(&a.index)->offset = v->offset;
  if (fg_index_is_bent(&a.index)) a.index.scale = v->stride;
  fg_num one = fg_index_is_bent(&a.index) ? fg_num_const(step_of(v)) : v->stride;
  fg_affine_add(&a.index.at, a.reg, fg_num_scaled(one, reach(v, slot_coef)));
  return a;
}

/* The access behind `a`, in the same view. */
static void add_rest(fg_builder *b, fg_access *a, const fg_view *v, const fg_side *side) {
  if (!side) return;
  fg_view from = fg_build_shifted(v, side->first);
  a->rest = fg_arena_new(b->cx->arena, fg_access, 1);
  *a->rest = view_access(b->kernel, &from, "m", side->slots, side->slot);
}

/* A loop goes from element to element of a view. */
static void step_access(fg_access *a, const fg_view *v, int16_t digit, int64_t elements) {
  fg_num one = fg_index_is_bent(&a->index) ? fg_num_const(step_of(v)) : v->stride;
  fg_affine_add(&a->index.at, digit, fg_num_scaled(one, reach(v, elements)));
}

/* An axis moves the view, or the element before it is reduced. */
static void axis_access(fg_access *a, const fg_view *v, int16_t digit, int axis) {
  for (; a; a = a->rest) {
    fg_affine_add(fg_index_base(&a->index), digit, v->coef[axis]);
    if (v->mod) fg_affine_add(&a->index.at, digit, fg_num_const(v->key[axis]));
  }
}

static void add_loop(fg_stage *s, const fg_stage_form *form, int number, int16_t digit) {
  const fg_loop *loop = &form->loop[number];
  s->loop[s->nloop++] = digit;
  step_access(&s->load, form->in, digit, loop->load);
  step_access(&s->store, form->out, digit, loop->store);
  if (s->load.rest) step_access(s->load.rest, form->in, digit, form->load_rest->loop[number]);
  if (s->store.rest) step_access(s->store.rest, form->out, digit, form->store_rest->loop[number]);
  if (s->has_twiddle) step_access(&s->twiddle, form->table, digit, loop->twiddle);
  if (s->has_more && form->more_steps) step_access(&s->more, form->more, digit, loop->twiddle);
}

fg_stage *fg_build_stage(fg_builder *b, const fg_stage_form *form) {
  fg_kernel *k = b->kernel;
  fg_stage *s = push_stage(b);
  s->what = form->what;
  s->codelet = form->codelet;
  s->few = form->few;
  s->load = view_access(k, form->in, "m", form->slots, form->load);
  s->store = view_access(k, form->out, "m", form->out_slots ? form->out_slots : form->slots, form->store);
  add_rest(b, &s->load, form->in, form->load_rest);
  add_rest(b, &s->store, form->out, form->store_rest);
  s->alone = form->alone;
  if (form->table) {
    s->has_twiddle = true;
    s->twiddle = view_access(k, form->table, "t", form->table_slots, form->table_coef);
  }
  if (form->more) {
    s->has_more = true;
    s->more = view_access(k, form->more, "t", form->more_slots, form->more_coef);
  }
  s->product = form->product;
  for (int i = 0; i < b->naxis; i++) {
    if (fg_num_is(b->axis[i].extent, 1)) continue;
    int16_t d = add_digit(k, b->axis[i].name, FG_ROLE_LOOP, b->axis[i].extent);
    s->loop[s->nloop++] = d;
    k->digit[d].div = is_outer(&b->axis[i]) ? -(i + 1) : 1; /* marks the axis for map.c */
    k->digit[d].batch = b->axis[i].kind == FG_AXIS_BATCH;
    axis_access(&s->load, form->in, d, i);
    axis_access(&s->store, form->out, d, i);
    if (s->has_twiddle) axis_access(&s->twiddle, form->table, d, i);
    if (s->has_more) axis_access(&s->more, form->more, d, i);
  }
  for (int i = 0; i < form->nloop; i++)
    if (form->loop[i].extent > 1)
      add_loop(s, form, i, add_digit(k, form->loop[i].name, FG_ROLE_LOOP, fg_num_const(form->loop[i].extent)));
  s->sync_end = FG_SCOPE_BLOCK;
  fg_status status = fg_build_points(b, s, form);
  if (status != FG_OK) b->trouble = status;
  return s;
}

fg_status fg_build_key(fg_builder *b, fg_codelet_key key, int64_t n, const fg_codelet **out) {
  int64_t form = fg_plan_param_value(b->program->plan, FG_PARAM_FMA);
  key.n = (int)n;
  key.form = (form == 2 ? b->map->fma : form == 1) ? FG_FORM_FMA : FG_FORM_ADD_MUL;
  if (fg_plan_param_value(b->program->plan, FG_PARAM_DETERMINISTIC)) key.form = FG_FORM_ADD_MUL;
  int64_t accurate = fg_plan_param_value(b->program->plan, FG_PARAM_ACCURATE);
  key.accurate = accurate == 2 ? key.form == FG_FORM_ADD_MUL : accurate == 1;
  if (n > fg_codelet_limit())
    return fg_diag_set(&b->cx->diag, FG_EUSER, "plan: a codelet of %lld points: at most %d", (long long)n,
                       fg_codelet_limit());
  return fg_library_codelet(b->cx, &key, out);
}

fg_status fg_build_codelet(fg_builder *b, int64_t n, int sign, fg_twiddle twiddle, const fg_codelet **out) {
  return fg_build_key(b, (fg_codelet_key){.sign = sign, .twiddle = twiddle}, n, out);
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
  return fg_build_key(b, (fg_codelet_key){.kind = codelet_kind(kind), .sign = sign}, n, out);
}

/* ---- the steps -------------------------------------------------------------- */

/* Of the views: reals may come in pairs. */
static int elements_of(const fg_task *t, fg_codelet_side side) {
  return t->pairs && side.real ? side.elements / 2 : side.elements;
}

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
      .slots = elements_of(t, fg_codelet_input(kind, (int)t->n)),
      .out_slots = elements_of(t, fg_codelet_output(kind, (int)t->n)),
      .load = 1,
      .store = 1};
  fg_build_stage(b, &form);
  return FG_OK;
}

/* ---- twiddle factors ----------------------------------------------------------- */

typedef struct factors { /* where a pass's come from */
  fg_view table, more;
  int slots, more_slots;
  int64_t coef, more_coef, step; /* step: of a pass's q, in table */
  const fg_product *product;
} factors;

int fg_build_doublings(int64_t r) {
  int bits = 0;
  while (INT64_C(1) << bits < r) bits++;
  return bits;
}

const fg_product *fg_build_products(fg_builder *b, int64_t r, bool all) {
  int16_t first = all ? 0 : 1;
  fg_product *p = fg_arena_new(b->cx->arena, fg_product, r);
  if (all) p[0] = (fg_product){-1, 0};
  for (int16_t m = 1, top = 0; m < r; m++) {
    if (m >> (top + 1)) top++;
    int16_t rest = (int16_t)(m - (1 << top)), load = (int16_t)(top + (all ? 1 : 0));
    p[m - first] = (fg_product){rest < first ? -1 : (int16_t)(rest - first), load};
  }
  return p;
}

/* a, a v1 .. a v(r-1) of a and v1 .. v(r-1): one product each. */
static const fg_product *single_products(fg_builder *b, int64_t r) {
  fg_product *p = fg_arena_new(b->cx->arena, fg_product, r);
  p[0] = (fg_product){-1, 0};
  for (int16_t m = 1; m < r; m++) p[m] = (fg_product){0, m};
  return p;
}

bool fg_build_wants_products(const fg_builder *b, bool between) {
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_PRODUCTS);
  if (wanted == 1) return false;
  return between || (b->map->threads && (wanted == 2 || b->kernel->cluster));
}

/* Of a pass after `done` points: w^m, w of order done r to the power k. */
static factors inner_factors(fg_builder *b, const fg_task *t, int64_t r, int64_t done) {
  fg_table all = {.fill = FG_FILL_TWIDDLE, .sign = t->sign, .rows = r - 1, .cols = done, .row0 = 1, .order = done * r};
  factors f = {.slots = (int)r - 1, .coef = done};
  if (r > 3 && fg_build_wants_products(b, false)) {
    f.slots = fg_build_doublings(r);
    f.product = fg_build_products(b, r, false);
    all.fill = FG_FILL_DOUBLING, all.rows = f.slots, all.row0 = 0;
  }
  f.table = fg_build_table(b, &all);
  return f;
}

/* Column k of a table whose rows are `row` elements long; 0: of all rows alike. */
static fg_view by_axes(const fg_builder *b, fg_view table, const fg_turns *turns, int64_t row) {
  for (int i = 0; i < b->naxis; i++) {
    table.coef[i] = turns->coef[i];
    table.coef[i].n += turns->part[i] * row;
  }
  return table;
}

/* Of a first pass, whose element m of turn q is number m columns + q of the input, in
 * steps: w^(k q) (w^(k columns))^m. One table for all of them; or one of the first factors
 * and one of the second, of which GPUs, whose tables are dear to read, make powers. */
static factors turning_factors(fg_builder *b, const fg_task *t, int64_t r) {
  int64_t step = t->turns->step, columns = t->n / r, count = fg_build_padded(b, t->turns->count);
  fg_table all = {.fill = FG_FILL_TWIDDLE, .sign = t->sign, .cols = count, .order = t->turns->order};
  all.rows = t->n * step;
  factors f = {.slots = (int)r, .coef = columns * step * count, .step = step * count};
  bool powers = b->map->threads > 0;
  if (r > 2 && fg_build_wants_products(b, true) && (powers || (columns > 1 && !b->packed))) {
    fg_table steps = all;
    steps.fill = powers ? FG_FILL_DOUBLING : FG_FILL_TWIDDLE;
    steps.rows = powers ? fg_build_doublings(r) : r - 1;
    steps.row0 = powers ? 0 : 1;
    steps.order = t->turns->order / (columns * step);
    all.rows = columns * step;
    f.slots = 1, f.coef = 0;
    f.more_slots = (int)steps.rows, f.more_coef = count;
    f.more = by_axes(b, fg_build_table(b, &steps), t->turns, 0);
    f.product = powers ? fg_build_products(b, r, true) : single_products(b, r);
  }
  f.table = by_axes(b, fg_build_table(b, &all), t->turns, count);
  return f;
}

/* Element e of the input: row e of the table. */
static fg_view table_of_turns(fg_builder *b, const fg_task *t) {
  const fg_turns *turns = t->turns;
  fg_table all = {.fill = FG_FILL_TWIDDLE, .sign = t->sign, .cols = turns->count, .order = turns->order};
  all.rows = t->n * turns->step;
  fg_view v = by_axes(b, fg_build_table(b, &all), turns, turns->count);
  v.stride = fg_num_const(turns->step * turns->count);
  return v;
}

static void set_factors(fg_stage_form *form, const factors *f) {
  form->table = &f->table;
  form->table_slots = f->slots;
  form->table_coef = f->coef;
  form->product = f->product;
  if (!f->more_slots) return;
  form->more = &f->more;
  form->more_slots = f->more_slots;
  form->more_coef = f->more_coef;
}

static fg_status build_direct(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  (void)plan;
  const fg_codelet *codelet;
  if (t->kind != FG_C2C) return build_real(b, t);
  bool all = t->multiply || t->turns;
  fg_status status = fg_build_codelet(b, t->n, t->sign, all ? FG_TW_IN_ALL : FG_TW_NONE, &codelet);
  if (status != FG_OK) return status;
  factors f = {.slots = (int)t->n, .coef = 1};
  if (t->multiply) f.table = *t->multiply;
  if (t->turns) f = turning_factors(b, t, t->n);
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "codelet of %lld points", (long long)t->n),
                        .codelet = codelet,
                        .in = &t->in,
                        .out = &t->out,
                        .slots = (int)t->n,
                        .load = 1,
                        .store = 1};
  if (all) set_factors(&form, &f);
  fg_build_stage(b, &form);
  return FG_OK;
}

void fg_build_turn(fg_stage_form *form) {
  fg_stage_form f = *form;
  form->in = f.out, form->out = f.in;
  form->slots = f.out_slots ? f.out_slots : f.slots, form->out_slots = f.slots;
  form->load = f.store, form->store = f.load;
  form->load_rest = f.store_rest, form->store_rest = f.load_rest;
  for (int i = 0; i < f.nloop; i++) form->loop[i].load = f.loop[i].store, form->loop[i].store = f.loop[i].load;
}

/* q's digits by the later radices, the last one's fastest. In place, the digit of radix R
 * stands where R's results will: at the product of all radices before it. */
static void in_place_loops(fg_stage_form *form, const fg_task *t, int64_t r, int64_t done, int64_t step) {
  bool first = done == 1;
  int64_t place = done * r, weight = t->n / place;
  form->nloop = first ? t->nlater : t->nlater + 1;
  if (!first) form->loop[t->nlater] = (fg_loop){"k", done, 1, 1, 1};
  for (int i = 0; i < t->nlater; i++) {
    static const char *const names[] = {"q", "p", "o"};
    weight /= t->later[i];
    form->loop[first ? i : t->nlater - 1 - i] =
        (fg_loop){names[i], t->later[i], first ? weight : place, place, weight * step};
    place *= t->later[i];
  }
  if (!first) form->load = done;
}

/* One Stockham pass of radix r; `done` = product of the radices before it. With
 * j = q done + k: reads elements j + m n/r, writes q done r + k + m done. In place, where
 * the later radices are given, what it reads lies where it writes, but for the first
 * pass's input. */
fg_status fg_build_pass(fg_builder *b, const fg_task *t, int64_t r, int64_t done) {
  int64_t columns = t->n / r, groups = columns / done;
  bool multiply = done == 1 && t->multiply, turn = done == 1 && t->turns;
  const fg_codelet *codelet;
  fg_twiddle all = t->frequency ? FG_TW_OUT_ALL : FG_TW_IN_ALL, others = t->frequency ? FG_TW_OUT : FG_TW_IN;
  fg_twiddle twiddle = multiply || turn ? all : done == 1 ? FG_TW_NONE : others;
  fg_codelet_key key = {.sign = t->sign, .twiddle = twiddle};
  if (t->upper) key.kind = t->frequency ? FG_CODELET_C2R_COLUMN : FG_CODELET_R2C_COLUMN;
  fg_status status = fg_build_key(b, key, r, &codelet);
  if (status != FG_OK) return status;
  factors f = {.slots = (int)r, .coef = columns, .step = 1};
  if (multiply) f.table = *t->multiply;
  if (turn) f = turning_factors(b, t, r);
  if (done > 1) f = inner_factors(b, t, r, done);
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "radix %lld, %lld columns after %lld", (long long)r,
                                                (long long)columns, (long long)done),
                        .codelet = codelet,
                        .in = &t->in,
                        .out = &t->out,
                        .nloop = 2,
                        .loop = {{"q", groups, done, done * r, f.step}, {"k", done, 1, 1, 1}},
                        .slots = (int)r,
                        .out_slots = (int)r - (t->upper ? t->upper->slots : 0),
                        .load = columns,
                        .store = done,
                        .store_rest = t->upper};
  if (t->later) in_place_loops(&form, t, r, done, f.step);
  int64_t run = t->out.run;
  if (run && groups == 1) { /* its one loop, cut at the runs */
    form.loop[0] = (fg_loop){"q", done / run, run, run, run};
    form.loop[1].extent = run;
  }
  if (twiddle != FG_TW_NONE) set_factors(&form, &f);
  if (t->frequency) fg_build_turn(&form);
  form.in = &t->in, form.out = &t->out;
  fg_build_stage(b, &form);
  return FG_OK;
}

/* All passes but the first in place. Temperton, Self-sorting in-place fast Fourier
 * transforms (1991); here the first one, out of place, sorts for all others. */
static fg_status build_in_place(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *work) {
  fg_task pass = *t;
  int64_t done = 1;
  for (int i = 0; i < plan->narg; i++) {
    pass.later = plan->arg + i + 1;
    pass.nlater = plan->narg - i - 1;
    pass.out = i == plan->narg - 1 ? t->out : *work;
    fg_status status = fg_build_pass(b, &pass, plan->arg[i], done);
    if (status != FG_OK) return status;
    done *= plan->arg[i];
    pass.in = *work;
  }
  return FG_OK;
}

/* Passes alternate between two scratch buffers; the last pass reads the first. */
static fg_status build_stockham(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  if (t->kind != FG_C2C) return fg_build_real_stockham(b, plan, t);
  fg_view work[2];
  int passes = plan->narg;
  bool blocks = passes > 1 && has_blocks(b, plan, t), in_output = blocks && blocks_in_output(b, &t->out);
  if (blocks && may_work_in_place(b, plan, t)) {
    work[0] = block_scratch(b, t, in_output);
    return build_in_place(b, plan, t, &work[0]);
  }
  if (passes > 1) work[0] = blocks ? block_scratch(b, t, false) : fg_build_scratch(b, t->n);
  if (passes > 2 && blocks)
    work[1] = block_scratch(b, t, in_output);
  else if (passes > 2 && !(t->out.buffer == FG_BUFFER_OUT && fg_build_output_scratch(b, t->n, &work[1])))
    work[1] = fg_build_scratch(b, t->n);
  int64_t done = 1;
  fg_task pass = *t;
  for (int i = 0; i < passes; i++) {
    pass.out = i == passes - 1 ? t->out : work[(passes - i) % 2];
    fg_status status = fg_build_pass(b, &pass, plan->arg[i], done);
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
  fg_view work = fg_build_scratch(b, t->n);
  assert(b->naxis < FG_MAX_AXES);
  fg_axis *axis = &b->axis[b->naxis];
  *axis = (fg_axis){.extent = fg_num_const(r), .kind = FG_AXIS_INNER, .dimension = b->dimension};
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
  return fg_build_pass(b, &pass, r, m);
}

static const struct step {
  fg_status (*build)(fg_builder *, const fg_plan *, const fg_task *);
  bool multiplies; /* knows what to do with a task's table */
} steps[FG_STEP_COUNT] = {
    [FG_DIRECT] = {build_direct, true},
    [FG_STOCKHAM] = {build_stockham, true},
    [FG_COOLEY_TUKEY] = {build_cooley_tukey, false},
    [FG_BLUESTEIN] = {fg_build_bluestein, false},
    [FG_RADER] = {fg_build_rader, false},
    [FG_PRIME_FACTOR] = {fg_build_prime_factor, false},
    [FG_FOUR_STEP] = {fg_build_four_step, true},
    [FG_ND] = {fg_build_nd, true},
    [FG_REAL] = {fg_build_real, false},
    [FG_TRIG] = {fg_build_trig, false},
};

fg_status fg_build_plan(fg_builder *b, const fg_plan *plan, const fg_task *task) {
  const struct step *step = &steps[plan->step];
  if ((!task->multiply && !task->turns) || step->multiplies) return step->build(b, plan, task);
  fg_task rest = *task;
  rest.in = fg_build_scratch(b, task->n);
  rest.multiply = NULL;
  rest.turns = NULL;
  fg_view turns;
  if (task->turns) turns = table_of_turns(b, task);
  fg_status status = fg_build_pointwise(b, &task->in, &rest.in, task->turns ? &turns : task->multiply, task->n);
  return status == FG_OK ? step->build(b, plan, &rest) : status;
}

/* ---- the whole ----------------------------------------------------------------- */

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static fg_elem elem_of(const fg_problem *q, bool output) {
  return fg_problem_is_real(q, output) ? FG_ELEM_REAL : FG_ELEM_COMPLEX;
}

/* In place, the input's array holds the results: of r2c they are longer. */
static int64_t input_size(const fg_problem *q) {
  int64_t size = fg_problem_input_extent(q);
  return q->in_place && q->kind == FG_R2C && !fg_problem_is_real(q, true)
             ? larger(size, 2 * fg_problem_output_extent(q))
             : size;
}

static void add_problem_buffers(fg_program *p) {
  const fg_problem *q = &p->problem;
  fg_buffer in = {.name = "in",
                  .space = FG_SPACE_INPUT,
                  .elem = elem_of(q, false),
                  .layout = q->split_in ? FG_LAYOUT_SPLIT : FG_LAYOUT_INTERLEAVED,
                  .precision = fg_problem_stored(q, false),
                  .size = input_size(q),
                  .alias = -1,
                  .table = -1};
  fg_buffer out = in;
  snprintf(out.name, sizeof out.name, "out");
  out.space = FG_SPACE_OUTPUT;
  out.precision = fg_problem_stored(q, true);
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
  t.in = (fg_view){.buffer = FG_BUFFER_IN, .stride = q->dim[0].is, .offset = fg_num_const(0), .ends = true};
  t.out = (fg_view){.buffer = FG_BUFFER_OUT, .stride = q->dim[0].os, .offset = fg_num_const(0), .ends = true};
  for (int i = 0; i < q->batch_rank; i++) {
    fg_axis *axis = &b->axis[b->naxis];
    *axis = (fg_axis){.extent = q->batch[i].n, .kind = FG_AXIS_BATCH};
    snprintf(axis->name, sizeof axis->name, q->batch_rank > 1 ? "b%d" : "b", i);
    t.in.coef[b->naxis] = q->batch[i].is;
    t.out.coef[b->naxis++] = q->batch[i].os;
  }
  return t;
}

/* Short transforms do not fill vectors of one part, and shuffle more than they add.
 * Long ones do where their first radix is whole vectors; where it is none, lanes stay
 * empty and rows are turned, both half as many for pairs. Lengths from measurements
 * with AVX-512. */
enum { LONGEST_PACKED = 2048, LONGEST_TURNED = 64 << 10 /* bytes */, WIDE_LANES = 16, MANY_POINTS = 512 };

static bool prefers_pairs(const fg_plan *plan, const fg_problem *q, int lanes) {
  int64_t n = q->dim[0].n.n, bytes = n * 2 * fg_precision_bytes(q->compute), first = plan->arg[0];
  if (plan->step == FG_DIRECT || bytes <= LONGEST_PACKED) return true;
  if (plan->step != FG_STOCKHAM || first % lanes == 0 || bytes > LONGEST_TURNED) return false;
  return first < lanes || lanes < WIDE_LANES || n <= MANY_POINTS;
}

static bool wants_pairs(const fg_problem *q, const fg_plan *plan, const fg_mapping *map) {
  int64_t lanes = fg_plan_param_value(plan, FG_PARAM_LANES), pairs = fg_plan_param_value(plan, FG_PARAM_PAIRS);
  if (q->kind != FG_C2C || q->rank > 1) return false;
  if (fg_plan_param_value(plan, FG_PARAM_DETERMINISTIC)) return false; /* their signs of zeros differ */
  if (map->threads || map->lanes < 4 || (lanes && lanes < 4) || q->split_in || q->split_out) return false;
  if (q->nload || q->nstore || q->storage != q->compute) return false; /* they act on parts */
  return pairs == 2 || (pairs == 0 && prefers_pairs(plan, q, map->lanes));
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
  if (b.trouble != FG_OK) return b.trouble;
  if ((status = fg_map_program(&b)) != FG_OK) return status;
  const char *why;
  (void)why;
  assert(fg_program_valid(p, &why));
  *out = p;
  return FG_OK;
}
