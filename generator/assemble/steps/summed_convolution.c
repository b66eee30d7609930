/* Sums of convolutions: sum=shared, sum=channel.
 *
 * In: a task of conv or rconv, whose problem adds results over dimensions of the batch; a plan of a transform. Out:
 * stages. The idea: a transform is linear, so that products with spectra are added, and one transform back is the
 * sum's.
 *
 *   in one kernel   a loop around all stages takes transforms one after the other: forward, and the product is added to
 *                   what the block, or the CPU's scratch, keeps of those before it. Stages of the transform back have a
 *                   condition: the last turn. So memory is read once, and what is between stays near
 *   in several      transforms that no block holds, or fewer results than keep a GPU busy: all forward to a workspace;
 *                   sums of up to 16 products, and of up to 16 of these, until there is one; the transform back */
#include "generator/assemble/memory.h"
#include "generator/assemble/steps/as_complex.h"
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/steps/steps.h"
#include "generator/base/integer.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"

enum { MOST_SLOTS = 16 };

typedef struct sum {
  fg_builder *b;
  const fg_plan *inside;
  const fg_task *t;
  const fg_view *spectrum;
  int64_t numbers, summands; /* of a spectrum; transforms that are added */
} sum;

static const fg_problem *problem_of(const sum *s) { return &s->b->program->problem; }

/* In a block, reals' passes next to the product store where they have loaded. */
static const fg_view *place_of(const sum *s, const fg_view *v) {
  bool block = s->b->map->threads && s->b->program->buffer[v->buffer].space == FG_SPACE_LOCAL;
  return block && s->t->kind == FG_RCONV ? v : NULL;
}

static fg_status forward(const sum *s, const fg_view *to) {
  const fg_task *t = s->t;
  fg_task there = {.kind = t->kind == FG_RCONV ? FG_R2C : FG_C2C, .n = t->n, .sign = t->sign, .at = place_of(s, to)};
  there.in = t->in, there.out = *to;
  return fg_build_plan(s->b, s->inside, &there);
}

static fg_status backward(const sum *s, const fg_view *from) {
  const fg_task *t = s->t;
  fg_task back = {.kind = t->kind == FG_RCONV ? FG_C2R : FG_C2C, .n = t->n, .sign = -t->sign, .at = place_of(s, from)};
  back.in = *from, back.out = t->out;
  for (int i = 0; i < problem_of(s)->summed; i++) back.out.coef[i] = fg_num_const(0); /* the first one's place */
  return fg_build_plan(s->b, s->inside, &back);
}

/* ---- in one kernel ------------------------------------------------------------------------ */

static void set_axes(fg_builder *b, fg_axis_kind kind) {
  for (int i = 0; i < b->program->problem.summed; i++) b->axis[i].kind = kind;
}

void fg_build_take_turns(fg_builder *b) {
  set_axes(b, FG_AXIS_TURN);
  b->fused = true;
}

/* The stage happens in turns of which the sum of all counters, times `by`, is below `bound`. */
static void only_in(const fg_builder *b, fg_stage *stage, int64_t by, int64_t bound) {
  fg_affine value = {.offset = fg_num_const(0)};
  for (int i = 0; i < b->program->problem.summed; i++) {
    int16_t digit = fg_build_axis_digit(b, stage, i);
    if (digit >= 0) fg_affine_add(&value, digit, fg_num_const(by));
  }
  if (value.nterm) stage->pred[stage->npred++] = (fg_pred){.value = value, .bound = fg_num_const(bound)};
}

void fg_build_in_last_turn(fg_builder *b, int first) {
  const fg_problem *q = &b->program->problem;
  int64_t last = 0;
  for (int i = 0; i < q->summed; i++) last += q->batch[i].n.n - 1;
  for (int i = first; i < b->kernel->nstage; i++) only_in(b, &b->kernel->stage[i], -1, 1 - last);
}

/* Number by number: the first product, or what was there and another one. */
static fg_status add_product(const sum *s, const fg_view *half, const fg_view *kept, bool first) {
  fg_builder *b = s->b;
  fg_codelet_key key = {.kind = first ? FG_CODELET_PRODUCTS : FG_CODELET_ACCUMULATE, .sign = 1};
  fg_stage_form form = {
      .what = fg_arena_printf(b->cx->arena, "%s %lld products", first ? "the first" : "add", (long long)s->numbers),
      .in = half,
      .out = kept,
      .loop = {{"k", s->numbers, 1, 1, 1}},
      .slots = 1,
      .table = s->spectrum,
      .table_slots = 1};
  fg_status status = fg_build_key(b, key, 1, &form.codelet);
  if (status != FG_OK) return status;
  fg_stage *stage = fg_build_stage(b, &form);
  only_in(b, stage, first ? 1 : -1, first ? 1 : 0);
  if (first) return FG_OK;
  int16_t reg = fg_kernel_new_digit(b->kernel, "m", FG_ROLE_REG, fg_num_const(1));
  fg_access *more = fg_arena_copy(b->cx->arena, &stage->load, sizeof stage->load);
  stage->load = stage->store;
  stage->load.reg = reg, stage->load.rest = more;
  fg_affine_rename(&stage->load.index.at, stage->store.reg, reg);
  return FG_OK;
}

static fg_status in_turns(const sum *s, const fg_view *half) {
  fg_builder *b = s->b;
  fg_view kept = fg_build_scratch(b, s->numbers);
  int kernels = b->nkernel;
  b->program->buffer[kept.buffer].local.own = b->map->threads;
  fg_status status = forward(s, half);
  if (status == FG_OK) status = add_product(s, half, &kept, true);
  if (status == FG_OK && s->summands > 1) status = add_product(s, half, &kept, false);
  int first = b->kernel->nstage;
  if (status == FG_OK) status = backward(s, &kept);
  if (status == FG_OK && b->nkernel > kernels) return FG_ENA;
  fg_build_in_last_turn(b, first);
  return status;
}

/* ---- in several -------------------------------------------------------------------------- */

typedef struct level { /* sums of `slots` numbers each, `apart` elements from one to the next */
  const fg_view *in;
  int64_t count, slots, apart;
  bool products;
} level;

static int64_t groups_of(const level *l) { return (l->count + l->slots - 1) / l->slots; }

/* From one summand's spectrum to the next one's, in numbers of a line. */
static int64_t spectra_apart(const sum *s) {
  const fg_problem *q = problem_of(s);
  bool all = q->summed == q->batch_rank; /* channels, too, are added */
  if (q->spectra == FG_SPECTRA_SHARED || (q->spectra == FG_SPECTRA_CHANNEL && !all)) return 0;
  return fg_problem_result_count(q, NULL) * fg_problem_spectrum_points(q) / s->spectrum->stride.n;
}

static fg_status add_level(const sum *s, const level *l, const fg_view *out) {
  fg_builder *b = s->b;
  int64_t groups = groups_of(l), spectrum = l->products ? spectra_apart(s) : 0,
          all = fg_problem_spectra_extent(problem_of(s), NULL) / s->spectrum->stride.n;
  fg_view spectra = *s->spectrum;
  if (spectrum && s->summands * spectrum > all) spectra.mod = all; /* of channels, again and again */
  fg_loop q = {"q", groups, l->slots * l->apart, s->numbers, l->slots * spectrum}, k = {"k", s->numbers, 1, 1, 1};
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "sums of up to %lld %s", (long long)l->slots,
                                                l->products ? "products" : "numbers"),
                        .in = l->in,
                        .out = out,
                        .loop = {q, k},
                        .slots = (int)l->slots,
                        .out_slots = 1,
                        .load = l->apart,
                        .table = l->products ? &spectra : NULL,
                        .table_slots = (int)l->slots,
                        .table_coef = spectrum};
  fg_codelet_key key = {.kind = l->products ? FG_CODELET_PRODUCTS : FG_CODELET_TOTAL, .sign = 1};
  fg_status status = fg_build_key(b, key, l->slots, &form.codelet);
  if (status != FG_OK) return status;
  fg_build_kernel(b);
  fg_stage *stage = fg_build_stage(b, &form);
  if (l->count % l->slots == 0) return FG_OK;
  int axes = 0;
  for (int i = 0; i < b->naxis; i++) axes += !fg_num_is(b->axis[i].extent, 1);
  int16_t group = groups > 1 ? stage->loop[axes] : -1;
  fg_build_keep_member(&stage->load, group, stage->load.reg, l->slots, l->count);
  if (l->products && spectrum)
    fg_build_keep_member(&stage->factors.twiddle, group, stage->factors.twiddle.reg, l->slots, l->count);
  return FG_OK;
}

/* All products' sums, then sums of these; what is left has a view. */
static fg_status add_all(const sum *s, const fg_view *all, fg_view *out) {
  fg_builder *b = s->b;
  fg_view in = *all;
  level l = {.in = &in, .count = s->summands, .apart = all->coef[problem_of(s)->summed - 1].n / all->stride.n};
  fg_status status = FG_OK;
  for (l.products = true; status == FG_OK && (l.products || l.count > 1); l.products = false) {
    l.slots = fg_smaller(l.count, MOST_SLOTS);
    *out = fg_build_workspace_of_lines(b, groups_of(&l) * s->numbers);
    status = add_level(s, &l, out);
    in = *out;
    l.count = groups_of(&l), l.apart = s->numbers;
  }
  return status;
}

void fg_build_without_summands(fg_builder *b, fg_num extent[FG_MAX_RANK]) {
  for (int i = 0; i < b->program->problem.summed; i++)
    extent[i] = b->axis[i].extent, b->axis[i].extent = fg_num_const(1);
}

void fg_build_with_summands(fg_builder *b, const fg_num extent[FG_MAX_RANK]) {
  for (int i = 0; i < b->program->problem.summed; i++) b->axis[i].extent = extent[i];
}

static fg_status in_levels(const sum *s, const fg_view *all) {
  fg_builder *b = s->b;
  fg_num extent[FG_MAX_RANK];
  fg_view added;
  fg_status status = forward(s, all);
  fg_build_without_summands(b, extent);
  if (status == FG_OK) status = add_all(s, all, &added);
  if (status == FG_OK) {
    fg_build_kernel(b);
    status = backward(s, &added);
  }
  fg_build_with_summands(b, extent);
  return status;
}

/* ---- either ------------------------------------------------------------------------------ */

/* Lines that are taken together, and how many such there are of each result. */
static void count_lines(const fg_builder *b, int64_t *together, int64_t *tiles) {
  *together = *tiles = 1;
  for (int i = b->program->problem.batch_rank; i < b->naxis; i++)
    *(fg_build_is_outer(&b->axis[i]) ? tiles : together) *= b->axis[i].extent.n;
}

bool fg_build_may_take_turns(const fg_builder *b, int64_t numbers) {
  const fg_problem *q = &b->program->problem;
  int64_t multiprocessors = fg_program_machine(b->program)->multiprocessors, together, tiles;
  count_lines(b, &together, &tiles);
  int64_t bytes = 2 * fg_precision_bytes(q->compute) * 2 * numbers * together;
  if (!b->map->threads) return !b->map->blocks;
  bool enough = fg_problem_summands(q) == 1 || 2 * fg_problem_result_count(q, NULL) * tiles >= multiprocessors;
  return enough && !b->apart && bytes <= (int64_t)b->map->local_bytes;
}

fg_status fg_build_summed_convolution(fg_builder *b, const fg_plan *inside, const fg_task *t, const fg_view *spectrum) {
  const fg_problem *q = &b->program->problem;
  int64_t numbers = t->kind == FG_RCONV ? t->n / 2 + 1 : t->n;
  sum s = {b, inside, t, spectrum, numbers, fg_problem_summands(q)};
  if (inside->step == FG_PAIRED)
    return fg_refuse(b->cx, "plan: convolve(paired(PLAN)) is of results that are not added");
  bool within = b->axis[0].kind == FG_AXIS_TURN, turns = within || fg_build_may_take_turns(b, numbers);
  fg_view half = turns ? fg_build_room_beside(b, inside, numbers) : fg_build_workspace_of_lines(b, numbers);
  if (b->program->buffer[half.buffer].space == FG_SPACE_WORK) return within ? FG_ENA : in_levels(&s, &half);
  fg_build_take_turns(b);
  fg_status status = in_turns(&s, &half);
  if (!within) set_axes(b, FG_AXIS_ADDED);
  return status;
}
