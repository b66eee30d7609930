/* Two transforms of a batch as the real and the imaginary part of one. */
#ifndef FG_ASSEMBLE_STEPS_PAIRED_H
#define FG_ASSEMBLE_STEPS_PAIRED_H
#include "generator/assemble/task.h"

typedef struct fg_pairing {
  int axis;              /* of the batch */
  int64_t count;         /* of transforms along it */
  int64_t reals, values; /* from a transform to its partner, in elements of the views */
} fg_pairing;

/* The last dimension of the batch whose number is known, with partners whole elements apart; along which `shared`, if
 * there is one, is the same. */
bool fg_build_find_pairs(const fg_builder *b, const fg_task *t, const fg_view *shared, fg_pairing *out);
/* Half as many transforms along it. */
void fg_build_take_pairs(fg_builder *b, const fg_pairing *pair, fg_view *in, fg_view *out);
/* Of an odd batch: the last pair has no second one. */
void fg_build_leave_last(const fg_builder *b, const fg_stage *s, const fg_pairing *pair, fg_access *partner);
/* rconv: convolutions two by two in a block, by passes of the plan inside (fused_convolution.c). */
fg_status fg_build_convolved_pairs(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *spectrum);
#endif
