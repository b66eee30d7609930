/* Stages over plain loops. In: a form, the axes in scope. Out: a stage of the present kernel, with accesses that are
 * sums over its digits, and its codelet. */
#include "generator/assemble/operations.h"
#include "generator/assemble/task.h"
#include "generator/base/invariant.h"
#include "generator/codelet/library.h"
#include <stdio.h>

void fg_build_kernel(fg_builder *b) {
  fg_invariant(b->nkernel < FG_MAX_LOGICAL);
  b->first_buffer[b->nkernel] = (int16_t)b->program->nbuffer;
  b->kernel = b->kernels[b->nkernel++] = fg_arena_new(b->cx->arena, fg_kernel, 1);
  b->stage_capacity = 0;
}

fg_access *fg_build_split_slots(fg_builder *b, fg_access *a, int64_t first) {
  fg_access *behind = a->rest = fg_arena_copy(b->cx->arena, a, sizeof *a);
  int64_t slots = b->kernel->digit[a->reg].extent.n;
  int16_t reg = fg_kernel_new_digit(b->kernel, "m", FG_ROLE_REG, fg_num_const(slots - first));
  fg_num step = fg_affine_coef(&a->index.at, a->reg);
  b->kernel->digit[a->reg].extent = fg_num_const(first);
  fg_affine_rename(&behind->index.at, a->reg, reg);
  behind->index.at.offset.n += step.n * first;
  behind->reg = reg;
  return behind;
}

static fg_stage *push_stage(fg_builder *b) {
  fg_kernel *k = b->kernel;
  if (k->nstage == b->stage_capacity) {
    b->stage_capacity = b->stage_capacity ? 2 * b->stage_capacity : 16;
    k->stage = fg_arena_more(b->cx->arena, k->stage, k->nstage, b->stage_capacity);
  }
  if (!k->nstage) k->vectors.packed = b->packed;
  fg_stage *s = &k->stage[k->nstage++];
  *s = (fg_stage){.vectors.lane = -1};
  return s;
}

/* From an element to the next, before the modulus. */
static int64_t step_of(const fg_view *v) { return v->step ? v->step : 1; }

/* The same as an address has it; `down`: that of a fold's upper half. */
static fg_num step_by(const fg_access *a, const fg_view *v, bool down) {
  bool bent = fg_index_is_bent(&a->index);
  return bent ? fg_num_const(down ? -step_of(v) : step_of(v)) : fg_num_scaled(v->stride, v->fold ? step_of(v) : 1);
}

/* So many elements on, in strides. */
static int64_t reach(const fg_view *v, int64_t elements) {
  return v->run && elements % v->run == 0 ? elements / v->run * v->apart : elements;
}

void fg_build_wait_inside(fg_stage *s) {
  if (s->load.buffer == s->store.buffer) s->exchange.between = fg_exchange_barrier();
}

void fg_build_wait_once(const fg_builder *b, int first) {
  for (int i = first; i + 1 < b->kernel->nstage; i++) b->kernel->stage[i].exchange.after = fg_exchange_none();
}

int16_t fg_build_shift_digit(fg_kernel *k) {
  for (int16_t d = 0; d < k->ndigit; d++)
    if (k->digit[d].role == FG_ROLE_RING) return d;
  return fg_kernel_new_digit(k, FG_SHIFT_DIGIT, FG_ROLE_RING, fg_num_const(1));
}

/* Of a view with a fold: the slots of its upper half, which count down. */
static void add_folded(fg_builder *b, fg_access *a, const fg_view *v) {
  fg_access *upper = a->rest = fg_arena_copy(b->cx->arena, a, sizeof *a);
  int64_t slots = b->kernel->digit[a->reg].extent.n / 2, step = a->index.at.term[0].coef.n / v->stride.n;
  fg_invariant(step * slots == v->fold && v->stride.form == FG_NUM_CONST && v->offset.form == FG_NUM_CONST);
  b->kernel->digit[a->reg].extent = fg_num_const(slots);
  upper->reg = fg_kernel_new_digit(b->kernel, "m", FG_ROLE_REG, fg_num_const(slots));
  upper->index.mod = v->fold, upper->index.scale = v->stride;
  upper->index.base.offset = fg_num_const(v->offset.n + v->far);
  upper->index.at = (fg_affine){.offset = fg_num_const(v->fold)};
  fg_affine_add(&upper->index.at, upper->reg, fg_num_const(-step));
  if (!v->begins) return;
  int16_t shift = fg_build_shift_digit(b->kernel);
  a->index.mod = v->fold, a->index.scale = v->stride;
  a->index.base.offset = v->offset;
  a->index.at = (fg_affine){.offset = fg_num_const(0)};
  fg_affine_add(&a->index.at, a->reg, fg_num_const(step));
  fg_affine_add(&a->index.at, shift, fg_num_const(1)), fg_affine_add(&upper->index.at, shift, fg_num_const(1));
}

static fg_access view_access(fg_kernel *k, const fg_view *v, const char *slot_name, int slots, int64_t slot_coef) {
  fg_access a = {.buffer = v->buffer, .index = {.lookup = v->lookup ? v->lookup : -1, .mod = v->mod}};
  a.reg = fg_kernel_new_digit(k, slot_name, FG_ROLE_REG, fg_num_const(slots));
  a.index.at.offset = a.index.base.offset = fg_num_const(0);
  fg_index_base(&a.index)->offset = v->offset;
  if (fg_index_is_bent(&a.index)) a.index.scale = v->stride;
  fg_affine_add(&a.index.at, a.reg, fg_num_scaled(step_by(&a, v, false), reach(v, slot_coef)));
  return a;
}

/* The access behind `a`, in the same view. */
static void add_rest(fg_builder *b, fg_access *a, const fg_view *v, const fg_side *side) {
  if (v->fold) add_folded(b, a, v);
  if (!side || v->fold) return;
  fg_view from = fg_build_shifted(v, side->first);
  a->rest = fg_arena_new(b->cx->arena, fg_access, 1);
  *a->rest = view_access(b->kernel, &from, "m", side->slots, side->slot);
}

/* A loop over the elements of a view. */
static void step_access(fg_access *a, const fg_view *v, int16_t digit, int64_t elements) {
  for (const fg_access *first = a; a; a = v->fold ? a->rest : NULL)
    fg_affine_add(&a->index.at, digit, fg_num_scaled(step_by(a, v, a != first), reach(v, elements)));
}

/* What an axis adds to the element that a fold knows. */
static fg_num key_by(const fg_access *a, const fg_view *v, int axis, bool down) {
  fg_invariant(!v->key[axis] || fg_num_is(v->coef[axis], 0));
  bool bent = fg_index_is_bent(&a->index);
  return bent ? fg_num_const(down ? -v->key[axis] : v->key[axis]) : fg_num_scaled(v->stride, v->key[axis]);
}

/* An axis moves the view, or the element before it is reduced. */
static void axis_access(fg_access *a, const fg_view *v, const fg_side *behind, int16_t digit, int axis) {
  for (const fg_access *first = a; a; a = a->rest) {
    bool down = a != first && behind && behind->axis && axis >= behind->axis - 1;
    fg_affine_add(fg_index_base(&a->index), digit, down ? fg_num_scaled(v->coef[axis], -1) : v->coef[axis]);
    if (v->mod || (v->lookup && v->key[axis])) fg_affine_add(&a->index.at, digit, fg_num_const(v->key[axis]));
    if (v->fold) fg_affine_add(&a->index.at, digit, key_by(a, v, axis, a != first));
  }
}

static void add_loop(fg_stage *s, const fg_stage_form *form, int number, int16_t digit) {
  const fg_loop *loop = &form->loop[number];
  s->loop[s->nloop++] = digit;
  step_access(&s->load, form->in, digit, loop->load);
  step_access(&s->store, form->out, digit, loop->store);
  if (s->load.rest && form->load_rest) step_access(s->load.rest, form->in, digit, form->load_rest->loop[number]);
  if (s->store.rest && form->store_rest) step_access(s->store.rest, form->out, digit, form->store_rest->loop[number]);
  if (s->factors.has_twiddle) step_access(&s->factors.twiddle, form->table, digit, loop->twiddle);
  int64_t more = !number && form->more_step ? form->more_step : loop->twiddle;
  if (s->factors.has_more && form->more_steps) step_access(&s->factors.more, form->more, digit, more);
  if (s->factors.has_more && form->more_rest)
    step_access(s->factors.more.rest, form->more, digit, form->more_rest->loop[number]);
}

void fg_build_axis(fg_builder *b, const char *name, int64_t extent, fg_axis_kind kind) {
  fg_invariant(b->naxis < FG_MAX_AXES);
  fg_axis *a = &b->axis[b->naxis++];
  *a = (fg_axis){.extent = fg_num_const(extent), .kind = kind, .dimension = b->dimension};
  snprintf(a->name, sizeof a->name, "%s", name);
}

void fg_build_inner_axis(fg_builder *b, int64_t extent) {
  fg_build_axis(b, fg_arena_printf(b->cx->arena, "c%d", b->naxis), extent, FG_AXIS_INNER);
}

int64_t fg_build_divisor(int64_t n, int64_t most, int64_t unit) {
  int64_t best = 1;
  for (int64_t d = 1; d <= n && d <= most; d++)
    if (n % d == 0 && (d % unit == 0 || best % unit != 0)) best = d;
  return best;
}

int64_t fg_build_tile_step(int64_t n, int64_t tile) { return n % tile ? 1 : tile; }

void fg_build_tiles(fg_builder *b, int64_t n, int64_t tile) {
  fg_build_axis(b, "t", (n + tile - 1) / tile, FG_AXIS_TILE);
  fg_axis *a = &b->axis[b->naxis - 1];
  if (n % tile) a->step = tile, a->last = n - tile;
}

int16_t fg_build_axis_digit(const fg_builder *b, const fg_stage *s, int axis) {
  int before = 0;
  for (int i = 0; i < axis; i++) before += !fg_num_is(b->axis[i].extent, 1);
  return fg_num_is(b->axis[axis].extent, 1) ? -1 : s->loop[before];
}

void fg_build_keep_member(fg_access *a, int16_t group, int16_t member, int64_t members, int64_t n) {
  fg_affine number = {.offset = fg_num_const(0)};
  if (group >= 0) fg_affine_add(&number, group, fg_num_const(members));
  if (member >= 0) fg_affine_add(&number, member, fg_num_const(1));
  for (; a; a = a->rest) {
    fg_invariant(a->npred < FG_MAX_PREDS);
    fg_access_keep(a, &number, fg_num_const(n));
  }
}

/* A spectrum has numbers for these lines alone. */
static void keep_spectrum(const fg_builder *b, fg_access *a, int16_t group, int16_t member, int64_t tile, int64_t n) {
  bool table = b->program->buffer[a->buffer].space == FG_SPACE_TABLE;
  if (!table && fg_affine_mentions(&a->index.at, member)) fg_build_keep_member(a, group, member, tile, n);
}

void fg_build_keep_inside(fg_builder *b, int first, int16_t in, int16_t out, int64_t n, int64_t tile) {
  if (n % tile == 0) return;
  for (int i = first; i < b->kernel->nstage; i++) {
    fg_stage *s = &b->kernel->stage[i];
    int16_t group = fg_build_axis_digit(b, s, b->naxis - 2), member = fg_build_axis_digit(b, s, b->naxis - 1);
    if (s->load.buffer == in) fg_build_keep_member(&s->load, group, member, tile, n);
    if (s->store.buffer == out) fg_build_keep_member(&s->store, group, member, tile, n);
    if (s->factors.has_more) keep_spectrum(b, &s->factors.more, group, member, tile, n);
    if (s->factors.has_twiddle) keep_spectrum(b, &s->factors.twiddle, group, member, tile, n);
  }
}

/* Behind all further elements. */
static void add_also(fg_builder *b, fg_stage *s, const fg_stage_form *form) {
  fg_access *last = &s->factors.more;
  while (last->rest) last = last->rest;
  last = last->rest = fg_arena_new(b->cx->arena, fg_access, 1);
  *last = view_access(b->kernel, form->also, "t", form->also_slots, form->also_coef);
  for (int i = 0; i < b->naxis; i++) {
    int16_t digit = fg_build_axis_digit(b, s, i);
    if (digit >= 0) axis_access(last, form->also, NULL, digit, i);
  }
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
  s->vectors.alone = form->alone;
  if (form->table) {
    s->factors.has_twiddle = true;
    s->factors.twiddle = view_access(k, form->table, "t", form->table_slots, form->table_coef);
  }
  if (form->more) {
    s->factors.has_more = true;
    s->factors.more = view_access(k, form->more, "t", form->more_slots, form->more_coef);
    add_rest(b, &s->factors.more, form->more, form->more_rest);
  }
  s->factors.product = form->product;
  for (int i = 0; i < b->naxis; i++) {
    if (fg_num_is(b->axis[i].extent, 1)) continue;
    int16_t d = fg_kernel_new_digit(k, b->axis[i].name, FG_ROLE_LOOP, b->axis[i].extent);
    s->loop[s->nloop++] = d;
    k->digit[d].div = fg_build_is_outer(&b->axis[i]) ? -(i + 1) : 1; /* marks the axis for map/ */
    k->digit[d].batch = b->axis[i].kind == FG_AXIS_BATCH;
    k->digit[d].turns = b->axis[i].kind == FG_AXIS_TURN;
    if (b->axis[i].step) k->digit[d].step = b->axis[i].step, k->digit[d].last = b->axis[i].last;
    axis_access(&s->load, form->in, form->load_rest, d, i);
    axis_access(&s->store, form->out, form->store_rest, d, i);
    if (s->factors.has_twiddle) axis_access(&s->factors.twiddle, form->table, NULL, d, i);
    if (s->factors.has_more) axis_access(&s->factors.more, form->more, form->more_rest, d, i);
  }
  for (int i = 0; i < FG_FORM_LOOPS; i++)
    if (form->loop[i].extent > 1)
      add_loop(s, form, i,
               fg_kernel_new_digit(k, form->loop[i].name, FG_ROLE_LOOP, fg_num_const(form->loop[i].extent)));
  if (form->also) add_also(b, s, form);
  s->exchange.after = fg_exchange_barrier();
  fg_status status = fg_build_operations(b, s, form);
  if (status != FG_OK) b->trouble = status;
  return s;
}

/* Of codelets of n points: what prime factors cannot do without factors. */
static bool has_factors_inside(int64_t n) {
  if (n % 8 == 0) return true;
  for (int64_t p = 3; p * p <= n; p += 2)
    if (n % (p * p) == 0) return true;
  return false;
}

fg_status fg_build_key(fg_builder *b, fg_codelet_key key, int64_t n, const fg_codelet **out) {
  int64_t form = fg_plan_param_value(b->program->plan, FG_PARAM_FMA);
  key.n = (int)n;
  key.form = (form == 2 ? b->map->fma : form == 1) ? FG_FORM_FMA : FG_FORM_ADD_MUL;
  if (fg_plan_param_value(b->program->plan, FG_PARAM_DETERMINISTIC)) key.form = FG_FORM_ADD_MUL;
  int64_t accurate = fg_plan_param_value(b->program->plan, FG_PARAM_ACCURATE);
  key.accurate = accurate == 2 ? key.form == FG_FORM_ADD_MUL : accurate == 1;
  if (b->packed && key.kind == FG_CODELET_C2C && has_factors_inside(n)) key.algo = "parted";
  if (n > fg_codelet_limit())
    return fg_refuse(b->cx, "plan: a codelet of %lld points: at most %d", (long long)n, fg_codelet_limit());
  return fg_codelet_library_codelet(b->cx, &key, out);
}

fg_status fg_build_codelet(fg_builder *b, int64_t n, int sign, fg_twiddle twiddle, const fg_codelet **out) {
  return fg_build_key(b, (fg_codelet_key){.sign = sign, .twiddle = twiddle}, n, out);
}

fg_codelet_kind fg_build_codelet_kind(fg_kind kind) {
  static const fg_codelet_kind of[FG_KIND_COUNT] = {
      [FG_C2C] = FG_CODELET_C2C,   [FG_R2C] = FG_CODELET_R2C,   [FG_C2R] = FG_CODELET_C2R,
      [FG_DCT1] = FG_CODELET_DCT1, [FG_DCT2] = FG_CODELET_DCT2, [FG_DCT3] = FG_CODELET_DCT3,
      [FG_DCT4] = FG_CODELET_DCT4, [FG_DST1] = FG_CODELET_DST1, [FG_DST2] = FG_CODELET_DST2,
      [FG_DST3] = FG_CODELET_DST3, [FG_DST4] = FG_CODELET_DST4};
  return of[kind];
}

fg_status fg_build_real_codelet(fg_builder *b, fg_kind kind, int64_t n, int sign, const fg_codelet **out) {
  return fg_build_key(b, (fg_codelet_key){.kind = fg_build_codelet_kind(kind), .sign = sign}, n, out);
}

void fg_build_transposed_stage(fg_stage_form *form) {
  fg_stage_form f = *form;
  form->in = f.out, form->out = f.in;
  form->slots = f.out_slots ? f.out_slots : f.slots, form->out_slots = f.slots;
  form->load = f.store, form->store = f.load;
  form->load_rest = f.store_rest, form->store_rest = f.load_rest;
  for (int i = 0; i < FG_FORM_LOOPS; i++) form->loop[i].load = f.loop[i].store, form->loop[i].store = f.loop[i].load;
}

void fg_build_zeros(fg_builder *b, const fg_view *view, int64_t from, int64_t to) {
  fg_view v = fg_build_shifted(view, from); /* a copy whose loads never happen */
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "zero %lld points", (long long)(to - from)),
                        .in = &v,
                        .out = &v,
                        .loop = {{"k", to - from, 1, 1, 0}},
                        .slots = 1};
  fg_stage *s = fg_build_stage(b, &form);
  s->load.npred = 1;
  s->load.pred[0] = (fg_pred){.value = {.offset = fg_num_const(0)}, .bound = fg_num_const(0)};
}

void fg_build_copy(fg_builder *b, const char *what, const fg_view *in, const fg_view *out, int64_t n) {
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "%s %lld points", what, (long long)n),
                        .in = in,
                        .out = out,
                        .loop = {{"k", n, 1, 1, 0}},
                        .slots = 1,
                        .few = n == 1};
  fg_build_stage(b, &form);
}
