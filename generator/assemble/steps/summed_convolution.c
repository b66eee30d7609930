/* Sums of convolutions: sum=shared, sum=channel.
 *
 * In: a task of conv or rconv, of a line where there are several dimensions, whose problem adds results over dimensions
 * of the batch; a plan of a transform. Out: stages. The idea: a transform is linear, so that products with spectra are
 * added, and one transform back is the sum's.
 *
 *   turns    a loop around all stages takes transforms one after the other: forward, and the product is added to what
 *            the block, or the CPU's scratch, keeps of those before it. Stages of the transform back have a condition:
 *            the last turn. So memory is read once, and what is between stays near. Of many transforms parts are added
 *            so (summed_turns.c), and on CPUs these are added in the same way
 *   parts    fewer results than keep a GPU busy, or many transforms: blocks add a part each, to a workspace; sums of up
 *            to 16 parts, and of up to 16 of these, until there is one; the transform back
 *   levels   transforms that no block holds: all forward to a workspace; sums of up to 16 products, and so on */
#include "generator/assemble/memory.h"
#include "generator/assemble/steps/as_complex.h"
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/steps/summed.h"
#include "generator/base/integer.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"

enum { MOST_SLOTS = 16 };

typedef struct sum {
  fg_builder *b;
  const fg_plan *inside;
  fg_task task;
  fg_view spectrum;
  int64_t numbers; /* of a line's spectrum */
} sum;

static const fg_problem *problem_of(const sum *s) { return &s->b->program->problem; }

/* In a block, reals' passes next to the product store where they have loaded. */
static const fg_view *place_of(const sum *s, const fg_view *v) {
  bool block = s->b->map->threads && s->b->program->buffer[v->buffer].space == FG_SPACE_LOCAL;
  return block && s->task.kind == FG_RCONV ? v : NULL;
}

static fg_status forward(const sum *s, const fg_view *to) {
  const fg_task *t = &s->task;
  fg_task there = {.kind = t->kind == FG_RCONV ? FG_R2C : FG_C2C, .n = t->n, .sign = t->sign, .at = place_of(s, to)};
  there.in = t->in, there.out = *to;
  return fg_build_plan(s->b, s->inside, &there);
}

static fg_status backward(const sum *s, const fg_view *from) {
  const fg_task *t = &s->task;
  fg_task back = {.kind = t->kind == FG_RCONV ? FG_C2R : FG_C2C, .n = t->n, .sign = -t->sign, .at = place_of(s, from)};
  back.in = *from, back.out = t->out;
  for (int i = 0; i < problem_of(s)->summed; i++) back.out.coef[i] = fg_num_const(0); /* the first one's place */
  return fg_build_plan(s->b, s->inside, &back);
}

/* ---- turns -------------------------------------------------------------------------------- */

/* Number by number from one place to another, by a codelet; NULL: a copy. */
static fg_stage *each_number(const sum *s, const char *what, const fg_codelet *codelet, const fg_view *from,
                             const fg_view *to) {
  fg_stage_form form = {.what = fg_arena_printf(s->b->cx->arena, "%s %lld numbers", what, (long long)s->numbers),
                        .codelet = codelet,
                        .in = from,
                        .out = to,
                        .loop = {{"k", s->numbers, 1, 1, 1}},
                        .slots = 1};
  bool multiplies = codelet && codelet->key.kind != FG_CODELET_TOTAL;
  if (multiplies) form.table = &s->spectrum, form.table_slots = 1;
  return fg_build_stage(s->b, &form);
}

/* The stage adds to what is in its place. */
static void load_place_first(const sum *s, fg_stage *stage) {
  int16_t reg = fg_kernel_new_digit(s->b->kernel, "m", FG_ROLE_REG, fg_num_const(1));
  fg_access *more = fg_arena_copy(s->b->cx->arena, &stage->load, sizeof stage->load);
  stage->load = stage->store;
  stage->load.reg = reg, stage->load.rest = more;
  fg_affine_rename(&stage->load.index.at, stage->store.reg, reg);
}

/* The first product of a part, or what was there and another one. */
static fg_status add_product(const sum *s, const fg_view *half, const fg_view *kept, bool first) {
  fg_codelet_key key = {.kind = first ? FG_CODELET_PRODUCTS : FG_CODELET_ACCUMULATE, .sign = 1};
  const fg_codelet *codelet;
  fg_status status = fg_build_key(s->b, key, 1, &codelet);
  if (status != FG_OK) return status;
  fg_stage *stage = each_number(s, first ? "the first products," : "add products,", codelet, half, kept);
  fg_build_only_in(s->b, stage, first ? FG_SUM_FIRST : FG_SUM_FURTHER, false);
  if (!first) load_place_first(s, stage);
  return FG_OK;
}

static fg_status add_products(const sum *s, const fg_view *half, const fg_view *kept) {
  fg_status status = add_product(s, half, kept, true);
  return status == FG_OK && s->b->turns.turns ? add_product(s, half, kept, false) : status;
}

/* A part, behind its last turn: the first one, or what was there and another one. */
static fg_status add_part(const sum *s, const fg_view *part, const fg_view *total, bool first) {
  const fg_codelet *codelet = NULL;
  fg_status status = FG_OK;
  if (!first) status = fg_build_key(s->b, (fg_codelet_key){.kind = FG_CODELET_TOTAL, .sign = 1}, 2, &codelet);
  if (status != FG_OK) return status;
  fg_stage *stage = each_number(s, first ? "the first part," : "add parts,", codelet, part, total);
  fg_build_only_in(s->b, stage, first ? FG_SUM_FIRST : FG_SUM_FURTHER, true);
  fg_build_only_in(s->b, stage, FG_SUM_LAST, false);
  if (!first) load_place_first(s, stage);
  return FG_OK;
}

static fg_view own_scratch(const sum *s) {
  fg_view v = fg_build_scratch(s->b, s->numbers);
  s->b->program->buffer[v.buffer].local.own = s->b->map->threads;
  return v;
}

/* first: the kernel's stage with which turns begin. */
static fg_status in_turns(const sum *s, int first) {
  fg_builder *b = s->b;
  fg_view half = fg_build_room_beside(b, s->inside, s->numbers), kept = own_scratch(s), total = kept;
  int kernels = b->nkernel;
  fg_status status = forward(s, &half);
  if (status == FG_OK) status = add_products(s, &half, &kept);
  if (status != FG_OK) return status;
  fg_build_keep_turns(b, first);
  if (b->turns.parts) {
    total = own_scratch(s);
    status = add_part(s, &kept, &total, true);
    if (status == FG_OK) status = add_part(s, &kept, &total, false);
  }
  int behind = b->kernel->nstage;
  if (status == FG_OK) status = backward(s, &total);
  if (status == FG_OK && b->nkernel > kernels) return FG_ENA;
  fg_build_in_last_turn(b, behind);
  return status;
}

/* ---- sums of sums -------------------------------------------------------------------------- */

typedef struct level { /* sums of `slots` numbers each, one behind the other */
  const fg_view *in;
  int64_t count, slots; /* at most so many are added, of which there are: */
  fg_num have;          /* those whose number, times `each`, is below this */
  int64_t each;
  bool products;
} level;

static int64_t groups_of(const level *l) { return (l->count + l->slots - 1) / l->slots; }

/* From one summand's spectrum to the next one's, in numbers of a line. */
static int64_t spectra_apart(const sum *s) {
  const fg_problem *q = problem_of(s);
  bool all = q->summed == q->batch_rank; /* channels, too, are added */
  if (q->spectra == FG_SPECTRA_SHARED || (q->spectra == FG_SPECTRA_CHANNEL && !all)) return 0;
  return fg_problem_result_count(q, NULL) * fg_problem_spectrum_points(q) / s->spectrum.stride.n;
}

/* Members of a group that there are. */
static void keep_members(fg_access *a, int16_t group, const level *l) {
  fg_affine number = {.offset = fg_num_const(0)};
  if (group >= 0) fg_affine_add(&number, group, fg_num_const(l->slots * l->each));
  fg_affine_add(&number, a->reg, fg_num_const(l->each));
  fg_access_keep(a, &number, l->have);
}

static fg_status add_level(const sum *s, const level *l, const fg_view *out) {
  fg_builder *b = s->b;
  int64_t groups = groups_of(l), spectrum = l->products ? spectra_apart(s) : 0,
          all = fg_problem_spectra_extent(problem_of(s), NULL) / s->spectrum.stride.n;
  fg_view spectra = s->spectrum;
  if (spectrum && l->count * spectrum > all) spectra.mod = all; /* of channels, again and again */
  fg_loop q = {"q", groups, l->slots * s->numbers, s->numbers, l->slots * spectrum}, k = {"k", s->numbers, 1, 1, 1};
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "sums of up to %lld %s", (long long)l->slots,
                                                l->products ? "products" : "numbers"),
                        .in = l->in,
                        .out = out,
                        .loop = {q, k},
                        .slots = (int)l->slots,
                        .out_slots = 1,
                        .load = s->numbers,
                        .table = l->products ? &spectra : NULL,
                        .table_slots = (int)l->slots,
                        .table_coef = spectrum};
  fg_codelet_key key = {.kind = l->products ? FG_CODELET_PRODUCTS : FG_CODELET_TOTAL, .sign = 1};
  fg_status status = fg_build_key(b, key, l->slots, &form.codelet);
  if (status != FG_OK) return status;
  fg_build_kernel(b);
  fg_stage *stage = fg_build_stage(b, &form);
  if (l->have.form == FG_NUM_CONST && l->count % l->slots == 0) return FG_OK;
  int axes = 0;
  for (int i = 0; i < b->naxis; i++) axes += !fg_num_is(b->axis[i].extent, 1);
  int16_t group = groups > 1 ? stage->loop[axes] : -1;
  keep_members(&stage->load, group, l);
  if (l->products && spectrum) keep_members(&stage->factors.twiddle, group, l);
  return FG_OK;
}

/* All sums, then sums of these; what is left has a view. */
static fg_status add_all(const sum *s, level l, const fg_view *all, fg_view *out) {
  fg_view in = *out = *all;
  fg_status status = FG_OK;
  l.in = &in, l.each = 1;
  for (; status == FG_OK && (l.products || l.count > 1); l.products = false) {
    l.slots = fg_smaller(l.count, MOST_SLOTS);
    *out = fg_build_workspace_of_lines(s->b, groups_of(&l) * s->numbers);
    status = add_level(s, &l, out);
    in = *out;
    l.count = groups_of(&l), l.each *= l.slots;
  }
  return status;
}

static fg_num times(fg_num a, fg_num b) {
  return a.form == FG_NUM_CONST ? fg_num_scaled(b, a.n) : fg_num_scaled(a, b.n);
}

static int64_t most_of(const fg_builder *b, fg_num x) {
  int64_t hi[FG_MAX_PARAMS];
  for (int i = 0; i < b->program->problem.nparam; i++) hi[i] = b->program->problem.param[i].hi;
  return fg_num_value(x, hi);
}

/* Room for a spectrum of each that the kernel in hand makes: they are one behind the other in each line's memory. */
static fg_view room_for_each(const sum *s, level *l) {
  fg_builder *b = s->b;
  fg_num extent[FG_MAX_AXES], step = fg_num_const(1);
  fg_build_without_summands(b, extent);
  for (int i = problem_of(s)->summed - 1; i >= 0; i--)
    if (b->axis[i].kind != FG_AXIS_TURN) step = times(step, extent[i]);
  l->have = step, l->count = most_of(b, step);
  fg_view v = fg_build_workspace_of_lines(b, l->count * s->numbers);
  step = fg_num_scaled(v.stride, s->numbers);
  for (int i = problem_of(s)->summed - 1; i >= 0; i--) {
    bool turn = b->axis[i].kind == FG_AXIS_TURN;
    v.coef[i] = turn ? fg_num_const(0) : step;
    if (!turn) step = times(step, extent[i]);
  }
  if (b->turns.each) v.coef[b->turns.inside] = fg_num_const(0);
  fg_build_with_summands(b, extent);
  return v;
}

static fg_status add_and_return(const sum *s, const level *l, const fg_view *all) {
  fg_builder *b = s->b;
  fg_num extent[FG_MAX_AXES];
  fg_view added;
  fg_build_without_summands(b, extent);
  fg_status status = add_all(s, *l, all, &added);
  if (status == FG_OK) {
    fg_build_kernel(b);
    fg_buffer *out = &b->program->buffer[s->task.out.buffer];
    if (out->space == FG_SPACE_LOCAL) out->local.kernel = b->nkernel; /* of the dimensions behind */
    status = backward(s, &added);
  }
  fg_build_with_summands(b, extent);
  return status;
}

static fg_status in_parts(const sum *s, int first) {
  fg_builder *b = s->b;
  level l = {.products = false};
  fg_view part = room_for_each(s, &l), half = fg_build_room_beside(b, s->inside, s->numbers);
  fg_view kept = b->turns.turns ? own_scratch(s) : part;
  int kernels = b->nkernel;
  fg_status status = forward(s, &half);
  if (status == FG_OK) status = add_products(s, &half, &kept);
  if (status != FG_OK || b->nkernel > kernels) return status == FG_OK ? FG_ENA : status;
  fg_build_keep_turns(b, first);
  if (b->turns.turns) fg_build_only_in(b, each_number(s, "a part,", NULL, &kept, &part), FG_SUM_LAST, false);
  return add_and_return(s, &l, &part);
}

/* Products by themselves, in place: channels that are added, whose number is known when the program is called. */
static fg_status multiply_each(const sum *s, const fg_view *all) {
  const fg_codelet *codelet;
  fg_status status = fg_build_key(s->b, (fg_codelet_key){.kind = FG_CODELET_PRODUCTS, .sign = 1}, 1, &codelet);
  if (status != FG_OK) return status;
  fg_build_kernel(s->b);
  each_number(s, "products,", codelet, all, all);
  return FG_OK;
}

static fg_status in_levels(const sum *s) {
  const fg_problem *q = problem_of(s);
  level l = {.products = true};
  fg_view all = room_for_each(s, &l);
  fg_status status = forward(s, &all);
  bool varies = q->summed == q->batch_rank && s->b->axis[q->batch_rank - 1].extent.form != FG_NUM_CONST;
  if (status == FG_OK && q->spectra == FG_SPECTRA_CHANNEL && varies) {
    status = multiply_each(s, &all);
    l.products = false;
  }
  return status == FG_OK ? add_and_return(s, &l, &all) : status;
}

/* ---- the choice ------------------------------------------------------------------------------ */

static fg_status in_turns_or_parts(const sum *s, int first) {
  return s->b->turns.own_parts ? in_parts(s, first) : in_turns(s, first);
}

fg_status fg_build_summed_convolution(fg_builder *b, const fg_plan *inside, const fg_task *t, const fg_view *spectrum) {
  int64_t numbers = t->kind == FG_RCONV ? t->n / 2 + 1 : t->n;
  sum s = {b, inside, *t, *spectrum, numbers};
  if (inside->step == FG_PAIRED)
    return fg_refuse(b->cx, "plan: convolve(paired(PLAN)) is of results that are not added");
  if (b->turns.axes) return in_turns_or_parts(&s, 0); /* around all dimensions */
  if (!fg_build_may_take_turns(b, numbers) || fg_build_has_kernels(b, inside, numbers)) return in_levels(&s);
  int first = b->kernel->nstage;
  fg_build_take_turns(b, fg_build_turns_of_part(b, fg_build_blocks_of_lines(b)), b->map->threads, &s.task.in);
  fg_build_split_turns(b, &s.spectrum);
  b->fused = true;
  fg_status status = in_turns_or_parts(&s, first);
  fg_build_end_turns(b);
  return status;
}
