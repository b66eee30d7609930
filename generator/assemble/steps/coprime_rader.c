/* Rader's convolutions in a block, of lengths that are products of coprime codelet lengths.
 *
 * In: a plan of prime-factor over codelets. Out: stages in one buffer. The idea: rows are permuted anyway when they
 * enter and leave shared memory, so the convolution can be an array of several dimensions there. Passes along these
 * need no twiddle factors, and each leaves its columns in place. No thread holds values across a barrier.
 *
 * Good, J. Royal Statistical Society B 20 (1958); Agarwal and Cooley, IEEE Trans. ASSP-25 (1977). */
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/convolution.h"
#include "targets/machine/simt.h"
#include <string.h>

/* The lengths of codelets, one behind the other; 0: not only those, or too many. */
static int collect(const fg_plan *p, int *axis, int count) {
  if (p->step == FG_DIRECT && count < FG_MAX_COPRIME) {
    axis[count] = (int)p->arg[0];
    return count + 1;
  }
  if (p->step != FG_PRIME_FACTOR) return 0;
  count = collect(p->child[0], axis, count);
  return count ? collect(p->child[1], axis, count) : 0;
}

bool fg_build_is_coprime(const fg_plan *plan) {
  int axis[FG_MAX_COPRIME];
  return plan->step == FG_RADER && plan->child[0]->step == FG_PRIME_FACTOR && collect(plan->child[0], axis, 0);
}

typedef struct array {
  int axes;
  int axis[FG_MAX_COPRIME];
  int64_t length, banks;
  fg_view memory, spectrum;
} array;

static int64_t step_of(const array *x, int axis) {
  int64_t step = 1;
  for (int i = axis + 1; i < x->axes; i++) step *= x->axis[i];
  return step;
}

/* Bank conflicts of threads that take the columns of these loops. */
static int64_t conflicts(const array *x, const fg_loop *outer, const fg_loop *inner) {
  int64_t lost = 0, count = outer->extent * inner->extent;
  for (int64_t first = 0; first < count; first += x->banks) {
    int met[FG_BANK_ROW / FG_BANK_BYTES] = {0}, most = 1;
    for (int64_t c = first; c < count && c < first + x->banks; c++) {
      int *bank = &met[(c / inner->extent * outer->load + c % inner->extent * inner->load) % x->banks];
      if (++*bank > most) most = *bank;
    }
    lost += most - 1;
  }
  return lost;
}

/* All columns along an axis, each in its place; threads are numbered along the loop that has fewer bank conflicts. */
static fg_stage_form form_along(fg_builder *b, const array *x, int axis) {
  int64_t r = x->axis[axis], step = step_of(x, axis), outer = x->length / r / step;
  fg_loop q = {"q", outer, r * step, r * step, step}, k = {"k", step, 1, 1, 1};
  bool turned = conflicts(x, &k, &q) < conflicts(x, &q, &k);
  return (fg_stage_form){.what = fg_arena_printf(b->cx->arena, "radix %lld, %lld apart", (long long)r, (long long)step),
                         .in = &x->memory,
                         .out = &x->memory,
                         .nloop = 2,
                         .loop = {turned ? k : q, turned ? q : k},
                         .slots = (int)r,
                         .load = step,
                         .store = step};
}

static fg_status pass(fg_builder *b, const array *x, int axis, int sign) {
  fg_stage_form form = form_along(b, x, axis);
  fg_status status = fg_build_codelet(b, x->axis[axis], sign, FG_TW_NONE, &form.codelet);
  if (status == FG_OK) fg_build_stage(b, &form);
  return status;
}

/* Only the first column meets the first point. */
static void first_alone(fg_stage *s) {
  fg_access *both[] = {s->load.rest, s->store.rest};
  fg_affine value = {.offset = fg_num_const(0)};
  fg_affine_add(&value, s->loop[s->nloop - 1], fg_num_const(1));
  for (int i = 0; i < 2; i++) both[i]->pred[both[i]->npred++] = (fg_pred){.value = value, .bound = fg_num_const(1)};
}

/* The spectrum is stored transposed, so that neighbouring threads read neighbours. */
static fg_status middle(fg_builder *b, const array *x) {
  fg_stage_form form = form_along(b, x, x->axes - 1);
  fg_side first = {.slots = 1, .first = x->length};
  form.what = fg_arena_printf(b->cx->arena, "%s, forward and backward", form.what);
  form.table = &x->spectrum, form.table_slots = form.slots, form.table_coef = x->length / form.slots;
  form.load_rest = form.store_rest = &first;
  fg_codelet_key key = {.kind = FG_CODELET_RADER, .sign = -1};
  fg_status status = fg_build_key(b, key, form.slots, &form.codelet);
  if (status == FG_OK) first_alone(fg_build_stage(b, &form));
  return status;
}

static fg_status convolve(fg_builder *b, const array *x) {
  fg_status status = FG_OK;
  for (int i = 0; i < x->axes - 1 && status == FG_OK; i++) status = pass(b, x, i, -1);
  if (status == FG_OK) status = middle(b, x);
  for (int i = x->axes - 2; i >= 0 && status == FG_OK; i--) status = pass(b, x, i, 1);
  return status;
}

/* Inputs x at g^q, outputs X at g^-p; see convolution.c. */
fg_status fg_build_coprime_rader(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int64_t n = t->n, bytes = 2 * fg_precision_bytes(b->program->problem.compute);
  fg_table with = {.fill = FG_FILL_POWERS, .sign = t->sign, .rows = 1, .cols = n - 1, .order = n, .n = n};
  fg_table inputs = {.fill = FG_FILL_LOGARITHM, .sign = 1, .rows = 1, .cols = n, .order = n - 1, .n = n}, outputs;
  array x = {.length = n - 1, .banks = FG_BANK_ROW / bytes};
  x.axes = collect(plan->child[0], x.axis, 0);
  memcpy(inputs.coprime, x.axis, sizeof x.axis);
  with.coprime[0] = x.axis[x.axes - 1];
  memcpy(with.coprime + 1, x.axis, sizeof *x.axis * (size_t)(x.axes - 1));
  outputs = inputs, outputs.sign = -1;
  x.memory = fg_build_interleaved(b, n);
  x.spectrum = fg_build_table(b, &with);
  fg_view in = x.memory, out = x.memory;
  in.lookup = fg_build_table(b, &inputs).buffer, out.lookup = fg_build_table(b, &outputs).buffer;
  fg_build_copy(b, "bring", &t->in, &in, n);
  fg_status status = convolve(b, &x);
  if (status == FG_OK) fg_build_copy(b, "take", &out, &t->out, n);
  return status;
}
