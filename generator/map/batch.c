/* Groups of transforms that the batch does not fill. In: a stage of a group. Out: conditions on what it moves.
 *
 * The idea: for transforms beyond the batch zeros are loaded, and nothing is stored. What is between needs no
 * condition, so that the iterations of a thread stay one piece of code; but numbers of the caller's that each transform
 * has to itself end with the batch. */
#include "generator/map/digits.h"
#include "generator/map/staging.h"

static void keep_below(fg_access *a, const fg_affine *value, fg_num bound) {
  for (; a; a = a->rest) fg_access_keep(a, value, bound);
}

/* The caller's numbers, others for each transform of the batch; or a table of the transforms' own. */
static bool is_given_to_each(const fg_builder *b, const fg_access *a, int16_t batch) {
  bool varies = fg_affine_mentions(&a->index.at, batch) || fg_affine_mentions(&a->index.base, batch);
  fg_space space = b->program->buffer[a->buffer].space;
  return varies && (space == FG_SPACE_GIVEN || space == FG_SPACE_TABLE);
}

static void guard_operands(const fg_builder *b, fg_operations *o, const fg_affine *value, const fg_map_shape *sh) {
  for (int i = 0; o && i < o->count; i++) {
    fg_operation *x = &o->operation[i];
    if (x->has_operand && is_given_to_each(b, &x->operand, sh->batch)) keep_below(&x->operand, value, sh->count);
  }
}

void fg_map_guard_batch(const fg_builder *b, fg_stage *s, const fg_map_shape *sh, int16_t number, int16_t iteration) {
  fg_affine value = {.offset = fg_num_const(0)};
  if (sh->count.form == FG_NUM_CONST && sh->count.n % sh->group == 0) return;
  fg_affine_add(&value, sh->batch, fg_num_const(1));
  fg_affine_add(&value, number, fg_num_const(1));
  if (iteration != number) fg_affine_add(&value, iteration, fg_num_const(1));
  if (!fg_map_is_local(b, s->load.buffer)) keep_below(&s->load, &value, sh->count);
  if (!fg_map_is_local(b, s->store.buffer)) keep_below(&s->store, &value, sh->count);
  if (s->factors.has_twiddle && is_given_to_each(b, &s->factors.twiddle, sh->batch))
    keep_below(&s->factors.twiddle, &value, sh->count);
  if (s->factors.has_more && is_given_to_each(b, &s->factors.more, sh->batch))
    keep_below(&s->factors.more, &value, sh->count);
  guard_operands(b, s->operations.loaded, &value, sh);
  guard_operands(b, s->operations.stored, &value, sh);
}
