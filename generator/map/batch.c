/* Groups of transforms that the batch does not fill. In: a stage of a group. Out: conditions on what it moves.
 *
 * The idea: for transforms beyond the batch zeros are loaded, and nothing is stored. What is between needs no
 * condition, so that the iterations of a thread stay one piece of code; but numbers of the caller's that each transform
 * has to itself end with the batch. */
#include "generator/map/digits.h"
#include "generator/map/staging.h"

static void keep_below(fg_access *a, const fg_affine *value, fg_num bound) {
  for (; a; a = a->rest) a->pred[a->npred++] = (fg_pred){.value = *value, .bound = bound};
}

/* The caller's numbers, others for each transform of the batch. */
static bool is_given_to_each(const fg_builder *b, const fg_access *a, int16_t batch) {
  bool varies = false;
  for (int t = 0; t < a->index.at.nterm; t++) varies = varies || a->index.at.term[t].digit == batch;
  return varies && b->program->buffer[a->buffer].space == FG_SPACE_GIVEN;
}

void fg_map_guard_batch(const fg_builder *b, fg_stage *s, const fg_map_shape *sh, int16_t number, int16_t iteration) {
  fg_affine value = {.offset = fg_num_const(0)};
  if (sh->count.form == FG_NUM_CONST && sh->count.n % sh->group == 0) return;
  fg_affine_add(&value, sh->batch, fg_num_const(1));
  fg_affine_add(&value, number, fg_num_const(1));
  if (iteration != number) fg_affine_add(&value, iteration, fg_num_const(1));
  if (!fg_map_is_local(b, s->load.buffer)) keep_below(&s->load, &value, sh->count);
  if (!fg_map_is_local(b, s->store.buffer)) keep_below(&s->store, &value, sh->count);
  if (s->has_twiddle && is_given_to_each(b, &s->twiddle, sh->batch)) keep_below(&s->twiddle, &value, sh->count);
  if (s->has_more && is_given_to_each(b, &s->more, sh->batch)) keep_below(&s->more, &value, sh->count);
}
