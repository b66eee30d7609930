/* A bank of filters behind a transform: store=mel(...).
 *
 * In: a task whose results are real numbers. Out: its stages, to memory between, and sums of short runs of these with
 * weights. The idea: a band is a run of neighbouring bins, which a table of first bins finds; all bands have as many
 * slots, those beyond a triangle with a weight of 0. Runs longer than a codelet are summed in parts first. */
#include "generator/assemble/steps/bank.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/ir/table_values.h"
#include "generator/problem/bank.h"

enum { MOST_SLOTS = 64 };

typedef struct bank {
  fg_builder *b;
  fg_view bins, out;
  fg_table first, weights;
  int16_t first_buffer, weight_buffer;
  int64_t bands, parts, slots; /* slots of each part of a band */
} bank;

static const fg_problem *problem_of(const bank *k) { return &k->b->program->problem; }

/* Plans of kernels that no block holds alone leave their results in a workspace. */
static bool is_one_kernel(const fg_plan *plan) {
  bool one = plan->step != FG_FOUR_STEP;
  for (int i = 0; i < plan->nchild; i++) one = one && is_one_kernel(plan->child[i]);
  return one;
}

static void create_tables(bank *k, const fg_bank *spec) {
  int64_t n = problem_of(k)->dim[problem_of(k)->rank - 1].n.n, width = fg_table_band_width(spec, n);
  k->bands = spec->bands;
  k->parts = (width + MOST_SLOTS - 1) / MOST_SLOTS;
  k->slots = (width + k->parts - 1) / k->parts;
  fg_window window = {.row = fg_window_bank(), .bank = *spec, .points = n, .slots = k->parts * k->slots};
  k->first = (fg_table){.fill = FG_FILL_BAND, .rows = 1, .cols = k->bands, .order = 1, .n = k->bands, .window = window};
  k->weights = k->first;
  k->weights.fill = FG_FILL_WINDOW;
  k->weights.n = k->weights.cols = k->bands * window.slots;
  k->first_buffer = fg_build_table(k->b, &k->first).buffer;
  k->weight_buffer = fg_build_table(k->b, &k->weights).buffer;
}

/* The stage's own loops, band and part; -1: one value. */
static int16_t loop_of(const bank *k, const fg_stage *s, int number) {
  const int64_t extent[] = {k->bands, k->parts};
  int at = 0;
  for (int i = 0; i < k->b->naxis; i++) at += !fg_num_is(k->b->axis[i].extent, 1);
  for (int i = 0; i < number; i++) at += extent[i] > 1;
  return extent[number] > 1 ? s->loop[at] : -1;
}

fg_operations *fg_build_weighting(fg_builder *b, const fg_access *weight) {
  fg_arena *a = b->cx->arena;
  const fg_operation_row *row = fg_operation_find("window");
  fg_expression *product = fg_arena_new(a, fg_expression, 1);
  fg_expression_of_row(row, false, product);
  fg_operations *all = fg_arena_new(a, fg_operations, 1);
  all->parts = all->count = 1;
  all->operation[0] = (fg_operation){.row = row, .value = product, .has_operand = true, .operand = *weight};
  return all;
}

/* Bins from a band's first one on, each times its weight. */
static void weigh(const bank *k, fg_stage *s) {
  int16_t band = loop_of(k, s, 0), part = loop_of(k, s, 1);
  fg_index *x = &s->load.index;
  x->base = x->at, x->lookup = k->first_buffer, x->scale = fg_num_const(1);
  x->at = (fg_affine){.offset = fg_num_const(0)};
  if (band >= 0) fg_affine_add(&x->at, band, fg_num_const(1));
  fg_index of = {.lookup = -1};
  of.at.offset = of.base.offset = fg_num_const(0);
  fg_affine_add(&of.at, s->load.reg, fg_num_const(1));
  if (band >= 0) fg_affine_add(&of.at, band, fg_num_const(k->parts * k->slots));
  if (part >= 0) fg_affine_add(&of.at, part, fg_num_const(k->slots));
  fg_access weight = {.buffer = k->weight_buffer, .reg = s->load.reg, .index = of};
  s->operations.loaded = fg_build_weighting(k->b, &weight);
}

/* What store= has behind mel. */
static void finish(const bank *k, fg_stage *s) {
  const fg_problem *q = problem_of(k);
  fg_arena *a = k->b->cx->arena;
  fg_operations *all = fg_arena_new(a, fg_operations, 1);
  all->parts = 1;
  for (int i = fg_problem_bank_at(q) + 1; i < q->nstore; i++) {
    const fg_operation_row *row = fg_operation_find(q->store[i].name);
    if (row->act != FG_ACT_VALUE) continue;
    fg_expression *value = fg_arena_new(a, fg_expression, 1);
    fg_expression_of(q, true, i, false, value);
    all->operation[all->count++] = (fg_operation){.row = row, .value = value};
  }
  if (all->count) s->operations.stored = all;
}

/* Of each band `parts` sums of so many neighbours; `apart`: elements from band to band. */
static fg_stage *add_sums(const bank *k, const fg_view *in, const fg_view *out, int64_t slots, int64_t parts,
                          int64_t apart) {
  fg_stage_form form = {
      .what = fg_arena_printf(k->b->cx->arena, "%lld bands, %lld numbers each", (long long)k->bands, (long long)slots),
      .in = in,
      .out = out,
      .loop = {{"m", k->bands, apart, parts, 0}, {"q", parts, slots, 1, 0}},
      .slots = (int)slots,
      .out_slots = 1,
      .load = 1,
      .store = 1,
      .alone = k->bands * parts == 1};
  fg_codelet_key key = {.kind = FG_CODELET_SUM, .sign = 1};
  if (fg_build_key(k->b, key, slots, &form.codelet) != FG_OK) return NULL;
  return fg_build_stage(k->b, &form);
}

static fg_status add_bands(const bank *k) {
  fg_view between = k->parts > 1 ? fg_build_real_scratch(k->b, k->bands * k->parts) : k->out;
  fg_stage *s = add_sums(k, &k->bins, &between, k->slots, k->parts, 0);
  if (!s) return FG_ENA;
  weigh(k, s);
  if (k->parts > 1)
    s = add_sums(&(bank){k->b, .bands = k->bands, .parts = 1}, &between, &k->out, k->parts, 1, k->parts);
  if (!s) return FG_ENA;
  finish(k, s);
  return FG_OK;
}

fg_status fg_build_banked(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_problem *q = &b->program->problem;
  const fg_bank *spec = fg_problem_bank(q);
  if (!spec) return fg_build_plan(b, plan, t);
  bool one = is_one_kernel(plan);
  bank k = {.b = b, .out = t->out};
  create_tables(&k, spec);
  int64_t bins = fg_problem_bank_bins(q), room = k.parts * k.slots > bins ? k.parts * k.slots : bins;
  fg_task task = *t;
  k.bins = one ? fg_build_real_scratch(b, room) : fg_build_real_workspace(b, room, false);
  b->program->buffer[k.bins.buffer].precision = q->compute;
  task.out = k.bins, task.out.ends = true;
  int kernels = b->nkernel;
  fg_status status = fg_build_plan(b, plan, &task);
  if (status == FG_OK && one && b->nkernel > kernels) return FG_ENA;
  if (status != FG_OK) return status;
  k.out.ends = false;
  if (!one) fg_build_kernel(b);
  if (room > bins) fg_build_zeros(b, &k.bins, bins, room);
  return add_bands(&k);
}
