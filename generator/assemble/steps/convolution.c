/* Transforms as convolutions: any length by a chirp, primes by a generator.
 *
 * In: a task, a plan of the convolution's length. Out: stages. The idea: both make the transform a convolution with a
 * constant, whose spectrum is a table. This takes a transform forward; a multiplication, which is part of the first
 * pass of the transform back; and that transform. If the two transforms can be fused, fused_convolution.c does all
 * but the ends.
 *
 * Bluestein, IEEE Trans. AU-18 (1970); Rader, Proc. IEEE 56 (1968). */
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/assemble/steps/split_convolution.h"
#include "generator/assemble/steps/steps.h"

fg_status fg_build_pointwise(fg_builder *b, const fg_view *in, const fg_view *out, const fg_view *table, int64_t n) {
  const fg_codelet *codelet;
  fg_status status = fg_build_codelet(b, 1, -1, FG_TW_IN_ALL, &codelet);
  if (status != FG_OK) return status;
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "multiply %lld points by a table", (long long)n),
                        .codelet = codelet,
                        .in = in,
                        .out = out,
                        .nloop = 1,
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

typedef struct convolution {
  int64_t length;
  fg_view in, spectrum, out; /* in and out may be the same */
  const fg_view *with;       /* table */
  int first;                 /* buffers of the transform forward begin here */
} convolution;

static fg_status forward(fg_builder *b, const fg_plan *plan, convolution *c) {
  c->first = b->program->nbuffer;
  fg_task task = {.n = c->length, .sign = -1, .in = c->in, .out = c->spectrum};
  return fg_build_plan(b, plan, &task);
}

static fg_status backward(fg_builder *b, const fg_plan *plan, const convolution *c) {
  int next = b->program->nbuffer;
  fg_task task = {.n = c->length, .sign = +1, .in = c->spectrum, .out = c->out, .multiply = c->with};
  fg_status status = fg_build_plan(b, plan, &task);
  if (status == FG_OK && !b->map->threads) reuse_memory(b->program, c->first, next);
  return status;
}

/* In place. */
static fg_status convolve(fg_builder *b, const fg_plan *plan, int64_t length, const fg_view *at, const fg_view *with) {
  convolution c = {.length = length, .in = *at, .out = *at, .with = with};
  c.spectrum = fg_build_scratch(b, length);
  fg_status status = forward(b, plan->child[0], &c);
  return status == FG_OK ? backward(b, plan->child[0], &c) : status;
}

/* ---- Bluestein ------------------------------------------------------------- */

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
                         .nloop = 1,
                         .loop = {{"k", count, 1, 1, 1}},
                         .slots = 1,
                         .out_slots = 1,
                         .table = table,
                         .table_slots = 1};
}

/* Element 0, which the chirp leaves as it is: without its imaginary part. */
static fg_status first_element(fg_builder *b, const fg_view *in, const fg_view *out, fg_codelet_kind kind) {
  fg_stage_form form = {
      .what = "element 0", .in = in, .out = out, .slots = 1, .out_slots = 1, .load = 1, .store = 1, .few = true};
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

/* x chirp, convolved with the conjugated chirp by transforms of L points, times
 * chirp again. The table of the middle holds the spectrum, divided by L. Real
 * transforms, of odd n, have but half of the outputs, or of the inputs. */
fg_status fg_build_bluestein(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  int64_t n = t->n, length = fg_plan_convolution(plan), inputs = t->kind == FG_C2R ? n / 2 + 1 : n;
  fg_table chirp = {.fill = FG_FILL_CHIRP, .sign = t->sign, .rows = 1, .cols = n, .order = 2 * n, .n = n};
  fg_table spectrum = {.fill = FG_FILL_BLUESTEIN, .sign = t->sign, .rows = 1, .cols = length, .order = 2 * n, .n = n};
  if (t->pairs) return FG_ENA;
  if (fg_build_can_fuse(b, plan, t)) return fg_build_fused_bluestein(b, plan, t);
  if (fg_build_can_split(b, plan, t)) return fg_build_split_convolution(b, plan, t);
  fg_build_table(b, &chirp);
  fg_view with = fg_build_table(b, &spectrum);
  bool meet = fg_build_can_fuse_rows(b, plan);
  int64_t room = meet ? fg_build_rows_for(plan, n) : length;
  fg_view padded = fg_build_scratch(b, room);
  fg_status status = chirp_in(b, t, &padded, &chirp);
  if (status != FG_OK) return status;
  if (room > inputs) fg_build_zeros(b, &padded, inputs, room);
  fg_task both = {.sign = -1, .in = padded, .out = padded};
  status = meet ? fg_build_fused_rows(b, plan, &both, room, &with) : convolve(b, plan, length, &padded, &with);
  return status == FG_OK ? chirp_out(b, t, &padded, &chirp) : status;
}

/* ---- Rader ------------------------------------------------------------------ */

/* Of two numbers `apart` elements from each other, one linear combination: their
 * sum, or the first plus the second times a constant. */
static fg_status combine(fg_builder *b, const char *what, const fg_view *in, int64_t apart, const fg_view *table,
                         const fg_view *out) {
  const fg_codelet *codelet;
  fg_status status = fg_build_codelet(b, 2, -1, table ? FG_TW_IN_ALL : FG_TW_NONE, &codelet);
  if (status != FG_OK) return status;
  fg_stage_form form = {.what = what,
                        .codelet = codelet,
                        .in = in,
                        .out = out,
                        .slots = 2,
                        .load = apart,
                        .table = table,
                        .table_slots = 2,
                        .table_coef = 1,
                        .few = true};
  fg_stage *s = fg_build_stage(b, &form);
  fg_affine slot = {.offset = fg_num_const(0)};
  fg_affine_add(&slot, s->store.reg, fg_num_const(1));
  s->store.npred = 1; /* the difference is not stored */
  s->store.pred[0] = (fg_pred){.value = slot, .bound = fg_num_const(1)};
  return FG_OK;
}

/* With a generator g, inputs x at g^q and outputs X at g^-p: X - x_0 is the cyclic
 * convolution of n-1 points of x with the roots of unity at g^-j, padded to L
 * points where n-1 is no good length. Element 0 of the spectrum of x is the sum
 * of all but x_0: with x_0 it is X_0; and x_0 times L there adds x_0 everywhere. */
fg_status fg_build_rader(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  bool fused = fg_build_can_fuse(b, plan, t);
  if (fused && fg_build_is_coprime(plan)) return fg_build_coprime_rader(b, plan, t);
  if (fused) return fg_build_fused_rader(b, plan, t);
  if (fg_build_can_split(b, plan, t)) return fg_build_split_convolution(b, plan, t);
  int64_t n = t->n, length = fg_plan_convolution(plan);
  fg_table spectrum = {.fill = FG_FILL_RADER, .sign = t->sign, .rows = 1, .cols = length, .order = n, .n = n};
  fg_table sum = {.fill = FG_FILL_RADER_SUM, .sign = t->sign, .rows = 1, .cols = 2, .order = length, .n = n};
  fg_table power = {.fill = FG_FILL_POWER, .rows = 1, .cols = n - 1, .order = 1, .n = n};
  fg_table log = {.fill = FG_FILL_LOGARITHM, .rows = 1, .cols = n, .order = length, .n = n};
  fg_view with = fg_build_table(b, &spectrum), sum_table = fg_build_table(b, &sum);
  fg_view from = t->in, padded = fg_build_interleaved(b, length + 1), work = fg_build_scratch(b, length + 1);
  fg_view x0 = fg_build_shifted(&work, length), sum_of_all = fg_build_shifted(&padded, length), ordered = padded;
  from.lookup = fg_build_table(b, &power).buffer;
  ordered.lookup = fg_build_table(b, &log).buffer;
  convolution c = {.length = length, .in = padded, .spectrum = work, .out = padded, .with = &with};
  fg_build_copy(b, "gather", &from, &padded, n - 1);
  if (length >= n) fg_build_zeros(b, &padded, n - 1, length);
  fg_status status = forward(b, plan->child[0], &c);
  if (status != FG_OK) return status;
  fg_build_copy(b, "save", &t->in, &x0, 1);
  status = combine(b, "element 0: the sum of all", &x0, -length, NULL, &sum_of_all);
  if (status == FG_OK) status = combine(b, "element 0 added to the others", &x0, -length, &sum_table, &work);
  if (status == FG_OK) status = backward(b, plan->child[0], &c);
  if (status != FG_OK) return status;
  fg_build_copy(b, "reorder", &ordered, &t->out, n);
  return FG_OK;
}
