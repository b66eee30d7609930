/* Stores of one SIMD group to the same element. */
#ifndef FG_PROVE_DUPLICATES_H
#define FG_PROVE_DUPLICATES_H
#include "generator/prove/vm.h"

void fg_prove_once_room(fg_vm *m, int64_t elements); /* for a SIMD group that stores to so many */

/* False: the present SIMD group has stored to this element of its buffer before. */
static inline bool fg_once(fg_vm *m, int64_t e) {
  const fg_once_table *t = &m->once;
  uint32_t mask = (uint32_t)((UINT64_C(1) << (64 - t->shift)) - 1),
           i = (uint32_t)((uint64_t)e * 0x9e3779b97f4a7c15u >> t->shift);
  for (; t->simd_group[i] == m->simd_group; i = (i + 1) & mask)
    if (t->element[i] == e) return false;
  t->simd_group[i] = m->simd_group;
  t->element[i] = e;
  return true;
}
#endif
