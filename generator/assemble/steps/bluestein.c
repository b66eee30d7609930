/* Any length, by a chirp.
 *
 * In: a task, a plan of a convolution of at least 2 n - 2 points. Out: stages. The idea: the transform is a convolution
 * of the inputs times a chirp with the conjugated chirp.
 *
 * Bluestein, IEEE Trans. AU-18 (1970). */
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/steps/steps.h"

static fg_status chirp_stage(fg_builder *b, const fg_stage_form *wanted, fg_codelet_kind kind, fg_twiddle twiddle) {
  fg_stage_form form = *wanted;
  fg_status status = fg_build_key(b, (fg_codelet_key){.kind = kind, .sign = -1, .twiddle = twiddle}, 1, &form.codelet);
  if (status == FG_OK) fg_build_stage(b, &form);
  return status;
}

static fg_stage_form chirp_form(fg_builder *b, const fg_view *in, const fg_view *out, const fg_view *table,
                                int64_t count) {
  return (fg_stage_form){.what = fg_arena_printf(b->cx->arena, "multiply %lld points by a table", (long long)count),
                         .in = in,
                         .out = out,
                         .loop = {{"k", count, 1, 1, 1}},
                         .slots = 1,
                         .table = table,
                         .table_slots = 1};
}

/* Element 0, which the chirp leaves as it is: without its imaginary part. */
static fg_status first_element(fg_builder *b, const fg_view *in, const fg_view *out, fg_codelet_kind kind) {
  fg_stage_form form = {.what = "element 0", .in = in, .out = out, .slots = 1, .load = 1, .store = 1, .few = true};
  return chirp_stage(b, &form, kind, FG_TW_NONE);
}

static fg_status first_input(fg_builder *b, const fg_view *in, const fg_view *padded) {
  fg_view re = fg_build_parts_view(b, padded, 0);
  fg_build_zeros(b, padded, 0, 1);
  return first_element(b, in, &re, FG_CODELET_C2R);
}

static fg_status first_output(fg_builder *b, const fg_view *padded, const fg_view *out) {
  fg_view re = fg_build_parts_view(b, padded, 0);
  return first_element(b, &re, out, FG_CODELET_R2C);
}

static fg_status chirp_in(fg_builder *b, const fg_task *t, const fg_view *padded, const fg_table *chirp) {
  fg_view table = fg_build_table(b, chirp);
  if (t->kind == FG_C2C) return fg_build_pointwise(b, &t->in, padded, &table, t->n);
  if (t->kind == FG_R2C) {
    fg_stage_form all = chirp_form(b, &t->in, padded, &table, t->n);
    return chirp_stage(b, &all, FG_CODELET_R2C, FG_TW_OUT_ALL);
  }
  fg_table twice = *chirp; /* each input but the first stands for its conjugate too */
  twice.shift = 1;
  table = fg_build_table(b, &twice);
  table = fg_build_shifted(&table, 1);
  fg_view in = fg_build_shifted(&t->in, 1), out = fg_build_shifted(padded, 1);
  fg_stage_form others = chirp_form(b, &in, &out, &table, t->n / 2);
  fg_status status = chirp_stage(b, &others, FG_CODELET_C2C, FG_TW_IN_ALL);
  return status == FG_OK ? first_input(b, &t->in, padded) : status;
}

static fg_status chirp_out(fg_builder *b, const fg_task *t, const fg_view *padded, const fg_table *chirp) {
  fg_view table = fg_build_table(b, chirp);
  if (t->kind == FG_C2C) return fg_build_pointwise(b, padded, &t->out, &table, t->n);
  if (t->kind == FG_C2R) {
    fg_stage_form all = chirp_form(b, padded, &t->out, &table, t->n);
    return chirp_stage(b, &all, FG_CODELET_C2R, FG_TW_IN_ALL);
  }
  fg_view in = fg_build_shifted(padded, 1), out = fg_build_shifted(&t->out, 1);
  table = fg_build_shifted(&table, 1);
  fg_stage_form others = chirp_form(b, &in, &out, &table, t->n / 2);
  fg_status status = chirp_stage(b, &others, FG_CODELET_C2C, FG_TW_IN_ALL);
  return status == FG_OK ? first_output(b, padded, &t->out) : status;
}

/* A chirp, and the spectrum of its conjugate. */
typedef struct chirps {
  const fg_plan *plan;
  int64_t n, room; /* padded elements */
  bool tiles, fused;
  fg_table chirp;
  fg_view with;
} chirps;

static chirps chirps_of(fg_builder *b, const fg_plan *plan, const fg_task *t, int sign) {
  int64_t n = t->n, length = fg_plan_convolution(plan);
  fg_table chirp = {.fill = FG_FILL_CHIRP, .sign = sign, .rows = 1, .cols = n, .order = 2 * n, .n = n};
  fg_table table = {.fill = FG_FILL_BLUESTEIN, .sign = sign, .rows = 1, .cols = length, .order = 2 * n, .n = n};
  chirps c = {.plan = plan, .n = n, .chirp = chirp, .tiles = fg_build_can_tile(b, plan, t)};
  fg_build_table(b, &chirp);
  c.with = fg_build_table(b, &table);
  c.fused = c.tiles || fg_build_can_fuse_rows(b, plan, t);
  c.room = c.fused ? fg_build_rows_for(plan, n) : length;
  return c;
}

static fg_view make_padded(fg_builder *b, const chirps *c) {
  return c->tiles ? fg_build_workspace(b, c->room) : fg_build_scratch(b, c->room);
}

/* Two transforms, one stage of both between passes, or a visit of rows in tiles between columns: each from padded
 * elements, of which so many are there, to as many. Tiles are kernels of their own. */
static fg_status convolve_padded(fg_builder *b, const chirps *c, const fg_view *padded, int64_t inputs) {
  int64_t length = fg_plan_convolution(c->plan);
  if (c->room > inputs) fg_build_zeros(b, padded, inputs, c->room);
  fg_task rows = {.n = c->room, .sign = -1, .in = *padded, .out = *padded};
  if (c->tiles) {
    rows.n = length, rows.inputs = rows.outputs = c->room;
    fg_build_kernel(b);
    fg_status status = fg_build_tiled_convolution(b, c->plan, &rows, &c->with);
    fg_build_kernel(b);
    return status;
  }
  if (c->fused) return fg_build_fused_rows(b, c->plan, &rows, &c->with);
  fg_separate s = {.length = length, .sign = -1, .in = *padded, .out = *padded, .with = &c->with};
  s.spectrum = fg_build_scratch(b, length);
  fg_status status = fg_build_forward(b, c->plan->child[0], &s);
  return status == FG_OK ? fg_build_backward(b, c->plan->child[0], &s) : status;
}

fg_status fg_build_separate_bluestein(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *spectrum) {
  (void)spectrum;
  chirps c = chirps_of(b, plan, t, t->sign);
  fg_view padded = make_padded(b, &c);
  fg_status status = chirp_in(b, t, &padded, &c.chirp);
  if (status == FG_OK) status = convolve_padded(b, &c, &padded, t->kind == FG_C2R ? t->n / 2 + 1 : t->n);
  return status == FG_OK ? chirp_out(b, t, &padded, &c.chirp) : status;
}

bool fg_build_can_join_chirps(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  return plan->step == FG_CONVOLVE && plan->child[0]->step == FG_BLUESTEIN && t->kind == FG_C2C && !b->map->threads;
}

/* Behind one transform and before the one back, chirps are each other's conjugates: the product alone is left. */
fg_status fg_build_joined_chirps(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *spectrum) {
  chirps there = chirps_of(b, plan->child[0], t, t->sign), back = chirps_of(b, plan->child[0], t, -t->sign);
  fg_view padded = make_padded(b, &there), product = make_padded(b, &back);
  fg_status status = chirp_in(b, t, &padded, &there.chirp);
  if (status == FG_OK) status = convolve_padded(b, &there, &padded, t->n);
  if (status == FG_OK) status = fg_build_pointwise(b, &padded, &product, spectrum, t->n);
  if (status == FG_OK) status = convolve_padded(b, &back, &product, t->n);
  return status == FG_OK ? chirp_out(b, t, &product, &back.chirp) : status;
}

/* x chirp, convolved with the conjugated chirp by transforms of L points, times
 * chirp again. The table of the middle holds the spectrum, divided by L. Real
 * transforms, of odd n, have but half of the outputs, or of the inputs. */
fg_status fg_build_bluestein(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  return t->pairs ? FG_ENA : fg_build_convolution(b, plan, t, NULL);
}
