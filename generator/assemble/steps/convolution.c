/* The forms of a convolution, a row each.
 *
 * In: a task, a plan of the convolution's length. Out: stages. The idea: Bluestein's and Rader's algorithms make a
 * transform a convolution with a constant, whose spectrum is a table; the user's `conv` has a spectrum of the caller's.
 * All take a transform forward; a multiplication; and a transform back. Where the two transforms can be fused, the last
 * pass of the one and the first pass of the other are one stage, with the product inside. Elsewhere the first pass back
 * multiplies. */
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/as_complex.h"

fg_status fg_build_pointwise(fg_builder *b, const fg_view *in, const fg_view *out, const fg_view *table, int64_t n) {
  const fg_codelet *codelet;
  fg_status status = fg_build_codelet(b, 1, -1, FG_TW_IN_ALL, &codelet);
  if (status != FG_OK) return status;
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "multiply %lld points by a table", (long long)n),
                        .codelet = codelet,
                        .in = in,
                        .out = out,
                        .loop = {{"k", n, 1, 1, 1}},
                        .slots = 1,
                        .table = table,
                        .table_slots = 1};
  fg_build_stage(b, &form);
  return FG_OK;
}

/* Buffers from..to-1 and those after them were made for the same plan, one after
 * the other: they may be the same memory. */
static void reuse_memory(fg_program *p, int from, int to) {
  for (int i = 0; from + i < to && to + i < p->nbuffer; i++) {
    fg_buffer *a = &p->buffer[from + i], *z = &p->buffer[to + i];
    bool like = a->space == FG_SPACE_LOCAL && z->space == FG_SPACE_LOCAL && a->size == z->size;
    if (like && a->alias < 0 && z->alias < 0 && a->layout == z->layout) z->alias = (int16_t)(from + i);
  }
}

fg_status fg_build_forward(fg_builder *b, const fg_plan *inside, fg_separate *c) {
  c->first = b->program->nbuffer;
  fg_task task = {.n = c->length, .sign = c->sign, .in = c->in, .out = c->spectrum};
  return fg_build_plan(b, inside, &task);
}

fg_status fg_build_backward(fg_builder *b, const fg_plan *inside, const fg_separate *c) {
  int next = b->program->nbuffer;
  fg_task task = {.n = c->length, .sign = -c->sign, .in = c->spectrum, .out = c->out, .multiply = c->with};
  fg_status status = fg_build_plan(b, inside, &task);
  if (status == FG_OK && !b->map->threads) reuse_memory(b->program, c->first, next);
  return status;
}

/* From view to view, with room between that suits the plan. */
static fg_status separate_convolution(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *spectrum) {
  const fg_plan *inside = plan->child[0];
  fg_view between = fg_build_room_beside(b, inside, t->n);
  fg_task there = {.n = t->n, .sign = t->sign, .in = t->in, .out = between};
  fg_task back = {.n = t->n, .sign = -t->sign, .in = between, .out = t->out, .multiply = spectrum};
  fg_status status = fg_build_plan(b, inside, &there);
  if (status != FG_OK) return status;
  if (b->program->buffer[between.buffer].space == FG_SPACE_WORK) fg_build_kernel(b);
  return fg_build_plan(b, inside, &back);
}

static bool always(fg_builder *b, const fg_plan *plan, const fg_task *task) {
  (void)b, (void)plan, (void)task;
  return true;
}

/* The first that applies is taken. */
static const struct form {
  fg_convolution_applies *applies;
  fg_convolution_build *bluestein, *rader, *convolve;
} forms[] = {
    {fg_build_can_fuse, fg_build_fused_bluestein, fg_build_fused_rader, fg_build_fused_convolution},
    {fg_build_can_join_chirps, NULL, NULL, fg_build_joined_chirps},
    {fg_build_can_fuse_rows, fg_build_separate_bluestein, NULL, fg_build_fused_rows},
    {fg_build_can_split, fg_build_split_convolution, fg_build_split_convolution, fg_build_split_with},
    {fg_build_can_tile, fg_build_separate_bluestein, NULL, fg_build_tiled_convolution},
    {always, fg_build_separate_bluestein, fg_build_separate_rader, separate_convolution},
};

fg_status fg_build_convolution(fg_builder *b, const fg_plan *plan, const fg_task *task, const fg_view *spectrum) {
  const struct form *f = forms;
  while (!f->applies(b, plan, task)) f++;
  fg_convolution_build *build = plan->step == FG_BLUESTEIN ? f->bluestein
                                : plan->step == FG_RADER   ? f->rader
                                                           : f->convolve;
  return build(b, plan, task, spectrum);
}
