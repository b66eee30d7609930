/* A complex transform by four real ones, for codelets that exceed one thread's registers.
 *
 * In: a task. Out: stages. The idea: the transform of x_j + x_(n-j) is a sum of cosines, that of x_j - x_(n-j) a sum
 * of sines, and both are real. So real and imaginary parts are computed by separate threads, for the sums and for the
 * differences; each of the four has a codelet of half as many numbers as a complex codelet. Every thread stores its
 * results where its inputs were, z in k <= n/2 and w in n - k, so that no barrier is needed; the results are z + i w
 * and z - i w, exchanged for the forward transform. */
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/steps.h"

/* Elements k and n - k of a view to the same ones of another, k <= (n-1)/2: their sum and
 * difference, the second turned first by i, or by -i, where that is wanted. Element 0 has no partner. */
static fg_status pairs(fg_builder *b, const fg_view *in, const fg_view *out, int64_t n, int turned) {
  fg_table quarter = {.fill = FG_FILL_TWIDDLE, .sign = turned, .rows = 1, .cols = 1, .row0 = 1, .col0 = 1, .order = 4};
  fg_side upper = {.slots = 1, .first = n, .loop = {-1}};
  fg_stage_form form = {.what = turned ? "real and imaginary parts of results" : "sums and differences",
                        .in = in,
                        .out = out,
                        .loop = {{"k", (n + 1) / 2, 1, 1, 0}},
                        .slots = 1,
                        .load_rest = &upper,
                        .store_rest = &upper};
  fg_view i;
  if (turned) {
    i = fg_build_table(b, &quarter);
    form.table = &i;
    form.table_slots = 1;
  }
  fg_status status = fg_build_codelet(b, 2, -1, turned ? FG_TW_IN : FG_TW_NONE, &form.codelet);
  if (status != FG_OK) return status;
  fg_stage *s = fg_build_stage(b, &form);
  fg_access *both[] = {s->load.rest, s->store.rest};
  fg_affine minus = {.offset = fg_num_const(0)};
  fg_affine_add(&minus, s->loop[s->nloop - 1], fg_num_const(-1));
  for (int l = 0; l < 2; l++) fg_access_keep(both[l], &minus, fg_num_const(0));
  return FG_OK;
}

/* Elements first, first + step, ... of both parts. */
static fg_status transform(fg_builder *b, const fg_task *t, const fg_view *row, bool odd) {
  fg_codelet_key key = {.kind = odd ? FG_CODELET_ODD : FG_CODELET_EVEN, .sign = 1};
  fg_view lower = fg_build_shifted(row, odd ? t->n - 1 : 0), reals = fg_build_parts_view(b, &lower, 0);
  int64_t apart = 2 * row->stride.n; /* lanes are between two elements */
  fg_stage_form form = {
      .what = fg_arena_printf(b->cx->arena, "%s of %lld points", odd ? "sines" : "cosines", (long long)t->n),
      .in = &reals,
      .out = &reals,
      .loop = {{"p", 2, 1, 1, 0}},
      .slots = fg_codelet_input(key.kind, (int)t->n).elements,
      .load = odd ? -apart : apart,
      .store = odd ? -apart : apart};
  reals.stride = fg_num_const(1);
  fg_status status = fg_build_key(b, key, t->n, &form.codelet);
  if (status != FG_OK) return status;
  fg_stage *s = fg_build_stage(b, &form);
  s->warp_role = odd; /* beside the cosines, where a block has threads for both */
  if (!odd) s->exchange.after = fg_exchange_none();
  return FG_OK;
}

fg_status fg_build_dense(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  (void)plan;
  if (!b->map->threads || t->kind != FG_C2C || t->pairs || t->n < 3 || t->n % 2 == 0) return FG_ENA;
  fg_view row = fg_build_interleaved(b, t->n), in = t->in;
  if (in.ends && b->program->problem.nload) { /* operations make numbers of what is not loaded: x + 0.5 */
    in = fg_build_interleaved(b, t->n);
    fg_build_copy(b, "copy of", &t->in, &in, t->n);
  }
  fg_status status = pairs(b, &in, &row, t->n, 0);
  if (status == FG_OK) status = transform(b, t, &row, false);
  if (status == FG_OK) status = transform(b, t, &row, true);
  return status == FG_OK ? pairs(b, &row, &t->out, t->n, t->sign) : status;
}
