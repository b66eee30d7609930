/* Two transforms of reals as the real and the imaginary parts of a complex one.
 *
 * In: a task from reals to half of their transform, a batch of known size, a plan of complex numbers. Out: stages.
 * With Z the transform of x + i y, that of x at k is half of Z_k + conj Z_(-k), that of y half of Z_k - conj Z_(-k),
 * divided by i. So any length costs half of its complex transform. In an odd batch the last transform is paired with
 * zeros, which are not stored. Plans of several kernels have a workspace on either side. */
#include "generator/assemble/steps/paired.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/as_complex.h"
#include "generator/assemble/steps/steps.h"

static bool is_whole(const fg_num *stride, const fg_num *step) {
  return stride->form == FG_NUM_CONST && step->form == FG_NUM_CONST && step->n && stride->n % step->n == 0;
}

bool fg_build_find_pairs(const fg_builder *b, const fg_task *t, const fg_view *shared, fg_pairing *out) {
  for (int a = b->naxis - 1; a >= 0; a--) {
    const fg_axis *axis = &b->axis[a];
    bool known = axis->kind == FG_AXIS_BATCH && axis->extent.form == FG_NUM_CONST && axis->extent.n > 1;
    if (!known || (shared && !fg_num_is(shared->coef[a], 0)) || !is_whole(&t->in.coef[a], &t->in.stride) ||
        !is_whole(&t->out.coef[a], &t->out.stride))
      continue;
    *out = (fg_pairing){a, axis->extent.n, t->in.coef[a].n / t->in.stride.n, t->out.coef[a].n / t->out.stride.n};
    return true;
  }
  return false;
}

void fg_build_leave_last(const fg_builder *b, const fg_stage *s, const fg_pairing *pair, fg_access *partner) {
  fg_affine second = {.offset = fg_num_const(1)};
  if (pair->count % 2 == 0) return;
  fg_affine_add(&second, fg_build_axis_digit(b, s, pair->axis), fg_num_const(2));
  fg_access_keep(partner, &second, fg_num_const(pair->count));
}

void fg_build_take_pairs(fg_builder *b, const fg_pairing *pair, fg_view *in, fg_view *out) {
  b->axis[pair->axis].extent = fg_num_const((pair->count + 1) / 2);
  in->coef[pair->axis] = fg_num_scaled(in->coef[pair->axis], 2);
  out->coef[pair->axis] = fg_num_scaled(out->coef[pair->axis], 2);
}

static fg_status join(fg_builder *b, const fg_task *t, const fg_pairing *pair, const fg_view *in, const fg_view *out) {
  fg_side partner = {.slots = 1, .first = pair->reals, .loop = {1}};
  fg_stage_form form = {.what =
                            fg_arena_printf(b->cx->arena, "two times %lld reals as complex numbers", (long long)t->n),
                        .in = in,
                        .out = out,
                        .loop = {{"k", t->n, 1, 1, 0}},
                        .slots = 1,
                        .load_rest = &partner};
  fg_status status = fg_build_key(b, (fg_codelet_key){.kind = FG_CODELET_JOIN, .sign = t->sign}, 2, &form.codelet);
  if (status != FG_OK) return status;
  fg_stage *s = fg_build_stage(b, &form);
  fg_build_leave_last(b, s, pair, s->load.rest);
  return FG_OK;
}

/* Elements k and n - k, of which number n is number 0. */
static fg_status part(fg_builder *b, const fg_task *t, const fg_pairing *pair, const fg_view *in, const fg_view *out) {
  fg_view around = *in;
  fg_side upper = {.slots = 1, .loop = {-1}}, partner = {.slots = 1, .first = pair->values, .loop = {1}};
  fg_stage_form form = {.what = "halves of two transforms",
                        .in = &around,
                        .out = out,
                        .loop = {{"k", t->n / 2 + 1, 1, 1, 0}},
                        .slots = 1,
                        .load_rest = &upper,
                        .store_rest = &partner};
  around.mod = t->n;
  fg_status status = fg_build_key(b, (fg_codelet_key){.kind = FG_CODELET_PART, .sign = t->sign}, 2, &form.codelet);
  if (status != FG_OK) return status;
  fg_stage *s = fg_build_stage(b, &form);
  s->load.rest->index.at.offset = fg_num_const(t->n); /* before the modulus */
  fg_build_leave_last(b, s, pair, s->store.rest);
  return FG_OK;
}

fg_status fg_build_paired(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_problem *q = &b->program->problem;
  const fg_plan *child = plan->child[0];
  bool alone = b->nkernel == 1 && !b->kernel->nstage;
  fg_pairing pair;
  if (t->kind != FG_R2C || t->pairs || !b->map->threads || !alone || q->rank > 1) return FG_ENA;
  if (q->in_place || q->nload || q->nstore || !fg_build_find_pairs(b, t, NULL, &pair))
    return fg_diag_set(
        &b->cx->diag, FG_ENA,
        "plan: paired takes transforms two by two, out of place, without operations on elements: of a batch "
        "of at least two, whose number is no parameter");
  fg_view in = t->in, out = t->out;
  fg_build_take_pairs(b, &pair, &in, &out);
  fg_task inner = {.kind = FG_C2C, .n = t->n, .sign = t->sign, .in = fg_build_room_beside(b, child, t->n)};
  fg_status status = join(b, t, &pair, &in, &inner.in);
  if (status == FG_OK) status = fg_build_between(b, child, &inner);
  if (status != FG_OK) return status;
  return part(b, t, &pair, &inner.out, &out);
}
