/* Operands of elements that are not in the array. In: kernels, whose accesses have their conditions. Out: the same
 * conditions on operands that would otherwise be read beyond their numbers. */
#include "generator/assemble/guard.h"
#include <string.h>

int64_t fg_build_extreme(const fg_kernel *k, const fg_affine *at, int16_t but, bool greatest) {
  int64_t sum = at->offset.n;
  for (int t = 0; t < at->nterm; t++) {
    const fg_digit *d = &k->digit[at->term[t].digit];
    bool up = (at->term[t].coef.n > 0) == greatest;
    if (at->term[t].digit != but) sum += at->term[t].coef.n * fg_digit_value(d, up ? d->extent.n - 1 : 0, NULL);
  }
  return sum;
}

static void guard(const fg_program *p, const fg_kernel *k, const fg_access *element, fg_operation *operation) {
  for (fg_access *operand = &operation->operand; operand; operand = operand->rest, element = element->rest) {
    const fg_affine *at = &operand->index.at;
    if (fg_index_is_bent(&operand->index) || !element->npred) continue;
    bool inside =
        fg_build_extreme(k, at, -1, false) >= 0 && fg_build_extreme(k, at, -1, true) < p->buffer[operand->buffer].size;
    if (inside && !operation->of_array) continue;
    operand->npred = element->npred;
    memcpy(operand->pred, element->pred, sizeof element->pred);
  }
}

void fg_build_guard_operations(fg_builder *b) {
  for (int i = 0; i < b->nkernel; i++)
    for (int j = 0; j < b->kernels[i]->nstage; j++) {
      const fg_stage *s = &b->kernels[i]->stage[j];
      fg_operations *const both[] = {s->operations.loaded, s->operations.stored};
      for (int side = 0; side < 2; side++)
        for (int k = 0; both[side] && k < both[side]->count; k++)
          if (both[side]->operation[k].has_operand)
            guard(b->program, b->kernels[i], side ? &s->store : &s->load, &both[side]->operation[k]);
    }
}
